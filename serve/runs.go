package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/crew"
	"github.com/quasistatic/quasistatic/internal/disk"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/models/studies"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/study"
	"github.com/quasistatic/quasistatic/table"
)

// source is the case of a call.
type source struct {
	Case json.RawMessage `json:"case"` // the case, or a text: a file, or the name of a built-in one
	Dir  string          `json:"dir"`  // that the files which the case names are beside; "": where the process is
	Set  []string        `json:"set"`  // changes, PATH=VALUE
}

// unnamed stands for the file of a case that came without one.
const unnamed = "case"

// open reads the case.
func (o *source) open(limit int64) (*casefile.Case, error) {
	var name string
	if err := json.Unmarshal(o.Case, &name); err == nil {
		c, err := models.OpenCase(name, o.Set, limit)
		if err != nil {
			err = inputOf(err)
		}
		return c, err
	}
	if len(o.Case) == 0 {
		return nil, wrong("there is no case")
	}
	text, err := casefile.SetAll(o.Case, o.Set, nil)
	if err != nil {
		return nil, inputOf(err)
	}
	c, err := models.Grammar().Decode(filepath.Join(o.Dir, unnamed), text)
	if err != nil {
		return nil, err
	}
	c.Memory = limit
	return c, nil
}

// inputOf is a fault of what was given that is not one of a case.
func inputOf(err error) error {
	if _, ok := errors.AsType[*casefile.Error](err); ok {
		return err
	}
	return wrong("%v", err)
}

// run makes a run, in a folder or without one, and answers with its summary and tables.
func (s *Server) run(ctx context.Context, q *request) (any, []Array, error) {
	var args struct {
		source
		Out    string `json:"out"`    // folder; "": none
		Force  bool   `json:"force"`  // into a folder that is no run
		Verify bool   `json:"verify"` // again at half the step
		Tables *bool  `json:"tables"` // false: the summary alone
	}
	if err := decode(q.Args, &args); err != nil {
		return nil, nil, err
	}
	c, err := args.open(s.Memory)
	if err != nil {
		return nil, nil, err
	}
	t, giveBack, err := s.task(ctx, c, args.Out)
	if err != nil {
		return nil, nil, err
	}
	defer giveBack()
	t.Force, t.Verify, t.Picture = args.Force, args.Verify, true
	wanted := args.Tables == nil || *args.Tables
	if args.Out == "" {
		summary, columns, err := t.InMemory(ctx)
		if err != nil || !wanted {
			return summary, nil, err
		}
		return answerOf(summary, columns)
	}
	if err := t.Run(ctx); err != nil {
		return nil, nil, err
	}
	if !wanted {
		return &t.Summary, nil, nil
	}
	return s.folder(ctx, args.Out)
}

// task builds a case and waits for the memory that it takes.
func (s *Server) task(ctx context.Context, c *casefile.Case, dir string) (*run.Task, func(), error) {
	t, err := run.New(ctx, c, models.Find(c), dir)
	if err != nil {
		return nil, nil, err
	}
	need := int64(0)
	if m := t.Summary.Memory; m != nil {
		need = m.Predicted
	}
	giveBack, err := s.budget.Take(ctx, need)
	return t, giveBack, err
}

// read answers with a folder that a run has left.
func (s *Server) read(ctx context.Context, q *request) (any, []Array, error) {
	var args struct {
		Dir string `json:"dir"`
	}
	if err := decode(q.Args, &args); err != nil {
		return nil, nil, err
	}
	return s.folder(ctx, args.Dir)
}

func (s *Server) folder(ctx context.Context, dir string) (any, []Array, error) {
	f, err := models.Open(ctx, dir, s.Memory)
	if err != nil {
		return nil, nil, inputOf(err)
	}
	if err := f.Verify(ctx); err != nil {
		return nil, nil, inputOf(err)
	}
	columns, err := f.Files().Columns(s.budget.Limit)
	if err != nil {
		return nil, nil, err
	}
	return answerOf(f.Summary, columns)
}

// tableHead says what the arrays of a table are: <name>.t, <name> (rows by columns), and words.
type tableHead struct {
	Name    string     `json:"name"`
	Columns []string   `json:"columns"`
	Units   []string   `json:"units"`        // of each of Columns, SI; 1: a pure number
	Of      string     `json:"of,omitempty"` // what <id>.<component> are of: body, element, node
	Words   []string   `json:"words,omitempty"`
	Text    [][]string `json:"text,omitempty"` // of each of Words, row by row
}

// answerOf is a summary with its tables.
func answerOf(s *table.Summary, c *table.Columns) (any, []Array, error) {
	text, err := s.JSON()
	if err != nil {
		return nil, nil, err
	}
	var heads []tableHead
	var arrays []Array
	for i := range c.Sheets {
		t := &c.Sheets[i]
		name := strings.TrimSuffix(t.Sheet.File, ".csv")
		h := tableHead{Name: name, Columns: append([]string{}, t.Sheet.Columns...), Units: t.Sheet.ColumnUnits(),
			Of: t.Sheet.Of, Words: t.Sheet.Words}
		for w := range t.Sheet.Words {
			column := make([]string, len(t.T))
			for k := range column {
				column[k] = t.Words[k*len(t.Sheet.Words)+w]
			}
			h.Text = append(h.Text, column)
		}
		heads = append(heads, h)
		arrays = append(arrays, floats(name+".t", t.T, len(t.T)), floats(name, t.Values, len(t.T), len(t.Sheet.Columns)))
	}
	return map[string]any{"summary": json.RawMessage(bytes.TrimSpace(text)), "tables": heads}, arrays, nil
}

// runs makes one case many times, with other numbers, on all cores: what is observed comes back,
// and the verdicts.
func (s *Server) runs(ctx context.Context, q *request) (any, []Array, error) {
	var args struct {
		source
		Paths   []string          `json:"paths"`   // of the numbers that differ: the columns of the array values
		Observe []json.RawMessage `json:"observe"` // quantities, as in expect
	}
	if err := decode(q.Args, &args); err != nil {
		return nil, nil, err
	}
	values, err := q.matrix("values", len(args.Paths))
	if err != nil {
		return nil, nil, err
	}
	c, err := args.open(s.Memory)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range args.Paths {
		if _, err := casefile.NumberAt(c.Raw, path); err != nil {
			return nil, nil, wrong("%v", err)
		}
	}
	n := values.Shape[0]
	outcomes := make([]*study.Outcome, n)
	runner := studies.Runner{Memory: s.Memory, Budget: s.budget}
	err = crew.Each(ctx, runtime.GOMAXPROCS(0), func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}, func(ctx context.Context, i int) (*study.Outcome, error) {
		text, err := changed(c.Raw, args.Paths, values.Floats[i*len(args.Paths):])
		if err != nil {
			return nil, err
		}
		return runner.Run(ctx, &study.Job{Text: text, Base: c.File, Observe: args.Observe, Keep: study.KeepNothing})
	}, func(i int, o *study.Outcome) error { outcomes[i] = o; return nil })
	if err != nil {
		return nil, nil, err
	}
	return observed(outcomes, len(args.Observe))
}

// changed is a case with other numbers at some paths.
func changed(text []byte, paths []string, values []float64) ([]byte, error) {
	for k, path := range paths {
		number, err := json.Marshal(values[k])
		if err != nil {
			return nil, wrong("%s: %v", path, err)
		}
		if text, err = casefile.Set(text, path, number); err != nil {
			return nil, wrong("%v", err)
		}
	}
	return text, nil
}

// matrix is the array of a name, which has some number of columns.
func (q *request) matrix(name string, columns int) (*Array, error) {
	i := slices.IndexFunc(q.Arrays, func(a Array) bool { return a.Name == name })
	if i < 0 {
		return nil, wrong("there is no array %q", name)
	}
	a := &q.Arrays[i]
	if a.Type != "f8" || len(a.Shape) != 2 || a.Shape[1] != columns {
		return nil, wrong("array %q is %s of the shape %v, want f8 with %d columns", name, a.Type, a.Shape, columns)
	}
	return a, nil
}

// caseText answers with the text of a built-in case, or of a file.
func (s *Server) caseText(_ context.Context, q *request) (any, []Array, error) {
	var args source
	if err := decode(q.Args, &args); err != nil {
		return nil, nil, err
	}
	c, err := args.open(s.Memory)
	if err != nil {
		return nil, nil, err
	}
	return json.RawMessage(c.Raw), nil, nil
}

func (s *Server) cases(_ context.Context, q *request) (any, []Array, error) {
	list, err := models.Listing()
	return list, nil, errors.Join(decode(q.Args, &struct{}{}), err)
}

func (s *Server) schema(_ context.Context, q *request) (any, []Array, error) {
	return json.RawMessage(models.Grammar().EditorSchema()), nil, decode(q.Args, &struct{}{})
}

// report answers with the page of a run: of a folder, or of a case that is run for it.
func (s *Server) report(ctx context.Context, q *request) (any, []Array, error) {
	var args struct {
		source
		Folder string `json:"folder"`
	}
	if err := decode(q.Args, &args); err != nil {
		return nil, nil, err
	}
	scratch, err := os.MkdirTemp("", "quasistatic-")
	if err != nil {
		return nil, nil, err
	}
	page, err := s.page(ctx, &args.source, args.Folder, scratch)
	return page, nil, errors.Join(err, disk.RemoveAll(scratch))
}

func (s *Server) page(ctx context.Context, from *source, folder, scratch string) (string, error) {
	if folder == "" {
		folder = filepath.Join(scratch, "run")
		c, err := from.open(s.Memory)
		if err != nil {
			return "", err
		}
		t, giveBack, err := s.task(ctx, c, folder)
		if err != nil {
			return "", err
		}
		defer giveBack()
		t.Picture = true
		if err := t.Run(ctx); err != nil {
			return "", err
		}
	}
	shown, err := models.Show(ctx, folder)
	if err != nil {
		return "", inputOf(err)
	}
	defer shown.Close()
	name := filepath.Join(scratch, table.ReportFile)
	if err := shown.Write(ctx, name); err != nil {
		return "", err
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = wrong("%s has no page", folder)
	}
	return string(text), err
}
