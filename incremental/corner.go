package incremental

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
)

// makeCorners lists the particles with several obstacles.
func (m *Minimiser) makeCorners() {
	index := map[int]int{}
	for c, slot := range m.slot {
		index[slot] = c
	}
	for j := range m.sys.N() {
		if !m.sys.Cornered(j) {
			continue
		}
		k := corner{particle: j}
		if m.sys.Constrained(j) {
			k.contacts = append(k.contacts, index[j])
		}
		for _, slot := range m.sys.Beside(j) {
			k.contacts = append(k.contacts, index[slot])
			k.bent = k.bent || m.sys.BentContact(slot)
		}
		m.corners = append(m.corners, k)
	}
}

// restHeight: a height over an extra obstacle below this part of what counts as contact
// is left as it is, so that a particle at rest keeps its bits; more is taken back by the
// step, so that rounding does not add up.
const restHeight = 0.25

// heights sets the heights of the contacts at the base.
func (m *Minimiser) heights(t float64, base []float64) {
	for c, j := range m.slot {
		h := m.sys.Height(t, j, base)
		if j >= m.sys.N() && math.Abs(h) <= restHeight*m.sys.Touching(j, base) {
			h = 0
		}
		m.problem.W[3*c] = h
	}
}

// snapCorner makes the displacement m.next of a particle exact, as snap does: it is
// projected onto the displacements that keep what is closed and what holds.
func (m *Minimiser) snapCorner(k *corner) {
	p, j := &m.problem, k.particle
	v := (*[3]float64)(m.next[3*j : 3*j+3])
	force, stiff := m.force[m.island[j]], 0.0
	for i := range 3 {
		stiff = max(stiff, p.M.Val[p.M.Ptr[3*j+i]])
	}
	var held particles.Directions
	closed := false
	for _, c := range k.contacts {
		n, t, o := m.axes(c)
		height := p.W[3*c] + vec3.Dot(n, *v)
		small := stiff > 0 && height*stiff <= zeroMotion*force
		if !(m.res.R[3*c] > 0 || height <= 0 || small) {
			continue
		}
		held.Add(n, -p.W[3*c])
		closed = closed || m.slot[c] == j
		along := max(math.Abs(vec3.Dot(t, *v)+p.W[3*c+1]), math.Abs(vec3.Dot(o, *v)+p.W[3*c+2]))
		// On what moves a particle may slide that nothing else holds.
		if m.tresca[c].Threshold > 0 && (m.holds(c) || along*stiff <= zeroMotion*force && (stiff > 0 || !k.bent)) {
			held.Add(t, 0-p.W[3*c+1])
			held.Add(o, 0-p.W[3*c+2])
		}
	}
	held.Project(v)
	most := max(math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2]))
	for i, x := range v {
		if math.Abs(x) <= vanished*most {
			v[i] = 0
		}
	}
	if closed {
		v[2] = -p.W[3*k.contacts[0]] // that of its own obstacle is a coordinate: exact
	}
}

// vanished: a component of a motion below this part of the others is what iterations leave of none,
// and would turn the way back to where a file has the particle.
const vanished = 1e-30

// align sets the problem of a corner: its laws, heights at the base and the reactions
// nearest to DE that oppose the displacement v.
func (m *Minimiser) align(k *corner, t float64, z, v, grad []float64, closed func(slot int) bool) (slides bool) {
	j := k.particle
	k.problem.Reset(m.sys, t, z, j, closed)
	for i, slot := range k.problem.Contacts {
		c := m.contact(k, slot)
		k.problem.Laws[i] = m.tresca[c]
		k.problem.Offsets[i] = [3]float64(m.problem.W[3*c : 3*c+3])
		x, y := m.sys.Tangent(t, slot, z, v)
		if k.bent {
			x, y = x+m.problem.W[3*c+1], y+m.problem.W[3*c+2]
			if m.psi.Rests(slot, z, x, y) {
				x, y = 0, 0
			}
		}
		k.problem.Slides[i] = [2]float64{x, y}
	}
	return k.problem.Align([3]float64(grad[3*j : 3*j+3]))
}

// contact returns the number in the minimiser of a contact of the corner.
func (m *Minimiser) contact(k *corner, slot int) int {
	for _, c := range k.contacts {
		if m.slot[c] == slot {
			return c
		}
	}
	panic("incremental: a corner without its contact")
}

// balanceCorner sets the reactions of a corner to admissible ones near to DE.
func (m *Minimiser) balanceCorner(k *corner, t float64, z, v, grad []float64) {
	k.slides = m.align(k, t, z, v, grad, func(slot int) bool { return m.sys.Touches(t, slot, z) })
	m.balanceAligned(k, grad)
}

// balanceAligned is balanceCorner, whose problem is aligned.
func (m *Minimiser) balanceAligned(k *corner, grad []float64) {
	if !k.slides {
		clear(k.problem.Offsets)
		k.problem.Solve([3]float64(grad[3*k.particle:3*k.particle+3]), [3]float64{}, 1)
	}
	for _, c := range k.contacts {
		clear(m.res.R[3*c : 3*c+3])
	}
	for i, slot := range k.problem.Contacts {
		c := m.contact(k, slot)
		copy(m.res.R[3*c:3*c+3], k.problem.R[i][:])
	}
}

// naturalCorner stores the residual of the natural map of a corner in e, and balances it.
func (m *Minimiser) naturalCorner(e []float64, k *corner, t float64, z, v, grad []float64) {
	a, j, rho := m.problem.M, k.particle, 0.0
	for i := range 3 {
		rho = max(rho, a.Val[a.Ptr[3*j+i]])
	}
	g, d := [3]float64(grad[3*j:3*j+3]), [3]float64(v[3*j:3*j+3])
	// Frozen thresholds rub over a contact that has opened in the step, too.
	opened := false
	k.slides = m.align(k, t, z, v, grad, func(slot int) bool {
		if m.sys.Touches(t, slot, z) {
			return true
		}
		frictionSlope := rho > 0 && m.tresca[m.contact(k, slot)].Threshold > 0
		opened = opened || frictionSlope
		return frictionSlope
	})
	k.aligned = append(k.aligned[:0], k.problem.R...)
	f := k.problem.Force()
	if rho > 0 {
		k.problem.Solve(g, d, rho)
		f = k.problem.Force()
	}
	for i := range 3 {
		e[3*j+i] = g[i] - f[i]
	}
	if opened {
		m.balanceCorner(k, t, z, v, grad)
		return
	}
	copy(k.problem.R, k.aligned)
	m.balanceAligned(k, grad)
}
