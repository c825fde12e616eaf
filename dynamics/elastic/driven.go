package elastic

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
)

// Driven is how far velocities at prescribed displacements were from the rates of these, at most. The trapezoidal rule
//
//	v^{n+1} = 2/Δt (u^{n+1} − u^n) − v^n
//
// keeps what they are off by, with the sign turned at each step: where a rate jumps by Δv, they go on between v − Δv
// and v + Δv at any Δt, accelerations there grow by 4Δv/Δt a step, and with a consistent mass the neighbours follow.
type Driven struct {
	Most  float64 // [m/s]
	Speed float64 // the largest of any node so far [m/s]
	At    float64 // the time of Most [s]
}

// observe takes the end of a step of dt. At a kink a rate has two values, and either is right: it is asked a millionth
// of a step before and after, far above the rounding of times and far below what a smooth rate changes in a step.
func (d *Driven) observe(a *assembly, dt float64, now *State) {
	d.Speed = max(d.Speed, infNorm(now.V))
	for k, i := range a.split.Fixed {
		off := math.Inf(1)
		for _, beside := range [2]float64{-1e-6 * dt, 1e-6 * dt} {
			off = min(off, math.Abs(now.V[i]-a.fixed[k].Rate(now.T+beside)))
		}
		if off > d.Most {
			d.Most, d.At = off, now.T
		}
	}
}

// Measure judges them against the largest velocity.
func (d *Driven) Measure(accuracy float64) dynamics.Measure {
	m := dynamics.Measure{Name: "velocities of supports, off the rates of their motions", Limit: accuracy, Unit: "-",
		Basis: dynamics.Computed, Place: fmt.Sprintf("t = %.6g s", d.At)}
	if d.Most > 0 {
		m.Value = d.Most / d.Speed
	}
	if !m.Passed() {
		m.Remedy = "motions whose rate does not jump, or \"scheme\": \"central difference\""
	}
	return m
}
