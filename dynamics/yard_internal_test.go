package dynamics

import (
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/signal"
)

// yard is point masses in the plane, (x, z) each, that fall at their own accelerations; a touch is
// there as long as a mass is below the height of its patch.
type yard struct {
	force   []float64 // of each velocity, over its mass
	parts   []int
	touches []yardTouch
	known   map[int]*Patch
	ahead   []float64 // of the questions for friction
	mu      float64   // of places; 0: that of the patches
}

type yardTouch struct {
	key, mass int
	patch     *Patch
	reach     float64 // the highest z at which it is a contact
	bare      bool    // it moves nothing
}

func (y *yard) Size() (nq, nv, dim int) { return len(y.force), len(y.force), 2 }
func (y *yard) Mass(m *Mass, _ []float64) {
	for i := range len(y.force) / 2 {
		m.Diagonal(float64(i+1), float64(i+1))
	}
}
func (y *yard) Force(f []float64, _ float64, _, _ []float64) {
	for i := range f {
		f[i] = float64(i/2+1) * y.force[i]
	}
}
func (y *yard) Parts() []int { return y.parts }
func (y *yard) Contacts(c *Contacts, q []float64) {
	for _, x := range y.touches {
		if q[2*x.mass+1] > x.reach {
			continue
		}
		c.Begin(x.key, x.patch)
		for range x.patch.Elements() {
			c.Element(q[2*x.mass+1])
			if !x.bare {
				c.Row(2*x.mass+1, 1, 0, 0)
				c.Row(2*x.mass, 0, 1, 0)
			}
		}
	}
}
func (y *yard) PatchOf(key int) *Patch { return y.known[key] }
func (y *yard) Friction(_ int, _, ahead float64, q, _ []float64) (mu float64, ok bool) {
	y.ahead = append(y.ahead, ahead)
	return y.mu, y.mu > 0
}

func soft(t *testing.T, k, c float64) *Patch {
	t.Helper()
	p, err := NewLumped(contact.Coulomb{Mu: .3}, []float64{k, 2 * k}, []float64{c, c})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func open(t *testing.T, y *yard, q, v []float64, o Options) *Stepper {
	t.Helper()
	s, err := NewStepper(y, q, v, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFrictionOfPlaces: μ is asked for over the step, and for the present state at once; that
// of a step is kept in a slot with the states of its contacts.
func TestFrictionOfPlaces(t *testing.T) {
	const h = .02
	y := &yard{force: []float64{10, -10}, parts: []int{0, 0}, mu: .25, touches: []yardTouch{{key: 1, patch: soft(t, 1e4, 10)}}}
	s := open(t, y, []float64{0, -1e-3}, []float64{1, 0}, Options{Theta: .25})
	run(t, s, h, 3)
	if want := []float64{h, h, h}; !slices.Equal(y.ahead, want) {
		t.Errorf("asked %v ahead, want %v", y.ahead, want)
	}
	y.ahead = nil
	if mu, _ := s.SmallnessNow(); mu != .25 || !slices.Equal(y.ahead, []float64{0}) {
		t.Errorf("now μ = %g, asked %v ahead", mu, y.ahead)
	}
	x := s.Last()
	states, mus := slices.Clone(x.Contacts), slices.Clone(x.Mu)
	if !slices.Equal(mus, []float64{.25}) || len(states) != 1 || states[0] == Open {
		t.Fatalf("%v, %v", mus, states)
	}
	s.Keep(0)
	y.mu = .5
	run(t, s, h, 2)
	if err := s.Return(0); err != nil {
		t.Fatal(err)
	}
	if x = s.Last(); !slices.Equal(x.Contacts, states) || !slices.Equal(x.Mu, mus) {
		t.Errorf("%v, %v, want %v, %v", x.Contacts, x.Mu, states, mus)
	}
}

// TestFrictionOverTime: two contacts of a mass slide at μ of the time of v^θ in each step, and of
// the bound of uniqueness too.
func TestFrictionOverTime(t *testing.T) {
	const h, theta = .01, .25
	mu, err := signal.NewTable([]float64{0, 1}, []float64{.1, .6})
	if err != nil {
		t.Fatal(err)
	}
	p := soft(t, 1e4, 100)
	if err := p.ChangeFriction(mu); err != nil {
		t.Fatal(err)
	}
	y := &yard{force: []float64{30, -10}, parts: []int{0, 0},
		touches: []yardTouch{{key: 1, patch: p, reach: 1}, {key: 2, patch: p, reach: 1}}}
	s := open(t, y, []float64{0, 0}, []float64{5, 0}, Options{Theta: theta})
	for k := range 20 {
		run(t, s, h, 1)
		want := .1 + .5*h*(float64(k)+1-theta)
		for i := range 2 {
			n, f := s.State().Lambda[2*i], s.State().Lambda[2*i+1]
			if n > 0 && !(math.Abs(f+want*n) <= 1e-9*n) { // solver tolerance
				t.Errorf("step %d: μ = %g, want %g", k, -f/n, want)
			}
		}
		if got, _ := s.SmallnessNow(); s.State().Lambda[0] > 0 && math.Abs(got-want) > 1e-14 {
			t.Errorf("step %d: a bound of μ = %g, want %g", k, got, want)
		}
	}
}

// TestSavedTwins: both twins beside chosen steps are saved.
func TestSavedTwins(t *testing.T) {
	s := fall(t, &faller{m: 1, g: 10}, Options{}, 1, 3, 1, 1, 0)
	a, err := NewAdaptive(t.Context(), s, AdaptiveOptions{Until: .1})
	if err != nil {
		t.Fatal(err)
	}
	x, err := a.Doubled().Save()
	if err != nil || len(x.Twin[0].State) == 0 || len(x.Twin[1].State) == 0 {
		t.Errorf("%v: %d and %d bytes", err, len(x.Twin[0].State), len(x.Twin[1].State))
	}
}
