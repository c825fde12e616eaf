package elastic

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
)

// TestLanczosEnds: nothing is the norm of no operator, after one product; one of many eigenvalues alike ends at the limit.
func TestLanczosEnds(t *testing.T) {
	products := 0
	times := func(f func(i int) float64) func(dst, x []float64) {
		products = 0
		return func(dst, x []float64) {
			products++
			for i, v := range x {
				dst[i] = f(i) * v
			}
		}
	}
	if value, residual := lanczos(t.Context(), 9, times(func(int) float64 { return 0 }), dot); value != 0 || residual != 0 || products != 1 {
		t.Errorf("zero: %g, %g, %d products", value, residual, products)
	}
	if value, residual := lanczos(t.Context(), 500, times(func(i int) float64 { return 1 - float64(i)/5e7 }), dot); math.Abs(value-1) > 1e-5 || residual > lanczosResidual || products != 1 {
		t.Errorf("all but one: %g, %g, %d products", value, residual, products)
	}
	// A spectrum whose top is crowded: its first gap is 1e-6 of its width, and eighty products see gaps of 1/80².
	if value, residual := lanczos(t.Context(), 1000, times(func(i int) float64 { x := float64(i) / 1000; return 1 - x*x }), dot); products != lanczosSteps || residual <= lanczosResidual || value > 1 || value < 1-1./(80*80) {
		t.Errorf("crowded: %g, %g, %d products", value, residual, products)
	}
}

// TestResiduals: that of a certificate is the larger one of its two bounds.
func TestResiduals(t *testing.T) {
	for _, nx := range []int{8, 24} {
		s := blockStepper(t, nx, nx/4, .7, .3)
		h, err := s.trapezoid.holdNormals(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, first, err := h.theorem4(t.Context(), s.obstacle.problem.M)
		if err != nil {
			t.Fatal(err)
		}
		_, second := h.closed(t.Context())
		if got := s.Certificate().Residual; got != max(first, second) || first == second {
			t.Errorf("%d cells: residual %g of %g and %g", nx, got, first, second)
		}
	}
}

// TestAlone: one contact alone loses its reaction where μ |W_nt| = W_nn, the least of all contacts; of one contact, that is what contacts that slide alike lose.
func TestAlone(t *testing.T) {
	s := blockStepper(t, 4, 1, .7, .3)
	w, columns := s.trapezoid.solver.Delassus()
	want, at := math.Inf(1), -1
	for k := range s.a.normal {
		p, q := slices.Index(columns, 2*k), slices.Index(columns, 2*k+1)
		if x := w[p*len(columns)+p] / math.Abs(w[p*len(columns)+q]); x < want {
			want, at = x, k
		}
	}
	if got := s.trapezoid.alone(); got != want || math.IsInf(want, 1) {
		t.Errorf("alone %g, want %g of contact %d", got, want, at)
	}
	m := *s.a.model
	m.Contacts, m.Friction = m.Contacts[:1], m.Friction[:1]
	one, err := New(context.Background(), &m, Options{Step: s.opt.Step})
	if err != nil {
		t.Fatal(err)
	}
	h, err := one.trapezoid.holdNormals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a, b := one.trapezoid.alone(), h.alike(t.Context()); math.IsInf(a, 1) || math.Abs(a-b) > 1e-10*a { // two factorisations of condition 1e3
		t.Errorf("one contact: alone %g, alike %g", a, b)
	}
}

// TestCertificatesWithout: without friction, and without contacts, nothing bounds step or friction.
func TestCertificatesWithout(t *testing.T) {
	for _, contacts := range []int{0, 5} {
		m := *blockStepper(t, 4, 1, .7, .3).a.model
		m.Contacts, m.Friction = m.Contacts[:contacts], nil
		s, err := New(context.Background(), &m, Options{Step: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		if c := s.Certificate(); !math.IsInf(c.CriticalFriction, 1) || !math.IsInf(c.StableStep, 1) || !math.IsInf(c.UnstableStep, 1) || !c.Unique || c.Contraction != 0 || c.Closed != 0 {
			t.Errorf("%d contacts: %+v", contacts, c)
		}
	}
}

// TestClip: friction is brought to its limit along its direction, and left where it is within.
func TestClip(t *testing.T) {
	a := &assembly{dim: 3, model: &Model{Friction: []float64{.5, 0}}}
	for _, c := range []struct {
		k       int
		r, want []float64
	}{
		{0, []float64{20, 3, -4}, []float64{20, 3, -4}}, {0, []float64{10, 3, -4}, []float64{10, 3, -4}}, {0, []float64{5, 3, -4}, []float64{5, 1.5, -2}},
		{0, []float64{-1, 3, -4}, []float64{-1, 0, 0}}, {1, []float64{5, 3, -4}, []float64{5, 0, 0}}, {1, []float64{5, 0, 0}, []float64{5, 0, 0}}, {0, []float64{0, 0, 0}, []float64{0, 0, 0}},
	} {
		got := slices.Clone(c.r)
		a.clip(c.k, got)
		for i, x := range got {
			if !(math.Abs(x-c.want[i]) <= 1e-15) { // one product
				t.Errorf("%v of contact %d: %v, want %v", c.r, c.k, got, c.want)
			}
		}
	}
}

// TestFinite: displacements that are none are named.
func TestFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if finite([]float64{0, x}) == nil {
			t.Errorf("%g is accepted", x)
		}
	}
	if err := finite([]float64{-1, math.MaxFloat64}); err != nil {
		t.Error(err)
	}
}

// TestRemedy: another mass helps where the standard one meets an obstacle.
func TestRemedy(t *testing.T) {
	for _, c := range []struct {
		inertia Inertia
		n       int
		helps   bool
	}{{Standard, 1, true}, {Standard, 0, false}, {Modified, 1, false}, {Redistributed, 2, false}} {
		m := Model{Inertia: c.inertia, Contacts: make([]fem.ContactNode, c.n)}
		if (m.remedy() != "") != c.helps {
			t.Errorf("%+v: %q", c, m.remedy())
		}
	}
}

// line is v t.
type line float64

func (v line) At(t float64) float64 { return float64(v) * t }
func (v line) Rate(float64) float64 { return float64(v) }

// TestObstacleGoes: the velocity of an obstacle where a node was at the start is v + ω × (x − c) at any time, in its axes; what it goes in a step is
// the mean of both ends, and along the normal what its gap loses.
func TestObstacleGoes(t *testing.T) {
	mesh, err := fem.Box{Corner: []float64{2, -1, .5}, Size: []float64{1, 1, 1}, Cells: []int{1, 1, 1}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	n := []float64{.6, 0, .8}
	contacts, err := fem.Contacts(mesh, mesh.Groups["bottom"].Nodes(), fem.HalfSpace{Point: []float64{0, 0, -3}, Normal: n})
	if err != nil {
		t.Fatal(err)
	}
	const omega = 1.25
	shift, centre := []float64{3, -2, .7}, [3]float64{.4, .3, -.2}
	m := &Model{Mesh: mesh, Contacts: contacts, Motions: make([]*signal.Motion, len(contacts))}
	m.Motions[1] = &signal.Motion{Shift: signal.Vector{line(shift[0]), line(shift[1]), line(shift[2])}, Center: centre, Axis: [3]float64{n[0], n[1], n[2]}, Angle: line(omega)}
	a := &assembly{model: m, dim: 3}
	for _, c := range contacts {
		a.gap = append(a.gap, c.Gap)
	}
	x := mesh.Node(contacts[1].Node)
	arm := [3]float64{x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]}
	global := []float64{shift[0] + omega*(n[1]*arm[2]-n[2]*arm[1]), shift[1] + omega*(n[2]*arm[0]-n[0]*arm[2]), shift[2] + omega*(n[0]*arm[1]-n[1]*arm[0])}
	var want [3]float64
	for i := range want {
		want[i] = dot(contacts[1].Frame[i][:], global)
	}
	const from, to = .5, 2.
	for i, w := range a.carry(1, from, to) {
		for _, at := range []float64{0, from, to} {
			if got := a.speed(1, at)[i]; math.Abs(got-want[i]) > 1e-14 { // sums of some numbers of order 1
				t.Errorf("t = %g: speed %d is %g, want %g", at, i, got, want[i])
			}
		}
		if math.Abs(w-(to-from)*want[i]) > 1e-13 {
			t.Errorf("way %d is %g, want %g", i, w, (to-from)*want[i])
		}
	}
	if a.speed(0, 1) != [3]float64{} || a.carry(0, 0, 1) != [3]float64{} || a.gapAt(0, 7) != contacts[0].Gap {
		t.Error("an obstacle at rest goes")
	}
	if got, want := a.gapAt(1, 2), contacts[1].Gap-2*dot(n, shift); math.Abs(got-want) > 1e-14 {
		t.Errorf("gap %g, want %g", got, want)
	}
	if got := pushed([]float64{2, 3, 5}, []float64{4, 5, -1}, [3]float64{10, 100, 1000}, 3); got != 3*1000+4*10+2*100 {
		t.Errorf("work %g", got)
	}
}
