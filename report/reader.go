package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/quasistatic/quasistatic/table"
)

// Reader reads the files of a run, as far as they are there, and makes its page. A
// run may still go on: Read takes in what is new.
type Reader interface {
	// Read takes in the rows that were not read yet and returns how many these were.
	Read(ctx context.Context) (int, error)
	// Nodes returns the number of times read so far.
	Nodes() int
	Page(a About) (*Page, error)
	// Overview draws the pictures of what was read into a folder; the warnings say what
	// could not be drawn, the error is of the file system.
	Overview(dir, title string) (warnings []string, err error)
	Close() error
}

// About says what a page is about.
type About struct {
	Title, Description, Case, SHA256, Version string
	Summary                                   *table.Summary // nil: none yet
	Writing                                   table.Writing  // of a run that has not ended
}

// Begin begins the page of a run: what does not depend on its model.
func Begin(a About) *Page {
	p := &Page{Title: a.Title, Description: a.Description, Version: a.Version, Case: a.Case, Verdict: a.Outcome()}
	if a.Summary != nil {
		p.Expectations, p.Judged = expected(a.Summary), judged(a.Summary.Facts)
	}
	return p
}

// State is the state of the run in a word.
func (a *About) State() string {
	if a.Summary != nil {
		switch a.Summary.Status {
		case table.Done:
			return "finished"
		case table.Interrupted:
			return "stopped"
		case table.Failed:
			return "failed"
		}
	}
	switch {
	case a.Writing == table.Abandoned:
		return "killed"
	case a.Summary != nil && a.Summary.Resumed > 0:
		return "resumed"
	}
	return "running"
}

// Ran lists what ran: case, version, time taken.
func Ran(a About) []Row {
	rows := []Row{{"case", a.SHA256[:min(12, len(a.SHA256))] + "…", "SHA-256"}, {"version", a.Version, ""}}
	if s := a.Summary; s != nil && s.Status != table.Running {
		rows = append(rows, Row{"computed in", fmt.Sprintf("%.3g s", s.WallSeconds), ""})
	}
	return rows
}

// Steps returns the number of steps: that of the summary, for a run may write every
// n-th only, or else what the rows that are there tell.
func Steps(a About, rows int) string {
	if a.Summary != nil && a.Summary.Steps > 0 {
		return Count(a.Summary.Steps)
	}
	return Count(max(0, rows-1))
}

func expected(s *table.Summary) []Expected {
	var list []Expected
	for i := range s.Expectations {
		o := &s.Expectations[i]
		e := Expected{Row: Row{o.Label, "not reached", o.Wanted("≥", "≤")}, Met: o.Met, Undecided: o.Undecided()}
		if o.Value != nil {
			e.Row[1] = o.Found()
		}
		if o.Want != nil && o.Tolerance != nil {
			e.Want = fmt.Sprintf("%.17g %.17g", *o.Want, *o.Tolerance)
		}
		if o.Value != nil && o.Want != nil && o.Tolerance != nil && *o.Tolerance > 0 {
			off := math.Abs(*o.Value - *o.Want)
			e.Off, e.Used = fmt.Sprintf("%.2g", off), fmt.Sprintf("%.3g", off / *o.Tolerance)
		}
		list = append(list, e)
	}
	return list
}

// ListedEvents is the number of events in the page.
const ListedEvents = 200

// uncertainty is what the time of an event may be off by, if its table says so.
func uncertainty(numbers []float64) string {
	if len(numbers) == 0 {
		return ""
	}
	return fmt.Sprintf("%.2g", numbers[0])
}

// ListEvents lists the first changes of state of a run, and counts them by kind, in the order of the
// states. word says how a state of a contact is shown; nil: as the file has it. Changes that are
// none as they are shown are left out. A run without the table has none.
func (p *Page) ListEvents(from *table.Folder, what string, states []string, word func(who, state string) string) error {
	r, err := from.CursorIfAny(table.EventsFile)
	if r == nil {
		return err
	}
	defer r.Close() // read only
	kinds, total := map[[2]string]int{}, 0
	for {
		err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		who, before, after := r.Row.Words[0], r.Row.Words[1], r.Row.Words[2]
		if word != nil {
			if before, after = word(who, before), word(who, after); before == after {
				continue
			}
		}
		total++
		kinds[[2]string{before, after}]++
		if len(p.Events) < ListedEvents {
			p.Events = append(p.Events, Event{fmt.Sprintf("%.6g", r.Row.T), who, before, after, uncertainty(r.Row.Values)})
		}
	}
	var words []string
	for _, before := range states {
		for _, after := range states {
			if n := kinds[[2]string{before, after}]; n > 0 {
				words = append(words, fmt.Sprintf("%s × %s → %s", Count(n), before, after))
			}
		}
	}
	p.EventHead = []string{"t [s]", what, "from", "to", "± [s]"}
	p.EventCount = strings.Join(words, ", ") + "."
	if total > ListedEvents {
		p.EventCount += fmt.Sprintf(" The first %d of %s are listed.", ListedEvents, Count(total))
	}
	return nil
}
