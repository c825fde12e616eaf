package bodies

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

type vec = vec3.Vec

// Shape is the form of a body in its own frame. Of all but [Polyhedron] and [Compound] the origin is
// the centre of mass of a uniform body, and the axes are principal. The shapes are those of this
// package.
type Shape interface {
	// Dim returns 2 or 3; 0 fits both.
	Dim() int
	// Name is the word that cases have for it.
	Name() string
	validate() error
	form() form
	inertia(mass float64) vec // of a uniform body about its centre of mass, along its axes; see heavy
	volume() float64          // the area in the plane; 0: it has no mass without one that is given
	// round are the axes about which the shape may turn and look the same. One that does so about
	// all of them needs equal moments besides, see [World.Round].
	round() [3]bool
}

// shapes are all shapes, in the order of the case format. A new one is a file with its type, and a
// line here.
var shapes = []shapeKind{
	{Point{}, nil, nil, func(map[string][]float64) Shape { return Point{} }},
	{Disc{}, keys{"radius": 1}, nil, func(x map[string][]float64) Shape { return Disc{x["radius"][0]} }},
	{Ellipse{}, keys{"semi_axes": 2}, nil, func(x map[string][]float64) Shape { return Ellipse{x["semi_axes"][0], x["semi_axes"][1]} }},
	{Polygon{}, keys{"vertices": 0}, nil, polygonOf},
	{Rod{}, keys{"length": 1, "radius": 1}, nil, func(x map[string][]float64) Shape { return Rod{x["length"][0], x["radius"][0]} }},
	{Sphere{}, keys{"radius": 1}, nil, func(x map[string][]float64) Shape { return Sphere{x["radius"][0]} }},
	{Box{}, keys{"size": 3}, nil, func(x map[string][]float64) Shape { return Box{[3]float64(x["size"])} }},
	{Capsule{}, keys{"length": 1, "radius": 1}, nil, func(x map[string][]float64) Shape { return Capsule{x["length"][0], x["radius"][0]} }},
	{Ellipsoid{}, keys{"semi_axes": 3}, nil, func(x map[string][]float64) Shape { return Ellipsoid{[3]float64(x["semi_axes"])} }},
	cone,
	cylinder,
	polyhedron,
}

// shapeKind is what cases know of a shape: its keys, each with how many numbers it has, 0 for any;
// the schemas of those that no shape above has; and how it is made of them.
type shapeKind struct {
	Shape
	keys    keys
	schemas map[string]string
	make    func(x map[string][]float64) Shape
}

type keys map[string]int

// keySchemas are the schemas of keys that several shapes have.
var keySchemas = map[string]string{
	"radius":    `{"description": "Of a rod that of its round ends, of cone and cylinder that of the base [m].", "type": "number", "minimum": 0}`,
	"length":    `{"description": "Of rod and capsule, between the centres of the ends, along x [m].", "type": "number", "exclusiveMinimum": 0}`,
	"semi_axes": `{"description": "Of ellipse (two) and ellipsoid (three), along the axes of the body [m].", "type": "array", "items": {"type": "number", "exclusiveMinimum": 0}, "minItems": 2, "maxItems": 3}`,
	"size":      `{"description": "Edges of a box [m].", "type": "array", "items": {"type": "number", "exclusiveMinimum": 0}, "minItems": 3, "maxItems": 3}`,
	"vertices":  `{"description": "Of a convex polygon, counter-clockwise around the centre of mass, or of a convex polyhedron in any order, from any origin [m].", "type": "array", "minItems": 3, "maxItems": 1024, "items": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 3}}`,
}

// ShapeNames lists the shapes of the plane (2), of space (3), or all (0).
func ShapeNames(dim int) (list []string) {
	for i := range shapes {
		if d := shapes[i].Dim(); dim == 0 || d == 0 || d == dim {
			list = append(list, shapes[i].Name())
		}
	}
	return list
}

// counterparts are the shapes of the other dimension that come nearest.
var counterparts = map[string]string{"box": "polygon", "polyhedron": "polygon", "polygon": "polyhedron", "sphere": "disc", "disc": "sphere",
	"capsule": "rod", "rod": "capsule", "ellipsoid": "ellipse", "ellipse": "ellipsoid", "cylinder": "disc", "cone": "polygon"}

// ShapeKeys are the JSON schemas of all keys of shapes.
func ShapeKeys() map[string]string {
	all := maps.Clone(keySchemas)
	for i := range shapes {
		maps.Copy(all, shapes[i].schemas)
	}
	return all
}

// KeyError is a key of a shape that is wrong, or missing where Key is empty.
type KeyError struct{ Key, Text string }

func (e *KeyError) Error() string { return e.Text }

// NewShape makes the shape of that name of the numbers of its keys, lists of places one after the
// other. Errors are of type *[KeyError].
func NewShape(word string, x map[string][]float64) (Shape, error) {
	i := slices.IndexFunc(shapes, func(k shapeKind) bool { return k.Name() == word })
	if i < 0 {
		return nil, &KeyError{"type", fmt.Sprintf("found %q, want one of %q", word, ShapeNames(0))}
	}
	k := &shapes[i]
	for _, key := range slices.Sorted(maps.Keys(ShapeKeys())) {
		list, found := x[key]
		switch n, needs := k.keys[key]; {
		case needs && !found:
			return nil, &KeyError{"", fmt.Sprintf("the key %q is missing, which %s needs", key, name(k))}
		case !needs && found:
			return nil, &KeyError{key, fmt.Sprintf("the key %q has no effect on %s", key, name(k))}
		case key == "vertices" && len(list)%max(1, k.Dim()) != 0:
			return nil, &KeyError{key, fmt.Sprintf("found %d numbers, want %d for each vertex", len(list), k.Dim())}
		case n > 0 && len(list) != n && found:
			return nil, &KeyError{key, fmt.Sprintf("found %d numbers, want %d", len(list), n)}
		}
	}
	return k.make(x), nil
}

func polygonOf(x map[string][]float64) Shape {
	var p Polygon
	for v := range slices.Chunk(x["vertices"], 2) {
		p.Vertices = append(p.Vertices, [2]float64(v))
	}
	return p
}

// name is the name of a shape with its article.
func name(s Shape) string {
	if strings.ContainsAny(s.Name()[:1], "aeiou") {
		return "an " + s.Name()
	}
	return "a " + s.Name()
}

// form is the geometry that the gaps are made of: the points of a core with a
// radius around, a quadric, or any convex body.
type form struct {
	core    []vec   // 1: ball, 2: segment, more: polytope
	radius  float64 // around the core
	axes    vec     // semi-axes of a quadric; zero for the others
	half    vec     // half sizes of a box; zero for the others
	polygon bool
	faces   []face     // of a polyhedron or box; nil for the others
	dots    []dot      // on these and on bases, where they bear besides at their corners; none unless asked for
	named   int        // points that have names before these
	solid   convexBody // a convex body of another kind; nil for the others
	parts   []part     // of which it is made; nil for the others
	width   float64    // least extent
	reach   float64    // radius of the ball around the centre that holds the body
	spins   bool       // has an orientation
}

// Point is a point mass, in the plane or in space.
type Point struct{}

// Disc is a plane disc of radius R [m].
type Disc struct{ R float64 }

// Ellipse has the semi-axes A along its x-axis and B along y [m].
type Ellipse struct{ A, B float64 }

// Polygon is convex, its vertices counter-clockwise around the centre of mass [m].
type Polygon struct{ Vertices [][2]float64 }

// Rod is a plane segment of the given length along x with round ends of radius
// R ≥ 0 [m].
type Rod struct{ Length, R float64 }

// Sphere has the radius R [m].
type Sphere struct{ R float64 }

// Box has the given edges along x, y, z [m].
type Box struct{ Size [3]float64 }

// Capsule is a segment of the given length along x in space, with radius R > 0
// around [m].
type Capsule struct{ Length, R float64 }

// Ellipsoid has the given semi-axes along x, y, z [m].
type Ellipsoid struct{ Axes [3]float64 }

// Dim implements [Shape].
func (Point) Dim() int { return 0 }

// Dim implements [Shape].
func (Disc) Dim() int { return 2 }

// Dim implements [Shape].
func (Ellipse) Dim() int { return 2 }

// Dim implements [Shape].
func (Polygon) Dim() int { return 2 }

// Dim implements [Shape].
func (Rod) Dim() int { return 2 }

// Dim implements [Shape].
func (Sphere) Dim() int { return 3 }

// Dim implements [Shape].
func (Box) Dim() int { return 3 }

// Dim implements [Shape].
func (Capsule) Dim() int { return 3 }

// Dim implements [Shape].
func (Ellipsoid) Dim() int { return 3 }

// Name implements [Shape].
func (Point) Name() string { return "point" }

// Name implements [Shape].
func (Disc) Name() string { return "disc" }

// Name implements [Shape].
func (Ellipse) Name() string { return "ellipse" }

// Name implements [Shape].
func (Polygon) Name() string { return "polygon" }

// Name implements [Shape].
func (Rod) Name() string { return "rod" }

// Name implements [Shape].
func (Sphere) Name() string { return "sphere" }

// Name implements [Shape].
func (Box) Name() string { return "box" }

// Name implements [Shape].
func (Capsule) Name() string { return "capsule" }

// Name implements [Shape].
func (Ellipsoid) Name() string { return "ellipsoid" }

func (Point) round() [3]bool   { return [3]bool{} }
func (Disc) round() [3]bool    { return [3]bool{2: true} }
func (Ellipse) round() [3]bool { return [3]bool{} }
func (Polygon) round() [3]bool { return [3]bool{} }
func (Rod) round() [3]bool     { return [3]bool{} }
func (Sphere) round() [3]bool  { return [3]bool{true, true, true} }
func (Box) round() [3]bool     { return [3]bool{} }
func (Capsule) round() [3]bool { return [3]bool{0: true} }

func (e Ellipsoid) round() [3]bool {
	a := e.Axes
	return [3]bool{a[1] == a[2], a[2] == a[0], a[0] == a[1]}
}

func (Point) form() form     { return form{core: []vec{{}}} }
func (d Disc) form() form    { return ball(d.R) }
func (s Sphere) form() form  { return ball(s.R) }
func (r Rod) form() form     { return segment(r.Length, r.R) }
func (c Capsule) form() form { return segment(c.Length, c.R) }

func ball(r float64) form {
	return form{core: []vec{{}}, radius: r, width: 2 * r, reach: r, spins: true}
}

func segment(l, r float64) form {
	return form{core: []vec{{-l / 2}, {l / 2}}, radius: r, width: max(2*r, 1e-9*l), reach: l/2 + r, spins: true}
}

func (e Ellipse) form() form {
	return form{axes: vec{e.A, e.B}, width: 2 * min(e.A, e.B), reach: max(e.A, e.B), spins: true}
}

func (e Ellipsoid) form() form {
	a := e.Axes
	return form{axes: a, width: 2 * min(a[0], a[1], a[2]), reach: max(a[0], a[1], a[2]), spins: true}
}

func (b Box) form() form {
	h := vec{b.Size[0] / 2, b.Size[1] / 2, b.Size[2] / 2}
	f := form{half: h, width: min(b.Size[0], b.Size[1], b.Size[2]), reach: vec3.Norm(h), spins: true}
	for k := range 8 {
		f.core = append(f.core, vec{sign(k&1) * h[0], sign(k&2) * h[1], sign(k&4) * h[2]})
	}
	f.faces = boxFaces
	return f
}

func sign(bit int) float64 {
	if bit == 0 {
		return -1
	}
	return 1
}

func (p Polygon) form() form {
	f := form{polygon: true, width: math.Inf(1), spins: true}
	n := len(p.Vertices)
	for i, v := range p.Vertices {
		f.core = append(f.core, vec{v[0], v[1]})
		f.reach = max(f.reach, math.Hypot(v[0], v[1]))
		w := p.Vertices[(i+1)%n]
		across := 0.0 // extent from this edge
		for _, u := range p.Vertices {
			across = max(across, ((w[0]-v[0])*(u[1]-v[1])-(w[1]-v[1])*(u[0]-v[0]))/math.Hypot(w[0]-v[0], w[1]-v[1]))
		}
		f.width = min(f.width, across)
	}
	return f
}

// outline returns points of the boundary in the plane z = 0 of the body.
func (f *form) outline() []vec {
	if len(f.core) > 2 {
		return f.core
	}
	const n = 64
	var points []vec
	for k := range n + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / n)
		if len(f.core) == 0 {
			points = append(points, vec{f.axes[0] * cos, f.axes[1] * sin})
			continue
		}
		end := f.core[0]
		if cos > 0 {
			end = f.core[len(f.core)-1]
		}
		points = append(points, vec{end[0] + f.radius*cos, end[1] + f.radius*sin})
	}
	return points
}

func positive(names string, values ...float64) error {
	for _, v := range values {
		if !(v > 0) || math.IsInf(v, 1) {
			return fmt.Errorf("bodies: %s must be positive, found %g", names, v)
		}
	}
	return nil
}

func (Point) validate() error       { return nil }
func (d Disc) validate() error      { return positive("the radius of a disc", d.R) }
func (e Ellipse) validate() error   { return positive("the semi-axes of an ellipse", e.A, e.B) }
func (s Sphere) validate() error    { return positive("the radius of a sphere", s.R) }
func (b Box) validate() error       { return positive("the edges of a box", b.Size[:]...) }
func (c Capsule) validate() error   { return positive("length and radius of a capsule", c.Length, c.R) }
func (e Ellipsoid) validate() error { return positive("the semi-axes of an ellipsoid", e.Axes[:]...) }

func (r Rod) validate() error {
	if !(r.R >= 0) || math.IsInf(r.R, 1) {
		return fmt.Errorf("bodies: the radius of a rod must not be negative, found %g", r.R)
	}
	return positive("the length of a rod", r.Length)
}

func (p Polygon) validate() error {
	n := len(p.Vertices)
	if n < 3 {
		return fmt.Errorf("bodies: a polygon has %d vertices, want at least 3", n)
	}
	for i := range n {
		u, v, w := p.Vertices[i], p.Vertices[(i+1)%n], p.Vertices[(i+2)%n]
		turn := (v[0]-u[0])*(w[1]-v[1]) - (v[1]-u[1])*(w[0]-v[0])
		if !(turn > 0) || math.IsInf(turn, 1) {
			return fmt.Errorf("bodies: a polygon must be convex with its vertices counter-clockwise; it is not at vertex %d", (i+1)%n)
		}
	}
	_, cx, cy, _ := p.moments()
	if size := p.form().reach; math.Hypot(cx, cy) > 1e-6*size { // six digits of a typed centre
		return fmt.Errorf("bodies: the vertices of a polygon are relative to its centre of mass; that is at (%g, %g)", cx, cy)
	}
	return nil
}

// moments returns area, centre and polar second moment about the origin.
func (p Polygon) moments() (area, cx, cy, polar float64) {
	n := len(p.Vertices)
	for i, v := range p.Vertices {
		w := p.Vertices[(i+1)%n]
		c := v[0]*w[1] - v[1]*w[0]
		area += c / 2
		cx += c * (v[0] + w[0]) / 6
		cy += c * (v[1] + w[1]) / 6
		polar += c * (v[0]*v[0] + v[0]*w[0] + w[0]*w[0] + v[1]*v[1] + v[1]*w[1] + w[1]*w[1]) / 12
	}
	return area, cx / area, cy / area, polar
}

func (Point) volume() float64       { return 0 }
func (d Disc) volume() float64      { return math.Pi * d.R * d.R }
func (e Ellipse) volume() float64   { return math.Pi * e.A * e.B }
func (s Sphere) volume() float64    { return 4. / 3 * math.Pi * s.R * s.R * s.R }
func (b Box) volume() float64       { return b.Size[0] * b.Size[1] * b.Size[2] }
func (e Ellipsoid) volume() float64 { return 4. / 3 * math.Pi * e.Axes[0] * e.Axes[1] * e.Axes[2] }
func (r Rod) volume() float64       { return 2*r.R*r.Length + math.Pi*r.R*r.R }
func (c Capsule) volume() float64   { return math.Pi * c.R * c.R * (c.Length + 4./3*c.R) }

func (p Polygon) volume() float64 {
	area, _, _, _ := p.moments()
	return area
}

func (Point) inertia(float64) vec       { return vec{} }
func (d Disc) inertia(m float64) vec    { return vec{0, 0, m * d.R * d.R / 2} }
func (e Ellipse) inertia(m float64) vec { return vec{0, 0, m * (e.A*e.A + e.B*e.B) / 4} }
func (s Sphere) inertia(m float64) vec {
	i := 0.4 * m * s.R * s.R
	return vec{i, i, i}
}

func (p Polygon) inertia(m float64) vec {
	area, _, _, polar := p.moments()
	return vec{0, 0, m * polar / area}
}

func (b Box) inertia(m float64) vec { return solid(m/12, b.Size) }

func (e Ellipsoid) inertia(m float64) vec { return solid(m/5, e.Axes) }

func solid(m float64, s [3]float64) vec {
	x, y, z := s[0]*s[0], s[1]*s[1], s[2]*s[2]
	return vec{m * (y + z), m * (x + z), m * (x + y)}
}

// inertia of the stadium: rectangle L×2R and two half discs, whose centres of
// mass are 4R/3π beyond the ends.
func (r Rod) inertia(m float64) vec {
	l, a := r.Length, r.R
	box, disc := 2*a*l, math.Pi*a*a
	if disc == 0 {
		return vec{0, 0, m * l * l / 12}
	}
	polar := box*(l*l+4*a*a)/12 + disc*(a*a/2+l*l/4+l*4*a/(3*math.Pi))
	return vec{0, 0, m * polar / (box + disc)}
}

// inertia of cylinder and two half balls, whose centres are 3R/8 beyond.
func (c Capsule) inertia(m float64) vec {
	l, r := c.Length, c.R
	cylinder, sphere := math.Pi*r*r*l, 4.0/3*math.Pi*r*r*r
	rho := m / (cylinder + sphere)
	along := rho * (cylinder*r*r/2 + sphere*0.4*r*r)
	across := rho * (cylinder*(l*l/12+r*r/4) + sphere*(0.4*r*r+l*l/4+l*3*r/8))
	return vec{along, across, across}
}

// misfit objects to a shape in a world of another dimension.
func misfit(s Shape, dim int) error {
	text := fmt.Sprintf("bodies: the shape does not fit the dimension of the world: %s in %d dimensions, want one of %s",
		name(s), dim, strings.Join(ShapeNames(dim), ", "))
	if near := counterparts[s.Name()]; near != "" {
		text += "; the nearest one is " + near
	}
	return errors.New(text)
}
