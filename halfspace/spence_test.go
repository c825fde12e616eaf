package halfspace

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// agm is the arithmetic-geometric mean: K(k) = π/2agm(1, √(1 − k²)).
func agm(a, b float64) float64 {
	for math.Abs(a-b) > 1e-15*a {
		a, b = (a+b)/2, math.Sqrt(a*b)
	}
	return a
}

// stickRatio solves f(s) = 0, f falling or rising through (0, 1).
func stickRatio(f func(s float64) float64) float64 {
	low, high := 1e-12, 1-1e-12
	rises := f(high) > f(low)
	for range 100 {
		if s := (low + high) / 2; (f(s) > 0) == rises {
			high = s
		} else {
			low = s
		}
	}
	return low
}

// spenceSphere is the stick radius over that of contact of a sphere or a round punch,
//
//	(1/2s) ln((1 + s)/(1 − s)) = (μ/β) K(√(1 − s²)),  β = (1 − 2ν)/2(1 − ν),
//
// where friction does not change the pressure (Spence 1975). It follows from
// q(r) = −d/dr ∫ φ dt/√(t² − r²) of the increment, a flat punch: sticking makes
// φ = (β/π) ln((1 + t)/(1 − t)) for t < s, slipping (2μ/π) t K(√(1 − t²)) for t > s, and
// tractions without a singularity at s make φ continuous.
func spenceSphere(ratio float64) float64 {
	return stickRatio(func(s float64) float64 {
		return math.Log((1+s)/(1-s))/(2*s) - ratio*math.Pi/2/agm(1, s)
	})
}

// spenceCylinder is that of a cylinder, K(√(1 − s²))/K(s) = β/μ (Spence 1973).
func spenceCylinder(ratio float64) float64 {
	return stickRatio(func(s float64) float64 { return agm(1, s)/agm(1, math.Sqrt(1-s*s)) - ratio })
}

// compressed is the stick ratio after a contact has grown by a factor stage in every step.
func compressed(t *testing.T, op *Operator, h []float64, mu, stage float64, load func(a float64) float64) float64 {
	g := op.Grid()
	e := NewEvolution(op, Problem{Gap: h, Coefficient: constant(g.Len(), mu)}, nil)
	steps := int(math.Log(0.2) / math.Log(stage)) // from a fifth of the radius on, which sticks at the end
	for k := range steps + 1 {
		var d Drive
		d.Control[MoveN] = Control{true, load(0.9 * math.Pow(stage, float64(steps-k)))}
		d.Control[MoveX].Force, d.Control[MoveY].Force = true, g.NY > 1
		if err := e.Step(context.Background(), d); err != nil {
			t.Fatalf("mu %v, step %d: %v", mu, k, err)
		}
	}
	return float64(e.Result().Sticking) / float64(e.Result().Contacts)
}

// TestSpenceFormula: stick ratios of elastic spheres and cylinders pressed onto a rigid
// plane follow Spence's equations over ν and μ/β. What is allowed: an element at the edge of
// the stick zone, half the growth of a step, in which the edge is not seen to move, and
// the influence of friction on pressure, of the order of μβ, that the equations leave out: the
// stick zone is smaller with it (ν = 0, μ = .2986: .494 for .623).
func TestSpenceFormula(t *testing.T) {
	poisson, ratios, side := []float64{0.45}, []float64{0.6}, 45
	if thorough.Asked() {
		poisson, ratios, side = []float64{0.3, 0.4, 0.45, 0.48}, []float64{0.4, 0.6, 0.8, 1, 1.5}, 91
	}
	for _, nu := range poisson {
		body, _ := ElasticOnRigid(Elastic{Young: 1, Poisson: nu})
		modulus, beta := 1/(1-nu*nu), (1-2*nu)/(2-2*nu)
		const line, curvature = 161, 0.05
		plane := Centred(line, 1, 2./line, 1)
		square := Centred(side, side, 2/float64(side), 2/float64(side))
		strip := newTestOperator(t, plane, PlaneStrain{body, 100})
		window := newTestOperator(t, square, Patches{body})
		for _, ratio := range ratios {
			mu := ratio * beta
			const stage = 0.97
			cylinder := compressed(t, strip, plane.Sample(Quadratic([6]float64{curvature})), mu, stage,
				func(a float64) float64 { return math.Pi / 2 * modulus * a * a * curvature })
			sphere := math.Sqrt(compressed(t, window, sphere(square, curvature), mu, stage,
				func(a float64) float64 { return 8. / 3 * modulus * a * a * a * curvature }))
			t.Logf("nu %.2f, mu %.4f, mu/beta %.1f: cylinder %.4f, formula %.4f; sphere %.4f, formula %.4f", nu, mu,
				ratio, cylinder, spenceCylinder(ratio), sphere, spenceSphere(ratio))
			for _, c := range []struct {
				name            string
				got, want, cell float64
			}{{"cylinder", cylinder, spenceCylinder(ratio), plane.DX / 0.9}, {"sphere", sphere, spenceSphere(ratio), square.DX / 0.9}} {
				above, below := c.cell+(1-stage)/2, c.cell+(1-stage)/2+2*mu*beta
				if c.got > c.want+above || c.got < c.want-below {
					t.Errorf("nu %v, mu/beta %v: %s sticks to %.4f of its radius, want %.4f", nu, ratio, c.name, c.got, c.want)
				}
			}
		}
	}
}
