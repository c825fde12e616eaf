package study

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Axis is a list of points: values for one path, or for several that go together.
type Axis struct {
	Paths  []string
	values []values // one a path, of one length
}

// Len is the number of points.
func (a *Axis) Len() int { return a.values[0].len() }

// Point returns the values of point i, one a path.
func (a *Axis) Point(i int) []json.RawMessage {
	list := make([]json.RawMessage, len(a.values))
	for j := range list {
		list[j] = a.values[j].at(i)
	}
	return list
}

// numbers are the values of an axis of one path; nil: they are not all numbers.
func (a *Axis) numbers() []float64 {
	if len(a.Paths) != 1 {
		return nil
	}
	list := make([]float64, a.Len())
	for i := range list {
		v, err := strconv.ParseFloat(string(a.values[0].at(i)), 64)
		if err != nil {
			return nil
		}
		list[i] = v
	}
	return list
}

// axes reads the keys vary and zip.
func axes(vary json.RawMessage, zip []json.RawMessage) ([]Axis, error) {
	var list []Axis
	if vary != nil {
		entries, err := object(vary, "$.vary")
		if err != nil {
			return nil, err
		}
		if err := countable(entries); err != nil {
			return nil, err
		}
		for _, e := range entries {
			v, err := axisValues(e.value)
			if err != nil {
				return nil, fmt.Errorf("$.vary[%q]: %w", e.key, err)
			}
			list = append(list, Axis{Paths: []string{e.key}, values: []values{v}})
		}
	}
	for i, raw := range zip {
		a, err := zipped(raw, fmt.Sprintf("$.zip[%d]", i))
		if err != nil {
			return nil, err
		}
		list = append(list, *a)
	}
	return list, nil
}

// largestPlan is the number of runs of a study, also where many are asked for: each has a number
// and an id in memory.
const largestPlan = 10_000_000_000

// countable refuses axes whose combinations are too many, before any is made.
func countable(entries []entry) error {
	runs := 1.0
	for _, e := range entries {
		v, err := axisValues(e.value)
		if err != nil {
			return fmt.Errorf("$.vary[%q]: %w", e.key, err)
		}
		runs *= float64(v.len())
	}
	if runs > largestPlan {
		return fmt.Errorf("$.vary: %.10g runs, more than %d, and with --yes at most %.0g", runs, DefaultMost, float64(largestPlan))
	}
	return nil
}

// zipped reads paths whose values go together: the first of all, then the second of all.
func zipped(raw json.RawMessage, at string) (*Axis, error) {
	entries, err := object(raw, at)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s: empty, want paths with lists of one length", at)
	}
	a := &Axis{}
	for _, e := range entries {
		v, err := axisValues(e.value)
		if err != nil {
			return nil, fmt.Errorf("%s[%q]: %w", at, e.key, err)
		}
		a.Paths, a.values = append(a.Paths, e.key), append(a.values, v)
		if v.len() != a.Len() {
			return nil, fmt.Errorf("%s[%q]: %d values, want %d as for %q", at, e.key, v.len(), a.Len(), a.Paths[0])
		}
	}
	return a, nil
}

// largestAxis is the number of points that an axis may have.
const largestAxis = 10_000_000

// values are those that a path takes: a list, or a rule, of which none is in memory.
type values struct {
	list []json.RawMessage
	rule *spacing
}

// axisValues reads a list of values, or one of the rules for one.
func axisValues(raw json.RawMessage) (v values, err error) {
	v.list, v.rule, err = axisRule(raw)
	return v, err
}

func (v values) len() int {
	if v.rule != nil {
		return v.rule.size
	}
	return len(v.list)
}

func (v values) at(i int) json.RawMessage {
	if v.rule != nil {
		return number(v.rule.at(i))
	}
	return v.list[i]
}

// spacing is a rule for values that are not listed.
type spacing struct {
	name    string
	numbers [3]float64
	size    int
}

// axisRule reads a list, or else a rule.
func axisRule(raw json.RawMessage) ([]json.RawMessage, *spacing, error) {
	switch raw[0] {
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, nil, err
		}
		if len(list) == 0 {
			return nil, nil, fmt.Errorf("an empty list, want at least one value")
		}
		return list, nil, nil
	case '{':
	default:
		return nil, nil, fmt.Errorf("found %s, want a list of values, or {\"linspace\": [from, to, count]}", short(raw))
	}
	entries, err := object(raw, "the rule")
	if err != nil {
		return nil, nil, err
	}
	if len(entries) != 1 {
		return nil, nil, fmt.Errorf("found %d keys, want one of %s", len(entries), "linspace, logspace, range")
	}
	r := &spacing{name: entries[0].key}
	if err := numbers(r.numbers[:], entries[0].value); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", r.name, err)
	}
	r.size, err = ruleSize(r.name, r.numbers)
	return nil, r, err
}

// ruleSize is the number of points of a rule: linspace and logspace from a to b with c points,
// range from a to b by c.
func ruleSize(name string, p [3]float64) (int, error) {
	from, to, third := p[0], p[1], p[2]
	points := third
	switch name {
	case "linspace", "logspace":
		if third != math.Trunc(third) || third < 1 {
			return 0, fmt.Errorf("%s: found %g points, want a whole number of at least 1", name, third)
		}
		if name == "logspace" && !(from > 0 && to > 0) {
			return 0, fmt.Errorf("logspace: found %g and %g, want ends > 0", from, to)
		}
	case "range":
		steps := (to - from) / third
		if third == 0 || !(steps >= 0) {
			return 0, fmt.Errorf("range: found %v, want [from, to, step] that ends", p)
		}
		// Half a rounding error of the quotient more: [0, 1, 0.1] has eleven points.
		points = 1 + math.Floor(steps*(1+0x1p-50))
	default:
		return 0, unknownKey("the rule", name, []string{"linspace", "logspace", "range"})
	}
	if points > largestAxis {
		return 0, fmt.Errorf("%s: %w", name, tooLong(points))
	}
	return int(points), nil
}

// at is point i of a rule; both ends of linspace and logspace are exact. Products are rounded
// before they are added, float64(a*b), as the language has it: a processor that fuses the two would
// have other last digits, and with them other runs.
func (r *spacing) at(i int) float64 {
	from, to, third := r.numbers[0], r.numbers[1], r.numbers[2]
	s := float64(i) / float64(max(1, r.size-1))
	size := max(math.Abs(from), math.Abs(to))
	switch {
	case r.name == "range":
		return decimal(from+float64(float64(i)*third), size)
	case i == 0:
		return from
	case i == r.size-1:
		return to
	case r.name == "logspace":
		return elementary.Exp(elementary.Log(from) + float64(s*elementary.Log(to/from)))
	}
	return decimal(from+float64(s*(to-from)), size)
}

// tooLong refuses an axis by the number of its runs, also where many are asked for.
func tooLong(points float64) error {
	return fmt.Errorf("%.0f runs, more than %d, and with --yes more than %d points of one axis: take several axes, or a sample",
		points, DefaultMost, largestAxis)
}

// decimal is the number of 15 digits that rounding of numbers of a size has missed by a few
// last places: .9 for .8999999999999999.
func decimal(v, size float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 15, 64), 64)
	if err != nil || math.Abs(short-v) > 4*0x1p-53*size {
		return v
	}
	return short
}

// numbers reads a list of as many finite numbers as dst has.
func numbers(dst []float64, raw json.RawMessage) error {
	var list []float64
	if err := json.Unmarshal(raw, &list); err != nil || len(list) != len(dst) {
		return fmt.Errorf("found %s, want %d numbers", short(raw), len(dst))
	}
	copy(dst, list)
	return nil
}

// number is a value as JSON, with all its digits.
func number(v float64) json.RawMessage {
	return strconv.AppendFloat(nil, v, 'g', -1, 64)
}
