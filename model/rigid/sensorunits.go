package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/table"
)

// sensorUnits are the units of the columns.
func (c *Case) sensorUnits() map[string]string {
	units := map[string]string{}
	for i := range c.sensors {
		x := &c.sensors[i]
		q := table.QuantityOf("expect", x.Quantity)
		units[x.ID] = q.Unit
		if q.Turn == "" {
			continue
		}
		turns := false
		switch {
		case x.Subject < 0: // of bodies that do both
			units[x.ID] += ", " + q.Turn
		case x.Quantity == "spring_tension":
			_, turns = c.springs[x.Subject].(*multibody.Twist)
		default:
			turns = !c.Model.Joints()[x.Subject].Kind.Slides()
		}
		if turns {
			units[x.ID] = q.Turn
		}
	}
	return units
}
