package incremental

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/sparse"
)

// Particles with several obstacles of which one is curved or moves. Their contacts are linearised
// at each iterate y of Newton's method,
//
//	h(t, y) + n·(y⁺ − y) >= 0,   u_T = (t, o)·(y⁺ − base − what the obstacle has moved),
//
// and the matrix of the model is that of the Lagrangian, D²E − Σ r₀ ∂n/∂z with the normal forces r₀
// at hand: the curvature term of the balance of forces. Friction has none. It keeps its direction
// in space when the particle moves, but for the part that leaves the plane of contact, n (f·∂n/∂z),
// which the normal force takes up; how the axes (t, o) turn in that plane is a matter of the
// coordinates of the obstacle, and near to where these end they turn fast.

// From gives the time of the base states to come, from which obstacles move until the time
// of a solve. Without it they stand.
func (m *Minimiser) From(t float64) { m.from, m.moved = t, true }

// bend linearises the contacts with obstacles that are curved or move at the state y = base + v.
func (m *Minimiser) bend(t float64, base, y, v []float64) {
	if len(m.sys.Bent()) == 0 {
		return
	}
	p := &m.problem
	h := p.H
	changed := false
	for i := range m.corners {
		k := &m.corners[i]
		if !k.bent {
			continue
		}
		j := k.particle
		d := [3]float64(v[3*j : 3*j+3])
		for _, c := range k.contacts {
			slot := m.slot[c]
			if !m.sys.BentContact(slot) {
				continue
			}
			n, a, b := m.sys.ContactAxes(t, slot, y)
			for row := range 3 {
				at := h.Val[3*(h.Ptr[c]+row):]
				changed = changed || at[0] != n[row] || at[1] != a[row] || at[2] != b[row]
				at[0], at[1], at[2] = n[row], a[row], b[row]
			}
			height := m.sys.Height(t, slot, y)
			if math.Abs(height) <= restHeight*m.sys.Touching(slot, y) {
				height = 0
			}
			w := p.W[3*c : 3*c+3]
			w[0] = height - vec3.Dot(n, d)
			if m.moved {
				s := m.sys.Carried(slot, m.from, base, t)
				w[1], w[2] = -vec3.Dot(a, s), -vec3.Dot(b, s)
			}
		}
	}
	if !changed {
		return
	}
	for _, part := range m.parts {
		part.turn(m)
	}
	if p.M == nil {
		p.M = m.sys.Hessian(t, y)
	}
	m.warm(m.v, m.res.R)
}

// Linearise takes the contacts with obstacles that are curved or move at a state z at the time t,
// for [Minimiser.Dissipation] of displacements from base.
func (m *Minimiser) Linearise(t float64, base, z []float64) {
	v := m.gapVector(len(z))
	for i, x := range z {
		v[i] = x - base[i]
	}
	m.heights(t, base)
	m.bend(t, base, z, v)
}

// turn gives the part the values of H, which have changed.
func (p *part) turn(m *Minimiser) {
	for i, c := range p.contacts {
		copy(p.problem.H.Val[3*p.problem.H.Ptr[i]:], m.problem.H.Val[3*m.problem.H.Ptr[c]:3*m.problem.H.Ptr[c+1]])
	}
}

// curve subtracts the turning of the normal forces at hand from the second derivatives.
func (m *Minimiser) curve(a *sparse.Sym, t float64, y []float64) {
	for i := range m.corners {
		k := &m.corners[i]
		if !k.bent {
			continue
		}
		j := k.particle
		for _, c := range k.contacts {
			if m.res.R[3*c] == 0 {
				continue
			}
			b := m.sys.Curvature(t, m.slot[c], y, [3]float64{m.res.R[3*c], 0, 0})
			for row := range 3 {
				for col := range row + 1 {
					if at := a.Index(3*j+row, 3*j+col); at >= 0 {
						a.Val[at] -= b[row][col]
					}
				}
			}
		}
	}
}

// bentModel makes the matrix of the model that a gap is of: D²E less the turning of the
// normal forces of the reactions that come nearest to DE.
func (m *Minimiser) bentModel(t float64, z, v, grad []float64) {
	for i := range m.corners {
		m.balanceCorner(&m.corners[i], t, z, v, grad)
	}
	if m.shifted == nil {
		m.shifted = copyPattern(m.problem.M)
	}
	copy(m.shifted.Val, m.problem.M.Val)
	m.curve(m.shifted, t, z)
	m.problem.M = m.shifted
}

// meet moves particles onto the curved or moving obstacles that bear a force, from which a step of
// Newton's method has left them a little, and linearises their contacts there.
func (m *Minimiser) meet(t float64) {
	if len(m.sys.Bent()) == 0 {
		return
	}
	for i := range m.corners {
		k := &m.corners[i]
		if !k.bent {
			continue
		}
		j, own, off := k.particle, false, false
		closed := m.closed[:0]
		for _, c := range k.contacts {
			slot := m.slot[c]
			if m.res.R[3*c] > 0 {
				if slot == j {
					own = true
					continue
				}
				closed = append(closed, slot)
			}
			if h := m.sys.Height(t, slot, m.y); m.res.R[3*c] > 0 && math.Abs(h) > restHeight*m.sys.Touching(slot, m.y) {
				off = true
			}
		}
		m.closed = closed
		if !off {
			continue
		}
		m.sys.Meet(t, m.y, j, own, closed)
		for d := 3 * j; d < 3*j+3; d++ {
			m.v[d] = m.y[d] - m.base[d]
		}
	}
	m.bend(t, m.base, m.y, m.v)
}

// intrusion weights how deep a state is in obstacles that are curved or move, over the forces of
// the contacts: then a step that takes a particle out of one is downhill.
const intrusion = 4

// merit is E + Ψ at m.y = base + v, where the contacts are linearised, with the forces of the
// contacts times what is inside of obstacles.
func (m *Minimiser) merit(t float64, v []float64) float64 {
	e, _ := m.sys.Value(t, m.y)
	e += m.Dissipation(v)
	for c, slot := range m.slot {
		e -= intrusion * m.force[m.island[m.particle[c]]] * min(m.sys.Height(t, slot, m.y), 0)
	}
	return e
}

// descendBent goes from m.v towards m.next: all the way if the forces are balanced better there, or
// the merit falls; else until it does. False if it does not.
func (m *Minimiser) descendBent(t float64) bool {
	start, before := append(m.start[:0], m.v...), m.residual
	m.place(m.v)
	f0 := m.merit(t, m.v)
	size := math.Abs(f0) + rounding*m.positionWork()
	direction := append(m.direction[:0], m.next...)
	floats.Sub(direction, start)
	m.start, m.direction = start, direction
	alpha := 1.0
	for trial := range backtrackLimit {
		for i, x := range start {
			m.v[i] = x + alpha*direction[i]
		}
		if trial == 0 {
			copy(m.v, m.next) // to the bit
		}
		m.place(m.v)
		m.meet(t)
		if f := m.merit(t, m.v); f <= f0+1e-14*size {
			return true
		}
		if trial == 0 && m.newton > 1 {
			m.gradient(t)
			if m.imbalance() < 0.5*before {
				return true
			}
		}
		alpha *= 0.5
	}
	copy(m.v, start)
	m.place(m.v)
	m.meet(t)
	m.gradient(t)
	return false
}
