package report

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// obstacleAt draws an obstacle where it is at a frame.
func (f *filmer) obstacleAt(i, k int) {
	o, p := &f.s.Obstacles[i], scenePose{axes: [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}
	if o.Pose != nil {
		p = poseAt(&f.moved[i], k)
	}
	if o.N == ([3]float64{}) {
		f.surface(o, &p)
		return
	}
	turn := func(v [3]float64) [3]float64 {
		x := p.place(v[0], v[1], v[2])
		return vec3.Add(x, -1, p.at)
	}
	f.plane(p.place(o.P[0], o.P[1], o.P[2]), turn(o.T), turn(o.O), turn(o.N), f.over(i))
}

// span is the lowest and the highest coordinates along the tangents of a plane, from its point.
type span [2][2]float64

func newSpan() *span {
	return &span{{math.Inf(1), math.Inf(1)}, {math.Inf(-1), math.Inf(-1)}}
}

func (s *span) take(x, t, o [3]float64) {
	for a, d := range [][3]float64{t, o} {
		q := vec3.Dot(x, d)
		s[0][a], s[1][a] = min(s[0][a], q), max(s[1][a], q)
	}
}

// over is where the contacts of plane i are at all times: beside them it acts on nothing, as a stop
// for one end of a beam. nil: no contact is told apart, or they are the middles of tiles of the surface.
func (f *filmer) over(i int) *span {
	corner := func(p int) bool { return p < f.s.Particles }
	if f.s.Polygons != nil && !slices.ContainsFunc(f.s.Polygons, func(g []int) bool { return slices.ContainsFunc(g, corner) }) {
		return nil
	}
	if s, known := f.ground[i]; known {
		return s
	}
	o, s := &f.s.Obstacles[i], newSpan()
	for j, on := range f.s.On {
		if on != i {
			continue
		}
		for k := range f.s.Times {
			x := f.position(k, f.s.of(j))
			if o.Pose != nil {
				p := poseAt(&f.moved[i], k)
				y := vec3.Add(x, -1, p.at)
				x = [3]float64{vec3.Dot(y, p.axes[0]), vec3.Dot(y, p.axes[1]), vec3.Dot(y, p.axes[2])}
			}
			s.take(vec3.Add(x, -1, o.P), o.T, o.O)
		}
	}
	if s[1][0] < s[0][0] {
		s = nil
	}
	f.ground[i] = s
	return s
}

// surface draws the faces that look to the eye, what is far first, and the edges between
// those and the others, which are the silhouette.
func (f *filmer) surface(o *Obstacle, p *scenePose) {
	at, far := make([][2]float64, len(o.At)), make([]float64, len(o.At))
	for i, x := range o.At {
		y := p.place(float64(x[0]), float64(x[1]), float64(x[2]))
		_, _, far[i] = f.cam.flat(y)
		at[i] = f.cam.screen(y)
	}
	type seen struct {
		face          []int
		depth, facing float64
	}
	var list []seen
	edges := map[[2]int]bool{}
	size := 0.0
	for _, face := range o.Faces {
		area, depth, length := 0.0, 0.0, 0.0
		for i, a := range face {
			b := face[(i+1)%len(face)]
			area += (at[a][1]*at[b][0] - at[a][0]*at[b][1]) / 2 // the picture's y points down
			length += math.Hypot(at[a][0]-at[b][0], at[a][1]-at[b][1])
			depth += far[a] / float64(len(face))
		}
		if area <= edgeOn*length*length {
			continue
		}
		size = max(size, area)
		list = append(list, seen{face, depth, area})
		for i, a := range face {
			b := face[(i+1)%len(face)]
			if back := [2]int{b, a}; edges[back] {
				delete(edges, back)
			} else {
				edges[[2]int{a, b}] = true
			}
		}
	}
	slices.SortStableFunc(list, func(a, b seen) int { return cmp.Compare(b.depth, a.depth) })
	for _, s := range list {
		grey := uint8(215 + 23*s.facing/size)
		fill := hex(color.RGBA{grey, grey + 3, grey + 6, 255})
		var ring [][2]float64
		for _, i := range s.face {
			ring = append(ring, at[i])
		}
		f.polygon(ring, fill, fill, 0.6)
	}
	var rim [][][2]float64
	for _, s := range list { // in the order of the list: maps have none
		for i, a := range s.face {
			if b := s.face[(i+1)%len(s.face)]; edges[[2]int{a, b}] {
				rim = append(rim, [][2]float64{at[a], at[b]})
			}
		}
	}
	for _, l := range o.lines() {
		var line [][2]float64
		for _, i := range l {
			line = append(line, at[i])
		}
		rim = append(rim, line)
	}
	if rim != nil {
		f.pen.path(style{stroke: filmFaint, width: 1.2}, false, rim...)
	}
}

// edgeOn is the area of a face over its squared circumference below which it is seen from its
// edge [-].
const edgeOn = 1e-6

// force draws an arrow of a contact, as long as its force, cut with a bar across at the full
// length.
func (f *filmer) force(from [2]float64, v [3]float64, full float64, stroke string) {
	if !(f.s.Force > 0) {
		return
	}
	l := vec3.Norm(v)
	cut := l > (1+1e-6)*f.s.Force
	if cut {
		v = vec3.Scale(v, f.s.Force/l)
	}
	f.arrow(from, v, full/f.s.Force, stroke)
	if u, w, _ := f.cam.flat(v); cut && math.Hypot(u, w) > 0 {
		x, y := from[0]+0.6*u*full/f.s.Force, from[1]-0.6*w*full/f.s.Force
		d := 5 / math.Hypot(u, w)
		f.line([][2]float64{{x + d*w, y + d*u}, {x - d*w, y - d*u}}, stroke, 2)
	}
}

// axes are normal and first tangent of contact j at frame k, and the second one.
func (f *filmer) axes(k, j int) (n, t, o [3]float64) {
	i := k*f.s.Contacts + j
	if f.s.Axes == nil {
		x := &f.s.Obstacles[f.s.On[j]]
		return x.N, x.T, x.O
	}
	for c := range 3 {
		n[c], t[c] = f.contactAxes[c][i], f.contactAxes[3+c][i]
	}
	return n, t, vec3.Cross(n, t)
}

// of is the point of contact j.
func (s *Scene) of(j int) int {
	if s.Of == nil {
		return j
	}
	return s.Of[j]
}
