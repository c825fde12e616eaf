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
)

// TestAlignedTouches: shapes that are aligned, turned by quarters and eighths, in each other, edge
// on edge and concentric: the least gap of ties is the same whoever is first.
func TestAlignedTouches(t *testing.T) {
	square := bodies.Polygon{Vertices: [][2]float64{{-.2, -.2}, {.2, -.2}, {.2, .2}, {-.2, .2}}}
	lists := map[int][]bodies.Shape{
		2: {bodies.Disc{R: .2}, bodies.Rod{Length: .4}, bodies.Rod{Length: .4, R: .1}, bodies.Ellipse{A: .3, B: .2}, square, triangle},
		3: {bodies.Sphere{R: .2}, bodies.Capsule{Length: .4, R: .1}, bodies.Box{Size: v3{.4, .4, .4}},
			bodies.Box{Size: v3{.8, .1, .4}}, bodies.Ellipsoid{Axes: v3{.3, .2, .2}}},
	}
	for dim, list := range lists {
		for i, a := range list {
			for _, b := range list[i:] {
				for turn := range 3 {
					for at := range 12 {
						angle := math.Pi / 4 * float64(turn)
						x := v3{.2 * float64(at%4), .2 * float64(at/4), 0}
						if dim == 3 && at%2 == 1 {
							x = v3{x[1], 0, x[0]}
						}
						one := bodies.Body{Shape: a, Mass: 1, Position: x, Angle: angle}
						if dim == 3 {
							one.Angle, one.Orientation = 0, [4]float64{math.Cos(angle / 2), 0, math.Sin(angle / 2), 0}
						}
						w := worldOf(t, dim, one, bodies.Body{Shape: b, Mass: 1})
						q, _ := w.Start()
						least, other := math.Inf(1), math.Inf(1)
						for _, x := range w.NewToucher(nil).Find(nil, 0, q, .15) {
							least = min(least, x.Gap)
						}
						// Exchanged, the least gap is the same: rounding of lengths of .4 m and the
						// search of 1e-9.
						v := worldOf(t, dim, bodies.Body{Shape: b, Mass: 1}, one)
						p, _ := v.Start()
						for _, x := range v.NewToucher(nil).Find(nil, 0, p, .15) {
							other = min(other, x.Gap)
						}
						if least != other && !(math.Abs(least-other) <= 1e-9) {
							t.Errorf("%T and %T, turn %d, place %d: gap %g, exchanged %g", a, b, turn, at, least, other)
						}
					}
				}
			}
		}
	}
}

// TestToucherRemembers: a search that remembers the one before finds what a new one finds, as
// bodies move or not, the margin changes and obstacles move; pairs that are skipped are not found,
// all others are; keys tell what they are of.
func TestToucherRemembers(t *testing.T) {
	thorough.Seconds(t)
	r := rand.New(rand.NewPCG(3, 14))
	for dim := 2; dim <= 3; dim++ {
		var list []bodies.Body
		for i := range 12 {
			list = append(list, thing(r, dim, shapes[dim][1+i%(len(shapes[dim])-1)], 1.5))
		}
		w := worldOf(t, dim, list...)
		up := v3{0, 1}
		if _, err := w.AddHalfSpace(v3{0, -.6}, up); err != nil {
			t.Fatal(err)
		}
		for _, o := range []bodies.Obstacle{{Surface: bodies.HalfSpace{Point: v3{0, .6}, Normal: v3{0, -1}},
			Motion: motion(t, dim)}, {Surface: bodies.Ball{Center: v3{2}, R: 1.5}}} {
			if _, err := w.AddObstacle(o); err != nil {
				t.Fatal(err)
			}
		}
		q, _ := w.Start()
		skip := func(a, b int) bool { return b < 0 && (a+b)%3 == 0 || b >= 0 && (a*b)%4 == 1 }
		old, free := w.NewToucher(skip), w.NewToucher(nil)
		var found, all []bodies.Touch
		seen := 0
		for k := range 40 {
			if k%3 > 0 { // else nobody has moved
				for range 1 + r.IntN(3) {
					at, _ := w.Coordinates(r.IntN(w.Bodies()))
					q[at+r.IntN(dim)] += .2 * r.NormFloat64()
				}
			}
			margin, time := []float64{.1, .1, .1, .3}[k%4], .1*float64(k/5)
			found, all = old.Find(found, time, q, margin), free.Find(all, time, q, margin)
			fresh := w.NewToucher(nil).Find(nil, time, q, margin)
			if len(fresh) != len(all) {
				t.Fatalf("step %d: %d touches, a new search finds %d", k, len(all), len(fresh))
			}
			next := 0
			for i, x := range fresh {
				if all[i] != x {
					t.Fatalf("step %d: %+v, a new search finds %+v", k, all[i], x)
				}
				if i > 0 && fresh[i-1].Key >= x.Key {
					t.Fatalf("keys %x and %x", fresh[i-1].Key, x.Key)
				}
				a, b, floor, feature := bodies.TouchOf(x.Key)
				if a != x.A || b != x.B || floor != x.Floor || bodies.TouchKey(a, b, floor, feature) != x.Key {
					t.Fatalf("key %x of %+v is of %d, %d, %d", x.Key, x, a, b, floor)
				}
				pair := bodies.PairTouch(x.A, x.B)
				other := x.B
				if x.B < 0 {
					pair, other = bodies.FloorTouch(x.A, x.Floor), -1-x.Floor
				}
				if pair.Pair() != x.Pair() {
					t.Fatalf("pair %x of %+v", pair.Pair(), x)
				}
				again := free.Again(nil, time, q, &x)
				if !contains(again, x.Key) {
					t.Fatalf("step %d: touch %x is not found again", k, x.Key)
				}
				if new := w.NewToucher(nil).Again(nil, time, q, &x); !slices.Equal(again, new) { // who has been asked before
					t.Fatalf("step %d: touch %x is %+v, a new search finds %+v", k, x.Key, again, new)
				}
				if skip(x.A, other) {
					continue
				}
				if next >= len(found) || found[next] != x {
					t.Fatalf("step %d: touch %+v is missing beside those that are skipped", k, x)
				}
				next++
				seen++
			}
			if next != len(found) {
				t.Fatalf("step %d: %d touches of pairs that are skipped", k, len(found)-next)
			}
		}
		if seen < 100 {
			t.Errorf("only %d touches", seen)
		}
	}
}

func contains(list []bodies.Touch, key uint64) bool {
	for _, x := range list {
		if x.Key == key {
			return true
		}
	}
	return false
}

// TestRefusedWorlds: one thing wrong each.
func TestRefusedWorlds(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		dim     int
		gravity v3
		ok      bool
	}{{2, v3{1, 2}, true}, {3, v3{1, 2, 3}, true}, {1, v3{}, false}, {4, v3{}, false}, {2, v3{0, 0, 1}, false},
		{3, v3{0, 0, nan}, false}, {3, v3{inf}, false}} {
		if w, err := bodies.NewWorld(c.dim, c.gravity); (err == nil) != c.ok || c.ok && w.Dim() != c.dim {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for name, spoil := range map[string]func(b *bodies.Body){
		"": func(*bodies.Body) {}, "shape": func(b *bodies.Body) { b.Shape = nil },
		"dimension": func(b *bodies.Body) { b.Shape = bodies.Disc{R: 1} },
		"radius":    func(b *bodies.Body) { b.Shape = bodies.Sphere{} }, "mass": func(b *bodies.Body) { b.Mass = 0 },
		"heavy": func(b *bodies.Body) { b.Mass = inf },
		"place": func(b *bodies.Body) { b.Position[2] = nan }, "velocity": func(b *bodies.Body) { b.Velocity[0] = inf },
		"spin": func(b *bodies.Body) { b.Spin[1] = nan }, "angle": func(b *bodies.Body) { b.Angle = nan },
		"orientation": func(b *bodies.Body) { b.Orientation[0] = nan }, "long": func(b *bodies.Body) { b.Orientation[0] = 1.002 },
		"short": func(b *bodies.Body) { b.Orientation[0] = .998 }, "load": func(b *bodies.Body) { b.Load = b.Load[:2] },
		"drag": func(b *bodies.Body) { b.Drag = -1e-9 }, "endless drag": func(b *bodies.Body) { b.Drag = inf },
		"spin drag": func(b *bodies.Body) { b.SpinDrag = -1e-9 }, "endless spin drag": func(b *bodies.Body) { b.SpinDrag = inf },
		"inertia":          func(b *bodies.Body) { b.Inertia = v3{1, 0, 1} },
		"endless inertia":  func(b *bodies.Body) { b.Inertia = v3{1, 1, inf} },
		"negative inertia": func(b *bodies.Body) { b.Inertia = v3{-1, 1, 1} },
	} {
		w := worldOf(t, 3)
		b := bodies.Body{Shape: bodies.Sphere{R: 1}, Mass: 1, Orientation: [4]float64{1}, Load: motion(t, 3).Shift}
		spoil(&b)
		if _, err := w.Add(b); (err == nil) != (name == "") {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, o := range []float64{1.0009, .9991} { // typed digits
		w := worldOf(t, 3)
		if _, err := w.Add(bodies.Body{Shape: bodies.Sphere{R: 1}, Mass: 1, Orientation: [4]float64{o}}); err != nil {
			t.Error(err)
		}
	}
	p := func(x ...[2]float64) bodies.Shape { return bodies.Polygon{Vertices: x} }
	for name, c := range map[string]struct {
		shape bodies.Shape
		ok    bool
	}{
		"square":    {p([2]float64{-1, -1}, [2]float64{1, -1}, [2]float64{1, 1}, [2]float64{-1, 1}), true},
		"two":       {p([2]float64{-1, 0}, [2]float64{1, 0}), false},
		"clockwise": {p([2]float64{-1, -1}, [2]float64{-1, 1}, [2]float64{1, 1}, [2]float64{1, -1}), false},
		"hollow": {p([2]float64{-1, -1}, [2]float64{1, -1}, [2]float64{0, 0}, [2]float64{1, 1}, [2]float64{-1, 1}),
			false}, "straight": {p([2]float64{-1, -1}, [2]float64{0, -1}, [2]float64{1, -1}, [2]float64{1, 1}, [2]float64{-1, 1}), false},
		"off": {p([2]float64{-1 + 3e-6, -1}, [2]float64{1 + 3e-6, -1}, [2]float64{1 + 3e-6, 1},
			[2]float64{-1 + 3e-6, 1}), false}, "nearly": {p([2]float64{-1 + 1e-6, -1}, [2]float64{1 + 1e-6, -1},
			[2]float64{1 + 1e-6, 1}, [2]float64{-1 + 1e-6, 1}), true},
		"rod": {bodies.Rod{Length: 1}, true}, "short rod": {bodies.Rod{}, false},
		"thin rod": {bodies.Rod{Length: 1, R: -1e-9}, false}, "thick rod": {bodies.Rod{Length: 1, R: inf}, false},
		"ellipse": {bodies.Ellipse{A: 1}, false}, "flat ellipse": {bodies.Ellipse{B: 1}, false},
		"endless disc": {bodies.Disc{R: inf}, false}, "NaN": {bodies.Disc{R: nan}, false},
	} {
		w := worldOf(t, 2)
		if _, err := w.Add(bodies.Body{Shape: c.shape, Mass: 1}); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		dim int
		s   bodies.Surface
		ok  bool
	}{
		"plane":     {2, bodies.HalfSpace{Normal: v3{0, 1}}, true},
		"tiny":      {3, bodies.HalfSpace{Normal: v3{0, 1e-200, 1e-200}}, true},
		"no normal": {3, bodies.HalfSpace{}, false}, "NaN": {3, bodies.HalfSpace{Normal: v3{nan, 1}}, false},
		"far":         {3, bodies.HalfSpace{Point: v3{inf}, Normal: v3{1}}, false},
		"third":       {2, bodies.HalfSpace{Normal: v3{0, 1, 1}}, false},
		"third place": {2, bodies.HalfSpace{Point: v3{0, 0, 1}, Normal: v3{0, 1}}, false},
		"ball":        {3, bodies.Ball{R: 1}, true}, "no ball": {3, bodies.Ball{}, false},
		"ball away": {2, bodies.Ball{Center: v3{0, 0, 1}, R: 1}, false}, "ball at NaN": {3, bodies.Ball{Center: v3{nan}, R: 1}, false},
		"cylinder":       {3, bodies.Cylinder{Axis: v3{0, 0, 2}, R: 1}, true},
		"plane cylinder": {2, bodies.Cylinder{Axis: v3{0, 1}, R: 1}, false},
		"no cylinder":    {3, bodies.Cylinder{Axis: v3{1}}, false}, "no axis": {3, bodies.Cylinder{R: 1}, false},
		"oval": {3, bodies.Oval{Axes: v3{1, 2, 3}}, true}, "flat oval": {3, bodies.Oval{Axes: v3{1, 2, 0}}, false},
		"ellipse": {2, bodies.Oval{Axes: v3{1, 2}}, true}, "thick ellipse": {2, bodies.Oval{Axes: v3{1, 2, 3}}, false},
		"torus":       {3, bodies.Torus{Radius: 1, Tube: .5, Axis: v3{0, 0, 1}}, true},
		"thick torus": {3, bodies.Torus{Radius: 1, Tube: 1, Axis: v3{0, 0, 1}}, false},
		"thin torus":  {3, bodies.Torus{Radius: 1, Axis: v3{0, 0, 1}}, false},
		"plane torus": {2, bodies.Torus{Radius: 1, Tube: .5, Axis: v3{0, 1}}, false},
		"graph":       {2, bodies.Graph{Relief: wave{.1, 1}}, true}, "no graph": {2, bodies.Graph{}, false}, "nothing": {2, nil, false},
	} {
		w := worldOf(t, c.dim)
		k, err := w.AddObstacle(bodies.Obstacle{Surface: c.s})
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
		if c.ok && (k != 0 || w.Obstacles() != 1 || w.Moving(0)) {
			t.Errorf("%s: obstacle %d of %d", name, k, w.Obstacles())
		}
		if s, plane := c.s.(bodies.HalfSpace); plane && c.ok {
			n := w.Obstacle(0).Surface.(bodies.HalfSpace).Normal
			if e := math.Abs(abs(n) - 1); e > 1e-15 || inner(n, s.Normal) <= 0 {
				t.Errorf("%s: normal %v", name, n)
			}
		}
	}
	patch := func(dim int) *dynamics.Patch {
		p, err := dynamics.NewRigid(contact.Coulomb{}, dim)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	w := worldOf(t, 2, bodies.Body{Shape: bodies.Disc{R: 1}, Mass: 1}, bodies.Body{Shape: bodies.Disc{R: 1}, Mass: 1, Position: v3{3}})
	if _, err := w.AddHalfSpace(v3{}, v3{0, 1}); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"no body": second(w.OnObstacle(2, 0, patch(2))), "before": second(w.OnObstacle(-1, 0, patch(2))),
		"no obstacle": second(w.OnObstacle(0, 1, patch(2))), "before all": second(w.OnObstacle(0, -1, patch(2))),
		"space": second(w.OnObstacle(0, 0, patch(3))), "no patch": second(w.OnObstacle(0, 0, nil)),
		"itself": second(w.Between(1, 1, patch(2))), "nobody": second(w.Between(0, 2, patch(2))),
		"nothing": second(w.Between(0, 1, nil)), "in space": second(w.Between(0, 1, patch(3))), "below": second(w.Between(-1, 1, patch(2))),
	} {
		if err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if err := second(w.Between(0, 1, patch(2))); err != nil {
		t.Error(err)
	}
}

func second(_ int, err error) error { return err }

// TestAgainElsewhere: what is asked for again is that of the places of both bodies, whoever has moved since.
func TestAgainElsewhere(t *testing.T) {
	box := bodies.Body{Shape: bodies.Box{Size: v3{1, 1, 1}}, Mass: 1}
	above := box
	above.Position = v3{.2, .1, 1.1}
	w := worldOf(t, 3, box, above)
	f, x := w.NewToucher(nil), bodies.PairTouch(0, 1)
	for _, move := range [][2]float64{{0, 0}, {0, .2}, {.1, 0}, {0, 0}, {.1, .2}} {
		q, _ := w.Start()
		for i, by := range move {
			at, _ := w.Coordinates(i)
			q[at] += by
		}
		got, want := f.Again(nil, 0, q, &x), w.NewToucher(nil).Again(nil, 0, q, &x)
		if len(want) < 2 || !slices.Equal(got, want) {
			t.Errorf("moved by %v: %+v, want %+v", move, got, want)
		}
	}
}
