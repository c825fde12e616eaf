package nearest

import (
	"strings"
	"testing"
)

func TestWord(t *testing.T) {
	keys := []string{"stiffness", "stiffening", "anchor", "particle", "mu"}
	for _, c := range []struct{ got, want string }{
		{"stifness", "stiffness"},
		{"stiffnes", "stiffness"},
		{"stiffenign", "stiffening"},
		{"Particle", "particle"},
		{"nu", "mu"},
		{"pa", "particle"},
		{"stiff", ""}, // the beginning of two
		{"colour", ""},
		{"", ""},
		{strings.Repeat("x", 1000), ""},
	} {
		if got := Word(c.got, keys); got != c.want {
			t.Errorf("Word(%q) = %q, want %q", c.got, got, c.want)
		}
	}
	if got := Word("anything", nil); got != "" {
		t.Errorf("no candidates: %q", got)
	}
}
