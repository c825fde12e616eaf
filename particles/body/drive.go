package body

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/particles"
)

var (
	_ particles.Driven  = (*Body)(nil)
	_ particles.Bearing = (*Body)(nil)
)

// Drive implements [particles.Driven]: the power of what holds the prescribed
// components, and that of the loads. It counts at the first particle that is not
// prescribed, for a prescribed one is no part of what it moves.
func (b *Body) Drive(d *particles.Drive, t float64, x, v []float64) {
	s := b.pool.Get().(*scratch)
	defer b.pool.Put(s)
	b.Displacement(s.d, t, x)
	b.forces(s, t)
	held, loads := 0.0, 0.0
	for _, i := range b.fixed {
		held += (s.f[i] - b.follow*b.lag(i, t, x)) * b.motion[i].Rate(t)
	}
	for _, l := range b.loads {
		power := 0.0
		for i, f := range l.vector {
			if b.motion[i] == nil {
				power += f * v[b.dof[i]]
			} else {
				power += f * b.motion[i].Rate(t)
			}
		}
		loads += math.Abs(l.factor.At(t) * power)
	}
	d.AddUndirected(b.root(), math.Abs(held)+loads)
}

// root returns the first particle with a component that is not prescribed.
func (b *Body) root() int {
	for i, m := range b.motion {
		if m == nil {
			return b.dof[i] / 3
		}
	}
	return b.o.First
}

// Borne implements [particles.Bearing]: the largest force of supports on a node, or of loads, of the particle at which
// [Body.Drive] counts. Followers, which no other particle acts on, bear nothing of it.
func (b *Body) Borne(dst []float64, t float64, x []float64) {
	s := b.pool.Get().(*scratch)
	defer b.pool.Put(s)
	largest := b.largest(b.Support(s.f, t, x))
	clear(s.f)
	for _, l := range b.loads {
		factor := l.factor.At(t)
		for i, v := range l.vector {
			s.f[i] += factor * v
		}
	}
	dst[b.root()] = max(dst[b.root()], largest, b.largest(s.f))
}

// largest is the largest length of a vector of a node.
func (b *Body) largest(list []float64) (length float64) {
	for v := range slices.Chunk(list, b.dim) {
		length = max(length, num.Norm(v))
	}
	return length
}
