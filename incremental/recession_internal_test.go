package incremental

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

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
			list = append(list, particles.Spring{I: j, J: i,
				Law: particles.Linear{K: k, Rest: (1 + rng.Float64()) * math.Hypot(z[3*j]-z[3*i], z[3*j+1]-z[3*i+1])}})
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
	draws := []uint64{74, 80, 180, 210, 230, 323, 642, 747, 839, 855, 962, 970, 1012, 1043, 1115, 1143, 1148, 1199,
		1274, 1333, 1382, 1628, 1722, 1885, 1921, 2356, 2385, 2547, 2669, 2739, 2749, 2863, 3, 7, 11, 15}
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
	return &form{n: len(k), value: func([]float64) float64 { return 0 }, slope: make([]float64, len(k)),
		hessian: func([]float64) []float64 { return a }}
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

// TestDriven: a particle of 10 N on a floor with friction S, the same in all directions or not, that
// is pulled by a little more than friction holds, 10 Sᵀe, or less, so little that the step is solved
// to its tolerance: it is lost along S⁻¹e where that is 1e-12 of the forces and more, which
// certificates would not pass, and not where friction holds.
func TestDriven(t *testing.T) {
	askew, err := dissipation.NewOrthotropic([2]float64{.1, .4}, [2]float64{3, 4})
	if err != nil {
		t.Fatal(err)
	}
	const x, y = .6, .8 // e
	for _, friction := range []dissipation.Matrix{dissipation.Isotropic{Mu: .1}, dissipation.Isotropic{Mu: .5}, askew} {
		s := friction.At(0, 0, nil)
		det := s[0]*s[3] - s[1]*s[2]
		way := [2]float64{(s[3]*x - s[1]*y) / det, (s[0]*y - s[2]*x) / det}
		for _, more := range []float64{-1e-9, -1e-12, 0, 1e-12, 3e-12, 1e-11, 1e-10} {
			if friction == askew && math.Abs(more) < 1e-11 {
				continue // S is rounded
			}
			held := [2]float64{s[0]*x + s[2]*y, s[1]*x + s[3]*y}
			size := math.Hypot(held[0], held[1])
			pull := 10 + 10*more/size
			loads, err := particles.NewLoads(particles.Load{Particle: 0, Force: particles.At(pull*held[0], pull*held[1], -10)})
			if err != nil {
				t.Fatal(err)
			}
			sys, err := particles.NewSystem(particles.Floors(1), loads)
			if err != nil {
				t.Fatal(err)
			}
			psi, err := dissipation.New(sys, []dissipation.Matrix{friction})
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
					t.Errorf("%+v, pulled by %g more: %v", friction, more, err)
				}
				if !ok {
					continue
				}
				// Forces of 10 N are rounded to 2e-15 N.
				d := lost.Direction
				along := (d[0]*way[0] + d[1]*way[1]) / math.Hypot(d[0], d[1]) / math.Hypot(way[0], way[1])
				if !(along > 1-1e-6) || friction != askew && math.Abs(lost.Force-10*more) > 1e-14 || !(lost.Force > 0) {
					t.Errorf("%+v, pulled by %g more: %+v, %g along %v", friction, more, lost, along, way)
				}
			}
		}
	}
}
