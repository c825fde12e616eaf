package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/table"
)

// comparison is how rows are compared with those of the same runs made here. Nothing of it is of
// the row that is judged.
type comparison struct {
	alike    bool      // both programs round alike: the rows are the same to the last digit
	accuracy float64   // of the run, else: each of two is within it of the truth
	scale    []float64 // of each quantity
}

// difference says in what a row differs from that of the same run made here; "": in nothing.
func (c *comparison) difference(row, here *Record) string {
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
		if v == nil || w == nil || !c.near(k, *v, *w) {
			return fmt.Sprintf("quantity %d of its row is %s, it is %s", k, value(v), value(w))
		}
	}
	if !c.alike {
		return ""
	}
	switch {
	case row.Steps != here.Steps || row.Solves != here.Solves:
		return fmt.Sprintf("its row has %d steps and %d solves, it has %d and %d", row.Steps, row.Solves, here.Steps, here.Solves)
	case row.Message != here.Message:
		return fmt.Sprintf("its row says %q, it is %q", short([]byte(row.Message)), short([]byte(here.Message)))
	case !sameFiles(row.Files, here.Files):
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

// noise: below this part of the values that a quantity has there is only the rounding of both.
const noise = 1e-9

func (c *comparison) near(k int, v, w float64) bool {
	scale := 0.0
	if k < len(c.scale) {
		scale = c.scale[k]
	}
	return v == w || !c.alike && math.Abs(v-w) <= 2*c.accuracy*max(math.Abs(v), math.Abs(w))+noise*scale
}

// sameFiles compares what runs leave: a summary, or a folder, of which the files are the same that
// the summary of the run made here has sums of. The rest is of the machine: pictures of a page,
// times.
func sameFiles(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	one, isFolder := unpacked(b)
	if !isFolder {
		return sameSummary(a, b)
	}
	other, isFolder := unpacked(a)
	summary := one[table.SummaryFile]
	var s table.Summary
	if !isFolder || !sameSummary(other[table.SummaryFile], summary) || json.Unmarshal(summary, &s) != nil {
		return false
	}
	for _, f := range s.Files {
		if !bytes.Equal(one[f.File], other[f.File]) {
			return false
		}
	}
	return true
}

// sameSummary compares what is judged in two summaries. The rest is of the machine: memory, times.
func sameSummary(a, b []byte) bool {
	type judged struct {
		Status       json.RawMessage `json:"status"`
		Certified    json.RawMessage `json:"certified"`
		Met          json.RawMessage `json:"met"`
		Facts        json.RawMessage `json:"facts"`
		Expectations json.RawMessage `json:"expectations"`
	}
	var x, y judged
	if json.Unmarshal(b, &y) != nil {
		return bytes.Equal(a, b) // a runner that leaves no summary
	}
	if json.Unmarshal(a, &x) != nil {
		return false
	}
	one, _ := json.Marshal(x) // they came from JSON
	other, _ := json.Marshal(y)
	return bytes.Equal(one, other)
}
