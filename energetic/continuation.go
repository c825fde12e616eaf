package energetic

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Level is one run of the continuation γ_n → 0.
type Level struct {
	Gamma float64 // γ_n [N]
	Steps int
	// Difference is sup_k ‖z_k − z_k of the level before‖ [m], 0 at the first:
	// the Cauchy test of (5.2).
	Difference float64
	// Rate is the observed order in γ, log(Difference ratio)/log(γ ratio) from the
	// third level on, else 0.
	Rate     float64
	Summary  Summary
	Measures []Measure // of its verdict
}

// continuationSteps is the largest number of steps of a level.
const continuationSteps = 1e7

// Continuation solves the regularised problem for each of the decreasing gammas, as
// in the proof of Theorem 5.2: the solutions form a Cauchy sequence, and the limit
// solves the problem without γ. The steps shrink with γ, f_Π <= C_fine γ, for at fixed
// steps the limit is another one: each interval between the nodes times (times[0] is
// the start) is divided until no normal force changes by γ/2 in a step, which is what
// C_fine of (4.11) stands for. Each summary certifies its run with the true Ψ, so that
// of the last level tells what γ still costs in (S) and (E). visit sees the nodes of
// every level; the differences are at those of times.
//
// It keeps the states of one level at those nodes: 24 bytes a particle and node.
func Continuation(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options, gammas, times []float64,
	visit func(level int, n *Node) error) ([]Level, error) {
	for i, g := range gammas {
		if !(g > 0) || math.IsInf(g, 1) || (i > 0 && g >= gammas[i-1]) {
			return nil, fmt.Errorf("energetic: gammas %v must be positive and decrease", gammas)
		}
	}
	if len(gammas) == 0 {
		return nil, nil
	}
	c := &continuation{ctx: ctx, psi: psi, z0: z0, o: o, times: times, before: make([][]float64, len(times)), parts: 1}
	c.o.Step.Rule.Gamma = gammas[0]
	change, err := c.forceChange()
	if err != nil {
		return nil, fmt.Errorf("at gamma = %g: %w", gammas[0], err)
	}
	for i, g := range gammas {
		c.o.Step.Rule.Gamma = g
		if err := c.divide(change, g); err != nil {
			return c.levels, err
		}
		if change, err = c.level(i, g, visit); err != nil {
			return c.levels, fmt.Errorf("at gamma = %g: %w", g, err)
		}
	}
	return c.levels, nil
}

// continuation holds what the levels share.
type continuation struct {
	ctx    context.Context
	psi    *dissipation.Coulomb
	z0     []float64
	o      Options
	times  []float64
	before [][]float64 // states of the level before, at the nodes times
	parts  int         // of each interval
	levels []Level
}

// divide chooses the number of parts for γ = g, where normal forces change by change
// in a step of the present division.
func (c *continuation) divide(change, g float64) error {
	need := math.Ceil(float64(c.parts) * change / (g / 2))
	if n := max(need, float64(c.parts)) * float64(len(c.times)-1); n > continuationSteps {
		return fmt.Errorf("energetic: gamma = %g needs %.3g steps for f_Π <= C_fine γ, more than %g; end the continuation before",
			g, n, float64(continuationSteps))
	}
	c.parts = max(c.parts, int(need))
	return nil
}

// forceChange runs on the present division and returns the largest change of a
// normal force in a step.
func (c *continuation) forceChange() (change float64, err error) {
	err = march(c.ctx, c.psi, c.z0, c.o, c.nodes(), func(n *Node) error {
		change = max(change, n.ForceChange)
		return c.ctx.Err()
	}, &Summary{}, nil)
	return change, err
}

// nodes returns those of the present division.
func (c *continuation) nodes() []float64 {
	out := []float64{c.times[0]}
	for k, t := range c.times[1:] {
		from := c.times[k]
		for p := 1; p < c.parts; p++ {
			out = append(out, from+(t-from)*float64(p)/float64(c.parts))
		}
		out = append(out, t)
	}
	return out
}

// level runs one level, and returns the largest change of a normal force in a step.
func (c *continuation) level(i int, g float64, visit func(level int, n *Node) error) (change float64, err error) {
	l := Level{Gamma: g, Steps: (len(c.times) - 1) * c.parts}
	err = march(c.ctx, c.psi, c.z0, c.o, c.nodes(), func(n *Node) error {
		change = max(change, n.ForceChange)
		if n.K%c.parts == 0 {
			at := n.K / c.parts
			if i > 0 {
				l.Difference = max(l.Difference, floats.Distance(n.Z, c.before[at], 2))
			}
			c.before[at] = append(c.before[at][:0], n.Z...)
		}
		return visit(i, n)
	}, &l.Summary, &l.Measures)
	if err != nil {
		return 0, err
	}
	if i > 1 {
		l.Rate = order(c.levels[i-1].Difference, l.Difference, c.levels[i-1].Gamma/g)
	}
	c.levels = append(c.levels, l)
	return change, nil
}

// march runs an evolution over the nodes.
func march(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options, times []float64,
	visit func(*Node) error, s *Summary, measures *[]Measure) error {
	e, err := Start(ctx, psi, z0, o)
	if err != nil {
		return err
	}
	for k, t := range times {
		if k > 0 {
			if err := e.Step(ctx, t); err != nil {
				return err
			}
		}
		if err := visit(e.Node()); err != nil {
			return err
		}
	}
	*s = e.Summary()
	if measures != nil {
		*measures = e.Measures()
	}
	return nil
}

// order returns the observed order of errors a, b at parameters of a ratio, 0 if
// either is zero.
func order(a, b, ratio float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return elementary.Log(a/b) / elementary.Log(ratio)
}
