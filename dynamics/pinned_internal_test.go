package dynamics

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/pinned"
	"github.com/quasistatic/quasistatic/memory"
)

// Remake is set by -remake: the table of pinned numbers is written anew.
var Remake = flag.Bool("remake", false, "write testdata/pinned anew: with the reason in the commit")

// Pinned is the table of the package.
func Pinned(t testing.TB) *pinned.Table { return pinned.Open(t, "testdata/pinned", *Remake) }

// TestPinnedBoundary: solutions, work and what is said of the existence of boundary-value problems
// that contract, that need shooting, whose rows see deformations, and that cannot be solved.
func TestPinnedBoundary(t *testing.T) {
	table := Pinned(t)
	velocity := &Boundary{MV: make([]float64, 9), N: make([]float64, 18), B: []float64{1, -.4, 0.1}}
	far := &Boundary{MV: make([]float64, 9), N: make([]float64, 18), B: []float64{4.6, -1.8, 0}}
	springs := &Boundary{MV: make([]float64, 9), N: make([]float64, 27), B: []float64{1, -.3, .02}}
	r := rand.New(rand.NewPCG(4, 4))
	for i := range 3 {
		velocity.MV[4*i], velocity.N[6*i+3+i], velocity.N[6*i+(i+1)%3] = 1, .1, .07
		far.MV[4*i], far.N[6*i+i] = 1, 5
		for j := range 3 {
			springs.MV[3*i+j] = .2 * r.NormFloat64()
		}
		for j := range 9 {
			springs.N[9*i+j] = .1 * r.NormFloat64()
		}
		springs.MV[4*i] += 1
	}
	far.N[12+2] = 0
	for name, c := range map[string]struct {
		b *Boundary
		o BoundaryOptions
	}{
		"target": {target(), BoundaryOptions{H: .01, Steps: 50, Stepper: Options{ImplicitForce: true}}}, "velocity": {velocity, BoundaryOptions{H: .01, Steps: 5, Starts: [][]float64{{3, 3, 0}, {-2, 0, 0}}}},
		"far": {far, BoundaryOptions{H: .01, Steps: 50, Stepper: Options{ImplicitForce: true}, Starts: [][]float64{{8, 0, 0}}}}, "springs": {springs, BoundaryOptions{H: .01, Steps: 20, Stepper: Options{ImplicitForce: true, Theta: .5}}},
		"few": {target(), BoundaryOptions{H: .01, Steps: 20, MaxIntegrations: 5}}, "loose": {target(), BoundaryOptions{H: .01, Steps: 30, Tolerance: 1e-3}},
	} {
		p, err := NewLumped(contact.Coulomb{Mu: .3}, sliders["B"].k, sliders["B"].c)
		if err != nil {
			t.Fatal(err)
		}
		var path []float64
		c.o.OnIteration = func(i BoundaryIteration) {
			path = append(path, float64(i.Start), float64(i.Iteration), math.Log10(i.Residual+1e-12))
		}
		start := &State{Q: make([]float64, 3), V: []float64{.1, .2, 0}}
		start.resetPatches()
		start.add(0, 3)
		start.Delta[0], start.Delta[1] = .004, .001
		x, err := SolveBoundary(context.Background(), &slider{patch: p}, start, c.b, c.o)
		if err == nil != (name != "few") {
			t.Errorf("%s: %v", name, err)
		}
		if !(x.Residual <= 1e-10) && name != "few" && name != "loose" {
			t.Errorf("%s: residual %g", name, x.Residual)
		}
		x.Residual = 0 // rounding
		if x.Method == "fixed point" {
			x.Rate = math.Round(100*x.Rate) / 100 // the last rate is one of two roundings
		} else {
			x.Rate = 0
		}
		table.Check("boundary-"+name, x, len(path), path[:min(len(path), 18)])
		table.Check("boundary-rank-"+name, c.b.Rank())
	}
}

// TestPinnedStates: forces that depend on the state, by fixed point and by Newton's method, and
// stiffnesses that do.
func TestPinnedStates(t *testing.T) {
	table := Pinned(t)
	for k, c := range []struct{ stiffness, h, theta float64 }{{4, .01, 0}, {40, .02, .5}, {1e4, .1, 0}, {1e4, .05, .5}} {
		s := newPendulum(t, c.stiffness, c.theta)
		s.o.Smallness = true
		rounds := 0
		for range 25 {
			run(t, s, c.h, 1)
			rounds += s.step.Rounds
		}
		small := s.Smallness()
		mu, bar := s.SmallnessNow()
		table.Check(fmt.Sprint("pendulum-", k), s.State().Q, s.State().V, s.State().Lambda, s.State().Delta, rounds, s.Last().Energy.Kinetic, s.Ledger().Friction, s.Ledger().Viscous, small.MuBar, math.Round(1e3*small.ForceRate), mu, bar)
	}
}

// chain is masses on a line over a floor, coupled by blocks of the mass matrix and by patches that
// touch two of them; contacts of a few elements each.
type chain struct {
	n     int
	patch *Patch
	floor *Patch
}

func (c *chain) Size() (nq, nv, dim int) { return 3 * c.n, 3 * c.n, 3 }
func (c *chain) Mass(m *Mass, q []float64) {
	for i := range c.n {
		x := 1 + .1*float64(i)
		m.Block(3, x, .1, 0, .1, 2*x, .2, 0, .2, 1.5*x)
	}
}
func (c *chain) Force(f []float64, t float64, q, v []float64) {
	for i := range f {
		f[i] = .3*float64(i%4) - .4
		if i%3 == 2 {
			f[i] = -9.81
		}
	}
}
func (c *chain) Contacts(list *Contacts, q []float64) {
	for i := range c.n {
		list.Begin(i, c.floor)
		for e := range c.floor.Elements() {
			x, y := c.floor.At(e)
			list.Element(q[3*i+2] + .01*x)
			list.Row(3*i, 0, 1, 0)
			list.Row(3*i+1, .1*y, .2, 1)
			list.Row(3*i+2, 1, 0, .1*x)
		}
	}
	for i := range c.n - 1 {
		list.Begin(100+i, c.patch)
		for e := range c.patch.Elements() {
			list.Element(q[3*i+3] - q[3*i] + .002)
			for s, sign := range []float64{-1, 1} {
				at := 3*i + 3*s
				list.Row(at, sign, 0, .05*float64(e))
				list.Row(at+1, 0, sign, 0)
				list.Row(at+2, 0, .1*sign, sign)
			}
		}
	}
}

func newChain(t *testing.T, n, side int, law contact.Law, rigid bool, o Options) *Stepper {
	t.Helper()
	c := &chain{n: n}
	for k, p := range []**Patch{&c.patch, &c.floor} {
		x, err := NewPatch(law, HalfSpace{Dim: 3, Elements: side, Spacing: .1 + .05*float64(k), Epsilon: 1e-4, Poisson: .2, Damping: .5})
		if rigid && k == 0 {
			x, err = NewRigid(law, 3)
		}
		if err != nil {
			t.Fatal(err)
		}
		*p = x
	}
	v := make([]float64, 3*n)
	for i := range v {
		v[i] = math.Sin(float64(3*i + 1))
	}
	s, err := NewStepper(c, make([]float64, 3*n), v, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPinnedChains: islands of several patches, of full and of sparse problems, under each law.
func TestPinnedChains(t *testing.T) {
	table := Pinned(t)
	for name, c := range map[string]struct {
		n, side, steps int
		law            contact.Law
		rigid          bool
		o              Options
	}{
		"coulomb": {2, 2, 12, contact.Coulomb{Mu: .3}, false, Options{Smallness: true}}, "sparse": {3, 2, 8, contact.Coulomb{Mu: .4}, false, Options{}}, "mixed": {3, 2, 8, contact.Coulomb{Mu: .4}, true, Options{}},
		"facets": {2, 2, 8, contact.Pyramid{Mu: .3, Facets: 6}, false, Options{Smallness: true}}, "box": {2, 1, 12, contact.Pyramid{Mu: .3}, false, Options{Theta: .25}}, "tresca": {2, 2, 6, contact.Tresca{Threshold: 2}, false, Options{}},
		"associated": {2, 2, 6, contact.Associated{Mu: .3}, false, Options{Smallness: true}}, "frictionless": {2, 2, 8, contact.Frictionless{}, false, Options{}}, "velocity": {2, 2, 8, contact.Coulomb{Mu: .3}, false, Options{VelocityForm: true}},
		"trescaBox": {2, 1, 8, contact.Tresca{Threshold: 2}, false, Options{}},
	} {
		s := newChain(t, c.n, c.side, c.law, c.rigid, c.o)
		counts := [5]int{}
		for range c.steps {
			run(t, s, .004, 1)
			x := s.Last()
			counts[0], counts[1], counts[2], counts[3], counts[4] = counts[0]+x.Open, counts[1]+x.Stick, counts[2]+x.Slide, counts[3]+x.Solves, counts[4]+x.Pivots
		}
		need := s.Need()
		mu, bar := s.SmallnessNow()
		x := s.State()
		table.Check("chain-"+name, x.Q, x.V, x.Delta, x.Lambda, x.Slip, counts, need.Total(), s.touching(), mu, bar, s.Smallness())
		e := s.Ledger()
		table.Check("chain-ledger-"+name, e.Kinetic, e.Stored, e.Viscous, e.Friction, e.Impact, e.Loads, e.Residual, s.Creation(), s.Accurate(1e-6))
	}
}

// TestMemoryOfContacts: a problem of contacts beyond the memory is refused, and what is needed is
// told.
func TestMemoryOfContacts(t *testing.T) {
	s := newChain(t, 3, 4, contact.Coulomb{Mu: .3}, false, Options{})
	need := s.Need().Total()
	for most, fits := range map[int64]bool{2 * need: true, need / 8: false, 1: false} {
		p, err := NewPatch(contact.Coulomb{Mu: .3}, HalfSpace{Dim: 3, Elements: 4, Spacing: .1, Epsilon: 1e-4, Poisson: .2, Damping: .5})
		if err != nil {
			t.Fatal(err)
		}
		c := &chain{n: 3, patch: p, floor: p}
		_, err = NewStepper(c, make([]float64, 9), make([]float64, 9), Options{Limit: memory.Limit{Bytes: most}})
		exceeded, is := errors.AsType[*memory.ExceededError](err)
		if fits && err != nil || !fits && (!is || exceeded.Need.Total() <= most) {
			t.Errorf("%d of %d bytes: %v", most, need, err)
		}
	}
}
