package friction

import (
	"fmt"
	"slices"
)

// Table is linear between the speeds given, and constant beyond.
type Table struct{ Speeds, Coefficients []float64 }

var _ Law = Table{}

// Mu implements [Law].
func (l Table) Mu(speed float64) float64 {
	k, _ := slices.BinarySearch(l.Speeds, speed)
	switch {
	case k == 0:
		return l.Coefficients[0]
	case k == len(l.Speeds):
		return l.Coefficients[k-1]
	}
	x := (speed - l.Speeds[k-1]) / (l.Speeds[k] - l.Speeds[k-1])
	return (1-x)*l.Coefficients[k-1] + x*l.Coefficients[k]
}

// Weakening implements [Law].
func (l Table) Weakening(from, to float64) (slope float64) {
	for k := 1; k < len(l.Speeds); k++ {
		if l.Speeds[k] >= from && l.Speeds[k-1] <= to {
			slope = max(slope, (l.Coefficients[k-1]-l.Coefficients[k])/(l.Speeds[k]-l.Speeds[k-1]))
		}
	}
	return slope
}

// Bounds implements [Law].
func (l Table) Bounds() (least, most float64) {
	return slices.Min(l.Coefficients), slices.Max(l.Coefficients)
}

// Validate implements [Law].
func (l Table) Validate() error {
	if len(l.Speeds) < 2 || len(l.Speeds) != len(l.Coefficients) {
		return fmt.Errorf("found %d \"speeds\" and %d numbers in \"mu\", want as many, at least two", len(l.Speeds), len(l.Coefficients))
	}
	for k, v := range l.Speeds {
		if !(v >= 0) || k > 0 && !(v > l.Speeds[k-1]) {
			return fmt.Errorf("found %g as entry %d of \"speeds\", want numbers >= 0 that rise; a jump at rest is \"static\" and \"kinetic\"",
				v, k)
		}
		if x := l.Coefficients[k]; !(x >= 0 && x <= most) {
			return fmt.Errorf("found %g as entry %d of \"mu\", want a number from 0 to %g", x, k, float64(most))
		}
	}
	return nil
}
