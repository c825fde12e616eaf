package study

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/internal/processor"
	"github.com/quasistatic/quasistatic/internal/regular"
)

// Summary is what is known of a study.
type Summary struct {
	Name       string          `json:"name"`
	Case       string          `json:"case"`
	Paths      []string        `json:"paths"`
	Runs       int             `json:"runs"` // of the plan, or of the shard
	Made       int             `json:"made"`
	Certified  int             `json:"certified"`
	Missed     int             `json:"missed"`                        // of them not as expected
	First      []string        `json:"first_not_certified,omitempty"` // numbers and ids of the first runs that are not certified
	Counts     map[Verdict]int `json:"verdicts"`
	Processors map[string]int  `json:"processors,omitempty"` // runs by how their programs round, where not all round each operation
	Statistics []Statistics    `json:"statistics"`
	Sobol      []Indices       `json:"sobol,omitempty"`
	Orders     []Order         `json:"orders,omitempty"`
	Boundaries [][]string      `json:"boundaries,omitempty"`         // rows of boundary.csv, the header first
	Unbounded  int             `json:"unbounded,omitempty"`          // of them without a boundary
	Refining   int             `json:"refining,omitempty"`           // runs made beside those of the plan to narrow the boundaries
	Proven     int             `json:"refining_certified,omitempty"` // of them certified
	Open       int             `json:"open_ends,omitempty"`          // boundaries of a quantity with an end that is not certified
}

// Summary sums up the table of a study in a folder; counts are those of a shard.
func (t *Table) Summary(dir string, part Shard) (*Summary, error) {
	spec := t.Plan.Spec
	s := &Summary{Name: spec.Name, Case: spec.Case, Paths: spec.Paths(), Counts: map[Verdict]int{}, Processors: map[string]int{}}
	if s.Name == "" {
		s.Name = "study of " + s.Case
	}
	var err error
	if s.Statistics, err = t.Statistics(); err != nil {
		return nil, err
	}
	if s.Orders, err = t.Orders(); err != nil {
		return nil, err
	}
	if sobol, err := t.Sobol(); err == nil { // of one row nothing can be said
		s.Sobol = slices.DeleteFunc(sobol, func(x Indices) bool { return x.Count < 2 })
	}
	if s.Boundaries, err = readBoundaries(dir); err != nil {
		return nil, err
	}
	for _, row := range s.Boundaries[min(1, len(s.Boundaries)):] {
		s.countBoundary(spec.Refine, s.Boundaries[0], row)
	}
	for i := range t.Plan.Len() {
		if !part.has(i) {
			continue
		}
		s.Runs++
		r, err := t.record(i)
		if err != nil {
			return nil, err
		}
		s.count(i, r)
	}
	if s.Processors[processor.Rounded] == s.Made {
		s.Processors = nil
	}
	return s, nil
}

// countBoundary counts a row of boundary.csv, whose columns have names.
func (s *Summary) countBoundary(r *Refine, names, row []string) {
	cell := func(name string) string {
		if k := slices.Index(names, name); k >= 0 {
			return row[k]
		}
		return "" // of an older program
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(cell(name)) // no number: of an older program
		return n
	}
	s.Refining += number("runs made")
	s.Proven += number("runs certified")
	switch {
	case cell("fault") != "":
		s.Unbounded++
	case r != nil && !r.ofVerdict() && !(Verdict(cell("verdict low")).proven() && Verdict(cell("verdict high")).proven()):
		s.Open++
	}
}

// Failed reports whether a run is missing, not certified or not as expected, or a boundary not found or open.
func (s *Summary) Failed() bool {
	return s.Certified < s.Runs || s.Missed > 0 || s.Unbounded > 0 || s.Open > 0
}

// firstListed is the number of runs that a message names.
const firstListed = 3

func (s *Summary) count(i int, r *Record) {
	if r == nil {
		return
	}
	if !r.Verdict.proven() && len(s.First) < firstListed {
		s.First = append(s.First, fmt.Sprintf("run %d, %s", i, r.ID))
	}
	s.Made++
	s.Counts[r.Verdict]++
	s.Processors[kindOf(r.Processor)]++
	if r.Verdict.proven() {
		s.Certified++
		if !r.Met {
			s.Missed++
		}
	}
}

// Verdicts lists the counts in words.
func (s *Summary) Verdicts() string {
	var words []string
	for _, v := range verdicts {
		if s.Counts[v] > 0 {
			words = append(words, fmt.Sprintf("%d %s", s.Counts[v], v))
		}
	}
	if s.Missed > 0 {
		words = append(words, fmt.Sprintf("%d of the certified ones not as expected", s.Missed))
	}
	if len(words) == 0 {
		words = []string{"none"}
	}
	text := strings.Join(words, ", ")
	if s.Refining > 0 {
		text += fmt.Sprintf("; %d more by \"refine\": %d certified, %d not", s.Refining, s.Proven, s.Refining-s.Proven)
	}
	return text
}

// Failure says in one line why not all is well.
func (s *Summary) Failure() string {
	switch {
	case s.Made < s.Runs:
		return fmt.Sprintf("%d of %d runs are missing", s.Runs-s.Made, s.Runs)
	case s.Certified < s.Runs:
		return fmt.Sprintf("%d of %d runs are not certified, first: %s", s.Runs-s.Certified, s.Runs, strings.Join(s.First, "; "))
	case s.Missed > 0:
		return fmt.Sprintf("%d of %d runs are not as expected; \"expect\": false leaves out what the base case expects", s.Missed, s.Runs)
	case s.Unbounded > 0:
		return fmt.Sprintf("%d of %d boundaries were not found", s.Unbounded, len(s.Boundaries)-1)
	}
	return fmt.Sprintf("%d of %d boundaries have an end that is not certified", s.Open, len(s.Boundaries)-1)
}

// readBoundaries reads boundary.csv, if it is there.
func readBoundaries(dir string) ([][]string, error) {
	f, err := regular.Open(filepath.Join(dir, BoundaryFile))
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
