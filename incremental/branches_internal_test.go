package incremental

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
)

// beyond is a stepper of a form with a plane as chart a hundred metres off: its one particle counts as one with bent obstacles.
func beyond(t *testing.T, f *form) *Stepper {
	t.Helper()
	sys, err := particles.NewSystem(particles.Floors(1), f)
	if err != nil {
		t.Fatal(err)
	}
	h, err := particles.NewHalfSpace([3]float64{-100, 0, 0}, [3]float64{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	plane, err := particles.NewPlane(h.Frame())
	if err != nil {
		t.Fatal(err)
	}
	chart, err := particles.NewChart(plane, particles.Motion{})
	if err != nil {
		t.Fatal(err)
	}
	if sys, err = sys.WithExtras([]particles.Extra{{Frame: particles.Charted(chart, [3]float64{})}}, 1); err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, make([]dissipation.Matrix, 2))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(psi, 0, make([]float64, 3), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// varied is a form of one particle with D²E = 1 and slopes along x, that says that it varies.
func varied(slope float64, value func(x float64) float64) *form {
	f := diagonal(1, 1, 1)
	f.varies, f.slope[0] = true, slope
	f.value = func(x []float64) float64 { return value(x[0]) }
	return f
}

// TestLevels: a descent counts as level what rises by less than 1e-14 of E, of Ψ and of .0222 of the forces times places: with no slope a
// step of a rise below that is made, one of more is halved; a slope of less is none.
func TestLevels(t *testing.T) {
	const place = 4.0
	for _, bent := range []bool{false, true} {
		for _, c := range []struct {
			name         string
			e0, slope    float64
			part         float64 // of the level
			full, halved bool
		}{
			{"energies", 4, 0, 0.9, true, false}, {"energies", 4, 0, 1.1, false, true}, {"negative energies", -4, 0, 0.9, true, false}, {"negative energies", -4, 0, 1.1, false, true},
			{"forces times places", 0, 1e-12, 0.9, true, false}, {"forces times places", 0, 1e-12, 1.1, false, true},
		} {
			size := math.Abs(c.e0) + rounding*math.Abs(c.slope)*place
			const step = 1e-6 // the slope over it is below the level of places
			f := varied(0, func(x float64) float64 {
				if math.Abs(x-place-step) < step/4 {
					return c.e0 + c.part*1e-14*size
				}
				return c.e0
			})
			s := formed(t, f)
			if bent {
				s = beyond(t, f)
			}
			m := s.min
			m.base[0], m.next[0], m.newton, m.residual = place, step, 1, 1
			m.grad[1] = c.slope // a force across: its work is none, its place counts
			m.base[1] = place
			if ok := m.descend(0); !ok || (m.v[0] == step) != c.full || (m.v[0] == step/2) != c.halved {
				t.Errorf("%s, %g of the level, bent %t: %t, to %g", c.name, c.part, bent, ok, m.v[0])
			}
		}
	}
	for _, c := range []struct {
		part float64
		want bool
	}{{0.9, true}, {1.1, false}} { // a rise of the slope itself
		m := formed(t, varied(1, func(float64) float64 { return 0 })).min
		m.base[0], m.grad[0], m.next[0] = place, 1, c.part*1e-14*rounding*place
		if got := m.descend(0); got != c.want {
			t.Errorf("a slope of %g of the level is a descent: %t", c.part, got)
		}
	}
	// A step halved keeps a ten-thousandth of half of its slope, −2.
	for _, c := range []struct{ half, want float64 }{{-1.1e-4, 0.5}, {-0.9e-4, 0.25}} {
		m := formed(t, varied(-2, func(x float64) float64 {
			return map[float64]float64{0: 0, 1: 1, 0.5: c.half, 0.25: -1}[x]
		})).min
		m.grad[0], m.next[0] = -2, 1
		if ok := m.descend(0); !ok || m.v[0] != c.want {
			t.Errorf("a half step to %g: %t, to %g, want %g", c.half, ok, m.v[0], c.want)
		}
	}
}

// TestDescentByBalance: a step on which E rises is made where it halves what is unbalanced: the whole step alone, from the second round on, and
// where obstacles are flat only near to a solution.
func TestDescentByBalance(t *testing.T) {
	for _, c := range []struct {
		bent     bool
		newton   int
		residual float64 // before; after it is .4 of 1
		want     float64
	}{
		{false, 2, 1e-7, 1}, {false, 1, 1e-7, 0.5}, {false, 2, 1, 0.5}, {false, 2, 0.7e-8, 0.5},
		{true, 2, 1, 1}, {true, 1, 1, 0.5}, {true, 2, 0.7, 0.5},
	} {
		f := varied(0.4, func(x float64) float64 { return map[float64]float64{1: 1}[x] - x/1e3 })
		s := formed(t, f)
		if c.bent {
			s = beyond(t, f)
		}
		m := s.min
		m.newton, m.residual, m.next[0], m.grad[0] = c.newton, c.residual, 1, -1e-3
		m.floors[0] = 1
		if !c.bent {
			m.floors[0] = 1e8
		}
		if ok := m.descend(0); !ok || m.v[0] != c.want {
			t.Errorf("%+v: %t, to %g", c, ok, m.v[0])
		}
	}
}

// TestNoDescent: an energy that rises whichever way its slopes point is shifted as often as may be, and then refused.
func TestNoDescent(t *testing.T) {
	f := varied(-1, func(x float64) float64 { return math.Abs(x) })
	m := formed(t, f).min
	err := m.Solve(t.Context(), 0, make([]float64, 3), make([]float64, 3), make([]float64, 3), 0)
	if err == nil || m.shifts != shiftLimit {
		t.Errorf("%v after %d shifts", err, m.shifts)
	}
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

// TestGapWithoutMinimiser: where nothing holds along a direction without stiffness there is no minimiser, and the bound over the length stands; so does that of the model
// where an energy that varies has no minimiser that is found; a context that is done is an error.
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
	if g, err := m.Gap(t.Context(), 0, z, z, grad, sizes); err != nil || g.Radius != length || math.Abs(g.Upper-2*length) > 1e-14 || g.Force != 2 {
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

// TestLoadStart: the start of a solve has all coordinates or none, and at most the forces of all contacts.
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

// TestDefaults: a stepper without a functional is refused; fixed points have a hundred rounds.
func TestDefaults(t *testing.T) {
	for _, psi := range []*dissipation.Coulomb{nil, {}} {
		if _, err := New(psi, 0, nil, Options{}); err == nil {
			t.Errorf("%v: accepted", psi)
		}
	}
	if s := formed(t, diagonal(1, 1, 1)); s.opt.MaxFixedPoint != 100 || s.opt.Tolerance != 1e-10 || s.opt.Consistency != 1e-13 {
		t.Errorf("%+v", s.opt)
	}
}

// TestNothingRubsWithoutThreshold: however far a contact without a threshold slides, it dissipates nothing.
func TestNothingRubsWithoutThreshold(t *testing.T) {
	m := formed(t, diagonal(1, 1, 1, 1, 1, 1)).min
	m.SetThreshold(1, 2, 0, make([]float64, 6))
	if got := m.Dissipation([]float64{math.Inf(1), 0, 0, 3, 4, 0}); got != 10 {
		t.Errorf("dissipates %g", got)
	}
}

// TestUnplanned: it is planned whether to condense from 3,000 rows on, if D²E is constant, no particle has several obstacles, and there is no plan
// yet; until then and where it is condensed it is solved as a whole, else by islands.
func TestUnplanned(t *testing.T) {
	m := formed(t, diagonal(1, 1, 1, 1, 1, 1)).min
	rows := m.problem.H.Rows
	for _, c := range []struct {
		rows   int
		varies bool
		plan   *Plan
		want   bool
		split  bool
	}{
		{condensedRows, false, nil, true, false}, {condensedRows + 1, false, nil, true, false}, {condensedRows - 1, false, nil, false, true}, {6, false, nil, false, true},
		{condensedRows, true, nil, false, true}, {condensedRows, false, &Plan{condense: true}, false, false}, {condensedRows, false, &Plan{}, false, true}, {6, false, &Plan{condense: true}, false, false},
	} {
		if c.varies {
			f := diagonal(1, 1, 1, 1, 1, 1)
			f.varies = true
			m = formed(t, f).min
		}
		m.plan, m.problem.H.Rows = c.plan, c.rows
		if got := m.unplanned(); got != c.want {
			t.Errorf("%+v: unplanned is %t", c, got)
		}
		m.problem.H.Rows = rows
		if c.want {
			continue
		}
		if got := m.split(); got != c.split {
			t.Errorf("%+v: in islands is %t", c, got)
		}
		m = formed(t, diagonal(1, 1, 1, 1, 1, 1)).min
	}
	m.problem.H.Rows = condensedRows
	if m.split() || m.parts != nil {
		t.Error("a problem that is not planned is divided")
	}
	m = walled(t, 1, 0, [3]float64{})
	if m.problem.H.Rows = condensedRows; m.unplanned() {
		t.Error("a corner is planned")
	}
	if m = formed(t, diagonal(1, 1, 1)).min; m.split() {
		t.Error("one island is divided")
	}
}

// TestJacobianAtStart: before a time is known obstacles that turn have the axes of the time 0.
func TestJacobianAtStart(t *testing.T) {
	s := beyond(t, diagonal(1, 1, 1))
	angle, err := particles.Sine(0, 0.5, 0.25, 0)
	if err != nil {
		t.Fatal(err)
	}
	h, err := particles.NewHalfSpace([3]float64{}, [3]float64{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	plane, err := particles.NewPlane(h.Frame())
	if err != nil {
		t.Fatal(err)
	}
	chart, err := particles.NewChart(plane, particles.Motion{Axis: [3]float64{0, 0, 1}, Angle: angle})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := s.psi.System.WithExtras([]particles.Extra{{Frame: particles.Charted(chart, [3]float64{})}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := sys.Contacts() - 1
	n, a, b := sys.ContactAxes(0, c, make([]float64, 3))
	if other, _, _ := sys.ContactAxes(1, c, make([]float64, 3)); other == n {
		t.Fatal("it does not turn")
	}
	j := jacobian(sys)
	for i := range 3 {
		if got := [3]float64(j.Val[3*(j.Ptr[c]+i):]); got != [3]float64{n[i], a[i], b[i]} {
			t.Errorf("row %d: %v, want %v", i, got, [3]float64{n[i], a[i], b[i]})
		}
	}
}

// TestImplicitWithoutForces: thresholds are consistent where there are no forces at all.
func TestImplicitWithoutForces(t *testing.T) {
	s := formed(t, diagonal(1, 1, 1))
	s.opt.Threshold = Implicit
	if err := s.Step(t.Context(), 1); err != nil || s.stats.FellBack || s.stats.Solves != 1 {
		t.Errorf("%v, %+v", err, s.stats)
	}
}
