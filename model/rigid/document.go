package rigid

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/model/facts"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// document is a case of the model, key by key.
type document struct {
	world.Document
	Friction  map[string]materialDocument `json:"friction"`
	Material  string                      `json:"material"`
	Contacts  []pairDocument              `json:"contacts"`
	Joints    []jointDocument             `json:"joints"`
	Springs   []springDocument            `json:"springs"`
	Sensors   []casefile.SensorDocument   `json:"sensors"`
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
	Symmetry  string                      `json:"symmetry"`
	Pressure  string                      `json:"pressure"`
	Pointed   *bool                       `json:"pointedness"`
}

type materialDocument struct {
	world.SlipDocument
	Mu          json.RawMessage    `json:"mu"`
	Map         *world.MapDocument `json:"map"`
	Grain       []float64          `json:"grain"`
	GrainOf     string             `json:"grain_of"`
	Restitution *float64           `json:"restitution"`
	resistanceDocument
}

type pairDocument struct {
	Body     *string   `json:"body"`
	Obstacle *string   `json:"obstacle"`
	Between  *[]string `json:"between"`
	Friction *string   `json:"friction"`
	Apart    bool      `json:"apart"`
}

type jointDocument struct {
	ID         string           `json:"id"`
	Type       multibody.Kind   `json:"type"`
	Body       string           `json:"body"`
	To         *string          `json:"to"`
	At         []float64        `json:"at"`
	Other      []float64        `json:"other"`
	Axis       []float64        `json:"axis"`
	Motor      *motorDocument   `json:"motor"`
	Limits     *limitsDocument  `json:"limits"`
	TurnLimits *limitsDocument  `json:"turn_limits"`
	Friction   float64          `json:"friction"`
	Bearing    *bearingDocument `json:"bearing"`
	Damping    float64          `json:"damping"`
	Numbers    map[string]float64
}

// UnmarshalJSON takes the numbers of all kinds of joints by their keys.
func (d *jointDocument) UnmarshalJSON(data []byte) error {
	type plain jointDocument
	if err := json.Unmarshal(data, (*plain)(d)); err != nil {
		return err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return err
	}
	d.Numbers = map[string]float64{}
	for key := range multibody.JointNumbers() {
		if text, ok := keys[key]; ok {
			var x float64
			if err := json.Unmarshal(text, &x); err != nil {
				return err
			}
			d.Numbers[key] = x
		}
	}
	return nil
}

type springDocument struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	Body      string    `json:"body"`
	To        *string   `json:"to"`
	At        []float64 `json:"at"`
	Other     []float64 `json:"other"`
	Stiffness float64   `json:"stiffness"`
	Damping   float64   `json:"damping"`
	Rest      float64   `json:"rest"`
}

// Case is a case of the model made ready to run.
type Case struct {
	World     *bodies.World
	Model     *multibody.Model
	Origin    [3]float64 // from which World and Model have their places, see [world.Builder] [m]
	Options   rigid.Options
	law       string // of impact
	setup     multibody.Setup
	Q0        []float64
	Mu        float64 // of all contacts, for pictures; 0: they differ, or there is none
	IDs       []string
	Obstacles []string                 // names of the half-spaces
	others    []string                 // see seconds
	motors    map[int]*multibody.Motor // by joints
	springs   []multibody.Force        // as in the case
	sensors   casefile.Sensors         // columns of sensors.csv
	height    float64                  // potential energy that all bodies have at the inner origin [J]
	framed    bool                     // of some body origin and axes are not centre of mass and principal axes
	plan      run.Plan
	spare     *facts.Spare[rigid.Stepper]
}

// Plan returns what all cases have.
func (c *Case) Plan() *run.Plan { return &c.plan }

// stepper returns one at t = 0.
func (c *Case) stepper(ctx context.Context) (*rigid.Stepper, error) {
	return c.spare.Take(func() (*rigid.Stepper, error) { return rigid.NewStepperContext(ctx, c.Model, c.Options) })
}

// potentialAt is the potential energy of all bodies at a point of the case [J].
func (c *Case) potentialAt(x [3]float64) (energy float64) {
	g := c.World.Gravity()
	for b := range c.IDs {
		mass, _ := c.World.Inertia(b)
		for k := range c.World.Dim() {
			energy -= mass * g[k] * x[k]
		}
	}
	return energy
}

// outside is a point from the origin of the case; without an inner one −0 stays −0.
func (c *Case) outside(x [3]float64) [3]float64 {
	if c.Origin == [3]float64{} {
		return x
	}
	return vec3.Add(x, 1, c.Origin)
}

// lifted is a potential energy from the origin of the case.
func (c *Case) lifted(energy float64) float64 {
	if c.height == 0 {
		return energy
	}
	return energy + c.height
}

// facets returns those of the friction cones in space; 0: they are exact.
func (c *Case) facets() int {
	if c.Options.Friction == rigid.ExactCone {
		return 0
	}
	return c.Options.Facets
}

// columns describes the files.
func (c *Case) columns() *bodyview.Columns {
	return &bodyview.Columns{World: c.World, Rigid: c.Model, Origin: c.Origin, IDs: c.IDs, Obstacles: c.seconds(),
		Elements: c.IDs, Certificates: table.ColumnsOf[certificate](), Sensors: c.sensors.Columns(), SensorUnits: c.sensorUnits()}
}

// build makes a case ready to run.
func build(ctx context.Context, k *casefile.Case) (run.Case, error) {
	b := &builder{}
	common := casefile.NewBuilder(ctx, k, &b.doc)
	c := b.model(ctx, common)
	if err := common.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

type builder struct {
	*world.Builder
	doc     document
	setup   multibody.Setup
	motors  map[int]*multibody.Motor // by joints
	springs []multibody.Force        // as in the case

	friction  *casefile.Declared[materialDocument]
	obstacles *casefile.Declared[int]
	fixed     *casefile.Declared[bodies.Solid]
}

func (b *builder) model(ctx context.Context, common *casefile.Builder) *Case {
	d := &b.doc
	b.Builder = &world.Builder{Builder: common}
	steps, chosen := common.Steps(&d.Document.Document)
	c := &Case{Options: b.scheme(chosen), law: cmp.Or(d.Law, "newton")}
	c.Options.Memory, c.Options.Until, c.Options.Chosen = common.Limit.Bytes, d.Until, chosen
	if b.Builder = world.NewNear(common, &d.Document); b.Any() {
		return nil
	}
	c.World, c.Origin, c.IDs, c.Obstacles = b.World, b.Origin, b.IDs, b.Builder.Obstacles()
	c.Q0, _ = b.World.Start()
	for i := range c.IDs {
		c.framed = c.framed || c.World.Framed(i)
	}
	b.friction = casefile.Declare(common, casefile.Path{"friction"}, "friction",
		"\"material\" or an entry of \"contacts\" with it", d.Friction).Spare()
	b.declareObstacles(common)
	b.materials()
	b.joints()
	b.tie()
	for _, push := range b.Loads() {
		b.setup.Forces = append(b.setup.Forces, (*multibody.Push)(&push))
	}
	b.setup.Names, b.setup.HalfSpaces, b.setup.Origin = c.IDs, c.Obstacles, c.Origin
	b.symmetry()
	b.pressure(&c.Options)
	b.MeetObstacles(func(body, obstacle int) bool {
		apart := b.setup.Apart[[2]int{body, -1 - obstacle}]
		return apart || !b.obstacles.Has(c.Obstacles[obstacle]) && !b.fixed.Has(c.Obstacles[obstacle])
	})
	b.idleMaterials()
	b.idleMoments()
	b.idleRestitution()
	driven := slices.ContainsFunc(d.Joints, func(j jointDocument) bool { return j.Motor != nil })
	b.Driven(driven || len(b.setup.Forces) > 0, len(d.Friction) > 0)
	if len(d.Friction) == 1 && !b.setup.Material.Varies() && b.setup.Material.Grain == nil {
		c.Mu = b.setup.Material.Mu
	}
	expect := b.expectations()
	c.sensors = b.Sensors(b.doc.Sensors, b.Quantities(measured.Quantities()), b.Dim, b.subject)
	c.Options.Instants = len(expect) > 0
	if b.Any() {
		return nil
	}
	var err error
	var s *rigid.Stepper
	if c.Model, err = multibody.NewModel(b.World, b.setup); err == nil {
		s, err = rigid.NewStepperContext(ctx, c.Model, c.Options)
	}
	if err != nil {
		b.Add(b.faultOf(err), "%v", err)
		return nil
	}
	b.idleSettle(s)
	b.brokenStart(s)
	if b.Any() {
		return nil
	}
	c.spare, c.setup, c.motors, c.springs = facts.NewSpare(s), b.setup, b.motors, b.springs
	c.height = c.potentialAt(c.Origin)
	c.plan = run.NewPlan(common, &d.Document.Document, steps)
	c.plan.Adaptive, c.plan.Expect, c.plan.Layout, c.plan.Need = chosen, expect, c.columns().Layout(), s.Need()
	c.plan.Resolve(common)
	return c
}

// faultOf is the place of a body that overlaps with one before it or an obstacle, of a joint, or of
// the friction of a pair that has no map; else the whole case.
func (b *builder) faultOf(err error) casefile.Path {
	if overlap, ok := errors.AsType[*rigid.OverlapError](err); ok {
		return casefile.Path{"bodies", b.At[max(overlap.Body, overlap.Other)], "position"}
	}
	if joint, ok := errors.AsType[*multibody.JointError](err); ok {
		return casefile.Path{"joints", joint.Joint}
	}
	var e *multibody.FieldError
	if !errors.As(err, &e) {
		return nil
	}
	for i := range b.doc.Contacts {
		if pair, _ := b.pair(casefile.Path{"contacts", i}, &b.doc.Contacts[i]); pair == e.Pair {
			return casefile.Path{"contacts", i, "friction"}
		}
	}
	return casefile.Path{"material"}
}

// scheme reads what chooses the stepper, of a case whose steps are chosen or given. Chosen ones are
// those of the scheme of second order, which takes a tenth and less of those of α = 1, see
// docs/lab/verdicts.md; on the gap grid only α = 1 has a meaning.
func (b *builder) scheme(chosen bool) rigid.Options {
	d := b.doc
	o := rigid.Options{Unstabilised: d.Stabilise == "none", Pointedness: d.Pointed == nil || *d.Pointed, RestitutionSpeed: d.Speed}
	o.Impact = map[string]rigid.Impact{"": rigid.NewtonImpact, "newton": rigid.NewtonImpact,
		"moreau": rigid.MoreauImpact, "poisson": rigid.PoissonImpact, "sequential": rigid.SequentialImpact}[d.Law]
	o.Settle = d.Settle
	switch {
	case d.Alpha != nil:
		o.Alpha = *d.Alpha
	case chosen && d.Gamma == nil && d.Grid != "gaps":
		o.Alpha = 0.5
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
	o.Grid = map[string]rigid.Grid{"": rigid.CollisionGrid, "collisions": rigid.CollisionGrid, "fixed": rigid.FixedGrid,
		"gaps": rigid.GapGrid}[d.Grid]
	o.Jacobians = map[string]multibody.Jacobians{"": multibody.ExactJacobians, "exact": multibody.ExactJacobians,
		"definite": multibody.DefiniteJacobians, "none": multibody.NoJacobians}[d.Jacobians]
	switch err := o.Validate(); {
	case o.Grid == rigid.GapGrid && o.Alpha != 0 && o.Alpha != 1:
		b.Add(casefile.Path{"alpha"}, "found %g, want 1 with \"grid\": \"gaps\": a weighted velocity would rebound", o.Alpha)
	case o.Scheme == rigid.Secant && o.ExplicitGamma && o.Gamma != cmp.Or(o.Alpha, 1):
		b.Add(casefile.Path{"gamma"}, "found %g, want that of \"alpha\", %g: only \"scheme\": \"gavrea\" has them apart",
			o.Gamma, cmp.Or(o.Alpha, 1))
	case err != nil:
		b.Add(nil, "%v", err)
	}
	return o
}

func (b *builder) material(p casefile.Path, name string) (m multibody.Material) {
	x, ok := b.friction.Find(p, name)
	if !ok {
		return multibody.Material{}
	}
	if x.Restitution != nil {
		m.Restitution = *x.Restitution
	}
	path := casefile.Path{"friction", name}
	defer func() { b.resistance(path, &x.resistanceDocument, &m) }()
	if b.idleGrain(path, &x); x.Grain != nil {
		m.Mu, m.Grain = b.grain(path, &x)
		return m
	}
	if m.Slip = world.Slip(b.Builder.Builder, path, &x.SlipDocument, x.Mu, x.Map); m.Slip == nil && !b.Any() {
		m.Mu, m.Over, m.Field = b.Friction(path, x.Mu, x.Map)
	}
	if m.Slip != nil && b.doc.Grid == "gaps" {
		b.Add(path, "friction that depends on the speed of slip cannot be taken with \"grid\": \"gaps\": impacts are part of its steps, in which friction is not in proportion to h")
	}
	return m
}

// materials reads what surfaces do where they meet.
func (b *builder) materials() {
	s := &b.setup
	s.Pairs, s.Apart = map[[2]int]multibody.Material{}, map[[2]int]bool{}
	taken := map[[2]int]int{}
	if b.doc.Material != "" {
		s.Material = b.material(casefile.Path{"material"}, b.doc.Material)
	}
	for i := range b.doc.Contacts {
		d, p := &b.doc.Contacts[i], casefile.Path{"contacts", i}
		pair, ok := b.pair(p, d)
		if first, twice := taken[pair]; ok && twice {
			b.Add(p, "the pair is that of $.contacts[%d], want each pair once", first)
		}
		if ok {
			taken[pair] = i
		}
		switch {
		case (d.Friction != nil) == d.Apart:
			b.Add(p, "want either \"friction\" or \"apart\": true")
		case !ok:
		case d.Apart:
			s.Apart[pair] = true
		default:
			s.Pairs[pair] = b.material(p.With("friction"), *d.Friction)
		}
	}
}

func (b *builder) pair(p casefile.Path, d *pairDocument) (pair [2]int, ok bool) {
	switch {
	case d.Between != nil && d.Body == nil && d.Obstacle == nil:
		i, ok := b.either(p.With("between", 0), (*d.Between)[0])
		j, ok2 := b.either(p.With("between", 1), (*d.Between)[1])
		if ok && ok2 && i < 0 && j < 0 {
			b.Add(p, "both bodies are fixed, and never meet")
		}
		if i < 0 || j < 0 {
			return [2]int{max(i, j), min(i, j)}, ok && ok2
		}
		if ok && ok2 && i == j {
			b.Add(p.With("between", 1), "found %q twice, want two bodies", (*d.Between)[1])
		}
		return [2]int{min(i, j), max(i, j)}, ok && ok2 && i != j
	case d.Between == nil && d.Body != nil && d.Obstacle != nil:
		i, ok := b.FindBody(p.With("body"), *d.Body)
		o, ok2 := b.FindObstacle(p.With("obstacle"), *d.Obstacle)
		return [2]int{i, -1 - o}, ok && ok2
	}
	b.Add(p, "want either \"body\" and \"obstacle\", or \"between\"")
	return pair, false
}

// to returns the other body of a joint, −1 for the ground, of which fixed bodies are part.
func (b *builder) to(p casefile.Path, name *string) int {
	if name == nil {
		return -1
	}
	if b.fixed.Has(*name) {
		if b.World.Moving(b.Obstacle[*name]) {
			b.Add(p.With("to"), "%q is moved as told: no joint or spring can hold it", casefile.Abbreviate(*name))
		}
		return -1
	}
	i, _ := b.FindBody(p.With("to"), *name)
	return i
}

// either finds a body, or a fixed one as −1 − its obstacle.
func (b *builder) either(p casefile.Path, name string) (int, bool) {
	if _, fixed := b.Fixed[name]; fixed {
		return -1 - b.Obstacle[name], true
	}
	return b.FindBody(p, name)
}

// declareObstacles keeps which obstacles and fixed bodies have an effect.
func (b *builder) declareObstacles(common *casefile.Builder) {
	obstacles, place := maps.Clone(b.Obstacle), map[string]int{}
	for i := range b.doc.Bodies {
		if id := b.doc.Bodies[i].ID; b.doc.Bodies[i].Fixed {
			delete(obstacles, id)
			place[id] = i
		}
	}
	b.obstacles = casefile.Declare(common, casefile.Path{"obstacles"}, "obstacle", "a body that is not \"apart\" from it", obstacles)
	b.fixed = casefile.Declare(common, casefile.Path{"bodies"}, "fixed body",
		"a body that is not \"apart\" from it, or a joint or spring to it", b.Fixed).In(place)
}

func (b *builder) joints() {
	taken := map[string]int{}
	for i := range b.doc.Joints {
		d, p := &b.doc.Joints[i], casefile.Path{"joints", i}
		if first, twice := taken[d.ID]; twice && d.ID != "" {
			b.Add(p.With("id"), "the id %q is taken by $.joints[%d], want an id of its own", d.ID, first)
		}
		taken[d.ID] = i
		b.idle(p, d)
		j := multibody.Joint{Name: d.ID, Kind: d.Type, Numbers: d.Numbers, B: b.to(p, d.To)}
		j.A, _ = b.Moving(p.With("body"), d.Body)
		if d.To != nil && b.fixed.Has(*d.To) {
			b.setup.Apart[[2]int{j.A, -1 - b.Obstacle[*d.To]}] = true // as two bodies of a joint
		}
		j.At, _ = b.Place(p.With("at"), d.At)
		if d.Type.Needs("other", b.Dim) {
			j.Other, _ = b.Place(p.With("other"), d.Other)
		}
		j.Axis, _ = b.Vec(p.With("axis"), d.Axis)
		j.Ranges, j.Brakes = b.ranges(p, d), b.brakes(p, d)
		b.setup.Joints = append(b.setup.Joints, j)
		b.damp(p.With("damping"), d.Damping, &j)
		if d.Motor != nil && !b.Any() {
			b.motor(p.With("motor"), d.Motor, i, &j)
		}
	}
}

// idle objects to keys that have no effect on a joint of its type, and to those that it misses.
func (b *builder) idle(p casefile.Path, d *jointDocument) {
	given := map[string]bool{"axis": d.Axis != nil, "other": d.Other != nil}
	for key := range multibody.JointNumbers() {
		_, given[key] = d.Numbers[key]
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		switch needs := d.Type.Needs(key, b.Dim); {
		case given[key] && !needs:
			b.Add(p.With(key), "the key %q has no effect on %s joint in %d dimensions", key, casefile.Article(string(d.Type)), b.Dim)
		case !given[key] && needs && key != "other": // which is the origin
			b.Add(p, "the key %q is missing, which %s joint needs", key, casefile.Article(string(d.Type)))
		}
	}
	if d.Axis != nil && !slices.ContainsFunc(d.Axis, func(x float64) bool { return x != 0 }) {
		b.Add(p.With("axis"), "found zeros, want a direction")
	}
	if kinds := multibody.Kinds(b.Dim); !slices.Contains(kinds, d.Type) {
		b.Add(p.With("type"), "found %q, in %d dimensions want one of %q", d.Type, b.Dim, kinds)
	}
	if d.To != nil && *d.To == d.Body {
		b.Add(p.With("to"), "found %q twice, want two bodies", d.Body)
	}
}

func (b *builder) tie() {
	taken := map[string]int{}
	for i := range b.doc.Springs {
		d, p := &b.doc.Springs[i], casefile.Path{"springs", i}
		if first, twice := taken[d.ID]; twice && d.ID != "" {
			b.Add(p.With("id"), "the id %q is taken by $.springs[%d], want an id of its own", d.ID, first)
		}
		taken[d.ID] = i
		a, ok := b.Moving(p.With("body"), d.Body)
		to := b.to(p, d.To)
		if ok && to == a {
			b.Add(p.With("to"), "found %q twice, want two bodies", d.Body)
		}
		if !ok || b.Any() {
			continue
		}
		if d.Stiffness == 0 && d.Damping == 0 {
			b.Note("%s has no effect: it has neither stiffness nor damping", p)
		}
		if d.Type == "twist" {
			if d.At != nil || d.Other != nil {
				b.Add(p, "the keys \"at\" and \"other\" have no effect on a twist")
			}
			if b.Dim != 2 || !b.World.Spins(a) || to >= 0 && !b.World.Spins(to) {
				b.Add(p.With("type"), "a twist is between bodies of the plane that turn")
				continue
			}
			b.spring(&multibody.Twist{A: a, B: to, Stiffness: d.Stiffness, Damping: d.Damping, Rest: d.Rest})
			continue
		}
		s := &multibody.Spring{A: a, B: to, Stiffness: d.Stiffness, Damping: d.Damping, RestLength: d.Rest}
		s.AtA, _ = b.Vec(p.With("at"), d.At)
		s.AtA = b.World.OnAxes(a, s.AtA)
		switch s.AtB, _ = b.Vec(p.With("other"), d.Other); {
		case to >= 0:
			s.AtB = b.World.OnAxes(to, s.AtB)
		case d.To != nil:
			s.AtB = b.Fixed[*d.To].Place(s.AtB)
		default:
			s.AtB, _ = b.Place(p.With("other"), d.Other)
		}
		b.spring(s)
	}
}

func (b *builder) spring(f multibody.Force) {
	b.setup.Forces, b.springs = append(b.setup.Forces, f), append(b.springs, f)
}
