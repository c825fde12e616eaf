package rigid

import (
	"cmp"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/table"
)

// sensorDocument is a quantity that is a column of sensors.csv.
type sensorDocument struct {
	casefile.ExpectDocument
	Name string `json:"name"`
}

// sensors finds the quantities of the columns, each with the name of its column as its ID.
func (b *builder) sensors() []casefile.Expectation {
	p, lines := casefile.Path{"sensors"}, make([]casefile.ExpectDocument, len(b.doc.Sensors))
	for i := range lines {
		lines[i] = b.doc.Sensors[i].ExpectDocument
	}
	list, taken := b.Observations(p, lines, b.Quantities(measured.Quantities()), b.Dim, b.subject), map[string]int{}
	for k := range list {
		e := &list[k]
		e.ID = cmp.Or(b.doc.Sensors[e.Index].Name, e.Column())
		if e.ID == "t" {
			b.Add(p.With(e.Index, "name"), "the column \"t\" is that of the time, want another name")
		}
		if first, twice := taken[e.ID]; twice {
			b.Add(p.With(e.Index), "the column %q is that of $.sensors[%d], want a \"name\" of its own", e.ID, first)
		}
		taken[e.ID] = e.Index
	}
	return list
}

// sensorColumns are the names of the columns of sensors.csv.
func (c *Case) sensorColumns() (names []string) {
	for i := range c.sensors {
		names = append(names, c.sensors[i].ID)
	}
	return names
}

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

// sensorsOfStep says which of them are of the step that ends with a row.
func (c *Case) sensorsOfStep() (list []bool) {
	for i := range c.sensors {
		list = append(list, c.sensors[i].OfStep())
	}
	return list
}

// sensed are their values in the present row.
func (r *Run) sensed() []float64 {
	r.sensors = r.sensors[:0]
	for i := range r.c.sensors {
		r.sensors = append(r.sensors, r.Value(&r.c.sensors[i]))
	}
	return r.sensors
}
