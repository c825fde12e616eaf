package casefile

import "fmt"

// The numbers of a case, and of the files that it names, are at most Largest in size; one that must
// be positive is at least Smallest. What models multiply is then a number of float64, and so is its
// square: an energy m g² t² is at most 1e150, a way t² F/m too. Smallest is that small since
// moments of inertia of particles of a nanometre have 1e-36 kg m²; Largest leaves planets in, and
// stiffnesses far beyond any material.
const (
	Largest  = 1e30
	Smallest = 1e-60
)

// InRangeWords are what is wanted of a number by its size.
var InRangeWords = fmt.Sprintf("a number of at most %g in size", Largest)

// InRange objects to a number from a file of the case that is larger than [Largest], or none.
func InRange(v float64) error {
	if v >= -Largest && v <= Largest {
		return nil
	}
	return fmt.Errorf("found %g, want %s", v, InRangeWords)
}
