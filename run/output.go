package run

import "github.com/quasistatic/quasistatic/table"

// Output takes what a run writes: rows of its tables, and changes of contact.
type Output struct {
	*table.Tables
	story   Story
	subject string
}

// Event writes a change of state to events.csv, and counts it.
func (o *Output) Event(t float64, name, from, to string) error {
	o.story.record(t, o.subject, name, from, to)
	return o.Write(table.EventsFile, t, []string{name, from, to})
}

// State takes what a contact does at a time, as at the start, which is no event, for [Task.Brief].
func (o *Output) State(t float64, name, state string) { o.story.state(t, o.subject, name, state) }
