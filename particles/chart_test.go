package particles_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// charts are obstacles of all kinds, at rest and moving.
func charts(t *testing.T) map[string]*particles.Chart {
	t.Helper()
	h, err := particles.NewHalfSpace([3]float64{.1, .2, -.1}, [3]float64{.3, -.2, 1})
	if err != nil {
		t.Fatal(err)
	}
	plane, err1 := particles.NewPlane(h.Frame())
	ball, err2 := particles.NewSphere([3]float64{.2, 0, -1}, 1.3, false, [3]float64{.1, .1, 1})
	bowl, err3 := particles.NewSphere([3]float64{.2, 0, 2}, 2.5, true, [3]float64{.1, .1, -1})
	shaft, err4 := particles.NewCylinder([3]float64{0, .1, -.8}, [3]float64{0, 1, .2}, .7, false)
	pipe, err5 := particles.NewCylinder([3]float64{0, .1, .5}, [3]float64{1, 1, .2}, 1.7, true)
	sine, err6 := signal.NewSine(.1, .3, .7, .2)
	egg, err7 := particles.NewEllipsoid([3]float64{.2, 0, -1}, [3]float64{1.5, .8, 1.2}, false, [3]float64{.1, .1, 1})
	shell, err8 := particles.NewEllipsoid([3]float64{.2, 0, 1}, [3]float64{2.5, 1.8, 2.2}, true, [3]float64{.1, .1, -1})
	ring, err9 := particles.NewTorus([3]float64{-1.5, .1, -.2}, [3]float64{.1, .2, 1}, 1.4, .5, false)
	tube, err10 := particles.NewTorus([3]float64{-1.5, .1, -.2}, [3]float64{.1, .2, 1}, 1.4, .9, true)
	grid := [2][]float64{{-1, -.3, .2, 1, 1.5}, {-1.2, -.1, .6, 1.3}}
	heights := make([][]float64, 4)
	for j, y := range grid[1] {
		for _, x := range grid[0] {
			heights[j] = append(heights[j], .3*math.Sin(2*x+y)-.2*y*x)
		}
	}
	hills, err11 := particles.NewGraph(grid[0], grid[1], heights, false)
	vault, err12 := particles.NewGraph(grid[0], []float64{0}, [][]float64{heights[1]}, true)
	for _, err := range []error{err1, err2, err3, err4, err5, err6, err7, err8, err9, err10, err11, err12} {
		if err != nil {
			t.Fatal(err)
		}
	}
	small, err := signal.Scale(sine, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	motions := map[string]particles.Motion{
		"at rest": {},
		"shifts":  {Shift: signal.Vector{sine, signal.Constant(.1), sine}},
		"turns":   {Center: [3]float64{.3, -.2, .1}, Axis: [3]float64{1, 2, 2}, Angle: sine},
		"both": {Shift: signal.Vector{sine, signal.Constant(0), sine}, Center: [3]float64{.3, -.2, .1},
			Axis: [3]float64{0, 0, 3}, Angle: sine},
	}
	list := map[string]*particles.Chart{}
	for face, f := range map[string]particles.Face{"plane": plane, "ball": ball, "bowl": bowl, "shaft": shaft, "pipe": pipe,
		"egg": egg, "shell": shell, "ring": ring, "tube": tube, "hills": hills, "vault": vault} {
		for name, m := range motions {
			c, err := particles.NewChart(f, m)
			if err != nil {
				t.Fatal(err)
			}
			list[face+" "+name] = c
			if name == "at rest" || name == "both" {
				grown := *c
				grown.Overlap = small
				list[face+" "+name+", grows"] = &grown
			}
		}
	}
	return list
}

// TestCharts: in the coordinates of every obstacle ∂_tE, DE, ∂_tDE and D²E are the
// derivatives of E and DE by central differences, and positions come back from coordinates.
func TestCharts(t *testing.T) {
	for name, chart := range charts(t) {
		t.Run(name, func(t *testing.T) {
			tether, err := particles.NewTethers(
				particles.Tether{Particle: 0, Anchor: particles.At(.3, -.1, .2), Stiffness: particles.Diagonal(3, 2, 1), Stiffening: .4},
				particles.Tether{Particle: 1, Anchor: particles.At(-.3, .5, .4), Stiffness: particles.Diagonal(1, 2, 1)})
			if err != nil {
				t.Fatal(err)
			}
			bonds, err := particles.NewSprings(particles.Spring{I: 0, J: 1, Law: particles.Linear{K: 2, Rest: .3}})
			if err != nil {
				t.Fatal(err)
			}
			sys, err := particles.NewSystem([]particles.Frame{particles.Charted(chart, [3]float64{}), particles.Floor()}, tether, bonds)
			if err != nil {
				t.Fatal(err)
			}
			const at = .37
			z := []float64{.13, -.21, .08, .5, .4, .3}
			x, back := make([]float64, 6), make([]float64, 6)
			sys.ToGlobalAt(at, x, z)
			sys.ToLocalAt(at, back, x)
			nearAll(t, "z of x(z)", back, z, 1e-14)

			grad, rate := make([]float64, 6), make([]float64, 6)
			sys.Gradient(grad, rate, at, z)
			_, power := sys.Value(at, z)
			h := sys.Hessian(at, z)
			dense := make([][]float64, 6)
			for i := range dense {
				dense[i] = make([]float64, 6)
			}
			for c := range h.N {
				for k := h.Ptr[c]; k < h.Ptr[c+1]; k++ {
					dense[h.Row[k]][c], dense[c][h.Row[k]] = h.Val[k], h.Val[k]
				}
			}
			const d = 1e-5 // errors: d² of third derivatives, 1e-16/d of rounding
			lo, hi := make([]float64, 6), make([]float64, 6)
			eLo, _ := sys.Value(at-d, z)
			eHi, _ := sys.Value(at+d, z)
			near(t, "∂_tE", power, (eHi-eLo)/(2*d), 1e-8)
			sys.Gradient(lo, nil, at-d, z)
			sys.Gradient(hi, nil, at+d, z)
			for i := range rate {
				near(t, "∂_tDE", rate[i], (hi[i]-lo[i])/(2*d), 1e-4) // rateStep of its own
			}
			for i := range z {
				p, q := append([]float64(nil), z...), append([]float64(nil), z...)
				p[i] += d
				q[i] -= d
				eHi, _ := sys.Value(at, p)
				eLo, _ := sys.Value(at, q)
				near(t, "DE", grad[i], (eHi-eLo)/(2*d), 1e-8)
				sys.Gradient(hi, nil, at, p)
				sys.Gradient(lo, nil, at, q)
				for k := range z {
					near(t, "D²E", dense[k][i], (hi[k]-lo[k])/(2*d), 1e-7)
				}
			}
		})
	}
}

// TestFaces: the root of the metric and its derivatives are those of the coordinates, the normal
// and its derivatives too, and h is the distance.
func TestFaces(t *testing.T) {
	dot := func(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
	for name, chart := range charts(t) {
		for _, uv := range [][2]float64{{0, 0}, {.3, -.4}, {-1.1, .7}} {
			u, v := uv[0], uv[1]
			m := chart.Face.Metric(u, v)
			_, pu, pv, n, nu, nv := chart.Face.At(u, v)
			s := m.S
			near(t, name+" S21", s[2], 0, 0)
			near(t, name+" E", s[0]*s[0], dot(pu, pu), 1e-13)
			near(t, name+" F", s[0]*s[1], dot(pu, pv), 1e-13)
			near(t, name+" G", s[1]*s[1]+s[3]*s[3], dot(pv, pv), 1e-13)
			near(t, name+" pu·n", dot(pu, n), 0, 1e-14)
			near(t, name+" pv·n", dot(pv, n), 0, 1e-14)
			near(t, name+" |n|", dot(n, n), 1, 1e-14)
			const d = 1e-6 // errors: d² of third derivatives, 1e-16/d of rounding
			for axis := range 2 {
				du, dv := d*float64(1-axis), d*float64(axis)
				hi, lo := chart.Face.Metric(u+du, v+dv), chart.Face.Metric(u-du, v-dv)
				pHi, _, _, nHi, _, _ := chart.Face.At(u+du, v+dv)
				pLo, _, _, nLo, _, _ := chart.Face.At(u-du, v-dv)
				first, slope, turn := pu, m.Su, nu
				if axis == 1 {
					first, slope, turn = pv, m.Sv, nv
				}
				for i := range 4 {
					near(t, name+" dS", slope[i], (hi.S[i]-lo.S[i])/(2*d), 2e-9)
				}
				for i := range 3 {
					near(t, name+" dp", first[i], (pHi[i]-pLo[i])/(2*d), 2e-9)
					near(t, name+" dn", turn[i], (nHi[i]-nLo[i])/(2*d), 2e-9)
				}
			}
		}
	}
}

// TestGraph: a natural spline goes through its points, is exact for what is bilinear, goes on
// straight outside, and has continuous derivatives up to the second, also at its edges.
func TestGraph(t *testing.T) {
	x, y := []float64{-1, 0, .5, 2}, []float64{0, 1, 1.5}
	height := [][]float64{{0, 1, .5, 2}, {1, -1, 0, 1}, {.3, .2, .1, 0}}
	g, err := particles.NewGraph(x, y, height, false)
	if err != nil {
		t.Fatal(err)
	}
	for j, v := range y {
		for i, u := range x {
			f, _, _, _, _, _ := g.Height(u, v)
			near(t, "f at a point", f, height[j][i], 1e-15)
		}
	}
	const d = 1e-9
	for _, p := range [][2]float64{{0, .3}, {.5, 1}, {-1, .5}, {2, 1.5}, {1, 0}, {3, 1}} {
		a := [6]float64{}
		b := a
		a[0], a[1], a[2], a[3], a[4], a[5] = g.Height(p[0]-d, p[1]-d)
		b[0], b[1], b[2], b[3], b[4], b[5] = g.Height(p[0]+d, p[1]+d)
		for i := range a {
			near(t, "a derivative across an edge", a[i], b[i], 1e-7) // d times the next one
		}
	}
	f0, fx, _, fxx, _, _ := g.Height(3, 1)
	f1, _, _, _, _, _ := g.Height(4, 1)
	near(t, "straight on", f1-f0, fx, 1e-14)
	near(t, "no curvature outside", fxx, 0, 0)
	plane, err := particles.NewGraph(x, y, [][]float64{{0, 1, 1.5, 3}, {2, 4, 5, 8}, {3, 5.5, 6.75, 10.5}}, false)
	if err != nil {
		t.Fatal(err)
	}
	f, _, _, _, fxy, _ := plane.Height(1.3, .7) // 1 + x + 3y + xy − y − 0
	near(t, "bilinear", f, 1+1.3+2*.7+.7+1.3*.7-0, 1e-14)
	near(t, "its mixed derivative", fxy, 1, 1e-14)
	for _, bad := range []struct {
		x, y []float64
		f    [][]float64
	}{{nil, y, height}, {x, nil, nil}, {[]float64{0, 0}, []float64{0}, [][]float64{{1, 2}}}, {x, y, height[:2]},
		{x, y, [][]float64{{1}, {1}, {1}}}, {[]float64{0}, []float64{0}, [][]float64{{math.NaN()}}},
		{[]float64{0, 1e-300}, []float64{0}, [][]float64{{0, 1e300}}}} {
		if _, err := particles.NewGraph(bad.x, bad.y, bad.f, false); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

// TestReleased: without its obstacle a particle has the energy of its place, and the others keep
// what they have; which coordinates are curved, and how large the obstacle is, is told of each
// kind.
func TestReleased(t *testing.T) {
	ball, err1 := particles.NewSphere([3]float64{1, 2, 3}, 0.5, false, [3]float64{0, 0, 1})
	pipe, err2 := particles.NewCylinder([3]float64{}, [3]float64{0, 1, 0}, 0.25, true)
	f, err3 := particles.NewHalfSpace([3]float64{}, [3]float64{0, 0, 1})
	flat, err4 := particles.NewPlane(f.Frame())
	tether, err5 := particles.NewTethers(
		particles.Tether{Particle: 0, Anchor: particles.At(1, 1, 1), Stiffness: particles.Isotropic(3)},
		particles.Tether{Particle: 1, Anchor: particles.At(0, 1, 1), Stiffness: particles.Isotropic(2)},
		particles.Tether{Particle: 2, Anchor: particles.At(1, 0, 1), Stiffness: particles.Isotropic(5)})
	for _, err := range []error{err1, err2, err3, err4, err5} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var frames []particles.Frame
	for _, c := range []struct {
		face  particles.Face
		reach float64
	}{{ball, 0.5}, {pipe, 0.25}, {flat, 1}} {
		chart, err := particles.NewChart(c.face, particles.Motion{})
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, particles.Charted(chart, [3]float64{}))
		if chart.Reach() != c.reach {
			t.Errorf("%T: %g large, want %g", c.face, chart.Reach(), c.reach)
		}
	}
	sys, err := particles.NewSystem(frames, tether)
	if err != nil {
		t.Fatal(err)
	}
	if !sys.Curved(0) || !sys.Curved(1) || sys.Curved(2) || !sys.AnyCurved() {
		t.Error("ball and pipe are curved, the plane is not")
	}
	z := []float64{0.1, -0.2, 0.3, 0.05, 0.6, 0.1, 1, 2, 0.5}
	want, _ := sys.Value(0, z)
	off, err := sys.Released(func(j int) bool { return j == 0 })
	if err != nil {
		t.Fatal(err)
	}
	x := sys.Position(0, 0, z)
	y := append(append([]float64(nil), x[:]...), z[3:]...)
	if got, _ := off.Value(0, y); math.Abs(got-want) > 1e-14*want || off.Constrained(0) || !off.Constrained(1) ||
		off.Contacts() != sys.Contacts() {
		t.Errorf("%g J, want %g; particle 0 has an obstacle: %v", got, want, off.Constrained(0))
	}
	if c := sys.Frame(0).Chart.Coordinates(0, x); math.Abs(c[0]-z[0]) > 1e-14 || math.Abs(c[1]-z[1]) > 1e-14 ||
		math.Abs(c[2]-z[2]) > 1e-14 {
		t.Errorf("the coordinates of its place are %v, want %v", c, z[:3])
	}
	none, err := off.Released(func(int) bool { return true })
	if err != nil || none.AnyCurved() {
		t.Errorf("%v: without obstacles none is curved", err)
	}
}

// TestAddMetric: c JᵀJ is c times what a small displacement of the coordinates makes in space,
// squared; on the lower half of the matrix.
func TestAddMetric(t *testing.T) {
	ball, err := particles.NewSphere([3]float64{1, 2, 3}, 0.5, false, [3]float64{0, 0.6, 0.8})
	if err != nil {
		t.Fatal(err)
	}
	chart, err := particles.NewChart(ball, particles.Motion{})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{particles.Charted(chart, [3]float64{}), particles.Floor()})
	if err != nil {
		t.Fatal(err)
	}
	z := []float64{0.3, -0.2, 0.7, 1, 2, 0}
	a := sys.Hessian(0, z)
	clear(a.Val)
	const c, h = 7., 1e-6
	sys.AddMetric(a, 0, z, c)
	var axes [3][3]float64
	for k := range axes {
		lo, hi := append([]float64(nil), z...), append([]float64(nil), z...)
		lo[k] -= h
		hi[k] += h
		p, q := sys.Position(0, 0, lo), sys.Position(0, 0, hi)
		for i := range p {
			axes[k][i] = (q[i] - p[i]) / (2 * h)
		}
	}
	for row := range 3 {
		for col := range row + 1 {
			want := 0.
			for i := range 3 {
				want += c * axes[row][i] * axes[col][i]
			}
			if got := a.Val[a.Index(row, col)]; math.Abs(got-want) > 1e-8*c { // differences: h² and rounding over h
				t.Errorf("entry %d, %d: %g, want %g", row, col, got, want)
			}
		}
		if at := a.Index(3+row, 3+row); at >= 0 && a.Val[at] != c {
			t.Errorf("flat: entry %d is %g, want %g", row, a.Val[at], c)
		}
	}
}
