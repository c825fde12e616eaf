package dynamics

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/memory"
)

// TestBoundaryProblems: boundary-value problems that contract, that need shooting and whose rows see
// deformations are solved; one that has too few integrations is not.
func TestBoundaryProblems(t *testing.T) {
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
		"target":   {target(), BoundaryOptions{H: .01, Steps: 50, Stepper: Options{ImplicitForce: true}}},
		"velocity": {velocity, BoundaryOptions{H: .01, Steps: 5, Starts: [][]float64{{3, 3, 0}, {-2, 0, 0}}}},
		"far": {far, BoundaryOptions{H: .01, Steps: 50, Stepper: Options{ImplicitForce: true},
			Starts: [][]float64{{8, 0, 0}}}}, "springs": {springs,
			BoundaryOptions{H: .01, Steps: 20, Stepper: Options{ImplicitForce: true, Theta: .5}}},
		"few":   {target(), BoundaryOptions{H: .01, Steps: 20, MaxIntegrations: 5}},
		"loose": {target(), BoundaryOptions{H: .01, Steps: 30, Tolerance: 1e-3}},
	} {
		p, err := NewLumped(contact.Coulomb{Mu: .3}, sliders["B"].k, sliders["B"].c)
		if err != nil {
			t.Fatal(err)
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

// TestChains: islands of several patches, of full and of sparse problems, obey the equations of
// motion and their laws, as states and forces alone tell; dampers and friction take energy.
func TestChains(t *testing.T) {
	for name, c := range map[string]struct {
		n, side int
		law     contact.Law
		rigid   bool
		o       Options
	}{
		"coulomb": {2, 2, contact.Coulomb{Mu: .3}, false, Options{Smallness: true}},
		"sparse":  {3, 2, contact.Coulomb{Mu: .4}, false, Options{}}, "mixed": {3, 2, contact.Coulomb{Mu: .4}, true, Options{}},
		"facets":       {2, 2, contact.Pyramid{Mu: .3, Facets: 6}, false, Options{Smallness: true}},
		"box":          {2, 1, contact.Pyramid{Mu: .3}, false, Options{Theta: .25}},
		"tresca":       {2, 2, contact.Tresca{Threshold: 2}, false, Options{}},
		"associated":   {2, 2, contact.Associated{Mu: .3}, false, Options{Smallness: true}},
		"frictionless": {2, 2, contact.Frictionless{}, false, Options{}},
		"velocity":     {2, 2, contact.Coulomb{Mu: .3}, false, Options{VelocityForm: true}},
		"trescaBox":    {2, 1, contact.Tresca{Threshold: 2}, false, Options{}},
	} {
		s, other := newChain(t, c.n, c.side, c.law, c.rigid, c.o), newChain(t, c.n, c.side, c.law, c.rigid, c.o)
		pushed := 0
		for k := range 8 {
			run(t, s, .004, 1)
			x := s.State()
			f, err := other.Replay(.004, x.T, s.step.Theta, x.Q, x.V, func(key int) []float64 {
				first, last := x.Patch(key)
				return append([]float64{}, x.Lambda[first:last]...)
			})
			if err != nil || f.Motion > 1e-9*f.Speed[f.MotionAt] || f.Path > 1e-12 || f.Law > 1e-6 || f.Cone > 1e-8 {
				t.Errorf("%s, step %d: %v, %+v", name, k, err, f)
			}
			pushed += s.Last().Stick + s.Last().Slide
			if e := s.Last().Energy; e.Friction < -1e-9 || e.Viscous < 0 {
				t.Errorf("%s, step %d: %+v", name, k, e)
			}
		}
		if pushed == 0 {
			t.Errorf("%s: nothing pushes", name)
		}
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
