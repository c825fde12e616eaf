package report

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// ScenePart is a convex body, or a convex part of one, in its own frame: shown by its outline, and by
// those of its edges that are sharp, or that show how what is round turns.
type ScenePart struct {
	At [][3]float32 `json:"at"` // points of its surface [m]
	// Faces are polygons of them, counter-clockwise from outside; nil: the points are rings of Around,
	// from one end to the other.
	Faces  [][]int `json:"faces,omitempty"`
	Around int     `json:"around,omitempty"`
}

// sharp is the cosine of the angle between two faces from which on the edge between them is drawn: 30°,
// above that between the 16 faces around what is round, below those of corners.
const sharp = 0.866

// partEdge is an edge that is drawn, with the normals of the faces beside it: it is seen where one of
// them looks to the eye.
type partEdge struct {
	a, b   int
	normal [2][3]float64
}

// faces are those of the part.
func (x *ScenePart) faces() [][]int {
	if x.Around == 0 {
		return x.Faces
	}
	var list [][]int
	for row := 0; row+x.Around < len(x.At); row += x.Around {
		for k := range x.Around {
			a, c := row+k, row+(k+1)%x.Around
			list = append(list, []int{a, a + x.Around, c + x.Around, c})
		}
	}
	return list
}

// edges are those that are drawn: sharp ones, and along rings three lines from end to end, a quarter
// of the way around apart, one of which is always seen.
func (x *ScenePart) edges() (list []partEdge) {
	first := map[[3]float32]int{} // points of one place are one
	number := func(i int) int {
		k, known := first[x.At[i]]
		if !known {
			k = i
			first[x.At[i]] = i
		}
		return k
	}
	beside := map[[2]int]int{} // edges of the list, by their ends
	marked := map[[2]int]bool{}
	for i := 0; x.Around > 0 && i+x.Around < len(x.At); i++ {
		if 4*(i%x.Around)%x.Around == 0 && 4*(i%x.Around) < 3*x.Around {
			marked[ends(number(i), number(i+x.Around))] = true
		}
	}
	for _, face := range x.faces() {
		n := x.normal(face)
		if n == ([3]float64{}) {
			continue
		}
		for k, i := range face {
			a, b := number(i), number(face[(k+1)%len(face)])
			if a == b {
				continue
			}
			if e, known := beside[ends(a, b)]; known {
				list[e].normal[1] = n
				continue
			}
			beside[ends(a, b)] = len(list)
			list = append(list, partEdge{a, b, [2][3]float64{n, n}})
		}
	}
	kept := list[:0]
	for _, e := range list {
		if vec3.Dot(e.normal[0], e.normal[1]) < sharp || marked[ends(e.a, e.b)] {
			kept = append(kept, e)
		}
	}
	return kept
}

func ends(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

// normal is that of a face, by Newell's sum; zero of one without area.
func (x *ScenePart) normal(face []int) (n [3]float64) {
	size := 0.0
	for k, i := range face {
		a, b := x.point(i), x.point(face[(k+1)%len(face)])
		n = vec3.Add(n, 1, vec3.Cross(a, b))
		size += vec3.Dot(a, a)
	}
	l := vec3.Norm(n)
	if l <= 1e-6*size { // the rounding of single precision
		return [3]float64{}
	}
	return vec3.Scale(n, 1/l)
}

// point is a point of the surface.
func (x *ScenePart) point(i int) (y [3]float64) {
	for c, v := range x.At[i] {
		y[c] = float64(v)
	}
	return y
}

// NewScenePart returns one of points and faces; around > 0: the points are rings.
func NewScenePart(points [][3]float64, faces [][]int, around int) ScenePart {
	x := ScenePart{Faces: faces, Around: around}
	for _, y := range points {
		var at [3]float32
		for c, v := range y {
			at[c] = float32(max(-math.MaxFloat32, min(bounded(v), math.MaxFloat32)))
		}
		x.At = append(x.At, at)
	}
	return x
}
