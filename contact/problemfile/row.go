package problemfile

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/quasistatic/quasistatic/contact"
)

// Row is what one solver made of one file, as a line of a table or in JSON.
type Row struct {
	File       string   `json:"file"`
	Kind       string   `json:"kind,omitempty"`
	Contacts   int      `json:"contacts"`
	Size       int      `json:"size"`
	Requested  string   `json:"requested,omitempty"`
	Solver     string   `json:"solver,omitempty"`
	Status     string   `json:"status,omitempty"`
	Merit      *float64 `json:"merit,omitempty"` // nil: not finite
	Iterations int      `json:"iterations"`
	Seconds    float64  `json:"seconds"`
	Open       int      `json:"open"`
	Stick      int      `json:"stick"`
	Slip       int      `json:"slip"`
	Error      string   `json:"error,omitempty"`

	solution *Solution
	counted  bool // the kind has contacts to count
}

// NewRow solves p, the problem of a file, see [Problem.Solve].
func NewRow(ctx context.Context, file string, p *Problem, solver string, tolerance float64) Row {
	row := Row{File: file, Kind: p.Kind.String(), Contacts: p.Contacts(), Size: p.Size(), Requested: solver,
		counted: p.Kind == LocalKind || p.Kind == GlobalKind}
	s, err := p.Solve(ctx, solver, tolerance)
	if err != nil {
		row.Error = err.Error()
	}
	if s == nil {
		return row
	}
	row.solution = s
	row.Solver, row.Status, row.Iterations, row.Seconds = s.Solver, s.Status.String(), s.Iterations, s.Time.Seconds()
	row.Open, row.Stick, row.Slip = s.Counts.Open, s.Counts.Stick, s.Counts.Slip
	if !math.IsInf(s.Merit, 0) && !math.IsNaN(s.Merit) {
		row.Merit = &s.Merit
	}
	return row
}

// Refused reports whether the solver does not take the problem.
func (r *Row) Refused() bool { return r.solution == nil }

// Solved reports whether the answer is certified.
func (r *Row) Solved() bool { return r.solution != nil && r.solution.Status == contact.Converged }

// Answer returns the row with r, u, v as JSON; nil: there is no answer.
func (r *Row) Answer() ([]byte, error) {
	if r.solution == nil {
		return nil, nil
	}
	text, err := json.MarshalIndent(struct {
		*Row
		R []float64 `json:"r"`
		U []float64 `json:"u"`
		V []float64 `json:"v,omitempty"`
	}{r, r.solution.R, r.solution.U, r.solution.V}, "", " ")
	return append(text, '\n'), err
}

// RowHeader is the line above those of [Row.Print].
const RowHeader = "problem                                  kind   contacts solver             verdict            merit   iter      time ms   open  stick   slip\n"

// Print writes the row as a line.
func (r *Row) Print(w io.Writer) {
	name := filepath.Base(r.File)
	if r.solution == nil {
		fmt.Fprintf(w, "%-40s %s\n", name, r.Error)
		return
	}
	solver := r.Requested
	if solver == "auto" {
		solver += ": " + r.Solver
	}
	merit := math.Inf(1)
	if r.Merit != nil {
		merit = *r.Merit
	}
	counts := fmt.Sprintf("%6s %6s %6s", "-", "-", "-")
	if r.counted {
		counts = fmt.Sprintf("%6d %6d %6d", r.Open, r.Stick, r.Slip)
	}
	fmt.Fprintf(w, "%-40s %-6s %8d %-18s %-18s %.1e %6d %12.3f %s\n",
		name, r.Kind, r.Contacts, solver, r.Status, merit, r.Iterations, 1e3*r.Seconds, counts)
}
