package assembly

import (
	"fmt"
	"math"
	"slices"
)

// Block is a rigid body: a closed mesh in space, or a polygon in the plane of x and z.
type Block struct {
	Name     string
	Where    string       // its place in the file that it comes from, for messages; may be empty
	Vertices [][3]float64 // m; in the plane y = 0
	Faces    [][]int      // vertices of each face in order; in the plane one face, the polygon
	Density  float64      // kg/m³; in the plane kg/m²
	Support  bool         // it does not move

	Volume   float64 // m³, m² in the plane: found by prepare, as what follows
	Centroid [3]float64
	// inertia [kg m²] at the centroid; in the plane the entry of y is the only one.
	inertia [3][3]float64
	low     [3]float64
	high    [3]float64
}

func sub(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func add(a, b [3]float64, f float64) [3]float64 {
	return [3]float64{a[0] + f*b[0], a[1] + f*b[1], a[2] + f*b[2]}
}
func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func norm(a [3]float64) float64   { return math.Sqrt(dot(a, a)) }
func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// called is the name of the block, with its place.
func (b *Block) called() string {
	if b.Where == "" {
		return b.Name
	}
	return b.Name + " (" + b.Where + ")"
}

// prepare turns the faces outwards and finds volume, centroid and inertia.
func (b *Block) prepare(plane bool) error {
	if err := b.look(); err != nil {
		return err
	}
	if plane {
		return b.preparePolygon()
	}
	if err := b.turnFaces(); err != nil {
		return err
	}
	if b.integrate(); b.Volume < 0 {
		for _, f := range b.Faces {
			slices.Reverse(f)
		}
		b.integrate()
	}
	return b.finish()
}

// look finds the box and refuses what is no mesh.
func (b *Block) look() error {
	if len(b.Vertices) < 3 || len(b.Faces) == 0 {
		return fmt.Errorf("block %s has %d vertices and %d faces: no body", b.called(), len(b.Vertices), len(b.Faces))
	}
	b.low, b.high = b.Vertices[0], b.Vertices[0]
	for _, v := range b.Vertices {
		for i, x := range v {
			if math.IsNaN(x) || math.Abs(x) > 1e9 { // m: beyond it no digit of a gap is left
				return fmt.Errorf("block %s has a vertex at %v, want coordinates within 1e9 m", b.called(), v)
			}
			b.low[i], b.high[i] = min(b.low[i], x), max(b.high[i], x)
		}
	}
	for k, f := range b.Faces {
		for _, i := range f {
			if i < 0 || i >= len(b.Vertices) {
				return fmt.Errorf("block %s: face %d names vertex %d of %d", b.called(), k, i, len(b.Vertices))
			}
		}
		if len(f) < 3 {
			return fmt.Errorf("block %s: face %d has %d vertices, want 3 or more", b.called(), k, len(f))
		}
	}
	return nil
}

func (b *Block) finish() error {
	size := norm(sub(b.high, b.low))
	if !(b.Volume > 1e-12*size*size) {
		return fmt.Errorf("block %s has no volume: %.3g", b.called(), b.Volume)
	}
	if b.Support {
		return nil
	}
	if !(b.Density > 0) || math.IsInf(b.Density, 1) {
		return fmt.Errorf("block %s has density %v, want a positive number (or make it a support)", b.called(), b.Density)
	}
	return nil
}

// turnFaces gives all faces the orientation of the first; each edge must join two.
func (b *Block) turnFaces() error {
	type edge [2]int
	faces := map[edge][]int{}
	for k, f := range b.Faces {
		for i, from := range f {
			to := f[(i+1)%len(f)]
			e := edge{min(from, to), max(from, to)}
			faces[e] = append(faces[e], k)
		}
	}
	for k, f := range b.Faces {
		for i, from := range f {
			to := f[(i+1)%len(f)]
			if n := len(faces[edge{min(from, to), max(from, to)}]); n != 2 {
				return fmt.Errorf("block %s has an open mesh: the edge of vertices %d and %d of face %d joins %d faces, want 2",
					b.called(), from, to, k, n)
			}
		}
	}
	along := func(k, from, to int) bool {
		i := slices.Index(b.Faces[k], from)
		return b.Faces[k][(i+1)%len(b.Faces[k])] == to
	}
	seen := make([]bool, len(b.Faces))
	for start := range b.Faces {
		queue := []int{start}
		for len(queue) > 0 {
			k := queue[0]
			queue = queue[1:]
			seen[k] = true
			f := b.Faces[k]
			for i, from := range f {
				to := f[(i+1)%len(f)]
				for _, other := range faces[edge{min(from, to), max(from, to)}] {
					if seen[other] {
						continue
					}
					if along(other, from, to) {
						slices.Reverse(b.Faces[other])
					}
					seen[other] = true
					queue = append(queue, other)
				}
			}
		}
	}
	return nil
}

// integrate sums tetrahedra from the middle of the box to the triangles of the faces: volume,
// centroid, and the moments of second order, ∫x xᵀ = V/20 (Σ p pᵀ + (Σ p)(Σ p)ᵀ) of a tetrahedron
// with one corner at the origin.
func (b *Block) integrate() {
	middle := add(b.low, sub(b.high, b.low), .5)
	var volume float64
	var first [3]float64
	var second [3][3]float64
	for _, f := range b.Faces {
		for i := 1; i+1 < len(f); i++ {
			p := [3][3]float64{sub(b.Vertices[f[0]], middle), sub(b.Vertices[f[i]], middle), sub(b.Vertices[f[i+1]], middle)}
			v := dot(p[0], cross(p[1], p[2])) / 6
			sum := add(add(p[0], p[1], 1), p[2], 1)
			volume += v
			first = add(first, sum, v/4)
			for r := range 3 {
				for c := range 3 {
					second[r][c] += v / 20 * (p[0][r]*p[0][c] + p[1][r]*p[1][c] + p[2][r]*p[2][c] + sum[r]*sum[c])
				}
			}
		}
	}
	b.Volume = volume
	centre := [3]float64{first[0] / volume, first[1] / volume, first[2] / volume}
	b.Centroid = add(middle, centre, 1)
	trace := 0.
	for r := range 3 {
		for c := range 3 {
			second[r][c] -= volume * centre[r] * centre[c]
		}
		trace += second[r][r]
	}
	for r := range 3 {
		for c := range 3 {
			b.inertia[r][c] = -b.Density * second[r][c]
		}
		b.inertia[r][r] += b.Density * trace
	}
}

// preparePolygon does the same for a polygon in the plane of x and z.
func (b *Block) preparePolygon() error {
	if len(b.Faces) != 1 {
		return fmt.Errorf("block %s has %d faces, want one polygon in the plane", b.called(), len(b.Faces))
	}
	middle := add(b.low, sub(b.high, b.low), .5)
	var area, polar float64
	var first [3]float64
	polygon := func() {
		f := b.Faces[0]
		area, polar, first = 0, 0, [3]float64{}
		for i := range f {
			p, q := sub(b.Vertices[f[i]], middle), sub(b.Vertices[f[(i+1)%len(f)]], middle)
			a := (p[0]*q[2] - p[2]*q[0]) / 2
			area += a
			first = add(first, add(p, q, 1), a/3)
			polar += a / 6 * (dot(p, p) + dot(p, q) + dot(q, q))
		}
	}
	if polygon(); area < 0 {
		slices.Reverse(b.Faces[0])
		polygon()
	}
	b.Volume = area
	centre := [3]float64{first[0] / area, 0, first[2] / area}
	b.Centroid = add(middle, centre, 1)
	b.inertia[1][1] = b.Density * (polar - area*dot(centre, centre))
	return b.finish()
}

// Mass returns the mass [kg].
func (b *Block) Mass() float64 { return b.Density * b.Volume }
