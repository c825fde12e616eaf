package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/table"
)

// multibodyAudit audits the files of the model rigid: each step without collisions is
// played again with the impulses of the files, which must lead to their next state.
type multibodyAudit struct {
	*audit
	m      *casefile.Multibody
	replay *rigid.Stepper

	q, v, force, energy, certificate *sheet
	contacts                         *contactRows
	clock                            *clocks
	impulses                         *impulseRows
	hits                             []table.Collision
	hit                              int     // of them, in steps before
	lost                             float64 // in these [J]

	start, path, motion, joints, law, cone, kinetic, ledger, sums, drift, depth, told, rows, forces, residual, impacts *check

	base     float64      // energy of the first row [J]
	before   rigid.Energy // ledger of the replay at the row before
	skipped  int          // steps with collisions or cuts
	implicit int          // steps with α = γ = 1
	reach    float64
	scale    float64 // of the energies met [J]
}

func newMultibodyAudit(a *audit, m *casefile.Multibody) (*multibodyAudit, error) {
	x := &multibodyAudit{audit: a, m: m}
	columns := multibodyColumns(m)
	a.files = table.NewFolder(a.dir, columns.Layout())
	for i := range m.IDs {
		x.reach = max(x.reach, m.World.Reach(i))
	}
	var err error
	x.replay, err = rigid.NewStepper(m.Model, m.Options)
	return x, err
}

// open opens the files and declares the checks.
func (x *multibodyAudit) open() error {
	for _, f := range []struct {
		dst  **sheet
		name string
	}{{&x.q, table.TrajectoryFile}, {&x.v, table.VelocitiesFile}, {&x.force, table.ForcesFile}, {&x.energy, table.EnergiesFile}, {&x.certificate, table.CertificatesFile}} {
		var err error
		if *f.dst, err = x.audit.open(f.name); err != nil {
			return err
		}
	}
	x.clock = x.clocks(x.q, x.v, x.force, x.energy, x.certificate)
	var err error
	if x.contacts, err = x.contactRows(x.m.IDs, x.m.Obstacles, x.clock.check); err != nil {
		return err
	}
	x.start = x.add("start", "the run starts where the case does", "m, rad")
	x.path = x.add("motion", "q' is q + h v^γ, projected onto joints and gaps", "m, rad")
	x.motion = x.add("momentum", "M̃(v' − v) = k̃ + Gᵀc + Hr with some joint forces c, as velocities", "m/s, rad/s")
	x.joints = x.add("joints", "G v^α = 0", "m/s, rad/s")
	x.drift = x.add("", "apart, from the positions", "m, rad")
	x.depth = x.add("geometry", "penetration, from the positions", "m")
	x.told = x.add("", "certificates.csv says the same of both, and Σ‖Δv‖", "m, rad, m/s")
	x.cone = x.add("forces", "impulses are in their cones", "-")
	x.law = x.add("", "0 <= r_n ⊥ u_n >= 0, friction dissipates most, stick is at rest", "-")
	x.residual = x.add("", "contact problems solved to their tolerance, says certificates.csv", "-")
	x.rows = x.add("", "contacts.csv has places, normals and forces of positions and impulses", "m, -, N")
	x.forces = x.add("", "forces.csv has the sums on each body", "N")
	x.impacts = x.add("impacts", "they approach, take energy, and certificates.csv has their sums", "m/s, J")
	x.kinetic = x.add("energy", "kinetic and potential energy are those of the state", "J")
	x.ledger = x.add("balance", "what friction, impacts and loads did in each step is that of its impulses", "J")
	x.sums = x.add("", "the rows of the ledger add up", "J")
	return x.openImpulses()
}

// openImpulses opens the files that say what happened at some times.
func (x *multibodyAudit) openImpulses() error {
	var err error
	if x.impulses, err = x.impulseRows(x.contacts, x.m.World.Dim()); err != nil {
		return err
	}
	g, err := x.files.Open(table.CollisionsFile)
	if err != nil {
		return err
	}
	x.closers = append(x.closers, g)
	r, err := table.NewCollisionReader(g, filepath.Join(x.dir, table.CollisionsFile))
	for err == nil {
		var c table.Collision
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
func (x *multibodyAudit) walk(ctx context.Context) error {
	if err := x.open(); err != nil {
		return err
	}
	err := x.clock.each(ctx, func() error {
		if err := x.contacts.read(x.q.t); err != nil {
			return err
		}
		list, err := x.readImpulses()
		if err != nil {
			return err
		}
		return x.row(ctx, list)
	})
	if err != nil {
		return err
	}
	x.contacts.ended()
	x.impulses.ended()
	if x.hit < len(x.hits) {
		x.clock.check.wrong(place{table.CollisionsFile, x.hit, x.hits[x.hit].T, "a time that the run does not have"})
	}
	x.notes = append(x.notes, "residual and iterations of the solver, and who sticks, in certificates.csv are taken as they are")
	if x.implicit > 0 {
		x.notes = append(x.notes, fmt.Sprintf("%d steps satisfy the equations with α = γ = 1, which the scheme takes in configurations of Painlevé; that these are such is not checked", x.implicit))
	}
	if x.skipped > 0 {
		x.notes = append(x.notes, fmt.Sprintf("%d steps have collisions or were cut, their parts are not in the files: momentum, forces and impulses of these are not checked; positions, joints and energies are", x.skipped))
	}
	return nil
}

// readImpulses reads those of the step that ends at the present row.
func (x *multibodyAudit) readImpulses() ([]rigid.Impulse, error) {
	var list []rigid.Impulse
	err := x.impulses.read(x.q.t, func(r *table.ImpulseRow, a, b int) {
		floor := -1
		if b < 0 {
			b, floor = -1, -1-b
		}
		list = append(list, rigid.Impulse{Key: bodies.TouchKey(a, b, floor, r.Feature), On: r.On})
	})
	return list, err
}

// row looks at the present row.
func (x *multibodyAudit) row(ctx context.Context, list []rigid.Impulse) error {
	for _, e := range x.energy.now[:7] {
		x.scale = max(x.scale, math.Abs(e))
	}
	hits := x.collisions()
	x.seeSums()
	if x.q.row == 0 {
		return x.first()
	}
	// Merits up to Options.Accept count as solved.
	x.residual.see(x.certificate.now[4], multibodyTolerance, x.certificate.at(4))
	cuts := x.certificate.now[8+len(pushSums)]
	if x.every > 1 || hits > 0 || cuts > 0 {
		if x.every == 1 {
			x.skipped++
		}
		return x.jump()
	}
	f, err := x.replay.Replay(ctx, x.m.H(), x.q.now, x.v.now, list)
	if err != nil {
		x.motion.wrong(place{x.q.file, x.q.row, x.q.t, err.Error()})
		return x.jump()
	}
	x.seeStep(f)
	x.seeContacts()
	x.seeLedger(f)
	x.seeVariation()
	x.seeState()
	return nil
}

// jump goes to the present row without the step to it.
func (x *multibodyAudit) jump() error {
	if err := x.replay.Jump(x.q.t, x.q.now, x.v.now); err != nil {
		return err
	}
	x.before = rigid.Energy{}
	x.seeState()
	x.seeTouches()
	return nil
}

// first looks at the start.
func (x *multibodyAudit) first() error {
	_, q, v, _ := x.replay.State()
	for i := range q {
		x.start.see(x.q.now[i]-q[i], 1e-12*(1+math.Abs(q[i])), x.q.at(i))
	}
	for i := range v {
		x.start.see(x.v.now[i]-v[i], 1e-12*(1+math.Abs(v[i])), x.v.at(i))
	}
	return x.jump()
}

// collisions counts those of the step to the present row and looks at them. How many
// there are certificates.csv says: one at the very time of a row may belong to the step
// before it or after. Times of steps are sums; those of collisions lie between.
func (x *multibodyAudit) collisions() (n int) {
	early := 1e-9 * x.until / float64(x.steps)
	for ; x.hit < len(x.hits) && float64(x.hit) < x.certificate.now[6]; x.hit++ {
		c, at := &x.hits[x.hit], place{table.CollisionsFile, x.hit, x.hits[x.hit].T, x.hits[x.hit].Contact}
		if c.T > x.q.t+early || x.q.row > 0 && c.T < x.q.t-float64(x.every)*x.m.H()-early {
			x.impacts.wrong(at)
		}
		x.impacts.see(min(c.Speed, 0), 1e-300, at)
		x.impacts.see(min(c.Impulse, 0), 1e-300, at)
		x.impacts.see(max(-c.Loss, 0), 1e-9*x.scale+1e-300, at) // as [rigid.Collision.Gain] has it, of all energy
		x.lost += c.Loss
		n++
	}
	if x.every == 1 || x.hit == 0 {
		x.impacts.see(x.certificate.now[6]-float64(x.hit), 0.5, x.certificate.at(6))
		x.impacts.see(x.certificate.now[7]-x.lost, 1e-12*(math.Abs(x.lost)+x.scale)+1e-300, x.certificate.at(7))
	}
	return n
}

// seeStep takes what the replay found.
func (x *multibodyAudit) seeStep(f *rigid.Finding) {
	// The projection ends at 1e-11 of joints and 1e-10 of gaps; after a collision it may
	// know other contacts than in the run.
	x.path.see(f.Path, 1e-9*(1+math.Abs(x.q.now[f.PathAt])), x.q.at(f.PathAt))
	// Impulses of a problem of tolerance 1e-8 satisfy the equations as those of an exact
	// one do: v follows from them. The joint forces are solved for, with the condition of
	// their matrix.
	x.motion.see(f.Motion, 1e-9*f.Speed+1e-300, x.v.at(f.MotionAt))
	if len(x.m.Model.Joints()) > 0 {
		x.joints.see(f.Joint, 1e-9*(f.Speed+1), x.place("joint "+x.jointName(f.JointAt)))
	}
	x.cone.see(f.Cone, multibodyTolerance, x.place(x.name(f.ConeAt)))
	// As in the model compliant: the residual of the run has one unit of r/u for all
	// contacts, here each has its own; they differ by the ratio of the masses. It is
	// relative to the largest impulse of the step.
	const units = 100
	x.law.see(f.Law, units*multibodyTolerance, x.place(x.name(f.LawAt)))
	if f.Implicit {
		x.implicit++
	}
	if f.IsStrange {
		x.law.wrong(x.place("impulse of " + x.name(f.Strange) + ", which is no contact near"))
	}
}

func (x *multibodyAudit) place(what string) place {
	return place{x.q.file, x.q.row, x.q.t, what}
}

// name is that of a touch, if it is one of the case.
func (x *multibodyAudit) name(key uint64) string {
	a, b, floor, _ := bodies.TouchOf(key)
	if a >= len(x.m.IDs) || b >= len(x.m.IDs) || floor >= len(x.m.Obstacles) {
		return "a contact"
	}
	return touchName(x.m, key)
}

func (x *multibodyAudit) jointName(i int) string {
	j := x.m.Model.Joints()[i]
	name := x.m.IDs[j.A]
	if j.B >= 0 {
		name += "/" + x.m.IDs[j.B]
	}
	return fmt.Sprintf("%d, of %s", i+1, name)
}

// seeState looks at what the positions and velocities say by themselves.
func (x *multibodyAudit) seeState() {
	drift, joint := x.replay.Drift()
	depth, touch := x.replay.Deepest()
	if x.m.Options.Unstabilised {
		// The scheme of the paper drifts; O(h) of the size of the bodies is its order.
		x.drift.see(drift, math.Inf(1), x.place("a joint"))
		x.depth.see(depth, math.Inf(1), x.place("a contact"))
	} else {
		if len(x.m.Model.Joints()) > 0 {
			x.drift.see(drift, 1e-9, x.place("joint "+x.jointName(joint))) // the projection goes to 1e-11
		}
		x.depth.see(depth, 1e-8, x.place(x.name(touch))) // … to 1e-10
	}
	x.told.see(x.certificate.now[0]-drift, 1e-12*(1+drift), x.certificate.at(0))
	x.told.see(x.certificate.now[1]-depth, 1e-12*(1+depth), x.certificate.at(1))
	e := x.replay.Energy()
	x.kinetic.see(x.energy.now[0]-e.Kinetic, 1e-12*e.Kinetic+1e-300, x.energy.at(0))
	x.kinetic.see(x.energy.now[1]-e.Potential, 1e-12*x.weights()+1e-300, x.energy.at(1))
}

// weights is the size of the terms of the potential energy.
func (x *multibodyAudit) weights() (size float64) {
	g := x.m.World.Gravity()
	for b := range x.m.IDs {
		mass, _ := x.m.World.Inertia(b)
		at, _ := x.m.World.Coordinates(b)
		for c := range x.m.World.Dim() {
			size += math.Abs(mass * g[c] * x.q.now[at+c])
		}
	}
	return size
}

// seeLedger compares what the step added to the ledger.
func (x *multibodyAudit) seeLedger(f *rigid.Finding) {
	e, b := &f.Energy, &x.before
	impact := func(e *rigid.Energy) float64 { return e.Impact + e.Normal + e.Joints + e.Scheme + e.Projection }
	for _, c := range []struct {
		column int
		change float64
	}{{4, e.Friction - b.Friction}, {5, impact(e) - impact(b)}, {6, e.Loads - b.Loads}} {
		// Sums over all steps keep 1e-16 of their size; impulses of 1e-9 of error do work
		// of that order.
		x.ledger.see(x.energy.now[c.column]-x.energy.last[c.column]-c.change, 1e-10*x.scale+1e-300, x.energy.at(c.column))
	}
	x.ledger.see(min(x.energy.now[4]-x.energy.last[4], 0), 1e-9*x.scale+1e-300, x.energy.at(4))
	*b = *e
}

// seeVariation looks at what the step added to Σ‖Δv‖.
func (x *multibodyAudit) seeVariation() {
	change := 0.0
	for i, v := range x.v.now {
		change += (v - x.v.last[i]) * (v - x.v.last[i])
	}
	sum := x.certificate.now[2]
	x.told.see(sum-x.certificate.last[2]-math.Sqrt(change), 1e-12*(1+sum), x.certificate.at(2))
}

// seeSums looks at the balance of the row.
func (x *multibodyAudit) seeSums() {
	e := x.energy.now
	start := e[0] + e[1] + e[2]
	if x.q.row == 0 {
		x.base = start
	}
	x.sums.see(start-x.base+e[3]+e[4]+e[5]-e[6]-e[7], 1e-10*(x.scale+x.weights())+1e-300, x.energy.at(7))
}
