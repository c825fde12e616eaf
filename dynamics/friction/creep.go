package friction

import "math"

// creep is a law that rises from next to nothing at rest, steeper than any step is short.
type creep interface {
	Law
	Slope(speed float64) float64 // dμ/dv [s/m]
	Slowest() float64            // speed below which it sticks [m/s]
}

// Slowest is the speed below which what slides has the friction of that speed, 0 for most laws [m/s].
func Slowest(l Law) float64 {
	if c, creeps := l.(creep); creeps {
		return c.Slowest()
	}
	return 0
}

// Gain tells −dv/dμ of contact n in this round: the sum of r_N‖W_TT‖ over its row [m/s]. Laws that
// creep ask for it.
func (s *Search) Gain(n int, gain float64) { s.tries[n].gain = gain }

// Creeps reports whether the friction of contact n asks for [Search.Gain].
func (s *Search) Creeps(n int) bool {
	_, is := s.tries[n].law.(creep)
	return is
}

// longest is the largest change of ln v in a round.
const longest = 3

// creep is the next μ of a contact that creeps, and by how much its present one is off.
//
// With c = −dv/dμ the slip follows μ as v = c (μ* − μ), μ* being the friction that holds it. In y = ln v
// what is to vanish is f(v) + v/c − μ*, f = law, which rises where the step has one solution: from y its
// Newton step is dy = −(f(v) − μ)/(v f′ + v/c), and μ + (v − v e^dy)/c the μ that leads there. What is
// to vanish is convex in y where friction rises, so that from above the steps do not pass the root:
// what sticks and is pulled by more than it holds begins with that, from where it slides faster.
func (t *try) creep(l creep, mu float64, slides bool, normal, along, speed float64) (next, off float64) {
	rest := l.Slowest()
	hold := l.Mu(0)
	if !(normal > 0) {
		return hold, 0
	}
	if !slides {
		t.last = [2]float64{}
		return hold, max(along/normal-hold, 0)
	}
	f, c := l.Mu(speed), t.follows(mu, speed)
	off = math.Abs(f - mu)
	if speed <= rest && f > mu {
		return hold, off
	}
	v := max(speed, rest)
	steep := v * (l.Slope(v) + 1/c)
	if !(steep > 0) {
		return f, off
	}
	dy := max(-longest, min(longest, (mu-f)/steep))
	return max(mu-v*math.Expm1(dy)/c, 0), off
}

// softest is the least part of the gain that rounds may show: below is no answer to μ.
const softest = 1e-2

// follows is −dv/dμ of the last two rounds, and at most that of the row, which counts what other
// contacts do as if all did it to this one: so μ is not left behind.
func (t *try) follows(mu, speed float64) float64 {
	c := t.gain
	if d := mu - t.last[0]; t.last[1] > 0 && d != 0 {
		if x := (t.last[1] - speed) / d; x > 0 {
			c = max(min(x, c), softest*c)
		}
	}
	t.last = [2]float64{mu, speed}
	return c
}
