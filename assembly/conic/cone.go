package conic

import "math"

// gapOf returns x_0² − ‖x_1‖², as a product that does not cancel, and whether x is inside the cone.
func gapOf(x []float64) (gap float64, inside bool) {
	if len(x) == 1 {
		return x[0] * x[0], x[0] > 0
	}
	norm := math.Sqrt(dot(x[1:], x[1:]))
	return (x[0] - norm) * (x[0] + norm), x[0] > norm
}

// room returns the largest a ≤ limit for which x + a d stays in the cone of an x inside.
func room(x, d []float64, limit float64) float64 {
	if d[0] < 0 { // of a cone too: where d is along x, rounding hides the root below
		limit = min(limit, -x[0]/d[0])
	}
	if len(x) == 1 {
		return limit
	}
	c, _ := gapOf(x)
	b := x[0]*d[0] - dot(x[1:], d[1:])
	a := d[0]*d[0] - dot(d[1:], d[1:])
	// The least positive root of a t² + 2 b t + c, c > 0.
	disc := b*b - a*c
	switch {
	case disc < 0:
		return limit
	case b < 0:
		return min(limit, c/(-b+math.Sqrt(disc)))
	case a < 0:
		return min(limit, (b+math.Sqrt(disc))/-a)
	}
	return limit
}

// multiply sets dst = x∘y, the product of the Jordan algebra of the cone. dst is neither.
func multiply(dst, x, y []float64) {
	dst[0] = dot(x, y)
	for i := 1; i < len(x); i++ {
		dst[i] = x[0]*y[i] + y[0]*x[i]
	}
}

// divide sets dst to the solution of l∘dst = q. dst may be q.
func divide(dst, l, q []float64) {
	gap, _ := gapOf(l)
	first := (l[0]*q[0] - dot(l[1:], q[1:])) / gap
	for i := 1; i < len(l); i++ {
		dst[i] = (q[i] - first*l[i]) / l[0]
	}
	dst[0] = first
}

// A scaling is W = η (w̄ as a matrix) of one cone, [Nesterov98]: W x = W⁻¹ s.
type scaling struct {
	eta float64
	w   []float64 // w̄, of gap 1
}

// set finds the scaling of x and s, both inside, and reports whether it is finite.
func (g *scaling) set(x, s []float64) bool {
	xGap, xIn := gapOf(x)
	sGap, sIn := gapOf(s)
	if !xIn || !sIn || !(xGap > 0) || !(sGap > 0) {
		return false
	}
	g.eta = math.Sqrt(math.Sqrt(sGap / xGap))
	g.w[0] = 1
	if len(x) > 1 {
		xRoot, sRoot := math.Sqrt(xGap), math.Sqrt(sGap)
		gamma := math.Sqrt((1 + dot(x, s)/(xRoot*sRoot)) / 2)
		norm := 0.
		for i := 1; i < len(x); i++ {
			g.w[i] = (s[i]/sRoot - x[i]/xRoot) / (2 * gamma)
			norm += g.w[i] * g.w[i]
		}
		g.w[0] = math.Sqrt(1 + norm)
	}
	return g.eta > 0 && !math.IsInf(g.eta, 1)
}

// apply sets dst = W x; dst may be x.
func (g *scaling) apply(dst, x []float64) { g.turn(dst, x, 1, g.eta) }

// applyInverse sets dst = W⁻¹ x; dst may be x.
func (g *scaling) applyInverse(dst, x []float64) { g.turn(dst, x, -1, 1/g.eta) }

func (g *scaling) turn(dst, x []float64, sign, eta float64) {
	if len(x) == 3 && len(g.w) == 3 && len(dst) == 3 { // of a contact in space, without loops
		w0, w1, w2 := g.w[0], g.w[1], g.w[2]
		first, x1, x2 := x[0], x[1], x[2]
		z := w1*x1 + w2*x2
		f := sign*first + z/(1+w0)
		dst[0], dst[1], dst[2] = eta*(w0*first+sign*z), eta*(x1+f*w1), eta*(x2+f*w2)
		return
	}
	z := dot(g.w[1:], x[1:])
	first := x[0]
	f := sign*first + z/(1+g.w[0])
	for i := 1; i < len(x); i++ {
		dst[i] = eta * (x[i] + f*g.w[i])
	}
	dst[0] = eta * (g.w[0]*first + sign*z)
}

func dot(x, y []float64) float64 {
	sum := 0.
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}
