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
	Lower     float64    // rad; balance is shown for all tilts below it
	Direction [3]float64 // to which gravity turns
	Gradient  *Gradient  // of Angle, at the same direction; nil where nothing bounds it
}

// steepest is the tangent at which a tilt counts as one to the vertical: 89.4°.
func steepest() float64 { return 100 }

// TiltTowards finds the tilt at which an assembly that carries its weight only falls, when gravity
// turns from where it is towards a direction across it.
//
// Gravity −z + x across: the x that are held are a convex set, as forces may be added. The largest
// n·x is a conic program.
func TiltTowards(ctx context.Context, a *Assembly, direction [3]float64) (*Tilt, error) {
	s, down, err := weightOnly(a)
	if err != nil {
		return nil, err
	}
	across := add(direction, down, -dot(direction, down))
	if norm(across) == 0 {
		return nil, fmt.Errorf("the tilt is along gravity")
	}
	across = add([3]float64{}, across, 1/norm(across))
	r, err := s.most(ctx, s.weights(down), s.weights(across))
	if err != nil {
		return nil, err
	}
	switch r.Status {
	case conic.Infeasible:
		return nil, fmt.Errorf("it falls without a tilt")
	case conic.Unbounded:
		return &Tilt{math.Pi / 2, math.Pi / 2, across, nil}, nil
	case conic.Undecided:
		return nil, fmt.Errorf("the tilt is not found: residual %.2g", r.Residual)
	}
	return &Tilt{math.Atan(-r.Bound), math.Atan(-r.Value), across, s.tiltGradient(r, add(down, across, -r.Bound), -r.Bound)}, nil
}

// tiltGradient is that of an angle, whose tangent the program gave, at the gravity there.
func (s *statics) tiltGradient(r *conic.Result, gravity [3]float64, tangent float64) *Gradient {
	g := s.gradient(r, gravity)
	for _, d := range [][]float64{g.Density, g.Friction} {
		for i := range d {
			d[i] /= 1 + tangent*tangent
		}
	}
	return g
}

func weightOnly(a *Assembly) (*statics, [3]float64, error) {
	if len(a.Loads) > 0 {
		return nil, [3]float64{}, fmt.Errorf("there are loads beside the weight: a tilt turns gravity only, and is not asked with them")
	}
	for i := range a.Interfaces {
		if a.Interfaces[i].Tension > 0 {
			return nil, [3]float64{}, fmt.Errorf("interfaces hold tension: tilts are found for dry ones only")
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
	s, down, err := weightOnly(a)
	if err != nil {
		return nil, err
	}
	if a.Plane {
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
		// h is least: how n turns with the densities changes nothing of first order
		t.Gradient = s.tiltGradient(least.answer, add(add(down, c.u, least.x[0]), c.v, least.x[1]), best)
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
