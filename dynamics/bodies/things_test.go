package bodies_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/signal"
)

// thing is a body of a shape at a place drawn from a cube of some width.
func thing(r *rand.Rand, dim int, shape bodies.Shape, width float64) bodies.Body {
	b := bodies.Body{Shape: shape, Mass: 1 + r.Float64(), Angle: 6.3 * r.Float64()}
	size := 0.0
	for k := range 4 {
		b.Orientation[k] = r.NormFloat64()
		size = math.Hypot(size, b.Orientation[k])
	}
	for k := range 4 {
		b.Orientation[k] /= size
	}
	for k := range dim {
		b.Position[k] = width * (r.Float64() - .5)
		b.Velocity[k], b.Spin[k] = r.NormFloat64(), r.NormFloat64()
	}
	if dim == 2 {
		b.Spin = v3{0, 0, r.NormFloat64()}
	}
	return b
}

func worldOf(t *testing.T, dim int, list ...bodies.Body) *bodies.World {
	t.Helper()
	w, err := bodies.NewWorld(dim, v3{.3, -9, map[int]float64{3: 2}[dim]})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range list {
		if _, err := w.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// surfaces are obstacles of all kinds, from outside and inside.
func surfaces(dim int) []bodies.Surface {
	w := wave{.2, 1.5}
	if dim == 2 {
		return []bodies.Surface{bodies.HalfSpace{Point: v3{.1, .2}, Normal: v3{1, 3}},
			bodies.Ball{Center: v3{.1, .3}, R: .5}, bodies.Ball{R: 1.5, Inside: true}, bodies.Oval{Axes: v3{1, .6}, Center: v3{.2, .1}},
			bodies.Oval{Axes: v3{1.6, 1.3}, Inside: true}, bodies.Graph{Relief: w}, bodies.Graph{Relief: w, Below: true}}
	}
	return []bodies.Surface{bodies.HalfSpace{Point: v3{.1, .2, -.1}, Normal: v3{1, 3, 1}},
		bodies.Ball{Center: v3{.1, .3, .2}, R: .5}, bodies.Ball{R: 1.5, Inside: true},
		bodies.Cylinder{Point: v3{.1}, Axis: v3{1, 2, .3}, R: .4},
		bodies.Cylinder{Axis: v3{1, 0, 3}, R: 1.2, Inside: true}, bodies.Oval{Axes: v3{1, .6, .8}, Center: v3{.2, .1}},
		bodies.Oval{Axes: v3{1.6, 1.3, 1.4}, Inside: true},
		bodies.Torus{Radius: 1, Tube: .4, Axis: v3{.2, .1, 2}},
		bodies.Torus{Radius: 1, Tube: .5, Axis: v3{.2, .1, 2}, Inside: true}, bodies.Graph{Relief: w}, bodies.Graph{Relief: w, Below: true}}
}

// motion is one that turns and moves.
func motion(t *testing.T, dim int) signal.Motion {
	t.Helper()
	line := func(x float64) signal.Scalar {
		s, err := signal.NewTable([]float64{-1, 1}, []float64{-x, x})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	m := signal.Motion{Axis: v3{0, 0, 1}, Angle: line(.7), Shift: signal.Vector{line(.3), line(-.2), line(0)}}
	if dim == 3 {
		m.Axis = v3{1, 2, 2}
	}
	return m
}

// TestObstacleRows: the rows of a patch with an obstacle, at rest or moving, are the derivatives of
// its gaps along the body's velocity and in time, for every shape that may meet it: central
// differences of 1e-6 s.
func TestObstacleRows(t *testing.T) {
	thorough.Seconds(t)
	const time, h = .4, 1e-6
	rows := 0
	for dim := 2; dim <= 3; dim++ {
		patch := must(dynamics.NewRigid(contact.Coulomb{Mu: .3}, dim))
		for i, surface := range surfaces(dim) {
			r := rand.New(rand.NewPCG(uint64(dim), uint64(i)))
			for _, shape := range shapes[dim] {
				for k := range 6 {
					w := worldOf(t, dim, thing(r, dim, shape, 2))
					o := bodies.Obstacle{Surface: surface}
					if k >= 3 {
						o.Motion = motion(t, dim)
					}
					must(w.AddObstacle(o))
					if w.Meets(0, 0) != nil {
						continue
					}
					key, err := w.OnObstacle(0, 0, patch)
					if err != nil {
						continue
					}
					q, v := w.Start()
					gaps := func(s float64) []float64 {
						x := make([]float64, len(q))
						w.Move(x, q, v, s)
						var c dynamics.Contacts
						c.ResetAt(time+s, dim, len(v))
						w.Contacts(&c, x)
						return c.Gaps()
					}
					var c dynamics.Contacts
					c.ResetAt(time, dim, len(v))
					w.Contacts(&c, q)
					speeds := make([]float64, dim*len(c.Gaps()))
					c.Speeds(speeds, v)
					drive := make([]float64, dim)
					if w.Drives() && w.Patches(key) == 1 {
						w.Drive(drive, key, time, 1e-9, q, v)
					} else if k >= 3 {
						continue
					}
					plus, minus := gaps(h), gaps(-h)
					if len(plus) != len(minus) || len(plus) != len(c.Gaps()) {
						continue
					}
					for e := range plus {
						rows++
						want := (plus[e] - minus[e]) / (2 * h)
						if got := speeds[dim*e] - drive[0]; !(math.Abs(got-want) <= 1e-4*(1+
							math.Abs(want))) { // rounding over h, and curvature of thin bodies
							t.Errorf("%T on %+v, place %d, gap %d: %g, by differences %g", shape, o, k, e, got, want)
						}
					}
				}
			}
		}
	}
	if rows < 300 {
		t.Errorf("%d rows", rows)
	}
}

// TestPowers: the power of the forces on bodies is that of their loads, less what the potential
// gains and what drag takes: Coriolis terms have none. The potential is −Σ m g·x.
func TestPowers(t *testing.T) {
	const time, h = .3, 1e-6
	for dim := 2; dim <= 3; dim++ {
		r := rand.New(rand.NewPCG(uint64(dim), 7))
		var list []bodies.Body
		for i, s := range shapes[dim] {
			b := thing(r, dim, s, 3)
			b.Drag, b.SpinDrag = .1*float64(i), .3
			if i%2 == 1 {
				b.Load = signal.Vector{signal.Constant(1), signal.Constant(-2), signal.Constant(.5)}[:dim]
			}
			if i == 4 {
				b.Inertia = v3{3, 4, 5}
			}
			list = append(list, b)
		}
		w := worldOf(t, dim, list...)
		q, v := w.Start()
		f, g := make([]float64, len(v)), make([]float64, len(v))
		w.Force(f, time, q, v)
		w.Load(g, time, q, v)
		plus, minus := make([]float64, len(q)), make([]float64, len(q))
		w.Move(plus, q, v, h)
		w.Move(minus, q, v, -h)
		power, loads, drag := 0.0, 0.0, 0.0
		for i, b := range list {
			_, at := w.Coordinates(i)
			for k := range dim {
				drag += b.Drag * v[at+k] * v[at+k]
				if b.Load != nil {
					loads += b.Load[k].At(time) * v[at+k]
				}
			}
			for k := at + dim; w.Spins(i) && k < at+3*(dim-1); k++ {
				drag += b.SpinDrag * v[k] * v[k]
			}
		}
		given := 0.0
		for i := range v {
			power, given = power+f[i]*v[i], given+g[i]*v[i]
		}
		gain := (w.Potential(time, plus) - w.Potential(time, minus)) / (2 * h)
		if !(math.Abs(given-(loads-drag)) <= 1e-12) || !(math.Abs(power-(loads-gain-drag)) <= 1e-6) { // rounding of 100 J over h
			t.Errorf("%d dimensions: power %g, loads %g and %g, potential %g, drag %g", dim, power, loads, given, gain, drag)
		}
		external := make([]float64, len(v))
		w.External(external, time, 0, v)
		given = 0
		for i := range v {
			given += external[i] * v[i]
		}
		if !(math.Abs(given-(loads-drag)) <= 1e-12) {
			t.Errorf("%d dimensions: loads and drag have the power %g, want %g", dim, given, loads-drag)
		}
		potential, sum := 0.0, 0.0
		for i := range list {
			m, _ := w.Inertia(i)
			at, _ := w.Place(i, q)
			potential -= m * inner(w.Gravity(), at)
		}
		parts := make([]float64, len(list))
		w.Potentials(parts, time, q)
		for _, x := range parts {
			sum += x
		}
		if x := w.Potential(time, q); !(math.Abs(x-potential) <= 1e-12*100) || !(math.Abs(x-sum) <= 1e-12*100) {
			t.Errorf("%d dimensions: potential %g, its parts %g, want %g", dim, x, sum, potential)
		}
	}
}

// TestMoves: bodies move with their velocities, by either scheme: the derivative of the place by
// the length of a step is Rate, quaternions stay of the length 1, projected ones become so, and a
// common shift moves all of them.
func TestMoves(t *testing.T) {
	const h = 1e-5
	for dim := 2; dim <= 3; dim++ {
		r := rand.New(rand.NewPCG(uint64(dim), 8))
		var list []bodies.Body
		for _, s := range shapes[dim] {
			list = append(list, thing(r, dim, s, 3))
		}
		w := worldOf(t, dim, list...)
		q, v := w.Start()
		rate, tied := make([]float64, len(q)), make([]bool, len(list))
		w.Rate(rate, q, v)
		for i := range tied {
			tied[i] = i%2 == 0
		}
		for name, move := range map[string]func(dst []float64,
			h float64){"": func(dst []float64, h float64) { w.Move(dst, q, v, h) },
			"secant": func(dst []float64, h float64) { w.MoveSecant(dst, q, v, h, tied) }} {
			plus, minus := make([]float64, len(q)), make([]float64, len(q))
			move(plus, h)
			move(minus, -h)
			for i, x := range rate {
				if d := (plus[i] - minus[i]) / (2 * h); !(math.Abs(d-x) <= 1e-8) { // h² and rounding over h
					t.Errorf("%d dimensions, %s: coordinate %d moves with %g, want %g", dim, name, i, d, x)
				}
			}
			move(plus, .7)
			for i := range list {
				at, _ := w.Coordinates(i)
				if x := plus[at+dim:]; dim == 3 && w.Spins(i) && !(math.Abs(x[0]*x[0]+x[1]*x[1]+x[2]*x[2]+x[3]*x[3]-1) <= 1e-14) {
					t.Errorf("%s: a quaternion of another length", name)
				}
			}
		}
		wild := slices.Clone(q)
		for i := range wild {
			wild[i] += .1 * rate[i]
		}
		w.Project(wild)
		shifted := slices.Clone(q)
		w.Shift(shifted, -1, v3{1, 2, float64(4 * (dim - 2))})
		for i := range list {
			at, _ := w.Coordinates(i)
			if x := wild[at+dim:]; dim == 3 && w.Spins(i) && !(math.Abs(x[0]*x[0]+x[1]*x[1]+x[2]*x[2]+x[3]*x[3]-1) <= 1e-14) {
				t.Error("a projected quaternion of another length")
			}
			for k := range dim {
				if d := q[at+k] - shifted[at+k] - []float64{1, 2, 4}[k]; !(math.Abs(d) <= 1e-15*8) {
					t.Errorf("body %d is shifted along %d off by %g", i, k, d)
				}
			}
			outline := w.Outlines(i, q)[0]
			b := solid{shape: list[i].Shape}
			b.c, b.r = w.Place(i, q)
			for _, x := range outline {
				if far := b.outside(v3{x[0], x[1]}); dim == 2 && far > 1e-12 {
					t.Errorf("%T: a point of the outline is %g m outside", list[i].Shape, far)
				}
			}
		}
		for range 3 {
			n := v3{r.NormFloat64(), r.NormFloat64(), float64(dim-2) * r.NormFloat64()}
			n = sum(v3{}, 1/abs(n), n)
			if a, b := w.Tangents(n); dim == 3 && !(math.Abs(inner(a, n))+math.Abs(inner(b, n))+
				math.Abs(inner(a, b)) <= 1e-15*8 && math.Abs(abs(a)-1)+math.Abs(abs(b)-1) <= 1e-15*8) {
				t.Errorf("tangents %v, %v of %v", a, b, n)
			}
		}
	}
}

// TestDeviation: the angle between two directions of a body is that by which it has turned, half a
// revolution at most, and none about the axis about which it spins.
func TestDeviation(t *testing.T) {
	spin := v3{.3, -.4, 1.2} // of the length 1.3
	for dim, shape := range map[int]bodies.Shape{2: bodies.Rod{Length: 1}, 3: bodies.Box{Size: v3{1, 2, 3}}} {
		rate := 1.3
		b := bodies.Body{Shape: shape, Mass: 1, Spin: spin, Angle: .7, Orientation: [4]float64{.5, .5, -.5, .5}}
		if dim == 2 {
			b.Spin, b.Orientation, rate = v3{0, 0, 1.2}, [4]float64{}, 1.2
		} else {
			b.Angle = 0
		}
		w := worldOf(t, dim, b)
		q, v := w.Start()
		end := make([]float64, len(q))
		for _, h := range []float64{0, .1, 1, 2, 3} {
			w.Move(end, q, v, h)
			turn := rate * h
			if dim == 3 {
				turn = math.Acos(math.Cos(turn))
			}
			for _, x := range [][2][]float64{{q, end}, {end, q}} {
				if got := math.Abs(w.Deviation(0, x[0], x[1], nil)); !(math.Abs(got-turn) <= 1e-7) { // a root of rounding near none
					t.Errorf("%d dimensions, %g s: turned by %g, want %g", dim, h, got, turn)
				}
			}
			if got := w.Deviation(0, q, end, v); dim == 3 && !(math.Abs(got) <= 1e-7) {
				t.Errorf("%g s of a spin deviate by %g", h, got)
			}
		}
	}
}

// TestInertiaByPoints: moments of uniform bodies against sums over points drawn in them.
func TestInertiaByPoints(t *testing.T) {
	thorough.Seconds(t)
	for dim := 2; dim <= 3; dim++ {
		for i, s := range shapes[dim] {
			if _, point := s.(bodies.Point); point {
				continue
			}
			if rod, ok := s.(bodies.Rod); ok && rod.R == 0 {
				continue // of no area
			}
			w := worldOf(t, dim, bodies.Body{Shape: s, Mass: 3})
			_, got := w.Inertia(0)
			if w.Framed(0) {
				continue // whose axes are others, see TestSkewBodies
			}
			b := &solid{shape: s, r: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}}
			reach := w.Reach(0)
			thin := 2 * reach // least width
			for k := range 3 {
				n := v3{}
				if n[k] = 1; k < dim {
					thin = min(thin, 2*b.support(n))
				}
			}
			// Midpoints of cells of a cube: what the cells at the border cut off or add falls with
			// their number.
			n := 200
			if dim == 3 {
				n = 40
			}
			var want v3
			count := 0.0
			nz := 1
			if dim == 3 {
				nz = n
			}
			at := func(k int) float64 { return reach * (2*(float64(k)+.5)/float64(n) - 1) }
			for x := range n {
				for y := range n {
					for z := range nz {
						p := v3{at(x), at(y), 0}
						if dim == 3 {
							p[2] = at(z)
						}
						if b.outside(p) <= 0 {
							count++
							want[0] += p[1]*p[1] + p[2]*p[2]
							want[1] += p[0]*p[0] + p[2]*p[2]
							want[2] += p[0]*p[0] + p[1]*p[1]
						}
					}
				}
			}
			for k := 2 * (3 - dim); k < 3; k++ {
				if !(math.Abs(got[k]/(3*want[k]/count)-1) <= 4*reach/float64(n)/thin) { // a layer of a cell
					t.Errorf("shape %d of dimension %d, axis %d: %g, by points %g", i, dim, k, got[k], 3*want[k]/count)
				}
			}
		}
	}
}
