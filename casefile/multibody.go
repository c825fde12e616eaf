package casefile

import (
	"cmp"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/table"
)

// multibodyDocument is a case of the model rigid: keys of its own and those of
// the other dynamic models.
type multibodyDocument struct {
	motionDocument
	Friction  map[string]materialDocument `json:"friction"`
	Material  string                      `json:"material"`
	Contacts  []pairDocument              `json:"contacts"`
	Joints    []jointDocument             `json:"joints"`
	Springs   []springDocument            `json:"springs"`
	Alpha     *float64                    `json:"alpha"`
	Gamma     *float64                    `json:"gamma"`
	Facets    *float64                    `json:"facets"`
	Grid      string                      `json:"grid"`
	Stabilise string                      `json:"stabilise"`
	Jacobians string                      `json:"jacobians"`
	Scheme    string                      `json:"scheme"`
	Law       string                      `json:"restitution_law"`
	Settle    bool                        `json:"settle"`
	Speed     float64                     `json:"restitution_speed"`
	Pointed   *bool                       `json:"pointedness"`
	Expect    []multibodyExpectDocument   `json:"expect"`
}

type materialDocument struct {
	Mu          float64 `json:"mu"`
	Restitution float64 `json:"restitution"`
}

type pairDocument struct {
	Body     *string   `json:"body"`
	Obstacle *string   `json:"obstacle"`
	Between  *[]string `json:"between"`
	Friction *string   `json:"friction"`
	Apart    bool      `json:"apart"`
}

type jointDocument struct {
	ID    string    `json:"id"`
	Type  string    `json:"type"`
	Body  string    `json:"body"`
	To    *string   `json:"to"`
	At    []float64 `json:"at"`
	Other []float64 `json:"other"`
	Axis  []float64 `json:"axis"`
}

type springDocument struct {
	Type      string    `json:"type"`
	Body      string    `json:"body"`
	To        *string   `json:"to"`
	At        []float64 `json:"at"`
	Other     []float64 `json:"other"`
	Stiffness float64   `json:"stiffness"`
	Damping   float64   `json:"damping"`
	Rest      float64   `json:"rest"`
}

// Multibody is a case of the model rigid made ready to run.
type Multibody struct {
	World   *bodies.World
	Model   *rigid.Model
	Options rigid.Options
	Q0      []float64
	Mu      float64 // of the default material, for pictures
	IDs     []string
	// Obstacles are the names of the half-spaces.
	Obstacles []string
	Until     float64
	Steps     int
	Every     int
	Format    table.Format
	Expect    []MultibodyExpectation
}

// Facets returns those of the friction cones in space; 0: they are exact.
func (m *Multibody) Facets() int {
	if m.Options.Friction == rigid.ExactCone {
		return 0
	}
	return m.Options.Facets
}

// H returns the step [s].
func (m *Multibody) H() float64 { return m.Until / float64(m.Steps) }

// BuildMultibody makes the model of a case of the model rigid. An error is an
// [*Error] that lists all faults found.
func (c *Case) BuildMultibody() (*Multibody, error) {
	f := &faults{file: c.File, data: c.text()}
	if c.Model != "rigid" {
		f.add(path{"model"}, "found %q, want a case of the model rigid here", c.Model)
		return nil, f.err()
	}
	d := &c.multibody
	b := &multibodyBuilder{doc: d, motionBuilder: &motionBuilder{
		builder: newBuilder(f, &energeticDocument{Until: d.Until, Steps: d.Steps, Step: d.Step}), doc: &d.motionDocument, dim: 3, factor: 1}}
	m := b.model()
	if err := f.err(); err != nil {
		return nil, err
	}
	return m, nil
}

type multibodyBuilder struct {
	*motionBuilder
	doc   *multibodyDocument
	setup rigid.Setup
}

func (b *multibodyBuilder) model() *Multibody {
	d := b.doc
	m := &Multibody{Until: d.Until, Steps: b.stepCount(), Every: d.Output.every(), Format: d.Output.format(), Options: b.scheme()}
	if !b.build() {
		return nil
	}
	m.World, m.IDs, m.Obstacles = b.world, b.ids, b.obstacles()
	m.Q0, _ = b.world.Start()
	b.materials()
	b.joints()
	b.springs()
	b.setup.Names, b.setup.HalfSpaces = m.IDs, m.Obstacles
	m.Mu = b.setup.Material.Mu
	m.Expect = b.multibodyExpectations()
	if b.any() {
		return nil
	}
	var err error
	if m.Model, err = rigid.NewModel(b.world, b.setup); err == nil {
		_, err = rigid.NewStepper(m.Model, m.Options)
	}
	if err != nil {
		b.add(nil, "%v", err)
	}
	return m
}

// scheme reads what chooses the stepper.
func (b *multibodyBuilder) scheme() rigid.Options {
	d := b.doc
	o := rigid.Options{Unstabilised: d.Stabilise == "none", Pointedness: d.Pointed == nil || *d.Pointed, RestitutionSpeed: d.Speed}
	o.Impact = map[string]rigid.Impact{"": rigid.NewtonImpact, "newton": rigid.NewtonImpact, "moreau": rigid.MoreauImpact, "poisson": rigid.PoissonImpact, "sequential": rigid.SequentialImpact}[d.Law]
	o.Settle = d.Settle
	if d.Alpha != nil {
		o.Alpha = *d.Alpha
	}
	if d.Gamma != nil {
		o.Gamma, o.ExplicitGamma = *d.Gamma, true
	}
	if d.Facets != nil {
		o.Friction, o.Facets = rigid.Polyhedron, int(*d.Facets)
	}
	// The paper's weights and its drift are those of its scheme.
	if d.Scheme == "gavrea" || d.Scheme == "" && (o.Unstabilised || o.ExplicitGamma && o.Gamma != cmp.Or(o.Alpha, 1)) {
		o.Scheme = rigid.Gavrea
	}
	o.Grid = map[string]rigid.Grid{"": rigid.CollisionGrid, "collisions": rigid.CollisionGrid, "fixed": rigid.FixedGrid, "gaps": rigid.GapGrid}[d.Grid]
	o.Jacobians = map[string]rigid.Jacobians{"": rigid.ExactJacobians, "exact": rigid.ExactJacobians, "definite": rigid.DefiniteJacobians, "none": rigid.NoJacobians}[d.Jacobians]
	if err := o.Validate(); err != nil {
		b.add(nil, "%v", err)
	}
	return o
}

func (b *multibodyBuilder) material(p path, name string) rigid.Material {
	x, _ := find(b.builder, p, name, "friction", b.doc.Friction)
	return rigid.Material{Mu: x.Mu, Restitution: x.Restitution}
}

// materials reads what surfaces do where they meet.
func (b *multibodyBuilder) materials() {
	s := &b.setup
	s.Pairs, s.Apart = map[[2]int]rigid.Material{}, map[[2]int]bool{}
	taken := map[[2]int]int{}
	if b.doc.Material != "" {
		s.Material = b.material(path{"material"}, b.doc.Material)
	}
	for i := range b.doc.Contacts {
		d, p := &b.doc.Contacts[i], path{"contacts", i}
		pair, ok := b.pair(p, d)
		if first, twice := taken[pair]; ok && twice {
			b.add(p, "the pair is that of $.contacts[%d], want each pair once", first)
		}
		if ok {
			taken[pair] = i
		}
		switch {
		case (d.Friction != nil) == d.Apart:
			b.add(p, "want either \"friction\" or \"apart\": true")
		case !ok:
		case d.Apart:
			s.Apart[pair] = true
		default:
			s.Pairs[pair] = b.material(p.with("friction"), *d.Friction)
		}
	}
}

func (b *multibodyBuilder) pair(p path, d *pairDocument) (pair [2]int, ok bool) {
	switch {
	case d.Between != nil && d.Body == nil && d.Obstacle == nil:
		i, ok := find(b.builder, p.with("between", 0), (*d.Between)[0], "body", b.body)
		j, ok2 := find(b.builder, p.with("between", 1), (*d.Between)[1], "body", b.body)
		if ok && ok2 && i == j {
			b.add(p.with("between", 1), "found %q twice, want two bodies", (*d.Between)[1])
		}
		return [2]int{min(i, j), max(i, j)}, ok && ok2 && i != j
	case d.Between == nil && d.Body != nil && d.Obstacle != nil:
		i, ok := find(b.builder, p.with("body"), *d.Body, "body", b.body)
		o, ok2 := find(b.builder, p.with("obstacle"), *d.Obstacle, "obstacle", b.obstacle)
		return [2]int{i, -1 - o}, ok && ok2
	}
	b.add(p, "want either \"body\" and \"obstacle\", or \"between\"")
	return pair, false
}

// to returns the other body of a joint, −1 for the ground.
func (b *multibodyBuilder) to(p path, name *string) int {
	if name == nil {
		return -1
	}
	i, _ := find(b.builder, p.with("to"), *name, "body", b.body)
	return i
}

var jointKinds = map[string]rigid.Kind{"revolute": rigid.Revolute, "spherical": rigid.Spherical, "prismatic": rigid.Prismatic,
	"slider": rigid.Slider, "distance": rigid.Distance, "fixed": rigid.Fixed}

func (b *multibodyBuilder) joints() {
	taken := map[string]int{}
	for i := range b.doc.Joints {
		d, p := &b.doc.Joints[i], path{"joints", i}
		if first, twice := taken[d.ID]; twice && d.ID != "" {
			b.add(p.with("id"), "the id %q is taken by $.joints[%d], want an id of its own", d.ID, first)
		}
		taken[d.ID] = i
		b.idle(p, d)
		j := rigid.Joint{Name: d.ID, Kind: jointKinds[d.Type], B: b.to(p, d.To)}
		j.A, _ = find(b.builder, p.with("body"), d.Body, "body", b.body)
		j.At, _ = b.vec(p.with("at"), d.At)
		j.Other, _ = b.vec(p.with("other"), d.Other)
		j.Axis, _ = b.vec(p.with("axis"), d.Axis)
		b.setup.Joints = append(b.setup.Joints, j)
	}
}

// idle objects to keys that have no effect on a joint of its type.
func (b *multibodyBuilder) idle(p path, d *jointDocument) {
	turns := d.Type == "revolute" && b.dim == 3 || d.Type == "prismatic" || d.Type == "slider"
	if d.Axis != nil && !turns {
		b.add(p.with("axis"), "the key \"axis\" has no effect on %s joint in %d dimensions", article(d.Type), b.dim)
	}
	if d.Other != nil && d.Type != "distance" {
		b.add(p.with("other"), "the key \"other\" has no effect on %s joint", article(d.Type))
	}
}

func (b *multibodyBuilder) springs() {
	for i := range b.doc.Springs {
		d, p := &b.doc.Springs[i], path{"springs", i}
		a, ok := find(b.builder, p.with("body"), d.Body, "body", b.body)
		to := b.to(p, d.To)
		if !ok || b.any() {
			continue
		}
		if d.Type == "twist" {
			if d.At != nil || d.Other != nil {
				b.add(p, "the keys \"at\" and \"other\" have no effect on a twist")
			}
			if b.dim != 2 || !b.world.Spins(a) || to >= 0 && !b.world.Spins(to) {
				b.add(p.with("type"), "a twist is between bodies of the plane that turn")
				continue
			}
			b.setup.Forces = append(b.setup.Forces, &rigid.Twist{A: a, B: to, Stiffness: d.Stiffness, Damping: d.Damping, Rest: d.Rest})
			continue
		}
		s := &rigid.Spring{A: a, B: to, Stiffness: d.Stiffness, Damping: d.Damping, RestLength: d.Rest}
		s.AtA, _ = b.vec(p.with("at"), d.At)
		s.AtB, _ = b.vec(p.with("other"), d.Other)
		b.setup.Forces = append(b.setup.Forces, s)
	}
}
