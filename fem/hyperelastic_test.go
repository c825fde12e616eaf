package fem_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/sparse"
)

// rubbers are bodies of every element, kinematics and law: ring and plate lie in the first quadrant.
func rubbers(t testing.TB, visit func(name string, h *fem.Hyperelastic, m *fem.Mesh, e fem.Elastic, law fem.Law)) {
	t.Helper()
	mooney := fem.MooneyRivlin{C1: 300, C2: 90, Bulk: 1700}
	for _, kind := range kinds {
		for _, kin := range []fem.Kinematics{fem.PlaneStrain, fem.PlaneStress, fem.Axisymmetric} {
			for dim := 2; dim == 2 || dim == 3 && kin == fem.PlaneStrain; dim++ {
				e := steel
				e.Kinematics = kin
				soft := mooney.Elastic()
				soft.Kinematics = kin
				for _, l := range []struct {
					e   fem.Elastic
					law fem.Law
				}{{e, e.NeoHookean()}, {soft, mooney}} {
					m := boxOf(t, kind, []float64{1, 0.7, 0.8}[:dim], []int{3, 3, 3}[:dim]...)
					shake(m, 0.05)
					h, err := fem.NewHyperelastic(m, l.e, l.law)
					if err != nil {
						t.Fatal(err)
					}
					visit(fmt.Sprintf("%s of %s, %T", kind.Name(dim), kin, l.law), h, m, l.e, l.law)
				}
			}
		}
	}
}

// TestHyperelasticDerivatives: gradient and tangent against central differences along random directions; steps of 1e-5 have
// errors of 1e-9 of what moves.
func TestHyperelasticDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	rubbers(t, func(name string, h *fem.Hyperelastic, m *fem.Mesh, e fem.Elastic, _ fem.Law) {
		n := len(m.X)
		u, v := make([]float64, n), make([]float64, n)
		for i := range u {
			u[i], v[i] = 0.01*rng.Float64()+0.2*m.X[i], rng.NormFloat64()
		}
		at := func(s float64) []float64 {
			w := make([]float64, n)
			for i := range w {
				w[i] = u[i] + s*v[i]
			}
			return w
		}
		const step = 1e-5
		grad, plus, minus := make([]float64, n), make([]float64, n), make([]float64, n)
		h.Energy(grad, u)
		h.Energy(plus, at(step))
		h.Energy(minus, at(-step))
		slope, size := 0.0, 0.0
		for i := range v {
			slope += grad[i] * v[i]
			size += math.Abs(grad[i] * v[i])
		}
		near(t, name+": slope", (h.Energy(nil, at(step))-h.Energy(nil, at(-step)))/(2*step), slope, 1e-7*size)
		hess, along := m.Pattern(), make([]float64, n)
		h.Hessian(hess, u)
		hess.MulVec(along, v)
		for i := range v {
			near(t, fmt.Sprintf("%s: curvature %d", name, i), (plus[i]-minus[i])/(2*step), along[i], 1e-5*e.Young)
		}
	})
}

// TestHyperelasticSmall: the tangent of what is not deformed is the stiffness of linear elasticity, also with straight edges; and
// strains of 1e-9 have their energy to nine digits, which differences of numbers of the size of one would lose.
func TestHyperelasticSmall(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	rubbers(t, func(name string, _ *fem.Hyperelastic, m *fem.Mesh, e fem.Elastic, law fem.Law) {
		plain := func(m *fem.Mesh) (want, got *sparse.Sym, h *fem.Hyperelastic) {
			want, err := fem.Stiffness(m, e)
			if err != nil {
				t.Fatal(err)
			}
			if h, err = fem.NewHyperelastic(m, e, law); err != nil {
				t.Fatal(err)
			}
			got = m.Pattern()
			h.Hessian(got, make([]float64, got.N))
			return want, got, h
		}
		want, got, h := plain(m)
		for k, v := range want.Val {
			near(t, fmt.Sprintf("%s: entry %d", name, k), got.Val[k], v, 1e-12*e.Young)
		}
		u, f := make([]float64, got.N), make([]float64, got.N)
		for i := range u {
			u[i] = 1e-9 * rng.NormFloat64()
		}
		want.MulVec(f, u)
		energy := 0.0
		for i := range u {
			energy += f[i] * u[i] / 2
		}
		near(t, name+": energy", h.Energy(nil, u), energy, 2e-7*energy) // of the third order in strains of 1e-8
		m.StraightenEdges(m.Groups["bottom"])
		if m.Straight == nil {
			return
		}
		_, got, h = plain(m)
		for i := range m.NumNodes() {
			if !m.Follows(i) {
				continue
			}
			clear(u)
			u[m.Dim*i] = 0.01
			clear(f)
			h.Energy(f, u)
			if k := got.Val[got.Index(m.Dim*i, m.Dim*i)]; !(k > 0) || h.Energy(nil, u) == 0 {
				t.Errorf("%s: node %d amid a straight edge has the stiffness %g", name, i, k)
			} else {
				near(t, name+": follower", f[m.Dim*i], 0.01*k, 1e-12*k)
			}
		}
	})
}

// TestHyperelasticPatch: of one F everywhere energy and stress are those of the formulas in F themselves, and nodes within
// bear no force: the patch test at finite strains. In plane stress the thickness is the one without stress.
func TestHyperelasticPatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	rubbers(t, func(name string, h *fem.Hyperelastic, m *fem.Mesh, e fem.Elastic, law fem.Law) {
		volumes := make([]float64, len(m.X))
		fem.BodyForce(volumes, m, e, []float64{1, 0, 0}[:m.Dim])
		volume := sum(volumes)
		inside := map[int]bool{}
		for i := range m.NumNodes() {
			inside[i] = true
		}
		for _, i := range boundary(m) {
			inside[i] = false
		}
		for range 5 {
			var g [3][3]float64
			f := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
			for i := range m.Dim {
				for j := range m.Dim {
					if g[i][j] = 0.15 * rng.NormFloat64(); e.Kinematics == fem.Axisymmetric && i != j {
						g[i][j] = 0
					}
					f.Set(i, j, f.At(i, j)+g[i][j])
				}
			}
			switch e.Kinematics {
			case fem.Axisymmetric:
				f.Set(2, 2, f.At(0, 0))
			case fem.PlaneStress:
				low, high := 0.1, 10.
				for range 80 {
					f.Set(2, 2, (low+high)/2)
					if _, s := formula(law, f); s.At(2, 2) > 0 {
						high = f.At(2, 2)
					} else {
						low = f.At(2, 2)
					}
				}
			}
			u := affine(m, g)
			w, sigma := formula(law, f)
			near(t, name+": energy", h.Energy(nil, u), volume*w, 1e-12*volume*e.Young)
			check := func(what string, list []fem.Tensor) {
				for k, got := range list {
					for i, at := range [6][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}} {
						near(t, fmt.Sprintf("%s: stress %d of %s %d", name, i, what, k), got[i], sigma.At(at[0], at[1]), 1e-11*e.Young)
					}
				}
			}
			check("element", h.Stresses(u))
			check("node", h.StressesAtNodes(u))
			forces := make([]float64, len(u))
			h.Energy(forces, u)
			for i, f := range forces {
				// Affine triangles of rings have one point.
				if inside[i/m.Dim] && !(m.Kind == fem.P1 && e.Kinematics == fem.Axisymmetric) {
					near(t, fmt.Sprintf("%s: force %d", name, i), f, 0, 1e-12*e.Young)
				}
			}
			// Rotations store nothing.
			if e.Kinematics != fem.Axisymmetric {
				sin, cos := math.Sincos(2)
				turn := affine(m, [3][3]float64{{cos - 1, -sin, 0}, {sin, cos - 1, 0}})
				near(t, name+": turned", h.Energy(nil, turn), 0, 1e-13*volume*e.Young)
			}
		}
		flat := [3][3]float64{{-1.5}} // J = −½, of rings ¼, but through the axis
		if k, _ := h.Inverted(affine(m, flat)); k != 0 || !math.IsInf(h.Energy(nil, affine(m, flat)), 1) {
			t.Errorf("%s: an inverted body has the energy %g", name, h.Energy(nil, affine(m, flat)))
		}
		if k, j := h.Inverted(make([]float64, len(m.X))); k != -1 || j != 1 {
			t.Errorf("%s: element %d is inverted, %g", name, k, j)
		}
	})
}

// formula is W and σ of F as books have them: σ = (μ(b − I) + λ ln J I)/J, and of Mooney and Rivlin
// (2/J) dev((c₁ + c₂ Ī₁) b̄ − c₂ b̄²) + κ(J − 1) I with b̄ = J^(−⅔) F Fᵀ.
func formula(law fem.Law, f *mat.Dense) (w float64, sigma *mat.Dense) {
	var b, square mat.Dense
	b.Mul(f, f.T())
	j := mat.Det(f)
	sigma = mat.NewDense(3, 3, nil)
	diagonal := 0.0
	switch l := law.(type) {
	case fem.NeoHookean:
		log := math.Log(j)
		w = l.Mu/2*(mat.Trace(&b)-3) - l.Mu*log + l.Lambda/2*log*log
		sigma.Scale(l.Mu/j, &b)
		diagonal = (l.Lambda*log - l.Mu) / j
	case fem.MooneyRivlin:
		b.Scale(math.Pow(j, -2./3), &b)
		square.Mul(&b, &b)
		one := mat.Trace(&b)
		two := (one*one - mat.Trace(&square)) / 2
		w = l.C1*(one-3) + l.C2*(two-3) + l.Bulk/2*(j-1)*(j-1)
		sigma.Scale(2/j*(l.C1+l.C2*one), &b)
		square.Scale(2/j*l.C2, &square)
		sigma.Sub(sigma, &square)
		diagonal = l.Bulk*(j-1) - mat.Trace(sigma)/3
	}
	for i := range 3 {
		sigma.Set(i, i, sigma.At(i, i)+diagonal)
	}
	return w, sigma
}
