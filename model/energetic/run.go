package energetic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/energetic/proof"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// Run is a run of a case at a node.
type Run struct {
	c          *Case
	evolution  *energetic.Evolution // nil: a continuation
	last       *energetic.Node      // that was observed; nil before the first
	from       *origin              // of the step that comes; nil: nothing is expected within it, or later
	verdict    energetic.Summary
	measures   []energetic.Measure // of the evolution, at its end
	global     *globalTest
	walk       *eventWalk        // nil: the run makes steps
	stretches  *stretches        // nil: jumps are not resolved
	globals    *global.Stats     // nil: steps are not global minimisers
	minimisers *global.Evolution // that makes them
	sum        particleview.Section
	beside     *beside      // on the meshes that judge those of the case; nil: there is none
	bodies     []*fem.Bound // of the bodies that have one
	bounds     boundSums
	own        *dissipation.Coulomb // with what bodies remember at the last node; nil: not made
	standing   bodyState
	yields     []bool              // in the last step, by [energetic.Node] Flows
	parts      [][]float64         // of the elements of each body in the last bound [J]
	tube       *proof.Tube         // nil: none is looked for
	limit      func(j int) float64 // of the distance of a particle; nil: that of evolution
	changes    int                 // of contact so far
	lipschitz  float64             // largest speed so far [m/s]
	met        meetings
	lag        lag
	placed     placed        // of the linearisation of bodies that meet
	pace       float64       // of parts of steps, see stepRelinearising; 0: steps are made at once [s]
	strains    solid.Strains // of bodies whose strains are taken to be small …
	linear     bool          // … if there are any
	turns      []turn        // changes of contact so far, where the case expects the time of one
	way        []wayNode     // at which (N4) is examined at the end

	x, forces, corners, sensors []float64 // memory of a row
}

// state is what a checkpoint holds.
type state struct {
	Evolution energetic.Checkpoint
	Changes   int
	Lipschitz float64
	Met       meetings
	Lag       lag
	Strains   solid.Strains
	Placed    placed
	Pace      float64
	Turns     []turn
	Jumps     []particleview.Jump
	Times     []float64            // of the nodes kept for the global search …
	States    [][]float64          // … the nodes
	From      []dissipation.Origin // … those before
	Last      dissipation.Origin   // … and the last one
	Way       []wayNode            // kept for (N4)
	Stretches *stretchesState      // nil: jumps are not resolved, or no step was made
	Tube      proof.TubeState
	Global    *global.Checkpoint // nil: steps are not global minimisers, or none was made
	Beside    *besideState       // nil: none
	Bounds    boundSums
	Yields    []bool
}

// Start makes the evolution, with its first node, or goes on with it.
func (c *Case) Start(ctx context.Context, from run.Decoder) (run.Run, error) {
	sys := c.Psi.System
	r := &Run{c: c, global: newGlobalTest(c), sum: particleview.Section{Particles: sys.N()}}
	for p := range sys.N() {
		if sys.Constrained(p) || sys.Cornered(p) {
			r.sum.Constrained++
		}
	}
	r.assume(ctx)
	r.tube = c.newTube()
	if err := r.choose(ctx); err != nil {
		return r, err
	}
	if c.Gammas != nil || c.Walks() {
		return r, r.startBeside(ctx, nil) // begins anew
	}
	var err error
	if from == nil {
		if r.evolution, err = energetic.Start(ctx, c.Psi, c.Z0, c.Options); err != nil {
			return r, err
		}
		if err := r.startBeside(ctx, nil); err != nil {
			return r, err
		}
	} else {
		var s state
		if err := from.Decode(&s); err != nil {
			return nil, err
		}
		if err := r.resumeLinearised(ctx, &s); err != nil {
			return nil, err
		}
		c = r.c
		if r.evolution, err = energetic.Resume(c.Psi, c.Options, &s.Evolution); err != nil {
			return nil, err
		}
		r.changes, r.lipschitz, r.met, r.lag, r.turns, r.sum.Jumps, r.way = s.Changes, s.Lipschitz, s.Met, s.Lag, s.Turns, s.Jumps, s.Way
		r.strains, r.pace = s.Strains, s.Pace
		r.global.times, r.global.states, r.global.from, r.global.last = s.Times, s.States, s.From, s.Last
		r.last, r.bounds, r.yields = r.evolution.Node(), s.Bounds, s.Yields
		r.begin()
		if r.tube != nil {
			if err := r.tube.Load(s.Tube); err != nil {
				return nil, err
			}
		}
		if err := r.resumeBeyondJumps(&s); err != nil {
			return nil, err
		}
		if err := r.startBeside(ctx, s.Beside); err != nil {
			return nil, err
		}
	}
	r.sum.Settled = r.evolution.Settled
	r.verdict = r.evolution.Summary()
	return r, nil
}

// Save returns what a checkpoint holds.
func (r *Run) Save() any {
	s := &state{Changes: r.changes, Lipschitz: r.lipschitz, Met: r.met, Lag: r.lag, Strains: r.strains, Placed: r.placed, Pace: r.pace,
		Turns: r.turns, Jumps: r.sum.Jumps,
		Times: r.global.times, States: r.global.states, From: r.global.from, Last: r.global.last, Way: r.way}
	r.evolution.Save(&s.Evolution)
	s.Beside, s.Bounds, s.Yields = r.beside.save(), r.bounds, r.yields
	if r.tube != nil {
		s.Tube = r.tube.Save()
	}
	if r.stretches != nil {
		s.Stretches = r.stretches.save()
	}
	if r.minimisers != nil {
		s.Global = new(global.Checkpoint)
		r.minimisers.Save(s.Global)
	}
	return s
}

// resumeBeyondJumps goes on with what a solution beyond jumps has more than an evolution.
func (r *Run) resumeBeyondJumps(s *state) (err error) {
	if s.Stretches == nil {
		return nil
	}
	if r.stretches, err = resumeStretches(r.c, s.Stretches); err != nil || s.Global == nil {
		return err
	}
	start := r.evolution.Node() // no evolution goes through the jumps: it is where it began
	if r.minimisers, err = global.Start(r.c.Psi, 0, start.Z, r.c.Options.Step); err != nil {
		return err
	}
	r.globals = &r.minimisers.Stats
	return r.minimisers.Load(s.Global)
}

// Time is that of the present node.
func (r *Run) Time() float64 { return r.last.T }

// End implements [run.Ender]: with a loss of equilibrium the evolution ends.
func (r *Run) End() float64 {
	if r.sum.Loss != nil {
		return r.last.T
	}
	return r.c.plan.Until
}

// Energy is the size of what the balance adds up.
func (r *Run) Energy() float64 { return 0 } // certificates that are no numbers fail by themselves

// Row writes the present node.
func (r *Run) Row(k int, out *run.Output) error {
	n := r.last
	timed := r.c.timesEvents()
	if k == 0 {
		sys := r.c.Psi.System
		for j, s := range n.States {
			if j >= sys.N() || sys.Constrained(j) { // a body has many nodes that nothing is near to
				out.State(run.Event{T: n.T, Name: r.c.ContactIDs[j], To: s.String(), Smooth: r.c.smooth(j)})
			}
		}
	}
	if r.walk != nil {
		for _, c := range r.walk.changed {
			if timed {
				r.turns = append(r.turns, turn{c.contact, c.t})
			}
		}
		if err := r.walk.writeChanges(out); err != nil {
			return err
		}
		r.changes = r.walk.changes
	} else if k > 0 {
		for j, s := range n.States {
			if from := n.Before[j]; s != from {
				r.changes++
				if timed {
					r.turns = append(r.turns, turn{j, n.T})
				}
				if err := out.Event(run.Event{T: n.T, Within: out.StepLength(), Name: r.c.ContactIDs[j],
					From: from.String(), To: s.String(), Smooth: r.c.smooth(j)}); err != nil {
					return err
				}
			}
		}
	}
	if err := r.yield(out); err != nil {
		return err
	}
	r.lipschitz = max(r.lipschitz, n.Lipschitz)
	r.met.observe(context.Background(), r.c, n)
	r.global.observe(n)
	r.keepWay(n)
	size := 3 * len(r.c.IDs)
	if len(r.x) != size {
		r.x, r.forces, r.corners = make([]float64, size), make([]float64, size), make([]float64, 3*len(r.c.Scene.Contacts))
	}
	r.c.Psi.System.ToGlobalAt(n.T, r.x, n.Z)
	r.lag.observe(r.c, n.T, r.x)
	r.observeStrains()
	for j := range r.c.IDs {
		f := particleview.Reaction(n, j)
		copy(r.forces[3*j:], f[:])
	}
	certificates := []float64{n.Energy, n.Dissipation, n.Work, n.Balance, n.Gap.Upper, n.Force, float64(n.SinceEvent)}
	if r.c.Psi.System.Remembers() {
		certificates = append(certificates, n.Plastic)
	}
	sheets := [][]float64{r.x, r.forces, certificates}
	if list := r.c.Scene.Contacts; list != nil {
		for i, c := range list {
			f := particleview.Reaction(n, c.Number)
			copy(r.corners[3*i:], f[:])
		}
		sheets = append(sheets, r.corners)
	}
	if len(r.c.sensors) > 0 {
		r.sensors = r.c.sensors.Row(r.sensors, r.Value)
		sheets = append(sheets, r.sensors)
	}
	return out.Row(k, n.T, sheets...)
}

// yield tells from when on bodies yield, and are elastic again; at first they are.
func (r *Run) yield(out *run.Output) error {
	n := r.last
	for i := range n.Flows {
		f := &n.Flows[i]
		name, yields := r.c.IDs[f.Particle], f.Work > 0
		e := run.Event{T: n.T, Within: out.StepLength(), Name: name[:strings.LastIndexByte(name, '.')],
			From: "elastic", To: "yield", Aside: true}
		if i >= len(r.yields) {
			r.yields = append(r.yields, false)
			out.State(run.Event{Name: e.Name, To: e.From})
		}
		if yields == r.yields[i] {
			continue
		}
		if r.yields[i] = yields; !yields {
			e.From, e.To = e.To, e.From
		}
		if err := out.Event(e); err != nil {
			return err
		}
	}
	return nil
}

// Verdict lists what the run is worth.
func (r *Run) Verdict() []table.Fact {
	if r.last == nil {
		return []table.Fact{table.No(table.Solved, "there is no state, not even a start", table.Computed)}
	}
	v := &r.verdict
	name := "gap of the steps"
	if r.curved() {
		name = "gap of (S) at the nodes, each the state of a walk in space"
	}
	list := []table.Fact{table.AtMost(table.Solved, name, v.MaxStepGap, v.GapLimit(), "J", table.Computed)}
	if !v.Solved && !list[0].Passed {
		list[0].Place = v.First
	} else if !v.Solved {
		list = append(list, table.No(table.Solved, v.First, table.Computed))
	}
	for i := range r.measures {
		// What is not judged is said where it holds: a run with γ may solve Problem 3.1.
		if m := &r.measures[i]; m.Judged || m.Passed() {
			list = append(list, r.fact(m))
		}
	}
	if v.Solved && !v.Accurate && table.Holds(list, table.Accurate) {
		list = append(list, table.Fact{Word: table.Accurate, Name: v.First, Value: 1, Basis: table.Computed, Remedy: v.Remedy})
	}
	list = slices.Concat(list, r.tubeFacts(), r.c.plan.Foreseen, r.strainFacts(), r.meetingFacts(), r.lag.fact(r.c), r.mesh(), r.exactness(), r.jumpFacts(), r.globalFacts())
	for i := range r.sum.Global {
		if g := &r.sum.Global[i]; g.Better {
			f := table.AtMost(table.Accurate, "(S): what a better state costs less", g.Gain, 0, "J", table.Sampled)
			f.Place = fmt.Sprintf("t=%g, see %s", g.Time, table.BetterFile)
			f.Remedy = "\"stability\": \"convex\", if local minimisers are meant; \"solution\": \"energetic\" takes the better states"
			return append(list, f)
		}
	}
	return list
}

// observeStrains takes the strains of the bodies at the present node.
func (r *Run) observeStrains() {
	for _, e := range r.c.Psi.System.Energies() {
		if b, is := e.(*body.Body); is && b.Convex() {
			r.strains.Observe(b.Mesh(), b.Kinematics(), b.Displacement(nil, r.last.T, r.x), r.last.T)
			r.linear = true
		}
	}
}

// strainFacts judges them.
func (r *Run) strainFacts() []table.Fact {
	if !r.linear {
		return nil
	}
	return []table.Fact{r.strains.Fact()}
}

// tubeFacts is the line of the verdict on the distance to the exact solution, where there is one.
func (r *Run) tubeFacts() []table.Fact {
	switch {
	case r.limit != nil:
		return r.tubeOf(r.limit)
	case r.evolution != nil:
		return r.tubeOf(r.evolution.WayLimit)
	}
	return r.tubeOf(nil)
}

// curved reports whether the run walks from event to event, and friction turns between events.
func (r *Run) curved() bool { return r.walk != nil && r.walk.curved }

// fact is a measure as a line of the verdict.
func (r *Run) fact(m *energetic.Measure) table.Fact {
	f := table.Fact{Word: table.Accurate, Name: m.Name + ": " + m.What, Value: m.Value, Limit: m.Limit, Unit: m.Unit,
		Passed: m.Passed(), Basis: table.Basis(m.Basis.String()), Remedy: m.Remedy}
	if m.Particle >= 0 && m.Value > 0 {
		f.Place = fmt.Sprintf("t=%.6g, particle %s", m.Time, r.c.IDs[m.Particle])
	}
	if !f.Passed && r.verdict.Remedy != "" {
		f.Remedy = r.verdict.Remedy
	}
	return f
}

// Section is the model's part of summary.json.
func (r *Run) Section() any {
	v, c := &r.verdict, &r.sum.Certificates
	r.sum.Solver = particleview.Solver{Solves: v.Solves, Inner: v.Inner, Factors: v.Factors, FellBack: v.FellBack, Residual: v.MaxResidual}
	*c = particleview.Certificates{Events: v.Events, StabilityGap: v.MaxGap, StepStabilityGap: v.MaxStepGap, StepAllowed: v.GapLimit(),
		UpperEstimate: v.MinUpper, LowerEstimate: v.MinLower, BalanceResidual: v.MaxBalance, ForceResidual: v.MaxForce,
		Lipschitz: v.MaxLipschitz, Convex: v.Convex, EnergyScale: v.EnergyScale, ForceScale: v.ForceScale, Tolerance: v.Tolerance}
	if v.Steps == 0 {
		c.UpperEstimate, c.LowerEstimate = 0, 0 // infinite: minima over nothing
	}
	if r.last != nil {
		c.Energy, c.Dissipation, c.Work, c.Plastic = r.last.Energy, r.last.Dissipation, r.last.Work, r.last.Plastic
	}
	return &r.sum
}

// Finish searches the nodes kept for better states, and leaves the last state of bodies.
func (r *Run) Finish(ctx context.Context, dir string, s *table.Summary) error {
	if r.last == nil {
		return nil
	}
	err := errors.Join(r.search(ctx, dir), r.assumeOnTheWay(ctx))
	if dir != "" {
		parts := r.parts
		if r.bounds.Ended != "" {
			parts = nil
		}
		err = errors.Join(err, particleview.WriteBodies(dir, r.c.Scene, r.c.Psi.System, r.last, parts))
	}
	return err
}

// Reader reads the files of a run for its pictures.
func (c *Case) Reader(dir string) report.Reader {
	return particleview.NewReader(run.Folder(&c.plan, dir), c.Psi, c.Scene, c.plan.Until)
}

// tolerance is that of the steps, if the case has none.
const tolerance = 1e-10

// Line is about the last node.
func (r *Run) Line() *run.Line {
	n := r.last
	c := incremental.Count(n.States)
	return &run.Line{T: n.T, Residual: n.Stats.Residual, Tolerance: cmp.Or(r.c.Options.Step.Tolerance, tolerance),
		States: run.States(c[incremental.Stick], c[incremental.Slip], c[incremental.Free]+c[incremental.Grazing]),
		Extra:  fmt.Sprintf("gap %.2g J of %.2g J", n.StepGap.Upper, n.GapLimit(tolerance)),
		Work:   fmt.Sprintf("%d solves, %d it.", n.Stats.Solves, n.Stats.Inner)}
}
