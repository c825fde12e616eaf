package patch

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
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
	stepper *dynamics.Stepper
	steps   facts.Stepping
	sum     bodyview.Motion
	v0      []float64 // of the motion
	changes int       // of the states of elements, so far
	means   []meanForce
	slips   []firstSlip // of each expectation
	states  map[element]dynamics.ContactState
	rows    contactRows
	began   []float64 // q at the start of the step
	forces  []float64 // of the elements, memory of a row
	turns   world.Turns
}

// element names an element over the whole run.
type element struct{ Key, Number int }

// state is what a checkpoint holds.
type state struct {
	Stepper  dynamics.Checkpoint
	Steps    facts.SteppingState
	Sum      bodyview.Motion
	V0       []float64
	Changes  int
	Means    []meanForce
	Slips    []firstSlip
	Elements []element
	States   []dynamics.ContactState
	Turns    world.Turns
}

// tolerance is the relative residual that every contact problem keeps.
const tolerance = 1e-8

// Start makes the stepper; at t = 0 it solves for boundary values first.
func (c *Case) Start(ctx context.Context, from run.Decoder) (run.Run, error) {
	r := &Run{c: c, sum: bodyview.Motion{Bodies: c.World.Bodies(), Tolerance: tolerance}, v0: c.V0,
		states: map[element]dynamics.ContactState{},
		means:  make([]meanForce, len(c.plan.Expect)), slips: make([]firstSlip, len(c.plan.Expect)),
		rows: newContactRows(c), forces: make([]float64, c.World.Dim()*len(c.names))}
	var s state
	if from != nil {
		if err := from.Decode(&s); err != nil {
			return nil, err
		}
	} else if c.Boundary != nil {
		if err := r.startVelocity(ctx); err != nil {
			return r, err
		}
	}
	var err error
	r.stepper, err = c.stepper(r.v0)
	if err == nil && from != nil {
		err = r.load(&s)
	}
	if err != nil {
		return nil, err
	}
	r.stepper.NameParts(c.IDs)
	r.began = append(r.began, r.stepper.State().Q...)
	if c.plan.Adaptive {
		r.steps, err = facts.ChosenSteps(ctx, r.stepper, &c.plan, world.ChosenSteps(&c.plan, c.IDs), &s.Steps)
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

// follow counts the turns of the step.
func (r *Run) follow() {
	s := r.stepper.State()
	r.turns.Follow(r.c.World, s.T, s.Q, r.c.Q0, s.V)
}

// load goes on from a checkpoint.
func (r *Run) load(s *state) error {
	if n := len(r.means); len(s.Means) != n || len(s.Slips) != n || len(s.States) != len(s.Elements) {
		return fmt.Errorf("patch: the checkpoint has %d expectations, want %d", len(s.Means), n)
	}
	r.sum, r.v0, r.changes, r.means, r.slips, r.turns = s.Sum, s.V0, s.Changes, s.Means, s.Slips, s.Turns
	for i, e := range s.Elements {
		r.states[e] = s.States[i]
	}
	return r.stepper.Load(&s.Stepper)
}

// Save returns what a checkpoint holds.
func (r *Run) Save() any {
	s := &state{Steps: r.steps.Save(), Sum: r.sum, V0: r.v0, Changes: r.changes, Means: r.means, Slips: r.slips, Turns: r.turns}
	r.stepper.Save(&s.Stepper)
	for e, x := range r.states {
		s.Elements, s.States = append(s.Elements, e), append(s.States, x)
	}
	return s
}

// Step makes the next step.
func (r *Run) Step(ctx context.Context) error {
	err := r.steps.Step(ctx, r.Time(), func() error { return r.stepper.Step(ctx, r.c.plan.StepFrom(r.Time())) })
	if err == nil {
		r.follow()
	}
	return err
}

// Done reports whether the last of the chosen steps was made.
func (r *Run) Done() bool { return r.steps.Done() }

// Time is that of the present state.
func (r *Run) Time() float64 { return r.stepper.State().T }

// Energy is the size of what the balance adds up.
func (r *Run) Energy() float64 {
	e := r.stepper.Ledger()
	return run.Sizes(e.Kinetic, e.Potential, e.Stored, e.Viscous, e.Friction, e.Impact, e.Loads, e.Residual)
}

// Kinetic implements [run.Mover].
func (r *Run) Kinetic() float64 { return r.stepper.Ledger().Kinetic }

// last is the last step; before the first one, the start.
func (r *Run) last() *dynamics.Step {
	if s := r.stepper.Last(); s != nil && r.stepper.State().T > 0 {
		return s
	}
	return &dynamics.Step{State: r.stepper.State()}
}

// startVelocity finds the v(0) that solves the boundary values.
func (r *Run) startVelocity(ctx context.Context) error {
	t := r.c.Boundary
	x, err := dynamics.SolveBoundary(ctx, r.c.World, &dynamics.State{Q: r.c.Q0, V: r.c.V0}, &t.Boundary, t.Options)
	if x == nil {
		return err
	}
	e := x.Existence
	r.sum.Boundary = &bodyview.BoundaryValue{Residual: run.Finite(x.Residual), Tolerance: max(t.Options.Tolerance, 1e-10), Method: x.Method,
		Integrations: x.Integrations, V0: finiteAll(x.V0), Solutions: x.Solutions, Rate: run.Finite(x.Rate),
		Applies: e.Applies, Rank: e.Rank, Psi: run.Finite(e.Psi), Left: run.Finite(e.Left), Right: run.Finite(e.Right), Holds: e.Holds}
	r.v0 = x.V0
	return err
}

// finiteAll returns finite values; the velocities of a search that failed may not be.
func finiteAll(list []float64) []float64 {
	c := make([]float64, len(list))
	for i, x := range list {
		c[i] = run.Finite(x)
	}
	return c
}

// boundaryResidual is how far the motion misses the boundary values; 0 without any.
func (r *Run) boundaryResidual() float64 {
	if r.sum.Boundary == nil {
		return 0
	}
	return r.sum.Boundary.Residual
}

// Row writes row k and takes it into the totals.
func (r *Run) Row(k int, out *run.Output) error {
	clear(r.forces)
	var c certificate
	var err error
	if k > 0 {
		err = r.step(k, out, &c)
	}
	s, energies := r.stepper.State(), bodyview.Energies(r.stepper.Ledger())
	return errors.Join(err, out.Row(k, s.T, s.Q, s.V, r.forces, table.ValuesOf(&energies), table.ValuesOf(&c)))
}

// step takes step k, with its contacts and events.
func (r *Run) step(k int, out *run.Output, c *certificate) error {
	step, m, ledger := r.stepper.Last(), &r.sum, r.stepper.Ledger()
	m.Solves += step.Solves
	m.Pivots += step.Pivots
	m.Residual, m.Rounds = max(m.Residual, step.Residual), max(m.Rounds, step.Rounds)
	m.Open, m.Stick, m.Slide = m.Open+step.Open, m.Stick+step.Stick, m.Slide+step.Slide
	m.Energy, m.Balance = ledger, max(m.Balance, math.Abs(ledger.Residual))

	dim := r.c.World.Dim()
	var err error
	eachElement(dim, step, func(key, number int, state dynamics.ContactState, lambda, _ []float64) {
		id := element{key, number}
		if c, ok := r.c.columns[id]; ok {
			copy(r.forces[dim*c:], lambda)
		} else {
			r.impulse(out, key, number, lambda)
		}
		before, known := r.states[id]
		if known && before != state || !known && state != dynamics.Open && step.Index > 1 {
			r.changes++
		}
		if k == 1 {
			out.State(run.Event{Name: r.c.elementName(id), To: state.String(), Smooth: r.rows.law(key).none()})
		}
		if before != state && (k > 1 || state == dynamics.Slide) {
			m.Events++
			e := r.changed(id, state)
			e.Name, e.From, e.Smooth = r.c.elementName(id), before.String(), r.rows.law(key).none()
			err = errors.Join(err, out.Event(e))
		}
		r.states[id] = state
	})
	r.began = append(r.began[:0], step.State.Q...)
	rows, sum := r.rows.collect(step, step.State.T, step.State.Q)
	*c = certificate{step.Residual, float64(step.Rounds), step.Theta, sum}
	for i := range rows {
		out.Attach(table.ContactsFile, rows[i].Words(), rows[i].Values()...)
	}
	return err
}

// changed is the event of an element that the step has left in a state: at the time that the step tells, see
// [dynamics.Stepper.Changes].
func (r *Run) changed(id element, state dynamics.ContactState) run.Event {
	step := r.stepper.Last()
	e := run.Event{T: step.State.T - step.H/2, Within: step.H / 2, To: state.String(), Contact: dynamics.ElementKey(id.Key, id.Number)}
	for _, x := range r.stepper.Changes() {
		if x.Contact == e.Contact && x.To == e.To {
			e.T, e.Within = x.T, x.Within
		}
	}
	return e
}

// Late implements [run.Dater].
func (r *Run) Late(e *run.Event) (off float64, settled bool) {
	return r.steps.Late(e.Contact, e.To, e.T)
}

// impulse writes the impulse of an element without a column, in the frame that the
// bodies had when the step began.
func (r *Run) impulse(out *run.Output, key, number int, lambda []float64) {
	if norm := math.Abs(lambda[0]) + math.Abs(lambda[1]); norm == 0 {
		return
	}
	a, b := r.c.World.KeyOf(key)
	frame := pairFrame(r.c.World, key, r.began)
	row := bodyview.ImpulseRow{A: r.c.IDs[a], B: r.c.IDs[b], Feature: number}
	for d, x := range lambda {
		for c := range row.On {
			row.On[c] += r.stepper.Last().H * x * frame[d][c]
		}
	}
	out.Attach(table.ImpulsesFile, row.Words(), row.Values(false, false)...)
}

// pairFrame returns normal and tangents of a pair of bodies at q.
func pairFrame(w *bodies.World, key int, q []float64) [3][3]float64 {
	_, _, n := w.Meeting(key, 0, q)
	t, o := w.Tangents(n)
	return [3][3]float64{n, t, o}
}

// elementColumns names the contact elements that have columns in the files, with μ of each
// and its place.
func elementColumns(contacts []namedContact) (names []string, mu []float64, place map[element]int) {
	place = map[element]int{}
	for i := range contacts {
		c := &contacts[i]
		for f := range c.Features {
			for e := range c.Elements {
				place[element{c.Key + f, e}] = len(names)
				name := c.Name
				if n := c.Features * c.Elements; n > 1 {
					name = fmt.Sprintf("%s.%d", c.Name, f*c.Elements+e+1)
				}
				names, mu = append(names, name), append(mu, c.Mu)
			}
		}
	}
	return names, mu, place
}

// smoothElements tells the elements without friction, by their names in the events.
func (c *Case) smoothElements() func(name string) bool {
	rubs, rows := map[string]bool{}, newContactRows(c)
	for id, k := range c.columns {
		rubs[c.names[k]] = !rows.law(id.Key).none()
	}
	return func(name string) bool {
		if rub, known := rubs[name]; known {
			return !rub
		}
		return c.pairFriction.none()
	}
}

// elementName is that of an element in the events.
func (c *Case) elementName(id element) string {
	if k, ok := c.columns[id]; ok {
		return c.names[k]
	}
	a, b := c.World.KeyOf(id.Key)
	return fmt.Sprintf("%s/%s.%d", c.IDs[a], c.IDs[b], id.Number+1)
}

// Verdict lists what the run is worth.
func (r *Run) Verdict() []table.Fact {
	if r.stepper == nil {
		return nil // no initial velocity was found
	}
	list := append(facts.Of(table.Solved, r.stepper.Solved()), facts.Of(table.Accurate, r.stepper.Accurate(r.c.plan.Accuracy))...)
	return append(list, r.steps.Facts()...)
}

// Section is the model's part of summary.json.
func (r *Run) Section() any {
	return &struct {
		bodyview.Section
		Steps *facts.Steps `json:"chosen_steps,omitempty"`
	}{bodyview.Section{Motion: &r.sum}, r.steps.Summary()}
}

// Finish takes the bounds of uniqueness at the last step.
func (r *Run) Finish(_ context.Context, _ string, s *table.Summary) error {
	if s.Steps > 0 {
		r.sum.ForceRate = r.stepper.Smallness().ForceRate
		r.sum.Mu, r.sum.MuBar = r.stepper.SmallnessNow()
		r.sum.MuBar = run.Finite(r.sum.MuBar)
	}
	return nil
}

// Reader reads the files of a run for its pictures.
func (c *Case) Reader(dir string) report.Reader {
	return bodyview.NewReader(table.NewFolder(dir, c.plan.Layout),
		bodyview.Setup{World: c.World, IDs: c.IDs, Obstacles: c.Obstacles, Elements: c.names, Mu: c.mu,
			Smooth: c.smoothElements(), Facets: c.facets(), Until: c.plan.Until})
}

// Line is about the last step.
func (r *Run) Line() *run.Line {
	s := r.last()
	line := &run.Line{T: r.Time(), Residual: s.Residual, Tolerance: tolerance, States: run.States(s.Stick, s.Slide, s.Open),
		Work: fmt.Sprintf("%d solves, %d pivots", s.Solves, s.Pivots)}
	if s.Rounds > 0 {
		line.Work += fmt.Sprintf(", %d evaluations of the implicit force", s.Rounds)
	}
	return line
}

// Explain says what ended the steps.
func (r *Run) Explain(err error) string { return err.Error() }

// Advise says what to do after a failed step, or where no initial velocity was found.
func (r *Run) Advise(p *run.Page, _ error) {
	if r.stepper == nil {
		r.adviseBoundary(p)
		return
	}
	x := r.stepper.State()
	world.Suspects(p, r.c.World, r.c.IDs, r.c.Obstacles, x.V, r.c.World.NewToucher(r.c.apart()).Find(nil, x.T, x.Q, 0))
	advice := []string{run.Shorter(r.c.plan.Steps)}
	if r.c.Options.ImplicitForce {
		advice = append(advice, "a smaller \"theta\": 0 damps most")
	}
	if r.c.compliant() {
		advice = append(advice, "fewer elements, or a larger compliance, of the patches: stiff springs and light bodies make contact problems hard")
	} else {
		advice = append(advice, "patches with springs: rigid ones may have no solution where friction is large")
	}
	p.Failed(r.Line(), r.stepper.Last().H, append(advice,
		"less friction, and see how far it is from the bound of Lemma 4: quasistatic check "+r.c.file.File))
}

// apart says which pairs pass through each other.
func (c *Case) apart() func(a, b int) bool {
	declared := map[string]bool{}
	for i := range c.Contacts {
		declared[c.Contacts[i].Name] = true
	}
	return func(a, b int) bool {
		if b < 0 {
			return !declared[c.IDs[a]+"/"+c.Obstacles[-1-b]]
		}
		return c.pairFriction.none() &&
			!declared[c.IDs[a]+"/"+c.IDs[b]] && !declared[c.IDs[b]+"/"+c.IDs[a]]
	}
}

// adviseBoundary says what to do where no initial velocity was found.
func (r *Run) adviseBoundary(p *run.Page) {
	b := r.sum.Boundary
	if b == nil {
		return
	}
	p.Line("tried", "%s of the whole motion; the best is v(0) = %.4g", run.Count(b.Integrations, "integration"), b.V0)
	advice := []string{"\"boundary\": {\"starts\": [[…], …]}: guesses of v(0) nearer to the motion wanted; friction may let several motions, or none, meet the rows"}
	if !b.Holds {
		advice = append(advice, "rows that the theorem covers, or a shorter \"until\": see what it asks by quasistatic check "+
			r.c.file.File)
	}
	p.Change(append(advice, run.Shorter(r.c.plan.Steps)))
}
