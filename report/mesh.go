package report

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"image/color"
	"math"
	"slices"
)

// Mesh is the part of a mesh that can be seen: the sides of its elements that are its surface, all
// elements of a plane one, or those of a bar.
type Mesh struct {
	Faces [][]int // points
	Of    []int   // element of each face, whose shade it has
	Solid bool    // in space: plots show it from the side and above
	Up    string  // name of the axis that a plane one is shown upright along
}

// Body is a mesh at a time.
type Body struct {
	Mesh  *Mesh
	At    [][3]float64 // points without displacements [m], x to the right and z up
	Move  [][3]float64 // displacements [m]
	Shade []float64    // of the elements
}

// Extent returns the longest side of what can be seen of a mesh at points.
func (m *Mesh) Extent(at [][3]float64) float64 {
	low, high, begun := [3]float64{}, [3]float64{}, false
	for _, f := range m.Faces {
		for _, i := range f {
			for c, x := range at[i] {
				if !begun {
					low[c], high[c] = x, x
				}
				low[c], high[c] = min(low[c], x), max(high[c], x)
			}
			begun = true
		}
	}
	return max(high[0]-low[0], high[1]-low[1], high[2]-low[2])
}

// MeshPlot draws deformed meshes coloured by a quantity: what is the name of it, and unit
// writes its largest value. Displacements are magnified where they are small, what lies between two
// bodies from the start is not. Those in space are seen from the side and above, what is far
// first.
func MeshPlot(title, what string, unit func(v float64) string, bodies []Body) *Plot {
	most, largest, size := 0.0, 0.0, 0.0
	for i := range bodies {
		b := &bodies[i]
		for _, k := range b.Mesh.Of {
			most = max(most, bounded(b.Shade[k]))
		}
		for _, u := range b.Move {
			largest = max(largest, math.Abs(bounded(u[0])), math.Abs(bounded(u[1])), math.Abs(bounded(u[2])))
		}
		size = max(size, b.Mesh.Extent(b.At))
	}
	factor := Magnification(largest, size)
	p := &Plot{Title: fmt.Sprintf("%s, %s up to %s", title, what, unit(most)), X: "x [m]", Alike: true, Bare: true}
	var faces []meshFace
	for i := range bodies {
		faces = append(faces, bodies[i].faces(factor, most)...)
		p.Y = bodies[i].Mesh.Up + " [m]"
		if bodies[i].Mesh.Solid {
			p.X, p.Y = "oblique view [m]", "[m]"
		}
	}
	if factor != 1 {
		p.X += fmt.Sprintf(", displacements × %g", factor)
		if len(bodies) > 1 {
			p.X += ", gaps and overlaps × 1"
		}
	}
	slices.SortStableFunc(faces, func(a, b meshFace) int { return cmp.Compare(b.depth, a.depth) })
	for i := range faces {
		p.Areas = append(p.Areas, Area{Rings: [][]Point{faces[i].ring}, Color: shadeOf(faces[i].share), Edge: color.Gray{150}})
	}
	return p
}

// shadeOf maps a share of the largest value to a colour, grey to purple.
func shadeOf(x float64) color.Color {
	x = min(max(x, 0), 1)
	mix := func(a, b float64) uint8 { return uint8(a + x*(b-a)) }
	return color.RGBA{mix(238, 142), mix(241, 42), mix(244, 125), 255}
}

// meshFace is a face as it is drawn.
type meshFace struct {
	ring  []Point
	depth float64 // from the eye
	share float64 // of the largest value
}

// faces projects those of a body with its displacements magnified.
func (b *Body) faces(factor, most float64) []meshFace {
	faces := make([]meshFace, len(b.Mesh.Faces))
	for n, f := range b.Mesh.Faces {
		x := &faces[n]
		x.share = bounded(b.Shade[b.Mesh.Of[n]]) / max(most, math.SmallestNonzeroFloat64)
		for _, i := range f {
			at := b.At[i]
			for c := range at {
				at[c] += factor * bounded(b.Move[i][c])
			}
			point := Point{at[0], at[2]}
			if b.Mesh.Solid {
				point, x.depth = oblique(at, x.depth)
			}
			x.ring = append(x.ring, point)
		}
	}
	return faces
}

// oblique projects a point as the page does, and adds its distance from the eye.
func oblique(x [3]float64, depth float64) (Point, float64) {
	const yaw, tilt = -28 * math.Pi / 180, 32 * math.Pi / 180
	sy, cy := math.Sincos(yaw)
	st, ct := math.Sincos(tilt)
	u, d := x[0]*cy+x[1]*sy, -x[0]*sy+x[1]*cy
	return Point{u, x[2]*ct + d*st}, depth + d*ct - x[2]*st
}

// Magnification returns the power of ten, or three times one, that shows displacements of
// that size best in a body of that extent; 1 if they are large.
func Magnification(displacement, extent float64) float64 {
	const wanted = 0.06 // share of the extent
	if !(displacement > 0) || !(extent > 0) || displacement > wanted*extent/2 {
		return 1
	}
	most := wanted * extent / displacement
	power := math.Pow(10, math.Floor(math.Log10(most)))
	if 3*power <= most {
		return min(3*power, 1000)
	}
	return min(power, 1000)
}

// Add puts the faces into a scene whose points are numbered by number.
func (m *Mesh) Add(s *Scene, number map[int]int) {
	for _, f := range m.Faces {
		var g []int
		for _, i := range f {
			g = append(g, number[i])
		}
		if len(g) == 2 {
			s.Links = append(s.Links, [3]int{g[0], g[1], LinkBar})
		} else {
			s.Polygons = append(s.Polygons, g)
		}
	}
}

// Hold marks the nodes that are moved as prescribed in a scene whose points are numbered by number.
func Hold(s *Scene, number map[int]int, nodes []int) {
	seen := map[int]bool{}
	for _, i := range nodes {
		if p, known := number[i]; known && !seen[i] {
			seen[i] = true
			s.Joints = append(s.Joints, SceneMark{Point: p, Kind: HeldMark})
		}
	}
}

// HeldMark is the kind of a mark of what is moved as prescribed, along an axis at least.
const HeldMark = "held"

// Shades encodes a quantity of the faces over time.
type Shades struct {
	values [][]float64 // by time
	most   float64
}

// Add takes the values of the faces at the next time.
func (h *Shades) Add(values []float64) {
	row := make([]float64, len(values))
	for i, v := range values {
		row[i] = max(0, bounded(v))
		h.most = max(h.most, row[i])
	}
	h.values = append(h.values, row)
}

// Put sets the shades of a scene; what is the name of the quantity, unit writes its
// largest value.
func (h *Shades) Put(s *Scene, what string, unit func(v float64) string) {
	if !(h.most > 0) {
		return
	}
	var b []byte
	for _, row := range h.values {
		for _, x := range row {
			b = append(b, byte(math.Round(255*(x/h.most))))
		}
	}
	s.Shade, s.ShadeLabel = base64.StdEncoding.EncodeToString(b), fmt.Sprintf("%s, 0 to %s", what, unit(h.most))
}

// Pascal writes a stress.
func Pascal(v float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "GPa"}, {1e6, "MPa"}, {1e3, "kPa"}} {
		if v >= u.size {
			return fmt.Sprintf("%.3g %s", v/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.3g Pa", v)
}
