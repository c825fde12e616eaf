package elastic

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/sparse"
)

// denseOf returns a matrix in full.
func denseOf(a *sparse.Sym) *mat.SymDense {
	m := mat.NewSymDense(a.N, nil)
	for j := range a.N {
		for k := a.Ptr[j]; k < a.Ptr[j+1]; k++ {
			m.SetSym(a.Row[k], j, a.Val[k])
		}
	}
	return m
}

// TestOperators: the norms in the certificate against dense algebra, on K̃ and on W.
func TestOperators(t *testing.T) {
	s := blockStepper(t, 8, 2, 0.7, 0.3)
	w, columns := s.trapezoid.solver.Delassus()
	n := len(columns)
	nc := n / 2
	wnn, wnt := mat.NewDense(nc, nc, nil), mat.NewDense(nc, nc, nil)
	for p, row := range columns {
		for q, col := range columns {
			if row%2 == 0 && col%2 == 0 {
				wnn.Set(row/2, col/2, w[p*n+q])
			} else if row%2 == 0 {
				wnt.Set(row/2, col/2, w[p*n+q])
			}
		}
	}
	var g mat.Dense
	if err := g.Solve(wnn, wnt); err != nil {
		t.Fatal(err)
	}
	g.Scale(0.3, &g)
	c := s.Certificate()
	var svd mat.SVD
	if !svd.Factorize(&g, mat.SVDNone) {
		t.Fatal("no singular values")
	}
	if want := svd.Values(nil)[0]; math.Abs(c.Closed-want) > 1e-4*want {
		t.Errorf("‖μG‖ = %g, want %g", c.Closed, want)
	}
	if want := denseTheorem4(t, s, 0.3); math.Abs(c.Contraction-want) > 1e-4*want {
		t.Errorf("κ = %g, want %g", c.Contraction, want)
	}
}

// denseTheorem4 is κ by dense eigenvalues: α² is the largest of A_cc⁻¹S.
func denseTheorem4(t *testing.T, s *Stepper, mu float64) float64 {
	k := denseOf(s.trapezoid.matrix)
	var normals, tangents, rest []int
	isNormal := map[int]bool{}
	for _, n := range s.a.normal {
		normals, isNormal[n] = append(normals, n), true
	}
	for i := range k.SymmetricDim() {
		if !isNormal[i] {
			if isNormal[i+1] {
				tangents = append(tangents, len(rest))
			}
			rest = append(rest, i)
		}
	}
	pick := func(rows, cols []int) *mat.Dense {
		m := mat.NewDense(len(rows), len(cols), nil)
		for a, i := range rows {
			for b, j := range cols {
				m.Set(a, b, k.At(i, j))
			}
		}
		return m
	}
	acc, arc, arr := pick(normals, normals), pick(rest, normals), pick(rest, rest)
	var x, sm, as, inv mat.Dense
	if x.Solve(arr, arc) != nil || inv.Inverse(arr) != nil {
		t.Fatal("Ã is singular")
	}
	sm.Mul(arc.T(), &x)
	if as.Solve(acc, &sm) != nil {
		t.Fatal("A_cc is singular")
	}
	largest := func(m *mat.Dense) float64 {
		var e mat.Eigen
		if !e.Factorize(m, mat.EigenNone) {
			t.Fatal("no eigenvalues")
		}
		v := 0.0
		for _, z := range e.Values(nil) {
			v = max(v, real(z))
		}
		return v
	}
	b := mat.NewDense(len(tangents), len(tangents), nil)
	for i, p := range tangents {
		for j, q := range tangents {
			b.Set(i, j, mu*mu*inv.At(p, q))
		}
	}
	alpha2 := largest(&as)
	return math.Sqrt(alpha2 * (alpha2 + largest(acc)*largest(b)))
}

// TestTheorem4: κ bounds how Φ_n brings any two iterates together, in the norm of
// Ã_*: random ones, of all sizes, so that contacts open, stick and slide.
func TestTheorem4(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, r := range []float64{0.1, 0.5, 2} {
		s := blockStepper(t, 8, 2, r, 0.8)
		s.opt.Method, s.scale = Picard, 1
		var err error
		if s.picard, err = newPicard(t.Context(), s.a, s.trapezoid, s.obstacle); err != nil {
			t.Fatal(err)
		}
		p, kappa, worst := s.picard, s.Certificate().Contraction, 0.0
		s.trapezoid.rightHandSide(&s.now, s.opt.Step)
		for k := range p.lambda {
			p.problem.W[2*k] = 1
		}
		for range 200 {
			size := math.Pow(10, -6+6*random.Float64())
			first, second := make([]float64, len(p.hat)), make([]float64, len(p.hat))
			for i := range first {
				first[i] = size * random.NormFloat64()
				second[i] = first[i] + size*math.Pow(10, -2*random.Float64())*random.NormFloat64()
			}
			before, after := p.distance(t, s, first, second)
			worst = max(worst, after/before)
		}
		t.Logf("r = %g: κ = %.4g, worst of 200 pairs %.4g", r, kappa, worst)
		if worst > kappa {
			t.Errorf("r = %g: two iterates came together by %g only, κ = %g", r, worst, kappa)
		}
	}
}

// distance applies Φ to two vectors and returns their distances before and after.
func (p *picard) distance(t *testing.T, s *Stepper, a, b []float64) (before, after float64) {
	var image [2][]float64
	for k, v := range [][]float64{a, b} {
		copy(p.hat, v)
		if _, err := p.iterate(context.Background(), s, s.opt.Step); err != nil {
			t.Fatal(err)
		}
		image[k] = append([]float64(nil), p.res.V...)
	}
	m, _ := p.split.Restrict(p.t.matrix)
	norm := func(x []float64) float64 {
		y := make([]float64, len(x))
		m.MulVec(y, x)
		return math.Sqrt(dot(x, y))
	}
	start, end := make([]float64, m.N), make([]float64, m.N)
	for k, i := range p.split.Free {
		start[k] = a[p.t.a.split.Free[i]] - b[p.t.a.split.Free[i]]
		end[k] = image[0][k] - image[1][k]
	}
	return norm(start), norm(end)
}

// TestManyContacts: 145 contacts, where no W is at hand. The certificate depends on
// r alone: the same block on a coarser mesh has nearly the same.
func TestManyContacts(t *testing.T) {
	thorough.Seconds(t)
	few, many := blockStepper(t, 48, 12, 0.3, 0.3).Certificate(), blockStepper(t, 144, 36, 0.3, 0.3).Certificate()
	for name, v := range map[string][2]float64{"contraction": {few.Contraction, many.Contraction}, "closed": {few.Closed, many.Closed}} {
		if !(v[0] > 0) || math.Abs(v[1]/v[0]-1) > 0.02 {
			t.Errorf("%s: %g with 49 contacts, %g with 145", name, v[0], v[1])
		}
		t.Log(name, v)
	}
	if len(many.Warnings) > 0 || many.Residual > 1e-3 || !many.Unique {
		t.Errorf("%+v", many)
	}
}

// TestStableStep: central differences are refused where they are unstable, with
// numbers, and stable where that is proven.
func TestStableStep(t *testing.T) {
	mesh, err := fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 0.25}, Cells: []int{8, 2}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	m := &Model{Mesh: mesh, Material: fem.Elastic{Young: 1000, Poisson: 0.3, Density: 1}, Mass: fem.Lumped}
	for i := range mesh.X {
		m.V0 = append(m.V0, math.Sin(float64(i)))
	}
	ctx := context.Background()
	_, err = New(ctx, m, Options{Step: 1, Scheme: CentralDifference})
	if err == nil || !strings.Contains(err.Error(), "want Δt <= 2/ω = 0.00") {
		t.Errorf("Δt = 1: %v", err)
	}
	s, err := New(ctx, m, Options{Step: 1e-5, Scheme: CentralDifference})
	if err != nil {
		t.Fatal(err)
	}
	c := s.Certificate()
	var e mat.Eigen
	k := mat.DenseCopyOf(denseOf(s.a.stiffness))
	for i := range len(mesh.X) {
		for j := range len(mesh.X) {
			k.Set(i, j, k.At(i, j)/s.central.mass[i])
		}
	}
	if !e.Factorize(k, mat.EigenNone) {
		t.Fatal("no eigenvalues")
	}
	largest := 0.0
	for _, v := range e.Values(nil) {
		largest = max(largest, real(v))
	}
	exact := 2 / math.Sqrt(largest)
	if !(c.StableStep <= exact) || !(c.UnstableStep >= exact*(1-1e-12)) || c.UnstableStep > exact*1.001 {
		t.Errorf("stable up to %g, unstable above %g, exact %g", c.StableStep, c.UnstableStep, exact)
	}
	for step, want := range map[float64]bool{c.StableStep: true, 1.01 * c.UnstableStep: false} {
		s, err := New(ctx, m, Options{Step: step, Scheme: CentralDifference})
		if (err == nil) != want {
			t.Errorf("Δt = %g: %v", step, err)
		}
		if err != nil {
			continue
		}
		e0 := s.Energies().Total()
		for range 2000 {
			if err := s.Step(ctx); err != nil {
				t.Fatal(err)
			}
		}
		// Not conserved, but bounded: the scheme's own energy differs by (Δtω)²/4 ≤ 1.
		if e1 := s.Energies().Total(); !(e1 < 4*e0) {
			t.Errorf("Δt = %g: energy %g from %g", step, e1, e0)
		}
	}
}
