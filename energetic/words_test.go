package energetic_test

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
)

// TestErrorsHaveNumbers: a jump says when, how far and what it releases; a step that was given up
// how much work it took.
func TestErrorsHaveNumbers(t *testing.T) {
	for want, err := range map[string]error{
		"between t=1.5 and t=1.75 by 0.25 m, releasing 0.125 J": &energetic.Jump{From: 1.5, To: 1.75, Distance: .25, Released: .125},
		"after 7 contact problems and 99 iterations":            &incremental.WorkError{Solves: 7, Iterations: 99},
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
}
