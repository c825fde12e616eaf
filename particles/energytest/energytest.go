// Package energytest checks the derivatives of a particles.Energy against central
// differences. Whoever writes an energy of his own should call Check in a test at
// a few states.
//
// # Limits
//
// Central differences with the step h have an error of order h² times the third
// derivative and a rounding error of order 1e-16·|E|/h. Near a kink of E the check
// says nothing. It costs 6N gradients for N particles.
package energytest

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

const (
	// step is the cube root of the double precision, which balances truncation
	// and rounding of central differences for functions of scale 1.
	step = 6e-6
	// tolerance is the accepted difference relative to 1 + the size of the
	// quantities involved. Truncation and rounding at this step are about 1e-10;
	// the rest is room for energies with large third derivatives.
	tolerance = 1e-6
)

// Check compares ∂tE, DE, ∂tDE and D²E of e at (t, x) with central differences,
// and checks that all non-zero entries of D²E are declared by Pattern and that
// Gradient adds and accepts nil. The error names the derivative and the entry.
// The time t must not be within 1e-5 of a kink of the rates.
func Check(e particles.Energy, t float64, x []float64) error {
	frames := make([]particles.Frame, len(x)/3)
	for j := range frames {
		frames[j] = particles.NoObstacle()
	}
	s, err := particles.NewSystem(frames, e)
	if err != nil {
		return err
	}
	if err := checkGradientContract(e, t, x); err != nil {
		return err
	}
	return CheckSystem(s, t, x)
}

// CheckSystem does the same for a system, in its local coordinates.
func CheckSystem(s *particles.System, t float64, z []float64) error {
	c := &checker{s: s, t: t, z: append([]float64(nil), z...)}
	c.evaluate()
	if err := c.checkRate(); err != nil {
		return err
	}
	for a := range z {
		if err := c.checkColumn(a); err != nil {
			return err
		}
	}
	return nil
}

// checkGradientContract checks that Gradient adds and accepts nil.
func checkGradientContract(e particles.Energy, t float64, x []float64) error {
	n := len(x)
	g, r := make([]float64, n), make([]float64, n)
	e.Gradient(g, r, t, x)
	g2, r2 := make([]float64, n), make([]float64, n)
	for a := range n {
		g2[a], r2[a] = 1, 1
	}
	e.Gradient(g2, nil, t, x)
	e.Gradient(nil, r2, t, x)
	scale := 1 + norm(g) + norm(r)
	for a := range n {
		if differ(g2[a], g[a]+1, scale) {
			return fmt.Errorf("energytest: Gradient does not add to grad[%d] when rate is nil", a)
		}
		if differ(r2[a], r[a]+1, scale) {
			return fmt.Errorf("energytest: Gradient does not add to rate[%d] when grad is nil", a)
		}
	}
	return nil
}

// checker holds the analytic derivatives at (t, z).
type checker struct {
	s          *particles.System
	t          float64
	z          []float64
	e, de      float64 // E, ∂tE
	grad, rate []float64
	hessian    *sparse.Sym
}

func (c *checker) evaluate() {
	n := len(c.z)
	c.grad, c.rate = make([]float64, n), make([]float64, n)
	c.e, c.de = c.s.Value(c.t, c.z)
	c.s.Gradient(c.grad, c.rate, c.t, c.z)
	h := *c.s.Hessian(c.t, c.z)
	h.Val = append([]float64(nil), h.Val...)
	c.hessian = &h
}

// checkRate compares ∂tE and ∂tDE with differences in time.
func (c *checker) checkRate() error {
	h := step * (1 + math.Abs(c.t))
	after, _ := c.s.Value(c.t+h, c.z)
	before, _ := c.s.Value(c.t-h, c.z)
	if d := (after - before) / (2 * h); differ(c.de, d, 1+math.Abs(c.e)+math.Abs(c.de)) {
		return fmt.Errorf("energytest: ∂tE is %.12g, its central difference %.12g", c.de, d)
	}
	plus, minus := make([]float64, len(c.z)), make([]float64, len(c.z))
	c.s.Gradient(plus, nil, c.t+h, c.z)
	c.s.Gradient(minus, nil, c.t-h, c.z)
	scale := 1 + norm(c.grad) + norm(c.rate)
	for a := range c.z {
		if d := (plus[a] - minus[a]) / (2 * h); differ(c.rate[a], d, scale) {
			return fmt.Errorf("energytest: ∂tDE[%d] is %.12g, its central difference %.12g", a, c.rate[a], d)
		}
	}
	return nil
}

// checkColumn compares DE and D²E with differences along dof a.
func (c *checker) checkColumn(a int) error {
	h := step * (1 + math.Abs(c.z[a]))
	plus, minus := make([]float64, len(c.z)), make([]float64, len(c.z))
	za := c.z[a]
	c.z[a] = za + h
	after, _ := c.s.Value(c.t, c.z)
	c.s.Gradient(plus, nil, c.t, c.z)
	c.z[a] = za - h
	before, _ := c.s.Value(c.t, c.z)
	c.s.Gradient(minus, nil, c.t, c.z)
	c.z[a] = za
	if d := (after - before) / (2 * h); differ(c.grad[a], d, 1+math.Abs(c.e)+norm(c.grad)) {
		return fmt.Errorf("energytest: DE[%d] is %.12g, its central difference %.12g", a, c.grad[a], d)
	}
	scale := 1 + norm(c.grad) + norm(c.hessian.Val)
	for b := range c.z {
		var entry float64
		if k := c.hessian.Index(b, a); k >= 0 {
			entry = c.hessian.Val[k]
		}
		if d := (plus[b] - minus[b]) / (2 * h); differ(entry, d, scale) {
			return fmt.Errorf("energytest: D²E[%d][%d] is %.12g, its central difference %.12g (stored: %t)",
				b, a, entry, d, c.hessian.Index(b, a) >= 0)
		}
	}
	return nil
}

// differ is true for NaN.
func differ(a, b, scale float64) bool { return !(math.Abs(a-b) <= tolerance*scale) }

// norm is the largest absolute value.
func norm(v []float64) float64 {
	var m float64
	for _, x := range v {
		m = max(m, math.Abs(x))
	}
	return m
}
