package halfspace

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// pointStress is Boussinesq's and Cerruti's solution for unit forces at the origin,
// from Johnson's displacements by central differences of the potentials' closed
// form: an independent route to the kernels.
func pointStress(x, y, z, nu float64) (s [3]Tensor) {
	// Displacements times 4πG; [Johnson85, (3.18), (3.75)].
	u := func(c int, x, y, z float64) [3]float64 {
		r := math.Sqrt(x*x + y*y + z*z)
		if c == N {
			return [3]float64{
				x*z/(r*r*r) - (1-2*nu)*x/(r*(r+z)),
				y*z/(r*r*r) - (1-2*nu)*y/(r*(r+z)),
				z*z/(r*r*r) + 2*(1-nu)/r,
			}
		}
		if c == Y {
			x, y = y, x
		}
		v := [3]float64{
			1/r + x*x/(r*r*r) + (1-2*nu)*(1/(r+z)-x*x/(r*(r+z)*(r+z))),
			x*y/(r*r*r) - (1-2*nu)*x*y/(r*(r+z)*(r+z)),
			x*z/(r*r*r) + (1-2*nu)*x/(r*(r+z)),
		}
		if c == Y {
			v[0], v[1] = v[1], v[0]
		}
		return v
	}
	h := 1e-4 * math.Sqrt(x*x+y*y+z*z)
	for c := range 3 {
		var g [3][3]float64
		for d, step := range [3][3]float64{{h, 0, 0}, {0, h, 0}, {0, 0, h}} {
			p, q := u(c, x+step[0], y+step[1], z+step[2]), u(c, x-step[0], y-step[1], z-step[2])
			for i := range 3 {
				g[i][d] = (p[i] - q[i]) / (2 * h)
			}
		}
		// σ = λ div u + G(∇u + ∇uᵀ), over 4πG.
		div := 2 * nu / (1 - 2*nu) * (g[0][0] + g[1][1] + g[2][2])
		f := 1 / (4 * math.Pi)
		s[c] = Tensor{f * (div + 2*g[0][0]), f * (div + 2*g[1][1]), f * (div + 2*g[2][2]), f * (g[0][1] + g[1][0]),
			f * (g[1][2] + g[2][1]), f * (g[0][2] + g[2][0])}
	}
	return s
}

// TestPatchStress: uniform patches against an integral of point forces.
func TestPatchStress(t *testing.T) {
	const a, b, nu, n = 0.5, 0.3, 0.28, 60
	for _, at := range [][3]float64{{0.9, 0.2, 0.6}, {-0.1, 0.05, 0.5}, {-1.5, -0.9, 0.3}, {0.2, -2, 1}, {0, 0, 2}} {
		var want [3]Tensor
		for i := range n {
			for j := range n {
				p := pointStress(at[0]-a+2*a*(float64(i)+0.5)/n, at[1]-b+2*b*(float64(j)+0.5)/n, at[2], nu)
				for c := range want {
					for k := range want[c] {
						want[c][k] += p[c][k] * 4 * a * b / (n * n)
					}
				}
			}
		}
		got := patchStress(at[0], at[1], at[2], a, b, nu)
		for c := range want {
			for k := range want[c] {
				near(t, "stress", got[c][k], want[c][k], 1e-4) // of the midpoint rule, (a/60z)²
			}
		}
	}
}

// TestStressUnderSurface: at the surface the stress is the traction, inside and out.
func TestStressUnderSurface(t *testing.T) {
	for _, at := range [][3]float64{{0.1, 0.1, 1}, {0.7, 0.1, 0}} {
		s := patchStress(at[0], at[1], 0, 0.5, 0.3, 0.3)
		near(t, "σzz", s[N][2], -at[2], 1e-15)
		near(t, "σzx", s[X][5], -at[2], 1e-15)
		near(t, "σyz", s[Y][4], -at[2], 1e-15)
		near(t, "σzx of pressure", s[N][5], 0, 1e-15)
		near(t, "σzz of friction", s[X][2], 0, 1e-15)
	}
}

// TestHertzStress: below a sphere with ν = .3 the largest stress of von Mises is
// .620 p₀ at .481 a ([Johnson85], 4.2: shear .310 p₀ at .48 a); planes are the sums
// over elements.
func TestHertzStress(t *testing.T) {
	c, _ := ElasticOnRigid(Elastic{Young: 0.91, Poisson: 0.3})
	g := Centred(65, 65, 0.24/65, 0.24/65)
	s := NewSolver(newTestOperator(t, g, Patches{c}), nil)
	p := &Problem{Gap: g.Sample(Quadratic([6]float64{0.5, 0, 0.5}))}
	p.Control[MoveN].Value = -0.01
	var r Result
	if err := s.Solve(context.Background(), p, &r); err != nil {
		t.Fatal(err)
	}
	below := Subsurface{Grid: g, Poisson: 0.3}
	var depths []float64
	for k := range 9 {
		depths = append(depths, 0.04+0.002*float64(k))
	}
	peak, err := below.Peak(Field{N: r.P[N]}, depths)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "von Mises", peak.Mises, 0.620*2/math.Pi*0.1, 2e-3*0.062)
	near(t, "depth", peak.Z, 0.048, 0.002)
	rng := rand.New(rand.NewPCG(1, 2))
	for c := range 2 {
		for k := range r.P[c] {
			r.P[c][k] = rng.NormFloat64()
		}
	}
	below.Lower = true
	plane, err := below.Plane(r.P, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{0, 2112, 777} {
		x, y := g.At(k)
		at, err := below.At(r.P, x, y, 0.01)
		if err != nil {
			t.Fatal(err)
		}
		for i := range at {
			near(t, "plane", plane[k][i], at[i], 1e-12)
		}
	}
}
