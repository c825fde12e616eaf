package incremental

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

// walled is one particle on a floor between the walls x >= −wide and y >= −wide, held by a spring of the stiffness k to the place at;
// friction of 0.4 on all.
func walled(t *testing.T, k, wide float64, at [3]float64) *Minimiser {
	t.Helper()
	tether, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(at[0], at[1], at[2]), Stiffness: particles.Diagonal(k, k, k)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(1), tether)
	if err != nil {
		t.Fatal(err)
	}
	var extras []particles.Extra
	for d := range 2 {
		n, p := [3]float64{}, [3]float64{}
		n[d], p[d] = 1, -wide
		h, err := particles.NewHalfSpace(p, n)
		if err != nil {
			t.Fatal(err)
		}
		extras = append(extras, particles.Extra{Particle: 0, Frame: h.Frame()})
	}
	if sys, err = sys.WithExtras(extras, 1); err != nil {
		t.Fatal(err)
	}
	iso := dissipation.Isotropic{Mu: 0.4}
	psi, err := dissipation.New(sys, []dissipation.Matrix{iso, iso, iso})
	if err != nil {
		t.Fatal(err)
	}
	return NewMinimiser(psi, 1e-12)
}

// TestSnapCorner: what a corner keeps of a motion (1, 2, 3)·s: nothing across a contact that is closed, by its force, by its height or
// because the force of its height is below zeroMotion of the others; nothing along one whose friction is inside its limit,
// or whose motion is that small. The contact with the floor leaves height 0 to the bit.
func TestSnapCorner(t *testing.T) {
	const force, stiff = 2.0, 5.0
	small := zeroMotion * force / stiff
	for _, c := range []struct {
		name       string
		w          [3]float64    // heights at the base: floor, wall x, wall y
		r          [3][3]float64 // reactions (n, t, o)
		v, want    [3]float64
		frictional bool
	}{
		{"open", [3]float64{1, 1, 1}, [3][3]float64{}, [3]float64{1, 2, 3}, [3]float64{1, 2, 3}, true},
		{"on the floor by its force", [3]float64{0, 1, 1}, [3][3]float64{{1, 1, 0}}, [3]float64{1, 2, 3}, [3]float64{1, 2, 0}, true},
		{"at the wall by its force", [3]float64{1, 0, 1}, [3][3]float64{1: {1, 1, 0}}, [3]float64{1, 2, 3}, [3]float64{0, 2, 3}, true},
		{"at the other wall", [3]float64{1, 1, 0}, [3][3]float64{2: {1, 0, 1}}, [3]float64{1, 2, 3}, [3]float64{1, 0, 3}, true},
		{"held by friction on the floor", [3]float64{0, 1, 1}, [3][3]float64{{1, 0.5, 0.5}}, [3]float64{1, 2, 3}, [3]float64{}, true},
		{"held by friction at the wall", [3]float64{1, 0, 1}, [3][3]float64{1: {1, 0.5, 0.5}}, [3]float64{1, 2, 3}, [3]float64{}, true},
		{"no friction", [3]float64{0, 1, 1}, [3][3]float64{{1, 0, 0}}, [3]float64{1, 2, 3}, [3]float64{1, 2, 0}, false},
		{"comes down", [3]float64{4, 1, 1}, [3][3]float64{{1, 1, 0}}, [3]float64{1, 2, 3}, [3]float64{1, 2, -4}, true},
		{"below the floor", [3]float64{4, 1, 1}, [3][3]float64{{0, 1, 0}}, [3]float64{1, 2, -5}, [3]float64{1, 2, -4}, true},
		{"behind the wall", [3]float64{9, 4, 1}, [3][3]float64{1: {0, 1, 0}}, [3]float64{-5, 2, 3}, [3]float64{-4, 2, 3}, true},
		{"a height that is rounding", [3]float64{0, 1, 1}, [3][3]float64{{0, 1, 0}}, [3]float64{1, 2, 0.5 * small}, [3]float64{1, 2, 0}, true},
		{"a height that is not", [3]float64{0, 1, 1}, [3][3]float64{{0, 1, 0}}, [3]float64{1, 2, 1.5 * small}, [3]float64{1, 2, 1.5 * small}, true},
		{"a motion along x that is rounding", [3]float64{0, 1, 1}, [3][3]float64{{1, 1, 0}}, [3]float64{0.9 * small, 0, 1}, [3]float64{}, true},
		{"along y", [3]float64{0, 1, 1}, [3][3]float64{{1, 1, 0}}, [3]float64{0, 0.9 * small, 1}, [3]float64{}, true},
		{"a motion that is not", [3]float64{0, 1, 1}, [3][3]float64{{1, 1, 0}}, [3]float64{1.1 * small, 0, 1}, [3]float64{1.1 * small, 0, 0}, true},
		{"motions of kilometres", [3]float64{1, 1, 1}, [3][3]float64{}, [3]float64{0.9e-25, 1.1e-25, 1e5}, [3]float64{0, 1.1e-25, 1e5}, true},
		{"a motion of nearly one component", [3]float64{0, 1, 1}, [3][3]float64{{1, 1, 0}}, [3]float64{1, 0.9e-30, 1}, [3]float64{1, 0, 0}, true},
		{"of nearly the other", [3]float64{0, 1, 1}, [3][3]float64{{1, 1, 0}}, [3]float64{0.9e-30, 1, 1}, [3]float64{0, 1, 0}, true},
		{"of both", [3]float64{0, 1, 1}, [3][3]float64{{1, 1, 0}}, [3]float64{1.1e-30, 1, 1}, [3]float64{1.1e-30, 1, 0}, true},
		{"of three", [3]float64{1, 1, 1}, [3][3]float64{}, [3]float64{0.9e-30, 1e-5, 1}, [3]float64{0, 1e-5, 1}, true},
	} {
		m := walled(t, stiff, 0, [3]float64{})
		m.problem.M = m.sys.Hessian(0, make([]float64, 3))
		m.problem.F[0] = force
		for i := range 3 {
			m.problem.W[3*i] = c.w[i]
			copy(m.res.R[3*i:], c.r[i][:])
			m.tresca[i] = contact.Tresca{}
			if c.frictional {
				m.SetThreshold(i, 2.5, 0, make([]float64, 3)) // 1 N
			}
		}
		copy(m.next, c.v[:])
		m.snap()
		for i, want := range c.want {
			if math.Abs(m.next[i]-want) > 1e-15*math.Abs(want) {
				t.Errorf("%s: %v, want %v", c.name, m.next, c.want)
				break
			}
		}
	}
}

// TestSnapCornerMoves: on obstacles that move, what holds is carried by them, −W along them, and what slides by rounding is too; on what has no
// stiffness it may slide. The height over the floor is left to the bit, whatever else holds.
func TestSnapCornerMoves(t *testing.T) {
	const force, stiff = 2.0, 5.0
	small := zeroMotion * force / stiff
	for _, c := range []struct {
		name  string
		stiff float64
		bent  bool
		r     [3]float64
		v     [3]float64
		want  [3]float64
	}{
		{"held", stiff, true, [3]float64{1, 0.5, 0.5}, [3]float64{1, 2, 3}, [3]float64{-0.25, 0.75, -0.5}},
		{"slides", stiff, true, [3]float64{1, 1, 0}, [3]float64{1, 2, 3}, [3]float64{1, 2, -0.5}},
		{"slides by rounding", stiff, true, [3]float64{1, 1, 0}, [3]float64{-0.25 + 0.5*small, 0.75, 3}, [3]float64{-0.25, 0.75, -0.5}},
		{"across", stiff, true, [3]float64{1, 1, 0}, [3]float64{-0.25, 0.75 + 0.5*small, 3}, [3]float64{-0.25, 0.75, -0.5}},
		{"slides along x alone", stiff, true, [3]float64{1, 1, 0}, [3]float64{0.25, 0.75, 3}, [3]float64{0.25, 0.75, -0.5}},
		{"slides along y alone", stiff, true, [3]float64{1, 1, 0}, [3]float64{-0.25, -0.75, 3}, [3]float64{-0.25, -0.75, -0.5}},
		{"no stiffness, moving", 0, true, [3]float64{1, 1, 0}, [3]float64{1, 2, 3}, [3]float64{1, 2, -0.5}},
		{"no stiffness, at rest", 0, false, [3]float64{1, 1, 0}, [3]float64{1, 2, 3}, [3]float64{-0.25, 0.75, -0.5}},
		{"softer than 1 N/m", 0.5, true, [3]float64{1, 1, 0}, [3]float64{-0.25 + 5*small, 0.75, 3}, [3]float64{-0.25, 0.75, -0.5}},
		{"no stiffness, no force", 0, false, [3]float64{0, 1, 0}, [3]float64{1, 2, 3}, [3]float64{1, 2, 3}},
	} {
		m := walled(t, c.stiff, 0, [3]float64{})
		m.problem.M = m.sys.Hessian(0, make([]float64, 3))
		m.problem.F[0] = force
		m.corners[0].bent = c.bent
		copy(m.problem.W, []float64{0.5, 0.25, -0.75, 9, 0, 0, 9, 0, 0})
		copy(m.res.R, c.r[:])
		m.SetThreshold(0, 2.5, 0, make([]float64, 3)) // 1 N
		copy(m.next, c.v[:])
		m.snap()
		for i, want := range c.want {
			if math.Abs(m.next[i]-want) > 0x1p-52*math.Abs(want) {
				t.Errorf("%s: %v, want %v", c.name, m.next, c.want)
				break
			}
		}
	}
	// Against a wall that leans over the floor the projection rounds.
	r := rand.New(rand.NewPCG(1, 9))
	for range 100 {
		m := walled(t, stiff, 0, [3]float64{})
		m.problem.M = m.sys.Hessian(0, make([]float64, 3))
		lean := r.Float64()
		copy(m.problem.H.Val[9:18], []float64{math.Cos(lean), 0, -math.Sin(lean), 0, 1, 0, math.Sin(lean), 0, math.Cos(lean)})
		copy(m.problem.W, []float64{r.Float64(), 0, 0, r.NormFloat64(), 0, 0, 9, 0, 0})
		m.res.R[0], m.res.R[3] = 1, 1
		for i := range m.next {
			m.next[i] = r.NormFloat64()
		}
		if m.snap(); m.next[2] != -m.problem.W[0] {
			t.Fatalf("a wall that leans by %g: %g m over the floor", lean, m.next[2]+m.problem.W[0])
		}
	}
}

// TestSnapSoft: a height that a spring of less than 1 N/m brings back is rounding up to zeroMotion of the forces over its stiffness.
func TestSnapSoft(t *testing.T) {
	for _, size := range []float64{0.9, 1.1} {
		m := walled(t, 0.5, 0, [3]float64{})
		m.problem.M = m.sys.Hessian(0, make([]float64, 3))
		m.problem.F[0] = 2
		copy(m.problem.W, []float64{0, 0, 0, 9, 0, 0, 9, 0, 0})
		height := size * zeroMotion * 2 / 0.5
		copy(m.next, []float64{1, 2, height})
		if m.snap(); (m.next[2] == 0) != (size < 1) || m.next[2] != 0 && m.next[2] != height {
			t.Errorf("%g of what is rounding: a height of %g became %g", size, height, m.next[2])
		}
	}
}

// TestOpenWallWithoutStiffness: frozen thresholds of a wall that is open rub where something has stiffness alone.
func TestOpenWallWithoutStiffness(t *testing.T) {
	m := walled(t, 0, 1, [3]float64{})
	z := make([]float64, 3)
	m.problem.M = m.sys.Hessian(0, z)
	m.heights(0, z)
	m.SetThreshold(1, 2.5, 0, z)
	e := make([]float64, 3)
	m.naturalCorner(e, &m.corners[0], 0, z, []float64{0, 0.5, 0}, []float64{0, 0, 3})
	if [3]float64(e) != [3]float64{} {
		t.Errorf("the floor leaves %v of 3 N", e)
	}
}

// TestSnapFree: a threshold of 0 holds nothing, in a corner or on a floor, and a height that no stiffness brings back stays.
func TestSnapFree(t *testing.T) {
	m := walled(t, 5, 0, [3]float64{})
	m.problem.M = m.sys.Hessian(0, make([]float64, 3))
	m.SetThreshold(0, 0, 0, make([]float64, 3))
	m.res.R[0] = 1
	copy(m.next, []float64{1, 2, 3})
	if m.snap(); m.next[0] != 1 || m.next[1] != 2 || m.next[2] != 0 {
		t.Errorf("in a corner: %v", m.next)
	}
	m = apart(t, [][3]float64{{1, 1, 0}}, make([][3]float64, 2))
	m.problem.M = m.sys.Hessian(0, make([]float64, 6))
	m.SetThreshold(0, 0, 0, make([]float64, 6))
	m.res.R[3] = 1
	copy(m.next, []float64{1, 2, 3, 4, 5, 6})
	if m.snap(); [6]float64(m.next) != [6]float64{1, 2, 3, 4, 5, 0} {
		t.Errorf("on a floor: %v", m.next)
	}
}

// TestExactLaws: constant isotropic friction is Coulomb's law, none is none; other kinds have none, nor those that change in time.
func TestExactLaws(t *testing.T) {
	m := apart(t, [][3]float64{{1, 1, 1}}, make([][3]float64, 4))
	for j := range 3 {
		m.psi.Matrices[j] = dissipation.Isotropic{Mu: 0.1 * float64(j+1)}
	}
	for range 2 {
		if !m.coulombLaws() {
			t.Fatal("no laws")
		}
	}
	for c, law := range m.coulomb {
		want := contact.Law(contact.Frictionless{})
		if c < 3 {
			want = contact.Coulomb{Mu: 0.1 * float64(c+1)}
		}
		if law != want {
			t.Errorf("contact %d: %#v, want %#v", c, law, want)
		}
	}
	across, err := dissipation.NewOrthotropic([2]float64{0.1, 0.4}, [2]float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	m.coulomb, m.psi.Matrices[1] = nil, across
	if m.coulombLaws() {
		t.Error("an ellipse is Coulomb's law")
	}
}

// TestTakeCoulomb: what the exact law finds on the contacts is taken if it balances the forces within the part that is asked for, and
// left if not; then nothing is stored.
func TestTakeCoulomb(t *testing.T) {
	psi, start := grid(t)
	plan, err := NewPlan(t.Context(), psi, Implicit, 0)
	if err != nil {
		t.Fatal(err)
	}
	plan.condense = true
	m := NewMinimiser(psi, 1e-10)
	m.UsePlan(plan)
	for i := range m.floors {
		m.floors[i] = 1
	}
	force, z, grad := make([]float64, len(m.particle)), make([]float64, len(start)), make([]float64, len(start))
	for _, part := range []float64{1e-9, 1e-18} {
		if !m.solveCoulomb(t.Context(), force, 0.4, start) {
			t.Fatal("not solved")
		}
		clear(z)
		took := m.takeCoulomb(0.4, z, grad, part)
		if took != (m.residual <= part) || took != (part == 1e-9) || took == (z[0] == 0 && z[3] == 0) {
			t.Errorf("part %g, residual %g: took %t", part, m.residual, took)
		}
		for c := range force {
			if force[c] != max(m.res.R[3*c], 0) {
				t.Fatalf("contact %d: threshold of %g N, force %g", c, force[c], m.res.R[3*c])
			}
		}
	}
}

// TestStillWithoutFrom: obstacles that move stand for a minimiser that was not told since when.
func TestStillWithoutFrom(t *testing.T) {
	ex := reference.Bent(func(int) dissipation.Matrix { return dissipation.Isotropic{Mu: 0.3} })
	m := NewMinimiser(ex.Psi, 1e-10)
	m.Linearise(0.3, ex.Start, ex.Start)
	for c := range m.slot {
		if m.problem.W[3*c+1] != 0 || m.problem.W[3*c+2] != 0 {
			t.Errorf("contact %d is carried by (%g, %g)", c, m.problem.W[3*c+1], m.problem.W[3*c+2])
		}
	}
	m.From(0.1)
	m.Linearise(0.3, ex.Start, ex.Start)
	for c, slot := range m.slot {
		w := ex.Psi.System.Carried(slot, 0.1, ex.Start, 0.3)
		_, a, b := m.axes(c)
		for i, axis := range [][3]float64{a, b} {
			want := -(axis[0]*w[0] + axis[1]*w[1] + axis[2]*w[2])
			if got := m.problem.W[3*c+1+i]; math.Abs(got-want) > 1e-16 || ex.Psi.System.Moving(slot) && i == 0 && got == 0 {
				t.Errorf("contact %d, axis %d: carried by %g, want %g", c, i, got, want)
			}
		}
	}
	// The heights of the model are those at the state, less the way there.
	beside := slices.Clone(ex.Start)
	for i := range beside {
		beside[i] += 1e-3 * float64(i%5-2)
	}
	m.Linearise(0.3, ex.Start, beside)
	for c, slot := range m.slot {
		if !ex.Psi.System.BentContact(slot) {
			continue
		}
		n, _, _ := m.axes(c)
		want := ex.Psi.System.Height(0.3, slot, beside)
		for i, x := range n {
			want -= x * (beside[3*m.particle[c]+i] - ex.Start[3*m.particle[c]+i])
		}
		if got := m.problem.W[3*c]; math.Abs(got-want) > 1e-15 {
			t.Errorf("contact %d: height %g of the model, want %g", c, got, want)
		}
	}
	if m.Linearise(0.1, ex.Start, ex.Start); m.problem.W[1] != 0 {
		t.Errorf("carried by %g in no time", m.problem.W[1])
	}
	for s := range ContactState(4) {
		if got, err := ParseContactState(s.String()); err != nil || got != s {
			t.Errorf("%v is read as %v, %v", s, got, err)
		}
	}
	if _, err := ParseContactState("x"); err == nil {
		t.Error("x is a state")
	}
}

// TestCornerHeights: heights are those at the base; over an obstacle beside the first one a quarter of what counts as contact
// is none.
func TestCornerHeights(t *testing.T) {
	m := walled(t, 1, 1, [3]float64{})
	touching := m.sys.Touching(1, []float64{-1, 2, 0.5})
	for _, c := range []struct{ x, want float64 }{{0, 1}, {-1, 0}, {-1 + 0.24*touching, 0}, {-1 - 0.24*touching, 0}, {-1 + 0.3*touching, 0.3 * touching}, {-1 - 0.3*touching, -0.3 * touching}, {3, 4}} {
		m.heights(0, []float64{c.x, 2, 0.5})
		if got := m.problem.W[3]; math.Abs(got-c.want) > 2*0x1p-52 || (got == 0) != (c.want == 0) {
			t.Errorf("x = %g: height %g, want %g", c.x, got, c.want)
		}
		if m.problem.W[0] != 0.5 || m.problem.W[6] != 3 {
			t.Errorf("x = %g: the others are at %v", c.x, m.problem.W)
		}
	}
}

// TestHolds: friction inside its limit by 5e-10 of it holds, and one at the limit or beyond does not; an ellipse whose short axis is a
// billionth of the long one never does, whichever axes they are, and one of two billionths may.
func TestHolds(t *testing.T) {
	m := apart(t, [][3]float64{{1, 1, 1}}, make([][3]float64, 2))
	z := make([]float64, 6)
	for _, c := range []struct {
		tx, ty float64
		want   bool
	}{{0, 0, true}, {1, 0, false}, {0, 1, false}, {0.6, 0.8, false}, {1 - 4e-10, 0, false}, {1 - 6e-10, 0, true}, {0, -(1 - 4e-10), false}, {0, -(1 - 6e-10), true}, {0.6, 0.7, true}, {2, 0, false}, {-0.6, -0.7, true}, {-(1 - 6e-10), 0, true}, {-1, 0, false}} {
		m.SetThreshold(0, 2.5, 0, z)
		copy(m.res.R, []float64{1, c.tx, c.ty})
		if got := m.holds(0); got != c.want {
			t.Errorf("(%g, %g) N of 1 N: %t", c.tx, c.ty, got)
		}
	}
	// |det S| against a billionth of the square of the largest entry, whichever that is.
	for _, c := range []struct {
		s    [4]float64
		want bool
	}{
		{[4]float64{1, 0, 0, 1}, true}, {[4]float64{1, 0, 0, 1.01e-9}, true}, {[4]float64{1.01e-9, 0, 0, 1}, true}, {[4]float64{1, 0, 0, 0.99e-9}, false}, {[4]float64{0.99e-9, 0, 0, 1}, false},
		{[4]float64{0, 1, 1.01e-9, 0}, true}, {[4]float64{0, 1, 0.99e-9, 0}, false}, {[4]float64{0, 1.01e-9, 1, 0}, true}, {[4]float64{0, 0.99e-9, 1, 0}, false},
		{[4]float64{8, 0, 0, 8.08e-9}, true}, {[4]float64{8, 0, 0, 7.92e-9}, false}, {[4]float64{0.125, 0, 0, 1.26e-10}, true}, {[4]float64{0.125, 0, 0, 1.24e-10}, false},
		{[4]float64{-1, 0, 0, 0.99e-9}, false}, {[4]float64{1, 1, 1, 1}, false}, {[4]float64{1, 1, -1, 1}, true}, {[4]float64{1, 2, 3, 6}, false}, {[4]float64{1, 2, 3, 6 + 4e-8}, true},
	} {
		m.tresca[0] = contact.Tresca{Threshold: 1, Shape: contact.NewShape(c.s)}
		copy(m.res.R, []float64{1, 0, 0})
		if got := m.holds(0); got != c.want {
			t.Errorf("shape %v: holds is %t", c.s, got)
		}
	}
}

// TestGrow: the first shift is a thousandth of the largest own stiffness, without the shifts before, each further one ten times the last; after
// eleven there is none.
func TestGrow(t *testing.T) {
	m := apart(t, [][3]float64{{2, 3, 7}, {11, 13, 17}}, make([][3]float64, 2))
	h := m.sys.Hessian(0, make([]float64, 6))
	h.Val[h.Ptr[1]] = -50
	m.shifted = copyPattern(h)
	copy(m.shifted.Val, h.Val)
	want := 0.05
	for round := 1; round < shiftLimit; round++ {
		if !m.grow() {
			t.Fatalf("no shift %d", round)
		}
		if math.Abs(m.shift-want) > 1e-14*want || m.shifts != round {
			t.Errorf("round %d: shift %g, want %g; %d rounds", round, m.shift, want, m.shifts)
		}
		for c := range h.N {
			if got, k := m.shifted.Val[m.shifted.Ptr[c]], h.Val[h.Ptr[c]]; math.Abs(got-k-m.shift) > 1e-14*(math.Abs(k)+m.shift) {
				t.Errorf("round %d: entry %d is %g, want %g", round, c, got, k+m.shift)
			}
		}
		want *= 10
	}
	if before := m.shift; m.grow() || m.shift != before {
		t.Errorf("a shift %d", shiftLimit)
	}
	m.beginModel(0)
	if m.shift != 0 || m.shifts != 0 {
		t.Errorf("a new model begins with shift %g, %d", m.shift, m.shifts)
	}
}

// TestShiftable: a stiffer model may be solved where D²E is indefinite, or has a coordinate whose own stiffness, less the shift, is
// below 1e-12 of the largest; not where the solver was stopped or failed for another reason.
func TestShiftable(t *testing.T) {
	m := apart(t, [][3]float64{{2, 4, 3}}, make([][3]float64, 1))
	h := m.sys.Hessian(0, make([]float64, 3))
	failed, stopped := &contact.Error{Status: contact.NoProgress, Worst: -1}, &contact.Error{Status: contact.Canceled, Worst: -1}
	for _, c := range []struct {
		stiff [3]float64
		shift float64
		err   error
		want  bool
	}{
		{[3]float64{2, -4, 3}, 0, &contact.IndefiniteError{Row: 1}, true},
		{[3]float64{2, -4, 3}, 0, fmt.Errorf("wrapped: %w", &contact.IndefiniteError{Row: 1}), true},
		{[3]float64{2, -4, 3}, 0, nil, false},
		{[3]float64{2, 0, 3}, 0, nil, false},
		{[3]float64{2, 0, 3}, 0, errors.New("x"), false},
		{[3]float64{2, -4, 3}, 0, failed, false},
		{[3]float64{2, 0, 3}, 0, failed, true},
		{[3]float64{0, 2, 3}, 0, failed, true},
		{[3]float64{2, 3, 0}, 0, failed, true},
		{[3]float64{2, 0, 3}, 0, stopped, false},
		{[3]float64{2, 3.9e-12, 4}, 0, failed, true},
		{[3]float64{2, -3.9e-12, 4}, 0, failed, true},
		{[3]float64{-4, 3.9e-12, 1}, 0, failed, true},
		{[3]float64{2, 4.1e-12, 4}, 0, failed, false},
		{[3]float64{2, 1, 4}, 0.5, failed, false},
		{[3]float64{2, 0, 4}, 0.5, failed, true},
	} {
		m.shifted, m.shift = copyPattern(h), c.shift
		for i, k := range c.stiff {
			m.shifted.Val[m.shifted.Ptr[i]] = k + c.shift
		}
		if got := m.shiftable(c.err); got != c.want {
			t.Errorf("stiffnesses %v + %g, %v: %t", c.stiff, c.shift, c.err, got)
		}
	}
}

// TestStepError: an error names time, residual and the particle: of a row of the matrix, of a contact, or of the worst balance; of two
// the first. Its cause speaks for it.
func TestStepError(t *testing.T) {
	m := apart(t, [][3]float64{{2, 3, 5}}, make([][3]float64, 4))
	m.particle = []int{3, 2, 1, 0} // of each contact
	m.newton, m.residual, m.tolerance = 7, 0.125, 0.0625
	cause := errors.New("x")
	copy(m.f, []float64{0, 1, 0, -2, 0, 0, 0, 0, 2, 0, 0, 0})
	for _, c := range []struct {
		cause    error
		particle int
		text     string
	}{
		{cause, -1, "incremental: step to t=1.5: x"},
		{&contact.IndefiniteError{Row: 0}, 0, ""}, {&contact.IndefiniteError{Row: 2}, 0, ""}, {&contact.IndefiniteError{Row: 9}, 3, ""}, {&contact.IndefiniteError{Row: 11}, 3, ""},
		{&contact.Error{Worst: 0}, 3, ""}, {&contact.Error{Worst: 3}, 0, ""}, {&contact.Error{Worst: -1}, -1, ""}, {fmt.Errorf("wrapped: %w", &contact.Error{Worst: 1}), 2, ""},
		{nil, 1, "incremental: step to t=1.5: force residual 0.125 > 0.0625 after 7 Newton steps, worst at particle 1"},
	} {
		e, ok := errors.AsType[*StepError](m.failed(1.5, c.cause))
		if !ok || e.Particle != c.particle || e.Time != 1.5 || e.Newton != 7 || e.Residual != 0.125 || e.Tolerance != 0.0625 || !errors.Is(e, c.cause) && c.cause != nil {
			t.Errorf("%v: %+v, want particle %d", c.cause, e, c.particle)
		}
		if c.text != "" && e.Error() != c.text {
			t.Errorf("%q, want %q", e, c.text)
		}
	}
	e := &StepError{Time: 2, Cause: cause, Particle: 0}
	if got, want := e.Error(), "incremental: step to t=2: x, worst at particle 0"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p := &part{dof: []int{3, 4, 5, 9}, contacts: []int{2, 3}}
	for _, c := range []struct{ row, want int }{{0, 3}, {3, 9}, {4, 4}, {7, 7}} {
		if e, ok := errors.AsType[*contact.IndefiniteError](p.whole(&contact.IndefiniteError{Row: c.row})); !ok || e.Row != c.want {
			t.Errorf("row %d of a part is %+v, want %d", c.row, e, c.want)
		}
	}
	for _, c := range []struct{ worst, want int }{{-1, -1}, {0, 2}, {1, 3}, {2, 2}} {
		if e, ok := errors.AsType[*contact.Error](p.whole(&contact.Error{Worst: c.worst})); !ok || e.Worst != c.want {
			t.Errorf("contact %d of a part is %+v, want %d", c.worst, e, c.want)
		}
	}
	if p.whole(cause) != cause {
		t.Error("another error is changed")
	}
}

// TestStatesAtTheLimit: a normal force that counts as none is none, the next number is one; a motion of either tangential coordinate
// is slip, one of the height alone is not.
func TestStatesAtTheLimit(t *testing.T) {
	ex := reference.Play()
	scales := NewScales(ex.Psi.System)
	scales.Force[0], scales.Rounding[0] = 3, 0
	none := scales.None(0)
	if none != zeroForce*3 {
		t.Fatalf("%g N count as none, want %g", none, zeroForce*3)
	}
	if scales.Rounding[0] = 1; scales.None(0) != 1 {
		t.Errorf("%g N count as none, want the rounding", scales.None(0))
	}
	scales.Rounding[0] = 0
	for _, c := range []struct {
		z, before [3]float64
		force     float64
		want      ContactState
	}{
		{[3]float64{}, [3]float64{}, none, Grazing}, {[3]float64{}, [3]float64{}, -1, Grazing}, {[3]float64{}, [3]float64{}, math.Nextafter(none, 1), Stick},
		{[3]float64{1, 0, 0}, [3]float64{}, 1, Slip}, {[3]float64{0, 1, 0}, [3]float64{}, 1, Slip}, {[3]float64{0, 0, 0}, [3]float64{0, 0, 1}, 1, Stick},
		{[3]float64{0, 0, 5e-324}, [3]float64{}, 1, Free},
	} {
		dst := []ContactState{Free}
		Classify(dst, ex.Psi, 0, c.z[:], []float64{0, 0, c.force}, dissipation.Origin{Z: c.before[:]}, scales)
		if dst[0] != c.want {
			t.Errorf("%v from %v under %g N: %v, want %v", c.z, c.before, c.force, dst[0], c.want)
		}
		if Classify(dst, ex.Psi, 0, c.z[:], []float64{0, 0, c.force}, dissipation.Origin{}, scales); dst[0] == Slip {
			t.Errorf("%v without a node before: %v", c.z, dst[0])
		}
	}
	m := walled(t, 1, 0, [3]float64{})
	sys := m.sys
	scales = NewScales(sys)
	scales.Force[0] = 3
	for _, c := range []struct {
		z, before, grad [3]float64
		want            [3]ContactState
	}{
		{[3]float64{}, [3]float64{}, [3]float64{1, 1, 1}, [3]ContactState{Stick, Stick, Stick}},
		{[3]float64{}, [3]float64{0, 0, 1}, [3]float64{1, none, 1}, [3]ContactState{Slip, Slip, Grazing}},
		{[3]float64{}, [3]float64{1, 0, 0}, [3]float64{math.Nextafter(none, 1), 1, none}, [3]ContactState{Grazing, Slip, Slip}},
		{[3]float64{0, 1, 0}, [3]float64{}, [3]float64{1, 0, 1}, [3]ContactState{Slip, Slip, Free}},
	} {
		dst := make([]ContactState, 3)
		Classify(dst, m.psi, 0, c.z[:], c.grad[:], dissipation.Origin{Z: c.before[:]}, scales)
		if [3]ContactState(dst) != c.want {
			t.Errorf("%v from %v, DE %v: %v, want %v", c.z, c.before, c.grad, dst, c.want)
		}
		if Classify(dst, m.psi, 0, c.z[:], c.grad[:], dissipation.Origin{}, scales); slices.Contains(dst, Slip) {
			t.Errorf("%v without a node before: %v", c.z, dst)
		}
	}
}

// TestPlanOfSizes: a problem is condensed onto its contacts if D²E is constant, with 3000 rows or more, of which contacts take up to a
// quarter; what it needs is what it was: bytes of the ways and modes.
func TestPlanOfSizes(t *testing.T) {
	psi, _ := grid(t)
	p := &Plan{}
	for _, c := range []struct {
		rows, contacts int
		changes, want  bool
	}{{3600, 40, false, true}, {3600, 40, true, false}, {3600, 0, false, false}, {3600, 300, false, true}, {3600, 301, false, false}, {3000, 5, false, true}, {2999, 5, false, false}, {3000, 1, false, true}} {
		b := sparse.NewBuilder(c.rows)
		for i := 1; i < c.rows; i++ {
			b.Add(i, i-1)
		}
		h := &contact.Jacobian{Dim: 3, Rows: c.rows, Ptr: []int{0}}
		for i := range c.contacts {
			h.Row = append(h.Row, 3*i, 3*i+1, 3*i+2)
			h.Val = append(h.Val, 0, 1, 0, 0, 0, 1, 1, 0, 0)
			h.Ptr = append(h.Ptr, len(h.Row))
		}
		p.changes = c.changes
		if got := p.candidate(t.Context(), b.Build(), h) != nil; got != c.want {
			t.Errorf("%d rows, %d contacts, changes %t: %t", c.rows, c.contacts, c.changes, got)
		}
	}
	for _, mode := range []ThresholdMode{Lagged, Implicit} {
		for _, way := range []string{"whole", "whole, varies", "contacts"} {
			onContacts := way == "contacts"
			plan, err := NewPlan(t.Context(), psi, Implicit, 0)
			if err != nil {
				t.Fatal(err)
			}
			plan.changes = way == "whole, varies"
			var c *contact.CondensedPlan
			e, work := plan.mass.WholeMemory(), int64(0)
			solver := e.Total()
			matrices, twin := solver, solver
			if onContacts {
				if c = plan.candidate(t.Context(), psi.System.Pattern(), jacobian(psi.System)); c == nil {
					t.Fatal("no condensation")
				}
				e, work = c.Memory()
				solver, matrices, twin = e.Total(), c.Dense(), c.Beside()
			}
			// The solver, another one for certificates where thresholds lag, another one to compare with, what a gap takes that
			// they do not have, and the work that none of them takes.
			if mode == Lagged || plan.changes {
				e.Add(PartCertificates, solver)
			}
			e.Add(PartTwin, twin)
			gap, gapWork := plan.mass.GapMemory(plan.changes)
			e.Join(gap)
			e.Add(PartWork, max(work-matrices-gap.Total(), gapWork))
			got := plan.predict(c, mode == Lagged)
			if got.Total() != e.Total() || fmt.Sprint(got) != fmt.Sprint(e) || work > 0 && work-matrices <= gap.Total() {
				t.Errorf("mode %d, %s: %v, want %v", mode, way, got, e)
			}
		}
	}
}

// TestSecondMatrixOfPlan: a plan gives its factors to who comes with the same matrix, and makes others for another one.
func TestSecondMatrixOfPlan(t *testing.T) {
	psi, z := grid(t)
	plan, err := NewPlan(t.Context(), psi, Implicit, 0)
	if err != nil {
		t.Fatal(err)
	}
	m := psi.System.Hessian(0, z)
	h := jacobian(psi.System)
	first := plan.make(t.Context(), m, h)
	stiffer := &sparse.Sym{N: m.N, Ptr: m.Ptr, Row: m.Row, Val: slices.Clone(m.Val)}
	for i := range stiffer.Val {
		stiffer.Val[i] *= 4
	}
	second, third := plan.make(t.Context(), m, h), plan.make(t.Context(), stiffer, h)
	if first == nil || second == nil || third == nil {
		t.Fatal("not condensed")
	}
	laws := make([]contact.Law, h.Contacts())
	for c := range laws {
		laws[c] = &contact.Tresca{}
	}
	solve := func(k *contact.Condensed, m *sparse.Sym) []float64 {
		p := contact.Global{M: m, H: h, F: make([]float64, m.N), W: make([]float64, 3*len(laws)), Laws: laws}
		for i := range p.F {
			p.F[i] = math.Sin(float64(i))
		}
		var res contact.Result
		if err := k.Solve(t.Context(), &p, 1, &contact.Options{}, &res); err != nil {
			t.Fatal(err)
		}
		return slices.Clone(res.V)
	}
	a, b, c := solve(first, m), solve(second, m), solve(third, stiffer)
	if !slices.Equal(a, b) {
		t.Error("the same matrix has other bits")
	}
	for i, v := range c {
		if math.Abs(4*v-a[i]) > 1e-9 { // softest modes of 1e-3 N/m under forces to 1e-12 of some newtons
			t.Fatalf("coordinate %d of a matrix four times as stiff: %g, want %g", i, v, a[i]/4)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if plan.make(ctx, &sparse.Sym{N: m.N, Ptr: m.Ptr, Row: m.Row, Val: stiffer.Val}, h) != nil {
		t.Error("condensed after the end")
	}
}

// TestSettled: a particle that nothing moves, with no stiffness and no force at all, has settled at once.
func TestSettled(t *testing.T) {
	sys, err := particles.NewSystem(particles.Floors(1))
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(psi, 0, []float64{1, 2, 0}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if way, err := s.Equilibrate(t.Context()); err != nil || way != 0 {
		t.Errorf("moved by %g, %v", way, err)
	}
	ex := reference.Klarbring(0.6)
	if s, err = New(ex.Psi, 1, ex.Start, Options{}); err != nil {
		t.Fatal(err)
	}
	way, err := s.Equilibrate(t.Context())
	sum := 0.0
	for i, x := range s.State() {
		sum += (x - ex.Start[i]) * (x - ex.Start[i])
	}
	if err != nil || math.Abs(way-math.Sqrt(sum)) > 1e-15 || s.before.Z != nil || slices.Contains(s.States(), Slip) {
		t.Errorf("settled %g away, want %g; states %v, %v", way, math.Sqrt(sum), s.States(), err)
	}
}
