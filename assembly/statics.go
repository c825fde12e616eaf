package assembly

import (
	"math"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// statics is an assembly in numbers of size 1: lengths by the size of what is free, forces by the sum of weights and
// loads, masses by their sum. Unknown are velocities v of the blocks that are free, at the centroids,
// and a reaction (normal, tangents) at each corner of each interface:
//
//	u = Hᵀv,    M a = f + H r,    r + (T, 0, 0) ∈ K
//
// Where an interface holds tension T, f has −T H_N, and r stands for r + (T, 0, 0), from 0 on.
type statics struct {
	a        *Assembly
	dim      int // components of a contact
	per      int // velocities of a block
	nv       int
	index    []int // of the first velocity of each block; -1 for a support
	free     []int // of a part: which of the free blocks of the whole it has
	contacts []corner
	mass     [][]float64 // per×per of each free block
	inverse  [][]float64
	dead     []float64 // f without, and with, the live loads
	live     []float64
	length   float64 // m
	force    float64 // N
}

type corner struct {
	face  int // the interface
	point [3]float64
	frame [3][3]float64 // normal, tangents
	mu    float64
	rows  []int
	cols  [3][]float64 // of H, in these rows
}

func newStatics(a *Assembly) *statics {
	s := &statics{a: a, dim: 3, per: 6}
	if a.Plane {
		s.dim, s.per = 2, 3
	}
	low, high := [3]float64{}, [3]float64{}
	mass := 0.
	for i := range a.Blocks {
		b := &a.Blocks[i]
		s.index = append(s.index, -1)
		if b.Support {
			continue
		}
		if s.nv == 0 {
			low, high = b.low, b.high
		}
		for k := range low {
			low[k], high[k] = min(low[k], b.low[k]), max(high[k], b.high[k])
		}
		s.index[i] = s.nv
		s.nv += s.per
		mass += b.Mass()
	}
	s.length = norm(sub(high, low))
	s.force = mass * norm(a.Gravity)
	for _, l := range a.Loads {
		s.force += norm(l.Force)
	}
	s.dead, s.live = make([]float64, s.nv), make([]float64, s.nv)
	for i := range a.Blocks {
		if b := &a.Blocks[i]; !b.Support {
			s.addMass(b, mass)
			s.press(s.dead, i, b.Centroid, add([3]float64{}, a.Gravity, b.Mass()/s.force))
		}
	}
	for _, l := range a.Loads {
		f := s.dead
		if l.Live {
			f = s.live
		}
		s.press(f, l.Block, l.Point, add([3]float64{}, l.Force, 1/s.force))
	}
	corners := 0
	for k := range a.Interfaces {
		corners += len(a.Interfaces[k].Points)
	}
	s.contacts = make([]corner, 0, corners)
	for k := range a.Interfaces {
		s.addContacts(k)
	}
	return s
}

// twist returns force and moment at the centroid of block i, in the velocities that it has: the first of the array.
func (s *statics) twist(i int, at, force [3]float64) [6]float64 {
	m := cross(add([3]float64{}, sub(at, s.a.Blocks[i].Centroid), 1/s.length), force)
	if s.per == 3 {
		return [6]float64{force[0], force[2], m[1]}
	}
	return [6]float64{force[0], force[1], force[2], m[0], m[1], m[2]}
}

func (s *statics) press(f []float64, i int, at, force [3]float64) {
	if s.index[i] < 0 {
		return
	}
	t := s.twist(i, at, force)
	for k, v := range t[:s.per] {
		f[s.index[i]+k] += v
	}
}

// addMass appends mass matrix and inverse of a block.
func (s *statics) addMass(b *Block, total float64) {
	m, inv := make([]float64, s.per*s.per), make([]float64, s.per*s.per)
	linear := s.per - 3
	if s.per == 3 {
		linear = 2
		m[8] = b.inertia[1][1] / (total * s.length * s.length)
		inv[8] = 1 / m[8]
	} else {
		j := b.inertia
		scale := 1 / (total * s.length * s.length)
		cof := [3][3]float64{cross(j[1], j[2]), cross(j[2], j[0]), cross(j[0], j[1])}
		det := dot(j[0], cof[0])
		for r := range 3 {
			for c := range 3 {
				m[(3+r)*6+3+c] = j[r][c] * scale
				inv[(3+r)*6+3+c] = cof[c][r] / det / scale
			}
		}
	}
	for k := range linear {
		m[k*s.per+k] = b.Mass() / total
		inv[k*s.per+k] = total / b.Mass()
	}
	s.mass, s.inverse = append(s.mass, m), append(s.inverse, inv)
}

func (s *statics) addContacts(k int) {
	f := &s.a.Interfaces[k]
	frame := [3][3]float64{f.Normal}
	if s.dim == 2 {
		frame[1] = [3]float64{f.Normal[2], 0, -f.Normal[0]}
	} else {
		frame[1], frame[2] = Axes(f.Normal)
	}
	var rows []int // of all corners
	for _, i := range []int{f.A, f.B} {
		for j := range s.per {
			if s.index[i] >= 0 {
				rows = append(rows, s.index[i]+j)
			}
		}
	}
	if len(rows) == 0 {
		return // between two supports
	}
	n := len(rows)
	values := make([]float64, len(f.Points)*s.dim*n)
	for _, p := range f.Points {
		c := corner{face: k, point: p, frame: frame, mu: f.Friction, rows: rows}
		for e := range s.dim {
			c.cols[e], values = values[:0:n], values[n:]
			for side, i := range []int{f.A, f.B} {
				if s.index[i] >= 0 {
					t := s.twist(i, p, add([3]float64{}, frame[e], float64(2*side-1)))
					c.cols[e] = append(c.cols[e], t[:s.per]...)
				}
			}
		}
		for j, row := range c.rows {
			s.dead[row] -= f.Tension / s.force * c.cols[0][j]
		}
		s.contacts = append(s.contacts, c)
	}
}

// total is f at a load factor.
func (s *statics) total(factor float64) []float64 {
	f := make([]float64, s.nv)
	for i := range f {
		f[i] = s.dead[i] + factor*s.live[i]
	}
	return f
}

// motion sets u = Hᵀv, dim entries a contact.
func (s *statics) motion(u, v []float64) {
	for j := range s.contacts {
		c := &s.contacts[j]
		for e := range s.dim {
			sum := 0.
			for k, row := range c.rows {
				sum += c.cols[e][k] * v[row]
			}
			u[j*s.dim+e] = sum
		}
	}
}

// resultant adds H r to f.
func (s *statics) resultant(f, r []float64) {
	for j := range s.contacts {
		c := &s.contacts[j]
		for e := range s.dim {
			for k, row := range c.rows {
				f[row] += c.cols[e][k] * r[j*s.dim+e]
			}
		}
	}
}

// blockwise sets dst to the product with M or its inverse; dst is not x.
func (s *statics) blockwise(dst []float64, blocks [][]float64, x []float64) {
	for b, m := range blocks {
		for i := range s.per {
			sum := 0.
			for k := range s.per {
				sum += m[i*s.per+k] * x[b*s.per+k]
			}
			dst[b*s.per+i] = sum
		}
	}
}

// program is that of admissible reactions, in (μ r_N, r_T): H r = −f. For frictionless ones, normal
// forces only.
func (s *statics) program(f []float64, friction func(*corner) float64) *conic.Problem {
	p := &conic.Problem{B: make([]float64, s.nv)}
	entries := 0
	for j := range s.contacts {
		entries += s.dim * len(s.contacts[j].rows)
	}
	p.A = conic.Matrix{Rows: s.nv, Row: make([]int, 0, entries), Val: make([]float64, 0, entries)}
	for i, v := range f {
		p.B[i] = -v
	}
	for j := range s.contacts {
		c := &s.contacts[j]
		mu := friction(c)
		if mu == 0 {
			p.A.Column(c.rows, c.cols[0])
			p.Cones = append(p.Cones, 1)
			continue
		}
		normal := make([]float64, len(c.rows))
		for k, v := range c.cols[0] {
			normal[k] = v / mu
		}
		p.A.Column(c.rows, normal)
		for e := 1; e < s.dim; e++ {
			p.A.Column(c.rows, c.cols[e])
		}
		p.Cones = append(p.Cones, s.dim)
	}
	p.C = make([]float64, p.A.Cols())
	return p
}

// reactions reads them from an answer of program.
func (s *statics) reactions(x []float64, friction func(*corner) float64) []float64 {
	r := make([]float64, s.dim*len(s.contacts))
	at := 0
	for j := range s.contacts {
		mu := friction(&s.contacts[j])
		if mu == 0 {
			r[j*s.dim] = x[at]
			at++
			continue
		}
		copy(r[j*s.dim:(j+1)*s.dim], x[at:])
		r[j*s.dim] /= mu
		at += s.dim
	}
	return r
}

func own(c *corner) float64    { return c.mu }
func smooth(c *corner) float64 { return 0 }

func largest(x []float64) float64 {
	v := 0.
	for _, xi := range x {
		v = max(v, math.Abs(xi))
	}
	return v
}

func product(x, y []float64) float64 {
	sum := 0.
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}
