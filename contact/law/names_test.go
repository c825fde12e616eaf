package law_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/contact/law"
)

// TestSupportBehindSpring: a spring in front of a law has its support, as it takes no part in what
// the law dissipates.
func TestSupportBehindSpring(t *testing.T) {
	u := [3]float64{.3, -.6, .8}
	inner := law.Tresca{Threshold: 2}
	if got := (law.Compliant{Law: inner, Compliance: .1}).Support(&u); got != inner.Support(&u) || got != 2 {
		t.Errorf("%g, want 2", got)
	}
}
