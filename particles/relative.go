package particles

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/signal"
)

// Relative makes a coordinate of a particle one that is measured from others, in global axes:
//
//	x_i = v y_i + Σ_k w_k (x_k − a_k) + s(t),   y = p + R z.
//
// A node that meets another body has z_n = its gap and (z_t, z_o) = its slip, so that the law of an
// obstacle at rest holds for it: z_n >= 0, and Ψ is of the change of (z_t, z_o). E is that of the places x, and
//
//	E(t, z) = E(t, T y + s(t)),   DE = Tᵀ∂E/∂x,   D²E = Tᵀ(∂²E/∂x²)T,   ∂_tE = … + ∂E/∂x·ṡ:
//
// forces on the particle are, times w_k, on the others too.
type Relative struct {
	Dof   int
	Own   float64 // v > 0 [-]; 0: 1
	Terms []Term
	Shift []Share // s(t) = Σ factor·signal
	// Follower, if positive, says that x_i = Σ_k w_k (x_k − a_k) + s(t), without y_i; it holds y_i at 0 by a
	// spring of that stiffness [N/m]. The particle has no obstacle.
	Follower float64
}

// Term is w_k (x_k − a_k); Dof k is not relative itself.
type Term struct {
	Dof    int
	Weight float64
	From   float64 // a_k, of the start: differences are not rounded as places are [m]
}

// Share is a multiple of a signal [m].
type Share struct {
	Factor float64
	Signal signal.Scalar
	Held   int // 1 + the dof whose motion is prescribed to be the signal; 0: none
}

// NewRelativeSystem is [NewSystem] with relative coordinates. Their particles, and those that they
// are measured from, have no [Chart].
func NewRelativeSystem(frames []Frame, relative []Relative, energies ...Energy) (*System, error) {
	if len(frames) == 0 {
		return nil, errors.New("particles: no particles")
	}
	s := &System{energies: slices.Clone(energies), frames: slices.Clone(frames), relative: relative}
	for _, set := range []func() error{s.setRelative, s.setFrames, s.setPattern} {
		if err := set(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Like returns a system of other frames and energies for the same particles, with the same relative
// coordinates.
func (s *System) Like(frames []Frame, energies ...Energy) (*System, error) {
	return NewRelativeSystem(frames, s.relative, energies...)
}

func (s *System) setRelative() error {
	n := 3 * len(s.frames)
	if len(s.relative) == 0 {
		return nil
	}
	s.relativeOf = make([]int, n)
	s.relative = slices.Clone(s.relative)
	for k := range s.relative {
		r := &s.relative[k]
		if r.Own == 0 {
			r.Own = 1
		}
		if !(r.Own > 0) || !finite(r.Own) || r.Dof < 0 || r.Dof >= n || s.relativeOf[r.Dof] != 0 {
			return fmt.Errorf("particles: relative coordinate %d: %g times dof %d of %d, want each once, times a positive number",
				k, r.Own, r.Dof, n)
		}
		s.relativeOf[r.Dof] = k + 1
		f := &s.frames[r.Dof/3]
		if f.Relative = true; f.Chart != nil || r.Follower != 0 && (!f.Free || !f.isAligned() || f.P != [3]float64{} || !(r.Follower > 0)) {
			return fmt.Errorf("particles: relative coordinate %d: the obstacle of particle %d is curved or moves, or a follower has one",
				k, r.Dof/3)
		}
	}
	for k := range s.relative {
		for _, w := range s.relative[k].Terms {
			if w.Dof < 0 || w.Dof >= n || s.relativeOf[w.Dof] != 0 || s.frames[w.Dof/3].Chart != nil || !finite(w.Weight) {
				return fmt.Errorf("particles: relative coordinate %d: %g times dof %d, which is none, relative itself, or that of a particle whose obstacle is curved or moves",
					k, w.Weight, w.Dof)
			}
		}
	}
	return nil
}

// HasRelative reports whether there are relative coordinates.
func (s *System) HasRelative() bool { return len(s.relative) > 0 }

// shift is s(t), and its rate.
func (r *Relative) shift(t float64) (at, rate float64) {
	for _, c := range r.Shift {
		at, rate = at+c.Factor*c.Signal.At(t), rate+c.Factor*c.Signal.Rate(t)
	}
	return at, rate
}

// shiftBound bounds |∂t^k s| at all times that are no breaks.
func (r *Relative) shiftBound(k int) (bound float64, ok bool) {
	for _, c := range r.Shift {
		b, known := signal.DerivativeBound(c.Signal, k)
		if !known {
			return 0, false
		}
		bound += math.Abs(c.Factor) * b
	}
	return bound, true
}

// place turns y into x.
func (s *System) place(t float64, x []float64) {
	for k := range s.relative {
		r := &s.relative[k]
		v, _ := r.shift(t)
		if r.Follower == 0 {
			v += r.Own * x[r.Dof]
		}
		for _, w := range r.Terms {
			v += w.Weight * (x[w.Dof] - w.From)
		}
		x[r.Dof] = v
	}
}

// placeOne is place of one particle.
func (s *System) placeOne(t float64, j int, x *[3]float64, z []float64) {
	for c := range x {
		k := s.relativeOf[3*j+c]
		if k == 0 {
			continue
		}
		r := &s.relative[k-1]
		v, _ := r.shift(t)
		if r.Follower == 0 {
			v += r.Own * x[c]
		}
		for _, w := range r.Terms {
			j := w.Dof / 3 // perhaps the same particle, of which another coordinate is relative
			v += w.Weight * (s.frames[j].ToGlobal([3]float64(z[3*j:]))[w.Dof%3] - w.From)
		}
		x[c] = v
	}
}

// unplace turns x into y.
func (s *System) unplace(t float64, x []float64) {
	for k := range s.relative {
		r := &s.relative[k]
		if r.Follower > 0 {
			x[r.Dof] = 0
			continue
		}
		v, _ := r.shift(t)
		for _, w := range r.Terms {
			v += w.Weight * (x[w.Dof] - w.From)
		}
		x[r.Dof] = (x[r.Dof] - v) / r.Own
	}
}

// pull replaces a gradient with respect to x by that with respect to y, Tᵀg.
func (s *System) pull(g []float64) {
	for k := range s.relative {
		r := &s.relative[k]
		for _, w := range r.Terms {
			g[w.Dof] += w.Weight * g[r.Dof]
		}
		if g[r.Dof] *= r.Own; r.Follower > 0 {
			g[r.Dof] = 0
		}
	}
}

// Handed stores ∂E/∂x at (t, z), by global coordinates, in dst; to those whose motion is prescribed it adds
// what relative coordinates hand on to them, Σ factor·∂E/∂x_i over their shares: what contact with another
// body, and the other energies, do to their supports [N].
func (s *System) Handed(dst []float64, t float64, z []float64) {
	x := s.global(t, z, "Handed")
	clear(dst)
	for _, e := range s.energies {
		e.Gradient(dst, nil, t, x)
	}
	for k := range s.relative {
		r := &s.relative[k]
		for _, c := range r.Shift {
			if c.Held > 0 {
				dst[c.Held-1] += c.Factor * dst[r.Dof]
			}
		}
	}
}

// pullBound is pull of bounds of absolute values.
func (s *System) pullBound(g []float64) {
	for k := range s.relative {
		r := &s.relative[k]
		for _, w := range r.Terms {
			g[w.Dof] += math.Abs(w.Weight) * g[r.Dof]
		}
		if g[r.Dof] *= r.Own; r.Follower > 0 {
			g[r.Dof] = 0
		}
	}
}

// push turns velocities with respect to y, at rest shifts, into those of x.
func (s *System) push(v []float64) {
	for k := range s.relative {
		r := &s.relative[k]
		if v[r.Dof] *= r.Own; r.Follower > 0 {
			v[r.Dof] = 0
		}
		for _, w := range r.Terms {
			v[r.Dof] += w.Weight * v[w.Dof]
		}
	}
}

// followers adds the energy of the springs that hold followers, and its gradient to grad unless that
// is nil.
func (s *System) followers(grad, z []float64) (e float64) {
	for k := range s.relative {
		if r := &s.relative[k]; r.Follower > 0 {
			e += r.Follower / 2 * z[r.Dof] * z[r.Dof]
			if grad != nil {
				grad[r.Dof] += r.Follower * z[r.Dof]
			}
		}
	}
	return e
}

// shifts reports whether any s(t) changes at the time.
func (s *System) shifts(t float64) bool {
	for k := range s.relative {
		if _, rate := s.relative[k].shift(t); rate != 0 {
			return true
		}
	}
	return false
}

// shiftPower is ∂E/∂x·ṡ [W]; forces are ∂E/∂x.
func (s *System) shiftPower(t float64, forces []float64) (power float64) {
	for k := range s.relative {
		_, rate := s.relative[k].shift(t)
		power += forces[s.relative[k].Dof] * rate
	}
	return power
}

// driveShifts adds the power that shifts exchange, and moves the places by them.
func (s *System) driveShifts(t float64, x []float64) {
	clear(s.forces)
	for _, f := range s.energies {
		f.Gradient(s.forces, nil, t, x)
	}
	for k := range s.relative {
		i := s.relative[k].Dof
		_, rate := s.relative[k].shift(t)
		s.velocity[i] += rate
		s.drive.AddUndirected(i/3, math.Abs(s.forces[i]*rate))
	}
}

// addShiftRate adds (∂²E/∂x²) ṡ: the difference of forces over a second where they are linear, else
// over rateStep.
func (s *System) addShiftRate(rate []float64, t float64, x []float64) {
	step := rateStep
	if s.constant {
		step = 1
	}
	moved, from, to := slices.Clone(x), make([]float64, len(x)), make([]float64, len(x))
	for k := range s.relative {
		_, v := s.relative[k].shift(t)
		moved[s.relative[k].Dof] += step * v
	}
	for _, f := range s.energies {
		f.Gradient(from, nil, t, x)
		f.Gradient(to, nil, t, moved)
	}
	for i := range rate {
		rate[i] += (to[i] - from[i]) / step
	}
}

// addShiftBound adds bounds of |D²E ∂t^k s| times factor, in local coordinates. It reports false where D²E is not constant,
// a signal has none, or followers move by themselves.
func (s *System) addShiftBound(dst []float64, k int, factor float64) bool {
	var bounds []float64
	for i := range s.relative {
		r := &s.relative[i]
		b, ok := r.shiftBound(k)
		if !ok || b > 0 && (!s.constant || r.Follower > 0) {
			return false
		}
		if b > 0 {
			if bounds == nil {
				bounds = make([]float64, len(dst))
			}
			bounds[r.Dof] = b * factor / r.Own // a shift of y by s/v
		}
	}
	if bounds == nil {
		return true
	}
	s.boundToLocal(bounds)
	a := s.Hessian(0, make([]float64, len(dst)))
	for c := range a.N {
		for p := a.Ptr[c]; p < a.Ptr[c+1]; p++ {
			row, v := a.Row[p], math.Abs(a.Val[p])
			dst[row] += v * bounds[c]
			if row != c {
				dst[c] += v * bounds[row]
			}
		}
	}
	return true
}

// expand visits the entries with respect to y that an entry (a, b) with respect to x makes, with
// their factors: each unordered pair once, that of a dof with itself in full.
func (h *relatives) expand(a, b int, visit func(a, b int, w float64)) {
	var one, other [1]Term
	first, second := h.terms(a, &one), h.terms(b, &other)
	for i, p := range first {
		for j, q := range second {
			switch {
			case a == b && j > i: // its mirror image is the same entry
			case a != b && p.Dof == q.Dof:
				visit(p.Dof, q.Dof, 2*p.Weight*q.Weight)
			default:
				visit(p.Dof, q.Dof, p.Weight*q.Weight)
			}
		}
	}
}

// addFollowers adds the springs that hold followers.
func (h *Hessian) addFollowers(list []Relative) {
	for k := range list {
		if r := &list[k]; r.Follower > 0 {
			h.acc[h.localSlot(r.Dof, r.Dof)] += r.Follower
		}
	}
}

// relatives are the rows of T by dof; nil: the identity.
type relatives struct {
	of   []int // relative coordinate of each dof, plus 1; 0: none
	rows [][]Term
}

func newRelatives(s *System) *relatives {
	if len(s.relative) == 0 {
		return nil
	}
	h := &relatives{of: s.relativeOf}
	for k := range s.relative {
		r := &s.relative[k]
		row := slices.Clone(r.Terms)
		if r.Follower == 0 {
			row = append(row, Term{Dof: r.Dof, Weight: r.Own})
		}
		h.rows = append(h.rows, row)
	}
	return h
}

// is reports whether a dof is relative.
func (h *relatives) is(dof int) bool { return h != nil && dof >= 0 && dof < len(h.of) && h.of[dof] > 0 }

// among reports whether a dof of a particle is.
func (h *relatives) among(j int) bool { return h.is(3*j) || h.is(3*j+1) || h.is(3*j+2) }

func (h *relatives) terms(dof int, one *[1]Term) []Term {
	if k := h.of[dof]; k > 0 {
		return h.rows[k-1]
	}
	one[0] = Term{Dof: dof, Weight: 1}
	return one[:]
}

// coupled is the number of entries that expand visits, or twice as many.
func (h *relatives) coupled(a, b int) int64 {
	var one, other [1]Term
	return int64(len(h.terms(a, &one))) * int64(len(h.terms(b, &other)))
}

// Coupled counts the entries of D²E, with repetitions, that relative coordinates make of those that energies declare: as
// many as the products of the numbers of their terms. What is wrong with the arguments [NewRelativeSystem] says.
func Coupled(frames []Frame, relative []Relative, energies ...Energy) int64 {
	s := &System{energies: energies, frames: frames, relative: relative}
	if len(relative) == 0 || s.setRelative() != nil || s.setFrames() != nil {
		return 0
	}
	p := newPattern(frames)
	p.relatives, p.counts = newRelatives(s), true
	for _, e := range energies {
		if e != nil {
			s.declare(p, e)
		}
	}
	return p.coupled
}

// Scale is the size of the numbers that the coordinates of particle j are made of, at places x [m].
func (s *System) Scale(j int, x []float64) (scale float64) {
	for c, p := range s.frames[j].P {
		dof := 3*j + c
		scale = max(scale, math.Abs(x[dof]), math.Abs(p))
		if s.relativeOf != nil && s.relativeOf[dof] > 0 {
			for _, w := range s.relative[s.relativeOf[dof]-1].Terms {
				scale = max(scale, math.Abs(w.Weight*x[w.Dof]))
			}
		}
	}
	return scale
}
