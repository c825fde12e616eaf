package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Velocities that are put back onto the contacts that hold.
//
// The scheme holds a mean of two velocities, see [friction.Sway]. What the slip e of a contact that holds differs
// from that of the motion by, its sway e − d, turns round in each step of α = ½, which nothing damps, and with it
// the force: that of a step of h is off by −W′⁻¹(e − d)/(αh), W′ = HᵀSH. With d = O(h²) this is O(h), and of either
// sign. It opens contacts that press, and dates the beginning of slip to first order only.
//
// So before a step lets go of what holds, its velocities are put back, by the least impulse at the rows that hold,
//
//	min ½‖v* − v‖²_M,  Hᵀv* = Hᵀv − (e − d):
//
// the normals of contacts that bear a force, and of those that stick all directions. The force of the step is then
// that of the motion in the mean over it, to O(h²). RATTLE does so in each step, with d = 0, for holonomic
// constraints, after [Andersen83]; where nothing lets go the swaying velocities do no harm, and keep energy.
//
// [Andersen83] H. C. Andersen, Rattle: a "velocity" version of the Shake algorithm, J. Comput. Phys. 52 (1983).

// heldRow is a direction in which a contact of the problem holds.
type heldRow struct{ contact, direction int }

// holdPressed takes the trial step of length h with velocities that are put back, where it opens a contact that has
// pressed until now and without its sway would not.
func (s *scheme) holdPressed(ctx context.Context, h float64) error {
	if !s.seesReleases() || s.alpha == 1 || !s.opensPressed() {
		return nil
	}
	moved, err := s.putBack(h)
	if err != nil {
		return err
	}
	s.backToTrial()
	if err = s.trial(ctx, h); !moved {
		return err
	}
	if err == nil && !s.opensPressed() {
		s.bookPutBack()
		return nil
	}
	copy(s.v, s.tried.v)
	s.backToTrial()
	return s.trial(ctx, h)
}

// seesReleases reports whether what begins to slip, or opens, is looked for.
func (s *scheme) seesReleases() bool {
	return s.seesReversals() && len(s.p.list) > 0 && len(s.p.list) <= reversalContacts &&
		!s.kinked && s.step.Painleve == 0
}

// opensPressed reports whether a contact that bore a force in the step before bears none in the trial.
func (s *scheme) opensPressed() bool {
	for i := range s.marks {
		if m := &s.tried.marks[i]; m.loaded && !m.left && m.was && !s.marks[i].loaded {
			return true
		}
	}
	return false
}

// putBack puts the velocities at the beginning of a step of h back onto what has held until now, and reports
// whether that has moved them. A contact that pulls by p for that has had p + p more in the step before, and no less
// than nothing without: where it had less, its velocity is off by something else, as after a blow.
func (s *scheme) putBack(h float64) (moved bool, err error) {
	rows, sway, err := s.heldRows(h)
	if err != nil || largest(sway) <= s.pace*slides {
		return false, err
	}
	p := &s.p
	clear(p.r)
	s.solveHeld(rows, sway)
	for k, row := range rows {
		if m := &s.marks[p.list[row.contact]]; row.direction == 0 && sway[k] > 0.5*m.r[0] {
			return false, nil
		}
		p.r[row.contact*p.dim+row.direction] = -sway[k]
	}
	copy(s.w, s.v)
	s.push(s.w, 1)
	if !finite(s.w) {
		return false, s.unbounded(s.w)
	}
	s.reboundDrive()
	copy(s.v, s.w)
	return true, nil
}

// heldRows loads the problem of what holds, with W′, and returns its rows and the sway of each.
func (s *scheme) heldRows(h float64) (rows []heldRow, sway []float64, err error) {
	p := &s.p
	s.backToTrial()
	s.forgetCurves()
	p.list, p.laws = p.list[:0], p.laws[:0]
	for i := range s.marks {
		if m := &s.marks[i]; m.loaded && !m.left {
			p.list, p.laws = append(p.list, i), append(p.laws, s.lawOf(i))
		}
	}
	if err := s.prepare(terms{}); err != nil {
		return nil, nil, err
	}
	if err := s.load(1); err != nil {
		return nil, nil, err
	}
	s.drive(h)
	for k, i := range p.list {
		x, brake := s.rowSway(k, h, 1-s.mode.alpha), s.brakeOf(&s.touches[i]) != nil
		if t := &s.touches[i]; s.marks[i].lags && (t.B >= 0 || s.isCurved(t)) {
			x = s.swaySince(i, h)
		}
		for d := range p.dim {
			if d == 0 && brake || d > 0 && (s.marks[i].state != Stick || s.marks[i].mu == 0) {
				continue
			}
			rows, sway = append(rows, heldRow{k, d}), append(sway, x[d])
		}
	}
	s.drive(0)
	return rows, sway, nil
}

// rowSway is the sway of contact k of the problem in its frame, in a step of h of weight theta, whose s₀ is that of the
// problem.
func (s *assembly) rowSway(k int, h, theta float64) (sway vec) {
	i := s.p.list[k]
	before, first, last := s.obstacleAtEnds(i, h)
	slip := vec3.Add(vec3.Add(s.relativeSpeed(i, s.v), 1, first), -1, before)
	for d := range s.p.dim {
		along, mean := &s.marks[i].frame[d], 0.0
		if s.driven {
			mean = s.p.drive[k*s.p.dim+d]
		}
		sway[d] = friction.Sway(vec3.Dot(slip, *along), mean, vec3.Dot(first, *along), vec3.Dot(last, *along), theta)
	}
	return sway
}

// keepLags remembers, of the contacts of a part of a step that is accepted, the slip that it began with.
func (s *scheme) keepLags(interpolated bool) {
	for i := range s.marks {
		s.marks[i].lags = false
	}
	if !s.seesReleases() || s.alpha == 1 || interpolated {
		return
	}
	for _, i := range s.p.list {
		if m := &s.marks[i]; m.loaded {
			m.lag, m.lags = s.slipIn(m, i), true
		}
	}
}

// slipIn is the velocity of touch i at the beginning of the step, in its frame.
func (s *scheme) slipIn(m *mark, i int) (x vec) {
	u := s.relativeSpeed(i, s.v)
	for d := range s.model.Dim {
		x[d] = vec3.Dot(m.frame[d], u)
	}
	return x
}

// swaySince is the sway of touch i by what a step of h₀ has made of its slip e₀ before: of surfaces that bend and of
// two bodies d is not known, but e₀ + e = 2d, and d is in proportion to h², to O(h³).
func (s *scheme) swaySince(i int, h float64) vec {
	m := &s.marks[i]
	e, steps := s.slipIn(m, i), h/m.h
	return vec3.Add(e, -0.5*steps*steps, vec3.Add(m.lag, 1, e))
}

// solveHeld overwrites the speeds x of some rows by impulses that give them, A x = b with A the rows of W′: by
// Cholesky's method with the largest pivot first, those that say nothing new left at zero.
func (s *scheme) solveHeld(rows []heldRow, x []float64) {
	n := len(rows)
	a, order, scale := make([]float64, n*n), make([]int, n), make([]float64, n)
	for i, row := range rows {
		for j, other := range rows {
			a[i*n+j] = s.p.at(row, other)
		}
		order[i], scale[i] = i, a[i*n+i]
	}
	rank := 0
	for ; rank < n; rank++ {
		best := rank
		for k := rank; k < n; k++ {
			if i, b := order[k], order[best]; a[i*n+i]*scale[b] > a[b*n+b]*scale[i] {
				best = k
			}
		}
		order[rank], order[best] = order[best], order[rank]
		i := order[rank]
		if !(a[i*n+i] > 1e-9*scale[i]) { // rounding of its diagonal: the rows that are left say nothing new
			break
		}
		a[i*n+i] = math.Sqrt(a[i*n+i])
		for k := rank + 1; k < n; k++ {
			j := order[k]
			a[j*n+i] /= a[i*n+i]
			for l := rank + 1; l <= k; l++ {
				m := order[l]
				a[j*n+m] -= a[j*n+i] * a[m*n+i]
				a[m*n+j] = a[j*n+m]
			}
		}
		x[i] /= a[i*n+i]
		for k := rank + 1; k < n; k++ {
			x[order[k]] -= a[order[k]*n+i] * x[i]
		}
	}
	for k := n - 1; k >= 0; k-- {
		i := order[k]
		if k >= rank {
			x[i] = 0
			continue
		}
		for l := k + 1; l < rank; l++ {
			x[i] -= a[order[l]*n+i] * x[order[l]]
		}
		x[i] /= a[i*n+i]
	}
}

// at is the number of W in a row and a column.
func (p *problem) at(row, column heldRow) float64 {
	for j := p.w.Ptr[row.contact]; j < p.w.Ptr[row.contact+1]; j++ {
		if p.w.Col[j] == column.contact {
			return p.w.Val[(j*p.dim+row.direction)*p.dim+column.direction]
		}
	}
	return 0
}

// bookPutBack takes what has led from the velocities of the trial before to v into the ledger: the work of obstacles,
// and what contacts take beyond friction, of the square of a sway.
func (s *scheme) bookPutBack() {
	for b, work := range s.reboundWorks {
		book(&s.ledger.Normal, s.worth.Shares.Normal, b, s.kineticOf(b, s.tried.v)-s.kineticOf(b, s.v)+work)
		s.drivenBy(b, work)
	}
	s.tried.v, s.tried.put = append(s.tried.v[:0], s.v...), true
	s.step.Cuts = append(s.step.Cuts, Cut{T: s.t, Reason: "velocities are put back onto the contacts that hold"})
}
