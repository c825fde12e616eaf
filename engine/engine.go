package engine

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// Options are wishes. The zero value works.
type Options struct {
	File   string // name of the case's file, for messages and for a case without a name; "": case.json
	Memory int64  // the most that the run may take [byte]; 0: by the case, else what is free
	// OnStep is called after each step, with the time reached [s]; nil: nobody is.
	OnStep func(step int, t float64)
	// OnPrepare is called while the run does what comes before its first step, such as the pilot runs by
	// which steps are chosen, about twice a second at most, with a line that says it; nil: nobody is.
	OnPrepare func(text string)
}

// Result is what a run left in its folder. Close it.
type Result struct {
	Summary *table.Summary
	Brief   string // in a few lines what happened, and whether it is true
	shown   *models.Shown
}

// Run makes the run of a case in a folder, which is new or holds a run. The error is a
// [casefile.Error], one of memory, or one of the files; the summary says how the steps ended.
func Run(ctx context.Context, text []byte, dir string, o Options) (*Result, error) {
	if o.File == "" {
		o.File = table.CaseFile
	}
	c, err := models.Grammar().Decode(o.File, text)
	if err != nil {
		return nil, err
	}
	c.Memory = o.Memory
	t, err := run.New(ctx, c, models.Find(c), dir)
	if err != nil {
		return nil, err
	}
	t.Plan().Format = table.CSV
	if o.OnStep != nil {
		t.OnStep = func(step int) { o.OnStep(step, t.Summary.Time) }
	}
	if o.OnPrepare != nil {
		t.Watched(o.OnPrepare)
	}
	if err := t.Run(ctx); err != nil {
		return nil, err
	}
	r := &Result{Summary: &t.Summary, Brief: t.Brief(0, false)}
	if r.shown, err = models.Show(context.WithoutCancel(ctx), dir); err != nil { // of a run that was stopped too
		return nil, fmt.Errorf("engine: %w", err)
	}
	return r, nil
}

// Columns reads the tables.
func (r *Result) Columns() (*table.Columns, error) {
	return r.shown.Files().Columns(r.shown.Built.Plan().Limit)
}

// Page makes the page of the run; an error of one without a step.
func (r *Result) Page(ctx context.Context) (*report.Page, error) { return r.shown.Page(ctx) }

// Close closes the files.
func (r *Result) Close() { r.shown.Close() }
