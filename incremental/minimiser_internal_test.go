package incremental

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// grid is 1,200 particles in a wall of bonds, 3600 rows of D²E, that stands with 40 on a floor and
// is pushed along it, and up and down, by springs at its top; with a start.
func grid(t *testing.T) (*dissipation.Coulomb, []float64) {
	t.Helper()
	const n = 1200
	ref := make([]float64, 3*n)
	var bonds []particles.Bond
	var tethers []particles.Tether
	frames := make([]particles.Frame, n)
	for j := range n {
		x, y := j%40, j/40
		ref[3*j], ref[3*j+2] = float64(x), float64(y)
		frames[j] = particles.NoObstacle()
		if y == 0 {
			frames[j] = particles.Floor()
		}
		if x > 0 {
			bonds = append(bonds, particles.Bond{I: j, J: j - 1, Stiffness: particles.Isotropic(1)})
		}
		if y > 0 {
			bonds = append(bonds, particles.Bond{I: j, J: j - 40, Stiffness: particles.Isotropic(1)})
		}
		if y == 29 {
			along, err := signal.NewSine(float64(x), 2, 0.25, 0)
			if err != nil {
				t.Fatal(err)
			}
			push := signal.Vector{along, signal.Constant(0), signal.Constant(28)}
			tethers = append(tethers, particles.Tether{Particle: j, Anchor: push, Stiffness: particles.Isotropic(1)})
		}
	}
	b, err := particles.NewBonds(ref, bonds...)
	if err != nil {
		t.Fatal(err)
	}
	a, err := particles.NewTethers(tethers...)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(frames, b, a)
	if err != nil {
		t.Fatal(err)
	}
	matrices := make([]dissipation.Matrix, n)
	for j := range 40 {
		matrices[j] = dissipation.Isotropic{Mu: 0.3}
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		t.Fatal(err)
	}
	return psi, ref
}

// TestWays: the contacts alone, the whole problem and what a stepper chooses by itself have the
// same steps, with thresholds of both kinds; a run on the contacts alone that is resumed has the
// same bits.
func TestWays(t *testing.T) {
	psi, start := grid(t)
	for _, mode := range []ThresholdMode{Lagged, Implicit} {
		var want [][]float64
		for _, way := range []string{"whole", "contacts", "by itself"} {
			var plan *Plan
			if way != "by itself" {
				var err error
				if plan, err = NewPlan(t.Context(), psi, mode, 0); err != nil {
					t.Fatal(err)
				}
				plan.condense = way == "contacts"
			}
			s, err := New(psi, 0, start, Options{Threshold: mode, Plan: plan})
			if err != nil {
				t.Fatal(err)
			}
			slips := 0
			for k := 1; k <= 3; k++ {
				var c Checkpoint
				s.Save(&c)
				if err := s.Step(t.Context(), 0.4*float64(k)); err != nil {
					t.Fatalf("%s, step %d: %v", way, k, err)
				}
				if st := s.Stats(); st.FellBack || st.Inner < 0 || st.Factors < 0 || way == "whole" && st.Inner == 0 {
					t.Errorf("%s, step %d: %+v", way, k, st)
				}
				if mode == Implicit && way == "contacts" && s.Stats().Solves != 1 {
					t.Errorf("step %d: %d solves, want the one on the contacts", k, s.Stats().Solves)
				}
				if condensed := s.min.condensed != nil; condensed != (way == "contacts" || way == "by itself" && s.min.plan.condense) {
					t.Errorf("%s: condensed is %t", way, condensed)
				}
				slips += Count(s.States())[Slip]
				if way == "whole" {
					want = append(want, append([]float64(nil), s.State()...))
					continue
				}
				for i, z := range s.State() {
					// Both balance the forces, of some newtons, to 1e-12; the softest mode of the
					// wall has some 1e-3 N/m.
					if !(math.Abs(z-want[k-1][i]) <= 1e-8) {
						t.Fatalf("threshold %d, %s, step %d: coordinate %d is %.15g, want %.15g", mode, way, k, i, z, want[k-1][i])
					}
				}
				if k == 3 {
					again, err := New(psi, 0, start, Options{Threshold: mode, Plan: plan})
					if err != nil {
						t.Fatal(err)
					}
					if err := again.Load(&c); err != nil {
						t.Fatal(err)
					}
					if err := again.Step(t.Context(), 0.4*float64(k)); err != nil || !slices.Equal(again.State(), s.State()) {
						t.Errorf("threshold %d, %s: other bits after a checkpoint, %v", mode, way, err)
					}
				}
			}
			if slips == 0 {
				t.Errorf("%s: nothing slips", way)
			}
		}
	}
	// A checkpoint of a condensed problem is none of one that is not.
	small := apart(t, [][3]float64{{2, 2, 2}}, [][3]float64{{}, {}})
	if err := small.LoadCondensed(t.Context(), 0, make([]float64, 6), &contact.CondensedState{R: make([]float64, 6)}); err == nil {
		t.Error("a problem that is not condensed took the checkpoint of one that is")
	}
}

// varied is a form of one particle with D²E = 1 and slopes along x, that says that it varies.
func varied(slope float64, value func(x float64) float64) *form {
	f := diagonal(1, 1, 1)
	f.varies, f.slope[0] = true, slope
	f.value = func(x []float64) float64 { return value(x[0]) }
	return f
}

// bounded is a form that is infinite beyond x = 1.
type bounded struct{ *form }

func (b bounded) Outside(_ float64, x []float64) error {
	if x[0] > 1 {
		return errors.New("outside")
	}
	return nil
}

// TestOutside: a start of infinite energy is refused before a step, whatever was solved before.
func TestOutside(t *testing.T) {
	sys, err := particles.NewSystem(particles.Floors(1), bounded{diagonal(1, 1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := NewMinimiser(psi, 1e-10)
	z, grad := make([]float64, 3), make([]float64, 3)
	if err := m.Solve(t.Context(), 0, z, z, grad, 0); err != nil {
		t.Fatal(err)
	}
	failed, ok := errors.AsType[*StepError](m.Solve(t.Context(), 0, []float64{2, 0, 0}, z, grad, 0))
	if !ok || failed.Newton != 0 || z[0] != 0 {
		t.Errorf("%+v, at %v", failed, z)
	}
}

// TestGapWithoutMinimiser: where nothing holds along a direction without stiffness there is no
// minimiser, and the bound over the length stands; so does that of the model where an energy that
// varies has no minimiser that is found; a context that is done is an error.
func TestGapWithoutMinimiser(t *testing.T) {
	const length = 0.5
	at := func(f *form) (*Minimiser, []float64, []float64, Sizes) {
		m := formed(t, f).min
		grad := make([]float64, 3)
		copy(grad, f.slope)
		return m, make([]float64, 3), grad, Sizes{Force: 1, Energy: 1, Length: length, Forces: []float64{1}}
	}
	driven := diagonal(0, 1, 1)
	driven.slope[0] = -3
	m, z, grad, sizes := at(driven)
	m.SetThreshold(0, 1, 0, z)
	if g, err := m.Gap(t.Context(), 0, z, z, grad, sizes); err != nil || g.Radius != length ||
		math.Abs(g.Upper-2*length) > 1e-14 || g.Force != 2 {
		t.Errorf("%+v, %v", g, err)
	}
	m, z, grad, sizes = at(varied(-1, math.Abs))
	if g, err := m.Gap(t.Context(), 0, z, z, grad, sizes); err != nil || g.Radius != 0 || g.Lower != 0 || g.Upper != .5 {
		t.Errorf("an energy that rises both ways: %+v, %v", g, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	done := diagonal(0, 1, 1)
	zero := done.hessian(nil)
	done.varies, done.slope[0] = true, -3
	done.hessian = func([]float64) []float64 {
		if asked++; asked > 1 {
			cancel() // when the minimiser is looked for
		}
		return zero
	}
	m, z, grad, sizes = at(done)
	asked = 0
	if g, err := m.Gap(ctx, 0, z, z, grad, sizes); err == nil || g.Radius != length || ctx.Err() == nil {
		t.Errorf("done: %+v, %v", g, err)
	}
}

// TestLoadStart: the start of a solve has all coordinates or none, and at most the forces of all
// contacts.
func TestLoadStart(t *testing.T) {
	m := formed(t, diagonal(1, 1, 1, 1, 1, 1)).min
	z := make([]float64, 6)
	for _, c := range []struct {
		v, r int
		ok   bool
	}{{0, 0, true}, {6, 6, true}, {6, 3, true}, {0, 6, true}, {5, 6, false}, {7, 0, false}, {6, 7, false}, {0, 9, false}, {3, 9, false}} {
		if err := m.LoadStart(0, z, &WarmStart{V: make([]float64, c.v), R: make([]float64, c.r)}); (err == nil) != c.ok {
			t.Errorf("%d coordinates and %d forces: %v", c.v, c.r, err)
		}
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

// TestLimitsOfOptions: what is allowed ends where it says so.
func TestLimitsOfOptions(t *testing.T) {
	for _, c := range []struct {
		o  Options
		ok bool
	}{
		{Options{}, true}, {Options{Tolerance: 1e-15}, true}, {Options{Tolerance: 1e-2}, true},
		{Options{Tolerance: 1.1e-2}, false}, {Options{Tolerance: 9e-16}, false},
		{Options{Tolerance: -1e-3}, false}, {Options{Consistency: 1e-13}, true}, {Options{Consistency: 1e-2}, true},
		{Options{Consistency: 9e-14}, false},
		{Options{Consistency: 1.1e-2}, false}, {Options{MaxFixedPoint: -1}, false}, {Options{Threshold: 2}, false},
		{Options{Threshold: -1}, false},
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
		// settled·force/stiffness, and a ratio below ½ from step to step
		if !(math.Abs(x-z[i]) <= 1e-9) {
			t.Errorf("coordinate %d moved on by %g", i, x-z[i])
		}
	}
}

// apart is n particles above floors, each in an island of its own: held by a spring with the
// stiffnesses of the list, in turn, at the places at; friction of 0.4, the last one without.
func apart(t *testing.T, stiff [][3]float64, at [][3]float64) *Minimiser {
	t.Helper()
	var items []particles.Tether
	matrices := make([]dissipation.Matrix, len(at))
	for j, p := range at {
		k := stiff[j%len(stiff)]
		items = append(items, particles.Tether{Particle: j, Anchor: particles.At(p[0], p[1], p[2]),
			Stiffness: particles.Diagonal(k[0], k[1], k[2])})
		if j < len(at)-1 {
			matrices[j] = dissipation.Isotropic{Mu: 0.4}
		}
	}
	tethers, err := particles.NewTethers(items...)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(len(at)), tethers)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		t.Fatal(err)
	}
	return NewMinimiser(psi, 1e-12)
}
