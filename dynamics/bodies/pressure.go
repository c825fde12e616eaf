package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// dot is a point of a face at which it bears, beside its corners, and its share of the area of all
// faces of the form, of the mean of its dots [-]. Faces are told apart by their numbers, the bases of a solid too.
type dot struct {
	at    vec
	share float64
	face  int
}

// cornerShare is that of the corners where faces have dots, of eight and less, and all have that of eight
// where there are more: what leans beyond the outermost dots leans on them, and of what lies flat they
// take a thousandth.
const cornerShare = 0.01

// radon7 is the rule of degree five with seven points on a triangle: weight, and barycentric
// coordinate of the first corner and of both others [Radon 1948].
var radon7 = []struct{ w, a, b float64 }{{0.225, 1. / 3, 1. / 3},
	{0.13239415278850618, 0.05971587178976982, 0.47014206410511508},
	{0.12593918054482717, 0.79742698535308732, 0.10128650732345634}}

// FillFaces puts points into the flat faces of all bodies that there are, at which they meet
// half-spaces besides at their corners: those of a rule of degree five on the triangles between the
// middle of a face and its edges, or, where these are many, of one of degree two on eight sectors, and on
// two circles of a disc. All integrate pressures that are affine over the face, and their moments,
// exactly. It reports whether there is a body with such faces.
func (w *World) FillFaces() (any bool) {
	for i := range w.bodies {
		any = w.bodies[i].form.fill() || any
	}
	return any
}

func (f *form) fill() bool {
	any := false
	for i := range f.parts {
		any = f.parts[i].fill() || any
	}
	f.dots, f.named = f.dots[:0], f.features()
	if f.solid != nil {
		f.rings(f.solid.bases())
	}
	for i := range f.faces {
		loop := f.faces[i].loop
		var middle vec
		for _, k := range loop {
			middle = vec3.Add(middle, 1/float64(len(loop)), f.core[k])
		}
		// Newton's matrix of a face is full, of three rows a point: a step costs their number cubed.
		const sectors = 8
		first := len(f.dots)
		if len(loop) <= sectors/2 {
			for k, c := range loop {
				f.fine(middle, f.core[c], f.core[loop[(k+1)%len(loop)]])
			}
		} else {
			for k, n := 0, min(sectors, len(loop)); k < n; k++ {
				f.coarse(middle, loop, k*len(loop)/n, (k+1)*len(loop)/n)
			}
		}
		for k := range f.dots[first:] {
			f.dots[first+k].face = i
		}
	}
	sum := 0.0
	for i := range f.dots {
		sum += f.dots[i].share
	}
	for i := range f.dots {
		f.dots[i].share *= float64(len(f.dots)) / sum
	}
	return any || len(f.dots) > 0
}

// areaOf is that of a triangle.
func areaOf(a, b, c vec) float64 {
	return vec3.Norm(vec3.Cross(vec3.Add(b, -1, a), vec3.Add(c, -1, a))) / 2
}

// fine adds the points of a triangle by the rule of degree five.
func (f *form) fine(middle, a, b vec) {
	area, corners := areaOf(middle, a, b), []vec{middle, a, b}
	for _, x := range radon7 {
		for first := range corners {
			if x.a == x.b && first > 0 {
				break
			}
			at := vec3.Scale(corners[first], x.a)
			at = vec3.Add(vec3.Add(at, x.b, corners[(first+1)%3]), x.b, corners[(first+2)%3])
			f.dots = append(f.dots, dot{at: at, share: x.w * area})
		}
	}
}

// rings adds the points of discs of a radius across z, on two circles each. Their radii and areas are
// those of the rule of Gauss with two points for ∫ p(r) r dr, exact to degree three: of what a disc bears
// evenly the moment of its friction is 2/3 μNR, and the second moments of its points are those of its
// area. That of six and twelve points has the friction of one that slides and turns to 1e-3.
func (f *form) rings(radius float64, heights []float64) {
	for face, z := range heights {
		for _, c := range []struct {
			r, share, turn float64
			n              int
		}{{0.6 - math.Sqrt(6)/10, (1 - math.Sqrt(6)/9) / 2, 0.5, 6}, {0.6 + math.Sqrt(6)/10, (1 + math.Sqrt(6)/9) / 2, 0, 12}} {
			for k := range c.n {
				sin, cos := math.Sincos(2 * math.Pi * (float64(k) + c.turn) / float64(c.n))
				f.dots = append(f.dots, dot{vec{c.r * radius * cos, c.r * radius * sin, z}, c.share / float64(c.n), face})
			}
		}
	}
}

// coarse adds three points of one weight for the sector of a face between the corners from and to of its
// loop, with its area, centre c and second moments Σ = LLᵀ of a unit of area,
//
//	c + √2 L e,  e at the corners of a triangle in the unit circle.
//
// They lie in the sector, for a convex figure has the ellipse √2 L in it. On a triangle this is the rule
// with the points that have two thirds of a corner.
func (f *form) coarse(middle vec, loop []int, from, to int) {
	area, centre := 0.0, vec{}
	each := func(visit func(a, b vec, part float64)) {
		for k := from; k < to; k++ {
			a, b := f.core[loop[k]], f.core[loop[(k+1)%len(loop)]]
			visit(a, b, areaOf(middle, a, b))
		}
	}
	each(func(a, b vec, part float64) {
		area += part
		centre = vec3.Add(centre, part/3, vec3.Add(middle, 1, vec3.Add(a, 1, b)))
	})
	if !(area > 0) {
		return
	}
	centre = vec3.Scale(centre, 1/area)
	u := vec3.Scale(vec3.Add(centre, -1, middle), 1/vec3.Norm(vec3.Add(centre, -1, middle)))
	n := vec3.Cross(vec3.Add(f.core[loop[from]], -1, middle), vec3.Add(f.core[loop[(from+1)%len(loop)]], -1, middle))
	w := vec3.Scale(vec3.Cross(n, u), 1/vec3.Norm(n))
	var uu, uw, ww float64 // Σ: a triangle has that of its corners and its centre, a twelfth each and three quarters
	each(func(a, b vec, part float64) {
		for _, x := range [4]struct {
			at     vec
			weight float64
		}{{middle, 1. / 12}, {a, 1. / 12}, {b, 1. / 12}, {vec3.Scale(vec3.Add(middle, 1, vec3.Add(a, 1, b)), 1./3), 0.75}} {
			d := vec3.Add(x.at, -1, centre)
			du, dw := vec3.Dot(d, u), vec3.Dot(d, w)
			uu, uw, ww = uu+part/area*x.weight*du*du, uw+part/area*x.weight*du*dw, ww+part/area*x.weight*dw*dw
		}
	})
	l := math.Sqrt(uu)
	m, r := uw/l, math.Sqrt(max(0, ww-uw*uw/uu))
	for k := range 3 {
		sin, cos := math.Sincos(math.Pi + float64(k)*2*math.Pi/3)
		at := vec3.Add(vec3.Add(centre, math.Sqrt2*l*cos, u), math.Sqrt2*(m*cos+r*sin), w)
		f.dots = append(f.dots, dot{at: at, share: area / 3})
	}
}

// onFlat is the number of points where one part may meet a half-space, and spot such a point.
func (f *form) onFlat() int { return f.features() + len(f.dots) }

func (f *form) spot(k int) vec {
	if k < len(f.core) {
		return f.core[k]
	}
	return f.dots[k-f.named].at
}

// Share is that of a touch in the pressure under its face, of the mean of the points of the body [-];
// 0 of one that is under no face with points of its own, see [World.FillFaces].
func (w *World) Share(t *Touch) float64 {
	f, _, k := w.dotOf(t, &pose{})
	switch _, flat := w.surface(t).(HalfSpace); {
	case !flat || len(f.dots) == 0 || k >= len(f.dots) || k < 0 && f.solid != nil && !t.Leaps: // rolls on its rim
		return 0
	case f.solid != nil && k < -rimPoints: // the lowest of its rim, beside all around
		return cornerShare * cornerShare * cornerShare
	case k < 0:
		return cornerShare * min(1, 8/float64(f.named))
	}
	return f.dots[k].share
}

// dotOf returns the form of what is in touch, a body at p or a part of it, where that is, and the number of
// its dot; below zero of a corner.
func (w *World) dotOf(t *Touch, p *pose) (f *form, at pose, k int) {
	f, at = &w.bodies[t.A].form, *p
	if part := int(t.Key & (1<<FeatureBits - 1) >> partShift); t.B < 0 && part < len(f.parts) {
		f, at = f.part(part, p)
	}
	return f, at, int(t.Key&(1<<partShift-1)) - f.named
}

// Outline overwrites dst with the corners of the face of which a touch is a point, beside its corners, around it,
// as the body lies at q, from the place of the touch [m]; none of another touch. That of a disc are those of a
// polygon of its area. face numbers the faces of a body.
func (w *World) Outline(dst [][3]float64, t *Touch, q []float64) (outline [][3]float64, face int) {
	p := w.pose(t.A, q)
	f, at, k := w.dotOf(t, &p)
	if dst = dst[:0]; k < 0 || k >= len(f.dots) {
		return dst, -1
	}
	d := &f.dots[k]
	add := func(x vec) { dst = append(dst, at.turn(vec3.Add(x, -1, d.at))) }
	if f.solid == nil {
		for _, c := range f.faces[d.face].loop {
			add(f.core[c])
		}
		return dst, d.face
	}
	const n = 48 // the friction of a disc that slides and turns is that of such a polygon to 1e-5
	radius, heights := f.solid.bases()
	radius *= math.Sqrt(2 * math.Pi / n / math.Sin(2*math.Pi/n))
	for k := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / n)
		add(vec{radius * cos, radius * sin, heights[d.face]})
	}
	return dst, d.face
}

// surface is that of the obstacle of a touch; nil of two bodies.
func (w *World) surface(t *Touch) Surface {
	if t.B >= 0 {
		return nil
	}
	return w.floors[t.Floor].Surface
}
