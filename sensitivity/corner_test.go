package sensitivity_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sensitivity"
	"github.com/quasistatic/quasistatic/signal"
)

// between puts particles at the origin, each between the obstacles with its normals.
func between(mu float64, normals [][][3]float64, until float64, energies ...particles.Energy) (*events.Plane, error) {
	return rubbing(dissipation.Isotropic{Mu: mu}, normals, until, energies...)
}

// rubbing is between with any friction.
func rubbing(friction dissipation.Matrix, normals [][][3]float64, until float64, energies ...particles.Energy) (*events.Plane, error) {
	var frames []particles.Frame
	var extras []particles.Extra
	for j, list := range normals {
		for i, n := range list {
			h, err := particles.NewHalfSpace([3]float64{}, n)
			if err != nil {
				return nil, err
			}
			if i == 0 {
				frames = append(frames, h.Frame())
			} else {
				extras = append(extras, particles.Extra{Particle: j, Frame: h.Frame()})
			}
		}
	}
	sys, err := particles.NewSystem(frames, energies...)
	if err != nil {
		return nil, err
	}
	if sys, err = sys.WithExtras(extras, 1); err != nil {
		return nil, err
	}
	list := make([]dissipation.Matrix, sys.Contacts())
	for c := range list {
		list[c] = friction
	}
	psi, err := dissipation.New(sys, list)
	if err != nil {
		return nil, err
	}
	return events.NewPlane(psi, make([]float64, 3*len(normals)), until)
}

// pulled is a spring of stiffness k from a particle to an anchor.
func pulled(j int, k [3]float64, a particles.Path) particles.Energy {
	e, err := particles.NewTethers(particles.Tether{Particle: j, Anchor: a, Stiffness: particles.Diagonal(k[0], k[1], k[2])})
	if err != nil {
		panic(err)
	}
	return e
}

var (
	floorNormal = [3]float64{0, 0, 1}
	wallNormal  = [3]float64{1, 0, 0}
)

// TestGroove: between two sides of half angle β play has the friction μ/sin β; by μ and by β, on
// which the normals depend.
func TestGroove(t *testing.T) {
	const n, k, mu, beta = 1.5, 2., .2, math.Pi / 6
	groove := func(mu, beta float64) (*events.Plane, error) {
		sides := [][3]float64{{0, math.Cos(beta), math.Sin(beta)}, {0, -math.Cos(beta), math.Sin(beta)}}
		return between(mu, [][][3]float64{sides}, 2,
			pulled(0, [3]float64{k, k, 5}, particles.Path{sine(0, 1, 1), signal.Constant(0), signal.Constant(-.3)}))
	}
	slope := 8*n - 18*.4*n*n/k // of D(2) by the friction of play, TestPlay
	byMu := walk(t, func(mu float64) (*events.Plane, error) { return groove(mu, beta) }, mu, 2)
	is(t, "D(2) by μ", byMu.Dissipation(), 3.18, slope/math.Sin(beta), 1e-12)
	is(t, "σ of a side", byMu.Normal(0), n/(2*math.Sin(beta)), 0, 1e-12)
	byAngle := walk(t, func(beta float64) (*events.Plane, error) { return groove(mu, beta) }, beta, 2)
	bend := -math.Cos(beta) / (math.Sin(beta) * math.Sin(beta))
	// normals by differences of eighth order
	is(t, "D(2) by β", byAngle.Dissipation(), 3.18, slope*mu*bend, 2e-12)
	is(t, "σ by β", byAngle.Normal(1), n/(2*math.Sin(beta)), n/2*bend, 1e-12)
	// Slipping, each side holds half of the friction μN/sin β.
	slips := walk(t, func(mu float64) (*events.Plane, error) { return groove(mu, beta) }, mu, .1)
	is(t, "friction of a side", slips.Friction(1)[0], -.3, -1.5, 1e-12)
}

// TestCorner: the table of the case corner by μ. From t = 2.5 on the force along the floor has a
// part dF_y/dμ = 2 across the motion, which lets the particle drift: with x' = 2, ρ = μσ = ¼ it is
// −2e^{−8(t−2.625)} to t = 3, and then, with x' = ½, ρ = (1−2τ)/4, falls like 1−2τ to nothing where
// the floor bears nothing.
func TestCorner(t *testing.T) {
	times := []float64{0, 1, 2, 3, 4, 5, 6}
	path := particles.Path{table(times, -1, -1, -1, 1, 1, -1, -1), table(times, 0, 1, .5, .5, .5, .5, .5),
		table(times, -1, -1, -1, -1, 1, 1, -1)}
	f := func(mu float64) (*events.Plane, error) {
		return between(mu, [][][3]float64{{floorNormal, wallNormal}}, 6, pulled(0, [3]float64{1, 1, 1}, path))
	}
	for _, c := range []struct{ t, d, slope, x, dx, y, dy float64 }{
		{1, .25, 0, 0, 0, .5, -2},
		{2.5, .25, 0, 0, 0, .5, -2},
		{3, .4375, .5, .75, -1, .5, -2 * math.Exp(-3)},
		{3.25, .4609375, .6875, .875, -.5, .5, -math.Exp(-3)},
		{4, .46875, .75, 1, 0, .5, 0},
		{6, .71875, 1.75, 0, 0, .5, 0},
	} {
		w := walk(t, f, .25, c.t)
		is(t, "D", w.Dissipation(), c.d, c.slope, 1e-12)
		is(t, "x", w.Position(0)[0], c.x, c.dx, 1e-12)
		is(t, "y", w.Position(0)[1], c.y, c.dy, 1e-12)
	}
	is(t, "σ of the wall", walk(t, f, .25, 2.25).Normal(1), .5, 0, 1e-12)
	// Above μ = ½ it does not slip along the edge.
	r, err := sensitivity.Interval(context.Background(), f, .25, 6, 0)
	if err != nil || math.Abs(r.Hi-.5) > 1e-9 {
		t.Errorf("above %g: %+v, %v, want 1/2", r.Hi, r.Above, err)
	}
	if r, err := sensitivity.Interval(context.Background(), f, .25, 2, 0); err != nil || math.Abs(r.Lo-.125) > 1e-9 ||
		math.Abs(r.Hi-.5) > 1e-9 {
		t.Errorf("to t=2: %+v, %v, want 1/8, below which it slips back, to 1/2, above which it does not slip", r, err)
	}
}

// TestDriftSmooth: under smooth loads, along x, a parameter that moves the anchor by p across x
// lets the particle drift on the floor, ρ = μσ = ¼ from the pull: dy/dp = ∫ (λ/ρ)(1 − dy/dp) dt = 1
// − e^{−s/ρ} behind a way s, of which there is one from x = 0 to 5/4. Along x it follows.
func TestDriftSmooth(t *testing.T) {
	for _, across := range []bool{true, false} {
		f := func(p float64) (*events.Plane, error) {
			path := particles.Path{sine(-.5, 2, .25), signal.Constant(0), signal.Constant(-1)}
			if across {
				path[1] = signal.Constant(p)
			} else {
				path[0] = sine(-.5+p, 2, .25)
			}
			return between(.25, [][][3]float64{{floorNormal, wallNormal}}, 1, pulled(0, [3]float64{1, 1, 1}, path))
		}
		w := walk(t, f, 0, 1)
		if across {
			is(t, "x", w.Position(0)[0], 1.25, 0, 1e-11)
			is(t, "y", w.Position(0)[1], 0, 1-math.Exp(-5), 1e-11)
		} else {
			is(t, "x", w.Position(0)[0], 1.25, 1, 1e-12)
		}
	}
}

// TestCornersByDifference: of two particles in a corner and in a groove, bonded, derivatives by a
// stiffness are central differences where these see the same events.
func TestCornersByDifference(t *testing.T) {
	const h, p = 1e-4, 2.
	checked := 0
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var paths []particles.Path
		times := []float64{0, 1, 2, 3, 4}
		for range 2 {
			x, z := []float64{0}, []float64{0}
			for range 4 {
				x, z = append(x, 2*rng.Float64()-1), append(z, 2*rng.Float64()-1.3)
			}
			paths = append(paths, particles.Path{table(times, x...), signal.Constant(0), table(times, z...)})
		}
		f := func(k float64) (*events.Plane, error) {
			bond, err := particles.NewBonds(make([]float64, 6), particles.Bond{I: 0, J: 1, Stiffness: particles.Diagonal(k, k, k)})
			if err != nil {
				return nil, err
			}
			normals := [][][3]float64{{floorNormal, wallNormal}, {{.6, 0, .8}, {-.8, 0, .6}}}
			return between(.25, normals, 4, bond, pulled(0, [3]float64{1, 1, 1}, paths[0]), pulled(1, [3]float64{3, 3, 3}, paths[1]))
		}
		r, err := sensitivity.Interval(context.Background(), f, p, 4, 0)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if r.Lo > p-2*h || r.Hi < p+2*h {
			continue
		}
		checked++
		mid, lo, hi := walk(t, f, p, 4), walk(t, f, p-h, 4), walk(t, f, p+h, 4)
		difference := func(name string, of func(w *sensitivity.Walk) events.Dual) {
			want := (of(hi).V - of(lo).V) / (2 * h)
			if d := of(mid).D - want; !(math.Abs(d) < 1e-7) {
				t.Errorf("seed %d: d%s/dp = %.10g, by difference %.10g", seed, name, of(mid).D, want)
			}
		}
		difference("D", func(w *sensitivity.Walk) events.Dual { return w.Dissipation() })
		difference("E", func(w *sensitivity.Walk) events.Dual { return w.Energy() })
		for j := range 2 {
			difference("x", func(w *sensitivity.Walk) events.Dual { return w.Position(j)[0] })
			difference("z", func(w *sensitivity.Walk) events.Dual { return w.Position(j)[2] })
		}
		for c := range 4 {
			difference("σ", func(w *sensitivity.Walk) events.Dual { return w.Normal(c) })
		}
	}
	if checked < 5 {
		t.Errorf("%d of 8 scenes had an interval", checked)
	}
}

// TestCurvesByDifference: of a particle in corners of space, whose directions turn, derivatives by
// friction and by a stiffness are central differences where these see the same events.
func TestCurvesByDifference(t *testing.T) {
	const h = 1e-4
	checked := 0
	for _, seed := range [3]uint64{0, 1, 5} {
		rng := rand.New(rand.NewPCG(seed, 5))
		times, rows := []float64{0, 1, 2, 3}, [3][]float64{{0}, {0}, {0}}
		for range 3 {
			for c := range rows {
				rows[c] = append(rows[c], 2*rng.Float64()-1)
			}
			rows[2][len(rows[2])-1] -= .6
		}
		path := particles.Path{table(times, rows[0]...), table(times, rows[1]...), table(times, rows[2]...)}
		if seed == 5 {
			path[0] = sine(0, 1, .3)
		}
		for name, f := range map[string]func(p float64) (*events.Plane, error){
			"μ": func(p float64) (*events.Plane, error) {
				return between(p/4, [][][3]float64{{floorNormal, {.8, .6, 0}, {-.6, .8, 0}}}, 3, pulled(0, [3]float64{1, 1.2, .9}, path))
			},
			"k": func(p float64) (*events.Plane, error) {
				return between(.25, [][][3]float64{{floorNormal, {.8, .6, 0}, {-.6, .8, 0}}}, 3, pulled(0, [3]float64{p, 1.2, .9}, path))
			},
		} {
			var orders [3]string
			var walks [3]*sensitivity.Walk
			for i := range walks {
				w, err := sensitivity.New(f, 1+h*float64(i-1), 0)
				if err == nil {
					err = w.Integrate(context.Background(), events.Dual{V: 3}, func() error {
						for _, e := range w.Changes() {
							orders[i] += fmt.Sprint(e.Contact, e.From, e.To, " ")
						}
						return nil
					})
				}
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				walks[i] = w
			}
			lo, mid, hi := walks[0], walks[1], walks[2]
			if orders[0] != orders[1] || orders[2] != orders[1] {
				continue
			}
			checked++
			for what, of := range map[string]func(w *sensitivity.Walk) events.Dual{
				"D": func(w *sensitivity.Walk) events.Dual { return w.Dissipation() },
				"W": func(w *sensitivity.Walk) events.Dual { return w.Work() },
				"E": func(w *sensitivity.Walk) events.Dual { return w.Energy() },
				"x": func(w *sensitivity.Walk) events.Dual { return w.Position(0)[0] },
				"y": func(w *sensitivity.Walk) events.Dual { return w.Position(0)[1] },
				"z": func(w *sensitivity.Walk) events.Dual { return w.Position(0)[2] },
			} {
				want := (of(hi).V - of(lo).V) / (2 * h)
				// Differences are off by h² times a third derivative of some ten.
				if d := of(mid).D - want; !(math.Abs(d) < 1e-6) {
					t.Errorf("seed %d: d%s/d%s = %.10g, by difference %.10g", seed, what, name, of(mid).D, want)
				}
			}
			if d, want := mid.Energy().D, mid.Work().D-mid.Dissipation().D; !(math.Abs(d-want) < 1e-9) {
				t.Errorf("seed %d: the derivative of (E) by %s is %.3g", seed, name, d-want)
			}
		}
	}
	if checked < 6 {
		t.Errorf("%d of 6 scenes had the same events beside", checked)
	}
}
