package dissipation_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// moving is a plane through a point that shifts by (rate)·t.
func moving(t *testing.T, point, normal, rate [3]float64) particles.Frame {
	t.Helper()
	h, err := particles.NewHalfSpace(point, normal)
	if err != nil {
		t.Fatal(err)
	}
	plane, err := particles.NewPlane(h.Frame())
	if err != nil {
		t.Fatal(err)
	}
	shift := make(particles.Path, 3)
	for d := range 3 {
		if shift[d], err = signal.NewTable([]float64{0, 10}, []float64{0, 10 * rate[d]}); err != nil {
			t.Fatal(err)
		}
	}
	chart, err := particles.NewChart(plane, particles.Motion{Shift: shift})
	if err != nil {
		t.Fatal(err)
	}
	return particles.Charted(chart, [3]float64{})
}

// dragged is the third of three particles on floors, beside a wall x >= 0 that moves with a rate.
func dragged(t *testing.T, rate [3]float64, floor, wall dissipation.Matrix) *dissipation.Coulomb {
	t.Helper()
	tether, err := particles.NewTethers(particles.Tether{Particle: 2, Anchor: particles.At(0, 0, -1), Stiffness: particles.Isotropic(1)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(3), tether)
	if err != nil {
		t.Fatal(err)
	}
	if sys, err = sys.WithExtras([]particles.Extra{{Particle: 2,
		Frame: moving(t, [3]float64{}, [3]float64{1, 0, 0}, rate)}}, 1); err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, []dissipation.Matrix{nil, nil, floor, wall})
	if err != nil {
		t.Fatal(err)
	}
	return psi
}

// TestSlide: how far a particle has moved along an obstacle is (t, o)·(z − z₀ − what the obstacle
// has moved): along the floor, which stands, its own way; along the wall that less (t − t₀) times
// the rate of the wall. Without an origin there is no way; a way that is rounding is none, by its
// length.
func TestSlide(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 33))
	rate := [3]float64{0.5, -0.25, 0.75}
	psi := dragged(t, rate, dissipation.Isotropic{Mu: 0.5}, dissipation.Isotropic{Mu: 0.5})
	sys := psi.System
	for range 50 {
		z, from := make([]float64, 9), dissipation.Origin{T: r.Float64(), Z: make([]float64, 9)}
		for i := range z {
			z[i], from.Z[i] = r.NormFloat64(), r.NormFloat64()
		}
		at := from.T + r.Float64()
		way := [3]float64{z[6] - from.Z[6], z[7] - from.Z[7], z[8] - from.Z[8]}
		if a, b := psi.Slide(at, 2, z, from); math.Abs(a-way[0]) > 1e-15 || math.Abs(b-way[1]) > 1e-15 {
			t.Fatalf("along the floor (%g, %g), want %v", a, b, way)
		}
		for d := range way {
			way[d] -= (at - from.T) * rate[d]
		}
		_, x, y := sys.ContactAxes(at, 3, z)
		if a, b := psi.Slide(at, 3, z, from); math.Abs(a-dot(x, way)) > 1e-14 || math.Abs(b-dot(y, way)) > 1e-14 {
			t.Fatalf("along the wall (%g, %g), want (%g, %g)", a, b, dot(x, way), dot(y, way))
		}
		for c := 2; c < 4; c++ {
			if a, b := psi.Slide(at, c, z, dissipation.Origin{T: from.T}); a != 0 || b != 0 {
				t.Fatalf("contact %d, from nowhere: (%g, %g)", c, a, b)
			}
		}
	}
	// What is rounding: by the length of the way, where an obstacle beside the first moves; nothing
	// but 0 else.
	z := []float64{0, 0, 0, 0, 0, 0, 0.25, 0.5, 0}
	blur := sys.Blur(2, z)
	if !(blur > 0) || sys.Blur(0, z) != 0 {
		t.Fatalf("blurs %g, %g", blur, sys.Blur(0, z))
	}
	for _, x := range []struct {
		a, b float64
		want bool
	}{{0, 0, true}, {blur, 0, true}, {0, -blur, true}, {0.7 * blur, 0.7 * blur, true}, {0.8 * blur, -0.8 * blur, false},
		{1.1 * blur, 0, false}, {0, 1.1 * blur, false}, {1, 0, false}, {math.NaN(), 0, false}} {
		for c := 2; c < 4; c++ {
			if got := psi.Rests(c, z, x.a, x.b); got != x.want {
				t.Errorf("contact %d, a way of (%g, %g): rests is %t", c, x.a, x.b, got)
			}
		}
		if got, want := psi.Rests(0, z, x.a, x.b), x.a == 0 && x.b == 0; got != want {
			t.Errorf("without other obstacles, a way of (%g, %g): rests is %t", x.a, x.b, got)
		}
	}
	from := dissipation.Origin{Z: make([]float64, 9)}
	for _, way := range []float64{0.9, 1.2} {
		copy(from.Z, z)
		from.Z[7] -= way * blur
		if a, b := psi.Slide(0, 2, z, from); a != 0 || (b != 0) != (way > 1) {
			t.Errorf("%g of what is rounding: a way of (%g, %g)", way, a, b)
		}
	}
}

// TestDrag: a wall that pushes a particle over the floor and rises beside it: with σ of the floor
// and τ of the wall, friction μ and ν of them, and the factor m of the floor,
//
//	τ − mμσ = F,   σ + ντ = G  where it rises; σ − ντ = G where it sinks.
//
// What does not slide has no friction.
func TestDrag(t *testing.T) {
	const mu, nu, F, G = 0.3, 0.2, 0.5, 2.0
	for _, m := range []float64{1, 1.5} {
		for _, up := range []float64{1, 0, -1} {
			psi := dragged(t, [3]float64{0.5, 0, 0.25 * up}, dissipation.Isotropic{Mu: mu}, dissipation.Isotropic{Mu: nu})
			if err := psi.SetFactors([]signal.Scalar{nil, nil, signal.Constant(m), nil}); err != nil {
				t.Fatal(err)
			}
			from := dissipation.Origin{T: 0, Z: make([]float64, 9)}
			z, grad := make([]float64, 9), []float64{7, 7, 7, 7, 7, 7, F, 0, G}
			z[6] = 0.5 // carried to x = ½ at t = 1
			floor := (G - up*nu*F) / (1 + up*nu*m*mu)
			wall := F + m*mu*floor
			if s, w := psi.Pressure(1, 2, z, grad, from),
				psi.Pressure(1, 3, z, grad, from); math.Abs(s-floor) > 1e-14 || math.Abs(w-wall) > 1e-14 {
				t.Errorf("factor %g, rise %g: floor %g, wall %g, want %g, %g", m, up, s, w, floor, wall)
			}
			// Without an origin nothing slides: each bears what presses onto it.
			if s, w := psi.Pressure(1, 2, z, grad, dissipation.Origin{}),
				psi.Pressure(1, 3, z, grad, dissipation.Origin{}); s != G || w != F {
				t.Errorf("from nowhere: floor %g, wall %g", s, w)
			}
		}
	}
	// Along both directions of the floor: friction against the slide (3, 4)/5.
	psi := dragged(t, [3]float64{3, 4, 0}, dissipation.Isotropic{Mu: mu}, nil)
	from := dissipation.Origin{Z: make([]float64, 9)}
	z := []float64{0, 0, 0, 0, 0, 0, 3, 4, 0}
	if s, w := psi.Pressure(1, 2, z, []float64{0, 0, 0, 0, 0, 0, F, 0.1, G}, from),
		psi.Pressure(1, 3, z, []float64{0, 0, 0, 0, 0, 0, F, 0.1, G}, from); math.Abs(s-G) > 1e-14 || math.Abs(w-F-0.6*mu*G) > 1e-14 {
		t.Errorf("askew: floor %g, wall %g, want %g, %g", s, w, G, F+0.6*mu*G)
	}
}

// hand is a corner at the origin of the floor and two walls that face −x and −y, with thresholds
// and slides.
func hand(t *testing.T, laws [3]contact.Tresca, slides [3][2]float64) *dissipation.Corner {
	t.Helper()
	sys, err := particles.NewSystem(particles.Floors(1))
	if err != nil {
		t.Fatal(err)
	}
	var extras []particles.Extra
	for d := range 2 {
		n := [3]float64{}
		n[d] = -1
		h, err := particles.NewHalfSpace([3]float64{}, n)
		if err != nil {
			t.Fatal(err)
		}
		extras = append(extras, particles.Extra{Frame: h.Frame()})
	}
	if sys, err = sys.WithExtras(extras, 1); err != nil {
		t.Fatal(err)
	}
	k := new(dissipation.Corner)
	k.Reset(sys, 0, make([]float64, 3), 0, nil)
	copy(k.Laws, laws[:])
	copy(k.Slides, slides[:])
	return k
}

// TestAlignMixed: where some contacts slide and others do not, the friction of those that do is
// against their slide, and what is left, after the normal forces, is held by the others in the
// ratio of their thresholds, up to these. A contact that slides along a direction without friction
// holds across it. Without a threshold nothing slides or holds.
func TestAlignMixed(t *testing.T) {
	rail := contact.NewShape([4]float64{0.5, 0, 0, 0})
	plain := func(a, b, c float64) [3]contact.Tresca {
		return [3]contact.Tresca{{Threshold: a}, {Threshold: b}, {Threshold: c}}
	}
	for _, x := range []struct {
		name   string
		laws   [3]contact.Tresca
		slides [3][2]float64
		g      [3]float64
		want   [3]float64 // of all contacts
		floor  [3]float64 // (n, t, o) of it
		slide  bool
	}{
		// Friction (−.6, 0), so that 1.6 and 2 N are left along the floor, and no wall presses: the
		// walls would hold half of each; thresholds allow .5 in all directions.
		{"the floor slides", plain(0.6, 0.5, 0.5), [3][2]float64{{2, 0}}, [3]float64{0.2, 0.3, 3},
			[3]float64{-0.6 + 0.4, 0.15 + 0.15 - 0.15, 3}, [3]float64{3, -0.6, 0}, true},
		{"nothing slides, thresholds of 1 N in all", plain(0.25, 0.25, 0.5), [3][2]float64{}, [3]float64{0.2, 0.1, 3},
			[3]float64{0.25*0.2 + 0.5*0.2, 0.25*0.1 + 0.25*0.1, 3}, [3]float64{3, 0.05, 0.025}, false},
		{"up to the threshold", plain(0.3, 0, 0), [3][2]float64{}, [3]float64{3, 4, 1}, [3]float64{0.18, 0.24, 1},
			[3]float64{1, 0.18, 0.24}, false},
		{"a threshold of 1 N", plain(1, 0, 0), [3][2]float64{{0, 3}}, [3]float64{0.5, 0.5, 3}, [3]float64{0, -1, 3},
			[3]float64{3, 0, -1}, true},
		{"what slides has no friction", plain(0, 0, 0), [3][2]float64{{1, 0}, {0, 1}, {1, 1}}, [3]float64{1, 2, 3},
			[3]float64{0, 0, 3}, [3]float64{3, 0, 0}, false},
		{"without friction it slides, others hold", plain(0, 0.5, 0.5), [3][2]float64{{1, 0}}, [3]float64{0.2, 0.3, 3},
			[3]float64{0.1, 0.15, 3}, [3]float64{3, 0, 0}, false},
		{"on a rail", [3]contact.Tresca{{Threshold: 0.8, Shape: rail}, {}, {Threshold: 0.1}},
			[3][2]float64{{0, 2}, {}, {}}, [3]float64{0.18, 0, 3}, [3]float64{0.16 + 0.02, 0, 3}, [3]float64{3, 0.16, 0}, false},
		{"on a rail that slides", [3]contact.Tresca{{Threshold: 0.8, Shape: rail}, {}, {}},
			[3][2]float64{{1, 2}, {}, {}}, [3]float64{0.3, 0.3, 3}, [3]float64{-0.4, 0, 3}, [3]float64{3, -0.4, 0}, true},
	} {
		k := hand(t, x.laws, x.slides)
		if got := k.Align(x.g); got != x.slide {
			t.Errorf("%s: slides is %t", x.name, got)
		}
		f := k.Force()
		for d := range f {
			if math.Abs(f[d]-x.want[d]) > 1e-15*4 || math.Abs(k.R[0][d]-x.floor[d]) > 1e-15*4 {
				t.Errorf("%s: forces %v, floor %v, want %v, %v", x.name, f, k.R[0], x.want, x.floor)
				break
			}
		}
	}
}

// TestCornerUnits: the problem of a corner in other units of force and length has the same solution
// in these.
func TestCornerUnits(t *testing.T) {
	for _, unit := range []float64{1e-13, 1e12} {
		for _, length := range []float64{1, 1e-6} {
			one, other := rand.New(rand.NewPCG(8, 1)), rand.New(rand.NewPCG(8, 1))
			for range 40 {
				solve := func(r *rand.Rand, force, length float64) ([3]float64, []([3]float64)) {
					c, _ := wedge(t, r)
					var k dissipation.Corner
					k.Reset(c.System, 0, make([]float64, 6), 1, nil)
					for i, n := range k.Contacts {
						c.Law(&k.Laws[i], 0, n, 3*force*r.Float64(), make([]float64, 6))
						k.Offsets[i] = [3]float64{length * r.Float64(), length * r.NormFloat64(), length * r.NormFloat64()}
					}
					g, v := triple(r), triple(r)
					g[2] += 1
					for d := range 3 {
						g[d], v[d] = g[d]*force, v[d]*length
					}
					y := k.Solve(g, v, (0.5+r.Float64())*force/length)
					return y, k.R
				}
				y, _ := solve(one, 1, 1)
				x, _ := solve(other, unit, length)
				for d := range y {
					if math.Abs(x[d]/length-y[d]) > 1e-9 { // as in TestCorner
						t.Fatalf("forces in %g N, lengths in %g m: %v, want %v", unit, length, x, y)
					}
				}
			}
		}
	}
}

// TestNoForceNoDissipation: where nothing presses nothing is dissipated, however far the way.
func TestNoForceNoDissipation(t *testing.T) {
	psi := two(t, dissipation.Isotropic{Mu: 0.5})
	far := []float64{math.Inf(1), 0, 0, 3, 4, 0}
	for _, grad := range [][]float64{{0, 0, 0, 0, 0, 2}, {0, 0, -1, 0, 0, 2}} {
		if got := psi.Value(0, grad, make([]float64, 6), far); got != 5 {
			t.Errorf("Ψ = %g", got)
		}
		if got := psi.Restricted(dissipation.Rule{}, nil, nil, 0, grad, make([]float64, 6), far); got != 5 {
			t.Errorf("restricted: Ψ = %g", got)
		}
	}
}

// sheared is a matrix of equal diagonal with one entry beside it.
type sheared struct{ s [4]float64 }

func (m sheared) At(_, _ float64, _ *[2][4]float64) [4]float64 { return m.s }
func (sheared) Constant() bool                                 { return true }

// TestSheared: equal entries on the diagonal make no isotropic matrix, if there is one beside it.
func TestSheared(t *testing.T) {
	for _, s := range [][4]float64{{1, 0.5, 0, 1}, {1, 0, 0.5, 1}} {
		psi := two(t, sheared{s})
		var law contact.Tresca
		if psi.Law(&law, 0, 0, 2, make([]float64, 6)); law.Shape.Matrix() != s || law.Threshold != 2 {
			t.Errorf("%v: %+v", s, law)
		}
		if got := psi.Size(0, 0, make([]float64, 6)); math.Abs(got-math.Sqrt(0.5*2.25)) > 1e-15 {
			t.Errorf("%v: size %g", s, got)
		}
	}
}

// TestMapEdges: coordinates are finite and increase, all of them; at the first and last points the slope is that of the cells there, outside there is
// none; where there is no number there is none.
func TestMapEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, x := range [][]float64{{-inf, 0, 1}, {0, 1, inf}, {math.NaN(), 0, 1}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0.5}} {
		row := []float64{1, 1, 1}
		if _, err := dissipation.NewMap(x, []float64{0, 1}, [][]float64{row, row}); err == nil {
			t.Errorf("%v: accepted", x)
		}
	}
	m, err := dissipation.NewMap([]float64{0, 1, 3}, []float64{0, 1}, [][]float64{{1, 2, 4}, {1, 2, 4}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ x, mu, dx float64 }{{0, 1, 1}, {3, 4, 1}, {1, 2, 1}, {-1e-9, 1, 0}, {3 + 1e-9, 4, 0},
		{-inf, 1, 0}, {inf, 4, 0}} {
		if mu, dx, dy := m.At(c.x, 0.5); mu != c.mu || math.Abs(dx-c.dx) > 1e-15 || dy != 0 {
			t.Errorf("at %g: %g, slopes %g, %g, want %g, %g", c.x, mu, dx, dy, c.mu, c.dx)
		}
	}
	if mu, _, _ := m.At(math.NaN(), 0.5); mu == mu {
		t.Errorf("friction of %g nowhere", mu)
	}
}

// TestEndOfVariable: the way of a variable with a limit ends at the plane through P + limit·t that
// faces back, without friction, numbered after the particles; others have no end. The press has no
// −0.
func TestEndOfVariable(t *testing.T) {
	var list []dissipation.Variable
	for i, limit := range []float64{0, 0.5, 0, 2} {
		frame, err := particles.VariableFrame([3]float64{float64(i), 2, -1}, [3]float64{1, 2, -2})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, dissipation.Variable{Frame: frame, Yield: 1, Idle: 1, Limit: limit})
	}
	for i, v := range list {
		e, ok := v.End(7 + i)
		if ok != (v.Limit > 0) {
			t.Fatalf("variable %d: an end is %t", i, ok)
		}
		if !ok {
			continue
		}
		f := v.Frame
		for d := range 3 {
			if e.Particle != 7+i || math.Abs(e.Frame.P[d]-f.P[d]-v.Limit*f.T[d]) > 1e-15 || e.Frame.N[d] != -f.T[d] {
				t.Errorf("variable %d: end %+v of %+v", i, e, f)
			}
		}
	}
	for _, limits := range [][]float64{{0.5}, {0.5, 3}, {3, 0.5}, {0, 0}} {
		x := &several{}
		size := 0.0
		for i, limit := range limits {
			v := list[i]
			v.Limit = limit
			x.list = append(x.list, v)
			size = max(size, limit)
		}
		psi, err := dissipation.WithVariables([]particles.Frame{particles.Floor(), particles.Floor()}, nil, x)
		if err != nil {
			t.Fatal(err)
		}
		sys, ends := psi.System, 0
		for i, limit := range limits {
			if limit == 0 {
				continue
			}
			c, z := sys.N()+ends, make([]float64, 3*sys.N())
			ends++
			if sys.ContactParticle(c) != 2+i || psi.Matrices[c] != nil {
				t.Errorf("limits %v: contact %d is of particle %d with %v", limits, c, sys.ContactParticle(c), psi.Matrices[c])
			}
			for _, p := range []float64{0, 0.25, limit} {
				z[3*(2+i)] = p // along t
				if h := sys.Height(0, c, z); math.Abs(h-(limit-p)) > 1e-15 {
					t.Errorf("limits %v: %g before the end at %g", limits, h, p)
				}
			}
			if got, want := sys.Touching(c, make([]float64, 3*sys.N())), 1e-13*(size+limit); math.Abs(got-want) > 1e-28 {
				t.Errorf("limits %v: contact %d counts from %g m, want %g", limits, c, got, want)
			}
		}
		if sys.Contacts() != sys.N()+ends {
			t.Errorf("limits %v: %d contacts", limits, sys.Contacts())
		}
	}
	frame, err := particles.VariableFrame([3]float64{}, [3]float64{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	e, err := dissipation.Press(0, []dissipation.Variable{{Frame: frame, Yield: 1, Idle: 1}})
	if err != nil {
		t.Fatal(err)
	}
	grad := make([]float64, 3)
	e[0].Gradient(grad, nil, 0, make([]float64, 3))
	for d := range grad {
		if grad[d] == 0 && math.Signbit(grad[d]) {
			t.Errorf("force %v", grad)
		}
	}
}

// several is an energy of nothing with variables.
type several struct{ list []dissipation.Variable }

func (s *several) Variables() []dissipation.Variable               { return s.list }
func (s *several) Number(int)                                      {}
func (s *several) Pattern(*particles.Pattern)                      {}
func (s *several) Value(float64, []float64) (e, rate float64)      { return 0, 0 }
func (s *several) Gradient(_, _ []float64, _ float64, _ []float64) {}
func (s *several) Hessian(*particles.Hessian, float64, []float64)  {}
func (s *several) ConstantHessian() bool                           { return true }
