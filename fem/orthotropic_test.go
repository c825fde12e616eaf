package fem_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/fem"
)

// wood is a spruce of which all constants differ, turned by an angle.
func wood(dim int, k fem.Kinematics, angle float64) fem.Elastic {
	o := &fem.Orthotropic{Young: []float64{110, 9, 5}, Poisson: []float64{.4, .35, .45}, Shear: []float64{7, 6, .4}, Angle: angle}
	if dim == 2 {
		o.Shear = o.Shear[:1]
	}
	if k == fem.PlaneStress {
		o.Young, o.Poisson = o.Young[:2], o.Poisson[:1]
	}
	return fem.Elastic{Orthotropic: o, Kinematics: k}
}

// eachMesh visits those of all elements and kinematics, their inner nodes anywhere.
func eachMesh(t *testing.T, visit func(name string, m *fem.Mesh, k fem.Kinematics)) {
	for _, kind := range []fem.Kind{fem.P1, fem.P2, fem.Q1} {
		for _, k := range []fem.Kinematics{fem.PlaneStrain, fem.PlaneStress, fem.Axisymmetric} {
			m := boxOf(t, kind, []float64{1, .7}, 3, 3)
			if kind == fem.P1 {
				shake(m, .1)
			}
			visit(fmt.Sprintf("%s, %s", kind, k), m, k)
		}
		visit(kind.String()+" in space", boxOf(t, kind, []float64{1, .7, .4}, 2, 2, 2), fem.PlaneStrain)
	}
}

// TestOrthotropicPatch: under one stress everywhere the strain is that of the engineering constants in the axes of the
// material [Jones99] (2.15), turned by hand; elements of it have that stress and energy, and no force is left within.
func TestOrthotropicPatch(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	eachMesh(t, func(name string, m *fem.Mesh, k fem.Kinematics) {
		if k == fem.Axisymmetric {
			return // of which an affine field has no uniform hoop: TestOrthotropicIsIsotropic, TestOrthotropicRing
		}
		angle := 2 * r.Float64()
		e, full := wood(m.Dim, k, angle), wood(3, fem.PlaneStrain, 0).Orthotropic
		strain := mat.NewDense(3, 3, nil)
		for i := range m.Dim {
			for j := range i + 1 {
				x := r.NormFloat64()
				strain.Set(i, j, x)
				strain.Set(j, i, x)
			}
		}
		sin, cos := math.Sincos(angle)
		turn := mat.NewDense(3, 3, []float64{cos, sin, 0, -sin, cos, 0, 0, 0, 1}) // rows: axes of the material
		var own, stress mat.Dense
		own.Product(turn, strain, turn.T())
		y, nu, g := full.Young, full.Poisson, full.Shear
		compliance := mat.NewDense(3, 3, []float64{1 / y[0], -nu[0] / y[0], -nu[1] / y[0], -nu[0] / y[0], 1 / y[1], -nu[2] / y[1],
			-nu[1] / y[0], -nu[2] / y[1], 1 / y[2]})
		n := 3
		if k == fem.PlaneStress {
			n = 2
		}
		var normal mat.VecDense
		if err := normal.SolveVec(compliance.Slice(0, n, 0, n), mat.NewVecDense(n, []float64{own.At(0, 0), own.At(1, 1), own.At(2, 2)}[:n])); err != nil {
			t.Fatal(err)
		}
		s := mat.NewDense(3, 3, nil)
		for i := range n {
			s.Set(i, i, normal.AtVec(i))
		}
		for i, at := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
			x := 2 * g[i] * own.At(at[0], at[1])
			s.Set(at[0], at[1], x)
			s.Set(at[1], at[0], x)
		}
		stress.Product(turn.T(), s, turn)
		var u []float64
		var field [3][3]float64
		for i := range 3 {
			for j := range 3 {
				field[i][j] = strain.At(i, j)
			}
		}
		u = affine(m, field)
		for _, list := range [][]fem.Tensor{fem.Stresses(m, e, u), fem.StressesAtNodes(m, e, u)} {
			for _, got := range list {
				for i, at := range [6][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}} {
					near(t, fmt.Sprintf("%s: stress %d", name, i), got[i], stress.At(at[0], at[1]), 1e-11)
				}
			}
		}
		a, err := fem.Stiffness(m, e)
		if err != nil {
			t.Fatal(err)
		}
		force, edge, energy := make([]float64, a.N), map[int]bool{}, 0.0
		for _, i := range boundary(m) {
			edge[i] = true
		}
		a.MulVec(force, u)
		for i, f := range force {
			if energy += f * u[i]; !edge[i/m.Dim] {
				near(t, name+": force within", f, 0, 1e-12*110)
			}
		}
		want, volume := 0.0, []float64{2: .7, 3: .28}[m.Dim]
		for i := range 3 {
			for j := range 3 {
				want += volume * stress.At(i, j) * strain.At(i, j)
			}
		}
		near(t, name+": energy", energy, want, 1e-11*math.Abs(want))
	})
}

// TestOrthotropicIsIsotropic: of equal constants, at any angle, stiffness and stress are those of E and ν, of all
// elements and kinematics.
func TestOrthotropicIsIsotropic(t *testing.T) {
	const young, nu = 1000., .3
	r := rand.New(rand.NewPCG(9, 10))
	eachMesh(t, func(name string, m *fem.Mesh, k fem.Kinematics) {
		e, g := wood(m.Dim, k, 1.1), young/(2*(1+nu))
		copy(e.Orthotropic.Young, []float64{young, young, young})
		copy(e.Orthotropic.Poisson, []float64{nu, nu, nu})
		copy(e.Orthotropic.Shear, []float64{g, g, g})
		one, err := fem.Stiffness(m, e)
		if err != nil {
			t.Fatal(err)
		}
		same := fem.Elastic{Young: young, Poisson: nu, Kinematics: k}
		two, err := fem.Stiffness(m, same)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range two.Val {
			near(t, name, one.Val[i], x, 1e-11*young)
		}
		u := make([]float64, len(m.X))
		for i := range u {
			u[i] = r.NormFloat64()
		}
		want := fem.Stresses(m, same, u)
		for i, s := range fem.Stresses(m, e, u) {
			for c := range s {
				near(t, name+": stress", s[c], want[i][c], 1e-10*young)
			}
		}
		near(t, name, e.Incompressibility(), same.Incompressibility(), 1e-15)
	})
}

// TestOrthotropicRing: a ring that widens and grows longer has one strain everywhere, and its hoop is along axis 3.
func TestOrthotropicRing(t *testing.T) {
	e := wood(2, fem.Axisymmetric, 0)
	const a, b = .01, -.02
	strain := []float64{a, b, a}
	y, nu := e.Orthotropic.Young, e.Orthotropic.Poisson
	for _, kind := range []fem.Kind{fem.P1, fem.P2, fem.Q1} {
		m := boxOf(t, kind, []float64{2, 1}, 2, 2)
		for _, s := range fem.Stresses(m, e, affine(m, [3][3]float64{{a}, {0, b}})) {
			near(t, kind.String(), s[0]/y[0]-nu[0]*s[1]/y[0]-nu[1]*s[2]/y[0], strain[0], 1e-14)
			near(t, kind.String(), s[1]/y[1]-nu[0]*s[0]/y[0]-nu[2]*s[2]/y[1], strain[1], 1e-14)
			near(t, kind.String(), s[2]/y[2]-nu[1]*s[0]/y[0]-nu[2]*s[1]/y[1], strain[2], 1e-14)
		}
	}
}

// TestOrthotropicFaults: constants of which some strain has no energy are refused, those next to them are not; so are
// materials where isotropic ones are wanted.
func TestOrthotropicFaults(t *testing.T) {
	for text, change := range map[string]func(e *fem.Elastic){
		"":                        func(e *fem.Elastic) { e.Orthotropic.Poisson[0] = 2 }, // √(110/9) = 3.496
		"ν_12 is 3.5, want less":  func(e *fem.Elastic) { e.Orthotropic.Poisson[0] = 3.5 },
		"want more than 0":        func(e *fem.Elastic) { copy(e.Orthotropic.Poisson, []float64{2, 2, 1}) },
		"a modulus is 0":          func(e *fem.Elastic) { e.Orthotropic.Shear[2] = 0 },
		"a modulus is NaN":        func(e *fem.Elastic) { e.Orthotropic.Young[0] = math.NaN() },
		"ν_13 is NaN":             func(e *fem.Elastic) { e.Orthotropic.Poisson[1] = math.NaN() },
		"the angle is +Inf":       func(e *fem.Elastic) { e.Orthotropic.Angle = math.Inf(1) },
		"want 3, 3 and 3":         func(e *fem.Elastic) { e.Orthotropic.Shear = e.Orthotropic.Shear[:1] },
		"moduli of its own":       func(e *fem.Elastic) { e.Poisson = .3 },
		"needs a mesh of dimensi": func(e *fem.Elastic) { e.Kinematics = fem.PlaneStress },
	} {
		e := wood(3, fem.PlaneStrain, .3)
		change(&e)
		if err := e.Validate(3); (err == nil) != (text == "") || err != nil && !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
	m, e := box(t, []float64{1, 1}, 1, 1), wood(2, fem.PlaneStrain, 0)
	_, hyper := fem.NewHyperelastic(m, e, fem.NeoHookean{Mu: 1})
	_, yields := fem.NewVonMises(m, e, fem.Plasticity{Yield: 1, Hardening: 1})
	_, bound := fem.NewBound(t.Context(), fem.BoundOptions{Mesh: m, Material: e})
	for _, err := range []error{hyper, yields, bound} {
		if err == nil || !strings.Contains(err.Error(), "orthotropic") {
			t.Errorf("an orthotropic body: %v", err)
		}
	}
	if err := e.Validate(1); err == nil {
		t.Error("an orthotropic bar")
	}
}
