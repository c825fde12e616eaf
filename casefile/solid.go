package casefile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
)

// solidDocument is an elastic body: the keys that the energy body and the model
// elastodynamic share.
type solidDocument struct {
	Mesh struct {
		Block *struct {
			Corner []float64 `json:"corner"`
			Size   []float64 `json:"size"`
			Cells  []float64 `json:"cells"`
		} `json:"block"`
		File string `json:"file"`
	} `json:"mesh"`
	Young      float64              `json:"young"`
	Poisson    float64              `json:"poisson"`
	Density    float64              `json:"density"`
	Kinematics string               `json:"kinematics"`
	Contact    []touchDocument      `json:"contact"`
	BodyForce  json.RawMessage      `json:"body_force"`
	Tractions  []tractionDocument   `json:"tractions"`
	Prescribed []prescribedDocument `json:"prescribed"`
}

type touchDocument struct {
	Group    string  `json:"group"`
	Obstacle string  `json:"obstacle"`
	Friction *string `json:"friction"`
}

type tractionDocument struct {
	Group string          `json:"group"`
	Force json.RawMessage `json:"force"`
}

type prescribedDocument struct {
	Group  string          `json:"group"`
	Axis   string          `json:"axis"`
	Motion json.RawMessage `json:"motion"`
}

// solid is a decoded body. Loads follow the mesh's axes.
type solid struct {
	mesh       *fem.Mesh
	material   fem.Elastic
	bodyForce  signal.Vector
	tractions  []solidTraction
	prescribed []solidMotion
}

type solidTraction struct {
	group fem.Group
	force signal.Vector
}

type solidMotion struct {
	nodes  []int
	axis   int
	motion signal.Scalar
}

// solid decodes the body at path p; nil after a fault. matrices is the number of
// those of the mesh that its model will hold.
func (b *builder) solid(p path, d *solidDocument, matrices int) *solid {
	s := &solid{}
	if s.mesh = b.mesh(p.with("mesh"), d, matrices); s.mesh == nil {
		return nil
	}
	s.material = fem.Elastic{Young: d.Young, Poisson: d.Poisson, Density: d.Density}
	if d.Kinematics != "" {
		kin, err := fem.ParseKinematics(d.Kinematics)
		if err != nil {
			b.add(p.with("kinematics"), "%v", err)
		}
		s.material.Kinematics = kin
	}
	if err := s.material.Validate(s.mesh.Dim); err != nil {
		if wrong, ok := errors.AsType[*fem.ParameterError](err); ok {
			p = p.with(wrong.Parameter)
		}
		b.add(p, "%v", err)
		return nil
	}
	b.solidLoads(p, d, s)
	if b.any() {
		return nil
	}
	return s
}

// mesh makes the block or reads the file.
func (b *builder) mesh(p path, d *solidDocument, matrices int) *fem.Mesh {
	var m *fem.Mesh
	var err error
	switch block := d.Mesh.Block; {
	case (block != nil) == (d.Mesh.File != ""):
		b.add(p, "want either \"block\" or \"file\"")
		return nil
	case block != nil:
		box := fem.Box{Corner: block.Corner, Size: block.Size}
		for _, n := range block.Cells {
			box.Cells = append(box.Cells, int(n))
		}
		if !b.fits(p, &box, block.Cells, matrices) {
			return nil
		}
		if box.Corner == nil {
			box.Corner = make([]float64, len(box.Cells))
		}
		m, err = box.Mesh()
		p = p.with("block")
	default:
		m, err = b.meshFile(d.Mesh.File)
		p = p.with("file")
	}
	if err != nil {
		b.add(p, "%v", err)
		return nil
	}
	return m
}

func (b *builder) meshFile(name string) (*fem.Mesh, error) {
	if !filepath.IsLocal(name) {
		return nil, fmt.Errorf("found %q, want a file beside the case or below it", abbreviate(name))
	}
	if info, err := os.Stat(filepath.Join(b.dir(), name)); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("cannot read the file %q", filepath.Join(b.dir(), name))
	}
	f, err := os.Open(filepath.Join(b.dir(), name))
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing can be lost
	b.files = append(b.files, name)
	return fem.ReadGmsh(context.Background(), f)
}

func (b *builder) solidLoads(p path, d *solidDocument, s *solid) {
	dim := s.mesh.Dim
	if d.BodyForce != nil {
		s.bodyForce = b.vector(p.with("body_force"), d.BodyForce, dim)
	}
	for i, t := range d.Tractions {
		at := p.with("tractions", i)
		g, ok := b.group(at.with("group"), s.mesh, t.Group)
		if ok && g.Dim != dim-1 {
			b.add(at.with("group"), "the group %q has dimension %d, want %d: a traction acts on the boundary", t.Group, g.Dim, dim-1)
		}
		if force := b.vector(at.with("force"), t.Force, dim); ok && force != nil {
			s.tractions = append(s.tractions, solidTraction{g, force})
		}
	}
	first := map[[2]int]int{} // entry that prescribes a node along an axis
	for i, m := range d.Prescribed {
		at := p.with("prescribed", i)
		g, ok := b.group(at.with("group"), s.mesh, m.Group)
		axis := int(m.Axis[0] - 'x')
		if axis >= dim {
			b.add(at.with("axis"), "found %q in a mesh of dimension %d", m.Axis, dim)
			continue
		}
		if motion := b.scalar(at.with("motion"), m.Motion); ok && motion != nil {
			s.prescribed = append(s.prescribed, solidMotion{b.once(at, d, i, axis, g.Nodes(), first), axis, motion})
		}
	}
}

// once returns the nodes that entry i is the first to prescribe along its axis.
// Groups may share nodes, such as the corner of two sides, if their motions are
// written alike; otherwise that is a fault with the paths of both.
func (b *builder) once(at path, d *solidDocument, i, axis int, nodes []int, first map[[2]int]int) []int {
	var mine []int
	for _, node := range nodes {
		k, taken := first[[2]int{node, axis}]
		if !taken {
			first[[2]int{node, axis}] = i
			mine = append(mine, node)
		} else if !sameText(d.Prescribed[k].Motion, d.Prescribed[i].Motion) {
			other := slices.Clone(at)
			other[len(other)-1] = k
			b.add(at, "node %d of the group %q is prescribed along %s by %s already, which gives its group %q another motion", node, d.Prescribed[i].Group, d.Prescribed[i].Axis, other, d.Prescribed[k].Group)
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

// group looks up a physical group of the mesh.
func (b *builder) group(p path, m *fem.Mesh, name string) (fem.Group, bool) {
	g, ok := m.Groups[name]
	if !ok {
		b.unknownName(p, name, "group", slices.Sorted(maps.Keys(m.Groups)))
	}
	return g, ok
}
