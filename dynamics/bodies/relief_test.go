package bodies

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// quadric is the relief z = ½(ax² + 2bxy + cy²) + gx + hy on a grid; it counts how often it is
// asked.
type quadric struct {
	a, b, c, g, h float64
	x, y          []float64
	asked         *int
}

func (r quadric) Height(x, y float64) (f, fx, fy, fxx, fxy, fyy float64) {
	if r.asked != nil {
		*r.asked++
	}
	return .5*(r.a*x*x+2*r.b*x*y+r.c*y*y) + r.g*x + r.h*y, r.a*x + r.b*y + r.g, r.b*x + r.c*y + r.h, r.a, r.b, r.c
}

func (r quadric) Grid() (x, y []float64) { return r.x, r.y }

// TestBend: the largest principal curvature is the largest II(t)/I(t) of the tangents t, here of
// 4,000 directions: the ratio is a cosine of twice the angle, and the best sample below the maximum
// by (π/4000)² of the difference of the curvatures at most. From below, the surface curves the
// other way.
func TestBend(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 7))
	for range 200 {
		fx, fy, fxx, fxy, fyy := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		root := math.Sqrt(1 + fx*fx + fy*fy)
		most, least := math.Inf(-1), math.Inf(1)
		for k := range 4000 {
			s, c := math.Sincos(math.Pi * float64(k) / 4000)
			slope := fx*c + fy*s
			curvature := (fxx*c*c + 2*fxy*c*s + fyy*s*s) / root / (1 + slope*slope)
			most, least = max(most, curvature), min(least, curvature)
		}
		// Directions of the parameters are turned by up to the slope: their distance grows by w =
		// root².
		off := (most - least) * math.Pow(math.Pi/4000*root*root, 2)
		if got := bend(fx, fy, fxx, fxy, fyy, 1); got < max(0, most)-1e-12 || got > max(0, most)+off {
			t.Errorf("from above %g, sampled %g", got, most)
		}
		if got := bend(fx, fy, fxx, fxy, fyy, -1); got < max(0, -least)-1e-12 || got > max(0, -least)+off {
			t.Errorf("from below %g, sampled %g", got, -least)
		}
	}
}

// ridge is a relief that has the second derivative 1 − (x − m)², greatest at m, and no slope.
type ridge struct {
	m float64
	x []float64
}

func (r ridge) Height(x, _ float64) (f, fx, fy, fxx, fxy, fyy float64) {
	return 0, 0, 0, 1 - (x-r.m)*(x-r.m), 0, 0
}

func (r ridge) Grid() (x, y []float64) { return r.x, []float64{0} }

// TestHollow: the least radius of the hollows of a bowl is the one of its steepest curvature, and
// none from below; a cell is looked at at its ends and at each quarter.
func TestHollow(t *testing.T) {
	grid := []float64{-1, 0, 1}
	bowl := quadric{a: 4, c: 2, x: grid, y: grid}
	if got := (Graph{Relief: bowl}).hollow(); math.Abs(got-.25) > 1e-15 {
		t.Errorf("the bowl has the radius %g, want 1/4", got)
	}
	if got := (Graph{Relief: bowl, Below: true}).hollow(); !math.IsInf(got, 1) {
		t.Errorf("the bowl from below has the radius %g, want none", got)
	}
	for k := range 9 {
		m := float64(k)/4 - 1
		if got := (Graph{Relief: ridge{m, grid}}).hollow(); math.Abs(got-1) > 1e-15 {
			t.Errorf("curvature 1 at %g, a node or a quarter of a cell: radius %g, want 1", m, got)
		}
	}
	for _, r := range []quadric{{x: grid}, {y: grid}} {
		if (Graph{Relief: r}).validate(3) == nil {
			t.Errorf("a relief without a grid in one direction: no error")
		}
	}
	if (Graph{}).validate(3) == nil {
		t.Errorf("a graph without a relief: no error")
	}
}

// TestFoot: the foot of a point is stationary, no point around it is nearer, and Newton's method
// finds it in a few steps, also where its Hessian must be made definite; the heights asked for say
// so.
func TestFoot(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 8))
	var most [3]int // heights asked for, of a point near the graph, farther and far
	f := ball(.05)
	for k := range 600 {
		asked := 0
		r := quadric{a: rng.NormFloat64(), b: .5 * rng.NormFloat64(), c: rng.NormFloat64(), g: rng.NormFloat64(),
			h: .3 * rng.NormFloat64(), asked: &asked}
		g := Graph{Relief: r, plane: k%3 == 2, Below: k%2 == 1}
		if g.plane {
			r.b, r.h = 0, 0
			g.Relief = r
		}
		x := vec{rng.NormFloat64(), rng.NormFloat64(), 0}
		if g.plane {
			x[1] = 0
		}
		z, _, _, _, _, _ := r.Height(x[0], x[1])
		// A third at the foot of the curvature's centre and above: there the Hessian is indefinite.
		x[2] = z + g.side()*(.1+.3*rng.Float64())*float64(1+3*(k/200))
		at := x
		if g.plane {
			at = vec{x[0], x[2]}
		}
		asked = 0
		m := g.meeting(&f, &pose{c: at, r: identity}, 0)
		most[k/200] += asked
		foot := vec3.Add(at, -(m.gap + f.radius), m.n)
		if g.plane {
			foot = vec{foot[0], 0, foot[1]}
		}
		z, fx, fy, _, _, _ := r.Height(foot[0], foot[1])
		d := vec3.Add(x, -1, foot)
		far := vec3.Norm(d)
		// Newton's method ends where the distance, flat at its least, falls no more: √ε of the
		// lengths.
		if math.Abs(z-foot[2]) > 1e-7*(1+far) || math.Abs(d[0]+d[2]*fx) > 1e-6*(1+far) || !g.plane &&
			math.Abs(d[1]+d[2]*fy) > 1e-6*(1+far) {
			t.Errorf("%d: the foot %v of %v is off the graph by %g, not stationary by %g, %g", k, foot, x, z-foot[2],
				d[0]+d[2]*fx, d[1]+d[2]*fy)
		}
		for range 30 {
			y := vec{foot[0] + 1e-2*rng.NormFloat64(), foot[1] + 1e-2*rng.NormFloat64()}
			if g.plane {
				y[1] = 0
			}
			y[2], _, _, _, _, _ = r.Height(y[0], y[1])
			if vec3.Norm(vec3.Add(x, -1, y)) < far-1e-9 {
				t.Errorf("%d: %v is nearer to %v than its foot %v", k, y, x, foot)
			}
		}
	}
	// Newton's method takes five steps, and rounding ends it after some twenty halvings: 37, 38 and
	// 39 heights a point.
	for k, n := range most {
		if n > 200*39 {
			t.Errorf("group %d asks for %d heights, want at most 39 a point", k, n)
		}
	}
}
