package run_test

import (
	"strings"
	"testing"
)

// TestBrief: what a terminal shows of a run is at most twelve lines of its width, with the verdict and the folder, and
// of an expectation that is not met what was found.
func TestBrief(t *testing.T) {
	for _, x := range []struct{ from, to, want string }{
		{"", "", "as expected"},
		{`"value": 9.81`, `"value": 9`, "MISSED"},
	} {
		dir := t.TempDir()
		j := task(t, dir, x.from, x.to)
		if err := j.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{60, 100} {
			text := j.Brief(width, false)
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if len(lines) > 12 || !strings.Contains(text, x.want) || !strings.Contains(text, "computed") {
				t.Errorf("want %q in at most 12 lines:\n%s", x.want, text)
			}
			for _, line := range lines {
				if n := len([]rune(line)); n > width && !strings.Contains(line, dir) {
					t.Errorf("%d columns of %d: %s", n, width, line)
				}
			}
		}
	}
}
