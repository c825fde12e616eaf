package incremental

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// untied are two or three particles on a floor in springs without anchors, under weights and a pull
// that reaches a part of what friction holds at t = 1; and what friction holds of each.
func untied(t *testing.T, rng *rand.Rand, part float64) (*dissipation.Coulomb, []float64, []float64) {
	t.Helper()
	n := 2 + rng.IntN(2)
	z, hold, sum := make([]float64, 3*n), make([]float64, n), 0.0
	matrices := make([]dissipation.Matrix, n)
	mu := 0.05 + 0.75*rng.Float64()
	for j := range n {
		z[3*j], z[3*j+1] = 1.2*float64(j)+2*rng.Float64()-1, 2*rng.Float64()-1
		matrices[j] = dissipation.Isotropic{Mu: mu}
		hold[j] = mu * (1 + 9*rng.Float64())
		sum += hold[j]
	}
	angle, proximalPoints := 2*math.Pi*rng.Float64(), rng.IntN(n)
	var loads []particles.Load
	for j := range n {
		path := particles.Path{signal.Constant(0), signal.Constant(0), signal.Constant(-hold[j] / mu)}
		if j == proximalPoints {
			for i, f := range []float64{part * sum * math.Cos(angle), part * sum * math.Sin(angle)} {
				ramp, err := signal.NewTable([]float64{0, 1}, []float64{0, f})
				if err != nil {
					t.Fatal(err)
				}
				path[i] = ramp
			}
		}
		loads = append(loads, particles.Load{Particle: j, Force: path})
	}
	k := math.Pow(10, 4*rng.Float64()-1)
	var list []particles.Spring
	for j := range n {
		i := (j + 1) % n
		if i > j || n == 3 && rng.IntN(2) == 0 {
			list = append(list, particles.Spring{I: j, J: i, Law: particles.Linear{K: k, Rest: (1 + rng.Float64()) * math.Hypot(z[3*j]-z[3*i], z[3*j+1]-z[3*i+1])}})
		}
	}
	springs, err := particles.NewSprings(list...)
	if err != nil {
		t.Fatal(err)
	}
	pulls, err := particles.NewLoads(loads...)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(n), springs, pulls)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		t.Fatal(err)
	}
	return psi, z, hold
}

// TestUntiedSteps: springs without anchors store at least what they are stretched by, so that E + Ψ
// grows in all directions where the pull is less than what friction holds: every step has a
// minimiser, however far, through springs under pressure that make D²E indefinite. That which is
// found is one to first order, by the balance of forces, and E + Ψ is not more there than at the
// base. Where the pull is more, none is.
func TestUntiedSteps(t *testing.T) {
	// of 3000 those that Newton's method does not solve, and some lost
	draws := []uint64{74, 80, 180, 210, 230, 323, 642, 747, 839, 855, 962, 970, 1012, 1043, 1115, 1143, 1148, 1199, 1274, 1333, 1382, 1628, 1722, 1885, 1921, 2356, 2385, 2547, 2669, 2739, 2749, 2863, 3, 7, 11, 15}
	if thorough.Asked() {
		draws = make([]uint64, 3000)
		for i := range draws {
			draws[i] = uint64(i)
		}
	}
	continued := 0
	for _, draw := range draws {
		rng := rand.New(rand.NewPCG(18, draw))
		psi, z, hold := untied(t, rng, []float64{0.5, 0.9, 0.99, 1.01}[draw%4])
		s, err := New(psi, 0, z, Options{Threshold: Implicit})
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []float64{0.7, 0.85, 0.93, 1} {
			z := slices.Clone(s.State())
			err := s.Step(t.Context(), at)
			if draw%4 == 3 && at == 1 {
				if _, lost := errors.AsType[*LossError](err); !lost {
					t.Errorf("draw %d: pulled beyond friction: %v", draw, err)
				}
				break
			}
			if err != nil {
				t.Errorf("draw %d: %v", draw, err)
				break
			}
			if s.continued {
				continued++
			}
			if why := minimiser(psi, at, z, s.State(), s.Gradient(), hold, 1e-9*s.Scale()); why != "" {
				t.Errorf("draw %d, t=%g: %s", draw, at, why)
			}
		}
	}
	if continued < 20 {
		t.Errorf("%d steps were solved downhill: the draws are too easy", continued)
	}
}

// minimiser says why y is no stationary point of E + Ψ of a step from z, or one above the base.
func minimiser(psi *dissipation.Coulomb, t float64, z, y, g, hold []float64, off float64) string {
	before, _ := psi.System.Value(t, z)
	after, _ := psi.System.Value(t, y)
	ulp := 2e-15 // of positions of some metres: it turns a short way
	for j, f := range hold {
		v := [2]float64{y[3*j] - z[3*j], y[3*j+1] - z[3*j+1]}
		way := math.Hypot(v[0], v[1])
		after += f * way
		switch {
		case way > 0 && math.Hypot(g[3*j]+f*v[0]/way, g[3*j+1]+f*v[1]/way) > off+f*ulp/way:
			return fmt.Sprintf("particle %d slides and is out of balance", j)
		case way == 0 && math.Hypot(g[3*j], g[3*j+1]) > f+off:
			return fmt.Sprintf("particle %d rests under %g N, friction holds %g", j, math.Hypot(g[3*j], g[3*j+1]), f)
		}
	}
	if after > before+1e-9*math.Abs(before) {
		return fmt.Sprintf("E + Ψ rises from %g to %g", before, after)
	}
	return ""
}

// form is an energy for tests of parts: its value, its slopes and its D²E, row by row, are given as
// they are, and need not belong together.
type form struct {
	n       int // coordinates
	value   func(x []float64) float64
	slope   []float64
	hessian func(x []float64) []float64
	varies  bool
}

// diagonal is a form of a diagonal D²E without force.
func diagonal(k ...float64) *form {
	a := make([]float64, len(k)*len(k))
	for i, x := range k {
		a[i*len(k)+i] = x
	}
	return &form{n: len(k), value: func([]float64) float64 { return 0 }, slope: make([]float64, len(k)), hessian: func([]float64) []float64 { return a }}
}

// couple adds an entry beside the diagonal to a form of constant D²E.
func (f *form) couple(i, j int, k float64) *form {
	a := f.hessian(nil)
	a[i*f.n+j], a[j*f.n+i] = k, k
	return f
}

func (f *form) Pattern(p *particles.Pattern) {
	a := f.hessian(make([]float64, f.n))
	for i := range f.n {
		for j := range i + 1 {
			if i == j || a[i*f.n+j] != 0 {
				p.Add(i, j)
			}
		}
	}
}

func (f *form) Value(_ float64, x []float64) (e, rate float64) { return f.value(x), 0 }

func (f *form) Gradient(grad, _ []float64, _ float64, _ []float64) {
	for i := range grad {
		grad[i] += f.slope[i]
	}
}

func (f *form) Hessian(h *particles.Hessian, _ float64, x []float64) {
	a := f.hessian(x)
	for i := range f.n {
		for j := range i + 1 {
			if i == j || a[i*f.n+j] != 0 {
				h.Add(i, j, a[i*f.n+j])
			}
		}
	}
}

func (f *form) ConstantHessian() bool { return !f.varies }

// formed is a stepper at 0 of particles over floors with this energy and friction of 1; those of
// free are above no floor.
func formed(t *testing.T, f *form, free ...int) *Stepper {
	t.Helper()
	frames := particles.Floors(f.n / 3)
	for _, j := range free {
		frames[j] = particles.NoObstacle()
	}
	sys, err := particles.NewSystem(frames, f)
	if err != nil {
		t.Fatal(err)
	}
	matrices := make([]dissipation.Matrix, len(frames))
	for j := range matrices {
		matrices[j] = dissipation.Isotropic{Mu: 1}
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(psi, 0, make([]float64, f.n), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestUnitOfDirection: a direction is scaled to the largest motion of a particle, of several the
// first; none and infinite ones are none.
func TestUnitOfDirection(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		d, want []float64
		worst   int
		ok      bool
	}{
		{[]float64{0, 0, 0, 3, 0, 4}, []float64{0, 0, 0, 0.6, 0, 0.8}, 1, true},
		{[]float64{0, 0.25, 0, 0, 0, 0.125}, []float64{0, 1, 0, 0, 0, 0.5}, 0, true},
		{[]float64{0, 2, 0, 2, 0, 0}, []float64{0, 1, 0, 1, 0, 0}, 0, true},
		{[]float64{0, 2, 0, 3, 0, 0}, []float64{0, 2. / 3, 0, 1, 0, 0}, 1, true},
		{[]float64{0, 2, 0, 2 + 1e-12, 0, 0}, []float64{0, 1, 0, 1, 0, 0}, 0, true},
		{make([]float64, 6), make([]float64, 6), 0, false},
		{[]float64{0, 0, 1, 0, inf, 0}, []float64{0, 0, 1, 0, inf, 0}, 1, false},
		{[]float64{0, 0, 1, 0, -inf, 0}, []float64{0, 0, 1, 0, -inf, 0}, 1, false},
	} {
		d := append([]float64(nil), c.d...)
		worst, ok := unit(d)
		if ok != c.ok || worst != c.worst {
			t.Errorf("%v: particle %d, %t", c.d, worst, ok)
		}
		for i := range d {
			if math.Abs(d[i]-c.want[i]) > 1e-12 {
				t.Errorf("%v became %v, want %v", c.d, d, c.want)
				break
			}
		}
	}
}

// TestStiffnessOfDirections: D²E d over the largest stiffness; a ten-thousandth of that
// regularises, or 1 N/m where there is none; D²E is slack if it is singular and that mends it.
func TestStiffnessOfDirections(t *testing.T) {
	z := make([]float64, 3)
	for _, c := range []struct {
		k      [3]float64
		stored float64 // of (1, −2, 1)
		soft   float64
		slack  bool
	}{
		{[3]float64{}, 0, 1, true},
		{[3]float64{0.5, 0, 0}, 1, 0.5e-4, true},
		{[3]float64{0, 0, 0.25}, 1, 0.25e-4, true},
		{[3]float64{0, 4, 4}, 2, 4e-4, true},
		{[3]float64{1, 1, 1}, 2, 1e-4, false},
		{[3]float64{4, 1, 1}, 1, 4e-4, false},
		// the tension of a spring, below what regularises
		{[3]float64{1e4, -0.5, 1e4}, 1, 1, true},
		{[3]float64{1e4, -1.5, 1e4}, 1, 1, false}, // and above: it buckles
		{[3]float64{1e-4, 1e-4, -0.5e-8}, 2, 1e-8, true},
		{[3]float64{-2, 1, 1}, 1, 2e-4, false},
	} {
		m := formed(t, diagonal(c.k[:]...)).min
		if got := m.stored(0, z, []float64{1, -2, 1}); !(math.Abs(got-c.stored) <= 1e-15) {
			t.Errorf("%v: stored %g, want %g", c.k, got, c.stored)
		}
		if got := m.softestAt(0, z); math.Abs(got-c.soft) > 1e-16*c.soft {
			t.Errorf("%v: softest %g, want %g", c.k, got, c.soft)
		}
		if got := m.slack(0, z); got != c.slack {
			t.Errorf("%v: slack is %t", c.k, got)
		}
	}
	// A pivot is rounding up to 4n = 12 times 2⁻⁵²: of [1 1; 1 1+δ] it is δ.
	for _, c := range []struct {
		delta float64
		want  bool
	}{{11, true}, {13.5, false}, {3, true}, {0, true}, {100, false}} {
		m := formed(t, diagonal(1, 1+c.delta*0x1p-52, 1).couple(0, 1, 1)).min
		if got := m.singular(0, z, 0); got != c.want {
			t.Errorf("a pivot of %g·2⁻⁵² is singular: %t", c.delta, got)
		}
	}
	m := formed(t, diagonal(1, -1e-5, 1)).min
	for _, c := range []struct {
		shift float64
		want  bool
	}{{0, true}, {0.9e-5, true}, {1.1e-5, false}, {1, false}} {
		if got := m.singular(0, z, c.shift); got != c.want {
			t.Errorf("shifted by %g: singular is %t", c.shift, got)
		}
	}
	// It is asked at the first state, once.
	f := diagonal(1, 1, 1)
	f.varies = true
	f.hessian = func(x []float64) []float64 {
		if x[0] > 0 {
			return make([]float64, 9)
		}
		return []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	}
	s := formed(t, f)
	for range 2 {
		if s.singular() {
			t.Error("the identity is singular")
		}
		s.z[0] = 1
	}
	s = formed(t, f)
	s.z[0] = 1
	for range 2 {
		if !s.singular() {
			t.Error("nothing is regular")
		}
		s.z[0] = 0
	}
}

// TestRelax: of a coordinate with the stiffness k six inverse iterations leave (δ/(k + δ))⁶, with δ
// a hundred-millionth of the largest; heights that an obstacle holds stay 0, others have their
// part.
func TestRelax(t *testing.T) {
	const k, soft = 4.0, 4e-8
	s := formed(t, diagonal(k, soft, 0, 0, soft, soft, 0, soft, soft, soft, soft, soft).couple(9, 11, 0.5*soft), 2)
	d := []float64{1, 1, -1, -1, 1, 1, 1, -1, -1, 1, -1, 0}
	s.min.relax(0, s.z, d)
	// Of [1 ½; ½ 1]·soft and δ = soft: (A + δ)⁻¹δ = [2 ½; ½ 2]⁻¹ has the eigenvalues 2/5 and 2/3.
	const half = 1. / 64
	want := []float64{1e-48, half, 0, -1, half, half, 1, -half, -half, (math.Pow(0.4, 6) + math.Pow(2./3, 6)) / 2, -half, 0}
	for i := range d {
		if math.Abs(d[i]-want[i]) > 1e-7*math.Abs(want[i]) { // δ/(k + δ) is 1e-8 up to 1e-8 of it
			t.Errorf("coordinate %d: %g, want %g", i, d[i], want[i])
		}
	}
}

// TestFlatten: a direction of recession keeps what it has along a normal where nothing presses,
// where the obstacle is left, and where less is stored with it.
func TestFlatten(t *testing.T) {
	for _, c := range []struct {
		name        string
		k           [3]float64
		press, high float64
		want        float64
	}{{"pressed", [3]float64{}, 4, 0, 0}, {"pulled", [3]float64{}, -4, 0, 1e-5}, {"open", [3]float64{}, 4, 0.1, 1e-5}, {"stored without", [3]float64{1, -1e5, 1e10}, 4, 0, 1e-5}} {
		s := formed(t, diagonal(c.k[0], 0, c.k[2]).couple(0, 2, c.k[1]))
		s.min.gradBase[2], s.min.y[2] = c.press, c.high
		d := []float64{1, 0, 1e-5}
		if s.flatten(0, s.z, d); d[0] != 1 || d[2] != c.want {
			t.Errorf("%s: %v", c.name, d)
		}
	}
}

// TestIntoObstacle: what leads into an obstacle is none of a direction of recession: it is taken
// off, and what stores something then is no loss.
func TestIntoObstacle(t *testing.T) {
	for _, c := range []struct {
		name string
		f    *form
		lost bool
	}{{"free", diagonal(0, 0, 0, 1, 1, 1), true}, {"coupled", diagonal(1, 0, 1, 1, 1, 1).couple(0, 2, 1), false}} {
		s := formed(t, c.f)
		s.min.gradBase[0], s.min.gradBase[2] = -3, 5
		err := s.recession(0, []float64{2, 0, -2, 0, 0, 0}, nil)
		lost, ok := errors.AsType[*LossError](err)
		if ok != c.lost || ok && (lost.Force != 3 || lost.Direction[0] != 1 || lost.Direction[2] != 0) {
			t.Errorf("%s: %+v", c.name, lost)
		}
	}
}

// TestDriven: a particle of 10 N on a floor, μ = 1/2 or 1/10, that is pulled by a little more than
// friction holds or less, so little that the step is solved to its tolerance: it is lost along the
// pull where that is 1e-12 of the forces and more, which certificates would not pass, and not where
// friction holds.
func TestDriven(t *testing.T) {
	for _, mu := range []float64{0.1, 0.5} {
		for _, more := range []float64{-1e-9, -1e-12, 0, 1e-12, 3e-12, 1e-11, 1e-10} {
			pull := 10*mu + 10*more
			loads, err := particles.NewLoads(particles.Load{Particle: 0, Force: particles.At(0.6*pull, 0.8*pull, -10)})
			if err != nil {
				t.Fatal(err)
			}
			sys, err := particles.NewSystem(particles.Floors(1), loads)
			if err != nil {
				t.Fatal(err)
			}
			psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: mu}})
			if err != nil {
				t.Fatal(err)
			}
			for _, mode := range []ThresholdMode{Lagged, Implicit} {
				s, err := New(psi, 0, make([]float64, 3), Options{Threshold: mode})
				if err != nil {
					t.Fatal(err)
				}
				err = s.Step(t.Context(), 1)
				lost, ok := errors.AsType[*LossError](err)
				if ok != (more > 0) || !ok && err != nil {
					t.Errorf("μ = %g, pulled by %g more: %v", mu, more, err)
				}
				// Forces of 10 N are rounded to 2e-15 N.
				if ok && (math.Abs(lost.Force-10*more) > 1e-14 || math.Abs(lost.Direction[0]-0.6) > 1e-3 || math.Abs(lost.Direction[1]-0.8) > 1e-3) {
					t.Errorf("μ = %g, pulled by %g more: %+v", mu, more, lost)
				}
			}
		}
	}
}

// TestRecedes: a direction along which nothing is stored and something drives is a loss, as it is
// or after what is stored in it is taken off; a ten-millionth of the largest stiffness counts as
// nothing.
func TestRecedes(t *testing.T) {
	cause := errors.New("not solved")
	for _, c := range []struct {
		name    string
		k       []float64
		slope   []float64
		d, want []float64 // nil: no loss
		force   float64
	}{
		{"free", []float64{0, 1, 1, 1, 1, 1}, []float64{-3, 0, 0, 0, 0, 0}, []float64{2, 0, 0, 0, 0, 0}, []float64{1, 0, 0, 0, 0, 0}, 3},
		{"two that are free", []float64{1, 1, 1, 0, 0, 1}, []float64{0, 0, 0, -5, 0, 0}, []float64{0, 0, 0, 3, 4, 0}, []float64{0, 0, 0, 0.6, 0.8, 0}, 3},
		{"nothing drives", []float64{0, 1, 1, 1, 1, 1}, make([]float64, 6), []float64{2, 0, 0, 0, 0, 0}, nil, 0},
		{"driven back", []float64{0, 1, 1, 1, 1, 1}, []float64{3, 0, 0, 0, 0, 0}, []float64{2, 0, 0, 0, 0, 0}, nil, 0},
		{"no direction", []float64{0, 1, 1, 1, 1, 1}, []float64{-3, 0, 0, 0, 0, 0}, make([]float64, 6), nil, 0},
		{"stiff", []float64{1, 1, 1, 1, 1, 1}, []float64{-3, 0, 0, 0, 0, 0}, []float64{2, 0, 0, 0, 0, 0}, nil, 0},
		{"nearly free", []float64{0, 1, 1, 1, 1, 1}, []float64{-3, -9, 0, 0, 0, 0}, []float64{2, 1e3, 0, 0, 0, 0}, []float64{1, 5e-46, 0, 0, 0, 0}, 3},
		{"stores nearly nothing", []float64{1, 1e-10, 1, 0, 1, 1}, []float64{0, -4, 0, -2, 0, 0}, []float64{0, 1, 0, 0.5, 0, 0}, []float64{0, 1, 0, 0.5, 0, 0}, 5},
		{"the same of more", []float64{1e4, 1e-6, 1, 0, 1, 1}, []float64{0, -4, 0, -2, 0, 0}, []float64{0, 1, 0, 0.5, 0, 0}, []float64{0, 1, 0, 0.5, 0, 0}, 5},
		{"a soft one beside", []float64{1, 0.5e-7, 1, 0, 1, 1}, []float64{0, -4, 0, -2, 0, 0}, []float64{0, 1, 0, 0.5, 0, 0}, []float64{0, 2. / (6 * 6 * 6 * 6 * 6 * 6), 0, 1, 0, 0}, 2 + 8./(6*6*6*6*6*6)},
		{"a ten-millionth", []float64{1, 1e-7, 1, 1, 1, 1}, []float64{0, -4, 0, -2, 0, 0}, []float64{0, 1, 0, 0, 0, 0}, []float64{0, 1, 0, 0, 0, 0}, 4},
		{"more", []float64{1, 1.01e-7, 1, 1, 1, 1}, []float64{0, -4, 0, -2, 0, 0}, []float64{0, 1, 0, 0, 0, 0}, nil, 0},
		{"of a thousand", []float64{1e3, 0.99e-4, 1, 1, 1, 1}, []float64{0, -4, 0, -2, 0, 0}, []float64{0, 1, 0, 0, 0, 0}, []float64{0, 1, 0, 0, 0, 0}, 4},
		{"more of a thousand", []float64{1e3, 1.01e-4, 1, 1, 1, 1}, []float64{0, -4, 0, -2, 0, 0}, []float64{0, 1, 0, 0, 0, 0}, nil, 0},
	} {
		s := formed(t, diagonal(c.k...))
		copy(s.min.gradBase, c.slope)
		copy(s.min.y, []float64{9, 9, 9, 9, 9, 9})
		err := s.recession(0.25, append([]float64(nil), c.d...), cause)
		lost, ok := errors.AsType[*LossError](err)
		if ok != (c.want != nil) || !ok && err != cause {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !ok {
			continue
		}
		if lost.Time != 0.25 || math.Abs(lost.Force-c.force) > 1e-12*c.force || lost.Particle != map[bool]int{true: 0, false: 1}[math.Hypot(c.want[0], c.want[1]) == 1] || errors.Unwrap(lost) != cause {
			t.Errorf("%s: %+v", c.name, lost)
		}
		for i, want := range c.want {
			// δ/(k + δ) is 1e-8 up to 1e-8 of it, six times
			if math.Abs(lost.Direction[i]-want) > 1e-7*want {
				t.Errorf("%s: direction %v, want %v", c.name, lost.Direction, c.want)
				break
			}
		}
	}
	// Where D²E varies it is that where the solver ended, from where E has to fall.
	for _, c := range []struct {
		name     string
		falls    float64
		standing bool // stiff where the solver ended, else where the step began
		hasLimit bool
		want     bool
	}{{"falls", 1, false, false, true}, {"does not fall", 0, false, false, false}, {"falls, against a spring", 1, true, false, false}} {
		f := diagonal(0, 1, 1)
		f.varies, f.value = true, func(x []float64) float64 { return -c.falls * x[0] }
		f.hessian = func(x []float64) []float64 {
			if (x[0] > 0) == c.standing {
				return []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
			}
			return []float64{0, 0, 0, 0, 1, 0, 0, 0, 1}
		}
		s := formed(t, f)
		s.min.v[0], s.min.y[0], s.min.grad[0] = 0.5, 0.5, -1
		err := s.recession(0, []float64{1, 0, 0}, cause)
		if _, lost := errors.AsType[*LossError](err); lost != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, c := range []struct {
		e    LossError
		want string
	}{{LossError{Particle: 3, Force: 2}, "particle 3 slides away, driven by 2 N"}, {LossError{Particle: 3, Closing: []int{7}, Depth: 0.5}, "1 obstacles leave no place around particle 3, any there is at least 0.5 m"}} {
		if got := c.e.Error(); !strings.Contains(got, c.want) {
			t.Errorf("%q", got)
		}
	}
}

// TestFalls: E + Ψ falls by half of what drives after one way, ten and a hundred, up to rounding of
// the energies; who has not moved has no way.
func TestFalls(t *testing.T) {
	const way, drive, cost = 0.5, 2.0, 3.0
	for _, c := range []struct {
		e0       float64
		part     [3]float64 // of the drive, by which it falls
		rounding float64    // added to the first, in parts of what counts as none
		moved    float64
		want     bool
	}{
		{7, [3]float64{1, 1, 1}, 0, way, true}, {7, [3]float64{0.51, 0.51, 0.51}, 0, way, true},
		{7, [3]float64{0.49, 1, 1}, 0, way, false}, {7, [3]float64{1, 0.49, 1}, 0, way, false}, {7, [3]float64{1, 1, 0.49}, 0, way, false},
		{1e3, [3]float64{0.5, 1, 1}, 0.9, way, true}, {1e3, [3]float64{0.5, 1, 1}, 1.1, way, false},
		{-1e3, [3]float64{0.5, 1, 1}, 0.9, way, true}, {-1e3, [3]float64{0.5, 1, 1}, 1.1, way, false},
		{7, [3]float64{1, 1, 1}, 0, 0, false},
	} {
		f := diagonal(1, 1, 1)
		f.varies = true
		f.value = func(x []float64) float64 {
			for i, far := range []float64{1, 10, 100} {
				if x[0] == way+far*way {
					e := c.e0 - far*way*(cost+c.part[i]*drive)
					if i == 0 {
						e += c.rounding * 1e-12 * (math.Abs(e) + math.Abs(c.e0))
					}
					return e
				}
			}
			if x[0] == c.moved {
				return c.e0
			}
			return math.NaN()
		}
		s := formed(t, f)
		s.min.SetThreshold(0, cost, 0, s.z)
		s.min.v[0], s.min.y[0] = c.moved, c.moved
		if got := s.fallsAlong(0, []float64{1, 0, 0}, drive); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
	// What is level to the bit has not risen.
	s := formed(t, diagonal(1, 1, 1))
	s.min.v[1] = -1
	if !s.fallsAlong(0, []float64{1, 0, 0}, 0) {
		t.Error("a level rises")
	}
}

// TestSteepest: along the steepest direction of translation drives the pull less the friction of
// all that moves, whatever direction was given; what is held stays.
func TestSteepest(t *testing.T) {
	pair := func() *form { return diagonal(2, 2, 1, 2, 2, 1).couple(0, 3, -2).couple(1, 4, -2) }
	for _, c := range []struct {
		name     string
		f        *form
		slope    []float64
		s        [2]float64
		d, want  []float64
		drive    float64
		varies   bool
		fellBack bool
	}{
		{name: "one", f: diagonal(0, 0, 1), slope: []float64{-3, -4, 7}, s: [2]float64{1}, d: []float64{1, 0, 0}, want: []float64{0.6, 0.8, 0}, drive: 4},
		{name: "one that rises", f: diagonal(0, 0, 0), slope: []float64{-3, -4, -2}, s: [2]float64{1}, d: []float64{0.8, 0, 0.6}, drive: math.Inf(1)},
		{name: "D²E varies", f: diagonal(0, 0, 1), slope: []float64{-3, -4, 7}, s: [2]float64{1}, d: []float64{1, 0, 0}, want: []float64{0.6, 0.8, 0}, drive: 4, varies: true},
		{name: "a pair", f: pair(), slope: []float64{-3, 0, 5, 0, 4, 5}, s: [2]float64{2, 1}, d: []float64{1, 0, 0, 1, 0, 0}, want: []float64{0.6, -0.8, 0, 0.6, -0.8, 0}, drive: 2},
		{name: "a pair of which one is smooth", f: pair(), slope: []float64{-3, 0, 5, 0, 4, 5}, s: [2]float64{2, 0}, d: []float64{1, 0, 0, 1, 0, 0}, want: []float64{0.6, -0.8, 0, 0.6, -0.8, 0}, drive: 3},
		{name: "a pair that is held", f: pair(), slope: []float64{-3, 0, 5, 0, 4, 5}, s: [2]float64{2, 4}, d: []float64{0.8, -0.6, 0, 0.8, -0.6, 0}, want: []float64{0.6, -0.8, 0, 0.6, -0.8, 0}, drive: -1},
		{name: "no friction", f: diagonal(0, 0, 1), slope: []float64{-3, -4, 7}, d: []float64{1, 0, 0}, want: []float64{1, 0, 0}, drive: 3},
		{name: "thresholds of the forces", f: diagonal(0, 0, 1), slope: []float64{-3, -4, 7}, s: [2]float64{1}, d: []float64{1, 0, 0}, want: []float64{0.6, 0.8, 0}, drive: 3, fellBack: true},
	} {
		c.f.varies = c.varies
		s := formed(t, c.f)
		for j := range len(c.d) / 3 {
			s.min.SetThreshold(j, c.s[j], 0, s.z)
		}
		copy(s.min.gradBase, c.slope)
		if c.varies {
			clear(s.min.gradBase)
			copy(s.min.grad, c.slope)
		}
		s.stats.FellBack = c.fellBack
		s.min.res.R[0], s.min.res.V = 2, make([]float64, len(c.d)) // μ = 1
		if c.fellBack {
			s.min.gradBase[2] = 2
		}
		d := append([]float64(nil), c.d...)
		got := s.Steepest(0, d)
		if c.want == nil { // what rises stays so, and more drives than before
			if d[2] <= 0 || !(got > 3*0.8+2*0.6-0.8) {
				t.Errorf("%s: %g along %v", c.name, got, d)
			}
			continue
		}
		// A direction is as good as the regularisation, 2e-8, which enters squared where it is
		// steepest.
		if math.Abs(got-c.drive) > 1e-13*10 {
			t.Errorf("%s: driven by %.15g, want %g", c.name, got, c.drive)
		}
		for i := range d {
			if math.Abs(d[i]-c.want[i]) > 1e-7 {
				t.Errorf("%s: along %v, want %v", c.name, d, c.want)
				break
			}
		}
	}
}

// TestSteepestShape: where friction differs by direction what drives is 0 at the bound along S⁻¹S⁻ᵀ
// of the pull; each round takes at least 1 − (1 − λ₂/λ₁)² of what is missing, λ those of SᵀS.
func TestSteepestShape(t *testing.T) {
	for _, turned := range []bool{false, true} {
		shape := [4]float64{1.25, 0, 0, 1}
		if turned { // by an angle with tangent 3/4: S Rᵀ
			shape = [4]float64{1.25 * 0.8, 1.25 * 0.6, -0.6, 0.8}
		}
		s := formed(t, diagonal(0, 0, 1))
		s.min.SetThreshold(0, 2, 0, s.z)
		s.min.tresca[0].Shape = law.NewShape(shape)
		// DE = −2 Sᵀ(0.6, 0.8)
		copy(s.min.gradBase, []float64{-2 * (shape[0]*0.6 + shape[2]*0.8), -2 * (shape[1]*0.6 + shape[3]*0.8), 0})
		d := []float64{0.8, 0.6, 0}
		before := s.Drive(d)
		if got := s.Steepest(0, d); !(before < -1e-3) || !(got < 1e-15) || got < before*math.Pow(0.36*0.36, steeper) {
			t.Errorf("turned %t: driven by %g, before by %g", turned, got, before)
		}
	}
}
