package signal

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Motion moves a rigid thing: it turns by Angle(t) [rad] about the axis through Center, and
// then shifts by Shift(t) [m],
//
//	x(t) = c + R(t)(y − c) + s(t),   y its place at rest.
//
// The zero Motion is rest. In the plane the axis is e_z.
type Motion struct {
	Shift        Vector     // three components; nil: none
	Center, Axis [3]float64 // Axis is a unit vector, see [Motion.Normalise]
	Angle        Scalar     // nil: none
}

// Normalise checks the motion, gives the axis the length 1 and leaves out a shift and an angle that
// are zero at all times: that is rest, and nobody is to take it for something that moves.
func (m *Motion) Normalise() error {
	if m.Shift != nil {
		if err := m.Shift.Validate(3); err != nil {
			return fmt.Errorf("signal: shift of a motion: %w", err)
		}
		if !slices.ContainsFunc(m.Shift, func(s Scalar) bool { return !Zero(s) }) {
			m.Shift = nil
		}
	}
	if m.Angle == nil {
		return nil
	}
	for _, x := range m.Center {
		if !finite(x) {
			return fmt.Errorf("signal: the axis of a rotation goes through %v", m.Center)
		}
	}
	size := max(math.Abs(m.Axis[0]), math.Abs(m.Axis[1]), math.Abs(m.Axis[2]))
	if !(size > 0) || math.IsInf(size, 1) {
		return errors.New("signal: the axis of a rotation is not a direction")
	}
	l := math.Hypot(math.Hypot(m.Axis[0]/size, m.Axis[1]/size), m.Axis[2]/size)
	for i := range m.Axis {
		m.Axis[i] = m.Axis[i] / size / l
	}
	if Zero(m.Angle) {
		m.Angle = nil
	}
	return nil
}

// Rests reports whether a signal is known to be the same at all times.
func Rests(s Scalar) bool { return fastest(s) == 0 }

// Zero reports whether a signal is known to be zero at all times.
func Zero(s Scalar) bool {
	b, ok := s.(bounded)
	if !ok {
		return false
	}
	at, _ := b.bound()
	return at == 0
}

// Moves reports whether it is not rest.
func (m *Motion) Moves() bool { return m.Shift != nil || m.Angle != nil }

// Tilts reports whether it turns a direction of unit length, which is off its axis by more than the
// rounding of both.
func (m *Motion) Tilts(n [3]float64) bool {
	var side [3]float64
	turned(&side, 1, m.Axis, n)
	return m.Angle != nil && math.Hypot(math.Hypot(side[0], side[1]), side[2]) > 1e-14
}

// Signals returns those of the motion.
func (m *Motion) Signals() []Scalar {
	list := slices.Clone(m.Shift)
	if m.Angle != nil {
		list = append(list, m.Angle)
	}
	return list
}

// At returns rotation, row by row, and place of a motion at t, so that x = R y + p.
func (m *Motion) At(t float64) (r [9]float64, p [3]float64) {
	r = [9]float64{0: 1, 4: 1, 8: 1}
	if m.Angle != nil {
		r = rotation(m.Axis, m.Angle.At(t))
		for i, c := range m.Center {
			p[i] = c
			for k := range 3 {
				p[i] -= r[3*i+k] * m.Center[k]
			}
		}
	}
	if m.Shift != nil {
		for i := range p {
			p[i] += m.Shift[i].At(t)
		}
	}
	return r, p
}

// Rate returns the velocity at t of what is at x then, to the right of t.
func (m *Motion) Rate(t float64, x [3]float64) (v [3]float64) {
	var shift [3]float64
	if m.Shift != nil {
		for i := range v {
			shift[i] = m.Shift[i].At(t)
			v[i] = m.Shift[i].Rate(t)
		}
	}
	if m.Angle == nil {
		return v
	}
	arm := x
	for i := range arm {
		arm[i] -= m.Center[i] + shift[i]
	}
	turned(&v, m.Angle.Rate(t), m.Axis, arm)
	return v
}

// Before is [Motion.Rate] to the left of t, where a step of h begins.
func (m *Motion) Before(t, h float64, x [3]float64) [3]float64 { return m.Rate(t-leftOf*h, x) }

// Spin returns the mean spin about the axis from t on over h, that of the instant for h = 0.
func (m *Motion) Spin(t, h float64) float64 {
	switch {
	case m.Angle == nil:
		return 0
	case h == 0:
		return m.Angle.Rate(t)
	}
	return (m.Angle.At(t+h) - m.Angle.At(t)) / h
}

// Mean returns, at x, the velocity field of a rigid body with its centre at c at t that goes with
// the motion until t + h: the chord of c over h, and the angle over h times the lever x − c. A body
// with these velocities moves as the motion does, to the letter.
func (m *Motion) Mean(t, h float64, c, x [3]float64) (v [3]float64) {
	if m.Shift != nil {
		for i, s := range m.Shift {
			v[i] = (s.At(t+h) - s.At(t)) / h
		}
	}
	if m.Angle == nil {
		return v
	}
	arm := c
	for i := range arm {
		arm[i] -= m.Center[i]
		if m.Shift != nil {
			arm[i] -= m.Shift[i].At(t)
		}
	}
	angle := m.Angle.At(t+h) - m.Angle.At(t)
	r := rotation(m.Axis, angle)
	r[0], r[4], r[8] = r[0]-1, r[4]-1, r[8]-1
	for i := range v {
		for k, y := range arm {
			v[i] += r[3*i+k] * y / h
		}
	}
	turned(&v, angle/h, m.Axis, [3]float64{x[0] - c[0], x[1] - c[1], x[2] - c[2]})
	return v
}

// Under returns the mean velocity, from t to t + h, of the motion under the point x of a body with
// its centre at c, which has the velocity u there. Where that is more than half of what the motion
// has, the motion carries the body, and it is that of [Motion.Mean]. Else it passes under it: the
// mean of the velocities at the place x, without the way that what was there goes round the axis.
func (m *Motion) Under(t, h float64, c, x, u [3]float64) (v [3]float64) {
	if m.Angle == nil {
		return m.Mean(t, h, c, x)
	}
	with, all := 0.0, 0.0
	for i, s := range m.Rate(t, x) {
		with, all = with+s*u[i], all+s*s
	}
	if 2*with >= all {
		return m.Mean(t, h, c, x)
	}
	arm := x
	for i := range arm {
		arm[i] -= m.Center[i]
		if m.Shift != nil {
			arm[i] -= m.Shift[i].At(t + h/2)
			v[i] = (m.Shift[i].At(t+h) - m.Shift[i].At(t)) / h
		}
	}
	turned(&v, (m.Angle.At(t+h)-m.Angle.At(t))/h, m.Axis, arm)
	return v
}

// End is the velocity field at x of the same body at t + h, with its velocity to the left of that
// time.
func (m *Motion) End(t, h float64, c, x [3]float64) (v [3]float64) {
	v = m.Mean(t, h, c, c)
	for i := range c {
		c[i], x[i] = c[i]+h*v[i], x[i]-c[i]
	}
	before := t + h - leftOf*h
	v = m.Rate(before, c)
	if m.Angle != nil {
		turned(&v, m.Angle.Rate(before), m.Axis, x)
	}
	return v
}

// leftOf is how far before the end of a step, or its start, a rate to the left is taken, in steps: where there is no
// kink, it differs by as much of the change of the rate in the step.
const leftOf = 1e-6

// turned adds w a × arm to v.
func turned(v *[3]float64, w float64, a, arm [3]float64) {
	v[0] += w * (a[1]*arm[2] - a[2]*arm[1])
	v[1] += w * (a[2]*arm[0] - a[0]*arm[2])
	v[2] += w * (a[0]*arm[1] - a[1]*arm[0])
}

// Steady returns the velocity of a motion that goes straight on at one speed from t to t + h, as of
// a belt, or of what is seen from a frame that goes by; not ok: it does not.
func (m *Motion) Steady(t, h float64) (v [3]float64, ok bool) {
	if m.Angle != nil {
		return v, false
	}
	v = m.Rate(t, v)
	return v, m.Rate(t+h/2, v) == v && m.Rate(t+h-leftOf*h, v) == v
}

// MeanShift returns the mean velocity of the shift from the start until a time, or that at the
// start for 0.
func (m *Motion) MeanShift(until float64) (v [3]float64) {
	for i, s := range m.Shift {
		if v[i] = s.Rate(0); until > 0 {
			v[i] = (s.At(until) - s.At(0)) / until
		}
	}
	return v
}

// Breaks appends the kinks of its signals in (t0, t1), ascending, each once.
func (m *Motion) Breaks(dst []float64, t0, t1 float64) []float64 {
	n := len(dst)
	dst = m.Shift.Breaks(dst, t0, t1)
	if b, ok := m.Angle.(Breaker); ok {
		dst = b.Breaks(dst, t0, t1)
	}
	return SortBreaks(dst, n)
}

// Kinked reports whether it has a kink at a time, but for a slack; there is no velocity before zero.
func (m *Motion) Kinked(t, slack float64) bool {
	return len(m.Breaks(nil, max(0, t-slack), t+slack)) > 0
}

// Fastest bounds the speed of what is within an arm of the axis, at all times; +Inf if a signal
// does not know.
func (m *Motion) Fastest(arm float64) float64 {
	sum := 0.0
	for _, s := range m.Shift {
		sum = math.Hypot(sum, fastest(s))
	}
	if m.Angle != nil {
		sum += fastest(m.Angle) * arm
	}
	return sum
}

// Shifted returns how far the shift goes from t to t + h, and bounds by how much its velocity
// differs within, times h, from going there evenly [m]: 0 to rounding for what is seen from a frame
// that goes by.
func (m *Motion) Shifted(t, h float64) (d [3]float64, sway float64) {
	for i, s := range m.Shift {
		d[i] = s.At(t+h) - s.At(t)
		sway = math.Hypot(sway, min(h*fastest(s)+math.Abs(d[i]), uneven(s, t, h, d[i])))
	}
	return d, sway
}

// uneven bounds |h ṡ − d| from t to t + h: ṡ changes by at most sup |s̈| times the length between
// kinks, and is known to the right of each.
func uneven(s Scalar, t, h, d float64) (most float64) {
	bend, ok := DerivativeBound(s, 2)
	if !ok {
		return math.Inf(1)
	}
	pieces := []float64{t}
	if b, breaks := s.(Breaker); breaks {
		pieces = b.Breaks(pieces, t, t+h)
	}
	for _, at := range pieces {
		most = max(most, math.Abs(h*s.Rate(at)-d))
	}
	return most + h*h*bend
}

// Turned bounds how far what is within a reach, beside the shift, of a place at t is turned from t
// to t + h [m].
func (m *Motion) Turned(t, h float64, place [3]float64, reach float64) float64 {
	if m.Angle == nil {
		return 0
	}
	for i, x := range place {
		x -= m.Center[i]
		if m.Shift != nil {
			x -= m.Shift[i].At(t)
		}
		place[i] = x
	}
	return h * fastest(m.Angle) * (math.Hypot(math.Hypot(place[0], place[1]), place[2]) + reach)
}

func fastest(s Scalar) float64 {
	b, ok := s.(bounded)
	if !ok {
		return math.Inf(1)
	}
	_, rate := b.bound()
	return rate
}

// rotation is Rodrigues' formula; 1 − cos without cancellation.
func rotation(a [3]float64, angle float64) [9]float64 {
	sin, cos := math.Sincos(angle)
	half := math.Sin(angle / 2)
	c := 2 * half * half
	return [9]float64{
		cos + c*a[0]*a[0], c*a[0]*a[1] - sin*a[2], c*a[0]*a[2] + sin*a[1],
		c*a[1]*a[0] + sin*a[2], cos + c*a[1]*a[1], c*a[1]*a[2] - sin*a[0],
		c*a[2]*a[0] - sin*a[1], c*a[2]*a[1] + sin*a[0], cos + c*a[2]*a[2],
	}
}
