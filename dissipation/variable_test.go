package dissipation_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/particles"
)

// hinge is a user's energy with a variable of its own, a plastic angle p about an angle
// that is prescribed: ½k(a(t) − p)², with the yield moment 1.5.
type hinge struct {
	k     float64
	angle particles.Signal
	first int
}

func (h *hinge) Variables() []dissipation.Variable {
	frame, _ := particles.VariableFrame([3]float64{}, [3]float64{1, 0, 0})
	return []dissipation.Variable{{Frame: frame, Yield: 1.5, Idle: h.k}}
}

func (h *hinge) Number(first int) { h.first = first }

func (h *hinge) Pattern(p *particles.Pattern) { p.Add(3*h.first, 3*h.first) }

func (h *hinge) Value(t float64, x []float64) (e, rate float64) {
	d := h.angle.At(t) - x[3*h.first]
	return h.k * d * d / 2, h.k * d * h.angle.Rate(t)
}

func (h *hinge) Gradient(grad, rate []float64, t float64, x []float64) {
	if grad != nil {
		grad[3*h.first] -= h.k * (h.angle.At(t) - x[3*h.first])
	}
	if rate != nil {
		rate[3*h.first] -= h.k * h.angle.Rate(t)
	}
}

func (h *hinge) Hessian(m *particles.Hessian, _ float64, _ []float64) {
	m.Add(3*h.first, 3*h.first, h.k)
}

func (h *hinge) ConstantHessian() bool { return true }

// TestVariablesAreNumbered: variables follow the particles in the order of their energies,
// whatever stands between these.
func TestVariablesAreNumbered(t *testing.T) {
	angle := particles.At(0, 0, 0)[0]
	hinges := []*hinge{{k: 1, angle: angle}, {k: 2, angle: angle}, {k: 3, angle: angle}}
	frames := []particles.Frame{particles.Floor(), particles.NoObstacle()}
	friction := []dissipation.Matrix{dissipation.Isotropic{Mu: 0.5}, dissipation.Isotropic{Mu: 0.5}}
	load, err := particles.NewLoads(particles.Load{Particle: 0, Force: particles.At(0, 0, -1)})
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.WithVariables(frames, friction, hinges[0], load, hinges[1], hinges[2])
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range hinges {
		if h.first != 2+i {
			t.Errorf("variable %d is particle %d, want %d", i, h.first, 2+i)
		}
	}
	if n := psi.System.N(); n != 5 {
		t.Errorf("%d particles, want 2 and 3 variables", n)
	}
}

// A Prandtl element written by a user: E = ½k(a − p)², Ψ = 1.5|ṗ|. At the amplitude A = 2 the
// loop has the area 4·1.5·(A − 1.5/k).
func ExampleWithVariables() {
	angle, _ := particles.PiecewiseLinear([]float64{0, 1, 3, 5}, [][3]float64{{0}, {2}, {-2}, {2}})
	psi, _ := dissipation.WithVariables(nil, nil, &hinge{k: 3, angle: angle[0]})
	ctx := context.Background()
	e, err := energetic.Start(ctx, psi, make([]float64, 3), energetic.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var first float64
	for k := 1; k <= 500; k++ {
		if err := e.Step(ctx, float64(k)/100); err != nil {
			fmt.Println(err)
			return
		}
		if k == 100 {
			first = e.Node().Dissipation
		}
	}
	s := e.Summary()
	fmt.Printf("loop %.6f J, certified %v\n", e.Node().Dissipation-first, s.Certified)
	// Output: loop 9.000000 J, certified true
}
