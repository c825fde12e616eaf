package elastic

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/table"
)

// flutterError is what the estimate of the trajectory leaves out where a sliding body flutters.
const flutterError = "error of the trajectory by flutter of what slides, which the steps damp"

// flutter judges the growth that the steps leave out of the modes of a sliding body, g of
// [elastic.Stepper.Growth]. The state is known to within the estimate ε of the error of the run, or to
// the tolerance of a step; in truth that becomes ε exp(g), which is ε (exp(g) − 1) more.
func (r *Run) flutter(estimates []table.Fact) []table.Fact {
	if len(r.slides.Kept) == 0 {
		return nil
	}
	f := table.Fact{Word: table.Accurate, Name: flutterError, Limit: r.c.plan.Accuracy, Basis: table.Estimated}
	g, err := r.stepper.Growth(context.Background(), &r.slides)
	if err != nil {
		f.Value, f.Limit, f.Place = 1, 0, err.Error()
		return []table.Fact{f}
	}
	known := f.Limit // where nothing estimates it
	for i := range estimates {
		if x := &estimates[i]; x.Limit > 0 && (x.Name == dynamics.TrajectoryError || x.Name == dynamics.ChosenError) {
			known = x.Value / x.Limit * f.Limit
		}
	}
	m := &g.Mode
	known = max(known*m.Part(), cmp.Or(r.c.Options.Tolerance, tolerance))
	f.Value = known * math.Expm1(min(g.Missed, 600)) // a number still: exp(709) is the largest
	if f.Passed = f.Value <= f.Limit; g.Missed > 0 {
		f.Place = fmt.Sprintf("sliding is unstable: for %.3g s a mode of %.3g Hz grows by %.3g/s, by %.3g/s in these steps",
			m.Time, m.Frequency, m.Rate, m.Damped)
	}
	if !f.Passed {
		f.Remedy = fmt.Sprintf("steps of about %.2g s, a guess, in which the body flutters", g.Resolved(math.Log(max(f.Limit/known, 2))))
	}
	return []table.Fact{f}
}
