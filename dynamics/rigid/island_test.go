package rigid_test

import (
	"context"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// TestTwins: islands that are the same to the last bit are solved once, to the bits and in the
// iterations of one of them alone.
func TestTwins(t *testing.T) {
	one, three := rows(t, []float64{0}), rows(t, []float64{0, 4, -8})
	most := 0
	for k := range 60 {
		for _, s := range []*rigid.Stepper{one, three} {
			if err := s.Step(context.Background(), 5e-3); err != nil {
				t.Fatal(err)
			}
		}
		a, b := one.Last(), three.Last()
		if a.Iterations != b.Iterations {
			t.Fatalf("step %d: %d iterations, alone %d", k, b.Iterations, a.Iterations)
		}
		most = max(most, a.Iterations)
		_, q, v, _ := one.State()
		_, p, u, _ := three.State()
		for c := range 3 {
			for i := range q {
				if want := p[c*len(q)+i]; q[i] != want && i%7 != 1 {
					t.Fatalf("step %d, row %d: coordinate %d is %v, alone %v", k, c, i, want, q[i])
				}
			}
			for i := range v {
				if want := u[c*len(v)+i]; v[i] != want {
					t.Fatalf("step %d, row %d: velocity %d is %v, alone %v", k, c, i, want, v[i])
				}
			}
		}
	}
	if most == 0 {
		t.Error("nothing was to be solved")
	}
}
