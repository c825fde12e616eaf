package halfspace

import (
	"cmp"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/halfspace"
)

// quantities are what a case can expect of its run.
var quantities = casefile.Catalogue[*Run]{
	{Name: "approach", Of: func(r *Run) float64 { return -r.moves()[halfspace.MoveN] }},
	{Name: "shift", Must: "axis", At: func(r *Run, x *casefile.Expectation) float64 { return r.moves()[axes[x.Axis]] }},
	{Name: "load", May: "axis", At: (*Run).load},
	{Name: "contacts", Between: casefile.Before, Of: func(r *Run) float64 { return r.node.Contacts }},
	{Name: "sticking", Between: casefile.Before, Of: func(r *Run) float64 { return r.node.Sticking }},
	{Name: "stick_share", Of: func(r *Run) float64 { return r.node.Sticking / cmp.Or(r.node.Contacts, 1) }},
	{Name: "traction_share", Of: (*Run).tractionShare},
	{Name: "area", Of: func(r *Run) float64 { return r.node.Area }},
	{Name: "pressure", Of: func(r *Run) float64 { return r.node.Pressure }},
	{Name: "elastic_energy", Of: func(r *Run) float64 { return r.e.Ledger().Stored }},
	{Name: "dissipation", Of: func(r *Run) float64 { return r.e.Ledger().Dissipated }},
	{Name: "work", Of: func(r *Run) float64 { return r.e.Ledger().Work }},
	{Name: "balance_residual", Sized: true, Of: func(r *Run) float64 { return r.e.Ledger().Residual }},
	{Name: "penetration", Of: func(r *Run) float64 { return r.node.Penetration }},
	{Name: "gap", Of: func(r *Run) float64 { return r.node.Gap }},
	{Name: "mises", Of: func(r *Run) float64 { return r.sum.MisesNow }},
}

// axes are the moves along x, y, z.
var axes = [3]int{halfspace.MoveX, halfspace.MoveY, halfspace.MoveN}

// Value returns an expected quantity at the present state.
func (r *Run) Value(x *casefile.Expectation) float64 { return quantities.Value(r, x) }

// load is the force along an axis, the normal one without one.
func (r *Run) load(x *casefile.Expectation) float64 {
	if x.Axis < 0 {
		return r.loads()[halfspace.MoveN]
	}
	return r.loads()[axes[x.Axis]]
}

// tractionShare is the tangential load over what friction can bear.
func (r *Run) tractionShare() float64 {
	load := r.loads()
	return math.Hypot(load[halfspace.MoveX], load[halfspace.MoveY]) / cmp.Or(r.bounds(), 1)
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
