package elastic

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/friction"
)

// Friction with a state σ, as an age or a way: with slip u of the states at both ends of a step,
//
//	σ^{n+½} = After(σ^n, ‖u^n‖, Δt/2),  σ^{n+1} = After(σ^{n+½}, ‖u^{n+1}‖, Δt/2),
//
// which is of second order as the trapezoidal rule is, and for a way that rule. The law of the second
// half, implicit in u^{n+1}, is In(σ^{n+½}, Δt), friction in the middle of a step that begins there. A
// node that bears no force has the state of what begins to touch.

// Stateful returns the law of contact k if it has a state.
func (m *Model) Stateful(k int) (friction.Stateful, bool) {
	l, is := m.slip(k).(friction.Stateful)
	return l, is
}

// newStates returns the states of what begins to touch, nil if no contact has one.
func (m *Model) newStates() (states []float64) {
	for k := range m.Contacts {
		if l, is := m.Stateful(k); is {
			if states == nil {
				states = make([]float64, len(m.Contacts))
			}
			states[k] = l.State(0)
		}
	}
	return states
}

// halfway is σ^{n+½} of contact k, of a law.
func (a *assembly) halfway(k int, l friction.Stateful, dt float64, now *State) float64 {
	if !(now.R[max(a.dim, 2)*k] > 0) {
		return l.State(0)
	}
	u := a.slipAt(now, k)
	return l.After(now.Friction[k], math.Hypot(u[0], u[1]), dt/2)
}

// lawInStep is the law of contact k in the step from a state.
func (a *assembly) lawInStep(k int, dt float64, now *State) friction.Law {
	if l, is := a.model.Stateful(k); is {
		return l.In(a.halfway(k, l, dt, now), dt)
	}
	return a.model.slip(k)
}

// wear stores the states of friction of next, a step after now. What slides by less than the slowest
// speed of its law has the friction, and so the state, of that.
func (a *assembly) wear(dt float64, now, next *State) {
	fast := infNorm(next.V)
	for k := range next.Friction {
		l, is := a.model.Stateful(k)
		if !is {
			continue
		}
		if next.Friction[k] = l.State(0); !(next.R[max(a.dim, 2)*k] > 0) {
			continue
		}
		middle, u, w := a.halfway(k, l, dt, now), a.slipAt(next, k), a.speed(k, next.T)
		speed := math.Hypot(u[0], u[1])
		if speed > atRest*max(fast, math.Hypot(w[0], w[1])) {
			speed = max(speed, friction.Slowest(l.In(middle, dt)))
		}
		next.Friction[k] = l.After(middle, speed, dt/2)
	}
}
