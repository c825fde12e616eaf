package fem

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ReadGmsh reads a mesh file of the Gmsh formats 2.2, 4.0 or 4.1, of text or bytes. Elements of
// the highest dimension there is are the body, all of one kind: simplices of first or second order,
// or quadrilaterals or hexahedra of first order; named physical groups of any
// dimension become groups of the mesh. Nodes that no element of the body or of
// a group uses (construction points) are an error, as is everything that
// [Mesh.Validate] and [Mesh.CheckTopology] refuse; errors name the line, or the
// element or node by its number in the file.
//
// A body whose coordinates are constant along an axis (a plane mesh in space)
// loses it: dimension 2 takes (x, y), dimension 1 takes x. When ctx ends, so does
// reading, with its error.
func ReadGmsh(ctx context.Context, r io.Reader) (*Mesh, error) {
	if r == nil {
		return nil, errors.New("fem: gmsh: there is no file to read")
	}
	s := &gmshReader{gmshInput: gmshInput{ctx: ctx, in: bufio.NewReaderSize(r, 1<<16), line: 1},
		tag: map[int]int{}, names: map[[2]int]string{}, entity: map[[2]int][]int{}}
	if s.sections(); s.err != nil && s.bytes != nil {
		return nil, fmt.Errorf("fem: gmsh: value %d: %w", s.read, s.err)
	} else if s.err != nil {
		return nil, fmt.Errorf("fem: gmsh: line %d: %w", s.line, s.err)
	}
	m, err := s.mesh()
	if err != nil {
		return nil, fmt.Errorf("fem: gmsh: %w", err)
	}
	return m, nil
}

// gmshReader collects what the sections of a file hold.
type gmshReader struct {
	gmshInput
	version string
	x       [][3]float64
	nodeTag []int
	tag     map[int]int       // number of a node in the file → place
	names   map[[2]int]string // (dimension, physical number) → name
	entity  map[[2]int][]int  // (dimension, entity) → physical numbers, format 4
	elems   []gmshElement
}

type gmshElement struct {
	tag, dim int
	form     gmshForm
	nodes    []int // numbers of the file
	physical []int
}

// gmshForm is a type of elements of Gmsh.
type gmshForm struct {
	kind Kind // a segment is one of P1 and of Q1, a point one of all
	dim  int
}

// gmshForms are those that can be read. Gmsh has the last two nodes of a quadratic tetrahedron the
// other way round than VTK.
var gmshForms = map[int]gmshForm{15: {P1, 0}, 1: {P1, 1}, 2: {P1, 2}, 4: {P1, 3}, 3: {Q1, 2}, 5: {Q1, 3}, 8: {P2, 1},
	9: {P2, 2}, 11: {P2, 3}}

// fits reports whether elements of the form belong to a mesh of a kind.
func (f gmshForm) fits(k Kind) bool {
	return f.kind == k || f.dim == 0 || f.dim == 1 && f.kind == P1 && k == Q1
}

// gmshOthers are types that Gmsh often writes and that no mesh here has.
var gmshOthers = map[int]string{6: "prisms", 7: "pyramids", 10: "quadrilaterals of second order", 16: "quadrilaterals of second order",
	12: "hexahedra of second order", 17: "hexahedra of second order", 13: "prisms of second order", 18: "prisms of second order"}

// sections walks through the file.
func (s *gmshReader) sections() {
	for name := s.word(); name != "" && s.err == nil; name = s.word() {
		if s.section(name); s.err != nil && s.version != "" && name[0] == '$' {
			s.err = fmt.Errorf("%s: %w", name, s.err)
		}
	}
	if s.version == "" {
		s.fail(errors.New("there is no $MeshFormat: not a Gmsh mesh file"))
	}
}

func (s *gmshReader) section(name string) {
	two := s.version == "2.2"
	if s.bytes != nil && !two && (name == "$Entities" || name == "$Nodes" || name == "$Elements") {
		s.rest() // bytes begin at the next line
	}
	switch {
	case name == "$MeshFormat":
		s.format()
	case s.version == "":
		s.fail(fmt.Errorf("expected $MeshFormat first, found %q: not a mesh of Gmsh; "+
			"of a surface (STL, OBJ) a body needs a mesh of its volume, as \"gmsh -3 -format msh41\" makes it; "+
			"other files (VTU, MED, INP) are converted by \"meshio convert\"", name[:min(len(name), 40)]))
	case name == "$PhysicalNames":
		s.physicalNames()
	case name == "$Nodes" && two:
		s.nodes2()
	case name == "$Elements" && two:
		s.elements2()
	case name == "$Entities" && !two:
		s.entities4()
	case name == "$Nodes":
		s.nodes4()
	case name == "$Elements":
		s.elements4()
	case name == "$PartitionedEntities":
		s.fail(errors.New("the mesh is in partitions, want it whole (gmsh -part 0)"))
	case strings.HasPrefix(name, "$"):
		for s.err == nil && s.rest() != "$End"+name[1:] {
		}
		return
	default:
		s.fail(fmt.Errorf("expected the start of a section, found %q", name))
	}
	if end := s.word(); s.err == nil && end != "$End"+name[1:] {
		s.fail(fmt.Errorf("expected $End%s, found %q", name[1:], end))
	}
}

func (s *gmshReader) format() {
	s.rest()
	f := append(strings.Fields(s.rest()), "", "", "")
	version, kind, size := f[0], f[1], f[2]
	if version == "4" { // as Gmsh itself writes it
		version = "4.0"
	}
	switch {
	case s.err != nil:
	case version != "2.2" && version != "4.0" && version != "4.1":
		s.fail(fmt.Errorf("format %s is not supported, want 2.2, 4.0 or 4.1 (gmsh -format msh41)", version))
	case kind != "0" && kind != "1" || size != "8" && (size != "" || kind == "1"):
		s.fail(fmt.Errorf("the file type is %q and numbers have %q bytes, want 0 (text) or 1 (bytes), and 8", kind, size))
	}
	if s.version = version; kind == "1" && s.err == nil {
		one := [4]byte(s.raw(4))
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			if order.Uint32(one[:]) == 1 {
				s.bytes = order
			}
		}
		if s.bytes == nil {
			s.fail(fmt.Errorf("the bytes %v are not the number 1", one))
		}
	}
}

// physicalNames are text in all files.
func (s *gmshReader) physicalNames() {
	bytes := s.bytes
	s.bytes = nil
	for n := s.count(0); n > 0 && s.err == nil; n-- {
		dim, id := s.integer(0), s.integer(0)
		s.names[[2]int{dim, id}] = strings.Trim(s.rest(), `"`)
	}
	s.bytes = bytes
}

// addNode stores node number tag.
func (s *gmshReader) addNode(tag int, x [3]float64) {
	if s.err != nil {
		s.err = fmt.Errorf("node %d: %w", tag, s.err)
		return
	}
	if _, twice := s.tag[tag]; twice {
		s.fail(fmt.Errorf("node %d is defined twice", tag))
	}
	s.tag[tag] = len(s.x)
	s.x, s.nodeTag = append(s.x, x), append(s.nodeTag, tag)
}

// addElement reads the nodes of an element and stores it; forms that are not known are refused, for they could be meant
// as parts of the body.
func (s *gmshReader) addElement(tag, kind int, physical []int, bytes int) {
	form, ok := gmshForms[kind]
	if s.err == nil && !ok {
		name := gmshOthers[kind]
		if name != "" {
			name = ", " + name
		}
		s.fail(fmt.Errorf("element %d has the Gmsh type %d%s; "+
			"points (15), lines (1, 8), triangles (2, 9), quadrilaterals (3), tetrahedra (4, 11) and hexahedra (5) are supported: "+
			"of first order, and simplices of second (gmsh -order 2)", tag, kind, name))
	}
	if s.err != nil {
		return
	}
	nodes := s.integers(references[form.kind][form.dim].nodes, bytes)
	if s.err != nil {
		s.err = fmt.Errorf("element %d of type %d: %w", tag, kind, s.err)
		return
	}
	if form == (gmshForm{P2, 3}) {
		nodes[8], nodes[9] = nodes[9], nodes[8]
	}
	s.elems = append(s.elems, gmshElement{tag, form.dim, form, nodes, slices.Clone(physical)})
}

// mesh makes the mesh of what was read.
func (s *gmshReader) mesh() (*Mesh, error) {
	dim, kind := 0, P1
	for _, e := range s.elems {
		if e.dim > dim {
			dim, kind = e.dim, e.form.kind
		}
	}
	if dim == 0 {
		return nil, fmt.Errorf("the file has no lines, triangles, quadrilaterals, tetrahedra or hexahedra")
	}
	for _, e := range s.elems {
		if !e.form.fits(kind) {
			return nil, fmt.Errorf("the body has %s, and element %d is one of %s: a mesh has elements of one kind",
				kind.Name(dim), e.tag, e.form.kind.Name(e.dim))
		}
	}
	m := &Mesh{Kind: kind, Dim: dim, Groups: map[string]Group{}}
	for i, x := range s.x {
		for c := dim; c < 3; c++ {
			if x[c] != s.x[0][c] {
				return nil, fmt.Errorf("node %d: the body has dimension %d but does not lie in a plane of constant %s",
					s.nodeTag[i], dim, axisNames[c])
			}
		}
		m.X = append(m.X, x[:dim]...)
	}
	if err := s.fill(m); err != nil {
		return nil, err
	}
	if err := s.checkBody(m); err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m, s.checkTopology(m)
}

// fill distributes the elements to the body and the groups.
func (s *gmshReader) fill(m *Mesh) error {
	for _, e := range s.elems {
		nodes := make([]int, len(e.nodes))
		for a, tag := range e.nodes {
			i, ok := s.tag[tag]
			if !ok {
				return fmt.Errorf("element %d refers to node %d, which is not defined", e.tag, tag)
			}
			nodes[a] = i
		}
		if e.dim == m.Dim {
			m.Elem = append(m.Elem, nodes...)
		}
		for _, p := range e.physical {
			name, ok := s.names[[2]int{e.dim, p}]
			if !ok {
				continue // unnamed groups cannot be referred to
			}
			g := m.Groups[name]
			if len(g.Elem) > 0 && g.Dim != e.dim {
				return fmt.Errorf("group %q names parts of the dimensions %d and %d", name, g.Dim, e.dim)
			}
			m.Groups[name] = Group{Kind: m.Kind, Dim: e.dim, Elem: append(g.Elem, nodes...)}
		}
	}
	return nil
}

// checkBody reports inverted elements and orphan nodes by the numbers of the
// file.
func (s *gmshReader) checkBody(m *Mesh) error {
	used := make([]bool, m.NumNodes())
	k := 0
	for _, e := range s.elems {
		if e.dim != m.Dim {
			continue
		}
		if err := m.validateElement(k, used); err != nil {
			return fmt.Errorf("element %d of the file: %w", e.tag, err)
		}
		k++
	}
	if i := slices.Index(used, false); i >= 0 {
		return fmt.Errorf("node %d at %v belongs to no element of dimension %d", s.nodeTag[i], m.Node(i), m.Dim)
	}
	return nil
}

// checkTopology is [Mesh.CheckTopology] with the numbers of the file.
func (s *gmshReader) checkTopology(m *Mesh) error {
	var tag []int
	for _, e := range s.elems {
		if e.dim == m.Dim {
			tag = append(tag, e.tag)
		}
	}
	return m.CheckTopology(func(i int) int { return s.nodeTag[i] }, func(k int) int { return tag[k] })
}
