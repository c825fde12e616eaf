package rigid

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// face is what the corners bear together on which a body rests.
type face struct {
	a, b, floor int
	meeting     uint64
	n           vec3.Vec
	at, force   []vec3.Vec // of the corners [m, N]
	press       []float64  // along the normal [N]
	mu          float64
}

// restOnCorners remembers the first pair of which a face rests that an even pressure may not hold. Its
// corners bear friction T and a moment M about the normal, about the centre of the pressures N. Under a
// pressure spread over the face friction has at least
//
//	|T|/(μN) + |M|/(μN r̄) <= 1,
//
// with r̄ the mean distance of its points, since its forces are a convex set that has both ends
// [Goyal91]; what is beyond that may slide or turn. Where the case asks for an even pressure it remembers
// the faces, at rest or not, that bear at their corners all the same, ten pairs at most.
func (r *Run) restOnCorners() {
	m, uniform := r.sum.Multibody, r.c.Options.Pressure == rigid.UniformPressure
	if m.Corners != "" || r.c.World.Dim() == 2 || len(m.Uneven) == 10 {
		return
	}
	var f face
	judge := func() {
		if len(f.at) < 3 {
			return
		}
		name := r.c.IDs[f.a] + " on " + r.c.second(f.b, f.floor)
		switch {
		case uniform && len(m.Uneven) < 10 && !slices.Contains(m.Uneven, name):
			m.Uneven = append(m.Uneven, name)
		case !uniform && m.Corners == "" && f.share() > 1:
			m.Corners = name
		}
	}
	r.stepper.Contacts(func(p *rigid.Present) {
		if !uniform && p.State != rigid.Stick || !(p.Force[0] > 0) || r.c.Model.StopOf(p.Touch) != nil || r.even(p.Touch) {
			return
		}
		// Normals of one face differ by rounding, far less than an angle of 1e-3.
		if now := bodies.MeetingOf(p.Key); len(f.at) == 0 || now != f.meeting || vec3.Dot(p.N, f.n) < 1-1e-6 {
			judge()
			f = face{a: p.A, b: p.B, floor: p.Floor, meeting: now, n: p.N, mu: p.Mu, at: f.at[:0], force: f.force[:0], press: f.press[:0]}
		}
		f.at = append(f.at, p.At)
		f.press = append(f.press, p.Force[0])
		f.force = append(f.force, vec3.Add(vec3.Scale(p.Frame[1], p.Force[1]), p.Force[2], p.Frame[2]))
	})
	judge()
}

// even reports whether a touch is one of a face that bears evenly.
func (r *Run) even(t *bodies.Touch) bool {
	return r.c.Options.Pressure == rigid.UniformPressure && r.c.World.Share(t) > 0
}

// share is the left side.
func (f *face) share() float64 {
	var c, t vec3.Vec
	n := 0.0
	for i, p := range f.press {
		n += p
		c, t = vec3.Add(c, p, f.at[i]), vec3.Add(t, 1, f.force[i])
	}
	c = vec3.Scale(c, 1/n)
	moment := 0.0
	for i, x := range f.at {
		moment += vec3.Dot(f.n, vec3.Cross(vec3.Add(x, -1, c), f.force[i]))
	}
	return (vec3.Norm(t) + math.Abs(moment)/f.lever(c)) / (f.mu * n)
}

// lever is the mean distance of the points of the face from c, within it: over a triangle with a corner
// in c two thirds of the mean over the side across, here by Simpson's rule.
func (f *face) lever(c vec3.Vec) float64 {
	x := vec3.Add(f.at[0], -1, c)
	for _, at := range f.at { // c may be a corner
		if y := vec3.Add(at, -1, c); vec3.Norm(y) > vec3.Norm(x) {
			x = y
		}
	}
	side := vec3.Cross(f.n, x)
	around := func(y vec3.Vec) float64 { return math.Atan2(vec3.Dot(y, side), vec3.Dot(y, x)) }
	ring := make([]vec3.Vec, len(f.at))
	for i, at := range f.at {
		ring[i] = vec3.Add(at, -1, c)
	}
	slices.SortFunc(ring, func(y, z vec3.Vec) int {
		if around(y) < around(z) {
			return -1
		}
		return 1
	})
	area, sum := 0.0, 0.0
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		w := math.Abs(vec3.Dot(f.n, vec3.Cross(p, q)))
		area, sum = area+w, sum+w*(vec3.Norm(p)+4*vec3.Norm(vec3.Scale(vec3.Add(p, 1, q), 0.5))+vec3.Norm(q))/9
	}
	return sum / area
}
