package study

import (
	"errors"
	"iter"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/quasistatic/quasistatic/table"
)

// Table is what is known of a study: a row a run, in the order of the plan. Runs without
// a record are left out.
type Table struct {
	Plan    *Plan
	Records func(id string) *Record
	Damaged int   // lines of records that are not as they were written: a sweep makes their runs again
	ids     []key // of the runs, as far as computed
	fault   error // of the run after them: it cannot be expanded
}

// newTable returns the table of a plan over records.
func newTable(p *Plan, records func(id string) *Record) *Table {
	return &Table{Plan: p, Records: records}
}

// block is the number of ids that are computed at a time.
const block = 1 << 14

// id returns that of run i, computed once, on all cores: a block of ids beyond the last one.
func (t *Table) id(i int) (key, error) {
	if t.ids == nil {
		t.ids = make([]key, 0, t.Plan.Len())
	}
	for len(t.ids) <= i && t.fault == nil {
		var ids []key
		ids, t.fault = t.Plan.ids(len(t.ids), min(len(t.ids)+block, t.Plan.Len()))
		t.ids = append(t.ids, ids...)
	}
	if i >= len(t.ids) {
		return key{}, t.fault
	}
	return t.ids[i], nil
}

// ids returns those of the runs from first to last, without it, up to the first that cannot be
// expanded, and its error.
func (p *Plan) ids(first, last int) ([]key, error) {
	ids, errs := make([]key, last-first), make([]error, last-first)
	parts := runtime.GOMAXPROCS(0)
	var all sync.WaitGroup
	for part := range parts {
		all.Go(func() {
			for k := part * len(ids) / parts; k < (part+1)*len(ids)/parts; k++ {
				if ids[k], errs[k] = p.runID(first + k); errs[k] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	for k, err := range errs {
		if err != nil {
			return ids[:k], err
		}
	}
	return ids, nil
}

// record returns the record of run i; nil: there is none, or one of other quantities.
func (t *Table) record(i int) (*Record, error) {
	id, err := t.id(i)
	if err != nil {
		return nil, err
	}
	if r := t.Records(id.String()); r != nil && r.Observe == t.Plan.Spec.observeHash() {
		return r, nil
	}
	return nil, nil
}

// Columns are run and run.id, the parameters by their paths, the observed quantities, and
// run.verdict, .met, .steps, .solves, .message; no path of a case begins with run.
func (t *Table) Columns() []table.FlatColumn {
	s := t.Plan.Spec
	list := []table.FlatColumn{{Name: "run"}, {Name: "run.id", Word: true}}
	for j, p := range s.Paths() {
		list = append(list, table.FlatColumn{Name: p, Word: !t.numeric(j)})
	}
	units := s.Units()
	for q, label := range s.Labels() {
		list = append(list, table.FlatColumn{Name: label, Unit: units[q]})
	}
	list = append(list, table.FlatColumn{Name: "run.verdict", Word: true}, table.FlatColumn{Name: "run.met", Word: true},
		table.FlatColumn{Name: "run.steps", Unit: "1"}, table.FlatColumn{Name: "run.solves", Unit: "1"}, table.FlatColumn{Name: "run.message", Word: true})
	if t.mixed() {
		list = append(list, table.FlatColumn{Name: processorColumn, Word: true})
	}
	return list
}

// processorColumn marks how the program of each run rounds, where not all round each operation.
const processorColumn = "run.processor"

// mixed reports whether runs were made by programs that do not round each operation.
func (t *Table) mixed() bool {
	for i := range t.Plan.Len() {
		if r, err := t.record(i); err == nil && r != nil && r.Processor != "" {
			return true
		}
	}
	return false
}

// numeric reports whether all values of a parameter are numbers: those of an axis are
// looked at, those of a distribution by one of them.
func (t *Table) numeric(j int) bool {
	for i := range t.Plan.Spec.Axes {
		a := &t.Plan.Spec.Axes[i]
		if j >= len(a.Paths) {
			j -= len(a.Paths)
			continue
		}
		for k := range a.Len() {
			if _, ok := cell(a.values[j].at(k)).(float64); !ok {
				return false
			}
		}
		return true
	}
	values := t.Plan.Parameters(0)
	_, ok := cell(values[len(values)-len(t.Plan.Spec.Sample.Paths)+j]).(float64)
	return ok
}

// cell is a value of a table: a number, or text as JSON has it.
func cell(raw []byte) any {
	if v, err := strconv.ParseFloat(string(raw), 64); err == nil {
		return v
	}
	if text, err := strconv.Unquote(string(raw)); err == nil && !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	return string(raw)
}

// Rows yields the cells of each run with a record.
func (t *Table) Rows() iter.Seq[[]any] {
	columns := t.Columns()
	return func(yield func([]any) bool) {
		row := make([]any, len(columns))
		for i := range t.Plan.Len() {
			r, err := t.record(i)
			if err != nil || r == nil {
				continue // a run that cannot be expanded has no record
			}
			t.fill(row, columns, i, r)
			if !yield(row) {
				return
			}
		}
	}
}

func (t *Table) fill(row []any, columns []table.FlatColumn, i int, r *Record) {
	row[0], row[1] = float64(i), r.ID
	at := 2
	for _, v := range t.Plan.Parameters(i) {
		if row[at] = cell(v); columns[at].Word {
			if _, ok := row[at].(string); !ok {
				row[at] = string(v)
			}
		}
		at++
	}
	for k := range t.Plan.Spec.Observe {
		row[at] = nil
		if k < len(r.Observed) && r.Observed[k] != nil {
			row[at] = *r.Observed[k]
		}
		at++
	}
	row[at], row[at+1], row[at+2], row[at+3], row[at+4] = string(r.Verdict), strconv.FormatBool(r.Met),
		float64(r.Steps), float64(r.Solves), r.Message
	if at+5 < len(columns) {
		row[at+5] = kindOf(r.Processor)
	}
}

// Names of the files of the table.
const (
	CSVFile     = "study.csv"
	ParquetFile = "study.parquet"
)

// Write writes study.csv and study.parquet into a folder.
func (t *Table) Write(dir string) error {
	return errors.Join(t.writeCSV(dir), t.writeParquet(dir))
}

func (t *Table) writeCSV(dir string) error {
	return table.WriteFlatCSV(filepath.Join(dir, CSVFile), t.Columns(), t.Rows())
}

func (t *Table) writeParquet(dir string) error {
	return table.WriteFlatParquet(filepath.Join(dir, ParquetFile), t.Columns(), t.Rows())
}
