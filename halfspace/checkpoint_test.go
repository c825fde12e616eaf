package halfspace

import (
	"context"
	"math"
	"reflect"
	"testing"
)

// history is an evolution as a function of the step.
type history struct {
	name     string
	operator func(t *testing.T) *Operator
	problem  Problem
	steps    int
	steady   func(k int) Creep // nil: drive
	drive    func(k int) Drive
}

func (h *history) advance(e *Evolution, k int) error {
	if h.steady != nil {
		return e.Steady(context.Background(), h.steady(k))
	}
	return e.Step(context.Background(), h.drive(k))
}

// histories exercise all that a step takes from the ones before: tractions, bounds and
// displacements, prescribed and found, boxes that grow and shrink so that the spectra of
// several sizes are kept, the friction history, at rest and rolling, coupled tractions,
// anisotropic friction and a gap that is replaced.
func histories(t *testing.T) []history {
	rigid, err := ElasticOnRigid(Elastic{Young: 1, Poisson: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	similar := pair(t, Elastic{Young: 2}, Elastic{Young: 2})
	coupled := pair(t, Elastic{Young: 1, Poisson: 0.1}, Elastic{Young: 4, Poisson: 0.3})
	patches := func(g Grid, c Compliance) func(*testing.T) *Operator {
		return func(t *testing.T) *Operator { return newTestOperator(t, g, Patches{c}) }
	}
	spheres := Centred(21, 21, 0.24/21, 0.24/21)
	friction := Problem{Gap: sphere(spheres, 0.5), Coefficient: constant(spheres.Len(), 0.3)}
	anisotropic := friction
	anisotropic.Ratio = 0.5

	roller := Grid{NX: 55, NY: 1, DX: 0.04, DY: 200, X0: -1.05}
	rolling := Problem{Gap: roller.Sample(Quadratic([6]float64{0.001})), Coefficient: constant(roller.Len(), 0.3)}
	steel := Elastic{Young: 2 * 82000 * 1.28, Poisson: 0.28}

	window := Centred(32, 32, 1./32, 1./32)
	heights, err := Rough{Hurst: 0.8, Longest: 0.5, Shortest: 0.125, Height: 1e-3, Seed: 1}.Heights(window)
	if err != nil {
		t.Fatal(err)
	}
	loaded := func(force, x, y float64) (d Drive) {
		d.Control[MoveN], d.Control[MoveX], d.Control[MoveY] = Control{true, force}, Control{true, x}, Control{true, y}
		return d
	}
	return []history{
		{name: "steady rolling", operator: patches(roller, pair(t, steel, steel)), problem: rolling, steps: 8,
			steady: func(k int) (c Creep) {
				c.Roll = [2]float64{0.0401}
				c.Control[MoveN] = Control{true, 35780 - 4000*math.Abs(float64(k)-3)} // widens and narrows
				c.Control[MoveX].Value = -0.00003 * float64(k)
				return c
			}},
		{name: "steady rolling under a load", operator: patches(roller, pair(t, steel, steel)), problem: rolling,
			steps: 6, steady: func(k int) (c Creep) {
				c.Roll = [2]float64{0.0401}
				c.Control[MoveN], c.Control[MoveX] = Control{true, 35780}, Control{true, 1500 * float64(k)}
				return c
			}},
		{name: "rolling", operator: patches(roller, pair(t, steel, steel)), problem: rolling, steps: 10, drive: func(k int) Drive {
			d := loaded(35780, 600*float64(k), 0)
			if k > 2 {
				d.Roll[0] = 0.025 * float64(1+k%2)
			}
			return d
		}},
		{name: "rolling of a sphere on a rigid plane", operator: patches(spheres, rigid), problem: friction, steps: 6,
			drive: func(k int) Drive {
				d := Drive{Roll: [2]float64{0.006 * float64(k%2)}} // every other step is at rest
				d.Control[MoveN] = Control{true, 1e-4 * float64(k+1)}
				d.Control[MoveX].Value = 1e-4 * float64(k)
				return d
			}},
		{name: "shear of spheres", operator: patches(spheres, similar), problem: friction, steps: 10, drive: func(k int) (d Drive) {
			d.Control[MoveN].Value = -0.002 * float64(min(k, 5))
			d.Control[MoveX].Value = 0.0003 * float64(max(k-5, 0))
			return d
		}},
		{name: "anisotropic friction", operator: patches(spheres, similar), problem: anisotropic, steps: 8, drive: func(k int) Drive {
			return loaded(1.2e-3, 3e-5*float64(k), -2e-5*float64(k))
		}},
		{name: "compression of unlike spheres", operator: patches(spheres, coupled), problem: friction, steps: 8, drive: func(k int) Drive {
			return loaded(1e-6*math.Pow(float64(min(k, 10-k)), 3), 0, 0)
		}},
		{name: "rough, periodic", operator: func(t *testing.T) *Operator {
			o, err := NewPeriodic(window, pair(t, Elastic{Young: 1}, Elastic{Young: 1}))
			if err != nil {
				t.Fatal(err)
			}
			return o
		}, problem: Problem{Gap: heights}, steps: 8, drive: func(k int) Drive {
			var d Drive
			d.Control[MoveN] = Control{true, 2e-4 * float64(k)}
			return d
		}},
		{name: "gap replaced", operator: patches(spheres, similar), problem: friction, steps: 6, drive: func(k int) Drive {
			d := loaded(1e-3, 5e-5*float64(k), 0)
			if k == 2 {
				d.Gap = sphere(spheres, 0.7)
			}
			return d
		}},
	}
}

// TestResume goes on after every step with an evolution that has only what Save gave, on
// an operator of its own: the state after each step has the bits of the one that goes
// through, that of the work it took included.
func TestResume(t *testing.T) {
	for _, h := range histories(t) {
		t.Run(h.name, func(t *testing.T) {
			whole := NewEvolution(h.operator(t), h.problem, nil)
			var want, got State
			for k := range h.steps {
				resumed := NewEvolution(h.operator(t), h.problem, nil)
				if k > 0 {
					if err := resumed.Load(&want); err != nil {
						t.Fatal(err)
					}
				}
				for _, e := range []*Evolution{whole, resumed} {
					if err := h.advance(e, k); err != nil {
						t.Fatalf("step %d: %v", k, err)
					}
				}
				whole.Save(&want)
				resumed.Save(&got)
				if !reflect.DeepEqual(got, want) { // bit by bit, but for the sign of zeros
					t.Errorf("step %d: force %v, want %v", k, got.Force, want.Force)
				}
				if a, b := resumed.Result().Products, whole.Result().Products; a != b {
					t.Errorf("step %d: %d products, want %d", k, a, b)
				}
			}
		})
	}
}
