package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Word is one of the three words of a verdict.
type Word string

// The words: each step's problem is solved to its tolerance; the evolution is accurate,
// within what the case asks for; it is as the case expects. Solved and accurate is
// certified.
const (
	Solved   Word = "solved"
	Accurate Word = "accurate"
	Expected Word = "as expected"
)

// words lists them, in the order in which a failure is told.
var words = []Word{Solved, Accurate, Expected}

// Basis says how a number of a verdict is known.
type Basis string

// The bases.
const (
	Proven    Basis = "proven"    // a bound that holds for all states and times it speaks of
	Computed  Basis = "computed"  // evaluated at every step
	Estimated Basis = "estimated" // by another run: in other steps, on another mesh
	Sampled   Basis = "sampled"   // at some places or times
	NotSaid   Basis = "not said"  // not judged: there is no number
)

// Fact is a line of a verdict: a number that must not be above its limit. The terminal,
// summary.json, the page and diagnose print the same facts.
type Fact struct {
	Word   Word    `json:"word"`
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Limit  float64 `json:"limit"`
	Unit   string  `json:"unit"` // of both; empty: counts
	Passed bool    `json:"passed"`
	Basis  Basis   `json:"basis"`
	Within float64 `json:"within,omitempty"` // by what the value may be off, of an expectation
	// Subject is the name by which a case accepts that something is not said, or is not judged.
	Subject string  `json:"subject,omitempty"`
	Place   string  `json:"place,omitempty"`  // where it is worst
	Remedy  string  `json:"remedy,omitempty"` // what would reach the limit
	Steps   float64 `json:"steps,omitempty"`  // the number of steps that Remedy names; 0: none
	Given   bool    `json:"-"`                // no length of steps, and no other setting of the scheme, changes the value
}

// AtMost is the fact that a number does not exceed its limit; NaN does.
func AtMost(word Word, name string, value, limit float64, unit string, basis Basis) Fact {
	return Fact{Word: word, Name: name, Value: value, Limit: limit, Unit: unit, Passed: value <= limit, Basis: basis}
}

// No is the fact that something which must hold does not: its name says what.
func No(word Word, name string, basis Basis) Fact {
	return Fact{Word: word, Name: name, Value: 1, Basis: basis}
}

// Unsaid is the fact that the verdict does not judge a subject, with the reason. It fails unless
// [Accept] says that the case accepts it.
func Unsaid(subject, why string) Fact {
	return Fact{Word: Accurate, Name: subject + ": " + why, Value: 1, Basis: NotSaid, Subject: subject}
}

// Accept decides which facts that are not said hold: those of the subjects that a case accepts. A
// number of such a subject that is beyond its limit is then not judged. The rule is that of the case
// alone, whatever a file says.
func Accept(facts []Fact, subjects []string) {
	for i := range facts {
		f, accepted := &facts[i], slices.Contains(subjects, facts[i].Subject)
		if accepted && !f.Passed {
			f.Basis = NotSaid
		}
		if f.Basis == NotSaid {
			f.Passed, f.Value, f.Limit = accepted, 0, 0
			if !f.Passed {
				f.Value = 1
			}
		}
	}
}

// missing reports whether there is no number to the fact, but that it does not hold.
func (f *Fact) missing() bool {
	return f.Basis == NotSaid || !f.Passed && f.Value == 1 && f.Limit == 0 && f.Unit == ""
}

// Number is the value in three digits, "unbounded" for the largest number, which stands for what has none.
func (f *Fact) Number() string {
	if !(f.Value < math.MaxFloat64) {
		return "unbounded"
	}
	return fmt.Sprintf("%.3g", f.Value)
}

// String is the fact in one line, with its numbers.
func (f *Fact) String() string {
	relation := "<="
	if !f.Passed {
		relation = "is not <="
	}
	var s strings.Builder
	s.WriteString(f.Name)
	if !f.missing() {
		off := ""
		if f.Within > 0 {
			off = fmt.Sprintf(" ± %.2g", f.Within)
		}
		fmt.Fprintf(&s, ": %s%s %s %.3g", f.Number(), off, relation, f.Limit)
	}
	if f.Unit != "" {
		s.WriteString(" " + f.Unit)
	}
	if f.Basis != "" {
		fmt.Fprintf(&s, " (%s)", f.Basis)
	}
	if f.Basis == NotSaid && f.Passed {
		s.WriteString(", accepted by the case")
	}
	if f.Place != "" {
		s.WriteString(", " + f.Place)
	}
	if f.Remedy != "" && !f.Passed {
		s.WriteString("; " + f.Remedy)
	}
	return s.String()
}

// Advise gives facts that fail the remedies of the run, which has tried them; a name may have a
// part more behind a comma, where files tell less than the run knew.
func Advise(facts, ofRun []Fact) {
	for i := range facts {
		f := &facts[i]
		k := slices.IndexFunc(ofRun, func(x Fact) bool {
			return x.Word == f.Word && !x.Passed && (x.Name == f.Name || strings.HasPrefix(f.Name, x.Name+", "))
		})
		if k >= 0 && !f.Passed {
			f.Remedy = ofRun[k].Remedy
		}
	}
}

// Holds reports whether all facts of a word have passed.
func Holds(facts []Fact, word Word) bool {
	for i := range facts {
		if facts[i].Word == word && !facts[i].Passed {
			return false
		}
	}
	return true
}
