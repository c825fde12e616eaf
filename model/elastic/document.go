package elastic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/model/facts"
	"github.com/quasistatic/quasistatic/model/obstacle"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/signal"
)

// document is a case of the model, key by key.
type document struct {
	casefile.Document
	Obstacles map[string]struct {
		casefile.PlaneDocument
		Motion *obstacle.MotionDocument `json:"motion"`
	} `json:"obstacles"`
	Friction map[string]struct {
		world.SlipDocument
		Mu json.RawMessage `json:"mu"`
	} `json:"friction"`
	Mass     string         `json:"mass"`
	Inertia  string         `json:"inertia"`
	Scheme   string         `json:"scheme"`
	Method   string         `json:"method"`
	Velocity []float64      `json:"velocity"`
	Spin     []float64      `json:"spin"`
	Bodies   []bodyDocument `json:"bodies"`
	Solver   struct {
		Memory casefile.MemoryDocument `json:"memory"`
	} `json:"solver"`
	Solid // the keys of an elastic body
}

// Solid has the keys of an elastic body.
type Solid = solid.Document

// Case is a case of the model made ready to run.
type Case struct {
	Model   *elastic.Model
	Options elastic.Options
	plan    run.Plan
	spare   *facts.Spare[elastic.Stepper]
	doubles bool  // the error of its steps is estimated, by others of other lengths …
	twins   int64 // … which need so much memory [byte]
	other   other

	supports [][]int   // nodes of each expectation of a reaction
	met      []metNode // contacts with other bodies
}

// Plan returns what all cases have.
func (c *Case) Plan() *run.Plan { return &c.plan }

// friction returns the largest coefficient of a contact.
func (c *Case) friction() float64 {
	mu := 0.0
	for _, m := range c.Model.Friction {
		mu = max(mu, m)
	}
	return mu
}

var (
	inertias = map[string]elastic.Inertia{"": elastic.Modified, "modified": elastic.Modified,
		"redistributed": elastic.Redistributed, "standard": elastic.Standard}
	masses  = map[string]fem.MassKind{"": fem.Consistent, "consistent": fem.Consistent, "lumped": fem.Lumped}
	schemes = map[string]elastic.Scheme{"": elastic.Trapezoidal, "trapezoidal": elastic.Trapezoidal,
		"central difference": elastic.CentralDifference}
	methods = map[string]elastic.Method{"": elastic.Newton, "newton": elastic.Newton, "fixed point": elastic.Picard}
)

// build makes a case ready to run.
func build(ctx context.Context, k *casefile.Case) (run.Case, error) {
	b := &builder{}
	b.Builder = casefile.NewBuilder(ctx, k, &b.doc)
	b.SetLimit(b.doc.Solver.Memory)
	c := b.model()
	if err := b.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

type builder struct {
	*casefile.Builder
	doc   document
	level solid.Level // of the meshes
}

func (b *builder) model() *Case {
	d := &b.doc
	steps, chosen := b.Steps(&d.Document)
	list, m := b.mechanics()
	if m == nil {
		return nil
	}
	c := &Case{Model: m, met: metNodes(m), Options: elastic.Options{Limit: b.Limit, Until: d.Until, Step: d.Until / float64(steps),
		Scheme: schemes[d.Scheme], Method: methods[d.Method]}}
	b.checkDriven(list)
	if chosen && c.Options.Scheme == elastic.CentralDifference && !b.Any() {
		steps = b.stableSteps(c, d.Until)
		c.Options.Step, chosen = d.Until/float64(steps), false
	}
	c.plan = run.NewPlan(b.Builder, &d.Document, steps)
	for _, x := range list {
		c.plan.Foreseen = append(c.plan.Foreseen, x.solid.Locking(x.ID)...)
	}
	c.plan.Adaptive, c.plan.Expect, c.plan.Layout, c.plan.Subject = chosen, b.expectations(c), layout(m), "node "
	if c.Options.Scheme == elastic.CentralDifference {
		c.plan.ResolveEqually(b.Builder)
	} else {
		c.plan.Resolve(b.Builder)
	}
	c.Options.Step = c.plan.Step()
	if b.Any() {
		return nil
	}
	stepper, err := elastic.New(context.Background(), m, c.Options)
	switch {
	case err == nil:
		c.spare = facts.NewSpare(stepper)
		c.plan.Need = stepper.Need()
		need := stepper.NeedVariable()
		if c.twins = need.Total(); chosen {
			c.plan.Need = need
		} else if c.doubles = c.Options.Scheme == elastic.Trapezoidal && need.Total() <= b.Limit.Bytes; c.doubles {
			c.plan.Need = need
		}
		c.other = b.other(c, list)
	case !b.Exceeded(casefile.Path{"mesh"}, err):
		b.Add(b.optionPath(err), "%v", err)
	}
	return c
}

// mechanics decodes the bodies with their contacts; nil after a fault.
func (b *builder) mechanics() ([]*part, *elastic.Model) {
	list := b.parts()
	if list == nil || b.Any() || !b.decode(list) {
		return nil, nil
	}
	m := b.assemble(list)
	if m != nil {
		b.contacts(list, m)
	}
	return list, m
}

// stepper returns one at t = 0.
func (c *Case) stepper(ctx context.Context) (*elastic.Stepper, error) {
	return c.spare.Take(func() (*elastic.Stepper, error) { return elastic.New(ctx, c.Model, c.Options) })
}

// stableSteps returns the least number of equal steps for which central differences are
// proven to be stable.
func (b *builder) stableSteps(c *Case, until float64) int {
	o := c.Options
	o.Step = until * 1e-9 // whose stability is not asked
	s, err := elastic.New(context.Background(), c.Model, o)
	if err != nil {
		return casefile.LeastSteps // told where the model is made
	}
	return b.StepCount(casefile.Path{"scheme"}, min(s.Certificate().StableStep, until/casefile.LeastSteps), until)
}

// optionPath is the key that an error of [elastic.New] is about.
func (b *builder) optionPath(err error) casefile.Path {
	option, ok := errors.AsType[*elastic.OptionError](err)
	switch {
	case !ok:
		return nil
	case option.Option == "step" && b.doc.Steps != nil:
		return casefile.Path{"steps"}
	}
	return casefile.Path{option.Option}
}

// motion returns that of an obstacle; nil: at rest.
func (b *builder) motion(name string, d *obstacle.MotionDocument, dim int) *signal.Motion {
	if d == nil {
		return nil
	}
	p := casefile.Path{"obstacles", name, "motion"}
	if dim < 3 && d.Rotation != nil {
		b.Add(p.With("rotation"), "found a rotation, which turns the obstacle out of its plane, want a translation")
		return nil
	}
	var m signal.Motion
	obstacle.ReadMotion(b.Builder, p, d, dim, &m)
	return &m
}

// checkDriven reports bodies that nothing moves: at rest, without a load, and all signals zero.
func (b *builder) checkDriven(list []*part) {
	drives := len(b.Signals) > 0
	for _, x := range list {
		drives = drives || slices.ContainsFunc(slices.Concat(x.Velocity, x.Spin), func(v float64) bool { return v != 0 }) || !zero(x.solid.BodyForce)
		for _, t := range x.solid.Tractions {
			drives = drives || !zero(t.Force)
		}
		for _, l := range x.solid.Lids {
			drives = drives || slices.ContainsFunc(l.Loads, func(n solid.Nodal) bool { return n.Factor.At(0) != 0 })
		}
		for _, m := range x.solid.Prescribed {
			drives = drives || m.Motion.At(0) != 0
		}
		if x.solid.Mesh.Dim == 1 && x.Poisson != 0 {
			b.Note("%s has no effect: a bar is stretched along its axis alone", x.at.With("poisson"))
		}
	}
	if !drives && !b.Any() {
		b.Note("nothing moves: there is no velocity, no body force, no traction, no motion that is prescribed, and no obstacle that moves")
	}
}

// zero reports whether a load that does not change is none.
func zero(load signal.Vector) bool {
	return !slices.ContainsFunc(load, func(s signal.Scalar) bool { return s.At(0) != 0 })
}

// friction decodes a law: the coefficient, the largest one where it depends on slip.
func (b *builder) friction(p casefile.Path, d *world.SlipDocument, mu json.RawMessage) (float64, friction.Law) {
	slip := world.Slip(b.Builder, p, d, mu, nil)
	switch slip.(type) {
	case nil:
	case friction.Jump:
		b.Add(p, "%v", elastic.ErrJump)
		return 0, nil
	default:
		_, most := slip.Bounds()
		return most, slip
	}
	var number float64
	if mu == nil && !b.Any() {
		b.Add(p, "want a coefficient \"mu\", or one over the speed of slip")
	} else if mu != nil && mu[0] != '[' && json.Unmarshal(mu, &number) != nil {
		b.Add(p.With("mu"), "nodes of elastic bodies have a coefficient that does not change with time, want a number")
	}
	return number, nil
}

// contacts declares the contact nodes; the first contact of a node counts, and obstacles before other bodies.
func (b *builder) contacts(list []*part, m *elastic.Model) {
	taken := map[int]*solid.Contact{}
	entry := "an entry of \"contact\" with it"
	obstacles := casefile.Declare(b.Builder, casefile.Path{"obstacles"}, "obstacle", entry, b.doc.Obstacles)
	laws := casefile.Declare(b.Builder, casefile.Path{"friction"}, "friction", entry, b.doc.Friction).Spare()
	for _, met := range []bool{false, true} {
		for _, x := range list {
			var smooth []string
			for k := range x.Contact {
				t, p := &x.Contact[k], x.at.With("contact", k)
				if (t.Body != "") != met {
					continue
				}
				var l law
				if !t.Tied && solid.Rubs(t, laws.Len(), &smooth) {
					if doc, found := laws.Find(p.With("friction"), *t.Friction); found {
						l.mu, l.slip = b.friction(casefile.Path{"friction", *t.Friction}, &doc.SlipDocument, doc.Mu)
					}
				}
				if met {
					b.meet(m, list, x, k, l, taken)
					continue
				}
				g, ok := solid.Group(b.Builder, p.With("group"), x.solid.Mesh, t.Group)
				o, known := obstacles.Find(p.With("obstacle"), t.Obstacle)
				if !ok || !known {
					continue
				}
				var nodes []int
				for _, i := range g.Corners() {
					if taken[i+x.first] == nil && x.solid.Tie(i) == nil {
						taken[i+x.first] = t
						nodes = append(nodes, i)
					}
				}
				if len(nodes) == 0 {
					b.Add(p, "it has no effect: all nodes of its group are those of entries before, or move as others by \"periodic\", which bear contact for them")
					continue
				}
				if len(x.solid.Lids) > 0 && !x.solid.CheckFree(b.Builder, p, x.solid.InLids(nodes)) {
					continue
				}
				nodesInContact, err := fem.Contacts(x.solid.Mesh, nodes, fem.HalfSpace{Point: o.Point, Normal: o.Normal})
				if !b.Accept(p, err) {
					continue
				}
				nearest := slices.MinFunc(nodesInContact, func(a, b fem.ContactNode) int { return cmp.Compare(a.Gap, b.Gap) })
				motion := b.overlapping(p, b.motion(t.Obstacle, o.Motion, m.Mesh.Dim), t.Interference(b.Builder, p), 1, &nearest,
					x.solid.Mesh, t.Obstacle)
				for i := range nodesInContact {
					nodesInContact[i].Node += x.first
				}
				touch(m, nodesInContact, l, motion)
			}
			solid.NoteSmooth(b.Builder, x.at, smooth)
		}
	}
	for _, x := range list {
		b.checkImages(m, x, taken)
	}
	if !slices.ContainsFunc(m.Slip, func(l friction.Law) bool { return l != nil }) {
		m.Slip = nil
	}
	if !slices.ContainsFunc(m.Motions, func(s *signal.Motion) bool { return s != nil }) {
		m.Motions = nil // all at rest
	}
}

// checkImages wants images of nodes in contact with an obstacle that are in contact with it too.
func (b *builder) checkImages(m *elastic.Model, x *part, taken map[int]*solid.Contact) {
	contacts := map[int]int{}
	for k := range m.Contacts {
		contacts[m.Contacts[k].Node] = k
	}
	for k, c := range x.Contact {
		for _, i := range x.solid.Mesh.Groups[c.Group].Corners() {
			t := x.solid.Tie(i)
			if t == nil || c.Obstacle == "" {
				continue
			}
			its, normal, p := "", [3]float64{}, x.at.With("contact", k)
			if touch := taken[t.Image+x.first]; touch != nil {
				at := contacts[t.Image+x.first]
				its, normal = touch.Obstacle, m.Contacts[at].Frame[m.Mesh.Dim-1]
				if motion := m.Motions[at]; motion != nil && motion.Angle != nil {
					b.Add(p, "%q turns, and is not the same at node %d and its image by \"periodic\": want one that shifts", c.Obstacle, i)
					return
				}
			}
			if !x.solid.CheckTied(b.Builder, p, t, normal, c.Obstacle, its) {
				return
			}
		}
	}
}
