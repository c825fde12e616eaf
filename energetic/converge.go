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

// Refined is one run of a convergence study, of which the others need nothing.
type Refined struct {
	Refinement
	States [][]float64 // at the nodes of the coarsest partition
}

// Refine makes run level of a study that begins with a number of steps: in
// steps·2^level equal steps of [0, until], with γ/2^level. It keeps the states at the nodes
// of the coarsest partition: 24 bytes a particle and node.
func Refine(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options, until float64, steps, level int,
	visit func(n *Node) error) (*Refined, error) {
	return RefineBy(o.Step.Rule.Gamma, until, steps, level, visit,
		func(gamma float64, times []float64, visit func(*Node) error) (s Summary, err error) {
			o := o
			o.Step.Rule.Gamma = gamma
			return s, march(ctx, psi, z0, o, times, visit, &s, nil)
		})
}

// RefineBy is Refine with another way to solve: at the given times, with a γ.
func RefineBy(gamma, until float64, steps, level int, visit func(n *Node) error,
	solve func(gamma float64, times []float64, visit func(*Node) error) (Summary, error)) (*Refined, error) {
	if steps < 1 || level < 0 || level >= MostLevels || !(until > 0) {
		return nil, fmt.Errorf("energetic: Refine %d with until=%g, %d steps; want a positive time, >= 1 step, levels 0 to %d",
			level, until, steps, MostLevels-1)
	}
	every := 1 << level
	l := &Refined{Refinement: Refinement{Steps: steps * every, Gamma: gamma / float64(every)}}
	times := make([]float64, l.Steps+1)
	for k := range times {
		times[k] = until * float64(k) / float64(l.Steps)
	}
	var err error
	l.Summary, err = solve(l.Gamma, times, func(n *Node) error {
		if n.K%every == 0 {
			l.States = append(l.States, slices.Clone(n.Z))
		}
		return visit(n)
	})
	if err != nil {
		return nil, fmt.Errorf("in %d steps: %w", l.Steps, err)
	}
	return l, nil
}

// MostLevels bounds the runs of a study.
const MostLevels = 20

// Compare tabulates the runs of a study, from the coarsest to the finest.
func Compare(levels []*Refined) []Refinement {
	rows, states := make([]Refinement, len(levels)), make([][][]float64, len(levels))
	for i, l := range levels {
		rows[i], states[i] = l.Refinement, l.States
	}
	for i := range rows {
		for k, z := range states[len(states)-1] {
			rows[i].Error = max(rows[i].Error, floats.Distance(states[i][k], z, 2))
		}
	}
	observe(rows, states)
	return rows
}

// Converge solves the problem on [0, until] in steps, 2·steps, 4·steps, … equal
// steps, halving γ too, and tabulates what changes: [Refine] on all cores, and [Compare].
// problem gives each level its own Ψ, and visit sees the nodes of a level in their order,
// those of different levels at once.
func Converge(ctx context.Context, problem func(level int) *dissipation.Coulomb, z0 []float64, o Options, until float64,
	steps, levels int, visit func(level int, n *Node) error) ([]Refinement, error) {
	if levels < 2 || levels > MostLevels {
		return nil, fmt.Errorf("energetic: Converge with %d levels, want 2 to %d", levels, MostLevels)
	}
	list := make([]*Refined, levels)
	err := crew.Each(ctx, runtime.GOMAXPROCS(0), crew.Down(levels), func(ctx context.Context, i int) (*Refined, error) {
		return Refine(ctx, problem(i), z0, o, until, steps, i, func(n *Node) error { return visit(i, n) })
	}, func(i int, l *Refined) error { list[i] = l; return nil })
	if err != nil {
		return nil, err
	}
	return Compare(list), nil
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
