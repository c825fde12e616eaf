package energetic

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/crew"
)

// Refinement is one row of a convergence study.
type Refinement struct {
	Steps int
	Gamma float64 // γ is halved along with the step [N]
	// Error is sup ‖z − z_finest‖ over the nodes of the coarsest partition [m], 0
	// at the finest.
	Error   float64
	Summary Summary
	// Observed orders against the row before, log₂ of the ratio; 0 where one of the
	// two is zero, and in the first row. That of Error corrects for the finest run
	// being no exact solution, so it is 0 in the last two rows.
	OrderError, OrderGap, OrderBalance float64
}

// Converge solves the problem on [0, until] in steps, 2·steps, 4·steps, … equal
// steps, halving γ too, and tabulates what changes. The levels are solved on all cores:
// problem gives each its own Ψ, and visit sees the nodes of a level in their order, those
// of different levels at once.
//
// It keeps the states at the nodes of the coarsest partition: 24 bytes a particle,
// node and level.
func Converge(ctx context.Context, problem func(level int) *dissipation.Coulomb, z0 []float64, o Options, until float64, steps, levels int, visit func(level int, n *Node) error) ([]Refinement, error) {
	return ConvergeBy(ctx, o.Step.Rule.Gamma, until, steps, levels, visit, func(ctx context.Context, level int, gamma float64, times []float64, visit func(*Node) error) (s Summary, err error) {
		o := o
		o.Step.Rule.Gamma = gamma
		return s, march(ctx, problem(level), z0, o, times, visit, &s, nil)
	})
}

// ConvergeBy is Converge with another way to solve a level: at the given times, with a γ.
func ConvergeBy(ctx context.Context, gamma, until float64, steps, levels int, visit func(level int, n *Node) error, solve func(ctx context.Context, level int, gamma float64, times []float64, visit func(*Node) error) (Summary, error)) ([]Refinement, error) {
	if steps < 1 || levels < 2 || levels > 20 || !(until > 0) {
		return nil, fmt.Errorf("energetic: Converge with until=%g, %d steps, %d levels; want a positive time, >= 1 step, 2 to 20 levels", until, steps, levels)
	}
	rows := make([]Refinement, levels)
	states := make([][][]float64, levels)
	err := crew.Each(ctx, runtime.GOMAXPROCS(0), crew.Down(levels), func(ctx context.Context, i int) ([][]float64, error) {
		r := &rows[i]
		r.Steps, r.Gamma = steps<<i, gamma/float64(int(1)<<i)
		times := make([]float64, r.Steps+1)
		for k := range times {
			times[k] = until * float64(k) / float64(r.Steps)
		}
		var states [][]float64
		var err error
		r.Summary, err = solve(ctx, i, r.Gamma, times, func(n *Node) error {
			if n.K%(1<<i) == 0 {
				states = append(states, slices.Clone(n.Z))
			}
			return visit(i, n)
		})
		if err != nil {
			return nil, fmt.Errorf("in %d steps: %w", r.Steps, err)
		}
		return states, nil
	}, func(i int, s [][]float64) error { states[i] = s; return nil })
	if err != nil {
		return nil, err
	}
	for i := range rows {
		for k, z := range states[levels-1] {
			rows[i].Error = max(rows[i].Error, floats.Distance(states[i][k], z, 2))
		}
	}
	observe(rows, states)
	return rows, nil
}

// observe fills the orders. That of the error is Richardson's, from the changes
// between successive levels.
func observe(rows []Refinement, states [][][]float64) {
	change := func(i int) float64 { // between levels i and i+1
		sup := 0.0
		for k, z := range states[i] {
			sup = max(sup, floats.Distance(z, states[i+1][k], 2))
		}
		return sup
	}
	for i := 1; i < len(rows); i++ {
		r, b := &rows[i], &rows[i-1]
		r.OrderGap = order(b.Summary.MaxGap, r.Summary.MaxGap, 2)
		r.OrderBalance = order(b.Summary.MaxBalance, r.Summary.MaxBalance, 2)
		if i+1 < len(rows) {
			r.OrderError = order(change(i-1), change(i), 2)
		}
	}
}
