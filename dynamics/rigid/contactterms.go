package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// comers reports whether there is a contact in the list that was not there in the step before: what
// it pushes may close others.
func (s *assembly) comers() bool {
	for _, i := range s.p.list {
		if !s.marks[i].was {
			return true
		}
	}
	return false
}

// joinAhead, in ways that the forces of a step move a body in it, is the gap below which a touch
// joins the list after the sweeps of predict. A contact too many costs a row; one too few costs the
// whole problem once more.
const joinAhead = 3

// pairKick is the larger of the speeds that the forces of the step give the bodies of touch i.
func (s *assembly) pairKick(i int) float64 {
	t := &s.touches[i]
	speed := s.kickSpeed(&s.model.Bodies[t.A])
	if t.B >= 0 {
		speed = max(speed, s.kickSpeed(&s.model.Bodies[t.B]))
	}
	return speed
}

// gapTerms adds the curvature of gaps to u_N, and Φ/h where a loaded contact has opened by drift,
// or on the gap grid: the step may close it, but not more.
func (s *assembly) gapTerms(h float64) {
	if s.o.Unstabilised && s.mode.grid != GapGrid {
		return
	}
	for k, i := range s.p.list {
		if g := s.touches[i].Gap; g > s.unit*touchGap {
			s.p.b[k*s.p.dim] += g / h
		}
	}
	s.curveTerms(s.p.b)
}

// guess starts from the last impulses, scaled to the step.
func (s *assembly) guess(h float64) {
	p := &s.p
	for k, i := range p.list {
		m := &s.marks[i]
		f := 0.0
		if m.h > 0 {
			f = h / m.h
		}
		for d := range p.dim {
			p.r[k*p.dim+d] = f * m.r[d]
		}
		s.takeMoments(k, f)
	}
}

// slides is a speed that is not rounding [m/s, by the size of the bodies].
const slides = 1e-9

// paradoxes counts the contacts of the problem that slide, under v^α of the step before, in a
// configuration of Painlevé, and the bearings that jam in one.
func (s *assembly) paradoxes() (n int) {
	p := &s.p
	u := grow(s.uMean, len(p.b))
	s.uMean = u
	s.relative(u, s.wLast)
	for k := range p.list {
		x := u[k*p.dim : (k+1)*p.dim]
		if ut := length(x[1:]); ut > s.pace*slides && (s.pulls(k, x, lawMu(p.laws[k])/ut) || s.seizes(k)) {
			n++
		}
	}
	return n
}

// pulls reports whether a push along the sliding cone of contact k would accelerate it inwards.
func (s *assembly) pulls(k int, u []float64, f float64) bool {
	var w [9]float64
	s.blockOf(&w, k)
	a := w[0]
	for d := 1; d < s.p.dim; d++ {
		a -= f * u[d] * w[d]
	}
	return a <= 0
}

// blockOf sets w to the block of W of contact k with itself, row by row.
func (s *assembly) blockOf(w *[9]float64, k int) {
	p, n := &s.p, s.p.dim*s.p.dim
	if p.augmented {
		s.ownBlock(w, k)
		for i := range n {
			w[i] *= p.alpha
		}
		return
	}
	*w = [9]float64{}
	for j := p.w.Ptr[k]; j < p.w.Ptr[k+1]; j++ {
		if p.w.Col[j] == k {
			copy(w[:], p.w.Val[j*n:(j+1)*n])
		}
	}
}

func lawMu(l contact.Law) float64 {
	switch l := l.(type) {
	case contact.Coulomb:
		return l.Mu
	case contact.Pyramid:
		return l.Mu
	}
	return math.NaN()
}

// faced reports whether bodies of the list meet in several points.
func (s *assembly) faced() bool {
	last := uint64(math.MaxUint64)
	for _, i := range s.p.list { // sorted, as the touches are
		pair := s.touches[i].Pair()
		if pair == last {
			return true
		}
		last = pair
	}
	return false
}

// rebounds reports whether contact k of the collision of p.r gives back.
func (s *assembly) rebounds(k int) bool {
	return s.p.r[k*s.p.dim] > 0 && s.model.MaterialOf(&s.touches[s.p.list[k]]).Restitution > 0
}
