package incremental

import "fmt"

// ContactState is what one particle does at a node of the partition.
type ContactState uint8

const (
	Free    ContactState = iota // above its obstacle, or without one
	Grazing                     // on it without a normal force
	Stick                       // pressed, did not move along it in the last step
	Slip                        // pressed, moved
)

var stateNames = [...]string{"free", "grazing", "stick", "slip"}

func (s ContactState) String() string {
	if int(s) >= len(stateNames) {
		return fmt.Sprintf("ContactState(%d)", uint8(s))
	}
	return stateNames[s]
}

// ParseContactState is the inverse of String.
func ParseContactState(name string) (ContactState, error) {
	for i, n := range stateNames {
		if n == name {
			return ContactState(i), nil
		}
	}
	return Free, fmt.Errorf("incremental: unknown contact state %q, want one of %v", name, stateNames)
}

// Counts are the numbers of particles in each state.
type Counts [len(stateNames)]int

// Count counts.
func Count(states []ContactState) Counts {
	var c Counts
	for _, s := range states {
		c[s]++
	}
	return c
}
