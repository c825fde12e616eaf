package signal

import "slices"

// shortestStretch is the part of the run that is the least a stretch may be: the shortest steps of
// it are those of the run.
const shortestStretch = 0x1p-40

// Stretches returns the start, the breaks amid the run and its end, without those that are next to
// another one.
func Stretches(until float64, breaks []float64) []float64 {
	marks, least := []float64{0}, shortestStretch*until
	if !slices.IsSorted(breaks) {
		breaks = slices.Sorted(slices.Values(breaks))
	}
	for _, t := range breaks {
		if t-marks[len(marks)-1] > least && until-t > least {
			marks = append(marks, t)
		}
	}
	return append(marks, until)
}
