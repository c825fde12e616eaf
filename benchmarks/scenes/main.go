// Command scenes times scenes of rigid bodies: cases of the repository and others that it
// makes, see made. With -peer it runs MuJoCo on the same case files, scene by scene, by
// scripts/peers/rigid_scenes.mjs in a folder with its package (npm install mujoco-js@0.0.7), and
// prints the table of README.md; without, a line for each.
//
//	go run ./benchmarks/scenes [-peer DIR] [-only NAME] [-limit 45s] [-repeat 3] [-rest] [-profile FILE] [-write DIR]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/processor"
	model "github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/models"
)

func main() {
	only, profile := flag.String("only", "", "part of the name of a scene"),
		flag.String("profile", "", "file for a profile of the processor time")
	peer, limit := flag.String("peer", "", "folder with the package mujoco-js"),
		flag.Duration("limit", 45*time.Second, "time of a scene of the peer")
	repeat := flag.Int("repeat", 1, "runs of a scene, of which the fastest counts; the peer has run it for a second before")
	rest := flag.Bool("rest", false, "scenes that end where all rests, too")
	write := flag.String("write", "", "write the scenes that are made here as cases to this folder, run none")
	flag.Parse()
	if *write != "" {
		if _, err := made(*write); err != nil {
			log.Fatal(err)
		}
		return
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			log.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	folder, err := os.MkdirTemp("", "scenes")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	list, err := made(folder)
	if err != nil {
		log.Fatal(err)
	}
	list = append([]scene{{file: "cases/box-stack.json", steps: 2000}, {file: "cases/pile.json", steps: 800},
		{file: "cases/box-pile.json", steps: 300}, {file: "cases/dominoes.json", steps: 750},
		{file: "cases/chain-50.json", steps: 800}}, list...)
	if *peer != "" {
		fmt.Println("| scene | contacts | ours, ms a step | slowest | iterations, half of the steps, most | penetration | last body sunk | MuJoCo, ms a step | penetration | last body sunk | ratio |\n|---|---|---|---|---|---|---|---|---|---|---|")
	}
	for _, x := range list {
		if x.rest && !*rest {
			continue
		}
		r, err := build(x)
		if err == nil && strings.Contains(r.name, *only) {
			if r, err = fastest(r, x, *repeat); err == nil && *peer != "" {
				r.row(beside(*peer, x, *limit))
			} else if err == nil {
				r.print()
			}
		}
		if err != nil {
			log.Printf("%s: %v", x.file, err)
		}
	}
}

// result is what one scene has cost and where it has led.
type result struct {
	name           string
	m              *model.Case
	s              *rigid.Stepper
	before, after  float64 // energy [J]
	step, slowest  float64 // processor time [ms]
	iterations     [2]int  // in half of the steps, at most
	contacts       int
	penetration    float64 // largest of all steps [m]
	sideways, sunk float64 // of all bodies, of the last one [m]
}

// fastest runs a scene several times.
func fastest(r *result, x scene, repeat int) (best *result, err error) {
	for range max(1, repeat) {
		if err = r.time(x.steps, x.rest); err != nil {
			return nil, err
		}
		if best == nil || r.step < best.step {
			best = r
		}
		if r, err = build(x); err != nil {
			return nil, err
		}
	}
	return best, nil
}

// build makes a scene.
func build(x scene) (*result, error) {
	c, err := models.Grammar().Load(x.file)
	if err != nil {
		return nil, err
	}
	built, err := models.Build(context.Background(), c)
	if err != nil {
		return nil, err
	}
	r := &result{name: c.Name, m: built.(*model.Case)}
	r.m.Options.Pointedness = false // a certificate that the peer has not
	r.s, err = rigid.NewStepper(r.m.Model, r.m.Options)
	return r, err
}

// time runs it, up to where all rests if that is wanted.
func (r *result) time(steps int, rest bool) error {
	e := r.s.Energy()
	r.before = e.Kinetic + e.Potential
	runtime.GC() // what the case file has left is not collected in the steps
	began, slowest := processor.Time(), time.Duration(0)
	iterations := make([]int, 0, steps)
	for range steps {
		t := processor.Time()
		if err := r.s.Step(context.Background(), r.m.Plan().Step()); err != nil {
			return err
		}
		slowest = max(slowest, processor.Time()-t)
		iterations = append(iterations, r.s.Last().Iterations)
		r.penetration = max(r.penetration, r.s.Last().Penetration)
		if now := r.s.Last().Rest; rest && now.Bodies == r.m.World.Bodies() {
			fmt.Printf("%s: at rest after %d steps, but for the free spin of %d bodies\n", r.name, len(iterations), now.Spinning)
			break
		}
	}
	steps = len(iterations)
	ms := func(d time.Duration) float64 { return 1e3 * d.Seconds() }
	r.step, r.slowest = ms(processor.Time()-began)/float64(steps), ms(slowest)
	slices.Sort(iterations)
	r.iterations = [2]int{iterations[steps/2], iterations[steps-1]}
	_, q, _, _ := r.s.State()
	w := r.m.World
	for i := range w.Bodies() {
		at, _ := w.Coordinates(i)
		r.sideways = max(r.sideways, math.Hypot(q[at]-r.m.Q0[at], q[at+1]-r.m.Q0[at+1]))
		r.sunk = r.m.Q0[at+w.Dim()-1] - q[at+w.Dim()-1]
	}
	e = r.s.Energy()
	r.after, r.contacts = e.Kinetic+e.Potential, r.s.Last().Stick+r.s.Last().Slip
	return nil
}

func (r *result) print() {
	fmt.Printf("%s: %.4f ms/step, slowest %.3g ms, %d iterations in half of the steps, %d at most, %d contacts, penetration %.2g m, sideways %.2g m, last body sunk %.2g m, energy %.4f to %.4f J\n",
		r.name, r.step, r.slowest, r.iterations[0], r.iterations[1], r.contacts, r.penetration, r.sideways, r.sunk, r.before, r.after)
}

// rival is what the peer says of a scene.
type rival struct{ step, penetration, sunk float64 }

// row prints a line of the table; x nil: the peer did not end.
func (r *result) row(x *rival) {
	fmt.Printf("| %s | %d | %.3g | %.3g | %d, %d | %.1g m | %.1g m ", r.name, r.contacts, r.step, r.slowest,
		r.iterations[0], r.iterations[1], r.penetration, r.sunk)
	if x == nil {
		fmt.Println("| not ended | | | |")
		return
	}
	fmt.Printf("| %.3g | %.1g m | %.1g m | %.2g |\n", x.step, x.penetration, x.sunk, r.step/x.step)
}

// beside runs the peer on a scene; nil: it did not end within the limit, or broke off.
func beside(folder string, x scene, limit time.Duration) *rival {
	const script = "rigid_scenes.mjs"
	data, err := os.ReadFile(filepath.Join("scripts", "peers", script))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, script), data, 0o666)
	}
	file, e := filepath.Abs(x.file)
	if err = errors.Join(err, e); err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, "node", script, file)
	c.Dir = folder
	out, err := c.Output()
	if err != nil { // its time or, with hundreds of boxes, its memory
		return nil
	}
	var r rival
	text := string(out)
	if i := strings.Index(text, " steps, "); i >= 0 {
		_, err = fmt.Sscanf(text[i:], " steps, %g ms/step", &r.step)
	}
	for part, to := range map[string]*float64{"penetration ": &r.penetration, "sunk ": &r.sunk} {
		if i := strings.Index(text, part); err == nil && i >= 0 {
			_, err = fmt.Sscanf(text[i+len(part):], "%g", to)
		}
	}
	if err != nil {
		log.Fatalf("%s: %v: %s", x.file, err, out)
	}
	return &r
}
