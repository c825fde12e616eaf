package elastic

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/model/refinement"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/table"
)

// other is the same body on the mesh that judges that of the case.
type other struct {
	model    *elastic.Model // nil: there is none, since
	unjudged string         // … empty: the mesh is given
	level    solid.Level
	own      []int // nodes whose displacements are compared …
	nodes    []int // … and their numbers there
	substeps int   // in a step of the case
}

// beside is the run on the other mesh. It follows each step.
type beside struct {
	stepper  *elastic.Stepper
	follower follower
	u, u2    []float64 // memory
}

// follower is what a checkpoint holds beside the state of the stepper.
type follower struct {
	Mass     [2][]float64  // of the translations on the two meshes [kg]
	V0       []float64     // mean velocity at the start, of the own mesh [m/s]
	Impulses [2][2]float64 // of normal reactions and along the first tangent, on the two meshes [N s]
	Estimate refinement.Estimate
}

// besideState is what a checkpoint holds.
type besideState struct {
	Stepper  elastic.Checkpoint
	Follower follower
}

// other chooses the mesh that judges that of the case, and makes the body on it.
func (b *builder) other(c *Case, list []*part) (o other) {
	if !slices.ContainsFunc(list, func(x *part) bool { return !x.Given() }) {
		c.plan.Accept = append(slices.Clone(c.plan.Accept), refinement.Subject)
		return o
	}
	steps := float64(c.plan.Steps)
	if c.plan.Adaptive {
		steps = adaptiveSteps
	}
	factor := 1.0
	if o.substeps = 1; c.Options.Scheme == elastic.CentralDifference {
		factor = 2
	}
	for _, x := range list { // the first that cannot be halved says so
		if o.level, o.unjudged = x.Judge(c.Model.Mesh, steps, factor); o.unjudged != "" {
			return o
		}
	}
	need := c.plan.Need
	need.Parts = append(slices.Clone(need.Parts), o.level.Need(c.Model.Mesh.Dim, need).Parts...)
	if need.Total() > b.Limit.Bytes {
		o.unjudged = "for memory is short for a run on another"
		return o
	}
	l := &builder{level: o.level}
	l.Builder = solid.On(b.Builder, b.Case, &l.doc)
	var others []*part
	if others, o.model = l.mechanics(); o.model == nil || l.Any() {
		o.model, o.unjudged = nil, fmt.Sprintf("for there is no other: %v", l.Err())
		return o
	}
	if o.level == solid.Fine && c.Options.Scheme == elastic.CentralDifference {
		o.substeps = 2 // whose step is bounded by the size of the elements
	}
	c.plan.Need = need
	for k, x := range list {
		own, nodes := x.Shared(x.solid.Mesh, others[k].solid.Mesh, o.level)
		o.own, o.nodes = append(o.own, x.numbers(own)...), append(o.nodes, others[k].numbers(nodes)...)
	}
	touches := map[int]bool{}
	for _, k := range c.Model.Contacts {
		touches[k.Node] = true
	}
	if len(touches) > 0 {
		own, nodes := o.own, o.nodes
		o.own, o.nodes = nil, nil
		for k, i := range own {
			if touches[i] {
				o.own, o.nodes = append(o.own, i), append(o.nodes, nodes[k])
			}
		}
	}
	return o
}

// adaptiveSteps stand for those that a run will choose.
const adaptiveSteps = 1000

// Quantities that the meshes are compared by.
const (
	movedMass = iota
	kineticEnergy
	elasticEnergy
	normalImpulse
	tangentImpulse
	displacement
	dissipation
	// What others are compared with.
	wholeEnergy
	energyChange
	wholeWay
)

// Shares of others below which a quantity is judged as if it had that share: of friction beside
// pressure, of rounding.
const (
	leastShare = 1e-2
	rounding   = 1e-9
	// rebound: who moves with a body at the start sees 2v of one that is thrown back, and four
	// times its energy.
	rebound = 0.25
)

// compared lists them.
func (c *Case) compared() []refinement.Quantity {
	const (
		energies = "energies"
		forces   = "forces of contact"
	)
	list := []refinement.Quantity{
		movedMass: {Group: energies, Name: "mass that moves along an axis"},
		kineticEnergy: {Group: energies, Name: "kinetic energy beside the first motion",
			Like: []int{wholeEnergy, energyChange}, Share: rounding},
		elasticEnergy:  {Group: energies, Name: "elastic energy", Like: []int{energyChange}, Share: rebound},
		normalImpulse:  {Group: forces, Name: "impulse along the normals"},
		tangentImpulse: {Group: forces, Name: "impulse along the first tangents", Like: []int{normalImpulse}, Share: leastShare},
		displacement:   {Group: "displacements", Name: "root mean square", Like: []int{wholeWay}, Share: rounding},
	}
	if len(c.Model.Contacts) == 0 {
		list[normalImpulse].Group, list[tangentImpulse].Group = energies, energies // none
	}
	if c.friction() > 0 {
		list = append(list, refinement.Quantity{Group: "dissipation", Name: "dissipation", Like: []int{energyChange}, Taken: true})
	}
	return list
}

// startBeside makes the run on the other mesh at t = 0, or goes on with it.
func (r *Run) startBeside(ctx context.Context, from *besideState) (err error) {
	o := &r.c.other
	if o.model == nil {
		return nil
	}
	options := r.c.Options
	options.Step /= float64(o.substeps)
	x := &beside{}
	if x.stepper, err = elastic.New(ctx, o.model, options); err != nil {
		if ctx.Err() != nil {
			return err
		}
		x.follower.Estimate.Ended = err.Error()
	}
	if r.beside = x; x.stepper == nil {
		return nil
	}
	if from != nil {
		x.follower = from.Follower
		return x.stepper.LoadContext(ctx, &from.Stepper)
	}
	f := &x.follower
	f.Mass = [2][]float64{translations(r.stepper), translations(x.stepper)}
	f.V0 = r.stepper.Momentum()
	for c := range f.V0 {
		if m := f.Mass[0][c]; m > 0 {
			f.V0[c] /= m
		} else {
			f.V0[c] = 0
		}
	}
	return nil
}

// translations are the masses of those of the body [kg], 0 where it has none.
func translations(s *elastic.Stepper) []float64 {
	mass := make([]float64, s.Mesh().Dim)
	modes, _, _ := s.RigidMass()
	for _, m := range modes {
		if axis, found := strings.CutPrefix(m.Mode, "translation along "); found {
			mass[axis[0]-'x'] = m.Used
		}
	}
	return mass
}

// follow takes the other run along a step of the own one. A step that was begun is ended, for a
// checkpoint is between two.
func (r *Run) follow(ctx context.Context, before float64) {
	x := r.beside
	if x == nil || x.follower.Estimate.Ended != "" {
		return
	}
	if err := r.stepBeside(context.WithoutCancel(ctx), before); err != nil {
		x.follower.Estimate.Ended = err.Error()
		return
	}
	f, h := &x.follower, r.Time()-before
	for k, s := range []*elastic.Stepper{r.stepper, x.stepper} {
		n, along := s.Resultant()
		f.Impulses[k][0] += n * h
		f.Impulses[k][1] += along * h
	}
}

// stepBeside makes the steps of the other run.
func (r *Run) stepBeside(ctx context.Context, before float64) error {
	s, t := r.beside.stepper, r.Time()
	switch g := r.c.plan.Grid(); {
	case r.steps.Chosen():
		h, ok := dynamics.DyadicStep(r.c.plan.Stretches(), before, t)
		if !ok {
			h = t - before
		}
		return s.Advance(ctx, h, t)
	case !g.Equal():
		k := g.Node(before) + 1
		return s.Advance(ctx, g.Length(k), g.Time(k))
	}
	for range r.c.other.substeps {
		if err := s.Step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// observe compares the two runs at a node.
func (r *Run) observe() {
	x := r.beside
	if x == nil || x.follower.Estimate.Ended != "" {
		return
	}
	e, t := &x.follower.Estimate, r.Time()
	one, two := r.stepper.Energies(), x.stepper.Energies()
	moves := [2]float64{x.motion(0, one.Kinetic, r.stepper), x.motion(1, two.Kinetic, x.stepper)}
	for c, m := range x.follower.Mass[0] { // contact nodes have none along their normals
		e.Observe(movedMass, 0, math.Abs(m-x.follower.Mass[1][c]), m)
	}
	e.Observe(kineticEnergy, t, math.Abs(moves[0]-moves[1]), moves[0])
	e.Observe(elasticEnergy, t, math.Abs(one.Elastic-two.Elastic), one.Elastic)
	i := &x.follower.Impulses
	e.Observe(normalImpulse, t, math.Abs(i[0][0]-i[1][0]), math.Abs(i[0][0]))
	e.Observe(tangentImpulse, t, math.Abs(i[0][1]-i[1][1]), math.Abs(i[0][1]))
	apart, size, way := r.apart(t)
	e.Observe(displacement, t, apart, size)
	taken, taken2 := r.stepper.Balance().Dissipation, x.stepper.Balance().Dissipation
	e.Observe(dissipation, t, math.Abs(taken-taken2), taken)
	e.Bear(borne(r.stepper, len(r.c.Model.Contacts)))
	e.Bear(borne(x.stepper, len(r.c.other.model.Contacts)))
	e.Observe(wholeEnergy, t, 0, one.Kinetic+one.Elastic)
	e.Observe(energyChange, t, 0, moves[0]+one.Elastic)
	e.Observe(wholeWay, t, 0, way)
}

// borne adds up friction and normal reactions of a number of nodes in contact, without their
// directions [N].
func borne(s *elastic.Stepper, nodes int) (friction, normal float64) {
	for k := range nodes {
		r, along := s.Reactions(k), 0.0
		for _, x := range r[1:] {
			along = math.Hypot(along, x)
		}
		friction, normal = friction+along, normal+r[0]
	}
	return friction, normal
}

// motion is the kinetic energy of a mesh seen by who moves with the body at the start: what a body
// that flies has in any case hides nothing, and the verdict is that of all who look.
func (x *beside) motion(mesh int, kinetic float64, s *elastic.Stepper) float64 {
	f := &x.follower
	for c, p := range s.Momentum() {
		kinetic += f.V0[c] * (f.V0[c]*f.Mass[mesh][c]/2 - p)
	}
	return math.Max(kinetic, 0)
}

// apart is the root mean square of the distances of the nodes that are compared, that of their ways
// beside the first motion, and the whole way [m].
func (r *Run) apart(t float64) (apart, size, way float64) {
	x, o := r.beside, &r.c.other
	x.u, x.u2 = r.stepper.Displacement(x.u), x.stepper.Displacement(x.u2)
	dim := r.c.Model.Mesh.Dim
	for k, i := range o.own {
		for c := range dim {
			u := x.u[dim*i+c]
			d := u - x.u2[dim*o.nodes[k]+c]
			apart += d * d
			way += u * u
			d = u - x.follower.V0[c]*t
			size += d * d
		}
	}
	n := float64(max(1, len(o.own)))
	return math.Sqrt(apart / n), math.Sqrt(size / n), math.Sqrt(way / n)
}

// save returns what a checkpoint holds.
func (x *beside) save() *besideState {
	if x == nil || x.stepper == nil {
		return nil
	}
	s := &besideState{Follower: x.follower}
	x.stepper.Save(&s.Stepper)
	return s
}

// mesh judges that of the case.
func (r *Run) mesh() []table.Fact {
	o := &r.c.other
	if r.beside == nil {
		return o.unsaid()
	}
	return r.beside.follower.Estimate.Facts(r.c.compared(), o.level.Factor(), r.c.plan.Accuracy, o.level.Against(), refinement.FinerMesh)
}

// unsaid is the fact of a mesh that is given, or that nothing judges.
func (o *other) unsaid() []table.Fact { return refinement.Unsaid(o.unjudged == "", o.unjudged) }
