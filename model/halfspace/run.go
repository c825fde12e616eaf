package halfspace

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// Run is a run of a case at a time.
type Run struct {
	c *Case
	e *halfspace.Evolution
	t float64
	// In parts of the steps; nil: there is none. It goes ahead of each step, to a time.
	twin  *halfspace.Evolution
	ahead float64
	// On every second element, to judge the elements; nil: they are given, or there is none.
	coarse *coarse
	step   int
	sum    result
	node   node
	row    []float64
}

// node is a row of certificates.csv.
type node struct {
	Gap         float64 `column:"gap"`         // of duality, beside the elastic energy
	Penetration float64 `column:"penetration"` // deepest [m]
	Missed      float64 `column:"missed"`      // of the prescribed loads, relative
	Products    float64 `column:"products"`    // with the operator
	Contacts    float64 `column:"contacts"`    // elements
	Sticking    float64 `column:"sticking"`    // of them
	Area        float64 `column:"area"`        // [m²]
	Pressure    float64 `column:"pressure"`    // largest [Pa]
	Traction    float64 `column:"traction"`    // largest along the surface [Pa]
	// So far: the most that pressure across gaps is worth between two nodes, (S) for all t,
	// and what friction lacks along the way, (DI) [J].
	Between    float64 `column:"between"`
	Unbalanced float64 `column:"unbalanced"`
}

// result is the model's part of summary.json.
type result struct {
	Elements    int         `json:"elements"`
	Products    int         `json:"products"` // with the operator
	Gap         float64     `json:"gap"`      // largest duality gap beside the energy of a node
	Penetration float64     `json:"penetration"`
	Missed      float64     `json:"missed_load"`
	Edge        int         `json:"contacts_at_the_edge,omitempty"` // of the window, the most
	Contacts    int         `json:"contacts"`                       // at the end
	Sticking    int         `json:"sticking"`
	Area        float64     `json:"area"`
	Pressure    float64     `json:"largest_pressure"`
	Approach    float64     `json:"approach"`
	Elastic     float64     `json:"elastic_energy"`
	Dissipated  float64     `json:"dissipation"`
	Work        float64     `json:"work"`
	Residual    float64     `json:"balance_residual"`
	Exchanged   float64     `json:"energy_exchanged"`
	Scale       float64     `json:"energy_scale"`      // the largest that duality gaps are shares of
	Between     float64     `json:"stability_between"` // (S) for all t
	Unbalanced  float64     `json:"friction_unbalanced"`
	Mises       float64     `json:"largest_mises,omitempty"`
	MisesNow    float64     `json:"-"`
	MisesAt     *[3]float64 `json:"largest_mises_at,omitempty"`
	// Times of the worst steps, and how much friction lacks in one.
	BetweenAt    float64 `json:"stability_between_at"`
	UnbalancedAt float64 `json:"friction_unbalanced_at"`
	Most         float64 `json:"friction_unbalanced_step"`
	// How far dissipation is from that of the twin, at the worst node, or why that is not known.
	Apart     float64 `json:"dissipation_apart"`
	ApartAt   float64 `json:"dissipation_apart_at"`
	Untold    string  `json:"dissipation_untold,omitempty"`
	Highest   float64 `json:"largest_elastic_energy"`
	Height    float64 `json:"rough_height,omitempty"`
	Slope     float64 `json:"rough_slope,omitempty"`
	Persson   float64 `json:"persson_area_share,omitempty"`
	Greenwood float64 `json:"greenwood_area_share,omitempty"`
	Share     float64 `json:"area_share,omitempty"` // corrected for the pixels of its perimeter
}

// state is what a checkpoint holds.
type state struct {
	Step      int
	T         float64
	Sum       result
	Node      node
	Evolution halfspace.State
	Twin      *halfspace.State
	Ahead     float64
	Coarse    *coarseState // nil: none
}

// Start makes the bodies and brings them to rest at t = 0.
func (c *Case) Start(ctx context.Context, from run.Decoder) (run.Run, error) {
	r := &Run{c: c, e: halfspace.NewEvolution(c.Operator, c.Problem, &c.Options), sum: result{Elements: c.Operator.Grid().Len()}}
	if from == nil {
		if err := r.advance(ctx, 0, 0); err != nil {
			return r, err
		}
		r.e.Rest()
		return r, errors.Join(r.startTwin(nil), r.startCoarse(ctx, nil))
	}
	var s state
	if err := from.Decode(&s); err != nil {
		return nil, err
	}
	r.step, r.t, r.sum, r.node, r.ahead = s.Step, s.T, s.Sum, s.Node, s.Ahead
	return r, errors.Join(r.e.Load(&s.Evolution), r.startTwin(s.Twin), r.startCoarse(ctx, s.Coarse))
}

// advance goes to a time.
func (r *Run) advance(ctx context.Context, before, t float64) error {
	if err := r.c.advance(ctx, r.e, before, t); err != nil {
		return err
	}
	r.t = t
	return nil
}

// advance takes an evolution of the case to a time.
func (c *Case) advance(ctx context.Context, e *halfspace.Evolution, before, t float64) (err error) {
	d := c.drive(before, t)
	if c.steady != nil {
		err = e.Steady(ctx, halfspace.Creep{Roll: *c.steady, Control: d.Control})
	} else {
		err = e.Step(ctx, d)
	}
	if err != nil {
		return fmt.Errorf("t = %.6g s: %w", t, err)
	}
	return nil
}

// Step makes the next step.
func (r *Run) Step(ctx context.Context) error {
	p := &r.c.plan
	t := p.Time(r.step + 1)
	if err := r.follow(ctx, r.t, t); err != nil {
		return err
	}
	if r.coarse != nil {
		if err := r.coarse.advance(ctx, r.t, t); err != nil {
			return err
		}
	}
	if err := r.advance(ctx, r.t, t); err != nil {
		return err
	}
	r.step++
	r.compare()
	return nil
}

// Time is that of the present state.
func (r *Run) Time() float64 { return r.t }

// Energy is the size of what the balance adds up.
func (r *Run) Energy() float64 {
	l := r.e.Ledger()
	return run.Sizes(l.Stored, l.Dissipated, l.Work)
}

// Save returns what a checkpoint holds.
func (r *Run) Save() any {
	s := &state{Step: r.step, T: r.t, Sum: r.sum, Node: r.node, Ahead: r.ahead}
	r.e.Save(&s.Evolution)
	if r.twin != nil {
		s.Twin = &halfspace.State{}
		r.twin.Save(s.Twin)
	}
	if r.coarse != nil {
		s.Coarse = r.coarse.save()
	}
	return s
}

// loads are those on the upper body, that the contact balances; along the normal the
// one that presses.
func (r *Run) loads() [halfspace.Moves]float64 {
	f := r.e.Result().Force
	for m := range f {
		if m != halfspace.MoveN && f[m] != 0 {
			f[m] = -f[m]
		}
	}
	return f
}

// moves are the displacements of the upper body; creepages in steady rolling.
func (r *Run) moves() [halfspace.Moves]float64 { return r.c.moves(r.e) }

func (c *Case) moves(e *halfspace.Evolution) [halfspace.Moves]float64 {
	m := e.Move()
	if c.steady != nil {
		for i, v := range e.Creepages() {
			if i == halfspace.MoveX || i == halfspace.MoveY || i == halfspace.TurnN {
				m[i] = v
			}
		}
	}
	return m
}

// count takes step k into the totals.
func (r *Run) count(int) {
	e, l, s, g := r.e.Result(), r.e.Ledger(), &r.sum, r.c.Operator.Grid()
	v := &r.node
	*v = node{Between: l.Between, Unbalanced: l.Unbalanced, Penetration: e.Penetration, Missed: e.Missed,
		Products: float64(e.Products), Contacts: float64(e.Contacts), Sticking: float64(e.Sticking)}
	if e.Energy > 0 {
		scale := e.Energy * (1 + r.c.tresca(e.P[halfspace.N]))
		v.Gap, s.Scale = e.Gap/scale, max(s.Scale, scale)
	}
	s.Edge = max(s.Edge, r.c.atEdge(e.P[halfspace.N]))
	for k, p := range e.P[halfspace.N] {
		v.Pressure = max(v.Pressure, p)
		v.Traction = max(v.Traction, math.Hypot(e.P[halfspace.X][k], e.P[halfspace.Y][k]))
	}
	counted, corrected := g.ContactArea(e.P[halfspace.N])
	v.Area = counted
	s.Products += e.Products
	s.Gap, s.Penetration, s.Missed = max(s.Gap, v.Gap), max(s.Penetration, v.Penetration), max(s.Missed, v.Missed)
	s.Contacts, s.Sticking, s.Area, s.Pressure, s.Approach = e.Contacts, e.Sticking, v.Area, v.Pressure, -r.moves()[halfspace.MoveN]
	s.Highest = max(s.Highest, l.Stored)
	s.Elastic, s.Dissipated, s.Work, s.Residual, s.Exchanged = l.Stored, l.Dissipated, l.Work, l.Residual, l.Exchanged
	if l.Between > s.Between {
		s.Between, s.BetweenAt = l.Between, r.t
	}
	if more := l.Unbalanced - s.Unbalanced; more > s.Most {
		s.Most, s.UnbalancedAt = more, r.t
	}
	s.Unbalanced = l.Unbalanced
	r.observe()
	if w := r.c.rough; w != nil && w.Slope > 0 {
		nominal := g.Area() * float64(g.Len())
		mean, modulus := e.Force[halfspace.MoveN]/nominal, 1/(math.Pi*r.c.Pair.A)
		s.Height, s.Slope, s.Share = w.Height, w.Slope, corrected/nominal
		s.Persson, s.Greenwood = halfspace.PerssonArea(mean, modulus, w.Slope), halfspace.GreenwoodArea(mean, modulus, w.Slope)
	}
}

// atEdge counts the elements in contact at the ends of rows and columns: what touches beyond them
// is left out. A row of strips has no ends but its own, a periodic window none.
func (c *Case) atEdge(pressure []float64) (count int) {
	g := c.Operator.Grid()
	ends := func(i, n int) bool { return n > 1 && (i == 0 || i == n-1) }
	for k, p := range pressure {
		if p > 0 && !c.periodic && (ends(k%g.NX, g.NX) || ends(k/g.NX, g.NY)) {
			count++
		}
	}
	return count
}

// Section is the model's part of summary.json.
func (r *Run) Section() any {
	return &struct {
		Halfspace *result `json:"halfspace"`
	}{&r.sum}
}

// The limits of the words: what the solver's gap allows, with the friction's share; the
// rounding of sums over elements.
const (
	gapFactor   = 4
	missedLimit = 1e-9
)

// Verdict lists what the run is worth.
func (r *Run) Verdict() []table.Fact {
	s := &r.sum
	list := []table.Fact{
		table.AtMost(table.Solved, "duality gap of a step, of its elastic energy", s.Gap, r.gapLimit(), "", table.Computed),
		table.AtMost(table.Solved, "miss of a prescribed load, relative", s.Missed, missedLimit, "", table.Computed),
	}
	if r.c.steady == nil {
		list = append(list, r.accuracy()...)
	}
	if s.Edge > 0 {
		list = append(list, cutOff())
	}
	return append(list, r.mesh()...)
}

// cutOff is the fact of a contact at the edge of the window: it is that of bodies which end there.
func cutOff() table.Fact {
	f := table.Unsaid("window", "the contact reaches its edge, and what it would be beyond is cut off")
	f.Remedy = `a larger "size" of the window, or "accept": ["window"] if the bodies end there`
	return f
}

// gapLimit is the duality gap that a step may leave, of its elastic energy.
func (r *Run) gapLimit() float64 {
	limit := r.c.Options.Gap
	if limit == 0 {
		limit = halfspace.DefaultGap
	}
	return gapFactor * limit * (1 + r.c.mu*r.c.mu*max(1, r.c.Problem.Ratio*r.c.Problem.Ratio))
}

// leastFriction is the share of friction in the energy exchanged below which it is judged as
// if it had that share: less changes nothing that the balance would see.
const leastFriction = 1e-3

// accuracy says what the way between the nodes is worth. While bodies roll pressure does not
// change but by what they prescribe, and the moment that turns them does work that is not
// known: only friction is judged.
//
// Energies below resolved, the duality gap that a node may have, are none that the run knows: of
// two solutions p₀, p₁ of the same step to a gap G, f(p₀) ≥ f(p₁) + (p₀ − p₁)·y₁ and its mirror
// give ¼(p₀·y₁ + p₁·y₀) ≤ G. Where loads do not change that is all there is. What adds up over
// the steps is known to one G a step.
func (r *Run) accuracy() (list []table.Fact) {
	s, a := &r.sum, r.c.plan.Accuracy
	resolved := r.gapLimit() * s.Scale
	sums := min(float64(r.c.plan.Steps)*resolved, a*s.Scale)
	if r.c.rolled == nil {
		list = append(list, r.remedied(table.AtMost(table.Accurate,
			"stability: pressure across gaps between two nodes, (S) for all t", s.Between, max(a*s.Exchanged, resolved),
			"J", table.Computed), s.BetweenAt, r.order()))
	}
	if r.c.frictional() {
		list = append(list, r.remedied(table.AtMost(table.Accurate, "friction: what it lacks along the way, (DI)",
			s.Unbalanced, max(a*max(s.Dissipated, leastFriction*s.Exchanged), sums), "J", table.Computed), s.UnbalancedAt, r.order()))
	}
	if r.c.twinned() {
		list = append(list, r.dissipation(sums)...)
	}
	if r.c.rolled == nil {
		f := table.AtMost(table.Accurate, "balance: energy that is lacking, (E)", math.Abs(s.Residual),
			max(a*s.Exchanged, sums), "J", table.Computed)
		list = append(list, r.remedied(f, r.t, r.order()))
	}
	return list
}

// mostSteps is the largest number of steps that is advised.
const mostSteps = 1e6

// order is that of residuals in the step: the second, but where the friction of what lets go falls
// from a threshold to nothing the first.
func (r *Run) order() float64 {
	if r.c.threshold > 0 {
		return 1
	}
	return 2
}

// remedied adds time and remedy to a fact that fails, of an order in the step.
func (r *Run) remedied(f table.Fact, at, order float64) table.Fact {
	if f.Passed {
		return f
	}
	f.Place = fmt.Sprintf("t=%.6g", at)
	n := math.Ceil(float64(r.c.plan.Steps) * elementary.Pow(f.Value/f.Limit, 1/order) * 1.1)
	if f.Remedy, f.Steps = fmt.Sprintf("\"steps\": %.0f", n), n; n > mostSteps {
		f.Steps, f.Remedy = 0, fmt.Sprintf("no number of steps that can be made: %.1e, the error being of order %g; at this step the accuracy is %.2g",
			n, order, r.c.plan.Accuracy*f.Value/f.Limit)
	}
	return f
}

// Finish leaves the last state.
func (r *Run) Finish(_ context.Context, dir string, s *table.Summary) error {
	if s.Steps == 0 || dir == "" {
		return nil
	}
	return errors.Join(r.writeSurface(dir), r.writePlanes(dir))
}

// Reader reads the files of a run for its pictures.
func (c *Case) Reader(dir string) report.Reader {
	return newReader(table.NewFolder(dir, c.plan.Layout), c)
}

// Line is about the last step.
func (r *Run) Line() *run.Line {
	v := &r.node
	return &run.Line{T: r.t, Residual: v.Gap, Tolerance: gapFactor * halfspace.DefaultGap,
		States: run.States(r.sum.Sticking, r.sum.Contacts-r.sum.Sticking, r.sum.Elements-r.sum.Contacts),
		Extra:  fmt.Sprintf("load %.4g N, approach %.4g m", r.loads()[halfspace.MoveN], -r.moves()[halfspace.MoveN]),
		Work:   fmt.Sprintf("%g products", v.Products)}
}

// Report prints what was computed and what its numbers are worth.
func (r *Run) Report(p *run.Page) {
	s, h, g := p.Summary, &r.sum, r.c.Operator.Grid()
	p.Line("computed", "t = 0 … %.10g s in %d steps of %g s, %d×%d elements of %.4g×%.4g m", s.Time, s.Steps,
		r.c.plan.Step(), g.NX, g.NY, g.DX, g.DY)
	if s.Steps == 0 {
		return
	}
	load, move := r.loads(), r.moves()
	p.Line("loads", "normal %.8g N, along the surface (%.8g, %.8g) N", load[halfspace.MoveN], load[halfspace.MoveX], load[halfspace.MoveY])
	p.Line("moves", "approach %.8g m, shift (%.8g, %.8g) m", h.Approach, move[halfspace.MoveX], move[halfspace.MoveY])
	p.Line("contact", "%d elements touch, %d of them stick; area %.5g m², largest pressure %.6g Pa", h.Contacts,
		h.Sticking, h.Area, h.Pressure)
	if h.MisesAt != nil {
		p.Line("stress", "von Mises at most %.6g Pa, at (%.5g, %.5g, %.5g) m", h.Mises, h.MisesAt[0], h.MisesAt[1], h.MisesAt[2])
	}
	if h.Slope > 0 {
		p.Line("rough", "height %.4g m, slope %.4g; %.4g of the area touches, Persson %.4g, Greenwood %.4g", h.Height,
			h.Slope, h.Share, h.Persson, h.Greenwood)
	}
	p.Line("energy", "elastic %.6g J, friction took %.4g J, work of the loads %.6g J, balance lacks %.2g J", h.Elastic,
		h.Dissipated, h.Work, h.Residual)
	switch {
	case r.c.twinned():
		p.Line("not said", "what a load or a move at a time is off by: run --verify compares those that are expected")
	case r.c.rolled != nil && r.c.frictional():
		p.Line("not said", "what the length of the steps does to the dissipation and loads of a rolling contact: run --verify compares what is expected")
	}
	p.Line("solver", "duality gap <= %.2g of the energy, penetration <= %.2g m, %d products, %s", h.Gap, h.Penetration,
		h.Products, p.Cost())
}

// Explain says what ended the steps.
func (r *Run) Explain(err error) string { return err.Error() }

// Advise says what to do after a failed step.
func (r *Run) Advise(p *run.Page, err error) {
	advice := []string{run.Shorter(r.c.plan.Steps)}
	if _, no := errors.AsType[*halfspace.Infeasible](err); no {
		advice = []string{"less load along the surface, a larger normal load or more friction: no tractions balance these loads"}
	} else if r.c.frictional() && r.c.Pair.D != 0 {
		advice = append(advice, fmt.Sprintf("less friction: normal and tangential tractions are coupled by %.3g, times μ = %.3g",
			math.Abs(r.c.Pair.D)/r.c.Pair.A, r.c.mu))
	}
	p.Failed(r.Line(), r.c.plan.Step(), advice)
}

// Refined returns the case in other equal steps.
func (c *Case) Refined(steps int) (run.Case, error) {
	if steps == 0 {
		steps = max(1, c.plan.Steps/4)
	}
	l := *c
	l.plan = c.plan.Refined(steps)
	return &l, nil
}

// Coordinates are the elastic displacements of all elements.
func (r *Run) Coordinates() []float64 {
	u := r.e.Result().U
	return append(append(append([]float64(nil), u[halfspace.X]...), u[halfspace.Y]...), u[halfspace.N]...)
}

// Measures are those of a study.
func (r *Run) Measures() []run.Measure {
	return []run.Measure{{Key: "balance", Name: "balance of energies", Unit: "J", Value: math.Abs(r.sum.Residual), Falls: true},
		{Key: "gap", Name: "duality gap", Value: r.sum.Gap}}
}
