package bodies

import (
	"errors"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

func (s Graph) validate(int) error {
	if s.Relief == nil {
		return errors.New("bodies: a graph has no relief")
	}
	if x, y := s.Relief.Grid(); len(x) == 0 || len(y) == 0 {
		return errors.New("bodies: a graph has no grid")
	}
	return nil
}

// bendSamples are the places a cell and direction at which the curvature of a relief is looked
// at: of a profile, whose second derivative is linear in a cell, the ends are enough.
const bendSamples = 4

// hollow returns the least radius of curvature of the hollows that bodies see, at samples of all
// cells; +Inf where there are none. With F the side, −F or F the heights, it is the inverse of
// the largest eigenvalue of the shape operator.
func (s Graph) hollow() float64 {
	xs, ys := s.Relief.Grid()
	most := 0.0
	for _, y := range samples(ys) {
		for _, x := range samples(xs) {
			_, fx, fy, fxx, fxy, fyy := s.Relief.Height(x, y)
			most = max(most, bend(fx, fy, fxx, fxy, fyy, s.side()))
		}
	}
	return 1 / most
}

// side is 1 where bodies are above.
func (s Graph) side() float64 {
	if s.Below {
		return -1
	}
	return 1
}

// samples returns the points of a grid and some between them.
func samples(grid []float64) []float64 {
	list := grid[:1:1]
	for i, b := range grid[1:] {
		for k := range bendSamples {
			list = append(list, grid[i]+(b-grid[i])*float64(k+1)/bendSamples)
		}
	}
	return list
}

// bend is the largest principal curvature towards bodies above (side 1): of the shape operator
// I⁻¹II, half its trace and the root of its discriminant.
func bend(fx, fy, fxx, fxy, fyy, side float64) float64 {
	w := 1 + fx*fx + fy*fy
	root := math.Sqrt(w)
	mean := side * ((1+fy*fy)*fxx - 2*fx*fy*fxy + (1+fx*fx)*fyy) / (2 * w * root)
	gauss := (fxx*fyy - fxy*fxy) / (w * w)
	return max(0, mean+math.Sqrt(max(0, mean*mean-gauss)))
}

func (s Graph) accepts(f *form) error { return errRound(f, "the graph of a table", s.fits) }

func (Graph) features(*form) int { return 1 }

// far is minus infinity where the foot may be near: a surface is no farther than it is below.
func (s Graph) far(*form, *pose) float64 { return math.Inf(-1) }

func (s Graph) collect(c *clipper, f *form, p *pose) { c.features(s, f, p) }

// footSteps bound the search for the foot of a point; Newton's method takes five.
const footSteps = 60

// meeting finds the nearest point of the graph from the one below, by Newton's method on
//
//	½(u − x)² + ½(v − y)² + ½(f(u, v) − z)² → min,
//
// its Hessian made definite by leaving the curvature out where that is needed, and the step halved
// until the distance falls. The gap is the distance, with the sign of the side.
func (s Graph) meeting(f *form, p *pose, _ int) meeting {
	plane := s.plane
	x, y, z := p.c[0], p.c[1], p.c[2]
	if plane {
		y, z = 0, p.c[1]
	}
	u, v := x, y
	distance := func(u, v float64) float64 {
		h, _, _, _, _, _ := s.Relief.Height(u, v)
		return (u-x)*(u-x) + (v-y)*(v-y) + (h-z)*(h-z)
	}
	best := distance(u, v)
	for range footSteps {
		h, fx, fy, fxx, fxy, fyy := s.Relief.Height(u, v)
		gx, gy := u-x+(h-z)*fx, v-y+(h-z)*fy
		a, b, c := 1+fx*fx+(h-z)*fxx, fx*fy+(h-z)*fxy, 1+fy*fy+(h-z)*fyy
		if !(a > 0 && a*c-b*b > 1e-3*a*c) {
			a, b, c = 1+fx*fx, fx*fy, 1+fy*fy
		}
		det := a*c - b*b
		du, dv := -(c*gx-b*gy)/det, -(a*gy-b*gx)/det
		if plane {
			du, dv = -gx/a, 0
		}
		step := 1.0
		next := distance(u+du, v+dv)
		for !(next < best) && step > 1e-6 { // rounding ends it
			step /= 2
			next = distance(u+step*du, v+step*dv)
		}
		if !(next < best) {
			break
		}
		u, v, best = u+step*du, v+step*dv, next
	}
	h, fx, fy, _, _, _ := s.Relief.Height(u, v)
	n := vec{-fx, -fy, 1}
	d := vec{x - u, y - v, z - h}
	if plane {
		n, d = vec{-fx, 1, 0}, vec{x - u, z - h, 0}
	}
	n = vec3.Scale(n, s.side()/vec3.Norm(n))
	return meeting{vec3.Scale(n, -f.radius), n, vec3.Dot(d, n) - f.radius}
}
