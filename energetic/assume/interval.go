package assume

import (
	"encoding/json"
	"fmt"
	"math"
)

// Interval is a number known to lie between two bounds; Lo == Hi where it was
// computed exactly, that is to roundoff.
type Interval struct{ Lo, Hi float64 }

func exactly(v float64) Interval { return Interval{v, v} }

// Exact reports whether the bounds agree to ten digits.
func (v Interval) Exact() bool {
	width := v.Hi - v.Lo
	return v.Lo == v.Hi || width < math.Inf(1) && width <= 1e-10*max(math.Abs(v.Lo), math.Abs(v.Hi))
}

// String prints the number, or both bounds if six digits tell them apart.
func (v Interval) String() string {
	lo, hi := fmt.Sprintf("%.6g", v.Lo), fmt.Sprintf("%.6g", v.Hi)
	if lo == hi {
		return hi
	}
	return "[" + lo + ", " + hi + "]"
}

// MarshalJSON writes [lo, hi]; null stands for a bound that is not finite.
func (v Interval) MarshalJSON() ([]byte, error) {
	return json.Marshal([2]Number{Number(v.Lo), Number(v.Hi)})
}

// Number is a float64 that JSON can carry: null if it is not finite.
type Number float64

// MarshalJSON writes null for infinities and NaN.
func (v Number) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(v), 0) || math.IsNaN(float64(v)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(v))
}

// Verdict is what is known about an assumption.
type Verdict int

// The verdicts, ordered by how bad they are.
const (
	Holds Verdict = iota
	Undecided
	Fails
)

var verdictNames = [...]string{"holds", "undecided", "fails"}

// String returns "holds", "undecided" or "fails".
func (v Verdict) String() string {
	if v < 0 || int(v) >= len(verdictNames) {
		return fmt.Sprintf("Verdict(%d)", int(v))
	}
	return verdictNames[v]
}

// MarshalText implements encoding.TextMarshaler.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }
