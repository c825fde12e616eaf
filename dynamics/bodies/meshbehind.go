package bodies

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Ground that ends has no surface beside it: who gets round its edge is behind its faces, where the
// point of the mesh that is nearest may still be on the edge, which is behind nothing. So the start is
// looked at along the normals of the faces, and a run has [World.Moved].

// behind returns the point of a face of open ground whose back a point sees along the normal, where the
// nearest point of the mesh is its edge; elsewhere that tells the side. The work is O(n).
func (m *Mesh) behind(x vec) (at vec, ok bool) {
	if f, found := m.foot(x, math.Inf(1)); !m.open || !found || !f.border {
		return at, false
	}
	for i := range m.faces {
		t := &m.faces[i]
		h := vec3.Dot(t.n, vec3.Add(x, -1, m.at[t.v[0]]))
		if h >= 0 {
			continue
		}
		at = vec3.Add(x, -h, t.n)
		if m.within(i, at) && !m.between(i, x, at) {
			return at, true
		}
	}
	return at, false
}

// within reports whether a point in the plane of a triangle is in it, to rounding.
func (m *Mesh) within(face int, x vec) bool {
	t := &m.faces[face]
	for k, v := range t.v {
		if vec3.Dot(t.out[k], vec3.Add(x, -1, m.at[v])) > shallow*m.grain {
			return false
		}
	}
	return true
}

// between reports whether another face is on the way from x to a point of a face.
func (m *Mesh) between(face int, x, to vec) (found bool) {
	low, high := x, x
	for k := range x {
		low[k], high[k] = min(x[k], to[k]), max(x[k], to[k])
	}
	m.tree.Within(low, high, func(i int) {
		t := &m.faces[i]
		a, b := vec3.Dot(t.n, vec3.Add(x, -1, m.at[t.v[0]])), vec3.Dot(t.n, vec3.Add(to, -1, m.at[t.v[0]]))
		if i != face && a*b < 0 && math.Abs(b) > shallow*m.grain {
			found = found || m.within(i, vec3.Add(x, a/(a-b), vec3.Add(to, -1, x)))
		}
	})
	return found
}

// Begins returns why a body cannot begin where it is at q beside an obstacle: behind ground, past its edge.
func (w *World) Begins(q []float64, body, obstacle int) error {
	f := &w.floors[obstacle]
	m, ok := f.Surface.(Mesh)
	if !ok {
		return nil
	}
	p, o := w.pose(body, q), f.pose(0)
	for i := range w.bodies[body].form.count() {
		_, at := w.bodies[body].form.part(i, &p)
		if x, behind := m.behind(o.local(at.c)); behind {
			return fmt.Errorf("bodies: a body begins behind ground, and sees the back of a face %.6g m away: all that is behind the faces of an open mesh is solid, without an end; want another position, or faces with their corners counter-clockwise as seen from the bodies",
				vec3.Norm(vec3.Add(x, -1, o.local(at.c))))
		}
	}
	return nil
}

// Ends reports whether an obstacle has an edge past which a body gets behind it.
func (w *World) Ends(obstacle int) bool {
	m, mesh := w.floors[obstacle].Surface.(Mesh)
	return mesh && m.open
}

// Moved bounds how far a point of a body has come from (t0, q0) to (t, q), as seen from an obstacle: by its
// centre, and its reach times the Frobenius norm of what its rotation changed by [m]. No body is deeper behind
// a face that it went through.
func (w *World) Moved(body, obstacle int, t0 float64, q0 []float64, t float64, q []float64) float64 {
	f, turned := &w.floors[obstacle], 0.0
	from, to := w.pose(body, q0), w.pose(body, q)
	before, now := f.pose(t0), f.pose(t)
	from, to = from.in(&before), to.in(&now)
	for k, x := range to.r {
		turned += (x - from.r[k]) * (x - from.r[k])
	}
	return vec3.Norm(vec3.Add(to.c, -1, from.c)) + w.Reach(body)*math.Sqrt(turned)
}
