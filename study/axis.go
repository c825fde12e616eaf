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
	Points [][]json.RawMessage // points × paths
}

// numbers are the values of an axis of one path; nil: they are not all numbers.
func (a *Axis) numbers() []float64 {
	if len(a.Paths) != 1 {
		return nil
	}
	list := make([]float64, len(a.Points))
	for i, p := range a.Points {
		v, err := strconv.ParseFloat(string(p[0]), 64)
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
			values, err := axisValues(e.value)
			if err != nil {
				return nil, fmt.Errorf("$.vary[%q]: %w", e.key, err)
			}
			a := Axis{Paths: []string{e.key}, Points: make([][]json.RawMessage, len(values))}
			for k := range values {
				a.Points[k] = values[k : k+1 : k+1]
			}
			list = append(list, a)
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
		n, err := axisSize(e.value)
		if err != nil {
			return fmt.Errorf("$.vary[%q]: %w", e.key, err)
		}
		runs *= float64(n)
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
		values, err := axisValues(e.value)
		if err != nil {
			return nil, fmt.Errorf("%s[%q]: %w", at, e.key, err)
		}
		if a.Paths == nil {
			a.Points = make([][]json.RawMessage, len(values))
		}
		if len(values) != len(a.Points) {
			return nil, fmt.Errorf("%s[%q]: %d values, want %d as for %q", at, e.key, len(values), len(a.Points), a.Paths[0])
		}
		a.Paths = append(a.Paths, e.key)
		for i, v := range values {
			a.Points[i] = append(a.Points[i], v)
		}
	}
	return a, nil
}

// largestAxis is the number of points that an axis may have.
const largestAxis = 10_000_000

// axisValues reads a list of values, or one of the rules for one.
func axisValues(raw json.RawMessage) ([]json.RawMessage, error) {
	list, r, err := axisRule(raw)
	if err != nil || r == nil {
		return list, err
	}
	list = make([]json.RawMessage, r.size)
	var texts []byte // of all, or there were a million small pieces of memory
	for i, v := range rule(r.name, r.numbers, r.size) {
		first := len(texts)
		texts = strconv.AppendFloat(texts, v, 'g', -1, 64)
		list[i] = texts[first:len(texts):len(texts)]
	}
	return list, nil
}

// axisSize is the number of values of an axis, without making them.
func axisSize(raw json.RawMessage) (int, error) {
	list, r, err := axisRule(raw)
	if r != nil {
		return r.size, err
	}
	return len(list), err
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

// rule computes the n points of a rule.
func rule(name string, p [3]float64, n int) []float64 {
	from, to, third := p[0], p[1], p[2]
	if name != "range" {
		return spaced(from, to, n, name == "logspace")
	}
	list := make([]float64, n)
	for i := range list {
		list[i] = decimal(from+float64(i)*third, max(math.Abs(from), math.Abs(to)))
	}
	return list
}

// tooLong refuses an axis by the number of its runs, also where many are asked for.
func tooLong(points float64) error {
	return fmt.Errorf("%.0f runs, more than %d, and with --yes more than %d points of one axis: take several axes, or a sample", points, DefaultMost, largestAxis)
}

// spaced returns n points with both ends exact.
func spaced(from, to float64, n int, geometric bool) []float64 {
	list := make([]float64, n)
	for i := range list {
		s := float64(i) / float64(max(1, n-1))
		switch {
		case i == 0:
			list[i] = from
		case i == n-1:
			list[i] = to
		case geometric:
			list[i] = elementary.Exp(elementary.Log(from) + s*elementary.Log(to/from))
		default:
			list[i] = decimal(from+s*(to-from), max(math.Abs(from), math.Abs(to)))
		}
	}
	return list
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
