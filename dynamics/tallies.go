package dynamics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// tallies are what only grows in an island, and says more of it than the places of its parts do:
//
//   - the energy that friction, dampers and impacts have taken;
//   - of it what friction between parts has taken, over the mass of the lighter of two: gμ times
//     how far one has slipped on the other. Of pairs that touch from the start places tell, see
//     [Pairs]; those of what is dropped on a truck do not, nor does the energy of the truck. But no
//     pair of a heap is judged by itself: neighbours in it part.
//
// Runs are compared by them at the end, or in the mean over time, whichever is more: what hits a
// little later is off for that while by all that it makes.
type tallies [kinds][]float64

const (
	energyTaken = iota // [J]
	rubbed             // [J/kg]
	kinds
)

func newTallies(islands int) (x tallies) {
	for j := range x {
		x[j] = make([]float64, islands)
	}
	return x
}

// set makes x a copy of y.
func (x *tallies) set(y *tallies) {
	for j := range x {
		x[j] = append(x[j][:0], y[j]...)
	}
}

// unite adds what island goes has to that of another.
func (x *tallies) unite(stays, goes int) {
	for j := range x {
		x[j][stays], x[j][goes] = x[j][stays]+x[j][goes], 0
	}
}

// take stores the tallies of the islands of the present state, and makes those one that it ties.
func (d *Doubled) take(k int) {
	c := d.v.Creations()
	for j := range kinds {
		d.tallies[k][j] = grow(d.tallies[k][j], len(c.Root))
		clear(d.tallies[k][j])
	}
	for p, r := range c.Root {
		if r == p {
			d.tallies[k][energyTaken][p], d.tallies[k][rubbed][p] = c.Island[p].Taken, c.Island[p].Rubbed
		}
		d.state.unite(p, r)
	}
}

// unite makes one island of those of two parts, whose sums it adds.
func (s *DoubledState) unite(p, q int) {
	stays, goes := min(s.Root[p], s.Root[q]), max(s.Root[p], s.Root[q])
	if stays == goes {
		return
	}
	for i, r := range s.Root {
		if r == goes {
			s.Root[i] = stays
		}
	}
	s.Most[energyTaken][stays] += s.Most[energyTaken][goes]
	s.Most[rubbed][stays] += s.Most[rubbed][goes]
	for k := range s.Twin {
		s.Twin[k].Off.unite(stays, goes)
		s.Twin[k].Sum.unite(stays, goes)
	}
}

// largest follows the tallies of each island of the run.
func (d *Doubled) largest() {
	s := &d.state
	for j, most := range s.Most {
		d.sums = grow(d.sums, len(s.Root))
		clear(d.sums)
		for p, r := range s.Root {
			d.sums[r] += d.tallies[0][j][p]
		}
		for r, sum := range d.sums {
			most[r] = max(most[r], sum)
		}
	}
}

// compare takes the differences of two runs in each island, which count for the time since the last
// one: steps that are chosen are shortest where things hit.
func (x *Twin) compare(root []int, a, b *tallies, weight float64) {
	for j, off := range x.Off {
		clear(off)
		for p, r := range root {
			off[r] += a[j][p] - b[j][p]
		}
		for r := range off {
			off[r] = math.Abs(off[r])
			x.Sum[j][r] += float64(off[r] * weight)
		}
	}
	x.Compared++
	x.Weight += weight
}

// tallied is what is known of a tally of an island.
type tallied struct {
	root         int
	off, of      float64 // estimated error, the largest so far
	when         string
	coarse, fine float64 // distances of the twins
}

func (x *tallied) value() float64 { return ratio(x.off, x.of) }

const atTheEnd = "at the end"

// tallied returns that of the island of a root.
func (d *Doubled) tallied(kind, root int, shares [twins]float64) tallied {
	s := &d.state
	x := tallied{root: root, of: s.Most[kind][root]}
	var offs, means [twins]float64
	for k := range s.Twin {
		t := &s.Twin[k]
		offs[k], means[k] = t.Off[kind][root], t.Sum[kind][root]/cmp.Or(t.Weight, max(1, float64(t.Compared)))
		if y := shares[k] * offs[k]; y > x.off {
			x.off, x.when = y, atTheEnd
		}
		if mean := shares[k] * means[k]; mean > x.off {
			x.off, x.when = mean, "in the mean over time"
		}
	}
	if x.coarse, x.fine = means[1], means[0]; x.when == atTheEnd {
		x.coarse, x.fine = offs[1], offs[0]
	}
	return x
}

// FrictionError is the name of what [Doubled.Measures] says of friction between parts.
const FrictionError = "error of the friction between bodies, estimated at twice the step"

// friction says what that between parts is worth in the worst island, if there is any: of all of it
// there, or of a share of what moves, below which a part hardly moves beside its neighbours; no less
// than what is resolved, if the lightest had it.
func (d *Doubled) friction(accuracy float64, shares [twins]float64) []Measure {
	s, c := &d.state, d.v.Creations()
	mass, lightest := make([]float64, len(s.Root)), make([]float64, len(s.Root))
	for p := range c.Root {
		r, m := s.Root[p], c.Motion[p].mass()
		if mass[r] += m; m > 0 && (lightest[r] == 0 || m < lightest[r]) {
			lightest[r] = m
		}
	}
	moves, resolved := d.resolved(shares)
	m, worst, some := Measure{Name: FrictionError, Limit: accuracy, Unit: "-", Basis: Estimated}, tallied{}, false
	for r := range s.Root {
		if s.Root[r] != r || s.Most[rubbed][r] == 0 {
			continue
		}
		some = true
		x := d.tallied(rubbed, r, shares)
		if mass[r] > 0 {
			x.of = max(x.of, neighbour*moves[r]/mass[r], resolved[r]/(accuracy*lightest[r]))
		}
		if x.value() > m.Value {
			m.Value, worst = x.value(), x
		}
	}
	if !some {
		return nil
	}
	if m.Value > 0 {
		m.Place = fmt.Sprintf("%.3g J/kg %s, of %.3g J/kg of the lighter ones%s", worst.off, worst.when, worst.of, d.island(worst.root))
	}
	if !m.Passed() {
		m.Remedy = d.remedy(worst.coarse, worst.fine, &m)
	}
	return []Measure{m}
}

// DissipationError is the name of the other thing that [Doubled.Measures] says.
const DissipationError = "error of the dissipated energy, estimated at twice the step"

const (
	// leastTaken: where friction, dampers and impacts take less than this share of the energy that
	// moves in an island, what they take hardly changes the motion, which may be right while it is
	// not: it is then not judged, and that is said.
	leastTaken = 0.1
	// resolvedTaken: contact problems are solved to 1e-11 of their forces, so that energy taken is
	// known to that share of what moves: what run and twins find to be nothing, to these digits, is
	// nothing.
	resolvedTaken = 1e-11
	// besideRun: what roundings and residuals make of the difference of a run and a twin, in those of
	// the run: a twin in steps twice as long has at most two of them. A box that slides on ice was
	// refused by 1e-11 J.
	besideRun = 1 + 2
)

// UnjudgedDissipation is the subject by which a case accepts that a dissipation which is small
// beside what moves is not judged.
const UnjudgedDissipation = "dissipation"

// dissipated is what is known of the energy that contacts have taken in an island [J].
type dissipated struct {
	tallied
	moves float64 // what moves there
}

// small reports whether it hardly changes the motion.
func (x *dissipated) small() bool { return x.of < leastTaken*x.moves }

// most is all that may have been taken, of what moves.
func (x *dissipated) most() float64 { return ratio(x.of+x.off, x.moves) }

// resolved returns the energy that moves in each island, and what of energies taken is known there.
func (d *Doubled) resolved(shares [twins]float64) (moves, resolved []float64) {
	s, c := &d.state, d.v.Creations()
	moves, resolved = make([]float64, len(s.Root)), make([]float64, len(s.Root))
	for p, r := range c.Root {
		if r == p {
			moves[s.Root[p]] += c.Island[p].Scale()
			resolved[s.Root[p]] += resolvedTaken*c.Island[p].Scale() + slices.Max(shares[:])*besideRun*c.Island[p].Rounding
		}
	}
	return moves, resolved
}

// dissipations returns that of each island, of the largest taken or what is resolved.
func (d *Doubled) dissipations(accuracy float64, shares [twins]float64) (list []dissipated) {
	s := &d.state
	moves, resolved := d.resolved(shares)
	for r := range s.Root {
		if s.Root[r] != r {
			continue
		}
		x := dissipated{d.tallied(energyTaken, r, shares), moves[r]}
		x.of = max(x.of, resolved[r]/accuracy)
		list = append(list, x)
	}
	return list
}

// dissipation says what the energy that contacts have taken is worth in the worst island, of what
// was taken there. An island where that is small and off by more is set apart: it is not judged.
// Where all that may have been taken, its error with it, is less than the accuracy of what would be
// small, that is said instead: as of a body that topples on a corner, where friction takes nothing.
func (d *Doubled) dissipation(accuracy float64, shares [twins]float64) []Measure {
	m := Measure{Name: DissipationError, Limit: accuracy, Unit: "-", Basis: Estimated}
	var worst, unjudged, faint dissipated
	for _, x := range d.dissipations(accuracy, shares) {
		switch {
		case x.small() && x.value() > accuracy && x.most() <= accuracy*leastTaken:
			if x.most() > faint.most() {
				faint = x
			}
		case x.small() && x.value() > accuracy:
			if x.value() > unjudged.value() {
				unjudged = x
			}
		case x.value() > m.Value:
			m.Value, worst = x.value(), x
		}
	}
	if m.Value > 0 {
		m.Place = fmt.Sprintf("%.3g J %s, of %.3g J%s", worst.off, worst.when, worst.of, d.island(worst.root))
	}
	if m.Value == 0 && max(faint.off, unjudged.off) > 0 {
		m.Place = "what was taken is too little to be judged, see below"
	}
	if !m.Passed() {
		m.Remedy = d.remedy(worst.coarse, worst.fine, &m)
	}
	list := []Measure{m}
	if faint.off > 0 {
		list = append(list, Measure{Name: "dissipated energy below what can be told, of the energy that moves",
			Value: faint.most(), Limit: accuracy * leastTaken, Unit: "-", Basis: Estimated,
			Place: fmt.Sprintf("at most %.3g J of %.3g J%s", faint.of+faint.off, faint.moves, d.island(faint.root))})
	}
	if unjudged.off == 0 {
		return list
	}
	x := &unjudged
	of := Measure{Value: x.value(), Limit: accuracy}
	n := Measure{Subject: UnjudgedDissipation, Value: 1, Unit: "-", Basis: NotSaid,
		Remedy: d.remedy(x.coarse, x.fine, &of), Steps: of.Steps,
		Name:  fmt.Sprintf("%s: below %.0f %% of the energy that moves it is not judged", UnjudgedDissipation, 100*leastTaken),
		Place: fmt.Sprintf("%.3g J of %.3g J, off by %.3g J %s%s", x.of, x.moves, x.off, x.when, d.island(x.root))}
	n.Remedy += fmt.Sprintf("; or \"accept\": [%q]", UnjudgedDissipation)
	return append(list, n)
}

// island names an island of several.
func (d *Doubled) island(root int) string {
	if d.v.Creations().islands() == 1 {
		return ""
	}
	return who(d.state.Root, root, d.v.PartNames())
}
