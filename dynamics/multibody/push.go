package multibody

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Push is a [bodies.Push] as a force of a model: on the velocities of its body
//
//	k₁ = (F, Rᵀ(Rr × F + τ))   along the axes of space, (Rf, r × f + τ) along those of the body.
type Push bodies.Push

var _ Averaged = (*Push)(nil)

// Averaged is a [Force] of which some parts depend on time alone. A step takes these by their means,
// so that their impulse is exact.
type Averaged interface {
	Force
	// MeanForce is Force with the mean from t to t + h of all that depends on time alone.
	MeanForce(f []float64, t, h float64, s *Snapshot)
}

// Bodies implements [Force].
func (p *Push) Bodies() []int { return []int{p.Body} }

// Force implements [Force].
func (p *Push) Force(f []float64, t float64, s *Snapshot) { p.MeanForce(f, t, 0, s) }

// MeanForce implements [Averaged].
func (p *Push) MeanForce(f []float64, t, h float64, s *Snapshot) {
	pose := &s.Poses[p.Body]
	force, moment := (*bodies.Push)(p).Wrench(&pose.Rotation, t, h)
	s.M.Put(f, 1, p.Body, pose, 1, &force, &moment)
}

// Jacobian implements [Force]. A turn by φ changes Rf by φ × Rf, and, on the axes of the body, what is
// given along those of space by −φ × Rᵀ(·):
//
//	r × RᵀF by −r × (φ × RᵀF),   Rᵀτ by −φ × Rᵀτ.
func (p *Push) Jacobian(kq, _ []float64, t float64, s *Snapshot) {
	b, pose := &s.M.Bodies[p.Body], &s.Poses[p.Body]
	if !b.Spins {
		return
	}
	force, torque := (*bodies.Push)(p).Given(&pose.Rotation, t, 0)
	n, dim := b.N, s.M.Dim
	axes := []vec{{0, 0, 1}}
	if dim == 3 {
		axes = []vec{{1}, {0, 1}, {0, 0, 1}}
	}
	for j, axis := range axes {
		turn := axis // in space
		if dim == 3 {
			turn = ToSpace(pose, axis)
		}
		var df, dm vec // in space; the moment as its entries on the axes of the body change
		if p.Turns {
			df = vec3.Cross(turn, force)
		} else {
			dm = vec3.Scale(vec3.Add(vec3.Cross(ToSpace(pose, p.At), vec3.Cross(turn, force)), 1, vec3.Cross(turn, torque)), -1)
		}
		var column [6]float64
		s.M.Put(column[:n], 1, p.Body, pose, 1, &df, &dm)
		for i := range n {
			kq[i*n+dim+j] += column[i]
		}
	}
}

// Energy implements [Force]: it has no potential.
func (p *Push) Energy(*Snapshot) float64 { return 0 }
