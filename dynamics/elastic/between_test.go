package elastic_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
)

// TestBetweenLimits: central differences run where they are not proven stable, nor unstable; then
// they say so, and the growth of their energy is judged too. Beyond 2/ω they are refused with ω.
func TestBetweenLimits(t *testing.T) {
	job := jobs(t)["central"]
	first := begin(t, job.m, job.o)
	c := first.Certificate()
	if !(c.StableStep < c.UnstableStep) || len(first.Accurate(1e-2)) != len(first.Solved()) &&
		strings.Contains(fmt.Sprint(c.Warnings), "lies between") {
		t.Fatalf("%+v", c)
	}
	named := func(s *elastic.Stepper) int {
		for i, m := range s.Accurate(1e-2) {
			if m.Name == "energy of the state, of what moves" {
				return i
			}
		}
		return -1
	}
	for _, part := range []float64{0.999, 1.001} {
		o := job.o
		o.Step = part * c.StableStep
		s := begin(t, job.m, o)
		for range 10 {
			if err := s.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		at, warned := named(s), strings.Contains(fmt.Sprint(s.Certificate().Warnings), "lies between")
		if beyond := part > 1; (at >= 0) != beyond || warned != beyond {
			t.Errorf("%g of the stable step: measure %d, warnings %v", part, at, s.Certificate().Warnings)
		}
		if at < 0 {
			continue
		}
		// Beyond it by a thousandth nothing grows: what is stored and moves is once what moves, not
		// four times.
		m := s.Accurate(1e-2)[at]
		if !m.Passed() || !(m.Value > 0.2 && m.Value < 1.5) || m.Limit != 4 || m.Remedy != "" {
			t.Errorf("%+v", m)
		}
	}
	o := job.o
	o.Step = 1.001 * c.UnstableStep
	_, err := elastic.New(context.Background(), job.m, o)
	if want := fmt.Sprintf("is at least %.6g rad/s, want Δt <= 2/ω = %.6g s", 2/c.UnstableStep,
		c.UnstableStep); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// TestHeldMesh: where all nodes are prescribed every step is stable.
func TestHeldMesh(t *testing.T) {
	m := s3(t, 3, 2)
	m.Mass, m.Contacts, m.Friction = fem.Lumped, nil, nil
	var all []int
	for i := range m.Mesh.NumNodes() {
		all = append(all, i)
	}
	m.Prescribed = []elastic.Prescribed{{Nodes: all, Axis: 0, Motion: signal.Constant(0)},
		{Nodes: all, Axis: 1, Motion: signal.Constant(0)}}
	m.V0 = nil
	s, err := elastic.New(context.Background(), m, elastic.Options{Step: 1, Scheme: elastic.CentralDifference})
	if err != nil {
		t.Fatal(err)
	}
	if c := s.Certificate(); !math.IsInf(c.StableStep, 1) || !math.IsInf(c.UnstableStep, 1) {
		t.Errorf("%+v", c)
	}
}
