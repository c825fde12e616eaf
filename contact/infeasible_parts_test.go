package contact

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"testing"
)

// unsymmetricProblem has a W that is not its transpose and laws of all sets of admissible velocities.
func unsymmetricProblem(rng *rand.Rand, nc int) *Local {
	p := randomProblem(rng, 3, nc, 3*nc-2, func() Law {
		return []Law{Coulomb{Mu: 0.4}, Associated{Mu: 0.5}, Bilateral{}, Frictionless{}}[rng.IntN(4)]
	})
	d := p.W.(*Dense)
	for i := range d.Val {
		d.Val[i] += 0.1 * rng.NormFloat64()
	}
	return p
}

// TestRayParts: d = P_C(u) − u of each law, with C the admissible velocities, its derivative, the step by the normal equations
// WᵀBW δ = Wᵀd, and the search to where the slope of ½‖d‖² vanishes.
func TestRayParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(121, 8))
	inner := 0
	for k := range 40 {
		p := unsymmetricProblem(rng, 1+k%4)
		s := startRun(p, 1e-9)
		c, ws := s.c, s.ws
		n := c.nc
		full := make([]float64, 9*n*n)
		for i := range n {
			for at := c.ptr[i]; at < c.ptr[i+1]; at++ {
				for a := range 9 {
					full[(3*i+a/3)*3*n+3*int(c.col[at])+a%3] = c.blk[at][a]
				}
			}
		}
		x := make([]vec3, n)
		for j := range x {
			x[j] = randomVec(rng)
		}
		y, z := make([]vec3, n), make([]vec3, n)
		c.product(y, x)
		c.transposed(z, x)
		for i := range 3 * n {
			a, b := 0.0, 0.0
			for l := range 3 * n {
				a += full[i*3*n+l] * x[l/3][l%3]
				b += full[l*3*n+i] * x[l/3][l%3]
			}
			if math.Abs(a-y[i/3][i%3]) > 1e-13*(1+math.Abs(a)) || math.Abs(b-z[i/3][i%3]) > 1e-13*(1+math.Abs(b)) {
				t.Fatalf("row %d of W x is %g, want %g, of Wᵀx %g, want %g", i, y[i/3][i%3], a, z[i/3][i%3], b)
			}
		}
		u := make([]vec3, n)
		for j := range u {
			u[j] = randomVec(rng)
		}
		sum := 0.0
		size := c.rayResidual(ws, u)
		d, b := append([]vec3(nil), ws.d...), append([]mat3(nil), ws.b...)
		for j := range u {
			want := vec3{max(-u[j][0], 0)}
			switch c.kind[j] {
			case form.KindBilateral:
				want = vec3{-u[j][0], -u[j][1], -u[j][2]}
			case form.KindAssociated: // C = {u_N ≥ μ‖u_T‖}
				mu, slip := c.mu[j], math.Hypot(u[j][1], u[j][2])
				foot := u[j]
				if u[j][0] < mu*slip {
					if a := (mu*u[j][0] + slip) / (1 + mu*mu); a > 0 {
						foot = vec3{mu * a, a * u[j][1] / slip, a * u[j][2] / slip}
					} else {
						foot = vec3{}
					}
				}
				want = vec3{foot[0] - u[j][0], foot[1] - u[j][1], foot[2] - u[j][2]}
			}
			for i := range 3 {
				if math.Abs(d[j][i]-want[i]) > 1e-14 {
					t.Errorf("%v: d = %v of u = %v, want %v", c.kind[j], d[j], u[j], want)
				}
				sum += want[i] * want[i]
				const h = 1e-6
				v := append([]vec3(nil), u...)
				v[j][i] += h
				c.rayResidual(ws, v)
				plus := ws.d[j]
				v[j][i] -= 2 * h
				c.rayResidual(ws, v)
				for l := range 3 {
					if got, diff := b[j][3*l+i], -(plus[l]-ws.d[j][l])/(2*h); math.Abs(got-diff) > 1e-5 {
						t.Errorf("%v: ∂d_%d/∂u_%d is %g, by differences %g", c.kind[j], l, i, -got, -diff)
					}
				}
			}
		}
		if math.Abs(size-math.Sqrt(sum)) > 1e-14*size {
			t.Errorf("‖d‖ = %g, want %g", size, math.Sqrt(sum))
		}
		c.rayResidual(ws, u)
		step := make([]vec3, n)
		c.rayStep(ws, step)
		c.rayResidual(ws, u)
		c.product(y, step)
		for j := range y {
			y[j] = num.MulVec3(&ws.b[j], &y[j])
		}
		left, right := make([]vec3, n), make([]vec3, n)
		c.transposed(left, y)
		c.transposed(right, ws.d)
		for j := range left {
			for i := range 3 {
				if math.Abs(left[j][i]-right[j][i]) > 1e-7*(1e-3+math.Sqrt(dot3(right, right))) { // conjugate gradients of a condition of 1e6
					t.Errorf("problem %d: row %d of the normal equations: %g, want %g", k, 3*j+i, left[j][i], right[j][i])
				}
			}
		}
		// The search along any way.
		motion := make([]vec3, n)
		for j := range step {
			step[j] = randomVec(rng)
		}
		c.product(motion, step)
		slope := func(a float64) float64 {
			at := make([]vec3, n)
			c.velocity(at, x)
			for j := range at {
				for i := range 3 {
					at[j][i] += a * motion[j][i]
				}
			}
			c.rayResidual(ws, at)
			return -dot3(ws.d, motion)
		}
		first, last := slope(0), slope(1)
		a := c.raySearch(ws, x, motion)
		switch {
		case last <= 0 || first >= 0:
			if a != 1 {
				t.Errorf("problem %d: slopes %g to %g: a step of %g", k, first, last, a)
			}
		default:
			inner++
			if at := slope(a); !(a >= 0 && a < 1) || math.Abs(at) > 1e-10*(math.Abs(first)+math.Abs(last)) {
				t.Errorf("problem %d: slopes %g to %g, %g at %g", k, first, last, at, a)
			}
		}
	}
	if inner < 5 {
		t.Errorf("%d searches ended inside", inner)
	}
	// On the edge the derivative is that of the violated side.
	s := startRun(unit(Frictionless{}, 0, 0, 0), 1e-9)
	if s.c.rayResidual(s.ws, []vec3{{}}) != 0 || s.ws.b[0][0] != 1 {
		t.Errorf("on the edge ∂d = %v", s.ws.b[0])
	}
}

// TestCertifiesByHand: what proves that there is no solution: in the dual of the admissible velocities, q·d < 0, Wᵀd = 0, to 1e-9, in
// any units.
func TestCertifiesByHand(t *testing.T) {
	jam := func(q ...float64) *Local { // a contact that nothing moves, beside one that is free
		return &Local{W: diagonal(3, 0, 0, 0, 4, 4, 4), Q: append(q, -1, 0, 0), Laws: []Law{Coulomb{Mu: 0.5}, Frictionless{}}}
	}
	associated := jam(-1, 0, 0)
	associated.Laws[0] = Associated{Mu: 0.5}
	bilateral := jam(0, -1, 0)
	bilateral.Laws[0] = Bilateral{}
	leaky := jam(-1, 0, 0)
	w := leaky.W.(*Dense)
	for _, c := range []struct {
		what string
		p    *Local
		leak float64
		d    []float64
		want bool
	}{
		{"a ray", jam(-1, 0, 0), 0, []float64{1, 0, 0, 0, 0, 0}, true},
		{"of any size", jam(-1, 0, 0), 0, []float64{1e9, 0, 0, 0, 0, 0}, true},
		{"and small", jam(-1e-9, 0, 0), 0, []float64{1e-9, 0, 0, 0, 0, 0}, true},
		{"pulls", jam(1, 0, 0), 0, []float64{-1, 0, 0, 0, 0, 0}, false},
		{"of no power", jam(0, -1, 0), 0, []float64{1, 0, 0, 0, 0, 0}, false},
		{"the wrong way", jam(1, 0, 0), 0, []float64{1, 0, 0, 0, 0, 0}, false},
		{"tangential", jam(0, -1, 0), 0, []float64{0, 1, 0, 0, 0, 0}, false},
		{"tangential in rounding", jam(-1, 0, 0), 0, []float64{1, 0.9e-9, 0, 0, 0, 0}, true},
		{"tangential beyond it", jam(-1, 0, 0), 0, []float64{1, 0, 1.1e-9, 0, 0, 0}, false},
		{"negative in rounding", jam(-1, 0, 0), 0, []float64{1, 0, 0, -0.9e-11, 0, 0}, true},
		{"moves something", jam(-1, 0, 0), 0, []float64{1, 0, 0, 1, 0, 0}, false},
		{"not a number", jam(-1, 0, 0), 0, []float64{1, math.NaN(), 0, 0, 0, 0}, false},
		{"infinite", jam(-1, 0, 0), 0, []float64{math.Inf(1), 0, 0, 0, 0, 0}, false},
		{"in the cone", associated, 0, []float64{1, 0.4, 0, 0, 0, 0}, true},
		{"outside the cone", associated, 0, []float64{1, 0.6, 0, 0, 0, 0}, false},
		{"any at a joint", bilateral, 0, []float64{0, 1, 0, 0, 0, 0}, true},
		// ‖ρ^½ Wᵀd‖ ‖ρ^½ q‖ of 1e-9 |q·d|: ρ = 3/leak there and 1/4 beside it, ‖ρ^½ q‖ = √(3/leak) nearly.
		{"with a mobility", leaky, 1, []float64{1, 0, 0, 0, 0, 0}, false},
		{"with little", leaky, 1e-12, []float64{1, 0, 0, 0, 0, 0}, false},
	} {
		if c.p == leaky {
			w.Val[0] = c.leak
		}
		if got := Certifies(c.p, c.d); got != c.want {
			t.Errorf("%s: %t", c.what, got)
		}
	}
	// What W stores of the couplings: Wᵀd small beside q·d.
	for _, c := range []struct {
		off  float64
		want bool
	}{{0, true}, {0.9, true}, {1.1, false}} {
		p := &Local{W: diagonal(3, 1, 1, 1, 1, 1, 1), Q: []float64{-1, 0, 0, -1, 0, 0}, Laws: []Law{Frictionless{}, Frictionless{}}}
		m := p.W.(*Dense)
		m.Val[0], m.Val[3], m.Val[18], m.Val[21] = 1, -1, -1, 1 // d = (1, 0, 0, 1, 0, 0) moves nothing
		m.Val[0] += 1e-9 * c.off * math.Sqrt2                   // Wᵀd = (1e-9 c √2, …), ‖q‖ = √2, q·d = −2, ρ = 1
		if got := Certifies(p, []float64{1, 0, 0, 1, 0, 0}); got != c.want {
			t.Errorf("a coupling off by %g: %t", c.off, got)
		}
	}
	soft := jam(-1, 0, 0)
	soft.Laws[0] = Compliant{Law: Coulomb{Mu: 0.5}, Compliance: 1e-3, Gap: 0}
	if Certifies(soft, []float64{1, 0, 0, 0, 0, 0}) {
		t.Error("behind a spring")
	}
	soft.Laws[0] = Compliant{Law: Coulomb{Mu: 0.5}, Gap: -2}
	soft.Q[0] = 1
	if !Certifies(soft, []float64{1, 0, 0, 0, 0, 0}) {
		t.Error("behind a spring without compliance, pressed by its offset")
	}
	if Certifies(unit(Rolling{Mu: 1}, -1, 0, 0, 0), []float64{1, 0, 0, 0}) {
		t.Error("with moments")
	}
	h := &Jacobian{Dim: 3, Rows: 2, Ptr: []int{0, 2, 3}, Row: []int{0, 1, 0}, Val: []float64{1, 0, 0, 2, 0, 0, -3, 0, 0}}
	for _, c := range []struct {
		d    []float64
		tol  float64
		want bool
	}{{[]float64{0, 1, 1, 0, 0, 0}, 0, true}, {[]float64{3, 0, 0, 1, 0, 0}, 0.1, false}, {[]float64{3, 0, 0, 1, 0, 0}, 3.01, true}, {[]float64{3, 0, 0, 1, 0, 0}, 2.99, false}, {[]float64{1, 0, 0, 1, 0, 0}, 1.01, true}, {[]float64{0, 0, 0, 1, 0, 0}, 0.74, false}, {[]float64{0, 0, 0, 1, 0, 0}, 0.76, true}, {[]float64{math.NaN(), 0, 0, 0, 0, 0}, 1, false}} {
		if got := annihilates(h, c.d, c.tol); got != c.want {
			t.Errorf("H d of d = %v to %g: %t", c.d, c.tol, got)
		}
	}
	for _, c := range []struct {
		l         Law
		x, projed vec3
	}{{Coulomb{Mu: 1}, vec3{1, 2, 3}, vec3{1, 0, 0}}, {Coulomb{Mu: 1}, vec3{-1, 2, 3}, vec3{}}, {Bilateral{}, vec3{-1, 2, 3}, vec3{-1, 2, 3}}, {Associated{Mu: 1}, vec3{0, 2, 0}, vec3{1, 1, 0}}, {Tresca{Threshold: 5}, vec3{2, 1, 0}, vec3{2, 0, 0}}} {
		var y vec3
		if rayProject(c.l, &y, &c.x); math.Abs(y[0]-c.projed[0])+math.Abs(y[1]-c.projed[1])+math.Abs(y[2]-c.projed[2]) > 1e-15 {
			t.Errorf("%T: %v, want %v", c.l, y, c.projed)
		}
	}
}
