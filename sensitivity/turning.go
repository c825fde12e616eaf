package sensitivity

import (
	"context"
	"errors"
	"fmt"
	"math"
)

const (
	// walks and steps are what one end may cost, whichever is more: that many walks, or walks of so
	// many steps in all.
	walks, steps = 12, 5000
	// strides is how many times the steps of the walk at p another one may take: near to μ = 0
	// directions follow their forces in ways μσ/k, and steps are as short.
	strides = 4
	// leap is the growth of the steps away from p.
	leap = 4
	// near is the distance from an end at which it is found, of |p|.
	near = 1e-10
)

// search looks for the ends of the interval around p.
type search struct {
	f                   Family
	p, until, tolerance float64
	want                *course
	side, size          float64
	walked, stepped     int // so far, to the present end

	in, far float64 // distances from p: the order is the same, and is another
	why     *Change // at far; nil: far is unknown
	none    bool    // from far on there is no case
	at      []float64
	seen    []*course // walks of the same order, the last one at in
}

// turning finds the interval by few walks: away from p by leaps, and then by where the times of two
// neighbours of the order would meet, as they go from one walk to the next, or by halves.
func turning(ctx context.Context, s *search) (r Range, err error) {
	if s.size = math.Abs(s.p); s.size == 0 {
		s.size = 1
	}
	for _, side := range [2]float64{-1, 1} {
		s.side, s.walked, s.stepped, s.in, s.far, s.why, s.none = side, 0, 0, 0, math.Inf(1), nil, false
		s.at, s.seen = []float64{0}, []*course{s.want}
		if err := s.edge(ctx); err != nil {
			return r, err
		}
		all := s.why == nil && leap*s.in > farthest*s.size
		r.AtLeast = r.AtLeast || !all && (s.why == nil || s.far-s.in > near*s.size || errors.Is(s.why.Err, errLong))
		end := s.end()
		if side < 0 {
			r.Lo, r.Below = end, s.why
		} else {
			r.Hi, r.Above = end, s.why
		}
	}
	return r, nil
}

// edge finds one end.
func (s *search) edge(ctx context.Context) error {
	for d := 1e-3 * s.size; d <= farthest*s.size && s.why == nil; d *= leap {
		if err := s.walk(ctx, d); err != nil {
			return err
		}
		if s.spent() {
			return nil
		}
	}
	if s.why == nil {
		return nil
	}
	s.bound()
	missed := false
	for k := 0; !s.spent() && s.far-s.in > near*s.size; k++ {
		d, met := s.meeting(k%2 == 0)
		if !met || missed {
			d = s.in + (s.far-s.in)/2
		}
		if err := s.walk(ctx, d); err != nil {
			return err
		}
		missed = !missed && met && d == s.far
	}
	return nil
}

// end is the end that was found; at a bound of the parameter with the fault of a number that can be
// read.
func (s *search) end() float64 {
	end, far := s.p+s.side*s.in, s.p+s.side*s.far
	if !s.none || s.far-s.in > near*s.size {
		return end
	}
	end = shortest(min(end, far), max(end, far))
	at := end + s.side*1e-3*s.size
	if _, err := s.f(at); err != nil {
		s.why = &Change{At: at, Err: err}
	}
	return end
}

// spent reports whether one end has cost what it may.
func (s *search) spent() bool { return s.walked >= walks && s.stepped >= steps }

// walk walks at a distance from p.
func (s *search) walk(ctx context.Context, d float64) error {
	q := s.p + s.side*d
	got, err := order(ctx, s.f, q, s.until, s.tolerance, strides*s.want.length)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.walked++
	var why *Change
	if errors.Is(err, errLong) {
		s.stepped += strides * s.want.length
		err = fmt.Errorf("not looked at: %w of that at %.6g", errLong, s.p)
	}
	if err != nil {
		why = &Change{At: q, Err: err}
	} else {
		s.stepped += got.length
		why = difference(q, s.want.steps, got.steps)
	}
	if why != nil {
		s.far, s.why, s.none = d, why, false
		if err != nil {
			_, err = s.f(q)
			s.none = err != nil
		}
		return nil
	}
	s.in, s.at, s.seen = d, append(s.at, d), append(s.seen, got)
	return nil
}

// bound brings far to the bound of the parameter, if there is no case there. That needs no walks.
func (s *search) bound() {
	none := func(d float64) error { _, err := s.f(s.p + s.side*d); return err }
	if none(s.far) == nil {
		return
	}
	lo, hi := s.in, s.far
	for hi-lo > near*s.size {
		m := lo + (hi-lo)/2
		if err := none(m); err != nil {
			hi = m
		} else {
			lo = m
		}
	}
	s.far, s.why, s.none = hi, &Change{At: s.p + s.side*hi, Err: none(hi)}, true
}

// meeting is the first distance between in and far at which two neighbours of the order would meet
// if the times between all went on as from the walk before to that at in: linearly, as where they
// pass each other, or as roots, as where both vanish.
func (s *search) meeting(linear bool) (first float64, met bool) {
	n := len(s.seen)
	if n < 2 {
		return 0, false
	}
	a, b, first := s.seen[n-2], s.seen[n-1], s.far
	gap := func(c *course, i int) float64 {
		end := s.until
		if i+1 < len(c.times) {
			end = c.times[i+1]
		}
		if g := end - c.times[i]; linear {
			return g
		} else {
			return g * g
		}
	}
	for i := range b.times {
		before, now := gap(a, i), gap(b, i)
		if !(now < before) || now <= same*s.until {
			continue
		}
		if d := s.in + now/(before-now)*(s.in-s.at[n-2]); d > s.in+near*s.size/2 && d < first {
			first, met = d, true
		}
	}
	return first, met
}
