package rigid_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/pinned"
)

// glance pins where a scene is after some steps, whose forces need not be unique.
func glance(t testing.TB, table *pinned.Table, name string, s *rigid.Stepper, h float64, steps int) {
	t.Helper()
	var hits []float64
	counts := [3]int{}
	for range steps {
		run(t, s, h, 1)
		x := s.Last()
		for _, c := range x.Collisions {
			hits = append(hits, c.T, c.Speed, c.Loss, c.Gain())
			if c.Ambiguous {
				counts[0]++
			}
		}
		counts[1] += x.Painleve
		counts[2] += int(x.Pointed)
		if x.ConeBound > 0 && !math.IsInf(x.ConeBound, 1) {
			hits = append(hits, math.Log10(x.ConeBound))
		}
	}
	at, q, v, _ := s.State()
	e := s.Energy()
	table.Check(name, at, q, v, hits, counts, e.Kinetic, e.Potential, e.Loads, s.Creation().Start)
}

// TestPinnedImpacts: rows of balls, heaps and slanted blows by each law of impact, on each grid.
func TestPinnedImpacts(t *testing.T) {
	table := table(t)
	for law := rigid.NewtonImpact; law <= rigid.SequentialImpact; law++ {
		glance(t, table, fmt.Sprint("cradle-", law), ballRow(t, 0, .7, rigid.Options{Impact: law}), .01, 12)
		glance(t, table, fmt.Sprint("row-", law), ballRow(t, .01, .7, rigid.Options{Impact: law}), .01, 20)
		glance(t, table, fmt.Sprint("cradle-gaps-", law), ballRow(t, .001, .5, rigid.Options{Impact: law, Grid: rigid.GapGrid}), .01, 20)
		for dim := 2; dim <= 3; dim++ {
			for k, e := range []float64{0, .5} {
				for _, grid := range []rigid.Grid{rigid.CollisionGrid, rigid.GapGrid} {
					w := world(t, dim, [3]float64{0, -9.81})
					var shape bodies.Shape = bodies.Rod{Length: .4, R: .02}
					spin := [3]float64{0, 0, 5}
					if dim == 3 {
						shape, spin = bodies.Ellipsoid{Axes: [3]float64{.2, .1, .15}}, [3]float64{3, 1, 5}
					}
					must[int](t)(w.Add(bodies.Body{Shape: shape, Mass: 2, Position: [3]float64{0, .24}, Angle: .3, Velocity: [3]float64{1, -2}, Spin: spin}))
					must[int](t)(w.Add(bodies.Body{Shape: map[int]bodies.Shape{2: bodies.Disc{R: .05}, 3: bodies.Sphere{R: .05}}[dim], Mass: .3, Position: [3]float64{.1, .5}, Velocity: [3]float64{0, -4}}))
					must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{.1, 1}))
					s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .4, Restitution: e}}, rigid.Options{Impact: law, Grid: grid, Settle: true, RestitutionSpeed: .01})
					glance(t, table, fmt.Sprintf("blow-%d-%d-%d-%d", law, dim, k, grid), s, .005, 24)
				}
			}
		}
	}
}

// TestPinnedObstacles: bodies on obstacles that are curved, move and change their friction, with
// kinks in time.
func TestPinnedObstacles(t *testing.T) {
	table := table(t)
	m := along(ramp(t, []float64{0, 0.043, 1}, []float64{0, 0.02, -0.3}), ramp(t, []float64{0.03, 1}, []float64{0, .4}), nil)
	turning := m
	turning.Axis, turning.Angle = [3]float64{0, 0, 1}, ramp(t, []float64{0, 1}, []float64{0, 2})
	over := ramp(t, []float64{0, 1}, []float64{0.2, 0.5})
	for name, o := range map[string]rigid.Options{"plain": {}, "half": {Alpha: .5}, "gaps": {Grid: rigid.GapGrid}, "gavrea": {Alpha: .75, Scheme: rigid.Gavrea}} {
		disc := bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{.05, -.88}, Velocity: [3]float64{.7}, Spin: [3]float64{0, 0, 3}}
		s := onObstacles(t, 2, [3]float64{0, -10}, multibody.Material{Over: over}, o, []bodies.Body{disc, {Shape: bodies.Point{}, Mass: 2, Position: [3]float64{-.6, -.75}}}, bodies.Obstacle{Surface: bodies.Ball{R: 1, Inside: true}, Motion: m})
		glance(t, table, "bowl-"+name, s, .004, 24)
		disc.Position = [3]float64{0, .62}
		s = onObstacles(t, 2, [3]float64{0, -10}, multibody.Material{Mu: .3}, o, []bodies.Body{disc, {Shape: bodies.Rod{Length: .4, R: .02}, Mass: 1, Position: [3]float64{.9, .03}, Velocity: [3]float64{-2}}},
			bodies.Obstacle{Surface: bodies.Ball{R: .5}, Motion: turning}, bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}})
		glance(t, table, "hump-"+name, s, .004, 24)
		s = onObstacles(t, 3, [3]float64{0, -10}, multibody.Material{Mu: .3}, o, []bodies.Body{{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: [3]float64{.2, -.82, .1}, Velocity: [3]float64{0, 0, 1}, Spin: [3]float64{1, 2, 0}}},
			bodies.Obstacle{Surface: bodies.Cylinder{Axis: [3]float64{0, 0, 1}, R: 1, Inside: true}, Motion: turning})
		glance(t, table, "pipe-"+name, s, .004, 24)
	}
}

// TestPinnedExtremes: bullets, configurations of Painlevé, cones that are tested, overlaps that are
// settled, tied bodies that touch, piles that move.
func TestPinnedExtremes(t *testing.T) {
	table := table(t)
	for k, spin := range []float64{0, 30} {
		w := world(t, 2, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: 1, R: .01}, Mass: 1}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Ellipse{A: .2, B: .05}, Mass: 1, Position: [3]float64{.03, 1}, Velocity: [3]float64{0, -500}, Spin: [3]float64{0, 0, spin}}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .01}, Mass: 1, Position: [3]float64{-3, .021}, Velocity: [3]float64{1000}, Spin: [3]float64{0, 0, 1e4}}))
		glance(t, table, fmt.Sprint("bullet-", k), start(t, w, multibody.Setup{}, rigid.Options{Alpha: .5}), .01, 1)
		w = world(t, 3, [3]float64{})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{1, .02, 1}}, Mass: 1}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Capsule{Length: .4, R: .03}, Mass: 1, Position: [3]float64{.03, 1}, Velocity: [3]float64{0, -300}, Spin: [3]float64{0, 0, spin}}))
		glance(t, table, fmt.Sprint("bullet3-", k), start(t, w, multibody.Setup{}, rigid.Options{}), .01, 1)
	}
	for k, mu := range []float64{1.2, 2} {
		w := world(t, 2, [3]float64{0, -9.81})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: 2}, Mass: 1, Position: [3]float64{0, math.Sqrt(3) / 2}, Angle: math.Pi / 3, Velocity: [3]float64{-1}}))
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
		glance(t, table, fmt.Sprint("painleve-", k), start(t, w, multibody.Setup{Material: multibody.Material{Mu: mu}}, rigid.Options{Alpha: .75, Pointedness: true}), 1e-3, 6)
	}
	for dim := 2; dim <= 3; dim++ {
		s := workshop(t, 1, dim, false, 0, rigid.Options{Pointedness: true})
		glance(t, table, fmt.Sprint("cones-", dim), s, .004, 12)
		verdict, bound := s.Cone(context.Background())
		worst, joint := s.Drift()
		if worst > 1e-10 {
			t.Errorf("drift %g of joint %d", worst, joint)
		}
		table.Check(fmt.Sprint("cone-", dim), int(verdict), math.Log10(bound+1e-9))
	}
	for seed := range uint64(3) { // overlaps at the start
		w := world(t, 2, [3]float64{0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
		for i := range 4 {
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1 + float64(i), Position: [3]float64{.15*float64(i) + .01*float64(seed), .08 + .05*float64(i%2)}}))
		}
		x := multibody.Setup{Material: multibody.Material{Mu: .3}}
		if seed == 2 {
			x.Joints = []multibody.Joint{{Kind: multibody.Revolute, A: 0, B: 1, At: [3]float64{.08, .1}}}
		}
		glance(t, table, fmt.Sprint("settled-", seed), start(t, w, x, rigid.Options{Settle: true}), .004, 8)
	}
	glance(t, table, "pendulum", pendulum(t, true, rigid.Options{Alpha: .5}), .005, 24)
	s, _ := chainOf(t, 8, 2, 1.2, rigid.Options{Alpha: .5})
	glance(t, table, "whip", s, .02, 20)
	for k := range uint64(2) {
		glance(t, table, fmt.Sprint("heap-", k), heap(t, k, rigid.MoreauImpact), .004, 6)
	}
	for dim := 2; dim <= 3; dim++ {
		for kind := multibody.Revolute; kind <= multibody.Fixed; kind++ {
			s := tumblers(t, dim, kind, rigid.Options{Scheme: rigid.Gavrea, Alpha: .5, Jacobians: multibody.DefiniteJacobians})
			glance(t, table, fmt.Sprintf("tied-%d-%d", dim, kind), s, .02, 8)
			table.Check(fmt.Sprintf("tied-examined-%d-%d", dim, kind), s.Examine(context.Background(), .02), s.Reaction(0))
		}
	}
}

// TestPinnedPiles: spheres that fall in a box: states, and what twins say, which solve to fewer
// digits.
func TestPinnedPiles(t *testing.T) {
	table := table(t)
	for name, o := range map[string]rigid.Options{"plain": {}, "gaps": {Grid: rigid.GapGrid}} {
		s := spherePile(t, 8, o)
		glance(t, table, "balls-"+name, s, .005, 40)
	}
	s := spherePile(t, 5, rigid.Options{})
	d := dynamics.NewDoubled(s, .2, 20)
	for k := range 20 {
		if err := d.Step(context.Background(), .01*float64(k), func() error { return s.Step(context.Background(), .01) }); err != nil {
			t.Fatal(err)
		}
	}
	_, q, _, _ := s.State()
	table.Check("balls-twins", q, d.Measures(1e-9)[0].Value)
	for _, m := range s.Solved() {
		if !m.Passed() {
			t.Errorf("%+v", m)
		}
	}
}

// TestPinnedMechanisms: loops of bars, redundant joints, chains that lie on a floor and hang on
// springs: their states and reactions, by each scheme.
func TestPinnedMechanisms(t *testing.T) {
	table := table(t)
	for name, o := range map[string]rigid.Options{"secant": {}, "half": {Alpha: .5}, "gavrea": {Alpha: .5, Scheme: rigid.Gavrea}, "facets": {Friction: rigid.Polyhedron, Facets: 6}} {
		for dim := 2; dim <= 3; dim++ {
			up := [3]float64{0, -9.81}
			w := world(t, dim, up)
			const n = 7
			var joints []multibody.Joint
			for i := range n { // a ring, one bar of which is on the ground
				a, b := 2*math.Pi*float64(i)/n, 2*math.Pi*(float64(i)+.5)/n
				x := bodies.Body{Shape: bodies.Disc{R: .05}, Mass: 1 + .2*float64(i), Position: [3]float64{math.Cos(b), math.Sin(b)}, Inertia: [3]float64{0, 0, .3}}
				kind := multibody.Revolute
				if dim == 3 {
					x.Shape, x.Inertia, kind = bodies.Sphere{R: .05}, [3]float64{.3, .2, .4}, []multibody.Kind{multibody.Spherical, multibody.Revolute, multibody.Distance}[i%3]
				}
				must[int](t)(w.Add(x))
				j := multibody.Joint{Kind: kind, A: i, B: (i + n - 1) % n, At: [3]float64{math.Cos(a), math.Sin(a)}, Axis: [3]float64{0, 0, 1}, Other: [3]float64{1.2 * math.Cos(a), 1.2 * math.Sin(a), .1}}
				joints = append(joints, j)
			}
			held := multibody.Joint{Kind: multibody.Revolute, A: 0, B: -1, At: [3]float64{1, .2}, Axis: [3]float64{0, 0, 1}}
			joints = append(joints, held, held) // the same one twice
			for i := range joints {
				if j := &joints[i]; dim == 2 {
					j.Axis, j.Other[2] = [3]float64{}, 0
				}
			}
			must[int](t)(w.AddHalfSpace([3]float64{0, -1.2}, [3]float64{.05, 1}))
			s := start(t, w, multibody.Setup{Joints: joints, Material: multibody.Material{Mu: .3}, Forces: []multibody.Force{&multibody.Spring{A: 3, B: -1, AtB: [3]float64{-2, 1}, Stiffness: 30, Damping: 1, RestLength: 1}, &multibody.Spring{A: 2, B: 5, Stiffness: 50, Damping: .5, RestLength: 1}}}, o)
			glance(t, table, fmt.Sprintf("ring-%s-%d", name, dim), s, .01, 12)
			if dim == 2 {
				table.Check(fmt.Sprintf("ring-reactions-%s", name), s.Reaction(2), s.Reaction(5), len(s.Last().Dependent), s.Last().Stick, s.Last().Slip)
			}
			x := s.Examine(context.Background(), .01)
			table.Check(fmt.Sprintf("ring-examined-%s-%d", name, dim), x.Rows, x.Rank, x.Contacts, x.Stiffness, x.Definite, len(x.Dependent))
			chain, _ := chainOf(t, 9, dim, 1.4, o)
			glance(t, table, fmt.Sprintf("long-%s-%d", name, dim), chain, .02, 25)
		}
	}
}
