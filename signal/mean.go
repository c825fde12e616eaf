package signal

import (
	"math"
)

// Averaged is implemented by signals whose integral is known in closed form.
type Averaged interface {
	// Mean returns 1/(t1 − t0) ∫ s dt from t0 to t1 > t0.
	Mean(t0, t1 float64) float64
}

// Mean returns the mean of s from t0 to t1 > t0, with which a load in a step has its impulse ∫ s
// dt, whatever it does within the step: in closed form for the signals of this package, of others
// by Gauss's rule between kinks.
func Mean(s Scalar, t0, t1 float64) float64 {
	if a, ok := s.(Averaged); ok {
		return a.Mean(t0, t1)
	}
	var marks []float64
	if b, ok := s.(Breaker); ok {
		marks = b.Breaks(marks, t0, t1)
	}
	sum, from := 0.0, t0
	for _, to := range append(marks, t1) {
		for k := range gaussParts {
			h := (to - from) / gaussParts
			sum += h * gauss(s, from+h*float64(k), from+h*float64(k+1))
		}
		from = to
	}
	return sum / (t1 - t0)
}

// gaussParts of a piece between kinks: a step has an eighth of a period or so.
const gaussParts = 4

// gauss is the mean by Gauss's rule of three points, exact for polynomials of degree 5.
func gauss(s Scalar, t0, t1 float64) float64 {
	m, d := t0+(t1-t0)/2, math.Sqrt(0.6)*(t1-t0)/2
	return (5*s.At(m-d) + 8*s.At(m) + 5*s.At(m+d)) / 18
}

// Mean returns the value.
func (c Constant) Mean(_, _ float64) float64 { return float64(c) }

// Mean returns the sum of the means.
func (s Sum) Mean(t0, t1 float64) (sum float64) {
	for _, f := range s {
		sum += Mean(f, t0, t1)
	}
	return sum
}

// Mean returns offset + amplitude·sin(mean angle)·sin(x)/x, x = π·frequency·(t1 − t0).
func (s *Sine) Mean(t0, t1 float64) float64 {
	x := math.Pi * s.frequency * (t1 - t0)
	slack := 1.0 // sin(x)/x
	if x != 0 {
		slack = math.Sin(x) / x
	}
	return s.offset + s.amplitude*slack*math.Sin(s.angle(t0+(t1-t0)/2))
}

// Mean returns the sum over the pieces of length times value in the middle.
func (s *Table) Mean(t0, t1 float64) float64 {
	i, from, sum := s.row(t0), t0, 0.0
	for from < t1 {
		to := t1
		if i+1 < len(s.times) {
			to = min(t1, s.times[i+1])
		}
		if from == t0 && to == t1 { // one piece: no rounding of products
			return s.At(from + (to-from)/2)
		}
		value := s.values[max(i, 0)]
		if i >= 0 {
			value += s.slopes[i] * (from - s.times[i] + (to-from)/2)
		}
		sum += (to - from) * value
		i, from = i+1, to
	}
	return sum / (t1 - t0)
}

// Mean stores the means of the components in dst, which must have the length of the vector.
func (v Vector) Mean(dst []float64, t0, t1 float64) {
	if len(dst) != len(v) {
		panic("signal: Vector.Mean: length of dst differs")
	}
	for i, s := range v {
		dst[i] = Mean(s, t0, t1)
	}
}
