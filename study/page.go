package study

import (
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("study").Parse(pageHTML))

// PageFile is the page of a study. While the study runs it loads itself anew.
const PageFile = "study.html"

// Page is what the page of a study shows.
type Page struct {
	Name, Case, Version, Source string
	Paths                       []string
	Runs, Made                  int
	Running                     bool
	Class, Headline             string
	Verdicts                    []string
	Statistics                  []Statistics
	Sobol                       []Indices
	Orders                      []Order
	Boundaries                  [][]string
	Figures                     []report.Figure
	Failures                    []Failure
	Unlisted                    int
}

// CSS is the style of all pages.
func (p *Page) CSS() template.CSS { return report.CSS() }

// Failure is a run that is not certified and as expected.
type Failure struct {
	Run                          int
	Verdict, Parameters, Message string
}

// listedFailures is the number of them on the page.
const listedFailures = 50

// NewPage sums up what is known of a study in a folder.
func NewPage(t *Table, dir, version string, running bool) (*Page, error) {
	s := t.Plan.Spec
	p := &Page{Name: s.Name, Case: s.Case, Version: version, Source: string(s.source), Paths: s.Paths(), Runs: t.Plan.Len(), Running: running}
	if p.Name == "" {
		p.Name = "study of " + s.Case
	}
	var err error
	if p.Statistics, err = t.Statistics(); err != nil {
		return nil, err
	}
	if p.Orders, err = t.Orders(); err != nil {
		return nil, err
	}
	if sobol, err := t.Sobol(); err == nil {
		p.Sobol = sobol
	}
	if p.Figures, err = t.Figures(); err != nil {
		return nil, err
	}
	if p.Boundaries, err = readBoundaries(dir); err != nil {
		return nil, err
	}
	return p, p.count(t)
}

// count counts verdicts and lists what is not certified.
func (p *Page) count(t *Table) error {
	counts := map[Verdict]int{}
	missed := 0
	for i := range t.Plan.Len() {
		r, err := t.record(i)
		if err != nil {
			return err
		}
		if r == nil {
			continue
		}
		p.Made++
		counts[r.Verdict]++
		if r.Verdict == Certified && r.Met {
			continue
		}
		verdict := string(r.Verdict)
		if r.Verdict == Certified {
			missed++
			verdict = "not as expected"
		}
		if len(p.Failures) == listedFailures {
			p.Unlisted++
			continue
		}
		p.Failures = append(p.Failures, Failure{Run: i, Verdict: verdict, Parameters: t.parameters(i), Message: r.Message})
	}
	p.conclude(counts, missed)
	return nil
}

// conclude words the counts.
func (p *Page) conclude(counts map[Verdict]int, missed int) {
	p.Headline = fmt.Sprintf("%d of %d runs made", p.Made, p.Runs)
	switch {
	case p.Made < p.Runs:
		p.Class = "open"
	case counts[Certified] == p.Runs && missed == 0:
		p.Class, p.Headline = "good", fmt.Sprintf("all %d runs certified and as expected", p.Runs)
	default:
		p.Class = "poor"
	}
	for _, v := range []Verdict{Certified, Solved, Failed, Refused, Lost} {
		if counts[v] > 0 {
			p.Verdicts = append(p.Verdicts, fmt.Sprintf("%d %s", counts[v], v))
		}
	}
	if missed > 0 {
		p.Verdicts = append(p.Verdicts, fmt.Sprintf("%d of the certified ones not as expected", missed))
	}
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

// readBoundaries reads boundary.csv, if it is there.
func readBoundaries(dir string) ([][]string, error) {
	f, err := os.Open(filepath.Join(dir, BoundaryFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	defer f.Close() // read only
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("study: %s: %w", BoundaryFile, err)
	}
	return rows, nil
}

// Write writes study.html into a folder.
func (p *Page) Write(dir string) error {
	return table.WriteAtomic(filepath.Join(dir, PageFile), func(w io.Writer) error {
		if err := pageTemplate.Execute(w, p); err != nil {
			return fmt.Errorf("study: %w", err)
		}
		return nil
	})
}

// Open reads the study in a folder.
func Open(dir string) (*Table, error) {
	s, err := Load(filepath.Join(dir, SpecFile))
	if err != nil {
		return nil, err
	}
	base, err := os.ReadFile(filepath.Join(dir, BaseFile))
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	plan, err := NewPlan(s, base)
	if err != nil {
		return nil, err
	}
	records, err := ReadRecords(dir)
	if err != nil {
		return nil, err
	}
	return NewTable(plan, func(id string) *Record { return records[id] }), nil
}
