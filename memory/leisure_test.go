package memory_test

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/quasistatic/quasistatic/memory"
)

// TestLeisurely: the first garbage waits, but where GOGC says what is wanted.
func TestLeisurely(t *testing.T) {
	usual := debug.SetGCPercent(-1) // nothing is collected here
	defer debug.SetGCPercent(usual)
	t.Setenv("GOGC", "50")
	if memory.Leisurely(); debug.SetGCPercent(-1) != -1 {
		t.Error("GOGC is not asked")
	}
	if err := os.Unsetenv("GOGC"); err != nil {
		t.Fatal(err)
	}
	if memory.Leisurely(); debug.SetGCPercent(-1) <= 100 {
		t.Error("the first garbage is collected as ever")
	}
}
