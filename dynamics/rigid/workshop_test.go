package rigid_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/signal"
)

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
	shapes := []bodies.Shape{bodies.Disc{R: .12}, bodies.Ellipse{A: .15, B: .1}, bodies.Rod{Length: .3, R: .03},
		bodies.Disc{R: .1}, bodies.Point{}}
	if dim == 3 {
		shapes = []bodies.Shape{bodies.Sphere{R: .12}, bodies.Ellipsoid{Axes: [3]float64{.15, .1, .12}},
			bodies.Capsule{Length: .3, R: .03}, bodies.Sphere{R: .1}, bodies.Point{}}
	}
	for i, s := range shapes {
		b := bodies.Body{Shape: s, Mass: 1 + .3*float64(i), Position: [3]float64{.26 * float64(i)},
			Angle: .4 * float64(i+1), Drag: .05 * float64(i%2), SpinDrag: .01 * float64(i%2)}
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
	x := multibody.Setup{Material: multibody.Material{Mu: .3, Restitution: restitution},
		Pairs: map[[2]int]multibody.Material{{0, 1}: {Mu: .6, Restitution: restitution / 2}, {3, -1}: {Mu: .1, Restitution: restitution}},
		Apart: map[[2]int]bool{{2, 3}: true}, Forces: []multibody.Force{&multibody.Spring{A: 1, B: 4,
			AtA: [3]float64{.05, .02}, Stiffness: 60, Damping: .5, RestLength: .6},
			&multibody.Spring{A: 3, B: -1, AtB: [3]float64{.7, .4}, Stiffness: 40, Damping: .2, RestLength: .3}}}
	if seed%2 == 1 {
		x.Joints = []multibody.Joint{{Kind: multibody.Distance, A: 3, B: 4},
			{Kind: multibody.Slider, A: 2, B: -1, At: [3]float64{.52, .25, 0}, Axis: [3]float64{1, .2}}}
		x.Joints[0].At, x.Joints[0].Other = [3]float64{.78, .13}, [3]float64{1.04, .16}
		if dim == 3 {
			x.Joints[0].At, x.Joints[0].Other, x.Joints[1].At = [3]float64{.78, 0, .13}, [3]float64{1.04, 0, .16}, [3]float64{.52, 0, .25}
		}
	}
	if dim == 2 {
		x.Forces = append(x.Forces, &multibody.Twist{A: 0, B: 3, Stiffness: 2, Damping: .1, Rest: .2},
			&multibody.Twist{A: 1, B: -1, Stiffness: 1, Damping: .2})
	}
	o.Settle = true
	return start(t, w, x, o)
}

// TestWorkshops: workshops, mechanisms, rows of balls and blows by each scheme, grid, cone and law
// of impact: the ledger closes, contacts take energy and give none, collisions do not gain, gaps
// and joints are closed at the end of each step, and from a slot the run goes on to the same bits.
func TestWorkshops(t *testing.T) {
	const h, steps = .004, 24
	for name, o := range map[string]rigid.Options{
		"plain": {}, "half": {Alpha: .5}, "gavrea": {Alpha: .5, Scheme: rigid.Gavrea},
		"facets": {Alpha: .75, Scheme: rigid.Gavrea, Friction: rigid.Polyhedron}, "gaps": {Grid: rigid.GapGrid},
		"fixed":  {Grid: rigid.FixedGrid, Scheme: rigid.Gavrea},
		"moreau": {Impact: rigid.MoreauImpact}, "poisson": {Impact: rigid.PoissonImpact, Alpha: .5},
		"sequential": {Impact: rigid.SequentialImpact}, "drifting": {Scheme: rigid.Gavrea, Unstabilised: true},
		"definite": {Alpha: .5, Jacobians: multibody.DefiniteJacobians}, "explicit": {Alpha: .75, Jacobians: multibody.NoJacobians},
	} {
		for dim := 2; dim <= 3; dim++ {
			restitution := .5
			if o.Grid == rigid.GapGrid {
				restitution = 0
			}
			list := []*rigid.Stepper{workshop(t, 0, dim, false, restitution, o), workshop(t, 1, dim, o.Grid != rigid.FixedGrid, 0, o)}
			if o.Grid == rigid.CollisionGrid {
				for _, kind := range multibody.Kinds(dim) {
					list = append(list, tumblers(t, dim, kind, o))
				}
			}
			if dim == 2 {
				list = append(list, ballRow(t, 0, .7*restitution, o), ballRow(t, .01, .7*restitution, o))
			}
			for k, s := range list {
				honest(t, fmt.Sprintf("%s in %d dimensions, scene %d", name, dim, k), s, o, h, steps)
			}
		}
	}
}

// honest runs a scene and checks what holds of each.
func honest(t *testing.T, name string, s *rigid.Stepper, o rigid.Options, h float64, steps int) {
	t.Helper()
	var q, v []float64
	size := 1.0
	for k := range steps {
		if k == steps/2 {
			s.Keep(1)
		}
		before := s.Energy()
		run(t, s, h, 1)
		x, now := s.Last(), s.Energy()
		size = max(size, now.Kinetic, math.Abs(now.Potential))
		for i := range x.Collisions {
			if c := &x.Collisions[i]; c.Gain() > 0 || c.Impulse[0] < 0 || c.Speed < 0 || c.T < x.T-h-1e-12 || c.T > x.T+1e-12 {
				t.Errorf("%s, t = %g: collision %+v", name, x.T, *c)
			}
		}
		const rounding = 1e-9 // the merit of the problems, of joules
		if d := now.Friction - before.Friction; d < -rounding*size {
			t.Errorf("%s, t = %g: friction gives %g J", name, x.T, -d)
		}
		if !o.Unstabilised && (x.Penetration > 1e-10 || x.Drift > 1e-9) {
			t.Errorf("%s, t = %g: gaps open to −%g m, joints to %g", name, x.T, x.Penetration, x.Drift)
		}
		if x.Residual > 1e-8 {
			t.Errorf("%s, t = %g: residual %g", name, x.T, x.Residual)
		}
	}
	_, a, b, _ := s.State()
	q, v = slices.Clone(a), slices.Clone(b)
	e := s.Energy()
	if !(math.Abs(e.Residual) <= 1e-12*float64(steps)*size) {
		t.Errorf("%s: %g J are in no part of the ledger", name, e.Residual)
	}
	if err := s.Return(1); err != nil {
		t.Fatal(err)
	}
	run(t, s, h, steps-steps/2)
	if _, p, u, _ := s.State(); !slices.Equal(p, q) || !slices.Equal(u, v) {
		t.Errorf("%s: other bits from the slot", name)
	}
}

// TestSpoiledSteps: steps of a workshop are those of the scheme, as their files tell, and not those
// one number of which is changed: an impulse, a velocity, a coordinate, or an impulse of no touch.
func TestSpoiledSteps(t *testing.T) {
	const h = .004
	seen := [5]int{}
	for name, o := range map[string]rigid.Options{"plain": {}, "half": {Alpha: .5},
		"gavrea": {Alpha: .75, Scheme: rigid.Gavrea}, "gaps": {Grid: rigid.GapGrid}} {
		for dim := 2; dim <= 3; dim++ {
			s, other := workshop(t, 1, dim, true, 0, o), workshop(t, 1, dim, true, 0, o)
			for k := range 24 {
				t0, q0, v0, _ := s.State()
				q0, v0 = slices.Clone(q0), slices.Clone(v0)
				run(t, s, h, 1)
				x := s.Last()
				if len(x.Collisions)+len(x.Cuts) > 0 {
					continue
				}
				for spoil := range seen {
					q, v, impulses := slices.Clone(x.Q), slices.Clone(x.V), slices.Clone(x.Impulses)
					switch spoil {
					case 1:
						if len(impulses) == 0 {
							continue
						}
						impulses[0].On[0] += .01
					case 2:
						v[len(v)-1] += .01
					case 3:
						q[0] += 1e-3
					case 4:
						impulses = append(impulses, rigid.Impulse{Key: 12345, On: [3]float64{1}})
					}
					if err := rigid.NewReplay(other).Jump(t0, q0, v0); err != nil {
						t.Fatal(err)
					}
					f, err := rigid.NewReplay(other).Replay(context.Background(), h, x.T, x.Mode, q, v, impulses)
					if seen[spoil]++; err != nil {
						if spoil == 0 {
							t.Errorf("%s in %d dimensions, step %d: %v", name, dim, k, err)
						}
						continue // a place that no step leads to
					}
					bad := f.Motion > 1e-9*f.Speed || f.Law > 1e-6 || f.Cone > 1e-8 || f.Path > 1e-9 ||
						f.Joint > 1e-9*f.Speed || f.IsStrange
					if bad != (spoil > 0) || f.IsStrange != (spoil == 4) {
						t.Errorf("%s in %d dimensions, step %d, spoilt by %d: %+v", name, dim, k, spoil, *f)
					}
				}
			}
		}
	}
	if slices.Min(seen[:]) < 30 {
		t.Errorf("%v steps: the test looks at nothing", seen)
	}
}

// TestLimitsOfOptions: what may be asked ends where it says so.
func TestLimitsOfOptions(t *testing.T) {
	type o = rigid.Options
	for _, c := range []struct {
		o  o
		ok bool
	}{
		{o{}, true}, {o{Alpha: 1}, true}, {o{Alpha: 1.01}, false}, {o{Alpha: -.1}, false},
		{o{Alpha: math.NaN()}, false}, {o{Gamma: 1}, true}, {o{Gamma: 1.01}, false}, {o{Gamma: -.1}, false},
		{o{Scheme: rigid.Gavrea}, true}, {o{Scheme: 2}, false}, {o{Scheme: -1}, false},
		{o{ExplicitGamma: true}, false}, {o{ExplicitGamma: true, Gamma: 1}, true},
		{o{ExplicitGamma: true, Gamma: .5, Alpha: .5}, true}, {o{ExplicitGamma: true, Gamma: .6, Alpha: .5}, false},
		{o{ExplicitGamma: true, Scheme: rigid.Gavrea, Gamma: .6, Alpha: .5}, true},
		{o{Facets: 4}, true}, {o{Facets: 2}, false}, {o{Facets: 3}, false}, {o{Facets: 5}, false},
		{o{Facets: 1024}, true}, {o{Facets: 1026}, false}, {o{Grid: rigid.GapGrid}, true},
		{o{Grid: rigid.GapGrid, Alpha: 1}, true}, {o{Grid: rigid.GapGrid, Alpha: .5}, false}, {o{Grid: rigid.FixedGrid, Alpha: .5}, true},
		{o{Tolerance: 1e-3}, true}, {o{Tolerance: 1.01e-3}, false}, {o{Tolerance: -1e-9}, false},
		{o{Accept: 1e-2}, true}, {o{Accept: 1.01e-2}, false}, {o{Accept: -1e-9}, false},
		{o{RestitutionSpeed: -1e-9}, false}, {o{RestitutionSpeed: 1}, true}, {o{Impact: -1}, false},
		{o{Impact: rigid.SequentialImpact}, true}, {o{Impact: rigid.SequentialImpact + 1}, false},
		{o{MaxCuts: 30}, true}, {o{MaxCuts: 31}, false}, {o{MaxCuts: -1}, false}, {o{Memory: -1}, false},
		{o{Memory: 1}, true}, {o{MaxCollisions: -1}, false}, {o{MaxCollisions: 1}, true}, {o{Margin: -1e-9}, false},
		{o{Margin: 1e12}, false}, {o{Margin: 1}, true},
	} {
		if err := c.o.Validate(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}
