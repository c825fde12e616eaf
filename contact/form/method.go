package form

import (
	"fmt"
	"strings"
)

// Method is a way to solve a [Local] problem, or a [Global] one by its
// reduction. The zero value is the plan of stages that tries what fits.
type Method int

// The methods. What each does, and for which laws it converges, is said where it
// is implemented: gaussseidel.go, newtonlocal.go, and so on.
const (
	MethodAuto        Method = iota // a plan of stages, see [SolveLocal]
	MethodGaussSeidel               // one contact after the other [Jourdan98]
	MethodNewton                    // semismooth Newton on Alart and Curnier's function [Alart91]
	MethodInterior                  // primal-dual interior point with the de Saxcé term inside
	MethodADMM                      // alternating directions
	MethodTresca                    // a fixed point over the thresholds of Tresca problems
	MethodCone                      // a fixed point over second-order cone problems [AcaryCadoux11]
	MethodProximal                  // proximal points around Newton's method
	MethodPath                      // the central path by its length, through its folds
	MethodLemke                     // pivoting on the complementarity form; polyhedral laws only
	MethodWarm                      // Newton from the solution of the step before, for piles in motion
	MethodSwept                     // the same with sweeps after each step, for packed ones
)

// MethodNames are those of the methods.
var MethodNames = [...]string{
	MethodAuto:        "auto",
	MethodGaussSeidel: "gauss-seidel",
	MethodNewton:      "newton",
	MethodInterior:    "interior",
	MethodADMM:        "admm",
	MethodTresca:      "tresca",
	MethodCone:        "cone",
	MethodProximal:    "proximal",
	MethodPath:        "path",
	MethodLemke:       "lemke",
	MethodWarm:        "warm",
	MethodSwept:       "swept",
}

// Methods returns all methods, [MethodAuto] first.
func Methods() []Method {
	all := make([]Method, len(MethodNames))
	for k := range all {
		all[k] = Method(k)
	}
	return all
}

func (m Method) String() string {
	if m < 0 || int(m) >= len(MethodNames) {
		return fmt.Sprintf("Method(%d)", int(m))
	}
	return MethodNames[m]
}

// ParseMethod returns the method of that name; the empty name is [MethodAuto].
func ParseMethod(name string) (Method, error) {
	if name == "" {
		return MethodAuto, nil
	}
	var names []string
	for k, known := range MethodNames {
		if known == name {
			return Method(k), nil
		}
		names = append(names, known)
	}
	return 0, fmt.Errorf("contact: no method %q, want one of %s", name, strings.Join(names, ", "))
}
