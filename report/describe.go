package report

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/table"
)

// About says what a page is about.
type About struct {
	Title, Description, Case, SHA256, Version string
	Summary                                   *table.Summary // nil: none yet
}

// listedEvents is the number of events in the page.
const listedEvents = 200

// Page makes the page of what was read so far.
func (r *Run) Page(a About) (*Page, error) {
	figures, err := r.Figures()
	if err != nil {
		return nil, err
	}
	p := &Page{Title: a.Title, Description: a.Description, Version: a.Version, Case: a.Case, Verdict: Words(a.Summary), Facts: r.facts(a),
		Figures: figures, Certificates: Certificates(a.Summary), Scene: r.Scene()}
	if a.Summary != nil {
		p.Expectations = expected(a.Summary)
	}
	return p, r.events(p)
}

// facts lists what was computed.
func (r *Run) facts(a About) []Row {
	rows := []Row{
		{"time", fmt.Sprintf("0 … %.6g s", r.Time()), ""},
		{"nodes", fmt.Sprint(r.k), ""},
		{"particles", fmt.Sprint(len(r.scene.IDs)), ""},
		{"case", a.SHA256[:min(12, len(a.SHA256))] + "…", "SHA-256"},
		{"version", a.Version, ""},
	}
	if s := a.Summary; s != nil && s.Status != table.Running {
		rows = append(rows, Row{"computed in", fmt.Sprintf("%.3g s", s.WallSeconds), ""}, Row{"solves", fmt.Sprint(s.Solver.Solves), ""})
	}
	return rows
}

func expected(s *table.Summary) []Expected {
	var list []Expected
	for i := range s.Expectations {
		o := &s.Expectations[i]
		e := Expected{Row{o.Label, "not reached", wanted(o)}, o.Met}
		if o.Value != nil {
			e.Value = fmt.Sprintf("%.10g", *o.Value)
		}
		list = append(list, e)
	}
	return list
}

func wanted(o *table.Outcome) string {
	var parts []string
	if o.Want != nil && o.Tolerance != nil {
		parts = append(parts, fmt.Sprintf("%.10g ± %.2g", *o.Want, *o.Tolerance))
	}
	if o.Min != nil {
		parts = append(parts, fmt.Sprintf("≥ %g", *o.Min))
	}
	if o.Max != nil {
		parts = append(parts, fmt.Sprintf("≤ %g", *o.Max))
	}
	return strings.Join(parts, ", ")
}

// events lists the first changes of contact, and counts them by kind.
func (r *Run) events(p *Page) error {
	kinds := map[string]int{}
	total := 0
	p.EventHead = []string{"t [s]", "particle", "from", "to"}
	err := table.ReadEvents(r.dir, r.scene.IDs, func(e table.Event) {
		from := e.From.String()
		if e.Jump {
			from = "jump"
		}
		total++
		kinds[from+" → "+e.To.String()]++
		if len(p.Events) < listedEvents {
			p.Events = append(p.Events, Event{fmt.Sprintf("%.6g", e.T), r.scene.IDs[e.Particle], from, e.To.String()})
		}
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) && err != io.EOF {
		return err
	}
	var words []string
	for _, from := range []string{"free", "grazing", "stick", "slip", "jump"} {
		for to := incremental.Free; to <= incremental.Slip; to++ {
			kind := from + " → " + to.String()
			if n := kinds[kind]; n > 0 {
				words = append(words, fmt.Sprintf("%d × %s", n, kind))
			}
		}
	}
	p.EventCount = strings.Join(words, ", ") + "."
	if total > listedEvents {
		p.EventCount += fmt.Sprintf(" The first %d of %d are listed.", listedEvents, total)
	}
	return nil
}
