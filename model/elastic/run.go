package elastic

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/model/facts"
	"github.com/quasistatic/quasistatic/model/meshview"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// Run is a run of a case at a time.
type Run struct {
	c       *Case
	stepper *elastic.Stepper
	steps   facts.Stepping // without a twin: of central differences
	sum     meshview.Elastic
	states  []elastic.Contact // of the contact nodes at the present step …
	before  []elastic.Contact // … and the one before
	shots   shots
	overlap overlap
	strains solid.Strains
	beside  *beside // on another mesh, to judge that of the case; nil: it is given, or there is none
	slides  elastic.Slides
	met     meetings

	followed                   []int     // nodes of the trajectory
	nodes, speeds, row, forces []float64 // memory of rows
}

// state is what a checkpoint holds.
type state struct {
	Stepper elastic.Checkpoint
	Steps   facts.SteppingState
	Sum     meshview.Elastic
	Shots   shots
	Overlap overlap
	Strains solid.Strains
	Slides  elastic.Slides
	Met     meetings
	Beside  *besideState // nil: none
}

// Start makes the stepper and takes its certificates.
func (c *Case) Start(ctx context.Context, from run.Decoder) (run.Run, error) {
	r := &Run{c: c, followed: c.Model.Followed(), sum: meshview.Elastic{Nodes: c.Model.Mesh.NumNodes(), Contacts: len(c.Model.Contacts), Warnings: []string{}}}
	var err error
	r.overlap.open(c)
	if r.stepper, err = c.stepper(ctx); err != nil {
		return nil, err
	}
	if !c.plan.Adaptive {
		r.certify()
	}
	var s state
	if from == nil {
		return r.choose(ctx, &s)
	}
	if err := from.Decode(&s); err != nil {
		return nil, err
	}
	if err := r.stepper.LoadContext(ctx, &s.Stepper); err != nil {
		return nil, err
	}
	r.sum, r.shots, r.slides, r.strains, r.met = s.Sum, s.Shots, s.Slides, s.Strains, s.Met
	r.overlap.Depth, r.overlap.Time = s.Overlap.Depth, s.Overlap.Time
	if !c.plan.Adaptive {
		r.certify()
	}
	r.states = r.stepper.Contacts(r.states)
	return r.choose(ctx, &s)
}

// choose makes the pilot runs of a case that names no steps, or goes on.
func (r *Run) choose(ctx context.Context, from *state) (run.Run, error) {
	c := r.c
	var err error
	switch {
	case c.plan.Adaptive:
		r.steps, err = facts.ChosenSteps(ctx, r.stepper, &c.plan, c.steps(), &from.Steps)
	case c.doubles:
		r.steps, err = facts.EqualSteps(r.stepper, &c.plan, &from.Steps)
	}
	if err == nil {
		err = r.startBeside(ctx, from.Beside)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// steps says how steps are chosen.
func (c *Case) steps() dynamics.AdaptiveOptions {
	return dynamics.AdaptiveOptions{Until: c.plan.Until, Accuracy: dynamics.ChoosableAccuracy(c.plan.Accuracy),
		Asked: c.plan.Accuracy, Longest: c.plan.Course.Longest(), Breaks: c.plan.Course.Knots}
}

// Step makes the next step.
func (r *Run) Step(ctx context.Context) error {
	before := r.Time()
	if err := r.steps.Step(ctx, before, func() error { return r.planned(ctx) }); err != nil {
		return err
	}
	r.follow(ctx, before)
	return nil
}

// planned makes the next step of the plan.
func (r *Run) planned(ctx context.Context) error {
	g := r.c.plan.Grid()
	if g.Equal() {
		return r.stepper.Step(ctx)
	}
	k := g.Node(r.Time()) + 1
	return r.stepper.Advance(ctx, g.Length(k), g.Time(k))
}

// Done reports whether the last of the chosen steps was made.
func (r *Run) Done() bool { return r.steps.Done() }

// Time is that of the present state.
func (r *Run) Time() float64 { return r.stepper.State().T }

// Energy is the size of what the balance adds up.
func (r *Run) Energy() float64 {
	b, e := r.stepper.Balance(), r.stepper.Energies()
	return run.Sizes(e.Kinetic, e.Elastic, b.Initial, b.External, b.Friction, b.Contact, b.Residual)
}

// Kinetic implements [run.Mover].
func (r *Run) Kinetic() float64 { return r.stepper.Energies().Kinetic }

// Save returns what a checkpoint holds.
func (r *Run) Save() any {
	s := &state{Steps: r.steps.Save(), Sum: r.sum, Shots: r.shots, Overlap: r.overlap, Strains: r.strains, Met: r.met}
	s.Slides.Set(&r.slides)
	r.stepper.Save(&s.Stepper)
	s.Beside = r.beside.save()
	return s
}

// certify takes the numbers that do not change with time.
func (r *Run) certify() {
	c, e := r.stepper.Certificate(), &r.sum
	e.CFL, e.Contraction, e.Closed = c.CFL, c.Contraction, c.Closed
	if !math.IsInf(c.CriticalFriction, 0) {
		e.CriticalMu = c.CriticalFriction
	}
	if r.c.Options.Scheme == elastic.CentralDifference {
		e.StableStep = c.StableStep
	}
	e.Unique = c.Unique
	e.Mass, e.MassFactors[0], e.MassFactors[1] = r.stepper.RigidMass()
	e.Warnings = append([]string{}, c.Warnings...)
}

// count takes step k into the totals.
func (r *Run) count(k int) {
	s, e, st := r.stepper, &r.sum, r.stepper.Stats()
	r.states, r.before = s.Contacts(r.before), r.states
	if len(r.before) != len(r.states) {
		r.before = append([]elastic.Contact(nil), r.states...) // the start
	}
	e.Iterations += st.Iterations
	e.Factors += st.Factors
	e.Most = max(e.Most, st.Iterations)
	e.Residual = max(e.Residual, st.Residual)
	e.Measured = max(e.Measured, st.Contraction)
	e.Balance = s.Balance()
	if math.IsInf(e.Balance.MaxFriction, 0) {
		e.Balance.MaxFriction = 0 // JSON has no infinities
	}
	e.Kinetic, e.Elastic = s.Energies().Kinetic, s.Energies().Elastic
	if k > 0 {
		r.slides.Observe(s)
	}
	r.met.observe(r.c, s)
	r.observe()
}

// Section is the model's part of summary.json.
func (r *Run) Section() any {
	return &struct {
		meshview.Section
		Steps *facts.Steps `json:"chosen_steps,omitempty"`
	}{meshview.Section{Elastic: &r.sum}, r.steps.Summary()}
}

// Verdict lists what the run is worth.
func (r *Run) Verdict() []table.Fact {
	list := append(facts.Of(table.Solved, r.stepper.Solved()), facts.Of(table.Accurate, r.stepper.Accurate(r.c.plan.Accuracy))...)
	list = append(list, r.strains.Fact()) // first: where strains are large, elements lie in each other as well
	if len(r.overlap.shapes) > 1 || r.overlap.Depth > 0 {
		list = append(list, r.overlap.fact())
	}
	r.met.end(r.stepper)
	list = slices.Concat(list, r.met.facts(r.c), r.met.lagFacts(r.c))
	estimates := r.steps.Facts()
	return slices.Concat(list, r.c.plan.Foreseen, estimates, r.flutter(estimates), r.c.unjudged(), r.mesh())
}

// Finish leaves the last state, and takes the certificates of the last chosen step too.
func (r *Run) Finish(_ context.Context, dir string, s *table.Summary) error {
	if r.steps.Chosen() {
		r.certify()
	}
	if s.Steps == 0 || dir == "" {
		return nil
	}
	x := r.stepper
	return meshview.WriteFinal(dir, r.c.Model, r.Time(), x.Displacement(nil), x.Velocity(nil), x.State().R)
}

// Reader reads the files of a run for its pictures.
func (c *Case) Reader(dir string) report.Reader {
	return meshview.NewReader(table.NewFolder(dir, c.plan.Layout), c.Model, c.plan.Until)
}

// tolerance is the merit of a step, unless its case says otherwise.
const tolerance = 1e-13

// Line is about the last step.
func (r *Run) Line() *run.Line {
	var c [3]int
	for _, s := range r.states {
		c[s]++
	}
	st := r.stepper.Stats()
	return &run.Line{T: r.Time(), Residual: st.Residual, Tolerance: cmp.Or(r.c.Options.Tolerance, tolerance),
		States: run.States(c[1], c[2], c[0]),
		Extra:  fmt.Sprintf("energies %.4g J", r.stepper.Energies().Total()), Work: fmt.Sprintf("%d it.", st.Iterations)}
}

// Tell implements [run.Teller].
func (r *Run) Tell() []string { return r.strains.Said(r.c.plan.Accuracy) }

// Report prints what was computed and what its numbers are worth.
func (r *Run) Report(p *run.Page) {
	s, e := p.Summary, &r.sum
	r.steps.Print(p, r.c.Options.Step, fmt.Sprintf("%d nodes, %d in contact", e.Nodes, e.Contacts))
	if s.Steps > 0 {
		p.Events()
		b := &e.Balance
		by := "loads"
		if r.c.Model.Motions != nil {
			by = "loads and obstacles"
		}
		p.Line("energy", "kinetic %.6g J, elastic %.6g J, at the start %.6g J in all; work of %s %.4g J", e.Kinetic,
			e.Elastic, b.Initial, by, b.External)
		p.Line("balance", "identity (51) to %.2g J a step; friction took %.4g J; the contact forces did %.3g J, which tends to 0 with Δt",
			b.Identity, b.Dissipation, b.Contact)
		r.steps.PrintUnsaid(p, e.Contacts > 0)
		p.Line("contact", "penetration <= %.2g m, residual <= %.2g, at most %d iterations a step", b.Penetration, e.Residual, e.Most)
		r.reportStep(p)
		p.Line("solver", "%d iterations, %d factorisations of the contact problem, %s", e.Iterations, e.Factors, p.Cost())
	}
	for _, text := range e.Warnings {
		p.Line("warning", "%s", text)
	}
}

// unjudged is the fact that nothing is known of the trajectory: of steps that no twin goes beside, for
// central differences have none that are longer and stable, or where memory is short for one.
func (c *Case) unjudged() []table.Fact {
	switch {
	case c.Options.Scheme == elastic.CentralDifference:
		f := table.Unsaid("trajectory", "its error is not estimated: central differences make equal steps, ahead by (ωΔt)²/24 of what swings with ω")
		f.Remedy = "\"scheme\": \"trapezoidal\", or run --verify and \"accept\": [\"trajectory\"] in the case"
		return []table.Fact{f}
	case c.plan.Adaptive || c.doubles:
		return nil
	}
	f := table.Unsaid("trajectory", "its error is not estimated, for memory is short for the factors of steps of other lengths")
	f.Remedy = fmt.Sprintf("--memory %s", memory.Format(c.twins))
	return []table.Fact{f}
}

// reportStep prints what the step is worth: stability, uniqueness, and the mass that it
// moves.
func (r *Run) reportStep(p *run.Page) {
	e, m := &r.sum, r.c.Model
	p.Line("mass", "%s", massText(e.Mass, e.MassFactors, m.Inertia))
	switch {
	case e.StableStep > 0:
		p.Line("step", "CFL number %.3g; stable by proof up to %.4g s", e.CFL, e.StableStep)
	case r.c.friction() == 0:
		p.Line("step", "CFL number %.3g; no friction: each step is a convex problem, with one solution", e.CFL)
	default:
		text := "not proven to be unique"
		if e.Unique {
			text = "so that each step has one solution (Theorem 4)" + r.c.falls()
		}
		if m.Inertia == elastic.Standard {
			p.Line("step", "CFL number %.3g; Theorem 4 is about the modified mass: steps are %s", e.CFL, text)
			return
		}
		measured := ""
		if e.Measured != 0 {
			measured = fmt.Sprintf(" (%.3g measured)", e.Measured)
		}
		p.Line("step", "CFL number %.3g; the fixed point contracts by <= %.3g%s, %s", e.CFL, e.Contraction, measured, text)
	}
}

// falls is what Theorem 4 leaves to friction over speed: Φ_n contracts by κ/(1 − σ), σ the fall of
// friction in a step, for its problem with friction is that much less monotone.
func (c *Case) falls() string {
	if c.Model.Slip == nil {
		return ""
	}
	return " where the fall of friction with speed in it is less than what that lacks to 1"
}

// massText says how much of the mass of its rigid motions the body keeps.
func massText(mass []elastic.ModeMass, factors [2]float64, i elastic.Inertia) string {
	if i == elastic.Standard {
		return "the standard one: the pressure of contacts oscillates"
	}
	var parts []string
	for _, m := range mass {
		parts = append(parts, fmt.Sprintf("%s %.4g %%", m.Mode, 100*m.Used/m.Standard))
	}
	text := "modified, none along the normals of contact nodes; kept: "
	if i == elastic.Redistributed {
		text = fmt.Sprintf("modified and redistributed, nodes have %.3g to %.3g times theirs along the normal; kept: ",
			factors[0], factors[1])
	}
	return text + strings.Join(parts, ", ")
}

// Explain says what ended the steps.
func (r *Run) Explain(err error) string { return err.Error() }

// Advise says what to do after a failed step.
func (r *Run) Advise(p *run.Page, _ error) {
	m, e := r.c.Model, &r.sum
	worst, force := -1, 0.0
	for k := range m.Contacts {
		if f := r.stepper.Reactions(k)[0]; f > force {
			worst, force = k, f
		}
	}
	if worst >= 0 {
		p.Line("worst", "node %d, %s, normal force %.4g N", m.Contacts[worst].Node, r.states[worst], force)
	}
	advice := []string{fmt.Sprintf("%s; the CFL number is %.3g", run.Shorter(r.c.plan.Steps), e.CFL)}
	if r.c.Options.Scheme == elastic.CentralDifference {
		advice = append(advice, "\"scheme\": \"trapezoidal\", which is stable at any step")
	}
	if r.c.Options.Method == elastic.Picard {
		advice = append(advice, fmt.Sprintf("\"method\": \"newton\": the fixed point contracts by %.3g at worst", e.Contraction))
	}
	if e.CriticalMu > 0 {
		advice = append(advice, fmt.Sprintf("less friction: above %.3g a step may have several solutions", e.CriticalMu))
	}
	p.Failed(r.Line(), r.c.Options.Step, advice)
}

// Refined returns the case in other equal steps.
func (c *Case) Refined(steps int) (run.Case, error) {
	if steps == 0 {
		steps = max(1, c.plan.Steps/4)
		if c.Options.Scheme == elastic.CentralDifference {
			steps = c.plan.Steps // longer steps may be unstable
		}
	}
	l := *c
	l.plan, l.spare = c.plan.Refined(steps), nil
	l.Options.Step = l.plan.Step()
	return &l, nil
}

// Sharper returns a case that chooses its steps at half its accuracy.
func (c *Case) Sharper() run.Case {
	l := *c
	l.plan.Accuracy, l.spare = l.plan.Accuracy/2, nil
	return &l
}

// Coordinates are the displacements of all nodes.
func (r *Run) Coordinates() []float64 {
	r.nodes = r.stepper.Displacement(r.nodes)
	return r.nodes
}

// Measures are those of a study: the theorem lets the work of λ_c and the residual of the
// balance (27) vanish with Δt.
func (r *Run) Measures() []run.Measure {
	b, c := r.stepper.Balance(), r.stepper.Certificate()
	return []run.Measure{{Key: "contact_work", Name: "work of λ_c", Unit: "J", Value: math.Abs(b.Contact), Falls: true},
		{Key: "balance", Name: "balance (27)", Unit: "J", Value: math.Abs(b.Residual), Falls: true},
		{Key: "identity", Name: "identity (51)", Unit: "J", Value: b.Identity},
		{Key: "contraction", Name: "contraction", Value: c.Contraction}}
}
