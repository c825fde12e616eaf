package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/internal/forest"
)

// What contacts give back after a collision may be more energy than they have taken: by Newton's
// law with friction (Kane's paradox), by any law where contacts of different e act on each other.
// Of the change δ of velocities that restitution adds to the velocities v of the compression, which
// takes T⁻ − T, each island of bodies that touch gets the largest share s ≤ 1 with
//
//	T(v + sδ) ≤ T⁻:   s A + ½ s² B ≤ T⁻ − T,   A = v·Mδ, B = δ·Mδ.
//
// Obstacles that move add the work of the impulses. Momentum is kept, impulses stay in their cones,
// which are convex, and no contact approaches, as none does for s = 0 and 1.

// gainNoise of the kinetic energy of an island is rounding of a solve to Options.Tolerance.
const gainNoise = 1e-9

// restitutionLimit is the memory of a collision; energies are those of islands, at their first body
// [J].
type restitutionLimit struct {
	ties   forest.Sets // bodies that touch
	before []float64   // kinetic, before the collision
	taken  []float64   // by its compression, work of obstacles included
	kept   []float64   // kinetic, scratch
	a, b   []float64
	share  []float64
	start  []float64 // velocities before the collision
	w, r   []float64 // with all of the restitution
	work   []float64 // of obstacles, there
	gains  []bool    // islands do, there
	least  float64   // share of an island
}

// openRestitution makes islands of the bodies that the contacts of the problem and joints tie, and
// remembers the velocities v before a collision.
func (s *impacts) openRestitution(v []float64) {
	x, n := &s.restitutionLimit, len(s.model.Bodies)
	for _, l := range []*[]float64{&x.before, &x.taken, &x.kept, &x.a, &x.b, &x.share, &x.work} {
		*l = grow(*l, n)
	}
	x.ties, x.gains, x.least = grow(x.ties, n), grow(x.gains, n), 1
	x.ties.Part()
	s.joinBodies(x.ties, s.p.list)
	x.start = append(x.start[:0], v...)
	s.energies(x.before, v)
}

// energies sets e to the kinetic energies of the islands.
func (s *impacts) energies(e, v []float64) {
	clear(e)
	for i := range s.model.Bodies {
		e[s.restitutionLimit.ties.Root(i)] += s.kineticOf(i, v)
	}
}

// islandOf is the first body of the island of contact k of the problem.
func (s *impacts) islandOf(k int) int { return s.restitutionLimit.ties.Root(s.touches[s.p.list[k]].A) }

// driveWorks sets works to the work of obstacles by the impulses in p.r.
func (s *impacts) driveWorks(works []float64) {
	clear(works)
	if len(s.p.drive) > 0 {
		for k := range s.p.list {
			works[s.islandOf(k)] += s.driveWorkOf(k)
		}
	}
}

// measureTaken sets taken to what the compression with the impulses in p.r takes, which ends with
// the velocities w.
func (s *impacts) measureTaken() {
	x := &s.restitutionLimit
	s.driveWorks(x.taken)
	s.energies(x.kept, s.w)
	for i := range x.taken {
		x.taken[i] += x.before[i] - x.kept[i]
	}
}

// shares sets share to those that the energies taken allow, by a and b.
func (x *restitutionLimit) shares() {
	for i := range x.share {
		x.share[i] = largestShare(x.a[i], x.b[i], x.taken[i])
		x.least = min(x.least, x.share[i])
	}
}

// largestShare returns the largest s ≤ 1 with s a + ½ s² b ≤ max(budget, 0), for b ≥ 0.
func largestShare(a, b, budget float64) float64 {
	if budget = max(budget, 0); !(b > 0) || 0.5*b+a <= budget {
		return 1
	}
	return max(0, (math.Sqrt(max(0, a*a+2*b*budget))-a)/b)
}

// boundRestitution bounds what Newton's law, whose impulses are in p.r and whose velocities are in
// w, gives back where it makes energy.
func (s *impacts) boundRestitution(ctx context.Context) error {
	x, p := &s.restitutionLimit, &s.p
	if !s.gain() {
		return nil
	}
	x.w, x.r = append(x.w[:0], s.w...), append(x.r[:0], p.r...)
	copy(s.w, x.start)
	if err := s.loadImpact(); err != nil { // the solve before may have scaled W
		return err
	}
	s.total = grow(s.total, len(p.r))
	clear(s.total)
	if err := s.solveAfter(ctx, s.total); err != nil {
		return err
	}
	s.measureTaken()
	s.spread()
	for i, gains := range x.gains {
		if x.share[i] = 1; gains {
			x.share[i] = largestShare(x.a[i], x.b[i], x.taken[i])
			x.least = min(x.least, x.share[i])
		}
	}
	s.mix()
	return nil
}

// gain finds the islands whose kinetic energy has grown by the impulses in p.r, by more than
// rounding and the work of obstacles, and reports whether there is one.
func (s *impacts) gain() (any bool) {
	x := &s.restitutionLimit
	s.driveWorks(x.work)
	s.energies(x.kept, s.w)
	for i, before := range x.before {
		x.gains[i] = x.kept[i]-before-x.work[i] > gainNoise*before
		any = any || x.gains[i]
	}
	return any
}

// spread sets a and b for the change from the compression in w and p.r to what is in
// restitutionLimit.
func (s *impacts) spread() {
	x := &s.restitutionLimit
	s.driveWorks(x.a)
	clear(x.b)
	for i, work := range x.work {
		x.a[i] -= work
	}
	for i := range s.model.Bodies {
		p, k := &s.model.Bodies[i], x.ties.Root(i)
		for d := range p.N {
			v, m := p.V+d, s.model.Inertia(p, d)
			change := x.w[v] - s.w[v]
			x.a[k] += m * s.w[v] * change
			x.b[k] += m * change * change
		}
	}
}

// mix adds to the compression in w and p.r the shares of what is beyond it.
func (s *impacts) mix() {
	x, p := &s.restitutionLimit, &s.p
	for i := range s.model.Bodies {
		b, share := &s.model.Bodies[i], x.share[x.ties.Root(i)]
		for v := b.V; v < b.V+b.N; v++ {
			s.w[v] = between(s.w[v], x.w[v], share)
		}
	}
	for k := range p.list {
		share := x.share[s.islandOf(k)]
		for i := k * p.dim; i < (k+1)*p.dim; i++ {
			p.r[i] = between(p.r[i], x.r[i], share)
		}
	}
}

// between is a + share (b − a), b to the bit for all of it.
func between(a, b, share float64) float64 {
	if share == 1 {
		return b
	}
	return a + share*(b-a)
}

// limitRestitution scales the impulses in p.r, of what is to be given back, by the shares that the
// energies taken allow: with d = M⁻¹Hr, B = d·Md and A = u·r, u the velocities of the contacts in
// w.
func (s *impacts) limitRestitution() {
	x, p := &s.restitutionLimit, &s.p
	clear(s.f0)
	s.push(s.f0, 1)
	s.energies(x.b, s.f0)
	clear(x.a)
	s.uMean = grow(s.uMean, len(p.b))
	s.relative(s.uMean, s.w)
	for k := range p.list {
		for i := k * p.dim; i < (k+1)*p.dim; i++ {
			x.a[s.islandOf(k)] += s.uMean[i] * p.r[i]
		}
	}
	for i := range x.b {
		x.b[i] *= 2
	}
	x.shares()
	for k := range p.list {
		share := x.share[s.islandOf(k)]
		for i := k * p.dim; i < (k+1)*p.dim; i++ {
			p.r[i] *= share
		}
	}
}
