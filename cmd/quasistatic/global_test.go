package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// wells is a particle on a floor without friction in the shallower of two Morse
// wells, at rest.
const wells = `{
  "name": "wells", "model": "energetic", "until": 1, "steps": 2, "equilibrate": true, "stability": "STABILITY",
  "particles": [{"id": "p", "at": [1, 0, 0]}],
  "anchors": [{"id": "left", "at": [0, 0, 0]}, {"id": "right", "at": [6, 0, 0]}],
  "energies": [
    {"type": "pair", "between": ["p", "left"], "law": "morse", "depth": 1, "distance": 1, "decay": 4},
    {"type": "pair", "between": ["p", "right"], "law": "morse", "depth": 2, "distance": 1, "decay": 4},
    {"type": "tether", "particle": "p", "anchor": "left", "stiffness": 1e-3},
    {"type": "load", "particle": "p", "force": [0, 0, -1]}
  ]
}`

// TestGlobalStability: the deeper well is found, and (S) fails; convex does not look.
func TestGlobalStability(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	for stability, c := range map[string]struct {
		code  int
		found bool
	}{"auto": {exitFailed, true}, "global": {exitFailed, true}, "convex": {exitDone, false}} {
		dir := t.TempDir()
		file := filepath.Join(dir, "wells.json")
		if err := os.WriteFile(file, []byte(strings.Replace(wells, "STABILITY", stability, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errOut bytes.Buffer
		code := start([]string{"quasistatic", "run", "-v", file, "--no-picture", "--out", filepath.Join(dir, "out")}, &out, &errOut)
		if code != c.code {
			t.Errorf("%s: exit code %d: %s%s", stability, code, out.String(), errOut.String())
		}
		if found := strings.Contains(out.String(), "(S) FAILS"); found != c.found {
			t.Errorf("%s: found %v:\n%s", stability, found, out.String())
		}
		// diagnose searches the same nodes.
		again, out2, _ := qs("diagnose", "-v", filepath.Join(dir, "out"))
		if again != c.code || strings.Contains(out2, "(S) FAILS") != c.found {
			t.Errorf("%s: diagnose exits with %d:\n%s", stability, again, out2)
		}
		_, err := os.Stat(filepath.Join(dir, "out", "better.json"))
		if (err == nil) != c.found {
			t.Errorf("%s: better.json: %v", stability, err)
		}
	}
}
