package bodies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// turned is a rotation drawn from all.
func turned(r *rand.Rand, at vec) pose {
	e := make([]float64, 4)
	size := 0.0
	for k := range e {
		e[k] = r.NormFloat64()
		size = math.Hypot(size, e[k])
	}
	for k := range e {
		e[k] /= size
	}
	return spacePose(at, e)
}

// TestClosestBoxes: the closest points of two disjoint boxes are those of the nearest of all
// vertices with the other box and all edges with all edges, none left out, and the normal leads
// from b to a.
func TestClosestBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 21))
	edges := 0
	for range 1500 {
		a, b := Box{vec{.2 + r.Float64(), .2 + r.Float64(), .2 + r.Float64()}}.form(), Box{vec{.2 + r.Float64(), .2 + r.Float64(), .2 + r.Float64()}}.form()
		pa, pb := turned(r, vec{}), turned(r, vec{1.5 * r.NormFloat64(), 1.5 * r.NormFloat64(), 1.5 * r.NormFloat64()})
		if satBoxes(&a, &b, &pa, &pb, math.Inf(1)).value <= 1e-6 {
			continue
		}
		least, edge := math.Inf(1), false
		for i := range 8 {
			_, _, d := b.boxFoot(pb.local(pa.place(a.core[i])))
			_, _, e := a.boxFoot(pa.local(pb.place(b.core[i])))
			least = min(least, d, e)
		}
		for _, e := range boxEdges {
			for _, f := range boxEdges {
				x, y := closest(pa.place(a.core[e[0]]), pa.place(a.core[e[1]]), pb.place(b.core[f[0]]), pb.place(b.core[f[1]]))
				if d := vec3.Norm(vec3.Add(x, -1, y)); d < least-1e-12 {
					least, edge = d, true
				}
			}
		}
		if edge {
			edges++
		}
		c := clipper{margin: math.Inf(1)}
		c.closestBoxes(&a, &b, &pa, &pb)
		x := c.out[0]
		_, _, toA := a.boxFoot(pa.local(vec3.Add(x.at, x.gap/2, x.n)))
		_, _, toB := b.boxFoot(pb.local(vec3.Add(x.at, -x.gap/2, x.n)))
		// Rounding of distances of some metres.
		if math.Abs(x.gap-least) > 1e-12 || math.Abs(toA) > 1e-12 || math.Abs(toB) > 1e-12 {
			t.Fatalf("gap %.15g, want %.15g; the ends are off the boxes by %g and %g", x.gap, least, toA, toB)
		}
	}
	if edges < 150 {
		t.Errorf("of the draws %d are of two edges: the test tests too little", edges)
	}
}

// TestFeaturesOfBoxes: the pair that touches has its own number: a vertex of a (bits of its signs)
// on b, of b (8 more) on a, and 16 + 12 i + j for the edges i and j, which are four along each
// axis.
func TestFeaturesOfBoxes(t *testing.T) {
	a := Box{vec{2, 2, 2}}.form()
	seen := map[int]string{}
	check := func(pa, pb pose, want int, what string) {
		t.Helper()
		c := clipper{margin: math.Inf(1)}
		c.closestBoxes(&a, &a, &pa, &pb)
		if got := c.out[0].feature; got != 1<<13|want {
			t.Errorf("%s: feature %d, want %d", what, got-1<<13, want)
		}
		if was, ok := seen[want]; ok {
			t.Errorf("%s has the number of %s", what, was)
		}
		seen[want] = what
	}
	straight := pose{r: identity}
	for v := range 8 {
		// The diagonal through vertex v is turned to the x axis: it stands on the face of the
		// other.
		d := direction(a.core[v])
		o, n := tangents(d, 3)
		p := pose{r: [9]float64{d[0], d[1], d[2], o[0], o[1], o[2], n[0], n[1], n[2]}} // rows: R d = e₁
		p.c = vec{-4, .1, .2}
		check(p, straight, v, fmt.Sprintf("vertex %d of a", v))
		check(straight, p, 8+v, fmt.Sprintf("vertex %d of b", v))
	}
	for i, e := range boxEdges {
		for j, f := range boxEdges {
			// Each edge is turned so that it faces the other along x, one along y and one along z.
			face := func(e [2]int, side float64, along vec) pose {
				mid := direction(vec3.Add(a.core[e[0]], 1, a.core[e[1]]))
				way := direction(vec3.Add(a.core[e[1]], -1, a.core[e[0]]))
				third, up := vec3.Cross(mid, way), vec3.Cross(vec{side}, along)
				var r [9]float64
				for k := range 3 {
					for l := range 3 {
						r[3*k+l] = vec{side}[k]*mid[l] + along[k]*way[l] + up[k]*third[l]
					}
				}
				return pose{r: r}
			}
			pa, pb := face(e, 1, vec{0, 1, 0}), face(f, -1, vec{0, 0, 1})
			pb.c = vec{4, .1, .2}
			check(pa, pb, 16+12*i+j, fmt.Sprintf("edges %d and %d", i, j))
		}
	}
}

// TestDeepestVertex: of the two boxes one gives the face, the other the vertex that is deepest
// below it: its depth, the place half-way to the face, and the normal from b into a.
func TestDeepestVertex(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 22))
	for range 300 {
		a, b := Box{vec{.2 + r.Float64(), .2 + r.Float64(), .2 + r.Float64()}}.form(), Box{vec{.2 + r.Float64(), .2 + r.Float64(), .2 + r.Float64()}}.form()
		pa, pb := turned(r, vec{r.NormFloat64(), 0, 1}), turned(r, vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		for face := range 6 {
			c := clipper{}
			c.deepestVertex(&a, &b, &pa, &pb, face)
			x := c.out[0]
			own, other, po, pt, s := &a, &b, &pa, &pb, -1.0
			if face >= 3 {
				own, other, po, pt, s = &b, &a, &pb, &pa, 1
			}
			n := vec3.Scale(x.n, s) // outwards from the box with the face
			if d := vec3.Dot(n, vec3.Add(pt.c, -1, po.c)); d < 0 || math.Abs(math.Abs(vec3.Dot(n, column(po, face%3)))-1) > 1e-14 {
				t.Fatalf("face %d: normal %v", face, x.n)
			}
			least, vertex := math.Inf(1), 0
			for v, y := range other.core {
				if h := vec3.Dot(n, vec3.Add(pt.place(y), -1, po.c)) - own.half[face%3]; h < least {
					least, vertex = h, v
				}
			}
			if math.Abs(x.gap-least) > 1e-14 || x.feature != 1<<14|face<<3|vertex {
				t.Fatalf("face %d: depth %g and feature %b, want %g of vertex %d", face, x.gap, x.feature, least, vertex)
			}
			if d := vec3.Norm(vec3.Add(vec3.Add(x.at, x.gap/2, n), -1, pt.place(other.core[vertex]))); d > 1e-14 {
				t.Fatalf("face %d: the place is off by %g", face, d)
			}
		}
	}
}

// TestSegmentOverBox: over a face each end of the part that is above it, and where an end of the
// segment is nearer that end: gaps, places and numbers by hand. Beside the face there is one point.
func TestSegmentOverBox(t *testing.T) {
	box := Box{vec{2, 4, 6}}.form()
	upright := pose{r: identity}
	for _, c := range []struct {
		at       vec
		length   float64
		features []int
		ends     []float64 // x of the points
	}{
		{vec{0, 0, 3.5}, 1, []int{0, 1}, []float64{-.5, .5}},
		{vec{0, 1.9, 3.5}, 4, []int{2, 3}, []float64{-1, 1}},
		{vec{1, 0, 3.5}, 1, []int{0, 3}, []float64{.5, 1}},
		{vec{-1, -1.9, 3.5}, 1, []int{2, 1}, []float64{-1, -.5}},
		{vec{0, 2.3, 3.3}, 1, []int{4}, []float64{-.5}}, // beside: equally near along its length, the first end goes before
		{vec{2, 0, 3.3}, 1, []int{4}, []float64{1}},     // beyond
	} {
		rod := segment(c.length, .25)
		p := upright
		p.c = c.at
		out := clipper{margin: 9}
		out.segmentBox(&rod, &box, &p, &upright, 1)
		if len(out.out) != len(c.features) {
			t.Errorf("%v: %d points, want %d", c.at, len(out.out), len(c.features))
			continue
		}
		for k, x := range out.out {
			gap := math.Hypot(math.Hypot(max(0, c.at[1]-2), max(0, c.at[2]-3)), max(0, c.at[0]-c.length/2-1)) - .25
			foot := vec3.Add(x.at, -x.gap/2, x.n)
			if x.feature != c.features[k] || math.Abs(x.gap-gap) > 1e-15 || math.Abs(foot[0]-c.ends[k]) > 1e-15 {
				t.Errorf("%v: feature %d at x = %g with gap %g, want %d, %g, %g", c.at, x.feature, foot[0], x.gap, c.features[k], c.ends[k], gap)
			}
		}
	}
}
