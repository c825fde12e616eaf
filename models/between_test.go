package models_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// slide is a block of 1 kg on a floor with friction F, by events: between knots the force is
// linear, so that the slip is a quadratic whose roots are known. It shares no code with the models.
type slide struct {
	most  float64 // F [N]
	u     float64 // slip [m/s]
	x, d  float64 // way of the slip [m], energy taken [J]
	jumps map[float64]float64
}

// piece advances over [0, h] with the force f + kt.
func (s *slide) piece(f, k, h float64) {
	for h > 0 {
		sign := math.Copysign(1, s.u)
		if s.u == 0 {
			if sign = math.Copysign(1, f); math.Abs(f) <= s.most && !(math.Abs(f) == s.most && f*k > 0) { // it sticks until ±F is met
				if k == 0 {
					return
				}
				t := (math.Copysign(s.most, k) - f) / k
				if t >= h {
					return
				}
				f, h = math.Copysign(s.most, k), h-t
				continue
			}
		}
		a := f - sign*s.most // u(t) = u + a t + k t²/2 until it is zero again
		end, stops := h, false
		for _, t := range roots(k/2, a, s.u) {
			if t > 1e-13 && t < end {
				end, stops = t, true
			}
		}
		way := s.u*end + a*end*end/2 + k*end*end*end/6
		s.x, s.d, s.u = s.x+way, s.d+s.most*math.Abs(way), s.u+a*end+k*end*end/2
		if f, h = f+k*end, h-end; stops {
			s.u = 0
		}
	}
}

// roots of a t² + b t + c.
func roots(a, b, c float64) []float64 {
	if a == 0 {
		if b == 0 {
			return nil
		}
		return []float64{-c / b}
	}
	d := b*b - 4*a*c
	if d < 0 {
		return nil
	}
	q := -(b + math.Copysign(math.Sqrt(d), b)) / 2
	if q == 0 {
		return []float64{0}
	}
	return []float64{q / a, c / q}
}

// path is a function of time that is linear between knots.
type path [][2]float64

// polygonOf is a function as a path that is finer than anything in it.
func polygonOf(f func(t float64) float64, until, period float64) (p path) {
	n := int(math.Ceil(until / period * 400))
	for k := range n + 1 {
		t := until * float64(k) / float64(n)
		p = append(p, [2]float64{t, f(t)})
	}
	return p
}

// follows takes the block through a force, until an end. Velocities of the floor that jump are in
// jumps.
func (s *slide) follows(force path, until float64) {
	times := []float64{0, until}
	for _, k := range force {
		times = append(times, k[0])
	}
	for t := range s.jumps {
		times = append(times, t)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	at := func(t float64) float64 {
		i := max(1, min(len(force)-1, sortedAfter(force, t)))
		a, b := force[i-1], force[i]
		return a[1] + (b[1]-a[1])*min(1, max(0, (t-a[0])/(b[0]-a[0])))
	}
	for i, t := range times[:len(times)-1] {
		if t < 0 || t >= until {
			continue
		}
		s.u -= s.jumps[t]
		h := times[i+1] - t
		f, end := at(t+1e-9*h), at(t+h*(1-1e-9))
		s.piece(f, (end-f)/h, h)
	}
}

// sortedAfter is the first knot after t.
func sortedAfter(p path, t float64) int {
	i, _ := slices.BinarySearchFunc(p, t, func(k [2]float64, t float64) int {
		if k[0] <= t {
			return -1
		}
		return 1
	})
	return i
}

// table returns the path as that of a case, along x.
func (p path) table() object {
	var rows list
	for _, k := range p {
		rows = append(rows, list{k[0], list{k[1], 0}})
	}
	return object{"table": rows}
}

func sine(amplitude, frequency, phase float64) object {
	return object{"sine": object{"amplitude": list{amplitude, 0}, "frequency": frequency, "phase": phase}}
}

// onFloor is a point of 1 kg on a floor with μ = .3 where g = 10: F = 3 N.
func onFloor(model string, until float64, steps int, load, motion object) object {
	body, floor := object{"id": "b", "mass": 1, "position": list{0, 0}}, object{"point": list{0, 0}, "normal": list{0, 1}}
	if load != nil {
		body["load"] = load
	}
	if motion != nil {
		floor["motion"] = object{"translation": motion}
	}
	doc := object{"name": "slide", "model": model, "dimension": 2, "gravity": list{0, -10}, "until": until, "bodies": list{body},
		"obstacles": object{"floor": floor}, "friction": object{"dry": object{"mu": 0.3}}}
	if steps > 0 {
		doc["steps"] = steps
	}
	switch model {
	case "rigid":
		doc["material"] = "dry"
	case "theta":
		doc["theta"] = 0.5
		fallthrough
	default:
		doc["contacts"] = list{object{"body": "b", "obstacle": "floor", "friction": "dry", "patch": "rigid"}}
	}
	return doc
}

// outcome is what a run leaves.
type outcome struct {
	x, d      float64
	steps     int
	certified bool
	facts     []table.Fact
}

// outcomeOf runs a case, with the displacement along x of a subject.
func outcomeOf(t *testing.T, doc object) outcome {
	t.Helper()
	o, err := tried(t, doc)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// tried is the same of a run that may be refused amid its steps.
func tried(t *testing.T, doc object) (o outcome, err error) {
	t.Helper()
	r, err := drive(built(t, doc), func(_ run.Run, k int) { o.steps = k })
	if err != nil {
		return o, err
	}
	o.x = r.Value(&casefile.Expectation{Quantity: "displacement", Subject: 0})
	o.d = r.Value(&casefile.Expectation{Quantity: "dissipation", Subject: -1})
	o.facts = r.Verdict()
	o.certified = !slices.ContainsFunc(o.facts, func(f table.Fact) bool { return !f.Passed })
	return o, nil
}

var sliding = []string{"rigid", "theta", "compliant"}

// TestHiddenLoads: the rows of issue 32. What steps over a load of 50 Hz, a blow of 1 ms, or a
// table that shakes, sees it now: the run is certified and right, or not certified. Before, a block
// went 21 km in 40 s, stayed where it was, or took 3e-23 J, all certified.
func TestHiddenLoads(t *testing.T) {
	thorough.Seconds(t)
	blow := path{{0, 0}, {0.2033, 0}, {0.2038, 2000}, {0.2043, 0}}
	knock := path{{0, 0}, {0.2033, 0}, {0.2034, 8000}, {0.2043, 0}} // no chord of three knots is its mean
	hum := polygonOf(func(t float64) float64 { return 30 * math.Sin(2*math.Pi*50*t) }, 2, 0.02)
	quake := polygonOf(func(t float64) float64 {
		return 1e-3 * math.Pow(2*math.Pi*50, 2) * math.Sin(2*math.Pi*50*t)
	}, 2, 0.02) // −s̈ of the floor
	shaken := slide{most: 3, u: -1e-3 * 2 * math.Pi * 50}
	shaken.follows(quake, 2)
	for _, c := range []struct {
		name         string
		load, motion object
		force        path
		steps        int
		truth        *slide // nil: by the force
	}{
		{name: "blow", load: blow.table(), force: blow, steps: 200}, {name: "knock", load: knock.table(), force: knock, steps: 200},
		{name: "hum", load: sine(30, 50, 0), force: hum, steps: 100},
		{name: "shaken", motion: sine(1e-3, 50, 0), truth: &shaken, steps: 200},
	} {
		truth := c.truth
		if truth == nil {
			truth = &slide{most: 3}
			truth.follows(c.force, 2)
		}
		for _, model := range sliding {
			for _, factor := range []int{1, 16} {
				o := outcomeOf(t, onFloor(model, 2, factor*c.steps, c.load, c.motion))
				off := math.Abs(o.d-truth.d) / truth.d
				if o.certified && off > 0.01 {
					t.Errorf("%s, %s: certified, D is %.6g J, %.6g is true", c.name, model, o.d, truth.d)
				}
				if off > map[int]float64{1: 0.5, 16: 0.1}[factor] { // eight nodes a period see that there is something
					t.Errorf("%s, %s: in %d steps D is %.6g J, %.6g is true", c.name, model, o.steps, o.d, truth.d)
				}
			}
		}
	}
}

// TestHiddenBursts: random pulses, zigzags and sines, as loads and as motions of the floor, that
// equal steps of the case do not see, and steps that are chosen: no run is certified and wrong, and
// most are certified.
func TestHiddenBursts(t *testing.T) {
	thorough.Seconds(t)
	n := 24
	if thorough.Asked() {
		n = 400
	}
	r, certified := drawn{rand.New(rand.NewPCG(32, 1))}, 0
	for k := range n {
		model, steps := sliding[k%3], []int{0, 40, 400}[k/3%3]
		truth, force, until := slide{most: 3}, path(nil), 1.0
		var load, motion object
		what := r.pick("pulse", "burst", "sines", "floor")
		switch at, wide := r.uniform(0.1, 0.6), r.power(-4, -2); what {
		case "pulse":
			peak := r.uniform(0.3, 2) / wide
			force = path{{0, 0}, {at, 0}, {at + wide*r.uniform(0.1, 0.9), peak}, {at + wide, 0}, {until, r.uniform(-2, 2)}}
		case "burst": // of no impulse
			force = path{{0, 0}, {at, 0}}
			for i := range 6 {
				force = append(force, [2]float64{at + wide*(float64(i)+0.5), math.Copysign(r.uniform(0.3, 1)/wide, float64(i%2)-0.5)})
			}
			force = append(force, [2]float64{at + 6*wide, 0})
		case "sines":
			a, f, b, g := r.uniform(2, 20), r.uniform(2, 60), r.uniform(2, 20), r.uniform(2, 60)
			load = object{"sum": list{sine(a, f, 0.3), sine(b, g, 1)}}
			force = polygonOf(func(t float64) float64 {
				return a*math.Sin(2*math.Pi*f*t+0.3) + b*math.Sin(2*math.Pi*g*t+1)
			}, until, 1/max(f, g))
		case "floor":
			way := r.uniform(-1, 1) * wide
			motion = path{{0, 0}, {at, 0}, {at + wide, way}, {at + 2*wide, 0}, {until, 0.3}}.table()
			truth.jumps = map[float64]float64{at: way / wide, at + wide: -2 * way / wide, at + 2*wide: way/wide + 0.3/(until-at-2*wide)}
			force = path{{0, 0}, {until, 0}}
		}
		if load == nil && motion == nil {
			load = force.table()
		}
		truth.follows(force, until)
		o := outcomeOf(t, onFloor(model, until, steps, load, motion))
		if !o.certified {
			continue
		}
		certified++
		if off := math.Abs(o.d-truth.d) / truth.d; off > 0.01 {
			for _, f := range o.facts {
				t.Log(&f)
			}
			t.Errorf("%d: %s of %s in %d steps, %d made: certified, D is %.6g J, %.6g is true, off by %.2g", k, model,
				what, steps, o.steps, o.d, truth.d, off)
		}
	}
	t.Logf("%d of %d certified", certified, n)
	if certified < n/3 {
		t.Errorf("%d of %d are certified", certified, n)
	}
}

// TestHiddenSignals: a pulse of 1 ms amid a step of .1 s, of impulse 1 or of what it sets going, by
// each signal that a motion has: load, force at a point, torque, axes of the body, gravity, motors,
// friction over time, weight. The run sees it within a twentieth, and where it is certified within
// its accuracy.
func TestHiddenSignals(t *testing.T) {
	const at, wide, rest = 0.5003, 1e-3, 1 - 0.5003 - 0.5e-3 // times [s], what is left of the run
	pulse := func(base, peak float64) object {
		return object{"table": list{list{0, base}, list{at, base}, list{at + wide/2, base + peak}, list{at + wide, base}, list{1, base}}}
	}
	motor := func(m object) object {
		return object{"joints": list{object{"type": "revolute", "body": "b", "at": list{0, 0}, "motor": m}}}
	}
	put := func(force, torque any, axes string) object {
		load := object{"body": "b", "axes": axes}
		if force != nil {
			load["force"] = list{force, 0}
		}
		if torque != nil {
			load["torque"] = torque
		}
		return object{"loads": list{load}}
	}
	peak := 2 / wide // of impulse 1
	for name, c := range map[string]struct {
		change   object
		models   []string
		v, mu    float64
		quantity string
		want     float64
	}{
		"load":     {object{"load": list{pulse(0, peak), 0}}, sliding, 0, 0, "displacement", rest},
		"point":    {put(pulse(0, peak), nil, "space"), sliding, 0, 0, "displacement", rest},
		"axes":     {put(pulse(0, peak), nil, "body"), sliding, 0, 0, "displacement", rest},
		"torque":   {put(nil, pulse(0, peak), "space"), sliding, 0, 0, "angle", rest},
		"gravity":  {object{"gravity": list{pulse(0, peak), -10}}, sliding, 0, 0, "displacement", rest},
		"friction": {object{"friction": object{"dry": object{"mu": pulse(0, peak/10)}}}, sliding, 3, 0, "displacement", 3 - rest},
		"weight":   {object{"gravity": list{0, pulse(0, -peak)}}, sliding, 3, 0.3, "displacement", 3 - 0.3*rest},
		"force":    {motor(object{"force": pulse(0, peak)}), sliding[:1], 0, 0, "angle", rest},
		"velocity": {motor(object{"velocity": pulse(0, peak), "gain": 1}), sliding[:1], 0, 0, "angle", 1 - math.Exp(-rest)},
		"position": {motor(object{"position": pulse(0, peak), "stiffness": 1}), sliding[:1], 0, 0, "angle", math.Sin(rest)},
	} {
		for _, model := range c.models {
			doc := onFloor(model, 1, 10, nil, nil)
			doc["friction"] = object{"dry": object{"mu": c.mu}}
			body := doc["bodies"].(list)[0].(object)
			body["inertia"], body["velocity"] = 1, list{c.v, 0}
			if load := c.change["load"]; load != nil {
				body["load"] = load
			} else {
				maps.Copy(doc, c.change)
			}
			if doc["joints"] != nil { // in a bearing, clear of the floor
				body["position"], doc["joints"].(list)[0].(object)["at"] = list{0, 1}, list{0, 1}
			}
			r, err := drive(built(t, doc), func(run.Run, int) {})
			if err != nil {
				t.Fatal(err)
			}
			got := r.Value(&casefile.Expectation{Quantity: c.quantity, Subject: 0})
			off, certified := math.Abs(got-c.want)/c.want, !slices.ContainsFunc(r.Verdict(), func(f table.Fact) bool { return !f.Passed })
			if off > 0.05 || certified && off > 0.01 {
				t.Errorf("%s, %s: %s %.6g, %.6g is true, certified: %t", name, model, c.quantity, got, c.want, certified)
			}
		}
	}
}

// TestBlowOnMesh: a blow of 1 N s on a free bar of 1 kg, in 1 ms between two nodes of steps of 10:
// (1 − .2038) m, by both schemes.
func TestBlowOnMesh(t *testing.T) {
	for _, scheme := range []string{"trapezoidal", "central difference"} {
		doc := object{"name": "blow", "model": "elastodynamic", "scheme": scheme, "until": 1, "steps": 100,
			"mass": "lumped", "mesh": object{"block": object{"size": list{1}, "cells": list{2}}}, "young": 100, "density": 1,
			"body_force": list{object{"table": list{list{0, 0}, list{0.2033, 0}, list{0.2038, 2000}, list{0.2043, 0}}}}}
		if o := outcomeOf(t, doc); math.Abs(o.x-0.7962) > 1e-3 {
			t.Errorf("%s: it moves %g m in %d steps, want .7962", scheme, o.x, o.steps)
		}
	}
}

// TestTooFast: what no number of steps sees is refused at its place, with the number.
func TestTooFast(t *testing.T) {
	for _, c := range []struct {
		model string
		load  object
		steps int
		want  string
	}{
		{"rigid", sine(1, 1e6, 0), 10, "$.bodies[0].load.sine: found a period of 1e-06 s, which takes 8000000 steps to t = 1 at 8 a period, want a slower one, or \"steps\": 8000000"},
		{"theta", object{"sum": list{sine(1, 2, 0), sine(1, 1e9, 0)}}, 0,
			"$.bodies[0].load.sum[1].sine: found a period of 1e-09 s, which takes 8000000000 steps to t = 1 at 8 a period, want a slower one: no run makes more than 1e+08 steps"},
		{"compliant", sine(1, 1e5, 0), 10, ""},
		{"rigid", sine(1, 1e6, 0), 8e6, ""},
	} {
		text := encoded(t, onFloor(c.model, 1, c.steps, c.load, nil))
		k, err := models.Grammar().Decode("scene.json", text)
		if err == nil {
			_, err = models.Build(context.Background(), k)
		}
		if found := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && !strings.Contains(found, c.want) {
			t.Errorf("%s: %s\nwant %s", c.model, found, c.want)
		}
	}
}

func encoded(t *testing.T, doc object) []byte {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestFilesOfKinks: a run whose steps end at kinks, or were chosen between them, is stopped amid
// these and goes on to the same files, and its files are certified again, also of every third row.
func TestFilesOfKinks(t *testing.T) {
	thorough.Seconds(t)
	blow := path{{0, 0}, {0.2033, 0}, {0.2034, 300}, {0.2243, 0}}
	bar := func(steps int) object {
		doc := object{"name": "blow", "model": "elastodynamic", "until": 1,
			"mesh": object{"block": object{"size": list{1}, "cells": list{2}}}, "young": 100, "density": 1, "accuracy": 0.2,
			"body_force": list{object{"table": list{list{0, 0}, list{0.2033, 0}, list{0.2038, 200}, list{0.2043, 0}}}}}
		if steps > 0 {
			doc["steps"] = steps
		}
		return doc
	}
	pressed := object{"name": "pressed", "model": "halfspace", "until": 1, "steps": 8,
		"window": object{"elements": list{7, 7}, "size": list{0.24, 0.24}}, "body": object{"young": 2, "poisson": 0.3}, "on": "rigid",
		"profile": object{"sphere": 1}, "control": object{"normal": object{"approach": object{"table": list{list{0,
			0.01}, list{0.3, 0.011}, list{0.31, 0.01}, list{1, 0.012}}}}}}
	docs := []object{bar(50), bar(0), pressed}
	for _, model := range sliding {
		docs = append(docs, onFloor(model, 1, 1000, blow.table(), nil), onFloor(model, 1, 0, blow.table(), nil))
	}
	for i, doc := range docs {
		for _, every := range []int{1, 3} {
			if (i+every/3)%2 > 0 && !thorough.Asked() {
				continue // by turns
			}
			doc["output"] = object{"every": every}
			name := fmt.Sprintf("%s, %v steps, every %d", doc["model"], doc["steps"], every)
			text := encoded(t, doc)
			k, err := models.Grammar().Decode("case.json", text)
			if err != nil {
				t.Fatal(err)
			}
			task := func(dir string) *run.Task {
				j, err := run.New(t.Context(), k, models.Find(k), dir)
				if err != nil {
					t.Fatal(err)
				}
				return j
			}
			whole, parts := t.TempDir(), t.TempDir()
			first := task(whole)
			if err := first.Run(t.Context()); err != nil || first.Summary.Status != table.Done {
				t.Fatalf("%s: %v, %s", name, err, first.Summary.Message)
			}
			for i, at := range []float64{0.2, 0.2035, 0.5} {
				j := task(parts)
				if i > 0 {
					if err := j.Resume(nil); err != nil {
						t.Fatal(err)
					}
				}
				ctx, cancel := context.WithCancel(t.Context())
				j.OnStep = func(int) {
					if j.Summary.Time >= at {
						cancel()
					}
				}
				if err := j.Run(ctx); err != nil || j.Summary.Status != table.Interrupted {
					t.Fatalf("%s: %v, %s", name, err, j.Summary.Status)
				}
				cancel()
			}
			j := task(parts)
			if err := errors.Join(j.Resume(nil), j.Run(t.Context())); err != nil {
				t.Fatal(err)
			}
			names, err := filepath.Glob(filepath.Join(whole, "*.csv"))
			if err != nil || len(names) < 3 {
				t.Fatalf("%s: %d tables, %v", name, len(names), err)
			}
			for _, file := range names {
				a, _ := os.ReadFile(file)
				b, _ := os.ReadFile(filepath.Join(parts, filepath.Base(file)))
				if !bytes.Equal(a, b) {
					t.Errorf("%s: %s is another one after stops", name, filepath.Base(file))
				}
			}
			built, err := models.Build(t.Context(), k)
			if err != nil {
				t.Fatal(err)
			}
			d, err := run.Diagnose(t.Context(), k, built, run.Source{Dir: whole, Summary: &first.Summary})
			if err != nil {
				t.Fatal(err)
			}
			if s := d.Result(); s.Certified != run.Certified(&first.Summary) || s.Steps != first.Summary.Steps && every == 1 {
				t.Errorf("%s: of the files %s, of the run %s", name, s.Message, first.Summary.Message)
			}
		}
	}
}

// TestBouncesOnBelt: a disc bounces on a belt until it goes with it, ever faster, which a pilot run
// of few steps ends too early. Chosen steps spent all that they may be off by before the end, and
// went on in the shortest (357,532, refused); the closed form of the flights is a geometric series.
func TestBouncesOnBelt(t *testing.T) {
	const e, height, speed = 0.86, 0.24, 3.3
	doc := object{"name": "belt", "model": "rigid", "dimension": 2, "gravity": list{0, -9.81}, "until": 4, "material": "dry",
		"obstacles": object{"belt": object{"point": list{0, 0}, "normal": list{0, 1},
			"motion": object{"translation": list{object{"table": list{list{0, 0}, list{5, 5 * speed}}}, 0}}}},
		"friction": object{"dry": object{"mu": 0.19, "restitution": e}},
		"bodies": list{object{"id": "d", "shape": object{"type": "disc", "radius": 0.1}, "mass": 1,
			"position": list{0, height + 0.1}, "velocity": list{1.9, 0}}}}
	o := outcomeOf(t, doc)
	// The fall's energy, and what the slip of 1.4 m/s takes with the mass of a third that a disc
	// has at its rim.
	taken := 9.81*height + (speed-1.9)*(speed-1.9)/6
	if !o.certified || math.Abs(o.d/taken-1) > 0.01 || o.steps > 100_000 {
		t.Errorf("%d steps, %.6g J, want %.6g: %v", o.steps, o.d, taken, o.facts)
	}
}

// TestHiddenWall: a wall strikes a block at 4 m/s and withdraws, within a step: the block slides (4
// m/s)²/(2·3 m/s²). It stayed where it was, and by the trapezoidal theta went four times as far.
func TestHiddenWall(t *testing.T) {
	thorough.Seconds(t)
	const way = 16. / 6
	for _, model := range []string{"rigid", "compliant", "theta"} {
		for _, steps := range []int{800, 0} {
			doc := onFloor(model, 3, steps, nil, nil)
			doc["obstacles"].(object)["wall"] = object{"point": list{-0.001, 0}, "normal": list{1, 0},
				"motion": object{"translation": path{{0, 0}, {0.2033, 0}, {0.2038, 0.002}, {0.2043, 0}}.table()}}
			if model != "rigid" {
				doc["contacts"] = append(doc["contacts"].(list),
					object{"body": "b", "obstacle": "wall", "friction": "dry", "patch": "rigid"})
			}
			o := outcomeOf(t, doc)
			if off := math.Abs(o.x/way - 1); o.certified && off > 0.01 || off > 0.03 && steps > 0 {
				t.Errorf("%s, %d steps: it moves %g m, want %g, certified %t", model, o.steps, o.x, way, o.certified)
			}
		}
	}
}

// TestPeak: a wall that swings reaches an elastic bar at rest between the nodes of steps, eight a
// period: nothing told, and a bar that flies off was certified at rest.
func TestPeak(t *testing.T) {
	wall := object{"point": list{-1.42e-3}, "normal": list{1},
		"motion": object{"translation": list{object{"sine": object{"amplitude": 1.5e-3, "frequency": 10, "phase": math.Pi / 8}}}}}
	bar := object{"name": "bar", "model": "elastodynamic", "until": 2, "steps": 160,
		"mesh": object{"block": object{"size": list{1}, "cells": list{70}}, "accuracy": "given"}, "young": 1e4, "density": 1,
		"obstacles": object{"wall": wall}, "contact": list{object{"group": "left", "obstacle": "wall"}}}
	if o := outcomeOf(t, bar); o.certified {
		t.Errorf("a bar: it moves %g m in %d steps, certified", o.x, o.steps)
	}
}
