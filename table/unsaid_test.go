package table_test

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/table"
)

// What is not said fails a run unless the case accepts it, whatever the file claims.
func TestUnsaid(t *testing.T) {
	for _, c := range []struct {
		accepted []string
		passed   bool
		text     string
	}{
		{nil, false, "mesh: its error is not judged (not said)"},
		{[]string{"dissipation"}, false, "mesh: its error is not judged (not said)"},
		{[]string{"mesh"}, true, "mesh: its error is not judged (not said), accepted by the case"},
	} {
		forged := table.Unsaid("mesh", "its error is not judged")
		forged.Passed, forged.Value, forged.Limit = true, 0, 7
		s := table.Summary{Status: table.Done, Facts: []table.Fact{forged}}
		table.Accept(s.Facts, c.accepted)
		s.Judge(1)
		f := &s.Facts[0]
		if f.Passed != c.passed || s.Certified != c.passed || f.Passed != (f.Value <= f.Limit) {
			t.Errorf("accepted %v: passed %t, certified %t: %g <= %g, want %t", c.accepted, f.Passed, s.Certified,
				f.Value, f.Limit, c.passed)
		}
		if f.String() != c.text {
			t.Errorf("accepted %v: %q, want %q", c.accepted, f.String(), c.text)
		}
		if !c.passed && !strings.Contains(s.Message, "not said") {
			t.Errorf("accepted %v: the message %q does not name it", c.accepted, s.Message)
		}
	}
}
