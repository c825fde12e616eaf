package memory

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestLeisurely: the first garbage waits, but where GOGC says what is wanted.
func TestLeisurely(t *testing.T) {
	usual := debug.SetGCPercent(-1) // nothing is collected here
	defer debug.SetGCPercent(usual)
	t.Setenv("GOGC", "50")
	if Leisurely(); debug.SetGCPercent(-1) != -1 {
		t.Error("GOGC is not asked")
	}
	if err := os.Unsetenv("GOGC"); err != nil {
		t.Fatal(err)
	}
	if Leisurely(); debug.SetGCPercent(-1) != leisure {
		t.Error("the first garbage is collected as ever")
	}
	first.Stop()
}
