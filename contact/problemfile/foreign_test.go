package problemfile

import (
	"errors"
	"strings"
	"testing"
)

// TestForeignFilesAreNamed: what is no problem of ours is neither read as one nor
// refused without its name.
func TestForeignFilesAreNamed(t *testing.T) {
	for want, text := range map[string]string{
		"relay":           "2\n0\n2 2\n2 2\n1 0 0 1\n-3 0.5\n-1 -1\n1 1\n",
		"relay problem":   "1\n0\n1 1\n1 1\n2\n-3\n-1\n1\n",
		"GMP":             "2\n0\n5 5\n5 5\n" + strings.Repeat("1 ", 25) + "\n1 2 3 4 5\n2\n2\n4\n3\n0.5\n",
		"old FC3D header": "1\n0\n3 3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 1 0\n0.3\n",
	} {
		_, err := Read([]byte(text))
		if other, ok := errors.AsType[*ForeignError](err); !ok || !strings.Contains(other.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	// An LCP with its solution behind it stays an LCP.
	p, err := Read([]byte("2\n0\n2 2\n2 2\n1 0 0 1\n-3 0.5\n3 0\n0 0.5\n"))
	if err != nil || p.Kind != LCPKind {
		t.Errorf("LCP with a solution: %v, %v", p, err)
	}
}
