package report

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/quasistatic/quasistatic/table"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
	//go:embed draw.js
	drawJS string
	//go:embed solid.js
	solidJS string
	//go:embed bodies.js
	bodiesJS string
	//go:embed cone.js
	coneJS string
	//go:embed plots.js
	plotsJS string
	//go:embed runs.js
	runsJS string

	pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("report").Parse(pageHTML)) })
)

// Page is one HTML file about a run, whatever its model.
type Page struct {
	Title, Description string
	Lead               string // what is shown, in a sentence under the title
	Links              []Link // to pages about it; none of a page that stands alone
	Version            string // of the program
	Verdict            Verdict
	Facts              []Row
	Scene              *Scene // nil: nothing to animate
	Figures            []Figure
	Columns            []Columns // that can be plotted on wish
	Expectations       []Expected
	Certificates       []Row
	Judged             []Judged // what the verdict rests on
	Events             []Event  // the first ones
	EventCount         string
	EventHead          []string // of the table of events
	Sheets             []Sheet  // tables of other things
	Runs               *Runs    // of a study; nil: the page is about one run
	Planned, Made      int      // runs of a study that goes on, whose page loads itself anew; 0: it does not
	Warnings           []string // what could not be drawn
	Case               string
	// Live is the address from which the page fetches its parts while the run goes
	// on; empty: it is complete.
	Live string
}

// Link leads to another page, by a relative address.
type Link struct{ Text, Address string }

// Judged is a fact of the verdict as the page shows it.
type Judged struct {
	Word, Name, Value, Limit, Basis string
	Used                            string // the part of the limit that is used; empty: not known
	Note                            string // where it is worst, and what would mend it
	Passed                          bool
}

// judged lists the facts of a verdict.
func judged(facts []table.Fact) []Judged {
	var list []Judged
	for i := range facts {
		f := &facts[i]
		if f.Word == table.Expected {
			continue // they have a table of their own
		}
		j := Judged{Word: string(f.Word), Name: f.Name, Value: f.Number(),
			Limit: fmt.Sprintf("%.3g", f.Limit), Basis: string(f.Basis), Note: f.Place, Passed: f.Passed}
		if f.Basis == table.NotSaid {
			j.Value, j.Limit = "–", "–"
		}
		if f.Limit > 0 && f.Basis != table.NotSaid {
			j.Used = fmt.Sprintf("%.3g", f.Value/f.Limit)
		}
		if f.Unit != "" {
			j.Limit += " " + f.Unit
		}
		if f.Remedy != "" && !f.Passed {
			j.Note = strings.TrimPrefix(j.Note+"; "+f.Remedy, "; ")
		}
		list = append(list, j)
	}
	return list
}

// Expected is a line of the table of expectations.
type Expected struct {
	Row
	Off, Used string // by how much, and which part of the tolerance that is; empty: not known
	Want      string // number and tolerance, "0.7 1e-10"; empty: bounds
	Met       bool
	Undecided bool // by what the value may be off
}

// Sheet is a table of a page, or a text as it is.
type Sheet struct {
	Title string
	Head  []string
	Rows  [][]Cell
	Note  string // under it
	Text  string // in place of the rows
}

// Long reports whether a table is folded: it is higher than a window.
func (s *Sheet) Long() bool { return len(s.Rows) > 12 }

// Cell is a field of a table.
type Cell struct {
	Text   string
	Link   string // relative; empty: none
	Number bool
	Missed bool // not as it should be
}

// Event is a line of the table of events, its fields those of the head.
type Event []string

// CSS is the style of all pages.
func CSS() template.CSS { return template.CSS(pageCSS) }

// CSS is that of the page.
func (p *Page) CSS() template.CSS { return CSS() }

// JS returns the program of the page. Its parts have files of their own, which go in
// at their marks.
func (p *Page) JS() template.JS {
	return template.JS(strings.NewReplacer("  //DRAW\n", drawJS, "  //SOLID\n", solidJS, "  //BODIES\n", bodiesJS,
		"  //CONE\n", coneJS,
		"  //PLOTS\n", plotsJS, "  //RUNS\n", runsJS).Replace(pageJS))
}

// HasPlots reports whether there is anything to plot.
func (p *Page) HasPlots() bool {
	return p.Live != "" || len(p.Figures)+len(p.Columns) > 0 || p.Runs != nil && len(p.Runs.Inputs) > 0
}

// OpensRuns reports whether the page shows the page of a run that is picked.
func (p *Page) OpensRuns() bool {
	return p.Runs != nil && (p.Runs.Open != "" || p.Runs.Playground != "")
}

// SceneJSON returns the scene as the page holds it. Encoding escapes <, > and &, so
// that names cannot end the element.
func (p *Page) SceneJSON() (template.JS, error) {
	text, err := json.Marshal(p.Scene)
	return template.JS(text), err
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	if err := pageTemplate().ExecuteTemplate(w, "page", p.plainPage()); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// Parts returns the parts of the page that change while a run goes on, as JSON: the tag names the
// state, run is the number of the run that is seen, state a word for how it is, done says that it
// ended.
func (p *Page) Parts(tag string, run int, state string, done bool) ([]byte, error) {
	p = p.plainPage()
	parts := map[string]string{}
	for _, name := range []string{"verdict", "words", "figures", "tables"} {
		var b bytes.Buffer
		if err := pageTemplate().ExecuteTemplate(&b, name, p); err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
		parts[name] = b.String()
	}
	data, err := p.Data(gzip.BestSpeed) // they go to this machine
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"data": data, "tag": tag, "run": run, "done": done, "state": state,
		"parts": parts, "scene": p.Scene})
}
