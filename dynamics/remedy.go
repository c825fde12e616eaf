package dynamics

import (
	"fmt"
	"math"
	"strings"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// order is the power of the step by which an error falls, and how that is known.
type order struct {
	power float64
	text  string
}

var (
	firstOrder  = order{1, "the error being O(h)"}
	secondOrder = order{2, "the error being O(h²)"}
)

const (
	// leastOrder: an error that falls more slowly needs 16 times the steps for half of it, or does
	// not fall at all.
	leastOrder = 0.25
	// mostSteps is the largest number of steps that is advised: at 10 µs and 100 bytes, those of
	// one small body, they take minutes and a gigabyte.
	mostSteps = 1e7
)

// observed is the order by which a distance falls from twice the step to the step, at most a
// theoretical one: what falls faster does so by chance.
func observed(coarse, fine float64, most order) order {
	p := math.Log2(coarse / fine)
	if !(p < most.power) { // nothing to see: as the theory has it
		return most
	}
	return order{p, fmt.Sprintf("by the observed order %.2g", max(p, 0))}
}

// spareSteps: of higher orders a tenth more.
const spareSteps = 1.1

// moreSteps names the number of steps that brings a measure down to its limit, or says what is in
// the way of that.
func (o order) moreSteps(steps int, m *Measure) string {
	has := fmt.Sprintf("; at this step the accuracy is %.2g", m.Value)
	if m.Value > 1 { // none
		has = ""
	}
	if !(o.power >= leastOrder) {
		return fmt.Sprintf("more steps are not known to help, %s: neighbouring motions part, or events fall anywhere into steps%s",
			o.text, has)
	}
	if m.Value == math.MaxFloat64 {
		return "no number of steps is known"
	}
	n := spareSteps * float64(steps) * elementary.Pow(m.Value/m.Limit, 1/o.power)
	if !(n <= mostSteps) {
		return fmt.Sprintf("no number of steps that can be made: %.1e, %s%s", n, o.text, has)
	}
	m.Steps = roundedUp(n)
	return fmt.Sprintf("about %.0f steps, %s", m.Steps, o.text)
}

// FirstOrder names the number of steps that brings a measure of the given ones, of first order in
// their length, down to its limit, or says what is in the way of that.
func FirstOrder(steps int, m *Measure) string { return firstOrder.moreSteps(steps, m) }

// farSteps: so many times the steps are not told from one step length where contacts have taken
// energy: the places of impacts and of ends of sliding in steps make errors without an order.
const farSteps = 10

// near takes the number of steps from a remedy that goes too far, and says what is in the way.
func (o order) near(steps int, m *Measure, text string) string {
	if m.Steps <= farSteps*float64(steps) {
		return text
	}
	text = fmt.Sprintf("no number of steps is known: %.0f times as many, %s, are too far from these where contacts open, close and slide; at this step the accuracy is %.2g",
		m.Steps/float64(steps), o.text, m.Value)
	if m.Value > 1 { // none
		text, _, _ = strings.Cut(text, "; at this")
	}
	m.Steps = 0
	return text
}

// roundedUp has three digits.
func roundedUp(n float64) float64 {
	digits := math.Pow(10, max(0, math.Floor(math.Log10(n))-2))
	return math.Ceil(n/digits*(1-1e-12)) * digits // 5500 is that
}
