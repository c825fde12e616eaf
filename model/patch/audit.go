package patch

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/model/facts"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// audit audits the files of the models compliant and theta: each step is played
// again with the forces of the files, which must lead to their next state.
type audit struct {
	world.Walk[certificate]
	c       *Case
	patches map[int]*namedContact // by key
	replay  *dynamics.Stepper
	rebuilt contactRows

	impulses *world.ImpulseRows // nil: all contacts have columns
	pairs    map[int][]float64  // λ of those without, by key

	start, path, motion, law, cone, ledger, kinetic, residual, rows, sums *run.Check

	starts int     // of the replay
	scale  float64 // of the energies met [J]
	slack  float64 // rounding of the energies summed [J]
	values []float64
}

// Audit certifies the files of a run.
func (c *Case) Audit(ctx context.Context, a *run.Audit) error {
	x := &audit{Walk: world.Walk[certificate]{Audit: a}, c: c, patches: map[int]*namedContact{}, rebuilt: newContactRows(c)}
	for i := range c.Contacts {
		p := &c.Contacts[i]
		for f := range p.Features {
			x.patches[p.Key+f] = p
		}
	}
	return x.walk(ctx)
}

// open opens the files and declares the checks.
func (x *audit) open() error {
	err := x.Open(x.c.IDs, x.c.Obstacles)
	if err != nil {
		return err
	}
	x.start = x.Check("start", "the run starts where the case does", "m, rad")
	x.path = x.Check("motion", "q' = q + h G(q) v^θ", "m, rad")
	x.motion = x.Check("momentum", "M(v' − v) = h f + h Wᵀλ, as velocities", "m/s, rad/s")
	x.cone = x.Check("forces", "λ is in the cone of its law", "-")
	x.law = x.Check("", "0 <= λ_n ⊥ gap >= 0, friction dissipates most, stick is at rest", "-")
	x.residual = x.Check("", "contact problems solved to their tolerance, says certificates.csv", "-")
	x.sums = x.Check("", "sums of the contacts, in certificates.csv", "-, N")
	if x.c.World.EveryPair() {
		if x.impulses, err = world.NewImpulseRows(x.Audit, x.Contacts, x.c.World.Dim()); err != nil {
			return err
		}
	}
	x.rows = x.Check("", "contacts.csv has places, normals and forces of positions and elements", "m, -, N")
	x.kinetic = x.Check("energy", "kinetic and potential energy are those of the state", "J")
	x.ledger = x.Check("balance", "the ledger is that of the motion", "J")
	return nil
}

// walk walks through the rows.
func (x *audit) walk(ctx context.Context) error {
	if err := x.open(); err != nil {
		return err
	}
	err := x.Each(ctx, func() error {
		if err := x.readImpulses(); err != nil {
			return err
		}
		return x.checkRow()
	})
	if err != nil {
		return err
	}
	if x.replay != nil { // there was a row
		x.accurate()
	}
	x.Taken("residual and rounds of the solver, and who sticks, in certificates.csv are taken as they are")
	if x.impulses != nil && x.Plan.Every == 1 {
		x.impulses.End()
	}
	return nil
}

// accurate judges by the energy that the scheme has made, where every step was replayed.
func (x *audit) accurate() {
	x.replay.NameParts(x.c.IDs)
	own := x.replay.Accurate(x.Plan.Accuracy)
	if x.Plan.Every == 1 && x.starts == 1 {
		x.Accurate(facts.Of(table.Accurate, own)...)
	} else {
		for i := range own {
			x.Stated(own[i].Name)
		}
	}
	facts.State(x.Audit, true)
}

// checkRow looks at the present row.
func (x *audit) checkRow() error {
	if x.Q.Row == 0 {
		return x.first()
	}
	x.residual.AtMost(x.Certificate.Now().Residual, tolerance, x.Certificate.In("residual"))
	if x.Plan.Every > 1 {
		x.checkCones()
		x.checkState()
		if x.impulses == nil {
			x.checkContacts(x.forcesAlone())
		}
		return nil
	}
	if x.H == 0 {
		x.path.Fail(run.At(x.Q.File, x.Q.Row, x.Q.T, "no step of the run leads here"))
		return x.restart()
	}
	if theta := x.Certificate.Now().Theta; theta != 0 && theta != x.c.Options.Theta {
		x.path.Fail(x.Certificate.In("theta"))
		return x.restart()
	}
	f, err := x.replay.Replay(x.H, x.Q.T, x.Certificate.Now().Theta, x.Q.Now, x.V.Now, x.lambda)
	if err != nil {
		x.path.Fail(run.At(x.Q.File, x.Q.Row, x.Q.T, err.Error()))
		return x.restart()
	}
	x.checkStep(f)
	x.checkContacts(x.replay.Last())
	x.checkLedger()
	return nil
}

// first looks at the start, and makes what plays the steps again. Velocities of
// boundary-value problems are a result of the run.
func (x *audit) first() error {
	for i, want := range x.c.Q0 {
		x.start.AtMost(x.Q.Now[i]-want, 1e-12*(1+math.Abs(want)), x.Q.At(i)) // quaternions are normalised
	}
	for i, want := range x.c.V0 {
		if x.c.Boundary == nil {
			x.start.AtMost(x.V.Now[i]-want, 1e-12*(1+math.Abs(want)), x.V.At(i))
		}
	}
	if x.c.Boundary != nil {
		x.Note("that the motion ends at the boundary values is in summary.json; here it is an initial-value problem")
	}
	if err := x.restart(); err != nil {
		return err
	}
	x.checkLedger()
	return nil
}

// restart begins anew from the present row.
func (x *audit) restart() error {
	x.starts++
	var err error
	x.replay, err = dynamics.NewStepper(x.c.World, x.Q.Now, x.V.Now, x.c.Options)
	return err
}

// readImpulses turns the impulses between bodies whose contact the case does not name
// into forces, in the frames of the start of the step.
func (x *audit) readImpulses() error {
	x.pairs = map[int][]float64{}
	if x.impulses == nil || x.Plan.Every > 1 { // the frames are those of the start of the step
		return nil
	}
	w := x.c.World
	return x.impulses.Read(x.Q.T, func(r *bodyview.ImpulseRow, a, b int) {
		if b <= a || x.Q.Row == 0 {
			x.Clock.Check.Fail(run.At(table.ImpulsesFile, x.impulses.Line, r.T, "impulse of bodies in another order, or at the start"))
			return
		}
		key, dim := w.PairKey(a, b), w.Dim()
		n := dim * w.PatchOf(key).Elements()
		if dim*r.Feature >= n {
			x.Clock.Check.Fail(run.At(table.ImpulsesFile, x.impulses.Line, r.T,
				fmt.Sprintf("element %d, the patch has %d", r.Feature, n/dim)))
			return
		}
		if x.pairs[key] == nil {
			x.pairs[key] = make([]float64, n)
		}
		frame := pairFrame(w, key, x.Q.Last)
		for d := range dim {
			for c := range 3 {
				x.pairs[key][dim*r.Feature+d] += frame[d][c] * r.On[c] / x.H
			}
		}
	})
}

// lambda returns the forces of a patch.
func (x *audit) lambda(key int) []float64 {
	dim := x.c.World.Dim()
	x.values = x.values[:0]
	c, ok := x.patches[key]
	if !ok {
		x.values = append(x.values, x.pairs[key]...)
		for len(x.values) < dim*x.c.World.PatchOf(key).Elements() {
			x.values = append(x.values, 0)
		}
		return x.values
	}
	for e := range c.Elements {
		at := dim * x.c.columns[element{key, e}]
		x.values = append(x.values, x.Force.Now[at:at+dim]...)
	}
	return x.values
}

// checkStep takes what the replay found.
func (x *audit) checkStep(f *dynamics.Finding) {
	// Rounding of one step: a few units of coordinates of metres and angles.
	x.path.AtMost(f.Path, 1e-13*(1+math.Abs(x.Q.Now[f.PathAt])), x.Q.At(f.PathAt))
	// Forces of impulses.csv are turned into frames and back, 1e-16 of them. An implicit
	// force is iterated to 1e-13 of the momentum; Newton's method takes its
	// linear model, the error of which is that of the last change.
	x.motion.AtMost(f.Motion, 1e-11*f.Speed[f.MotionAt]+1e-300, x.V.At(f.MotionAt))
	if f.ConeKey >= 0 {
		x.cone.AtMost(f.Cone, tolerance, x.elementAt(f.ConeKey, f.ConeElement))
	} else {
		x.cone.AtMost(0, tolerance, run.Place{})
	}
	// The residual of the run is relative to an island of bodies with its unit of λ/s;
	// here each patch has its own. The units of the patches of an island differ by the
	// ratio of their masses.
	const units = 100
	if f.LawKey >= 0 {
		x.law.AtMost(f.Law, units*tolerance, x.elementAt(f.LawKey, f.LawElement))
	} else {
		x.law.AtMost(0, 1, run.Place{})
	}
}

func (x *audit) elementAt(key, number int) run.Place {
	if c, ok := x.c.columns[element{key, number}]; ok {
		return x.Force.At(x.c.World.Dim() * c)
	}
	a, b := x.c.World.KeyOf(key)
	return run.At(x.Force.File, x.Force.Row, x.Force.T, x.c.IDs[a]+"/"+x.c.IDs[max(b, 0)]+" in "+table.ImpulsesFile)
}

// checkCones looks at the forces alone.
func (x *audit) checkCones() {
	dim := x.c.World.Dim()
	for e, column := range x.c.columns {
		law := x.c.World.PatchOf(e.Key).LawAt(x.Q.T - x.Certificate.Now().Theta*x.Plan.StepTo(x.Q.T))
		if x.patches[e.Key].Field != nil {
			_, most := x.frictionNear(e.Key)
			law = contact.Coulomb{Mu: most}
		}
		var f, p [3]float64
		copy(f[:], x.Force.Now[dim*column:dim*column+dim])
		law.Project(&p, nil, &f)
		off, size := 0.0, 0.0
		for c := range f {
			off, size = math.Hypot(off, f[c]-p[c]), math.Hypot(size, f[c])
		}
		x.cone.AtMost(off, tolerance*size+1e-300, x.Force.At(dim*column))
	}
}

// frictionNear returns the least and the most μ of the field of a patch where its contact may have
// been in the last step.
func (x *audit) frictionNear(key int) (least, most float64) {
	p, h, w := x.patches[key], x.Plan.StepTo(x.Q.T), x.c.World
	if p.Slip != nil {
		return p.Slip.Bounds()
	}
	_, at, _ := w.Meeting(key, x.Q.T, x.Q.Now)
	const samples = 8
	least = math.Inf(1)
	for k := range samples + 1 {
		for _, by := range world.Moves(w, p.Body, h, x.V.Now, x.V.Last) {
			mu := w.Coefficient(p.Field, p.Obstacle, x.Q.T-h*float64(k)/samples, at, by)
			least, most = min(least, mu), max(most, mu)
		}
	}
	return least, most
}

// statedFriction is μ of the patches of a step that cannot be played again, where it is that of
// their place: what the rows of contacts.csv state, within what there is near.
func (x *audit) statedFriction(state *dynamics.State) []float64 {
	mu, row := make([]float64, len(state.Keys)), 0
	for i, key := range state.Keys {
		normal := 0.0
		for at := state.Ptr[i]; at < state.Ptr[i+1]; at += x.c.World.Dim() {
			normal += max(state.Lambda[at], 0)
		}
		if !(normal > 0) {
			continue
		}
		if f := x.patches[key]; (f.Field != nil || f.Slip != nil) && row < len(x.Contacts.Rows) {
			least, most := x.frictionNear(key)
			mu[i] = max(least, min(most, x.Contacts.Rows[row].Bound/normal))
		}
		row++
	}
	return mu
}

// forcesAlone makes a step of the forces of the row, of which nothing else is known.
func (x *audit) forcesAlone() *dynamics.Step {
	state := &dynamics.State{Q: x.Q.Now, V: x.V.Now, Ptr: []int{0}}
	dim := x.c.World.Dim()
	for i := range x.c.Contacts {
		c := &x.c.Contacts[i]
		for f := range c.Features {
			state.Keys = append(state.Keys, c.Key+f)
			state.Lambda = append(state.Lambda, x.lambda(c.Key+f)...)
			state.Ptr = append(state.Ptr, len(state.Lambda))
		}
	}
	state.Slip = make([]float64, len(state.Lambda))
	return &dynamics.Step{H: x.Plan.StepTo(x.Q.T), State: state, Mu: x.statedFriction(state),
		Contacts: make([]dynamics.ContactState, len(state.Lambda)/dim)}
}

// checkContacts makes the rows of contacts.csv anew from the forces and compares.
func (x *audit) checkContacts(step *dynamics.Step) {
	want, sums := x.rebuilt.collect(step, x.Q.T, x.Q.Now)
	if len(want) != len(x.Contacts.Rows) {
		x.rows.Fail(x.Contacts.At(0, fmt.Sprintf("%d rows, there are forces of %d contacts that push", len(x.Contacts.Rows), len(want))))
		return
	}
	for k := range want {
		row := &x.Contacts.Rows[k]
		if row.A != want[k].A || row.B != want[k].B {
			x.rows.Fail(x.Contacts.At(k, fmt.Sprintf("want %s/%s", want[k].A, want[k].B)))
			continue
		}
		x.Contacts.Compare(x.rows, k, &want[k])
	}
	found := x.Certificate.Now().ContactSum
	if x.Plan.Every > 1 && x.c.worn() && math.Abs(found.Bound-sums.Bound) <= world.NineDigits*sums.Bound {
		sums.Bound = found.Bound // μ is that of the nine digits of the rows
	}
	x.Contacts.CompareSums(x.sums, found, sums, 1e-12*(1+sums.Normal+sums.Bound), 0, x.Certificate.Sheet)
}

// checkState looks at kinetic and potential energy.
func (x *audit) checkState() {
	s, err := dynamics.NewStepper(x.c.World, x.Q.Now, x.V.Now, x.c.Options)
	if err != nil {
		x.kinetic.Fail(x.Energy.In("kinetic"))
		return
	}
	e, row := s.Ledger(), x.Energy.Now()
	allowed := 1e-12*(math.Abs(e.Kinetic)+math.Abs(e.Potential)+x.weights()) + 1e-300
	x.kinetic.AtMost(row.Kinetic-e.Kinetic, allowed, x.Energy.In("kinetic"))
	x.kinetic.AtMost(row.Potential-e.Potential, allowed, x.Energy.In("potential"))
}

// weights is the size of the terms of the potential energy, which may cancel.
func (x *audit) weights() float64 { return x.Weights(x.c.World, [3]float64{}) }

// checkLedger compares the ledger with the one of the replay: what differs are the last
// digits of sums over all steps.
func (x *audit) checkLedger() {
	ledger := bodyview.Energies(x.replay.Ledger())
	want := table.ValuesOf(&ledger)
	for _, e := range want {
		x.scale = max(x.scale, math.Abs(e))
	}
	x.slack += 1e-14 * (x.scale + x.weights())
	for i, e := range want {
		if i < 2 { // kinetic, potential
			x.kinetic.AtMost(x.Energy.Sheet.Now[i]-e, 1e-12*(math.Abs(e)+x.weights())+1e-300, x.Energy.At(i))
		} else {
			// Forces of 1e-11 of error do work of that order.
			x.ledger.AtMost(x.Energy.Sheet.Now[i]-e, x.slack+1e-10*x.scale+1e-300, x.Energy.At(i))
		}
	}
}
