package energetic

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/assume"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/model/obstacle"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/table"
)

// document is a case of the model, key by key.
type document struct {
	casefile.Document
	Obstacles   map[string]obstacle.Document `json:"obstacles"`
	Friction    map[string]frictionDocument  `json:"friction"`
	Particles   []particleDocument           `json:"particles"`
	Anchors     []anchorDocument             `json:"anchors"`
	Energies    []json.RawMessage            `json:"energies"`
	Gamma       gammaDocument                `json:"gamma"`
	GammaPolicy string                       `json:"gamma_policy"`
	Threshold   string                       `json:"threshold"`
	Adaptive    *adaptiveDocument            `json:"adaptive"`
	Sensors     []casefile.SensorDocument    `json:"sensors"`
	OnJump      string                       `json:"on_jump"`
	Stability   string                       `json:"stability"`
	Equilibrate bool                         `json:"equilibrate"`
	Times       []float64                    `json:"times"`
	UntilLoss   bool                         `json:"until_loss"`
	Relinearise float64                      `json:"relinearise"`
	Steps       stepsDocument                `json:"steps"` // in place of that of casefile.Document
	Exact       bool                         `json:"exact"`
	Solution    string                       `json:"solution"`
	Solver      struct {
		Tolerance float64                 `json:"tolerance"`
		Memory    casefile.MemoryDocument `json:"memory"`
	} `json:"solver"`
}

type particleDocument struct {
	ID        string     `json:"id"`
	At        [3]float64 `json:"at"`
	Obstacle  *string    `json:"obstacle"`
	Obstacles []string   `json:"obstacles"`
	Friction  names      `json:"friction"`
	Mass      float64    `json:"mass"`
}

type anchorDocument struct {
	ID string          `json:"id"`
	At json.RawMessage `json:"at"`
}

// Case is a case of the model made ready to run.
type Case struct {
	Psi *dissipation.Coulomb
	Z0  []float64 // start, local coordinates
	At  []float64 // the same in global coordinates, as in the case
	IDs []string  // names of the particles
	// ContactIDs are the names of the contacts: those of the particles, or particle/obstacle
	// where a particle has several.
	ContactIDs []string
	Options    energetic.Options
	// Chosen: the case names no steps; they are chosen when a run starts.
	Chosen bool
	// Gammas, if not empty, are those of the continuation γ → 0; that of Options is the
	// last.
	Gammas     []float64
	Adaptive   *energetic.Adaptive // nil: equal steps
	StopAtJump bool
	UntilLoss  bool // the case expects that no equilibrium is left at some time
	// Viscous: jumps follow the path of vanishing viscosity.
	Viscous bool
	// Global: each step is a global minimiser.
	Global    bool
	Stability global.StabilityTest
	// Plane is where the run walks from event to event; nil: it makes steps.
	Plane *events.Plane
	// Exact asks for the proof in rational numbers beside.
	Exact bool
	// Scene is what pictures and files of other formats show beside the particles.
	Scene *particleview.Scene

	met []metNode
	// relinearisation is of bodies that meet; nil: their linearisation is that of the start.
	relinearisation *relinearisation
	other           other         // on the meshes that judge those of the case
	bounded         []boundedBody // whose meshes have a bound of their error; nil: some have none …
	unbounded       string        // … and why
	boundedMeetings []boundedMeeting
	quantities      []boundedQuantity // that the case expects or observes
	noQuantities    string            // why they have no bounds; empty: they have
	refined         [2]int            // elements, before and after the meshes were refined by their error; zero: they were not
	target          float64           // the least bound of the error of a mesh that was asked for; 0: none
	rational        rational
	supports        []supported // of the expectations that are of bodies
	sensors         casefile.Sensors
	ties            []*tie          // of the expectations that ask for tensions
	tied            string          // which bodies are tied to each other
	variables       [2]int          // first and end of the particles that are internal variables
	damage          map[int]float64 // of them, those that are damages of bonds, with the lengths of their ways [m]

	plan  run.Plan
	file  *casefile.Case
	times []float64 // of the nodes that were given or chosen; nil: equal steps
}

// resolves reports whether jumps have a price, and the stretches between are judged.
func (c *Case) resolves() bool { return c.Viscous || c.Global }

// Walks reports whether the run walks from event to event.
func (c *Case) Walks() bool { return c.Plane != nil }

// reduced is the system that walks, nil for steps.
func (c *Case) reduced() *events.Reduced {
	if c.Plane == nil {
		return nil
	}
	return &c.Plane.Reduced
}

// Plan returns what all cases have.
func (c *Case) Plan() *run.Plan { return &c.plan }

// smooth reports whether a contact has no friction.
func (c *Case) smooth(contact int) bool { return c.Psi.Matrices[contact] == nil }

// Time returns t_k: T·k/n of the uniform partition, or the node that was given or chosen.
func (c *Case) Time(k int) float64 {
	if c.times != nil {
		return c.times[k]
	}
	return c.plan.Time(k)
}

// build makes a case ready to run. An error is a [*casefile.Error].
func build(ctx context.Context, k *casefile.Case) (run.Case, error) {
	b := newBuilder()
	b.Builder = casefile.NewBuilder(ctx, k, &b.doc)
	b.SetLimit(b.doc.Solver.Memory)
	c := b.model()
	if err := b.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

func newBuilder() *builder {
	return &builder{particle: map[string]int{}, anchor: map[string]int{}}
}

// builder makes the model of one case.
type builder struct {
	*casefile.Builder
	doc document
	// level is the mesh on which bodies are made.
	level         solid.Level
	coarse        int                  // elements of the meshes that are refined by their error
	adapted       map[string]*fem.Mesh // by body, see adapt
	tried         bool                 // of a round of it
	surfacesGiven []bool               // of each, whether the case says so of its patches

	particle   map[string]int // number by id
	anchor     map[string]int
	ids        []string // of particles, in order
	all        []string // of particles and anchors, for suggestions
	at         []float64
	frames     []particles.Frame
	relative   []particles.Relative // of nodes that meet other bodies …
	relativeAt []casefile.Path      // … and where the case says so
	meetings   []*meeting
	met        []metNode
	moved      bool               // bodies meet where they have moved to
	stored     []particles.Energy // E
	matrices   []dissipation.Matrix
	anchors    []particles.Path // nil where at fault
	terms      terms
	nodes      []*bodyNodes // of elastic bodies, in order
	locking    []table.Fact // of them
	ties       []*tie
	supports   []supported
	plastics   []plasticElement
	adhesives  []adhesiveBond
	internals  []variable // internal variables of these, in order

	firstVariable int // number of the particle that is the first of them

	times         []float64                           // of the nodes, if they are given
	known         *casefile.Declared[particles.Frame] // obstacles
	extras        []particles.Extra                   // of particles with several obstacles
	extraName     []string                            // of their obstacles
	extraMatrices []dissipation.Matrix
	frictions     *casefile.Declared[frictionLaw]
	anchorsNamed  *casefile.Declared[int]
	bound         map[int]casefile.Path // particles that energies act on, with the first of these
	smooth        []string              // particles on an obstacle without friction, where the case has laws
	factors       []signal.Scalar       // of friction in time, by particle
	extraFactors  []signal.Scalar
	firstName     map[int]string // of the first obstacle of these particles
	shown         []particleview.Obstacle
	charts        map[*particles.Chart]int // of them, which of the shown obstacles they are of
	orders        map[int][]int            // of these, the numbers in the document: the frame's (−1: none), then those beside
}

func (b *builder) model() *Case {
	b.adapt()
	b.names()
	b.bodies()
	b.variables()
	if b.Any() {
		return nil
	}
	steps := b.steps()
	b.checkGamma()
	energies := b.mechanics()
	expect := b.Expectations(&b.doc.Document, quantities.Quantities(), 3, b.subject)
	sensors := b.Sensors(b.doc.Sensors, quantities.Quantities(), 3, b.subject)
	if b.Any() {
		return nil
	}
	psi, start := b.system(energies)
	if psi == nil {
		return nil
	}
	sys := psi.System
	options := b.options()
	need := b.plan(&options.Step, psi)
	if b.checkNeed(need); b.Any() {
		return nil
	}
	b.checkEnergy(sys, start)
	b.checkDriven(sys, start)
	b.checkPeriods(sys)
	test := b.doc.Stability
	if test == "" && b.resolves() {
		test = "convex" // a path leads to the next well, not to the deepest; global minimisers are judged at every node
	}
	stability, err := global.ParseStabilityTest(test)
	if !b.Accept(casefile.Path{"stability"}, err) {
		return nil
	}
	b.checkSolution(sys.N())
	d := &b.doc
	if d.Relinearise == 0 { // which refuses all that remembers
		b.checkSlips(psi, stability)
	}
	c := &Case{supports: b.supports, sensors: sensors, ties: b.ties, tied: b.tiedBodies(), met: b.met, Psi: psi, Z0: start, At: b.at, IDs: b.ids, ContactIDs: b.contactIDs(),
		Options: options, Scene: b.scene(sys, sensors), Gammas: d.Gamma.all,
		Exact:  d.Exact,
		Chosen: d.Steps.none() && d.Step == nil && d.Adaptive == nil && d.Times == nil, times: b.times,
		Adaptive: b.adaptive(), StopAtJump: d.OnJump == "stop", UntilLoss: d.UntilLoss,
		Viscous: d.Solution == "viscous", Global: d.Solution == "energetic", Stability: stability, file: b.Case}
	c.Options.Continuous = func(ctx context.Context) bool { return assume.Continuous(ctx, psi, start) }
	c.rational = b.rational()
	c.Plane = b.eventRoom(psi, start)
	if b.Any() {
		return nil
	}
	c.variables, c.damage = [2]int{b.firstVariable, b.firstVariable + len(b.internals)}, b.damages()
	b.idle()
	if c.relinearisation = b.relinearisation(c); c.relinearisation != nil {
		c.Scene.Relinearise = c.relinearisation.shown
	}
	if b.Any() {
		return nil
	}
	if len(b.nodes) > 0 {
		c.Scene.Areas, c.Scene.Amid, c.Scene.Indicator = b.areas(), b.amid(), c.indicator
	}
	c.plan = run.NewPlan(b.Builder, &d.Document, steps)
	c.plan.Foreseen = b.locking
	c.plan.Adaptive, c.plan.Expect, c.plan.Layout, c.plan.Need = c.Adaptive != nil, expect, c.Scene.Layout(), need
	c.seeSignals(b)
	c.other = b.other(c)
	b.bounds(c)
	c.target = target(b.nodes)
	if b.adapted != nil {
		c.refined = [2]int{b.coarse, elements(b.nodes)}
	}
	return c
}

// mechanics decodes obstacles, friction and energies.
func (b *builder) mechanics() []particles.Energy {
	b.obstacles()
	b.friction()
	b.bodyFrames()
	b.variableFrames()
	b.paths()
	return b.energies()
}

// system makes the functional Ψ and its start; nil after a fault.
func (b *builder) system(energies []particles.Energy) (*dissipation.Coulomb, []float64) {
	b.stored = energies
	if b.holdBound(); b.Any() {
		return nil, nil
	}
	var e memory.Estimate
	e.Add("what the sides that meet couple", memory.Product(perCoupling, particles.Coupled(b.frames, b.relative, energies...)))
	if b.checkNeed(e); b.Any() {
		return nil, nil
	}
	sys, err := particles.NewRelativeSystem(b.frames, b.relative, energies...)
	if err != nil {
		b.Add(nil, "%v", err)
		return nil, nil
	}
	if len(b.extras) > 0 {
		if sys, err = sys.WithExtras(b.extras, b.extent(sys)); err != nil {
			b.Add(casefile.Path{"particles"}, "%v", err)
			return nil, nil
		}
	}
	start := b.start(sys)
	if b.Any() {
		return nil, nil
	}
	return b.rubbing(sys), start
}

// rubbing is the functional Ψ of a system; nil after a fault.
func (b *builder) rubbing(sys *particles.System) *dissipation.Coulomb {
	psi, err := dissipation.New(sys, slices.Concat(b.matrices, b.extraMatrices))
	if err == nil {
		err = psi.SetFactors(slices.Concat(b.factors, b.extraFactors))
	}
	if !b.Accept(casefile.Path{"friction"}, err) {
		return nil
	}
	return psi
}

// names numbers particles and anchors; their ids share one space, since springs
// may end at either.
func (b *builder) names() {
	seen := map[string]casefile.Path{}
	claim := func(id string, p casefile.Path) bool {
		if first, twice := seen[id]; twice {
			b.Add(p, "the id %q is taken by %s, want an id of its own", id, first)
			return false
		}
		seen[id] = p[:len(p)-1]
		return true
	}
	for j, d := range b.doc.Particles {
		b.ids, b.at = append(b.ids, d.ID), append(b.at, d.At[:]...)
		if claim(d.ID, casefile.Path{"particles", j, "id"}) {
			b.particle[d.ID] = j
			b.all = append(b.all, d.ID)
		}
	}
	for i, d := range b.doc.Anchors {
		if claim(d.ID, casefile.Path{"anchors", i, "id"}) {
			b.anchor[d.ID] = i
			b.all = append(b.all, d.ID)
		}
	}
	b.anchorsNamed = casefile.Declare(b.Builder, casefile.Path{"anchors"}, "anchor", "an energy that ends at it",
		b.anchor).In(b.anchor).Spare()
}

// paths decodes the motions of the anchors.
func (b *builder) paths() {
	for i, d := range b.doc.Anchors {
		b.anchors = append(b.anchors, b.Vector(casefile.Path{"anchors", i, "at"}, d.At, 3))
	}
}

// lookup returns the number of the particle with an id, for an energy that acts on it.
func (b *builder) lookup(p casefile.Path, id string) (int, bool) {
	j, ok := b.find(p, id)
	b.bind(p, j, ok)
	return j, ok
}

// find returns the number of the particle with an id.
func (b *builder) find(p casefile.Path, id string) (int, bool) {
	j, ok := b.particle[id]
	if !ok {
		_, isAnchor := b.anchor[id]
		b.unknownID(p, id, "particle", b.ids, isAnchor)
	}
	return j, ok
}

func (b *builder) unknownID(p casefile.Path, id, kind string, valid []string, elsewhere bool) {
	switch guess := nearest.Word(id, valid); {
	case casefile.IsTemplate(id):
		b.Add(p, "unknown id %q: %s", casefile.Abbreviate(id), casefile.TemplateHint)
	case elsewhere:
		b.Add(p, "%q is not %s, want the id of one", casefile.Abbreviate(id), casefile.Article(kind))
	case guess != "":
		b.Add(p, "unknown id %q, the nearest %s is %q", casefile.Abbreviate(id), kind, guess)
	case len(valid) == 0:
		b.Add(p, "unknown id %q: the case has no %s", casefile.Abbreviate(id), kind)
	default:
		b.Add(p, "unknown id %q, want that of %s, for instance %q", casefile.Abbreviate(id), casefile.Article(kind), valid[0])
	}
}

// ends is a particle and what it is tied to: another particle, or the path of anchor −1 − j.
type ends struct {
	i, j   int
	anchor particles.Path
}

// pair looks up the two ends of a spring or bond; the particle comes first.
func (b *builder) pair(p casefile.Path, ids [2]string) (e ends, ok bool) {
	first, firstAnchor := b.anchor[ids[0]], b.anchorsNamed.Has(ids[0])
	second, secondAnchor := b.anchor[ids[1]], b.anchorsNamed.Has(ids[1])
	switch {
	case firstAnchor && secondAnchor:
		b.Add(p, "both %q and %q are anchors, want at least one particle", ids[0], ids[1])
		return e, false
	case ids[0] == ids[1]:
		b.Add(p, "both ends are %q, want two different ones", casefile.Abbreviate(ids[0]))
		return e, false
	case firstAnchor:
		e.i, ok = b.lookup(p.With(1), ids[1])
		e.anchor, e.j = b.anchors[first], -1-first
		return e, ok && e.anchor != nil
	case secondAnchor:
		e.i, ok = b.lookup(p.With(0), ids[0])
		e.anchor, e.j = b.anchors[second], -1-second
		return e, ok && e.anchor != nil
	}
	e.i, ok = b.lookupEnd(p.With(0), ids[0])
	if !ok {
		return e, false
	}
	e.j, ok = b.lookupEnd(p.With(1), ids[1])
	return e, ok
}

func (b *builder) lookupEnd(p casefile.Path, id string) (int, bool) {
	j, ok := b.particle[id]
	if !ok {
		b.unknownID(p, id, "particle or anchor", b.all, false)
	}
	b.bind(p, j, ok)
	return j, ok
}
