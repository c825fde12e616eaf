package particleview

import (
	"fmt"

	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// Page makes the page of what was read so far.
func (r *Reader) Page(a report.About) (*report.Page, error) {
	p := report.Begin(a)
	p.Verdict, p.Facts, p.Certificates = words(a), r.facts(a), certificates(a.Summary)
	p.Figures, p.Warnings = r.figures()
	p.Columns = r.record.columns()
	p.Scene = r.animation()
	states := []string{JumpWord, LossWord}
	for s := incremental.Free; s <= incremental.Slip; s++ {
		states = append(states, s.String())
	}
	return p, p.ListEvents(r.files, "particle", append(states, table.TouchWord), r.word)
}

// word is a state of a contact as it is shown: without friction none sticks or slips.
func (r *Reader) word(who, state string) string {
	if state != incremental.Stick.String() && state != incremental.Slip.String() {
		return state
	}
	if r.smooth == nil {
		r.smooth = map[string]bool{}
		for c, m := range r.psi.Matrices {
			r.smooth[r.contactName(c)] = m == nil
		}
	}
	if r.smooth[who] {
		return table.TouchWord
	}
	return state
}

// facts lists what was computed.
func (r *Reader) facts(a report.About) []report.Row {
	rows := []report.Row{{"time", fmt.Sprintf("0 … %.6g s", r.time())}, {"times", fmt.Sprint(r.k)},
		{"particles", fmt.Sprint(len(r.scene.IDs))}}
	rows = append(rows, report.Ran(a)...)
	if x := section(a.Summary); x != nil && a.Summary.Status != table.Running {
		rows = append(rows, report.Row{"solves", fmt.Sprint(x.Solver.Solves)})
	}
	return rows
}
