package study

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Statistics sums up one observed quantity over the runs that have it.
type Statistics struct {
	Label     string     `json:"label"`
	Unit      string     `json:"unit,omitempty"`
	Count     int        `json:"count"`   // runs with a value
	Missing   int        `json:"missing"` // runs made without one
	Mean      float64    `json:"mean"`
	Deviation float64    `json:"deviation"` // of the sample, with n − 1; 0 for one value
	Quantiles [5]float64 `json:"quantiles"` // of 5, 25, 50, 75, 95 %
	Min       float64    `json:"min"`
	Max       float64    `json:"max"`
}

// quantileLevels are those of [Statistics.Quantiles].
var quantileLevels = [5]float64{.05, .25, .5, .75, .95}

// Statistics returns those of all observed quantities.
func (t *Table) Statistics() ([]Statistics, error) {
	labels, units := t.Plan.Spec.Labels(), t.Plan.Spec.Units()
	list := make([]Statistics, len(labels))
	values := make([][]float64, len(labels))
	for i := range t.Plan.Len() {
		r, err := t.record(i)
		if err != nil {
			return nil, err
		}
		for k := range labels {
			switch {
			case r == nil:
			case k < len(r.Observed) && r.Observed[k] != nil:
				values[k] = append(values[k], *r.Observed[k])
			default:
				list[k].Missing++
			}
		}
	}
	for k := range list {
		list[k].Label, list[k].Unit = labels[k], units[k]
		list[k].of(values[k])
	}
	return list, nil
}

func (s *Statistics) of(values []float64) {
	if s.Count = len(values); s.Count == 0 {
		return
	}
	slices.Sort(values)
	s.Min, s.Max = values[0], values[len(values)-1]
	scaled, exponent := scale(values)
	s.Mean = math.Ldexp(stat.Mean(scaled, nil), exponent)
	if s.Count > 1 {
		// That of ±1.8e308 is beyond the numbers: the largest one stands for it, as in
		// summary.json.
		s.Deviation = min(math.Ldexp(stat.StdDev(scaled, nil), exponent), math.MaxFloat64)
	}
	for q, level := range quantileLevels {
		s.Quantiles[q] = quantile(values, level)
	}
}

// scale divides values by a power of two, so that the largest one is about 1 and neither sums nor
// squares leave the numbers; the digits stay.
func scale(values []float64) (scaled []float64, exponent int) {
	size := 0.0
	for _, v := range values {
		size = max(size, math.Abs(v))
	}
	_, exponent = math.Frexp(size)
	scaled = make([]float64, len(values))
	for i, v := range values {
		scaled[i] = math.Ldexp(v, -exponent)
	}
	return scaled, exponent
}

// quantile interpolates linearly between the values in ascending order, of which the first is
// the quantile of 0 and the last that of 1, so that the median of two values is their mean; by
// definition 7 of [HF96], which is also the default of NumPy and R.
func quantile(ascending []float64, level float64) float64 {
	at := level * float64(len(ascending)-1)
	below := int(at)
	if below+1 >= len(ascending) {
		return ascending[len(ascending)-1]
	}
	low, high, part := ascending[below], ascending[below+1], at-float64(below)
	if low == high {
		return low
	}
	return low*(1-part) + high*part // high − low may be too large a number
}

// Verdicts counts the runs by verdict, and those not made yet under "".
func (t *Table) Verdicts() (map[Verdict]int, error) {
	count := map[Verdict]int{}
	for i := range t.Plan.Len() {
		r, err := t.record(i)
		if err != nil {
			return nil, err
		}
		if r == nil {
			count[""]++
		} else {
			count[r.Verdict]++
		}
	}
	return count, nil
}

// Order is the observed order of a quantity along an axis whose numbers form a geometric
// sequence: of y = y* + C h^p from three neighbours,
//
//	p = log(|y₁ − y₂| / |y₂ − y₃|) / log ρ,   ρ = x₂/x₁
//
// where x grows as h falls (steps) or with it (gamma): the sign tells.
type Order struct {
	Path  string  `json:"path"`
	Label string  `json:"label"`
	P     float64 `json:"order"` // of the last three points
	Limit float64 `json:"limit"` // y* by Richardson's extrapolation from them
}

// Orders returns the orders that the table shows: for each axis of at least three numbers
// in geometric sequence, with all other parameters at their first value.
func (t *Table) Orders() ([]Order, error) {
	var list []Order
	stride := 1
	if t.Plan.Spec.Sample != nil {
		stride = t.Plan.Spec.Sample.Len()
	}
	for k := len(t.Plan.Spec.Axes) - 1; k >= 0; k-- {
		a := &t.Plan.Spec.Axes[k]
		x := a.numbers()
		if ratio := geometric(x); ratio != 0 {
			for q, label := range t.Plan.Spec.Labels() {
				y, err := t.along(len(x), stride, q)
				if err != nil {
					return nil, err
				}
				if o, ok := order(y, ratio); ok {
					o.Path, o.Label = a.Paths[0], label
					list = append(list, o)
				}
			}
		}
		stride *= a.Len()
	}
	return list, nil
}

// along returns a quantity of runs 0, stride, 2 stride, …; nil if one lacks it.
func (t *Table) along(n, stride, q int) ([]float64, error) {
	y := make([]float64, n)
	for i := range y {
		r, err := t.record(i * stride)
		if err != nil || r == nil || q >= len(r.Observed) || r.Observed[q] == nil {
			return nil, err
		}
		y[i] = *r.Observed[q]
	}
	return y, nil
}

// geometric returns the ratio of neighbours, if it is the same for all up to the rounding
// of three digits that people type; else 0.
func geometric(x []float64) float64 {
	if len(x) < 3 || !(x[0] > 0) || !(x[1] > 0) || x[0] == x[1] {
		return 0
	}
	ratio := x[1] / x[0]
	for i := 2; i < len(x); i++ {
		if !(math.Abs(x[i]/x[i-1]-ratio) <= 1e-3*ratio) {
			return 0
		}
	}
	return ratio
}

// order of the last three values.
func order(y []float64, ratio float64) (Order, bool) {
	if len(y) < 3 {
		return Order{}, false
	}
	y = y[len(y)-3:]
	first, second := y[0]-y[1], y[1]-y[2]
	o := Order{P: elementary.Log(math.Abs(first/second)) / elementary.Log(ratio), Limit: y[2] + second*second/(second-first)}
	for _, v := range []float64{o.P, o.Limit} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Order{}, false // exact, not yet in the range of the theory, or without a limit
		}
	}
	return o, true
}
