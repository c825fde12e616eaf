package energetic

import (
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/table"
)

// lag is the farthest that contact moves a prescribed component of a node, over what its elements deform.
type lag struct {
	Share    float64
	Particle int
}

// observe takes the places of a node of the evolution.
func (l *lag) observe(c *Case, t float64, x []float64) {
	for _, b := range particleview.Bodies(c.Psi.System) {
		if i, share := b.Lag(t, x); i >= 0 && share > l.Share {
			l.Share, l.Particle = share, b.First()+i
		}
	}
}

// fact judges it: an obstacle that bears on what is prescribed of a node takes part of it away.
func (l *lag) fact(c *Case) []table.Fact {
	if l.Share == 0 {
		return nil
	}
	f := table.AtMost(table.Accurate, "nodes in contact that are prescribed: by how much contact moves them, over what their elements deform",
		l.Share, c.plan.Accuracy, "", table.Computed)
	f.Place = "particle " + c.IDs[l.Particle]
	f.Remedy = "leave the node out of one of the two groups, by one that is part of it (\"mesh\": {\"groups\": …}), or an obstacle whose tangents keep to what is prescribed"
	return []table.Fact{f}
}
