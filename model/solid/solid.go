// Package solid decodes elastic bodies of case files: mesh, material, loads and supports,
// which models that compute them share.
//
// The keys are those of [Document]; casefile's conventions hold.
package solid

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/signal"
)

// Document is an elastic body: the keys that the energy body and the model
// elastodynamic share.
type Document struct {
	Mesh struct {
		Block *BlockDocument `json:"block"`
		File  string         `json:"file"`
		// Groups are parts of those of the mesh, by their names.
		Groups map[string]GroupDocument `json:"groups"`
		// Accuracy, if "given", says that the mesh is part of the problem and its error is not
		// judged; a number, that the mesh is refined until the bound of its error is below that.
		Accuracy json.RawMessage `json:"accuracy"`
	} `json:"mesh"`
	Young   float64 `json:"young"`
	Poisson float64 `json:"poisson"`
	Density float64 `json:"density"`
	// Orthotropic takes the place of Young and Poisson.
	Orthotropic *OrthotropicDocument `json:"orthotropic"`
	Kinematics  string               `json:"kinematics"`
	Contact     []Contact            `json:"contact"`
	BodyForce   json.RawMessage      `json:"body_force"`
	Tractions   []TractionDocument   `json:"tractions"`
	Prescribed  []PrescribedDocument `json:"prescribed"`
	Periodic    []PeriodicDocument   `json:"periodic"`
	Lids        []LidDocument        `json:"lids"`
	// Level is the mesh that is made.
	Level Level `json:"-"`
	// Adapted takes the place of the mesh of the case, if not nil.
	Adapted *fem.Mesh `json:"-"`
	// Name is the id of the body; empty if the case has one that has none.
	Name string `json:"-"`
	// Large says that displacements may be.
	Large bool `json:"-"`
	// Faced are groups that other bodies meet.
	Faced []string `json:"-"`
}

// OrthotropicDocument is a [fem.Orthotropic].
type OrthotropicDocument struct {
	Young   []float64 `json:"young"`
	Poisson []float64 `json:"poisson"`
	Shear   []float64 `json:"shear"`
	Angle   float64   `json:"angle"`
}

// BlockDocument is a [fem.Box].
type BlockDocument struct {
	Form     string    `json:"form"`
	Corner   []float64 `json:"corner"`
	Size     []float64 `json:"size"`
	Cells    []float64 `json:"cells"`
	Grading  []float64 `json:"grading"`
	Center   []float64 `json:"center"`
	Quarters []float64 `json:"quarters"`
	Axis     string    `json:"axis"`
	Radius   float64   `json:"radius"`
	Lean     float64   `json:"lean"`
	// Element is the name of a [fem.Kind].
	Element string `json:"element"`
}

// Contact is a group of nodes that may touch an obstacle, or the group Side of another body.
type Contact struct {
	Group    string          `json:"group"`
	Obstacle string          `json:"obstacle"`
	Friction *string         `json:"friction"`
	Body     string          `json:"body"`
	Side     string          `json:"side"`
	Touching float64         `json:"touching"`
	Overlap  json.RawMessage `json:"overlap"`
	Tied     bool            `json:"tied"`
}

// TractionDocument is an entry of the key tractions.
type TractionDocument struct {
	Group    string          `json:"group"`
	Force    json.RawMessage `json:"force"`
	Pressure json.RawMessage `json:"pressure"`
	Total    json.RawMessage `json:"total"`
}

// PrescribedDocument is an entry of the key prescribed.
type PrescribedDocument struct {
	Group  string          `json:"group"`
	Axis   string          `json:"axis"`
	Motion json.RawMessage `json:"motion"`
}

// Solid is a decoded body. Loads follow the mesh's axes.
type Solid struct {
	Mesh       *fem.Mesh
	Material   fem.Elastic
	BodyForce  signal.Vector
	Tractions  []Traction
	Prescribed []Motion
	// Ties are of nodes of periodic sides, each once, that are neither prescribed nor images of others.
	Ties []Tie
	ties map[int]*Tie // by node
	// Lids are groups that move rigidly.
	Lids []Lid
}

// Traction is a load on a group of faces; of one that a pressure acts on its first component is that, see [fem.Mesh.Inward].
type Traction struct {
	Group fem.Group
	Force signal.Vector
}

// Motion prescribes nodes along an axis.
type Motion struct {
	Nodes  []int
	Axis   int // 0, 1, 2
	Motion signal.Scalar
}

// builder decodes one body.
type builder struct{ *casefile.Builder }

// Decode decodes the body at path p; nil after a fault. matrices is the number of those of
// the mesh that its model will hold.
func Decode(c *casefile.Builder, p casefile.Path, d *Document, matrices int) *Solid {
	b := &builder{c}
	s := &Solid{}
	if s.Mesh = b.mesh(p.With("mesh"), d, matrices); s.Mesh == nil {
		return nil
	}
	b.addGroups(p.With("mesh"), d, s.Mesh)
	for k, c := range d.Contact {
		if c.Body == d.Name && c.Body != "" && c.Side == c.Group {
			b.Add(p.With("contact", k, "side"), "found the group %q twice: a side of a body meets another one of it", c.Side)
		}
	}
	if d.Mesh.File != "" && !b.Any() {
		b.slits(p, d, s.Mesh)
	}
	straight := slices.Clone(d.Faced)
	for _, c := range d.Contact {
		straight = append(straight, c.Group)
	}
	for _, name := range straight {
		if g, ok := s.Mesh.Groups[name]; ok { // others are a fault of their own
			s.Mesh.StraightenEdges(g)
		}
	}
	s.Material = fem.Elastic{Young: d.Young, Poisson: d.Poisson, Density: d.Density}
	if (d.Young == 0) == (d.Orthotropic == nil) {
		b.Add(p, "want either \"young\" or \"orthotropic\"")
		return nil
	}
	if d.Orthotropic != nil {
		x := fem.Orthotropic(*d.Orthotropic)
		s.Material.Orthotropic = &x
	}
	if d.Kinematics != "" {
		kin, err := fem.ParseKinematics(d.Kinematics)
		if err != nil {
			b.Add(p.With("kinematics"), "%v", err)
		}
		s.Material.Kinematics = kin
	}
	if err := s.Material.Validate(s.Mesh.Dim); err != nil {
		if parameter, ok := errors.AsType[*fem.ParameterError](err); ok {
			p = p.With(parameter.Parameter)
		}
		b.Add(p, "%v", err)
		return nil
	}
	b.periodic(p, d, s)
	b.solidLoads(p, d, s)
	if b.Any() {
		return nil
	}
	return s
}

// mesh makes the block or reads the file.
func (b *builder) mesh(p casefile.Path, d *Document, matrices int) *fem.Mesh {
	var m *fem.Mesh
	var err error
	switch block := d.Mesh.Block; {
	case (block != nil) == (d.Mesh.File != ""):
		b.Add(p, "want either \"block\" or \"file\"")
		return nil
	case block != nil:
		box := d.box()
		if !b.fits(p, &box, block.Cells, matrices) {
			return nil
		}
		m, err = box.Mesh()
		p = p.With("block")
	default:
		m, err = b.meshFile(d)
		p = p.With("file")
	}
	if d.Adapted != nil {
		m = d.Adapted
	}
	if m, err = d.refined(m, err); err != nil {
		if parameter, ok := errors.AsType[*fem.ParameterError](err); ok {
			p = p.With(parameter.Parameter)
		}
		b.Add(p, "%v", err)
		return nil
	}
	return m
}

// box is that of the block on the level. The schema lists the names.
func (d *Document) box() fem.Box {
	block := d.Mesh.Block
	kind, err := fem.ParseKind(cmp.Or(block.Element, fem.P1.String()))
	form, wrong := fem.ParseForm(cmp.Or(block.Form, fem.Block.String()))
	if err = errors.Join(err, wrong); err != nil {
		panic("solid: " + err.Error())
	}
	box := fem.Box{Kind: kind, Corner: block.Corner, Size: block.Size, Grading: block.Grading, Form: form,
		Center: block.Center,
		Lying:  block.Axis == "y", Radius: block.Radius, Lean: block.Lean}
	for _, q := range block.Quarters {
		box.Quarters = append(box.Quarters, int(q))
	}
	for _, n := range block.Cells {
		box.Cells = append(box.Cells, d.cells(int(n)))
	}
	if box.Corner == nil && form != fem.Ring {
		box.Corner = make([]float64, len(box.Cells))
		if form == fem.Cylinder {
			box.Corner = box.Corner[:max(0, len(box.Cells)-2)]
		}
	}
	return box
}

func (b *builder) meshFile(d *Document) (*fem.Mesh, error) {
	name := d.Mesh.File
	if !filepath.IsLocal(name) {
		return nil, fmt.Errorf("found %q, want a file beside the case or below it", casefile.Abbreviate(name))
	}
	if err := b.Readable(filepath.Join(b.Dir(), name)); err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(b.Dir(), name))
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing can be lost
	b.Files = append(b.Files, name)
	m, err := fem.ReadGmsh(b.Context, f)
	for i := 0; err == nil && i < len(m.X); i++ {
		if err = casefile.InRange(m.X[i]); err != nil {
			err = fmt.Errorf("a coordinate of node %d: %w", i/m.Dim+1, err)
		}
	}
	if err != nil && b.Context.Err() == nil {
		err = fmt.Errorf("%s: %s", name, b.Quoted(err.Error()))
	}
	return m, err
}

// slits wants a contact of the sides of all slits of a mesh.
func (b *builder) slits(p casefile.Path, d *Document, m *fem.Mesh) {
	has := func(group string, node int) bool { return slices.Contains(m.Groups[group].Elem, node) }
	for _, pair := range m.Coincident() {
		i, j := pair[0], pair[1]
		if slices.ContainsFunc(d.Contact, func(c Contact) bool {
			return c.Body == d.Name && (has(c.Group, i) && has(c.Side, j) || has(c.Group, j) && has(c.Side, i))
		}) {
			continue
		}
		at, found := p.With("mesh", "file"), "no such entry"
		if k := slices.IndexFunc(d.Contact, func(c Contact) bool { return has(c.Group, i) || has(c.Group, j) }); k >= 0 {
			c := &d.Contact[k]
			at, found = p.With("contact", k), fmt.Sprintf("\"group\": %q, \"body\": %q, \"side\": %q", c.Group, c.Body, c.Side)
		}
		b.Add(at, "two sides of a slit lie at %v: want an entry of \"contact\" with the one as \"group\", the other as \"side\" and \"body\": %q; found %s",
			m.Node(i), d.Name, found)
		return
	}
}

func (b *builder) solidLoads(p casefile.Path, d *Document, s *Solid) {
	dim := s.Mesh.Dim
	if d.BodyForce != nil {
		s.BodyForce = b.Vector(p.With("body_force"), d.BodyForce, dim)
	}
	for i, t := range d.Tractions {
		at := p.With("tractions", i)
		g, ok := Group(b.Builder, at.With("group"), s.Mesh, t.Group)
		if ok && g.Dim != dim-1 {
			b.Add(at.With("group"), "the group %q has dimension %d, want %d: a traction acts on the boundary", t.Group, g.Dim, dim-1)
			continue
		}
		var force signal.Vector
		switch {
		case given(t.Force)+given(t.Pressure)+given(t.Total) != 1:
			b.Add(at, "want one of \"force\", \"pressure\" and \"total\"")
		case t.Force != nil:
			force = b.Vector(at.With("force"), t.Force, dim)
		case t.Total != nil && ok:
			force = b.spread(at.With("total"), t.Total, s, g)
		case ok:
			var err error
			if g, err = s.Mesh.Inward(g); !b.Accept(at.With("group"), err) {
				continue
			}
			if p := b.Scalar(at.With("pressure"), t.Pressure); p != nil {
				force = append(signal.Vector{p}, signal.Vector{signal.Constant(0), signal.Constant(0)}[:dim-1]...)
			}
		}
		if ok && force != nil {
			s.Tractions = append(s.Tractions, Traction{g, force})
		}
	}
	first := map[[2]int]int{} // entry that prescribes a node along an axis
	var entries []int
	for i, m := range d.Prescribed {
		at := p.With("prescribed", i)
		g, ok := Group(b.Builder, at.With("group"), s.Mesh, m.Group)
		axis := int(m.Axis[0] - 'x')
		if axis >= dim {
			b.Add(at.With("axis"), "found %q, want one of %s: the axes of a mesh of dimension %d", m.Axis, [...]string{1: `"x"`, 2: `"x", "y"`}[dim], dim)
			continue
		}
		if motion := b.Scalar(at.With("motion"), m.Motion); ok && motion != nil {
			s.Prescribed = append(s.Prescribed, Motion{b.once(at, d, i, axis, g.Nodes(), first), axis, motion})
			entries = append(entries, i)
			if axis == 1 && s.onAxis(g.Nodes()) {
				b.Note("%s: a line bears no force: the group %q lies on the axis of revolution. Unless the other forces along y balance, "+
					"energies and displacements grow without limit, as the logarithm of the mesh: hold a side that has area", at, m.Group)
			}
		}
	}
	b.release(p, d, s, entries, first)
	if !b.Any() {
		b.lids(p, d, s)
	}
}

// onAxis reports whether nodes of a solid of revolution all have the radius 0.
func (s *Solid) onAxis(nodes []int) bool {
	return s.Mesh.Dim == 2 && s.Material.Kinematics == fem.Axisymmetric &&
		!slices.ContainsFunc(nodes, func(i int) bool { return s.Mesh.X[2*i] != 0 })
}

// given is 1 of a key that is there, else 0.
func given(key json.RawMessage) int {
	if key == nil {
		return 0
	}
	return 1
}

// spread is a force [N] over the area of a group [Pa]; nil after a fault.
func (b *builder) spread(p casefile.Path, total json.RawMessage, s *Solid, g fem.Group) signal.Vector {
	force := b.Vector(p, total, s.Mesh.Dim)
	_, area, err := s.Mesh.Shares(s.Material.Kinematics, g)
	if force == nil || !b.Accept(p, err) {
		return nil
	}
	force = slices.Clone(force)
	for c := range force {
		if force[c], err = signal.Scale(force[c], 1/area); !b.Accept(p, err) {
			return nil
		}
	}
	return force
}

// once returns the nodes that entry i is the first to prescribe along its axis.
// Groups may share nodes, such as the corner of two sides, if their motions are
// written alike; otherwise that is a fault with the paths of both.
func (b *builder) once(at casefile.Path, d *Document, i, axis int, nodes []int, first map[[2]int]int) []int {
	var mine []int
	for _, node := range nodes {
		k, taken := first[[2]int{node, axis}]
		if !taken {
			first[[2]int{node, axis}] = i
			mine = append(mine, node)
		} else if !sameText(d.Prescribed[k].Motion, d.Prescribed[i].Motion) {
			other := slices.Clone(at)
			other[len(other)-1] = k
			b.Add(at, "node %d of the group %q is prescribed along %s by %s already, which gives its group %q another motion",
				node, d.Prescribed[i].Group, d.Prescribed[i].Axis, other, d.Prescribed[k].Group)
			return mine
		}
	}
	return mine
}

// sameText compares JSON values without their white space.
func sameText(x, y json.RawMessage) bool {
	var a, b bytes.Buffer
	return json.Compact(&a, x) == nil && json.Compact(&b, y) == nil && bytes.Equal(a.Bytes(), b.Bytes())
}

// Group looks up a physical group of the mesh.
func Group(b *casefile.Builder, p casefile.Path, m *fem.Mesh, name string) (fem.Group, bool) {
	g, ok := m.Groups[name]
	names := slices.Sorted(maps.Keys(m.Groups))
	switch {
	case ok:
	case name == "start" || name == "end":
		b.Add(p, "unknown group %q: a block has it that is a ring with a cut, not one that is closed; want one of %v", name, names)
	default:
		b.UnknownName(p, name, "group", names)
	}
	return g, ok
}

// Coarser is the advice where a mesh needs too much.
const Coarser = "take fewer cells, or raise solver.memory (--memory) on a machine that has more"

// perNode is the least that a run of any model keeps for a node beside its matrices.
const perNode = 500

// fits checks the mesh, its matrices and what a run keeps for its nodes before they are
// made.
func (b *builder) fits(p casefile.Path, box *fem.Box, cells []float64, matrices int) bool {
	e := box.Memory(matrices)
	e.Add("states", memory.Product(perNode, box.Nodes()))
	err := b.Limit.Check(e, Coarser)
	if err != nil {
		b.Add(p.With("block", "cells"), "found %v cells, and the mesh alone %v", cells, err)
	}
	return err == nil
}
