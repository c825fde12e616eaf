package problemfile

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/lcp"
)

// Four contacts with W = I, μ = 1/2: open, stick, slip and a grazing one.
func TestSolveCounts(t *testing.T) {
	n := 8
	w := &contact.Dense{D: 2, N: n, Val: make([]float64, n*n)}
	for i := range n {
		w.Val[i*n+i] = 1
	}
	law := contact.Coulomb{Mu: 0.5}
	p := &Problem{Kind: LocalKind, Local: &contact.Local{W: w, Q: []float64{1, 3, -2, 0.5, -2, 5, 0, 1},
		Laws: []contact.Law{law, law, law, law}}}
	for _, solver := range p.Applicable() {
		s, err := p.Solve(context.Background(), solver, 0)
		if err != nil {
			t.Fatal(err)
		}
		if s.Counts != (Counts{Open: 2, Stick: 1, Slip: 1}) {
			t.Errorf("%s: %+v", solver, s.Counts)
		}
	}
}

func TestApplicable(t *testing.T) {
	plane, err := Read([]byte(denseLocal))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(plane.Applicable(), "lemke") {
		t.Error("Lemke's method does not apply to a plane problem")
	}
	space, err := Read([]byte("3\n1\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 1 1\n0.3\n"))
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(space.Applicable(), "lemke") {
		t.Error("Lemke's method applies to the exact cone")
	}
	if _, err := space.Solve(context.Background(), "lemke", 0); err == nil || !strings.Contains(err.Error(), "not polyhedral") {
		t.Errorf("error %v", err)
	}
	if _, err := space.Solve(context.Background(), "magic", 0); err == nil || !strings.Contains(err.Error(), "gauss-seidel") {
		t.Errorf("error %v does not name the solvers", err)
	}
}

// A failed solve comes with its iterate, its merit and its reason.
func TestSolveInfeasible(t *testing.T) {
	p := &Problem{Kind: LCPKind, LCP: &lcp.LCP{M: []float64{-1}, Q: []float64{-1}}}
	s, err := p.Solve(context.Background(), "", 0)
	var e *contact.Error
	if !errors.As(err, &e) || s == nil || s.Status != contact.Infeasible || s.Tolerance != 1e-10 || len(s.R) != 1 {
		t.Errorf("solution %+v, error %v", s, err)
	}
}
