package report

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Colours of films: those of the page in the light.
const (
	filmInk, filmFaint, filmBand, filmBody               = "#1c1f23", "#5c6570", "#eef1f4", "#d9e2ea"
	filmPaper                                            = "#f7f8f9"
	filmStick, filmSlip, filmNormal, filmCross, filmTale = "#0072b2", "#d55e00", "#009e73", "#b8618f", "#2a8fc7"
)

// obstacles draws those that do not move.
func (f *filmer) obstacles() {
	for i := range f.s.Obstacles {
		if f.s.Obstacles[i].Pose == nil {
			f.obstacleAt(i, 0)
		}
	}
}

// frame draws what moves: obstacles, bodies, links, forces, contacts, the time.
func (f *filmer) frame(k int) {
	f.project(k)
	for i := range f.s.Obstacles {
		if f.s.Obstacles[i].Pose != nil {
			f.obstacleAt(i, k)
		}
	}
	for _, layer := range []func(){func() { f.mesh(k) }, func() { f.rigid(k) }, func() { f.links(k) }, f.joints, func() { f.trails(k) },
		func() { f.forces(k); f.drawArrows() }, func() { f.particles(k) }, f.labels} {
		if p, ok := f.pen.(*svgPen); ok {
			p.layer(layer)
		} else {
			layer()
		}
	}
	f.pen.text([2]float64{12, 22}, false, filmInk, fmt.Sprintf("t = %.3g s", f.s.Times[k]))
	if full := f.fullArrow(); f.s.Force > 0 && full > 0 {
		f.arrow([2]float64{12, f.h - 14}, vec3.Scale(f.cam.right(), f.s.Force), full/f.s.Force, filmNormal)
		f.drawArrows()
		f.pen.text([2]float64{18 + full, f.h - 10}, false, filmInk, fmt.Sprintf("%.3g N", f.s.Force))
	}
}

// project places the points as they are seen.
func (f *filmer) project(k int) {
	f.points = f.points[:0]
	for i := range f.s.Points {
		f.points = append(f.points, f.cam.screen(f.position(k, i)))
	}
}

// polygon draws a closed line.
func (f *filmer) polygon(points [][2]float64, fill, stroke string, width float64) {
	f.pen.path(style{fill: fill, stroke: stroke, width: width}, true, points)
}

// line draws an open one.
func (f *filmer) line(points [][2]float64, stroke string, width float64) {
	f.pen.path(style{stroke: stroke, width: width}, false, points)
}

// plane draws the part of one through p that is over, or that is below the motion, with strokes on
// its far side where it is seen edge on.
func (f *filmer) plane(p, t, o, n [3]float64, over *span) {
	low, high := f.low, f.high
	pad := 0.12*max(high[0]-low[0], high[1]-low[1], high[2]-low[2]) + 20/f.cam.scale
	if over == nil {
		over = newSpan()
		for i := range 8 {
			var x [3]float64
			for c := range x {
				x[c] = [2]float64{low[c], high[c]}[i>>c&1]
			}
			over.take(vec3.Add(x, -1, p), t, o)
		}
	}
	from, to := [2]float64{over[0][0] - pad, over[0][1] - pad}, [2]float64{over[1][0] + pad, over[1][1] + pad}
	var q [][2]float64
	for _, e := range [][2]float64{{from[0], from[1]}, {to[0], from[1]}, {to[0], to[1]}, {from[0], to[1]}} {
		var x [3]float64
		for c := range x {
			x[c] = p[c] + e[0]*t[c] + e[1]*o[c]
		}
		q = append(q, f.cam.screen(x))
	}
	f.polygon(q, filmBand, filmFaint, 1.2)
	nu, nv, _ := f.cam.flat(n)
	if math.Hypot(nu, nv) < 0.98 {
		return
	}
	a, b := q[0], q[0]
	for _, p := range q {
		if math.Hypot(p[0]-a[0], p[1]-a[1]) > math.Hypot(b[0]-a[0], b[1]-a[1]) {
			b = p
		}
	}
	l := math.Hypot(b[0]-a[0], b[1]-a[1])
	ux, uy := (b[0]-a[0])/l, (b[1]-a[1])/l
	var strokes [][][2]float64
	for d := 6.0; d < l && len(strokes) < mostStrokes; d += 10 {
		x, y := a[0]+d*ux, a[1]+d*uy
		strokes = append(strokes, [][2]float64{{x, y}, {x - 8*nu - 6*ux, y + 8*nv - 6*uy}})
	}
	f.pen.path(style{stroke: filmFaint, width: 1}, false, strokes...)
}

// mostStrokes bounds those of an obstacle.
const mostStrokes = 1000

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// mesh draws the triangles, what is far first.
func (f *filmer) mesh(k int) {
	n := len(f.s.Polygons)
	order, far := make([]int, n), make([]float64, n)
	for m, g := range f.s.Polygons {
		order[m] = m
		for _, i := range g {
			_, _, d := f.cam.flat(f.position(k, i))
			far[m] += d / float64(len(g))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(far[b], far[a]) })
	for _, m := range order {
		fill := filmBand
		if len(f.shades) > 0 {
			fill = hex(shadeOf(float64(f.shades[k*n+m]) / 255))
		}
		var ring [][2]float64
		for _, i := range f.s.Polygons[m] {
			ring = append(ring, f.points[i])
		}
		f.polygon(ring, fill, filmFaint, 0.4)
	}
}

// rigid draws the bodies, what is far first.
func (f *filmer) rigid(k int) {
	n := len(f.s.Bodies)
	poses := make([]scenePose, n)
	order := make([]int, n)
	for b := range poses {
		order[b] = b
		poses[b] = poseAt(&f.pose, k*n+b)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		_, _, x := f.cam.flat(poses[a].at)
		_, _, y := f.cam.flat(poses[b].at)
		return cmp.Compare(y, x)
	})
	for _, b := range order {
		f.body(&f.s.Bodies[b], &poses[b])
	}
}

// scenePose is the place of a body and its axes.
type scenePose struct {
	at   [3]float64
	axes [3][3]float64 // of the body, in space
}

// poseAt is the i-th pose of seven channels: place and quaternion.
func poseAt(pose *[7][]float64, i int) (p scenePose) {
	for c := range p.at {
		p.at[c] = pose[c][i]
	}
	w, x, y, z := pose[3][i], pose[4][i], pose[5][i], pose[6][i]
	l := math.Sqrt(w*w + x*x + y*y + z*z)
	if l == 0 {
		w, l = 1, 1
	}
	w, x, y, z = w/l, x/l, y/l, z/l
	p.axes[0] = [3]float64{1 - 2*(y*y+z*z), 2 * (x*y + w*z), 2 * (x*z - w*y)}
	p.axes[1] = [3]float64{2 * (x*y - w*z), 1 - 2*(x*x+z*z), 2 * (y*z + w*x)}
	p.axes[2] = [3]float64{2 * (x*z + w*y), 2 * (y*z - w*x), 1 - 2*(x*x+y*y)}
	return p
}

func (p *scenePose) place(a, b, c float64) (x [3]float64) {
	for i := range x {
		x[i] = p.at[i] + a*p.axes[0][i] + b*p.axes[1][i] + c*p.axes[2][i]
	}
	return x
}

func (f *filmer) body(b *SceneBody, p *scenePose) {
	centre := f.cam.screen(p.at)
	switch {
	case b.Outline != nil:
		var ring [][2]float64
		for _, v := range b.Outline {
			ring = append(ring, f.cam.screen(p.place(v[0], 0, v[1])))
		}
		f.polygon(ring, filmBody, filmFaint, 1.4)
		if len(ring) > 20 { // round: a line shows how it turns
			f.line([][2]float64{centre, ring[0]}, filmFaint, 1)
		}
	case b.Half != nil:
		f.brick(b.Half, p)
	case b.Parts != nil:
		for i := range b.Parts {
			f.convex(&b.Parts[i], p)
		}
	case b.Round != nil:
		f.ellipsoid(b.Round, p, centre)
	case b.Length > 0:
		u, v := f.cam.screen(p.place(-b.Length/2, 0, 0)), f.cam.screen(p.place(b.Length/2, 0, 0))
		r := b.Radius * f.cam.scale
		for i, stroke := range []string{filmFaint, filmBody} {
			f.pen.path(style{stroke: stroke, width: max(2*r+2-float64(3*i), 0), round: true}, false, [][2]float64{u, v})
		}
	default:
		f.pen.ellipse(style{fill: filmBody, stroke: filmFaint, width: 1}, centre, 6, 6, 0)
	}
}

// convex draws a convex part by its outline and its edges that are seen.
func (f *filmer) convex(x *ScenePart, p *scenePose) {
	var points [][2]float64
	for _, v := range x.At {
		points = append(points, f.cam.screen(p.place(float64(v[0]), float64(v[1]), float64(v[2]))))
	}
	f.polygon(hull(slices.Clone(points)), filmBody, filmFaint, 1)
	edges, known := f.edges[x]
	if !known {
		edges = x.edges()
		f.edges[x] = edges
	}
	var lines [][][2]float64
	for _, e := range edges {
		for _, n := range e.normal {
			if at := p.place(n[0], n[1], n[2]); vec3.Dot(vec3.Add(at, -1, p.at), f.cam.eye()) > 1e-3 {
				lines = append(lines, [][2]float64{points[e.a], points[e.b]})
				break
			}
		}
	}
	if lines != nil {
		f.pen.path(style{stroke: filmFaint, width: 0.7}, false, lines...)
	}
}

// hull returns the corners of the convex hull of some points of the plane, in order (Andrew's
// monotone chain).
func hull(points [][2]float64) (ring [][2]float64) {
	slices.SortFunc(points, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for range 2 {
		first := len(ring)
		for _, c := range points {
			for n := len(ring); n >= first+2; n = len(ring) {
				a, b := ring[n-2], ring[n-1]
				if (b[0]-a[0])*(c[1]-a[1])-(b[1]-a[1])*(c[0]-a[0]) > 0 {
					break
				}
				ring = ring[:n-1]
			}
			ring = append(ring, c)
		}
		ring = ring[:len(ring)-1] // it begins the other half
		slices.Reverse(points)
	}
	return ring
}

// brick draws the faces that look to the eye.
func (f *filmer) brick(h *[3]float64, p *scenePose) {
	c := &f.cam
	eye := c.eye()
	for a := range 3 {
		for _, s := range []float64{-1, 1} {
			facing := 0.0
			for i := range eye {
				facing += s * p.axes[a][i] * eye[i]
			}
			if facing <= 1e-9 {
				continue
			}
			var ring [][2]float64
			for _, e := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				var y [3]float64
				y[a], y[(a+1)%3], y[(a+2)%3] = s*h[a], e[0]*h[(a+1)%3], e[1]*h[(a+2)%3]
				ring = append(ring, c.screen(p.place(y[0], y[1], y[2])))
			}
			grey := uint8(170 + 55*facing)
			f.polygon(ring, hex(color.RGBA{grey, grey + 8, grey + 15, 255}), filmFaint, 0.9)
		}
	}
}

// ellipsoid draws the silhouette: the ellipse of A Aᵀ, A the projected half axes.
func (f *filmer) ellipsoid(axes *[3]float64, p *scenePose, centre [2]float64) {
	var a, b, d float64
	for i := range 3 {
		var v [3]float64
		for c := range v {
			v[c] = axes[i] * p.axes[i][c]
		}
		x, y, _ := f.cam.flat(v)
		x, y = x*f.cam.scale, -y*f.cam.scale
		a, b, d = a+x*x, b+x*y, d+y*y
	}
	mean, diff := (a+d)/2, math.Hypot((a-d)/2, b)
	f.pen.ellipse(style{fill: filmBody, stroke: filmFaint, width: 1}, centre, math.Sqrt(mean+diff),
		math.Sqrt(max(mean-diff, 0)), 90/math.Pi*math.Atan2(2*b, a-d))
}

// links draws springs as coils, rods as lines, elements of bars thick.
func (f *filmer) links(k int) {
	for m, l := range f.s.Links {
		a, b := f.points[l[0]], f.points[l[1]]
		length := math.Hypot(b[0]-a[0], b[1]-a[1])
		switch {
		case l[2] == LinkBar:
			fill := filmBand
			if len(f.shades) > 0 {
				fill = hex(shadeOf(float64(f.shades[k*len(f.s.Links)+m]) / 255))
			}
			f.line([][2]float64{a, b}, fill, 18)
		case l[2] < 3 && length > 24 && len(f.s.Links) <= 300:
			f.line(coil(a, b, length), filmFaint, 1.2)
		default:
			f.line([][2]float64{a, b}, filmFaint, 1.2)
		}
	}
}

// coil returns the zigzag of a spring.
func coil(a, b [2]float64, length float64) [][2]float64 {
	ux, uy := (b[0]-a[0])/length, (b[1]-a[1])/length
	const n, lead = 12, 0.14
	list := [][2]float64{a}
	for i := range n + 1 {
		d, h := length*(lead+(1-2*lead)*float64(i)/n), 5.0
		switch {
		case i == 0 || i == n:
			h = 0
		case i%2 == 0:
			h = -5
		}
		list = append(list, [2]float64{a[0] + d*ux - h*uy, a[1] + d*uy + h*ux})
	}
	return append(list, b)
}

func (f *filmer) joints() {
	for _, j := range f.s.Joints {
		p := f.points[j.Point]
		switch j.Kind {
		case "ground":
			f.polygon([][2]float64{p, {p[0] - 8, p[1] + 13}, {p[0] + 8, p[1] + 13}}, "#ffffff", filmInk, 1.4)
		case "anchor", HeldMark:
			f.cross2(p)
			continue
		}
		if j.Rail != nil {
			a, b := f.cam.screen(j.Rail[0]), f.cam.screen(j.Rail[1])
			l := max(math.Hypot(b[0]-a[0], b[1]-a[1]), 1)
			dx, dy := 8*(b[1]-a[1])/l, -8*(b[0]-a[0])/l
			f.pen.path(style{stroke: filmInk, width: 1.4}, false,
				[][2]float64{{a[0] + dx, a[1] + dy}, {b[0] + dx, b[1] + dy}}, [][2]float64{{a[0] - dx, a[1] - dy}, {b[0] - dx, b[1] - dy}})
		}
		f.pen.ellipse(style{fill: "#ffffff", stroke: filmInk, width: 1.4}, p, 3.6, 3.6, 0)
	}
}

func (f *filmer) cross2(p [2]float64) {
	x, y := p[0], p[1]
	f.pen.path(style{stroke: filmInk, width: 2}, false, [][2]float64{{x - 5, y - 5}, {x + 5, y + 5}},
		[][2]float64{{x + 5, y - 5}, {x - 5, y + 5}})
}

// trails draws the ways of few particles.
func (f *filmer) trails(k int) {
	if f.s.Particles > 20 || f.s.Touching {
		return
	}
	for j := range f.s.Particles {
		var way [][2]float64
		stride := 1 + k/60
		for i := 0; i <= k; i += stride {
			way = append(way, f.cam.screen(f.position(i, j)))
		}
		f.line(append(way, f.points[j]), filmTale, 1)
	}
}

// arrow draws a force.
func (f *filmer) arrow(from [2]float64, v [3]float64, reach float64, stroke string) {
	u, w, _ := f.cam.flat(v)
	dx, dy := u*reach, -w*reach
	l := math.Hypot(dx, dy)
	if l < 3 {
		return
	}
	ux, uy, head := dx/l, dy/l, min(8, l/2)
	x, y := from[0]+dx, from[1]+dy
	a := f.arrows[stroke]
	if a == nil {
		a = new(arrows)
		f.arrows[stroke] = a
	}
	a.shafts = append(a.shafts, [][2]float64{from, {x - head*ux, y - head*uy}})
	a.heads = append(a.heads, [][2]float64{{x, y}, {x - head*ux + head/2*uy, y - head*uy - head/2*ux},
		{x - head*ux - head/2*uy, y - head*uy + head/2*ux}})
}

// arrows are those of one colour, which are drawn together.
type arrows struct{ shafts, heads [][][2]float64 }

// drawArrows draws the arrows that were collected.
func (f *filmer) drawArrows() {
	for _, ink := range []string{filmNormal, filmCross, filmInk} {
		if a := f.arrows[ink]; a != nil {
			f.pen.path(style{stroke: ink, width: 2}, false, a.shafts...)
			f.pen.path(style{fill: ink}, true, a.heads...)
		}
	}
	clear(f.arrows)
}

// fullArrow is the length of the arrow of the full force; 0 without forces.
func (f *filmer) fullArrow() float64 {
	size, n := min(f.w, f.h), f.s.Contacts
	if p := f.s.Pushes; p != nil {
		n = slices.Max(p.Count)
	}
	switch {
	case n == 0 && f.s.Acts == nil:
		return 0
	case n > 40:
		return 0.1 * size
	}
	return 0.22 * size
}

func (f *filmer) forces(k int) {
	full := f.fullArrow()
	if f.s.Pushes != nil {
		for i := f.first[k]; i < f.first[k+1]; i++ {
			at := f.cam.screen([3]float64{f.place[0][i], f.place[1][i], f.place[2][i]})
			f.force(at, [3]float64{f.normal[0][i], f.normal[1][i], f.normal[2][i]}, full, filmNormal)
			f.force(at, [3]float64{f.cross[0][i], f.cross[1][i], f.cross[2][i]}, full, filmCross)
		}
	}
	for i := range f.s.Acts {
		if a := &f.s.Acts[i]; f.acts[i] != nil {
			v := [3]float64{f.acts[i][0][k], f.acts[i][1][k], f.acts[i][2][k]}
			f.force(f.points[a.Point], v, full, filmInk)
		}
	}
	for j := range f.s.Contacts {
		if f.s.On[j] < 0 && f.s.Axes == nil { // with what, nobody knows; with another body it has axes
			continue
		}
		i, at := k*f.s.Contacts+j, f.points[f.s.of(j)]
		n, t, o := f.axes(k, j)
		f.force(at, vec3.Scale(n, f.forceOf[0][i]), full, filmNormal)
		f.force(at, vec3.Add(vec3.Scale(t, f.forceOf[1][i]), f.forceOf[2][i], o), full, filmCross)
	}
}
