package serve

import (
	"math"

	"github.com/quasistatic/quasistatic/study"
)

// observed is what many runs leave: verdicts and messages, and an array of what was observed, NaN
// where a run did not get there.
func observed(list []*study.Outcome, quantities int) (any, []Array, error) {
	verdicts, messages, met := make([]string, len(list)), make([]string, len(list)), make([]bool, len(list))
	values := make([]float64, 0, len(list)*quantities)
	for i, o := range list {
		verdicts[i], messages[i], met[i] = string(o.Verdict), o.Message, o.Met
		for k := range quantities {
			x := math.NaN()
			if k < len(o.Observed) && o.Observed[k] != nil {
				x = *o.Observed[k]
			}
			values = append(values, x)
		}
	}
	return map[string]any{"verdicts": verdicts, "messages": messages, "met": met},
		[]Array{floats("observed", values, len(list), quantities)}, nil
}
