package dynamics

// Basis says what a number of a verdict rests on.
type Basis string

// The bases, from the strongest to the weakest.
const (
	Proven    Basis = "proven"    // a theorem whose conditions were checked
	Computed  Basis = "computed"  // evaluated from every step
	Estimated Basis = "estimated" // by the same motion in other steps, or a rule of more digits
	Sampled   Basis = "sampled"   // seen at some times or from some starts only
	NotSaid   Basis = "not said"  // not judged: Name says what and why, Value is 1
)

// Measure is one number of what a run is worth, with the limit that a good one keeps.
type Measure struct {
	Name string
	// Subject is what a case accepts by name, of a measure that is not said.
	Subject string
	Value   float64
	Limit   float64
	Unit    string
	Basis   Basis
	Place   string  // where Value was found; "": everywhere
	Remedy  string  // what would bring Value to its limit; "": nothing is known
	Steps   float64 // the number of steps that Remedy names; 0: none
	// Given says that Value is of the model: no length of steps, and no other setting of the scheme, changes it.
	Given bool
}

// Passed reports Value <= Limit; a number that is none does not pass.
func (m *Measure) Passed() bool { return m.Value <= m.Limit }
