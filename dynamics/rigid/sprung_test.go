package rigid_test

import (
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// sprungRow are rods 1 m long, hinged to each other in a row that begins at a hinge on the ground
// or lies on a floor. A ball of 1 kg falls on the second one, which a spring of rest length 1 m and
// stiffness k pulls up at from 2 m above; 0: there is none.
func sprungRow(t testing.TB, masses []float64, ground bool, k float64, o rigid.Options) *rigid.Stepper {
	w := world(t, 2, [3]float64{0, -9.81})
	if !ground {
		must[int](t)(w.AddHalfSpace([3]float64{0, -.05}, [3]float64{0, 1}))
	}
	var joints []multibody.Joint
	for i, m := range masses {
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: .9, R: .05}, Mass: m, Position: [3]float64{float64(i) + .5}}))
		if i > 0 {
			joints = append(joints, multibody.Joint{Kind: multibody.Revolute, A: i - 1, B: i, At: [3]float64{float64(i)}})
		} else if ground {
			joints = append(joints, multibody.Joint{Kind: multibody.Revolute, A: 0, B: -1})
		}
	}
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: [3]float64{1.6, .3}, Velocity: [3]float64{0, -2}}))
	var forces []multibody.Force
	if k > 0 {
		forces = append(forces, &multibody.Spring{A: 1, AtA: [3]float64{.2}, B: -1, AtB: [3]float64{1.5, 2}, Stiffness: k, RestLength: 1})
	}
	return start(t, w, multibody.Setup{Joints: joints, Forces: forces, Material: multibody.Material{Mu: .3}}, o)
}

// TestSprungRow: a rod of 1 g between rods of 1,000 t and 10 t. Springs make one matrix of all; its
// inverse gave the light rod 10⁹ times what its joints leave of that, and the forces of the joints,
// 1e5 N, turn more than its moment of inertia: half of these rows were not solved. A spring of 1e-6
// N/m does nothing: the row ends as without it, which the tree of the mechanism solves. Springs of
// 1 and 100 N/m, for 10⁵ N of weight, end as taken explicitly.
func TestSprungRow(t *testing.T) {
	for _, masses := range [][]float64{{1e6, 1e-3, 1e4}, {1e4, 1e-3, 1e6}, {1e-3, 1e6, 1e-3, 1e4}} {
		for _, ground := range []bool{false, true} {
			for _, alpha := range []float64{1, .5} {
				for _, k := range []float64{1e-6, 1, 100} {
					t.Run(fmt.Sprint(masses, ground, alpha, k), func(t *testing.T) {
						s, twin := sprungRow(t, masses, ground, k, rigid.Options{Alpha: alpha}),
							sprungRow(t, masses, ground, 0, rigid.Options{Alpha: alpha})
						if k > 1e-6 {
							twin = sprungRow(t, masses, ground, k, rigid.Options{Alpha: alpha, Jacobians: multibody.NoJacobians})
						}
						run(t, s, .01, 40)
						run(t, twin, .01, 40)
						_, q, _, _ := s.State()
						_, want, _, _ := twin.State()
						worst := 0.0
						for i := range q {
							worst = max(worst, q[i]-want[i], want[i]-q[i])
						}
						tol := 1e-11 // of 1 m: rounding, 1e9 times as large where the light rod is concerned
						if ground {  // what explicit springs are off by, h²k/m of the whole row: 2e-7 of 1 N/m
							tol = max(tol, 2e-7*k)
						}
						if alpha == 1 && ground && k == 100 && len(masses) == 3 { // the first step is cut, k̃_q pushing 1 g by 100 N
							tol = 1e-3
						}
						if worst > tol {
							t.Errorf("the row is off by %g m", worst)
						}
						near(t, "in no part of the ledger", s.Energy().Residual, 0, 1e-14*2e5) // rounding of what falls
					})
				}
			}
		}
	}
}
