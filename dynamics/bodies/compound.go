package bodies

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Compound is a rigid body of several parts, which may overlap: what lies in two of them has the
// mass of both.
type Compound struct{ Parts []Part }

// Part is a shape at a place of a body. Of a [Compound] the origin is any.
type Part struct {
	Shape       Shape
	Position    [3]float64 // of its origin [m]
	Angle       float64    // in the plane [rad]
	Orientation [4]float64 // in space, a unit quaternion; zero: not turned
	Density     float64    // to that of the others, 0: 1
}

// mostParts bounds those of a body: the numbers of two of them name contacts.
const mostParts = 64

// Dim implements [Shape].
func (c Compound) Dim() int {
	for _, p := range c.Parts {
		if d := p.Shape.Dim(); d != 0 {
			return d
		}
	}
	return 0
}

// Name implements [Shape].
func (Compound) Name() string { return "compound" }

func (Compound) round() [3]bool    { return [3]bool{} }
func (c Compound) volume() float64 { return c.heavy(c.Dim()).m }

func (c Compound) inertia(m float64) vec {
	x := c.heavy(c.Dim())
	return vec{m / x.m * x.j[0], m / x.m * x.j[4], m / x.m * x.j[8]}
}

func (c Compound) validate() error {
	if n := len(c.Parts); n == 0 || n > mostParts {
		return fmt.Errorf("bodies: a compound has %d parts, want 1 to %d", n, mostParts)
	}
	for i := range c.Parts {
		p := &c.Parts[i]
		if err := p.validate(c.Dim()); err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
	}
	return nil
}

func (p *Part) validate(dim int) error {
	_, nested := p.Shape.(Compound)
	l := length4(p.Orientation)
	switch {
	case p.Shape == nil || nested:
		return errors.New("bodies: a part has one shape, no parts of its own")
	case p.Shape.Dim() != dim || dim == 0:
		return misfit(p.Shape, dim)
	case !finite(p.Position[:]...) || !finite(p.Angle, l) || dim == 2 && p.Position[2] != 0:
		return errors.New("bodies: the place of a part is not finite")
	case l != 0 && !(math.Abs(l-1) < 1e-3): // typed digits, not a mistake
		return fmt.Errorf("bodies: an orientation has the length %g, want a unit quaternion", l)
	case !(p.Density >= 0) || math.IsInf(p.Density, 1):
		return fmt.Errorf("bodies: the density of a part is %g, want a positive number", p.Density)
	}
	return p.Shape.validate()
}

func length4(o [4]float64) float64 { return math.Sqrt(o[0]*o[0] + o[1]*o[1] + o[2]*o[2] + o[3]*o[3]) }

// pose is the place of a part in its body.
func (p *Part) pose(dim int) pose {
	switch {
	case dim == 2:
		return planePose(p.Position[0], p.Position[1], p.Angle)
	case p.Orientation == [4]float64{}:
		return pose{p.Position, identity}
	}
	o, l := p.Orientation, length4(p.Orientation)
	for k := range o {
		o[k] /= l
	}
	return spacePose(p.Position, o[:])
}

// part is a form at a place of its body.
type part struct {
	form
	at pose
}

func (c Compound) form() form {
	f := form{width: math.Inf(1), spins: true}
	for i := range c.Parts {
		p := &c.Parts[i]
		f.take(p.Shape.form(), p.pose(c.Dim()))
	}
	return f
}

// take adds a part.
func (f *form) take(x form, at pose) {
	f.parts = append(f.parts, part{x, at})
	f.width, f.reach = min(f.width, x.width), max(f.reach, x.reachAt(&at))
}

// moved is a form elsewhere in the frame of its body.
func (f *form) moved(at *pose) form {
	m := form{width: math.Inf(1), spins: f.spins}
	for i := range f.count() {
		x, p := f.part(i, at)
		m.take(*x, p)
	}
	return m
}

// reachAt is the radius of the ball around the origin that holds a form of one part at a place.
func (f *form) reachAt(at *pose) float64 {
	if len(f.core) == 0 {
		return vec3.Norm(at.c) + f.reach
	}
	far := 0.0
	for _, y := range f.core {
		far = max(far, vec3.Norm(at.place(y)))
	}
	return far + f.radius
}

// lever bounds how fast the extent of a form in any direction changes when it turns by an angle.
func (f *form) lever() (l float64) {
	switch {
	case f.parts != nil:
		for i := range f.parts {
			x := &f.parts[i]
			l = max(l, min(vec3.Norm(x.at.c)+x.lever(), x.reachAt(&x.at)))
		}
		return l
	case isQuadric(f):
		return f.reach - f.width/2
	}
	return f.reach - f.radius
}

// oval reports whether a form touches others in a point that moves over it as it turns.
func (f *form) oval() bool {
	for i := range f.parts {
		if f.parts[i].oval() {
			return true
		}
	}
	return isQuadric(f) || f.solid != nil
}

// count is the number of parts, of any form.
func (f *form) count() int { return max(1, len(f.parts)) }

// part is one of them, of a form at p.
func (f *form) part(i int, p *pose) (*form, pose) {
	if f.parts == nil {
		return f, *p
	}
	x := &f.parts[i]
	return &x.form, p.of(&x.at)
}

// of is a pose in the frame of p.
func (p *pose) of(q *pose) pose {
	x := pose{c: p.place(q.c)}
	for k := range 3 {
		y := p.turn(vec{q.r[k], q.r[3+k], q.r[6+k]})
		x.r[k], x.r[3+k], x.r[6+k] = y[0], y[1], y[2]
	}
	return x
}

// partBits are those of a feature that say which two parts meet, above the others.
const partShift = 16

// MeetingOf is what the keys of all points have in common at which two parts of bodies touch.
func MeetingOf(key uint64) uint64 { return key >> partShift }

// name gives points from first on the number of their parts.
func (c *clipper) name(first, parts int) {
	for i := range c.out[first:] {
		c.out[first+i].feature += parts << partShift
	}
}

// skips reports whether two parts are not those that are asked for.
func (c *clipper) skips(parts int) bool { return c.only > 0 && c.only != parts+1 }

// partsOf is the number of pairs of parts of what a touch belongs to.
func (w *World) partsOf(t *Touch) int {
	n := w.bodies[t.A].form.count()
	if t.B >= 0 {
		return n * w.bodies[t.B].form.count()
	}
	if s, solid := w.floors[t.Floor].Surface.(Solid); solid {
		n *= s.own.count()
	}
	return n
}

// heavy is mass [kg] or volume, centre of mass [m], and moments about it along the axes of the
// shape, row by row.
type heavy struct {
	m float64
	c vec
	j [9]float64
}

// massive is a shape whose centre of mass and principal axes are to be found.
type massive interface{ heavy(dim int) heavy }

// heavyOf is that of a shape of density 1.
func heavyOf(s Shape, dim int) heavy {
	if x, ok := s.(massive); ok {
		return x.heavy(dim)
	}
	v := s.volume()
	j := s.inertia(v)
	return heavy{m: v, j: [9]float64{0: j[0], 4: j[1], 8: j[2]}}
}

// heavy adds up the parts, by Steiner's theorem.
func (c Compound) heavy(dim int) (h heavy) {
	list := make([]heavy, len(c.Parts))
	for i := range c.Parts {
		p := &c.Parts[i]
		x := heavyOf(p.Shape, dim)
		at, density := p.pose(dim), 1.0
		if p.Density > 0 {
			density = p.Density
		}
		x.m *= density
		x.c = at.place(x.c)
		for k := range x.j {
			x.j[k] *= density
		}
		x.j = turnedTensor(&at, x.j)
		list[i] = x
		h.m += x.m
		h.c = vec3.Add(h.c, x.m, x.c)
	}
	h.c = vec3.Scale(h.c, 1/h.m)
	for i := range list {
		d := vec3.Add(list[i].c, -1, h.c)
		for k := range 9 {
			h.j[k] += list[i].j[k] - list[i].m*d[k/3]*d[k%3]
			if k%4 == 0 {
				h.j[k] += list[i].m * vec3.Dot(d, d)
			}
		}
	}
	if dim == 2 {
		h.j = [9]float64{8: h.j[8]}
	}
	return h
}

// turnedTensor is R J Rᵀ.
func turnedTensor(p *pose, j [9]float64) (x [9]float64) {
	for r := range 3 {
		for c := range 3 {
			for k := range 9 {
				x[3*r+c] += p.r[3*r+k/3] * j[k] * p.r[3*c+k%3]
			}
		}
	}
	return x
}

// heavy is that of a body: what is not given is that of a uniform one.
func (b *Body) heavy(dim int) (h heavy) {
	if x, ok := b.Shape.(massive); ok {
		h = x.heavy(dim)
		for k := range h.j {
			h.j[k] *= b.Mass / h.m
		}
	} else {
		j := b.Shape.inertia(b.Mass)
		h.j = [9]float64{0: j[0], 4: j[1], 8: j[2]}
	}
	h.m = b.Mass
	if b.Centre != nil {
		h.c = *b.Centre
	}
	if b.Inertia != (vec{}) {
		i, p := b.Inertia, b.Products
		h.j = [9]float64{i[0], p[2], p[1], p[2], i[1], p[0], p[1], p[0], i[2]}
	}
	return h
}

// axial is what products of inertia are to the moments where they are rounding.
const axial = 1e-14

// principal returns the moments of h and the axes that they are about, in columns.
func (h *heavy) principal() (moments vec, axes pose) {
	axes = pose{r: identity}
	moments = vec{h.j[0], h.j[4], h.j[8]}
	if skew := max(math.Abs(h.j[1]), math.Abs(h.j[2]), math.Abs(h.j[5])); skew <= axial*(moments[0]+moments[1]+moments[2]) {
		return moments, axes
	}
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(3, h.j[:]), true) {
		return vec{math.NaN()}, axes
	}
	var v mat.Dense
	e.VectorsTo(&v)
	e.Values(moments[:])
	for k := range 9 {
		axes.r[k] = v.At(k/3, k%3)
	}
	if x, y, z := column(&axes, 0), column(&axes, 1), column(&axes, 2); vec3.Dot(vec3.Cross(x, y), z) < 0 {
		for k := range 3 {
			axes.r[3*k+2] *= -1
		}
	}
	return moments, axes
}
