package fem_test

import (
	"errors"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/sparse"
)

// moments returns Σ x_i^α M_ij y_j^β of the last component for the monomials up
// to degree two.
func moments(m *fem.Mesh, a *sparse.Sym) []float64 {
	d := m.Dim
	vector := func(axis int) []float64 {
		v := make([]float64, a.N)
		for i := range m.NumNodes() {
			v[d*i+d-1] = 1
			if axis >= 0 {
				v[d*i+d-1] = m.Node(i)[axis]
			}
		}
		return v
	}
	var list []float64
	y := make([]float64, a.N)
	for p := -1; p < d; p++ {
		a.MulVec(y, vector(p))
		for q := -1; q <= p; q++ {
			s := 0.0
			for i, x := range vector(q) {
				s += x * y[i]
			}
			list = append(list, s)
		}
	}
	return list
}

func TestMass(t *testing.T) {
	for name, m := range meshes(t) {
		for _, kind := range []fem.MassKind{fem.Consistent, fem.Lumped} {
			a, err := fem.Mass(m, steel, kind)
			if m.Kind == fem.P2 && errors.Is(err, fem.ErrNoMass) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			got := moments(m, a)
			if math.Abs(got[0]-steel.Density) > 1e-14 || math.Abs(got[1]-0.5*steel.Density) > 1e-14 {
				t.Errorf("%s: mass %g, first moment %g", name, got[0], got[1])
			}
			if kind == fem.Consistent && math.Abs(got[2]-steel.Density/3) > 1e-14 {
				t.Errorf("%s: second moment %g", name, got[2])
			}
		}
	}
}

// TestModified: the lost mass of the reference sheet, and what redistribution
// keeps.
func TestModified(t *testing.T) {
	bar := box(t, []float64{10}, 100)
	for kind, lost := range map[fem.MassKind]float64{fem.Consistent: 2. / 3 * 0.1, fem.Lumped: 0.5 * 0.1} {
		a, err := fem.Mass(bar, fem.Elastic{Young: 1, Density: 1}, kind)
		if err != nil {
			t.Fatal(err)
		}
		fem.Modify(a, 1, []int{0})
		if got := moments(bar, a)[0]; math.Abs(got-(10-lost)) > 1e-13 {
			t.Errorf("mass %.15g, want %.15g", got, 10-lost)
		}
	}
	for _, m := range []*fem.Mesh{bar, box(t, []float64{1, 0.25}, 16, 4), box(t, []float64{1, 1, 1}, 4, 4, 8)} {
		bottom := m.Groups[[]string{1: "left", 2: "bottom", 3: "bottom"}[m.Dim]].Nodes()
		standard, err := fem.Mass(m, steel, fem.Consistent)
		if err != nil {
			t.Fatal(err)
		}
		modified, _ := fem.Mass(m, steel, fem.Consistent)
		fem.Modify(modified, m.Dim, bottom)
		if err := fem.Redistribute(modified, standard, m, bottom); err != nil {
			t.Fatal(err)
		}
		want, got := moments(m, standard), moments(m, modified)
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-11*math.Abs(want[0]*m.X[len(m.X)-1]*m.X[len(m.X)-1]+
				want[0]) { // Gram matrix of conditioning 1e4
				t.Errorf("dimension %d: moment %d: %.15g, want %.15g", m.Dim, k, got[k], want[k])
			}
		}
	}
}

func TestLoads(t *testing.T) {
	for name, m := range meshes(t) {
		load := make([]float64, len(m.X))
		fem.BodyForce(load, m, steel, []float64{0, 0, 3}[3-m.Dim:])
		sum := 0.0
		for i := m.Dim - 1; i < len(load); i += m.Dim {
			sum += load[i]
		}
		if math.Abs(sum-3) > 1e-14 {
			t.Errorf("%s: body force %g, want 3", name, sum)
		}
		clear(load)
		if err := fem.Traction(load, m, steel, m.Groups["right"], []float64{2, 0, 0}[:m.Dim]); err != nil {
			t.Fatal(err)
		}
		sum = 0
		for i := 0; i < len(load); i += m.Dim {
			sum += load[i]
		}
		if math.Abs(sum-2) > 1e-14 {
			t.Errorf("%s: traction %g, want 2", name, sum)
		}
	}
}

// TestMassRatio: xᵀMx ≥ c xᵀdiag(M)x of the x where the quotient is least, found by powers of 2^dim − diag(M)⁻¹M; on
// hexahedra it is below what simplices have.
func TestMassRatio(t *testing.T) {
	for name, m := range meshes(t) {
		a, err := fem.Mass(m, steel, fem.Consistent)
		if err != nil {
			continue // P2 has no masses
		}
		x, y := make([]float64, a.N), make([]float64, a.N)
		for i := range x {
			x[i] = math.Sin(float64(7*i*i + 1))
		}
		quotient := 0.0
		for range 300 {
			a.MulVec(y, x)
			above, below, size := 0.0, 0.0, 0.0
			for i := range x {
				d := a.Val[a.Ptr[i]]
				above, below = above+x[i]*y[i], below+x[i]*d*x[i]
				x[i] = math.Ldexp(x[i], m.Dim) - y[i]/d
				size = max(size, math.Abs(x[i]))
			}
			quotient = above / below
			for i := range x {
				x[i] /= size
			}
		}
		c := m.MassRatio(steel, fem.Consistent)
		if !(0 < c && c <= quotient) || name == "space of Q1" && quotient > .39 {
			t.Errorf("%s: the ratio is %g, the least quotient %g", name, c, quotient)
		}
	}
}
