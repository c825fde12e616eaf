package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/table"
)

// TestJumpTiming: the price 22/7 J of Klarbring's jump is off by no more than what the bracket
// of its time leaves open, and where that is more than the accuracy the run is not certified.
func TestJumpTiming(t *testing.T) {
	t.Parallel()
	for steps, certified := range map[int]bool{1: false, 3: false, 10: true, 60: true} {
		dir := filepath.Join(t.TempDir(), "run")
		code, _, stderr := qs("run", "klarbring-jump", "--set", fmt.Sprintf("steps=%d", steps), "--set", `expect=[{"quantity": "dissipation", "max": 10}]`, "--out", dir, "--no-picture")
		if (code == exitDone) != certified || !certified && !strings.Contains(stderr, "the bracket of their time") {
			t.Errorf("%d steps: exit %d, %s", steps, code, stderr)
		}
		var s table.Summary
		if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, table.SummaryFile))), &s); err != nil {
			t.Fatal(err)
		}
		open := -1.0
		for _, f := range s.Facts {
			if strings.Contains(f.Name, "the bracket of their time") {
				open = f.Value
			}
		}
		// The path itself is followed in 400 steps, with an error of 1e-5 of its price.
		if off := math.Abs(*s.Expectations[0].Value - 22.0/7); off > open+4e-5 {
			t.Errorf("%d steps: the dissipation is off by %g J, and %g J are said to be open", steps, off, open)
		}
		if got, _, _ := qs("diagnose", dir, "--quiet"); got != code {
			t.Errorf("%d steps: run exits %d, diagnose %d", steps, code, got)
		}
	}
}
