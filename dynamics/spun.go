package dynamics

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// The spin of a body about its own axes is a velocity, and what is read off the tables as any place
// is. That of a top goes through large changes while its attitude, of which half a revolution is
// the whole, is off by little. So the twins tell of it, too: as of energies that are taken, at the
// end, or in the mean over time, since what hits a little later spins otherwise for that while.

// Spun is a [Doubling] with bodies that have a direction in space.
type Spun interface {
	// Spins stores three numbers for each of them, in the order of their directions in
	// [Variable.Distances]: the spin about its own axes [rad/s].
	Spins(dst []float64) []float64
}

// SpinError is the name of what [Doubled.Measures] says of spins.
const SpinError = "error of the spin, estimated at twice the step"

// spinsOf are those of v; nil: nothing has a direction.
func spinsOf(v Variable, dst []float64) []float64 {
	if s, ok := v.(Spun); ok {
		return s.Spins(dst)
	}
	return nil
}

// seeSpins follows the fastest spins.
func (s *DoubledState) seeSpins(spins []float64) {
	for k := range s.Spun {
		s.Spun[k] = max(s.Spun[k], norm(spins[3*k:3*k+3]))
	}
}

// compareSpins takes the differences of spins, which count as those of energies.
func (x *Twin) compareSpins(a, b []float64, weight float64) {
	for k := range x.SpinOff {
		sum := 0.0
		for i := 3 * k; i < 3*k+3; i++ {
			sum += (a[i] - b[i]) * (a[i] - b[i])
		}
		x.SpinOff[k] = math.Sqrt(sum)
		x.SpinSum[k] += x.SpinOff[k] * weight
	}
}

// spin says what the spins are worth, of the fastest one of each body. An error that turns it by
// less than leastTurn until the end is none.
func (d *Doubled) spin(accuracy float64, shares [twins]float64) []Measure {
	s := &d.state
	if len(s.Spun) == 0 {
		return nil
	}
	m := Measure{Name: SpinError, Limit: accuracy, Unit: "-", Basis: Estimated}
	var apart [twins]float64
	for b, most := range s.Spun {
		of := max(most, leastTurn/(accuracy*d.until))
		for k := range s.Twin {
			t := &s.Twin[k]
			mean := t.SpinSum[b] / cmp.Or(t.Weight, max(1, float64(t.Compared)))
			off, when := max(t.SpinOff[b], mean), atTheEnd
			if mean > t.SpinOff[b] {
				when = "in the mean over time"
			}
			if y := ratio(shares[k]*off, of); y > m.Value {
				name := partName(d.v.PartNames(), len(s.Resting.Reach)-len(s.Spun)+b) // the directions are last but for pairs
				m.Value, m.Place = y, fmt.Sprintf("%s: %.3g rad/s %s, of %.3g rad/s", strings.TrimPrefix(name, "direction of "), shares[k]*off, when, of)
				for i := range apart {
					apart[i] = s.Twin[i].SpinOff[b]
				}
			}
		}
	}
	if !m.Passed() {
		m.Remedy = d.remedy(apart[1], apart[0], &m)
	}
	return []Measure{m}
}
