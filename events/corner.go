package events

import "fmt"

// Corner is a particle that walks in three dofs: one with several obstacles, or one whose direction
// of slip is only known when it slips.
type Corner[T Number[T]] struct {
	Dof   int       // the first of three, along orthonormal axes
	Faces []Face[T] // that it may touch
	// Tangents are the directions of the first two dofs, if friction has axes: then these are
	// coordinates in which the cone of its one face is round. 0: orthonormal.
	Tangents [2][3]float64
}

// Face is a flat obstacle of a corner: Gap + N·q >= 0.
type Face[T Number[T]] struct {
	N   [3]T // unit normal along the axes of the dofs
	Mu  T    // [-], in all directions
	Gap T    // height at the start [m]
}

// mostFaces bear a particle in space.
const mostFaces = 3

// support is a set of independent faces that bear a particle. The normal forces are the coordinates
// of r in their normals, as in the decomposition of [particles.System.PressParticle], and
//
//	r = Σ σ_c n_c + d,   σ_c = s_c·r,   |d| <= Σ μ_c σ_c = b·r
//
// where s_c, in the span of the normals, is across the other ones: s_c·n_d = δ_cd.
type support[T Number[T]] struct {
	faces  []int
	shares [][3]T // s_c
	bound  [3]T   // b
	edge   [3]T   // unit direction along which two faces meet
	smooth bool   // b = 0: what bears has no friction
}

// supports lists the sets of independent faces in the order in which the decomposition of forces
// tries them: all of two or three, none, then sets of one, two, three.
func (c *Corner[T]) supports() (list []support[T], err error) {
	n := len(c.Faces)
	add := func(faces ...int) {
		if err != nil || len(list) > 0 && n > 1 && len(faces) == n {
			return
		}
		var s support[T]
		var independent bool
		if s, independent, err = c.support(faces); independent {
			list = append(list, s)
		}
	}
	if n == 2 || n == mostFaces {
		add([]int{0, 1, 2}[:n]...)
	}
	add()
	for i := range n {
		add(i)
	}
	for i := range n {
		for k := range i {
			add(k, i)
		}
	}
	for i := range n {
		for k := range i {
			for l := range k {
				add(l, k, i)
			}
		}
	}
	return list, err
}

// dependentFaces: normals whose Gram determinant is below this count as dependent, as in the
// decomposition of forces.
const dependentFaces = 1e-10

// support makes that of some faces; false if their normals are dependent.
func (c *Corner[T]) support(faces []int) (s support[T], ok bool, err error) {
	s = support[T]{faces: faces, smooth: true}
	normal := func(i int) [3]T { return c.Faces[faces[i]].N }
	switch len(faces) {
	case 1:
		a := normal(0)
		s.shares = [][3]T{scaled(a, a[0].Of(1).Quo(inner(a, a)))}
	case 2:
		a, b := normal(0), normal(1)
		e := cross(a, b)
		det := inner(e, e)
		if det.Float() < dependentFaces {
			return s, false, nil
		}
		s.shares = [][3]T{over(cross(b, e), det), over(cross(e, a), det)}
		l, rational := det.Root()
		if !rational {
			return s, false, fmt.Errorf("events: the edge of faces %d and %d has no rational direction of length 1: |n × n|² = %s",
				faces[0], faces[1], det)
		}
		s.edge = over(e, l)
		canonical(&s.edge)
	case mostFaces:
		a, b, d := normal(0), normal(1), normal(2)
		bd := cross(b, d)
		det := inner(a, bd)
		if v := det.Float(); v*v < dependentFaces {
			return s, false, nil
		}
		s.shares = [][3]T{over(bd, det), over(cross(d, a), det), over(cross(a, b), det)}
	}
	for i, f := range faces {
		if mu := c.Faces[f].Mu; mu.Sign() > 0 {
			s.smooth = false
			s.bound = sum3(s.bound, scaled(s.shares[i], mu))
		}
	}
	return s, true, nil
}

// canonical turns a direction so that its largest component is positive, the first of equal ones.
func canonical[T Number[T]](v *[3]T) {
	largest := 0
	for i := range v {
		if abs(v[i].Float()) > abs(v[largest].Float())*(1+parallel) {
			largest = i
		}
	}
	if v[largest].Sign() < 0 {
		*v = less([3]T{}, *v)
	}
}

func inner[T Number[T]](a, b [3]T) T { return a[0].Mul(b[0]).Add(a[1].Mul(b[1])).Add(a[2].Mul(b[2])) }

func cross[T Number[T]](a, b [3]T) [3]T {
	return [3]T{a[1].Mul(b[2]).Sub(a[2].Mul(b[1])), a[2].Mul(b[0]).Sub(a[0].Mul(b[2])), a[0].Mul(b[1]).Sub(a[1].Mul(b[0]))}
}

func scaled[T Number[T]](a [3]T, s T) [3]T { return [3]T{a[0].Mul(s), a[1].Mul(s), a[2].Mul(s)} }

func over[T Number[T]](a [3]T, s T) [3]T { return [3]T{a[0].Quo(s), a[1].Quo(s), a[2].Quo(s)} }

func sum3[T Number[T]](a, b [3]T) [3]T { return [3]T{a[0].Add(b[0]), a[1].Add(b[1]), a[2].Add(b[2])} }

func less[T Number[T]](a, b [3]T) [3]T { return [3]T{a[0].Sub(b[0]), a[1].Sub(b[1]), a[2].Sub(b[2])} }

// steepest is the largest component of a vector.
func steepest[T Number[T]](v [3]T) int {
	largest := 0
	for i := range v {
		if abs(v[i].Float()) > abs(v[largest].Float()) {
			largest = i
		}
	}
	return largest
}

// vector returns the three components from dof i on.
func vector[T any](x []T, i int) [3]T { return [3]T(x[i : i+3]) }

// parallel is what a component across may be beside the whole: products of rounded
// directions.
const parallel = 1e-11
