package signal

import "slices"

// Stretches returns the start, the breaks amid the run and its end, without those that are another
// one but for rounding.
func Stretches(until float64, breaks []float64) []float64 {
	marks := []float64{0}
	if !slices.IsSorted(breaks) {
		breaks = slices.Sorted(slices.Values(breaks))
	}
	for _, t := range breaks {
		if t-marks[len(marks)-1] > timeRounding*t && until-t > timeRounding*until {
			marks = append(marks, t)
		}
	}
	return append(marks, until)
}

// timeRounding: times that are nearer than this share of them are one: sixteen of the last digits, so that the
// [TwinSteps] between two times are steps.
const timeRounding = 0x1p-48

// lone reports whether no other kink is as near to one, but for rounding. A change of slope may be put at a node that is
// nearer to it than rounded times are, but two are a pulse, whatever it is: an impulse has no scale by which it is short.
func lone(kinks []float64, t, near float64) bool {
	i, _ := slices.BinarySearch(kinks, t-near)
	for ; i < len(kinks) && kinks[i] <= t+near; i++ {
		if d := kinks[i] - t; d > timeRounding*t || -d > timeRounding*t {
			return false
		}
	}
	return true
}
