package run

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/signal"
)

// mostCut is the number of steps up to which those of a case are cut: some minutes of one body, and
// tables of a hundred megabytes. Who wants more names them.
const mostCut = 1e6

// Resolve lays the nodes of the run out so that they see the signals of the case: the steps of the
// plan, cut at the kinks of tables and so that each sine, and each turn, has eight nodes a period,
// see [signal.Grid]; of chosen steps, which see them by [Plan.Course], it checks the number. What
// cannot be seen in a number of steps that is run is a fault of the signal.
func (p *Plan) Resolve(b *casefile.Builder) { p.resolve(b, signal.TwinSteps, false) }

// ResolveNodes is [Plan.Resolve] of a run whose twins, if it has any, go between its nodes.
func (p *Plan) ResolveNodes(b *casefile.Builder) { p.resolve(b, 1, false) }

// ResolveEqually is [Plan.Resolve] by equal steps alone, of a scheme that makes no others: a
// stretch between two kinks counts as half a period.
func (p *Plan) ResolveEqually(b *casefile.Builder) { p.resolve(b, signal.TwinSteps, true) }

// ResolveChosen is [Plan.Resolve] of a run whose nodes are chosen, or given one by one, by
// [Plan.Course]: it checks their number alone.
func (p *Plan) ResolveChosen(b *casefile.Builder) {
	adaptive := p.Adaptive
	p.Adaptive = true
	p.resolve(b, 1, false)
	p.Adaptive = adaptive
}

func (p *Plan) resolve(b *casefile.Builder, group int, equal bool) {
	p.group = group
	var fastest, kinked casefile.Path
	most := 0
	for i := range b.Signals {
		s := &b.Signals[i]
		period := signal.Period(s.Of)
		if s.Turn {
			period = min(period, signal.Turn(s.Of))
		}
		if before := p.Course.Period; !math.IsInf(period, 1) && (before == 0 || period < before) {
			fastest = s.Path
		}
		p.Course.Shorten(period)
		before := len(p.Course.Knots)
		if p.Course.Add(s.Of, p.Until); len(p.Course.Knots)-before > most {
			kinked, most = s.Path, len(p.Course.Knots)-before
		}
	}
	if least := shortest(p.Course.Knots); equal && least > 0 {
		if p.Course.Period == 0 || 2*least < p.Course.Period {
			fastest = kinked
		}
		p.Course.Shorten(2 * least)
		p.Course.Knots = nil
	}
	asked := p.Steps
	if p.Adaptive {
		asked = 1
	}
	allowed := max(mostCut, 2*float64(asked))
	if need := math.Ceil(p.Until / p.Course.Longest()); p.Course.Period > 0 &&
		float64(p.Course.Cuts(p.Until/float64(asked)))*float64(asked) > allowed {
		want := fmt.Sprintf("a slower one, or \"steps\": %.0f", need)
		if need > casefile.MostSteps {
			want = fmt.Sprintf("a slower one: no run makes more than %.0g steps", float64(casefile.MostSteps))
		}
		b.Add(fastest, "found a period of %.3g s, which takes %.15g steps to t = %g at %d a period, want %s",
			p.Course.Period, need, p.Until, signal.PerPeriod, want)
		return
	}
	if n := len(p.Course.Knots); float64(n) > allowed {
		b.Add(kinked, "found a table with %d kinks before t = %g, each of which is the end of a step, want at most %.0f, or \"steps\": %d",
			most, p.Until, allowed, n)
		return
	}
	if !p.Adaptive {
		p.lay(signal.NewGrid(p.Until, p.Steps, group, &p.Course))
		p.told(asked, fastest, kinked)
	}
}

// shortest returns the shortest stretch from the start and between kinks; 0: there are none.
func shortest(kinks []float64) float64 {
	least, last := 0.0, 0.0
	for _, t := range kinks {
		if d := t - last; least == 0 || d < least {
			least = d
		}
		last = t
	}
	return least
}

// lay takes a grid.
func (p *Plan) lay(g *signal.Grid) { p.grid, p.Steps = g, g.Steps() }

// told notes that the steps are not those of the case.
func (p *Plan) told(asked int, fastest, kinked casefile.Path) {
	cuts := p.Course.Cuts(p.Until / float64(asked))
	if cuts > 1 {
		p.Notes = append(p.Notes, fmt.Sprintf("%s has a period of %.3g s: each step of the case is made in %d, so that there are %d a period",
			fastest, p.Course.Period, cuts, signal.PerPeriod))
	}
	if !p.grid.Equal() {
		p.Notes = append(p.Notes, fmt.Sprintf("steps end at the kinks of %s, %d in place of %d", kinked, p.Steps, asked*cuts))
	}
}

// Refined returns the plan in another number of steps: where it is a multiple each step is cut into
// equal ones; else it is that of a case that asks for so many.
func (p Plan) Refined(steps int) Plan {
	adaptive := p.Adaptive
	p.Adaptive, p.Notes, p.group = false, nil, max(1, p.group)
	switch {
	case p.grid != nil && !adaptive && steps%p.Steps == 0:
		p.lay(p.grid.Divided(steps / p.Steps))
	default:
		p.Steps = steps
		p.lay(signal.NewGrid(p.Until, steps, p.group, &p.Course))
	}
	return p
}

// Grid is where the nodes of a run that does not choose its steps lie.
func (p *Plan) Grid() *signal.Grid {
	if p.grid == nil {
		return signal.NewGrid(p.Until, p.Steps, 1, new(signal.Course))
	}
	return p.grid
}

// Time returns node k, after k steps [s].
func (p *Plan) Time(k int) float64 {
	if p.grid == nil {
		return p.Until * float64(k) / float64(p.Steps)
	}
	return p.grid.Time(k)
}

// Step returns the length of the steps, of those that were not cut [s].
func (p *Plan) Step() float64 {
	if p.grid == nil {
		return p.Until / float64(p.Steps)
	}
	return p.grid.Step()
}

// Stretches are those between kinks, in each of which a run that chooses its steps makes them anew.
func (p *Plan) Stretches() []float64 { return signal.Stretches(p.Until, p.Course.Knots) }

// StepFrom returns the length of the step that begins at a node, given by its time [s].
func (p *Plan) StepFrom(t float64) float64 {
	if p.grid == nil || p.grid.Equal() {
		return p.Step()
	}
	return p.grid.Time(p.grid.Node(t)+1) - t
}

// StepTo returns the length of the step that ends at a node, given by its time [s].
func (p *Plan) StepTo(t float64) float64 {
	if p.grid == nil || p.grid.Equal() {
		return p.Step()
	}
	return p.grid.Length(p.grid.Node(t))
}
