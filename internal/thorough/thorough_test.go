package thorough_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestLevels: what takes seconds is left out by default, and what takes longer unless all is asked for.
func TestLevels(t *testing.T) {
	for value, want := range map[string][2]bool{"": {false, false}, "seconds": {true, false}, "1": {true, true}} {
		t.Setenv(thorough.Variable, value)
		var went [2]bool
		t.Run("seconds", func(t *testing.T) {
			thorough.Seconds(t)
			went[0] = true
		})
		t.Run("costly", func(t *testing.T) {
			thorough.Only(t, "a minute")
			went[1] = true
		})
		if went != want || thorough.Asked() != want[1] || thorough.SecondsAsked() != want[0] {
			t.Errorf("%q: %v, want %v", value, went, want)
		}
	}
}
