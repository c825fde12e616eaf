package bodies_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/pinned"
	"github.com/quasistatic/quasistatic/signal"
)

var remake = flag.Bool("remake", false, "write testdata/pinned anew: with the reason in the commit")

func table(t testing.TB) *pinned.Table { return pinned.Open(t, "testdata/pinned", *remake) }

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

// spots are the numbers of touches, with as much of their keys as floats hold.
func spots(list []bodies.Touch) (x []any) {
	for _, s := range list {
		x = append(x, int(s.Key%(1<<20)), s.A, s.B, s.Floor, s.At[:], s.N[:], s.Gap)
	}
	return append(x, len(list))
}

// TestPinnedTouches: the touches of every two shapes at places drawn, near and far, deep and apart.
// In each place they are the same seen from another frame, and in units that are a power of two.
func TestPinnedTouches(t *testing.T) {
	table := table(t)
	for dim := 2; dim <= 3; dim++ {
		for i, a := range shapes[dim] {
			for j, b := range shapes[dim][i:] {
				r := rand.New(rand.NewPCG(uint64(i), uint64(j)))
				var all []any
				for k := range 8 {
					w := worldOf(t, dim, thing(r, dim, a, .5+.15*float64(k)), thing(r, dim, b, .5+.15*float64(k)))
					q, _ := w.Start()
					found := w.NewToucher(nil).Find(nil, 0, q, .3)
					all = append(all, spots(found)...)
				}
				// In one list, so that a row has a few numbers.
				var numbers []float64
				for _, x := range all {
					switch x := x.(type) {
					case int:
						numbers = append(numbers, 1e-3*float64(x%1000))
					case float64:
						numbers = append(numbers, x)
					case []float64:
						numbers = append(numbers, x...)
					}
				}
				table.Check(fmt.Sprintf("touches-%d-%d-%d", dim, i, i+j), numbers)
			}
		}
	}
}

// surfaces are obstacles of all kinds, from outside and inside.
func surfaces(dim int) []bodies.Surface {
	w := wave{.2, 1.5}
	if dim == 2 {
		return []bodies.Surface{bodies.HalfSpace{Point: v3{.1, .2}, Normal: v3{1, 3}}, bodies.Ball{Center: v3{.1, .3}, R: .5}, bodies.Ball{R: 1.5, Inside: true}, bodies.Oval{Axes: v3{1, .6}, Center: v3{.2, .1}},
			bodies.Oval{Axes: v3{1.6, 1.3}, Inside: true}, bodies.Graph{Relief: w}, bodies.Graph{Relief: w, Below: true}}
	}
	return []bodies.Surface{bodies.HalfSpace{Point: v3{.1, .2, -.1}, Normal: v3{1, 3, 1}}, bodies.Ball{Center: v3{.1, .3, .2}, R: .5}, bodies.Ball{R: 1.5, Inside: true}, bodies.Cylinder{Point: v3{.1}, Axis: v3{1, 2, .3}, R: .4},
		bodies.Cylinder{Axis: v3{1, 0, 3}, R: 1.2, Inside: true}, bodies.Oval{Axes: v3{1, .6, .8}, Center: v3{.2, .1}}, bodies.Oval{Axes: v3{1.6, 1.3, 1.4}, Inside: true},
		bodies.Torus{Radius: 1, Tube: .4, Axis: v3{.2, .1, 2}}, bodies.Torus{Radius: 1, Tube: .5, Axis: v3{.2, .1, 2}, Inside: true}, bodies.Graph{Relief: w}, bodies.Graph{Relief: w, Below: true}}
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

// TestPinnedObstacles: the touches and the patches of each shape on each obstacle, at rest and
// moving, and what obstacles say of themselves.
func TestPinnedObstacles(t *testing.T) {
	table := table(t)
	for dim := 2; dim <= 3; dim++ {
		patch, err := dynamics.NewRigid(contact.Coulomb{Mu: .3}, dim)
		if err != nil {
			t.Fatal(err)
		}
		three, err := dynamics.NewPatch(contact.Coulomb{Mu: .3}, dynamics.HalfSpace{Dim: dim, Elements: 3, Spacing: .02, Epsilon: 1e-5})
		if err != nil {
			t.Fatal(err)
		}
		for i, surface := range surfaces(dim) {
			var found, met, rows []float64
			var flags []int
			r := rand.New(rand.NewPCG(uint64(dim), uint64(i)))
			for _, shape := range shapes[dim] {
				for k := range 6 {
					w := worldOf(t, dim, thing(r, dim, shape, 2))
					o := bodies.Obstacle{Surface: surface}
					if k >= 3 {
						o.Motion = motion(t, dim)
					}
					if _, err := w.AddObstacle(o); err != nil {
						t.Fatal(err)
					}
					q, v := w.Start()
					if w.Meets(0, 0) != nil {
						flags = append(flags, -1)
						continue
					}
					time := .4
					for _, x := range w.NewToucher(nil).Find(nil, time, q, .4) {
						found = append(found, x.Gap, x.At[0], x.At[1], x.At[2], x.N[0], x.N[1], x.N[2], 1e-3*float64(x.Key%1000))
					}
					if k < 3 {
						found = append(found, w.Bend(0))
					}
					p := patch
					if k%2 == 1 {
						p = three
					}
					key, err := w.OnObstacle(0, 0, p)
					if err != nil {
						flags = append(flags, -2)
						continue
					}
					flags = append(flags, w.Patches(key), w.Features(0))
					obstacle, at, n := w.Meeting(key, time, q)
					met = append(met, float64(obstacle), at[0], at[1], at[2], n[0], n[1], n[2])
					var c dynamics.Contacts
					c.ResetAt(time, dim, len(v))
					w.Contacts(&c, q)
					rows = append(rows, c.Gaps()...)
					speeds := make([]float64, dim*len(c.Gaps()))
					c.Speeds(speeds, v)
					drive := make([]float64, dim*p.Elements())
					if w.Drives() {
						w.Drive(drive, key, time, .1, q)
					}
					rows = append(append(rows, speeds...), drive...)
					if w.PatchOf(key) != p {
						t.Errorf("another patch of key %d", key)
					}
				}
			}
			table.Check(fmt.Sprintf("obstacle-%d-%d", dim, i), found, met, rows, flags)
		}
	}
}

// TestPinnedPairs: patches of two bodies: gaps, speeds, places and keys, of declared pairs and of
// all.
func TestPinnedPairs(t *testing.T) {
	table := table(t)
	for dim := 2; dim <= 3; dim++ {
		three, err := dynamics.NewPatch(contact.Coulomb{Mu: .3}, dynamics.HalfSpace{Dim: dim, Elements: 3, Spacing: .02, Epsilon: 1e-5})
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range shapes[dim] {
			r := rand.New(rand.NewPCG(uint64(dim), uint64(i)))
			var rows []float64
			for _, b := range shapes[dim] {
				w := worldOf(t, dim, thing(r, dim, a, 1), thing(r, dim, bodies.Point{}, 9), thing(r, dim, b, 1))
				key, err := w.Between(0, 2, three)
				if err != nil {
					rows = append(rows, -1)
					continue
				}
				q, v := w.Start()
				one, two := w.KeyOf(key)
				obstacle, at, n := w.Meeting(key, 0, q)
				rows = append(rows, float64(one), float64(two), float64(obstacle), float64(key), at[0], at[1], at[2], n[0], n[1], n[2])
				var c dynamics.Contacts
				c.Reset(dim, len(v))
				w.Contacts(&c, q)
				speeds := make([]float64, dim*len(c.Gaps()))
				c.Speeds(speeds, v)
				rows = append(append(rows, c.Gaps()...), speeds...)
			}
			table.Check(fmt.Sprintf("pairs-%d-%d", dim, i), rows)
		}
		round := shapes[dim][1]
		r := rand.New(rand.NewPCG(uint64(dim), 99))
		var list []bodies.Body
		for range 14 {
			list = append(list, thing(r, dim, round, 1.6))
		}
		w := worldOf(t, dim, list...)
		if w.EveryPair() {
			t.Error("pairs that nobody declared")
		}
		if err := w.AllPairs(three); err != nil || !w.EveryPair() {
			t.Fatal(err)
		}
		q, v := w.Start()
		var c dynamics.Contacts
		c.Reset(dim, len(v))
		w.Contacts(&c, q)
		speeds := make([]float64, dim*len(c.Gaps()))
		c.Speeds(speeds, v)
		table.Check(fmt.Sprint("allpairs-", dim), c.Gaps(), speeds)
		for i := range 14 {
			for j := range i {
				key := w.PairKey(j, i)
				if a, b := w.KeyOf(key); a != j || b != i || w.PatchOf(key) != three {
					t.Errorf("key %d of %d and %d is of %d and %d", key, j, i, a, b)
				}
			}
		}
	}
}

// TestPinnedBodies: sizes, inertia, forces, energies, motions, directions and pictures of bodies.
func TestPinnedBodies(t *testing.T) {
	table := table(t)
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
		list = append(list, bodies.Body{Shape: bodies.Point{}, Mass: 2, Inertia: v3{1, 2, 3}, Spin: v3{0, 0, 1}})
		w := worldOf(t, dim, list...)
		q, v := w.Start()
		nq, nv, _ := w.Size()
		f, g, rate, potentials := make([]float64, nv), make([]float64, nv), make([]float64, nq), make([]float64, w.Bodies())
		w.Force(f, .3, q, v)
		w.Load(g, .3, q, v)
		external := make([]float64, nv)
		w.External(external, .3, 0, v)
		w.Rate(rate, q, v)
		w.Potentials(potentials, .3, q)
		table.Check(fmt.Sprint("world-", dim), q, v, f, g, external, rate, potentials, w.Potential(.3, q), w.Parts(), w.Arms(), w.Gravity(), len(w.Loads()))
		moved, secant, wild := make([]float64, nq), make([]float64, nq), make([]float64, nq)
		w.Move(moved, q, v, .3)
		tied := make([]bool, w.Bodies())
		for i := range tied {
			tied[i] = i%2 == 0
		}
		w.MoveSecant(secant, q, v, .3, tied)
		for i := range wild {
			wild[i] = q[i] + .1*rate[i]
		}
		w.Project(wild)
		shifted := slices.Clone(q)
		w.Shift(shifted, -1, v3{1, 2, 4})
		table.Check(fmt.Sprint("moved-", dim), moved, secant, wild, shifted)
		for i := range w.Bodies() {
			mass, inertia := w.Inertia(i)
			drag, spin := w.Drag(i)
			at, speed := w.Coordinates(i)
			centre, rotation := w.Place(i, q)
			look := w.Appearance(i)
			var outline []float64
			for _, x := range look.Outline {
				outline = append(outline, x[0], x[1])
			}
			if dim == 2 {
				for _, x := range w.Outline(i, q) {
					outline = append(outline, x[0], x[1])
				}
			}
			var deviations []float64
			if w.Spins(i) {
				deviations = append(deviations, w.Deviation(i, q, moved, nil), w.Deviation(i, q, moved, v), w.Deviation(i, moved, q, v), w.Deviation(i, q, q, v))
			}
			look.Outline = nil
			table.Check(fmt.Sprintf("body-%d-%d", dim, i), mass, inertia[:], drag, spin, at, speed, centre[:], rotation[:], w.Reach(i), w.Width(i), w.Lever(i), w.Arm(i), w.Directed(i), w.Ball(i), w.Spins(i), w.Features(i), look, outline, deviations)
		}
		poses := w.Poses(nil, q)
		table.Check(fmt.Sprint("poses-", dim), poses)
		for range 3 {
			n := v3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			if dim == 2 {
				n[2] = 0
			}
			n = sum(v3{}, 1/abs(n), n)
			a, b := w.Tangents(n)
			if dim == 3 && !(math.Abs(inner(a, n))+math.Abs(inner(b, n))+math.Abs(inner(a, b)) <= 1e-15*8 && math.Abs(abs(a)-1)+math.Abs(abs(b)-1) <= 1e-15*8) {
				t.Errorf("tangents %v, %v of %v", a, b, n)
			}
			table.Check(fmt.Sprintf("tangents-%d-%.3f", dim, n[0]), a[:], b[:])
		}
	}
}

// TestInertiaByPoints: moments of uniform bodies against sums over points drawn in them.
func TestInertiaByPoints(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		for i, s := range shapes[dim] {
			if _, point := s.(bodies.Point); point {
				continue
			}
			if rod, ok := s.(bodies.Rod); ok && rod.R == 0 {
				continue // of no area: mL²/12 is pinned
			}
			w := worldOf(t, dim, bodies.Body{Shape: s, Mass: 3})
			_, got := w.Inertia(0)
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
