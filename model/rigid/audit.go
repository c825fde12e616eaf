package rigid

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/model/facts"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// audit audits the files of the model rigid: each step without collisions is
// played again with the impulses of the files, which must lead to their next state.
type audit struct {
	world.Walk[certificate]
	c      *Case
	replay *rigid.Replay

	impulses *world.ImpulseRows
	hits     []bodyview.Collision
	hit      int     // of them, in steps before
	lost     float64 // in these [J]

	start, path, motion, joints, law, unique, ages, cone, kinetic, ledger, sums, drift, depth, stated, rows, forces,
	residual, impacts *run.Check

	base     float64           // energy of the first row [J]
	before   rigid.Energy      // ledger of the replay at the row before
	skipped  int               // steps with collisions or cuts
	implicit int               // steps with α = γ = 1
	jumped   bool              // steps were not replayed: islands are not told apart
	made     dynamics.Creation // of all bodies together, from the rows …
	most     float64           // … the largest, beyond what collisions took [J]
	reach    float64           // of the largest body …
	least    float64           // … and of the smallest [m]
	far      float64           // how far the inner origin is …
	rounding float64           // … to which places in the files are rounded: what gaps and joints are off by for that [m]
	scale    float64           // of the energies met [J]
	strain   [2]float64        // what the rounding of places leaves of those of springs, at the row and the one before [J]
}

// Audit certifies the files of a run.
func (c *Case) Audit(ctx context.Context, a *run.Audit) error {
	x := &audit{Walk: world.Walk[certificate]{Audit: a}, c: c, far: vec3.Norm(c.Origin)}
	x.least = c.Model.Unit()
	for i := range c.IDs {
		x.reach = max(x.reach, c.World.Reach(i))
		if r := c.World.Reach(i); r > 0 {
			x.least = min(x.least, r)
		}
		origin := c.World.OnAxes(i, [3]float64{}) // places in the files are those of the shape, not of the centre of mass
		x.far = max(x.far, vec3.Norm(c.Origin)+vec3.Norm(origin))
	}
	s, err := c.stepper(ctx)
	if err != nil {
		return err
	}
	x.replay = rigid.NewReplay(s)
	x.rounding = roundings * 0x1p-53 * x.far
	x.replay.Blur(x.rounding)
	return x.walk(ctx)
}

// roundings: a gap and a joint see three coordinates of two bodies, each half a unit of the last
// place off; twice that.
const roundings = 12

// open opens the files and declares the checks.
func (x *audit) open() error {
	if err := x.Open(x.c.IDs, x.c.seconds()); err != nil {
		return err
	}
	x.start = x.Check("start", "the run starts where the case does", "m, rad")
	x.path = x.Check("motion", "q' is q + h v^γ, projected onto joints and gaps", "m, rad")
	x.motion = x.Check("momentum", "M̃(v' − v) = k̃ + Gᵀc + Hr with some joint forces c, as velocities", "m/s, rad/s")
	x.joints = x.Check("joints", "G v^α = 0", "m/s, rad/s")
	x.drift = x.Check("", "apart, from the positions", "m, rad")
	x.depth = x.Check("geometry", "penetration, from the positions", "m")
	x.stated = x.Check("", "certificates.csv says the same of both, and Σ‖Δv‖", "m, rad, m/s")
	x.cone = x.Check("forces", "impulses are in their cones", "-")
	x.law = x.Check("", "0 <= r_n ⊥ u_n >= 0, friction dissipates most, stick is at rest", "-")
	if x.c.Model.Slips() {
		x.unique = x.Check("", "friction that falls with speed leaves the step one solution: h N |dμ/dv| W_TT", "-")
	}
	if x.c.Model.Ages() {
		x.ages = x.Check("", "states of friction follow their law, relative", "-")
	}
	x.residual = x.Check("", "contact problems solved to their tolerance, says certificates.csv", "-")
	x.rows = x.Check("", "contacts.csv has places, normals and forces of positions and impulses", "m, -, N")
	x.forces = x.Check("", "forces.csv has the sums on each body", "N")
	x.impacts = x.Check("impacts", "they approach, take energy, and certificates.csv has their sums", "m/s, J")
	x.kinetic = x.Check("energy", "kinetic and potential energy are those of the state", "J")
	x.ledger = x.Check("balance", "what friction, impacts and loads did in each step is that of its impulses", "J")
	x.sums = x.Check("", "the rows of the ledger add up", "J")
	return x.openImpulses()
}

// ageDigits are those of a state that follows from velocities of files: these are rounded to 1e-16 of
// the largest, and the slip of a contact may be a ten-thousand-millionth of it.
const ageDigits = 1e-6

// openImpulses opens the files that say what happened at some times.
func (x *audit) openImpulses() error {
	var err error
	if x.impulses, err = world.NewImpulseRows(x.Audit, x.Contacts, x.c.World.Dim()); err != nil {
		return err
	}
	r, err := bodyview.OpenCollisions(x.Files)
	if err != nil {
		return err
	}
	x.Close(r)
	for err == nil {
		var c bodyview.Collision
		if c, err = r.Next(); err == nil {
			x.hits = append(x.hits, c)
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// walk walks through the rows.
func (x *audit) walk(ctx context.Context) error {
	if err := x.open(); err != nil {
		return err
	}
	err := x.Each(ctx, func() error {
		x.c.World.Shift(x.Q.Now, -1, x.c.Origin)
		x.c.World.Inner(x.Q.Now, x.V.Now)
		list, err := x.readImpulses()
		if err != nil {
			return err
		}
		return x.checkRow(ctx, list)
	})
	if err != nil {
		return err
	}
	x.impulses.End()
	x.accurate()
	if x.hit < len(x.hits) {
		x.Clock.Check.Fail(run.At(table.CollisionsFile, x.hit, x.hits[x.hit].T, "a time that the run does not have"))
	}
	x.Taken("residual and iterations of the solver, and who sticks, in certificates.csv are taken as they are")
	if x.implicit > 0 {
		x.Note("%d steps say that they were taken with α = 1, which the scheme takes in configurations of Painlevé and where sliding ends; that these are such is not checked",
			x.implicit)
	}
	if x.skipped > 0 {
		x.Note("%d steps have collisions or were cut; their parts are not in the files: momentum, forces and impulses of these are not checked; positions, joints and energies are",
			x.skipped)
	}
	return nil
}

// readImpulses reads those of the step that ends at the present row.
func (x *audit) readImpulses() ([]rigid.Impulse, error) {
	var list []rigid.Impulse
	err := x.impulses.Read(x.Q.T, func(r *bodyview.ImpulseRow, a, b int) {
		floor := -1
		if b < 0 {
			b, floor = -1, -1-b
		}
		list = append(list, rigid.Impulse{Key: bodies.TouchKey(a, b, floor, r.Feature), On: r.On, Moment: r.Moment, State: r.Theta})
	})
	return list, err
}

// checkRow looks at the present row.
func (x *audit) checkRow(ctx context.Context, list []rigid.Impulse) error {
	e, c := x.Energy.Now(), x.Certificate.Now()
	x.scale = max(x.scale, math.Abs(e.Kinetic), math.Abs(e.Potential), math.Abs(e.Stored), math.Abs(e.Viscous),
		math.Abs(e.Friction), math.Abs(e.Impact), math.Abs(e.Loads))
	hits := x.collisions()
	defer x.gain() // what the step may have made by rounding is known at its end
	x.checkSums()
	if x.Q.Row == 0 {
		return x.first()
	}
	// Merits up to Options.Accept count as solved, and larger ones where bodies tumble.
	merit, _ := x.replay.Limits()
	x.residual.AtMost(c.Residual, merit, x.Certificate.In("residual"))
	x.replay.Solved(c.Residual, x.Plan.Every)
	if x.H == 0 && x.Plan.Every == 1 {
		x.path.Fail(run.At(x.Q.File, x.Q.Row, x.Q.T, "no step of the run leads here"))
		return x.jump()
	}
	if x.Plan.Every > 1 || hits > 0 || c.Cuts > 0 {
		if x.Plan.Every == 1 {
			x.skipped++
		}
		return x.jump()
	}
	mode := rigid.Mode(c.Mode)
	if float64(mode) != c.Mode || !mode.Valid() {
		x.motion.Fail(x.Certificate.In("mode"))
		return x.jump()
	}
	if mode&rigid.ModeImplicit != 0 {
		x.implicit++
	}
	f, err := x.replay.Replay(ctx, x.H, x.Q.T, mode, x.Q.Now, x.V.Now, list)
	if err != nil {
		x.motion.Fail(run.At(x.Q.File, x.Q.Row, x.Q.T, err.Error()))
		return x.jump()
	}
	x.checkStep(f)
	x.checkContacts(f)
	x.checkState()
	x.checkLedger(f)
	x.checkVariation()
	return nil
}

// accurate judges by the energy that the scheme has made; where every step was replayed,
// island by island, as the run does.
func (x *audit) accurate() {
	own := x.replay.Accurate(x.Plan.Accuracy)
	blurred := (x.jumped || x.rounding > 0) && x.replay.Blurred(x.Plan.Accuracy)
	for i := range own {
		m := &own[i]
		if m.Basis == dynamics.NotSaid || !x.jumped && !blurred {
			continue
		}
		x.Stated(m.Name)
		m.Name, m.Limit = m.Name+", without the steps of collisions", 2*m.Limit // these may take or give as much
	}
	switch {
	case blurred:
		own = slices.DeleteFunc(own, func(m dynamics.Measure) bool { return m.Basis != dynamics.NotSaid })
		x.Accurate(facts.Of(table.Accurate, own)...)
	case x.jumped:
		x.Accurate(append(facts.Of(table.Accurate, own), x.together())...)
	default:
		x.Accurate(facts.Of(table.Accurate, own)...)
	}
	facts.State(x.Audit, true)
}

// gain follows what the energies of all bodies together have gained beyond the work of loads
// and springs, and what friction took; but for the rounding of each of these to a number of the
// file, and of their sum, and for what rounding and residuals may have made in the steps themselves.
func (x *audit) gain() {
	e := x.Energy.Now()
	if x.Q.Row == 0 {
		x.made = dynamics.Creation{}
		return
	}
	old := x.Energy.Last()
	made := e.Kinetic + e.Potential + e.Stored - old.Kinetic - old.Potential - old.Stored +
		max(0, e.Friction-old.Friction) + (e.Viscous - old.Viscous) - (e.Loads - old.Loads)
	x.made.Add(x.Q.T, made, 0)
	for _, term := range [...]float64{e.Kinetic, e.Potential, old.Kinetic, old.Potential, e.Friction, old.Friction,
		e.Loads, old.Loads, e.Stored, old.Stored, e.Viscous, old.Viscous} {
		x.made.Rounding += 0x1p-52 * math.Abs(term)
	}
	steps := x.replay.Creation()
	x.most = max(x.most, x.made.Sum-x.made.Rounding-steps.Rounding)
}

// together judges it: collisions, and contacts that close within a step, take energy of which
// the files do not tell how much, so that only what was made counts. All islands together
// may make twice what each of them may: they move at different times. What friction and dampers took
// has moved, in any frame, also in steps that were not replayed.
func (x *audit) together() table.Fact {
	f := table.AtMost(table.Accurate, "energy made, of all bodies together, at least", 0, 2*x.Plan.Accuracy, "", table.Computed)
	replayed, last := x.replay.Creation(), x.Energy.Now()
	if scale := max(replayed.Scale(), last.Friction+last.Viscous) + 1e-9*x.scale; x.most > 0 {
		f.Value = min(x.most/scale, math.MaxFloat64)
	}
	f.Passed = f.Value <= f.Limit
	f.Place = fmt.Sprintf("%.3g J", x.most)
	return f
}

// jump goes to the present row without the step to it.
func (x *audit) jump() error {
	if x.Q.Row > 0 {
		x.jumped = true
		x.replay.TieTouching()
	}
	if err := x.replay.Jump(x.Q.T, x.Q.Now, x.V.Now); err != nil {
		return err
	}
	if x.Q.Row > 0 {
		x.replay.TieTouching()
	}
	x.before = rigid.Energy{}
	x.checkState()
	x.checkTouches()
	return nil
}

// first looks at the start.
func (x *audit) first() error {
	_, q, v, _ := x.replay.State()
	for i := range q {
		x.start.AtMost(x.Q.Now[i]-q[i], 1e-12*(1+x.far+math.Abs(q[i])), x.Q.At(i))
	}
	for i := range v {
		x.start.AtMost(x.V.Now[i]-v[i], 1e-12*(1+math.Abs(v[i])), x.V.At(i))
	}
	return x.jump()
}

// collisions counts those of the step to the present row and looks at them. How many
// there are certificates.csv says: one at the very time of a row may belong to the step
// before it or after. Times of steps are sums; those of collisions lie between.
func (x *audit) collisions() (n int) {
	early, stated := 1e-9*x.Plan.Step(), x.Certificate.Now()
	for ; x.hit < len(x.hits) && float64(x.hit) < stated.Collisions; x.hit++ {
		c, at := &x.hits[x.hit], run.At(table.CollisionsFile, x.hit, x.hits[x.hit].T, x.hits[x.hit].Contact)
		if c.T > x.Q.T+early || x.Q.Row > 0 && c.T < x.Before-early {
			x.impacts.Fail(at)
		}
		x.impacts.AtMost(min(c.Speed, 0), 1e-300, at)
		x.impacts.AtMost(min(c.Impulse, 0), 1e-300, at)
		x.impacts.AtMost(max(-c.Loss, 0), 1e-9*x.scale+1e-300, at) // as [rigid.Collision.Gain] has it, of all energy
		x.lost += c.Loss
		x.tie(c, at)
		n++
	}
	if x.Plan.Every == 1 || x.hit == 0 {
		x.impacts.AtMost(stated.Collisions-float64(x.hit), 0.5, x.Certificate.In("collisions"))
		x.impacts.AtMost(stated.Loss-x.lost, 1e-12*(math.Abs(x.lost)+x.scale)+1e-300, x.Certificate.In("loss"))
	}
	return n
}

// tie makes one island of the bodies of a collision, as the run does.
func (x *audit) tie(c *bodyview.Collision, at run.Place) {
	first, second, _ := strings.Cut(c.Contact, "/")
	a, b := slices.Index(x.c.IDs, first), slices.Index(x.c.IDs, second)
	if a < 0 || b < 0 && !slices.Contains(x.c.seconds(), second) {
		x.impacts.Fail(at)
		return
	}
	if c.Impulse > 0 {
		x.replay.Tie(a, b)
	}
}

// checkStep takes what the replay found.
func (x *audit) checkStep(f *rigid.Finding) {
	// The projection ends at 1e-11 of joints and 1e-10 of gaps; after a collision it may
	// know other contacts than in the run.
	x.path.AtMost(f.Path, 1e-9*(1+x.far+math.Abs(x.Q.Now[f.PathAt])), x.Q.At(f.PathAt))
	// Impulses of a problem of tolerance 1e-8 satisfy the equations as those of an exact
	// one do: v follows from them. The joint forces are solved for, with the condition of
	// their matrix.
	x.motion.AtMost(f.Motion, (1e-9+x.blur())*f.Speed+1e-300, x.V.At(f.MotionAt))
	if len(x.c.Model.Joints()) > 0 {
		x.joints.AtMost(f.Joint, (1e-9+x.blur())*(f.Speed+1)+x.rounding/x.H, x.place("joint "+x.jointName(f.JointAt)))
	}
	x.cone.AtMost(f.Cone, tolerance+x.blur(), x.place(x.name(f.ConeAt)))
	// As in the model compliant: the residual of the run has one unit of r/u for all
	// contacts, here each has its own; they differ by the ratio of the masses. It is
	// relative to the largest impulse of the step.
	const units = 100
	if stated := x.Certificate.Now().Residual; stated > tolerance { // bodies tumble
		_, share := x.replay.Limits()
		x.law.AtMost(f.Few, units*tolerance+x.blur(), x.place(x.name(f.FewAt)))
		x.law.AtMost(f.Off, share+x.blur(), x.place(x.name(f.OffAt)))
	} else {
		x.law.AtMost(f.Law, units*tolerance+x.blur(), x.place(x.name(f.LawAt)))
	}
	if x.unique != nil {
		x.unique.AtMost(f.Weakening, 1, x.place("contacts"))
	}
	if x.ages != nil {
		x.ages.AtMost(f.State, ageDigits, x.place(x.name(f.StateAt)))
	}
	if f.IsStrange {
		x.law.Fail(x.place("impulse of " + x.name(f.Strange) + ", which is no contact near"))
	}
}

// blur is what the rounding of places does to levers, and so to the velocities that impulses
// leave, of their size: a share of the smallest body, once more for turns.
func (x *audit) blur() float64 { return x.rounding / x.least * max(1, 1/x.least) }

func (x *audit) place(what string) run.Place {
	return run.At(x.Q.File, x.Q.Row, x.Q.T, what)
}

// name is that of a touch, if it is one of the case.
func (x *audit) name(key uint64) string {
	a, b, floor, _ := bodies.TouchOf(key)
	if a >= len(x.c.IDs) || b >= len(x.c.IDs) || floor >= len(x.c.seconds()) {
		return "a contact"
	}
	return x.c.touchName(key)
}

func (x *audit) jointName(i int) string {
	j := x.c.Model.Joints()[i]
	name := x.c.IDs[j.A]
	if j.B >= 0 {
		name += "/" + x.c.IDs[j.B]
	}
	return fmt.Sprintf("%d, of %s", i+1, name)
}

// checkState looks at what the positions and velocities say by themselves.
func (x *audit) checkState() {
	drift, joint := x.replay.Drift()
	depth, touch := x.replay.Deepest()
	if x.c.Options.Unstabilised {
		// The scheme of the paper drifts; O(h) of the size of the bodies is its order.
		x.drift.AtMost(drift, math.Inf(1), x.place("a joint"))
		x.depth.AtMost(depth, math.Inf(1), x.place("a contact"))
	} else {
		if len(x.c.Model.Joints()) > 0 {
			x.drift.AtMost(drift, 1e-9*x.c.Model.Unit()+x.rounding, x.place("joint "+x.jointName(joint))) // the projection goes to 1e-11
		}
		x.depth.AtMost(depth, 1e-8*x.c.Model.Unit()+x.rounding, x.place(x.name(touch))) // … to 1e-10
	}
	c, row := x.Certificate.Now(), x.Energy.Now()
	x.stated.AtMost(c.Drift-drift, 1e-12*(1+drift)+x.rounding, x.Certificate.In("drift"))
	x.stated.AtMost(c.Penetration-depth, 1e-12*(1+depth)+x.rounding, x.Certificate.In("penetration"))
	e := x.replay.Energy()
	x.strain = [2]float64{x.replay.StoredRounding(), x.strain[0]}
	x.kinetic.AtMost(row.Kinetic-e.Kinetic, 1e-12*e.Kinetic+1e-300, x.Energy.In("kinetic"))
	x.kinetic.AtMost(row.Stored-e.Elastic, 1e-12*x.scale+x.strain[0]+1e-300, x.Energy.In("stored"))
	x.kinetic.AtMost(row.Potential-e.Potential-x.c.height, 1e-12*x.weights()+1e-300, x.Energy.In("potential"))
}

// weights is the size of the terms of the potential energy, which may cancel.
func (x *audit) weights() float64 { return x.Weights(x.c.World, x.c.Origin) }

// checkLedger compares what the step added to the ledger.
func (x *audit) checkLedger(f *rigid.Finding) {
	e, b := &f.Energy, &x.before
	row, last, strain := x.Energy.Now(), x.Energy.Last(), x.strain[0]+x.strain[1]
	for _, c := range []struct {
		column              string
		found, want, strain float64
	}{{"friction", row.Friction - last.Friction, e.Friction - b.Friction, 0},
		{"impact", row.Impact - last.Impact, e.Impacts() - b.Impacts(), 0},
		{"loads", row.Loads - last.Loads, e.External() - b.External(), 0},
		{"viscous", row.Viscous - last.Viscous, e.Viscous() - b.Viscous(), strain},
		{"residual", row.Residual - last.Residual, b.Numerical() - e.Numerical(), strain}} { // dampers take what springs have lost, at most
		// Sums over all steps keep 1e-16 of their size; impulses of 1e-9 of error do work of that
		// order, and so does what holds against the forces of a step. Projections, whose work is in
		// the residual, end 1e-11 of a length before joints are closed.
		x.ledger.AtMost(c.found-c.want, 1e-10*x.scale+1e-11*x.lift()+1e-12*f.Kick+f.Rounding+c.strain+1e-300, x.Energy.In(c.column))
	}
	// A body that friction holds moves by what the contact problems leave: impulses of the size of its
	// weight and of loads do the work of that share of the velocity that these would give it in a step.
	solved, _ := x.replay.Limits()
	x.ledger.AtMost(min(row.Friction-last.Friction, 0), 1e-9*x.scale+solved*f.Kick+f.Rounding+1e-300, x.Energy.In("friction"))
	*b = *e
}

// lift is what raises all bodies by the unit of length of the model [J].
func (x *audit) lift() (energy float64) {
	for b := range x.c.IDs {
		mass, _ := x.c.World.Inertia(b)
		energy += mass * vec3.Norm(x.c.World.Gravity()) * x.c.Model.Unit()
	}
	return energy
}

// checkVariation looks at what the step added to Σ‖Δv‖.
func (x *audit) checkVariation() {
	change := 0.0
	for i, v := range x.V.Now {
		change += (v - x.V.Last[i]) * (v - x.V.Last[i])
	}
	sum := x.Certificate.Now().Variation
	x.stated.AtMost(sum-x.Certificate.Last().Variation-math.Sqrt(change), 1e-12*(1+sum), x.Certificate.In("variation"))
}

// checkSums looks at the balance of the row.
func (x *audit) checkSums() {
	e := x.Energy.Now()
	stored := e.Kinetic + e.Potential + e.Stored
	if x.Q.Row == 0 {
		x.base = stored
	}
	x.sums.AtMost(stored-x.base+e.Viscous+e.Friction+e.Impact-e.Loads-e.Residual, 1e-10*(x.scale+x.weights())+1e-300,
		x.Energy.In("residual"))
}
