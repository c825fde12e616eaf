package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// A light body that carries a heavy one is pressed by impulses that are M/m times as large as what
// moves it: u = W r + b is the small difference of large numbers, of which rounding leaves ε M/m.
// Where masses are that far apart the change of the velocities is kept beside the impulses,
//
//	z = α SH r,  u = Hᵀz + b,
//
// and Newton's method for the states (activeset.go) adds its steps δ to r and αSHδ to z. The
// rounding of z is one of the forces, ε of those that press a body, which no velocity amplifies. z,
// not SHr, is what moves the bodies.
const (
	// liftedRatio is a ratio of masses from which on a merit of 1e-9, which is what faces are
	// solved to, leaves errors of more than 1e-6 of the speeds.
	liftedRatio = 1e3
	// liftedNear is the largest error of the speeds, over the largest of b, with which z takes the
	// place of the impulses of a method.
	liftedNear = 1e-3
	// liftedShift, over the ratio of masses, makes redundant impulses unique: the least mobility of
	// a chain of light and heavy bodies is about the inverse of the ratio, over the square of its
	// length.
	liftedShift = 1e-4
	liftedLimit = 60 // iterations of Newton's method, before the states are looked for
	// liftRounding of the sizes of its terms is what z may differ from αSHr by.
	liftRounding = 64 * 0x1p-52
)

// lifted is what an island needs to keep z: H and SH of its contacts by its own velocities.
type lifted struct {
	ratio float64 // of its masses; 0: they are not far apart
	alpha float64 // of W
	h, y  []float64
	parts [][]liftedPart // of each contact …
	share [][]liftedPart // … and its shares
	comps []int          // of the world, their velocities one after the other …
	first []int          // … from these on
	z     []float64
	kept  []float64 // of the best impulses
	done  bool      // z is that of the impulses
}

// liftedPart is a block of H or SH: n rows from at on, of the velocities from v on.
type liftedPart struct{ v, n, at int }

func (g *lifted) keep() { g.kept = append(g.kept[:0], g.z...) }
func (g *lifted) back() { copy(g.z, g.kept) }

// massRatio is that of the heaviest body of some contacts to the lightest that has two partners or
// more, and may be pressed between them.
func (s *solution) massRatio(members []int) (ratio float64) {
	heaviest, last := 0.0, uint64(math.MaxUint64)
	partners := grow(s.p.partners, len(s.model.Bodies))
	s.p.partners = partners
	for _, i := range members {
		for _, b := range s.bodiesOf(i) {
			if b >= 0 {
				partners[b] = 0
				heaviest = max(heaviest, s.model.Bodies[b].Mass)
			}
		}
	}
	for _, i := range members { // sorted, as the touches are
		if pair := s.touches[s.p.list[i]].Pair(); pair != last {
			last = pair
			for _, b := range s.bodiesOf(i) {
				if b < 0 {
					continue
				}
				if partners[b]++; partners[b] > 1 {
					ratio = max(ratio, heaviest/s.model.Bodies[b].Mass)
				}
			}
		}
	}
	return ratio
}

// bodiesOf lists the bodies of a contact, −1 for an obstacle.
func (s *solution) bodiesOf(k int) [2]int {
	t := &s.touches[s.p.list[k]]
	return [2]int{t.A, t.B}
}

// openLifted gives an island its H and SH where its masses are far apart.
func (s *solution) openLifted(x *solver, members []int) {
	g := &x.lifted
	g.ratio, g.done = 0, false
	if len(members) == 1 || s.clings > 0 || s.bed.on || len(members) > statesContacts || x.augmented ||
		s.o.Friction != ExactCone || s.p.islands.task != solveWhole {
		return
	}
	ratio := s.massRatio(members)
	if !(ratio >= liftedRatio) || !lawful(x.laws) {
		return
	}
	p := &s.p
	g.ratio, g.alpha, g.h, g.y = ratio, p.alpha, p.h, p.y
	g.parts, g.share, g.comps, g.first = g.parts[:0], g.share[:0], g.comps[:0], append(g.first[:0], 0)
	place := map[int]int{}
	for _, k := range members {
		var share, parts []liftedPart
		for _, x := range p.share[p.from[k]:p.from[k+1]] {
			at, ok := place[x.comp]
			if !ok {
				at = g.first[len(g.comps)]
				place[x.comp] = at
				g.comps, g.first = append(g.comps, x.comp), append(g.first, at+x.n)
			}
			share = append(share, liftedPart{at, x.n, x.at})
		}
		for _, x := range p.part[p.ptr[k]:p.ptr[k+1]] {
			parts = append(parts, liftedPart{place[x.comp] + x.local, x.n, x.at})
		}
		g.share, g.parts = append(g.share, share), append(g.parts, parts)
	}
	g.z = grow(g.z, g.first[len(g.comps)])
}

// lawful reports whether all laws are Coulomb's.
func lawful(laws []contact.Law) bool {
	for _, l := range laws {
		if math.IsNaN(lawMu(l)) {
			return false
		}
	}
	return true
}

// solveLifted looks for the states from the impulses of the step before, and then from those that
// the methods find: with z, where that is near to the laws.
func (p *solver) solveLifted(ctx context.Context, o *Options, mayCut bool) error {
	p.start = append(p.start[:0], p.r...)
	e, merit := p.settleLifted(p.start)
	p.res.Merit = merit
	if e > statesAt || merit > p.opt.Tolerance {
		near, err := p.liftedFrom(p.try(ctx, contact.MethodWarm, liftedLimit, p.r), o)
		if !near && ctx.Err() == nil && !beyondMemory(err) {
			near, err = p.liftedFrom(p.attempt(ctx, o, mayCut), o)
		}
		if !near {
			return err
		}
	}
	p.lifted.done = true
	p.res.R = append(p.res.R[:0], p.start...)
	return nil
}

// liftedFrom looks for the states from what a method has found, whose error is returned, and
// reports whether they are near to the laws.
func (p *solver) liftedFrom(err error, o *Options) (near bool, _ error) {
	if len(p.res.R) != len(p.r) {
		return false, err
	}
	p.start = append(p.start[:0], p.res.R...)
	e, merit := p.settleLifted(p.start)
	if near = e <= liftedNear && merit <= o.Accept; near {
		p.res.Merit = merit
	}
	return near, err
}

// settleLifted is settleStates from z = α SH r. Redundant impulses that took each other back on the
// way have left rounding in z of which u tells nothing: where z and α SH r have parted by more than
// the rounding of their terms the latter is z.
func (p *solver) settleLifted(r []float64) (e, merit float64) {
	g, x := &p.lifted, &p.active
	clear(g.z)
	p.addLift(r)
	e, merit = p.settleStates(r, statesEnough)
	g.keep()
	clear(g.z)
	x.sizes = grow(x.sizes, len(g.z))
	clear(x.sizes)
	p.addLift(r)
	for k := range p.list {
		f := g.alpha * p.scale[k] * p.size
		for _, s := range g.share[k] {
			for i := range s.n {
				for d, rd := range r[k*p.dim : (k+1)*p.dim] {
					x.sizes[s.v+i] += math.Abs(f * g.y[s.at+i*p.dim+d] * rd)
				}
			}
		}
	}
	for i, z := range g.z {
		if !(math.Abs(z-g.kept[i]) <= liftRounding*x.sizes[i]) {
			p.stateSpeeds(r)
			return p.speedError(r)
		}
	}
	g.back()
	return e, merit
}

// intoCones projects impulses onto their cones: a merit is relative to the largest of them, and the
// small ones are to be in theirs, too. z follows by what is more than rounding.
func (p *solver) intoCones(r []float64) {
	x, dim := &p.active, p.dim
	x.change = grow(x.change, len(r))
	clear(x.change)
	for i, l := range p.laws[:len(p.list)] {
		from, to := &x.r, &x.speed
		*from = [3]float64{}
		copy(from[:], r[i*dim:(i+1)*dim])
		l.Project(to, nil, from)
		off := 0.0
		for d := range dim {
			off = max(off, math.Abs(to[d]-from[d]))
		}
		for d := range dim {
			if r[i*dim+d] = to[d]; off > coneRounding*length(to[:dim]) {
				x.change[i*dim+d] = to[d] - from[d]
			}
		}
	}
	if p.lifted.done {
		p.addLift(x.change)
	}
}

// addLift adds α SH r to z.
func (p *solver) addLift(r []float64) {
	g, dim := &p.lifted, p.dim
	for k := range p.list {
		f := g.alpha * p.scale[k] * p.size
		for _, x := range g.share[k] {
			for i := range x.n {
				sum := 0.0
				for d, rd := range r[k*dim : (k+1)*dim] {
					sum += g.y[x.at+i*dim+d] * rd
				}
				g.z[x.v+i] += f * sum
			}
		}
	}
}

// liftedSpeeds sets u to Hᵀz + b.
func (p *solver) liftedSpeeds(u []float64) {
	g, dim := &p.lifted, p.dim
	for k := range p.list {
		f := p.scale[k] / p.size
		for d := range dim {
			sum := 0.0
			for _, x := range g.parts[k] {
				for i, z := range g.z[x.v : x.v+x.n] {
					sum += g.h[x.at+i*dim+d] * z
				}
			}
			u[k*dim+d] = f*sum + p.b[k*dim+d]
		}
	}
}

// forgetMoved forgets the z of the last problem.
func (s *solution) forgetMoved() {
	clear(s.p.exact)
	s.p.anyMoved = false
}

// putMoved takes z of an island.
func (s *solution) putMoved(g *lifted) {
	if !g.done {
		return
	}
	p := &s.p
	if len(p.moved) == 0 {
		p.moved, p.exact = make([]float64, len(s.v)), make([]bool, len(s.model.Components))
	}
	for k, c := range g.comps {
		p.exact[c], p.anyMoved = true, true
		for i, v := range s.model.Components[c].Index {
			p.moved[v] = g.z[g.first[k]+i]
		}
	}
}

// pushSolved adds α SH r to w for the impulses that solve has found, or z.
func (s *solution) pushSolved(w []float64) {
	p := &s.p
	if !p.anyMoved {
		s.push(w, p.alpha)
		return
	}
	s.f1 = append(s.f1[:0], w...)
	s.push(s.f1, p.alpha)
	for c := range s.model.Components {
		for _, v := range s.model.Components[c].Index {
			if p.exact[c] {
				w[v] += p.moved[v]
			} else {
				w[v] = s.f1[v]
			}
		}
	}
}
