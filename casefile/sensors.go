package casefile

import "cmp"

// SensorDocument is an entry of the key sensors: a quantity that is a column of sensors.csv.
type SensorDocument struct {
	ExpectDocument
	Name string `json:"name"`
}

// Sensors is the list of quantities that a run writes in every row.
type Sensors []Expectation

// Sensors decodes the key sensors as [Builder.Observations] does; the ID of each is the name of its column.
func (b *Builder) Sensors(d []SensorDocument, quantities []Quantity, dim int,
	resolve func(p Path, d *ExpectDocument, e *Expectation)) Sensors {
	p, lines := Path{"sensors"}, make([]ExpectDocument, len(d))
	for i := range lines {
		lines[i] = d[i].ExpectDocument
	}
	list, taken := b.Observations(p, lines, quantities, dim, resolve), map[string]int{}
	for k := range list {
		e := &list[k]
		e.ID = cmp.Or(d[e.Index].Name, e.Column())
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

// Columns are the names of the columns of sensors.csv.
func (s Sensors) Columns() (names []string) {
	for i := range s {
		names = append(names, s[i].ID)
	}
	return names
}

// OfStep says which of them are of the step that ends with a row.
func (s Sensors) OfStep() (list []bool) {
	for i := range s {
		list = append(list, s[i].OfStep())
	}
	return list
}

// Row stores the values of the present row in dst, which grows as needed.
func (s Sensors) Row(dst []float64, value func(*Expectation) float64) []float64 {
	dst = dst[:0]
	for i := range s {
		dst = append(dst, value(&s[i]))
	}
	return dst
}
