package elastic

import (
	"math"

	"github.com/quasistatic/quasistatic/signal"
)

// Obstacles that move. That of contact k goes by s(t), which leaves its plane the gap
//
//	g(t) = g − n·s(t),   u_N + g(t) >= 0,
//
// and what a node meets of it goes at w(t), by the shift and the turn about the normal, with the
// arm that the node has at the start: sliding is small. Friction sees v_T − w_T. The work of the
// obstacle in a step,
//
//	½ (r^n + r^{n+1})·Δs,   Δs_N = n·(s(t_{n+1}) − s(t_n)),   Δs_T = Δt/2 (w_T^n + w_T^{n+1}),
//
// is external: with it (51) is the balance as seen from the obstacle, by the same rule that moves
// the nodes.

// leftOf is the part of a time by which velocities are taken before it: those of the step that ends
// there.
const leftOf = 0x1p-40

// motion is that of the obstacle of contact k; nil: at rest.
func (a *assembly) motion(k int) *signal.Motion {
	if a.model.Motions == nil {
		return nil
	}
	return a.model.Motions[k]
}

// gapAt is g(t) of contact k [m].
func (a *assembly) gapAt(k int, t float64) float64 {
	m := a.motion(k)
	if m == nil {
		return a.gap[k]
	}
	gap := a.gap[k]
	for c, s := range m.Shift[:min(a.dim, len(m.Shift))] {
		gap -= a.model.Contacts[k].Frame[a.dim-1][c] * s.At(t)
	}
	return gap
}

// speed is the velocity of the obstacle of contact k at t, to the left of it but for t = 0,
// tangents first [m/s].
func (a *assembly) speed(k int, t float64) (w [3]float64) { return a.model.speed(k, t) }

func (x *Model) speed(k int, t float64) (w [3]float64) {
	if x.Motions == nil || x.Motions[k] == nil {
		return w
	}
	m, c, dim := x.Motions[k], &x.Contacts[k], x.Mesh.Dim
	before := t - leftOf*t
	var at [3]float64
	copy(at[:], x.Mesh.Node(c.Node))
	for i, s := range m.Shift { // the arm of the turn is that of the start
		at[i] += s.At(before)
	}
	v := m.Rate(before, at)
	for i := range dim {
		for j := range dim {
			w[i] += c.Frame[i][j] * v[j]
		}
	}
	return w
}

// Sticks reports whether contact k, which bears a force r, sticks at a time at which nodes have the
// velocities v, in axes of space. Where μ depends on slip no force says so; else it is below μ r_N, by a
// share of it.
func (x *Model) Sticks(k int, t float64, r, v []float64, share float64) bool {
	dim, force, slip, fast := x.Mesh.Dim, 0.0, 0.0, infNorm(v)
	if dim == 1 {
		return true
	}
	if x.slip(k) == nil {
		for _, f := range r[1:] {
			force = math.Hypot(force, f)
		}
		return force < x.mu(k)*r[0]*(1-share)
	}
	c, w := &x.Contacts[k], x.speed(k, t)
	for i := range dim - 1 {
		u := -w[i]
		for j := range dim {
			u += c.Frame[i][j] * v[dim*c.Node+j]
		}
		slip, fast = math.Hypot(slip, u), max(fast, math.Abs(w[i]))
	}
	return slip <= atRest*fast
}

// carry is Δs of the obstacle of contact k, tangents first [m].
func (a *assembly) carry(k int, from, to float64) (s [3]float64) {
	if a.motion(k) == nil {
		return s
	}
	before, after := a.speed(k, from), a.speed(k, to)
	for i := range a.dim - 1 {
		s[i] = 0.5 * (to - from) * (before[i] + after[i])
	}
	s[a.dim-1] = a.gapAt(k, from) - a.gapAt(k, to)
	return s
}

// outward is the normal of the obstacle of contact k.
func (a *assembly) outward(k int) (n [3]float64) {
	copy(n[:], a.model.Contacts[k].Frame[a.dim-1][:a.dim])
	return n
}

// plane is the first contact with an obstacle like that of contact k, as far as ways tell: of its
// normal and motion.
func (a *assembly) plane(k int) int {
	for i := range k {
		if a.motion(i) == a.motion(k) && a.outward(i) == a.outward(k) {
			return i
		}
	}
	return k
}
