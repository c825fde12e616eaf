package particles_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
)

func TestConstructorErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	origin, flat := particles.At(0, 0, 0), particles.At(0, 0, 0)[:2]
	asymmetric := particles.Stiffness{1, 2, 0, 3, 1, 0, 0, 0, 1}
	tether := func(k particles.Stiffness, a particles.Path, beta float64) error {
		_, err := particles.NewTethers(particles.Tether{Anchor: origin},
			particles.Tether{Particle: 7, Anchor: a, Stiffness: k, Stiffening: beta})
		return err
	}
	spring := func(s particles.Spring) error {
		_, err := particles.NewSprings(s)
		return err
	}
	bond := func(at []float64, b particles.Bond) error {
		_, err := particles.NewBonds(at, b)
		return err
	}
	quadratic := func(p []int, at []float64, a []particles.Entry, f particles.Path) error {
		_, err := particles.NewQuadratic(p, at, a, f)
		return err
	}
	gravity := func(m float64, g [3]float64) error {
		_, err := particles.NewGravity([]float64{1, m}, g)
		return err
	}
	load := func(f particles.Path) error {
		_, err := particles.NewLoads(particles.Load{Force: f})
		return err
	}
	one, at := particles.Isotropic(1), make([]float64, 6)
	for _, tc := range []struct {
		err  error
		want string
	}{
		{tether(asymmetric, origin, 0), "tether 1 of particle 7: stiffness"},
		{tether(asymmetric, origin, 0), "not symmetric: entries (1, 0) and (0, 1)"},
		{tether(particles.Stiffness{1, 2, 0, 2, 1, 0, 0, 0, 1}, origin, 0), "indefinite: there are displacements that release energy"},
		{tether(particles.Stiffness{1, 0, 1, 0, 1, 0, 1, 0, 0.999}, origin, 0), "indefinite"},
		{tether(particles.Isotropic(-1), origin, 0), "negative"},
		{tether(particles.Diagonal(1, -1, 1), origin, 0), "negative"},
		{tether(particles.Isotropic(nan), origin, 0), "not finite"},
		{tether(one, flat, 0), "anchor: signal: 2 components, want 3"},
		{tether(one, nil, 0), "0 components"},
		{tether(one, particles.Path{nil, nil, nil}, 0), "component 0 is nil"},
		{tether(one, particles.At(0, nan, 0), 0), "component 1: NaN is not finite"},
		{tether(one, origin, -1), "stiffening -1"},
		{tether(one, origin, inf), "stiffening +Inf"},
		{spring(particles.Spring{I: 0, J: 1}), "no law"},
		{spring(particles.Spring{I: 2, J: 2, Law: particles.Linear{}}), "both ends are particle 2"},
		{spring(particles.Spring{I: 2, J: -1, Law: particles.Linear{}}), "particle -1"},
		{spring(particles.Spring{I: 3, Anchor: flat, Law: particles.Linear{}}), "spring 0 of particle 3: anchor"},
		{spring(particles.Spring{J: 1, Law: particles.Linear{K: -1}}), "stiffness -1"},
		{spring(particles.Spring{J: 1, Law: particles.Linear{Rest: nan}}), "rest length NaN"},
		{spring(particles.Spring{J: 1, Law: particles.Cubic{K3: -1}}), "cubic stiffness -1"},
		{bond(at, particles.Bond{I: 0, J: 2, Stiffness: one}), "bond 0: particle 2 is not one of the 2"},
		{bond(at, particles.Bond{I: 1, J: 1, Stiffness: one}), "both ends"},
		{bond(at, particles.Bond{I: 0, J: 1, Stiffness: asymmetric}), "not symmetric"},
		{bond([]float64{0, 0, 0, nan, 0, 0}, particles.Bond{I: 0, J: 1, Stiffness: one}), "not finite"},
		{quadratic([]int{0, 0}, at, nil, nil), "listed twice"},
		{quadratic([]int{0}, at, nil, nil), "6 reference coordinates for 1 particles"},
		{quadratic([]int{0, 1}, []float64{0, 0, 0, 0, 0, inf}, nil, nil), "particle 1 is not finite"},
		{quadratic([]int{0, 1}, at, []particles.Entry{{Row: 1, Col: 0, Value: 1}}, nil), "not symmetric: entries (1, 0) and (0, 1)"},
		{quadratic([]int{0, 1}, at, []particles.Entry{{Row: 6, Col: 0, Value: 1}}, nil), "outside order 6"},
		{quadratic([]int{0, 1}, at, []particles.Entry{{Row: 1, Col: 1, Value: nan}}, nil), "entry (1, 1) is NaN"},
		{quadratic([]int{0, 1}, at, []particles.Entry{{Row: 1, Col: 1, Value: 1e308}, {Row: 1, Col: 1, Value: 1e308}}, nil), "+Inf"},
		{quadratic([]int{0, 1}, at, nil, origin), "force: signal: 3 components, want 6"},
		{gravity(-1, [3]float64{}), "particle 1: mass -1"},
		{gravity(1, [3]float64{0, nan, 0}), "acceleration"},
		{gravity(1e200, [3]float64{0, 0, 1e200}), "weight"},
		{load(flat), "load 0 of particle 0: force"},
	} {
		wantError(t, tc.err, tc.want)
	}
	_, err := particles.DenseEntries([][]float64{{1, 2}, {3}})
	wantError(t, err, "row 1 has 1 entries")
}

func TestSystemErrors(t *testing.T) {
	origin := particles.At(0, 0, 0)
	tether, _ := particles.NewTethers(particles.Tether{Particle: 2, Anchor: origin})
	spring, _ := particles.NewSprings(particles.Spring{I: 0, J: 2, Law: particles.Linear{}})
	bond, _ := particles.NewBonds(make([]float64, 9), particles.Bond{I: 2, Anchor: origin})
	load, _ := particles.NewLoads(particles.Load{Particle: -1, Force: origin})
	gravity, _ := particles.NewGravity([]float64{1}, [3]float64{})
	quad, _ := particles.NewQuadratic([]int{-1}, make([]float64, 3), nil, nil)
	for _, tc := range []struct {
		energy particles.Energy
		want   string
	}{
		{tether, "energy 1 (*particles.Tethers): tether 0: particle 2 is not one of the 2 particles"},
		{spring, "spring 0: particle 2"},
		{bond, "bond 0: particle 2"},
		{load, "load 0: particle -1"},
		{gravity, "1 masses for 2 particles"},
		{quad, "particle -1"},
		{outside{0, 6}, "entry (0, 6) of a matrix of order 6"},
		{nil, "energy 1 is nil"},
	} {
		ok, _ := particles.NewLoads()
		_, err := particles.NewSystem(particles.Floors(2), ok, tc.energy)
		wantError(t, err, tc.want)
	}
	_, err := particles.NewSystem(nil)
	wantError(t, err, "no particles")
}

// outside declares the entry (a, b) and adds nothing.
type outside struct{ a, b int }

func (o outside) Pattern(p *particles.Pattern)                  { p.Add(o.a, o.b) }
func (outside) Value(float64, []float64) (e, rate float64)      { return 0, 0 }
func (outside) Gradient(_, _ []float64, _ float64, _ []float64) {}
func (outside) Hessian(*particles.Hessian, float64, []float64)  {}

// An undeclared entry is a fault of the energy's author: a panic that names it.
func TestUndeclaredEntryPanics(t *testing.T) {
	tilted, err := particles.NewHalfSpace([3]float64{}, [3]float64{1, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []particles.Frame{particles.Floor(), tilted.Frame()} {
		s := newSystem(t, []particles.Frame{f, f}, undeclared{})
		func() {
			defer func() {
				want := "particles: Hessian.Add: Pattern does not declare entry (3, 3)"
				if got := recover(); got != want {
					t.Errorf("panic %v, want %q", got, want)
				}
			}()
			s.Hessian(0, make([]float64, 6))
		}()
	}
}

type undeclared struct{ outside }

func (undeclared) Pattern(p *particles.Pattern)                         { p.AddBlock(0, 1) }
func (undeclared) Hessian(h *particles.Hessian, _ float64, _ []float64) { h.Add(3, 3, 1) }
