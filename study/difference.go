package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
)

// difference says in what a row differs from that of the same run made here; "": in nothing. By a
// program that rounds alike they are the same to the last digit; else their quantities are within
// twice the accuracy of the case, for each of two is within it of the truth.
func difference(row, here *Record, base []byte) string {
	alike := row.Processor == here.Processor
	switch {
	case row.Verdict != here.Verdict:
		return fmt.Sprintf("its row says %s, it is %s", row.Verdict, here.Verdict)
	case row.Met != here.Met:
		return fmt.Sprintf("its row says met: %v, it is %v", row.Met, here.Met)
	}
	for k := range max(len(row.Observed), len(here.Observed)) {
		v, w := observed(row, k), observed(here, k)
		if v == nil && w == nil {
			continue
		}
		if v == nil || w == nil || !near(*v, *w, alike, base) {
			return fmt.Sprintf("quantity %d of its row is %s, it is %s", k, value(v), value(w))
		}
	}
	if !alike {
		return ""
	}
	switch {
	case row.Steps != here.Steps || row.Solves != here.Solves:
		return fmt.Sprintf("its row has %d steps and %d solves, it has %d and %d", row.Steps, row.Solves, here.Steps, here.Solves)
	case row.Message != here.Message:
		return fmt.Sprintf("its row says %q, it is %q", short([]byte(row.Message)), short([]byte(here.Message)))
	case !sameSummary(row.Files, here.Files):
		return "what it left says otherwise"
	}
	return ""
}

func observed(r *Record, k int) *float64 {
	if k < len(r.Observed) {
		return r.Observed[k]
	}
	return nil
}

func value(v *float64) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprintf("%.17g", *v)
}

func near(v, w float64, alike bool, base []byte) bool {
	if alike {
		return v == w
	}
	// Below this part of 1, in the unit of the quantity, there is only the rounding of both.
	const noise = 1e-9
	return math.Abs(v-w) <= 2*accuracyIn(base)*max(math.Abs(v), math.Abs(w))+noise
}

// sameSummary compares what runs leave, where it is a summary: what is judged in it. The rest is of
// the machine: memory, times.
func sameSummary(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	type judged struct {
		Status       json.RawMessage `json:"status"`
		Certified    json.RawMessage `json:"certified"`
		Met          json.RawMessage `json:"met"`
		Facts        json.RawMessage `json:"facts"`
		Expectations json.RawMessage `json:"expectations"`
	}
	var x, y judged
	if json.Unmarshal(b, &y) != nil {
		return true // a folder of files, with times in it
	}
	if json.Unmarshal(a, &x) != nil {
		return false
	}
	one, _ := json.Marshal(x) // they came from JSON
	other, _ := json.Marshal(y)
	return bytes.Equal(one, other)
}
