package rigid_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/pinned"
	"github.com/quasistatic/quasistatic/signal"
)

var remake = flag.Bool("remake", false, "write testdata/pinned anew: with the reason in the commit")

func table(t testing.TB) *pinned.Table { return pinned.Open(t, "testdata/pinned", *remake) }

// workshop is bodies of all shapes over a floor and beside a wall, which may move: tied, on
// springs, with materials of their own. Each touch is one point, so that forces are unique.
func workshop(t testing.TB, seed uint64, dim int, moving bool, restitution float64, o rigid.Options) *rigid.Stepper {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, uint64(dim)))
	up, side := [3]float64{0, 1}, [3]float64{1}
	g := [3]float64{.2, -9.81}
	if dim == 3 {
		up, g = [3]float64{0, 0, 1}, [3]float64{.2, .1, -9.81}
	}
	w := world(t, dim, g)
	floor := bodies.Obstacle{Surface: bodies.HalfSpace{Normal: up}}
	if moving {
		floor.Motion = along(ramp(t, []float64{-1, 1}, []float64{-.7, .7}), signal.Constant(0), signal.Constant(0))
	}
	must[int](t)(w.AddObstacle(floor))
	must[int](t)(w.AddHalfSpace([3]float64{-.4}, side))
	shapes := []bodies.Shape{bodies.Disc{R: .12}, bodies.Ellipse{A: .15, B: .1}, bodies.Rod{Length: .3, R: .03}, bodies.Disc{R: .1}, bodies.Point{}}
	if dim == 3 {
		shapes = []bodies.Shape{bodies.Sphere{R: .12}, bodies.Ellipsoid{Axes: [3]float64{.15, .1, .12}}, bodies.Capsule{Length: .3, R: .03}, bodies.Sphere{R: .1}, bodies.Point{}}
	}
	for i, s := range shapes {
		b := bodies.Body{Shape: s, Mass: 1 + .3*float64(i), Position: [3]float64{.26 * float64(i)}, Angle: .4 * float64(i+1), Drag: .05 * float64(i%2), SpinDrag: .01 * float64(i%2)}
		b.Position[dim-1] = .13 + .03*float64(i%3)
		if i == 2 { // above the floor in any turn
			b.Position[dim-1] = .25
		}
		for k := range dim {
			b.Velocity[k], b.Spin[k] = r.NormFloat64(), r.NormFloat64()
		}
		if dim == 2 {
			b.Spin = [3]float64{0, 0, r.NormFloat64()}
		} else {
			c, d := math.Cos(.3*float64(i)), math.Sin(.3*float64(i))
			b.Orientation, b.Angle = [4]float64{c, d / 3, 2 * d / 3, 2 * d / 3}, 0
		}
		if i == 1 {
			b.Load = signal.Vector{signal.Constant(2), ramp(t, []float64{0, 1}, []float64{0, 30}), signal.Constant(1)}[:dim]
		}
		must[int](t)(w.Add(b))
	}
	x := multibody.Setup{Material: multibody.Material{Mu: .3, Restitution: restitution}, Pairs: map[[2]int]multibody.Material{{0, 1}: {Mu: .6, Restitution: restitution / 2}, {3, -1}: {Mu: .1, Restitution: restitution}},
		Apart: map[[2]int]bool{{2, 3}: true}, Forces: []multibody.Force{&multibody.Spring{A: 1, B: 4, AtA: [3]float64{.05, .02}, Stiffness: 60, Damping: .5, RestLength: .6}, &multibody.Spring{A: 3, B: -1, AtB: [3]float64{.7, .4}, Stiffness: 40, Damping: .2, RestLength: .3}}}
	if seed%2 == 1 {
		x.Joints = []multibody.Joint{{Kind: multibody.Distance, A: 3, B: 4}, {Kind: multibody.Slider, A: 2, B: -1, At: [3]float64{.52, .25, 0}, Axis: [3]float64{1, .2}}}
		x.Joints[0].At, x.Joints[0].Other = [3]float64{.78, .13}, [3]float64{1.04, .16}
		if dim == 3 {
			x.Joints[0].At, x.Joints[0].Other, x.Joints[1].At = [3]float64{.78, 0, .13}, [3]float64{1.04, 0, .16}, [3]float64{.52, 0, .25}
		}
	}
	if dim == 2 {
		x.Forces = append(x.Forces, &multibody.Twist{A: 0, B: 3, Stiffness: 2, Damping: .1, Rest: .2}, &multibody.Twist{A: 1, B: -1, Stiffness: 1, Damping: .2})
	}
	o.Settle = true
	return start(t, w, x, o)
}

// observe runs a scene and pins what it did.
func observe(t testing.TB, table *pinned.Table, name string, s *rigid.Stepper, h float64, steps int) {
	t.Helper()
	var counts [5]int
	var hits []float64
	var correction, penetration float64
	table.Check("begin-"+name, s.Energy(), s.Need().Total(), s.Turns(), s.Reach(nil, .3), s.Freedoms())
	for k := range steps {
		if k == steps/2 {
			s.Keep(1)
		}
		run(t, s, h, 1)
		x := s.Last()
		for i, n := range []int{x.Open, x.Stick, x.Slip, len(x.Cuts), x.Painleve} {
			counts[i] += n
		}
		for _, c := range x.Collisions {
			hits = append(hits, c.T, float64(c.A), float64(c.B), c.Speed, c.Impulse[0], c.Impulse[1], c.Impulse[2], c.Loss, c.Before)
			hits = append(hits, c.After...)
		}
		correction, penetration = max(correction, x.Correction), max(penetration, x.Penetration)
		if s.Smooth() {
			hits = append(hits, 1)
		}
	}
	at, q, v, a := s.State()
	x := s.Last()
	table.Check("run-"+name, at, q, v, a, counts, hits, correction, x.Variation)
	e := x.Energy
	e.Residual = 0 // rounding
	table.Check("energy-"+name, e, s.Creation(), s.Creations().Root, s.Creations().Island, s.Accurate(1e-9), s.Distances(nil, -1), s.Distances(nil, 1))
	cuts, _ := s.Cuts()
	y := s.Examine(context.Background(), h)
	y.Penetration = math.Round(1e9*y.Penetration) / 1e9
	table.Check("examine-"+name, y, cuts, len(s.NotEstimated()), len(s.PartNames()))
	q, v = slices.Clone(q), slices.Clone(v)
	if err := s.Return(1); err != nil {
		t.Fatal(err)
	}
	for range steps - steps/2 {
		run(t, s, h, 1)
	}
	if _, p, u, _ := s.State(); !slices.Equal(p, q) || !slices.Equal(u, v) {
		t.Errorf("%s: other bits from the slot", name)
	}
}

// TestPinnedWorkshops: the same scenes by each scheme, grid, cone and law of impact.
func TestPinnedWorkshops(t *testing.T) {
	table := table(t)
	for name, o := range map[string]rigid.Options{
		"plain": {}, "half": {Alpha: .5}, "gavrea": {Alpha: .5, Scheme: rigid.Gavrea}, "facets": {Alpha: .75, Scheme: rigid.Gavrea, Friction: rigid.Polyhedron}, "gaps": {Grid: rigid.GapGrid}, "fixed": {Grid: rigid.FixedGrid, Scheme: rigid.Gavrea},
		"moreau": {Impact: rigid.MoreauImpact}, "poisson": {Impact: rigid.PoissonImpact, Alpha: .5}, "sequential": {Impact: rigid.SequentialImpact}, "drifting": {Scheme: rigid.Gavrea, Unstabilised: true}, "definite": {Alpha: .5, Jacobians: multibody.DefiniteJacobians}, "explicit": {Alpha: .75, Jacobians: multibody.NoJacobians},
	} {
		for dim := 2; dim <= 3; dim++ {
			for seed := range uint64(2) {
				restitution := .5
				if o.Grid == rigid.GapGrid || seed == 1 {
					restitution = 0
				}
				s := workshop(t, seed, dim, seed == 1 && o.Grid != rigid.FixedGrid, restitution, o)
				observe(t, table, fmt.Sprintf("%s-%d-%d", name, dim, seed), s, .004, 24)
			}
		}
	}
}

// TestPinnedJoints: each kind of joint by each scheme, of two bodies that tumble and of chains.
func TestPinnedJoints(t *testing.T) {
	table := table(t)
	for dim := 2; dim <= 3; dim++ {
		for kind := multibody.Revolute; kind <= multibody.Fixed; kind++ {
			for name, o := range map[string]rigid.Options{"secant": {}, "half": {Alpha: .5}, "gavrea": {Alpha: .5, Scheme: rigid.Gavrea}} {
				s := tumblers(t, dim, kind, o)
				run(t, s, .01, 20)
				at, q, v, a := s.State()
				x, e := s.Last(), s.Energy()
				e.Residual = 0
				table.Check(fmt.Sprintf("joint-%d-%d-%s", dim, kind, name), at, q, v, a, e, x.Correction, s.Reaction(0), s.Creation())
			}
		}
		s, _ := chainOf(t, 12, dim, .3, rigid.Options{})
		observe(t, table, fmt.Sprint("chain-", dim), s, .01, 16)
	}
	observe(t, table, "crank", crank(t, rigid.Options{Alpha: .5}), .01, 20)
}

// TestPinnedStacks: columns and piles at rest and in motion, with islands, sleep and all solvers;
// forces of boxes are not unique and not pinned.
func TestPinnedStacks(t *testing.T) {
	table := table(t)
	for name, s := range map[string]*rigid.Stepper{"boxes": boxStack(t, 4, rigid.Options{}), "pile": spherePile(t, 18, rigid.Options{}), "pushed": pushedStacks(t, rigid.Options{}), "arch": thinArch(t, rigid.Options{})} {
		for range 12 {
			run(t, s, .005, 1)
		}
		_, q, v, _ := s.State()
		e := s.Energy()
		e.Residual, e.Friction, e.Impact, e.Normal = 0, 0, 0, 0
		rest := 0
		s.Contacts(func(p *rigid.Present) { rest++ })
		table.Check("stack-"+name, q, e.Potential, rest, s.Need().Total(), s.Creation().Start, s.Creation().Rounding)
		for i, x := range v {
			if math.Abs(x) > 10 {
				t.Errorf("%s: velocity %d is %g", name, i, x)
			}
		}
	}
}

// TestPinnedReplays: what is off in steps one number of which is changed.
func TestPinnedReplays(t *testing.T) {
	table := table(t)
	for name, o := range map[string]rigid.Options{"plain": {}, "half": {Alpha: .5}, "gavrea": {Alpha: .75, Scheme: rigid.Gavrea}} {
		for dim := 2; dim <= 3; dim++ {
			s, other := workshop(t, 1, dim, true, 0, o), workshop(t, 1, dim, true, 0, o)
			for k := range 30 {
				t0, q0, v0, _ := s.State()
				q0, v0 = slices.Clone(q0), slices.Clone(v0)
				run(t, s, .004, 1)
				x := s.Last()
				if k < 12 || k%6 > 0 || len(x.Collisions)+len(x.Cuts) > 0 {
					continue
				}
				for spoil := range 4 {
					q, v, impulses := slices.Clone(x.Q), slices.Clone(x.V), slices.Clone(x.Impulses)
					switch spoil {
					case 0:
						if len(impulses) > 0 {
							impulses[0].On[0] += .01
						}
					case 1:
						v[len(v)-1] += .01
					case 2:
						q[0] += 1e-3
					case 3:
						impulses = append(impulses, rigid.Impulse{Key: 12345, On: [3]float64{1}})
					}
					if err := rigid.NewReplay(other).Jump(t0, q0, v0); err != nil {
						t.Fatal(err)
					}
					f, err := rigid.NewReplay(other).Replay(context.Background(), .004, q, v, impulses)
					if err != nil {
						t.Fatal(err)
					}
					f.Energy.Residual = 0
					for _, y := range []*float64{&f.Motion, &f.Joint, &f.Law, &f.Cone, &f.Path} {
						if *y = float64(float32(*y)); *y < 1e-7 { // residuals of what is solved
							*y = 0
						}
					}
					if f.Motion == 0 {
						f.MotionAt = 0
					}
					if f.Path == 0 {
						f.PathAt = 0
					}
					if f.Joint == 0 {
						f.JointAt = 0
					}
					f.LawAt, f.ConeAt = f.LawAt%1024, f.ConeAt%1024
					if f.Law == 0 {
						f.LawAt = 0
					}
					if f.Cone == 0 {
						f.ConeAt = 0
					}
					table.Check(fmt.Sprintf("replay-%s-%d-%d-%d", name, dim, k, spoil), *f)
				}
			}
		}
	}
}

// TestPinnedTwins: what twins say of runs of equal steps and of chosen ones.
func TestPinnedTwins(t *testing.T) {
	table := table(t)
	for dim := 2; dim <= 3; dim++ {
		for _, n := range []int{6, 17} {
			const h = .005
			s := workshop(t, 0, dim, false, 0, rigid.Options{Alpha: .5})
			d := dynamics.NewDoubled(s, h*float64(n), n)
			for k := range n {
				if err := d.Step(context.Background(), float64(k)*h, func() error { return s.Step(context.Background(), h) }); err != nil {
					t.Fatal(err)
				}
			}
			x, err := d.Save()
			if err != nil {
				t.Fatal(err)
			}
			for k := range x.Twin {
				x.Twin[k].State = nil
			}
			table.Check(fmt.Sprintf("twins-%d-%d", dim, n), x, d.Measures(1e-9))
		}
	}
	s := workshop(t, 0, 2, false, 0, rigid.Options{Alpha: .5})
	a := must[*dynamics.Adaptive](t)(dynamics.NewAdaptive(context.Background(), s, dynamics.AdaptiveOptions{Until: .05, Accuracy: .3}))
	for !a.Done() {
		if err := a.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	_, q, v, _ := s.State()
	table.Check("chosen", q, v, a.Stats(), a.Measures())
}

// TestLimitsOfOptions: what may be asked ends where it says so.
func TestLimitsOfOptions(t *testing.T) {
	type o = rigid.Options
	for _, c := range []struct {
		o  o
		ok bool
	}{
		{o{}, true}, {o{Alpha: 1}, true}, {o{Alpha: 1.01}, false}, {o{Alpha: -.1}, false}, {o{Alpha: math.NaN()}, false}, {o{Gamma: 1}, true}, {o{Gamma: 1.01}, false}, {o{Gamma: -.1}, false}, {o{Scheme: rigid.Gavrea}, true}, {o{Scheme: 2}, false}, {o{Scheme: -1}, false},
		{o{ExplicitGamma: true}, false}, {o{ExplicitGamma: true, Gamma: 1}, true}, {o{ExplicitGamma: true, Gamma: .5, Alpha: .5}, true}, {o{ExplicitGamma: true, Gamma: .6, Alpha: .5}, false}, {o{ExplicitGamma: true, Scheme: rigid.Gavrea, Gamma: .6, Alpha: .5}, true},
		{o{Facets: 4}, true}, {o{Facets: 2}, false}, {o{Facets: 3}, false}, {o{Facets: 5}, false}, {o{Facets: 1024}, true}, {o{Facets: 1026}, false}, {o{Grid: rigid.GapGrid}, true}, {o{Grid: rigid.GapGrid, Alpha: 1}, true}, {o{Grid: rigid.GapGrid, Alpha: .5}, false}, {o{Grid: rigid.FixedGrid, Alpha: .5}, true},
		{o{Tolerance: 1e-3}, true}, {o{Tolerance: 1.01e-3}, false}, {o{Tolerance: -1e-9}, false}, {o{Accept: 1e-2}, true}, {o{Accept: 1.01e-2}, false}, {o{Accept: -1e-9}, false}, {o{RestitutionSpeed: -1e-9}, false}, {o{RestitutionSpeed: 1}, true}, {o{Impact: -1}, false}, {o{Impact: rigid.SequentialImpact}, true}, {o{Impact: rigid.SequentialImpact + 1}, false},
		{o{MaxCuts: 30}, true}, {o{MaxCuts: 31}, false}, {o{MaxCuts: -1}, false}, {o{Memory: -1}, false}, {o{Memory: 1}, true}, {o{MaxCollisions: -1}, false}, {o{MaxCollisions: 1}, true}, {o{Margin: -1e-9}, false}, {o{Margin: 1e12}, false}, {o{Margin: 1}, true},
	} {
		if err := c.o.Validate(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}
