package energetic

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/incremental"
)

// checkpointed is the checkpoint of a certifier after a step beside a wall that moves, whose friction is of the node before.
func checkpointed(t *testing.T, o Options) (k *Certifier, c CertifierCheckpoint) {
	t.Helper()
	psi := besideWall(1)
	k = must(NewCertifier(psi, o))
	z := make([]float64, 6)
	if err := k.Begin(t.Context(), 0, z); err != nil {
		t.Fatal(err)
	}
	k.Save(&c)
	if c.TBefore != 0 || len(c.Before) != 0 {
		t.Errorf("at the start there is no node before: %g, %v", c.TBefore, c.Before)
	}
	if err := k.Observe(t.Context(), .25, z); err != nil {
		t.Fatal(err)
	}
	if err := k.Observe(t.Context(), .5, z); err != nil {
		t.Fatal(err)
	}
	k.Save(&c)
	return k, c
}

// TestCheckpointFits: a checkpoint is loaded by a certifier of the same system, and has its node, the one before and what
// is known of all; one of other sizes is refused, size by size, with the numbers.
func TestCheckpointFits(t *testing.T) {
	o := Options{Step: incremental.Options{Threshold: incremental.Implicit}}
	k, c := checkpointed(t, o)
	if c.TBefore != .25 || len(c.Before) != 6 || len(c.Z) != 6 || c.T != .5 {
		t.Errorf("the node is at %g with %d coordinates, the one before at %g with %d", c.T, len(c.Z), c.TBefore, len(c.Before))
	}
	var again CertifierCheckpoint
	again.Z, again.Before = []float64{1, 2, 3}, []float64{4, 5}
	k.Save(&again)
	if !slices.Equal(again.Z, c.Z) || !slices.Equal(again.Before, c.Before) {
		t.Errorf("what a checkpoint had stays in it: %v, %v", again.Z, again.Before)
	}
	r := must(NewCertifier(besideWall(1), o))
	if err := r.Load(&c); err != nil {
		t.Fatal(err)
	}
	if r.tPrev != .25 || r.node.T != .5 || r.node.K != k.node.K || !slices.Equal(r.node.Grad, k.node.Grad) {
		t.Errorf("loaded: node %d at %g after %g", r.node.K, r.node.T, r.tPrev)
	}
	for what, change := range map[string]func(c *CertifierCheckpoint){
		"coordinates": func(c *CertifierCheckpoint) { c.Z = c.Z[:3] },
		"contacts":    func(c *CertifierCheckpoint) { c.States = c.States[1:] },
		"switches":    func(c *CertifierCheckpoint) { c.Switching = append([]bool{true}, c.Switching...) },
		"start":       func(c *CertifierCheckpoint) { c.Start = c.Start[:3] },
		"islands":     func(c *CertifierCheckpoint) { c.Island = c.Island[1:] },
		"forces":      func(c *CertifierCheckpoint) { c.Forces = append([]float64{1}, c.Forces...) },
	} {
		bad := c
		change(&bad)
		if err := must(NewCertifier(besideWall(1), o)).Load(&bad); err == nil || !strings.Contains(err.Error(), "the checkpoint is of a system of") {
			t.Errorf("other %s: %v", what, err)
		}
	}
}

// TestFiniteForces: what is not finite becomes the largest number, and no other number changes.
func TestFiniteForces(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 1: 1, math.MaxFloat64: math.MaxFloat64, math.Inf(1): math.MaxFloat64} {
		if got := finite(x); got != want {
			t.Errorf("%g becomes %g", x, got)
		}
	}
	if got := finite(math.NaN()); got != math.MaxFloat64 {
		t.Errorf("NaN becomes %g", got)
	}
	for _, c := range [][3]float64{{3, 2, 2}, {2, 3, 2}, {3, 0, 3}, {3, -1, 3}} {
		if got := capped(c[0], c[1]); got != c[2] {
			t.Errorf("%g capped by %g: %g", c[0], c[1], got)
		}
	}
}
