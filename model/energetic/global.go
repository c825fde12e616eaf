package energetic

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// searchedNodes is the number of intervals of a run at whose ends (S) is searched
// globally; a search takes ten thousand evaluations.
const searchedNodes = 10

// globalTest keeps nodes of a run and searches them for better states, where E is
// not known to be convex.
type globalTest struct {
	c      *Case
	active bool
	every  float64 // [s]
	times  []float64
	states [][]float64
	from   []dissipation.Origin // the nodes before
	last   dissipation.Origin
}

func newGlobalTest(c *Case) *globalTest {
	return &globalTest{c: c, active: c.Stability.Searches(c.Psi.System), every: c.plan.Until / searchedNodes}
}

// observe keeps a node if it is time. Nodes of a rejected run before it begin again
// at t = 0.
func (g *globalTest) observe(n *energetic.Node) {
	if !g.active {
		return
	}
	if n.K == 0 {
		g.times, g.states, g.from, g.last = g.times[:0], g.states[:0], g.from[:0], dissipation.Origin{}
	}
	const early = 1e-9 // of an interval: roundoff of times
	if n.K == 0 || n.T >= (math.Floor(g.times[len(g.times)-1]/g.every+early)+1-early)*g.every {
		g.times, g.states = append(g.times, n.T), append(g.states, slices.Clone(n.Z))
		g.from = append(g.from, dissipation.Origin{T: g.last.T, Z: slices.Clone(g.last.Z)})
	}
	g.last = dissipation.Origin{T: n.T, Z: append(g.last.Z[:0], n.Z...)}
}

// searchTolerance is the part of the energies of the run below which nothing is gained: at a node
// where all of them vanish, rounding is no better state.
const searchTolerance = 1e-10

// search searches the nodes kept of a run with energies of a size, and returns what was found and
// the better states.
func (g *globalTest) search(ctx context.Context, energies float64) (found []particleview.GlobalSearch,
	better []particleview.Better, err error) {
	if !g.active || len(g.times) == 0 || ctx.Err() != nil {
		return nil, nil, nil
	}
	search, err := global.NewSearch(g.c.Psi, global.SearchOptions{})
	if err != nil {
		return nil, nil, err
	}
	for k, t := range g.times {
		r, err := search.RunFrom(ctx, g.from[k], t, g.states[k])
		if ctx.Err() != nil {
			break // the summary has the searches done
		}
		if err != nil {
			return nil, nil, err
		}
		r.Better = r.Better && r.Gain > searchTolerance*energies
		found = append(found, particleview.GlobalSearch{Time: t, Evaluations: r.Evaluations, Polished: r.Polished,
			Better: r.Better, Gain: r.Gain})
		if r.Better {
			better = append(better, g.better(t, r))
		}
	}
	return found, better, nil
}

// search searches the nodes of the run and leaves the better states.
func (r *Run) search(ctx context.Context, dir string) error {
	found, better, err := r.global.search(ctx, r.verdict.EnergyScale)
	r.sum.Global = found
	if err != nil || len(better) == 0 || dir == "" {
		return err
	}
	text, err := json.MarshalIndent(better, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, table.BetterFile), append(text, '\n'), 0o666)
}

func (g *globalTest) better(t float64, r *global.SearchResult) particleview.Better {
	x := make([]float64, len(r.Y))
	g.c.Psi.System.ToGlobal(x, r.Y)
	b := particleview.Better{Time: t, Gain: r.Gain, Positions: map[string][3]float64{}}
	for p, id := range g.c.IDs {
		b.Positions[id] = [3]float64(x[3*p : 3*p+3])
	}
	return b
}

// reportSearches prints what the global searches say.
func reportSearches(p *run.Page, list []particleview.GlobalSearch, where string) {
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
		p.Line("globally", "no better state found in %d evaluations at %s: no proof", evaluations, run.Count(len(list), "node"))
		return
	}
	p.Line("globally", "(S) FAILS at t=%g: another state costs %.4g J less, friction included%s", best.Time, best.Gain, where)
}
