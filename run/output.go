package run

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/table"
)

// Output takes what a run writes: rows of its tables, and changes of contact.
type Output struct {
	*table.Tables
	story   Story
	subject string
	until   float64 // end of the run: what is not known better than that is not known [s]
	dater   Dater   // nil: times of events are known when they come
	pending []Event // whose times are not, in their order
	step    float64 // length of the one before the row that comes [s]
}

// StepLength is that of the step before the row that comes [s].
func (o *Output) StepLength() float64 { return o.step }

// Event is a change of what a contact does, or of the whole system.
type Event struct {
	T              float64 // when [s]
	Within         float64 // by what that may be off [s]; +Inf: nobody knows
	Name, From, To string
	Contact        uint64 // by which the run knows it, for a [Dater]
	Aside          bool   // for the story alone, see [Task.Brief]: no line of events.csv
	Smooth         bool   // the contact has no friction: where it bears, it neither sticks nor slips
}

// word is a state as the story has it.
func (e *Event) word(state string) string {
	if c := conductOf[state]; e.Smooth && (c == sticks || c == slides) {
		return table.TouchWord
	}
	return state
}

// Dater is a [Run] that learns after an event what its time is off by, as from runs beside it.
type Dater interface {
	// Late is by how much the motion makes an event early or late, beside Within of it, and whether
	// more will be known.
	Late(e *Event) (off float64, settled bool)
}

// mostPending events wait until their times are settled; then the first is taken as it is known.
const mostPending = 4096

// Event takes a change of state, which goes to events.csv when its time is settled.
func (o *Output) Event(e Event) error {
	if conductOf[e.To] == hits {
		o.story.hit()
	}
	at := len(o.pending)
	for at > 0 && o.pending[at-1].T > e.T {
		at--
	}
	o.pending = slices.Insert(o.pending, at, e)
	if o.dater == nil {
		return o.date(true)
	}
	return nil
}

// date writes what is settled of the events that wait; last: all of them.
func (o *Output) date(last bool) error {
	n := 0
	for i := range o.pending {
		e := &o.pending[i]
		if o.dater != nil && !e.Aside {
			off, settled := o.dater.Late(e)
			if !settled && !last && len(o.pending)-i <= mostPending {
				break
			}
			e.Within += off
		}
		if n++; !(e.Within < o.until) {
			e.Within = math.Inf(1)
		}
		if o.story.record(e, o.subject); e.Aside {
			continue
		}
		if err := o.Write(table.EventsFile, e.T, []string{e.Name, e.From, e.To}, min(e.Within, o.until)); err != nil {
			return err
		}
	}
	o.pending = append(o.pending[:0], o.pending[n:]...)
	return nil
}

// State takes what a contact does at a time, the state To of an event, as at the start, which is no
// event, for [Task.Brief].
func (o *Output) State(e Event) { o.story.state(e.T, o.subject, e.Name, e.word(e.To)) }

// outcomes compares what was expected with what was found and what that may be off by.
func (t *Task) outcomes() []table.Outcome {
	list := t.expect.Outcomes(t.Summary.Status == table.Done)
	if x, ok := t.run.(Doubter); ok {
		for i := range list {
			list[i].Blur(x.ValueWithin(&t.plan.Expect[i]))
		}
	}
	return list
}
