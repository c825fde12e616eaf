package files

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/quasistatic/quasistatic/assembly"
)

// CSV has a row for each interface that carries a force: the blocks, the centre of pressure [m], the
// resultant on the second block [N], its normal and tangential part and the use of friction. With reserves it has all interfaces, with
// these: the pull [N] that each holds, "unbounded" where that is any, and its least use; empty where they are not known.
func CSV(a *assembly.Assembly, reactions []assembly.Reaction, reserves []assembly.Reserve) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	head := []string{"interface", "block_a", "block_b", "x", "y", "z", "fx", "fy", "fz", "normal", "tangential", "use"}
	forces := a.Forces(reactions)
	if reserves != nil {
		head = append(head, "pull", "least_use")
		loaded := make([]assembly.Force, len(a.Interfaces))
		for k := range loaded {
			loaded[k] = assembly.Force{Interface: k, Point: a.Interfaces[k].Middle(a.Plane)}
		}
		for _, f := range forces {
			loaded[f.Interface] = f
		}
		forces = loaded
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	rows := [][]string{head}
	for _, f := range forces {
		o := &a.Interfaces[f.Interface]
		row := []string{strconv.Itoa(f.Interface), a.Blocks[o.A].Name, a.Blocks[o.B].Name}
		size := 0.
		for _, x := range f.Resultant {
			size += x * x
		}
		tangential := math.Sqrt(max(size-f.Normal*f.Normal, 0))
		for _, x := range slices.Concat(f.Point[:], f.Resultant[:], []float64{f.Normal, tangential, f.Use}) {
			row = append(row, number(x))
		}
		if reserves != nil {
			pull, use := "", ""
			if r := &reserves[f.Interface]; r.Known {
				if pull = number(r.Pull); math.IsInf(r.Pull, 1) {
					pull = "unbounded"
				}
				if !math.IsNaN(r.Use) {
					use = number(r.Use)
				}
			}
			row = append(row, pull, use)
		}
		rows = append(rows, row)
	}
	if err := w.WriteAll(rows); err != nil {
		panic(err) // of a buffer
	}
	return b.Bytes()
}

// COMPAS is an Assembly of compas_assembly with interfaces and, at their corners, forces along the axes of
// their frames: c_np − c_nn along z, from the first block to the second, c_u and c_v along x and y, as
// compas_cra writes them. An assembly in the plane is one metre deep along y.
func COMPAS(a *assembly.Assembly, reactions []assembly.Reaction) ([]byte, error) {
	nodes, edges, adjacency := tree{}, tree{}, tree{}
	for i := range a.Blocks {
		b := &a.Blocks[i]
		block, err := meshOf(b, a.Plane)
		if err != nil {
			return nil, err
		}
		key := strconv.Itoa(i)
		nodes[key] = tree{"block": block, "is_support": b.Support, "x": b.Centroid[0], "y": b.Centroid[1], "z": b.Centroid[2]}
		edges[key], adjacency[key] = tree{}, tree{}
	}
	at := make([][]assembly.Reaction, len(a.Interfaces))
	for _, r := range reactions {
		at[r.Interface] = append(at[r.Interface], r)
	}
	for k := range a.Interfaces {
		o := &a.Interfaces[k]
		from, to := strconv.Itoa(o.A), strconv.Itoa(o.B)
		edge, ok := edges[from].(tree)[to].(tree)
		if !ok {
			edge = tree{"interfaces": []any{}}
			edges[from].(tree)[to] = edge
			adjacency[from].(tree)[to], adjacency[to].(tree)[from] = nil, nil
		}
		edge["interfaces"] = append(edge["interfaces"].([]any), interfaceOf(o, at[k], a.Plane))
	}
	return json.MarshalIndent(tree{"dtype": "compas_assembly.datastructures/Assembly", "data": tree{
		"attributes": tree{"name": a.Name},
		"graph": tree{"dtype": "compas.datastructures/Graph", "data": tree{
			"attributes": tree{"name": "Graph"}, "default_node_attributes": tree{"block": nil, "is_support": false},
			"default_edge_attributes": tree{"interfaces": nil},
			"node":                    nodes, "edge": edges, "adjacency": adjacency, "max_node": len(a.Blocks) - 1}}}}, "", " ")
}

// meshOf is a block as a mesh; a polygon in the plane becomes a prism of y from −1/2 to 1/2.
func meshOf(b *assembly.Block, plane bool) (tree, error) {
	points, faces := b.Vertices, b.Faces
	if plane {
		if len(b.Faces) != 1 {
			return nil, fmt.Errorf("block %s has %d faces in the plane", b.Name, len(b.Faces))
		}
		n := len(points)
		points, faces = nil, nil
		for _, y := range []float64{-.5, .5} {
			for _, x := range b.Vertices {
				points = append(points, [3]float64{x[0], y, x[2]})
			}
		}
		front := b.Faces[0]
		back := make([]int, len(front))
		for k, i := range front {
			next := front[(k+1)%len(front)]
			back[len(front)-1-k] = i + n
			faces = append(faces, []int{i, i + n, next + n, next})
		}
		faces = append(faces, front, back)
	}
	vertices, sides := tree{}, tree{}
	for i, x := range points {
		vertices[strconv.Itoa(i)] = tree{"x": x[0], "y": x[1], "z": x[2]}
	}
	for k, f := range faces {
		sides[strconv.Itoa(k)] = f
	}
	return tree{"dtype": "compas_assembly.datastructures/Block", "data": tree{
		"attributes":                tree{"name": b.Name, "density": b.Density},
		"default_vertex_attributes": tree{"x": 0., "y": 0., "z": 0.}, "default_edge_attributes": tree{}, "default_face_attributes": tree{},
		"vertex": vertices, "face": sides, "facedata": tree{}, "edgedata": tree{}, "max_vertex": len(points) - 1,
		"max_face": len(faces) - 1}}, nil
}

func interfaceOf(o *assembly.Interface, forces []assembly.Reaction, plane bool) tree {
	u, v := assembly.Axes(o.Normal)
	points, depth := o.Points, []float64{0}
	if plane { // each corner becomes one at either face of the prism, with half the force
		u, v = [3]float64{0, 1}, [3]float64{-o.Normal[2], 0, o.Normal[0]}
		points, depth = nil, []float64{-.5, .5}
		for k, x := range o.Points {
			ends := [][3]float64{{x[0], -.5, x[2]}, {x[0], .5, x[2]}}
			if k%2 == 1 { // around the polygon
				slices.Reverse(ends)
			}
			points = append(points, ends...)
		}
	}
	var middle [3]float64
	for _, x := range points {
		for i := range middle {
			middle[i] += x[i] / float64(len(points))
		}
	}
	var list []any
	along := func(f, axis [3]float64) float64 {
		return (f[0]*axis[0] + f[1]*axis[1] + f[2]*axis[2]) / float64(len(depth))
	}
	for _, r := range forces {
		n := along(r.Force, o.Normal)
		for range depth {
			list = append(list, tree{"c_np": max(n, 0), "c_nn": max(-n, 0), "c_u": along(r.Force, u), "c_v": along(r.Force, v)})
		}
	}
	return tree{"dtype": "compas_assembly.datastructures/Interface", "data": tree{
		"points": points, "size": o.Area, "forces": list, "mesh": nil,
		"frame": tree{"dtype": "compas.geometry/Frame", "data": tree{"point": middle, "xaxis": u, "yaxis": v}}}}
}
