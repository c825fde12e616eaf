package events_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sensitivity"
	"github.com/quasistatic/quasistatic/signal"
)

// dragged is a particle on a floor, on a spring with axes of its own that its anchor drags:
//
//	d = K(a − q),  σ = −k₃a₃,  |d| ≤ μσ,  q̇ = λd/|d|,  λ = (e·Kȧ − μσ̇)/(e·Ke)
//
// where |d| = μσ and λ > 0. It shares no code with the walker.
type dragged struct {
	mu float64
	k  [3]float64
	// v may jump at whole t: from piece to piece
	anchor func(t float64, piece int) (a, v [3]float64)
	path   particles.Path
}

// state is one of it.
type state struct {
	x, y, lost float64
}

// slack is what friction holds beyond the force.
func (g *dragged) slack(t float64, piece int, s state) float64 {
	a, _ := g.anchor(t, piece)
	return -g.mu*g.k[2]*a[2] - math.Hypot(g.k[0]*(a[0]-s.x), g.k[1]*(a[1]-s.y))
}

// rate is the velocity, where it slips, with λ.
func (g *dragged) rate(t float64, piece int, s state) (ds state, speed float64) {
	a, v := g.anchor(t, piece)
	dx, dy := g.k[0]*(a[0]-s.x), g.k[1]*(a[1]-s.y)
	l := math.Hypot(dx, dy)
	ex, ey := dx/l, dy/l
	speed = (ex*g.k[0]*v[0] + ey*g.k[1]*v[1] + g.mu*g.k[2]*v[2]) / (ex*g.k[0]*ex + ey*g.k[1]*ey)
	return state{speed * ex, speed * ey, -g.mu * g.k[2] * a[2] * speed}, speed
}

// step is one of the classical rule of fourth order.
func (g *dragged) step(t, h float64, piece int, s state) state {
	at := func(by float64, d state) state { return state{s.x + by*d.x, s.y + by*d.y, s.lost + by*d.lost} }
	a, _ := g.rate(t, piece, s)
	b, _ := g.rate(t+h/2, piece, at(h/2, a))
	c, _ := g.rate(t+h/2, piece, at(h/2, b))
	d, _ := g.rate(t+h, piece, at(h, c))
	return at(h/6, state{a.x + 2*b.x + 2*c.x + d.x, a.y + 2*b.y + 2*c.y + d.y, a.lost + 2*b.lost + 2*c.lost + d.lost})
}

// evolve returns the states at whole times and the times at which it begins to slip or to stick
// inside of the pieces.
func (g *dragged) evolve(pieces, separates int) (list []state, changes []float64) {
	s, slips := state{}, false
	for piece := range pieces {
		if _, speed := g.rate(float64(piece), piece, s); slips && speed <= 0 {
			slips = false
		}
		for part := range separates {
			t, h := float64(piece)+float64(part)/float64(separates), 1/float64(separates)
			for end := t + h; t < end; {
				ended := func(by float64) bool {
					if slips {
						_, speed := g.rate(t+by, piece, g.step(t, by, piece, s))
						return speed < 0
					}
					return g.slack(t+by, piece, s) < 0
				}
				by := end - t
				if ended(by) {
					lo, hi := 0., by
					for range 60 {
						if m := (lo + hi) / 2; ended(m) {
							hi = m
						} else {
							lo = m
						}
					}
					by = hi
					changes = append(changes, t+by)
				} else {
					by = math.Inf(1)
				}
				forth := min(by, end-t)
				if slips {
					s = g.step(t, forth, piece, s)
				}
				if math.IsInf(by, 1) {
					break
				}
				slips = !slips
				t += by
			}
		}
		list = append(list, s)
	}
	return list, changes
}

// plane is the system of it: with a wall that is far away the floor is that of a corner.
func (g *dragged) plane(t testing.TB, until float64) (*events.Plane, error) {
	e, err := particles.NewTethers(particles.Tether{Anchor: g.path, Stiffness: particles.Diagonal(g.k[0], g.k[1], g.k[2])})
	if err != nil {
		t.Fatal(err)
	}
	own, away := obstacle{normal: [3]float64{0, 0, 1}, mu: g.mu},
		obstacle{point: [3]float64{9, 0, 0}, normal: [3]float64{-1, 0, 0}, mu: g.mu}
	psi, z := cornered(t, make([]float64, 3), [][]obstacle{{own, away}}, e)
	return events.NewPlane(psi, z, until)
}

// follows fails where a walk is not what evolve has found, its derivatives, by the parameter p of
// scenes that make returns, not their central differences.
func follows(t *testing.T, name string, pieces int, p float64, make func(p float64) *dragged) (events int) {
	t.Helper()
	const separates, h = 1200, 1e-4
	want, times := make(p).evolve(pieces, separates)
	more, later := make(p+h).evolve(pieces, separates)
	less, earlier := make(p-h).evolve(pieces, separates)
	w, err := sensitivity.New(func(p float64) (*eventsPlane, error) { return make(p).plane(t, float64(pieces)) }, p, 0)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	compare := len(later) == len(times) && len(earlier) == len(times)
	for k := range pieces {
		until := float64(k + 1)
		if err := w.Integrate(t.Context(), dual{V: until}, func() error {
			for _, c := range w.Changes() {
				at := c.Time
				if at.V == math.Trunc(at.V) { // it stops where the anchor turns
					continue
				}
				if events == len(times) {
					t.Errorf("%s: a change at t=%.15g, want %v", name, at.V, times)
					continue
				}
				// An onset is met where |d| grows beyond μσ, a stop where λ falls through 0: the
				// rule of fourth order leaves 1e-11.
				if !(math.Abs(at.V-times[events]) < 1e-9) {
					t.Errorf("%s: %v to %v at t=%.15g, want %.15g", name, c.From, c.To, at.V, times[events])
				} else if compare {
					if d := (later[events] - earlier[events]) / (2 * h); !(math.Abs(at.D-d) < 1e-5*(1+math.Abs(d))) {
						t.Errorf("%s: the time %g, of %v to %v, has the derivative %.9g, by difference %.9g", name,
							at.V, c.From, c.To, at.D, d)
					}
				}
				events++
			}
			return nil
		}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		x, d := w.Position(0), w.Dissipation()
		for i, c := range [3]struct {
			got              dual
			want, more, less float64
		}{{x[0], want[k].x, more[k].x, less[k].x}, {x[1], want[k].y, more[k].y, less[k].y}, {d, want[k].lost, more[k].lost, less[k].lost}} {
			if !(math.Abs(c.got.V-c.want) < 1e-9) {
				t.Errorf("%s: t=%g: x, y or D, %d: %.12g, want %.12g", name, until, i, c.got.V, c.want)
			}
			if d := (c.more - c.less) / (2 * h); compare && !(math.Abs(c.got.D-d) < 1e-5*(1+math.Abs(d))) {
				t.Errorf("%s: t=%g: derivative of x, y or D, %d: %.9g, by difference %.9g", name, until, i, c.got.D, d)
			}
		}
		if b := w.Balance(); !(math.Abs(b.V) < 1e-12) || !(math.Abs(b.D) < 1e-9) {
			t.Errorf("%s: t=%g: (E) lacks %v", name, until, b)
		}
	}
	if events != len(times) {
		t.Errorf("%s: %d changes inside of pieces, want %v", name, events, times)
	}
	return events
}

type (
	eventsPlane = events.Plane
	dual        = events.Dual
)

// TestDraggedAlongLines: the anchor goes along random lines; pressure grows and falls. A particle
// that is held lets go at a root of a quadratic, in any of its cases, and slips until the anchor
// turns.
func TestDraggedAlongLines(t *testing.T) {
	const pieces = 5
	changes := 0
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 19))
		points := []float64{0, 0, 0, -1}
		for k := range pieces {
			points = append(points, float64(k+1), 1.2*rng.Float64()-.6, 1.2*rng.Float64()-.6, -.5-rng.Float64())
		}
		k, mu := [3]float64{.6 + rng.Float64(), .6 + rng.Float64(), .8 + .4*rng.Float64()}, .2+.2*rng.Float64()
		byFriction := seed%2 == 0
		changes += follows(t, fmt.Sprint("seed ", seed), pieces, 1, func(p float64) *dragged {
			g := &dragged{mu: mu, k: k, path: along(t, points...)}
			if byFriction {
				g.mu *= p
			} else {
				g.k[0] *= p
			}
			g.anchor = func(t float64, piece int) (a, v [3]float64) {
				for i := range a {
					from, to := points[4*piece+1+i], points[4*piece+5+i]
					v[i] = to - from
					a[i] = from + (t-float64(piece))*v[i]
				}
				return a, v
			}
			return g
		})
	}
	if changes < 20 {
		t.Errorf("%d changes inside of pieces", changes)
	}
}

// TestDraggedByWaves: the anchor goes along Lissajous figures, so that a particle that slips comes
// to rest by itself, and is torn off later.
func TestDraggedByWaves(t *testing.T) {
	const pieces = 6
	changes := 0
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 23))
		ax, ay, fx, fy := .5+.5*rng.Float64(), .2+.3*rng.Float64(), .12+.06*rng.Float64(), .05+.1*rng.Float64()
		byFriction := seed%2 == 0
		changes += follows(t, fmt.Sprint("seed ", seed), pieces, 1, func(p float64) *dragged {
			g := &dragged{mu: .3, k: [3]float64{1, 1.4, 1.1},
				path: particles.Path{sine(t, 0, ax, fx), sine(t, 0, ay, fy), sine(t, -1, .2, .1)}}
			if byFriction {
				g.mu *= p
			} else {
				g.k[0] *= p
			}
			wave := func(offset, amplitude, f, t float64) (x, v float64) {
				sin, cos := math.Sincos(2 * math.Pi * f * t)
				return offset + amplitude*sin, 2 * math.Pi * f * amplitude * cos
			}
			g.anchor = func(t float64, _ int) (a, v [3]float64) {
				a[0], v[0] = wave(0, ax, fx, t)
				a[1], v[1] = wave(0, ay, fy, t)
				a[2], v[2] = wave(-1, .2, .1, t)
				return a, v
			}
			return g
		})
	}
	if changes < 8 {
		t.Errorf("%d changes", changes)
	}
}

// TestFromTheTip: where nothing presses at the start, and the anchor goes along a line onto the
// floor and on, the evolution is q = λet: K(a − λe) = μck₃e, so that e_i = k_ia_i/(λk_i + μck₃), of
// length 1. It slips from the start if |Ka| > μck₃; else it stays for ever. Also where the particle
// has come with the anchor through the air, with derivatives by friction and by a stiffness.
func TestFromTheTip(t *testing.T) {
	for _, fall := range []float64{0, .5} {
		for i, a := range [][3]float64{{1, .5, -1}, {-.3, .8, -2}, {.2, -.1, -1.5}, {0, -1, -1}} {
			for _, byFriction := range []bool{true, false} {
				const mu = .3
				k := [3]float64{2, .7, 1.2}
				slip := func(p float64) (x, y, lost float64) {
					k, mu := k, mu
					if byFriction {
						mu *= p
					} else {
						k[0] *= p
					}
					f := -mu * a[2] * k[2]
					e := func(l float64) (x, y float64) { return k[0] * a[0] / (l*k[0] + f), k[1] * a[1] / (l*k[1] + f) }
					lo, hi := 0., 10.
					for range 70 {
						if m := (lo + hi) / 2; math.Hypot(e(m)) > 1 {
							lo = m
						} else {
							hi = m
						}
					}
					x, y = e(lo)
					return lo * x, lo * y, f * lo / 2
				}
				until := 1 + fall
				z := -fall * a[2]
				w, err := sensitivity.New(func(p float64) (*eventsPlane, error) {
					k, mu := k, mu
					if byFriction {
						mu *= p
					} else {
						k[0] *= p
					}
					path := along(t, 0, 0, 0, z, until, until*a[0], until*a[1], a[2])
					e, err := particles.NewTethers(particles.Tether{Anchor: path, Stiffness: particles.Diagonal(k[0], k[1], k[2])})
					if err != nil {
						t.Fatal(err)
					}
					own, away := obstacle{normal: [3]float64{0, 0, 1}, mu: mu},
						obstacle{point: [3]float64{9, 0, 0}, normal: [3]float64{-1, 0, 0}, mu: mu}
					psi, at := cornered(t, []float64{0, 0, z}, [][]obstacle{{own, away}}, e)
					return events.NewPlane(psi, at, until)
				}, 1, 0)
				if err != nil {
					t.Fatal(err)
				}
				if err := w.Integrate(t.Context(), dual{V: until}, nil); err != nil {
					t.Fatalf("fall %g, %d: %v", fall, i, err)
				}
				const h = 1e-5
				x, y, lost := slip(1)
				x1, y1, lost1 := slip(1 + h)
				x0, y0, lost0 := slip(1 - h)
				at := w.Position(0)
				for c, v := range [3]struct {
					got              dual
					want, more, less float64
				}{{at[0], fall*a[0] + x, x1, x0}, {at[1], fall*a[1] + y, y1, y0}, {w.Dissipation(), lost, lost1, lost0}} {
					if d := (v.more - v.less) / (2 * h); !(math.Abs(v.got.V-v.want) < 1e-11) || !(math.Abs(v.got.D-d) < 1e-7) {
						t.Errorf("fall %g, %d: x, y or D, %d: %v, want %.12g and %.9g", fall, i, c, v.got, v.want, d)
					}
				}
			}
		}
	}
}

// TestBothFromTheTip: of two particles with a bond, which nothing presses at the start, the
// evolution is q_j = v_jt too. That v is one is seen in the forces at the end: each is against the
// motion, and μ times what presses.
func TestBothFromTheTip(t *testing.T) {
	const mu = .25
	own, away := obstacle{normal: [3]float64{0, 0, 1}, mu: mu}, obstacle{point: [3]float64{9, 0, 0}, normal: [3]float64{-1, 0, 0}, mu: mu}
	start := []float64{0, 0, 0, .5, 0, 0}
	ends := [2][3]float64{{1, .6, -1}, {.7, -.9, -1.3}}
	k := [2]float64{1, 1.5}
	const between = .8
	energies := []particles.Energy{bond(t, start, 0, 1, between)}
	for j, a := range ends {
		x := start[3*j]
		energies = append(energies, isotropic(t, j, k[j], along(t, 0, x, 0, 0, 1, x+a[0], a[1], a[2])))
	}
	psi, z := cornered(t, start, [][]obstacle{{own, away}, {own, away}}, energies...)
	w := walk(t, psi, z, 1)
	for _, until := range []float64{0, .25, 1} {
		q := slices.Clone(w.Rate()) // at the start all is as it goes on from there
		if until > 0 {
			if err := w.Integrate(t.Context(), events.Real(until), nil); err != nil {
				t.Fatal(err)
			}
			q = w.Q()
		}
		for j, a := range ends {
			var d [3]float64
			for i := range d {
				mine, other := float64(q[3*j+i]), float64(q[3*(1-j)+i])
				d[i] = k[j]*(cmp.Or(until, 1)*a[i]-mine) + between*(other-mine)
			}
			x, y := float64(q[3*j]), float64(q[3*j+1])
			l := math.Hypot(x, y)
			if !(l > .1*until) || !(math.Abs(d[0]+mu*d[2]*x/l) < 1e-11) || !(math.Abs(d[1]+mu*d[2]*y/l) < 1e-11) {
				t.Errorf("t=%g: particle %d at (%g, %g), force %v", until, j, x, y, d)
			}
		}
		if b := float64(w.Balance()); !(math.Abs(b) < 1e-12) {
			t.Errorf("t=%g: (E) lacks %g J", until, b)
		}
	}
}

// TestStrides: round the circle of TestCircleInCorner steps use what they may: nine tenths of Turn,
// each; the 32nd part of the period where Turn does not hold them, or where it is large, what an
// order of 12 needs for 1e-12. Behind a start by which a step is not known it takes a few to get
// there.
func TestStrides(t *testing.T) {
	const R, mu, N, k, until = 1.0, 0.4, 1.5, 2.0, 5
	r := mu * N / k
	rho := math.Sqrt(R*R - r*r)
	cosine, err := signal.NewSine(0, R, 1/(2*math.Pi), math.Pi/2)
	if err != nil {
		t.Fatal(err)
	}
	own, away := obstacle{normal: [3]float64{0, 0, 1}, mu: mu}, obstacle{point: [3]float64{9, 0, 0}, normal: [3]float64{-1, 0, 0}, mu: mu}
	for _, x := range []struct{ turn, least, most float64 }{
		{.02, .9 * .02, .02},
		{0, .9 * .05, .05}, // the default
		{1, math.Pi / 16, math.Pi / 16},
	} {
		psi, z := cornered(t, []float64{rho * rho / R, -rho * r / R, 0}, [][]obstacle{{own, away}},
			isotropic(t, 0, k, particles.Path{cosine, sine(t, 0, R, 1/(2*math.Pi)), signal.Constant(-N / k)}))
		w := walk(t, psi, z, until)
		w.Turn = x.turn
		last, nodes := 0.0, 0
		if err := w.Integrate(t.Context(), until, func() error {
			now := float64(w.Time())
			// The first try is the 32nd part of a period; a step that turns too far is cut by what
			// that says, to no less than a tenth.
			if first := min(math.Pi/16, max(x.least, math.Pi/160)); nodes == 0 && !(math.Abs(now-first) < 1e-6*first) {
				t.Errorf("Turn %g: the first step is %g, want %g", x.turn, now, first)
			}
			if by := now - last; nodes > 5 && now < until && !(by >= x.least*(1-1e-6) && by <= x.most*(1+1e-6)) {
				t.Errorf("Turn %g: a step of %g at t=%g, want between %g and %g", x.turn, by, now, x.least, x.most)
			}
			last, nodes = now, nodes+1
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if want := until / x.least; !(float64(nodes) <= want+8) {
			t.Errorf("Turn %g: %d steps, want %.0f and a few", x.turn, nodes, want)
		}
	}
}

// TestUnits: in units of length, force and time that are powers of two apart a walk is the same, to
// the bit and step by step: what steps are allowed to be off by has the units of what is off.
// Directions may turn at will, so that errors decide; with derivatives, and without.
func TestUnits(t *testing.T) {
	const until = 3
	points := []float64{0, 0, 0, -1, 1, .4, .3, -1, 2, .7, -.6, -.7, 3, -.3, -.5, -.2}
	nodes := func(length, force, duration float64, waves, derivatives bool) (list [][5]float64) {
		scene := func(p float64) (*eventsPlane, error) {
			var moved []float64
			for i, x := range points {
				if i%4 == 0 {
					moved = append(moved, x*duration)
				} else {
					moved = append(moved, x*length)
				}
			}
			way := along(t, moved...)
			if waves {
				way[0] = sine(t, 0, .8*length, .25/duration)
			}
			e, err := particles.NewTethers(particles.Tether{Anchor: way,
				Stiffness: particles.Diagonal(1.5*force/length, p*force/length, 1.25*force/length)})
			if err != nil {
				t.Fatal(err)
			}
			own, away := obstacle{normal: [3]float64{0, 0, 1}, mu: .3},
				obstacle{point: [3]float64{9 * length, 0, 0}, normal: [3]float64{-1, 0, 0}, mu: .3}
			psi, z := cornered(t, make([]float64, 3), [][]obstacle{{own, away}}, e)
			return events.NewPlane(psi, z, until*duration)
		}
		note := func(at, x, y, lost, done float64) {
			energy := force * length
			list = append(list, [5]float64{at / duration, x / length, y / length, lost / energy, done / energy})
		}
		if derivatives {
			w, err := sensitivity.New(scene, 1, 0)
			if err != nil {
				t.Fatal(err)
			}
			w.Turn = 3
			if err := w.Integrate(t.Context(), dual{V: until * duration}, func() error {
				note(w.Time().V, w.Q()[0].V, w.Q()[1].V, w.Dissipation().V, w.Work().V)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			return list
		}
		plane, err := scene(1)
		if err != nil {
			t.Fatal(err)
		}
		form, err := plane.Form()
		if err != nil {
			t.Fatal(err)
		}
		w, err := events.NewIntegrator(form, 0)
		if err != nil {
			t.Fatal(err)
		}
		w.Turn = 3
		if err := w.Integrate(t.Context(), events.Real(until*duration), func() error {
			note(float64(w.Time()), float64(w.Q()[0]), float64(w.Q()[1]), float64(w.Dissipation()), float64(w.Work()))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, waves := range []bool{false, true} {
		for _, derivatives := range []bool{false, true} {
			want := nodes(1, 1, 1, waves, derivatives)
			for _, u := range [][3]float64{{0x1p12, 1, 1}, {1, 0x1p12, 1}, {1, 0x1p-12, 1}, {1, 1, 0x1p10}} {
				got := nodes(u[0], u[1], u[2], waves, derivatives)
				if len(got) != len(want) {
					t.Errorf("waves %v, derivatives %v, units %v: %d nodes, want %d", waves, derivatives, u, len(got), len(want))
					continue
				}
				for k := range want {
					if got[k] != want[k] {
						t.Errorf("waves %v, derivatives %v, units %v: node %d of %d: %v, want %v", waves, derivatives,
							u, k, len(want), got[k], want[k])
						break
					}
				}
			}
		}
	}
}

// TestStridesFromTheTip: behind a start where nothing presses the first step is 1e-5 of the
// longest, the 32nd part of a period, and steps double from there, until their errors hold them.
func TestStridesFromTheTip(t *testing.T) {
	const f, until, turn = .1, 2, .1
	own, away := obstacle{normal: [3]float64{0, 0, 1}, mu: .3}, obstacle{point: [3]float64{9, 0, 0}, normal: [3]float64{-1, 0, 0}, mu: .3}
	e, err := particles.NewTethers(particles.Tether{Anchor: particles.Path{ramp(t, 0, 0, until, until),
		sine(t, 0, .8, f), ramp(t, 0, 0, until, -until)}, Stiffness: particles.Diagonal(1.5, .8, 1)})
	if err != nil {
		t.Fatal(err)
	}
	psi, z := cornered(t, make([]float64, 3), [][]obstacle{{own, away}}, e)
	w := walk(t, psi, z, until)
	w.Turn = turn
	want := 1e-5 / (32 * f)
	held := false
	if err := w.Integrate(t.Context(), until, func() error {
		if now := float64(w.Time()); now < until && !held {
			if held = now > .01; !held && !(math.Abs(now-want) < 1e-9*want) {
				t.Errorf("a step to %g, want %g", now, want)
			}
			want = 2 * now
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if b := float64(w.Balance()); !held || !w.Curved || !(math.Abs(b) < 1e-12) {
		t.Errorf("held %v, curved %v, (E) lacks %g J", held, w.Curved, b)
	}
}
