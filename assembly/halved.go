package assembly

import "math"

// A Spread is by how much a path differs from one of steps half as large: twice the difference, which bounds the error where that falls
// with the steps or faster. It is sampled: that nothing is between the states of both is not shown.
type Spread struct {
	Forces []float64 // N, N m: on each driven support along its way, at the states of both
	Level  float64   // factor, rad: of loads or tilt, at distances of both
	Peak   float64   // factor, rad: of the largest level
	End    float64   // m, rad: of where it collapses, or ends else
	Alike  bool      // both end for the same reason
	Events int       // that only one of them has
}

// Halved are options for a path of steps half as large: corners part by the square of a step.
func (o *PathOptions) Halved() *PathOptions {
	d := o.defaults()
	return &PathOptions{Steps: 2 * d.Steps, Gap: d.Gap / 4}
}

// Spread compares a path with one of steps half as large.
func (p *Path) Spread(fine *Path) *Spread {
	s := &Spread{Alike: p.Collapsed == fine.Collapsed && p.Holds == fine.Holds && p.Ends == fine.Ends}
	n, m := len(p.Steps), len(fine.Steps)
	if n == 0 || m == 0 {
		s.Alike = s.Alike && n == m
		return s
	}
	s.Forces = make([]float64, len(p.Steps[0].Forces))
	s.Peak = 2 * math.Abs(p.Peak.Level-fine.Peak.Level)
	s.End = 2*math.Abs(p.Steps[n-1].Distance-fine.Steps[m-1].Distance) + p.Least + fine.Least // collapse is located to the least step
	k := 0
	for i := range p.Steps {
		a := &p.Steps[i]
		for k+2 < m && fine.Steps[k+1].Distance <= a.Distance {
			k++
		}
		if m < 2 || a.Distance > fine.Steps[m-1].Distance {
			break
		}
		b, c := &fine.Steps[k], &fine.Steps[k+1]
		share := (a.Distance - b.Distance) / (c.Distance - b.Distance)
		between := func(x, y float64) float64 { return x + share*(y-x) }
		s.Level = max(s.Level, 2*math.Abs(a.Level-between(b.Level, c.Level)))
		for f := range a.Forces {
			s.Forces[f] = max(s.Forces[f], 2*math.Abs(a.Forces[f]-between(b.Forces[f], c.Forces[f])))
		}
	}
	s.Events = unmatched(p.Events, fine.Events) + unmatched(fine.Events, p.Events)
	return s
}

// unmatched counts what the joints of a list do that those of another do not, as often.
func unmatched(list, other []Event) int {
	type doing struct {
		what   Happening
		blocks [2]int
	}
	counts := map[doing]int{}
	for _, e := range other {
		counts[doing{e.What, e.Joint.Blocks}]++
	}
	n := 0
	for _, e := range list {
		d := doing{e.What, e.Joint.Blocks}
		if counts[d]--; counts[d] < 0 {
			n++
		}
	}
	return n
}
