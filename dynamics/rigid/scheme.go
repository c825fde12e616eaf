package rigid

import (
	"fmt"
)

// Scheme is the discretisation of joints and rotations.
type Scheme int

// The schemes. Both solve one contact problem in v^α a step, or a few of the same contacts where
// joints or turning bodies make the step nonlinear.
const (
	// Secant takes the gradients of the joints between the ends of the step and turns bodies so
	// that angular momentum in space is exact; needs γ = α. For α = ½ it is of second order and
	// keeps energy; for α > ½ it loses (α − ½)‖v' − v‖²_M a step and nothing else. See the package
	// page.
	Secant Scheme = iota
	// Gavrea is the scheme of the paper: gradients and F(v) at the beginning of the step.
	Gavrea
)

func (s Scheme) String() string {
	if s == Secant {
		return "secant"
	}
	if s == Gavrea {
		return "gavrea"
	}
	return fmt.Sprintf("Scheme(%d)", int(s))
}
