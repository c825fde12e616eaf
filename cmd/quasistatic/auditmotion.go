package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/table"
)

// motionAudit audits the files of the models compliant and theta: each step is played
// again with the forces of the files, which must lead to their next state.
type motionAudit struct {
	*audit
	m       *casefile.Motion
	names   []string
	column  map[element]int
	patches map[int]*casefile.NamedContact // by key
	replay  *dynamics.Stepper
	look    pushes

	q, v, force, energy, certificate *sheet
	contacts                         *contactRows
	impulses                         *impulseRows      // nil: all contacts have columns
	pairs                            map[int][]float64 // λ of those without, by key
	clock                            *clocks

	start, path, motion, law, cone, ledger, kinetic, residual, rows, sums *check

	scale  float64 // of the energies met [J]
	slack  float64 // rounding of the energies summed [J]
	values []float64
}

func newMotionAudit(a *audit, m *casefile.Motion) *motionAudit {
	x := &motionAudit{audit: a, m: m, patches: map[int]*casefile.NamedContact{}, look: newPushes(m)}
	x.names, _, x.column = elementColumns(m)
	for i := range m.Contacts {
		c := &m.Contacts[i]
		for f := range c.Features {
			x.patches[c.Key+f] = c
		}
	}
	columns := motionColumns(m)
	a.files = table.NewFolder(a.dir, columns.Layout())
	return x
}

// open opens the files and declares the checks.
func (x *motionAudit) open() error {
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
	x.path = x.add("motion", "q' = q + h G(q) v^θ", "m, rad")
	x.motion = x.add("momentum", "M(v' − v) = h f + h Wᵀλ, as velocities", "m/s, rad/s")
	x.cone = x.add("forces", "λ is in the cone of its law", "-")
	x.law = x.add("", "0 <= λ_n ⊥ gap >= 0, friction dissipates most, stick is at rest", "-")
	x.residual = x.add("", "contact problems solved to their tolerance, says certificates.csv", "-")
	x.sums = x.add("", "sums of the contacts, in certificates.csv", "-, N")
	if x.m.World.EveryPair() {
		if x.impulses, err = x.impulseRows(x.contacts, x.m.World.Dim()); err != nil {
			return err
		}
	}
	x.rows = x.add("", "contacts.csv has places, normals and forces of positions and elements", "m, -, N")
	x.kinetic = x.add("energy", "kinetic and potential energy are those of the state", "J")
	x.ledger = x.add("balance", "the ledger is that of the motion", "J")
	return nil
}

// walk walks through the rows.
func (x *motionAudit) walk(ctx context.Context) error {
	if err := x.open(); err != nil {
		return err
	}
	err := x.clock.each(ctx, func() error {
		if err := x.contacts.read(x.q.t); err != nil {
			return err
		}
		if err := x.readImpulses(); err != nil {
			return err
		}
		return x.row()
	})
	if err != nil {
		return err
	}
	x.contacts.ended()
	x.notes = append(x.notes, "residual and rounds of the solver, and who sticks, in certificates.csv are taken as they are")
	if x.impulses != nil && x.every == 1 {
		x.impulses.ended()
	}
	return nil
}

// row looks at the present row.
func (x *motionAudit) row() error {
	if x.q.row == 0 {
		return x.first()
	}
	x.residual.see(x.certificate.now[0], contactTolerance, x.certificate.at(0))
	if x.every > 1 {
		x.seeCones()
		x.seeState()
		if x.impulses == nil {
			x.seeContacts(x.forcesAlone())
		}
		return nil
	}
	f, err := x.replay.Replay(x.m.H(), x.q.now, x.v.now, x.lambda)
	if err != nil {
		x.path.wrong(place{x.q.file, x.q.row, x.q.t, err.Error()})
		return x.restart()
	}
	x.seeStep(f)
	x.seeContacts(x.replay.Last())
	x.seeLedger()
	return nil
}

// first looks at the start, and makes what plays the steps again. Velocities of
// boundary-value problems are a result of the run.
func (x *motionAudit) first() error {
	for i, want := range x.m.Q0 {
		x.start.see(x.q.now[i]-want, 1e-12*(1+math.Abs(want)), x.q.at(i)) // quaternions are normalised
	}
	for i, want := range x.m.V0 {
		if x.m.Boundary == nil {
			x.start.see(x.v.now[i]-want, 1e-12*(1+math.Abs(want)), x.v.at(i))
		}
	}
	if x.m.Boundary != nil {
		x.notes = append(x.notes, "that the motion ends at the boundary values is in summary.json; here it is an initial-value problem")
	}
	if err := x.restart(); err != nil {
		return err
	}
	x.seeLedger()
	return nil
}

// restart begins anew from the present row.
func (x *motionAudit) restart() error {
	var err error
	x.replay, err = dynamics.NewStepper(x.m.World, x.q.now, x.v.now, x.m.Options)
	return err
}

// readImpulses turns the impulses between bodies whose contact the case does not name
// into forces, in the frames of the start of the step.
func (x *motionAudit) readImpulses() error {
	x.pairs = map[int][]float64{}
	if x.impulses == nil || x.every > 1 { // the frames are those of the start of the step
		return nil
	}
	w := x.m.World
	return x.impulses.read(x.q.t, func(r *table.ImpulseRow, a, b int) {
		if b <= a || x.q.row == 0 {
			x.clock.check.wrong(place{table.ImpulsesFile, x.impulses.line, r.T, "impulse of bodies in another order, or at the start"})
			return
		}
		key, dim := w.PairKey(a, b), w.Dim()
		n := dim * w.PatchOf(key).Elements()
		if dim*r.Feature >= n {
			x.clock.check.wrong(place{table.ImpulsesFile, x.impulses.line, r.T, fmt.Sprintf("element %d, the patch has %d", r.Feature, n/dim)})
			return
		}
		if x.pairs[key] == nil {
			x.pairs[key] = make([]float64, n)
		}
		frame := pairFrame(w, key, x.q.last)
		for d := range dim {
			for c := range 3 {
				x.pairs[key][dim*r.Feature+d] += frame[d][c] * r.On[c] / x.m.H()
			}
		}
	})
}

// lambda returns the forces of a patch.
func (x *motionAudit) lambda(key int) []float64 {
	dim := x.m.World.Dim()
	x.values = x.values[:0]
	c, ok := x.patches[key]
	if !ok {
		x.values = append(x.values, x.pairs[key]...)
		for len(x.values) < dim*x.m.World.PatchOf(key).Elements() {
			x.values = append(x.values, 0)
		}
		return x.values
	}
	for e := range c.Elements {
		at := dim * x.column[element{key, e}]
		x.values = append(x.values, x.force.now[at:at+dim]...)
	}
	return x.values
}

// seeStep takes what the replay found.
func (x *motionAudit) seeStep(f *dynamics.Finding) {
	// Rounding of one step: a few units of coordinates of metres and angles.
	x.path.see(f.Path, 1e-13*(1+math.Abs(x.q.now[f.PathAt])), x.q.at(f.PathAt))
	// Forces of impulses.csv are turned into frames and back, 1e-16 of them. An implicit
	// force is iterated to 1e-13 of the momentum; Newton's method takes its
	// linear model, the error of which is that of the last change.
	x.motion.see(f.Motion, 1e-11*f.Speed[f.MotionAt]+1e-300, x.v.at(f.MotionAt))
	if f.ConeKey >= 0 {
		x.cone.see(f.Cone, contactTolerance, x.elementAt(f.ConeKey, f.ConeElement))
	} else {
		x.cone.see(0, contactTolerance, place{})
	}
	// The residual of the run is relative to an island of bodies with its unit of λ/s;
	// here each patch has its own. The units of the patches of an island differ by the
	// ratio of their masses.
	const units = 100
	if f.LawKey >= 0 {
		x.law.see(f.Law, units*contactTolerance, x.elementAt(f.LawKey, f.LawElement))
	} else {
		x.law.see(0, 1, place{})
	}
}

func (x *motionAudit) elementAt(key, number int) place {
	if c, ok := x.column[element{key, number}]; ok {
		return x.force.at(x.m.World.Dim() * c)
	}
	a, b := x.m.World.KeyOf(key)
	return place{x.force.file, x.force.row, x.force.t, x.m.IDs[a] + "/" + x.m.IDs[max(b, 0)] + " in " + table.ImpulsesFile}
}

// seeCones looks at the forces alone.
func (x *motionAudit) seeCones() {
	dim := x.m.World.Dim()
	for e, column := range x.column {
		law := x.m.World.PatchOf(e.Key).Law()
		var f, p [3]float64
		copy(f[:], x.force.now[dim*column:dim*column+dim])
		law.Project(&p, nil, &f)
		off, size := 0.0, 0.0
		for c := range f {
			off, size = math.Hypot(off, f[c]-p[c]), math.Hypot(size, f[c])
		}
		x.cone.see(off, contactTolerance*size+1e-300, x.force.at(dim*column))
	}
}

// forcesAlone makes a step of the forces of the row, of which nothing else is known.
func (x *motionAudit) forcesAlone() *dynamics.Step {
	state := &dynamics.State{Q: x.q.now, V: x.v.now, Ptr: []int{0}}
	dim := x.m.World.Dim()
	for i := range x.m.Contacts {
		c := &x.m.Contacts[i]
		for f := range c.Features {
			state.Keys = append(state.Keys, c.Key+f)
			state.Lambda = append(state.Lambda, x.lambda(c.Key+f)...)
			state.Ptr = append(state.Ptr, len(state.Lambda))
		}
	}
	state.Slip = make([]float64, len(state.Lambda))
	state.Slip = make([]float64, len(state.Lambda))
	for _, key := range slices.Sorted(maps.Keys(x.pairs)) {
		state.Keys = append(state.Keys, key)
		state.Lambda = append(state.Lambda, x.lambda(key)...)
		state.Ptr = append(state.Ptr, len(state.Lambda))
	}
	return &dynamics.Step{State: state, Contacts: make([]dynamics.ContactState, len(state.Lambda)/dim)}
}

// seeContacts makes the rows of contacts.csv anew from the forces and compares.
func (x *motionAudit) seeContacts(step *dynamics.Step) {
	want, sums := x.look.collect(step, x.q.now)
	if len(want) != len(x.contacts.rows) {
		x.rows.wrong(x.contacts.at(0, fmt.Sprintf("%d rows, there are forces of %d contacts that push", len(x.contacts.rows), len(want))))
		return
	}
	for k := range want {
		row := &x.contacts.rows[k]
		if row.A != want[k].A || row.B != want[k].B {
			x.rows.wrong(x.contacts.at(k, fmt.Sprintf("want %s/%s", want[k].A, want[k].B)))
			continue
		}
		x.contacts.alike(x.rows, k, &want[k])
	}
	for i := 2; i < len(sums); i++ { // who sticks is a matter of 1e-7 of the speeds
		x.sums.see(x.certificate.now[2+i]-sums[i], 1e-12*(1+math.Abs(sums[i])), x.certificate.at(2+i))
	}
}

// seeState looks at kinetic and potential energy.
func (x *motionAudit) seeState() {
	e := x.energyOf()
	size := math.Abs(e[0]) + math.Abs(e[1])
	for i := range e {
		x.kinetic.see(x.energy.now[i]-e[i], 1e-12*x.potentialScale(size)+1e-300, x.energy.at(i))
	}
}

// energyOf returns kinetic and potential energy of the present row.
func (x *motionAudit) energyOf() [2]float64 {
	s, err := dynamics.NewStepper(x.m.World, x.q.now, x.v.now, x.m.Options)
	if err != nil {
		return [2]float64{math.NaN(), math.NaN()}
	}
	l := s.Ledger()
	return [2]float64{l.Kinetic, l.Potential}
}

// potentialScale is the size of the terms of the potential energy, which may cancel.
func (x *motionAudit) potentialScale(size float64) float64 {
	g := x.m.World.Gravity()
	for b := range x.m.World.Bodies() {
		mass, _ := x.m.World.Inertia(b)
		at, _ := x.m.World.Coordinates(b)
		for c := range x.m.World.Dim() {
			size += math.Abs(mass * g[c] * x.q.now[at+c])
		}
	}
	return size
}

// seeLedger compares the ledger with the one of the replay: what differs are the last
// digits of sums over all steps.
func (x *motionAudit) seeLedger() {
	l := x.replay.Ledger()
	want := []float64{l.Kinetic, l.Potential, l.Stored, l.Viscous, l.Friction, l.Impact, l.Loads, l.Residual}
	for _, e := range want {
		x.scale = max(x.scale, math.Abs(e))
	}
	x.slack += 1e-14 * x.potentialScale(x.scale)
	for i, e := range want {
		if i < 2 {
			x.kinetic.see(x.energy.now[i]-e, 1e-12*x.potentialScale(math.Abs(e))+1e-300, x.energy.at(i))
		} else {
			// Forces of 1e-11 of error do work of that order.
			x.ledger.see(x.energy.now[i]-e, x.slack+1e-10*x.scale+1e-300, x.energy.at(i))
		}
	}
}
