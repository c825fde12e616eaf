package assembly

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/assembly/conic"
	"github.com/quasistatic/quasistatic/internal/crew"
)

// A Share of all friction coefficients is between bounds.
type Share struct {
	Lower    float64   // below it no forces balance the loads
	Upper    float64   // some do
	Gradient *Gradient // to some four digits, of the program nearest to it; nil where the search ended before
}

// LeastFriction finds the share κ of all friction coefficients below which no forces balance the loads,
// between bounds that are a tolerance apart, or as near as the limit lets them come: what a friction holds, a larger one
// does. Halving brings the bounds together to a few hundredths, from there on Newton's method for the zero of
//
//	t(κ) = min t,   H (r − t e) + f = 0,   r ∈ K(κ),  t ≥ −1
//
// the normal force that is missing, or to spare, at all corners at once, in parts of the loads: Σ e = 1. It is the way to be
// exact near its zero, where what balances has no room; above and below it shows forces and a motion.
func LeastFriction(ctx context.Context, a *Assembly, tolerance float64, limit time.Duration) (*Share, error) {
	until := time.Now().Add(limit)
	s := newStatics(a)
	b := &frictionBounds{s: s, f: s.total(1), upper: 1, tolerance: tolerance}
	for _, share := range []float64{0, 1} {
		status, err := b.holds(ctx, share)
		switch {
		case err != nil:
			return nil, err
		case share == 0 && status == conic.Optimal:
			return &Share{}, nil
		case share == 1 && status != conic.Optimal:
			return nil, fmt.Errorf("it falls with the friction that it has")
		}
	}
	for b.upper-b.lower > .05 && time.Now().Before(until) { // from here on Newton's method is seldom sent out of the bounds
		middle := (b.lower + b.upper) / 2
		status, err := b.holds(ctx, middle)
		if err != nil {
			return nil, err
		}
		if !b.set(middle, status) {
			break
		}
	}
	gradient, err := b.newton(ctx, until)
	return &Share{b.lower, b.upper, gradient}, err
}

// frictionBounds are a share that does not hold and one that does.
type frictionBounds struct {
	s            *statics
	f            []float64
	lower, upper float64
	tolerance    float64
}

func (b *frictionBounds) holds(ctx context.Context, share float64) (conic.Status, error) {
	r, err := conic.Solve(ctx, b.s.program(b.f, func(c *corner) float64 { return share * c.mu }), nil)
	if err != nil {
		return 0, err
	}
	return r.Status, nil
}

// set takes what was found at a share, false if that is nothing.
func (b *frictionBounds) set(share float64, s conic.Status) bool {
	switch s {
	case conic.Optimal:
		b.upper = min(b.upper, share)
	case conic.Infeasible:
		b.lower = max(b.lower, share)
	default:
		return false
	}
	return true
}

// newton brings the bounds together: t and its derivative say where to ask; the bounds are of forces and motions. Where it
// does not converge, by halves. Steps d₁, d₂ that converge quadratically leave an error of d₂³/d₁²: no program of t only confirms it.
func (b *frictionBounds) newton(ctx context.Context, until time.Time) (gradient *Gradient, err error) {
	middle := func() float64 { return (b.lower + b.upper) / 2 }
	next, before := middle(), math.NaN()
	tolerance := 1e-8 // of the first: t then misses 1e-5 of the loads, less than the square of the distance of the bounds
	for b.upper-b.lower > b.tolerance && time.Now().Before(until) {
		m, err := b.missing(ctx, next, tolerance)
		if err != nil {
			return nil, err
		}
		last := next
		next -= m.t / m.slope
		step := math.Abs(next - last)
		left := step
		if step < before {
			left *= step / before * (step / before)
		}
		before, tolerance = step, 1e-10
		width, near := b.upper-b.lower, b.tolerance/3
		switch {
		case left < near:
			gradient = m.gradient(b.s)
			err = b.surround(ctx, next, near, until)
		case !(next > b.lower && next < b.upper): // also of no t
			err = b.enclose(ctx, []float64{middle()})
		default:
			continue
		}
		if err != nil || !(b.upper-b.lower < width) {
			return gradient, err
		}
		next, before = middle(), math.NaN()
	}
	return gradient, nil
}

// surround looks for bounds on both sides of a share, near to it; where t is not as exact, or nothing is shown, farther off.
func (b *frictionBounds) surround(ctx context.Context, share, near float64, until time.Time) error {
	for ; near < (b.upper-b.lower)/2 && time.Now().Before(until); near *= 4 {
		var ask []float64
		if b.lower < share-near {
			ask = append(ask, share-near)
		}
		if b.upper > share+near {
			ask = append(ask, share+near)
		}
		if len(ask) == 0 {
			return nil
		}
		if err := b.enclose(ctx, ask); err != nil {
			return err
		}
	}
	return nil
}

// enclose asks at some shares, at a time.
func (b *frictionBounds) enclose(ctx context.Context, shares []float64) error {
	return crew.Each(ctx, runtime.GOMAXPROCS(0), crew.Down(len(shares)), func(ctx context.Context, k int) (conic.Status, error) {
		return b.holds(ctx, shares[k])
	}, func(k int, s conic.Status) error {
		b.set(shares[k], s)
		return nil
	})
}

// A shortage is an answer of the program of t.
type shortage struct {
	t, slope float64   // dt/dκ; NaN where the program is not decided
	forces   []float64 // that balance, r − t e
	answer   *conic.Result
}

func (b *frictionBounds) missing(ctx context.Context, share, tolerance float64) (*shortage, error) {
	s := b.s
	friction := func(c *corner) float64 { return share * c.mu }
	each := make([]float64, s.dim*len(s.contacts))
	for j := range s.contacts {
		each[j*s.dim] = 1 / float64(len(s.contacts))
	}
	f, less := slices.Clone(b.f), make([]float64, s.nv)
	s.resultant(less, each)
	for i, v := range less { // the column of t + 1
		f[i], less[i] = f[i]+v, -v
	}
	p := s.program(f, friction)
	s.appendDense(p, less, 1, 1)
	// from the last one it takes as many steps: what has no room has no start
	r, err := conic.Solve(ctx, p, &conic.Options{Tolerance: tolerance})
	if err != nil {
		return nil, err
	}
	if r.Status != conic.Optimal {
		return &shortage{t: math.NaN(), slope: math.NaN()}, nil
	}
	m := &shortage{t: r.Bound - 1, forces: s.reactions(r.X, friction), answer: r}
	// dt/dκ = Σ r_N y·H_N/κ, as friction is in the column H_N/(κ μ) of κ μ r_N
	for j := range s.contacts {
		c := &s.contacts[j]
		for k, row := range c.rows {
			m.slope += m.forces[j*s.dim] * r.Y[row] * c.cols[0][k] / share
		}
		m.forces[j*s.dim] -= m.t * each[j*s.dim]
	}
	return m, nil
}

// Shortage is t of LeastFriction at the friction that an assembly has, the normal force that is missing at all corners at once, in parts of
// the loads: negative where it is to spare. Its zero is where the assembly begins to fall, whatever changes it.
func Shortage(ctx context.Context, a *Assembly) (t float64, g *Gradient, err error) {
	s := newStatics(a)
	b := &frictionBounds{s: s, f: s.total(1)}
	m, err := b.missing(ctx, 1, 1e-10)
	if err == nil && m.answer == nil {
		err = fmt.Errorf("the program of its limit is not decided")
	}
	if err != nil {
		return 0, nil, err
	}
	// dt = −y·(df + dH r)
	return m.t, s.gradient(m.answer.Y, m.forces, add([3]float64{}, a.Gravity, 1/norm(a.Gravity)), 1, -1), nil
}

// gradient is that of the zero of t: −dt is y·(df + dH r), and dκ = −dt/(dt/dκ).
func (m *shortage) gradient(s *statics) *Gradient {
	return s.gradient(m.answer.Y, m.forces, add([3]float64{}, s.a.Gravity, 1/norm(s.a.Gravity)), 1, m.slope)
}
