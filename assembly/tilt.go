package assembly

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/assembly/conic"
	"github.com/quasistatic/quasistatic/internal/crew"
)

// Tilt is how far an assembly may be tilted before no forces balance its weight.
type Tilt struct {
	Angle     float64    // rad; from above
	Lower     float64    // rad; balance is shown up to it
	Direction [3]float64 // to which gravity turns
	Gradient  *Gradient  // of Angle, at the same direction; nil where nothing bounds it
}

// steepest is the tangent at which a tilt counts as one to the vertical: 89.4°.
func steepest() float64 { return 100 }

// TiltTowards finds the tilt at which an assembly falls, when gravity turns from where it is towards a direction
// across it; loads and tensions stay as they are. The gravities G that are held are a convex set, as forces may
// be added. The program
//
//	max λ,   H r + t + W(G₀ + λ (G₁ − G₀)) = 0,   r ∈ K
//
// from upright G₀ to G₁ beyond the tilt finds its boundary between them, and by the dual y a half-plane
// y·(W G + t) ≥ 0 in which it is: that bounds the tilt, which is the next G₁, until λ is 1.
//
// Without loads and tensions, what is held at a tilt is at smaller ones. With them it may fall between two tilts that are held, as a
// bracket that is glued: the way to the tilt is shown piece by piece, each by a gravity beyond its middle.
func TiltTowards(ctx context.Context, a *Assembly, direction [3]float64) (*Tilt, error) {
	down := add([3]float64{}, a.Gravity, 1/norm(a.Gravity))
	across := add(direction, down, -dot(direction, down))
	if norm(across) == 0 {
		return nil, fmt.Errorf("the tilt is along gravity")
	}
	t, _, err := newStatics(a).tiltTowards(ctx, down, add([3]float64{}, across, 1/norm(across)))
	return t, err
}

// tiltTowards returns the multipliers y of the half-plane, too; nil where nothing bounds the tilt.
func (s *statics) tiltTowards(ctx context.Context, down, across [3]float64) (*Tilt, []float64, error) {
	l := &lean{s: s, down: down, across: across, upright: s.weights(down), sideways: s.weights(across), held: s.total(1)}
	for i, w := range l.upright {
		l.held[i] -= w
	}
	t, y, err := l.exit(ctx, math.Pi/2) // no block is tilted by more
	if err != nil || weightOnly(s.a) {
		return t, y, err
	}
	return l.first(ctx, t, y)
}

// A lean is the way of gravity from down to across.
type lean struct {
	s                 *statics
	down, across      [3]float64
	upright, sideways []float64
	held              []float64 // t, of loads and tensions
}

// first finds the least tilt out of what is held, up to one that is found: a piece of the way lies between the gravities at its ends
// and the one where its tangents meet.
func (l *lean) first(ctx context.Context, t *Tilt, y []float64) (*Tilt, []float64, error) {
	lower := 0.
	for step := math.Pi / 8; lower < t.Angle; {
		next := min(lower+step, t.Angle)
		if next < t.Angle {
			held, err := l.holds(ctx, next, 1)
			if err == nil && !held {
				if t, y, err = l.exit(ctx, next); err == nil {
					continue
				}
			}
			if err != nil {
				return nil, nil, err
			}
		}
		held, err := l.holds(ctx, (lower+next)/2, 1/math.Cos((next-lower)/2))
		switch {
		case err != nil:
			return nil, nil, err
		case held:
			lower, step = next, 2*step
		case next-lower < 1e-5: // what is beyond the tangents is then below what programs are solved to
			t.Lower = lower
			return t, y, nil
		default:
			step = (next - lower) / 2
		}
	}
	t.Lower = t.Angle
	return t, y, nil
}

// holds reports whether some forces balance at a tilt, with gravity as strong as it is times a strength.
func (l *lean) holds(ctx context.Context, tilt, strength float64) (bool, error) {
	sin, cos := math.Sincos(tilt)
	f := slices.Clone(l.held)
	for i := range f {
		f[i] += strength * (cos*l.upright[i] + sin*l.sideways[i])
	}
	return l.s.balances(ctx, f)
}

func (s *statics) balances(ctx context.Context, f []float64) (bool, error) {
	r, err := conic.Solve(ctx, s.program(f, own), &conic.Options{Enough: 1e-8})
	return err == nil && r.Status == conic.Optimal, err
}

// exit finds the boundary of what is held from an angle downwards, by Newton's method.
func (l *lean) exit(ctx context.Context, angle float64) (*Tilt, []float64, error) {
	s, down, across, upright, sideways, held := l.s, l.down, l.across, l.upright, l.sideways, l.held
	for range 60 { // each a Newton step towards the boundary of a convex set, on a circle: a few do
		sin, cos := math.Sincos(angle)
		way := make([]float64, s.nv)
		for i := range way {
			way[i] = (cos-1)*upright[i] + sin*sideways[i]
		}
		r, err := s.most(ctx, s.total(1), way)
		switch {
		case err != nil:
			return nil, nil, err
		case r.Status == conic.Infeasible:
			return nil, nil, fmt.Errorf("it falls without a tilt")
		case r.Status == conic.Undecided:
			return nil, nil, fmt.Errorf("the tilt is not found: residual %.2g", r.Residual)
		case angle == math.Pi/2 && (r.Status == conic.Unbounded || -r.Bound >= 1):
			return &Tilt{math.Pi / 2, math.Pi / 2, across, nil}, nil, nil
		}
		gravity := add(add([3]float64{}, down, cos), across, sin)
		slope := -product(r.Y[:s.nv], upright)*sin + product(r.Y[:s.nv], sideways)*cos
		if -r.Bound >= 1-1e-10 && slope < 0 { // the tolerance of the program
			return &Tilt{angle, angle, across, s.gradient(r.Y, s.reactions(r.X, own), gravity, 1, -slope)}, r.Y[:s.nv], nil
		}
		next := tangentAngle(product(r.Y[:s.nv], upright), product(r.Y[:s.nv], sideways), -product(r.Y[:s.nv], held))
		if !(next < angle) && -r.Bound > 1-1e-7 && slope < 0 { // rounding: it does not come nearer
			return &Tilt{angle, angle, across, s.gradient(r.Y, s.reactions(r.X, own), gravity, 1, -slope)}, r.Y[:s.nv], nil
		}
		if !(next < angle) {
			return nil, nil, fmt.Errorf("the tilt is not found: at %.6g degrees %.3g of the way is held", angle*180/math.Pi, -r.Bound)
		}
		angle = next
	}
	return nil, nil, fmt.Errorf("the tilt is not found in 60 programs")
}

// tangentAngle is the least positive angle at which a cos + b sin = e, where a ≥ e.
func tangentAngle(a, b, e float64) float64 {
	return math.Atan2(b, a) + math.Acos(max(-1, min(1, e/math.Hypot(a, b))))
}

func weightOnly(a *Assembly) bool {
	return len(a.Loads) == 0 && !slices.ContainsFunc(a.Interfaces, func(f Interface) bool { return f.Tension > 0 })
}

// LeastTilt finds the smallest tilt over all directions: the largest circle in the convex set X of
// TiltTowards, of the radius min over n of h(n) = max n·x over X. A program in a direction n gives h, a bound
// from above, and a point of X; the hull of the points is a bound from below, and says where to ask next: across
// its nearest edge. At least three programs, more within the limit.
func LeastTilt(ctx context.Context, a *Assembly, limit time.Duration) (*Tilt, error) {
	until := time.Now().Add(limit)
	if a.Plane {
		down := add([3]float64{}, a.Gravity, 1/norm(a.Gravity))
		across := [3]float64{-down[2], 0, down[0]}
		left, err := TiltTowards(ctx, a, across)
		if err != nil {
			return nil, err
		}
		right, err := TiltTowards(ctx, a, add([3]float64{}, across, -1))
		if err != nil || right.Angle < left.Angle {
			return right, err
		}
		return left, nil
	}
	s, down := newStatics(a), add([3]float64{}, a.Gravity, 1/norm(a.Gravity))
	if !weightOnly(a) {
		return s.leastLoadedTilt(ctx, down, until)
	}
	c := s.newCircle(down)
	first := []edge{{angle: 0}, {angle: math.Pi / 2}, {angle: math.Pi}, {angle: -math.Pi / 2}}
	for edges := first; len(edges) > 0; edges = c.next() {
		if err := c.ask(ctx, edges); err != nil {
			return nil, err
		}
		// corners of a polygon are found once each; of a circle 90 points leave 6e-4 between the bounds
		if len(c.supports) > 90 || time.Now().After(until) {
			c.next()
			break
		}
	}
	least, inside := c.least(), c.inside
	if n := len(least.answer.Kept); n > 0 { // to all digits
		sharp, err := c.look(ctx, least.asked, &conic.Options{From: least.answer.Kept[n-1]})
		if err != nil {
			return nil, err
		}
		least = sharp
	}
	best := min(max(least.h, inside), steepest()) // rounding may cross them
	sin, cos := math.Sincos(least.angle)
	t := &Tilt{Angle: math.Atan(best), Lower: math.Atan(inside), Direction: add(add([3]float64{}, c.u, cos), c.v, sin)}
	if best < steepest()*(1-1e-6) { // else that bounds it
		// of the angle, whose tangent is h
		// h is least: how n turns with the densities changes nothing of first order
		t.Gradient = s.gradient(least.answer.Y, s.reactions(least.answer.X, own),
			add(add(down, c.u, least.x[0]), c.v, least.x[1]), 1, (1+best*best)*least.size)
	}
	return t, nil
}

// A circle is the search of LeastTilt.
type circle struct {
	s        *statics
	u, v     [3]float64
	across   [2][]float64 // weights along u and v
	program  *conic.Problem
	at       int // column of the size of x, before those of x
	supports []support
	inside   float64 // radius of the largest circle in the hull
}

// A support is a line n·x ≤ h that bounds X, and a point of X on it, or near.
type support struct {
	angle  float64 // of n [rad]
	h      float64 // infinite where X has no bound in the direction that was asked
	x      [2]float64
	asked  float64 // rad
	size   float64 // of n in the dual solution
	answer *conic.Result
}

// newCircle makes the program max n·x − c‖x‖, H r + W(G₀ + x) = 0. The cost c of the size keeps x in a cone of its own
// without a bound; what the dual solution shows is a line across some n′ with ‖n − n′‖ ≤ c.
func (s *statics) newCircle(down [3]float64) *circle {
	c := &circle{s: s}
	c.u, c.v = Axes(down)
	c.across = [2][]float64{s.weights(c.u), s.weights(c.v)}
	p := s.program(s.weights(down), own)
	c.at = p.A.Cols()
	p.A.Column(nil, nil)
	p.C = append(p.C, .01) // of the size of n: little beside it, and much beside what programs are solved to
	s.appendDense(p, c.across[0], 0, 0)
	s.appendDense(p, c.across[1], 0, 0)
	p.Cones = append(p.Cones, 3)
	c.program = p
	return c
}

// ask looks in the directions of some edges, as many at a time as there are processors.
func (c *circle) ask(ctx context.Context, edges []edge) error {
	found := make([]*support, len(edges))
	err := crew.Each(ctx, runtime.GOMAXPROCS(0), crew.Down(len(edges)), func(ctx context.Context, k int) (*support, error) {
		o := &conic.Options{Tolerance: 1e-8, Keep: levels(), From: c.from(&edges[k])} // a hundredth of where bounds meet
		return c.look(ctx, edges[k].angle, o)
	}, func(k int, a *support) error {
		found[k] = a
		return nil
	})
	if err != nil {
		return err
	}
	for _, a := range found {
		c.supports = append(c.supports, *a)
	}
	return nil
}

// levels are the residuals of iterates that are kept as starts: from the worst of use to where directions are so near that the
// bounds meet.
func levels() []float64 { return []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5} }

// from is a start for the normal of an edge: between the iterates that led to its ends, of a residual as large as what h
// may change there, as of later ones the forces that change are too near to their cones.
func (c *circle) from(e *edge) *conic.Point {
	if e.distance == 0 { // also of the first
		return nil
	}
	p, q := &c.supports[e.ends[0]], &c.supports[e.ends[1]]
	share, other := math.Sin(q.asked-e.angle), math.Sin(e.angle-p.asked) // of their directions in this
	turn := math.Sin(q.angle - p.angle)
	if !(share >= 0 && other >= 0 && share+other > 0 && turn > 0) {
		return nil
	}
	// the lines of the supports meet at this distance beyond the edge
	gap := (p.h*math.Sin(q.angle-e.angle)+q.h*math.Sin(e.angle-p.angle))/turn - e.distance
	late := min(len(p.answer.Kept), len(q.answer.Kept)) - 1
	for late > 0 && levels()[late] < .3*gap { // .1 to 1 take as many steps in sum
		late--
	}
	if late < 0 {
		return nil
	}
	return p.answer.Kept[late].Between(q.answer.Kept[late], share/(share+other))
}

// look solves for a direction.
func (c *circle) look(ctx context.Context, angle float64, o *conic.Options) (*support, error) {
	sin, cos := math.Sincos(angle)
	p := *c.program
	p.C = slices.Clone(p.C)
	p.C[c.at+1], p.C[c.at+2] = -cos, -sin
	r, err := conic.Solve(ctx, &p, o)
	if err != nil {
		return nil, err
	}
	a := &support{angle: angle, asked: angle, h: math.Inf(1), x: [2]float64{r.X[c.at+1], r.X[c.at+2]}, size: 1, answer: r}
	switch r.Status {
	case conic.Unbounded: // along x
		far := math.Hypot(a.x[0], a.x[1])
		a.x[0], a.x[1] = a.x[0]/far*steepest(), a.x[1]/far*steepest()
	case conic.Optimal:
		n := [2]float64{-product(c.across[0], r.Y), -product(c.across[1], r.Y)}
		a.size = math.Hypot(n[0], n[1])
		a.h, a.angle = -product(p.B, r.Y)/a.size, math.Atan2(n[1], n[0])
	case conic.Infeasible:
		return nil, fmt.Errorf("it falls without a tilt")
	default:
		return nil, fmt.Errorf("the tilt is not found: residual %.2g", r.Residual)
	}
	return a, nil
}

func (c *circle) least() *support {
	best := &c.supports[0]
	for i := range c.supports {
		if c.supports[i].h < best.h {
			best = &c.supports[i]
		}
	}
	return best
}

// next are the normals of the two edges of the hull that are nearest, of those that keep the bounds apart, with the
// supports of their ends.
func (c *circle) next() []edge {
	var points [][3]float64
	for i := range c.supports {
		points = append(points, [3]float64{c.supports[i].x[0], c.supports[i].x[1], float64(i)})
	}
	corners := hull(points, [3]float64{1}, [3]float64{0, 1}, 1e-12)
	if len(corners) < 3 {
		return nil // nothing is held but what hangs straight down
	}
	edges := edgesOf(corners)
	c.inside = max(c.inside, edges[0].distance)
	best := min(c.least().h, steepest())
	near := 0
	for near < min(len(edges), 2) && best-edges[near].distance > 1e-6*(1+best) { // exact, by the word of this package
		near++
	}
	return edges[:near]
}

// An edge of a polygon has the angle of its normal outwards and its distance from the origin, 0 where the origin is outside.
type edge struct {
	angle, distance float64
	ends            [2]int // third components of its corners
}

// edgesOf are those of a convex polygon, anticlockwise, the nearest first.
func edgesOf(corners [][3]float64) []edge {
	var all []edge
	for i, p := range corners {
		q := corners[(i+1)%len(corners)]
		if l := math.Hypot(q[0]-p[0], q[1]-p[1]); l > 0 {
			d := ((q[1]-p[1])*p[0] - (q[0]-p[0])*p[1]) / l
			all = append(all, edge{math.Atan2(p[0]-q[0], q[1]-p[1]), max(d, 0), [2]int{int(p[2]), int(q[2])}})
		}
	}
	slices.SortStableFunc(all, func(a, b edge) int { return cmp.Compare(a.distance, b.distance) })
	return all
}
