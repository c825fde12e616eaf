package assembly

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/assembly/conic"
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
func TiltTowards(ctx context.Context, a *Assembly, direction [3]float64) (*Tilt, error) {
	s := newStatics(a)
	down := add([3]float64{}, a.Gravity, 1/norm(a.Gravity))
	across := add(direction, down, -dot(direction, down))
	if norm(across) == 0 {
		return nil, fmt.Errorf("the tilt is along gravity")
	}
	across = add([3]float64{}, across, 1/norm(across))
	upright, sideways := s.weights(down), s.weights(across)
	held := s.total(1)
	for i, w := range upright {
		held[i] -= w // t, of loads and tensions
	}
	const lying = math.Pi / 2 // a tilt that is not exceeded by what a block can be tilted
	angle := lying
	for range 60 { // each a Newton step towards the boundary of a convex set, on a circle: a few do
		sin, cos := math.Sincos(angle)
		way := make([]float64, s.nv)
		for i := range way {
			way[i] = (cos-1)*upright[i] + sin*sideways[i]
		}
		r, err := s.most(ctx, s.total(1), way)
		switch {
		case err != nil:
			return nil, err
		case r.Status == conic.Infeasible:
			return nil, fmt.Errorf("it falls without a tilt")
		case r.Status == conic.Undecided:
			return nil, fmt.Errorf("the tilt is not found: residual %.2g", r.Residual)
		case angle == lying && (r.Status == conic.Unbounded || -r.Bound >= 1):
			return &Tilt{lying, lying, across, nil}, nil
		}
		gravity := add(add([3]float64{}, down, cos), across, sin)
		slope := -product(r.Y[:s.nv], upright)*sin + product(r.Y[:s.nv], sideways)*cos
		if -r.Bound >= 1-1e-10 && slope < 0 { // the tolerance of the program
			return &Tilt{angle, angle, across, s.tiltGradient(r, gravity, -slope)}, nil
		}
		next := tangentAngle(product(r.Y[:s.nv], upright), product(r.Y[:s.nv], sideways), -product(r.Y[:s.nv], held))
		if !(next < angle) && -r.Bound > 1-1e-7 && slope < 0 { // rounding: it does not come nearer
			return &Tilt{angle, angle, across, s.tiltGradient(r, gravity, -slope)}, nil
		}
		if !(next < angle) {
			return nil, fmt.Errorf("the tilt is not found: at %.6g degrees %.3g of the way is held", angle*180/math.Pi, -r.Bound)
		}
		angle = next
	}
	return nil, fmt.Errorf("the tilt is not found in 60 programs")
}

// tangentAngle is the least positive angle at which a cos + b sin = e, where a ≥ e.
func tangentAngle(a, b, e float64) float64 {
	return math.Atan2(b, a) + math.Acos(max(-1, min(1, e/math.Hypot(a, b))))
}

// tiltGradient is that of an angle: by the multipliers y of the forces that balance at a gravity, and by how fast
// −y·f grows with the angle.
func (s *statics) tiltGradient(r *conic.Result, gravity [3]float64, rate float64) *Gradient {
	g := s.gradient(r, gravity)
	for _, d := range [][]float64{g.Density, g.Friction} {
		for i := range d {
			d[i] /= rate
		}
	}
	return g
}

func weightOnly(a *Assembly) (*statics, [3]float64, error) {
	if len(a.Loads) > 0 {
		return nil, [3]float64{}, fmt.Errorf("there are loads beside the weight: the least over all directions is not asked with them, but the tilt in one is")
	}
	for i := range a.Interfaces {
		if a.Interfaces[i].Tension > 0 {
			return nil, [3]float64{}, fmt.Errorf("interfaces hold tension: the least over all directions is found for dry ones only, but the tilt in one for these, too")
		}
	}
	return newStatics(a), add([3]float64{}, a.Gravity, 1/norm(a.Gravity)), nil
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
	s, down, err := weightOnly(a)
	if err != nil {
		return nil, err
	}
	c := s.newCircle(down)
	for k := range 3 {
		if err := c.look(ctx, 2*math.Pi/3*float64(k)); err != nil {
			return nil, err
		}
	}
	for range 90 { // corners of a polygon are found once each; of a circle 90 points leave 6e-4 between the bounds
		angle, more := c.next()
		if !more || time.Now().After(until) {
			break
		}
		if err := c.look(ctx, angle); err != nil {
			return nil, err
		}
	}
	least, inside := c.least(), c.inside
	best := max(least.h, inside) // rounding may cross them
	sin, cos := math.Sincos(least.angle)
	t := &Tilt{Angle: math.Atan(best), Lower: math.Atan(inside), Direction: add(add([3]float64{}, c.u, cos), c.v, sin)}
	if best < steepest()*(1-1e-6) { // else that bounds it
		// of the angle, whose tangent is h
		// h is least: how n turns with the densities changes nothing of first order
		t.Gradient = s.tiltGradient(least.answer, add(add(down, c.u, least.x[0]), c.v, least.x[1]), 1+best*best)
	}
	return t, nil
}

// A circle is the search of LeastTilt.
type circle struct {
	s        *statics
	u, v     [3]float64
	program  *conic.Problem
	at       int // column of the size of x, before those of x
	supports []support
	inside   float64 // radius of the largest circle in the hull
}

// A support is an answer in one direction.
type support struct {
	angle  float64 // rad
	h      float64
	x      [2]float64
	answer *conic.Result
}

func (s *statics) newCircle(down [3]float64) *circle {
	c := &circle{s: s}
	c.u, c.v = Axes(down)
	p := s.program(s.weights(down), own)
	rows := p.A.Rows // one more: the size of x is at most steepest
	p.A.Rows++
	p.B = append(p.B, steepest())
	c.at = p.A.Cols()
	p.A.Column([]int{rows}, []float64{1})
	s.appendDense(p, s.weights(c.u), 0, 0)
	s.appendDense(p, s.weights(c.v), 0, 0)
	p.A.Column([]int{rows}, []float64{1})
	p.C = append(p.C, 0, 0)
	p.Cones = append(p.Cones, 3, 1)
	c.program = p
	return c
}

// look solves for a direction.
func (c *circle) look(ctx context.Context, angle float64) error {
	sin, cos := math.Sincos(angle)
	p := *c.program
	p.C = slices.Clone(p.C)
	p.C[c.at+1], p.C[c.at+2] = -cos, -sin
	r, err := conic.Solve(ctx, &p, nil)
	if err != nil {
		return err
	}
	if r.Status != conic.Optimal {
		return fmt.Errorf("it falls without a tilt")
	}
	c.supports = append(c.supports, support{angle, -r.Bound, [2]float64{r.X[c.at+1], r.X[c.at+2]}, r})
	return nil
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

// next is the direction of the nearest edge of the hull, if it keeps the bounds apart.
func (c *circle) next() (angle float64, more bool) {
	var points [][3]float64
	for i := range c.supports {
		points = append(points, [3]float64{c.supports[i].x[0], c.supports[i].x[1]})
	}
	corners := hull(points, [3]float64{1}, [3]float64{0, 1}, 1e-12)
	if len(corners) < 3 {
		return 0, false // nothing is held but what hangs straight down
	}
	angle, distance := nearestEdge(corners)
	c.inside = max(c.inside, distance)
	best := c.least().h
	return angle, best-c.inside > 1e-6*(1+best) // exact, by the word of this package
}

// nearestEdge returns the edge of a convex polygon, anticlockwise, that is nearest to the origin: the angle of
// its normal outwards and its distance, 0 where the origin is outside.
func nearestEdge(corners [][3]float64) (angle, distance float64) {
	distance = math.Inf(1)
	for i, p := range corners {
		q := corners[(i+1)%len(corners)]
		l := math.Hypot(q[0]-p[0], q[1]-p[1])
		if l == 0 {
			continue
		}
		if d := ((q[1]-p[1])*p[0] - (q[0]-p[0])*p[1]) / l; d < distance {
			angle, distance = math.Atan2(p[0]-q[0], q[1]-p[1]), d
		}
	}
	return angle, max(distance, 0)
}
