package elastic

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/model/facts"
	"github.com/quasistatic/quasistatic/model/refinement"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// audit audits the files of the model elastodynamic: the contact conditions and
// works at every row, the equations of the body where the files have all nodes.
type audit struct {
	*run.Audit
	c    *Case
	body *elastic.Audit

	u, force    *run.Sheet // a row a time
	energy      run.Rows[energies]
	certificate run.Rows[certificate]
	all, speed  *run.Sheet // now and then
	clock       *run.Clocks
	more        bool // there is a shot ahead

	gap, tension, complement, cone, work, sums, stated *run.Check // of every row
	same, normal, slip, rest, support, start, path     *run.Check // of shots …
	driven                                             *run.Check // … too
	motion, energies, identity, ages                   *run.Check // of pairs of shots

	last, now   *elastic.State // shots
	lastRow     int
	base        float64 // energy of the first row [J]
	scale       float64 // of energies [J]
	force0      float64 // largest reaction so far [N]
	length      float64 // largest displacement so far [m]
	penetration float64
	before      float64 // time of the row before
	shots, pair int
	strains     solid.Strains     // of the shots
	met         meetings          // of the rows
	forces      int               // columns of forces, before those of states
	stretches   []float64         // of a run that chose its steps
	made        dynamics.Creation // by contact and scheme, from the rows
	stored      float64           // elastic energy at the start [J]

	rounding float64 // of forces where nodes have moved by 1 m [N/m]
}

// Audit certifies the files of a run.
func (c *Case) Audit(ctx context.Context, a *run.Audit) error {
	x := &audit{Audit: a, c: c, lastRow: -2, stretches: c.plan.Stretches()}
	return x.walk(ctx)
}

// identityTolerance is what the energy identity (51) may lack in a step, relative to the
// energies met: the tolerance of a step times the work of its forces, with room for stiff
// bodies.
const identityTolerance = 1e-9

// open opens the files and declares the checks.
func (x *audit) open() error {
	x.u, x.force, x.all, x.speed = x.Sheet(table.TrajectoryFile), x.Sheet(table.ForcesFile),
		x.Sheet(table.DisplacementsFile), x.Sheet(table.VelocitiesFile)
	x.energy.Sheet, x.certificate.Sheet = x.Sheet(table.EnergiesFile), x.Sheet(table.CertificatesFile)
	x.clock = x.Clocks(x.u, x.force, x.energy.Sheet, x.certificate.Sheet)
	x.gap = x.Check("contact", "no node is inside its obstacle", "m")
	x.tension = x.Check("", "obstacles push", "N")
	x.complement = x.Check("", "nodes that are pushed touch", "m")
	x.cone = x.Check("", "friction is at most μ r_N", "N")
	x.slip = x.Check("", "friction is −μ r_N along the slip, where nodes slip", "N")
	x.normal = x.Check("reactions", "r_N is what the stress of the body asks for", "N")
	x.motion = x.Check("motion", "(38), (39): 2/Δt M_*(v' − v) + A(u + u') = L + L' + r + r'", "N")
	x.path = x.Check("", "u' follows from u, v and v'", "m")
	x.rest = x.Check("", "normal velocities of contact nodes without mass are zero", "m/s")
	x.support = x.Check("", "supports are where the case has them", "m")
	x.driven = x.Check("", "supports are as fast as the case has them", "m/s")
	x.start = x.Check("start", "the run starts as the case says", "m, m/s")
	x.same = x.Check("files", "displacements of contact nodes are the same in both files", "m")
	x.energies = x.Check("energy", "kinetic and elastic energy are those of the state", "J")
	if x.forces = max(x.c.Model.Mesh.Dim, 2) * len(x.c.Model.Contacts); len(x.force.Now) > x.forces {
		x.ages = x.Check("", "states of friction follow their law, relative", "-")
	}
	x.work = x.Check("", "works of normal and friction forces are those of the rows", "J")
	x.identity = x.Check("balance", "(51): E' − E is the work of the step", "J")
	x.sums = x.Check("", "the rows of the ledger add up", "J")
	x.stated = x.Check("", "certificates.csv says the same of the penetration", "m")
	var err error
	if x.body, err = elastic.NewAudit(x.c.Model, x.c.Options); err == nil {
		x.rounding = x.body.Rounding(1)
	}
	return err
}

// walk walks through the rows.
func (x *audit) walk(ctx context.Context) error {
	if err := x.open(); err != nil {
		return err
	}
	if err := x.shot(); err != nil {
		return err
	}
	err := x.clock.Each(ctx, func() error {
		x.checkRow()
		for x.more && x.all.T <= x.u.T {
			if x.all.T == x.u.T {
				if err := x.nodes(); err != nil {
					return err
				}
			} else if x.Plan.Every == 1 {
				x.clock.Check.Fail(x.all.Times())
			}
			if err := x.shot(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	x.accurate()
	if x.more && x.Summary.Status == table.Done {
		x.clock.Check.Fail(x.all.Times())
	}
	x.Note("the files have all nodes at %d of %d times: equations of the body are checked there, those of a step at %d of %d steps; in between, contact conditions, works and sums of energies",
		x.shots, x.u.Row+1, x.pair, x.Summary.Steps)
	x.Taken("residual, iterations and contraction of the solver in certificates.csv are taken as they are")
	return nil
}

// shot reads the next displacements and velocities of all nodes.
func (x *audit) shot() error {
	more, err := x.all.Next()
	if err != nil {
		return err
	}
	other, err := x.speed.Next()
	if err != nil {
		return err
	}
	short, long := x.speed, x.all
	if other {
		short, long = x.all, x.speed
	}
	switch {
	case more != other:
		return fmt.Errorf("%s ends after %d rows: those from t=%g on are missing, which %s has", short.File, short.Row+1, long.T, long.File)
	case more && x.all.T != x.speed.T:
		return fmt.Errorf("%s: row %d, t=%g: %s has t=%g: the files are not of one run", x.speed.File, x.speed.Row+1,
			x.speed.T, x.all.File, x.all.T)
	}
	x.more = more
	return nil
}

// checkRow looks at the contact nodes of the present row, and at the ledger.
func (x *audit) checkRow() {
	dim, each := x.c.Model.Mesh.Dim, max(x.c.Model.Mesh.Dim, 2)
	for _, v := range x.u.Now {
		x.length = max(x.length, math.Abs(v))
	}
	for _, v := range x.force.Now[:x.forces] {
		x.force0 = max(x.force0, math.Abs(v))
	}
	contact, friction, lost, met := 0.0, 0.0, 0.0, 0
	local, before := make([]float64, dim), make([]float64, dim)
	for k := range x.c.Model.Contacts {
		x.body.Local(local, x.u.Now, k)
		x.body.Local(before, x.u.Last, k)
		r, old := x.force.Now[each*k:each*k+each], x.force.Last[each*k:each*k+each]
		if met < len(x.c.met) && x.c.met[met].contact == k {
			x.met.slide(&x.c.met[met], local, r[0])
			met++
		}
		carried := x.body.Carry(k, x.before, x.u.T)
		x.contact(k, local[dim-1]+x.body.Gap(k, x.u.T), r)
		contact += 0.5 * (r[0] + old[0]) * (local[dim-1] - before[dim-1] - carried[dim-1])
		slip := 0.0
		for i := range dim - 1 {
			slip += 0.5 * (r[1+i] + old[1+i]) * (local[i] - before[i] - carried[i])
		}
		friction += slip
		lost += min(slip, 0)
	}
	x.before = x.u.T
	x.ledger(contact, friction)
	x.create(lost)
	x.stated.AtMost(x.certificate.Now().Penetration-x.penetration, x.atMost(1e-12), x.certificate.In("penetration"))
}

// atMost is a fraction of the lengths met.
func (x *audit) atMost(share float64) float64 { return share*x.length + 1e-300 }

// contact looks at one contact node: gap, reaction.
func (x *audit) contact(k int, open float64, r []float64) {
	dim, each := x.c.Model.Mesh.Dim, len(r)
	x.penetration = max(x.penetration, -open)
	mu, size := 0.0, 0.0
	if x.c.Model.Friction != nil {
		mu = x.c.Model.Friction[k]
	}
	for _, f := range r[1:] {
		size = math.Hypot(size, f)
	}
	// Nodes that push are put onto the obstacle; local axes round. Open ones may be inside
	// by the tolerance of the contact problem, relative to its displacements.
	gap := math.Abs(x.body.Gap(k, x.u.T))
	x.gap.AtMost(min(open, 0), 1e-9*(x.length+gap)+1e-300, x.u.At(dim*k+dim-1))
	x.tension.AtMost(min(r[0], 0), 1e-12*x.force0+x.rounding*x.length+1e-300, x.force.At(each*k))
	if r[0] > 0 {
		x.complement.AtMost(open, 1e-12*(x.length+gap)+1e-300, x.u.At(dim*k+dim-1))
	}
	// 1e-9: a contact within this of its bound counts as slipping.
	x.cone.AtMost(max(size-mu*max(r[0], 0), 0), 1e-9*x.force0+x.rounding*x.length+1e-300, x.force.At(each*k+1))
}

// ledger looks at the energies of the row.
func (x *audit) ledger(contact, friction float64) {
	e, old := x.energy.Now(), x.energy.Last()
	x.scale = max(x.scale, math.Abs(e.Kinetic), math.Abs(e.Elastic), math.Abs(e.External), math.Abs(e.Contact),
		math.Abs(e.Friction), math.Abs(e.Dissipation))
	if x.u.Row == 0 {
		x.base = e.Kinetic + e.Elastic
		return
	}
	x.sums.AtMost(e.Kinetic+e.Elastic-x.base-e.External-e.Contact-e.Friction-e.Drift, 1e-12*x.scale+1e-300, x.energy.In("drift"))
	x.sums.AtMost(min(e.Dissipation-old.Dissipation, 0), 1e-12*x.scale+1e-300, x.energy.In("dissipation"))
	if x.Plan.Every == 1 { // sums of all steps round
		x.work.AtMost(e.Contact-old.Contact-contact, 1e-11*x.scale+1e-300, x.energy.In("contact"))
		x.work.AtMost(e.Friction-old.Friction-friction, 1e-11*x.scale+1e-300, x.energy.In("friction"))
	}
	if x.c.Options.Scheme == elastic.Trapezoidal {
		x.identity.AtMost(x.certificate.Now().Identity, identityTolerance*x.scale+1e-300, x.certificate.In("identity"))
	}
}

// create follows the energy that contact and scheme have made or destroyed, as the run
// does; friction has taken −lost in the step.
func (x *audit) create(lost float64) {
	e, old := x.energy.Now(), x.energy.Last()
	if x.u.Row == 0 {
		x.made.Begin(e.Kinetic)
		x.stored = e.Elastic
		return
	}
	x.made.Released = max(x.made.Released, x.stored-e.Elastic)
	x.made.Add(x.u.T, e.Kinetic+e.Elastic-old.Kinetic-old.Elastic-(e.External-old.External)-lost, e.External)
}

// still reports whether the energies of the rows are those of the only frame: body, supports and
// obstacles do not go anywhere. Of others the files do not tell the momentum.
func (x *audit) still() bool {
	m := x.c.Model
	return m.V0 == nil && m.Motions == nil && !slices.ContainsFunc(m.Prescribed, func(p elastic.Prescribed) bool {
		return p.Motion.At(x.c.plan.Until) != p.Motion.At(0)
	})
}

// accurate judges by it, where the rows are all steps of the trapezoidal rule.
func (x *audit) accurate() {
	own := x.made.Measures(x.Plan.Accuracy, x.Summary.Steps, "")
	if _, parts := x.c.Model.Mesh.Parts(); x.Plan.Every == 1 && x.c.Options.Scheme == elastic.Trapezoidal && parts == 1 && x.still() {
		x.Accurate(facts.Of(table.Accurate, own)...)
	} else { // what friction took between the rows, or on which part, is not in the files
		for i := range own {
			x.Stated(own[i].Name)
		}
	}
	x.Accurate(x.strains.Fact())
	if x.c.met != nil {
		x.Accurate(x.met.facts(x.c)...)
		names := (&meetings{Lean: 1, Holds: 1}).lagFacts(x.c)
		x.Stated(names[0].Name)
		x.MayState(names[1].Name)
	}
	x.Accurate(x.c.plan.Foreseen...)
	x.Accurate(x.c.unjudged()...)
	if o := &x.c.other; o.model != nil {
		x.Stated(refinement.Groups(x.c.compared(), o.level.Against())...)
	} else {
		x.Accurate(o.unsaid()...)
	}
	if x.c.plan.Adaptive || x.c.doubles {
		facts.State(x.Audit, false)
		x.MayState(flutterError)
	}
}

// nodes looks at a row with all nodes.
func (x *audit) nodes() error {
	dim := x.c.Model.Mesh.Dim
	for k, node := range x.c.Model.Followed() {
		for c := range dim {
			x.same.AtMost(x.all.Now[dim*node+c]-x.u.Now[dim*k+c], 1e-300, x.all.At(dim*node+c))
		}
	}
	var err error
	x.last = x.now
	if x.now, err = x.body.State(x.u.T, x.all.Now, x.speed.Now, x.force.Now[:x.forces]); err != nil {
		return err
	}
	if !x.body.Worn(x.now, x.force.Now[x.forces:]) {
		return fmt.Errorf("%s has %d states of friction, which is not what the case has", x.force.File, len(x.force.Now)-x.forces)
	}
	x.shots++
	x.strains.Observe(x.c.Model.Mesh, x.c.Model.Material.Kinematics, x.all.Now, x.u.T)
	pair := x.lastRow == x.u.Row-1 && x.Plan.Every == 1
	dt, known := 0.0, false
	if pair {
		if dt, known = x.stepLength(); known {
			x.body.Took(dt)
		}
	}
	f := x.body.Check(x.now)
	// The contact problems are solved to 1e-13 of their forces; with the condition of the
	// meshes met this leaves 1e-11, and central differences solve q(u_*) to 1e-11 too.
	const solved = 1e-9
	x.check(x.normal, f.Normal, solved)
	x.check(x.support, f.Support, 1e-12)
	x.check(x.driven, f.Driven, 1e-9)
	x.check(x.rest, f.Rest, 1e-12) // rounding of local axes
	if x.u.Row > 0 {               // the start has the friction that the initial velocities ask for
		x.check(x.slip, f.Slip, 1e-8)
	}
	e := x.energy.Now()
	x.energies.AtMost(e.Kinetic-f.Energies.Kinetic, 1e-11*x.scale+1e-300, x.energy.In("kinetic"))
	x.energies.AtMost(e.Elastic-f.Energies.Elastic, 1e-11*x.scale+1e-300, x.energy.In("elastic"))
	if x.u.Row == 0 {
		x.begin()
		if x.ages != nil {
			x.check(x.ages, x.body.New(x.now), 1e-15)
		}
	}
	if pair {
		x.pair++
		if known {
			x.step(dt, solved)
		} else {
			x.path.Fail(run.At(x.all.File, x.all.Row, x.all.T, "no step of the run leads here"))
		}
	}
	x.lastRow = x.u.Row
	return nil
}

// check takes an error of the package.
func (x *audit) check(c *run.Check, e elastic.Error, allowed float64) {
	c.AtMost(e.Size, allowed*e.Scale+1e-300, run.At(x.all.File, x.all.Row, x.all.T, "node "+x.c.Model.NodeName(e.Node)))
}

// begin looks at the first row. Normal parts of contact nodes follow from (37) where
// they have no mass.
func (x *audit) begin() {
	m := x.c.Model
	normal := map[int]bool{}
	for k := range m.Contacts {
		normal[m.Contacts[k].Node] = m.Inertia != elastic.Standard
	}
	for k := range m.Meetings { // what is met has none either, and what is tied goes with it
		for _, n := range m.Meetings[k].Nodes {
			for _, i := range append(n.Masters, n.Node) {
				normal[i] = m.Inertia != elastic.Standard || m.Meetings[k].Tied
			}
		}
	}
	for _, t := range m.Ties {
		normal[t.Dof/m.Mesh.Dim] = true // it moves as others
	}
	for _, p := range m.Prescribed {
		for _, i := range p.Nodes {
			normal[i] = true // where the motion of the support begins
		}
	}
	for _, l := range []struct {
		s    *run.Sheet
		want []float64
	}{{x.all, m.U0}, {x.speed, m.V0}} {
		for i, v := range l.s.Now {
			want := 0.0
			if l.want != nil {
				want = l.want[i]
			}
			if !normal[i/m.Mesh.Dim] {
				x.start.AtMost(v-want, 1e-14*math.Abs(want)+1e-300, l.s.At(i))
			}
		}
	}
}

// stepLength is that of the step between two rows with all nodes [s], if the run has such a step.
func (x *audit) stepLength() (dt float64, ok bool) {
	if x.c.plan.Adaptive {
		return dynamics.DyadicStep(x.stretches, x.last.T, x.now.T)
	}
	dt = x.Plan.StepTo(x.now.T)
	return dt, dt > 0
}

// step looks at the step of dt between two rows with all nodes.
func (x *audit) step(dt, solved float64) {
	f := x.body.Step(dt, x.last, x.now)
	x.check(x.motion, f.Motion, solved)
	if x.ages != nil {
		x.check(x.ages, f.Wear, 1e-9) // as of forces: velocities in the files are rounded
	}
	x.check(x.path, f.Path, 1e-11) // rounding of velocities that are differences
	e, old := x.energy.Now(), x.energy.Last()
	allowed := 1e-11*x.scale + 1e-300
	x.work.AtMost(e.External-old.External-f.External, allowed, x.energy.In("external"))
	x.work.AtMost(e.Contact-old.Contact-f.Contact, allowed, x.energy.In("contact"))
	x.work.AtMost(e.Friction-old.Friction-f.Friction, allowed, x.energy.In("friction"))
	x.work.AtMost(e.Dissipation-old.Dissipation-f.Dissipation, allowed, x.energy.In("dissipation"))
	if x.c.Options.Scheme == elastic.Trapezoidal {
		x.identity.AtMost(f.Identity, identityTolerance*x.scale+1e-300, x.energy.In("kinetic"))
	}
}
