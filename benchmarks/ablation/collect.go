package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/problemfile"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/ablation"
	"github.com/quasistatic/quasistatic/internal/families"
	"github.com/quasistatic/quasistatic/internal/processor"
	model "github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/models"
)

// collect makes the collection.
func collect() (list []problem) {
	list = append(list, ofFamilies()...)
	list = append(list, ofSmall()...)
	list = append(list, ofOthers()...)
	return append(list, ofScenes()...)
}

func ofFamilies() (list []problem) {
	for _, f := range families.All() {
		for _, text := range strings.Split(*sizes, ",") {
			size, err := strconv.Atoi(text)
			if err != nil {
				log.Fatalf("-sizes: %v", err)
			}
			for seed := range *seeds {
				p, err := families.Local(f.Problem(size, families.Parameters{Seed: uint64(seed)}))
				if err != nil {
					log.Fatalf("%s: %v", f.Name, err)
				}
				list = append(list, problem{name: fmt.Sprintf("%s-%d-%d", f.Name, size, seed), group: "families", p: p})
			}
		}
	}
	return list
}

// ofSmall are degenerate ones: small integers for H, so that W = HᵀH is often singular and states
// are often at their edges.
func ofSmall() (list []problem) {
	r := rand.New(rand.NewPCG(33, 1))
	for k := range *small {
		dim, nc := 2+r.IntN(2), 1+r.IntN(6)
		n, rows := dim*nc, 1+r.IntN(dim*nc)
		h := make([]float64, rows*n)
		for i := range h {
			h[i] = float64(r.IntN(5) - 2)
		}
		w := &contact.Dense{D: dim, N: n, Val: make([]float64, n*n)}
		for i := range n {
			for j := range n {
				for m := range rows {
					w.Val[i*n+j] += h[m*n+i] * h[m*n+j]
				}
			}
		}
		p := &contact.Local{W: w, Q: make([]float64, n), Laws: make([]contact.Law, nc)}
		v := make([]float64, rows) // q = Hᵀv + w with w_N ≥ 0: then v = 0 is admissible
		for m := range v {
			v[m] = float64(r.IntN(7) - 3)
		}
		for i := range n {
			for m := range rows {
				p.Q[i] += h[m*n+i] * v[m]
			}
		}
		for j := range nc {
			p.Q[dim*j] += float64(r.IntN(2))
			p.Laws[j] = contact.Coulomb{Mu: []float64{0, .3, .5, 1}[r.IntN(4)]}
		}
		list = append(list, problem{name: fmt.Sprintf("small-%d", k), group: "small", p: p})
	}
	return list
}

func ofOthers() (list []problem) {
	files, _ := filepath.Glob(filepath.Join(*others, "frictional", "*.dat"))
	for _, file := range files {
		f, err := problemfile.ReadFile(file)
		if err != nil {
			log.Printf("%s: left out: %v", file, err)
			continue
		}
		p := f.Local
		if f.Kind == problemfile.GlobalKind {
			d, err := f.Global.Local()
			if err != nil {
				log.Printf("%s: left out: %v", file, err)
				continue
			}
			p = d.Local
		}
		if p != nil {
			list = append(list, problem{name: filepath.Base(file), group: "others", p: p})
		}
	}
	return list
}

// most is the number of problems taken of a scene.
const most = 40

// ofScenes runs the rigid cases of folders and takes what is hard there, or reads what a run before
// has stored.
func ofScenes() (list []problem) {
	files, _ := filepath.Glob(filepath.Join(*store, "*.json"))
	if *store != "" && len(files) > 0 {
		for _, file := range files {
			f, err := problemfile.ReadFile(file)
			if err != nil {
				log.Fatal(err)
			}
			name := strings.TrimSuffix(filepath.Base(file), ".json")
			list = append(list, problem{name: name, group: "scenes: " + name[:strings.LastIndex(name, "-")], p: f.Local})
		}
		return list
	}
	for _, folder := range strings.Split(*scenes, ",") {
		files, _ := filepath.Glob(filepath.Join(folder, "*.json"))
		for _, path := range files {
			list = append(list, ofScene(path)...)
		}
	}
	if *store != "" {
		for _, x := range list {
			write(filepath.Join(*store, x.name+".json"), x.p)
		}
	}
	return list
}

func write(path string, p *contact.Local) {
	w, err := os.Create(path)
	if err == nil {
		err = errors.Join(problemfile.WriteJSON(w, &problemfile.Problem{Kind: problemfile.LocalKind, Local: p}), w.Close())
	}
	if err != nil {
		log.Fatalf("%s: %v", path, err)
	}
}

// ofScene takes the problems of a scene that the first method asked for does not solve: those that
// are posed twice.
func ofScene(path string) (list []problem) {
	c, err := models.Grammar().Load(path)
	if err != nil {
		return nil
	}
	built, err := models.Build(context.Background(), c)
	if err != nil {
		return nil
	}
	m, ok := built.(*model.Case)
	if !ok {
		return nil
	}
	m.Options.Pointedness = false
	s, err := rigid.NewStepper(m.Model, m.Options)
	if err != nil {
		return nil
	}
	var before []float64
	taken, begin := false, processor.Time()
	ablation.Observe = func(x any) {
		p := x.(*contact.Local)
		if len(p.Laws) < 2 || len(list) == most {
			return
		}
		if !slices.Equal(p.Q, before) {
			before, taken = append(before[:0], p.Q...), false
			return
		}
		if !taken {
			taken = true
			list = append(list, problem{name: fmt.Sprintf("%s-%d", c.Name, len(list)), group: "scenes: " + c.Name, p: clone(p)})
		}
	}
	defer func() { ablation.Observe = nil }()
	for range min(m.Plan().Steps, *steps) {
		if s.Step(context.Background(), m.Plan().Step()) != nil || len(list) == most || processor.Time()-begin > sceneTime {
			break
		}
	}
	return list
}

// sceneTime bounds the processor time of a scene.
const sceneTime = time.Minute

// clone copies a problem; where W came from is not copied, as in a file.
func clone(p *contact.Local) *contact.Local {
	x := &contact.Local{Q: slices.Clone(p.Q), Laws: slices.Clone(p.Laws)}
	switch w := p.W.(type) {
	case *contact.Blocks:
		x.W = &contact.Blocks{D: w.D, Ptr: slices.Clone(w.Ptr), Col: slices.Clone(w.Col), Val: slices.Clone(w.Val)}
	case *contact.Dense:
		x.W = &contact.Dense{D: w.D, N: w.N, Val: slices.Clone(w.Val)}
	default:
		x.W = p.W
	}
	return x
}
