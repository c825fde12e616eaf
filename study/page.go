package study

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/quasistatic/quasistatic/internal/regular"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// PageFile is the page of a study. While the study runs it loads itself anew.
const PageFile = "study.html"

// listedFailures is the number of them on the page.
const listedFailures = 50

// Page makes the page of what is known of a study in a folder; running: it loads itself anew.
func (t *Table) Page(dir, version string, running bool) (*report.Page, error) {
	s, err := t.Summary(dir, Shard{})
	if err != nil {
		return nil, err
	}
	p := &report.Page{Title: s.Name, Version: version, Case: string(t.Plan.Spec.source), Lead: fmt.Sprintf("%d runs of %s", s.Runs, s.Case)}
	if len(s.Paths) > 0 {
		p.Lead += " over " + strings.Join(s.Paths, ", ")
	}
	p.Lead += ". All rows are in " + CSVFile + " and " + ParquetFile + "."
	if running {
		p.Planned, p.Made = s.Runs, s.Made
	}
	p.Figures, p.Warnings = report.Draw(t.tornados())
	if p.Runs, err = t.shown(s); err != nil {
		return nil, err
	}
	for i, link := range p.Runs.Links { // of a run that is kept the page, once somebody has made it
		name := path.Join(path.Dir(link), table.ReportFile)
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			p.Runs.Links[i] = name
		}
	}
	p.Verdict = t.conclude(s, p.Runs)
	if n := len(p.Runs.Number); n < s.Made {
		p.Lead += fmt.Sprintf(" The plots have %d runs: evenly chosen ones, and those with the least and the largest values.", n)
	}
	p.Sheets = s.sheets()
	failures, err := t.listFailures()
	if err != nil {
		return nil, err
	}
	if len(failures.Rows) > 0 {
		p.Sheets = append(p.Sheets, failures)
	}
	return p, nil
}

// conclude words the counts, and before them the boundary that the study was made to find.
func (t *Table) conclude(s *Summary, r *report.Runs) report.Verdict {
	expected := ""
	if t.Plan.expects() {
		expected = " and as expected"
	}
	v := report.Verdict{Class: "poor", Headline: fmt.Sprintf("%d of %d runs made", s.Made, s.Runs), Worst: s.Verdicts() + "."}
	switch {
	case s.Made < s.Runs:
		v.Class = "open"
	case s.Certified == s.Runs && s.Missed == 0:
		v.Class, v.Headline = "good", fmt.Sprintf("All %d runs certified%s", s.Runs, expected)
	default:
		v.Headline = fmt.Sprintf("%d of %d runs certified%s", s.Certified-s.Missed, s.Runs, expected)
	}
	sentences := s.boundarySentences()
	if s.Made < s.Runs || len(sentences) == 0 {
		return v
	}
	v.Class, v.Worst = "good", v.Headline+": "+v.Worst
	for i, text := range sentences {
		sentences[i] = capital(text)
	}
	v.Headline, v.Sentences = fmt.Sprintf("%d boundaries", len(sentences)), sentences
	if len(sentences) == 1 {
		headline, why, found := strings.Cut(sentences[0], "; ")
		if v.Headline, v.Sentences = headline, nil; found {
			v.Sentences = []string{capital(why)}
		}
	} else if len(r.Brackets) > 0 {
		low, high := r.Brackets[0].Low, r.Brackets[0].High
		for _, b := range r.Brackets {
			low, high = min(low, b.Low), max(high, b.High)
		}
		v.Headline += fmt.Sprintf(" of %s, between %.9g and %.9g", r.Inputs[r.Brackets[0].Input].Name, low, high)
	}
	if ends := t.openEnds(s); ends != "" {
		v.Class, v.Worst = "open", ends+" "+v.Worst
	} else {
		v.Worst = "Both ends are certified. " + v.Worst
	}
	if s.Unbounded > 0 {
		v.Class = "poor"
	}
	return v
}

// capital begins a sentence that begins with a letter of ASCII.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// openEnds says how many ends of the boundaries are not proven, and the first of them; "": none.
func (t *Table) openEnds(s *Summary) string {
	bad, all, first := 0, 0, ""
	for i, name := range s.Boundaries[0] {
		if name != "run low" && name != "run high" {
			continue
		}
		for _, row := range s.Boundaries[1:] {
			all++
			switch r := t.Records(row[i]); {
			case row[i] == "" || r == nil:
				first = cmp.Or(first, "not made")
			case !r.Verdict.proven():
				first = cmp.Or(first, string(r.Verdict))
			default:
				continue
			}
			bad++
		}
	}
	if bad == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d ends are not certified, the first: %s.", bad, all, first)
}

// sheets are the tables of a summary.
func (s *Summary) sheets() (list []report.Sheet) {
	text := func(words ...string) (row []report.Cell) {
		for i, w := range words {
			row = append(row, report.Cell{Text: w, Number: i > 0})
		}
		return row
	}
	add := func(title string, head []string, rows [][]report.Cell) {
		if len(rows) > 0 {
			list = append(list, report.Sheet{Title: title, Head: head, Rows: rows})
		}
	}
	var boundaries, observed, sobol, orders [][]report.Cell
	for _, row := range s.Boundaries[min(1, len(s.Boundaries)):] {
		cells := text(row...)
		for i := range cells {
			cells[i].Text = rounded(row[i])
		}
		boundaries = append(boundaries, cells)
	}
	if len(boundaries) > 0 {
		add("Boundaries", s.Boundaries[0], boundaries)
	}
	for _, x := range s.Statistics {
		count := fmt.Sprint(x.Count)
		if x.Missing > 0 {
			count += fmt.Sprintf(" (%d without)", x.Missing)
		}
		row := []string{x.Label, x.Unit, count}
		for _, v := range []float64{x.Mean, x.Deviation, x.Min, x.Quantiles[0], x.Quantiles[2], x.Quantiles[4], x.Max} {
			row = append(row, fmt.Sprintf("%.6g", v))
		}
		observed = append(observed, text(row...))
	}
	add("Observed", []string{"quantity", "unit", "runs", "mean", "deviation", "least", "5 %", "median", "95 %", "largest"}, observed)
	for _, x := range s.Sobol {
		sobol = append(sobol, text(x.Label, x.Path, fmt.Sprintf("%.4f ± %.4f", x.First, x.FirstError),
			fmt.Sprintf("%.4f ± %.4f", x.Total, x.TotalError)))
	}
	add("Sobol indices", []string{"quantity", "parameter", "first order", "total"}, sobol)
	for _, x := range s.Orders {
		orders = append(orders, text(x.Label, x.Path, fmt.Sprintf("%.3f", x.P), fmt.Sprintf("%.9g", x.Limit)))
	}
	add("Observed orders", []string{"quantity", "along", "order", "limit"}, orders)
	return list
}

// listFailures lists the first runs that are not certified and as expected.
func (t *Table) listFailures() (report.Sheet, error) {
	s, unlisted := report.Sheet{Title: "Not certified, or not as expected", Head: []string{"run", "verdict", "parameters", "why"}}, 0
	for i := range t.Plan.Len() {
		r, err := t.record(i)
		if err != nil {
			return s, err
		}
		if r == nil || r.Verdict.proven() && r.Met {
			continue
		}
		if len(s.Rows) == listedFailures {
			unlisted++
			continue
		}
		s.Rows = append(s.Rows, []report.Cell{{Text: fmt.Sprint(i), Number: true}, {Text: r.word(), Missed: true},
			{Text: t.parameters(i)}, {Text: r.Message}})
	}
	if unlisted > 0 {
		s.Note = fmt.Sprintf("and %d more in %s", unlisted, CSVFile)
	}
	return s, nil
}

// parameters lists those of run i in one line.
func (t *Table) parameters(i int) string {
	var words []string
	values := t.Plan.Parameters(i)
	for j, path := range t.Plan.Spec.Paths() {
		words = append(words, path+" = "+short(values[j]))
	}
	return strings.Join(words, ", ")
}

// Open reads the study in a folder.
func Open(dir string) (*Table, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("study: %s is a file, want the folder that \"quasistatic sweep %s\" writes", dir, dir)
	}
	s, err := Load(filepath.Join(dir, SpecFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("study: %s is not the folder of a study: it has no %s", dir, SpecFile)
	}
	if err != nil {
		return nil, err
	}
	base, err := regular.ReadFile(filepath.Join(dir, BaseFile))
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	plan, err := NewPlan(s, base)
	if err != nil {
		return nil, err
	}
	if text, err := regular.ReadFile(filepath.Join(dir, SumsFile)); err == nil { // studies of old have none
		var sums map[string]string
		if err := json.Unmarshal(text, &sums); err != nil {
			return nil, fmt.Errorf("study: %s: %w", filepath.Join(dir, SumsFile), err)
		}
		plan.SetSums(sums)
	}
	records, err := readRecords(dir)
	if err != nil {
		return nil, err
	}
	t := newTable(plan, records.get)
	t.Damaged = records.damaged
	return t, nil
}
