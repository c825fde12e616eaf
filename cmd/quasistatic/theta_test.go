package main

import (
	"strings"
	"testing"
)

// TestNoInitialVelocity: boundary values that no motion was found for are a failure that is said
// once: by no word of a solution that was found all the same, and with its number in one line of
// the page.
func TestNoInitialVelocity(t *testing.T) {
	t.Parallel()
	text := unexpecting(read(t, casesDir, "sliding-target.json"))
	const rest = `{"value": 0, "terms": [{"quantity": "velocity", "at": "start", "body": "mass", "axis": "z"}]}`
	text = strings.Replace(text, rest, `{"value": -1, "terms": [{"quantity": "position", "at": "end", "body": "mass", "axis": "z"}]}`, 1)
	code, page, message := qs("run", write(t, text, t.TempDir(), "below.json"), "--out", t.TempDir(), "--no-picture")
	if code != exitFailed || !strings.Contains(message, "residual 0.995") {
		t.Fatalf("exit %d: %s", code, message)
	}
	if strings.Contains(page, "all the same") || strings.Count(page, "0.995") != 1 {
		t.Errorf("%s", page)
	}
}
