package rigid

import (
	"cmp"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/run"
)

// Levers are the other weights and grids: α = ½ is of second order between collisions, where α = 1
// takes energy at first order, and with it what chatters; a grid of collisions has no impacts within its steps, one of gaps
// none at their ends.
func (c *Case) Levers() []run.Lever {
	var list []run.Lever
	lever := func(name string, alpha float64, grid rigid.Grid) {
		l := *c
		l.spare = nil
		l.Options.Alpha, l.Options.Grid = alpha, grid
		if l.Options.Validate() == nil {
			list = append(list, run.Lever{Name: name, Case: &l})
		}
	}
	o := &c.Options
	alpha := cmp.Or(o.Alpha, 1)
	own := o.ExplicitGamma && o.Gamma != alpha // the paper's scheme, with weights of its own
	const half, collisions = `"alpha": 0.5`, `"grid": "collisions"`
	switch {
	case o.Grid == rigid.CollisionGrid && alpha != 0.5 && !own:
		lever(half, 0.5, rigid.CollisionGrid)
	case alpha == 0.5 && !own:
		lever(`"alpha": 1`, 1, o.Grid)
	case o.Grid != rigid.CollisionGrid && !own:
		lever(half+" with "+collisions, 0.5, rigid.CollisionGrid)
	}
	if o.Grid != rigid.CollisionGrid {
		lever(collisions, o.Alpha, rigid.CollisionGrid)
	} else if alpha == 1 {
		lever(`"grid": "gaps"`, o.Alpha, rigid.GapGrid)
	}
	return list
}
