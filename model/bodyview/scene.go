package bodyview

import (
	"encoding/base64"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/report"
)

// bodyScene makes the scene of moving bodies. In the plane y is drawn upwards: a
// point (x, y) is shown at (x, 0, y).
type bodyScene struct {
	*report.Scene
	m      *Reader
	frames []bodyFrame
	ties   []bodyPoint
	acting []act
	at     [3][]float64 // of the points
	pose   [7][]float64
	low    [3]float64
	high   [3]float64
}

// mostPushes bounds the contacts that the page shows in all.
const mostPushes = 40_000

// scene makes that of some frames.
func (m *Reader) scene(frames []bodyFrame) *report.Scene {
	s := &bodyScene{Scene: &report.Scene{}, m: m, frames: frames}
	for c := range 3 {
		s.low[c], s.high[c] = math.Inf(1), math.Inf(-1)
	}
	s.bodies()
	s.joints()
	s.acts()
	for i := range s.frames {
		s.frame(&s.frames[i])
	}
	s.obstacles()
	s.Points = len(s.ties)
	s.Anchors = s.Points
	s.X, s.Y, s.Z = report.NewChannel(s.at[0]), report.NewChannel(s.at[1]), report.NewChannel(s.at[2])
	for c := range s.pose {
		s.Pose = append(s.Pose, report.NewChannel(s.pose[c]))
	}
	s.pushes()
	if s.Facets = m.setup.Facets; m.setup.World.Dim() == 2 {
		s.Facets = 2
	}
	s.Box = &[2][3]float64{s.low, s.high}
	return s.Scene
}

// shownFrames thins the frames where they have more contacts than the page bears.
func (m *Reader) shownFrames() []bodyFrame {
	total := 0
	for i := range m.film.frames {
		total += len(m.film.frames[i].contacts)
	}
	stride := 1 + total/mostPushes
	var list []bodyFrame
	for i := 0; i < len(m.film.frames); i += stride {
		list = append(list, m.film.frames[i])
	}
	if tail := m.film.tail; tail.t > list[len(list)-1].t {
		list = append(list, tail)
	}
	return list
}

// upright turns coordinates of the plane into those of the picture.
func (s *bodyScene) upright(x [3]float64) [3]float64 {
	if s.m.setup.World.Dim() == 2 {
		return [3]float64{x[0], 0, x[1]}
	}
	return x
}

func (s *bodyScene) bodies() {
	w := s.m.setup.World
	for b := range w.Bodies() {
		l := w.Appearance(b)
		body := report.SceneBody{Name: s.m.setup.IDs[b], Outline: l.Outline, Length: l.Length, Radius: l.Radius}
		if l.Hull != nil {
			body.Parts = append(body.Parts, report.NewScenePart(l.Hull, nil, bodies.HullAround))
		}
		for _, part := range l.Parts {
			var points [][3]float64
			for _, y := range part.Points {
				points = append(points, s.upright(y))
			}
			body.Parts = append(body.Parts, report.NewScenePart(points, part.Faces, 0))
		}
		if l.Round != ([3]float64{}) {
			body.Round = &l.Round
		}
		if l.Half != ([3]float64{}) {
			body.Half = &l.Half
		}
		s.Bodies = append(s.Bodies, body)
	}
}

// joints declares the points of joints and springs.
func (s *bodyScene) joints() {
	r := s.m.setup.Rigid
	if r == nil {
		return
	}
	q, _ := r.World.Start()
	poses := r.World.Poses(nil, q)
	local := func(body int, x [3]float64) bodyPoint { return fixed(poses, body, x) }
	for k, j := range r.Joints() {
		switch {
		case j.Kind.Rod():
			s.link(local(j.A, j.At), local(j.B, j.Other), 0)
		case j.B < 0 && j.Kind.Slides():
			s.mark(local(j.A, j.At), "slider")
			s.Joints[len(s.Joints)-1].Rail = s.rail(k, &j)
		case j.B < 0:
			at := local(j.A, j.At)
			if p := s.mark(at, "ground"); outside(r.World.Appearance(j.A), at.y) {
				s.Links = append(s.Links, [3]int{p, s.point(bodyPoint{body: j.A}), report.LinkRod})
			}
		default: // arms to both centres, for bodies that do not reach the joint
			p := s.mark(local(j.A, j.At), "joint")
			for _, body := range []int{j.A, j.B} {
				s.Links = append(s.Links, [3]int{p, s.point(bodyPoint{body: body}), report.LinkRod})
			}
		}
	}
	for _, f := range r.Forces() {
		if x, ok := f.(*multibody.Spring); ok {
			s.link(bodyPoint{x.A, x.AtA}, bodyPoint{x.B, x.AtB}, report.LinkSpring)
		}
	}
}

// rail is the guide of a joint that slides along an axis of the ground: as long as its way in the frames,
// and its bearing, or a part of its body, on both sides.
func (s *bodyScene) rail(k int, j *multibody.Joint) *[2][3]float64 {
	w := s.m.setup.World
	q, _ := w.Start()
	at, axis := fixed(w.Poses(nil, q), j.A, j.At), vec3.Scale(j.Axis, 1/vec3.Norm(j.Axis))
	low, high := 0.0, 0.0
	for i := range s.frames {
		p := &w.Poses(nil, s.frames[i].q)[j.A]
		way := vec3.Dot(vec3.Add(vec3.Add(p.Centre, 1, turned(p, at.y)), -1, j.At), axis)
		low, high = min(low, way), max(high, way)
	}
	half := w.Reach(j.A) / 2
	for i := range s.m.setup.Rigid.Stops {
		if x := &s.m.setup.Rigid.Stops[i]; x.Joint == k && x.Brake != nil && x.Brake.Bearing != nil && x.Brake.Bearing.Length > 0 {
			half = x.Brake.Bearing.Length / 2
		}
	}
	ends := &[2][3]float64{s.upright(vec3.Add(j.At, low-half, axis)), s.upright(vec3.Add(j.At, high+half, axis))}
	for _, x := range ends {
		for c := range x {
			s.low[c], s.high[c] = min(s.low[c], x[c]), max(s.high[c], x[c])
		}
	}
	return ends
}

// outside reports whether a point lies outside of a box or an ellipsoid: that far it takes an arm.
func outside(l bodies.Appearance, y [3]float64) bool {
	const typed = 1e-9 // digits of a case
	sum := 0.0
	for c := range y {
		switch {
		case l.Half[c] > 0 && math.Abs(y[c]) > (1+typed)*l.Half[c]:
			return true
		case l.Round[c] > 0:
			sum += (y[c] / l.Round[c]) * (y[c] / l.Round[c])
		}
	}
	return sum > 1+typed
}

// point adds a point.
func (s *bodyScene) point(t bodyPoint) int {
	s.ties = append(s.ties, t)
	return len(s.ties) - 1
}

// mark adds a point with a symbol.
func (s *bodyScene) mark(t bodyPoint, kind string) int {
	n := s.point(t)
	s.Joints = append(s.Joints, report.SceneMark{Point: n, Kind: kind})
	return n
}

// link joins two points by a spring, or by a rod for kind 0.
func (s *bodyScene) link(a, b bodyPoint, kind int) {
	kinds := [2]string{"joint", "joint"}
	for i, t := range []bodyPoint{a, b} {
		if t.body < 0 {
			kinds[i] = "anchor"
		}
	}
	if kind == 0 {
		kind = report.LinkRod
	}
	s.Links = append(s.Links, [3]int{s.mark(a, kinds[0]), s.mark(b, kinds[1]), kind})
}

// frame appends the poses and points of a frame.
func (s *bodyScene) frame(f *bodyFrame) {
	w := s.m.setup.World
	s.Times = append(s.Times, f.t)
	poses := w.Poses(nil, f.q)
	for b := range poses {
		p := &poses[b]
		centre, quaternion := s.upright(p.Centre), s.turn(b, f.q)
		if n := len(s.pose[3]); n >= len(poses) && dot4(s.pose, n-len(poses), quaternion) < 0 {
			for i := range quaternion { // q and −q turn alike: the nearer one moves smoothly
				quaternion[i] = -quaternion[i]
			}
		}
		reach := w.Reach(b)
		for c := range 3 {
			s.pose[c] = append(s.pose[c], centre[c])
			if w.Dim() == 3 || c != 1 {
				s.low[c], s.high[c] = min(s.low[c], centre[c]-reach), max(s.high[c], centre[c]+reach)
			} else {
				s.low[c], s.high[c] = 0, 0
			}
		}
		for i, v := range quaternion {
			s.pose[3+i] = append(s.pose[3+i], v)
		}
	}
	for i := range s.acting {
		s.acting[i].observe(s, f, poses)
	}
	for _, t := range s.ties {
		x := t.y
		if t.body >= 0 {
			x = vec3.Add(poses[t.body].Centre, 1, turned(&poses[t.body], t.y))
		}
		x = s.upright(x)
		for c := range 3 {
			s.at[c] = append(s.at[c], x[c])
			s.low[c], s.high[c] = min(s.low[c], x[c]), max(s.high[c], x[c])
		}
	}
}

func dot4(pose [7][]float64, at int, q [4]float64) float64 {
	sum := 0.0
	for i, v := range q {
		sum += pose[3+i][at] * v
	}
	return sum
}

// turn returns the quaternion of a body in the picture; in the plane the rotation
// from x to z, about −y.
func (s *bodyScene) turn(b int, q []float64) [4]float64 {
	w := s.m.setup.World
	at, _ := w.Coordinates(b)
	switch {
	case !w.Spins(b):
		return [4]float64{1}
	case w.Dim() == 2:
		sin, cos := math.Sincos(q[at+2] / 2)
		return [4]float64{cos, 0, -sin, 0}
	}
	return [4]float64(q[at+3 : at+7])
}

// pushes encodes the contacts.
func (s *bodyScene) pushes() {
	w := s.m.setup.World
	p := &report.Pushes{}
	number := map[string]int{}
	for i, id := range s.m.setup.IDs {
		number[id] = i
	}
	for i := range s.Obstacles {
		number[s.Obstacles[i].Name] = -1 - i
	}
	var at, normal, cross [3][]float64
	var shares [2][]float64
	largest := s.shown()
	var status []byte
	for i := range s.frames {
		list := s.frames[i].contacts
		p.Count = append(p.Count, len(list))
		for k := range list {
			c := &list[k]
			x, n, f := s.upright(c.At), s.upright(c.N), s.upright(c.Friction)
			for a := range 3 {
				at[a], normal[a], cross[a] = append(at[a], x[a]), append(normal[a], n[a]*c.Normal), append(cross[a], f[a])
			}
			t, o := w.Tangents(c.N)
			for a, d := range [][3]float64{t, o} {
				share := 0.0
				if c.Bound > 0 {
					share = vec3.Dot(c.Friction, d) / c.Bound
				}
				shares[a] = append(shares[a], share)
			}
			largest[i] = max(largest[i], c.Normal, vec3.Norm(c.Friction))
			p.A, p.B = append(p.A, number[c.A]), append(p.B, number[c.B])
			status = append(status, statusOf(c))
		}
	}
	s.Force = report.ForceScale(largest)
	if len(status) == 0 {
		return
	}
	for a := range 3 {
		p.At[a], p.Normal[a], p.Cross[a] = report.NewChannel(at[a]), report.NewExactChannel(normal[a]), report.NewExactChannel(cross[a])
	}
	p.Share[0], p.Share[1] = report.NewExactChannel(shares[0]), report.NewExactChannel(shares[1])
	p.Status = base64.StdEncoding.EncodeToString(status)
	s.Pushes = p
}

// statusOf is the state of a contact that carries a force.
func statusOf(c *ContactRow) byte {
	switch {
	case c.Bound == 0 && c.Friction == [3]float64{}:
		return report.StatusSmooth
	case c.State == dynamics.Slide:
		return report.StatusSlip
	}
	return report.StatusStick
}

// farLarger is the part of the motion from which on the picture does not hold an obstacle:
// the motion would not be seen any more.
const farLarger = 6

// obstacles adds all of the world, where they are at the times of the frames.
func (s *bodyScene) obstacles() {
	box, shown := [2][3]float64{s.low, s.high}, [2][3]float64{s.low, s.high}
	at := s.m.extent(s.frames)
	size := func(b *[2][3]float64) float64 {
		return max(b[1][0]-b[0][0], b[1][1]-b[0][1], b[1][2]-b[0][2])
	}
	for i := range s.m.setup.World.Obstacles() {
		x, move := s.m.obstacle(i, at), s.m.moved(i)
		if s.m.setup.World.Moving(i) {
			x.Move(s.Times, move)
		}
		if whole := box; x.At != nil {
			x.Holds(&whole, s.Times, move)
			if size(&whole) <= farLarger*size(&box) {
				x.Holds(&shown, s.Times, move)
			}
		}
		s.Obstacles = append(s.Obstacles, x)
	}
	s.low, s.high = shown[0], shown[1]
}

// extent is the box of the motion of the bodies in some frames.
func (m *Reader) extent(frames []bodyFrame) (box [2][3]float64) {
	w := m.setup.World
	for c := range 3 {
		box[0][c], box[1][c] = math.Inf(1), math.Inf(-1)
	}
	for i := range frames {
		for b, p := range w.Poses(nil, frames[i].q) {
			for c, x := range p.Centre {
				box[0][c], box[1][c] = min(box[0][c], x-w.Reach(b)), max(box[1][c], x+w.Reach(b))
			}
		}
	}
	return box
}
