package multibody

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// NewModel checks the setup at the start of the world, where the joints are assembled.
func NewModel(w *bodies.World, s Setup) (*Model, error) {
	if w == nil {
		return nil, errors.New("rigid: a world is required")
	}
	m := &Model{World: w, Setup: s, Dim: w.Dim()}
	if w.Bodies() == 0 {
		return nil, fmt.Errorf("rigid: the world has no bodies")
	}
	m.places()
	if err := m.materials(); err != nil {
		return nil, err
	}
	if err := m.mechanism(); err != nil {
		return nil, err
	}
	if err := m.stops(); err != nil {
		return nil, err
	}
	if err := m.lead(); err != nil {
		return nil, err
	}
	m.split()
	m.idle()
	m.reflect()
	return m, nil
}

// places takes what the steps need of the bodies and obstacles of the world.
func (m *Model) places() {
	w := m.World
	for i := range w.Bodies() {
		mass, j := w.Inertia(i)
		_, v := w.Coordinates(i)
		p := Place{V: v, N: m.Dim, Spins: w.Spins(i), Mass: mass, Moments: j, Body: i, Reach: w.Reach(i), Arm: w.Arm(i)}
		p.Drag[0], p.Drag[1] = w.Drag(i)
		if p.Spins {
			p.N = 3
			if m.Dim == 3 {
				p.N = 6
				p.Gyro = j[0] != j[1] || j[1] != j[2]
				p.Round = !p.Gyro
				m.Gyro = m.Gyro || p.Gyro
			}
			m.Spinning = append(m.Spinning, i)
		}
		if w.Directed(i) {
			m.Directed = append(m.Directed, i)
		}
		p.Curved = w.Oval(i)
		p.Ball = !p.Curved && w.Features(i) == 1
		m.Bodies = append(m.Bodies, p)
	}
	for f := range w.Obstacles() {
		_, plane := w.Obstacle(f).Surface.(bodies.HalfSpace)
		m.Planes = append(m.Planes, plane)
	}
}

// idle notes which spins move nothing but the body itself: about axes of symmetry, of bodies that
// no joint or force holds.
func (m *Model) idle() {
	for i := range m.Bodies {
		p := &m.Bodies[i]
		if c := &m.Components[m.Home[i]]; p.Tied || !p.Spins || len(c.Bodies) > 1 || len(c.Forces) > 0 {
			continue
		}
		axes := m.World.Round(i)
		copy(p.Idle[m.Dim:p.N], axes[6-2*m.Dim:])
	}
}

// mechanism makes the rows of the joints at the start, and notes which bodies have one.
func (m *Model) mechanism() error {
	q, _ := m.World.Start()
	poses := m.World.Poses(nil, q)
	for i := range m.Setup.Joints {
		rows, err := m.assemble(i, &m.Setup.Joints[i], poses)
		if err != nil {
			return &JointError{i, err}
		}
		m.Rows = append(m.Rows, rows...)
	}
	m.Chorded, m.Pinned = make([]bool, len(m.Bodies)), true
	for i := range m.Rows {
		r := &m.Rows[i]
		a, b := PoseOf(poses, r.A), PoseOf(poses, r.B)
		turning := r.Equation.Turning(a, b)
		_, g := r.Equation.Gradient(a, b)
		note := func(body int, moment vec, on [2]vec) {
			if body >= 0 {
				m.Bodies[body].Tied = true
				m.Chorded[body] = m.Chorded[body] || m.Dim == 3 || moment != (vec{}) || on[0] != (vec{})
			}
		}
		note(r.A, g.AngA, turning.OnA)
		note(r.B, g.VB, turning.OnB)
		m.Pinned = m.Pinned && turning.Whole
	}
	return nil
}

// lead notes which bodies forces turn in space.
func (m *Model) lead() error {
	for i, f := range m.Setup.Forces {
		for _, b := range f.Bodies() {
			if b < -1 || b >= len(m.Bodies) {
				return fmt.Errorf("rigid: force %d: there is no body %d", i, b)
			}
			if b >= 0 && m.Dim == 3 && m.Bodies[b].Spins {
				m.Bodies[b].Led, m.Led, m.Pinned = true, true, false
				_, springs := f.(Dissipative)
				m.Bodies[b].Sprung = m.Bodies[b].Sprung || springs
			}
		}
	}
	return nil
}

// assemble makes the rows of a joint at the start.
func (m *Model) assemble(i int, j *Joint, poses []bodies.Pose) ([]Row, error) {
	n, name := len(m.Bodies), m.JointName(i)
	x, known := kindOf(j.Kind)
	l, axis := vec3.Norm(j.Axis), j.Kind.Needs("axis", m.Dim)
	switch {
	case j.A < 0 || j.A >= n || j.B < -1 || j.B >= n || j.A == j.B:
		return nil, fmt.Errorf("rigid: %s ties the bodies %d and %d, there are %d", name, j.A, j.B, n)
	case !known || !x.in(m.Dim):
		return nil, fmt.Errorf("rigid: joint %d has the kind %q, in %d dimensions want one of %q", i, string(j.Kind), m.Dim, Kinds(m.Dim))
	case axis && (!(l > 0) || math.IsInf(l, 1)):
		return nil, fmt.Errorf("rigid: %s has the axis %v, want a direction", name, j.Axis)
	case m.Dim == 2 && (j.At[2] != 0 || j.Other[2] != 0 || axis && j.Axis[2] != 0):
		return nil, fmt.Errorf("rigid: %s leaves the plane", name)
	}
	b := builder{m: m, joint: i, a: j.A, b: j.B, pa: PoseOf(poses, j.A), pb: PoseOf(poses, j.B)}
	if err := x.rows(&b, j, vec3.Scale(j.Axis, 1/max(l, math.SmallestNonzeroFloat64))); err != nil {
		return nil, fmt.Errorf("rigid: %s %w", name, err)
	}
	return b.rows, nil
}

func (m *Model) materials() error {
	check := func(what string, x Material) error {
		if !(x.Mu >= 0) || math.IsInf(x.Mu, 1) {
			return fmt.Errorf("rigid: the friction coefficient of %s is %g, want a number >= 0", what, x.Mu)
		}
		if x.Grain != nil {
			m.Grained = true
			if m.Dim == 2 {
				return fmt.Errorf("rigid: the friction of %s has a grain, in a plane that has one direction along surfaces", what)
			}
			if err := x.Grain.Validate(); err != nil {
				return fmt.Errorf("rigid: the friction of %s: %w", what, err)
			}
		}
		if x.Slip != nil {
			if err := x.Slip.Validate(); err != nil {
				return fmt.Errorf("rigid: the friction of %s: %w", what, err)
			}
		}
		if x.Resistance != nil {
			if err := x.Resistance.Validate(&x, m.Dim); err != nil {
				return fmt.Errorf("rigid: the friction of %s: %w", what, err)
			}
		}
		if !(x.Restitution >= 0 && x.Restitution <= 1) {
			return fmt.Errorf("rigid: the restitution of %s is %g, want a number from 0 to 1", what, x.Restitution)
		}
		return nil
	}
	for p, x := range m.Setup.Pairs {
		if err := check(fmt.Sprintf("the pair %v", p), x); err != nil {
			return err
		}
		if err := m.carries(p, &x); err != nil {
			return err
		}
	}
	x := &m.Setup.Material
	if err := check("the default material", *x); err != nil || x.Field == nil && (x.Grain == nil || x.Grain.OfBody) {
		return err
	}
	return m.everywhere()
}

// FieldError is a pair that has no [bodies.Field] where its material has one.
type FieldError struct {
	Pair  [2]int // as in [Setup]
	Names string
	Err   error
}

func (e *FieldError) Error() string { return fmt.Sprintf("%s: %v", e.Names, e.Err) }

func (e *FieldError) Unwrap() error { return e.Err }

// carries returns why a pair, as in [Setup], cannot have the friction of a material.
func (m *Model) carries(pair [2]int, x *Material) error {
	if x.Field == nil && (x.Grain == nil || x.Grain.OfBody) {
		return nil
	}
	t := bodies.Touch{A: pair[0], B: pair[1], Floor: -1 - pair[1]}
	var err error
	switch {
	case pair[1] >= 0 && x.Field == nil:
		err = errors.New("a grain is that of an obstacle, not of two bodies, unless it is one \"grain_of\" the body")
	case x.Field == nil:
	case pair[1] >= 0:
		err = errors.New("a map of friction in x and y is one of an obstacle, not of two bodies")
	case t.Floor < m.World.Obstacles():
		err = m.World.Carries(t.Floor)
	}
	if err == nil {
		return nil
	}
	return &FieldError{pair, m.TouchName(&t), err}
}

// everywhere returns a pair without a material of its own that has no field of friction, where that
// of all pairs has one.
func (m *Model) everywhere() error {
	for a := range m.World.Bodies() {
		for b := -m.World.Obstacles(); b < m.World.Bodies(); b++ {
			pair := [2]int{a, b}
			if _, own := m.Setup.Pairs[pair]; own || b >= 0 && b <= a || m.Apart(a, b) {
				continue
			}
			if err := m.carries(pair, &m.Setup.Material); err != nil {
				return err
			}
		}
	}
	return nil
}

// split finds the components.
func (m *Model) split() {
	root := make([]int, len(m.Bodies))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			i = root[i]
		}
		return i
	}
	join := func(a, b int) {
		if a >= 0 && b >= 0 {
			a, b = find(a), find(b)
			root[max(a, b)] = min(a, b)
		}
	}
	for i := range m.Rows {
		join(m.Rows[i].A, m.Rows[i].B)
	}
	for _, f := range m.Setup.Forces {
		b := f.Bodies()
		for _, other := range b[1:] {
			join(b[0], other)
		}
	}
	m.Home = make([]int, len(m.Bodies))
	for i := range m.Bodies {
		r := find(i)
		if r == i {
			m.Home[i] = len(m.Components)
			m.Components = append(m.Components, Component{})
		}
		m.Home[i] = m.Home[r]
		c := &m.Components[m.Home[i]]
		m.Bodies[i].Slot = len(c.Bodies)
		c.Bodies = append(c.Bodies, i)
		m.Bodies[i].Local = len(c.Index)
		for k := range m.Bodies[i].N {
			c.Index = append(c.Index, m.Bodies[i].V+k)
		}
	}
	for i := range m.Rows {
		c := &m.Components[m.Home[m.Rows[i].A]]
		c.Rows = append(c.Rows, i)
	}
	for i, f := range m.Setup.Forces {
		if b := slices.Max(f.Bodies()); b >= 0 {
			c := &m.Components[m.Home[b]]
			c.Forces = append(c.Forces, i)
		}
	}
}
