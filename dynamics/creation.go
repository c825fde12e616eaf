package dynamics

import (
	"fmt"
	"math"
)

// Creation follows the energy that a scheme makes out of nothing or destroys:
//
//	c_n = E^n − E^0 − (what loads and supports brought in) + (what friction, dampers and
//	      inelastic impacts took),
//
// zero for every motion. It is judged against the energy that moves,
//
//	S = E^0 + max_n (net work of loads and potentials up to t_n)_+ + max_n (U^0 − U^n)_+ , at least e,
//
// with E^0 the kinetic energy at the start and U that of springs, of which counts what they have released: what is stored
// all the time does not move. E^0 and works are those in the frame in which least moves, see [View];
// e = ½h²fᵀM⁻¹f is the energy that the forces of one step give to bodies at rest, which
// a contact has to take from them in each step: the scale of bodies that stand still. Of steps
// longer than a thousandth of the run it is e of such a one: what moves in a step may
// not be hidden by the length of the step.
//
// What is judged cannot hide in its scale. The energy is a square: without the c that
// was made, S' is at least (√S − √c)² by the triangle inequality of the energy norm, so
// that c ≤ aS gives c ≤ a/(1−√a)² S': for a = .01 no more than .0124 S'.
type Creation struct {
	Start    float64 // E^0 [J]
	Moved    float64 // largest net work of loads and potentials so far [J]
	Released float64 // largest energy that springs have given so far [J]
	Rounding float64 // |c| that roundings may have made so far [J]
	Rest     float64 // e, the largest so far [J]
	Longest  float64 // step so far [s]
	Until    float64 // time since the start [s]
	Sum      float64 // c_n now [J]
	Most     float64 // largest |c_n| so far [J] …
	MostAt   float64 // … and when [s]
	Step     float64 // largest |c_n − c_{n−1}| so far [J] …
	StepAt   float64 // … and the end of that step [s]
	Taken    float64 // by friction, dampers and impacts since the start [J]
}

// Begin starts anew with the kinetic energy E^0 of the bodies.
func (c *Creation) Begin(start float64) { *c = Creation{Start: start} }

// Add takes a step that ends at t: made is c_n − c_{n−1}, moved the net work of loads
// and potentials since the start.
func (c *Creation) Add(t, made, moved float64) {
	c.Moved = max(c.Moved, moved)
	c.Sum += made
	if x := math.Abs(c.Sum); !(x <= c.Most) {
		c.Most, c.MostAt = x, t
	}
	if x := math.Abs(made); !(x <= c.Step) {
		c.Step, c.StepAt = x, t
	}
}

// Scale returns S [J].
func (c *Creation) Scale() float64 { return max(c.moves()+c.Released, c.rest(c.Until)) }

// moves is the energy that moves but for that of springs [J].
func (c *Creation) moves() float64 { return c.Start + c.Moved }

// rest returns e in a run that ends at a time.
func (c *Creation) rest(until float64) float64 {
	share := 1.0
	if short := until / restSteps; c.Longest > short {
		share = short / c.Longest
	}
	return share * share * c.Rest
}

// restSteps is the number of steps of a run in which e is that of a whole step.
const restSteps = 1000

// Measures judges the run so far, of the given number of steps by a scheme of first
// order in its balance. instead, if not empty, is the remedy where steps are none.
func (c *Creation) Measures(accuracy float64, steps int, instead string) []Measure {
	scale := c.Scale()
	of := fmt.Sprintf(" of %.3g J that move", scale)
	list := []Measure{
		{Name: "energy made or destroyed by the scheme", Value: ratio(max(0, c.Most-c.Rounding), scale), Place: fmt.Sprintf("%.3g J at t = %.6g s", c.Most, c.MostAt) + of},
		{Name: "energy made or destroyed in one step", Value: ratio(max(0, c.Step-c.Rounding), scale), Place: fmt.Sprintf("%.3g J at t = %.6g s", c.Step, c.StepAt) + of},
	}
	for i := range list {
		m := &list[i]
		m.Limit, m.Unit, m.Basis = accuracy, "-", Computed
		if m.Passed() {
			continue
		}
		if m.Remedy = instead; instead == "" {
			m.Remedy = firstOrder.moreSteps(steps, m)
		}
	}
	return list
}

// ratio returns x/scale as a number that can be written, 0 for 0/0.
func ratio(x, scale float64) float64 {
	if x == 0 {
		return 0
	}
	return min(x/scale, math.MaxFloat64)
}
