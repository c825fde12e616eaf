package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/trajectory"
)

// searchedNodes is the number of intervals of a run at whose ends (S) is searched
// globally; a search takes ten thousand evaluations.
const searchedNodes = 10

// globalTest keeps nodes of a run and searches them for better states, where E is
// not known to be convex.
type globalTest struct {
	active bool
	every  float64 // [s]
	times  []float64
	states [][]float64
}

func newGlobalTest(j *job) *globalTest {
	return &globalTest{active: j.m.Stability.Searches(j.m.Psi.System), every: j.m.Until / searchedNodes}
}

// observe keeps a node if it is time. Nodes of a rejected run before it begin again
// at t = 0.
func (g *globalTest) observe(n *energetic.Node) {
	if !g.active {
		return
	}
	if n.K == 0 {
		g.times, g.states = g.times[:0], g.states[:0]
	}
	const early = 1e-9 // of an interval: roundoff of times
	if n.K == 0 || n.T >= (math.Floor(g.times[len(g.times)-1]/g.every+early)+1-early)*g.every {
		g.times, g.states = append(g.times, n.T), append(g.states, append([]float64(nil), n.Z...))
	}
}

// search searches the nodes kept and notes the results.
func (j *job) search(ctx context.Context) error {
	g, s := j.global, &j.summary
	if !g.active || len(g.times) == 0 || ctx.Err() != nil {
		return nil
	}
	search, err := energetic.NewGlobalSearch(j.m.Psi, energetic.SearchOptions{})
	if err != nil {
		return err
	}
	var better []trajectory.Better
	for k, t := range g.times {
		r, err := search.Run(ctx, t, g.states[k])
		if ctx.Err() != nil {
			break // the summary has the searches done
		}
		if err != nil {
			return err
		}
		s.Global = append(s.Global, trajectory.GlobalSearch{Time: t, Evaluations: r.Evaluations, Polished: r.Polished, Better: r.Better, Gain: r.Gain})
		if r.Better {
			better = append(better, j.better(t, r))
		}
	}
	if len(better) == 0 {
		return nil
	}
	if j.m.Stability == energetic.StabilityGlobal && s.Certified {
		s.Certified, s.Message = false, fmt.Sprintf("t=%g: (S) fails: a better state costs %.6g J less, see %s", better[0].Time, better[0].Gain, trajectory.BetterFile)
	}
	text, err := json.MarshalIndent(better, "", "  ")
	if err != nil {
		return err
	}
	return trajectory.WriteFile(filepath.Join(j.dir, trajectory.BetterFile), append(text, '\n'))
}

func (j *job) better(t float64, r *energetic.SearchResult) trajectory.Better {
	x := make([]float64, len(r.Y))
	j.m.Psi.System.ToGlobal(x, r.Y)
	b := trajectory.Better{Time: t, Gain: r.Gain, Positions: map[string][3]float64{}}
	for p, id := range j.m.IDs {
		b.Positions[id] = [3]float64(x[3*p : 3*p+3])
	}
	return b
}

// searches prints what the global searches say.
func (p *page) searches(list []trajectory.GlobalSearch) {
	if len(list) == 0 {
		return
	}
	evaluations, best := 0, list[0]
	for _, g := range list {
		evaluations += g.Evaluations
		if g.Better && (!best.Better || g.Gain > best.Gain) {
			best = g
		}
	}
	if !best.Better {
		p.line("globally", "no better state found in %d evaluations at %s: no proof", evaluations, count(len(list), "node"))
		return
	}
	p.line("globally", "(S) FAILS at t=%g: another state costs %.4g J less, friction included; see %s", best.Time, best.Gain, trajectory.BetterFile)
}
