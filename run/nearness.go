package run

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/table"
)

// nearness says when two numbers of summary.json are the same.
type nearness struct {
	part  float64  // of either number, by which they may differ
	rest  float64  // … and of the largest number of the model's section that is not whole
	apart []string // paths that are compared in another way, or not at all
}

// exact is that of programs of one version and one kind of rounding.
var exact = &nearness{}

// rounded is that of programs of others. Their last digits differ from the first step on, and
// solvers end an iteration sooner or later: numbers of the cases of this repository, made with
// rounding after each operation and with fused ones, are within 1e-9 of each other, and so are
// residuals, which are nothing but rounding, of the energies and forces beside them. A number
// that was written by somebody else, or made by a scheme that is not this one, is off by more,
// and then nothing is certified. Facts and expectations have limits, see [differentFacts]; what
// the solvers took is no result, nor is in how many steps contacts are held, nor which points of the
// path of a jump were visited or how many steps a pilot made and rejected, nor by how much a bound that allows
// for rounding, of q/α, is above one that is zero.
var rounded = &nearness{part: 1e-6, rest: 1e-9, apart: []string{"facts", "expectations", "memory", "solver",
	"*.solves", "*.stalled", "*.pivots", "*.rounds", "*.products", "*.iterations", "*.*.iterations", "*.most_iterations",
	"*.minimisations", "*.evaluations", "*.boundary.rate", "*.open", "*.stick", "*.slide", "existence.q_over_alpha",
	"jumps.path.points", "chosen_steps.pilot", "chosen_steps.rejected"}}

// ofSolvers are the columns of tables that say what solvers took, which is no result, and left, which
// audits hold against their limits.
var ofSolvers = []string{"iterations", "rounds", "products", "residual", "force_residual", "identity"}

const (
	// restOfTold of the largest number of their table is what numbers may differ by that only the
	// run knew: contact problems are solved to 1e-8 of their forces.
	restOfTold = 1e-8
	// restOfChecked is that of numbers that equations check: more than what audits allow, so that
	// files that pass one cannot be changed until they count as others.
	restOfChecked = 1e-6
)

// tables is the rule for tables: times, at which something is first seen, as places are, to twice
// the accuracy.
func (n *nearness) tables(accuracy float64) *table.Near {
	return &table.Near{Part: n.part, Time: 2 * accuracy, Apart: func(column string) bool { return slices.Contains(ofSolvers, column) }}
}

// ofLimit is the part of its limit by which a number of the verdict may differ in files of
// another version. Residuals are where a solver ended, anywhere below their limit. Of what is
// accurate, and of what is expected, and below a hundredth of both limits neither number says more,
// nor does the limit: it is the rounding of what was solved, or a difference of two runs that has as
// much of it. Values of expectations are compared by themselves too.
var ofLimit = map[table.Word]float64{table.Solved: 1, table.Accurate: 1e-2, table.Expected: 1e-2}

// same reports whether two numbers are the same, beside others of a size.
func (n *nearness) same(a, b, size float64) bool {
	return math.Abs(a-b) <= n.part*max(math.Abs(a), math.Abs(b))+n.rest*size
}

// different returns where two values of JSON differ first, and how.
func (n *nearness) different(path string, found, made any, size float64) string {
	switch m := made.(type) {
	case map[string]any:
		f, ok := found.(map[string]any)
		if !ok {
			break
		}
		keys := slices.Collect(maps.Keys(m))
		for key := range f {
			if _, ok := m[key]; !ok {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		size = max(size, sizeOf(m))
		for _, key := range keys {
			if at := n.different(path+"."+key, f[key], m[key], size); at != "" {
				return at
			}
		}
		return ""
	case []any:
		f, ok := found.([]any)
		if !ok || len(f) != len(m) {
			break
		}
		for i := range m {
			if at := n.different(fmt.Sprintf("%s[%d]", path, i), f[i], m[i], size); at != "" {
				return at
			}
		}
		return ""
	case float64:
		if f, ok := found.(float64); ok && n.same(f, m, size) {
			return ""
		}
	}
	if reflect.DeepEqual(found, made) {
		return ""
	}
	return fmt.Sprintf("%s is %s and not %s", strings.TrimPrefix(path, "."), short(found), short(made))
}

// sizeOf is that of the largest number within an object that is not whole, and so no count.
func sizeOf(m map[string]any) (size float64) {
	for _, v := range m {
		switch v := v.(type) {
		case float64:
			if v != math.Trunc(v) {
				size = max(size, math.Abs(v))
			}
		case map[string]any:
			size = max(size, sizeOf(v))
		}
	}
	return size
}

// sizeOfSection is that of the largest number of the section of a model that is not whole.
func sizeOfSection(s *table.Summary) (float64, error) {
	text, err := json.Marshal(s.Section)
	if err != nil {
		return 0, err
	}
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		return 0, err
	}
	return sizeOf(v), nil
}

// differentFacts returns the first line of the verdict, or outcome of an expectation, that the
// run made again has otherwise: names, bases and what has passed as they are, numbers to
// rounding; "": there is none. Residuals that are expected are small beside the numbers of the
// section, of a size. What values may be off by is a difference of two values, of the run and of one beside
// it, and has the rounding of both.
func differentFacts(found, made *table.Summary, size float64) string {
	if len(found.Facts) != len(made.Facts) || len(found.Expectations) != len(made.Expectations) {
		return fmt.Sprintf("%s: %d facts of %d expectations and not %d of %d", table.SummaryFile, len(found.Facts),
			len(found.Expectations), len(made.Facts), len(made.Expectations))
	}
	for i := range made.Facts {
		a, b := found.Facts[i], made.Facts[i]
		allowed := ofLimit[b.Word]*math.Abs(b.Limit) + rounded.part*math.Abs(b.Value)
		if b.Word == table.Expected {
			allowed += rounded.rest * size
		}
		slight := b.Word == table.Accurate && max(math.Abs(a.Value),
			math.Abs(b.Value)) <= ofLimit[b.Word]*min(math.Abs(a.Limit), math.Abs(b.Limit))
		values := slight || math.Abs(a.Value-b.Value) <= allowed && math.Abs(a.Limit-b.Limit) <= rounded.part*math.Abs(b.Limit)
		values = values && math.Abs(a.Within-b.Within) <= allowed
		a.Value, a.Limit, a.Within, a.Place, a.Remedy, a.Steps = b.Value, b.Limit, b.Within, b.Place, b.Remedy, b.Steps
		if !values || a != b {
			return fmt.Sprintf("%s: facts[%d] is %q and not %q", table.SummaryFile, i, found.Facts[i].String(), made.Facts[i].String())
		}
	}
	for i := range made.Expectations {
		a, b := found.Expectations[i], made.Expectations[i]
		if a.Value != nil && b.Value != nil {
			allowed := rounded.part*math.Abs(*b.Value) + rounded.rest*size
			for _, bound := range []*float64{b.Tolerance, b.Min, b.Max} {
				if bound != nil {
					allowed = max(allowed, rounded.part*math.Abs(*bound))
				}
			}
			if math.Abs(*a.Value-*b.Value) <= allowed {
				a.Value = b.Value
			}
			if math.Abs(a.Within-b.Within) <= 2*allowed+rounded.part*b.Within { // a difference of two values
				a.Within = b.Within
			}
		}
		if a.At != nil && b.At != nil {
			a.At = b.At // a place: which of two extremes that are the same but for rounding is met first, rounding decides
		}
		if !reflect.DeepEqual(a, b) {
			return fmt.Sprintf("%s: expectations[%d], %s, is another one", table.SummaryFile, i, short(b.Label))
		}
	}
	return ""
}
