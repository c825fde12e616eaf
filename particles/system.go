package particles

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/sparse"
)

// System is a set of particles with their obstacles and the sum of their energies.
// It evaluates E, ∂tE, DE, ∂tDE and D²E in the local coordinates z.
//
// Nothing is allocated by Value and Gradient, nor by Hessian after its first
// call. A System has scratch memory: use one from one goroutine at a time, and
// Clone for others.
type System struct {
	frames   []Frame
	energies []Energy
	shifted  []int       // particles with x = p + z
	rotated  []int       // particles with x = p + R z
	charted  []int       // particles with x = x(t, z), see chart.go
	placed   []placement // of them, at the last state
	forces   []float64   // global, scratch
	x        []float64
	ends     []float64 // of a way, scratch, see waybound.go
	given    []Extra   // see extra.go
	extras   []extra
	beside   [][]int // contacts with extra obstacles, by particle
	bent     []int   // particles with some that are curved or move, see bent.go
	feet     []footing
	extent   float64 // of the scene, where there are any [m]

	relative   []Relative // see relative.go
	relativeOf []int      // of each dof, plus 1; 0: none

	hessian  *Hessian
	calls    [][]call    // recorded sequences of the energies
	base     []float64   // contribution of the energies with constant Hessian, before rotation
	fixed    []bool      // the energy has a constant Hessian
	constant bool        // all have
	least    *sparse.Sym // see Least; empty: there is none

	drive          Drive     // see drive.go
	velocity, term []float64 // of it
	solids         []Solid   // see overlap.go
	remembering    []Remembering
	nonlinear      []bool // particles with a D²E that varies, see bearing.go; nil: none
	shapes         []Shape
}

// NewSystem returns the system of len(frames) particles. It fails for frames
// that are not orthonormal, and for energies that refuse the number of
// particles or declare entries outside the matrix.
func NewSystem(frames []Frame, energies ...Energy) (*System, error) {
	return NewRelativeSystem(frames, nil, energies...)
}

func (s *System) setFrames() error {
	for j := range s.frames {
		f := &s.frames[j]
		if err := f.validate(); err != nil {
			return fmt.Errorf("particles: frame of particle %d: %w", j, err)
		}
		switch {
		case f.Chart != nil:
			s.charted = append(s.charted, j)
		case !f.isAligned():
			s.rotated = append(s.rotated, j)
		case f.P != [3]float64{}:
			s.shifted = append(s.shifted, j)
		}
	}
	s.x = make([]float64, 3*len(s.frames))
	if len(s.charted) > 0 {
		s.placed = make([]placement, len(s.charted))
	}
	if len(s.charted) > 0 || len(s.relative) > 0 {
		s.forces = make([]float64, 3*len(s.frames))
	}
	return nil
}

func (s *System) setPattern() error {
	p := newPattern(s.frames)
	p.relatives = newRelatives(s)
	for _, r := range s.relative {
		p.addLocal(r.Dof, r.Dof)
	}
	s.constant = len(s.charted) == 0
	for _, j := range s.charted {
		p.AddBlock(j, j) // curvature
	}
	for i, e := range s.energies {
		if e == nil {
			return fmt.Errorf("particles: energy %d is nil", i)
		}
		if v, ok := e.(Validator); ok {
			if err := v.Validate(len(s.frames)); err != nil {
				return fmt.Errorf("particles: energy %d (%T): %w", i, e, err)
			}
		}
		s.declare(p, e)
		if p.err != nil {
			return fmt.Errorf("particles: energy %d (%T): Pattern %w", i, e, p.err)
		}
		if r, is := e.(Remembering); is && r.Own() != nil {
			s.remembering = append(s.remembering, r)
		}
		s.fixed = append(s.fixed, constantHessian(e))
		s.constant = s.constant && s.fixed[i]
	}
	s.hessian = newHessian(p)
	s.calls = make([][]call, len(s.energies))
	return nil
}

// Clone returns a system with the same frames and energies and scratch memory
// of its own. The energies are shared: those of this package are safe for
// concurrent use.
func (s *System) Clone() *System {
	c, err := s.With()
	if err != nil {
		panic("particles: System.Clone: " + err.Error())
	}
	return c
}

// With returns the system with more terms of E, and scratch memory of its own.
func (s *System) With(more ...Energy) (*System, error) {
	c, err := s.Like(s.frames, append(append([]Energy(nil), s.energies...), more...)...)
	if err != nil {
		return nil, err
	}
	c.carry(s)
	return c, nil
}

// N returns the number of particles.
func (s *System) N() int { return len(s.frames) }

// Frame returns the frame of particle j.
func (s *System) Frame(j int) Frame { return s.frames[j] }

// Constrained reports whether particle j has an obstacle.
func (s *System) Constrained(j int) bool { return !s.frames[j].Free }

// Energies returns the terms of E. The caller must not change the slice.
func (s *System) Energies() []Energy { return s.energies }

// Value returns E(t, z) and ∂tE(t, z).
func (s *System) Value(t float64, z []float64) (e, rate float64) {
	x := s.global(t, z, "Value")
	for _, f := range s.energies {
		fe, frate := f.Value(t, x)
		e += fe
		rate += frate
	}
	if s.shifts(t) {
		clear(s.forces)
		for _, f := range s.energies {
			f.Gradient(s.forces, nil, t, x)
		}
		rate += s.shiftPower(t, s.forces)
	}
	return e + s.followers(nil, z), rate + s.obstaclePower(t, x)
}

// Outside says which term is not finite at (t, z) and why; nil if all are, as far
// as the terms can say.
func (s *System) Outside(t float64, z []float64) error {
	var x []float64
	for _, f := range s.energies {
		if d, ok := f.(Domain); ok {
			if x == nil {
				x = s.global(t, z, "Outside")
			}
			if err := d.Outside(t, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// Gradient stores DE(t, z) in grad and ∂tDE(t, z) in rate, which may be nil.
func (s *System) Gradient(grad, rate []float64, t float64, z []float64) {
	x := s.global(t, z, "Gradient")
	if len(grad) != len(x) || (rate != nil && len(rate) != len(x)) {
		panic("particles: System.Gradient: wrong length of grad or rate")
	}
	clear(grad)
	clear(rate)
	for _, f := range s.energies {
		f.Gradient(grad, rate, t, x)
	}
	if rate != nil && s.shifts(t) {
		s.addShiftRate(rate, t, x)
	}
	s.pull(grad)
	if rate != nil {
		s.pull(rate)
	}
	if len(s.charted) > 0 {
		s.chartGradient(grad, rate, t, x)
	}
	s.followers(grad, z)
	s.rotateToLocal(grad)
	if rate != nil {
		s.rotateToLocal(rate)
	}
}

// Hessian returns D²E(t, z). The matrix belongs to the system and is overwritten
// by the next call; its pattern is always the same.
func (s *System) Hessian(t float64, z []float64) *sparse.Sym {
	x := s.global(t, z, "Hessian")
	if len(s.charted) > 0 {
		s.chartHessian(t, z, x)
		return s.hessian.mat
	}
	if s.base == nil {
		s.assembleConstant(t, x)
	}
	if s.constant {
		return s.hessian.mat
	}
	s.hessian.begin(s.base)
	for i, f := range s.energies {
		if !s.fixed[i] {
			s.calls[i] = s.hessian.again(f, s.calls[i], t, x)
		}
	}
	s.hessian.finish()
	return s.hessian.mat
}

// Least returns a matrix that D²E is not below at any t and z, see [BoundedBelow]; nil if there is none
// that all energies know. It belongs to the system.
func (s *System) Least() *sparse.Sym {
	if s.least == nil {
		s.least = s.assembleLeast()
	}
	if s.least.N == 0 {
		return nil
	}
	return s.least
}

func (s *System) assembleLeast() *sparse.Sym {
	if len(s.charted) > 0 || len(s.bent) > 0 {
		return &sparse.Sym{}
	}
	h, x := s.hessian, make([]float64, 3*len(s.frames))
	h.begin(nil)
	for i, e := range s.energies {
		h.replay, h.calls, h.cursor = false, nil, 0
		if s.fixed[i] {
			e.Hessian(h, 0, x)
		} else if b, is := e.(BoundedBelow); !is || !b.LeastHessian(h) {
			return &sparse.Sym{}
		}
	}
	h.addFollowers(s.relative)
	h.finish()
	return &sparse.Sym{N: h.mat.N, Ptr: h.mat.Ptr, Row: h.mat.Row, Val: append([]float64(nil), h.mat.Val...)}
}

// assembleConstant assembles the energies with constant Hessian, once.
func (s *System) assembleConstant(t float64, x []float64) {
	s.hessian.begin(nil)
	for i, f := range s.energies {
		if s.fixed[i] {
			s.hessian.once(f, t, x)
		}
	}
	s.hessian.addFollowers(s.relative)
	s.base = s.hessian.acc // a constant D²E is never assembled again
	if !s.constant {
		s.base = append([]float64(nil), s.hessian.acc...)
	}
	s.hessian.finish()
}

// Pattern returns the matrix that Hessian fills, whatever its values are now.
func (s *System) Pattern() *sparse.Sym { return s.hessian.mat }

// Bytes returns about the memory of the matrix with what finds its entries.
func (s *System) Bytes() int64 {
	h := s.hessian
	bytes := 8*int64(cap(h.mat.Row)+len(h.acc)+len(h.mat.Ptr)) + 100*int64(len(s.frames)) // frames, marks
	if !s.constant {
		bytes += 8 * int64(len(h.acc)) // base
		for _, calls := range s.calls {
			bytes += 16 * int64(cap(calls))
		}
	}
	return bytes
}

// ConstantHessian reports whether D²E depends on neither t nor z.
func (s *System) ConstantHessian() bool { return s.constant }

// Breaks appends the times in (t0, t1) at which ∂tE may jump, ascending, each once.
func (s *System) Breaks(dst []float64, t0, t1 float64) []float64 {
	n := len(dst)
	for _, e := range s.energies {
		if b, ok := e.(Breaker); ok {
			dst = b.Breaks(dst, t0, t1)
		}
	}
	for _, j := range s.charted {
		c := s.frames[j].Chart
		if dst = motionBreaks(dst, &c.Motion, t0, t1); c.Overlap != nil {
			dst = signal.Vector{c.Overlap}.Breaks(dst, t0, t1)
		}
	}
	for k := range s.extras {
		if c := s.extras[k].chart; c != nil {
			dst = motionBreaks(dst, &c.Motion, t0, t1)
		}
	}
	for k := range s.relative {
		for _, c := range s.relative[k].Shift {
			if b, ok := c.Signal.(signal.Breaker); ok {
				dst = b.Breaks(dst, t0, t1)
			}
		}
	}
	return signal.SortBreaks(dst, n)
}

func motionBreaks(dst []float64, m *Motion, t0, t1 float64) []float64 {
	if m.Shift != nil {
		dst = m.Shift.Breaks(dst, t0, t1)
	}
	if m.Angle != nil {
		dst = signal.Vector{m.Angle}.Breaks(dst, t0, t1)
	}
	return dst
}

// TimeBound stores in dst bounds of |∂t^k DE| in local coordinates over all states
// and all times that are no breaks, k = 2 or 3. It reports false if a term does not
// know them, see TimeBounded.
func (s *System) TimeBound(dst []float64, k int) bool {
	s.mustLen(dst, "TimeBound")
	clear(dst)
	if len(s.charted) > 0 || len(s.bent) > 0 {
		return false
	}
	for _, e := range s.energies {
		if b, ok := e.(TimeBounded); !ok || !b.TimeBound(dst, k) {
			return false
		}
	}
	s.pullBound(dst)
	s.boundToLocal(dst)
	return s.addShiftBound(dst, k, 1)
}

// NormalForce returns σ^(j) = ∂E/∂z_{3j}, the force with which particle j is
// pressed onto its obstacle, from the gradient; 0 without an obstacle.
func (s *System) NormalForce(grad []float64, j int) float64 {
	if s.frames[j].Free {
		return 0
	}
	return grad[3*j+2]
}

// NormalForces stores σ^(j) of all particles in dst and returns it; a nil dst
// is allocated.
func (s *System) NormalForces(dst, grad []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(s.frames))
	}
	for j := range s.frames {
		dst[j] = s.NormalForce(grad, j)
	}
	return dst
}

// ToGlobal is ToGlobalAt for obstacles at t = 0.
func (s *System) ToGlobal(x, z []float64) { s.ToGlobalAt(0, x, z) }

// ToGlobalAt stores the positions at time t, x = p + R z of flat obstacles at rest, in x,
// which may be z.
func (s *System) ToGlobalAt(t float64, x, z []float64) {
	s.mustLen(x, "ToGlobal")
	s.mustLen(z, "ToGlobal")
	s.toFlat(x, z)
	for _, j := range s.charted {
		put(x, j, s.frames[j].Chart.at(t, at(x, j)).x)
	}
	s.place(t, x)
}

// toFlat is ToGlobalAt of what has no chart.
func (s *System) toFlat(x, z []float64) {
	copy(x, z)
	for _, j := range s.shifted {
		addTo(x, j, at(s.frames[j].P[:], 0))
	}
	for _, j := range s.rotated {
		f := &s.frames[j]
		put(x, j, at(f.P[:], 0).plus(1, f.rotate(at(x, j))))
	}
}

// ToLocal is ToLocalAt for obstacles at t = 0.
func (s *System) ToLocal(z, x []float64) { s.ToLocalAt(0, z, x) }

// ToLocalAt stores the local coordinates at time t, z = Rᵀ(x − p) for flat obstacles at
// rest, in z, which may be x.
func (s *System) ToLocalAt(t float64, z, x []float64) {
	s.mustLen(x, "ToLocal")
	s.mustLen(z, "ToLocal")
	copy(z, x)
	s.unplace(t, z)
	for _, j := range s.shifted {
		subFrom(z, j, at(s.frames[j].P[:], 0))
	}
	for _, j := range s.rotated {
		f := &s.frames[j]
		put(z, j, f.rotateBack(at(z, j).sub(at(f.P[:], 0))))
	}
	for _, j := range s.charted {
		put(z, j, s.frames[j].Chart.local(t, at(z, j)))
	}
}

// Unwind replaces coordinates of particles on what is round by those of the same places that are
// nearest to a state.
func (s *System) Unwind(z, near []float64) {
	for _, j := range s.charted {
		for c, p := range s.frames[j].Chart.Periods() {
			if p > 0 {
				z[3*j+c] += p * math.Round((near[3*j+c]-z[3*j+c])/p)
			}
		}
	}
}

// Turned is the largest part of a turn round its obstacle that a particle goes from one state to
// another.
func (s *System) Turned(from, to []float64) (share float64, particle int) {
	for _, j := range s.charted {
		for c, p := range s.frames[j].Chart.Periods() {
			if part := math.Abs(to[3*j+c]-from[3*j+c]) / p; p > 0 && part > share {
				share, particle = part, j
			}
		}
	}
	return share, particle
}

// Stretched is the largest ratio of a way in space to one of the same coordinates on an obstacle: 1 +
// κh at the height h over a curvature κ. Of the digits of a place so many are lost.
func (s *System) Stretched(z []float64) (ratio float64, particle int) {
	for _, j := range s.charted {
		p := at(z, j)
		_, above := s.frames[j].Chart.still(p)
		p.z = 0
		_, on := s.frames[j].Chart.still(p)
		for c := range 2 {
			if x := math.Sqrt(above[c].dot(above[c]) / on[c].dot(on[c])); x > ratio {
				ratio, particle = x, j
			}
		}
	}
	return ratio, particle
}

// Magnitudes stores in dst, for each coordinate of z, the size of the numbers it
// makes in the positions x = p + R z: their rounding is 2⁻⁵³ of it or a few.
func (s *System) Magnitudes(dst, z []float64) {
	s.mustLen(dst, "Magnitudes")
	s.mustLen(z, "Magnitudes")
	for i, v := range z {
		dst[i] = math.Abs(v)
	}
	if s.relative != nil {
		x := make([]float64, len(z))
		s.ToGlobal(x, z)
		for k := range s.relative {
			i := s.relative[k].Dof
			dst[i] = max(dst[i], s.Scale(i/3, x))
		}
	}
	for _, j := range s.shifted {
		for c, p := range s.frames[j].P {
			dst[3*j+c] += math.Abs(p)
		}
	}
	for _, j := range s.rotated {
		d, p := dst[3*j:3*j+3], &s.frames[j].P
		most := max(d[0], d[1], d[2]) + max(math.Abs(p[0]), math.Abs(p[1]), math.Abs(p[2]))
		d[0], d[1], d[2] = most, most, most
	}
	for _, j := range s.charted {
		d, x := dst[3*j:3*j+3], s.frames[j].Chart.at(0, at(z, j)).x
		most := max(d[0], d[1], d[2]) + max(math.Abs(x.x), math.Abs(x.y), math.Abs(x.z))
		d[0], d[1], d[2] = most, most, most
	}
}

// global returns the positions: z itself when all frames are the default.
func (s *System) global(t float64, z []float64, method string) []float64 {
	s.mustLen(z, method)
	if len(s.shifted) == 0 && len(s.rotated) == 0 && len(s.charted) == 0 && len(s.relative) == 0 {
		return z
	}
	s.toFlat(s.x, z)
	for i, j := range s.charted {
		s.placed[i] = s.frames[j].Chart.at(t, at(z, j))
		put(s.x, j, s.placed[i].x)
	}
	s.place(t, s.x)
	return s.x
}

func (s *System) rotateToLocal(g []float64) {
	for _, j := range s.rotated {
		put(g, j, s.frames[j].rotateBack(at(g, j)))
	}
}

func (s *System) mustLen(v []float64, method string) {
	if len(v) != 3*len(s.frames) {
		panic(fmt.Sprintf("particles: System.%s: vector of length %d, want %d", method, len(v), 3*len(s.frames)))
	}
}

// Extent returns the diagonal of the bounding box of the particles in a state z [m], 1 m for a
// single one.
func (s *System) Extent(z []float64) float64 {
	x := make([]float64, len(z))
	s.ToGlobal(x, z)
	sum := 0.0
	for k := range 3 {
		lo, hi := x[k], x[k]
		for i := k; i < len(x); i += 3 {
			lo, hi = min(lo, x[i]), max(hi, x[i])
		}
		sum += (hi - lo) * (hi - lo)
	}
	if sum == 0 {
		return 1
	}
	return math.Sqrt(sum)
}
