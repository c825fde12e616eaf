package contact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// coneLaws are the laws of this package whose reactions form a cone.
func coneLaws() map[string]Law {
	return map[string]Law{
		"frictionless":  Frictionless{},
		"bilateral":     Bilateral{},
		"coulomb":       Coulomb{Mu: 0.5},
		"coulomb 0":     Coulomb{},
		"coulomb 100":   Coulomb{Mu: 100},
		"elliptic":      Coulomb{Mu: 0.7, Shape: NewShape([4]float64{1, 0.3, -0.2, 0.4})},
		"elliptic wide": Coulomb{Mu: 2, Shape: NewShape([4]float64{3, 0, 0, 0.1})},
		"one way":       Coulomb{Mu: 0.5, Shape: NewShape([4]float64{1, 0, 0, 0})},
		"rotated":       Coulomb{Mu: 0.5, Shape: NewShape([4]float64{0.6, 0.8, -0.8, 0.6})},
		"associated":    Associated{Mu: 0.3},
		"box":           Pyramid{Mu: 0.5},
		"hexagon":       Pyramid{Mu: 0.5, Facets: 6},
		"octagon":       Pyramid{Mu: 1.5, Facets: 8},
		"rectangle":     Pyramid{Mu: 0.5, Shape: NewShape([4]float64{2, 0, 0, 1})},
		"skew box":      Pyramid{Mu: 0.5, Shape: NewShape([4]float64{1, 0.3, -0.2, 0.4})},
		"mirrored":      Pyramid{Mu: 0.6, Facets: 8, Shape: NewShape([4]float64{0.2, 1, 0.7, 0.3})},
		"one way box":   Pyramid{Mu: 0.5, Facets: 6, Shape: NewShape([4]float64{1, 1, 0.5, 0.5})},
		"no shape":      Pyramid{Mu: 0.5, Shape: NewShape([4]float64{})},
		"flat pyramid":  Pyramid{Mu: 0, Facets: 12},
		"flat skew box": Pyramid{Mu: 0, Shape: NewShape([4]float64{1, 0.3, -0.2, 0.4})},
		"slippery box":  Pyramid{Mu: 1e-9, Facets: 6, Shape: NewShape([4]float64{1, 0.3, -0.2, 0.4})},
		"steep box":     Pyramid{Mu: 1e3, Shape: NewShape([4]float64{1, 0.3, -0.2, 0.4})},
		"slippery":      Coulomb{Mu: 1e-9, Shape: NewShape([4]float64{1, 0.3, -0.2, 0.4})},
		"steep":         Coulomb{Mu: 100, Shape: NewShape([4]float64{1, 0.3, -0.2, 0.4})},
	}
}

// TestProjectByHand compares with projections computed by hand.
func TestProjectByHand(t *testing.T) {
	half := Coulomb{Mu: 0.5}
	one := Coulomb{Mu: 1}
	cases := []struct {
		name    string
		law     Law
		p, want vec3
	}{
		{"inside", half, vec3{2, 0.6, 0.8}, vec3{2, 0.6, 0.8}},
		{"on the cone", half, vec3{2, 0.6, -0.8}, vec3{2, 0.6, -0.8}},
		{"apex", half, vec3{0, 0, 0}, vec3{}},
		{"polar", half, vec3{-2, 2.4, 3.2}, vec3{}},
		{"on the polar cone", half, vec3{-1, 2, 0}, vec3{}},
		// μ = 1: the boundary ray (1, e)/√2; (0, 2, 0) → (1, 1, 0).
		{"beside", one, vec3{0, 2, 0}, vec3{1, 1, 0}},
		{"beside, diagonal", one, vec3{0, 3, -4}, vec3{2.5, 1.5, -2}},
		{"below", one, vec3{-1, 3, 0}, vec3{1, 1, 0}},
		// r_N = (n + μt)/(1 + μ²) = (1 + 0.5·3.5)/1.25 = 2.2.
		{"half", half, vec3{1, 0, 3.5}, vec3{2.2, 0, 1.1}},
		{"no friction", Coulomb{}, vec3{1, 2, 3}, vec3{1, 0, 0}},
		{"no friction, pulled", Coulomb{}, vec3{-1, 2, 3}, vec3{}},
		{"two dimensions", half, vec3{1, -3.5, 0}, vec3{2.2, -1.1, 0}},
		{"box inside", Pyramid{Mu: 1}, vec3{1, 1, -1}, vec3{1, 1, -1}},
		{"box facet", Pyramid{Mu: 1}, vec3{0, 2, 0.5}, vec3{1, 1, 0.5}},
		{"box edge", Pyramid{Mu: 1}, vec3{0, 3, -3}, vec3{2, 2, -2}},
		{"box apex", Pyramid{Mu: 1}, vec3{-7, 3, 4}, vec3{}},
		{"box in the plane", Pyramid{Mu: 0.5}, vec3{1, -3.5, 0}, vec3{2.2, -1.1, 0}},
		// Slopes 2 and 1: (0, 5, 0.5) → s(1, 2) with s = 2; the corner has the ray (1, 2, 1).
		{"rectangle facet", Pyramid{Mu: 1, Shape: NewShape([4]float64{2, 0, 0, 1})}, vec3{0, 5, 0.5}, vec3{2, 4, 0.5}},
		{"rectangle edge", Pyramid{Mu: 1, Shape: NewShape([4]float64{2, 0, 0, 1})}, vec3{0, -6, 6}, vec3{3, -6, 3}},
		{"rectangle in the plane", Pyramid{Mu: 0.5, Shape: NewShape([4]float64{2, 0, 0, 1})}, vec3{0, 5, 0}, vec3{2.5, 2.5, 0}},
		{"flat skew box", Pyramid{Shape: NewShape([4]float64{1, 1, 0, 1})}, vec3{1, 2, 3}, vec3{1, 0, 0}},
		{"flat skew box, pulled", Pyramid{Shape: NewShape([4]float64{1, 1, 0, 1})}, vec3{-1, 2, 3}, vec3{}},
		{"bilateral", Bilateral{}, vec3{-1, 2, 3}, vec3{-1, 2, 3}},
		// Only the first tangent has friction: the cone is a plane sector.
		{"one way", Coulomb{Mu: 1, Shape: NewShape([4]float64{1, 0, 0, 0})}, vec3{0, 2, 5}, vec3{1, 1, 0}},
		// Semi-axes 2 and 1: on the long axis a cone of slope 2, (0, 5, 0) → s(1, 2, 0), s = 2.
		{"long axis", Coulomb{Mu: 1, Shape: NewShape([4]float64{2, 0, 0, 1})}, vec3{0, 5, 0}, vec3{2, 4, 0}},
		{"short axis", Coulomb{Mu: 1, Shape: NewShape([4]float64{2, 0, 0, 1})}, vec3{0, 0, 5}, vec3{2.5, 0, 2.5}},
	}
	for _, c := range cases {
		var got vec3
		c.law.Project(&got, nil, &c.p)
		for k := range 3 {
			if math.Abs(got[k]-c.want[k]) > 1e-14*(1+math.Abs(c.want[k])) {
				t.Errorf("%s: P(%v) = %v, want %v", c.name, c.p, got, c.want)
				break
			}
		}
	}
}

// TestCorrectionByHand compares de Saxcé terms.
func TestCorrectionByHand(t *testing.T) {
	u := vec3{9, 3, -4}
	for _, c := range []struct {
		law  Law
		want float64
	}{
		{Frictionless{}, 0}, {Bilateral{}, 0}, {Associated{Mu: 0.3}, 0},
		{Coulomb{Mu: 0.5}, 2.5},
		{Coulomb{Mu: 0.5, Shape: NewShape([4]float64{2, 0, 0, 1})}, 0.5 * math.Sqrt(52)},
		{Pyramid{Mu: 0.5}, 3.5},
		{Pyramid{Mu: 0.5, Shape: NewShape([4]float64{2, 0, 0, 1})}, 5},
		{Pyramid{Mu: 0.5, Shape: NewShape([4]float64{1, 1, 0, 1})}, 0.5 * (1 + 4)},
		{Pyramid{Mu: 1, Facets: 6}, 3*0.5 + 4*math.Sqrt(3)/2 + (4*0.5-3*math.Sqrt(3)/2)*-1/math.Sqrt(3)},
	} {
		if got := c.law.Correction(&u); math.Abs(got-c.want) > 1e-14*10 {
			t.Errorf("%v: correction %g, want %g", c.law, got, c.want)
		}
	}
}

func randomVec(rng *rand.Rand) vec3 {
	s := math.Exp(2 * rng.NormFloat64())
	return vec3{s * rng.NormFloat64(), s * rng.NormFloat64(), s * rng.NormFloat64()}
}

func dot(a, b vec3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// TestConeProperties checks what makes P the projection onto a closed convex
// cone K: Moreau's decomposition p = r − û with r ∈ K, û ∈ K*, r·û = 0, the
// idempotence, and the firm non-expansiveness; then the Jacobian.
func TestConeProperties(t *testing.T) {
	for name, law := range coneLaws() {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			for range 500 {
				p, q := randomVec(rng), randomVec(rng)
				var r, s, again vec3
				law.Project(&r, nil, &p)
				law.Project(&s, nil, &q)
				law.Project(&again, nil, &r)
				scale := 1 + dot(p, p) + dot(q, q)
				u := vec3{r[0] - p[0], r[1] - p[1], r[2] - p[2]}
				v := vec3{s[0] - q[0], s[1] - q[1], s[2] - q[2]}
				if d := (vec3{again[0] - r[0], again[1] - r[1], again[2] - r[2]}); dot(d, d) > 1e-24*scale {
					t.Fatalf("P(P(%v)) = %v, P = %v", p, again, r)
				}
				if math.Abs(dot(r, u)) > 1e-12*scale {
					t.Fatalf("p = %v: r·û = %g", p, dot(r, u))
				}
				if dot(s, u) < -1e-12*scale { // û ∈ K*, tested with another element of K
					t.Fatalf("p = %v: û = %v is not dual: %g with %v", p, u, dot(s, u), s)
				}
				d := vec3{r[0] - s[0], r[1] - s[1], r[2] - s[2]}
				e := vec3{p[0] - q[0], p[1] - q[1], p[2] - q[2]}
				if dot(d, e) < dot(d, d)-1e-12*scale {
					t.Fatalf("not firmly non-expansive at %v, %v", p, q)
				}
				_ = v
			}
		})
	}
}

// TestConeJacobians compares with central differences, at smooth points: where
// two steps of differences agree.
func TestConeJacobians(t *testing.T) {
	for name, law := range coneLaws() {
		t.Run(name, func(t *testing.T) {
			rng, smooth := rand.New(rand.NewPCG(3, 4)), 0
			for range 300 {
				p := vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
				var r vec3
				var jac mat3
				law.Project(&r, &jac, &p)
				a, b := difference(law, p, 1e-5), difference(law, p, 3e-6)
				if size := distance(a, b); size > 1e-7 {
					continue
				}
				smooth++
				if d := distance(a, jac); d > 1e-5 {
					t.Fatalf("p = %v: jacobian %v, differences %v", p, jac, a)
				}
			}
			if smooth < 200 {
				t.Fatalf("only %d smooth points", smooth)
			}
		})
	}
}

func difference(law Law, p vec3, h float64) (m mat3) {
	for k := range 3 {
		var a, b vec3
		q := p
		q[k] += h
		law.Project(&a, nil, &q)
		q[k] = p[k] - h
		law.Project(&b, nil, &q)
		for i := range 3 {
			m[3*i+k] = (a[i] - b[i]) / (2 * h)
		}
	}
	return m
}

func distance(a, b mat3) (d float64) {
	for k := range a {
		d = max(d, math.Abs(a[k]-b[k]))
	}
	return d
}

// TestPyramidTendsToCone: the polygon of many facets is the circle.
func TestPyramidTendsToCone(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		p := randomVec(rng)
		var a, b vec3
		Coulomb{Mu: 0.6}.Project(&a, nil, &p)
		Pyramid{Mu: 0.6, Facets: 4096}.Project(&b, nil, &p)
		for k := range 3 {
			if math.Abs(a[k]-b[k]) > 3e-3*math.Sqrt(dot(p, p)) {
				t.Fatalf("P(%v): cone %v, 4096 facets %v", p, a, b)
			}
		}
	}
}

// TestCorrectionIsSupport: û = u + g(u)e_N with u_N = 0 is on the boundary of K*:
// −û projects on zero, and no longer so with a millionth less of u_N.
func TestCorrectionIsSupport(t *testing.T) {
	for name, law := range coneLaws() {
		switch law.(type) {
		case Coulomb, Pyramid:
		default:
			continue
		}
		rng := rand.New(rand.NewPCG(7, 8))
		for range 200 {
			u := randomVec(rng)
			u[0] = 0
			g := law.Correction(&u)
			size := math.Sqrt(dot(u, u))
			var r vec3
			dual := vec3{-g, -u[1], -u[2]}
			if law.Project(&r, nil, &dual); math.Sqrt(dot(r, r)) > 1e-12*size {
				t.Fatalf("%s: û of u = %v is not dual: −û projects on %v", name, u, r)
			}
			dual[0] += 1e-6 * (g + size)
			if law.Project(&r, nil, &dual); r[0] <= 0 {
				t.Fatalf("%s: û of u = %v is inside K*", name, u)
			}
		}
	}
}

func TestLawValidation(t *testing.T) {
	for k, law := range []Law{
		Coulomb{Mu: -1}, Coulomb{Mu: math.NaN()}, Coulomb{Mu: math.Inf(1)}, Associated{Mu: -1}, Pyramid{Mu: -1},
		Pyramid{Facets: 5}, Pyramid{Facets: 2}, Pyramid{Facets: -4}, Coulomb{Mu: 1e5, Shape: NewShape([4]float64{1e5, 0, 0, 1})},
	} {
		if law.Validate() == nil {
			t.Errorf("case %d: %v is accepted", k, law)
		}
	}
	for name, law := range coneLaws() {
		if err := law.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOneContact holds the local solver of Gauss-Seidel against its law on
// random blocks, also unsymmetric and singular ones.
func TestOneContact(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for k := range 2000 {
		a := randomBlock(rng, k%4)
		b := vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		if b[0] < 0 && a[0] < 1e-10 {
			continue
		}
		mu := []float64{0, 0.1, 0.5, 1, 0.3}[k%5]
		if k%4 == 1 && jams(&a, &b, []float64{0, 0.1, 0.5, 1, 0.3}[k%5]) {
			continue
		}
		r := vec3{}
		SolveOne(&r, 3, &a, &b, mu)
		u := num.Affine(&a, &r, &b)
		law := Coulomb{Mu: mu}
		e := form.ResidualAt(law, &[3]vec3{u, r}, 1)
		if e > 1e-8*(1+math.Sqrt(dot(r, r))) {
			t.Fatalf("%d: A = %v, b = %v, μ = %g: r = %v leaves %g", k, a, b, mu, r, e)
		}
	}
}

// jams reports whether a singular block has a reaction m in the cone with
// A m = 0 that works against b: the contact may then have no solution.
func jams(a *mat3, b *vec3, mu float64) bool {
	x, y := vec3{a[0], a[1], a[2]}, vec3{a[3], a[4], a[5]}
	m := vec3{x[1]*y[2] - x[2]*y[1], x[2]*y[0] - x[0]*y[2], x[0]*y[1] - x[1]*y[0]}
	if m[0] < 0 {
		m = vec3{-m[0], -m[1], -m[2]}
	}
	return math.Hypot(m[1], m[2]) <= mu*m[0] && dot(m, *b) < 0
}

// randomBlock returns GᵀG of unit mean diagonal, regular, of rank 2, or
// slightly unsymmetric.
func randomBlock(rng *rand.Rand, kind int) (a mat3) {
	var g mat3
	for k := range g {
		g[k] = rng.NormFloat64()
	}
	if kind == 1 {
		g[6], g[7], g[8] = 0, 0, 0
	}
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				a[3*i+j] += g[3*k+i] * g[3*k+j]
			}
		}
	}
	if kind == 2 {
		a[1] += 1e-3
		a[3] -= 1e-3
	}
	f := 3 / (a[0] + a[4] + a[8])
	for k := range a {
		a[k] *= f
	}
	return a
}

func TestInvert3(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 1000 {
		var a, inv, prod mat3
		for k := range a {
			a[k] = rng.NormFloat64() * math.Pow(10, float64(3*(k/3))) // rows of different size
		}
		if !num.Invert3(&inv, &a) {
			t.Fatalf("%v counts as singular", a)
		}
		num.Mul3(&prod, &inv, &a)
		if d := distance(prod, mat3{1, 0, 0, 0, 1, 0, 0, 0, 1}); d > 1e-9 {
			t.Fatalf("A⁻¹A is %g off the identity for %v", d, a)
		}
	}
	for _, a := range []mat3{{}, {1, 1, 0, 1, 1, 0, 0, 0, 1}, {math.NaN()}, {1, 2, 3, 2, 4, 6, 0, 0, 1}} {
		if num.Invert3(&mat3{}, &a) {
			t.Error(fmt.Sprint(a, " counts as regular"))
		}
	}
}
