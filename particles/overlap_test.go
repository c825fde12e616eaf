package particles_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
)

// solid is a term without energy that bounds matter: a simplex mesh of its own.
type solid struct {
	particles.Loads
	shape particles.Shape
}

func (s *solid) Shape(dst *particles.Shape, _ float64, _ []float64) { *dst = s.shape }

// box2 is a rectangle of two triangles in the plane y = 0.
func box2(x0, z0, x1, z1 float64) *solid {
	return &solid{shape: particles.Shape{Dim: 2, Node: []float64{x0, 0, z0, x1, 0, z0, x1, 0, z1, x0, 0, z1},
		Element: []int{0, 1, 2, 0, 2, 3}}}
}

// tet is a tetrahedron with its corner at p and edges along the axes.
func tet(x, y, z, a float64) *solid {
	return &solid{shape: particles.Shape{Dim: 3, Node: []float64{x, y, z, x + a, y, z, x, y + a, z, x, y, z + a},
		Element: []int{0, 1, 2, 3}}}
}

// TestOverlap: depths by hand, of bodies apart, touching, crossing without a corner
// of one inside the other, and nested; the answer does not depend on the unit.
func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b *solid
		want float64
	}{
		{"apart", box2(0, 0, 1, 1), box2(1.1, 0, 2, 1), 0},
		{"touching", box2(0, 0, 1, 1), box2(1, 0, 2, 1), 0},
		{"side by side", box2(0, 0, 1, 1), box2(0.9, 0, 2, 1), 0.1},
		{"crossing", box2(-2, -0.1, 2, 0.1), box2(-0.1, -2, 0.1, 2), 0.1},
		{"nested", box2(-2, -2, 2, 2), box2(-0.1, -0.1, 0.1, 0.1), 0.1},
		{"boxes meet, bodies do not", tet(0, 0, 0, 1), tet(0.6, 0.6, 0.6, 1), 0},
		// the corner (.3, .3, .3) lies (1 − .9)/√3 below the face x + y + z = 1.
		{"tetrahedra", tet(0, 0, 0, 1), tet(0.3, 0.3, 0.3, 1), 0.1 / math.Sqrt(3)},
	} {
		for _, unit := range []float64{1, 1e-6, 1e6} {
			a, b := *c.a, *c.b
			for _, s := range []*solid{&a, &b} {
				s.shape.Node = append([]float64(nil), s.shape.Node...)
				for i := range s.shape.Node {
					s.shape.Node[i] *= unit
				}
			}
			sys, err := particles.NewSystem(particles.Floors(1), &a, &b)
			if err != nil {
				t.Fatal(err)
			}
			got := sys.Overlap(0, make([]float64, 3))
			// Crossing and nested bodies overlap by as much as a triangle of the small one.
			if least, most := c.want*unit*(1-1e-12), 2*c.want*unit*(1+1e-12); got.Depth < least || got.Depth > most {
				t.Errorf("%s in units of %g: depth %g, want [%g, %g]", c.name, unit, got.Depth, least, most)
			}
		}
	}
}

// TestSelfOverlap: a strip of unit cells with two prongs, whose right one is moved onto the left one: by less than the unit
// between them nothing overlaps, by u more their triangles do, by u along x; a fold of a triangle about its
// neighbours' nodes is left to what is beside.
func TestSelfOverlap(t *testing.T) {
	for _, c := range []struct{ move, want float64 }{{0, 0}, {0.9, 0}, {1, 0}, {1.1, 0.1}, {1.3, 0.3}} {
		var s particles.Shape
		s.Dim = 2
		at := map[[2]int]int{}
		node := func(i, k int) int {
			n, known := at[[2]int{i, k}]
			if !known {
				n = len(s.Node) / 3
				at[[2]int{i, k}] = n
				x := float64(i)
				if i >= 2 && k >= 2 { // the upper cells of the right prong
					x -= c.move
				}
				s.Node = append(s.Node, x, 0, float64(k))
			}
			return n
		}
		for _, cell := range [][2]int{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {2, 1}, {0, 2}, {2, 2}} {
			i, k := cell[0], cell[1]
			s.Element = append(s.Element, node(i, k), node(i+1, k), node(i+1, k+1), node(i, k), node(i+1, k+1), node(i, k+1))
		}
		s.Surface = s.Element
		got := particles.DeepestOverlap([]particles.Shape{s}, nil)
		if least, most := c.want*0.7*(1-1e-12), c.want*(1+1e-12); got.Depth < least || got.Depth > most {
			t.Errorf("moved by %g: %+v, want %g", c.move, got, c.want)
		}
	}
}
