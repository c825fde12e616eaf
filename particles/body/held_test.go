package body_test

import (
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/signal"
)

// TestHeldByContacts: a large body that nothing but the floor and friction holds, pressed by 0.25 N and pulled by
// up to 0.06 of the 0.075 N that friction bears, is solved on its contacts alone, in one or two solves a step; the floor
// bears the loads; and a run that is resumed has the same bits.
func TestHeldByContacts(t *testing.T) {
	mesh, err := fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 0.25}, Cells: []int{48, 20}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	force := signal.Vector{table(t, []float64{0, 1, 3}, []float64{0, 0, 0.06}),
		table(t, []float64{0, 1}, []float64{0, -0.25})}
	b, err := body.New(body.Options{Mesh: mesh, Material: rubber, Held: true,
		Tractions: []body.Traction{{Group: mesh.Groups["top"], Force: force}}})
	if err != nil {
		t.Fatal(err)
	}
	psi, z := system(t, b)
	stepper := func() *incremental.Stepper {
		s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: incremental.Implicit})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := stepper()
	var before incremental.Checkpoint
	for _, time := range []float64{1, 2, 2.5, 3} {
		s.Save(&before)
		if err := s.Step(t.Context(), time); err != nil {
			t.Fatal(err)
		}
		if n := s.Stats().Solves; n > 4 {
			t.Errorf("t = %g: %d solves", time, n)
		}
		var sum [3]float64
		for _, i := range mesh.Groups["bottom"].Nodes() {
			for c := range 3 {
				sum[c] += s.Gradient()[3*i+c]
			}
		}
		pull, press := force[0].At(time), force[1].At(time)
		if math.Abs(sum[0]+pull) > 1e-11 || math.Abs(sum[2]+press) > 1e-11 {
			t.Errorf("t = %g: the floor bears %v, loads are %g and %g", time, sum, pull, press)
		}
	}
	if n := incremental.Count(s.States()); n[incremental.Slip] == 0 || n[incremental.Stick] == 0 {
		t.Errorf("%v, want some that slip and some that stick", n)
	}
	again := stepper()
	if err := again.Load(&before); err != nil {
		t.Fatal(err)
	}
	if err := again.Step(t.Context(), 3); err != nil || !slices.Equal(again.State(), s.State()) {
		t.Errorf("other bits after a checkpoint: %v", err)
	}
}
