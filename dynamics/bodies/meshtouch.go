package bodies

import (
	"errors"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Names of touches of a mesh are below partShift: over faces the number of the point of the body, below
// hueShift, and the hue of the face; on edges from edgeNames on and on vertices from twice that on what is
// left of their numbers times four, which are as many points as a convex body has there.
const (
	hueShift  = 10
	edgeNames = 1 << 14
)

// faceName is that of a point of a body over a face of a hue.
func faceName(k, hue int) int { return k&(1<<hueShift-1) | hue<<hueShift&(edgeNames-1) }

func (m Mesh) validate(dim int) error {
	if len(m.tree.Boxes) == 0 {
		return errors.New("bodies: a mesh is required, from NewMesh")
	}
	return spatial("a mesh", "a graph or a polygon that is fixed", dim)
}

func (Mesh) accepts(*form) error { return nil }

func (Mesh) features(*form) int { return 1 }

// byPatch refuses bodies that a patch at the point of the mesh that is nearest does not hold: all but
// round ones, and these where the surface is hollow.
func (m Mesh) byPatch(f *form) error {
	if !isRound(f) {
		return errors.New("it has no single point where it meets a mesh, and a patch needs one; the model \"rigid\" does not")
	}
	for i := range m.edges {
		if e := &m.edges[i]; e.hollow && f.radius > 0 {
			return errors.New("the mesh is hollow at its edge " + m.span(e.v[0], e.v[1]) +
				", where a ball touches two faces, and a patch holds one; the model \"rigid\" holds both")
		}
	}
	return nil
}

// meeting is that of a round body with the point of the mesh that is nearest to its centre.
func (m Mesh) meeting(f *form, p *pose, _ int) meeting {
	x, _ := m.foot(p.c, math.Inf(1))
	n, gap := x.side(p.c)
	return meeting{vec3.Scale(n, -f.radius), n, gap - f.radius}
}

// side is the direction out of the mesh at the foot of a point, and the distance of the point, less than
// zero where it is inside; round an edge where the mesh ends all is outside.
func (x *foot) side(of vec) (n vec, distance float64) {
	d := vec3.Add(of, -1, x.at)
	if x.distance == 0 {
		return x.n, 0
	}
	sign := 1 / x.distance
	if !x.border {
		sign = math.Copysign(sign, vec3.Dot(d, x.n))
	}
	return vec3.Scale(d, sign), sign * x.distance * x.distance
}

// far is that from the box of all; under open ground there is no end.
func (m Mesh) far(f *form, p *pose) float64 {
	if m.open {
		return math.Inf(-1)
	}
	return math.Sqrt(off(&m.tree.Boxes[0], p.c)) - f.reach
}

// collect cuts what is asked for at any distance to what is near, and what may be soon. Where all of
// the body is deep inside the mesh it is its depth alone.
func (m Mesh) collect(c *clipper, f *form, p *pose) {
	x, ok := m.foot(p.c, math.Inf(1))
	if !ok {
		return // it is not finite
	}
	first := len(c.out)
	if x.distance-f.reach <= c.margin {
		margin := c.margin
		c.margin = min(margin, x.distance+max(f.reach, m.grain))
		w := meshTouches{clipper: c, m: &m, f: f, p: p, near: shallow * max(f.reach, m.grain), first: first}
		w.all()
		c.margin = margin
	}
	if n, distance := x.side(p.c); len(c.out) == first && distance < 0 && distance <= -f.reach {
		c.add(spot{x.at, n, distance - f.reach}, 0)
	}
}

// meshTouches are those of a convex body and a mesh.
type meshTouches struct {
	*clipper
	m     *Mesh
	f     *form
	p     *pose
	near  float64 // what counts as one place [m]
	first int     // of the points

	sunk []sunken // edges and vertices inside the body, along no normal of theirs
}

// sunken is an edge or a vertex inside of a body: the faces around it and the sum of their normals.
type sunken struct {
	faces []int
	n     vec
}

// all adds the points over faces, and then what edges and vertices add to them.
func (w *meshTouches) all() {
	var low, high vec
	for k := range low {
		var e vec
		e[k] = 1
		low[k], high[k] = -w.f.supportAt(w.p, vec3.Scale(e, -1))-w.margin, w.f.supportAt(w.p, e)+w.margin
	}
	w.list = w.list[:0]
	w.m.tree.Within(low, high, func(face int) { w.list = append(w.list, face) })
	for _, face := range w.list {
		w.onTriangle(face)
	}
	for _, face := range w.list {
		t := &w.m.faces[face]
		for k, v := range t.v {
			if w.m.edges[t.edge[k]].face[0] == face {
				w.onRidge(t.edge[k])
			}
			if x := &w.m.tips[v]; len(x.edges) > 0 && w.m.edges[x.edges[0]].face[0] == face {
				w.onTip(v)
			}
		}
	}
	if !slices.ContainsFunc(w.out[w.first:], func(x point) bool { return x.gap < 0 }) {
		for i := range w.sunk {
			w.part(&w.sunk[i])
		}
	}
}

// part adds how deep a body is in what is around an edge or a vertex inside of it, made a convex body by
// their points and those below: where corners have run into each other, what takes the edge or the vertex
// out of the body the shortest way may not take the body out of what it bounds.
func (w *meshTouches) part(x *sunken) {
	var list []vec
	for _, i := range x.faces {
		for _, v := range w.m.faces[i].v {
			list = append(list, w.m.at[v], vec3.Add(w.m.at[v], -w.f.reach/vec3.Norm(x.n), x.n))
		}
	}
	own := Polyhedron{list}.form()
	if own.core == nil {
		return
	}
	start := len(w.out)
	w.whole(w.f, &own, w.p, &pose{r: identity})
	found := w.out[start:]
	w.out = w.out[:start]
	for i, y := range found {
		if y.gap < 0 && vec3.Dot(y.n, x.n) > 0 {
			y.at, y.feature = vec3.Add(y.at, y.gap/2, y.n), 3*edgeNames|4*i
			w.keep(y, 4, func(*point) bool { return true })
		}
	}
}

// onTriangle adds the points of the body that are over a triangle, as over the half-space under it.
func (w *meshTouches) onTriangle(face int) {
	t, from := &w.m.faces[face], len(w.out)
	if vec3.Dot(t.n, vec3.Add(w.p.c, -1, w.m.at[t.v[0]])) > w.f.reach+w.margin {
		return
	}
	w.onPlane(w.f, w.p, w.m.at[t.v[0]], t.n)
	found := w.out[from:]
	w.out = w.out[:from]
	for _, x := range found {
		core := vec3.Add(x.at, w.f.radius, t.n)
		if x.gap > w.margin || !w.over(face, core, x.gap+w.f.radius) || !w.foremost(&x) {
			continue
		}
		twice := func(y *point) bool {
			return y.feature&(1<<hueShift-1) == x.feature&(1<<hueShift-1) && vec3.Norm(vec3.Add(y.n, -1, x.n)) <= 2*hullTilt
		}
		x.feature = faceName(x.feature, t.hue)
		w.keep(x, 1<<hueShift, twice)
	}
}

// under is the touch over a face of a point of the core of a body that is named, if the mesh is nearest to
// the point there.
func (m *Mesh) under(f *form, p *pose, feature int) (x point, ok bool) {
	k := feature & (1<<hueShift - 1)
	if feature >= edgeNames || k >= len(f.core) {
		return x, false
	}
	core := p.place(f.core[k])
	y, found := m.foot(core, math.Inf(1))
	if !found || faceName(k, y.hue) != feature {
		return x, false
	}
	gap := vec3.Dot(y.n, vec3.Add(core, -1, y.at)) - f.radius
	return point{spot: spot{vec3.Add(core, -f.radius, y.n), y.n, gap}, feature: feature}, true
}

// over reports whether a point of the core of the body at a height is over a triangle: within its sides;
// on its side of the plane between it and a neighbour beyond an edge that is not hollow, where each point
// is over one of the two; and at a hollow one as much beyond as it is deep.
func (w *meshTouches) over(face int, x vec, height float64) bool {
	t, slack := &w.m.faces[face], 0.0
	if w.smooth() || w.f.radius > 0 { // their points over two faces that differ by rounding differ, too
		slack = w.near
	}
	for k, i := range t.edge {
		e := &w.m.edges[i]
		d := vec3.Add(x, -1, e.from)
		out := vec3.Dot(t.out[k], d)
		far := w.near
		if e.hollow {
			far += max(0, -height)
		}
		if (!e.flat || w.smooth()) && out > far {
			return false
		}
		across := vec3.Dot(e.split, d)
		if !e.hollow && !e.ends() && (e.face[0] == face && across > slack || e.face[0] != face && across <= -slack) {
			return false
		}
	}
	return true
}

// smooth reports whether a body touches in a point that moves over it as the normal turns.
func (w *meshTouches) smooth() bool { return isQuadric(w.f) || w.f.solid != nil }

// foremost reports whether a point below a face is inside the mesh, and no other part of the surface is
// nearer to it.
func (w *meshTouches) foremost(x *point) bool {
	if x.gap >= -w.near {
		return true
	}
	y, _ := w.m.foot(x.at, math.Inf(1))
	return y.distance >= -x.gap-w.near && !y.border && vec3.Dot(vec3.Add(x.at, -1, y.at), y.n) < 0
}

// onRidge adds the points of an edge that a body touches along normals between those of its faces.
func (w *meshTouches) onRidge(i int) {
	e := &w.m.edges[i]
	if e.hollow || e.flat && (!w.smooth() || vec3.Dot(w.m.faces[e.face[0]].n, e.into[1]) >= 0) {
		return
	}
	// The part of it within reach, of a body that reaches beyond both faces.
	d, reach := vec3.Add(w.p.c, -1, e.from), w.f.reach+w.margin+w.near
	middle := vec3.Dot(e.along, d)
	from, to := max(0, middle-reach), min(e.length, middle+reach)
	beyond := w.f.reach + parallel*reach
	if from >= to || vec3.Norm(vec3.Add(d, -middle, e.along)) > reach || vec3.Dot(e.into[0], d) > beyond ||
		vec3.Dot(e.into[1], d) > beyond {
		return
	}
	line := isRound(w.f) || isSegment(w.f) || isQuadric(w.f)
	if !line && !w.leans(e, 0) || !line && !e.ends() && !w.leans(e, 1) {
		return
	}
	half := (to - from) / 2
	across := vec3.Scale(w.m.faces[e.face[0]].n, 1)
	third := vec3.Cross(e.along, across)
	own := segment(to-from, 0)
	at := pose{vec3.Add(e.from, from+half, e.along),
		[9]float64{e.along[0], across[0], third[0], e.along[1], across[1], third[1], e.along[2], across[2], third[2]}}
	start := len(w.out)
	if line {
		w.whole(w.f, &own, w.p, &at)
	} else { // which knows a line without a thickness that is inside of a face
		w.convex(w.f, &own, w.p, &at)
	}
	faces := e.face[:1]
	if !e.ends() {
		faces = e.face[:]
	}
	w.take(start, w.m.faces[e.face[0]].hue, edgeNames|4*i&(edgeNames-1), sunken{faces, e.mean}, func(n vec, tilt float64) bool {
		if math.Abs(vec3.Dot(n, e.along)) > tilt || vec3.Dot(n, e.mean) <= 0 || vec3.Dot(n, e.into[0]) > tilt {
			return false
		}
		if e.ends() {
			return vec3.Dot(n, w.m.faces[e.face[0]].n) >= -tilt
		}
		return vec3.Dot(n, e.into[1]) <= tilt
	})
}

// leans reports whether one of the points of the body that are the lowest over a face lies beyond an edge
// of it: else what is lowest along normals between those of the faces of the edge is so along one of theirs.
func (w *meshTouches) leans(e *meshEdge, k int) bool {
	n, least, found := w.m.faces[e.face[k]].n, math.Inf(1), false
	w.points, _ = w.f.corners(w.points[:0], w.p.back(vec3.Scale(n, -1)))
	for _, y := range w.points {
		least = min(least, vec3.Dot(n, w.p.turn(y)))
	}
	for _, y := range w.points {
		x := w.p.turn(y)
		d := vec3.Add(vec3.Add(w.p.c, 1, x), -1, e.from)
		deep := 10 * max(0, -vec3.Dot(n, d)) // of what is inside of both faces an angle of 12° makes as much
		found = found || vec3.Dot(n, x) <= least+2*parallel*w.f.reach && vec3.Dot(e.into[k], d) <= w.near+deep
	}
	return found
}

// onTip adds the point of a vertex that a body touches along a normal that its edges are behind.
func (w *meshTouches) onTip(v int) {
	x, own := &w.m.tips[v], ball(0)
	at, start := pose{w.m.at[v], identity}, len(w.out)
	if vec3.Norm(vec3.Add(w.p.c, -1, at.c)) > w.f.reach+w.margin {
		return
	}
	w.whole(w.f, &own, w.p, &at)
	w.take(start, w.m.faces[w.m.edges[x.edges[0]].face[0]].hue, 2*edgeNames|4*v&(2*edgeNames-1),
		sunken{w.m.around(v), x.n}, func(n vec, tilt float64) bool {
			if vec3.Dot(n, x.n) <= 0 {
				return false
			}
			for _, i := range x.edges {
				e := &w.m.edges[i]
				if vec3.Dot(n, e.away(e.end(v))) > tilt {
					return false
				}
				if e.ends() && vec3.Dot(n, w.m.faces[e.face[0]].n) < -tilt {
					return false
				}
			}
			return true
		})
}

// around are the faces at a vertex.
func (m *Mesh) around(v int) (faces []int) {
	for _, i := range m.tips[v].edges {
		for _, face := range m.edges[i].face {
			if face >= 0 && !slices.Contains(faces, face) {
				faces = append(faces, face)
			}
		}
	}
	return faces
}

// take keeps those of the points from start on that have a normal of the cone, and names them: as those
// over faces where the body is round or oval, so that what rolls over an edge goes on with its name.
func (w *meshTouches) take(start, hue, name int, of sunken, cone func(n vec, tilt float64) bool) {
	found := w.out[start:]
	w.out = w.out[:start]
	deep, kept := false, len(w.out)
	for i, x := range found {
		deep = deep || x.gap < 0
		x.at = vec3.Add(x.at, x.gap/2, x.n) // on the body, as over a face
		tilt := parallel                    // what lies along a face begins to tilt about its edge
		if w.rounded(&x) {
			tilt = shallow
		}
		if x.gap > w.margin || !cone(x.n, tilt) {
			continue
		}
		x.feature = name + i
		if isRound(w.f) || isQuadric(w.f) {
			x.feature = faceName(0, hue)
		}
		w.keep(x, 4, func(*point) bool { return true })
	}
	if deep && len(w.out) == kept {
		w.sunk = append(w.sunk, of)
	}
}

// rounded reports whether a body touches by a part of it that is round all around: a point beside an edge
// would meet it too early, if normals were taken for those of its faces that are not.
func (w *meshTouches) rounded(x *point) bool {
	if isQuadric(w.f) {
		return true
	}
	core := vec3.Add(x.at, w.f.radius, x.n)
	for _, y := range w.f.core {
		if len(w.f.core) < 3 && vec3.Norm(vec3.Add(w.p.place(y), -1, core)) <= parallel*w.f.radius+w.near {
			return true
		}
	}
	return false
}

// keep adds a point, but for one that is in the place of another that is as good; of two that have one
// name it changes that of the second.
func (w *meshTouches) keep(x point, step int, twice func(*point) bool) {
	foot := vec3.Add(x.at, -x.gap, x.n)
	for k := w.first; k < len(w.out); k++ {
		y := &w.out[k]
		if twice(y) && vec3.Norm(vec3.Add(vec3.Add(y.at, -y.gap, y.n), -1, foot)) <= 4*w.near {
			return
		}
	}
	for slices.ContainsFunc(w.out[w.first:], func(y point) bool { return y.feature == x.feature }) {
		x.feature = (x.feature + step) & (1<<partShift - 1)
	}
	w.out = append(w.out, x)
}
