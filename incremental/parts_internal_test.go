package incremental

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// TestRoundingForce: ulps |D²E||x| of random symmetric matrices, entry by entry.
func TestRoundingForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	ref, bonds := make([]float64, 12), []particles.Bond{}
	for i := range ref {
		ref[i] = r.NormFloat64()
	}
	for i := range 4 {
		for j := range i {
			bonds = append(bonds, particles.Bond{I: i, J: j, Stiffness: particles.Diagonal(r.Float64(), r.Float64(), r.Float64())})
		}
	}
	b, err := particles.NewBonds(ref, bonds...)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(4), b)
	if err != nil {
		t.Fatal(err)
	}
	z, size := make([]float64, 12), make([]float64, 12)
	for i := range z {
		z[i] = math.Abs(r.NormFloat64())
	}
	sys.Magnitudes(size, z)
	h := sys.Hessian(0, z)
	want := 0.0
	for i := range z {
		sum := 0.0
		for j, x := range size {
			if k := h.Index(max(i, j), min(i, j)); k >= 0 {
				sum += math.Abs(h.Val[k]) * x
			}
		}
		want = max(want, ulps*sum)
	}
	if got := RoundingForce(make([]float64, 24), sys, h, z); !(math.Abs(got-want) <= 1e-14*want) {
		t.Errorf("%g N, want %g", got, want)
	}
}

// wells is ¼(x² − 1)² + ½y² + ½z² of one particle.
type wells struct{}

func (wells) Pattern(p *particles.Pattern) {
	for a := range 3 {
		p.Add(a, a)
	}
}

func (wells) Value(_ float64, x []float64) (e, rate float64) {
	w := x[0]*x[0] - 1
	return 0.25*w*w + 0.5*(x[1]*x[1]+x[2]*x[2]), 0
}

func (wells) Gradient(grad, _ []float64, _ float64, x []float64) {
	if grad != nil {
		grad[0] += x[0] * (x[0]*x[0] - 1)
		grad[1] += x[1]
		grad[2] += x[2]
	}
}

func (wells) Hessian(h *particles.Hessian, _ float64, x []float64) {
	h.Add(0, 0, 3*x[0]*x[0]-1)
	h.Add(1, 1, 1)
	h.Add(2, 2, 1)
}

// TestSolveFrom: with the friction of a motion from one place the descent ends in the well in
// which it starts.
func TestSolveFrom(t *testing.T) {
	sys, err := particles.NewSystem([]particles.Frame{particles.NoObstacle()}, wells{})
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := NewMinimiser(psi, 1e-12)
	base, z, grad := []float64{0.5, 2, 3}, make([]float64, 3), make([]float64, 3)
	for _, x := range []float64{-0.9, 0.9, -1.2} {
		if err := m.SolveFrom(t.Context(), 0, base, []float64{x, 0.1, 0.2}, z, grad, 1); err != nil {
			t.Fatal(err)
		}
		for i, want := range []float64{math.Copysign(1, x), 0, 0} {
			if !(math.Abs(z[i]-want) <= 1e-9) {
				t.Errorf("from %g: z[%d] = %g, want %g", x, i, z[i], want)
			}
		}
	}
}

// TestRoughness: half of μ(1 + a sin 2πs/L), s along d, has the slope 2πμa/L |cos| d: what the rounding
// of the place makes of the threshold r is ulps r times that and |x|, |y|; nothing without
// friction, nor where friction and D²E are the same everywhere.
func TestRoughness(t *testing.T) {
	const mu, a, length, x, y = 0.4, 0.3, 0.7, 3.0, -5.0
	d := [2]float64{0.6, 0.8}
	rippled, err := dissipation.NewRippled(dissipation.Isotropic{Mu: mu}, a, length, d, 0)
	if err != nil {
		t.Fatal(err)
	}
	slope := mu * a * 2 * math.Pi / length * math.Abs(math.Cos(2*math.Pi*(d[0]*x+d[1]*y)/length)) * (math.Abs(d[0]*x) + math.Abs(d[1]*y))
	for _, c := range []struct {
		m    dissipation.Matrix
		want float64
	}{{rippled, ulps * 2 * slope}, {dissipation.Isotropic{Mu: mu}, 0}, {nil, 0}} {
		ex := reference.Play()
		psi, err := dissipation.New(ex.Psi.System, []dissipation.Matrix{c.m})
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(psi, 0, ex.Start, Options{Threshold: Implicit})
		if err != nil {
			t.Fatal(err)
		}
		s.zNext[0], s.zNext[1] = x, y
		if got := s.roughness(0, 0, 2); !(math.Abs(got-c.want) <= 1e-12*c.want) {
			t.Errorf("%T: %g N, want %g", c.m, got, c.want)
		}
	}
}

// TestBlame: an error names the particle whose forces are balanced worst, and none where the
// cause says nothing of one.
func TestBlame(t *testing.T) {
	m := apart(t, [][3]float64{{2, 3, 5}}, make([][3]float64, 3))
	copy(m.f, []float64{0, 1, -2, 3, 0, 0, 1, -9, 4})
	if got := m.worstImbalance(); got != 2 {
		t.Errorf("particle %d is worst, want 2", got)
	}
	e, ok := errors.AsType[*StepError](m.failed(1, errors.New("x")))
	if !ok || e.Particle != -1 || e.Time != 1 {
		t.Errorf("blamed: %+v", e)
	}
	if got, want := m.softestAt(0, make([]float64, 9)), regular*5; got != want {
		t.Errorf("the softest spring has %g N/m, want %g", got, want)
	}
	none := apart(t, [][3]float64{{0, 0, 0}}, make([][3]float64, 1))
	if got := none.softestAt(0, make([]float64, 3)); got != 1 {
		t.Errorf("without springs %g N/m, want 1", got)
	}
}

// TestSizes: the largest of floor, forces and each component of the reactions, by island.
func TestSizes(t *testing.T) {
	m := apart(t, [][3]float64{{2, 2, 2}}, make([][3]float64, 3))
	m.res.R = make([]float64, 9)
	for i := range 9 {
		clear(m.res.R)
		m.res.R[i] = -7
		m.SetFloors([]float64{0, 0.25, 0.5, 0.75}[:len(m.floors)])
		m.sizes([]float64{0, 0, 0, 0, -5, 0, 0, 0, 0})
		for j := range 3 {
			want := []float64{m.floors[m.island[j]], 5, m.floors[m.island[j]]}[j]
			if j == i/3 {
				want = 7
			}
			if got := m.force[m.island[j]]; got != want {
				t.Errorf("reaction %d: particle %d has %g N, want %g", i, j, got, want)
			}
		}
	}
}

// TestLimitsOfOptions: what is allowed ends where it says so.
func TestLimitsOfOptions(t *testing.T) {
	for _, c := range []struct {
		o  Options
		ok bool
	}{
		{Options{}, true}, {Options{Tolerance: 1e-15}, true}, {Options{Tolerance: 1e-2}, true}, {Options{Tolerance: 1.1e-2}, false}, {Options{Tolerance: 9e-16}, false},
		{Options{Tolerance: -1e-3}, false}, {Options{Consistency: 1e-13}, true}, {Options{Consistency: 1e-2}, true}, {Options{Consistency: 9e-14}, false},
		{Options{Consistency: 1.1e-2}, false}, {Options{MaxFixedPoint: -1}, false}, {Options{Threshold: 2}, false}, {Options{Threshold: -1}, false},
	} {
		if err := c.o.Validate(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	ex := reference.Play()
	for i, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		z := make([]float64, len(ex.Start))
		z[i%2] = x // along the floor
		if _, err := New(ex.Psi, 0, z, Options{}); err == nil {
			t.Errorf("a start with %g is accepted", x)
		}
	}
	s, err := New(ex.Psi, 0, ex.Start, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var c Checkpoint
	s.Save(&c)
	for _, n := range []int{1, 2, 4} {
		c.V = make([]float64, n)
		if s.Load(&c) == nil {
			t.Errorf("a checkpoint with %d displacements of one particle is accepted", n)
		}
	}
}

// TestConsistencyIsLooser: thresholds that need agree to a hundredth only take fewer solves,
// and the default as many as its value.
func TestConsistencyIsLooser(t *testing.T) {
	solves := func(c float64) int {
		ex := reference.Ripple(0.7)
		s, err := New(ex.Psi, 0, ex.Start, Options{Threshold: Implicit, Consistency: c})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for k := 1; k <= 10; k++ {
			if err := s.Step(t.Context(), 0.1*float64(k)); err != nil {
				t.Fatal(err)
			}
			if s.Stats().FellBack {
				t.Errorf("consistency %g: step %d fell back", c, k)
			}
			sum += s.Stats().Solves
		}
		return sum
	}
	if loose, tight, usual := solves(1e-2), solves(1e-13), solves(0); loose >= tight || usual != tight {
		t.Errorf("%d solves to 1e-2, %d to 1e-13, %d by default", loose, tight, usual)
	}
}

// TestEquilibrateSettles: thresholds of the start of each step approach those of its end
// geometrically where they are coupled; what has settled does not move, and the way is the
// Euclidean distance.
func TestEquilibrateSettles(t *testing.T) {
	ex := reference.Klarbring(0.6)
	s, err := New(ex.Psi, 1, ex.Start, Options{})
	if err != nil {
		t.Fatal(err)
	}
	way, err := s.Equilibrate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	z := append([]float64(nil), s.State()...)
	sum := 0.0
	for i, x := range z {
		sum += (x - ex.Start[i]) * (x - ex.Start[i])
	}
	if !(math.Abs(way-math.Sqrt(sum)) <= 1e-15) || way == 0 {
		t.Errorf("moved by %g, want %g", way, math.Sqrt(sum))
	}
	if err := s.Step(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for i, x := range s.State() {
		if !(math.Abs(x-z[i]) <= 1e-9) { // settled·force/stiffness, and a ratio below ½ from step to step
			t.Errorf("coordinate %d moved on by %g", i, x-z[i])
		}
	}
}
