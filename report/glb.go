//go:build !js

package report

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// glb gathers a binary glTF 2.0 file (ISO/IEC 12113:2022): JSON of nodes, meshes and channels of motion,
// and the numbers that they refer to. What moves are nodes with a place and a turn, and the points of
// meshes, links and particles as morph targets, a shape for each frame.
type glb struct {
	numbers                                        bytes.Buffer
	views, accessors, meshes, nodes, samplers, all []any // all are the channels
	roots                                          []int
	times                                          int            // accessor
	shapes                                         map[string]int // meshes of bodies, by their shapes
}

type object = map[string]any

// gltf are the numbers of the format: of what accessors hold, of what buffers are for, of how primitives
// are drawn, and the names of the file and of its chunks.
var gltf = struct {
	float, uint, vertices, indices, points, lines, triangles int
	magic, json, bin                                         uint32
}{5126, 5125, 34962, 34963, 0, 1, 4, 0x46546c67, 0x4e4f534a, 0x004e4942}

// glb writes the scene with the motion of its frames, in metres and seconds; forces are not in it.
func (s *Scene) glb(ctx context.Context, w io.Writer, o FilmOptions) error {
	f, frames, err := s.filmed(o)
	if err != nil {
		return err
	}
	g := &glb{shapes: map[string]int{}}
	var times []float32
	var kept []int
	for _, k := range frames {
		if t := float32(s.Times[k]); len(times) == 0 || t > times[len(times)-1] {
			times, kept = append(times, t), append(kept, k)
		}
	}
	if len(kept) < 2 {
		return errNoScene
	}
	g.times = g.floats(times, 1, 0)
	for i := range s.Obstacles {
		g.obstacle(f, i, kept)
	}
	for b := range s.Bodies {
		if err := ctx.Err(); err != nil {
			return err
		}
		g.node(s.Bodies[b].Name, g.body(f, &s.Bodies[b]), &f.pose, b, len(s.Bodies), kept)
	}
	g.points(f, kept)
	return g.write(w)
}

// data puts numbers of four bytes into the file and returns their accessor.
func (g *glb) data(numbers any, count, component int, kind string, target int) int {
	at := g.numbers.Len()
	_ = binary.Write(&g.numbers, binary.LittleEndian, numbers) // a buffer takes all
	view := object{"buffer": 0, "byteOffset": at, "byteLength": g.numbers.Len() - at}
	if target > 0 {
		view["target"] = target
	}
	g.views = append(g.views, view)
	g.accessors = append(g.accessors, object{"bufferView": len(g.views) - 1, "componentType": component, "count": count, "type": kind})
	return len(g.accessors) - 1
}

// floats are vectors of n numbers, with the range that glTF asks for of places and times.
func (g *glb) floats(list []float32, n, target int) int {
	a := g.data(list, len(list)/n, gltf.float, map[int]string{1: "SCALAR", 3: "VEC3", 4: "VEC4"}[n], target)
	low, high := make([]float32, n), make([]float32, n)
	for i, v := range list {
		if i < n {
			low[i], high[i] = v, v
		}
		low[i%n], high[i%n] = min(low[i%n], v), max(high[i%n], v)
	}
	g.accessors[a].(object)["min"], g.accessors[a].(object)["max"] = low, high
	return a
}

// surface is a mesh of polygons that are convex, as triangles around the first corner of each.
func (g *glb) surface(at [][3]float32, faces [][]int, material int) int {
	var corners []float32
	for _, x := range at {
		corners = append(corners, x[:]...)
	}
	return g.mesh(object{"attributes": object{"POSITION": g.floats(corners, 3, gltf.vertices)},
		"indices": g.triangles(faces), "mode": gltf.triangles, "material": material})
}

func (g *glb) triangles(faces [][]int) int {
	var list []uint32
	for _, f := range faces {
		for i := 2; i < len(f); i++ {
			list = append(list, uint32(f[0]), uint32(f[i-1]), uint32(f[i]))
		}
	}
	return g.data(list, len(list), gltf.uint, "SCALAR", gltf.indices)
}

func (g *glb) mesh(primitives ...any) int {
	g.meshes = append(g.meshes, object{"primitives": primitives})
	return len(g.meshes) - 1
}

// body is the mesh of the shape of a body; bodies of one shape share it.
func (g *glb) body(f *filmer, b *SceneBody) int {
	shape := *b
	shape.Name = ""
	key, _ := json.Marshal(shape) // numbers and lists alone
	if m, known := g.shapes[string(key)]; known {
		return m
	}
	var at [][3]float32
	var faces [][]int
	switch {
	case b.Outline != nil:
		ring := []int{}
		for i, x := range b.Outline {
			at, ring = append(at, [3]float32{float32(x[0]), 0, float32(x[1])}), append(ring, i)
		}
		faces = [][]int{ring}
	case b.Half != nil:
		for i := range 8 {
			var x [3]float32
			for c := range x {
				x[c] = float32(b.Half[c]) * float32(2*(i>>c&1)-1)
			}
			at = append(at, x)
		}
		faces = [][]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}
	case b.Parts != nil:
		for i := range b.Parts {
			for _, face := range b.Parts[i].faces() {
				moved := make([]int, len(face))
				for k, c := range face {
					moved[k] = c + len(at)
				}
				faces = append(faces, moved)
			}
			at = append(at, b.Parts[i].At...)
		}
	case b.Round != nil:
		at, faces = globe(*b.Round, 0)
	case b.Length > 0:
		at, faces = globe([3]float64{b.Radius, b.Radius, b.Radius}, b.Length/2)
	default: // a point
		r := 0.01 * vec3.Norm(vec3.Add(f.high, -1, f.low))
		at, faces = globe([3]float64{r, r, r}, 0)
	}
	g.shapes[string(key)] = g.surface(at, faces, 0)
	return g.shapes[string(key)]
}

// globe is an ellipsoid around x, whose halves are apart by a length on both sides of its middle.
func globe(axes [3]float64, apart float64) (at [][3]float32, faces [][]int) {
	around, rows := 24, 12
	for i := range rows + 2 { // the middle ring twice
		row := i
		shift := -apart
		if i > rows/2 {
			row, shift = i-1, apart
		}
		sin, cos := math.Sincos(math.Pi * float64(row) / float64(rows))
		for k := range around {
			y, x := math.Sincos(2 * math.Pi * float64(k) / float64(around))
			at = append(at, [3]float32{float32(shift - axes[0]*cos), float32(axes[1] * sin * x), float32(axes[2] * sin * y)})
			if i > 0 {
				a, b := (i-1)*around+k, (i-1)*around+(k+1)%around
				faces = append(faces, []int{a, b, b + around, a + around})
			}
		}
	}
	return at, faces
}

// node adds what moves as a whole: thing i of n.
func (g *glb) node(name string, mesh int, pose *[7][]float64, i, n int, frames []int) {
	places, turns := make([]float32, 0, 3*len(frames)), make([]float32, 0, 4*len(frames))
	var last [4]float64
	for _, k := range frames {
		q := [4]float64{pose[4][k*n+i], pose[5][k*n+i], pose[6][k*n+i], pose[3][k*n+i]} // x, y, z, w
		size, along := 0.0, 0.0
		for c := range q {
			size, along = size+q[c]*q[c], along+q[c]*last[c]
		}
		if size == 0 {
			q, size = [4]float64{3: 1}, 1
		}
		size = math.Copysign(math.Sqrt(size), along) // of the two that say the same, that nearer to the last
		for c := range q {
			q[c] /= size
			turns = append(turns, float32(q[c]))
		}
		last = q
		for c := range 3 {
			places = append(places, float32(pose[c][k*n+i]))
		}
	}
	node := g.add(object{"name": Plain(name), "mesh": mesh})
	g.channel(node, "translation", g.floats(places, 3, 0))
	g.channel(node, "rotation", g.floats(turns, 4, 0))
}

func (g *glb) add(node object) int {
	g.nodes = append(g.nodes, node)
	g.roots = append(g.roots, len(g.nodes)-1)
	return len(g.nodes) - 1
}

func (g *glb) channel(node int, path string, output int) {
	g.samplers = append(g.samplers, object{"input": g.times, "output": output, "interpolation": "LINEAR"})
	g.all = append(g.all, object{"sampler": len(g.samplers) - 1, "target": object{"node": node, "path": path}})
}

// obstacle adds one: a surface by its faces, a plane as a square that reaches as far as the scene.
func (g *glb) obstacle(f *filmer, i int, frames []int) {
	o := &f.s.Obstacles[i]
	at, faces := o.At, o.Faces
	if o.N != ([3]float64{}) {
		reach := vec3.Norm(vec3.Add(f.high, -1, f.low)) / 2
		middle := vec3.Scale(vec3.Add(f.low, 1, f.high), 0.5)
		middle = vec3.Add(middle, -vec3.Dot(vec3.Add(middle, -1, o.P), o.N), o.N)
		at, faces = nil, [][]int{{0, 1, 2, 3}}
		for _, e := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			x := vec3.Add(vec3.Add(middle, e[0]*reach, o.T), e[1]*reach, o.O)
			at = append(at, [3]float32{float32(x[0]), float32(x[1]), float32(x[2])})
		}
	}
	if len(faces) == 0 {
		return
	}
	mesh := g.surface(at, faces, 1)
	if o.Pose != nil {
		g.node(o.Name, mesh, &f.moved[i], 0, 1, frames)
		return
	}
	g.add(object{"name": Plain(o.Name), "mesh": mesh})
}

// points adds meshes, links, and the particles of a scene that has neither, whose shape changes.
func (g *glb) points(f *filmer, frames []int) {
	s := f.s
	var primitives []object
	if len(s.Polygons) > 0 {
		primitives = append(primitives, object{"indices": g.triangles(s.Polygons), "mode": gltf.triangles, "material": 0})
	}
	if len(s.Links) > 0 {
		var ends []uint32
		for _, l := range s.Links {
			ends = append(ends, uint32(l[0]), uint32(l[1]))
		}
		primitives = append(primitives, object{"indices": g.data(ends, len(ends), gltf.uint, "SCALAR", gltf.indices), "mode": gltf.lines, "material": 0})
	}
	if s.Particles > 0 && len(s.Polygons) == 0 {
		var all []uint32
		for i := range s.Particles {
			all = append(all, uint32(i))
		}
		primitives = append(primitives, object{"indices": g.data(all, len(all), gltf.uint, "SCALAR", gltf.indices), "mode": gltf.points, "material": 0})
	}
	if len(primitives) == 0 {
		return
	}
	f.magnify = 1
	first, targets := []float32{}, []any{}
	for n, k := range frames {
		var change []float32
		for i := range s.Points {
			x := f.position(k, i)
			for c := range x {
				change = append(change, float32(x[c]))
			}
		}
		if n == 0 {
			first = change
			continue
		}
		for i := range change {
			change[i] -= first[i]
		}
		targets = append(targets, object{"POSITION": g.floats(change, 3, gltf.vertices)})
	}
	at := g.floats(first, 3, gltf.vertices)
	var list []any
	for _, p := range primitives {
		p["attributes"], p["targets"] = object{"POSITION": at}, targets
		list = append(list, p)
	}
	weights := make([]float32, len(frames)*len(targets)) // frame k has target k−1 alone, the first none
	for k := 1; k < len(frames); k++ {
		weights[k*len(targets)+k-1] = 1
	}
	g.channel(g.add(object{"name": "points", "mesh": g.mesh(list...)}), "weights", g.data(weights, len(weights), gltf.float, "SCALAR", 0))
}

// write writes header, JSON and numbers. The scene has z upwards, glTF y.
func (g *glb) write(w io.Writer) error {
	paint := func(colour string, both bool) object {
		r, gr, b, _ := colourOf(colour).RGBA()
		return object{"doubleSided": both, "pbrMetallicRoughness": object{"metallicFactor": 0, "roughnessFactor": 0.9,
			"baseColorFactor": []float64{float64(r) / 65535, float64(gr) / 65535, float64(b) / 65535, 1}}}
	}
	if len(g.roots) == 0 {
		return errors.New("report: the scene has neither bodies nor points")
	}
	half := math.Sqrt(0.5)
	g.nodes = append(g.nodes, object{"name": "scene", "children": g.roots, "rotation": []float64{-half, 0, 0, half}})
	all := object{"asset": object{"version": "2.0", "generator": "quasistatic"}, "scene": 0,
		"scenes": []any{object{"nodes": []int{len(g.nodes) - 1}}}, "nodes": g.nodes, "meshes": g.meshes,
		"materials": []any{paint(filmBody, true), paint(filmBand, true)},
		"accessors": g.accessors, "bufferViews": g.views, "buffers": []any{object{"byteLength": g.numbers.Len()}}}
	if len(g.all) > 0 {
		all["animations"] = []any{object{"name": "motion", "samplers": g.samplers, "channels": g.all}}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	text = append(text, strings.Repeat(" ", -len(text)&3)...) // chunks are of whole words; numbers are
	head := []uint32{gltf.magic, 2, uint32(12 + 8 + len(text) + 8 + g.numbers.Len()), uint32(len(text)), gltf.json}
	for _, part := range []any{head, text, []uint32{uint32(g.numbers.Len()), gltf.bin}, g.numbers.Bytes()} {
		if err := binary.Write(w, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return nil
}
