package profile

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/contact/problemfile"
)

// Batch solves problem files one after the other, each by one solver or by all that apply. The
// zero value solves by the default solver, for as long as it takes.
type Batch struct {
	Solver    string        // one of [problemfile.SolverNames]; "": auto
	Tolerance float64       // on the merit, from 0 to 1; 0: the solver's own
	TimeLimit time.Duration // for each solve; 0: none
	Compare   bool          // all solvers that apply, and their times in Profile

	Profile  Profile // of the files so far, with Compare
	Unsolved int     // files whose first solver did not solve them
	Refused  int     // files that could not be read, or not by a solver
}

// Validate names the first field that is wrong.
func (b *Batch) Validate() error {
	switch names := problemfile.SolverNames(); {
	case b.Solver != "" && !slices.Contains(names, b.Solver):
		return fmt.Errorf("profile: solver %q, want one of %s", b.Solver, strings.Join(names, ", "))
	case !(b.Tolerance >= 0 && b.Tolerance < 1):
		return fmt.Errorf("profile: tolerance %g, want a number from 0 to 1", b.Tolerance)
	case b.TimeLimit < 0:
		return fmt.Errorf("profile: time limit %s, want a positive time", b.TimeLimit)
	}
	return nil
}

// Solve solves one file: a row for each solver, of which the first one counts.
func (b *Batch) Solve(ctx context.Context, path string) []problemfile.Row {
	p, err := problemfile.ReadFile(path)
	if err != nil {
		b.Refused++
		return []problemfile.Row{{File: path, Error: err.Error()}}
	}
	b.Profile.Solvers = problemfile.SolverNames()
	solvers := []string{b.Solver}
	if b.Compare {
		solvers = p.Applicable()
	}
	var rows []problemfile.Row
	refused := false
	times := slices.Repeat([]float64{math.Inf(1)}, len(b.Profile.Solvers))
	for _, solver := range solvers {
		row := b.row(ctx, path, p, solver)
		rows, refused = append(rows, row), refused || row.Refused()
		if i := slices.Index(b.Profile.Solvers, solver); i >= 0 && row.Solved() {
			times[i] = row.Seconds
		}
	}
	if b.Compare {
		b.Profile.Add(times)
	}
	if refused {
		b.Refused++
	}
	if !rows[0].Solved() {
		b.Unsolved++
	}
	return rows
}

// row solves a problem by one solver.
func (b *Batch) row(ctx context.Context, path string, p *problemfile.Problem, solver string) problemfile.Row {
	if b.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.TimeLimit)
		defer cancel()
	}
	return problemfile.NewRow(ctx, path, p, solver, b.Tolerance)
}
