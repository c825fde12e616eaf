package contact_test

import (
	"context"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/families"
)

// passesAlone fails the test unless r solves p on the word of the merit alone, which is
// computed from W, q and the laws.
func passesAlone(t *testing.T, what string, p *contact.Local, r []float64) {
	t.Helper()
	if m, worst := p.Merit(make([]float64, len(p.Q)), nil, r); !(m <= 1e-8) {
		t.Errorf("%s: merit %.2g at contact %d, want at most 1e-8", what, m, worst)
	}
}

// TestRopesAreSolved: ropes of hundreds of jointed links over a peg, at rest and about to slip,
// whose joints have a condition of the fourth power of their number. A direction of the
// interior-point method was lost at its first step.
func TestRopesAreSolved(t *testing.T) {
	f, err := families.Find("ropes")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(3) {
		p, err := families.Local(f.Problem(200, families.Parameters{Seed: 100 + seed}))
		if err != nil {
			t.Fatal(err)
		}
		var res contact.Result
		if err := contact.SolveLocal(context.Background(), p, nil, nil, &res); err != nil {
			t.Errorf("seed %d: %v", 100+seed, err)
			continue
		}
		passesAlone(t, "rope", p, res.R)
	}
}

// TestPathThroughBends: moving packings on whose path points that had been taken for reached were
// not: after their last correction Newton's method led nowhere from them, however short the step,
// and the path ended at κ of 1e-4.
func TestPathThroughBends(t *testing.T) {
	for name, seed := range map[string]uint64{"spheres": 2, "discs": 7} {
		f, err := families.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := families.Local(f.Problem(180, families.Parameters{Seed: seed, Mu: 0.8}))
		if err != nil {
			t.Fatal(err)
		}
		var res contact.Result
		// 400: 108 and 211 steps are taken.
		if err := contact.SolveLocal(context.Background(), p,
			&contact.Options{Method: contact.MethodPath, MaxIterations: 400}, nil, &res); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		passesAlone(t, name, p, res.R)
	}
}
