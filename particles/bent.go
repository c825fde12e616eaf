package particles

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Obstacles beside the first that are curved or move. The particle keeps the coordinates of its
// frame, which is flat and at rest or free, and each such obstacle is a function of time and
// place in them: the height h(t, z) and its gradient n, the tangents there, and how the
// obstacle carries what lies on it,
//
//	h(t, z) >= 0,   n = ∂h/∂z,   |n| = 1,   ∂h/∂t + n·w = 0,
//
// with w the velocity of the point of the obstacle that is at z. Friction sees the motion less
// that of the obstacle, t·(ż − w) and o·(ż − w).

// foot is what an obstacle is near to a place, in the local coordinates of the particle.
type foot struct {
	height  float64
	u, v    float64 // coordinates along it
	n, t, o vec
}

// footing is the foot that was asked for last.
type footing struct {
	time  float64
	place vec
	foot  foot
	known bool
}

// foot finds it.
func (s *System) foot(k int, t float64, z []float64) (q foot) {
	x, last := &s.extras[k], &s.feet[k]
	place := at(z, x.particle)
	if last.known && last.time == t && last.place == place {
		return last.foot
	}
	f := &s.frames[x.particle]
	local := x.chart.under(t, s.global3(x.particle, z))
	g := x.chart.at(t, vec{local.x, local.y, 0})
	q.height, q.u, q.v, q.n = local.z, local.x, local.y, g.axes[2]
	q.t, q.o, _ = g.tangents()
	if !f.isAligned() {
		q.n, q.t, q.o = f.rotateBack(q.n), f.rotateBack(q.t), f.rotateBack(q.o)
	}
	*last = footing{t, place, q, true}
	return q
}

// global3 is the place of a particle whose frame has no chart.
func (s *System) global3(j int, z []float64) vec {
	f, place := &s.frames[j], at(z, j)
	if !f.isAligned() {
		place = f.rotate(place)
	}
	return at(f.P[:], 0).plus(1, place)
}

// atFoot: coordinates are found when what is left of the place is this part of the lengths it is
// made of.
const atFoot = 4 * 0x1p-52

// under returns the coordinates of a point at the time t by Newton's method, which most shapes need
// none of.
func (c *Chart) under(t float64, place vec) vec {
	body := c.body(t, place)
	u, v := c.Face.Near(body.array())
	z := vec{u, v, 0}
	best, last := z, math.Inf(1)
	var step vec
	for round := range inversions {
		p, pu, pv, n, nu, nv := c.Face.At(z.x, z.y)
		base, normal := at(p[:], 0), at(n[:], 0)
		if round == 0 {
			z.z = body.sub(base).dot(normal)
		}
		off := body.sub(base.plus(z.z, normal))
		left := math.Sqrt(off.dot(off))
		if !(left < last) { // Newton's step went too far, or what is left is rounding
			if round > 3 && left < 2*last {
				break
			}
			step = step.scale(0.5)
			z = best.plus(1, step)
			continue
		}
		best, last = z, left
		if left <= atFoot*(math.Sqrt(base.dot(base))+math.Sqrt(body.dot(body))+math.Abs(z.z)) {
			break
		}
		a, b := at(pu[:], 0).plus(z.z, at(nu[:], 0)), at(pv[:], 0).plus(z.z, at(nv[:], 0))
		bc, ca, ab := b.cross(normal), normal.cross(a), a.cross(b)
		det := a.dot(bc)
		step = vec{off.dot(bc) / det, off.dot(ca) / det, off.dot(ab) / det}
		z = z.plus(1, step)
	}
	return best
}

// Bent lists the particles of which some obstacle beside the first is curved or moves. The caller
// must not change it.
func (s *System) Bent() []int { return s.bent }

// Bends reports whether particle j is one of them.
func (s *System) Bends(j int) bool {
	for _, c := range s.Beside(j) {
		if s.BentContact(c) {
			return true
		}
	}
	return false
}

// Blur is how far rounding may move particle j, if an obstacle beside its first is curved or moves,
// on which it is placed anew in each step [m]; else 0.
func (s *System) Blur(j int, z []float64) (blur float64) {
	for _, c := range s.Beside(j) {
		if s.BentContact(c) {
			blur = max(blur, s.Touching(c, z))
		}
	}
	return blur
}

// BentContact reports whether contact c is with an obstacle beside the first that is curved or
// moves.
func (s *System) BentContact(c int) bool {
	return c >= len(s.frames) && s.extras[c-len(s.frames)].chart != nil
}

// Moving reports whether the obstacle of contact c is beside the first and moves.
func (s *System) Moving(c int) bool {
	return s.BentContact(c) && s.extras[c-len(s.frames)].chart.moves()
}

// Sway bounds how far the obstacle of contact c moves from t to t + h near its particle, which moves
// by at most a way from the state z [m].
func (s *System) Sway(c int, t, h float64, z []float64, way float64) float64 {
	if !s.BentContact(c) {
		return 0
	}
	x := &s.extras[c-len(s.frames)]
	d, sway := x.chart.Motion.Shifted(t, h)
	sway += vec3.Norm(d)
	return sway + x.chart.Motion.Turned(t, h, s.global3(x.particle, z).array(), way+sway)
}

// Dragged reports whether particle j has several obstacles of which one moves.
func (s *System) Dragged(j int) bool {
	for _, c := range s.Beside(j) {
		if s.Moving(c) {
			return true
		}
	}
	return false
}

// Carried returns how far the point of the obstacle of contact c that is at the state z at the
// time t0 has moved at t [m], in the local coordinates of the particle: that of what sticks to it.
func (s *System) Carried(c int, t0 float64, z []float64, t float64) [3]float64 {
	if !s.Moving(c) {
		return [3]float64{}
	}
	x := &s.extras[c-len(s.frames)]
	m, f := &x.chart.Motion, &s.frames[x.particle]
	var d vec
	if m.Angle != nil {
		place := s.global3(x.particle, z)
		center, axis := at(m.Center[:], 0), at(m.Axis[:], 0)
		arm := x.chart.body(t0, place).sub(center)
		d = turnedBy(axis, m.Angle.At(t), arm).sub(turnedBy(axis, m.Angle.At(t0), arm))
	}
	if m.Shift != nil {
		d = d.plus(1, vec{m.Shift[0].At(t) - m.Shift[0].At(t0), m.Shift[1].At(t) - m.Shift[1].At(t0), m.Shift[2].At(t) - m.Shift[2].At(t0)})
	}
	if !f.isAligned() {
		d = f.rotateBack(d)
	}
	return d.array()
}

// Carrying returns w, the velocity of the point of the obstacle of contact c that is at the state z
// [m/s], in the local coordinates of the particle; at a kink of the motion that after it.
func (s *System) Carrying(c int, t float64, z []float64) [3]float64 {
	if !s.Moving(c) {
		return [3]float64{}
	}
	x := &s.extras[c-len(s.frames)]
	m, f := &x.chart.Motion, &s.frames[x.particle]
	var w vec
	if m.Angle != nil {
		center, axis := at(m.Center[:], 0), at(m.Axis[:], 0)
		arm := turnedBy(axis, m.Angle.At(t), x.chart.body(t, s.global3(x.particle, z)).sub(center))
		w = axis.cross(arm).scale(m.Angle.Rate(t))
	}
	if m.Shift != nil {
		w = w.plus(1, vec{m.Shift[0].Rate(t), m.Shift[1].Rate(t), m.Shift[2].Rate(t)})
	}
	if !f.isAligned() {
		w = f.rotateBack(w)
	}
	return w.array()
}

// turnStep is that of the central differences of the axes of a contact, relative to its size: like
// [bendStep].
const turnStep = 1e-5

// Curvature returns the symmetric part of ∂(n r₀ + t r₁ + o r₂)/∂z for the reaction r of contact c
// [N/m]: how a force that keeps its components turns with the obstacle when the particle moves.
func (s *System) Curvature(t float64, c int, z []float64, r [3]float64) (b [3][3]float64) {
	if !s.BentContact(c) {
		return b
	}
	x := &s.extras[c-len(s.frames)]
	if x.chart.Face.Flat() {
		return b
	}
	h := turnStep
	if f, ok := x.chart.Face.(interface{ Size() float64 }); ok {
		h *= f.Size()
	}
	force := func(k int, by float64) vec {
		j := x.particle
		before := z[3*j+k]
		z[3*j+k] = before + by
		q := s.foot(c-len(s.frames), t, z)
		z[3*j+k] = before
		return q.n.scale(r[0]).plus(r[1], q.t).plus(r[2], q.o)
	}
	for k := range 3 {
		d := force(k, h).sub(force(k, -h)).scale(1 / (2 * h)).array()
		for i := range 3 {
			b[i][k] += d[i] / 2
			b[k][i] += d[i] / 2
		}
	}
	return b
}

// decomposeDragged solves DE = Σ σ_c pull_c + d, σ >= 0, d·n_c <= 0, σ_c d·n_c = 0 by trying all
// sets of at most three; where none does, as where friction wedges, share stays what it was.
func decomposeDragged(share []float64, n, pull []vec, g vec) {
	size := math.Sqrt(g.dot(g))
	try := func(set []int) bool {
		x, ok := oblique(n, pull, set, g)
		if !ok {
			return false
		}
		rest := g
		for i, k := range set {
			rest = rest.plus(-x[i], pull[k])
		}
		for _, normal := range n {
			if rest.dot(normal) > 16*0x1p-52*size {
				return false
			}
		}
		clear(share)
		for i, k := range set {
			share[k] = x[i]
		}
		return true
	}
	for i := range n {
		for k := range i {
			for l := range k {
				if try([]int{l, k, i}) {
					return
				}
			}
		}
	}
	for i := range n {
		for k := range i {
			if try([]int{k, i}) {
				return
			}
		}
	}
	for i := range n {
		if try([]int{i}) {
			return
		}
	}
	try(nil)
}

// oblique solves n_i·(g − Σ x_k pull_k) = 0 for i in the set by Gauss's elimination; false if an x
// is negative or the set is dependent.
func oblique(n, pull []vec, set []int, g vec) (x [3]float64, ok bool) {
	m := len(set)
	var a [3][4]float64
	for i, p := range set {
		for k, q := range set {
			a[i][k] = n[p].dot(pull[q])
		}
		a[i][m] = n[p].dot(g)
	}
	for col := range m {
		pivot := col
		for row := col + 1; row < m; row++ {
			if math.Abs(a[row][col]) > math.Abs(a[pivot][col]) {
				pivot = row
			}
		}
		a[col], a[pivot] = a[pivot], a[col]
		if math.Abs(a[col][col]) < parallel {
			return x, false
		}
		for row := col + 1; row < m; row++ {
			f := a[row][col] / a[col][col]
			for k := col; k <= m; k++ {
				a[row][k] -= f * a[col][k]
			}
		}
	}
	for i := m - 1; i >= 0; i-- {
		x[i] = a[i][m]
		for k := i + 1; k < m; k++ {
			x[i] -= a[i][k] * x[k]
		}
		if x[i] /= a[i][i]; x[i] < 0 {
			return x, false
		}
	}
	return x, true
}
