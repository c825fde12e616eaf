package study

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/quasistatic/quasistatic/internal/regular"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

//go:embed page.html
var pageHTML string

var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("study").Parse(pageHTML)) })

// PageFile is the page of a study. While the study runs it loads itself anew.
const PageFile = "study.html"

// page is what the page of a study shows.
type page struct {
	*Summary
	Version, Source string
	Running         bool
	Class, Headline string
	Figures         []report.Figure
	Failures        []failure
	Unlisted        int
}

// CSS is the style of all pages.
func (p *page) CSS() template.CSS { return report.CSS() }

// failure is a run that is not certified and as expected.
type failure struct {
	Run                          int
	Verdict, Parameters, Message string
}

// listedFailures is the number of them on the page.
const listedFailures = 50

// newPage makes the page of what is known of a study in a folder.
func newPage(t *Table, dir, version string, running bool) (*page, error) {
	summary, err := t.Summary(dir, Shard{})
	if err != nil {
		return nil, err
	}
	p := &page{Summary: summary, Version: version, Source: string(t.Plan.Spec.source), Running: running}
	if p.Figures, err = t.Figures(); err != nil {
		return nil, err
	}
	p.conclude()
	return p, p.listFailures(t)
}

// conclude words the counts.
func (p *page) conclude() {
	p.Headline = fmt.Sprintf("%d of %d runs made", p.Made, p.Runs)
	switch {
	case p.Made < p.Runs:
		p.Class = "open"
	case p.Certified == p.Runs && p.Missed == 0:
		p.Class, p.Headline = "good", fmt.Sprintf("all %d runs certified and as expected", p.Runs)
	default:
		p.Class = "poor"
	}
}

// listFailures lists the first runs that are not certified and as expected.
func (p *page) listFailures(t *Table) error {
	for i := range t.Plan.Len() {
		r, err := t.record(i)
		if err != nil {
			return err
		}
		if r == nil || r.Verdict.proven() && r.Met {
			continue
		}
		if len(p.Failures) == listedFailures {
			p.Unlisted++
			continue
		}
		verdict := string(r.Verdict)
		if r.Verdict == Certified {
			verdict = "not as expected"
		}
		p.Failures = append(p.Failures, failure{Run: i, Verdict: verdict, Parameters: t.parameters(i), Message: r.Message})
	}
	return nil
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

// Write writes study.html into a folder.
func (p *page) Write(dir string) error {
	return table.WriteAtomic(filepath.Join(dir, PageFile), func(w io.Writer) error {
		if err := pageTemplate().Execute(w, p); err != nil {
			return fmt.Errorf("study: %w", err)
		}
		return nil
	})
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
