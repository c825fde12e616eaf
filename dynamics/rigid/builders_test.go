package rigid_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/signal"
)

// rolling are scenes of bodies that roll without slip.
var rolling = map[string]func(t testing.TB, alpha float64) *rigid.Stepper{
	"disc in a hollow": func(t testing.TB, alpha float64) *rigid.Stepper {
		return inHollow(t, bodies.Ball{R: 1, Inside: true}, 2, 0, alpha)
	},
	"ball in a pipe": func(t testing.TB, alpha float64) *rigid.Stepper {
		return inHollow(t, bodies.Cylinder{Axis: [3]float64{0, 1}, R: 1, Inside: true}, 3, .3, alpha)
	},
	"ball around a bowl": func(t testing.TB, alpha float64) *rigid.Stepper {
		return inHollow(t, bodies.Ball{R: 1, Inside: true}, 3, .7, alpha)
	},
	"ball in an ellipsoid": func(t testing.TB, alpha float64) *rigid.Stepper {
		return inHollow(t, bodies.Oval{Axes: [3]float64{1, 1, 1}, Inside: true}, 3, .7, alpha)
	},
	"ball on a ball": func(t testing.TB, alpha float64) *rigid.Stepper { return onTop(t, bodies.Sphere{R: .5}, alpha) },
	"disc on a disc": func(t testing.TB, alpha float64) *rigid.Stepper { return onTop(t, bodies.Disc{R: .5}, alpha) },
	"ball on a see-saw": func(t testing.TB, alpha float64) *rigid.Stepper {
		return onTop(t, bodies.Box{Size: [3]float64{1, 1, .2}}, alpha)
	},
	"box over its corner": func(t testing.TB, alpha float64) *rigid.Stepper {
		w := world(t, 2, [3]float64{0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
		sin, cos := math.Sincos(1)
		must[int](t)(w.Add(bodies.Body{Shape: plate(.4, .2), Mass: 1, Position: [3]float64{0, .2*sin + .1*cos}, Angle: 1}))
		return start(t, w, multibody.Setup{Material: multibody.Material{Mu: 5}}, rigid.Options{Alpha: alpha})
	},
}

// replays steps a scene n times and plays each step without collisions again from its ends and
// impulses alone: neither the equations of motion nor the laws of the contacts may be off by more
// than diagnose allows. It returns how many there were that had contacts.
func replays(t *testing.T, s, other *rigid.Stepper, h float64, n int) (played int) {
	t.Helper()
	for range n {
		x := s.Last()
		if err := rigid.NewReplay(other).Jump(x.T, x.Q, x.V); err != nil {
			t.Fatal(err)
		}
		run(t, s, h, 1)
		if x = s.Last(); len(x.Collisions) > 0 || len(x.Cuts) > 0 || len(x.Impulses) == 0 {
			continue
		}
		f, err := rigid.NewReplay(other).Replay(t.Context(), h, x.T, x.Mode, x.Q, x.V, x.Impulses)
		if played++; err != nil || f.Motion > 1e-9*f.Speed || f.Law > 1e-6 {
			t.Errorf("t = %g: %v, motion off by %.3g of %.3g, law by %.3g", x.T, err, f.Motion, f.Speed, f.Law)
		}
	}
	return played
}

func must[T any](t testing.TB) func(T, error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.12g, want %.12g ± %g", what, got, want, tol)
	}
}

func world(t testing.TB, dim int, g [3]float64) *bodies.World {
	return must[*bodies.World](t)(bodies.NewWorld(dim, g))
}

func start(t testing.TB, w *bodies.World, x multibody.Setup, o rigid.Options) *rigid.Stepper {
	t.Helper()
	m := must[*multibody.Model](t)(multibody.NewModel(w, x))
	return must[*rigid.Stepper](t)(rigid.NewStepper(m, o))
}

func run(t testing.TB, s *rigid.Stepper, h float64, n int) {
	t.Helper()
	for range n {
		if err := s.Step(context.Background(), h); err != nil {
			t.Fatal(err)
		}
	}
}

func block(t testing.TB, o rigid.Options) *rigid.Stepper {
	o.Scheme = rigid.Gavrea
	w := world(t, 2, [3]float64{0, -9.81})
	cos := must[*signal.Sine](t)(signal.NewSine(0, 8, 1/(2*math.Pi), math.Pi/2))
	zero := must[signal.Constant](t)(signal.NewConstant(0))
	load := signal.Vector{cos, zero}
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{3, 0}, Load: load}))
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: 0.8}}, o)
}

func disc(t testing.TB, o rigid.Options) *rigid.Stepper {
	o.Scheme = rigid.Gavrea
	w := world(t, 2, [3]float64{0, -9.81})
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Inertia: [3]float64{0, 0, .005},
		Position: [3]float64{0, .5}, Velocity: [3]float64{2, 0}, Spin: [3]float64{0, 0, 10}}))
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: 0.2}}, o)
}

// slides of 9.2: reference/dynamics.md.
var slides = [][2]float64{{0, .3386081847}, {2.9463467912, 3.5328346089}, {6.0879394448, 6.6744272625}, {9.2295320984, 9.8160199161}}

// garden is bodies of a dimension on a floor: two that are tied, one on a spring, some that touch.
func garden(t testing.TB, dim int, o rigid.Options) *rigid.Stepper {
	t.Helper()
	w := world(t, dim, [3]float64{.1, -9.81})
	for i := range 5 {
		b := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1 + float64(i), Position: [3]float64{.2 * float64(i), .1},
			Velocity: [3]float64{.1 * float64(i)}, Spin: [3]float64{0, 0, .3}}
		if dim == 3 {
			b.Shape, b.Spin = bodies.Sphere{R: .1}, [3]float64{.1, .2, .3}
			if i == 2 {
				b.Inertia = [3]float64{.01, .02, .025}
			}
		}
		must[int](t)(w.Add(b))
	}
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
	x := multibody.Setup{Material: multibody.Material{Mu: .3},
		Joints: []multibody.Joint{{Kind: multibody.Revolute, A: 0, B: 1, At: [3]float64{.1, .1}}},
		Forces: []multibody.Force{&multibody.Spring{A: 2, B: -1, AtB: [3]float64{.4, .5}, Stiffness: 10, RestLength: .3}}}
	if dim == 3 {
		x.Joints[0].Axis = [3]float64{0, 0, 1}
	}
	return start(t, w, x, o)
}

func heap(t *testing.T, seed uint64, impact rigid.Impact) *rigid.Stepper {
	return heapOn(t, seed, rigid.Options{Impact: impact, RestitutionSpeed: .05, MaxCollisions: 1000, Settle: true})
}

// lyingChain is a chain of n links of 1 kg on a floor, at some height, whose last link is thrown
// up.
func lyingChain(t testing.TB, n int, height float64, o rigid.Options) *rigid.Stepper {
	w := world(t, 2, [3]float64{0, -9.81})
	const l, r = .02, .002
	var joints []multibody.Joint
	for i := range n {
		b := bodies.Body{Shape: bodies.Rod{Length: l, R: r}, Mass: 1, Position: [3]float64{(float64(i) + .5) * l, r + height}}
		if i == n-1 {
			b.Velocity[1] = 1
		}
		must[int](t)(w.Add(b))
		if i > 0 {
			joints = append(joints, multibody.Joint{Kind: multibody.Revolute, A: i, B: i - 1, At: [3]float64{float64(i) * l, r + height}})
		}
	}
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
	return start(t, w, multibody.Setup{Joints: joints, Material: multibody.Material{Mu: .5}}, o)
}

// plate is a box in the plane.
func plate(a, b float64) bodies.Polygon {
	return bodies.Polygon{Vertices: [][2]float64{{-a / 2, -b / 2}, {a / 2, -b / 2}, {a / 2, b / 2}, {-a / 2, b / 2}}}
}

// scene makes up to 20 bodies with absurd masses and velocities, some tied.
func scene(r *rand.Rand) (*rigid.Stepper, error) {
	dim := 2 + r.IntN(2)
	g := [3]float64{0, -9.81, 0}
	up := [3]float64{0, 1, 0}
	w, err := bodies.NewWorld(dim, g)
	if err != nil {
		return nil, err
	}
	if _, err = w.AddHalfSpace([3]float64{}, up); err != nil {
		return nil, err
	}
	n := 1 + r.IntN(20)
	size := func() float64 { return 0.1 + 0.4*r.Float64() }
	for range n {
		var s bodies.Shape
		a, b := size(), size()
		if dim == 2 {
			s = []bodies.Shape{bodies.Disc{R: a}, bodies.Rod{Length: a, R: 0.1 * r.Float64()}, bodies.Rod{Length: a},
				bodies.Ellipse{A: a, B: 0.2 * b},
				bodies.Polygon{Vertices: [][2]float64{{-a, -b}, {a, -b}, {a, b}, {-a, b}}},
				bodies.Polygon{Vertices: [][2]float64{{-a, -b}, {a, -b}, {0, 2 * b}}},
				bodies.Point{}}[r.IntN(7)]
		} else {
			s = []bodies.Shape{bodies.Sphere{R: a}, bodies.Capsule{Length: a, R: 0.1},
				bodies.Box{Size: [3]float64{a, b, size()}}, bodies.Box{Size: [3]float64{a, b, 0.01}},
				bodies.Ellipsoid{Axes: [3]float64{a, b, size()}}, bodies.Ellipsoid{Axes: [3]float64{a, b, 0.02}}, bodies.Point{}}[r.IntN(7)]
		}
		body := bodies.Body{Shape: s, Mass: math.Pow(10, 12*r.Float64()-6), Angle: 6 * r.Float64()}
		body.Velocity = [3]float64{1, 1, float64(dim - 2)}
		speed := math.Pow(10, 6*r.Float64()-3)
		for k := range dim {
			body.Position[k] = 3 * (r.Float64() - 0.3)
			body.Velocity[k] *= speed * (r.Float64() - 0.5)
		}
		if dim == 2 {
			body.Spin[2] = speed * (r.Float64() - 0.5)
		} else {
			body.Angle = 0
			body.Spin = [3]float64{speed * r.Float64(), speed * r.Float64(), speed * r.Float64()}
		}
		if _, err := w.Add(body); err != nil {
			return nil, err
		}
	}
	x := multibody.Setup{Material: multibody.Material{Mu: 2 * r.Float64(), Restitution: float64(r.IntN(2)) * r.Float64()}}
	for range r.IntN(4) {
		a, b := r.IntN(n), r.IntN(n+1)-1
		if a == b {
			continue
		}
		kinds := multibody.Kinds(dim)
		j := multibody.Joint{Kind: kinds[r.IntN(len(kinds))],
			Numbers: map[string]float64{"pitch": .2, "teeth": 3, "other_teeth": 5}, A: a, B: b,
			Axis: [3]float64{1, r.Float64(), float64(dim-2) * r.Float64()}, Other: [3]float64{1, 1}}
		if j.Kind == multibody.Rack || j.Kind == multibody.Universal { // across the arm
			j.Axis[1] = -1
		}
		x.Joints = append(x.Joints, j)
	}
	o := rigid.Options{Alpha: 0.5 + 0.5*float64(r.IntN(2)), Grid: rigid.Grid(r.IntN(3)), Impact: rigid.Impact(r.IntN(4)), Settle: true}
	if o.Grid == rigid.GapGrid {
		o.Alpha, x.Material.Restitution = 1, 0
	}
	m, err := multibody.NewModel(w, x)
	if err != nil {
		return nil, err
	}
	return rigid.NewStepper(m, o)
}

func boxStack(t testing.TB, n int, o rigid.Options) *rigid.Stepper {
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	for i := range n {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.2, .2, .2}}, Mass: 1,
			Position: [3]float64{0, 0, .1 + .2*float64(i)}}))
	}
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: 0.5}}, o)
}

func spherePile(t testing.TB, n int, o rigid.Options) *rigid.Stepper {
	return scatteredPile(t, n, 0, o)
}

// scatteredPile is a pile of spheres whose places are random by some length: one island, where
// columns are many.
func scatteredPile(t testing.TB, n int, by float64, o rigid.Options) *rigid.Stepper {
	random := rand.New(rand.NewPCG(1, 1))
	aside := func() float64 { return by * (2*random.Float64() - 1) }
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	for _, x := range []float64{-1, 1} {
		must[int](t)(w.AddHalfSpace([3]float64{.6 * x}, [3]float64{-x}))
		must[int](t)(w.AddHalfSpace([3]float64{0, .6 * x}, [3]float64{0, -x}))
	}
	k := 0
	for z := 0; k < n; z++ {
		for x := 0; x < 5 && k < n; x++ {
			for y := 0; y < 5 && k < n; y++ {
				must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1,
					Position: [3]float64{(float64(x)-2)*.22 + .013*float64(z%3) + aside(), (float64(y)-2)*.22 + aside(),
						.15 + .22*float64(z) + aside()}}))
				k++
			}
		}
	}
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: 0.5}}, o)
}

// ordered takes errors at h and h/2: the limit h → 0 of a method of order p,
// 2^p e(h/2) − e(h), is zero up to the next term, h times the rates of the motion
// of some 1/s, h = 1e-3 s, here some percent of e(h), and rounding of a thousand steps.
func ordered(t *testing.T, what string, e [2]float64, p int) {
	t.Helper()
	near(t, what+": limit of the error", float64(int(1)<<p)*e[1]-e[0], 0, 0.05*math.Abs(e[0])+1e-11)
	if !(math.Abs(e[0]) < 0.01) {
		t.Errorf("%s: error %g, want less than 0.01", what, e[0])
	}
}

// pair are two balls on a floor with a gap between them.
func pair(t *testing.T, gap, speed, mass, e float64) *rigid.Stepper {
	w := world(t, 2, [3]float64{0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: mass, Position: [3]float64{-gap, .1}, Velocity: [3]float64{speed}}))
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: mass, Position: [3]float64{.2, .1}}))
	return start(t, w, multibody.Setup{Material: multibody.Material{Restitution: e}}, rigid.Options{})
}

// onObstacles is a world of bodies on obstacles.
func onObstacles(t testing.TB, dim int, gravity [3]float64, m multibody.Material, o rigid.Options, list []bodies.Body,
	obstacles ...bodies.Obstacle) *rigid.Stepper {
	t.Helper()
	w, err := bodies.NewWorld(dim, gravity)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range list {
		if _, err := w.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range obstacles {
		if _, err := w.AddObstacle(x); err != nil {
			t.Fatal(err)
		}
	}
	model, err := multibody.NewModel(w, multibody.Setup{Material: m})
	if err != nil {
		t.Fatal(err)
	}
	s, err := rigid.NewStepper(model, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// march makes n equal steps until a time.
func march(t testing.TB, s *rigid.Stepper, until float64, n int) {
	t.Helper()
	for range n {
		if err := s.Step(context.Background(), until/float64(n)); err != nil {
			t.Fatal(err)
		}
	}
}

func ramp(t testing.TB, times, values []float64) signal.Scalar {
	t.Helper()
	s, err := signal.NewTable(times, values)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func along(x, y, z signal.Scalar) signal.Motion {
	list := signal.Vector{x, y, z}
	for i, s := range list {
		if s == nil {
			list[i] = signal.Constant(0)
		}
	}
	return signal.Motion{Shift: list}
}

var brick = bodies.Polygon{Vertices: [][2]float64{{-.2, -.1}, {.2, -.1}, {.2, .1}, {-.2, .1}}}

// shiftedLayers are layers of n×n boxes of 1 kg and .1 m, each a gap above the one below and every
// second one shifted along both sides, so that a box lies on up to four others; their places
// sideways are random by a millimetre.
func shiftedLayers(t testing.TB, aslant float64, n, layers int, gap float64, o rigid.Options) *rigid.Stepper {
	random := rand.New(rand.NewPCG(12, 1))
	aside := func() float64 { return .001 * (2*random.Float64() - 1) }
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	for z := range layers {
		for x := range n {
			for y := range n {
				shift := aslant * float64(z%2)
				must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.1, .1, .1}}, Mass: 1,
					Position: [3]float64{.112*float64(x) + shift + aside(), .112*float64(y) + shift + aside(),
						.05 + gap + float64(z)*(.1+gap)}}))
			}
		}
	}
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, o)
}

// about is the quaternion of a turn about an axis.
func about(axis int, angle float64) (q [4]float64) {
	q[0] = math.Cos(angle / 2)
	q[1+axis] = math.Sin(angle / 2)
	return q
}

// corner turns the diagonal of a cube to e_z.
func corner() [4]float64 {
	angle := math.Acos(1 / math.Sqrt(3)) // from (1, 1, 1)/√3 to e_z, about (1, −1, 0)/√2
	s := math.Sin(angle/2) / math.Sqrt2
	return [4]float64{math.Cos(angle / 2), s, -s, 0}
}

// momenta returns Σ m ẋ and Σ (x × m ẋ + R J ω) about the origin.
func momenta(w *bodies.World, q, v []float64) (p, l [3]float64) {
	cross := func(a, b [3]float64) [3]float64 {
		return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	for i := range w.Bodies() {
		m, j := w.Inertia(i)
		_, at := w.Coordinates(i)
		x, r := w.Place(i, q)
		var mv, spin [3]float64
		for k := range w.Dim() {
			mv[k] = m * v[at+k]
			p[k] += mv[k]
		}
		orbit := cross(x, mv)
		switch {
		case !w.Spins(i):
		case w.Dim() == 2:
			spin[2] = j[2] * v[at+2]
		default:
			y := [3]float64{j[0] * v[at+3], j[1] * v[at+4], j[2] * v[at+5]}
			for k := range 3 {
				spin[k] = r[3*k]*y[0] + r[3*k+1]*y[1] + r[3*k+2]*y[2]
			}
		}
		for k := range 3 {
			l[k] += orbit[k] + spin[k]
		}
	}
	return p, l
}

// thrown are bodies of three different moments in free flight, with and without
// a joint between two of them.
func thrown(t testing.TB, dim int, joints []multibody.Joint, o rigid.Options) (*rigid.Stepper, *bodies.World) {
	w := world(t, dim, [3]float64{})
	for i := range 3 {
		b := bodies.Body{Shape: bodies.Disc{R: .2}, Mass: 1 + float64(i), Position: [3]float64{float64(i)},
			Velocity: [3]float64{1, float64(i)}, Spin: [3]float64{0, 0, 3 + float64(i)}}
		if dim == 3 {
			b.Shape, b.Velocity[2] = bodies.Box{Size: [3]float64{.2, .3, .4}}, -1
			b.Spin = [3]float64{3, 1, float64(i)}
		}
		must[int](t)(w.Add(b))
	}
	return start(t, w, multibody.Setup{Joints: joints}, o), w
}

// rows are pyramids of spheres behind each other, which a wind breaks; each is an island, of 22
// contacts at the start.
func rows(t *testing.T, depth []float64) *rigid.Stepper {
	t.Helper()
	w := world(t, 3, [3]float64{2, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	const r = .125 // levers to the last bit
	for _, y := range depth {
		for layer := range 4 {
			for i := range 4 - layer {
				must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: r}, Mass: 1,
					Position: [3]float64{r * float64(2*i+layer), y, r + math.Sqrt(3)*r*float64(layer)}}))
			}
		}
	}
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{})
}

// ballRow is a row of five balls; the first comes with 1 m/s.
func ballRow(t testing.TB, gap, e float64, o rigid.Options) *rigid.Stepper {
	w := world(t, 2, [3]float64{})
	for i := range 5 {
		b := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{float64(i) * (.2 + gap)}}
		if i == 0 {
			b.Position[0] = -.05
			b.Velocity[0] = 1
		}
		must[int](t)(w.Add(b))
	}
	return start(t, w, multibody.Setup{Material: multibody.Material{Restitution: e}}, o)
}

// tumblers are two bodies that a joint of a kind ties, thrown apart and turning.
func tumblers(t testing.TB, dim int, kind multibody.Kind, o rigid.Options) *rigid.Stepper {
	g, axis := [3]float64{0, 0, -9.81}, [3]float64{1, 2, 3}
	var shape bodies.Shape = bodies.Box{Size: [3]float64{.2, .3, .4}}
	if dim == 2 {
		shape, g, axis = bodies.Disc{R: .2}, [3]float64{0, -9.81}, [3]float64{1, 2}
	}
	if kind == multibody.Rack || kind == multibody.Universal { // across the arm
		axis[0] = 0
	}
	w := world(t, dim, g)
	for i := range 2 {
		spin := [3]float64{1, 0, 1}
		if dim == 2 {
			spin = [3]float64{0, 0, 1}
		}
		must[int](t)(w.Add(bodies.Body{Shape: shape, Mass: 1, Position: [3]float64{float64(i)},
			Velocity: [3]float64{0, 1 + float64(i)}, Spin: spin}))
	}
	return start(t, w, multibody.Setup{Joints: []multibody.Joint{{Kind: kind, A: 0, B: 1, At: [3]float64{.4},
		Other: [3]float64{.6}, Axis: axis, Numbers: map[string]float64{"pitch": .3, "teeth": 12, "other_teeth": 25}}}}, o)
}

func vOf(w *bodies.World, body int) int {
	_, v := w.Coordinates(body)
	return v
}

// chainOf hangs n links of 1 kg, together 1 m long, at a hinge, let go at an
// angle from the bottom.
func chainOf(t testing.TB, n, dim int, angle float64, o rigid.Options) (*rigid.Stepper, *bodies.World) {
	w := world(t, dim, [3]float64{0, -9.81})
	l := 1 / float64(n)
	s, c := math.Sin(angle), math.Cos(angle)
	apart := map[[2]int]bool{}
	var joints []multibody.Joint
	for i := range n {
		d := (float64(i) + 0.5) * l
		b := bodies.Body{Shape: bodies.Rod{Length: l}, Mass: 1, Position: [3]float64{d * s, -d * c}, Angle: angle - math.Pi/2}
		j := multibody.Joint{Kind: multibody.Revolute, A: i, B: i - 1, At: [3]float64{float64(i) * l * s, -float64(i) * l * c}}
		if dim == 3 {
			b.Shape, b.Angle = bodies.Capsule{Length: 0.8 * l, R: .1 * l}, 0
			a := angle - math.Pi/2
			b.Orientation = [4]float64{math.Cos(a / 2), 0, 0, math.Sin(a / 2)}
			j.Kind = multibody.Spherical
		}
		must[int](t)(w.Add(b))
		joints = append(joints, j)
		for k := range i {
			apart[[2]int{k, i}] = true
		}
	}
	return start(t, w, multibody.Setup{Joints: joints, Apart: apart}, o), w
}

// gyroscope is a flywheel on a spherical joint, fast about its axis, which is
// tilted by .5 rad.
func gyroscope(t testing.TB, spin float64, o rigid.Options) (*rigid.Stepper, *bodies.World) {
	w := world(t, 3, [3]float64{0, 0, -9.81})
	const tilt = 0.5
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Ellipsoid{Axes: [3]float64{.1, .1, .02}}, Mass: 1, Inertia: [3]float64{.0026, .0026, .005},
		Position:    [3]float64{.1 * math.Sin(tilt), 0, .1 * math.Cos(tilt)},
		Orientation: [4]float64{math.Cos(tilt / 2), 0, math.Sin(tilt / 2)},
		Spin:        [3]float64{0, 0, spin}}))
	return start(t, w, multibody.Setup{Joints: []multibody.Joint{{Kind: multibody.Spherical, A: 0, B: -1}}}, o), w
}

func pendulum(t testing.TB, floor bool, o rigid.Options) *rigid.Stepper {
	w := world(t, 2, [3]float64{0, -9.81})
	for i := range 2 {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: 1}, Mass: 1, Position: [3]float64{.5 + float64(i)}}))
	}
	if floor {
		must[int](t)(w.AddHalfSpace([3]float64{0, -1.5}, [3]float64{0, 1}))
	}
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: 0.3}, Joints: []multibody.Joint{
		{Kind: multibody.Revolute, A: 0, B: -1}, {Kind: multibody.Revolute, A: 1, B: 0, At: [3]float64{1}}}}, o)
}
