package incremental

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
)

// onTwo is a particle on a floor whose friction has axes of its own, with a wall beside it, and a second on a ball of the radius 1 around (2, 1, −1).
func onTwo(t *testing.T) (*dissipation.Coulomb, []float64) {
	t.Helper()
	tether, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, -1), Stiffness: particles.Isotropic(1)},
		particles.Tether{Particle: 1, Anchor: particles.At(2, 1, -1), Stiffness: particles.Isotropic(1)})
	if err != nil {
		t.Fatal(err)
	}
	return onTwoWith(t, tether)
}

// onTwoWith is that with other energies.
func onTwoWith(t *testing.T, terms ...particles.Energy) (*dissipation.Coulomb, []float64) {
	t.Helper()
	face, err := particles.NewSphere([3]float64{2, 1, -1}, 1, false, [3]float64{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	chart, err := particles.NewChart(face, particles.Motion{})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{particles.Floors(1)[0], particles.Charted(chart, [3]float64{2, 1, 0})}, terms...)
	if err != nil {
		t.Fatal(err)
	}
	wall, err := particles.NewHalfSpace([3]float64{}, [3]float64{.6, .8, 0})
	if err != nil {
		t.Fatal(err)
	}
	if sys, err = sys.WithExtras([]particles.Extra{{Particle: 0, Frame: wall.Frame()}}, 1); err != nil {
		t.Fatal(err)
	}
	law, err := dissipation.NewStretched(.3, face)
	if err != nil {
		t.Fatal(err)
	}
	oblique, err := dissipation.NewOrthotropic([2]float64{.5, .8}, [2]float64{.6, .8})
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{oblique, law, dissipation.Isotropic{Mu: .2}})
	if err != nil {
		t.Fatal(err)
	}
	z := make([]float64, 6)
	sys.ToLocal(z, []float64{0, 0, 0, 2, 1, 0})
	z[5] = 0
	return psi, z
}

// TestRubs: rubs is the derivative of the dissipation, where it has one, to the 1e-9 of central differences; and at rest, where it has one to each side, the dissipation itself.
func TestRubs(t *testing.T) {
	psi, z := onTwo(t)
	m := NewMinimiser(psi, 1e-10)
	m.begin(0, z)
	at := append(z[:0:0], z...)
	at[3], at[4] = at[3]+.7, at[4]-.4 // where coordinates are stretched
	for c := range m.slot {
		m.SetThreshold(c, 1+float64(c), 0, at)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	v, d, more, less := make([]float64, 6), make([]float64, 6), make([]float64, 6), make([]float64, 6)
	for range 10 {
		const h = 1e-5
		for i := range v {
			v[i], d[i] = 2*rng.Float64()-1, 2*rng.Float64()-1
			more[i], less[i] = v[i]+h*d[i], v[i]-h*d[i]
		}
		if got, want := m.rubs(v, d), (m.Dissipation(more)-m.Dissipation(less))/(2*h); !(math.Abs(got-want) < 1e-7) {
			t.Errorf("v %v, d %v: %.12g, by difference %.12g", v, d, got, want)
		}
		if got, want := m.rubs(make([]float64, 6), d), m.Dissipation(d); !(math.Abs(got-want) < 1e-14) || !(want > 0) {
			t.Errorf("from rest along %v: %.15g, want %.15g", d, got, want)
		}
	}
}

// TestStrayed: distances from the base are those in space, whatever the coordinates.
func TestStrayed(t *testing.T) {
	psi, z := onTwo(t)
	m := NewMinimiser(psi, 1e-10)
	m.begin(0, z)
	m.y[0], m.y[1], m.y[2] = .2, -.3, .6
	for _, x := range [][3]float64{{2.48, .36, -.4}, {2, 1.6, -.2}, {2.8, 1, -.4}} {
		p := psi.System.Frame(1).Chart.Coordinates(0, x)
		copy(m.y[3:], p[:])
		want := math.Sqrt((x[0]-2)*(x[0]-2) + (x[1]-1)*(x[1]-1) + x[2]*x[2])
		if got := m.strayed(0, 1); !(math.Abs(got-want) < 1e-14) {
			t.Errorf("at %v: %.15g from the top, want %.15g", x, got, want)
		}
		if got := m.strayed(0, 0); !(math.Abs(got-.7) < 1e-15) {
			t.Errorf("%.15g from the start, want .7", got)
		}
		if got := m.farthest(0); !(math.Abs(got-max(.7, want)) < 1e-14) {
			t.Errorf("at %v: farthest %.15g, want %.15g", x, got, max(.7, want))
		}
	}
}

// TestClear: straight ways of a particle that has left a ball: by it, away from it, up to it and no further; and into and through it. Those of others do not count.
func TestClear(t *testing.T) {
	psi, z := onTwo(t)
	s, err := New(psi, 0, z, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		from, by [3]float64
		long     float64
		want     bool
	}{
		{[3]float64{2, 1, .5}, [3]float64{0, 0, 1}, 100, true},
		{[3]float64{2, 1, .5}, [3]float64{0, 0, -1}, .4, true},
		{[3]float64{2, 1, .5}, [3]float64{0, 0, -1}, .51, false}, // its end
		{[3]float64{2, 1, .5}, [3]float64{0, 0, -1}, 4, false},   // its middle
		{[3]float64{2, 1, .5}, [3]float64{0, 0, -1}, 40, false},  // some places of 64
		{[3]float64{0, 1, -1}, [3]float64{1, 0, 0}, .9, true},
		{[3]float64{0, 1, -1}, [3]float64{1, 0, 0}, 4, false},
		{[3]float64{0, 2.5, -1}, [3]float64{1, 0, 0}, 4, true}, // beside it
		{[3]float64{2, -1, -1}, [3]float64{0, 1, 0}, 4, false},
		{[3]float64{2, -1, .2}, [3]float64{0, 1, 0}, 4, true}, // over it
		{[3]float64{1, 0, .4}, [3]float64{1, 1, -.2}, 2, true},
		{[3]float64{1, 0, .4}, [3]float64{1, 1, -.8}, 2, false},
	} {
		from, by := []float64{2, 1, -1, x.from[0], x.from[1], x.from[2]}, []float64{0, 0, 0, x.by[0], x.by[1], x.by[2]}
		if got := s.clear(0, []bool{false, true}, from, by, x.long); got != x.want {
			t.Errorf("from %v by %g·%v: %v, want %v", x.from, x.long, x.by, got, x.want)
		}
		if !s.clear(0, []bool{false, false}, from, by, x.long) {
			t.Error("one that is on its obstacle does not fly")
		}
	}
}

// TestFirm: what is made stiff is the height of a contact with a curved obstacle that is closed and pressed, once a model, and nothing else: what
// is off it, or bears nothing, may rise, and flat ones are exact as they are.
func TestFirm(t *testing.T) {
	psi, z := onTwo(t)
	for _, x := range []struct {
		height, press float64
		want          bool
	}{{0, .5, true}, {0, 0, false}, {0, -.5, false}, {.5, .5, false}, {1, .5, false}} {
		m := NewMinimiser(psi, 1e-10)
		m.begin(0, z)
		m.y[3], m.y[5] = .3, x.height
		h := psi.System.Hessian(0, m.y)
		m.copyShifted(h)
		before := slices.Clone(m.shifted.Val)
		clear(m.grad)
		m.grad[2], m.grad[3], m.grad[5] = 1, -1, x.press // the floor is pressed too
		if got := m.firm(); got != x.want {
			t.Errorf("height %g, pressed by %g: firm %v, want %v", x.height, x.press, got, x.want)
		}
		own := m.shifted.Ptr[5] // lower triangle: the diagonal is the first of a column
		for k, v := range m.shifted.Val {
			if more := v - before[k]; x.want && k == own && !(more >= 1e6*largest(before)) || (!x.want || k != own) && more != 0 {
				t.Errorf("height %g, pressed by %g: entry %d grows by %g", x.height, x.press, k, more)
			}
		}
		again := slices.Clone(m.shifted.Val)
		if m.firm(); !slices.Equal(again, m.shifted.Val) && x.want {
			t.Error("made firm twice")
		}
	}
}

// TestAstray: far off, by more than half of its way, a particle must be in balance to a part of 1e-5 of the forces of its island; on its obstacle, however
// far, and on a flat one it need not.
func TestAstray(t *testing.T) {
	psi, z := onTwo(t)
	const size = 4.
	for _, x := range []struct {
		at          [3]float64
		pull, lower float64
		want        bool
	}{
		{[3]float64{2, 1, 1}, 2e-5 * size, 0, true},
		{[3]float64{2, 1, 1}, -2e-5 * size, 0, true},
		{[3]float64{2, 1, 1}, 1e-5 * size, 0, false},
		{[3]float64{2, 1, 1}, .5e-5 * size, 0, false},
		{[3]float64{2, 1, 1}, 0, size, false},
		{[3]float64{2.6, 1, -.2}, size, 0, false},                    // on the ball
		{[3]float64{2 + .6*1.25, 1, -1 + .8*1.25}, size, 0, false},   // a fourth over it, .75 from the top
		{[3]float64{2 + .6*1.75, 1, -1 + .8*1.75}, size, 0, true},    // ¾ over it, 1.12 from the top
		{[3]float64{2, 1, 1}, math.Nextafter(1e-5*size, 1), 0, true}, // the limit is a limit
		{[3]float64{2, 1, 1e-3}, 2e-5 * size, 0, true}, {[3]float64{2, 1, 0}, 1, 0, false},
	} {
		m := NewMinimiser(psi, 1e-10)
		m.begin(0, z)
		for i := range m.floors {
			m.floors[i] = size
		}
		p := psi.System.Frame(1).Chart.Coordinates(0, x.at)
		copy(m.y[3:], p[:])
		clear(m.grad)
		m.grad[5], m.grad[3] = x.pull, x.lower
		m.y[2], m.grad[2] = 9, size // the one over the floor is out of balance
		if got := m.astray(0); got != x.want {
			t.Errorf("at %v, pulled by %g N: astray %v, want %v", x.at, x.pull, got, x.want)
		}
	}
}

// TestLand: a particle that has left its ball comes to rest where its spring is slack, from wherever it is on its way, and nothing rubs in the air; the one on the
// floor keeps its threshold. Where no equilibrium is found everything is as before.
func TestLand(t *testing.T) {
	held := particles.Tether{Particle: 0, Anchor: particles.At(0, 0, -1), Stiffness: particles.Isotropic(1)}
	both, err := particles.NewTethers(held, particles.Tether{Particle: 1, Anchor: particles.At(3, 1, .5), Stiffness: particles.Isotropic(1)})
	if err != nil {
		t.Fatal(err)
	}
	one, err := particles.NewTethers(held)
	if err != nil {
		t.Fatal(err)
	}
	up, err := particles.NewLoads(particles.Load{Particle: 1, Force: particles.At(0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	for _, rest := range []bool{true, false} {
		for _, frozen := range []bool{true, false} {
			terms := []particles.Energy{one, up}
			if rest {
				terms = []particles.Energy{both}
			}
			psi, z := onTwoWith(t, terms...)
			s, err := New(psi, 0, z, Options{})
			if err != nil {
				t.Fatal(err)
			}
			m := s.min
			for i := range s.floors {
				s.floors[i] = 1
			}
			m.SetFloors(s.floors)
			m.begin(0, z)
			for c := range s.force {
				s.force[c] = 1
				m.SetThreshold(c, 1, 0, z)
			}
			thresholds := slices.Clone(m.tresca)
			f := flight{s: s, y: slices.Clone(z), frozen: frozen}
			x := []float64{0, 0, 0, 2.9, 1.2, .3}
			err = f.land(t.Context(), []bool{false, true}, x)
			if !rest {
				if err != errStays || !slices.Equal(f.y, z) || !slices.Equal(s.force, []float64{1, 1, 1}) {
					t.Errorf("frozen %v, nothing holds it: %v, at %v with %v", frozen, err, f.y, s.force)
				}
				for c := range m.tresca {
					if m.tresca[c].Threshold != thresholds[c].Threshold {
						t.Errorf("frozen %v: contact %d is left with the threshold %g, want %g", frozen, c, m.tresca[c].Threshold, thresholds[c].Threshold)
					}
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			want := psi.System.Frame(1).Chart.Coordinates(0, [3]float64(x[3:]))
			if [3]float64(f.y[3:]) != want || [3]float64(f.y[:3]) != [3]float64(z[:3]) {
				t.Errorf("frozen %v: it begins at %v, want %v", frozen, f.y, want)
			}
			at := psi.System.Position(0, 1, s.zNext)
			if vec3.Norm([3]float64{at[0] - 3, at[1] - 1, at[2] - .5}) > 1e-9 || !s.followed {
				t.Errorf("frozen %v: at %v, followed %v", frozen, at, s.followed)
			}
			if frozen && !slices.Equal(s.force, []float64{1, 0, 1}) || m.tresca[1].Threshold != 0 || frozen && m.tresca[0] != thresholds[0] {
				t.Errorf("frozen %v: normal forces %v, in the air %v", frozen, s.force, m.tresca[1])
			}
		}
	}
}
