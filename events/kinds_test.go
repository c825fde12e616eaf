package events_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestDraggedOnFloor: TestDraggedAlongLines and TestDraggedByWaves, of values, without a wall, and
// what moves and bears at every node.
func TestDraggedOnFloor(t *testing.T) {
	const pieces = 4
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 29))
		g := &dragged{mu: .2 + .2*rng.Float64(), k: [3]float64{.6 + rng.Float64(), .6 + rng.Float64(), .8 + .4*rng.Float64()}}
		if seed%2 == 0 {
			points := []float64{0, 0, 0, -1}
			for k := range pieces {
				points = append(points, float64(k+1), 1.2*rng.Float64()-.6, 1.2*rng.Float64()-.6, -.5-rng.Float64())
			}
			g.path = along(t, points...)
			g.anchor = func(t float64, piece int) (a, v [3]float64) {
				for i := range a {
					from, to := points[4*piece+1+i], points[4*piece+5+i]
					v[i], a[i] = to-from, from+(t-float64(piece))*(to-from)
				}
				return a, v
			}
		} else {
			ax, ay, fx, fy := .5+.5*rng.Float64(), .2+.3*rng.Float64(), .12+.06*rng.Float64(), .05+.1*rng.Float64()
			g.path = particles.Path{sine(t, 0, ax, fx), sine(t, 0, ay, fy), sine(t, -1, .2, .1)}
			g.anchor = func(t float64, _ int) (a, v [3]float64) {
				for i, c := range [3][3]float64{{0, ax, fx}, {0, ay, fy}, {-1, .2, .1}} {
					sin, cos := math.Sincos(2 * math.Pi * c[2] * t)
					a[i], v[i] = c[0]+c[1]*sin, 2*math.Pi*c[2]*c[1]*cos
				}
				return a, v
			}
		}
		states, times := g.evolve(pieces, 1200)
		e, err := particles.NewTethers(particles.Tether{Anchor: g.path, Stiffness: particles.Diagonal(g.k[0], g.k[1], g.k[2])})
		if err != nil {
			t.Fatal(err)
		}
		w := walk(t, system(t, g.mu, make([]float64, 3), e), make([]float64, 3), pieces)
		var at []float64
		for k := range pieces {
			if err := w.Integrate(t.Context(), events.Real(k+1), func() error {
				for _, c := range w.Changes() {
					if v := float64(c.Time); v != math.Trunc(v) {
						at = append(at, v)
					}
				}
				if slips := w.Regimes()[0] == events.SlipForward ||
					w.Regimes()[0] == events.SlipBackward; w.Time() < pieces && w.Moves(0) != slips || !w.Pressed(0) {
					t.Errorf("seed %d: t=%g: %v, moves %v, pressed %v", seed, w.Time(), w.Regimes()[0], w.Moves(0), w.Pressed(0))
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			near(t, "x", w.Q()[0], states[k].x, 1e-9)
			near(t, "y", w.Q()[1], states[k].y, 1e-9)
			near(t, "D", w.Dissipation(), states[k].lost, 1e-9)
			near(t, "(E)", w.Balance(), 0, 1e-12)
		}
		if len(at) != len(times) {
			t.Errorf("seed %d: changes at %v, want %v", seed, at, times)
			continue
		}
		for i := range at {
			near(t, "a change", events.Real(at[i]), times[i], 1e-9)
		}
	}
}

// TestUnitsOfTwo: TestUnits of two particles with a bond that slip, stick, lift off, land and begin
// at the tip of their cones: the same to the bit.
func TestUnitsOfTwo(t *testing.T) {
	const until = 2.5
	nodes := func(length, force, duration float64, waves bool, turn float64) (list [][]float64) {
		way := func(points ...float64) signal.Scalar {
			var moved []float64
			for i, x := range points {
				moved = append(moved, x*[2]float64{duration, length}[i%2])
			}
			return ramp(t, moved...)
		}
		second := particles.Path{way(0, 1, 4, 2), way(0, 0, 4, .7), way(0, -.3, 4, -.2)}
		if waves {
			second = particles.Path{sine(t, length, .7*length, .5/duration), sine(t, 0, .5*length, .3/duration),
				sine(t, -.3*length, .3*length, .4/duration)}
		}
		k := force / length
		tethers, err := particles.NewTethers(
			particles.Tether{Particle: 0, Stiffness: particles.Diagonal(2*k, 3*k, 5*k),
				Anchor: particles.Path{way(0, 0, 1, .3, 2, .6, 3, .2, 4, 0), way(0, 0, 1, .1, 2, .8, 3, 1.5, 4, 0),
					way(0, .1, 1, -.3, 2, -.3, 3, .2, 4, -.4)}},
			particles.Tether{Particle: 1, Stiffness: particles.Diagonal(.5*k, .5*k, 3*k), Anchor: second})
		if err != nil {
			t.Fatal(err)
		}
		z0 := []float64{0, 0, .1 * length, length, 0, 0}
		bonds, err := particles.NewBonds(z0, particles.Bond{I: 0, J: 1, Stiffness: particles.Diagonal(k, 2*k, k)})
		if err != nil {
			t.Fatal(err)
		}
		w := walk(t, system(t, .4, z0, tethers, bonds), z0, until*duration)
		w.Turn = turn
		if err := w.Integrate(t.Context(), events.Real(until*duration), func() error {
			energy := force * length
			row := []float64{float64(w.Time()) / duration, float64(w.Dissipation()) / energy,
				float64(w.Work()) / energy, float64(w.Energy()) / energy, w.Fastest() * duration / length}
			for _, q := range w.Q() {
				row = append(row, float64(q)/length)
			}
			for k, r := range w.Regimes() {
				row = append(row, float64(r))
				if w.Moves(k) {
					row = append(row, 1)
				}
				if w.Pressed(k) {
					row = append(row, 2)
				}
				if r == events.Open && (w.Moves(k) || w.Pressed(k)) {
					t.Errorf("t=%g: contact %d is open, slides %v, bears %v", w.Time(), k, w.Moves(k), w.Pressed(k))
				}
			}
			list = append(list, row)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, waves := range []bool{false, true} {
		want := nodes(1, 1, 1, waves, .3)
		for _, u := range [][3]float64{{0x1p12, 0x1p-7, 0x1p10}} {
			got := nodes(u[0], u[1], u[2], waves, .3)
			if len(got) != len(want) {
				t.Errorf("waves %v, units %v: %d nodes, want %d", waves, u, len(got), len(want))
				continue
			}
			for i := range want {
				if !slices.Equal(got[i], want[i]) {
					t.Errorf("waves %v, units %v: node %d of %d: %v, want %v", waves, u, i, len(want), got[i], want[i])
					break
				}
			}
		}
	}
}

// TestFastest: two particles that run round circles of the radius ρ with ω = 1 move with √2 ρ in
// all.
func TestFastest(t *testing.T) {
	const R, mu, N, k, until = 1.0, 0.4, 1.5, 2.0, 5
	r := mu * N / k
	rho := math.Sqrt(R*R - r*r)
	cosine, err := signal.NewSine(0, R, 1/(2*math.Pi), math.Pi/2)
	if err != nil {
		t.Fatal(err)
	}
	way := particles.Path{cosine, sine(t, 0, R, 1/(2*math.Pi)), signal.Constant(-N / 5)}
	for _, x := range []struct{ turn, least, most float64 }{{.02, .9 * .02, .02}, {.05, .9 * .05, .05}, {1, math.Pi / 16, math.Pi / 16}} {
		e, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: way,
			Stiffness: particles.Diagonal(k, k, 5)}, particles.Tether{Particle: 1, Anchor: way, Stiffness: particles.Diagonal(k, k, 5)})
		if err != nil {
			t.Fatal(err)
		}
		start := []float64{rho * rho / R, -rho * r / R, 0, rho * rho / R, -rho * r / R, 0}
		w := walk(t, system(t, mu, start, e), start, until)
		w.Turn = x.turn
		last, nodes := 0.0, 0
		if err := w.Integrate(t.Context(), until, func() error {
			now := float64(w.Time())
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
		if !(math.Abs(w.Fastest()-math.Sqrt2*rho) < 1e-10) {
			t.Errorf("Turn %g: the fastest is %.15g m/s, want %.15g", x.turn, w.Fastest(), math.Sqrt2*rho)
		}
	}
}

// TestReferenceTurned: TestConeReference with the axes of friction and the way turned in the plane,
// in which the matrix of friction is not symmetric.
func TestReferenceTurned(t *testing.T) {
	for _, angle := range []float64{.3, 2, -1} {
		sin, cos := math.Sincos(angle)
		m, err := dissipation.NewOrthotropic([2]float64{0.2, 0.6}, [2]float64{cos, sin})
		if err != nil {
			t.Fatal(err)
		}
		a, b := 2.598076211353316, 1.5
		psi := onSpring(t, m, particles.Path{ramp(t, 0, 0, 3, cos*a-sin*b), ramp(t, 0, 0, 3, sin*a+cos*b), signal.Constant(-0.3)})
		w := walk(t, psi, make([]float64, 3), 3)
		if err := w.Integrate(t.Context(), 3, nil); err != nil {
			t.Fatal(err)
		}
		p, err := events.NewPlane(psi, make([]float64, 3), 3)
		if err != nil {
			t.Fatal(err)
		}
		z := make([]float64, 3)
		p.State(z, func(i int) float64 { return float64(w.Q()[i]) })
		// u = S z, S = diag(.2, .6); ten digits are printed.
		if x, y := cos*z[0]+sin*z[1], cos*z[1]-sin*z[0]; math.Abs(x-2.5230561710) > 1e-10 || math.Abs(y-1.1103232854) > 1e-10 {
			t.Errorf("turned by %g: (%.12g, %.12g)", angle, x, y)
		}
		near(t, "D", w.Dissipation(), 1.2806681808, 1e-10)
	}
}

// TestUnstableStarts: forces that nothing bears at the start are refused, with contact, dof and
// size, also of a particle without obstacle; so much as the tolerance of the largest load of all is
// let pass.
func TestUnstableStarts(t *testing.T) {
	const heavy = 50.
	for _, c := range []struct {
		name         string
		at           float64 // height
		free         bool
		anchor       [2]float64 // x, z
		contact, dof int
		force        float64 // 0: stable
	}{
		{"pressed", 0, false, [2]float64{0, -1}, 0, 0, 0}, {"held by friction", 0, false, [2]float64{.39, -1}, 0, 0, 0},
		{"held, to the other side", 0, false, [2]float64{-.39, -1}, 0, 0, 0},
		{"by all friction", 0, false, [2]float64{.4, -1}, 0, 0, 0}, {"torn", 0, false, [2]float64{.5, -1}, 2, 0, .1},
		{"torn to the other side", 0, false, [2]float64{-.6, -1}, 2, 0, .2},
		{"lifted", 0, false, [2]float64{0, .25}, 2, 1, .25}, {"in the air", .5, false, [2]float64{0, .5}, 0, 0, 0},
		{"falls", .5, false, [2]float64{0, .2}, 2, 1, .3}, {"rises", .5, false, [2]float64{0, .9}, 2, 1, .4},
		{"pulled in the air", .5, false, [2]float64{.3, .5}, 2, 0, .3},
		{"without obstacle", .5, true, [2]float64{0, .5}, 0, 0, 0},
		{"without obstacle, pulled", .5, true, [2]float64{.3, .5}, -1, 0, .3},
		{"without obstacle, falls", .5, true, [2]float64{0, .1}, -1, 1, .4},
	} {
		frames := particles.Floors(3)
		if c.free {
			frames[2] = particles.NoObstacle()
		}
		tether := func(j int, k, x, z float64) particles.Tether {
			return particles.Tether{Particle: j, Anchor: particles.At(x, 0, z), Stiffness: particles.Isotropic(k)}
		}
		e, err := particles.NewTethers(tether(0, 1, 0, -1), tether(1, 1, 0, -heavy), tether(2, 1, c.anchor[0], c.anchor[1]))
		if err != nil {
			t.Fatal(err)
		}
		sys, err := particles.NewSystem(frames, e)
		if err != nil {
			t.Fatal(err)
		}
		matrices := []dissipation.Matrix{dissipation.Isotropic{Mu: .4}, dissipation.Isotropic{Mu: .4}, dissipation.Isotropic{Mu: .4}}
		if c.free {
			matrices[2] = nil
		}
		psi, err := dissipation.New(sys, matrices)
		if err != nil {
			t.Fatal(err)
		}
		z0 := make([]float64, 9)
		z0[8] = c.at
		plane, err := events.NewPlane(psi, z0, 1)
		if err != nil {
			t.Fatal(err)
		}
		form, err := plane.Form()
		if err != nil {
			t.Fatal(err)
		}
		for _, tolerance := range []float64{0, .9 * c.force / heavy, 1.1 * c.force / heavy} {
			_, err := events.NewIntegrator(form, tolerance)
			if c.force == 0 || tolerance*heavy > c.force {
				if err != nil {
					t.Errorf("%s, tolerance %g: %v", c.name, tolerance, err)
				}
				continue
			}
			var unstable *events.UnstableError
			if !errors.As(err, &unstable) || unstable.Contact != c.contact {
				t.Errorf("%s, tolerance %g: %v, want an UnstableError of contact %d", c.name, tolerance, err, c.contact)
				continue
			}
			if d := plane.Dofs[unstable.Dof]; d.Particle != 2 || (d.Direction[2] == 0) != (c.dof == 0) ||
				!(math.Abs(unstable.Force-c.force) < 1e-14) {
				t.Errorf("%s: %+v along %+v, want %g N", c.name, unstable, d, c.force)
			}
		}
	}
}

// TestBentCorner: a particle in a groove whose friction is not the same in all directions moves in
// the plane across it, with the friction along that plane, however all of it is turned in space;
// what would take it out of the plane is refused with the particle: a load, a stiffness, a bond,
// axes that are oblique, a third face.
func TestBentCorner(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	turns := [][3][3]float64{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}
	for range 2 {
		var q [3][3]float64
		for i := range q {
			for {
				for c := range 3 {
					q[i][c] = rng.NormFloat64()
				}
				for k := range i {
					dot := q[i][0]*q[k][0] + q[i][1]*q[k][1] + q[i][2]*q[k][2]
					for c := range 3 {
						q[i][c] -= dot * q[k][c]
					}
				}
				if l := math.Hypot(math.Hypot(q[i][0], q[i][1]), q[i][2]); l > .3 {
					for c := range 3 {
						q[i][c] /= l
					}
					break
				}
			}
		}
		turns = append(turns, q)
	}
	const until = 3
	for _, what := range []string{"", "loaded across", "stiff across", "bond", "oblique", "third face"} {
		var want [][]float64
		for n, q := range turns {
			turned := func(v [3]float64) (x [3]float64) {
				for i := range q {
					for c := range 3 {
						x[c] += q[i][c] * v[i]
					}
				}
				return x
			}
			k := [3][3]float64{{1.5, 0, .2}, {0, 1, 0}, {.2, 0, 1.2}}
			if what == "stiff across" {
				k[0][1], k[1][0] = .1, .1
			}
			var stiffness particles.Stiffness
			for i := range 3 {
				for c := range 3 {
					for a := range 3 {
						for b := range 3 {
							stiffness[3*a+b] += q[i][a] * k[i][c] * q[c][b]
						}
					}
				}
			}
			path := make(particles.Path, 3)
			ends := [][3]float64{{0, 0, 0}, {1, 0, -1}, {-.6, 0, -.5}, {.5, 0, -1.4}}
			if what == "loaded across" {
				ends[2][1] = .01
			}
			for c := range 3 {
				var points []float64
				for i, x := range ends {
					points = append(points, float64(i), turned(x)[c])
				}
				path[c] = ramp(t, points...)
			}
			list := []obstacle{{normal: turned([3]float64{0, 0, 1}), mu: .3}, {normal: turned([3]float64{.8, 0, .6}), mu: .2}}
			if what == "third face" {
				list = append(list, obstacle{normal: turned([3]float64{0, .6, .8}), mu: .2})
			}
			e, err := particles.NewTethers(particles.Tether{Particle: 1, Anchor: path, Stiffness: stiffness},
				particles.Tether{Particle: 0, Anchor: particles.At(5, 5, 4), Stiffness: particles.Isotropic(1)})
			if err != nil {
				t.Fatal(err)
			}
			at := []float64{5, 5, 5, 0, 0, 0}
			energies := []particles.Energy{e}
			if what == "bond" {
				energies = append(energies, bond(t, at, 0, 1, .1))
			}
			psi, z := cornered(t, at, [][]obstacle{{{point: [3]float64{5, 5, 5}, normal: [3]float64{0, 0, 1}, mu: .3}}, list}, energies...)
			for c := range psi.Matrices {
				if psi.System.ContactParticle(c) != 1 {
					continue
				}
				a, b := psi.System.ContactFrame(c).T, psi.System.ContactFrame(c).O
				across := turned([3]float64{0, 1, 0})
				if what == "oblique" {
					across = turned([3]float64{.6, .8, 0})
				}
				x, y := a[0]*across[0]+a[1]*across[1]+a[2]*across[2], b[0]*across[0]+b[1]*across[1]+b[2]*across[2]
				mu := .3
				if c > 1 {
					mu = .2
				}
				if psi.Matrices[c], err = dissipation.NewOrthotropic([2]float64{.7, mu}, [2]float64{x, y}); err != nil {
					t.Fatal(err)
				}
			}
			plane, err := events.NewPlane(psi, z, until)
			if what != "" {
				var space *events.SpaceError
				if !errors.As(err, &space) || space.Particle != 1 {
					t.Errorf("%s, turn %d: %v, want a SpaceError of particle 1", what, n, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("turn %d: %v", n, err)
			}
			form, err := plane.Form()
			if err != nil {
				t.Fatal(err)
			}
			w, err := events.NewIntegrator(form, 0)
			if err != nil {
				t.Fatal(err)
			}
			var nodes [][]float64
			if err := w.Integrate(t.Context(), until, func() error {
				local, x := make([]float64, len(z)), make([]float64, len(z))
				plane.State(local, func(i int) float64 { return float64(w.Q()[i]) })
				psi.System.ToGlobal(x, local)
				row := []float64{float64(w.Time()), float64(w.Dissipation())}
				for i := range q {
					row = append(row, q[i][0]*x[3]+q[i][1]*x[4]+q[i][2]*x[5])
				}
				nodes = append(nodes, row)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			near(t, "(E)", w.Balance(), 0, 1e-13)
			if n == 0 {
				// The same with round friction of what acts along the plane.
				round, z := cornered(t, at, [][]obstacle{{{point: [3]float64{5, 5, 5}, normal: [3]float64{0, 0, 1},
					mu: .3}}, list}, energies...)
				v := walk(t, round, z, until)
				if err := v.Integrate(t.Context(), until, nil); err != nil {
					t.Fatal(err)
				}
				near(t, "D of round friction", v.Dissipation(), float64(w.Dissipation()), 1e-13)
				want = nodes
				if len(nodes) < 6 || nodes[len(nodes)-1][1] < .05 {
					t.Errorf("nodes %v", nodes)
				}
				continue
			}
			if len(nodes) != len(want) {
				t.Errorf("turn %d: %d nodes, want %d", n, len(nodes), len(want))
				continue
			}
			for i := range want {
				for c := range want[i] {
					if !(math.Abs(nodes[i][c]-want[i][c]) < 1e-12) {
						t.Errorf("turn %d: node %d is %v, want %v", n, i, nodes[i], want[i])
						break
					}
				}
			}
		}
	}
}

// TestWhatRests: where nothing presses nothing bears, and what has slid to where its anchor stays
// does not move; dragged along the second tangent it does.
func TestWhatRests(t *testing.T) {
	for _, kind := range []string{"plane", "corner"} {
		for _, along := range []int{0, 1} {
			way := particles.Path{signal.Constant(0), signal.Constant(0), ramp(t, 0, 0, 1, 0, 2, -1)}
			way[along] = ramp(t, 0, 0, 2, 0, 3, 1, 4, 1)
			list := []obstacle{{normal: [3]float64{0, 0, 1}, mu: .5}}
			if kind == "corner" {
				list = append(list, obstacle{point: [3]float64{9, 0, 0}, normal: [3]float64{-1, 0, 0}, mu: .5})
			}
			psi, z := cornered(t, make([]float64, 3), [][]obstacle{list}, isotropic(t, 0, 1, way))
			w := walk(t, psi, z, 4)
			got := fmt.Sprint(w.Moves(0), w.Pressed(0), " ")
			if err := w.Integrate(t.Context(), 4, func() error {
				if v := float64(w.Time()); slices.ContainsFunc([]float64{1, 2, 2.5, 3},
					func(x float64) bool { return math.Abs(v-x) < 1e-12 }) {
					got += fmt.Sprintf("%.1f %v %v ", v, w.Moves(0), w.Pressed(0))
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if want := "false false 1.0 false true 2.0 false true 2.5 true true 3.0 false true "; got != want {
				t.Errorf("%s along %d: %s, want %s", kind, along, got, want)
			}
		}
	}
}

// TestBondsEitherWay: in ratios of integers and in float64 it does not matter which end of a bond
// is named first.
func TestBondsEitherWay(t *testing.T) {
	var dissipated [2]string
	for k := range 2 {
		at := []float64{0, 0, 0, .5, 0, 0}
		b, err := particles.NewBonds(at, particles.Bond{I: k, J: 1 - k, Stiffness: particles.Diagonal(.75, 0, .5)})
		if err != nil {
			t.Fatal(err)
		}
		psi, z := cornered(t, at, [][]obstacle{{flat}, {flat}}, b,
			isotropic(t, 0, 1, path(t, 0, 0, 0, 1, 1, -1, 2, -.5, -.25)), isotropic(t, 1, 2, path(t, 0, .5, 0, 1, .5, -1, 2, 1.5, .5)))
		plane, err := events.NewPlane(psi, z, 2)
		if err != nil {
			t.Fatal(err)
		}
		form, err := plane.Exact(at)
		if err != nil {
			t.Fatal(err)
		}
		x, err := events.NewIntegrator(form, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := events.Prove(t.Context(), x, events.Rational{}.Of(2), nil); err != nil {
			t.Fatal(err)
		}
		w := walk(t, psi, z, 2)
		history(t, w, 2)
		near(t, "D", w.Dissipation(), x.Dissipation().Float(), 1e-14)
		for i, q := range w.Q() {
			near(t, "q", q, x.Q()[i].Float(), 1e-14)
		}
		dissipated[k] = x.Dissipation().String()
	}
	if dissipated[0] != dissipated[1] || dissipated[0] == "0" {
		t.Errorf("dissipated %v", dissipated)
	}
}

// TestWhatMoves: contacts that slide and bear, in the plane and in corners: open ones do neither,
// wherever they go; held ones bear; and those that stand still at the end of a pull do not slide.
func TestWhatMoves(t *testing.T) {
	for _, kind := range []string{"plane", "corner"} {
		// Pressed to 1 s and torn at .5 s, dragged on; lifted at 1.5 s, in the air until 2.5 s;
		// pressed and at rest.
		way := particles.Path{ramp(t, 0, 0, 1, 1, 2, 1, 3, 1), signal.Constant(0), ramp(t, 0, -1, 1, -1, 2, 1, 3, -1)}
		var want string
		psi, z := cornered(t, make([]float64, 3), [][]obstacle{{{normal: [3]float64{0, 0, 1}, mu: .5}}}, isotropic(t, 0, 1, way))
		if kind == "corner" {
			psi, z = cornered(t, make([]float64, 3),
				[][]obstacle{{{normal: [3]float64{0, 0, 1}, mu: .5},
					{point: [3]float64{9, 0, 0}, normal: [3]float64{-1, 0, 0}, mu: .5}}}, isotropic(t, 0, 1, way))
		}
		w := walk(t, psi, z, 3)
		got := fmt.Sprint(w.Moves(0), w.Pressed(0), " ")
		if err := w.Integrate(t.Context(), 3, func() error {
			if v := float64(w.Time()); slices.ContainsFunc([]float64{.5, 1, 1.5, 2, 2.5},
				func(x float64) bool { return math.Abs(v-x) < 1e-12 }) {
				got += fmt.Sprintf("%.1f %v %v ", v, w.Moves(0), w.Pressed(0))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		// From 1 s on nothing pulls further, but what presses falls by 2 N/s: it slides on.
		want = "false true 0.5 true true 1.0 true true 1.5 false false 2.0 false false 2.5 false true "
		if got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
}
