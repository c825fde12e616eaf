package energetic

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/table"
)

// compareSummary compares what summary.json says with what was found from the files, and
// takes over the facts that only the run could find out. Nothing is asked of a run that
// says itself that it was not certified, but that it is not.
func (d *diagnosis) compareSummary() {
	from, s := d.stated, &d.summary
	switch {
	case from == nil && d.thinned:
		s.Facts = append(s.Facts, table.No(table.Solved,
			"there is no summary.json: what the run found out of the nodes that it did not write is not known", table.Computed))
		return
	case from == nil || from.Status != table.Done || s.Status != table.Done:
		return
	}
	table.Advise(s.Facts, from.Facts)
	taken := 0
	for i := range from.Facts {
		f := &from.Facts[i]
		if f.Word == table.Expected {
			continue
		}
		if f.Passed != (f.Value <= f.Limit) {
			s.Facts = append(s.Facts, table.No(table.Solved,
				fmt.Sprintf("summary.json contradicts itself: %s is %.3g, its limit %.3g, and \"passed\" is %t", f.Name,
					f.Value, f.Limit, f.Passed), table.Computed))
			return
		}
		k := slices.IndexFunc(s.Facts, func(x table.Fact) bool { return x.Word == f.Word && x.Name == f.Name })
		if k < 0 {
			s.Facts = append(s.Facts, *f)
			taken++
			continue
		}
		if own := &s.Facts[k]; !d.thinned && own.Passed && f.Passed && !agree(own, f, d.verdict.GapLimit()) &&
			!d.elsewhere(own) && !d.rounded(own, f) {
			s.Facts = append(s.Facts, table.No(table.Solved,
				fmt.Sprintf("summary.json says of %s: %.6g of %.6g, the files make it %.6g of %.6g", f.Name, f.Value,
					f.Limit, own.Value, own.Limit), table.Computed))
			return
		}
	}
	if taken > 0 && !d.again {
		s.Unproved = append(s.Unproved, fmt.Sprintf("%d facts of the verdict are those of summary.json: they are not found out again",
			taken))
	}
	if !from.Certified && table.Holds(s.Facts, table.Solved) && table.Holds(s.Facts, table.Accurate) {
		s.Facts = append(s.Facts, table.No(table.Accurate, "the run itself was not certified: "+from.Message, table.Computed))
	}
	d.compareExpectations()
}

// rounded reports whether two computations of a fact differ by no more than the rounding of
// positions, and their limits too: a particle at rest on an obstacle that turns has no way in the
// run, and that of its rounding in the files.
func (d *diagnosis) rounded(a, b *table.Fact) bool {
	k := slices.IndexFunc(d.measures, func(m energetic.Measure) bool { return m.Name+": "+m.What == a.Name })
	if k < 0 {
		return false
	}
	most := d.cert.Rounded(&d.measures[k])
	return math.Abs(a.Value-b.Value) <= most && math.Abs(a.Limit-b.Limit) <= sharp*a.Limit+most
}

// elsewhere reports whether a fact compares a run that leapt, or was lost, with its evolution in
// parts of the steps: that leaps elsewhere, or a little later, by the last digits of a file. How
// far off it is then differs; that it is within the limit is what both say.
func (d *diagnosis) elsewhere(f *table.Fact) bool {
	return strings.HasSuffix(f.Name, energetic.InParts) && (d.files != nil && d.files.leapt || !math.IsNaN(d.lostAt()))
}

// solvedPart of the limit of gaps may be rounding of the places in a file: that limit is
// itself 1e-10 of the energies, and far from the origin, or measured from other bodies, coordinates that
// a file has to 1e-16 of their size leave some 1e-3 of it.
const solvedPart = 0.1

// smallPart: of two numbers that are both below this part of either limit neither says more than
// the other. Files have positions to their last digit, which stiff springs that turn make to other
// forces: 6e-9 beside 1.4e-8, where 1.4e-6 is allowed; and to other energies near to a loss, whose
// states may be far.
const smallPart = 1e-2

// agree reports whether two computations of a fact are the same within rounding, which is far below
// the limits. Where both are nothing but rounding, which part of the system or of the time is worst
// is chance, and so is what it is compared with. gaps is the limit of gaps.
func agree(a, b *table.Fact, gaps float64) bool {
	if math.Abs(a.Value) <= roundingPart*a.Limit && math.Abs(b.Value) <= roundingPart*b.Limit {
		return true
	}
	if max(math.Abs(a.Value), math.Abs(b.Value)) <= smallPart*min(a.Limit, b.Limit) {
		return true
	}
	off := 1e-3
	if a.Word == table.Solved || a.Limit == gaps {
		off = solvedPart
	}
	return math.Abs(a.Value-b.Value) <= sharp*math.Abs(a.Value)+off*a.Limit && math.Abs(a.Limit-b.Limit) <= sharp*a.Limit
}

// compareExpectations compares the outcomes; of a thinned run they are those that it saw.
func (d *diagnosis) compareExpectations() {
	from, s := d.stated, &d.summary
	if d.thinned {
		s.Expectations = from.Expectations
		if len(s.Expectations) > 0 && !d.again {
			s.Unproved = append(s.Unproved, "the expectations are those of summary.json: not every node is in the files")
		}
		return
	}
	if len(from.Expectations) != len(s.Expectations) {
		s.Facts = append(s.Facts, table.No(table.Solved,
			fmt.Sprintf("summary.json has %d expectations, the case %d", len(from.Expectations), len(s.Expectations)), table.Computed))
		return
	}
	for i := range s.Expectations {
		if a, b := &s.Expectations[i], &from.Expectations[i]; a.Met != b.Met {
			s.Facts = append(s.Facts, table.No(table.Solved,
				fmt.Sprintf("summary.json says of %s: met is %t, the files make it %t", a.Label, b.Met, a.Met), table.Computed))
			return
		}
	}
}

// thinnedVerdict is what the rows of a run tell that wrote every n-th node only: (S) there.
// A run is judged by its own sizes; those of the rows may be smaller.
func (d *diagnosis) thinnedVerdict() []table.Fact {
	d.summary.Unproved = append(d.summary.Unproved,
		fmt.Sprintf("the run wrote every %d-th node only (output.every): (S), forces and energies of these are judged; (DI), (E) and what lies between are those of summary.json",
			d.c.plan.Every))
	for i := range d.measures {
		if m := &d.measures[i]; m.Name == "stability" {
			f := d.fact(m)
			f.Name, f.Basis = "stability at the nodes written", table.Sampled
			if d.stated != nil {
				for _, x := range d.stated.Facts {
					if x.Name == m.Name+": "+m.What && x.Limit > f.Limit {
						f.Limit, f.Passed = x.Limit, f.Value <= x.Limit
					}
				}
			}
			return slices.Concat([]table.Fact{f}, d.c.plan.Foreseen, d.statedMesh())
		}
	}
	return slices.Concat(d.c.plan.Foreseen, d.statedMesh())
}
