package run

import (
	"fmt"

	"github.com/quasistatic/quasistatic/table"
)

// Output takes what a run writes: rows of its tables, and changes of contact.
type Output struct {
	*table.Tables
	subject string
	events  int
	first   []string // as they are printed
}

// listed is the number of events that are printed.
const listed = 8

// Event writes a change of state to events.csv, and counts it.
func (o *Output) Event(t float64, name, from, to string) error {
	if o.events++; len(o.first) < listed {
		o.first = append(o.first, fmt.Sprintf("t=%.6g %s%s: %s → %s", t, o.subject, name, from, to))
	}
	return o.Write(table.EventsFile, t, []string{name, from, to})
}
