package halfspace

import (
	"cmp"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/halfspace"
)

// quantities are what a case can expect of its run.
var quantities = []casefile.Quantity{
	{Name: "approach"}, {Name: "shift", Must: "axis"}, {Name: "load", May: "axis"}, {Name: "contacts", Between: casefile.Before}, {Name: "sticking", Between: casefile.Before},
	{Name: "stick_share"}, {Name: "traction_share"}, {Name: "area"}, {Name: "pressure"}, {Name: "elastic_energy"}, {Name: "dissipation"}, {Name: "work"},
	{Name: "balance_residual", Sized: true}, {Name: "penetration"}, {Name: "gap"}, {Name: "mises"},
}

// axes are the moves along x, y, z.
var axes = [3]int{halfspace.MoveX, halfspace.MoveY, halfspace.MoveN}

// Value returns an expected quantity at the present state.
func (r *Run) Value(x *casefile.Expectation) float64 {
	move, load, l, v := r.moves(), r.loads(), r.e.Ledger(), &r.node
	switch x.Quantity {
	case "approach":
		return -move[halfspace.MoveN]
	case "shift":
		return move[axes[x.Axis]]
	case "load":
		if x.Axis < 0 {
			return load[halfspace.MoveN]
		}
		return load[axes[x.Axis]]
	case "contacts":
		return v.Contacts
	case "sticking":
		return v.Sticking
	case "stick_share":
		return v.Sticking / cmp.Or(v.Contacts, 1)
	case "traction_share":
		return math.Hypot(load[halfspace.MoveX], load[halfspace.MoveY]) / cmp.Or(r.bounds(), 1)
	case "area":
		return v.Area
	case "pressure":
		return v.Pressure
	case "elastic_energy":
		return l.Stored
	case "dissipation":
		return l.Dissipated
	case "work":
		return l.Work
	case "balance_residual":
		return l.Residual
	case "penetration":
		return v.Penetration
	case "gap":
		return v.Gap
	case "mises":
		return r.sum.MisesNow
	}
	panic("halfspace: Value: quantity " + x.Quantity)
}

// bounds are the most that friction can bear [N].
func (r *Run) bounds() float64 {
	if r.c.threshold == 0 {
		return r.c.mu * r.loads()[halfspace.MoveN]
	}
	sum := 0.0
	for _, g := range r.e.Result().Bound {
		sum += g
	}
	return sum * r.c.Operator.Grid().Area()
}
