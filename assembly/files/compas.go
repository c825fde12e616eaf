package files

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/assembly"
)

// A tree is a decoded JSON value of COMPAS: objects {dtype, data}, or {datatype, value} of old files.
type tree = map[string]any

// data opens an object of COMPAS.
func data(v any) tree {
	t, _ := v.(tree)
	for _, key := range []string{"data", "value"} {
		if inner, ok := t[key].(tree); ok && t["dtype"] != nil {
			return inner
		}
	}
	return t
}

func sub(t tree, key string) tree { return data(t[key]) }

// place is what data adds to the path of v.
func place(v any) string {
	t, _ := v.(tree)
	for _, key := range []string{"data", "value"} {
		if _, ok := t[key].(tree); ok && t["dtype"] != nil {
			return "." + key
		}
	}
	return ""
}

// keysOf returns keys in the order of their numbers, or else of their letters.
func keysOf(t tree) []string {
	return slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		i, errA := strconv.Atoi(a)
		j, errB := strconv.Atoi(b)
		if errA == nil && errB == nil {
			return cmp.Compare(i, j)
		}
		return cmp.Compare(a, b)
	})
}

type compasReader struct {
	a     *assembly.Assembly
	notes map[string]int
	path  string // of the object whose nodes or elements are read
}

func compas(text []byte) (*assembly.Assembly, error) {
	var top tree
	if err := json.Unmarshal(text, &top); err != nil {
		return nil, err
	}
	r := &compasReader{a: &assembly.Assembly{}, notes: map[string]int{}}
	body := data(top)
	r.path = "$" + place(top)
	var err error
	switch {
	case sub(body, "model") != nil:
		err = r.problem(body)
	case sub(body, "elements") != nil:
		err = r.model(body)
	case sub(body, "graph") != nil:
		r.path += ".graph" + place(body["graph"])
		err = r.graph(sub(body, "graph"))
	default:
		err = fmt.Errorf("dtype %v: want an Assembly with a graph, or a BlockModel or Problem with elements", top["dtype"])
	}
	for _, key := range slices.Sorted(maps.Keys(r.notes)) {
		r.a.Notes = append(r.a.Notes, fmt.Sprintf("not understood: %s (%d times)", key, r.notes[key]))
	}
	return r.a, err
}

// unknown notes the keys of t that are not in the list and hold something.
func (r *compasReader) unknown(where string, t tree, known ...string) {
	for key, v := range t {
		if slices.Contains(known, key) || v == nil || v == false || v == "" {
			continue
		}
		if list, ok := v.([]any); ok && len(list) == 0 {
			continue
		}
		if inner, ok := v.(tree); ok && len(inner) == 0 {
			continue
		}
		r.notes[where+key]++
	}
}

// graph reads an Assembly: blocks at the nodes, interfaces at the edges.
func (r *compasReader) graph(g tree) error {
	nodes := sub(g, "node")
	r.path += ".node" + place(g["node"])
	for _, key := range keysOf(nodes) {
		node := data(nodes[key])
		block := sub(node, "block")
		if block == nil {
			return fmt.Errorf("%s.%s: this node has no block", r.path, key)
		}
		r.unknown("of nodes: ", node, "block", "is_support", "x", "y", "z")
		b, err := r.mesh(key, block)
		if err != nil {
			return err
		}
		b.Support = b.Support || node["is_support"] == true
		r.a.Blocks = append(r.a.Blocks, b)
	}
	edges := 0
	for _, from := range sub(g, "edge") {
		edges += len(data(from))
	}
	if edges > 0 {
		r.notes["of edges: interfaces, which are found anew"] = edges
	}
	if len(r.a.Blocks) == 0 {
		return fmt.Errorf("the graph has no node")
	}
	return nil
}

// mesh reads a block: a mesh itself, or one that has a mesh.
func (r *compasReader) mesh(name string, block tree) (assembly.Block, error) {
	b := assembly.Block{Name: name, Density: 1, Where: r.path + "." + name}
	mesh := block
	for _, key := range []string{"mesh", "geometry"} {
		if inner := sub(block, key); inner != nil {
			mesh = inner
		}
	}
	attributes := sub(mesh, "attributes")
	b.Support = attributes["is_support"] == true || block["is_support"] == true
	r.unknown("attributes of blocks: ", attributes, "name", "is_support", "node", "density")
	if d, ok := attributes["density"].(float64); ok { // of files that this program wrote
		b.Density = d
	}
	index := map[string]int{}
	vertices := sub(mesh, "vertex")
	for _, key := range keysOf(vertices) {
		v := data(vertices[key])
		var p [3]float64
		for i, axis := range []string{"x", "y", "z"} {
			x, ok := v[axis].(float64)
			if !ok {
				return b, fmt.Errorf("block %s (%s): vertex %s has no number %s", name, b.Where, key, axis)
			}
			p[i] = x
		}
		index[key] = len(b.Vertices)
		b.Vertices = append(b.Vertices, p)
	}
	faces := sub(mesh, "face")
	for _, key := range keysOf(faces) {
		list, _ := faces[key].([]any)
		var face []int
		for _, v := range list {
			i, ok := index[strings.TrimSuffix(fmt.Sprint(v), ".0")]
			if !ok {
				return b, fmt.Errorf("block %s (%s): face %s names vertex %v, which is none", name, b.Where, key, v)
			}
			face = append(face, i)
		}
		b.Faces = append(b.Faces, face)
	}
	if len(b.Faces) == 0 {
		return b, fmt.Errorf("block %s (%s) has no mesh with vertices and faces", name, b.Where)
	}
	return b, nil
}

// problem reads compas_dem's Problem: a model with contact properties and boundary conditions.
func (r *compasReader) problem(p tree) error {
	r.path += ".model" + place(p["model"])
	if err := r.model(sub(p, "model")); err != nil {
		return err
	}
	contact := sub(sub(p, "contact_properties"), "contact_model")
	if phi, ok := contact["phi"].(float64); ok {
		r.a.Friction = math.Tan(phi * math.Pi / 180)
	}
	if mu, ok := contact["mu"].(float64); ok {
		r.a.Friction = mu
	}
	r.unknown("contact model: ", contact, "name", "phi", "mu")
	bc := sub(p, "boundary_conditions")
	if g, ok := bc["g"].(float64); ok {
		r.a.Gravity = [3]float64{0, 0, -g}
	}
	if bc["gravity"] == false {
		r.a.Notes = append(r.a.Notes, "the file has gravity switched off; it is on here")
	}
	if err := r.displacements(bc); err != nil {
		return err
	}
	if err := r.loads(bc); err != nil {
		return err
	}
	r.unknown("boundary conditions: ", bc, "name", "g", "gravity", "displacements", "point_loads", "body_forces")
	r.unknown("of the problem: ", p, "name", "model", "contact_properties", "boundary_conditions")
	return nil
}

// displacements makes supports of blocks whose displacement is given; one that is not zero is noted.
func (r *compasReader) displacements(bc tree) error {
	list, _ := bc["displacements"].([]any)
	for _, v := range list {
		d := data(v)
		i, ok := d["block_index"].(float64)
		if !ok || i < 0 || int(i) >= len(r.a.Blocks) {
			return fmt.Errorf("a displacement is of block %v of %d", d["block_index"], len(r.a.Blocks))
		}
		r.a.Blocks[int(i)].Support = true
		for _, key := range []string{"translation", "rotation"} {
			if x, err := point(d[key]); err == nil && x != ([3]float64{}) {
				r.notes["displacements of supports that are not zero"]++
			}
		}
	}
	return nil
}

// loads reads point loads and accelerations of all blocks; what loads in a way that is not read is a fault.
func (r *compasReader) loads(bc tree) error {
	if list, _ := bc["surface_loads"].([]any); len(list) > 0 {
		return fmt.Errorf("the problem has %d surface_loads, which are not read", len(list))
	}
	forces, _ := bc["body_forces"].([]any)
	for k, v := range forces {
		x, err := point(v)
		if err != nil {
			return fmt.Errorf("body_forces[%d]: %w", k, err)
		}
		if r.a.Gravity == ([3]float64{}) {
			r.a.Gravity = [3]float64{0, 0, -9.81}
		}
		for i := range x {
			r.a.Gravity[i] += x[i]
		}
	}
	list, _ := bc["point_loads"].([]any)
	for k, v := range list {
		d := data(v)
		i, ok := d["block_index"].(float64)
		if !ok || i < 0 || int(i) >= len(r.a.Blocks) {
			return fmt.Errorf("point_loads[%d] is on block %v of %d", k, d["block_index"], len(r.a.Blocks))
		}
		if d["moment"] != nil {
			return fmt.Errorf("point_loads[%d] has a moment, which is not read", k)
		}
		l := assembly.Load{Block: int(i)}
		var err error
		if l.Force, err = point(d["force"]); err != nil {
			return fmt.Errorf("point_loads[%d].force: %w", k, err)
		}
		if l.Point = middle(&r.a.Blocks[l.Block]); d["point"] != nil {
			if l.Point, err = point(d["point"]); err != nil {
				return fmt.Errorf("point_loads[%d].point: %w", k, err)
			}
		} else {
			r.notes["point loads without a point: they act at the mean of its vertices"]++
		}
		r.a.Loads = append(r.a.Loads, l)
	}
	return nil
}

// model reads compas_dem's BlockModel: elements by their ids, contacts at the edges of a graph.
func (r *compasReader) model(m tree) error {
	elements, materials, graph := sub(m, "elements"), sub(m, "materials"), sub(m, "graph")
	if m["transformation"] != nil {
		return fmt.Errorf("the model has a transformation, which is not read")
	}
	index := map[string]int{}
	nodes := sub(graph, "node")
	r.path += ".graph" + place(m["graph"]) + ".node" + place(graph["node"])
	for _, key := range keysOf(nodes) {
		id, _ := data(nodes[key])["element"].(string)
		element := sub(elements, id)
		if element == nil {
			return fmt.Errorf("%s.%s names element %q, which is none", r.path, key, id)
		}
		b, err := r.mesh(key, element)
		if err != nil {
			return err
		}
		if element["transformation"] != nil {
			if err := transform(&b, element["transformation"]); err != nil {
				return err
			}
		}
		if id, ok := element["material"].(string); ok {
			if d, ok := sub(materials, id)["density"].(float64); ok {
				b.Density = d
			}
		}
		r.unknown("of elements: ", element, "name", "geometry", "material", "is_support", "transformation")
		index[key] = len(r.a.Blocks)
		r.a.Blocks = append(r.a.Blocks, b)
	}
	edges := sub(graph, "edge")
	for _, from := range keysOf(edges) {
		for _, to := range keysOf(data(edges[from])) {
			edge := data(data(edges[from])[to])
			r.unknown("of edges: ", edge, "contacts")
			contacts, _ := edge["contacts"].([]any)
			for _, c := range contacts {
				if err := r.contact(data(c), index[from], index[to]); err != nil {
					return fmt.Errorf("contact of %s and %s: %w", from, to, err)
				}
			}
		}
	}
	r.unknown("of the model: ", m, "elements", "materials", "graph", "tree", "name")
	return nil
}

// contact reads a polygon with its frame; the normal is turned from the first block to the second.
func (r *compasReader) contact(c tree, i, j int) error {
	f := assembly.Interface{A: i, B: j, Friction: -1}
	list, _ := c["points"].([]any)
	for _, v := range list {
		p, err := point(v)
		if err != nil {
			return err
		}
		f.Points = append(f.Points, p)
	}
	frame := sub(c, "frame")
	x, errX := point(frame["xaxis"])
	y, errY := point(frame["yaxis"])
	if errX != nil || errY != nil || len(f.Points) == 0 {
		return fmt.Errorf("no points or no frame")
	}
	n := [3]float64{x[1]*y[2] - x[2]*y[1], x[2]*y[0] - x[0]*y[2], x[0]*y[1] - x[1]*y[0]}
	away := 0.
	for k := range n {
		away += n[k] * (middle(&r.a.Blocks[j])[k] - middle(&r.a.Blocks[i])[k])
	}
	if away < 0 {
		n = [3]float64{-n[0], -n[1], -n[2]}
	}
	f.Normal = n
	f.Area, _ = c["size"].(float64)
	r.unknown("of contacts: ", c, "name", "points", "frame", "size")
	r.a.Interfaces = append(r.a.Interfaces, f)
	return nil
}

func middle(b *assembly.Block) (m [3]float64) {
	for _, v := range b.Vertices {
		for k := range m {
			m[k] += v[k] / float64(len(b.Vertices))
		}
	}
	return m
}

func point(v any) (p [3]float64, err error) {
	if t, ok := v.(tree); ok {
		v = t["data"]
	}
	list, _ := v.([]any)
	if len(list) != 3 {
		return p, fmt.Errorf("found %v, want three numbers", v)
	}
	for k := range p {
		x, ok := list[k].(float64)
		if !ok {
			return p, fmt.Errorf("found %v, want three numbers", v)
		}
		p[k] = x
	}
	return p, nil
}

// transform applies a matrix of four rows.
func transform(b *assembly.Block, v any) error {
	t, _ := v.(tree)
	rows, _ := data(t)["matrix"].([]any)
	var m [3][4]float64
	for i := range m {
		if len(rows) < 4 {
			return fmt.Errorf("block %s (%s) has a transformation without a matrix of 4×4", b.Name, b.Where)
		}
		row, _ := rows[i].([]any)
		for k := range m[i] {
			if len(row) != 4 {
				return fmt.Errorf("block %s (%s) has a transformation without a matrix of 4×4", b.Name, b.Where)
			}
			m[i][k], _ = row[k].(float64)
		}
	}
	for i, p := range b.Vertices {
		for k := range 3 {
			b.Vertices[i][k] = m[k][0]*p[0] + m[k][1]*p[1] + m[k][2]*p[2] + m[k][3]
		}
	}
	return nil
}
