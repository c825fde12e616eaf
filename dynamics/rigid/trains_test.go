package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// train is a row of n boxes at some height over a floor, coupled by joints of all kinds, the last
// one to the middle and, if it is held, the first one to the ground. Velocities, other for each
// body, are such that the joints may have to jerk it taut.
func train(t testing.TB, dim, n int, held bool, height float64, m multibody.Material, o rigid.Options) (*rigid.Stepper, *bodies.World) {
	t.Helper()
	w := world(t, dim, [3]float64{.3, -9.81})
	var joints []multibody.Joint
	kinds := [...]multibody.Kind{multibody.Revolute, multibody.Distance, multibody.Prismatic, multibody.Fixed,
		multibody.Spherical, multibody.Slider}
	for i := range n {
		b := bodies.Body{Shape: bodies.Box{Size: [3]float64{.08, .04, .06}}, Mass: 1 + .1*float64(i%3),
			Position: [3]float64{.1 * float64(i), .02 + height}}
		if dim == 2 {
			b.Shape = bodies.Rod{Length: .04, R: .02}
		}
		if height > 0 {
			b.Velocity = [3]float64{.2, -1 + .1*math.Cos(float64(3*i))}
		}
		must[int](t)(w.Add(b))
		if i == 0 {
			continue
		}
		j := multibody.Joint{Kind: kinds[i%len(kinds)], A: i, B: i - 1,
			At: [3]float64{.1*float64(i) - .05, .03 + height}, Axis: [3]float64{1}}
		if i == n-1 {
			j.B = n / 2
		}
		j.Other = [3]float64{.1*float64(j.B) + .02, .01 + height}
		joints = append(joints, j)
	}
	if held {
		joints = append(joints, multibody.Joint{Kind: multibody.Revolute, A: 0, B: -1,
			At: [3]float64{-.1, .02 + height}, Axis: [3]float64{0, 0, 1}})
	}
	for i := range joints {
		if j := &joints[i]; dim == 2 && j.Kind == multibody.Revolute {
			j.Axis = [3]float64{}
		}
	}
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
	return start(t, w, multibody.Setup{Joints: joints, Material: m}, o), w
}

// TestTrains: steps of trains on a floor, short and long, free and held, obey the equations of
// motion, their joints and the laws of their contacts, as their files alone show.
func TestTrains(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		for _, n := range []int{4, 30 - 8*(dim-2)} {
			for _, held := range []bool{false, true} {
				for _, mu := range []float64{0, .4} {
					t.Run(fmt.Sprint(dim, n, held, mu), func(t *testing.T) {
						o := rigid.Options{Alpha: .5}
						s, _ := train(t, dim, n, held, 0, multibody.Material{Mu: mu}, o)
						other, _ := train(t, dim, n, held, 0, multibody.Material{Mu: mu}, o)
						if replays(t, s, other, 1e-3, 4) < 3 {
							t.Error("no steps with contacts")
						}
						if d := s.Last().Drift; !(d <= 1e-10) {
							t.Errorf("joints drift by %g", d)
						}
					})
				}
			}
		}
	}
}

// TestTrainsStrike: by each law of impact trains that fall on a floor lose energy, or keep it, and
// their momentum changes by the impulses of the floor, which push up, and the weight.
func TestTrainsStrike(t *testing.T) {
	for law := rigid.NewtonImpact; law <= rigid.SequentialImpact; law++ {
		for dim := 2; dim <= 3; dim++ {
			for _, n := range []int{4, 14 - 6*(dim-2)} {
				const h, g = 1e-3, 9.81
				name := fmt.Sprintf("law %d, %d dimensions, %d bodies", law, dim, n)
				s, w := train(t, dim, n, false, 5e-4, multibody.Material{Mu: .4, Restitution: .5}, rigid.Options{Alpha: .5, Impact: law})
				mass, hits := 0.0, 0
				for i := range n {
					m, _ := w.Inertia(i)
					mass += m
				}
				for range 3 {
					_, q, v, _ := s.State()
					before, _ := momenta(w, q, v)
					run(t, s, h, 1)
					for i := range s.Last().Collisions {
						if x := &s.Last().Collisions[i]; x.Gain() > 0 || x.Impulse[0] < 0 {
							t.Errorf("%s: gains %g of %g J, by %g N s", name, x.Gain(), x.Before, x.Impulse[0])
						}
						hits++
					}
					_, q, v, _ = s.State()
					after, _ := momenta(w, q, v)
					push, pull := after[1]-before[1]+mass*g*h, after[0]-before[0]-.3*mass*h
					if !(push >= -1e-11) || !(math.Abs(pull) <= .4*push+1e-9) { // rounding of n N s, and the merit of the problems
						t.Errorf("%s: the floor gives %g N s up and %g along", name, push, pull)
					}
				}
				if hits == 0 {
					t.Errorf("%s: no collision", name)
				}
			}
		}
	}
}

// TestJointsCarry: in a step of the secant scheme the impulses of the joints and the weight are
// what changes momentum and spins of each body: Mδv = Gᵀc + weight, N(w) = moments.
func TestJointsCarry(t *testing.T) {
	w := world(t, 3, [3]float64{0, 0, -9.81})
	x := multibody.Setup{}
	for i := range 3 {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.2, .1, .05 + .01*float64(i)}},
			Mass: 1 + float64(i), Position: [3]float64{.3 * float64(i+1), .02 * float64(i), .1},
			Spin: [3]float64{0, 2, 1}, Velocity: [3]float64{0, .3, -.2}}))
		x.Joints = append(x.Joints, multibody.Joint{Kind: multibody.Spherical, A: i, B: i - 1,
			At: [3]float64{.3*float64(i) + .15, .01, .1}})
	}
	m := must[*multibody.Model](t)(multibody.NewModel(w, x))
	for _, alpha := range []float64{.5, .75} {
		s := must[*rigid.Stepper](t)(rigid.NewStepper(m, rigid.Options{Alpha: alpha, Uncut: true}))
		const h = 4e-3
		run(t, s, h, 3)
		_, _, v, _ := s.State()
		before := append([]float64(nil), v...)
		run(t, s, h, 1)
		var c rigid.Checkpoint
		s.Save(&c)
		for b := range m.Bodies {
			p := &m.Bodies[b]
			mean := append([]float64(nil), before...)
			for k := range p.N {
				mean[p.V+k] += alpha * (c.V[p.V+k] - before[p.V+k])
			}
			moments := p.SpinBalance(p.SpinOf(before), p.SpinOf(mean), h, alpha)
			for k, weight := range [3]float64{2: -9.81 * p.Mass * h} {
				// 1e-13 of the velocities is what rounds leave, and the tangent's digits.
				near(t, "momentum", c.Joint[p.V+k]+weight, p.Mass*(c.V[p.V+k]-before[p.V+k]), 1e-11)
				near(t, "moment", c.Joint[p.V+3+k], moments[k], 1e-11)
			}
		}
	}
}
