package main

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/table"
)

// elasticAudit audits the files of the model elastodynamic: the contact conditions and
// works at every row, the equations of the body where the files have all nodes.
type elasticAudit struct {
	*audit
	m    *casefile.Elastic
	body *elastic.Audit

	u, force, energy, certificate *sheet // a row a time
	all, speed                    *sheet // now and then
	clock                         *clocks
	more                          bool // there is a shot ahead

	gap, tension, complement, cone, work, sums, told *check // of every row
	same, normal, slip, rest, support, start, path   *check // of shots
	motion, energies, identity                       *check // of pairs of shots

	last, now   *elastic.State // shots
	lastRow     int
	base        float64 // energy of the first row [J]
	scale       float64 // of energies [J]
	force0      float64 // largest reaction so far [N]
	length      float64 // largest displacement so far [m]
	penetration float64
	shots, pair int
}

func newElasticAudit(a *audit, m *casefile.Elastic) *elasticAudit {
	a.files = table.NewFolder(a.dir, table.ElasticLayout(m.Model))
	return &elasticAudit{audit: a, m: m, lastRow: -2}
}

// open opens the files and declares the checks.
func (x *elasticAudit) open() error {
	for _, f := range []struct {
		dst  **sheet
		name string
	}{{&x.u, table.TrajectoryFile}, {&x.force, table.ForcesFile}, {&x.energy, table.EnergiesFile}, {&x.certificate, table.CertificatesFile},
		{&x.all, table.DisplacementsFile}, {&x.speed, table.VelocitiesFile}} {
		var err error
		if *f.dst, err = x.audit.open(f.name); err != nil {
			return err
		}
	}
	x.clock = x.clocks(x.u, x.force, x.energy, x.certificate)
	x.gap = x.add("contact", "no node is inside its obstacle", "m")
	x.tension = x.add("", "obstacles push", "N")
	x.complement = x.add("", "nodes that are pushed touch", "m")
	x.cone = x.add("", "friction is at most μ r_N", "N")
	x.slip = x.add("", "friction is −μ r_N along the slip, where nodes slip", "N")
	x.normal = x.add("reactions", "r_N is what the stress of the body asks for", "N")
	x.motion = x.add("motion", "(38), (39): 2/Δt M_*(v' − v) + A(u + u') = L + L' + r + r'", "N")
	x.path = x.add("", "u' follows from u, v and v'", "m")
	x.rest = x.add("", "normal velocities of contact nodes without mass are zero", "m/s")
	x.support = x.add("", "supports are where the case has them", "m")
	x.start = x.add("start", "the run starts as the case says", "m, m/s")
	x.same = x.add("files", "displacements of contact nodes are the same in both files", "m")
	x.energies = x.add("energy", "kinetic and elastic energy are those of the state", "J")
	x.work = x.add("", "works of normal and friction forces are those of the rows", "J")
	x.identity = x.add("balance", "(51): E' − E is the work of the step", "J")
	x.sums = x.add("", "the rows of the ledger add up", "J")
	x.told = x.add("", "certificates.csv says the same of the penetration", "m")
	var err error
	x.body, err = elastic.NewAudit(x.m.Model, x.m.Options)
	return err
}

// walk walks through the rows.
func (x *elasticAudit) walk(ctx context.Context) error {
	if err := x.open(); err != nil {
		return err
	}
	if err := x.shot(); err != nil {
		return err
	}
	err := x.clock.each(ctx, func() error {
		x.row()
		for x.more && x.all.t <= x.u.t {
			if x.all.t == x.u.t {
				if err := x.nodes(); err != nil {
					return err
				}
			} else if x.every == 1 {
				x.clock.check.wrong(x.all.at(-1))
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
	if x.more && x.summary.Status == table.Done {
		x.clock.check.wrong(x.all.at(-1))
	}
	x.notes = append(x.notes, fmt.Sprintf("the files have all nodes at %d of %d times: equations of the body are checked there, those of a step at %d of %d steps; in between, contact conditions, works and sums of energies",
		x.shots, x.u.row+1, x.pair, x.summary.Steps))
	x.notes = append(x.notes, "residual, iterations and contraction of the solver in certificates.csv are taken as they are")
	return nil
}

// shot reads the next displacements and velocities of all nodes.
func (x *elasticAudit) shot() error {
	more, err := x.all.next()
	if err != nil {
		return err
	}
	other, err := x.speed.next()
	if err != nil {
		return err
	}
	if more != other || more && x.all.t != x.speed.t {
		return fmt.Errorf("%s: row %d, t=%g: %s has t=%g: the files are not of one run", x.speed.file, x.speed.row+1, x.speed.t, x.all.file, x.all.t)
	}
	x.more = more
	return nil
}

// row looks at the contact nodes of the present row, and at the ledger.
func (x *elasticAudit) row() {
	dim, each := x.m.Model.Mesh.Dim, max(x.m.Model.Mesh.Dim, 2)
	for _, v := range x.u.now {
		x.length = max(x.length, math.Abs(v))
	}
	for _, v := range x.force.now {
		x.force0 = max(x.force0, math.Abs(v))
	}
	contact, friction := 0.0, 0.0
	local, before := make([]float64, dim), make([]float64, dim)
	for k := range x.m.Model.Contacts {
		c := &x.m.Model.Contacts[k]
		x.body.Local(local, x.u.now[dim*k:dim*k+dim], k)
		x.body.Local(before, x.u.last[dim*k:dim*k+dim], k)
		r, old := x.force.now[each*k:each*k+each], x.force.last[each*k:each*k+each]
		x.contact(k, local[dim-1]+c.Gap, r)
		contact += 0.5 * (r[0] + old[0]) * (local[dim-1] - before[dim-1])
		for i := range dim - 1 {
			friction += 0.5 * (r[1+i] + old[1+i]) * (local[i] - before[i])
		}
	}
	x.ledger(contact, friction)
	x.told.see(x.certificate.now[2]-x.penetration, x.atMost(1e-12), x.certificate.at(2))
}

// atMost is a fraction of the lengths met.
func (x *elasticAudit) atMost(share float64) float64 { return share*x.length + 1e-300 }

// contact looks at one contact node: gap, reaction.
func (x *elasticAudit) contact(k int, open float64, r []float64) {
	dim, each := x.m.Model.Mesh.Dim, len(r)
	x.penetration = max(x.penetration, -open)
	mu, size := 0.0, 0.0
	if x.m.Model.Friction != nil {
		mu = x.m.Model.Friction[k]
	}
	for _, f := range r[1:] {
		size = math.Hypot(size, f)
	}
	// Nodes that push are put onto the obstacle; local axes round. Open ones may be inside
	// by the tolerance of the contact problem, relative to its displacements.
	gap := x.m.Model.Contacts[k].Gap
	x.gap.see(min(open, 0), 1e-9*(x.length+gap)+1e-300, x.u.at(dim*k+dim-1))
	x.tension.see(min(r[0], 0), 1e-12*x.force0+1e-300, x.force.at(each*k))
	if r[0] > 0 {
		x.complement.see(open, 1e-12*(x.length+gap)+1e-300, x.u.at(dim*k+dim-1))
	}
	// 1e-9: a contact within this of its bound counts as slipping.
	x.cone.see(max(size-mu*max(r[0], 0), 0), 1e-9*x.force0+1e-300, x.force.at(each*k+1))
}

// ledger looks at the energies of the row.
func (x *elasticAudit) ledger(contact, friction float64) {
	e, old := x.energy.now, x.energy.last
	for _, v := range e[:6] {
		x.scale = max(x.scale, math.Abs(v))
	}
	if x.u.row == 0 {
		x.base = e[0] + e[1]
		return
	}
	x.sums.see(e[0]+e[1]-x.base-e[2]-e[3]-e[4]-e[6], 1e-12*x.scale+1e-300, x.energy.at(6))
	x.sums.see(min(e[5]-old[5], 0), 1e-12*x.scale+1e-300, x.energy.at(5))
	if x.every == 1 { // sums of all steps round
		x.work.see(e[3]-old[3]-contact, 1e-11*x.scale+1e-300, x.energy.at(3))
		x.work.see(e[4]-old[4]-friction, 1e-11*x.scale+1e-300, x.energy.at(4))
	}
	if x.m.Options.Scheme == elastic.Trapezoidal {
		x.identity.see(x.certificate.now[0], identityTolerance*x.scale+1e-300, x.certificate.at(0))
	}
}

// nodes looks at a row with all nodes.
func (x *elasticAudit) nodes() error {
	dim := x.m.Model.Mesh.Dim
	for k := range x.m.Model.Contacts {
		node := x.m.Model.Contacts[k].Node
		for c := range dim {
			x.same.see(x.all.now[dim*node+c]-x.u.now[dim*k+c], 1e-300, x.all.at(dim*node+c))
		}
	}
	var err error
	x.last = x.now
	if x.now, err = x.body.State(x.u.t, x.all.now, x.speed.now, x.force.now); err != nil {
		return err
	}
	x.shots++
	f := x.body.Check(x.now)
	// The contact problems are solved to 1e-13 of their forces; with the condition of the
	// meshes met this leaves 1e-11, and central differences solve q(u_*) to 1e-11 too.
	const solved = 1e-9
	x.see(x.normal, f.Normal, solved)
	x.see(x.support, f.Support, 1e-12)
	x.see(x.rest, f.Rest, 1e-12) // rounding of local axes
	if x.u.row > 0 {             // the start has the friction that the initial velocities ask for
		x.see(x.slip, f.Slip, 1e-8)
	}
	x.energies.see(x.energy.now[0]-f.Energies.Kinetic, 1e-11*x.scale+1e-300, x.energy.at(0))
	x.energies.see(x.energy.now[1]-f.Energies.Elastic, 1e-11*x.scale+1e-300, x.energy.at(1))
	if x.u.row == 0 {
		x.begin()
	}
	if x.lastRow == x.u.row-1 && x.every == 1 {
		x.step(solved)
	}
	x.lastRow = x.u.row
	return nil
}

// see takes an error of the package.
func (x *elasticAudit) see(c *check, e elastic.Error, allowed float64) {
	c.see(e.Size, allowed*e.Scale+1e-300, place{x.all.file, x.all.row, x.all.t, fmt.Sprintf("node %d", e.Node)})
}

// begin looks at the first row. Normal parts of contact nodes follow from (37) where
// they have no mass.
func (x *elasticAudit) begin() {
	m := x.m.Model
	normal := map[int]bool{}
	for k := range m.Contacts {
		normal[m.Contacts[k].Node] = m.Inertia != elastic.Standard
	}
	for _, p := range m.Prescribed {
		for _, i := range p.Nodes {
			normal[i] = true // where the motion of the support begins
		}
	}
	for _, l := range []struct {
		s    *sheet
		want []float64
	}{{x.all, m.U0}, {x.speed, m.V0}} {
		for i, v := range l.s.now {
			want := 0.0
			if l.want != nil {
				want = l.want[i]
			}
			if !normal[i/m.Mesh.Dim] {
				x.start.see(v-want, 1e-14*math.Abs(want)+1e-300, l.s.at(i))
			}
		}
	}
}

// step looks at the step between two rows with all nodes.
func (x *elasticAudit) step(solved float64) {
	x.pair++
	f := x.body.Step(x.last, x.now)
	x.see(x.motion, f.Motion, solved)
	x.see(x.path, f.Path, 1e-11) // rounding of velocities that are differences
	e, old := x.energy.now, x.energy.last
	for i, want := range []float64{f.External, f.Contact, f.Friction, f.Dissipation} {
		x.work.see(e[2+i]-old[2+i]-want, 1e-11*x.scale+1e-300, x.energy.at(2+i))
	}
	if x.m.Options.Scheme == elastic.Trapezoidal {
		x.identity.see(f.Identity, identityTolerance*x.scale+1e-300, x.energy.at(0))
	}
}
