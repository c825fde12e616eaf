package thorough_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestOnly: a costly test is skipped unless the variable is set.
func TestOnly(t *testing.T) {
	for value, want := range map[string]bool{"": false, "1": true} {
		t.Setenv(thorough.Variable, value)
		went := false
		t.Run("costly", func(t *testing.T) {
			thorough.Only(t, "a minute")
			went = true
		})
		if went != want || thorough.Asked() != want {
			t.Errorf("%q: goes on: %t", value, went)
		}
	}
}
