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
//	S = E^0 + max_n (net work of loads and potentials up to t_n)_+ + max_n (U^0 − U^n)_+,
//
// with E^0 the kinetic energy at the start and U that of springs, of which counts what they have
// released: what is stored all the time does not move. E^0 and works are those in the frame in
// which least moves, see [View].
//
// Of bodies that stand still S is zero, and c is what rounding and contact problems leave of the
// energy e = ½h²fᵀM⁻¹f that the forces of a step give to bodies at rest, and that contacts take
// from them again. Their impulses are right to a share r of the forces, r the residual of the step:
// so much may be made in it,
//
//	ρ = 2⁻⁵⁰ (energies summed) + 8r Σe,
//
// 2e of the work of an impulse that is off by r, for each of four contacts a body. Nothing of this
// grows with the length of the run or of its steps but what the solver leaves.
//
// What is judged cannot hide in its scale. The energy is a square: without the c that
// was made, S' is at least (√S − √c)² by the triangle inequality of the energy norm, so
// that c ≤ aS gives c ≤ a/(1−√a)² S': for a = .01 no more than .0124 S'.
type Creation struct {
	Start    float64 // E^0 [J]
	Size     float64 // the same as the velocities of the case have it: Start is rounded to 2⁻⁵⁰ of that [J]
	Moved    float64 // largest net work of loads and potentials so far [J]
	Released float64 // largest energy that springs have given so far [J]
	Rounding float64 // |c| that roundings and residuals may have made so far, Σρ [J]
	Sum      float64 // c_n now [J]
	Most     float64 // largest |c_n| so far [J] …
	MostAt   float64 // … and when [s]
	Step     float64 // largest |c_n − c_{n−1}| so far [J] …
	StepAt   float64 // … and the end of that step [s]
	Taken    float64 // by friction, dampers and impacts since the start [J]
	Rubbed   float64 // by friction between parts, each over the mass of the lighter of the two [J/kg]
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
func (c *Creation) Scale() float64 { return c.moves() + c.Released }

// moves is the energy that moves but for that of springs [J].
func (c *Creation) moves() float64 { return c.Start + c.Moved }

// Over returns a part of |c| beyond what roundings may have made, over S [-]. It is not small where
// these would hide the energy of the start, beside little else.
func (c *Creation) Over(part float64) float64 {
	if c.Hidden() {
		return math.MaxFloat64
	}
	return ratio(max(0, part-c.Rounding), c.Scale())
}

// Hidden reports whether what roundings may have made would hide the energy of the start.
func (c *Creation) Hidden() bool {
	moves := c.Start > max(startRounding*c.Size, faint*c.Scale()) // a sine of phase −π/2 begins with its last digit
	return moves && c.Rounding > max(c.Start, sharpest*c.Scale()) || !(c.Rounding <= math.MaxFloat64)
}

// sharpest is the least accuracy that is asked for: roundings of less than that part of what moves hide
// nothing, as the spin of 1e-6 rad/s with which a disc falls some metres.
const sharpest = 1e-8

// startRounding: an E^0 of less than this part of the sums that it was found by may be rounding.
const startRounding = 0x1p-40

// Measures judges the run so far, of the given number of steps by a scheme of first
// order in its balance. instead, if not empty, is the remedy where steps are none.
func (c *Creation) Measures(accuracy float64, steps int, instead string) []Measure {
	of := fmt.Sprintf(" of %.3g J that move", c.Scale())
	switch {
	case c.Scale() == 0:
		of = ", and nothing moves of which it could be a part"
	case c.Hidden():
		of += fmt.Sprintf(", %.3g J of them at the start, which %.3g J of rounding hide", c.Start, c.Rounding)
	}
	list := []Measure{
		{Name: "energy made or destroyed by the scheme", Value: c.Over(c.Most),
			Place: fmt.Sprintf("%.3g J at t = %.6g s", c.Most, c.MostAt) + of},
		{Name: "energy made or destroyed in one step", Value: c.Over(c.Step),
			Place: fmt.Sprintf("%.3g J at t = %.6g s", c.Step, c.StepAt) + of},
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

// ratio returns x/scale as a number that can be written, 0 for 0/0. Beside a scale that is not
// finite nothing is small.
func ratio(x, scale float64) float64 {
	switch y := x / scale; {
	case !(scale <= math.MaxFloat64):
		return math.MaxFloat64
	case x == 0:
		return 0
	case y <= math.MaxFloat64:
		return y
	}
	return math.MaxFloat64
}
