package signal_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/signal"
)

func motion(t *testing.T) *signal.Motion {
	t.Helper()
	angle, err := signal.NewSine(0.1, 0.7, 0.3, 0.2)
	if err != nil {
		t.Fatal(err)
	}
	shift, err := signal.NewSine(0, 0.5, 0.4, 0)
	if err != nil {
		t.Fatal(err)
	}
	m := &signal.Motion{Shift: signal.Vector{shift, signal.Constant(1), shift}, Center: [3]float64{0.3, -0.2, 0.1},
		Axis: [3]float64{1, 2, -2}, Angle: angle}
	if err := m.Normalise(); err != nil {
		t.Fatal(err)
	}
	return m
}

// place is where a point of the thing at rest is at t.
func place(m *signal.Motion, t float64, y [3]float64) (x [3]float64) {
	r, x := m.At(t)
	for i := range x {
		for k, v := range y {
			x[i] += r[3*i+k] * v
		}
	}
	return x
}

// TestMotionRate: the velocity is the derivative of the place, by central differences.
func TestMotionRate(t *testing.T) {
	m, y, at := motion(t), [3]float64{0.4, 0.7, -0.3}, 0.8
	const h = 1e-5
	a, b := place(m, at-h, y), place(m, at+h, y)
	v := m.Rate(at, place(m, at, y))
	for i := range v {
		if d := (b[i] - a[i]) / (2 * h); math.Abs(d-v[i]) > 1e-8 { // h² and rounding over h
			t.Errorf("component %d: %g, by differences %g", i, v[i], d)
		}
	}
}

// TestMotionMean: the field at the centre leads a body to where the motion takes it, and its spin
// by the angle of the motion; the field at the end is the rate there.
func TestMotionMean(t *testing.T) {
	m, at, h := motion(t), 0.8, 0.3
	y, arm := [3]float64{0.4, 0.7, -0.3}, [3]float64{0.01, 0.02, 0.03}
	c, end := place(m, at, y), place(m, at+h, y)
	v := m.Mean(at, h, c, c)
	for i := range c {
		if got := c[i] + h*v[i]; math.Abs(got-end[i]) > 1e-14 {
			t.Errorf("component %d: %g, the motion leads to %g", i, got, end[i])
		}
	}
	x := c
	for i := range x {
		x[i] += arm[i]
	}
	u, angle := m.Mean(at, h, c, x), m.Angle.At(at+h)-m.Angle.At(at)
	w := [3]float64{m.Axis[1]*arm[2] - m.Axis[2]*arm[1], m.Axis[2]*arm[0] - m.Axis[0]*arm[2], m.Axis[0]*arm[1] - m.Axis[1]*arm[0]}
	for i := range u {
		if want := v[i] + angle/h*w[i]; math.Abs(u[i]-want) > 1e-15 {
			t.Errorf("component %d of the field: %g, want %g", i, u[i], want)
		}
	}
	last, want := m.End(at, h, c, c), m.Rate(at+h, end)
	for i := range last {
		if math.Abs(last[i]-want[i]) > 1e-5 { // taken 1e-6 of a step before
			t.Errorf("component %d at the end: %g, want %g", i, last[i], want[i])
		}
	}
}

// TestMotionRefused: axes that are no directions, in any size.
func TestMotionRefused(t *testing.T) {
	for _, axis := range [][3]float64{{}, {math.NaN()}, {math.Inf(1)}} {
		m := signal.Motion{Axis: axis, Angle: signal.Constant(1)}
		if m.Normalise() == nil {
			t.Errorf("the axis %v is accepted", axis)
		}
	}
	for _, size := range []float64{1e-300, 1, 1e300} {
		m := signal.Motion{Axis: [3]float64{3 * size, 0, 4 * size}, Angle: signal.Constant(1)}
		if err := m.Normalise(); err != nil || math.Abs(m.Axis[0]-0.6) > 1e-15 || math.Abs(m.Axis[2]-0.8) > 1e-15 {
			t.Errorf("the axis of size %g becomes %v, %v", size, m.Axis, err)
		}
	}
	m := signal.Motion{Shift: signal.Vector{signal.Constant(1)}}
	if m.Normalise() == nil {
		t.Error("a shift of one component is accepted")
	}
}

// TestMotionBreaks: kinks of both, each once.
func TestMotionBreaks(t *testing.T) {
	a, _ := signal.NewTable([]float64{0, 1, 3}, []float64{0, 1, 0})
	b, _ := signal.NewTable([]float64{1, 2}, []float64{0, 1})
	m := signal.Motion{Shift: signal.Vector{a, a, signal.Constant(0)}, Axis: [3]float64{0, 0, 1}, Angle: b}
	if got := m.Breaks(nil, 0.5, 5); len(got) != 3 || got[0] != 1 || got[1] != 2 || got[2] != 3 {
		t.Errorf("kinks at %v", got)
	}
	if got := m.Fastest(2); math.Abs(got-(math.Sqrt2+2)) > 1e-15 { // √2 of the shift, 2·1 of the turn
		t.Errorf("fastest %g", got)
	}
}

// TestSignals: of a motion its shifts and its angle, those that there are.
func TestSignals(t *testing.T) {
	a, b := signal.Constant(1), signal.Constant(2)
	for _, c := range []struct {
		m    signal.Motion
		want int
	}{{signal.Motion{}, 0}, {signal.Motion{Angle: a}, 1}, {signal.Motion{Shift: signal.Vector{a, b, a}}, 3},
		{signal.Motion{Shift: signal.Vector{a, b, a}, Angle: b}, 4}} {
		list := c.m.Signals()
		if len(list) != c.want || c.m.Moves() != (c.want > 0) {
			t.Errorf("%+v: %d signals", c.m, len(list))
		}
		if c.want == 4 {
			list[0] = b
			if c.m.Shift[0] != a || list[3] != b {
				t.Error("the list is that of the motion")
			}
		}
	}
}
