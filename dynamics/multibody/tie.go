package multibody

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/forest"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Tie holds two bodies together, or one to the ground: what they do relative to each other, how long
// a spring is, how far a hinge is open, is judged by itself. Springs are ties, and so are the
// motions that joints between two bodies leave: slides, each for itself, and in the plane the turns
// of all hinges that hang together, which are one shape, as that of a mesh is: of a single link of a
// long chain nothing more is asked. In space how far one body has turned beside another has no
// number that goes on beyond half a revolution.
type Tie interface {
	Bodies() []int
	// Apart is by how much its length, or its turn times the arm, is another one than then [m].
	Apart(now, then *Snapshot) float64
	Arm(m *Model) float64 // of a turn [m]; 0: a length
}

// Ties lists those of the model, which starts at q: its springs, then those of joints.
func (m *Model) Ties(q []float64) (list []Tie) {
	for _, f := range m.Setup.Forces {
		if t, ok := f.(Tie); ok {
			list = append(list, t)
		}
	}
	poses := m.World.Poses(nil, q)
	shapes := map[int]*shape{} // of what hangs together by joints
	islands := m.jointed()
	for i := range m.Setup.Joints {
		j := &m.Setup.Joints[i]
		if j.B < 0 {
			continue
		}
		kind, _ := kindOf(j.Kind)
		if kind.slides || kind.glides {
			list = append(list, &slide{j.A, j.B, PointOf(&poses[j.A], j.At)})
		}
		if m.Dim != 2 || !kind.turns || !m.Bodies[j.A].Spins || !m.Bodies[j.B].Spins { // points do not turn
			continue
		}
		root := islands.Root(j.A)
		s := shapes[root]
		if s == nil {
			s = new(shape)
			shapes[root], list = s, append(list, s)
		}
		s.hinges = append(s.hinges, [2]int{j.A, j.B})
	}
	return list
}

// jointed are the bodies that hang together by joints.
func (m *Model) jointed() forest.Sets {
	x := forest.New(len(m.Bodies))
	for i := range m.Setup.Joints {
		if j := &m.Setup.Joints[i]; j.B >= 0 {
			x.Join(j.A, j.B)
		}
	}
	return x
}

// slide is the place of a point of A on the axes of B.
type slide struct {
	a, b int
	at   vec // on the axes of A
}

func (s *slide) Bodies() []int      { return []int{s.a, s.b} }
func (*slide) Arm(*Model) float64   { return 0 }
func (s *slide) of(x *Snapshot) vec { return PointOf(&x.Poses[s.b], s.inSpace(&x.Poses[s.a])) }

func (s *slide) inSpace(p *bodies.Pose) vec { return vec3.Add(p.Centre, 1, ToSpace(p, s.at)) }

func (s *slide) Apart(now, then *Snapshot) float64 {
	return vec3.Norm(vec3.Add(s.of(now), -1, s.of(then)))
}

// shape are the turns of one body beside another at each of some hinges in the plane, together.
type shape struct{ hinges [][2]int }

func (s *shape) Bodies() []int { return []int{s.hinges[0][0], s.hinges[0][1]} }

// Arm is that of the first body, as of a [Twist].
func (s *shape) Arm(m *Model) float64 { return m.Bodies[s.hinges[0][0]].Arm }

func (s *shape) Apart(now, then *Snapshot) float64 {
	sum := 0.0
	for _, h := range s.hinges {
		turn := now.turn(h) - then.turn(h)
		sum += turn * turn
	}
	return s.Arm(now.M) * math.Sqrt(sum)
}

// turn is the angle of one body beside another in the plane.
func (x *Snapshot) turn(of [2]int) float64 { return x.M.heading(x.Q, of[0]) - x.M.heading(x.Q, of[1]) }
