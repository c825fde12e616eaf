package casefile

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/table"
)

// motionDocument is a case of the models compliant and theta, key by key.
type motionDocument struct {
	Name        string                     `json:"name"`
	Description string                     `json:"description"`
	Model       string                     `json:"model"`
	Until       float64                    `json:"until"`
	Steps       *float64                   `json:"steps"`
	Step        *float64                   `json:"step"`
	Dimension   *float64                   `json:"dimension"`
	Gravity     []float64                  `json:"gravity"`
	Obstacles   map[string]planeDocument   `json:"obstacles"`
	Friction    map[string]slipLawDocument `json:"friction"`
	Patches     map[string]patchDocument   `json:"patches"`
	Bodies      []rigidBodyDocument        `json:"bodies"`
	Contacts    []meetingDocument          `json:"contacts"`
	Form        string                     `json:"form"`
	Theta       float64                    `json:"theta"`
	Boundary    *boundaryDocument          `json:"boundary"`
	Expect      []motionExpectDocument     `json:"expect"`
	Output      outputDocument             `json:"output"`
}

type planeDocument struct {
	Point  []float64 `json:"point"`
	Normal []float64 `json:"normal"`
}

// Motion is a case of the models compliant and theta made ready to run.
type Motion struct {
	Model    string
	World    *bodies.World
	Q0, V0   []float64
	IDs      []string // names of the bodies
	Until    float64
	Steps    int
	Options  dynamics.Options
	Boundary *Target // nil: an initial-value problem
	Every    int     // write every n-th step
	Format   table.Format
	Expect   []MotionExpectation
	Contacts []NamedContact
	// Obstacles are the names of the half-spaces, PairMu the friction coefficient
	// where all pairs of bodies may meet.
	Obstacles []string
	PairMu    float64
	// Rebuild makes the world and the start anew with all compliances times a
	// factor, or with rigid patches for a factor of 0.
	Rebuild func(factor float64) (*bodies.World, error)
}

// NamedContact is a declared contact: where its patches lie among the keys.
type NamedContact struct {
	Name     string // "body/obstacle" or "body/body"
	Body     int
	Other    int // −1: an obstacle
	Obstacle int // −1: a body
	Key      int // of the first patch
	Features int // patches
	Elements int // of each patch
	Mu       float64
	Facets   int  // of its friction pyramid; 0: the exact cone
	Rigid    bool // its patches have no springs
}

// Facets returns those of the friction pyramids of all contacts; 0: some cone is exact,
// or they differ.
func (m *Motion) Facets() int {
	n := 0
	for i := range m.Contacts {
		if f := m.Contacts[i].Facets; i == 0 {
			n = f
		} else if f != n {
			return 0
		}
	}
	return n
}

// H returns the step [s].
func (m *Motion) H() float64 { return m.Until / float64(m.Steps) }

// Compliant reports whether a patch has springs.
func (m *Motion) Compliant() bool {
	for i := range m.Contacts {
		if !m.Contacts[i].Rigid {
			return true
		}
	}
	return false
}

// BuildMotion makes the model of a case of the models compliant and theta. An
// error is an [*Error] that lists all faults found.
func (c *Case) BuildMotion() (*Motion, error) {
	f := &faults{file: c.File, data: c.text()}
	if c.Model != "compliant" && c.Model != "theta" {
		f.add(path{"model"}, "found %q, want a case of the model compliant or theta here", c.Model)
		return nil, f.err()
	}
	b := &motionBuilder{builder: newBuilder(f, &energeticDocument{Until: c.motion.Until, Steps: c.motion.Steps, Step: c.motion.Step}), doc: &c.motion, dim: 3, factor: 1}
	m := b.model()
	if err := f.err(); err != nil {
		return nil, err
	}
	return m, nil
}

// motionBuilder makes the model of one case; faults are collected.
type motionBuilder struct {
	*builder
	doc    *motionDocument
	dim    int
	factor float64 // on all compliances; 0 makes rigid patches

	world    *bodies.World
	body     map[string]int
	obstacle map[string]int
	patch    map[string]*dynamics.Patch // by patch and friction
	contacts []NamedContact
	everyTwo bool
	pairMu   float64
}

func (b *motionBuilder) model() *Motion {
	d := b.doc
	m := &Motion{Model: d.Model, Until: d.Until, Steps: b.stepCount(), Every: d.Output.every(), Format: d.Output.format()}
	m.Options = b.scheme()
	if !b.build() {
		return nil
	}
	m.World, m.IDs, m.Contacts = b.world, b.ids, b.contacts
	m.Obstacles, m.PairMu = b.obstacles(), b.pairMu
	m.Q0, m.V0 = b.world.Start()
	m.Boundary = b.target(m.Steps)
	m.Expect = b.motionExpectations()
	m.Rebuild = func(factor float64) (*bodies.World, error) { return rebuild(b.file, b.data, d, factor) }
	if b.doc.Theta == 1 && slices.ContainsFunc(m.Contacts, func(c NamedContact) bool { return c.Rigid }) {
		b.add(path{"theta"}, "found 1, want less for rigid patches: no force of the step could close a gap")
	}
	if b.any() {
		return nil
	}
	if _, err := dynamics.NewStepper(m.World, m.Q0, m.V0, m.Options); err != nil {
		b.add(nil, "%v", err)
	}
	return m
}

// stepCount is steps without the adaptive partition, which is quasi-static.
func (b *motionBuilder) stepCount() int {
	if b.doc.Steps == nil && b.doc.Step == nil {
		b.add(nil, "the key \"steps\" (or \"step\") is missing")
		return 1
	}
	return b.steps()
}

// build makes the world; false after a fault.
func (b *motionBuilder) build() bool {
	if b.doc.Dimension != nil {
		b.dim = int(*b.doc.Dimension)
	}
	gravity, _ := b.vec(path{"gravity"}, b.doc.Gravity)
	world, err := bodies.NewWorld(b.dim, gravity)
	if err != nil {
		b.add(path{"gravity"}, "%v", err)
		return false
	}
	b.world = world
	b.planes()
	b.rigidBodies()
	b.meetings()
	return !b.any()
}

// rebuild repeats build with other compliances; the data have passed once.
func rebuild(file string, data []byte, d *motionDocument, factor float64) (*bodies.World, error) {
	f := &faults{file: file, data: data}
	b := &motionBuilder{builder: newBuilder(f, &energeticDocument{}), doc: d, dim: 3, factor: factor}
	b.build()
	return b.world, f.err()
}

// scheme reads what chooses the stepper.
func (b *motionBuilder) scheme() dynamics.Options {
	if b.doc.Model == "theta" {
		return dynamics.Options{ImplicitForce: true, Theta: b.doc.Theta}
	}
	return dynamics.Options{VelocityForm: b.doc.Form == "velocity"}
}

// vec reads a vector of the dimension of the case; nothing is zero.
func (b *motionBuilder) vec(p path, v []float64) (x [3]float64, ok bool) {
	if v == nil {
		return x, true
	}
	if len(v) != b.dim {
		b.add(p, "found %d numbers, want %d, the dimension", len(v), b.dim)
		return x, false
	}
	copy(x[:], v)
	return x, true
}

func (b *motionBuilder) planes() {
	b.obstacle = map[string]int{}
	for _, name := range sortedKeys(b.doc.Obstacles) {
		p := path{"obstacles", name}
		d := b.doc.Obstacles[name]
		point, ok := b.vec(p.with("point"), d.Point)
		normal, ok2 := b.vec(p.with("normal"), d.Normal)
		if !ok || !ok2 {
			continue
		}
		i, err := b.world.AddHalfSpace(point, normal)
		if err != nil {
			b.add(p.with("normal"), "%v", err)
			continue
		}
		b.obstacle[name] = i
	}
}

// obstacles returns the names of the half-spaces by their numbers.
func (b *motionBuilder) obstacles() []string {
	names := make([]string, len(b.obstacle))
	for name, i := range b.obstacle {
		names[i] = name
	}
	return names
}

// find looks up a name and suggests the nearest one.
func find[T any](b *builder, p path, name, kind string, m map[string]T) (v T, ok bool) {
	if v, ok = m[name]; ok {
		return v, true
	}
	valid := sortedKeys(m)
	text := fmt.Sprintf("unknown %s %q", kind, abbreviate(name))
	switch guess := nearest.Word(name, valid); {
	case len(valid) == 0:
		text += fmt.Sprintf(": the case has no %s", kind)
	case guess != "":
		text += fmt.Sprintf(", the nearest valid one is %q", guess)
	default:
		text += fmt.Sprintf(", want for instance %q", valid[0])
	}
	b.add(p, "%s", text)
	return v, false
}

// oneOrMore decodes a string or a list of strings.
func (b *motionBuilder) oneOrMore(p path, raw json.RawMessage) (list []string, at []path) {
	if len(raw) > 0 && raw[0] == '"' {
		var one string
		b.decode(p, raw, &one)
		return []string{one}, []path{p}
	}
	b.decode(p, raw, &list)
	for i := range list {
		at = append(at, p.with(i))
	}
	return list, at
}
