package fem_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// hard yields at twice the shear strains of 1e-3, with both hardenings.
var hard = fem.Plasticity{Yield: 2e-3 * steel.Young, Hardening: 0.1 * steel.Young, Isotropic: 0.05 * steel.Young}

// yielding is each kind of element in each kinematics.
func yielding(t *testing.T, visit func(name string, m *fem.Mesh, e fem.Elastic, v *fem.VonMises)) {
	for _, kind := range kinds {
		for _, c := range []struct {
			cells      []int
			kinematics fem.Kinematics
		}{{[]int{2, 2}, fem.PlaneStrain}, {[]int{2, 2}, fem.Axisymmetric}, {[]int{1, 2, 1}, fem.PlaneStrain}} {
			m, e := boxOf(t, kind, []float64{1, 0.7, 0.5}[:len(c.cells)], c.cells...), steel
			e.Kinematics = c.kinematics
			v, err := fem.NewVonMises(m, e, hard)
			if err != nil {
				t.Fatal(err)
			}
			visit(kind.Name(m.Dim)+", "+c.kinematics.String(), m, e, v)
		}
	}
}

func random(r *rand.Rand, n int, size float64) []float64 {
	u := make([]float64, n)
	for i := range u {
		u[i] = size * r.NormFloat64()
	}
	return u
}

// TestPlasticEnergy: the gradient is that of the energy, the tangent that of the gradient, and it is nowhere
// below what flow in all directions leaves: the energy is convex, whatever is remembered. What is
// remembered of a state is again the variables of that state, to the bit.
func TestPlasticEnergy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	yielding(t, func(name string, m *fem.Mesh, e fem.Elastic, v *fem.VonMises) {
		n := len(m.X)
		before := v.Relax(nil, random(r, n, 4e-3), make([]float64, v.Variables()))
		u, d := random(r, n, 4e-3), random(r, n, 1)
		after := v.Relax(nil, u, before)
		if again := v.Relax(nil, u, after); !slices.Equal(after, again) {
			t.Errorf("%s: the variables of a state are others when they are remembered", name)
		}
		a, err := fem.Stiffness(m, e)
		if err != nil {
			t.Fatal(err)
		}
		tangent, least := *a, *a
		tangent.Val, least.Val = slices.Clone(a.Val), slices.Clone(a.Val)
		v.Tangent(&tangent, u, before)
		v.Soften(&least)
		at := func(s float64) (energy, slope float64) {
			x, g, f := slices.Clone(u), make([]float64, n), make([]float64, n)
			for i := range x {
				x[i] += s * d[i]
			}
			a.MulVec(f, x)
			energy = v.Energy(g, x, before)
			for i := range x {
				energy += f[i] * x[i] / 2
				slope += (f[i] + g[i]) * d[i]
			}
			return energy, slope
		}
		form := func(of []float64) (sum float64) {
			b, f := *a, make([]float64, n)
			b.Val = of
			b.MulVec(f, d)
			for i := range f {
				sum += f[i] * d[i]
			}
			return sum
		}
		const h = 1e-7
		plus, slopePlus := at(h)
		minus, slopeMinus := at(-h)
		_, slope := at(0)
		near(t, name+": slope", (plus-minus)/(2*h), slope, 1e-6*form(a.Val)*4e-3)
		near(t, name+": curvature", (slopePlus-slopeMinus)/(2*h), form(tangent.Val), 1e-4*form(a.Val))
		if k := form(tangent.Val); !(k >= form(least.Val)) || !(k < 0.999*form(a.Val)) || !(form(least.Val) > 0) {
			t.Errorf("%s: curvature %g, of elasticity %g, least %g", name, k, form(a.Val), form(least.Val))
		}
		// far beyond what yields the least is what is left
		for i := range u {
			u[i] *= 1e4
		}
		far := *a
		far.Val = slices.Clone(a.Val)
		v.Tangent(&far, u, before)
		if k, least := form(far.Val), form(least.Val); !(k >= least && k <= 1.01*least) {
			t.Errorf("%s: far beyond yielding the curvature is %g, the least %g", name, k, least)
		}
		for i := range u {
			u[i] /= 1e4
		}
		s0, s1 := 4e-3*r.NormFloat64(), 4e-3*r.NormFloat64()
		_, g0 := at(s0)
		_, g1 := at(s1)
		if !((g1-g0)*(s1-s0) >= form(least.Val)*(s1-s0)*(s1-s0)*(1-1e-9)) {
			t.Errorf("%s: slopes %g at %g and %g at %g", name, g0, s0, g1, s1)
		}
		if f := v.Flow(u, u, after); f.Excess > 1e-13 || f.Work != 0 || f.Turned != 0 || !(f.Dissipated > 0) {
			t.Errorf("%s: at rest %+v", name, f)
		}
	})
}

// TestPlasticFlowTurns: a body that has yielded in tension and is then sheared, along a straight way of the
// strain e. The driving stress ξ stays on the yield surface and turns towards ė, with the angle ψ to it
//
//	tan ψ/2 = exp(−2μτ/k) tan ψ₀/2,   Ψ = k²/(2μ + K) ln cosh(2μτ/k) from ψ₀ = π/2,  τ = ∫|ė|
//
// (R. D. Krieg, D. B. Krieg, J. Pressure Vessel Technol. 99 (1977), and kinematic hardening, which changes
// the length of ṗ alone). Steps are off by the first order, and what they dissipate beyond a straight way
// of p by the second.
func TestPlasticFlowTurns(t *testing.T) {
	p := fem.Plasticity{Yield: 1e-3 * steel.Young, Hardening: 0.2 * steel.Young}
	m := boxOf(t, fem.Q1, []float64{1, 1, 1}, 1, 1, 1)
	v, err := fem.NewVonMises(m, steel, p)
	if err != nil {
		t.Fatal(err)
	}
	_, mu := steel.Lame(3)
	k, kinematic := math.Sqrt(2./3)*p.Yield, 2./3*p.Hardening
	place := func(tension, shear float64) []float64 {
		u := make([]float64, len(m.X))
		for i := range m.NumNodes() {
			x := m.Node(i)
			u[3*i], u[3*i+1], u[3*i+2] = tension*x[0]+2*shear*x[1], -tension/2*x[1], -tension/2*x[2]
		}
		return u
	}
	yield := k / (2 * mu * math.Sqrt(1.5)) // tension at which |ξ| = k
	const shear = 2e-3                     // √2 of it is τ
	tau := math.Sqrt2 * shear
	psi := 2 * math.Atan(math.Exp(-2*mu*tau/k))
	want := k * k / (2*mu + kinematic) * math.Log(math.Cosh(2*mu*tau/k))
	var angles, losses, turns []float64
	for _, steps := range []int{100, 200, 400} {
		list, u, turned, work := make([]float64, v.Variables()), place(yield, 0), 0.0, 0.0
		for i := 1; i <= steps; i++ {
			next := place(yield, shear*float64(i)/float64(steps))
			f := v.Flow(u, next, list)
			turned, work = turned+f.Turned, work+f.Work
			list, u = v.Relax(nil, next, list), next
		}
		e, xi := fem.Tensor{yield, -yield / 2, -yield / 2, shear}, fem.Tensor{}
		for c := range xi {
			xi[c] = 2*mu*(e[c]-list[c]) - kinematic*list[c]
		}
		near(t, "size of ξ", math.Sqrt(2./3)*xi.VonMises(), k, 1e-13*k)
		angles = append(angles, math.Acos(math.Sqrt2*xi[3]/k)-psi)
		losses, turns = append(losses, work-want), append(turns, turned)
	}
	near(t, "angle", angles[2], 0, 0.01*psi)
	near(t, "order of the angle", angles[1]/angles[2], 2, 0.1)
	near(t, "dissipation", losses[2], 0, 0.005*want)
	near(t, "order of the turned way", math.Log2(turns[1]/turns[2]), 2, 0.2)
}

// TestPlasticParameters: what is out of range is named; bars and plates in plane stress have no strain across.
func TestPlasticParameters(t *testing.T) {
	for _, c := range []struct {
		p    fem.Plasticity
		want string
	}{{fem.Plasticity{Hardening: 1}, "yield"}, {fem.Plasticity{Yield: math.Inf(1), Hardening: 1}, "yield"},
		{fem.Plasticity{Yield: 1}, "hardening"}, {fem.Plasticity{Yield: 1, Hardening: -1, Isotropic: 2}, "hardening"},
		{fem.Plasticity{Yield: 1, Hardening: 1, Isotropic: math.NaN()}, "isotropic"}} {
		if bad, is := errors.AsType[*fem.ParameterError](c.p.Validate()); !is || bad.Parameter != c.want {
			t.Errorf("%+v: %v, want %s", c.p, c.p.Validate(), c.want)
		}
	}
	thin := steel
	thin.Kinematics = fem.PlaneStress
	if _, err := fem.NewVonMises(boxOf(t, fem.Q1, []float64{1, 1}, 1, 1), thin, hard); err == nil {
		t.Error("plane stress yields")
	}
}
