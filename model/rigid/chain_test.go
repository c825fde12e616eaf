package rigid_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
)

// TestChainOverAnEdge: ten links lie on a table and a round edge, the last two hang beside it and swing
// against it after 5 ms; μ = 1 holds the rest. What gaps change by over a step as short as one behind that
// blow is rounding, and no round of the step may follow it.
func TestChainOverAnEdge(t *testing.T) {
	thorough.Seconds(t)
	x := trial.Run(t, `{"name": "chain", "model": "rigid", "dimension": 2, "until": 0.01, "gravity": [0, -9.81], "parameters": {"n": 10, "d": 0.05, "over": 0.21, "r": 0.1, "q": "=r*pi/2"},
		"friction": {"table": {"mu": 1}, "edge": {"mu": 0}},
		"bodies": [{"id": "table", "fixed": true, "shape": {"type": "polygon", "vertices": [[-1, -0.05], [1, -0.05], [1, 0.05], [-1, 0.05]]}, "position": [-1, -0.05]},
			{"id": "edge", "fixed": true, "shape": {"type": "disc", "radius": "=r"}, "position": [0, "=-r"]},
			{"repeat": {"i": "=n"}, "id": "m{i}", "mass": 0.025, "position": ["=r*sin(min(max(over - i*d, 0), q)/r) + min(over - i*d, 0)", "=r*cos(min(max(over - i*d, 0), q)/r) - r - max(over - i*d - q, 0)"]}],
		"joints": [{"repeat": {"i": "=n-1"}, "type": "distance", "body": "m{i}", "to": "m{i+1}",
			"at": ["=r*sin(min(max(over - i*d, 0), q)/r) + min(over - i*d, 0)", "=r*cos(min(max(over - i*d, 0), q)/r) - r - max(over - i*d - q, 0)"],
			"other": ["=r*sin(min(max(over - (i+1)*d, 0), q)/r) + min(over - (i+1)*d, 0)", "=r*cos(min(max(over - (i+1)*d, 0), q)/r) - r - max(over - (i+1)*d - q, 0)"]}],
		"contacts": [{"repeat": {"i": "=n"}, "between": ["m{i}", "table"], "friction": "table"}, {"repeat": {"i": "=n"}, "between": ["m{i}", "edge"], "friction": "edge"}],
		"expect": [{"quantity": "displacement", "body": "m{n-1}", "axis": "x", "value": 0, "tolerance": 1e-4}]}`, &rigid.Model)
	x.Passed(t)
}
