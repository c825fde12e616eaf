package rigid

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/model/bodyview"
)

// Steps whose forces are looked at: all of the first ones, of runs of few steps, and then one in so many,
// so that it costs less than the steps do.
const (
	openFirst = 16
	openEvery = 8
)

// lookForOpen remembers the first step whose laws leave open, by more than the accuracy, what friction
// takes or how it moves the bodies, and those where forces are open that the case asks for: the run is
// then one of many that obey them.
func (r *Run) lookForOpen() {
	m, step := r.sum.Multibody, r.stepper.Last()
	if step.Index == 0 || step.Index > openFirst && step.Index%openEvery != 0 {
		return
	}
	r.restOnCorners()
	r.openForces()
	if m.Open != nil && m.Shared != nil && m.Shared.Face {
		return
	}
	name := func(t *bodies.Touch) string { return r.c.IDs[t.A] + " on " + r.c.second(t.B, t.Floor) }
	for _, x := range r.stepper.Indeterminacy() {
		told := &m.Open
		if !x.Sticks || x.Face {
			told = &m.Shared
		}
		if (*told == nil || x.Face && !(*told).Face) && x.Share() > r.c.plan.Accuracy {
			*told = &bodyview.Open{Slides: name(&x.Slides), T: step.T, Less: bounded(x.Less), More: bounded(x.More),
				Turns: bounded(x.Turns)}
			if x.Sticks && !x.Face {
				m.Open.Holds = name(&x.Holds)
			}
			(*told).Face, (*told).Even = x.Face, x.Face && r.even(&x.Slides)
		}
	}
}

// bounded is a number that JSON has.
func bounded(x float64) float64 { return min(x, math.MaxFloat64) }

// asked are the contact forces that a case expects or has columns of, each once.
func (c *Case) asked() (list []*casefile.Expectation) {
	for _, of := range [][]casefile.Expectation{c.plan.Expect, c.sensors} {
		for i := range of {
			x := &of[i]
			if (x.Quantity == "contact_force" || x.Quantity == "contact_torque") &&
				!slices.ContainsFunc(list, func(y *casefile.Expectation) bool {
					return x.Quantity == y.Quantity && x.Subject == y.Subject && x.Other == y.Other && x.Axis == y.Axis
				}) {
				list = append(list, x)
			}
		}
	}
	return list
}

// openForces keeps the forces that the case asks for and that the laws leave open, as those of a
// beam on three supports, beside the largest that it asks for, as they were when looked at last.
func (r *Run) openForces() {
	m, largest := r.sum.Multibody, 0.0
	for _, x := range r.c.asked() {
		largest = max(largest, math.Abs(r.Value(x)))
	}
	for _, x := range r.c.asked() {
		turns := x.Quantity == "contact_torque"
		less, more := r.stepper.OpenWrench(x.Subject, x.Other, component(x), turns)
		if !(less+more > r.c.plan.Accuracy*largest) {
			continue
		}
		value := r.Value(x)
		open := bodyview.OpenForce{Force: map[bool]string{true: "torque", false: "force"}[turns] + " " +
			"xyz"[component(x):component(x)+1] + " of " + r.c.second(x.Other, -1-x.Other) + " on " + r.c.IDs[x.Subject],
			T: r.Time(), Low: max(value-less, -math.MaxFloat64), High: bounded(value + more)}
		if k := slices.IndexFunc(m.Shares, func(y bodyview.OpenForce) bool { return y.Force == open.Force }); k >= 0 {
			m.Shares[k] = open
		} else {
			m.Shares = append(m.Shares, open)
		}
	}
}

// openTexts say what the laws leave open.
func (r *Run) openTexts() (list []string) {
	m := r.sum.Multibody
	if x := m.Open; x != nil {
		list = append(list, openText(x)+": "+x.Holds+" sticks")
	}
	if x := m.Shared; x != nil && !x.Even && !slices.Contains(m.Uneven, x.Slides) {
		text := fmt.Sprintf("how %s shares what its points bear is open, and its way with it", x.Slides)
		if x.Face {
			text = fmt.Sprintf("%s bears by the corners of its face; its way depends on that: \"pressure\"", x.Slides)
		}
		list = append(list, text)
	}
	if m.Painleve > 0 {
		list = append(list, fmt.Sprintf("Painlevé's paradox by t = %.3g s: an impulse stops what slides, no force can", m.PainleveBy))
	}
	if m.Alternating > 0 {
		list = append(list, r.alternationText())
	}
	if m.Corners != "" {
		list = append(list, fmt.Sprintf("corners hold %s; an even pressure may not: \"pressure\": \"uniform\"", m.Corners))
	}
	if n := len(m.Uneven); n > 0 {
		more := map[bool]string{true: fmt.Sprintf(" and %d more", n-1)}[n > 1]
		list = append(list, fmt.Sprintf("corners bear %s%s: \"uniform\" is for faces on half-spaces", m.Uneven[0], more))
	}
	for i, x := range m.Shares {
		if i == 3 { // the terminal has a dozen lines
			list = append(list, fmt.Sprintf("%d more forces are open: summary.json", len(m.Shares)-i))
			break
		}
		list = append(list, fmt.Sprintf("the %s is open: %.4g to %.4g are as good, t = %.4g s", x.Force, x.Low, x.High, x.T))
	}
	return list
}

// openText says how far friction is open.
func openText(x *bodyview.Open) string {
	switch more := max(x.Less, x.More); {
	case more == math.MaxFloat64:
		return fmt.Sprintf("friction of %s is open without bound", x.Slides)
	case more >= x.Turns:
		return fmt.Sprintf("friction of %s is open, %+.2g to %+.2g %%", x.Slides, -100*x.Less, 100*x.More)
	}
	return fmt.Sprintf("the way of the bodies is one of many under friction of %s", x.Slides)
}
