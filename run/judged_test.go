package run_test

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/run"
)

// TestNoVerdicts: a study of which no run was judged, or not the one that is the finest, has a
// verdict that says so.
func TestNoVerdicts(t *testing.T) {
	for finest, j := range map[int]run.Judged{0: {},
		1: {Verdicts: []run.LevelVerdict{{Verdict: "certified", Met: true}}}, -1: {Verdicts: []run.LevelVerdict{{Verdict: "certified"}}}} {
		if err := j.Verdict(finest); err == nil || !strings.Contains(err.Error(), "is not among") {
			t.Errorf("%d: %v", finest, err)
		}
	}
}
