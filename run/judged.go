package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/report"
)

// Judged is a convergence study with the verdict of each of its runs, in their order.
type Judged struct {
	Study
	Verdicts []LevelVerdict
}

// LevelVerdict is what a run of a convergence study is worth, by the facts that a run of its case
// alone is judged by.
type LevelVerdict struct {
	Run     string `json:"run"`     // "200 steps"
	Verdict string `json:"verdict"` // certified, solved or failed
	Met     bool   `json:"met"`     // all expectations
	Message string `json:"message,omitempty"`
}

// certified is the verdict of a run that is solved and accurate.
const certified = "certified"

// MarshalJSON puts the verdicts into the object that the study is.
func (j Judged) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(j.Study)
	if err != nil {
		return nil, err
	}
	verdicts, err := json.Marshal(j.Verdicts)
	if err != nil {
		return nil, err
	}
	open := bytes.TrimSuffix(text, []byte("}"))
	if len(open) > len("{") {
		open = append(open, ',')
	}
	return fmt.Appendf(open, `"verdicts":%s}`, verdicts), nil
}

// Print prints the study, and a line a run.
func (j Judged) Print(p *Page) {
	j.Study.Print(p)
	name := "verdicts"
	for i := range j.Verdicts {
		v := &j.Verdicts[i]
		p.Line(name, "%-9s %s", v.Run, v)
		name = ""
	}
}

// String is the verdict in one line.
func (v *LevelVerdict) String() string {
	text := v.Verdict
	if text == certified && !v.Met {
		text += ", not as expected"
	}
	if text != certified && v.Message != "" {
		text += ": " + oneLine(v.Message)
	}
	return text
}

// page shows the study: what halving the step gains, the verdicts, and the table as it is printed.
func (j Judged) page(title string, finest int, plots []*report.Plot) *report.Page {
	var printed Page
	j.Study.Print(&printed)
	p := &report.Page{Title: title + ": convergence", Version: Version(),
		Lead: fmt.Sprintf("%d runs of one case; %s has all numbers.", len(j.Verdicts), studyFile)}
	p.Verdict = report.Verdict{Class: "good", Headline: fmt.Sprintf("all %d runs certified, the finest as expected", len(j.Verdicts))}
	if err := j.Verdict(finest); err != nil {
		p.Verdict = report.Verdict{Class: "poor"}
		p.Verdict.Headline, p.Verdict.Worst, _ = strings.Cut(err.Error(), "; ")
	}
	var drawings []report.Drawing
	for i, x := range plots {
		drawings = append(drawings, report.Drawing{ID: fmt.Sprintf("study-%d", i), Plot: func() *report.Plot { return x }})
	}
	p.Figures, p.Warnings = report.Draw(drawings)
	verdicts := report.Sheet{Title: "Runs", Head: []string{"run", "verdict"}}
	for i := range j.Verdicts {
		v := &j.Verdicts[i]
		verdicts.Rows = append(verdicts.Rows, []report.Cell{{Text: v.Run},
			{Text: v.String(), Missed: v.Verdict != certified || i == finest && !v.Met}})
	}
	p.Sheets = []report.Sheet{verdicts, {Title: "Errors and orders", Text: printed.String()}}
	return p
}

// Verdict is nil if every run was certified and the finest of those that refine the step, which
// is the last before those that change something else, is as expected: coarser ones are off by
// the errors that the study shows.
func (j Judged) Verdict(finest int) error {
	bad := slices.IndexFunc(j.Verdicts, func(v LevelVerdict) bool { return v.Verdict != certified })
	n := 0
	for i := range j.Verdicts {
		if j.Verdicts[i].Verdict != certified {
			n++
		}
	}
	switch {
	case finest < 0 || finest >= len(j.Verdicts):
		return fmt.Errorf("the finest run, number %d, is not among the %d that have a verdict", finest, len(j.Verdicts))
	case n > 0:
		return fmt.Errorf("%d of %d runs are not certified; the first, %s: %s", n, len(j.Verdicts), j.Verdicts[bad].Run, &j.Verdicts[bad])
	case !j.Verdicts[finest].Met:
		return fmt.Errorf("the finest run, %s, is not as expected", j.Verdicts[finest].Run)
	}
	return nil
}
