package importer

import (
	"math"
	"slices"
)

// Limits are where the motion of a joint ends, from the start [m, rad].
type Limits struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

// Motor drives a joint: by a force, to a velocity, or to a position.
type Motor struct {
	Position  *float64 `json:"position,omitempty"`  // from the start [m, rad]
	Stiffness float64  `json:"stiffness,omitempty"` // [N/m, N m]
	Velocity  *float64 `json:"velocity,omitempty"`  // [m/s, rad/s]
	Gain      float64  `json:"gain,omitempty"`      // [N s/m, N m s]
	Limit     float64  `json:"limit,omitempty"`     // [N, N m]
	Force     *float64 `json:"force,omitempty"`     // [N, N m]
}

// limit gives a joint the range that a file says, its own place at the start being j.start.
func (b *builder) limit(n *node, j *Joint, low, high float64) {
	x := Limits{low - j.start, high - j.start}
	switch {
	case !(x.Min < x.Max):
		b.left(n, "range of "+n.title(), "it is from %g to %g", low, high)
	case x.Min > 0 || x.Max < 0:
		b.left(n, "range of "+n.title(), "the joint starts at %g, outside of %g to %g", j.start, low, high)
	case j.Type == "revolute" && x.Max-x.Min >= 2*math.Pi:
		b.left(n, "range of "+n.title(), "it is %.6g rad; a turn in space has limits of less than a revolution", x.Max-x.Min)
	default:
		j.Limits = &x
	}
}

// resist reads what a joint of MJCF that turns or slides does against its motion.
func (m *mujoco) resist(n *node, j *Joint) {
	unit := 1.0
	if m.degrees && j.Type == "revolute" {
		unit = math.Pi / 180
	}
	j.Damping, j.Friction = m.number(n, "damping", 0), m.number(n, "frictionloss", 0)
	j.start = unit * m.number(n, "ref", 0)
	if r, ok := m.bounded(n, "range", "limited"); ok {
		m.limit(n, j, unit*r[0], unit*r[1])
	}
	if r, ok := m.bounded(n, "actuatorfrcrange", "actuatorfrclimited"); ok {
		j.most = m.even(n, "actuatorfrcrange", r)
	}
	if k, rest := m.number(n, "stiffness", 0), unit*m.number(n, "springref", 0)-j.start; k > 0 {
		j.Motor = &Motor{Position: &rest, Stiffness: k}
	}
}

// bounded reads a range that another attribute switches, or without it the range itself.
func (m *mujoco) bounded(n *node, key, by string) ([]float64, bool) {
	switched, said := n.text(by)
	r, ok := m.vector(n, key, 2)
	return r, ok && (switched == "true" || m.autolimits && (!said || switched == "auto"))
}

// even is the bound of a range of forces that is the same both ways; 0: none is taken.
func (m *mujoco) even(n *node, key string, r []float64) float64 {
	if r[0] != -r[1] || !(r[1] > 0) {
		m.left(n, key+" of "+n.title(), "it is %g to %g; the limit of a motor is the same both ways", r[0], r[1])
		return 0
	}
	return r[1]
}

// actuator makes the motor of a joint of one, whose control is 0, or what its range has next to it.
//
//	f = g·clamp(a c + b₀ + b₁ g s + b₂ g ṡ),  c the control, g the gear, s the place of the joint
func (m *mujoco) actuator(n *node) {
	if !slices.Contains([]string{"general", "motor", "position", "velocity"}, n.name) {
		return
	}
	m.inherit(n, "main")
	if class, ok := n.text("class"); ok {
		m.inheritOf(n, class, "general")
	} else {
		m.inheritOf(n, "main", "general")
	}
	name, ok := n.text("joint")
	at, known := m.joint[name]
	if !ok || !known {
		if ok {
			n.seen = true
			m.left(n, n.title(), "the joint %q turns or slides about no axis of its own", name)
			n.used = n.everything()
		}
		return
	}
	n.seen = true
	n.text("name")
	j := &m.c.Joints[at]
	a, bias, law := m.gains(n)
	if law != "" {
		m.left(n, n.title(), "%s", law)
		n.used = n.everything()
		return
	}
	if j.Type != "revolute" && j.Type != "prismatic" || j.Motor != nil {
		m.left(n, n.title(), "the joint %q has a motor or a spring, or has no axis", j.ID)
		n.used = n.everything()
		return
	}
	gear := 1.0
	if g := m.numbers(n, "gear"); len(g) > 0 && g[0] != 0 {
		gear = g[0]
	}
	control := 0.0
	if r, ok := m.bounded(n, "ctrlrange", "ctrllimited"); ok {
		control = max(r[0], min(r[1], 0))
	}
	j.Motor = drive(a*control+bias[0], bias[1], bias[2], gear, j.start)
	if r, ok := m.bounded(n, "forcerange", "forcelimited"); ok {
		j.limitForce(m.even(n, "forcerange", r) * math.Abs(gear))
	}
	j.limitForce(j.most)
	m.left(n, "control of "+n.title(), "it is %g here: the motor of joint %q says another one", control, j.ID)
}

// gains are the factor of the control and the bias of a law of MJCF; or why no motor has such a law.
func (m *mujoco) gains(n *node) (a float64, bias [3]float64, why string) {
	kp, kv := m.numbers(n, "kp"), m.numbers(n, "kv")
	first := func(list []float64, without float64) float64 {
		if len(list) > 0 {
			return list[0]
		}
		return without
	}
	switch n.name {
	case "motor":
		return 1, bias, ""
	case "position":
		return first(kp, 1), [3]float64{0, -first(kp, 1), -first(kv, 0)}, ""
	case "velocity":
		return first(kv, 1), [3]float64{0, 0, -first(kv, 1)}, ""
	}
	for key, want := range map[string]string{"dyntype": "none", "gaintype": "fixed"} {
		if x, ok := n.text(key); ok && x != want {
			return 0, bias, key + " is " + x
		}
	}
	a = first(m.numbers(n, "gainprm"), 1)
	switch x, ok := n.text("biastype"); {
	case ok && x == "affine":
		copy(bias[:], m.numbers(n, "biasprm"))
	case ok && x != "none":
		return 0, bias, "biastype is " + x
	}
	if bias[1] > 0 || bias[2] > 0 {
		return 0, bias, "its bias pushes away from a place, or along a motion"
	}
	return a, bias, ""
}

// drive is the motor of a law in which s* stands for the place that the constant part holds.
func drive(constant, place, rate, gear, start float64) *Motor {
	x := &Motor{Gain: -rate*gear*gear + 0}
	switch {
	case place < 0: // −place g²(s* − s), s* = constant/(−place g)
		wanted := constant/(-place*gear) - start + 0 // no −0
		x.Position, x.Stiffness = &wanted, -place*gear*gear
	case rate < 0:
		wanted := constant/(-rate*gear) + 0
		x.Velocity = &wanted
	default:
		force := constant*gear + 0
		x.Force = &force
	}
	return x
}

// limitForce bounds the force of the motor of a joint; 0: it does not.
func (j *Joint) limitForce(most float64) {
	if x := j.Motor; x != nil && most > 0 && x.Force == nil && (x.Limit == 0 || most < x.Limit) {
		x.Limit = most
	}
}
