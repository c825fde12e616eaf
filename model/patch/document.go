package patch

import (
	"context"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/model/facts"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// document is a case of the models compliant and theta, key by key.
type document struct {
	world.Document
	Friction map[string]slipLawDocument `json:"friction"`
	Patches  map[string]patchDocument   `json:"patches"`
	Contacts []meetingDocument          `json:"contacts"`
	Form     string                     `json:"form"`
	Theta    float64                    `json:"theta"`
	Boundary *boundaryDocument          `json:"boundary"`
}

// Case is a case of the models compliant and theta made ready to run.
type Case struct {
	World    *bodies.World
	Q0, V0   []float64
	IDs      []string // names of the bodies
	Options  dynamics.Options
	Boundary *target // nil: an initial-value problem
	Contacts []namedContact
	// Obstacles are the names of the obstacles, pairFriction the friction where all
	// pairs of bodies may meet.
	Obstacles    []string
	pairFriction friction

	plan    run.Plan
	spare   *facts.Spare[dynamics.Stepper]
	file    *casefile.Case
	theta   bool // the model theta
	names   []string
	mu      []float64
	columns map[element]int
}

// Plan returns what all cases have.
func (c *Case) Plan() *run.Plan { return &c.plan }

// namedContact is a declared contact: where its patches lie among the keys.
type namedContact struct {
	Name     string // "body/obstacle" or "body/body"
	Body     int
	Other    int // −1: an obstacle
	Obstacle int // −1: a body
	Key      int // of the first patch
	Features int // patches
	Elements int // of each patch
	friction
	Rigid bool // its patches have no springs
}

// facets returns those of the friction pyramids of all contacts; 0: some cone is exact,
// or they differ.
func (c *Case) facets() int {
	n := 0
	for i := range c.Contacts {
		if f := c.Contacts[i].Facets; i == 0 {
			n = f
		} else if f != n {
			return 0
		}
	}
	return n
}

// compliant reports whether a patch has springs.
func (c *Case) compliant() bool {
	return slices.ContainsFunc(c.Contacts, func(x namedContact) bool { return !x.Rigid })
}

// worn reports whether the friction of a contact depends on its place or speed.
func (c *Case) worn() bool {
	return slices.ContainsFunc(c.Contacts, func(x namedContact) bool { return x.Field != nil || x.Slip != nil })
}

// build makes a case ready to run.
func build(ctx context.Context, k *casefile.Case) (run.Case, error) {
	b := &builder{factor: 1}
	common := casefile.NewBuilder(ctx, k, &b.doc)
	c := b.model(common)
	if err := common.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

// builder makes the model of one case; faults are collected.
type builder struct {
	*world.Builder
	doc    document
	factor float64 // on all compliances; 0 makes rigid patches

	patch        map[string]*dynamics.Patch // by patch and friction
	contacts     []namedContact
	everyTwo     bool
	pairFriction friction
	frictions    map[string]friction
	obstacles    *casefile.Declared[int]
	laws         *casefile.Declared[friction]
	patches      *casefile.Declared[patchDocument]
}

func (b *builder) model(common *casefile.Builder) *Case {
	d := &b.doc
	c := &Case{Options: b.scheme(), file: common.Case, theta: d.Model == "theta"}
	c.Options.Limit, c.Options.Until = common.Limit, d.Until
	steps, chosen := common.Steps(&d.Document.Document)
	c.Options.Chosen = chosen
	if chosen && d.Boundary != nil {
		common.Add(casefile.Path{"boundary"}, "found it without \"steps\" (or \"step\"): the search for v(0) integrates in equal steps")
	}
	if !b.build(common) {
		return nil
	}
	b.Driven(d.Boundary != nil, len(d.Friction) > 0)
	if _, v := b.World.Start(); d.Boundary != nil && slices.ContainsFunc(v, func(x float64) bool { return x != 0 }) {
		common.Note("$.bodies: velocities at the start are guesses alone: \"boundary\" says what they have to reach")
	}
	c.World, c.IDs, c.Contacts = b.World, b.IDs, b.contacts
	c.Obstacles, c.pairFriction = b.Builder.Obstacles(), b.pairFriction
	c.World.Name(c.IDs, c.Obstacles)
	c.Q0, c.V0 = b.World.Start()
	c.names, c.mu, c.columns = elementColumns(c.Contacts)
	c.plan = run.NewPlan(common, &d.Document.Document, steps)
	c.plan.Adaptive, c.plan.Expect, c.plan.Layout = chosen, b.expectations(), c.tables().Layout()
	c.plan.Resolve(common)
	c.Boundary = b.target(&c.plan)
	if d.Theta == 1 && slices.ContainsFunc(c.Contacts, func(x namedContact) bool { return x.Rigid }) {
		b.Add(casefile.Path{"theta"}, "found 1, want less for rigid patches: no force of the step could close a gap")
	}
	if b.Any() {
		return nil
	}
	s, err := c.stepper(c.V0)
	if err != nil {
		if !b.Exceeded(nil, err) {
			b.Add(nil, "%v", err)
		}
		return nil
	}
	c.plan.Need = s.Need()
	if c.Boundary == nil { // which begins at another velocity
		c.spare = facts.NewSpare(s)
	}
	return c
}

// stepper returns one that begins at a velocity.
func (c *Case) stepper(v0 []float64) (*dynamics.Stepper, error) {
	return c.spare.Take(func() (*dynamics.Stepper, error) {
		o := c.Options
		o.Tolerance = tolerance
		return dynamics.NewStepper(c.World, c.Q0, v0, o)
	})
}

// build makes the world; false after a fault.
func (b *builder) build(common *casefile.Builder) bool {
	if b.Builder = world.New(common, &b.doc.Document); b.World != nil {
		b.meetings()
		b.loads()
	}
	return !b.Any()
}

// loads gives the world those at points of bodies, once all bodies are sound.
func (b *builder) loads() {
	if list := b.Loads(); !b.Any() {
		for i := range list {
			b.Accept(casefile.Path{"loads", i}, b.World.Push(list[i]))
		}
	}
}

// softened makes the world anew with all compliances times a factor, or with rigid patches
// for a factor of 0; the data have passed once.
func (c *Case) softened(ctx context.Context, factor float64) (*bodies.World, error) {
	b := &builder{factor: factor}
	common := casefile.NewBuilder(ctx, c.file, &b.doc)
	b.build(common)
	return b.World, common.Err()
}

// scheme reads what chooses the stepper.
func (b *builder) scheme() dynamics.Options {
	if b.doc.Model == "theta" {
		return dynamics.Options{ImplicitForce: true, Theta: b.doc.Theta}
	}
	return dynamics.Options{VelocityForm: b.doc.Form == "velocity"}
}

// tables describes the files.
func (c *Case) tables() *bodyview.Columns {
	return &bodyview.Columns{World: c.World, IDs: c.IDs, Obstacles: c.Obstacles, Elements: c.names,
		Pairs: c.World.EveryPair(), Certificates: table.ColumnsOf[certificate]()}
}
