package contact

import (
	"context"
	"slices"
	"testing"
)

// TestBorrowedWorkspace: without a workspace of the caller's a solve starts from zero, to the bits
// of a new one, whatever was solved in the borrowed memory before.
func TestBorrowedWorkspace(t *testing.T) {
	plane := &Local{W: &Dense{D: 2, N: 2, Val: []float64{2, 0.5, 0.5, 1}}, Q: []float64{-1, 3}, Laws: []Law{Coulomb{Mu: 0.3}}}
	turned := &Local{W: plane.W, Q: []float64{-1, -3}, Laws: plane.Laws}
	all := []*Local{plane, spherePile(cannonballs(2), 1e-9, 0.3, nil), turned, spherePile(cannonballs(3), 1e-9, 0.8, nil), plane}
	for range 3 {
		for k, p := range all {
			var own, borrowed Result
			if err := SolveLocal(context.Background(), p, nil, new(LocalWorkspace), &own); err != nil {
				t.Fatal(err)
			}
			if err := SolveLocal(context.Background(), p, nil, nil, &borrowed); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(own.R, borrowed.R) || own.Iterations != borrowed.Iterations {
				t.Errorf("problem %d: %v in a new workspace, %v in a borrowed one", k, own.R, borrowed.R)
			}
		}
	}
}
