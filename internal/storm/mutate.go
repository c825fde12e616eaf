// Package storm makes damaged inputs of whole ones, by a seed: texts of which bits, lines, numbers
// and keys are others, and cases that are well formed and say something else.
package storm

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
)

// oddNumbers are those at which formulas break.
var oddNumbers = []string{"0", "-0", "-1", "1", "2", "3", "0.5", "7", "1e-3", "1e3", "1e6", "1e15", "1e-15", "1e150",
	"-1e150", "1e300", "-1e300", "5e-324",
	"1.7976931348623157e308", "9007199254740994", "9223372036854775807", "18446744073709551616", "-9223372036854775808",
	"2147483648", "1e400", "NaN", "inf"}

// Damage returns a text with a few changes; every other JSON text keeps its form, so that
// more of it gets past the parsers.
func Damage(r *rand.Rand, text []byte, others [][]byte) []byte {
	if r.IntN(2) == 0 {
		if changed, ok := Distort(r, text); ok {
			return changed
		}
	}
	for range 1 + r.IntN(3) {
		text = change(r, text, others)
	}
	return text
}

// change makes one change of a random kind.
func change(r *rand.Rand, text []byte, others [][]byte) []byte {
	if len(text) == 0 {
		return []byte("{}")
	}
	at := r.IntN(len(text))
	switch r.IntN(20) { // most of what is no longer JSON is refused by its parser at once
	case 0: // a bit
		text = bytes.Clone(text)
		text[at] ^= 1 << r.IntN(8)
	case 1: // cut short
		return text[:at]
	case 2: // a piece out
		end := min(len(text), at+1+r.IntN(20))
		return slices.Concat(text[:at], text[end:])
	case 3: // a line twice, or moved
		lines := bytes.SplitAfter(text, []byte("\n"))
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		return bytes.Join(slices.Insert(slices.Clone(lines), i, lines[j]), nil)
	case 4: // a line out
		lines := bytes.SplitAfter(text, []byte("\n"))
		i := r.IntN(len(lines))
		return bytes.Join(slices.Delete(slices.Clone(lines), i, i+1), nil)
	case 5: // a piece of another input
		other := others[r.IntN(len(others))]
		if len(other) > 0 {
			from := r.IntN(len(other))
			return slices.Concat(text[:at], other[from:min(len(other), from+r.IntN(200))], text[at:])
		}
	case 6, 7, 8, 9, 10, 11, 12, 13: // a number
		return changeNumber(r, text)
	default: // the tree of a JSON text
		var tree any
		if json.Unmarshal(text, &tree) != nil {
			return changeNumber(r, text)
		}
		left := 1
		changed, err := json.Marshal(changeTree(r, tree, &left, 1/float64(1+bytes.Count(text, []byte(",")))))
		if err == nil {
			return changed
		}
	}
	return text
}

var numberPattern = regexp.MustCompile(`-?\d+(\.\d*)?([eE][-+]?\d+)?`)

// changeNumber replaces one number of a text.
func changeNumber(r *rand.Rand, text []byte) []byte {
	found := numberPattern.FindAllIndex(text, -1)
	if len(found) == 0 {
		return text
	}
	at := found[r.IntN(len(found))]
	replacement := oddNumbers[r.IntN(len(oddNumbers))]
	if v, err := strconv.ParseFloat(string(text[at[0]:at[1]]), 64); err == nil && r.IntN(2) == 0 {
		replacement = strconv.FormatFloat(v*[]float64{-1, 10, .1, 1e6, 1e-6, 1.0000001}[r.IntN(6)], 'g', -1, 64)
	}
	return slices.Concat(text[:at[0]], []byte(replacement), text[at[1]:])
}

// changeTree changes keys and values of a tree, each with a small probability.
func changeTree(r *rand.Rand, v any, left *int, of float64) any {
	if *left > 0 && r.Float64() < of {
		*left--
		return []any{nil, true, "", "x", "../../../etc/passwd", "\u202e\u0007[31m", []any{}, map[string]any{}, 0, -1.5,
			1e300, []any{[]any{0}}, "1"}[r.IntN(13)]
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			v[key] = changeTree(r, v[key], left, of)
			if *left > 0 && r.Float64() < of {
				*left--
				if delete(v, key); r.IntN(2) == 0 {
					v[key+"s"] = 1
				}
			}
		}
	case []any:
		for i := range v {
			v[i] = changeTree(r, v[i], left, of)
		}
		if len(v) > 0 && *left > 0 && r.Float64() < of {
			*left--
			if i := r.IntN(len(v)); r.IntN(2) == 0 {
				return append(v, v[i])
			} else {
				return slices.Delete(v, i, i+1)
			}
		}
	}
	return v
}

// Distort changes a few numbers of a JSON text, each by a factor or to that of another, and
// sometimes takes a key away or repeats a member of a list; false: the text is not JSON.
func Distort(r *rand.Rand, text []byte) (changed []byte, ok bool) {
	var tree any
	if json.Unmarshal(text, &tree) != nil {
		return nil, false
	}
	d := distortion{r: r}
	d.collect(tree)
	for range 1 + r.IntN(3) {
		if len(d.places) == 0 {
			break
		}
		if d.places[r.IntN(len(d.places))](); r.IntN(8) == 0 && len(d.bends) > 0 {
			d.bends[r.IntN(len(d.bends))]()
		}
	}
	changed, err := json.Marshal(tree)
	return changed, err == nil
}

// distortion collects what can be changed in a tree.
type distortion struct {
	r       *rand.Rand
	numbers []float64
	places  []func() // change a number
	bends   []func() // change what is there at all
}

func (d *distortion) collect(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			d.number(v[key], func(x float64) { v[key] = x })
			d.bends = append(d.bends, func() { delete(v, key) })
			d.collect(v[key])
		}
	case []any:
		for i := range v {
			d.number(v[i], func(x float64) { v[i] = x })
			d.bends = append(d.bends, func() { v[i] = v[d.r.IntN(len(v))] })
			d.collect(v[i])
		}
	}
}

// number notes a number and how it is replaced.
func (d *distortion) number(v any, set func(float64)) {
	x, ok := v.(float64)
	if !ok {
		return
	}
	d.numbers = append(d.numbers, x)
	d.places = append(d.places, func() {
		switch d.r.IntN(6) {
		case 0:
			set(d.numbers[d.r.IntN(len(d.numbers))])
		case 1:
			set(float64(d.r.IntN(4)))
		default:
			y := x * []float64{-1, 0, 2, .5, 10, .1, 1e3, 1e-3, 1e6, 1e-6, 1e12, 1e-12, 1.0000001}[d.r.IntN(13)]
			if x == math.Trunc(x) && d.r.IntN(3) > 0 {
				y = math.Round(y)
			}
			set(y)
		}
	})
}
