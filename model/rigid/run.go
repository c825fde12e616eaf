package rigid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/model/facts"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// Run is a run of a case at a time.
type Run struct {
	c       *Case
	stepper *rigid.Stepper
	steps   facts.Stepping
	sum     bodyview.Motion
	first   *rigid.Collision // of the run; nil: none yet
	hit     dated            // what its time is off by
	memory  memory
	spare   memory
	touched []bool         // obstacles, by some body
	cost    float64        // energy that the step length takes or gives, largest of the run [J]
	forces  []float64      // of the bodies, memory of a row
	q, v    []float64      // of places
	sensors []float64      // memory of a row
	inside  *rigid.Instant // that is looked at in place of the present state; nil: none
	turns   world.Turns
	joints  []multibody.Coordinate // of the joints
	hinges  []float64              // they, turns over revolutions [m, rad]
}

// state is what a checkpoint holds.
type state struct {
	Stepper rigid.Checkpoint
	Steps   facts.SteppingState
	Sum     bodyview.Motion
	First   *rigid.Collision
	Hit     dated
	Memory  memory
	Touched []bool
	Turns   world.Turns
	Hinges  []float64
}

// Start makes the stepper, and the pilot runs of a case that names no steps.
func (c *Case) Start(ctx context.Context, from run.Decoder) (run.Run, error) {
	r := &Run{c: c, sum: bodyview.Motion{Bodies: c.World.Bodies(), Tolerance: tolerance, Multibody: &bodyview.Multibody{}}}
	r.forces, r.touched = make([]float64, c.World.Dim()*len(c.IDs)), make([]bool, len(c.Obstacles))
	var err error
	if r.stepper, err = c.stepper(ctx); err != nil {
		return nil, err
	}
	r.joints = c.coordinates()
	r.hinges = make([]float64, len(r.joints))
	var s state
	if from != nil {
		if err := from.Decode(&s); err != nil {
			return nil, err
		}
		r.sum, r.first, r.hit, r.memory, r.touched = s.Sum, s.First, s.Hit, s.Memory, s.Touched
		r.turns, r.hinges = s.Turns, s.Hinges
		if err := r.stepper.Load(&s.Stepper); err != nil {
			return nil, err
		}
	}
	if c.plan.Adaptive {
		r.steps, err = facts.ChosenSteps(ctx, r.stepper, &c.plan, world.ChosenSteps(&c.plan, c.IDs), &s.Steps)
		err = r.shorter(err)
	} else {
		r.steps, err = facts.EqualSteps(r.stepper, &c.plan, &s.Steps)
	}
	if err != nil {
		return nil, err
	}
	if from == nil {
		r.follow()
	}
	return r, nil
}

// Step makes the next step.
func (r *Run) Step(ctx context.Context) error {
	err := r.steps.Step(ctx, r.Time(), func() error { return r.stepper.Step(ctx, r.c.plan.StepFrom(r.Time())) })
	if err == nil {
		r.follow()
	}
	if err == nil && r.steps.Chosen() {
		r.stepper.TestCone(ctx)
	}
	return r.shorter(err)
}

// shorter says what helps where no step that is chosen is short enough and several pairs are about
// to meet.
func (r *Run) shorter(err error) error {
	if !errors.Is(err, dynamics.ErrNoStep) {
		return err
	}
	pairs := map[[3]int]bool{}
	r.stepper.Contacts(func(p *rigid.Present) {
		if r.c.Model.StopOf(p.Touch) == nil {
			pairs[[3]int{p.A, p.B, p.Floor}] = true
		}
	})
	if len(pairs) > 1 {
		return fmt.Errorf("many that meet at once want a number of \"steps\", \"alpha\": 1 and \"grid\": \"gaps\", which does not look for each collision: %w",
			err)
	}
	return err
}

// Done reports whether the last of the chosen steps was made.
func (r *Run) Done() bool { return r.steps.Done() }

// Time is that of the present state.
func (r *Run) Time() float64 { return r.stepper.Last().T }

// Energy is the size of what the balance adds up.
func (r *Run) Energy() float64 {
	e := &r.stepper.Last().Energy
	return run.Sizes(e.Kinetic, e.Potential, e.Elastic, e.Friction, e.Normal, e.Impact, e.Joints, e.Loads, e.Pulls,
		e.Drag, e.Damped, e.Scheme, e.Projection, e.Residual)
}

// Kinetic implements [run.Mover].
func (r *Run) Kinetic() float64 {
	if r.inside != nil {
		return r.inside.Kinetic
	}
	return r.stepper.Last().Energy.Kinetic
}

// Tell implements [run.Teller]: what has touched nothing may be meant, as a ball that has not landed.
func (r *Run) Tell() (list []string) {
	if left := r.sum.Multibody.Untouched; len(left) > 0 {
		list = append(list, "no body has touched "+casefile.Listed(left))
	}
	list = append(list, r.openTexts()...)
	if n := r.c.Model.Mirror; n != nil {
		list = append(list, fmt.Sprintf("kept to its plane of symmetry, across (%.4g, %.4g, %.4g): \"symmetry\"", n[0]+0, n[1]+0, n[2]+0))
	}
	return list
}

// Save returns what a checkpoint holds.
func (r *Run) Save() any {
	s := &state{Steps: r.steps.Save(), Sum: r.sum, First: r.first, Hit: r.hit, Memory: r.memory, Touched: r.touched,
		Turns: r.turns, Hinges: r.hinges}
	r.stepper.Save(&s.Stepper)
	return s
}

// tolerance is the merit above which a step fails, the default of
// [rigid.Options].
const tolerance = 1e-8

// unstableText objects to α < ½.
func unstableText(alpha float64) string {
	return fmt.Sprintf("\"alpha\": %g: what joints and contacts are off by grows by (1−α)/α = %.4g a step; the convergence theorem asks for α >= 1/2",
		alpha, (1-alpha)/alpha)
}

// Verdict lists what the run is worth.
func (r *Run) Verdict() []table.Fact {
	c, o := r.sum.Multibody, &r.c.Options
	list := facts.Of(table.Solved, r.stepper.Solved())
	if a := o.Alpha; a > 0 && a < 0.5 {
		list = append(list, table.Fact{Word: table.Accurate,
			Name: "growth (1−α)/α of errors of joints and contacts a step", Value: (1 - a) / a, Limit: 1,
			Basis: table.Proven, Remedy: unstableText(a)})
	}
	if c.Gains > 0 {
		f := table.AtMost(table.Accurate, fmt.Sprintf("%s gained %.4g J of kinetic energy",
			run.Count(c.Gains, "collision"), c.Gained), c.Gained, 0, "J", table.Computed)
		f.Place = fmt.Sprintf("most of it %.4g J at %s, t = %.6g s", c.MostGain, c.GainAt, c.GainTime)
		f.Remedy = "no law of impact makes energy, but the contact problem was solved to few digits: masses that differ less"
		list = append(list, f)
	}
	list = append(list, facts.Of(table.Accurate, r.stepper.Accurate(r.c.plan.Accuracy))...)
	return append(append(list, r.early()...), r.steps.Facts()...)
}

// gains remembers the collision that gained most.
func (r *Run) gains(step *rigid.Step) {
	c := r.sum.Multibody
	for i := range step.Collisions {
		x := &step.Collisions[i]
		if gain := x.Gain(); gain > c.MostGain {
			c.MostGain, c.GainAt, c.GainTime = gain, r.c.IDs[x.A]+"/"+r.c.second(x.B, -1-x.B), x.T
		}
	}
}

// count takes the step into the totals.
func (r *Run) count() {
	step, m := r.stepper.Last(), &r.sum
	e := &step.Energy
	m.Solves, m.Stalled = m.Solves+step.Solves, m.Stalled+step.Stalled
	m.Residual = max(m.Residual, step.Residual)
	m.Open, m.Stick, m.Slide = m.Open+step.Open, m.Stick+step.Stick, m.Slide+step.Slip
	m.Energy, m.Balance = r.ledger(), max(m.Balance, math.Abs(e.Residual))
	m.Multibody.Add(step)
	r.cost = max(r.cost, math.Abs(e.Scheme+e.Projection))
	r.gains(step)
	m.Multibody.Slow += r.c.slow(step.Collisions)
	if len(step.Collisions) > 0 && r.first == nil {
		c := step.Collisions[0]
		r.first = &c
	}
	if x := r.first; x != nil && !r.hit.Settled {
		r.hit.Within, r.hit.Settled = r.steps.Late(rigid.HitOf(x.A, x.B), rigid.Hit, x.T)
	}
	r.touch(step)
	r.lookForOpen()
}

// dated is what the time of an event may be off by, and whether more will be known.
type dated struct {
	Within  float64 // [s]
	Settled bool
}

// ValueWithin implements [run.Doubter].
func (r *Run) ValueWithin(x *casefile.Expectation) float64 {
	switch x.Quantity {
	case "collision_time":
		return min(r.hit.Within, r.c.plan.Until)
	case "contact_force":
		return r.lifted(x)
	}
	return 0
}

// touch remembers the obstacles that bodies have touched. A ball that has not landed is no mistake,
// but the verdict tells that it has not.
func (r *Run) touch(step *rigid.Step) {
	left := r.sum.Multibody.Untouched
	if step.Index > 0 && len(left) == 0 {
		return
	}
	for i := range step.Impulses {
		if _, b, floor, _ := bodies.TouchOf(step.Impulses[i].Key); b < 0 && floor < len(r.touched) {
			r.touched[floor] = true
		}
	}
	for i := range step.Collisions {
		if b := step.Collisions[i].B; b < 0 && -1-b < len(r.touched) {
			r.touched[-1-b] = true
		}
	}
	r.stepper.Contacts(func(p *rigid.Present) {
		if p.B < 0 && p.Floor < len(r.touched) && (p.State != rigid.Open || p.Force[0] > 0) {
			r.touched[p.Floor] = true
		}
	})
	left = left[:0]
	for i, name := range r.c.Obstacles {
		if !r.touched[i] {
			left = append(left, name)
		}
	}
	r.sum.Multibody.Untouched = left
}

// ledger is the balance of energies in the columns of all models of bodies: what the step length
// takes is in the residual, as it is there.
func (r *Run) ledger() dynamics.Energy {
	e := &r.stepper.Last().Energy
	return dynamics.Energy{Kinetic: e.Kinetic, Potential: r.c.lifted(e.Potential), Stored: e.Elastic,
		Viscous: e.Viscous(), Friction: e.Friction,
		Impact: e.Impacts(), Loads: e.External(), Residual: e.Residual - e.Numerical()}
}

// Section is the model's part of summary.json.
func (r *Run) Section() any {
	return &struct {
		bodyview.Section
		Steps *facts.Steps `json:"chosen_steps,omitempty"`
	}{bodyview.Section{Motion: &r.sum}, r.steps.Summary()}
}

// Reader reads the files of a run for its pictures.
func (c *Case) Reader(dir string) report.Reader {
	return bodyview.NewReader(table.NewFolder(dir, c.plan.Layout),
		bodyview.Setup{World: c.World, Origin: c.Origin, IDs: c.IDs, Obstacles: c.Obstacles,
			Mu: slices.Repeat([]float64{c.Mu}, len(c.IDs)), Rigid: c.Model, Facets: c.facets(), Until: c.plan.Until,
			Every: c.plan.Every, Sensors: c.sensors.Columns(), OfStep: c.sensors.OfStep()})
}

// Line is about the last step.
func (r *Run) Line() *run.Line {
	s := r.stepper.Last()
	t, _, _, _ := r.stepper.State()
	line := &run.Line{T: t, Residual: s.Residual, Tolerance: tolerance, States: run.States(s.Stick, s.Slip, s.Open),
		Extra: fmt.Sprintf("joints apart %.2g, penetration %.2g m", s.Drift, s.Penetration),
		Work:  fmt.Sprintf("%d solves, %d it.", s.Solves, s.Iterations)}
	if n := len(s.Collisions); n > 0 {
		line.Work += ", " + run.Count(n, "collision")
	}
	return line
}

// Report prints what was computed and what its numbers are worth.
func (r *Run) Report(p *run.Page) {
	s, m, c := p.Summary, &r.sum, r.sum.Multibody
	r.steps.Print(p, r.c.plan.Step(), fmt.Sprintf("%s in %d dimensions; %s", world.Count(m.Bodies), r.c.World.Dim(), r.schemeText()))
	r.c.PrintMasses(p)
	if s.Steps > 0 {
		p.Line("contact", "contact steps: %d stick, %d slip, %d open; %s, %.4g J lost in them", m.Stick, m.Slide,
			m.Open, run.Count(c.Collisions, "collision"), c.Loss)
		r.reportRestitution(p)
		if len(c.Untouched) > 0 {
			p.Line("", "no body has touched %s", casefile.Listed(c.Untouched))
		}
		p.Events()
		p.Line("forces", "residual <= %.2g of %.2g allowed", m.Residual, m.Tolerance)
		if m.Stalled > 0 {
			p.Line("", "%d of %d contact problems stalled short of the usual 1e-11", m.Stalled, m.Solves)
		}
		p.Line("geometry", "joints apart <= %.2g (corrected by <= %.2g a step), penetration <= %.2g m", c.Drift,
			c.Correction, c.Penetration)
		if cuts, why := r.stepper.Cuts(); cuts > 0 {
			p.Line("", "%s of parts of steps failed and were done again, in halves or with the bends of gaps, the first: %s",
				run.Count(cuts, "trial"), why)
		}
		r.steps.PrintUnsaid(p, m.Stick+m.Slide+c.Collisions > 0)
		for _, text := range r.stepper.NotEstimated() {
			p.Line("not said", "%s", text)
		}
		for _, name := range c.Dependent {
			p.Line("", "%s has rows that say nothing new: its forces are not unique", name)
		}
		if c.Painleve > 0 {
			p.Line("Painlevé", "%s in his configurations: sliding contacts that a push pulls together, where no bounded force may exist; the impulses do",
				run.Count(c.Painleve, "step"))
		}
		r.reportCone(p)
		e := &m.Energy
		p.Line("energy", "kinetic %.4g J, potential %.4g J, of springs %.4g J; work of loads %.4g J", e.Kinetic,
			e.Potential, e.Stored, e.Loads)
		p.Line("", "dissipated: friction %.4g J, dampers and drag %.4g J, impacts and normal forces %.4g J, joints %.4g J",
			e.Friction, e.Viscous, c.Normal, c.Joints)
		p.Line("balance", "closes to %.2g J (rounding); lost to the step length %.3g J, to projections %.3g J, both O(h)",
			m.Balance, c.Scheme, c.Projection)
		p.Line("variation", "sum of all changes of the velocities v %.6g; of v^α = (1−α)·before + α·after a step, which contacts see, %.6g",
			c.Variation, c.WeightedVariation)
		p.Line("solver", "%d contact problems, %d iterations, %s", m.Solves, c.Iterations, p.Cost())
	}
}

// reportRestitution names the law of impact where surfaces have a restitution, and the speed below
// which they show none: in small units all impacts may be slower.
func (r *Run) reportRestitution(p *run.Page) {
	c, slowest := r.sum.Multibody, r.c.slowest()
	switch {
	case !r.c.bounces():
	case c.Slow > 0:
		p.Line("restitution", "by the law %s; %d of %s at most %g m/s fast, \"restitution_speed\", did not rebound",
			r.c.law, c.Slow, run.Count(c.Collisions, "collision"), slowest)
	default:
		p.Line("restitution", "by the law %s, of what comes faster than %g m/s", r.c.law, slowest)
	}
	if c.Held > 0 {
		p.Line("", "%s gave back less than that, as all of it would have made energy; least %.3g of it",
			run.Count(c.Held, "collision"), 1-c.MostHeld)
	}
}

// reportCone says in how many steps the friction cone was pointed.
func (r *Run) reportCone(p *run.Page) {
	c := r.sum.Multibody
	if !r.c.Options.Pointedness {
		return
	}
	if lost := c.ConeLost + c.ConeUnknown; lost == 0 {
		p.Line("cone", "the friction cone is pointed in all steps (3.1): contacts cannot press against each other without bound; impulses are at most c_FC <= %.4g times what they change (3.3)",
			c.ConeBound)
		return
	}
	if c.ConeLost > 0 {
		p.Line("cone", "not pointed (3.1) in %s: impulses that are not zero cancel, so that forces are not unique",
			run.Count(c.ConeLost, "step"))
	}
	if c.ConeUnknown > 0 {
		p.Line("cone", "undecided in %s", run.Count(c.ConeUnknown, "step"))
	}
}

func (r *Run) schemeText() string {
	o := &r.c.Options
	alpha := o.Alpha
	if alpha == 0 {
		alpha = 1
	}
	gamma := o.Gamma
	if !o.ExplicitGamma {
		gamma = alpha
	}
	text := fmt.Sprintf("scheme %v, α = %g, γ = %g", o.Scheme, alpha, gamma)
	if o.Unstabilised {
		text += ", not stabilised"
	}
	return text
}

// Explain says what ended the steps.
func (r *Run) Explain(err error) string { return err.Error() }

// Advise says what to do after a failed step.
func (r *Run) Advise(p *run.Page, fault error) {
	s := r.stepper.Last()
	_, _, v, _ := r.stepper.State()
	var touches []bodies.Touch
	r.stepper.Contacts(func(x *rigid.Present) {
		if r.c.Model.StopOf(x.Touch) == nil {
			touches = append(touches, *x.Touch)
		}
	})
	world.Suspects(p, r.c.World, r.c.IDs, r.c.Obstacles, v, touches)
	advice := []string{run.Shorter(r.c.plan.Steps)}
	if zeno, ok := errors.AsType[*rigid.ZenoError](fault); ok {
		p.Line("worst", "contact %s, %s in one step", zeno.Contact, run.Count(zeno.Count, "collision"))
		advice = append(advice, "\"restitution\": 0, or a larger \"restitution_speed\", below which impacts do not bounce",
			"\"grid\": \"gaps\", which looks for no collision times")
	}
	if s.Painleve > 0 {
		advice = append(advice, "\"grid\": \"gaps\": the sliding contacts are in configurations of Painlevé")
	}
	if errors.Is(fault, multibody.ErrIndefinite) {
		advice = append(advice, "\"jacobians\": \"definite\": compressed springs push the matrix of the step out of its range")
	}
	if masses, far := world.MassRange(r.c.World, r.c.IDs); far {
		advice = append(advice, "masses that differ less: "+masses)
	}
	h := r.c.plan.Step()
	if r.steps.Chosen() {
		h = s.H
	}
	p.Failed(r.Line(), h, advice)
}

// Refined returns the case in other equal steps.
func (c *Case) Refined(steps int) (run.Case, error) {
	if steps == 0 {
		steps = max(1, c.plan.Steps/4)
	}
	l := *c
	l.plan, l.spare = c.plan.Refined(steps), nil
	return &l, nil
}

// Sharper returns a case that chooses its steps at half its accuracy.
func (c *Case) Sharper() run.Case {
	l := *c
	l.plan.Accuracy, l.spare = l.plan.Accuracy/2, nil
	return &l
}

// Coordinates are those of the bodies, from the inner origin.
func (r *Run) Coordinates() []float64 { return r.stepper.Last().Q }

// Parts implements [run.Divided].
func (r *Run) Parts() []run.Part { return world.Parts(r.c.World, r.c.IDs) }

// Measures are those of a study.
func (r *Run) Measures() []run.Measure {
	return []run.Measure{{Key: "cost", Name: "energy lost to the step", Unit: "J", Value: r.cost, Falls: true},
		{Key: "balance", Name: "balance (rounding)", Unit: "J", Value: r.sum.Balance}}
}
