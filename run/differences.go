package run

import (
	"context"
	"math"
)

// Differentiates a case of any model by runs beside it, where it has no walk with derivatives. What
// a run ends with is a smooth function of p as long as contacts change in the same order, as steps
// end at impacts and where slip reverses; runs in another order are of another function. Central
// differences over h, h/2, … in the same steps,
//
//	D(h) = (y(p + h) − y(p − h))/2h = y'(p) + c₂h² + c₄h⁴ + …,
//
// are extrapolated to h = 0 by Neville's rule until rounding, or what the steps leave of a kink,
// grows (Ridders 1982, Adv. Eng. Softw. 4). All of it is made once more in twice the steps, which
// tells what their length leaves; that is of first order at least.

const (
	// besideShare of p is the first h, as that of package sensitivity; shrunk by besideShrink until
	// events keep their order, besideTrials times: to the root of what rounding leaves.
	besideShare  = 1. / 64
	besideShrink = 4
	besideTrials = 10
	// levels of h, h/2, …: the truncation that is left is below rounding, and so is what two more
	// would give.
	levels = 5
	// finerTrials: equal steps in place of chosen ones are doubled so often until they are accurate,
	// and all until contacts change in the order of half as many.
	finerTrials = 4
	// rangeDoublings of h are looked at on each side, which is 16 |p|, and the last one is halved as
	// often.
	rangeDoublings = 10
)

// Differences differentiates the quantities that the cases of a family look at, and the times at
// which contacts change, at p.
func Differences(ctx context.Context, family func(p float64) (*Task, error), p float64) (*Sensitivity, error) {
	d, err := newDifferences(ctx, family, p)
	if err != nil {
		return nil, err
	}
	f, err := d.finer(ctx)
	if err != nil {
		return nil, err
	}
	coarse, errs, err := d.derivatives(ctx)
	if err != nil {
		return nil, err
	}
	fine, more, err := f.derivatives(ctx)
	if err != nil {
		return nil, err
	}
	s := &Sensitivity{At: p, Quantities: []Derivative{}, Events: []EventDerivative{}}
	for i, y := range fine {
		off := max(errs[i], more[i], math.Abs(y-coarse[i]))
		if n := len(f.base.values); i >= n {
			w := f.base.order[i-n]
			if f.atNode(f.base.times[i-n]) {
				s.Nodes++
				continue
			}
			s.Events = append(s.Events, EventDerivative{Time: f.base.times[i-n], Derivative: y, Error: &off, Name: w[0],
				From: w[1], To: w[2]})
			continue
		}
		s.Quantities = append(s.Quantities, Derivative{Label: f.base.labels[i], Value: f.base.values[i], Derivative: y, Error: &off})
	}
	if err := d.interval(ctx, s); err != nil {
		return nil, err
	}
	s.Runs = d.runs + f.runs
	return s, nil
}

// atNode reports whether a time is the end of a step: changes of contact that the scheme does not
// locate have that of the step, in all runs the same one.
func (d *differences) atNode(t float64) bool {
	k := t / d.until * float64(d.steps)
	return math.Abs(k-math.Round(k)) <= 1e-9*float64(d.steps) // roundings of times
}

// derivatives are those of the values and times of the runs in so many steps, with what they may be
// off by.
func (d *differences) derivatives(ctx context.Context) (list, errs []float64, err error) {
	n := len(d.base.values) + len(d.base.times)
	quotients, bends := make([][levels]float64, n), make([][levels]float64, n)
	for k := range levels {
		h := math.Ldexp(d.h, -k)
		var ends [2]beside
		for side := range ends {
			q := d.p + h*float64(1-2*side)
			if ends[side], err = d.at(ctx, q); err != nil {
				return nil, nil, err
			}
			if text := ends[side].differs(&d.base); text != "" {
				return nil, nil, d.irregular(q, text)
			}
		}
		for i := range n {
			y, above, below := d.base.component(i), ends[0].component(i), ends[1].component(i)
			quotients[i][k], bends[i][k] = (above-below)/(2*h), (above-2*y+below)/h
		}
	}
	for i := range quotients {
		y, off := extrapolated(&quotients[i])
		// The derivatives on both sides differ by what is left of a bend, h y'' + O(h³), at h = 0: of what
		// is looked at at the time of an event, which p moves. Below 1e-6 it is rounding.
		if kink := math.Abs(2*bends[i][levels-1] - bends[i][levels-2]); kink > 1e-6*math.Abs(y) {
			off = max(off, kink/2)
		}
		list, errs = append(list, y), append(errs, off)
	}
	return list, errs, nil
}

// extrapolated returns the limit of central differences over h, h/2, … and what its neighbours in
// the tableau differ from it by, where that is least.
func extrapolated(quotients *[levels]float64) (y, off float64) {
	row, off := *quotients, math.Inf(1)
	y = row[0]
	for j := 1; j < levels; j++ {
		before, factor := row, math.Ldexp(1, 2*j) // 4^j
		for k := levels - 1; k >= j; k-- {
			row[k] = (factor*before[k] - before[k-1]) / (factor - 1)
		}
		for k := j; k < levels; k++ {
			if apart := max(math.Abs(row[k]-before[k]), math.Abs(row[k]-before[k-1])); apart < off {
				y, off = row[k], apart
			}
		}
	}
	return y, off
}
