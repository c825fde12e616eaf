package assembly

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/assembly/conic"
	"github.com/quasistatic/quasistatic/internal/crew"
)

// A Reserve is how far one interface is from giving way, in the best of all states that balance the loads.
type Reserve struct {
	// Pull [N]: the largest pair of forces along the normal, at the middle of the interface, that draws its two blocks apart before
	// no forces balance; infinite where self-stress can hold any, 0 where the interface is about to open, tip or slide.
	Pull float64
	// Use [-]: the least share of the interface that is used, 1 − t/N with the normal force N of the interface, the tension that it
	// holds included, and the pull t by which that could be less. NaN: no state that balances has a force there.
	Use      float64
	Known    bool      // false: not reached within the limit, or not found
	Gradient *Gradient // of Pull, without positions; nil where it is infinite
}

// Reserves finds that of each interface, two programs each, as many as the limit lets it. With w the pair of unit forces,
//
//	max t,   H r + f + t w = 0,   r ∈ K                             the pull
//	max t,   H r + τ f + t w = 0,   Σ r_N + t = 1,   r ∈ K,  τ, t ≥ 0     1 − the use
//
// Without the pull the interface carries r + t w, so that t is the depth of its resultant within its cone along w. The second is max t/N
// over all states, brought to N = 1 [CharnesCooper62]: τ = 1/N, and 0 is a state of self-stress. In the plane, of a joint of length b
// that carries N at an eccentricity e, and T along it, they are
//
//	use = max(2|e|/b, |T|/(μN)),   pull = (1 − use) N
//
// the use of the joint by its eccentricity or by its friction, whichever is larger. Where the loads are at their limit, a mechanism u
// has r·u = 0 for all forces that balance, and t w·v ≤ 0: those interfaces have no reserve whose middle opens in it.
func Reserves(ctx context.Context, a *Assembly, limit time.Duration) ([]Reserve, error) {
	until := time.Now().Add(limit)
	s := newStatics(a)
	f := s.total(1)
	all := make([]Reserve, len(a.Interfaces))
	err := crew.Each(ctx, runtime.GOMAXPROCS(0), crew.Down(len(all)), func(ctx context.Context, k int) (Reserve, error) {
		if time.Now().After(until) {
			return Reserve{}, nil
		}
		return s.reserve(ctx, f, k)
	}, func(k int, r Reserve) error {
		all[k] = r
		return nil
	})
	return all, err
}

// ReserveOf finds that of one interface.
func ReserveOf(ctx context.Context, a *Assembly, k int) (Reserve, error) {
	s := newStatics(a)
	return s.reserve(ctx, s.total(1), k)
}

func (s *statics) reserve(ctx context.Context, f []float64, k int) (r Reserve, err error) {
	face := &s.a.Interfaces[k]
	if s.index[face.A] < 0 && s.index[face.B] < 0 { // of two supports: no program has forces there
		return Reserve{Pull: math.Inf(1), Use: math.NaN(), Known: true}, nil
	}
	apart := make([]float64, s.nv)
	middle := face.Middle(s.a.Plane)
	s.press(apart, face.B, middle, face.Normal)
	s.press(apart, face.A, middle, add([3]float64{}, face.Normal, -1))
	pull, err := s.most(ctx, f, apart)
	if err != nil {
		return r, err
	}
	share, err := conic.Solve(ctx, s.shareProgram(f, apart, k), nil)
	if err != nil {
		return r, err
	}
	switch pull.Status {
	case conic.Optimal:
		r.Pull = max(-pull.Bound, 0) * s.force
		r.Gradient = s.gradient(pull.Y, s.reactions(pull.X, own), add([3]float64{}, s.a.Gravity, 1/norm(s.a.Gravity)), 1, 1/s.force)
		r.Gradient.work.pulled, r.Gradient.work.pull = k, r.Pull
		r.Gradient.Position = slices.Repeat([][3]float64{{math.NaN(), math.NaN(), math.NaN()}},
			len(s.a.Blocks)) // it moves with its interface
	case conic.Unbounded:
		r.Pull = math.Inf(1)
	default:
		return r, nil
	}
	switch share.Status {
	case conic.Optimal:
		r.Use = min(max(1+share.Bound, 0), 1)
	case conic.Infeasible:
		r.Use = math.NaN()
	default:
		return r, nil
	}
	r.Known = true
	return r, nil
}

// shareProgram is the one of the use, in the rows of blocks and one of the normal force of interface k.
func (s *statics) shareProgram(f, apart []float64, k int) *conic.Problem {
	base := s.program(make([]float64, s.nv), own)
	p := &conic.Problem{A: conic.Matrix{Rows: s.nv + 1}, B: append(base.B, 1), C: base.C, Cones: base.Cones}
	rows := make([]int, s.nv+1)
	for i := range rows {
		rows[i] = i
	}
	at := 0
	for j := range s.contacts {
		c := &s.contacts[j]
		for e := range base.Cones[j] {
			from, to := base.A.Ptr[at], base.A.Ptr[at+1]
			rows, values := base.A.Row[from:to:to], base.A.Val[from:to:to]
			if c.face == k && e == 0 {
				normal := 1. // of a column of μ r_N
				if c.mu > 0 {
					normal = 1 / c.mu
				}
				rows, values = append(rows, s.nv), append(values, normal)
			}
			p.A.Column(rows, values)
			at++
		}
	}
	p.A.Column(rows, append(append([]float64{}, f...), 0))
	p.A.Column(rows, append(append([]float64{}, apart...), 1))
	p.C, p.Cones = append(p.C, 0, -1), append(p.Cones, 1, 1)
	return p
}

// Middle is the centroid of the hull of the points.
func (f *Interface) Middle(plane bool) (m [3]float64) {
	corners := f.corners(plane)
	if len(corners) < 3 {
		for _, p := range corners {
			m = add(m, p, 1/float64(len(corners)))
		}
		return m
	}
	u, v := Axes(f.Normal)
	whole := 0.
	for k := 2; k < len(corners); k++ { // triangles
		x, y := sub(corners[k-1], corners[0]), sub(corners[k], corners[0])
		area := dot(x, u)*dot(y, v) - dot(x, v)*dot(y, u)
		whole += area
		m = add(m, add(x, y, 1), area/3)
	}
	return add(corners[0], m, 1/whole)
}
