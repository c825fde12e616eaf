package contact_test

import (
	"context"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/families"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// jointedChain is a chain of sixty contacts whose joints have been eliminated.
func jointedChain(t *testing.T) *contact.Local {
	t.Helper()
	f, err := families.Find("chains")
	if err != nil {
		t.Fatal(err)
	}
	p, err := families.Local(f.Problem(60, families.Parameters{Seed: 5}))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// passesAlone fails the test unless r solves p on the word of the merit alone, which is
// computed from W, q and the laws.
func passesAlone(t *testing.T, what string, p *contact.Local, r []float64) {
	t.Helper()
	if m, worst := p.Merit(make([]float64, len(p.Q)), nil, r); !(m <= 1e-8) {
		t.Errorf("%s: merit %.2g at contact %d, want at most 1e-8", what, m, worst)
	}
}

// TestJointsAreFreed solves a chain given by its full W: by the free bodies, and by W alone
// where nothing else is known, with the same motion, which is unique for a unique
// reaction of each free contact.
func TestJointsAreFreed(t *testing.T) {
	p := jointedChain(t)
	var ws contact.LocalWorkspace
	var res contact.Result
	if err := contact.SolveLocal(context.Background(), p, nil, &ws, &res); err != nil {
		t.Fatal(err)
	}
	passesAlone(t, "chain", p, res.R)
	if err := contact.SolveLocal(context.Background(), p, nil, &ws, &res); err != nil || res.Iterations != 0 {
		t.Errorf("solved again: %v after %d iterations, want none", err, res.Iterations)
	}
	alone := &contact.Local{W: p.W, Q: p.Q, Laws: p.Laws}
	var other contact.Result
	if err := contact.SolveLocal(context.Background(), alone, nil, nil, &other); err != nil {
		t.Fatal(err)
	}
	passesAlone(t, "the same by W alone", p, other.R)
}

// TestFreedFollows changes what a caller may change in place: Q and Laws, which the
// free bodies follow, and W, which they do not, so that the solve has to notice.
func TestFreedFollows(t *testing.T) {
	p := jointedChain(t)
	for i := range p.Q {
		p.Q[i] *= 1 + 0.1*float64(i%7)
	}
	for j := range p.Laws {
		p.Laws[j] = contact.Coulomb{Mu: 0.2 + 0.05*float64(j%5)}
	}
	var ws contact.LocalWorkspace
	var res contact.Result
	if err := contact.SolveLocal(context.Background(), p, nil, &ws, &res); err != nil {
		t.Fatal("Q and Laws changed:", err)
	}
	passesAlone(t, "Q and Laws changed", p, res.R)
	w := p.W.(*contact.Blocks)
	for j := range w.Contacts() {
		for k := w.Ptr[j]; k < w.Ptr[j+1]; k++ {
			if w.Col[k] == j {
				w.Val[9*k] *= 1.5
			}
		}
	}
	ws.Forget()
	if err := contact.SolveLocal(context.Background(), p, nil, &ws, &res); err != nil {
		t.Fatal("W changed:", err)
	}
	passesAlone(t, "W changed", p, res.R)
}

// TestRopesAreSolved: ropes of hundreds of jointed links over a peg, at rest and about to slip,
// whose joints have a condition of the fourth power of their number. A direction of the
// interior-point method was lost at its first step, and what other methods left passed on the free
// bodies and not on the rope.
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
		if res.Factors > 200 { // 40 to 60; with the methods after the interior-point method some thousands
			t.Errorf("seed %d: %d factorisations, %v", 100+seed, res.Factors, res.Stages)
		}
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
		if err := contact.SolveLocal(context.Background(), p, &contact.Options{Method: contact.MethodPath, MaxIterations: 400}, nil, &res); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		passesAlone(t, name, p, res.R)
	}
}

// TestRopeAsAWhole: a rope of six hundred links, whose reactions pass on the free bodies and not on
// the rope. The whole is solved by the factors of the free bodies then: by those of its full W it
// took ten times as long.
func TestRopeAsAWhole(t *testing.T) {
	thorough.Only(t, "a second and a half")
	f, err := families.Find("ropes")
	if err != nil {
		t.Fatal(err)
	}
	p, err := families.Local(f.Problem(600, families.Parameters{Seed: 9101}))
	if err != nil {
		t.Fatal(err)
	}
	var res contact.Result
	if err := contact.SolveLocal(context.Background(), p, nil, nil, &res); err != nil {
		t.Fatal(err)
	}
	passesAlone(t, "rope", p, res.R)
	if res.Solver != "newton" || res.Iterations > 1000 {
		t.Errorf("%d iterations, ended by %s: %v", res.Iterations, res.Solver, res.Stages)
	}
}
