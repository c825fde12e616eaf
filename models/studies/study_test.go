package studies

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/study"
)

// TestNamesInPaths: a path of a study through a name that is not in its base case is refused with the
// nearest one; one that makes a whole entry is not.
func TestNamesInPaths(t *testing.T) {
	for vary, want := range map[string]string{
		`{"friction.dri.mu": [1]}`: `the nearest one is "dry"`,
		`{"friction": [{"dry": {"mu": 0.1}, "wet": {"mu": 0.2}}], "friction.wet.mu": [0.2, 0.3]}`: "",
	} {
		s, err := study.Decode([]byte(`{"case": "play", "vary": ` + vary + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := BaseCase(s, ".", nil); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", vary, err, want)
		}
	}
}
