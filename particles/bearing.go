package particles

import "math"

// Bearing is implemented by an Energy that knows what its anchors, supports and loads exert.
//
// The forces that a polygon of states leaves unbalanced between two nodes, |DE|, are small or large beside the
// forces that the system bears. Where D²E is constant they stem from motions and loads alone, which the polygon
// follows by their chords, and are small beside DE(t, z(0)), the same forces without any answer, where the chords
// are small beside the motions. Where D²E varies they stem from E itself, and DE(t, z(0)) says nothing of them: the
// elements beside a support that moves would take all of its motion there.
type Bearing interface {
	// Borne raises dst, for some particle of each island, to the largest force that an anchor, a support or the loads
	// exert on one of its particles [N].
	Borne(dst []float64, t float64, x []float64)
}

var (
	_ Bearing = (*Springs)(nil)
	_ Bearing = (*Tethers)(nil)
)

// declare takes the pattern of an energy, and which particles it couples if its D²E varies.
func (s *System) declare(p *Pattern, e Energy) {
	if constantHessian(e) {
		e.Pattern(p)
		return
	}
	if s.nonlinear == nil {
		s.nonlinear = make([]bool, len(s.frames))
	}
	before := p.onDiag
	p.onDiag = make([]bool, len(before))
	e.Pattern(p)
	for a, declared := range p.onDiag {
		s.nonlinear[a/3] = s.nonlinear[a/3] || declared
		before[a] = before[a] || declared
	}
	p.onDiag = before
}

// Nonlinear reports whether D²E of an energy of particle j varies.
func (s *System) Nonlinear(j int) bool { return s.nonlinear != nil && s.nonlinear[j] }

// Borne stores in dst what energies say of that, see [Bearing].
func (s *System) Borne(dst []float64, t float64, z []float64) {
	x := s.global(t, z, "Borne")
	clear(dst)
	for _, e := range s.energies {
		if b, is := e.(Bearing); is {
			b.Borne(dst, t, x)
		}
	}
}

// Borne implements [Bearing]: the tensions of springs on anchors.
func (e *Springs) Borne(dst []float64, t float64, x []float64) {
	for k := range e.items {
		if it := &e.items[k]; it.j < 0 {
			s := it.tangent(e.reach(it, t, x))
			dst[it.i] = max(dst[it.i], math.Abs(s.force))
		}
	}
}

// Borne implements [Bearing].
func (e *Tethers) Borne(dst []float64, t float64, x []float64) {
	for i := range e.items {
		it := &e.items[i]
		dst[it.particle] = max(dst[it.particle], e.force(it, e.stretch(it, t, x)).size())
	}
}
