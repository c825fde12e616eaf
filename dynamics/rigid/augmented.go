package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// The augmented formulation: the contact problem of long chains and trees of joints in time and
// memory in proportion to their links, where W has n² blocks. What is solved is the problem of the
// free bodies,
//
//	(u; 0) = V (r; λ) + (b; 0),
//
// whose joints hold to the tolerance of its merit only. The impulses r then push the bodies with
// their joints, S, which hold to rounding, and the motion that this gives is judged: what does not
// pass is solved by W. Chains of 40 links on a floor take a tenth of the time of W, of 10 as much.

// augmentedContacts is the number of contacts of one mechanism from which on V takes the place of
// W.
const augmentedContacts = 12

// augmentedShare of Options.Accept is aimed at.
const augmentedShare = 0.25

// augmentedAgain times the merit at which a round of a step has ended does for the next one:
// another solution as good, of those of redundant contacts, would be another motion, and rounds
// would not end.
const augmentedAgain = 2

// loadProblem is load by V, if that is of use.
func (s *solution) loadProblem(alpha float64) error {
	if s.p.augmented = false; !s.wantsAugmented() {
		return s.load(alpha)
	}
	p := &s.p
	p.dim = s.model.Dim
	if err := s.crowded(); err != nil {
		return err
	}
	p.part, p.h, p.ptr = p.part[:0], p.h[:0], append(p.ptr[:0], 0)
	all := p.all[:0]
	for k, i := range p.list {
		t := &s.touches[i]
		s.jacobian(i, t.A, 1)
		if t.B >= 0 {
			s.jacobian(i, t.B, -1)
		}
		p.ptr, all = append(p.ptr, len(p.part)), append(all, k)
	}
	p.all, p.alpha = all, alpha
	if !s.free(&p.freed, all) {
		return s.load(alpha)
	}
	need := solverCopies * int64(len(p.freed.v.Col)) * int64(blockMemory(p.dim))
	if limit := s.o.Memory; limit > 0 && need > limit {
		return &MemoryError{len(p.list), need, limit}
	}
	p.factors = max(0, s.o.Memory-need/solverCopies*(solverCopies-1))
	if n := p.dim * (p.freed.v.Contacts() - len(p.list)); n != len(p.jointR) {
		p.jointR = grow(p.jointR, n)
		clear(p.jointR)
	}
	p.augmented = true
	p.b, p.r = grow(p.b, p.dim*len(p.list)), grow(p.r, p.dim*len(p.list))
	return nil
}

// augmentedRatio of masses is the largest for which V does: a merit is of ½mv² of all bodies, so
// that the speeds of the lightest are as right as those of the others where it is the root of their
// ratio smaller.
const augmentedRatio = 100

// wantsAugmented reports whether some mechanism has many contacts, and masses are not too far
// apart.
func (s *solution) wantsAugmented() bool {
	p, m := &s.p, s.model
	if len(m.Rows) == 0 || s.clings > 0 || s.o.Pressure != CornerPressure || len(p.list) < augmentedContacts || s.o.Friction != ExactCone {
		return false
	}
	p.mark = grow(p.mark, len(m.Components))
	clear(p.mark)
	most, least, heaviest := 0, math.Inf(1), 0.0
	for k := range p.list {
		for _, b := range s.bodiesOf(k) {
			if b < 0 {
				continue
			}
			least, heaviest = min(least, m.Bodies[b].Mass), max(heaviest, m.Bodies[b].Mass)
			if c := m.Home[b]; len(m.Components[c].Rows) > 0 {
				p.mark[c]++
				most = max(most, p.mark[c])
			}
		}
	}
	p.massGrade = 1
	if heaviest > evenMasses*least {
		p.massGrade = math.Sqrt(heaviest / least)
	}
	return most >= augmentedContacts && heaviest <= augmentedRatio*least
}

// matrix is W, or V in its place.
func (p *problem) matrix() *contact.Blocks {
	if p.augmented {
		return &p.freed.v
	}
	return &p.w
}

// solveAugmented solves by V and judges by the motion with the joints. Where that does not pass W
// is loaded, and done is false; or what remains is for half of the step.
func (s *solution) solveAugmented(ctx context.Context) (done bool, err error) {
	p, goal := &s.p, s.augmentedAim()
	s.forgetMoved()
	p.intoCones(p.r)
	p.guessR = append(p.guessR[:0], p.r...)
	if merit := s.augmentedMerit(); merit <= max(goal, augmentedAgain*p.mayLeave) { // in the rounds of a step
		s.solved, s.step.Residual = max(s.solved, merit), max(s.step.Residual, merit)
		return true, nil
	}
	stalled := s.step.Stalled
	if err = s.solveFull(ctx); err == nil {
		if merit := s.augmentedMerit(); merit <= max(s.o.Accept/p.massGrade, s.o.Tolerance) {
			s.solved, s.step.Residual = max(s.solved, merit), max(s.step.Residual, merit)
			p.mayLeave = min(merit, s.o.Accept/augmentedAgain)
			if merit > goal && s.step.Stalled == stalled {
				s.step.Stalled++
			}
			return true, nil
		}
	}
	if ctx.Err() != nil || err != nil && s.mayCut {
		return true, err
	}
	return false, s.loadFull()
}

// loadFull loads W in place of V, for the same speeds and from where V began.
func (s *solution) loadFull() error {
	p := &s.p
	p.guessB = append(p.guessB[:0], p.b...)
	if err := s.load(p.alpha); err != nil {
		return err
	}
	copy(p.b, p.guessB)
	copy(p.r, p.guessR)
	return nil
}

// openAugmented is openIslands by V, judged by how the bodies with their joints move. Where that
// does not pass W is loaded, and done is false.
func (s *solution) openAugmented(ctx context.Context) (done bool, err error) {
	p := &s.p
	p.guessR = append(p.guessR[:0], p.r...)
	s.openAll(ctx)
	for k := range p.islands.outcome {
		s.putIsland(k)
		if err == nil {
			err = p.islands.outcome[k].err
		}
	}
	if err == nil && s.augmentedMerit() <= projectTolerance || ctx.Err() != nil {
		return true, ctx.Err()
	}
	return false, s.loadFull()
}

// loadImpact is loadProblem for a problem of its own, of an instant.
func (s *solution) loadImpact() error {
	s.p.forgetJoints()
	return s.loadProblem(1)
}

// forgetJoints forgets the impulses of the joints, and how well the last problem was solved.
func (p *problem) forgetJoints() { p.jointR, p.mayLeave = p.jointR[:0], 0 }

// strikeAugmented adds what the impulse r of contact k does to the speeds of all contacts to b.
func (s *solution) strikeAugmented(k int, r []float64) {
	p := &s.p
	copy(p.r[k*p.dim:], r)
	p.freedW, p.freedU = grow(p.freedW, len(s.v)), grow(p.freedU, len(p.r))
	clear(p.freedW)
	s.pushTree(p.freedW, p.alpha)
	s.speeds(p.freedU, p.freedW)
	for i, u := range p.freedU {
		p.b[i] += u
	}
	clear(p.r[k*p.dim : (k+1)*p.dim])
}

// ambiguousAugmented is ambiguous by the islands of V.
func (s *solution) ambiguousAugmented() bool {
	x := &s.p.islands
	x.find(s.p.matrix(), len(s.p.list))
	for k := range len(x.ptr) - 1 {
		first := -1
		for _, i := range x.members(k) {
			if !s.rebounds(i) {
				continue
			}
			if first < 0 {
				first = i
			} else if s.touches[s.p.list[i]].Pair() != s.touches[s.p.list[first]].Pair() {
				return true
			}
		}
	}
	return false
}

// augmentedAim is what the whole problem aims at, as one of its islands.
func (s *solution) augmentedAim() float64 {
	p := &s.p
	x := solver{dim: p.dim, list: p.list, augmented: true,
		criterion: criterion{grade: p.massGrade, faces: s.faces(p.all), slowIsland: s.slowIsland(p.all), rough: s.rough}}
	return x.aim(&s.o)
}

// augmentedMerit is the merit of the impulses under the motion that they give with the joints, each
// contact in units of its mobility: (Σ ‖r − P(r − ρ(u + g))‖²/ρ)^½ over the largest of b, r and u.
func (s *solution) augmentedMerit() float64 {
	p, v := &s.p, &s.p.freed.v
	dim := p.dim
	p.freedW, p.freedU = grow(p.freedW, len(s.v)), grow(p.freedU, len(p.r))
	clear(p.freedW)
	s.pushTree(p.freedW, p.alpha)
	s.speeds(p.freedU, p.freedW)
	sum, bb, rr, uu := 0.0, 0.0, 0.0, 0.0
	for k := range p.list {
		trace := 0.0
		for j := v.Ptr[k]; j < v.Ptr[k+1]; j++ {
			for d := 0; d < dim && v.Col[j] == k; d++ {
				trace += v.Val[(j*dim+d)*dim+d]
			}
		}
		rho := float64(dim) / trace
		var r, u [3]float64
		for d := range dim {
			b := p.b[k*dim+d]
			r[d], u[d] = p.r[k*dim+d], b+p.freedU[k*dim+d]
			bb, rr, uu = bb+rho*b*b, rr+r[d]*r[d]/rho, uu+rho*u[d]*u[d]
		}
		e := contact.NaturalResidual(p.laws[k], &r, &u, rho)
		sum += e * e / rho
	}
	scale := max(bb, rr, uu)
	if scale == 0 {
		scale = 1
	}
	return math.Sqrt(sum / scale)
}

// addOwn adds hᵀ z h of a part to w, z the corner of its body.
func (p *problem) addOwn(w *[9]float64, x *part, z []float64) {
	dim := p.dim
	for r := range x.n {
		for c := range x.n {
			for e := range dim {
				zh := p.h[x.at+r*dim+e] * z[r*x.n+c]
				for d := range dim {
					w[dim*e+d] += zh * p.h[x.at+c*dim+d]
				}
			}
		}
	}
}
