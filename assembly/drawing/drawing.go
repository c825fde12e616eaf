// Package drawing draws an assembly with its verdict as SVG: blocks, in the plane or in isometric view, the
// interfaces by their use of friction, the resultants on them, the line of thrust through blocks that two
// forces hold, and where there is a motion the blocks that it displaces.
//
// Up in the picture is against gravity. Faces towards the viewer are drawn from behind to the front and let
// the interfaces shine through; nothing is hidden.
//
// # Limits
//
// Forces are those of one equilibrium, which need not be the ones that act. Blocks that touch more than two
// loaded interfaces have no line of thrust.
package drawing

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/assembly"
)

// sizes of the picture [px], and shares of its diagonal.
var sizes = struct {
	width, margin float64
	head          float64 // above the blocks, for the words
	force         float64 // of the largest resultant
	shift         float64 // of the largest displacement
}{1000, 90, 90, .07, .06}

// canvas projects points and collects elements.
type canvas struct {
	a         *assembly.Assembly
	right, up [3]float64
	towards   [3]float64 // the viewer
	low, high [2]float64
	scale     float64 // px/m
	out       bytes.Buffer
}

// SVG draws a prepared assembly; title and lines are written above. With reserves interfaces are coloured by these.
func SVG(a *assembly.Assembly, v *assembly.Verdict, reserves []assembly.Reserve, title string, lines ...string) []byte {
	c := &canvas{a: a}
	c.open([]*assembly.Assembly{a}, title, lines)
	forces := a.Forces(v.Reactions)
	c.blocks()
	uses, of := friction(forces), "use of friction, 0 to 1"
	if reserves != nil {
		uses, of = map[int]float64{}, "least use, each by its best state"
		for k, r := range reserves {
			if r.Known && !math.IsNaN(r.Use) {
				uses[k] = r.Use
			}
		}
	}
	c.interfaces(uses)
	c.thrust(forces)
	c.resultants(forces)
	c.motion(v.Shown())
	c.legend(len(forces) > 0, len(v.Shown()) > 0, of)
	c.out.WriteString("</svg>\n")
	return c.out.Bytes()
}

// open begins the picture, of the size of all the assemblies.
func (c *canvas) open(all []*assembly.Assembly, title string, lines []string) {
	c.look()
	c.low, c.high = [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, a := range all {
		for i := range a.Blocks {
			for _, x := range a.Blocks[i].Vertices {
				p := c.flat(x)
				for k := range p {
					c.low[k], c.high[k] = min(c.low[k], p[k]), max(c.high[k], p[k])
				}
			}
		}
	}
	span := [2]float64{c.high[0] - c.low[0], c.high[1] - c.low[1]}
	c.scale = (sizes.width - 2*sizes.margin) / max(span[0], span[1], 1e-300)
	height := sizes.head + 2*sizes.margin + span[1]*c.scale
	fmt.Fprintf(&c.out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" font-family="sans-serif" stroke-linejoin="round">`+
		"\n", sizes.width, height)
	c.out.WriteString(`<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z" fill="context-stroke"/></marker></defs>` +
		"\n")
	fmt.Fprintf(&c.out, `<rect width="%.0f" height="%.0f" fill="white"/>`+"\n", sizes.width, height)
	fmt.Fprintf(&c.out, `<text x="20" y="32" font-size="22">%s</text>`+"\n", html.EscapeString(title))
	for k, line := range lines {
		fmt.Fprintf(&c.out, `<text x="20" y="%d" font-size="14" fill="#444">%s</text>`+"\n", 54+18*k, html.EscapeString(line))
	}
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func unit(a [3]float64) [3]float64 {
	s := math.Sqrt(dot(a, a))
	return [3]float64{a[0] / s, a[1] / s, a[2] / s}
}
func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
func plus(a, b [3]float64, f float64) [3]float64 {
	return [3]float64{a[0] + f*b[0], a[1] + f*b[1], a[2] + f*b[2]}
}

// look sets the view: along y in the plane; else isometric, x to the right, y away, gravity down.
func (c *canvas) look() {
	up := unit(plus([3]float64{}, c.a.Gravity, -1))
	if c.a.Plane {
		c.up, c.right, c.towards = up, [3]float64{up[2], 0, -up[0]}, [3]float64{0, -1}
		return
	}
	first := [3]float64{1}
	if math.Abs(up[0]) > .8 { // gravity is along x: y is to the right
		first = [3]float64{0, 1}
	}
	e := unit(plus(first, up, -dot(first, up)))
	away := cross(up, e)
	sin, cos := math.Sincos(math.Pi / 6)
	c.right = plus(plus([3]float64{}, e, cos), away, sin)
	flat := plus(plus([3]float64{}, e, sin), away, -cos) // towards the viewer, level
	c.towards = unit(plus(flat, up, math.Tan(35.26*math.Pi/180)))
	c.up = cross(c.towards, c.right)
}

func (c *canvas) flat(x [3]float64) [2]float64 { return [2]float64{dot(x, c.right), dot(x, c.up)} }

func (c *canvas) pixel(x [3]float64) (px, py float64) {
	p := c.flat(x)
	return sizes.margin + (p[0]-c.low[0])*c.scale, sizes.head + sizes.margin + (c.high[1]-p[1])*c.scale
}

func (c *canvas) polygon(points [][3]float64, style string) {
	c.out.WriteString(`<path d="`)
	for k, x := range points {
		px, py := c.pixel(x)
		fmt.Fprintf(&c.out, "%c%.2f %.2f", "ML"[min(k, 1)], px, py)
	}
	fmt.Fprintf(&c.out, `z" %s/>`+"\n", style)
}

func (c *canvas) line(from, to [3]float64, style string) {
	x0, y0 := c.pixel(from)
	x1, y1 := c.pixel(to)
	if math.Hypot(x1-x0, y1-y0) < .5 { // px: nothing to be seen
		return
	}
	fmt.Fprintf(&c.out, `<path d="M%.2f %.2fL%.2f %.2f" fill="none" %s/>`+"\n", x0, y0, x1, y1, style)
}

// A side is a face of a block.
type side struct {
	points [][3]float64
	block  int
	depth  float64
}

// sides are the faces towards the viewer, the farthest first; those of displaced blocks for a shift.
func (c *canvas) sides(move func(block int, x [3]float64) [3]float64) []side {
	var all []side
	for i := range c.a.Blocks {
		b := &c.a.Blocks[i]
		for _, f := range b.Faces {
			s := side{block: i}
			for _, k := range f {
				x := b.Vertices[k]
				if move != nil {
					x = move(i, x)
				}
				s.points = append(s.points, x)
				s.depth += dot(x, c.towards) / float64(len(f))
			}
			if c.a.Plane || c.faces(s.points) {
				all = append(all, s)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b side) int { return cmp.Compare(a.depth, b.depth) })
	return all
}

// faces reports whether a polygon is seen from outside.
func (c *canvas) faces(points [][3]float64) bool {
	var n [3]float64
	for k := range points {
		n = plus(n, cross(points[k], points[(k+1)%len(points)]), 1)
	}
	return dot(n, c.towards) > 0
}

func (c *canvas) blocks() {
	for _, s := range c.sides(nil) {
		fill := "#d9d4c8"
		if c.a.Blocks[s.block].Support {
			fill = "#9a9a9a"
		}
		c.polygon(s.points, fmt.Sprintf(`fill="%s" fill-opacity="0.45" stroke="#555" stroke-width="0.7"`, fill))
	}
}

// shade is the colour of a use of friction: blue at rest, yellow at half, red at the cone.
func shade(use float64) string {
	stops := [][3]float64{{44, 123, 182}, {255, 225, 120}, {215, 25, 28}}
	t := 2 * min(max(use, 0), 1)
	k := min(int(t), 1)
	var c [3]int
	for i := range c {
		c[i] = int(stops[k][i] + (t-float64(k))*(stops[k+1][i]-stops[k][i]))
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}

// friction is its use at the interfaces that carry a force.
func friction(forces []assembly.Force) map[int]float64 {
	uses := map[int]float64{}
	for _, f := range forces {
		uses[f.Interface] = f.Use
	}
	return uses
}

func (c *canvas) interfaces(uses map[int]float64) {
	for k := range c.a.Interfaces {
		paint := "#bbbbbb"
		if use, ok := uses[k]; ok {
			paint = shade(use)
		}
		if o := &c.a.Interfaces[k]; len(o.Points) < 3 {
			c.line(o.Points[0], o.Points[len(o.Points)-1], fmt.Sprintf(`stroke="%s" stroke-width="4"`, paint))
		} else {
			c.polygon(o.Points, fmt.Sprintf(`fill="%s" fill-opacity="0.75" stroke="%s" stroke-width="1"`, paint, paint))
		}
	}
}

// thrust joins the centres of pressure of blocks that have two.
func (c *canvas) thrust(forces []assembly.Force) {
	most := 0.
	for _, f := range forces {
		most = max(most, math.Sqrt(dot(f.Resultant, f.Resultant)))
	}
	at := make([][][3]float64, len(c.a.Blocks))
	for _, f := range forces {
		if math.Sqrt(dot(f.Resultant, f.Resultant)) > 1e-6*most { // rounding of the program
			o := &c.a.Interfaces[f.Interface]
			at[o.A], at[o.B] = append(at[o.A], f.Point), append(at[o.B], f.Point)
		}
	}
	for i, points := range at {
		if len(points) == 2 && !c.a.Blocks[i].Support {
			c.line(points[0], points[1], `stroke="#6a3d9a" stroke-width="2"`)
		}
	}
}

func (c *canvas) resultants(forces []assembly.Force) {
	most := 0.
	for _, f := range forces {
		most = max(most, math.Sqrt(dot(f.Resultant, f.Resultant)))
	}
	diagonal := math.Hypot(c.high[0]-c.low[0], c.high[1]-c.low[1])
	for _, f := range forces {
		c.line(f.Point, plus(f.Point, f.Resultant, sizes.force*diagonal/most), `stroke="#1b7837" stroke-width="1.3" marker-end="url(#a)"`)
	}
}

// motion draws the blocks displaced, and arrows of their centroids.
func (c *canvas) motion(motion [][6]float64) {
	if len(motion) == 0 {
		return
	}
	most := 0.
	for i := range motion {
		for _, x := range c.a.Blocks[i].Vertices {
			d := assembly.Moved(&c.a.Blocks[i], motion[i], x)
			most = max(most, math.Sqrt(dot(d, d)))
		}
	}
	size := sizes.shift * math.Hypot(c.high[0]-c.low[0], c.high[1]-c.low[1]) / max(most, 1e-300)
	move := func(i int, x [3]float64) [3]float64 {
		return plus(x, assembly.Moved(&c.a.Blocks[i], motion[i], x), size)
	}
	for _, s := range c.sides(move) {
		if motion[s.block] != ([6]float64{}) {
			c.polygon(s.points, `fill="none" stroke="#c51b7d" stroke-width="1" stroke-dasharray="4 3"`)
		}
	}
	for i := range motion {
		x := c.a.Blocks[i].Centroid
		c.line(x, move(i, x), `stroke="#c51b7d" stroke-width="2" marker-end="url(#a)"`)
	}
}

func (c *canvas) legend(forces, motion bool, of string) {
	x := sizes.width - 330
	text := func(y int, colour, words string) {
		fmt.Fprintf(&c.out, `<text x="%.0f" y="%d" font-size="12" fill="%s">%s</text>`+"\n", x, y, colour, words)
	}
	if forces {
		for k := range 11 {
			fmt.Fprintf(&c.out, `<rect x="%.0f" y="14" width="12" height="10" fill="%s"/>`+"\n", x+float64(12*k), shade(float64(k)/10))
		}
		fmt.Fprintf(&c.out, `<text x="%.0f" y="23" font-size="12">%s</text>`+"\n", x+140, of)
		text(42, "#1b7837", "resultants on the second block")
		text(58, "#6a3d9a", "line of thrust")
	}
	if motion {
		text(74, "#c51b7d", "displaced blocks, not to scale")
	}
}
