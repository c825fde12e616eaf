package incremental

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// viscousPart makes a part of a continuation with the stiffness c; false if E + Ψ does not fall.
func (m *Minimiser) viscousPart(ctx context.Context, t, c float64) (taken bool, err error) {
	if solved, err := m.viscousModel(ctx, t, c); !solved {
		return false, err
	}
	if !m.descend(t) {
		return false, nil
	}
	m.arrive(t)
	return true, nil
}

// arrive takes a continuation to where its part has come.
func (m *Minimiser) arrive(t float64) {
	m.place(m.v)
	m.meet(t)
	m.gradient(t)
	m.residual = m.imbalance()
}

// viscousModel sets m.next to the end of a part with the stiffness c; false if its model has none.
func (m *Minimiser) viscousModel(ctx context.Context, t, c float64) (solved bool, err error) {
	p := &m.problem
	copy(m.previous, m.v)
	hessian := m.sys.Hessian(t, m.y)
	m.copyShifted(hessian)
	p.M = m.shifted
	m.curve(m.shifted, t, m.y)
	m.sys.AddMetric(m.shifted, t, m.y, c)
	m.stiffened = false
	m.stiffenContacts()
	p.M.MulVec(p.F, m.v)
	for i, g := range m.grad {
		p.F[i] -= g
	}
	clear(m.res.R)
	m.warm(m.v, m.res.R)
	if err := m.solveContact(ctx); err != nil {
		if !fixable(err) {
			return false, err
		}
		return false, nil
	}
	copy(m.next, m.res.V)
	m.snap()
	return true, nil
}

// farthest is how far a particle is from the base, in space.
func (m *Minimiser) farthest(t float64) (far float64) {
	for j := range m.sys.N() {
		far = max(far, m.travelled(t, j))
	}
	return far
}

// travelled is how far particle j is from the base, in space.
func (m *Minimiser) travelled(t float64, j int) float64 {
	a, b := m.sys.Position(t, j, m.base), m.sys.Position(t, j, m.y)
	return vec3.Norm([3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]})
}

// pulledAway reports whether a particle that is off its curved obstacle, further than half the way
// that it came, is pulled away from it: the numbers that its coordinates make far out are so large
// that what is left of its forces is small beside them.
func (m *Minimiser) pulledAway(t float64) bool {
	for j := range m.sys.N() {
		if m.sys.Curved(j) && math.Abs(m.grad[3*j+2]) > pulledForce*m.floors[m.island[j]] && m.y[3*j+2] > m.travelled(t, j)/2 {
			return true
		}
	}
	return false
}

// frictionSlope is the derivative of [Minimiser.Dissipation] at displacements v along d.
func (m *Minimiser) frictionSlope(v, d []float64) (sum float64) {
	for c := range m.slot {
		l := &m.tresca[c]
		if !(l.Threshold > 0) {
			continue
		}
		x, y := m.slide(c, v)
		var dx, dy float64
		if m.slot[c] < m.sys.N() {
			dx, dy = m.slide(c, d)
		} else {
			_, t, o := m.axes(c)
			by := [3]float64(d[3*m.particle[c] : 3*m.particle[c]+3])
			dx, dy = vec3.Dot(t, by), vec3.Dot(o, by)
		}
		if n := l.Shape.Norm(x, y); n > 0 {
			s := l.Shape.Matrix()
			sum += l.Threshold * ((s[0]*x+s[1]*y)*(s[0]*dx+s[1]*dy) + (s[2]*x+s[3]*y)*(s[2]*dx+s[3]*dy)) / n
		} else {
			sum += l.Threshold * l.Shape.Norm(dx, dy)
		}
	}
	return sum
}

// pulledForce is the part of the forces that a particle far off its curved obstacle may be out of
// balance by.
const pulledForce = 1e-5
