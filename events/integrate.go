package events

import "math"

// gauss is the rule of Gauss and Legendre of five points on [−1, 1]: exact for ninth
// degree, so that over a sample of 2π/64 of a period it leaves rounding.
var gauss = [5]struct{ at, weight float64 }{
	{-0.90617984593866399, 0.23692688505618909},
	{-0.53846931010568309, 0.47862867049936647},
	{0, 0.56888888888888889},
	{0.53846931010568309, 0.47862867049936647},
	{0.90617984593866399, 0.23692688505618909},
}

// integrate adds dissipation and work, but for that of c, of the piece from the present
// time to t, where loads are smooth.
func (w *Integrator[T]) integrate(t T) {
	n := int(math.Ceil((t.Float() - w.t.Float()) / w.sample()))
	if n < 1 {
		return
	}
	w.end = t.Float()
	from := w.t.Float()
	h := (t.Float() - from) / float64(n)
	for k := range n {
		for _, g := range gauss {
			w.at(t.Of(from + h*(float64(k)+0.5+0.5*g.at)))
			w.meetSpeed()
			w.weigh(t.Of(0.5 * h * g.weight))
		}
	}
	// Ends that move with a parameter: the integrand there times their derivative.
	for _, end := range [2]struct{ t, move T }{{w.t, t.Of(from).Sub(w.t)}, {t, t.Sub(t.Of(t.Float()))}} {
		w.at(t.Of(end.t.Float()))
		w.weigh(end.move)
	}
}

// weigh adds the present powers of friction and loads times a weight [s].
func (w *Integrator[T]) weigh(weight T) {
	w.dissipation = w.dissipation.Add(w.power().Mul(weight))
	for i, df := range w.df {
		if df.Sign() != 0 {
			w.work = w.work.Sub(df.Mul(w.q[i]).Mul(weight))
		}
	}
}

// power is Σ μ r_n |q̇_t| of the contacts that slip.
func (w *Integrator[T]) power() T {
	var sum T
	for k, c := range w.form.Contacts {
		switch w.regime[k] {
		case SlipForward:
			sum = sum.Add(c.Mu.Mul(w.r[c.N]).Mul(w.v[c.T]))
		case SlipBackward:
			sum = sum.Sub(c.Mu.Mul(w.r[c.N]).Mul(w.v[c.T]))
		}
	}
	for k := range w.corners {
		if s := &w.corners[k]; s.slip != 0 {
			sum = sum.Add(inner(s.support().bound, vector(w.r, s.Dof)).Mul(inner(s.ways[0].motion, vector(w.v, s.Dof))))
		}
	}
	return sum
}

// meetSpeed takes the present rates into account.
func (w *Integrator[T]) meetSpeed() {
	sum := 0.0
	for _, v := range w.v {
		sum += v.Float() * v.Float()
	}
	for k := range w.corners {
		sum += w.corners[k].skew(vector(w.v, w.corners[k].Dof))
	}
	w.Speed = max(w.Speed, math.Sqrt(sum))
}

// skew is what the square of a velocity in coordinates of friction with axes is less than that of
// the motion.
func (s *cornerMode[T]) skew(v [3]T) (sum float64) {
	if s.Tangents == [2][3]float64{} {
		return 0
	}
	a, b := v[0].Float(), v[1].Float()
	for c := range 3 {
		d := s.Tangents[0][c]*a + s.Tangents[1][c]*b
		sum += d * d
	}
	return sum - a*a - b*b
}
