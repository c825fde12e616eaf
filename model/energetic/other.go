package energetic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/refinement"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/table"
)

// other is the same case on the meshes that judge those of its bodies.
type other struct {
	given    bool // some bodies or surfaces have meshes that are given
	psi      *dissipation.Coulomb
	z0       []float64
	options  energetic.Options
	unjudged string // why there is none; empty with nil psi: no mesh wants it
	level    solid.Level
	own      side
	sides    side

	relinearisation *relinearisation
}

// side are the particles of one of the two runs that are compared.
type side struct {
	shared []int   // whose displacements are compared, in the same order
	groups [][]int // contact particles, whose forces add up: one for each entry "contact", one for what is no body
}

// meshWork is the work of a step beside one of a body that moves freely, see [refinement.Work]:
// Newton's steps and contact; and of one that is not linear beside that, whose stiffness is factorised
// in each of them.
const meshWork, nonlinearWork = 10, 5

// other chooses the meshes and makes the case on them.
func (b *builder) other(c *Case) (o other) {
	judged := false
	for _, n := range b.nodes {
		o.given, judged = o.given || n.doc.Given(), judged || !n.doc.Given()
	}
	o.given = o.given || slices.Contains(b.surfacesGiven, true)
	if o.given {
		c.plan.Accept = append(slices.Clone(c.plan.Accept), refinement.Subject)
	}
	if slices.Contains(b.surfacesGiven, false) {
		o.unjudged = "for that of a surface is made of the particles of the case"
	}
	if !judged || o.unjudged != "" {
		return o
	}
	steps := float64(c.plan.Steps)
	if c.Chosen || c.Adaptive != nil || c.Walks() {
		steps = max(steps, unknownSteps)
	}
	if o.level, o.unjudged = b.judge(steps); o.unjudged != "" {
		return o
	}
	need := c.plan.Need
	need.Parts = append(slices.Clone(need.Parts), o.level.Need(b.nodes[0].body.Mesh().Dim, need).Parts...)
	if need.Total() > b.Limit.Bytes {
		o.unjudged = "for memory is short for a run on another"
		return o
	}
	l := b.again(o.level, b.adapted)
	if o.psi, o.z0 = l.made(); l.Any() {
		o.psi, o.unjudged = nil, "for there is no other: "+l.Err().Error()
		return o
	}
	c.plan.Need = need
	o.options = l.options()
	if b.doc.Relinearise > 0 {
		o.relinearisation = &relinearisation{builder: l, energies: l.stored}
	}
	o.own, o.sides = pair(b, l)
	return o
}

// again is a builder of the same case on other meshes.
func (b *builder) again(level solid.Level, adapted map[string]*fem.Mesh) *builder {
	l := newBuilder()
	l.Builder, l.level, l.adapted = solid.On(b.Builder, b.Case, &l.doc), level, adapted
	return l
}

// made makes the system and its start; what is at fault may leave none.
func (b *builder) made() (psi *dissipation.Coulomb, z0 []float64) {
	b.names()
	b.bodies()
	b.variables()
	if !b.Any() {
		b.steps()
		psi, z0 = b.system(b.mechanics())
	}
	return psi, z0
}

// judge chooses the level: the finer one if its work is within the budget, else the coarser if the
// case has nothing but blocks that can be halved.
func (b *builder) judge(steps float64) (level solid.Level, why string) {
	work := 0.0
	if len(b.doc.Particles) > 0 || len(b.doc.Energies) > len(b.nodes) {
		why = "what acts on nodes by their numbers has no place on coarser meshes"
	}
	for _, n := range b.nodes {
		if n.doc.Given() {
			continue
		}
		m := n.body.Mesh()
		contacts := float64(len(n.contact)) * float64(int(1)<<(m.Dim-1))
		factor := float64(meshWork)
		if !n.body.Linear() {
			factor *= nonlinearWork
		}
		// The problem of the contacts is dense.
		work += factor*refinement.Work(m.Dim, float64(len(m.X))*float64(int(1)<<m.Dim), steps) + steps*math.Pow(contacts*float64(m.Dim), 3)
		if odd := n.doc.Halves(); why == "" && odd != "" {
			why = fmt.Sprintf("%s in %q", odd, n.doc.ID)
		}
	}
	switch {
	case work <= refinement.Budget:
		return solid.Fine, ""
	case why == "":
		return solid.Coarse, ""
	}
	return solid.Own, solid.Costly(why)
}

// unknownSteps stand for those that a run will choose.
const unknownSteps = 50

// pair finds the particles that are compared.
func pair(b, l *builder) (own, sides side) {
	for k, n := range b.nodes {
		other := l.nodes[k]
		nodes, numbers := n.doc.Shared(n.body.Mesh(), other.body.Mesh(), l.level)
		for i, node := range nodes {
			if _, touches := n.contact[node]; touches || len(n.contact) == 0 {
				own.shared, sides.shared = append(own.shared, n.first+node), append(sides.shared, other.first+numbers[i])
			}
		}
		for entry := range n.doc.Contact {
			own.groups, sides.groups = append(own.groups, n.group(entry)), append(sides.groups, other.group(entry))
		}
	}
	rest := func(b *builder) (list []int) {
		for j := range b.doc.Particles {
			list = append(list, j)
		}
		return list
	}
	own.groups, sides.groups = append(own.groups, rest(b)), append(sides.groups, rest(l))
	return own, sides
}

// group lists the particles of an entry of the key contact.
func (n *bodyNodes) group(entry int) (list []int) {
	for i := range n.body.Particles() {
		if t, ok := n.contact[i]; ok && t.at[len(t.at)-1] == entry {
			list = append(list, n.first+i)
		}
	}
	if doc := &n.doc.Contact[entry]; doc.Body != "" { // and what may face the other side later
		for _, i := range n.body.Mesh().Groups[doc.Group].Corners() {
			if _, touches := n.contact[i]; !touches {
				list = append(list, n.first+i)
			}
		}
	}
	return list
}

// beside is the run on the other meshes. It follows each node.
type beside struct {
	stepper *incremental.Stepper
	sums    besideSums
	settles bool // it takes a step of no length to the next node, for it has another linearisation
}

// besideSums is what a checkpoint holds beside the state of the stepper.
type besideSums struct {
	Taken    [2]float64   // by friction, of the polygons through the nodes [J]
	Energy   [2]float64   // at the start [J]
	Start    [2][]float64 // places at the start [m]
	At       placed       // of the linearisation
	Lost     float64      // time at which the other run was lost [s]; 0: not yet
	T        float64      // of the last node …
	Z, Grad  []float64
	Estimate refinement.Estimate
}

// besideState is what a checkpoint holds.
type besideState struct {
	Stepper incremental.Checkpoint
	Sums    besideSums
}

// Quantities that the meshes are compared by; forces of the groups follow, two each.
const (
	energyChange = iota
	loadWork
	taken
	displacement
	energyMet // what others are compared with
	extent
	firstForce
)

// Shares of others below which a quantity is judged as if it had that share: of rounding, of the
// forces of all.
const (
	meshRounding = 1e-9
	leastForce   = 1e-2
)

// compared lists them.
func (c *Case) compared() []refinement.Quantity {
	list := []refinement.Quantity{
		energyChange: {Group: "energies", Name: "energy since the start", Like: []int{energyMet}, Share: meshRounding},
		loadWork:     {Group: "energies", Name: "work of loads", Like: []int{energyMet}, Share: meshRounding},
		taken:        {Group: "energies", Name: "dissipation"},
		displacement: {Group: "displacements", Name: "root mean square", Like: []int{extent}, Share: meshRounding},
		energyMet:    {Group: "energies"},
		extent:       {Group: "energies"},
	}
	if c.rubs() || c.Psi.System.Remembers() {
		list[taken] = refinement.Quantity{Group: "dissipation", Name: "dissipation", Like: []int{energyChange, loadWork}, Taken: true}
	}
	var all []int
	for g := range c.other.own.groups {
		all = append(all, firstForce+2*g)
	}
	for range c.other.own.groups {
		list = append(list, refinement.Quantity{Group: "forces of contact", Name: "normal force", Like: all, Share: leastForce},
			refinement.Quantity{Group: "forces of contact", Name: "friction", Like: all, Share: leastForce})
	}
	if c.UntilLoss {
		list = append(list, refinement.Quantity{Group: "loss of equilibrium", Name: "its time"})
	}
	return list
}

// lossTime is the number of the time of the loss among what is compared.
func (o *other) lossTime() int { return firstForce + 2*len(o.own.groups) }

// startBeside makes the run on the other meshes at its start, or goes on with it, and prepares bounds.
func (r *Run) startBeside(ctx context.Context, from *besideState) error {
	if err := r.startBounds(ctx); err != nil {
		return err
	}
	o := &r.c.other
	if o.psi == nil {
		return nil
	}
	x := &beside{}
	r.beside = x
	s, err := incremental.New(o.psi, 0, o.z0, o.options.Step)
	if err == nil && from != nil {
		x.stepper, x.sums = s, from.Sums
		return s.Load(&from.Stepper)
	}
	if err == nil && o.options.Equilibrate {
		_, err = s.Equilibrate(ctx)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		x.sums.Estimate.Ended = err.Error()
		return nil
	}
	x.stepper = s
	return nil
}

// save returns what a checkpoint holds.
func (x *beside) save() *besideState {
	if x == nil || x.stepper == nil {
		return nil
	}
	s := &besideState{Sums: x.sums}
	x.stepper.Save(&s.Stepper)
	return s
}

// follow takes the other run to a node and compares it, and bounds the error of the node.
func (r *Run) follow(ctx context.Context, n *energetic.Node) {
	r.bound(ctx, n)
	x := r.beside
	if x == nil || x.sums.Estimate.Ended != "" {
		return
	}
	s, f := x.stepper, &x.sums
	if f.Lost > 0 {
		f.Estimate.Observe(r.c.other.lossTime(), n.T, n.T-f.Lost, n.T)
		return
	}
	psi, psi2 := r.c.Psi, r.c.other.psi
	e, lost := stored(r.remember(n).System, n.T, n.Z)
	if f.Z == nil {
		e2, _ := stored(s.System(), s.Time(), s.State())
		f.Energy, f.Start = [2]float64{e, e2}, [2][]float64{places(psi, n.T, n.Z), places(psi2, s.Time(), s.State())}
	} else {
		t, z, grad := s.Time(), slices.Clone(s.State()), slices.Clone(s.Gradient())
		if n.T > t || x.settles {
			x.settles = false
			if err := s.Step(ctx, n.T); err != nil {
				if !r.c.UntilLoss || !x.lose(ctx, n.T, err) {
					f.Estimate.Ended = err.Error()
					return
				}
				f.Estimate.Observe(r.c.other.lossTime(), n.T, n.T-f.Lost, n.T)
				return
			}
		}
		f.Taken[0] += between(psi, f.T, f.Z, f.Grad, n.T, n.Z, n.Grad)
		f.Taken[1] += between(psi2, t, z, grad, s.Time(), s.State(), s.Gradient())
	}
	f.T, f.Z, f.Grad = n.T, append(f.Z[:0], n.Z...), append(f.Grad[:0], n.Grad...)
	e2, lost2 := stored(s.System(), s.Time(), s.State())
	r.compare(n, e-f.Energy[0], e2-f.Energy[1], f.Taken[0]+lost, f.Taken[1]+lost2)
}

// stored is the energy of a state that is remembered, without what yielding has dissipated until there.
func stored(sys *particles.System, t float64, z []float64) (energy, lost float64) {
	energy, _ = sys.Value(t, z)
	for _, f := range sys.Flows(t, z, t, z) {
		lost += f.Dissipated
	}
	return energy - lost, lost
}

// lose locates the loss of the other run in its step to t, which ended with an error; false if that is none of a loss.
func (x *beside) lose(ctx context.Context, t float64, err error) bool {
	lost, ok := errors.AsType[*incremental.LossError](err)
	if !ok {
		return false
	}
	l, err := energetic.LocateLoss(ctx, x.stepper, t, lost, func(t float64) error { return x.stepper.Step(ctx, t) })
	if err != nil {
		return false
	}
	x.sums.Lost = l.Time
	return true
}

// compareLoss looks for the loss of the other run after that of the case, as far as twice what accuracy allows.
func (r *Run) compareLoss(ctx context.Context) {
	x := r.beside
	if x == nil || !r.c.UntilLoss || x.sums.Estimate.Ended != "" || x.sums.Lost > 0 {
		return
	}
	o, t := &r.c.other, r.last.T
	until := t * (1 + 2*r.c.plan.Accuracy/o.level.Factor())
	apart := until - t
	if x.lose(ctx, until, x.stepper.Step(ctx, until)) {
		apart = x.sums.Lost - t
	}
	x.sums.Estimate.Observe(o.lossTime(), t, apart, t)
}

// between is the dissipation of the way between two nodes, trapezoidal in the pressures.
func between(psi *dissipation.Coulomb, t0 float64, z0, grad0 []float64, t float64, z, grad []float64) float64 {
	v := make([]float64, len(z))
	for i := range v {
		v[i] = z[i] - z0[i]
	}
	return (psi.Value(t0, grad0, z0, v) + psi.Value(t, grad, z, v)) / 2
}

// places returns those of all particles in global axes. A node of the one mesh may be in contact while
// that of the other is amid a straight edge: its coordinates are not gap and slip.
func places(psi *dissipation.Coulomb, t float64, z []float64) []float64 {
	x := make([]float64, len(z))
	psi.System.ToGlobalAt(t, x, z)
	return x
}

// compare takes the distances at a node; e and e2 are the energies since the start, lost and lost2 what has been
// dissipated since then.
func (r *Run) compare(n *energetic.Node, e, e2, lost, lost2 float64) {
	f, o, s := &r.beside.sums, &r.c.other, r.beside.stepper
	x := &f.Estimate
	x.Observe(energyChange, n.T, math.Abs(e-e2), math.Abs(e))
	x.Observe(loadWork, n.T, math.Abs(e+lost-e2-lost2), math.Abs(e+lost))
	x.Observe(taken, n.T, math.Abs(lost-lost2), lost)
	x.Bear(borne(r.c.Psi, n.Grad, n.States))
	x.Bear(borne(o.psi, s.Gradient(), s.States()))
	apart, size, place := 0.0, 0.0, 0.0
	at, at2 := places(r.c.Psi, n.T, n.Z), places(o.psi, s.Time(), s.State())
	for k, i := range o.own.shared {
		j := o.sides.shared[k]
		for c := range 3 {
			u, u2 := at[3*i+c]-f.Start[0][3*i+c], at2[3*j+c]-f.Start[1][3*j+c]
			apart, size, place = apart+(u-u2)*(u-u2), size+u*u, max(place, math.Abs(at[3*i+c]))
		}
	}
	count := float64(max(1, len(o.own.shared)))
	// Files have places: a displacement is known to the rounding of two of them.
	x.Observe(displacement, n.T, math.Sqrt(apart/count)+0x1p-52*place, math.Sqrt(size/count))
	x.Observe(energyMet, n.T, 0, n.EnergyScale)
	x.Observe(extent, n.T, 0, place)
	if r.c.UntilLoss {
		x.Observe(o.lossTime(), n.T, 0, n.T)
	}
	for g := range o.own.groups {
		a, b := resultant(r.c.Psi, n.Grad, n.States, o.own.groups[g]), resultant(o.psi, s.Gradient(), s.States(), o.sides.groups[g])
		x.Observe(firstForce+2*g, n.T, math.Abs(a[2]-b[2]), math.Abs(a[2]))
		x.Observe(firstForce+2*g+1, n.T, math.Hypot(a[0]-b[0], a[1]-b[1]), math.Hypot(a[0], a[1]))
	}
}

// borne adds up friction and normal forces of all particles that touch, without their directions
// [N].
func borne(psi *dissipation.Coulomb, grad []float64, states []incremental.ContactState) (friction, normal float64) {
	for j := range states {
		if psi.System.Constrained(j) && states[j] != incremental.Free {
			friction, normal = friction+math.Hypot(grad[3*j], grad[3*j+1]), normal+math.Abs(grad[3*j+2])
		}
	}
	return friction, normal
}

// resultant adds up the forces (t, o, n) of obstacles on particles that touch, each in its frame.
func resultant(psi *dissipation.Coulomb, grad []float64, states []incremental.ContactState, list []int) (sum [3]float64) {
	for _, j := range list {
		if psi.System.Constrained(j) && states[j] != incremental.Free {
			for c := range sum {
				sum[c] += grad[3*j+c]
			}
		}
	}
	return sum
}

// mesh judges those of bodies and surfaces; none where there are none.
func (r *Run) mesh() []table.Fact {
	o := &r.c.other
	list := o.unsaid()
	if r.beside != nil {
		list = append(list, r.beside.sums.Estimate.Facts(r.c.compared(), o.level.Factor(), r.c.plan.Accuracy,
			o.level.Against(), refinement.FinerMesh)...)
	}
	return r.proven(list)
}

// unsaid are the facts of meshes that are given, and of such that nothing judges.
func (o *other) unsaid() []table.Fact { return refinement.Unsaid(o.given, o.unjudged) }

// statedMesh are the facts of a run of which not every node is in the files: those of summary.json,
// which must have them.
func (d *diagnosis) statedMesh() []table.Fact {
	o := &d.c.other
	list := o.unsaid()
	if o.psi == nil || d.stated == nil || d.stated.Status != table.Done {
		return list
	}
	for _, name := range refinement.Groups(d.c.compared(), o.level.Against()) {
		k := slices.IndexFunc(d.stated.Facts, func(f table.Fact) bool {
			return f.Word == table.Accurate && (f.Name == name || d.replaces(&f, name))
		})
		if k < 0 {
			list = append(list, table.No(table.Accurate,
				"summary.json does not say what the run found out about its "+name, table.Computed))
			continue
		}
		f := d.stated.Facts[k]
		f.Limit = d.c.plan.Accuracy
		f.Passed = f.Value >= 0 && f.Value <= f.Limit
		f.Place = "stated by the run, not recomputed"
		list = append(list, f)
	}
	return list
}
