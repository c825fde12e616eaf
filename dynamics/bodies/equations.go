package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
)

// Size implements [dynamics.System].
func (w *World) Size() (nq, nv, dim int) { return w.nq, w.nv, w.dim }

// Mass implements [dynamics.System]; ω is in principal axes, M is constant.
func (w *World) Mass(m *dynamics.Mass, _ []float64) {
	for i := range w.bodies {
		b := &w.bodies[i]
		m.Diagonal(b.Mass, b.Mass)
		switch {
		case w.dim == 2 && b.form.spins:
			m.Diagonal(b.Inertia[2])
		case w.dim == 3:
			m.Diagonal(b.Mass)
			if b.form.spins {
				m.Diagonal(b.Inertia[0], b.Inertia[1], b.Inertia[2])
			}
		}
	}
}

// Force implements [dynamics.System]: gravity, loads, drag and −ω × Iω.
func (w *World) Force(f []float64, t float64, q, v []float64) { w.MeanForce(f, t, 0, q, v) }

// MeanForce implements [dynamics.Loaded]; a mean over nothing is the force at t.
func (w *World) MeanForce(f []float64, t, h float64, q, v []float64) {
	w.MeanLoad(f, t, h, q, v)
	for i := range w.bodies {
		b := &w.bodies[i]
		for k := range w.dim {
			f[b.v+k] += b.Mass * w.gravity[k]
		}
	}
}

// Load implements [dynamics.Potential]: the force without what [World.Potential] is of.
func (w *World) Load(f []float64, t float64, q, v []float64) { w.MeanLoad(f, t, 0, q, v) }

// MeanLoad implements [dynamics.Loaded].
func (w *World) MeanLoad(f []float64, t, h float64, q, v []float64) {
	w.External(f, t, h, v)
	w.push(f, t, h, q)
	for i := range w.bodies {
		b := &w.bodies[i]
		if w.dim == 3 && b.form.spins {
			o, j := vec{v[b.v+3], v[b.v+4], v[b.v+5]}, &b.Inertia
			m := vec{(j[1] - j[2]) * o[1] * o[2], (j[2] - j[0]) * o[2] * o[0], (j[0] - j[1]) * o[0] * o[1]}
			for k := range 3 {
				f[b.v+3+k] += m[k]
			}
		}
	}
}

// Potential implements [dynamics.Potential]: −Σ m g·x of the components of gravity that never
// change.
func (w *World) Potential(_ float64, q []float64) float64 {
	u := 0.0
	for i := range w.bodies {
		for k := range w.dim {
			u -= w.bodies[i].Mass * w.gravity[k] * q[w.bodies[i].q+k]
		}
	}
	return u
}

// Potentials implements [dynamics.Divisible].
func (w *World) Potentials(dst []float64, _ float64, q []float64) {
	for i := range w.bodies {
		b := &w.bodies[i]
		dst[i] = 0
		for k := range w.dim {
			dst[i] -= b.Mass * w.gravity[k] * q[b.q+k]
		}
	}
}

// Rate implements [dynamics.Kinematics]: ẋ = v, and ½ q∘(0, ω) for the
// quaternion.
func (w *World) Rate(dst, q, v []float64) {
	for i := range w.bodies {
		b := &w.bodies[i]
		n := w.dim
		if w.dim == 2 {
			n = b.spread
		}
		copy(dst[b.q:b.q+n], v[b.v:b.v+n])
		if w.dim == 2 || !b.form.spins {
			continue
		}
		e, o, d := q[b.q+3:b.q+7], v[b.v+3:b.v+6], dst[b.q+3:b.q+7]
		d[0] = 0.5 * (-e[1]*o[0] - e[2]*o[1] - e[3]*o[2])
		d[1] = 0.5 * (e[0]*o[0] + e[2]*o[2] - e[3]*o[1])
		d[2] = 0.5 * (e[0]*o[1] + e[3]*o[0] - e[1]*o[2])
		d[3] = 0.5 * (e[0]*o[2] + e[1]*o[1] - e[2]*o[0])
	}
}

// Project implements [dynamics.Projector]: quaternions back to unit length.
func (w *World) Project(q []float64) {
	if w.dim == 2 {
		return
	}
	for i := range w.bodies {
		if b := &w.bodies[i]; b.form.spins {
			e := q[b.q+3 : b.q+7]
			l := math.Sqrt(e[0]*e[0] + e[1]*e[1] + e[2]*e[2] + e[3]*e[3])
			for k := range e {
				e[k] /= l
			}
		}
	}
}
