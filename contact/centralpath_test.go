package contact_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/families"
)

// TestCentralPathFolds solves problems where κ is not monotone on the central path, so that the
// interior-point method stands still, by the length of that path. Where they come from:
// the members of their families, sizes 20 to 80 and seeds 0 to 19, at which the method stops.
func TestCentralPathFolds(t *testing.T) {
	for _, c := range []struct {
		family string
		size   int
		seed   uint64
	}{
		{"chains", 20, 4}, {"chains", 20, 10}, {"chains", 20, 18},
		{"discs", 40, 16}, {"discs", 80, 12}, {"rods", 80, 4}, {"spheres", 80, 15},
	} {
		p := member(t, c.family, c.size, c.seed)
		var res contact.Result
		if err := contact.SolveLocal(t.Context(), p, &contact.Options{Method: contact.MethodInterior}, nil, &res); err == nil {
			t.Logf("%s %d %d: the interior-point method solves it by now", c.family, c.size, c.seed)
		}
		if err := contact.SolveLocal(t.Context(), p, &contact.Options{Method: contact.MethodPath}, nil, &res); err != nil {
			t.Errorf("%s %d %d: %v", c.family, c.size, c.seed, err)
		}
	}
}

// TestCentralPathInUnits: the path is one of the problem, not of its units. Powers of two change
// no rounding of the scaled problem, so that the steps are the same.
func TestCentralPathInUnits(t *testing.T) {
	p := member(t, "discs", 80, 12)
	o := &contact.Options{Method: contact.MethodPath}
	var one, other contact.Result
	if err := contact.SolveLocal(t.Context(), p, o, nil, &one); err != nil {
		t.Fatal(err)
	}
	const mass, speed = 1 << 20, 1.0 / (1 << 10)
	w := *p.W.(*contact.Blocks)
	w.Val = append([]float64(nil), w.Val...)
	for k := range w.Val {
		w.Val[k] /= mass
	}
	q := append([]float64(nil), p.Q...)
	for k := range q {
		q[k] *= speed
	}
	scaled := &contact.Local{W: &w, Q: q, Laws: p.Laws}
	// The graph of the bodies is not known here: the order of elimination, and so rounding, may
	// differ.
	if err := contact.SolveLocal(t.Context(), scaled, o, nil, &other); err != nil {
		t.Fatal(err)
	}
	for k, u := range one.U {
		// Motions agree to the tolerance of the merit times the condition of the pile, some 1e2.
		if d := math.Abs(other.U[k]/speed - u); d > 1e-5 {
			t.Fatalf("motion %d: %g in other units, %g", k, other.U[k]/speed, u)
		}
	}
}

// member is the local problem of a family.
func member(t *testing.T, name string, size int, seed uint64) *contact.Local {
	t.Helper()
	f, err := families.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := families.Local(f.Problem(size, families.Parameters{Seed: seed}))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
