package casefile

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/table"
)

// elasticDocument is a case of the model elastodynamic, key by key.
type elasticDocument struct {
	Name        string                     `json:"name"`
	Description string                     `json:"description"`
	Until       float64                    `json:"until"`
	Steps       *float64                   `json:"steps"`
	Step        *float64                   `json:"step"`
	Obstacles   map[string]planeDocument   `json:"obstacles"`
	Friction    map[string]slipLawDocument `json:"friction"`
	Mass        string                     `json:"mass"`
	Inertia     string                     `json:"inertia"`
	Scheme      string                     `json:"scheme"`
	Method      string                     `json:"method"`
	Velocity    []float64                  `json:"velocity"`
	Output      outputDocument             `json:"output"`
	Solver      struct {
		Memory memoryDocument `json:"memory"`
	} `json:"solver"`
	Expect []elasticExpectDocument `json:"expect"`
	solidDocument
}

type elasticExpectDocument struct {
	Quantity  string   `json:"quantity"`
	Node      *float64 `json:"node"`
	Axis      *string  `json:"axis"`
	Time      *float64 `json:"time"`
	Value     *float64 `json:"value"`
	Tolerance *float64 `json:"tolerance"`
	Max       *float64 `json:"max"`
	Min       *float64 `json:"min"`
}

// Elastic is a case of the model elastodynamic made ready to run.
type Elastic struct {
	Model   *elastic.Model
	Options elastic.Options
	Until   float64
	Steps   int
	Every   int // write every n-th step
	Format  table.Format
	Expect  []Expectation
	Files   []string
	Need    memory.Estimate // the memory that a run is predicted to take
}

// Friction returns the largest coefficient of a contact.
func (e *Elastic) Friction() float64 {
	mu := 0.0
	for _, m := range e.Model.Friction {
		mu = max(mu, m)
	}
	return mu
}

var (
	inertias = map[string]elastic.Inertia{"": elastic.Modified, "modified": elastic.Modified, "redistributed": elastic.Redistributed, "standard": elastic.Standard}
	masses   = map[string]fem.MassKind{"": fem.Consistent, "consistent": fem.Consistent, "lumped": fem.Lumped}
	schemes  = map[string]elastic.Scheme{"": elastic.Trapezoidal, "trapezoidal": elastic.Trapezoidal, "central difference": elastic.CentralDifference}
	methods  = map[string]elastic.Method{"": elastic.Newton, "newton": elastic.Newton, "fixed point": elastic.Picard}
)

// BuildElastic makes the model of a case of the model elastodynamic. An error is
// an [*Error] that lists all faults found.
func (c *Case) BuildElastic() (*Elastic, error) {
	f := &faults{file: c.File, data: c.text()}
	if c.Model != "elastodynamic" {
		f.add(path{"model"}, "found %q, want a case of the model elastodynamic here", c.Model)
		return nil, f.err()
	}
	d := &c.elastic
	b := &elasticBuilder{builder: newBuilder(f, &energeticDocument{Until: d.Until, Steps: d.Steps, Step: d.Step}), doc: d}
	b.limit = c.limit(f, d.Solver.Memory)
	m := b.model()
	if err := f.err(); err != nil {
		return nil, err
	}
	return m, nil
}

type elasticBuilder struct {
	*builder
	doc *elasticDocument
}

func (b *elasticBuilder) model() *Elastic {
	d := b.doc
	steps := b.steps()
	s := b.solid(nil, &d.solidDocument, elastic.Matrices)
	if s == nil || b.any() {
		return nil
	}
	m := &elastic.Model{Mesh: s.mesh, Material: s.material, Mass: masses[d.Mass], Inertia: inertias[d.Inertia], BodyForce: s.bodyForce}
	for _, t := range s.tractions {
		m.Tractions = append(m.Tractions, elastic.Traction{Group: t.group, Force: t.force})
	}
	for _, p := range s.prescribed {
		m.Prescribed = append(m.Prescribed, elastic.Prescribed{Nodes: p.nodes, Axis: p.axis, Motion: p.motion})
	}
	b.touches(m)
	if d.Velocity != nil && len(d.Velocity) != s.mesh.Dim {
		b.add(path{"velocity"}, "found %d numbers, want %d, the dimension of the mesh", len(d.Velocity), s.mesh.Dim)
		return nil
	}
	if d.Velocity != nil {
		for range s.mesh.NumNodes() {
			m.V0 = append(m.V0, d.Velocity...)
		}
	}
	e := &Elastic{Model: m, Until: d.Until, Steps: steps, Every: d.Output.every(), Format: d.Output.format(), Files: b.files,
		Options: elastic.Options{Limit: b.limit, Step: d.Until / float64(steps), Scheme: schemes[d.Scheme], Method: methods[d.Method]}}
	e.Expect = b.elasticExpectations(s.mesh)
	if b.any() {
		return nil
	}
	stepper, err := elastic.New(context.Background(), m, e.Options)
	switch {
	case err == nil:
		e.Need = stepper.Need()
	case !b.exceeded(err):
		b.add(b.optionPath(err), "%v", err)
	}
	return e
}

// optionPath is the key that an error of [elastic.New] is about.
func (b *elasticBuilder) optionPath(err error) path {
	wrong, ok := errors.AsType[*elastic.OptionError](err)
	switch {
	case !ok:
		return nil
	case wrong.Option == "step" && b.doc.Steps != nil:
		return path{"steps"}
	}
	return path{wrong.Option}
}

// touches declares the contact nodes; the first obstacle of a node counts.
func (b *elasticBuilder) touches(m *elastic.Model) {
	taken := map[int]bool{}
	for k, t := range b.doc.Contact {
		p := path{"contact", k}
		g, ok := b.group(p.with("group"), m.Mesh, t.Group)
		o, known := find(b.builder, p.with("obstacle"), t.Obstacle, "obstacle", b.doc.Obstacles)
		mu := 0.0
		if t.Friction != nil {
			law, _ := find(b.builder, p.with("friction"), *t.Friction, "friction", b.doc.Friction)
			mu = law.Mu
		}
		if !ok || !known {
			continue
		}
		var nodes []int
		for _, i := range g.Nodes() {
			if !taken[i] {
				taken[i] = true
				nodes = append(nodes, i)
			}
		}
		list, err := fem.Contacts(m.Mesh, nodes, fem.HalfSpace{Point: o.Point, Normal: o.Normal})
		if err != nil {
			b.add(p, "%v", err)
			continue
		}
		m.Contacts = append(m.Contacts, list...)
		for range list {
			m.Friction = append(m.Friction, mu)
		}
	}
}

// elasticNeeds says which keys a quantity has: 'n' none, 'y' must, 'o' may.
var elasticNeeds = map[string]struct{ node, axis byte }{
	"displacement": {'y', 'y'}, "velocity": {'y', 'y'}, "mean_velocity": {'n', 'y'}, "kinetic_energy": {'n', 'n'},
	"elastic_energy": {'n', 'n'}, "energy": {'n', 'n'}, "work": {'n', 'n'}, "dissipation": {'n', 'n'}, "contact_work": {'n', 'n'},
	"balance_residual": {'n', 'n'}, "penetration": {'n', 'n'}, "normal_force": {'o', 'n'}, "friction_force": {'o', 'n'},
	"contacts": {'n', 'n'}, "sticking": {'n', 'n'}, "iterations": {'n', 'n'},
}

func (b *elasticBuilder) elasticExpectations(m *fem.Mesh) []Expectation {
	var list []Expectation
	for i := range b.doc.Expect {
		d := &b.doc.Expect[i]
		p := path{"expect", i}
		e := Expectation{Quantity: d.Quantity, Particle: -1, Axis: -1, Time: d.Time, Value: d.Value, Max: d.Max, Min: d.Min}
		need := elasticNeeds[d.Quantity]
		b.need(p, d.Quantity, "node", need.node, d.Node != nil)
		b.need(p, d.Quantity, "axis", need.axis, d.Axis != nil)
		if d.Axis != nil {
			if e.Axis = strings.Index("xyz", *d.Axis); e.Axis >= m.Dim {
				b.add(p.with("axis"), "found %q in a mesh of dimension %d", *d.Axis, m.Dim)
			}
		}
		if d.Node != nil {
			e.Particle, e.ID = int(*d.Node), fmt.Sprintf("node %d", int(*d.Node))
			if e.Particle >= m.NumNodes() {
				b.add(p.with("node"), "found %d, the mesh has the nodes 0 to %d", e.Particle, m.NumNodes()-1)
			}
		}
		if d.Tolerance != nil {
			e.Tolerance = *d.Tolerance
		}
		b.comparison(p, &expectDocument{Time: d.Time, Value: d.Value, Tolerance: d.Tolerance, Max: d.Max, Min: d.Min})
		list = append(list, e)
	}
	return list
}
