package contact_test

import (
	"context"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/families"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestTwentyThousandAtRest: piles at rest whose sweeps stand still are solved by sweeps inside the
// cones, without a factorisation.
func TestTwentyThousandAtRest(t *testing.T) {
	thorough.Only(t, "a minute")
	f, err := families.Find("spheres")
	if err != nil {
		t.Fatal(err)
	}
	for _, seed := range []uint64{0, 1, 4} {
		p, err := families.Local(f.Problem(20000, families.Parameters{Seed: seed, Mu: 0.3, Rest: true}))
		if err != nil {
			t.Fatal(err)
		}
		var res contact.Result
		if err := contact.SolveLocal(context.Background(), p, nil, nil, &res); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if res.Factors != 0 || res.Solver != "sweeps inside the cones" {
			t.Errorf("seed %d: %d factorisations, ends in %s", seed, res.Factors, res.Solver)
		}
		t.Logf("seed %d: %d contacts, %d sweeps", seed, len(p.Laws), res.Iterations)
	}
}
