package energetic

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
)

// Level is one run of the continuation γ_n → 0.
type Level struct {
	Gamma float64 // γ_n [N]
	// Difference is sup_k ‖z_k − z_k of the level before‖ [m], 0 at the first:
	// the Cauchy test of (5.2).
	Difference float64
	// Rate is the observed order in γ, log(Difference ratio)/log(γ ratio) from the
	// third level on, else 0.
	Rate    float64
	Summary Summary
}

// Continuation solves the regularised problem for each of the decreasing gammas on
// the nodes times (times[0] is the start), as in the proof of Theorem 5.2: the
// solutions form a Cauchy sequence, and the limit solves the problem without γ.
// Each summary certifies its run with the true Ψ, so that of the last level tells
// what γ still costs in (S) and (E). visit sees the nodes of every level.
//
// It keeps the states of one level: 24 bytes a particle and node.
func Continuation(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options, gammas, times []float64, visit func(level int, n *Node) error) ([]Level, error) {
	for i, g := range gammas {
		if !(g > 0) || math.IsInf(g, 1) || (i > 0 && g >= gammas[i-1]) {
			return nil, fmt.Errorf("energetic: gammas %v must be positive and decrease", gammas)
		}
	}
	var levels []Level
	before := make([][]float64, len(times))
	for i, g := range gammas {
		o.Step.Rule.Gamma = g
		level := Level{Gamma: g}
		err := march(ctx, psi, z0, o, times, func(n *Node) error {
			if i > 0 {
				level.Difference = max(level.Difference, floats.Distance(n.Z, before[n.K], 2))
			}
			before[n.K] = append(before[n.K][:0], n.Z...)
			return visit(i, n)
		}, &level.Summary)
		if err != nil {
			return levels, fmt.Errorf("at gamma = %g: %w", g, err)
		}
		if i > 1 {
			level.Rate = order(levels[i-1].Difference, level.Difference, gammas[i-1]/g)
		}
		levels = append(levels, level)
	}
	return levels, nil
}

// march runs an evolution over the nodes.
func march(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options, times []float64, visit func(*Node) error, s *Summary) error {
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
	return nil
}

// order returns the observed order of errors a, b at parameters of a ratio, 0 if
// either is zero.
func order(a, b, ratio float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return math.Log(a/b) / math.Log(ratio)
}
