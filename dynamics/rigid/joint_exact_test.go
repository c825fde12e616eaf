package rigid_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/signal"
)

// quarter is a quarter of the period of θ̈ = −w² sin θ from the amplitude a:
// K(sin a/2)/w = π/(2w AGM(1, cos a/2)).
func quarter(w, a float64) float64 {
	x, y := 1.0, math.Cos(a/2)
	for range 10 {
		x, y = (x+y)/2, math.Sqrt(x*y)
	}
	return math.Pi / (2 * w * x)
}

const amplitude = 2 * math.Pi / 3

// swing is one way to build a pendulum that is let go at the amplitude: its w²,
// and the force that holds it at the bottom, along e_y, in weights.
type swing struct {
	name     string
	dim      int
	g        [3]float64
	bodies   []bodies.Body
	joints   []multibody.Joint
	w2, hold float64
	angle    func(q []float64) float64 // from the bottom
}

// swings: with the angle θ from the bottom, J the moment about the hinge and d
// the distance of the centre of mass, w² = mgd/J, θ̇² = 2w²(1 − cos a) at the
// bottom, and the hinge carries mg + mdθ̇².
func swings() []swing {
	const g = 9.81
	s, c := math.Sin(amplitude), math.Cos(amplitude)
	at := func(shape bodies.Shape, mass, l float64) bodies.Body {
		return bodies.Body{Shape: shape, Mass: mass, Position: [3]float64{l * s, -l * c}, Angle: amplitude}
	}
	top := func(w2, d float64) float64 { return 1 + d*2*w2*(1-c)/g }
	place := func(q []float64) float64 { return math.Atan2(q[0], -q[1]) }
	down, ground := [3]float64{0, -g}, multibody.Joint{A: 0, B: -1}
	kind := func(j multibody.Joint, k multibody.Kind, other [3]float64) multibody.Joint {
		j.Kind, j.At, j.Other = k, [3]float64{}, other
		return j
	}
	rod := at(bodies.Rod{Length: 1}, 2, .5)
	rod.Angle -= math.Pi / 2 // the rod lies along its x axis
	rodW2 := 1.5 * g         // m g (L/2)/(m L²/3), L = 1

	// a rod and a disc at its end are one body: J = mL²/3 + M(L² + r²/2)
	disc := at(bodies.Disc{R: .2}, 3, 1)
	disc.Angle = 0
	j, md := 2./3+3*(1+.02), 2*.5+3.
	welded := multibody.Joint{Kind: multibody.Fixed, A: 1, B: 0, At: disc.Position}

	// about a hinge that is tilted by 30° gravity is g cos 30° across it
	tilt, ball := math.Pi/6, at(bodies.Sphere{R: .3}, 2, 1)
	ball.Angle = 0
	ballJ := 1 + 0.4*.09
	tilted := [3]float64{0, -g * math.Cos(tilt), g * math.Sin(tilt)}
	hinge := multibody.Joint{Kind: multibody.Revolute, A: 0, B: -1, Axis: [3]float64{0, 0, 2}}

	point := at(bodies.Point{}, 2, 1)
	rope := kind(ground, multibody.Distance, [3]float64{})
	rope.At = point.Position
	return []swing{
		{"revolute in the plane", 2, down, []bodies.Body{rod},
			[]multibody.Joint{kind(ground, multibody.Revolute, [3]float64{})}, rodW2, top(rodW2, .5), place},
		{"spherical in the plane", 2, down, []bodies.Body{rod},
			[]multibody.Joint{kind(ground, multibody.Spherical, [3]float64{})}, rodW2, top(rodW2, .5), place},
		{"distance in the plane", 2, down, []bodies.Body{point}, []multibody.Joint{rope}, g, top(g, 1), place},
		{"distance in space", 3, down, []bodies.Body{point}, []multibody.Joint{rope}, g, top(g, 1), place},
		{"fixed in the plane", 2, down, []bodies.Body{rod, disc}, []multibody.Joint{kind(ground, multibody.Revolute, [3]float64{}), welded},
			md * g / j, (5 + md*2*(md*g/j)*(1-c)/g) / 2, place}, // in weights of the rod
		{"revolute in space", 3, tilted, []bodies.Body{ball}, []multibody.Joint{hinge}, g * math.Cos(tilt) / ballJ,
			math.Cos(tilt) * top(g/ballJ, 1), place},
		{"spherical in space", 3, down, []bodies.Body{ball},
			[]multibody.Joint{kind(ground, multibody.Spherical, [3]float64{})}, g / ballJ, top(g/ballJ, 1), place},
	}
}

// Pendulums of large amplitude reach the bottom at a quarter of their period, an
// elliptic integral, and the hinge carries the closed form there. The secant
// scheme is of second order and keeps the energy; in the scheme of the paper joints
// are linearised at q^l: first order, so that halving the step halves the error.
func TestPendulums(t *testing.T) {
	for _, c := range swings() {
		testPendulum(t, c, rigid.Gavrea, 1)
		testPendulum(t, c, rigid.Secant, 2)
	}
}

func testPendulum(t *testing.T, c swing, scheme rigid.Scheme, order int) {
	t.Helper()
	var angle, force [2]float64
	for k, n := range []int{1000, 2000} {
		w := world(t, c.dim, c.g)
		for _, b := range c.bodies {
			must[int](t)(w.Add(b))
		}
		s := start(t, w, multibody.Setup{Joints: c.joints}, rigid.Options{Alpha: 0.5, Scheme: scheme})
		began := s.Energy()
		run(t, s, quarter(math.Sqrt(c.w2), amplitude)/float64(n), n)
		_, q, _, _ := s.State()
		angle[k] = c.angle(q)
		force[k] = s.Reaction(0).Force[1]/(2*9.81) - c.hold
		if d := s.Last().Drift; d > 1e-10 {
			t.Errorf("%s: drift %g", c.name, d)
		}
		if e := s.Energy(); scheme == rigid.Secant {
			near(t, c.name+": energy", e.Kinetic+e.Potential, began.Kinetic+began.Potential, 1e-11) // 2000 roundings of 100 J
			near(t, c.name+": projection", e.Projection, 0, 1e-300)
		}
		if len(s.Last().Dependent) > 0 {
			t.Errorf("%s: %q depend", c.name, s.Last().Dependent)
		}
	}
	ordered(t, c.name+": angle", angle, order)
	ordered(t, c.name+": force [mg]", force, order)

}

// A ball hung from a joint goes round the vertical with Ω² = g/(L cos θ): it turns
// about the vertical only, so that its moment about the centre does no part of
// it. The joint pulls with mg up and mL sin θ Ω² inwards.
func TestConicalPendulum(t *testing.T) {
	x0, z0 := math.Sin(math.Pi/4), -math.Cos(math.Pi/4)
	for name, c := range map[string]struct {
		shape bodies.Shape
		joint multibody.Joint
	}{
		"spherical":         {bodies.Sphere{R: .3}, multibody.Joint{Kind: multibody.Spherical, A: 0, B: -1}},
		"distance":          {bodies.Point{}, multibody.Joint{Kind: multibody.Distance, A: 0, B: -1, At: [3]float64{x0, 0, z0}}},
		"distance to a pin": {bodies.Sphere{R: .3}, multibody.Joint{Kind: multibody.Distance, A: 0, B: -1, At: [3]float64{x0, 0, z0}}},
		"vertical hinge":    {bodies.Sphere{R: .3}, multibody.Joint{Kind: multibody.Revolute, A: 0, B: -1, Axis: [3]float64{0, 0, 1}}},
	} {
		p := 1
		if c.joint.Kind == multibody.Revolute { // a steady turn about a fixed axis
			p = 2
		}
		testConical(t, name, c.shape, c.joint, rigid.Gavrea, p)
		testConical(t, name+", secant", c.shape, c.joint, rigid.Secant, 2)
	}
}

func testConical(t *testing.T, name string, shape bodies.Shape, joint multibody.Joint, scheme rigid.Scheme, p int) {
	t.Helper()
	const g, theta, m = 9.81, math.Pi / 4, 2.0
	omega := math.Sqrt(g / math.Cos(theta))
	x0, z0 := math.Sin(theta), -math.Cos(theta)
	var phase, up, in [2]float64
	for k, n := range []int{1000, 2000} {
		w := world(t, 3, [3]float64{0, 0, -g})
		b := bodies.Body{Shape: shape, Mass: m, Position: [3]float64{x0, 0, z0}, Velocity: [3]float64{0, omega * x0}}
		if _, point := shape.(bodies.Point); !point {
			b.Spin = [3]float64{0, 0, omega}
		}
		must[int](t)(w.Add(b))
		s := start(t, w, multibody.Setup{Joints: []multibody.Joint{joint}}, rigid.Options{Alpha: 0.5, Scheme: scheme})
		run(t, s, 1/float64(n), n)
		_, q, _, _ := s.State()
		x, y := q[0], q[1]
		phase[k] = math.Remainder(math.Atan2(y, x)-omega, 2*math.Pi)
		near(t, name+": length", math.Hypot(math.Hypot(x, y), q[2]), 1, 1e-10)
		f := s.Reaction(0).Force
		run(t, s, 1/float64(n), 1)
		for i, next := range s.Reaction(0).Force {
			f[i] = (f[i] + next) / 2 // they alternate, see Reaction
		}
		up[k] = f[2]/(m*g) - 1
		in[k] = -(f[0]*x+f[1]*y)/math.Hypot(x, y)/(m*x0*omega*omega) - 1
	}
	ordered(t, name+": phase", phase, p)
	ordered(t, name+": force inwards", in, p)
	if scheme == rigid.Secant && math.Abs(up[0]) < 1e-9 { // exact but for the rounds' 1e-13 of 3 m/s over a step of 1 ms, in g
		near(t, name+": force up", up[1], 0, 1e-9)
		return
	}
	ordered(t, name+": force up", up, p)
}

// A block on an inclined guide, by each joint that leaves a translation: s = ½ g
// sin β t² exactly for α = γ = ½, where a constant acceleration and a straight
// guide leave no error. The guide carries mg cos β across, and the moment of the
// weight about its point.
func TestInclinedGuide(t *testing.T) {
	const g, beta, m, lever = 9.81, math.Pi / 6, 2.0, 0.25
	down := [3]float64{math.Cos(beta), -math.Sin(beta)}
	for name, c := range map[string]struct {
		dim   int
		shape bodies.Shape
		kind  multibody.Kind
	}{
		"prismatic in the plane":          {2, bodies.Disc{R: .1}, multibody.Prismatic},
		"prismatic in space":              {3, bodies.Box{Size: [3]float64{.1, .2, .3}}, multibody.Prismatic},
		"slider of a point in the plane":  {2, bodies.Point{}, multibody.Slider},
		"slider of a point in space":      {3, bodies.Point{}, multibody.Slider},
		"prismatic guide of a point":      {3, bodies.Point{}, multibody.Prismatic},
		"slider of a centre in the plane": {2, bodies.Disc{R: .1}, multibody.Slider},
	} {
		w := world(t, c.dim, [3]float64{0, -g})
		must[int](t)(w.Add(bodies.Body{Shape: c.shape, Mass: m}))
		j := multibody.Joint{Kind: c.kind, A: 0, B: -1, Axis: down}
		_, point := c.shape.(bodies.Point)
		turns := c.kind == multibody.Prismatic && !point
		if turns {
			j.At = [3]float64{lever} // off the centre, along e_x
		}
		s := start(t, w, multibody.Setup{Joints: []multibody.Joint{j}}, rigid.Options{Alpha: 0.5})
		run(t, s, 0.01, 100)
		_, q, v, _ := s.State()
		near(t, name+": path", q[0]*down[0]+q[1]*down[1], 0.5*g*math.Sin(beta), 1e-12)
		near(t, name+": speed", v[0]*down[0]+v[1]*down[1], g*math.Sin(beta), 1e-12)
		near(t, name+": off the guide", q[0]*down[1]-q[1]*down[0], 0, 1e-12)
		r := s.Reaction(0)
		across := m * g * math.Cos(beta)
		want := [3]float64{-across * down[1], across * down[0], 0}
		for k := range 3 {
			near(t, name+": force", r.Force[k], want[k], 1e-10)
		}
		moment := 0.0
		if turns { // about the centre the force at e_x·lever and the moment cancel
			moment = -lever * want[1]
		}
		near(t, name+": moment", r.Moment[2], moment, 1e-10)
	}
}

// A bracket that is welded to the ground carries its weight and its moment, also
// through a second body.
func TestCantilever(t *testing.T) {
	for _, dim := range []int{2, 3} {
		w := world(t, dim, [3]float64{0, -10})
		var shape bodies.Shape = bodies.Disc{R: .1}
		if dim == 3 {
			shape = bodies.Box{Size: [3]float64{.1, .2, .3}}
		}
		for i := range 2 {
			must[int](t)(w.Add(bodies.Body{Shape: shape, Mass: 2, Position: [3]float64{1 + float64(i)}}))
		}
		s := start(t, w, multibody.Setup{Joints: []multibody.Joint{{Kind: multibody.Fixed, A: 0, B: -1},
			{Kind: multibody.Fixed, A: 1, B: 0, At: [3]float64{1}}}}, rigid.Options{})
		run(t, s, 0.01, 10)
		for i, want := range [][2]float64{{40, 60}, {20, 20}} { // N, N m about (0, 0) and (1, 0)
			r := s.Reaction(i)
			near(t, "force", r.Force[1], want[0], 1e-10)
			near(t, "moment", r.Moment[2], want[1], 1e-10)
		}
	}
}

// A bead on a rod that turns with Ω, much heavier than it: r = r₀ cosh Ωt along
// the rod, and the rod pushes it with 2mΩṙ. By a slider and by a prismatic joint
// whose guide turns with the rod.
func TestBeadOnATurningRod(t *testing.T) {
	const omega, m, heavy = 2.0, 1.0, 1e9
	for name, c := range map[string]struct {
		dim  int
		kind multibody.Kind
		bead bodies.Shape
	}{
		"slider in the plane":    {2, multibody.Slider, bodies.Point{}},
		"slider in space":        {3, multibody.Slider, bodies.Point{}},
		"prismatic in the plane": {2, multibody.Prismatic, bodies.Disc{R: .01}},
		"prismatic in space":     {3, multibody.Prismatic, bodies.Sphere{R: .01}},
	} {
		var path, push [2]float64
		for k, n := range []int{1000, 2000} {
			w := world(t, c.dim, [3]float64{})
			rotor := bodies.Body{Shape: bodies.Disc{R: 1}, Mass: 1, Inertia: [3]float64{heavy, heavy, heavy}, Spin: [3]float64{0, 0, omega}}
			bead := bodies.Body{Shape: c.bead, Mass: m, Position: [3]float64{1}, Velocity: [3]float64{0, omega}}
			if c.dim == 3 {
				rotor.Shape = bodies.Sphere{R: 1}
			}
			if c.kind == multibody.Prismatic {
				bead.Spin = rotor.Spin
			}
			must[int](t)(w.Add(rotor))
			must[int](t)(w.Add(bead))
			s := start(t, w, multibody.Setup{Joints: []multibody.Joint{{Kind: multibody.Revolute, A: 0, B: -1, Axis: [3]float64{0, 0, 1}},
				{Kind: c.kind, A: 1, B: 0, At: [3]float64{1}, Axis: [3]float64{1}}}}, rigid.Options{Alpha: 0.5})
			run(t, s, 1/float64(n), n)
			_, q, _, _ := s.State()
			at, _ := w.Coordinates(1)
			x, y := q[at], q[at+1]
			r := math.Hypot(x, y)
			path[k] = r/math.Cosh(omega) - 1
			f := s.Reaction(1).Force
			push[k] = (f[1]*x-f[0]*y)/r/(2*m*omega*omega*math.Sinh(omega)) - 1
			near(t, name+": off the rod", math.Remainder(math.Atan2(y, x)-omega, 2*math.Pi), 0, 1e-3)
			if d := s.Last().Drift; d > 1e-10 {
				t.Errorf("%s: drift %g", name, d)
			}
		}
		ordered(t, name+": path", path, 2)
		ordered(t, name+": push", push, 1)
	}
}

// A nut of the moment J on an upright screw of the lead λ = pitch/2π falls with
//
//	a = g/(1 + J/mλ²),  ω = v/λ,
//
// more than a turn, in the way of the thread: with second order, and keeping its energy. Two bodies
// on a screw without weight keep momentum and angular momentum, whatever they began with.
func TestScrew(t *testing.T) {
	const g, r, mass = 9.81, .3, 2.
	for _, pitch := range []float64{.5, -.2} {
		lead, moment := pitch/(2*math.Pi), .4*mass*r*r
		a := -g / (1 + moment/(mass*lead*lead))
		joint := multibody.Joint{Kind: multibody.Screw, A: 0, B: -1, Axis: [3]float64{0, 0, 3}, Numbers: map[string]float64{"pitch": pitch}}
		var height, spin [2]float64
		for k, n := range []int{400, 800} {
			w := world(t, 3, [3]float64{0, 0, -g})
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: r}, Mass: mass}))
			s := start(t, w, multibody.Setup{Joints: []multibody.Joint{joint}}, rigid.Options{Alpha: .5})
			run(t, s, 1.5/float64(n), n)
			_, q, v, _ := s.State()
			e := s.Energy()
			near(t, "energy", e.Kinetic+e.Potential, 0, 1e-12)
			near(t, "projection", e.Projection, 0, 1e-13)
			near(t, "drift", s.Last().Drift, 0, 1e-12)
			height[k], spin[k] = q[2]-a*1.5*1.5/2, v[5]-a*1.5/lead
			if !(math.Abs(q[2]) > math.Abs(pitch)) {
				t.Errorf("pitch %g: less than a turn, %g m", pitch, q[2])
			}
		}
		ordered(t, "height", height, 2)
		ordered(t, "spin", spin, 2)

		w := world(t, 3, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: r}, Mass: mass, Spin: [3]float64{0, 0, 3}}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.1, .1, .1}}, Mass: 3 * mass, Position: [3]float64{0, 0, 1}}))
		joint.B = 1
		s := start(t, w, multibody.Setup{Joints: []multibody.Joint{joint}}, rigid.Options{})
		run(t, s, .01, 100)
		_, _, v, _ := s.State()
		near(t, "momentum", mass*v[2]+3*mass*v[8], 0, 1e-13)
		near(t, "angular momentum", moment*v[5]+3*mass*.01/6*v[11], moment*3, 1e-13)
		near(t, "thread", (v[2]-v[8])/(lead*(v[5]-v[11])), 1, 1e-4) // (hω)²/12 of the turn of a step
	}
}

// A pinion of the radius R and the moment J that rolls down a rack of the slope φ, held to it by a
// slider, and one that a rack of the mass M turns as it falls beside it, have
//
//	a = g sin φ/(1 + J/mR²),   a = g/(1 + J/MR²),
//
// for more than a turn, with second order, and keep their energy. Two racks on both sides of a
// pinion go opposite ways. In the plane and in space.
func TestRack(t *testing.T) {
	const g, radius, mass, heavy, slope, until = 9.81, .1, 2., 3., .5, 1.
	sin, cos := math.Sincos(slope)
	for dim := 2; dim <= 3; dim++ {
		var shape bodies.Shape = bodies.Disc{R: radius}
		var bar bodies.Shape = bodies.Rod{Length: 1, R: .01}
		moment, axis := .5*mass*radius*radius, [3]float64{}
		if dim == 3 {
			shape, bar = bodies.Sphere{R: radius}, bodies.Capsule{Length: 1, R: .01}
			moment, axis = .4*mass*radius*radius, [3]float64{0, 0, 1}
		}
		var rolls, falls, teeth [2]float64
		for k, n := range []int{400, 800} {
			w := world(t, dim, [3]float64{0, -g})
			must[int](t)(w.Add(bodies.Body{Shape: shape, Mass: mass}))
			s := start(t, w, multibody.Setup{Joints: []multibody.Joint{
				{Kind: multibody.Slider, A: 0, B: -1, Axis: [3]float64{cos, -sin}},
				{Kind: multibody.Rack, A: 0, B: -1, Axis: axis, Other: [3]float64{-radius * sin, -radius * cos}},
			}}, rigid.Options{Alpha: .5})
			run(t, s, until/float64(n), n)
			_, q, _, _ := s.State()
			e := s.Energy()
			near(t, "energy", e.Kinetic+e.Potential, 0, 1e-11)
			near(t, "drift", s.Last().Drift, 0, 1e-11)
			a := g * sin / (1 + moment/(mass*radius*radius))
			rolls[k] = math.Hypot(q[0], q[1]) - a*until*until/2
			if !(math.Hypot(q[0], q[1]) > 2*math.Pi*radius) {
				t.Errorf("%d dimensions: less than a turn", dim)
			}

			w = world(t, dim, [3]float64{0, -g})
			must[int](t)(w.Add(bodies.Body{Shape: shape, Mass: mass}))
			up := bodies.Body{Shape: bar, Mass: heavy, Position: [3]float64{2 * radius}}
			must[int](t)(w.Add(up))
			s = start(t, w, multibody.Setup{Joints: []multibody.Joint{
				{Kind: multibody.Revolute, A: 0, B: -1, Axis: axis},
				{Kind: multibody.Prismatic, A: 1, B: -1, Axis: [3]float64{0, 1}},
				{Kind: multibody.Rack, A: 0, B: 1, Axis: axis, Other: [3]float64{radius}},
			}, Apart: map[[2]int]bool{{0, 1}: true}}, rigid.Options{Alpha: .5})
			run(t, s, until/float64(n), n)
			_, q, v, _ := s.State()
			at, _ := w.Coordinates(1)
			_, first := w.Coordinates(1)
			falls[k] = q[at+1] + g/(1+moment/(heavy*radius*radius))*until*until/2
			teeth[k] = v[first+1]/(radius*v[first-1]) - 1
		}
		ordered(t, "rolls", rolls, 2)
		ordered(t, "falls", falls, 2)
		ordered(t, "teeth", teeth, 2)
	}
}

// A torque T on the first of two wheels in bearings, and on an arm that carries a planet around a sun
// that stands, turns them with
//
//	α = T/(J_A + (z_A/z_B)² J_B),   α = T/(J + m l² + J_P (1 + z_S/z_P)²),
//
// for more than a turn, with second order, and tooth by tooth. Inside a ring z_S < 0.
func TestGear(t *testing.T) {
	const torque, until, l, za, zb = 1., 1., .3, 20., 32.
	push := func(body int) []multibody.Force {
		return []multibody.Force{&multibody.Push{Body: body,
			Torque: signal.Vector{signal.Constant(0), signal.Constant(0), signal.Constant(torque)}}}
	}
	for _, sign := range []float64{1, -1} {
		teeth := map[string]float64{"teeth": za, "other_teeth": sign * zb}
		var wheels, turns [2]float64
		for k, n := range []int{400, 800} {
			w := world(t, 2, [3]float64{})
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 2}))
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .16}, Mass: 3, Position: [3]float64{l}}))
			s := start(t, w, multibody.Setup{Forces: push(0), Joints: []multibody.Joint{
				{Kind: multibody.Revolute, A: 0, B: -1},
				{Kind: multibody.Revolute, A: 1, B: -1, At: [3]float64{l}},
				{Kind: multibody.Gear, A: 0, B: 1, Other: [3]float64{l}, Numbers: teeth},
			}}, rigid.Options{Alpha: .5})
			run(t, s, until/float64(n), n)
			_, q, _, _ := s.State()
			first, ratio := .5*2*.1*.1, za/zb
			alpha := torque / (first + ratio*ratio*.5*3*.16*.16)
			wheels[k] = q[2] - alpha*until*until/2
			near(t, "other wheel", q[5], -sign*ratio*q[2], 1e-9)

			w = world(t, 2, [3]float64{})
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 2, Position: [3]float64{l}}))
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: l, R: .01}, Mass: 1, Inertia: [3]float64{0, 0, .05}}))
			s = start(t, w, multibody.Setup{Forces: push(1), Joints: []multibody.Joint{
				{Kind: multibody.Revolute, A: 1, B: -1},
				{Kind: multibody.Revolute, A: 0, B: 1, At: [3]float64{l}},
				{Kind: multibody.Gear, A: 0, B: -1, At: [3]float64{l}, Numbers: teeth},
			}}, rigid.Options{Alpha: .5})
			run(t, s, until/float64(n), n)
			_, q, _, _ = s.State()
			near(t, "drift", s.Last().Drift, 0, 1e-11)
			ratio = 1 + sign*zb/za
			turns[k] = q[5] - torque/(.05+2*l*l+first*ratio*ratio)/2
			near(t, "planet", q[2], ratio*q[5], 1e-9)
			if !(q[5] > 1) {
				t.Errorf("the arm turned by %g", q[5])
			}
		}
		ordered(t, "wheels", wheels, 2)
		ordered(t, "arm", turns, 2)
	}
}

// A cross between shafts that meet under the angle β has tan θ₂ = cos β tan θ₁, and energy is kept.
func TestUniversal(t *testing.T) {
	const beta, until = .7, 1.
	sin, cos := math.Sincos(beta)
	w := world(t, 3, [3]float64{})
	for _, x := range []float64{-1, 1} {
		at := [3]float64{x}
		if x > 0 {
			at = [3]float64{cos, sin}
		}
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .2}, Mass: 1, Position: at}))
	}
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .2}, Mass: 1, Position: [3]float64{0, 5}}))
	s := start(t, w, multibody.Setup{
		Forces: []multibody.Force{&multibody.Push{Body: 0,
			Torque: signal.Vector{signal.Constant(.1), signal.Constant(0), signal.Constant(0)}}},
		Joints: []multibody.Joint{
			{Kind: multibody.Revolute, A: 0, B: -1, Axis: [3]float64{1}},
			{Kind: multibody.Cylindrical, A: 1, B: -1, Axis: [3]float64{cos, sin}},
			{Kind: multibody.Universal, A: 0, B: 1, Axis: [3]float64{0, 0, 1}, Other: [3]float64{-sin, cos}},
		}}, rigid.Options{Alpha: .5})
	farthest := 0.
	for range 400 {
		run(t, s, until/400, 1)
		poses := w.Poses(nil, s.Last().Q)
		a, b := &poses[0].Rotation, &poses[1].Rotation
		first := math.Atan2(-a[5], a[8]) // where z has gone
		// The second arm was w = (−sin β, cos β, 0), across it is z.
		second := math.Atan2(b[6]*-sin+b[7]*cos, -sin*(b[0]*-sin+b[1]*cos)+cos*(b[3]*-sin+b[4]*cos))
		near(t, "angle", math.Sin(second)*math.Cos(first), cos*math.Sin(first)*math.Cos(second), 1e-9)
		farthest = max(farthest, math.Abs(first))
	}
	e := s.Energy()
	near(t, "energy", e.Kinetic, e.External(), 1e-9)
	if !(farthest > 1) {
		t.Errorf("the shaft turned by %g", farthest)
	}
}
