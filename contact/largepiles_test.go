package contact_test

import (
	"context"
	"runtime"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/families"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// pile is a deposit of spheres.
func pile(t *testing.T, size int, p families.Parameters) *contact.Local {
	f, err := families.Find("spheres")
	if err != nil {
		t.Fatal(err)
	}
	l, err := families.Local(f.Problem(size, p))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLargePiles solves piles of thousands of contacts, to the same bits with one worker and with
// two. Of tens of thousands, at rest, sweeps nearly stand still and end from the middle of the cones
// (long form).
func TestLargePiles(t *testing.T) {
	thorough.Seconds(t)
	cases := []struct {
		size int
		p    families.Parameters
	}{{1500, families.Parameters{Seed: 3, Mu: 0.3, Rest: true}}} // sweeps, interior points
	if thorough.Asked() {
		path, moving, big, bigger := cases[0], cases[0], cases[0], cases[0]
		path.size, path.p.Seed = 2000, 1 // Newton's method and the central path, too
		moving.size, moving.p = 2000, families.Parameters{Seed: 2}
		big.size, big.p = 6000, families.Parameters{Seed: 1}
		cases = append(cases, path, moving, big)
		for seed := range uint64(4) {
			bigger.size, bigger.p = 20000, families.Parameters{Seed: seed, Mu: 0.3, Rest: true}
			cases = append(cases, bigger)
		}
	}
	for _, c := range cases {
		p := pile(t, c.size, c.p)
		var last []float64
		for _, workers := range []int{1, 2} {
			before := runtime.GOMAXPROCS(workers)
			var res contact.Result
			err := contact.SolveLocal(context.Background(), p, nil, nil, &res)
			runtime.GOMAXPROCS(before)
			if err != nil {
				t.Errorf("%d contacts, %d workers: %v after %d iterations, %d factorisations, %v", len(p.Laws), workers,
					err, res.Iterations, res.Factors, res.Stages)
			}
			if last != nil && !slices.Equal(last, res.R) {
				t.Errorf("%d contacts: other bits with two workers", len(p.Laws))
			}
			last = res.R
		}
	}
}
