package fem

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ReadGmsh reads an ASCII mesh file of the Gmsh format 2.2 or 4.1. Elements of
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
	s := &gmshScanner{ctx: ctx, in: bufio.NewScanner(r), tag: map[int]int{}, names: map[[2]int]string{}, entity: map[[2]int][]int{}}
	s.in.Buffer(make([]byte, 1<<16), 1<<24)
	if err := s.sections(); err != nil {
		return nil, fmt.Errorf("fem: gmsh: line %d: %w", s.line, err)
	}
	m, err := s.mesh()
	if err != nil {
		return nil, fmt.Errorf("fem: gmsh: %w", err)
	}
	return m, nil
}

// gmshScanner collects what the sections of a file hold.
type gmshScanner struct {
	ctx     context.Context
	in      *bufio.Scanner
	line    int
	version string
	x       [][3]float64
	nodeTag []int
	tag     map[int]int       // number of a node in the file → place
	names   map[[2]int]string // (dimension, physical number) → name
	entity  map[[2]int][]int  // (dimension, entity) → physical numbers, format 4.1
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

// contextLines is the number of lines after which the context is looked at: some
// milliseconds.
const contextLines = 1 << 12

// next returns the fields of the next line that is not empty.
func (s *gmshScanner) next() ([]string, error) {
	for s.in.Scan() {
		if s.line++; s.line%contextLines == 0 && s.ctx.Err() != nil {
			return nil, context.Cause(s.ctx)
		}
		if f := strings.Fields(s.in.Text()); len(f) > 0 {
			return f, nil
		}
	}
	if err := s.in.Err(); err != nil {
		return nil, err
	}
	return nil, io.ErrUnexpectedEOF
}

// sections walks through the file.
func (s *gmshScanner) sections() error {
	for {
		f, err := s.next()
		if err == io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			return err
		}
		if err := s.section(f[0]); err != nil {
			return fmt.Errorf("%s: %w", f[0], err)
		}
	}
	if s.version == "" {
		return fmt.Errorf("there is no $MeshFormat: not a Gmsh mesh file")
	}
	return nil
}

func (s *gmshScanner) section(name string) error {
	two := s.version == "2.2"
	if name != "$MeshFormat" && s.version == "" {
		return fmt.Errorf("expected $MeshFormat first, found %q: not a mesh of Gmsh; "+
			"of a surface (STL, OBJ) a body needs a mesh of its volume, as \"gmsh -3 -format msh41\" makes it", name)
	}
	var err error
	switch {
	case name == "$MeshFormat":
		err = s.format()
	case name == "$PhysicalNames":
		err = s.physicalNames()
	case name == "$Nodes" && two:
		err = s.nodes2()
	case name == "$Elements" && two:
		err = s.elements2()
	case name == "$Entities" && !two:
		err = s.entities4()
	case name == "$Nodes":
		err = s.nodes4()
	case name == "$Elements":
		err = s.elements4()
	case strings.HasPrefix(name, "$"):
		return s.skip("$End" + name[1:])
	default:
		return fmt.Errorf("expected the start of a section, found %q", name)
	}
	if err != nil {
		return err
	}
	return s.expect("$End" + name[1:])
}

func (s *gmshScanner) expect(word string) error {
	f, err := s.next()
	if err == nil && f[0] != word {
		err = fmt.Errorf("expected %s, found %q", word, f[0])
	}
	return err
}

// skip passes over a section that does not matter here.
func (s *gmshScanner) skip(end string) error {
	for {
		f, err := s.next()
		if err != nil || f[0] == end {
			return err
		}
	}
}

func (s *gmshScanner) format() error {
	f, err := s.next()
	if err != nil {
		return err
	}
	if f[0] != "2.2" && f[0] != "4.1" {
		return fmt.Errorf("format %s is not supported, want 2.2 or 4.1 (gmsh -format msh41)", f[0])
	}
	if len(f) < 2 || f[1] != "0" {
		return fmt.Errorf("the file is binary; save it as ASCII")
	}
	s.version = f[0]
	return nil
}

func (s *gmshScanner) physicalNames() error {
	n, err := s.counts(1)
	if err != nil {
		return err
	}
	for range n[0] {
		f, err := s.next()
		if err != nil {
			return err
		}
		if len(f) < 3 {
			return fmt.Errorf("expected dimension, number and name")
		}
		id, err := integers(f[:2])
		if err != nil {
			return err
		}
		s.names[[2]int{id[0], id[1]}] = strings.Trim(strings.Join(f[2:], " "), `"`)
	}
	return nil
}

// counts reads a line of at least n numbers of things.
func (s *gmshScanner) counts(n int) ([]int, error) {
	list, err := s.numbers(n)
	if err != nil {
		return nil, err
	}
	return list, notNegative(list[:n])
}

// notNegative refuses numbers of things below zero. No memory is taken for what a
// count announces before it is there.
func notNegative(counts []int) error {
	for _, n := range counts {
		if n < 0 {
			return fmt.Errorf("a count is %d, want >= 0", n)
		}
	}
	return nil
}

// numbers reads a line of at least n integers.
func (s *gmshScanner) numbers(n int) ([]int, error) {
	f, err := s.next()
	if err != nil {
		return nil, err
	}
	if len(f) < n {
		return nil, fmt.Errorf("expected %d numbers, found %d", n, len(f))
	}
	return integers(f)
}

// addNode stores node number tag at the coordinates f.
func (s *gmshScanner) addNode(tag int, f []string) error {
	if len(f) < 3 {
		return fmt.Errorf("node %d has %d coordinates", tag, len(f))
	}
	var x [3]float64
	for c := range x {
		v, err := strconv.ParseFloat(f[c], 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("node %d: coordinate %q is not a finite number", tag, f[c])
		}
		x[c] = v
	}
	if _, twice := s.tag[tag]; twice {
		return fmt.Errorf("node %d is defined twice", tag)
	}
	s.tag[tag] = len(s.x)
	s.x, s.nodeTag = append(s.x, x), append(s.nodeTag, tag)
	return nil
}

// addElement stores an element; forms that are not known are refused, for they could be meant
// as parts of the body.
func (s *gmshScanner) addElement(tag, kind int, physical, nodes []int) error {
	form, ok := gmshForms[kind]
	if !ok {
		return fmt.Errorf("element %d has the Gmsh type %d; "+
			"points (15), lines (1, 8), triangles (2, 9), quadrilaterals (3), tetrahedra (4, 11) and hexahedra (5) are supported: "+
			"of first order, and simplices of second (gmsh -order 2)", tag, kind)
	}
	if want := references[form.kind][form.dim].nodes; len(nodes) != want {
		return fmt.Errorf("element %d of type %d has %d nodes, want %d", tag, kind, len(nodes), want)
	}
	nodes = slices.Clone(nodes)
	if form == (gmshForm{P2, 3}) {
		nodes[8], nodes[9] = nodes[9], nodes[8]
	}
	s.elems = append(s.elems, gmshElement{tag, form.dim, form, nodes, slices.Clone(physical)})
	return nil
}

// mesh makes the mesh of what was read.
func (s *gmshScanner) mesh() (*Mesh, error) {
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
func (s *gmshScanner) fill(m *Mesh) error {
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
func (s *gmshScanner) checkBody(m *Mesh) error {
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
func (s *gmshScanner) checkTopology(m *Mesh) error {
	var tag []int
	for _, e := range s.elems {
		if e.dim == m.Dim {
			tag = append(tag, e.tag)
		}
	}
	return m.CheckTopology(func(i int) int { return s.nodeTag[i] }, func(k int) int { return tag[k] })
}

func integers(f []string) ([]int, error) {
	list := make([]int, len(f))
	for k, x := range f {
		v, err := strconv.Atoi(x)
		if err != nil {
			return nil, fmt.Errorf("%q is not an integer", x)
		}
		list[k] = v
	}
	return list, nil
}
