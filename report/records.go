package report

import (
	"context"
	"errors"

	"github.com/quasistatic/quasistatic/table"
)

// Records are the tables of a run that a reader follows together. The first has to be there:
// its rows are those of the run.
type Records struct {
	Files *table.Folder
	List  []*Record
}

// Read takes in what is new and returns the number of new rows.
func (r *Records) Read(ctx context.Context) (int, error) {
	before := r.Nodes()
	for i, t := range r.List {
		if err := t.Read(ctx, r.Files, i > 0); err != nil {
			return r.Nodes() - before, err
		}
	}
	return r.Nodes() - before, nil
}

// Nodes returns the number of times read.
func (r *Records) Nodes() int { return r.List[0].Rows }

// Close closes the files.
func (r *Records) Close() error {
	var err error
	for _, t := range r.List {
		err = errors.Join(err, t.Close())
	}
	return err
}

// OfStep reports whether a column is of the step that ends with a row: the first row has no value of it.
func (r *Records) OfStep(file, column string) bool {
	for _, t := range r.List {
		if t.File == file && t.OfStep != nil {
			return t.OfStep(column)
		}
	}
	return false
}
