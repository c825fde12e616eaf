package lcp

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// lcpNewtonIterations per start: the method converges in about 10 or not at all.
const lcpNewtonIterations = 60

// newton tries the semismooth Newton method of [DLFK96] from several starts:
// 0, (−q)_+, the given point and three pseudo-random ones.
func (ws *LCPWorkspace) newton(ctx context.Context, f *fischerBurmeister, res *LCPResult, start []float64) bool {
	rng := rand.New(rand.NewPCG(3, 4))
	for k := range 6 {
		for i := range f.x {
			switch k {
			case 0:
				f.x[i] = 0
			case 1:
				f.x[i] = max(-f.p.Q[i]/f.wUnit, 0)
			case 2:
				f.x[i] = start[i] / f.unit
			default:
				f.x[i] = 10 * rng.Float64() * rng.Float64()
			}
		}
		if ws.newtonFrom(ctx, f, res) || ctx.Err() != nil {
			return res.Status == form.Converged
		}
	}
	return false
}

// newtonFrom runs the method from f.x.
func (ws *LCPWorkspace) newtonFrom(ctx context.Context, f *fischerBurmeister, res *LCPResult) bool {
	f.minimise(ctx)
	for i, v := range f.x {
		ws.z[i] = v * f.unit
	}
	return ws.polish(f.p, res, "newton")
}

// fischerBurmeister minimises θ = ½‖Φ‖², Φ_i = x_i + y_i − √(x_i² + y_i²) with
// y = w/wUnit, in the unknowns x = z/unit.
type fischerBurmeister struct {
	p           *LCP
	unit, wUnit float64
	x, z, w     []float64
	phi, d, try []float64
	jac         []float64
	lu          num.LU
}

func newFischerBurmeister(p *LCP, ws *LCPWorkspace) *fischerBurmeister {
	f := &fischerBurmeister{p: p}
	f.wUnit, f.unit = lcpScales(ws.qMax, ws.mMax)
	f.resize(len(p.Q))
	return f
}

func (f *fischerBurmeister) resize(n int) {
	for _, v := range []*[]float64{&f.x, &f.z, &f.w, &f.phi, &f.d, &f.try} {
		*v = make([]float64, n)
	}
	f.jac = make([]float64, n*n)
}

// evaluate fills w and phi at x and returns θ.
func (f *fischerBurmeister) evaluate(x []float64) float64 {
	for i, v := range x {
		f.z[i] = v * f.unit
	}
	f.p.slack(f.w, f.z)
	theta := 0.0
	for i, a := range x {
		b := f.w[i] / f.wUnit
		phi := a + b - math.Hypot(a, b)
		if a+b > 0 { // the same without cancellation
			phi = 2 * a * b / (a + b + math.Hypot(a, b))
		}
		f.phi[i] = phi
		theta += 0.5 * phi * phi
	}
	return theta
}

// linearise fills jac = D_a + D_b M, an element of Clarke's Jacobian of Φ; at
// the kink (0, 0) both factors are 1 − 1/√2.
func (f *fischerBurmeister) linearise() {
	n := len(f.x)
	for i, a := range f.x {
		b := f.w[i] / f.wUnit
		da, db := 1-math.Sqrt2/2, 1-math.Sqrt2/2
		if h := math.Hypot(a, b); h > 0 {
			da, db = 1-a/h, 1-b/h
		}
		for j := range n {
			f.jac[i*n+j] = db * f.p.M[i*n+j] * f.unit / f.wUnit
		}
		f.jac[i*n+i] += da
	}
}

func (f *fischerBurmeister) minimise(ctx context.Context) {
	theta := f.evaluate(f.x)
	for range lcpNewtonIterations {
		if theta < 1e-28 || ctx.Err() != nil { // 1e-14 in Φ: roundoff
			return
		}
		f.linearise()
		slope := f.direction(theta)
		if slope == 0 {
			return
		}
		next := f.lineSearch(theta, slope)
		if !(next < theta) {
			return
		}
		theta = next
	}
}

// direction fills d with the Newton direction, regularised if the Jacobian is
// singular, or with −∇θ if neither is a direction of descent; it returns ∇θ·d.
func (f *fischerBurmeister) direction(theta float64) float64 {
	n := len(f.x)
	gradient, norm2 := f.try, 0.0
	clear(gradient)
	for i, phi := range f.phi {
		for j, v := range f.jac[i*n : i*n+n] {
			gradient[j] += phi * v
		}
	}
	for _, g := range gradient {
		norm2 += g * g
	}
	for _, shift := range []float64{0, min(1e-3, math.Sqrt(theta))} {
		a, x := f.lu.Resize(n)
		copy(a, f.jac)
		for i := range n {
			a[i*n+i] += shift
			x[i] = -f.phi[i]
		}
		if !f.lu.Factor() {
			continue
		}
		f.lu.Solve(x)
		copy(f.d, x)
		slope := 0.0
		for j, g := range gradient {
			slope += g * f.d[j]
		}
		if slope <= -1e-9*norm2 {
			return slope
		}
	}
	for j, g := range gradient {
		f.d[j] = -g
	}
	return -norm2
}

// lineSearch halves the step until Armijo's condition holds and moves x.
func (f *fischerBurmeister) lineSearch(theta, slope float64) float64 {
	for step := 1.0; step > 1e-10; step /= 2 {
		for i, v := range f.x {
			f.try[i] = v + step*f.d[i]
		}
		if next := f.evaluate(f.try); next <= theta+1e-4*step*slope {
			copy(f.x, f.try)
			return next
		}
	}
	return theta
}
