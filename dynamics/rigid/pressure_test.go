package rigid_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/signal"
)

// slab is a box of 2 kg on a table, under a load at its centre.
func slab(t *testing.T, size [3]float64, load [3]float64, spin, mu float64, pressure rigid.Pressure) *rigid.Stepper {
	return placed(t, bodies.Box{Size: size}, size[2], load, spin, mu, pressure)
}

// prism has n corners around, at the radius a.
func prism(n int, a, height float64) (p bodies.Polyhedron) {
	for k := range 2 * n {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		p.Vertices = append(p.Vertices, [3]float64{a * cos, a * sin, height * (float64(k/n) - .5)})
	}
	return p
}

// placed is a body of 2 kg of a height on a table, under a load at its centre.
func placed(t *testing.T, shape bodies.Shape, height float64, load [3]float64, spin, mu float64, pressure rigid.Pressure) *rigid.Stepper {
	w := world(t, 3, [3]float64{0, 0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	b := bodies.Body{Shape: shape, Mass: 2, Position: [3]float64{0, 0, height / 2}, Spin: [3]float64{0, 0, spin}}
	for _, x := range load {
		b.Load = append(b.Load, signal.Constant(x))
	}
	must[int](t)(w.Add(b))
	if pressure == rigid.UniformPressure && !w.FillFaces() {
		t.Fatal("a box has no faces")
	}
	return start(t, w, multibody.Setup{Material: multibody.Material{Mu: mu}}, rigid.Options{Alpha: .5, Pressure: pressure})
}

// TestSpunSlab: friction turns a face back with μmg r̄: r̄ is half the diagonal d of corners, of four
// equal ones, and of an even pressure the mean distance from the middle,
//
//	r̄ = d/6 + (b²/12a) ln((a + d)/b) + (a²/12b) ln((b + d)/a),
//
// to what 28 points know of it.
func TestSpunSlab(t *testing.T) {
	const a, b, mu, spin, until = .2, .1, .3, 8., .1
	d := math.Hypot(a, b)
	moment := (a*a + b*b) / 12
	mean := d/6 + b*b/(12*a)*math.Log((a+d)/b) + a*a/(12*b)*math.Log((b+d)/a)
	for pressure, x := range map[rigid.Pressure]struct{ arm, off float64 }{rigid.CornerPressure: {d / 2, 1e-9},
		rigid.UniformPressure: {mean, 5e-3}} {
		s := slab(t, [3]float64{a, b, .06}, [3]float64{}, spin, mu, pressure)
		run(t, s, until/10, 10)
		_, _, v, _ := s.State()
		lost := mu * 9.81 * x.arm / moment * until
		near(t, pressure.String(), spin-v[5], lost, x.off*lost)
	}
}

// TestSpunPrism: a face of many corners turns back by the mean distance from its middle, too,
//
//	r̄ = (p/3)(sec β + ln(sec β + tan β)/tan β),  β = π/n,  p = a cos β.
func TestSpunPrism(t *testing.T) {
	const a, mu, spin, until = .1, .3, 8., .1
	for _, n := range []int{5, 8, 32} {
		beta := math.Pi / float64(n)
		p, sec, tan := a*math.Cos(beta), 1/math.Cos(beta), math.Tan(beta)
		mean, moment := p/3*(sec+math.Log(sec+tan)/tan), a*a/12*(2+math.Cos(2*beta))*2
		lost := mu * 9.81 * mean / moment * until
		s := placed(t, prism(n, a, .02), .02, [3]float64{}, spin, mu, rigid.UniformPressure)
		run(t, s, until/5, 5)
		_, _, v, _ := s.State()
		near(t, fmt.Sprint(n, " corners"), spin-v[5], lost, 1e-2*lost)
	}
}

// TestSpunDisc: the base of a cylinder and of a cone turns back by 2/3 of its radius; the torque of its
// friction is 2/3 μNR, of which its rim, that bears a little, makes two thousandths more.
func TestSpunDisc(t *testing.T) {
	const a, mu, spin, until = .1, .3, 8., .1
	for _, x := range []struct {
		shape  bodies.Shape
		height float64 // twice that of the centre of mass
		moment float64 // of a kilogram
	}{{bodies.SolidCylinder{R: a, Height: .02}, .02, a * a / 2}, {bodies.Cone{R: a, Height: .04}, .02, .3 * a * a}} {
		lost := mu * 9.81 * 2 / 3 * a / x.moment * until
		s := placed(t, x.shape, x.height, [3]float64{}, spin, mu, rigid.UniformPressure)
		run(t, s, until/5, 5)
		_, _, v, _ := s.State()
		near(t, x.shape.Name(), spin-v[5], lost, 3e-3*lost)
	}
}

// slidingDisc integrates a disc of radius a under an even pressure that slides with v and turns with w,
//
//	v' = −μg ⟨û_x⟩,  w' = −μg ⟨x × û⟩/(a²/2)
//
// with means over the disc by a rule of midpoints, by the classical Runge-Kutta method, and returns its way and its turn.
func slidingDisc(a, mu, v, w, until float64) (x, turn float64) {
	const rings, around, steps = 24, 48, 100
	rates := func(y [4]float64) [4]float64 {
		var pull, moment float64
		for i := range rings {
			r := a * (float64(i) + .5) / rings
			for k := range around {
				sin, cos := math.Sincos(2 * math.Pi * (float64(k) + .5) / around)
				ux, uy := y[2]-y[3]*r*sin, y[3]*r*cos
				weight := 2 * r / a / rings / around / math.Hypot(ux, uy)
				pull, moment = pull+weight*ux, moment+weight*r*(cos*uy-sin*ux)
			}
		}
		return [4]float64{y[2], y[3], -mu * 9.81 * pull, -mu * 9.81 * moment / (a * a / 2)}
	}
	y, h := [4]float64{0, 0, v, w}, until/steps
	for range steps {
		var k [5][4]float64
		for j, part := range []float64{0, .5, .5, 1} {
			z := y
			for i := range z {
				z[i] += part * h * k[j][i]
			}
			k[j+1] = rates(z)
		}
		for i := range y {
			y[i] += h / 6 * (k[1][i] + 2*k[2][i] + 2*k[3][i] + k[4][i])
		}
	}
	return y[0], y[1]
}

// TestFacesMissed: a disc that slides and spins is accurate only if its way and its turn are; of one that spins in
// place or slides straight its 18 points miss little.
func TestFacesMissed(t *testing.T) {
	thorough.Seconds(t)
	const a, mu, until, accuracy = .5, .3, .6, .01
	refused := 0
	for _, ratio := range []float64{0, .01, .03, .08, .15, .25, .4, .65, 1, 1.5, 2.5, 5, 20, math.Inf(1)} {
		v, spin := 3*min(1, ratio), 3/a/max(1, ratio)
		w := world(t, 3, [3]float64{0, 0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.SolidCylinder{R: a, Height: .002}, Mass: 1,
			Position: [3]float64{0, 0, .001}, Velocity: [3]float64{v}, Spin: [3]float64{0, 0, spin}}))
		w.FillFaces()
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: mu}}, rigid.Options{Alpha: .5, Pressure: rigid.UniformPressure})
		x, turn := slidingDisc(a, mu, v, spin, until)
		way, turned := 0.0, 0.0
		for range 16 {
			run(t, s, until/16, 1)
			_, _, _, mean := s.State()
			way, turned = way+mean[0]*until/16, turned+mean[5]*until/16
		}
		off := max(part(way-x, x), part(turned-turn, turn))
		list := s.Accurate(accuracy)
		k := slices.IndexFunc(list, func(m dynamics.Measure) bool { return strings.HasPrefix(m.Name, "friction that points") })
		m := &list[k]
		if m.Passed() && off > accuracy {
			t.Errorf("v/(ωR) = %g: accurate, but off by %.3g", ratio, off)
		}
		if m.Value > 3*off+2e-3 { // forces are off by twice what ways are
			t.Errorf("v/(ωR) = %g: off by %.3g, and %.3g is missed", ratio, off, m.Value)
		}
		if !m.Passed() {
			refused++
		}
		if (ratio == 0 || ratio >= 2.5) && !m.Passed() {
			t.Errorf("v/(ωR) = %g: %.3g is missed", ratio, m.Value)
		}
	}
	if refused == 0 {
		t.Error("none misses anything")
	}
}

// part is off over all; zero of what does not move but for what a solver leaves.
func part(off, all float64) float64 {
	if !(math.Abs(all) > 1e-9) {
		return 0
	}
	return math.Abs(off / all)
}

// TestLeaningDisc: under a load across, at rest, a disc bears p = (mg/πR²)(1 + 4 X F h/(mg R²)), and stands
// up to F h = mg R, when it leans on its rim.
func TestLeaningDisc(t *testing.T) {
	const a, c, g, f = .1, .2, 9.81, 1.
	s := placed(t, bodies.SolidCylinder{R: a, Height: c}, c, [3]float64{f, 0, 0}, 0, 1, rigid.UniformPressure)
	run(t, s, .01, 3)
	points := 0
	s.Contacts(func(p *rigid.Present) {
		if p.Force[0] == 0 || math.Hypot(p.At[0], p.At[1]) > .999*a {
			return
		}
		points++
		share := p.Force[0] / (1 + 4*p.At[0]*f*c/2/(2*g*a*a))
		inner, outer := 2*g*(1-math.Sqrt(6)/9)/2/6, 2*g*(1+math.Sqrt(6)/9)/2/12
		if math.Min(math.Abs(share-inner), math.Abs(share-outer)) > 2e-2*outer {
			t.Errorf("at %v: %g N, want %g or %g of an even pressure", p.At, share, inner, outer)
		}
	})
	if points != 18 {
		t.Errorf("%d points bear", points)
	}
	for _, x := range []float64{.98, 1.02} { // sixteen points of the rim know its radius to 2 per cent
		s := placed(t, bodies.SolidCylinder{R: a, Height: c}, c, [3]float64{x * 2 * g * a / (c / 2), 0, 0}, 0, 20, rigid.UniformPressure)
		run(t, s, .01, 20)
		_, _, v, _ := s.State()
		if tips := v[4] > 1e-6; tips != (x > 1) {
			t.Errorf("at %g of the load that tips it: spin %g", x, v[4])
		}
	}
}

// TestSharesOfSteps: a face shares what it bears in short steps as in long ones, and to the fewer digits of
// twins: what its points bear in a step is known by speeds of the compliance that are a ten-millionth of
// those with which a puck slides and spins.
func TestSharesOfSteps(t *testing.T) {
	thorough.Seconds(t)
	spin := func(steps int, rough bool) float64 {
		w := world(t, 3, [3]float64{0, 0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		must[int](t)(w.Add(bodies.Body{Shape: prism(32, .05, .002), Mass: .5, Position: [3]float64{0, 0, .001},
			Velocity: [3]float64{1.2}, Spin: [3]float64{0, 0, 15}}))
		w.FillFaces()
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .25}}, rigid.Options{Alpha: .5, Pressure: rigid.UniformPressure})
		s.Rough(rough)
		run(t, s, .02/float64(steps), steps)
		_, _, v, _ := s.State()
		return v[5]
	}
	want := spin(2, false)
	for _, steps := range []int{16, 64} {
		near(t, fmt.Sprint("spin after ", steps, " steps"), spin(steps, steps == 64), want, 2e-3*(15-want))
	}
}

// TestLeaningPrism: the 24 points of a face of 32 corners, of one weight each, know its area moment
// (A/12)a²(2 + cos 2π/n)/2: each bears mg/24 (1 + X F h A/(mg I)).
func TestLeaningPrism(t *testing.T) {
	const n, a, c, f, g = 32, .1, .2, 1., 9.81
	s := placed(t, prism(n, a, c), c, [3]float64{f, 0, 0}, 0, 1, rigid.UniformPressure)
	run(t, s, .01, 3)
	points, moment := 0, a*a*(2+math.Cos(2*math.Pi/n))/12
	s.Contacts(func(p *rigid.Present) {
		if p.Force[0] == 0 || math.Hypot(p.At[0], p.At[1]) > .999*a {
			return
		}
		points++
		near(t, fmt.Sprint("at ", p.At), p.Force[0], 2*g/24*(1+p.At[0]*f*c/2/(2*g*moment)),
			2e-2*2*g/24) // the corners take a hundredth each
	})
	if points != 24 {
		t.Errorf("%d points bear", points)
	}
}

// TestLeaningSlab: under a load across, at rest, the pressure is affine: p = (mg/ab)(1 + 12 X F h/(mg a²)),
// with the centre at the height h, in the points and, by their small share, in the corners; and the
// slab stands up to F h = mg a/2, when all leans on two corners.
func TestLeaningSlab(t *testing.T) {
	const a, b, c, g = .2, .1, .4, 9.81
	f := 0.1 * 2 * g * a / c // h = c/2: a fifth of what tips it
	s := slab(t, [3]float64{a, b, c}, [3]float64{f, 0, 0}, 0, 1, rigid.UniformPressure)
	run(t, s, .01, 3)
	points, most := 0, 0.0
	s.Contacts(func(p *rigid.Present) {
		if p.Force[0] == 0 {
			return
		}
		points++
		if math.Abs(p.At[0]) > .4999*a && math.Abs(p.At[1]) > .4999*b {
			return
		}
		affine := 1 + 12*p.At[0]*f*c/2/(2*g*a*a)
		share := p.Force[0] / affine // N of one point under an even pressure
		// The seven weights of the rule, of a quarter of the face.
		least := math.Inf(1)
		for _, w := range []float64{.225, .13239415278850618, .12593918054482717} {
			least = min(least, math.Abs(share-w*2*g/4))
		}
		most = max(most, least)
	})
	if points != 32 || most > 1e-2*2*g/28 { // each corner takes a hundredth of a point, at three times its moment
		t.Errorf("%d points bear, off by %.3g N", points, most)
	}
	for _, x := range []float64{.99, 1.01} {
		s := slab(t, [3]float64{a, b, c}, [3]float64{x * 2 * g * a / c, 0, 0}, 0, 2, rigid.UniformPressure)
		run(t, s, .01, 20)
		_, _, v, _ := s.State()
		if tips := v[4] > 1e-6; tips != (x > 1) {
			t.Errorf("at %g of the load that tips it: spin %g", x, v[4])
		}
	}
}
