package energetic_test

import (
	"errors"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/signal"
)

// watched is t ↦ rate·t, which notes the times at which it is asked for.
type watched struct {
	rate  float64
	times map[float64]bool
}

func (w watched) At(t float64) float64   { w.times[t] = true; return w.rate * t }
func (w watched) Rate(t float64) float64 { return w.rate }

// TestLossRounds: an elastic block, 1 by ½, pressed by 10 N and pulled by t N, that two kinds of friction hold slides
// where t = Σ μ_c N_c. As the pull is linear in time, secants find that in a few steps; bisection took 46 times.
func TestLossRounds(t *testing.T) {
	mesh, err := fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 0.5}, Cells: []int{6, 3}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	pull := watched{1, map[float64]bool{}}
	b, err := body.New(body.Options{Mesh: mesh, Material: fem.Elastic{Young: 1000, Poisson: 0.3}, Held: true,
		Tractions: []body.Traction{{Group: mesh.Groups["top"], Force: signal.Vector{pull, signal.Constant(-10)}}}})
	if err != nil {
		t.Fatal(err)
	}
	floor, err := particles.NewHalfSpace([3]float64{}, [3]float64{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	bottom := mesh.Groups["bottom"].Nodes()
	frames, err := b.Obstacle(bottom, floor)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(frames, b)
	if err != nil {
		t.Fatal(err)
	}
	friction := make([]dissipation.Matrix, sys.N())
	for k, i := range bottom {
		friction[i] = dissipation.Isotropic{Mu: 0.2 + 0.1*float64(k%2)}
	}
	psi, err := dissipation.New(sys, friction)
	if err != nil {
		t.Fatal(err)
	}
	z := make([]float64, 3*sys.N())
	sys.ToLocal(z, b.Start())
	s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: incremental.Implicit})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Step(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	var lost *incremental.LossError
	if err := s.Step(t.Context(), 9); !errors.As(err, &lost) {
		t.Fatalf("step to t = 9: %v", err)
	}
	clear(pull.times)
	loss, err := energetic.LocateLoss(t.Context(), s, 9, lost, func(at float64) error { return s.Step(t.Context(), at) })
	if err != nil {
		t.Fatal(err)
	}
	held := 0.0
	for _, i := range bottom {
		held += friction[i].(dissipation.Isotropic).Mu * s.Gradient()[3*i+2]
	}
	if math.Abs(loss.Time-held) > 1e-6*held { // the last state may be that much of the step before
		t.Errorf("lost at t = %.15g, want %.15g", loss.Time, held)
	}
	if n := len(pull.times); n > 25 {
		t.Errorf("steps to %d times", n)
	}
}
