package halfspace

import (
	"math"
	"testing"
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
	for _, inf := range []Influence{Patches{c}, Points{c}} {
		p, q := inf.Block(0.4, -1.1, 0.2, 0.2), inf.Block(-0.4, 1.1, 0.2, 0.2)
		for r := range 3 {
			for s := range 3 {
				if math.Abs(p[3*r+s]-q[3*s+r]) > 1e-13 { // far from a small cell the corners cancel to (a/r)²
					t.Errorf("%T: block %v, transposed partner %v", inf, p, q)
				}
			}
		}
		near, far := Patches{c}.Block(3, 4, 0.2, 0.2), Points{c}.Block(3, 4, 0.2, 0.2)
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
	love, song := Patches{c}.Block(0, 0, side, side), Points{c}.Block(0, 0, side, side)
	if r := song[8] / love[8]; math.Abs(r-0.95/(4*math.Log(1+math.Sqrt2)/math.Pi)) > 1e-12 {
		t.Errorf("normal ratio %g", r)
	}
	if r := song[0] / love[0]; math.Abs(r-1.0055) > 1e-3 {
		t.Errorf("tangential ratio %g", r)
	}
	want := 1.25 * 1.75 * side / math.Sqrt(math.Pi) // per unit of traction, (1+ν)(2−ν)/(√π ρ₀)
	if math.Abs(song[0]-want) > 1e-12*want {
		t.Errorf("ξ_tt = %g, the table has %g", song[0], want)
	}
}

// TestQuadrature: where the closed form gives way to Gauss' rules both agree, to
// the cancellation of the corners.
func TestQuadrature(t *testing.T) {
	for _, r := range []float64{26, 150, 250, 3000} {
		const a, b = 0.5, 0.4
		x, y := r*a*0.6, -r*a*0.8
		p, q := uniformPatch(x, y, a, b), corners(x, y, a, b)
		for _, c := range [][2]float64{{p.xx, q.xx}, {p.yy, q.yy}, {p.xy, q.xy}, {p.x, q.x}, {p.y, q.y}} {
			if tolerance := 1e-15 * r * r * 20; math.Abs(c[0]-c[1]) > max(tolerance, 1e-13)*math.Abs(c[1]) {
				t.Errorf("at %v half-sides: %v, closed form %v", r, p, q)
			}
		}
	}
}
