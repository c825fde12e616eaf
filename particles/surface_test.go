package particles

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/race"
)

// TestPatchAgainstIntegration: the closed forms of Love against a fine midpoint
// rule, whose error is below (cell/distance)² of the far field.
func TestPatchAgainstIntegration(t *testing.T) {
	const a, b, n = 0.5, 0.3, 400
	for _, at := range [][2]float64{{1.2, 0.7}, {-1, 0.2}, {0.9, -2}, {-3, -1}, {0, 1}, {2, 0}} {
		var want patch
		for i := range n {
			for j := range n {
				p := pointPatch(at[0]-a+2*a*(float64(i)+0.5)/n, at[1]-b+2*b*(float64(j)+0.5)/n)
				want.xx += p.xx / (n * n)
				want.yy += p.yy / (n * n)
				want.xy += p.xy / (n * n)
				want.x += p.x / (n * n)
				want.y += p.y / (n * n)
			}
		}
		got := uniformPatch(at[0], at[1], a, b)
		for _, c := range [][2]float64{{got.xx, want.xx}, {got.yy, want.yy}, {got.xy, want.xy}, {got.x, want.x}, {got.y, want.y}} {
			if math.Abs(c[0]-c[1]) > 1e-5 {
				t.Errorf("at %v: %v, integration gives %v", at, got, want)
				break
			}
		}
	}
}

// TestPatchAtCentre: by polar coordinates, 1/r over a square of side s integrates
// to 4s·ln(1 + √2), of which ξ²/r³ is half; odd integrands vanish.
func TestPatchAtCentre(t *testing.T) {
	const s = 0.7
	p := uniformPatch(0, 0, s/2, s/2)
	want := 2 / s * math.Log(1+math.Sqrt2)
	for _, c := range [][2]float64{{p.xx, want}, {p.yy, want}, {p.xy, 0}, {p.x, 0}, {p.y, 0}} {
		if math.Abs(c[0]-c[1]) > 1e-14 {
			t.Errorf("%v, want xx = yy = %g", p, want)
		}
	}
}

// TestPatchInside: under the load 1/r is singular; in polar coordinates around
// the point it is not: ∫∫ cos²φ/r dA = ∫ cos²φ ρ(φ) dφ with the distance ρ to the
// edge. The corners of ρ leave the midpoint rule an error of n⁻².
func TestPatchInside(t *testing.T) {
	const a, b, x, y, n = 0.5, 0.3, 0.2, -0.1, 100000
	var xx, xy, sx float64
	for i := range n {
		phi := 2 * math.Pi * (float64(i) + 0.5) / n
		c, s := math.Cos(phi), math.Sin(phi)
		// (ξ, η) runs over [x−a, x+a]×[y−b, y+b], which holds the origin.
		rho := math.Inf(1)
		for _, edge := range [][2]float64{{x + a, c}, {a - x, -c}, {y + b, s}, {b - y, -s}} {
			if edge[1] > 0 {
				rho = min(rho, edge[0]/edge[1])
			}
		}
		w := 2 * math.Pi / n / (4 * a * b)
		xx += c * c * rho * w
		xy += c * s * rho * w
		sx += c * rho * w // ξ/r² dA = cos φ dρ dφ
	}
	p := uniformPatch(x, y, a, b)
	for _, c := range [][2]float64{{p.xx, xx}, {p.xy, xy}, {p.x, sx}} {
		if math.Abs(c[0]-c[1]) > 1e-8 {
			t.Errorf("%v, want xx = %g, xy = %g, x = %g", p, xx, xy, sx)
		}
	}
}

// TestComplianceSymmetric: C_ij = C_jiᵀ, and both influences agree far away.
func TestComplianceSymmetric(t *testing.T) {
	c, err := ElasticOnRigid(Elastic{Young: 3, Poisson: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []Influence{UniformPatches, PointLoads} {
		p, q := c.cell(kind, 0.4, -1.1, 0.1, 0.1), c.cell(kind, -0.4, 1.1, 0.1, 0.1)
		for r := range 3 {
			for s := range 3 {
				if math.Abs(p[3*r+s]-q[3*s+r]) > 1e-13 { // far from a small cell the corners cancel to (a/r)²
					t.Errorf("kind %d: block %v, transposed partner %v", kind, p, q)
				}
			}
		}
		near, far := c.cell(UniformPatches, 3, 4, 0.1, 0.1), c.cell(PointLoads, 3, 4, 0.1, 0.1)
		for k := range near {
			if math.Abs(near[k]-far[k]) > 1e-3*math.Abs(far[k]) { // (0.1/5)², times a constant
				t.Errorf("entry %d: patch %g, point %g", k, near[k], far[k])
			}
		}
	}
}

// TestPointLoadSelf: Song's entries at i = j, mended, are near those of Love: the
// mean normal displacement of a square is 0.95/1.122 of that at its centre, and
// the circle of equal area has 1.005 of the tangential one.
func TestPointLoadSelf(t *testing.T) {
	c, err := ElasticOnRigid(Elastic{Young: 1, Poisson: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	const side = 0.2
	love, song := c.cell(UniformPatches, 0, 0, side/2, side/2), c.cell(PointLoads, 0, 0, side/2, side/2)
	if r := song[8] / love[8]; math.Abs(r-0.95/(4*math.Log(1+math.Sqrt2)/math.Pi)) > 1e-12 {
		t.Errorf("normal ratio %g", r)
	}
	if r := song[0] / love[0]; math.Abs(r-1.0055) > 1e-3 {
		t.Errorf("tangential ratio %g", r)
	}
	want := 1.25 * 1.75 / (math.Sqrt(math.Pi) * side) // (1+ν)(2−ν)/(√π ρ₀)
	if math.Abs(song[0]-want) > 1e-12*want {
		t.Errorf("ξ_tt = %g, the table has %g", song[0], want)
	}
}

func TestSurfaceFaults(t *testing.T) {
	c := Compliance{A: 1}
	ref, four := make([]float64, 12), []int{0, 1, 2, 3}
	for name, err := range map[string]error{
		"cells":      second(NewSurface(Grid{four, 2, 2, 0, 1}, ref, nil, c, UniformPatches)),
		"reference":  second(NewSurface(Grid{four, 2, 3, 1, 1}, ref, nil, c, UniformPatches)),
		"compliance": second(NewSurface(Grid{four, 2, 2, 1, 1}, ref, nil, Compliance{}, UniformPatches)),
		"square":     second(NewSurface(Grid{four, 2, 2, 1, 2}, ref, nil, c, PointLoads)),
		"indefinite": second(NewSurface(Grid{four, 2, 2, 1, 1}, ref, nil, Compliance{A: 1, D: 100}, UniformPatches)),
		"twice":      second(NewSurface(Grid{[]int{0, 1, 2, 2}, 2, 2, 1, 1}, ref, nil, c, UniformPatches)),
		"young":      second(ElasticOnRigid(Elastic{0, 0.3})),
		"poisson":    second(ElasticPair(Elastic{1, 0.3}, Elastic{1, 0.6})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestSurfaceDerivatives: all kinds of coupling, with a moving body.
func TestSurfaceDerivatives(t *testing.T) {
	slide, err := Sine(0.1, 0.3, 0.2, 1)
	if err != nil {
		t.Fatal(err)
	}
	motion := Path{slide, At(1, 0, 0)[0], slide}
	soft, stiff := Elastic{Young: 1, Poisson: 0.3}, Elastic{Young: 5, Poisson: 0.1}
	for name, c := range map[string]struct {
		build  func() (Compliance, error)
		groups int
	}{
		"rigid":        {func() (Compliance, error) { return ElasticOnRigid(soft) }, 1},
		"pair":         {func() (Compliance, error) { return ElasticPair(soft, stiff) }, 1},
		"similar":      {func() (Compliance, error) { return ElasticPair(soft, soft) }, 2},
		"similar ν=0":  {func() (Compliance, error) { return ElasticPair(Elastic{Young: 1}, Elastic{Young: 1}) }, 3},
		"half rigid":   {func() (Compliance, error) { return ElasticOnRigid(Elastic{Young: 1, Poisson: 0.5}) }, 2},
		"rigid, ν = 0": {func() (Compliance, error) { return ElasticOnRigid(Elastic{Young: 1}) }, 1},
	} {
		for _, kind := range []Influence{UniformPatches, PointLoads} {
			comp, err := c.build()
			if err != nil {
				t.Fatal(err)
			}
			ref := make([]float64, 18)
			x := make([]float64, 18)
			for i := range x {
				ref[i], x[i] = math.Sin(float64(i)), math.Cos(float64(2*i))
			}
			e, err := NewSurface(Grid{[]int{5, 4, 0, 1, 3, 2}, 3, 2, 0.5, 0.5}, ref, motion, comp, kind)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(e.groups) != c.groups {
				t.Errorf("%s: %d groups, want %d", name, len(e.groups), c.groups)
			}
			checkQuadratic(t, name, e, x)
		}
	}
}

// checkQuadratic compares gradient and rates with differences of values, which
// are exact for a quadratic form up to roundoff over the step.
func checkQuadratic(t *testing.T, name string, e Energy, x []float64) {
	t.Helper()
	const h, at = 1e-3, 0.7
	grad, rate := make([]float64, len(x)), make([]float64, len(x))
	e.Gradient(grad, rate, at, x)
	_, dt := e.Value(at, x)
	up, _ := e.Value(at+1e-5, x)
	down, _ := e.Value(at-1e-5, x)
	if want := (up - down) / 2e-5; math.Abs(dt-want) > 1e-7*max(1, math.Abs(want)) {
		t.Errorf("%s: rate %g, want %g", name, dt, want)
	}
	for i := range x {
		y := append([]float64(nil), x...)
		y[i] += h
		plus, rplus := e.Value(at, y)
		y[i] -= 2 * h
		minus, rminus := e.Value(at, y)
		if want := (plus - minus) / (2 * h); math.Abs(grad[i]-want) > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("%s: gradient %d is %g, want %g", name, i, grad[i], want)
		}
		if want := (rplus - rminus) / (2 * h); math.Abs(rate[i]-want) > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("%s: rate of gradient %d is %g, want %g", name, i, rate[i], want)
		}
	}
	s, err := NewSystem(Floors(len(x)/3), e)
	if err != nil {
		t.Fatal(err)
	}
	hess, y := s.Hessian(at, x), make([]float64, len(x))
	step := make([]float64, len(x))
	for i := range step {
		step[i] = math.Sin(float64(3 * i))
	}
	hess.MulVec(y, step)
	after, moved := make([]float64, len(x)), append([]float64(nil), x...)
	for i, d := range step {
		moved[i] += d
	}
	e.Gradient(after, nil, at, moved)
	for i := range y {
		if d := after[i] - grad[i]; math.Abs(d-y[i]) > 1e-11*max(1, math.Abs(d)) {
			t.Errorf("%s: Hessian row %d gives %g, gradients differ by %g", name, i, y[i], d)
		}
	}
	if race.Enabled {
		return // Surface keeps its memory in a sync.Pool
	}
	if n := testing.AllocsPerRun(20, func() { e.Gradient(grad, rate, at, x); e.Value(at, x) }); n > 0 {
		t.Errorf("%s: %g allocations", name, n)
	}
}

func second[T any](_ T, err error) error { return err }
