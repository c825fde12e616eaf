package energetic

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/run"
)

// drawn makes random cases, as documents.
type drawn struct{ *rand.Rand }

func (r drawn) uniform(lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }

func (r drawn) power(lo, hi float64) float64 { return math.Pow(10, r.uniform(lo, hi)) }

type object = map[string]any

type list = []any

// motion of an anchor about a place: a sine or a table in each direction.
func (r drawn) motion(at, amplitude [3]float64, until float64) any {
	place := list{at[0], at[1], at[2]}
	switch r.IntN(3) {
	case 0:
		rows := list{list{0., place}}
		for s := r.uniform(.1, .3) * until; s < until; s += r.uniform(.05, .3) * until {
			row := list{}
			for k := range at {
				row = append(row, at[k]+amplitude[k]*r.uniform(-1, 1))
			}
			rows = append(rows, list{s, row})
		}
		return object{"table": rows}
	case 1:
		var terms list
		for k := range at {
			a, offset := list{0., 0., 0.}, list{0., 0., 0.}
			a[k], offset[k] = amplitude[k], at[k]
			terms = append(terms, object{"sine": object{"amplitude": a, "frequency": r.uniform(.3, 2) / until, "offset": offset}})
		}
		return object{"sum": terms}
	}
	return object{"sine": object{"amplitude": list{amplitude[0], amplitude[1], amplitude[2]},
		"frequency": r.uniform(.3, 2) / until, "offset": place}}
}

// chain is particles on stiff or soft bonds, pressed by tethers and weights.
func (r drawn) chain() object {
	n, until := 2+r.IntN(4), 2.
	flat := r.IntN(2) == 0
	particles, anchors, energies := list{}, list{}, list{}
	k0 := r.power(-1, 1)
	depth := r.uniform(.1, .6)
	mu := r.power(-1, .3)
	frictions := object{}
	play := 0.
	for j := range n {
		id := fmt.Sprint("p", j)
		m := mu * r.uniform(.5, 1.5)
		frictions["f"+id] = object{"mu": m}
		particles = append(particles, object{"id": id, "at": list{float64(j), 0., 0.}, "friction": "f" + id})
		kt, kn := k0*r.power(-.5, .5), k0*r.power(0, 1)
		play = max(play, m*kn*depth/kt)
		if j == 0 || r.IntN(3) > 0 {
			along := play * (1 + r.power(-1.5, .5))
			amplitude := [3]float64{along, along * r.uniform(0, 1), depth * []float64{0, .3, .8, 1.3}[r.IntN(4)]}
			if flat {
				amplitude[1] = 0
			}
			anchors = append(anchors, object{"id": "a" + id, "at": r.motion([3]float64{float64(j), 0, -depth}, amplitude, until)})
			energies = append(energies, object{"type": "tether", "particle": id, "anchor": "a" + id, "stiffness": list{kt, kt, kn}})
		} else {
			energies = append(energies, object{"type": "load", "force": list{0., 0., -kn * depth}, "particle": id})
		}
		if j > 0 {
			k := k0 * r.power(-2, 4)
			energies = append(energies, object{"type": "bond", "between": list{fmt.Sprint("p", j-1), id},
				"stiffness": list{k, k, k * r.power(-2, 0)}})
		}
	}
	return object{"name": "chain", "model": "energetic", "until": until, "friction": frictions, "particles": particles,
		"anchors": anchors, "energies": energies, "threshold": "implicit"}
}

// mixed is a few particles with what chains have not: friction that has an axis, ripples or ages,
// walls, γ, lagged thresholds, springs that are not linear, potentials that are not convex,
// plastic springs, tethers that stiffen; driven slowly, for a few steps.
func (r drawn) mixed() object {
	n, until := 1+r.IntN(3), 2.
	doc := object{"name": "mixed", "model": "energetic", "until": until, "threshold": []string{"implicit", "implicit", "lagged"}[r.IntN(3)],
		"obstacles": object{"floor": object{"point": list{0., 0., 0.}, "normal": list{0., 0., 1.}}}}
	particles, anchors, energies, frictions := list{}, list{}, list{}, object{}
	depth, kn, kt := r.uniform(.2, .6), r.uniform(2, 6), r.uniform(1, 3)
	for j := range n {
		id := fmt.Sprint("p", j)
		mu := r.uniform(.05, .5)
		friction := object{"mu": mu}
		switch r.IntN(5) {
		case 0:
			friction = object{"mu": list{mu, mu * r.uniform(.3, 1)}, "axis": list{math.Cos(1), math.Sin(1), 0.}}
		case 1:
			friction["ripple"] = object{"amplitude": r.uniform(0, .3), "wavelength": r.uniform(1, 4), "axis": list{1., 0., 0.}}
		case 2:
			friction["mu"] = object{"table": list{list{0., mu}, list{r.uniform(.3, 1.7), mu * r.uniform(.3, 1.5)}, list{until, mu}}}
		}
		frictions["f"+id] = friction
		obstacles := list{"floor"}
		if r.IntN(3) == 0 {
			doc["obstacles"].(object)["wall"+id] = object{"point": list{float64(j) + r.uniform(0, .6), 0., 0.},
				"normal": list{-1., r.uniform(-.5, .5), 0.}}
			obstacles = append(obstacles, "wall"+id)
		}
		particles = append(particles, object{"id": id, "at": list{float64(j), 0., 0.}, "friction": "f" + id, "obstacles": obstacles})
		amplitude := [3]float64{r.power(-1, .3), r.power(-1, .3), depth * []float64{0, .3, .8, 1.2}[r.IntN(4)]}
		place := [3]float64{float64(j), 0, -depth}
		at := object{"sine": object{"amplitude": list{amplitude[0], amplitude[1], amplitude[2]},
			"frequency": r.uniform(.05, .6) / until, "offset": list{place[0], place[1], place[2]}}}
		if r.IntN(2) == 0 {
			rows := list{list{0., list{place[0], place[1], place[2]}}}
			for k := range 1 + r.IntN(3) {
				rows = append(rows, list{float64(k+1) * .6 * r.uniform(.9, 1.1),
					list{place[0] + amplitude[0]*r.uniform(-1, 1), place[1] + amplitude[1]*r.uniform(-1, 1),
						place[2] + amplitude[2]*r.uniform(-1, 1)}})
			}
			at = object{"table": rows}
		}
		anchors = append(anchors, object{"id": "a" + id, "at": at})
		tether := object{"type": "tether", "particle": id, "anchor": "a" + id, "stiffness": list{kt, kt * r.uniform(.7, 1.3), kn}}
		if r.IntN(4) == 0 {
			tether["stiffening"] = r.uniform(0, 2)
		}
		energies = append(energies, tether)
		if r.IntN(5) == 0 {
			home := "h" + id
			anchors = append(anchors, object{"id": home, "at": list{float64(j) + 1, 0., 0.}})
			energies = append(energies, object{"type": "plastic", "id": "s" + id, "between": list{id, home},
				"axis": list{1., 0., 0.}, "stiffness": r.uniform(.5, 3), "yield": r.uniform(.05, .5), "hardening": r.uniform(0, 1)})
		}
		if j > 0 {
			between := list{fmt.Sprint("p", j-1), id}
			switch r.IntN(4) {
			case 0:
				energies = append(energies, object{"type": "bond", "between": between, "stiffness": r.power(-2, 3)})
			case 1:
				energies = append(energies, object{"type": "spring", "between": between, "stiffness": r.uniform(.1, 3),
					"law": "cubic", "stiffening": r.uniform(0, 1)})
			case 2:
				energies = append(energies, object{"type": "pair", "between": between, "law": "morse",
					"depth": r.uniform(.01, .2), "distance": r.uniform(.8, 1.2), "decay": r.uniform(1, 3)})
			}
		}
	}
	doc["particles"], doc["anchors"], doc["energies"], doc["friction"] = particles, anchors, energies, frictions
	if r.IntN(4) == 0 {
		doc["gamma"] = depth * kn * r.power(-5, -1)
	}
	doc["equilibrate"] = true
	return doc
}

// built makes the case of a document.
func built(t *testing.T, doc object) *Case {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	c, err := build(t.Context(), k)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return c.(*Case)
}

// away is how far a run is from one in steps much shorter: the worst of all parts that hang
// together, each relative to its own dissipation, way and friction.
type away struct {
	dissipation, position, friction float64 // relative
	lost, way                       float64 // of all
}

// share is what hangs together: what the finer run loses and the polygon, how far they are
// apart, how far they go, and their friction.
type share struct{ lost, polygon, off, way, pull, held float64 }

// parts are those that the verdict speaks of: particles coupled by a fiftieth of the stiffness
// of the stiffer one, or more.
type parts struct {
	c    *Case
	of   []int
	list []share
	v    []float64
	mid  []float64
}

func newParts(c *Case, z []float64) *parts {
	sys := c.Psi.System
	of, count := sys.Coupled(sys.Hessian(0, z), 0.02)
	return &parts{c, of, make([]share, count), make([]float64, len(z)), make([]float64, len(z))}
}

// lose adds what friction takes between two states, by the trapezoidal rule.
func (p *parts) lose(add func(q *share, energy float64), from, to float64, z, x, g, f []float64) {
	psi := p.c.Psi
	for d := range x {
		p.v[d], p.mid[d] = x[d]-z[d], .5*(x[d]+z[d])
	}
	for k := range psi.System.Contacts() {
		if psi.Matrices[k] != nil && psi.Touches(from, k, z) && psi.Touches(to, k, x) {
			pressure := .5 * (psi.Pressure(from, k, z, g, dissipation.Origin{})*psi.Factor(k, from) +
				psi.Pressure(to, k, x, f, dissipation.Origin{})*psi.Factor(k, to))
			add(&p.list[p.of[psi.System.ContactParticle(k)]], pressure*psi.Norm(from, k, p.mid, p.v))
		}
	}
}

// worst is the worst of all parts.
func (p *parts) worst() (a away) {
	for i := range p.list {
		q := &p.list[i]
		a.lost, a.way = a.lost+q.lost, max(a.way, q.way)
	}
	for i := range p.list {
		q := &p.list[i]
		for _, x := range []struct {
			all       *float64
			off, size float64
		}{{&a.dissipation, math.Abs(q.lost - q.polygon), max(q.lost, 1e-9*a.lost)}, {&a.position, q.off, q.way},
			{&a.friction, q.pull, q.held}} {
			if x.off > 0 {
				*x.all = max(*x.all, x.off/x.size)
			}
		}
	}
	return a
}

// finely makes the same evolution in so many steps of each step, without γ and with implicit
// thresholds, by the stepper alone, and compares.
func finely(t *testing.T, c *Case, nodes []energetic.Node, times int) (away, error) {
	t.Helper()
	sys := c.Psi.System
	s, err := incremental.New(c.Psi, 0, nodes[0].Z, incremental.Options{Threshold: incremental.Implicit})
	if err != nil {
		return away{}, err
	}
	n, all := len(nodes[0].Z), newParts(c, nodes[0].Z)
	z, g := make([]float64, n), make([]float64, n)
	last := 0.
	for k := 1; k < len(nodes); k++ {
		p, q := &nodes[k-1], &nodes[k]
		all.lose(func(x *share, energy float64) { x.polygon += energy }, p.T, q.T, p.Z, q.Z, p.Grad, q.Grad)
		for i := 1; i <= times; i++ {
			copy(z, s.State())
			copy(g, s.Gradient())
			ratio := float64(i) / float64(times)
			at := p.T + ratio*(q.T-p.T)
			if i == times {
				at = q.T
			}
			if err := s.Step(t.Context(), at); err != nil {
				return away{}, err
			}
			x, f := s.State(), s.Gradient()
			all.lose(func(x *share, energy float64) { x.lost += energy }, last, at, z, x, g, f)
			last = at
			for j := range sys.N() {
				own := &all.list[all.of[j]]
				d, along, way, from := [3]float64{}, 0., 0., 0.
				for e := range d {
					w := q.Z[3*j+e] - p.Z[3*j+e]
					d[e] = x[3*j+e] - p.Z[3*j+e] - ratio*w
					along, way = along+d[e]*w, way+w*w
					from += (x[3*j+e] - nodes[0].Z[3*j+e]) * (x[3*j+e] - nodes[0].Z[3*j+e])
				}
				own.way = max(own.way, math.Sqrt(from))
				if i < times && way > 0 {
					for e := range d {
						d[e] -= min(max(along/way, -ratio), 1-ratio) * (q.Z[3*j+e] - p.Z[3*j+e])
					}
				}
				own.off = max(own.off, math.Hypot(math.Hypot(d[0], d[1]), d[2]))
				if i == times && sys.Constrained(j) {
					own.pull = max(own.pull, math.Hypot(f[3*j]-q.Grad[3*j], f[3*j+1]-q.Grad[3*j+1]))
					own.held = max(own.held, math.Hypot(f[3*j], f[3*j+1]))
				}
			}
		}
	}
	a := all.worst()
	if d := math.Abs(nodes[len(nodes)-1].Dissipation - a.lost); d > 0 { // of all, as the run has it
		a.dissipation = max(a.dissipation, d/a.lost)
	}
	return a, nil
}

// marched runs a case and keeps its nodes.
func marched(t *testing.T, c *Case) ([]energetic.Node, *energetic.Evolution, error) {
	t.Helper()
	e, err := energetic.Start(t.Context(), c.Psi, c.Z0, c.Options)
	if err != nil {
		return nil, nil, err
	}
	var nodes []energetic.Node
	keep := func(n *energetic.Node) error {
		m := *n
		m.Z, m.Grad = append([]float64(nil), n.Z...), append([]float64(nil), n.Grad...)
		nodes = append(nodes, m)
		return nil
	}
	_ = keep(e.Node())
	for k := 1; k <= c.plan.Steps; k++ {
		if _, err := e.StepProbing(t.Context(), c.Time(k), keep); err != nil {
			return nodes, e, err
		}
	}
	return nodes, e, nil
}

// score counts what the referee found.
type score struct {
	certified, wrong, right, both, failed int
	worst                                 away
}

// judge runs a case and the finer one, and adds to the score.
func (s *score) judge(t *testing.T, name string, doc object, times int) {
	t.Helper()
	c := built(t, doc)
	nodes, e, err := marched(t, c)
	if err != nil {
		s.failed++
		t.Logf("%s: %v", name, err)
		return
	}
	v := e.Summary()
	a, err := finely(t, c, nodes, times)
	if err != nil {
		s.failed++
		t.Logf("%s: the finer one: %v", name, err)
		return
	}
	most := max(a.dissipation, a.position, a.friction)
	right := most <= c.Options.Accuracy
	if right {
		s.right++
	}
	switch {
	case v.Certified:
		s.certified++
		w := &s.worst
		w.dissipation, w.position, w.friction = max(w.dissipation, a.dissipation), max(w.position, a.position), max(w.friction, a.friction)
		if right {
			s.both++
			return
		}
		s.wrong++
		t.Errorf("%s, %v steps: certified, and D is off by %.3g, x %.3g, friction %.3g; %.3g J, %.3g m", name,
			doc["steps"], a.dissipation, a.position, a.friction, a.lost, a.way)
	case most < c.Options.Accuracy/5:
		t.Logf("%s, %v steps: off by %.2g, %.2g, %.2g, and refused: %s", name, doc["steps"], a.dissipation, a.position, a.friction, v.First)
	}
}

func (s *score) log(t *testing.T) {
	t.Helper()
	t.Logf("%d certified, %d wrong; %d right, %d of them certified; %d failed; off by %.2g, %.2g, %.2g at most",
		s.certified, s.wrong, s.right, s.both, s.failed, s.worst.dissipation, s.worst.position, s.worst.friction)
}

// long reports whether tests may take minutes.
// judged draws so many scenes and judges each against so many times its steps.
func judged(t *testing.T, name string, seed uint64, count int, finer int, draw func(r drawn) object) *score {
	t.Helper()
	var s score
	for i := range uint64(count) {
		s.judge(t, fmt.Sprint(name, " ", i), draw(drawn{rand.New(rand.NewPCG(seed, i))}), finer)
	}
	s.log(t)
	return &s
}

// TestReferee: random chains of particles on bonds of stiffness 1e-2 to 1e4 of that of their
// tethers, which respond together and hardly slide or slide far: what is certified is right,
// and of what is right a good part is certified. The same evolution in 16 times the steps,
// by the stepper alone, is the judge: of an error of first order it shows 15 parts in 16.
func TestReferee(t *testing.T) {
	count := 12
	if thorough.Asked() {
		count = 1000
	}
	s := judged(t, "chain", 77, count, 16, func(r drawn) object {
		doc := r.chain()
		doc["steps"] = float64(int(r.power(1, 2.7)))
		return doc
	})
	if s.failed > 0 || s.both < s.right/2 {
		t.Errorf("%d failed; of %d right ones %d are certified", s.failed, s.right, s.both)
	}
}

// TestMixedTrue is TestReferee for scenes of many kinds in 3 to 40 steps, against 40 times as
// many.
func TestMixedTrue(t *testing.T) {
	count := 10
	if thorough.Asked() {
		count = 600
	}
	judged(t, "mixed", 78, count, 40, func(r drawn) object {
		doc := r.mixed()
		doc["steps"] = float64(3 + r.IntN(38))
		return doc
	})
}

// TestObstaclesTrue: particles with several obstacles, and on curved, moving and turning ones,
// in 3 to 300 steps: what is certified is right.
func TestObstaclesTrue(t *testing.T) {
	frictions, steps := []float64{.6}, []float64{7, 50}
	if thorough.Asked() {
		frictions, steps = []float64{0, .2, .6}, []float64{3, 4, 5, 7, 10, 14, 20, 31, 50, 100, 300}
	}
	for _, name := range []string{"corner", "groove", "turntable", "over-the-ball", "capstan"} {
		var s score
		for _, mu := range frictions {
			for _, n := range steps {
				if name == "capstan" && n > 20 {
					continue
				}
				doc := changed(t, name, map[string]any{"steps": n, "times": nil, "adaptive": nil, "accuracy": nil})
				if mu > 0 {
					for _, f := range doc["friction"].(object) {
						if _, ok := f.(object)["mu"].(float64); ok {
							f.(object)["mu"] = mu
						}
					}
				}
				s.judge(t, fmt.Sprint(name, ", friction ", mu), doc, 16)
			}
		}
		t.Log(name)
		s.log(t)
	}
}
