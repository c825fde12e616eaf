package casefile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quasistatic/quasistatic/internal/nearest"
)

// validate checks a tree against the schema of its model.
func (g *Grammar) validate(f *Faults, model string, tree map[string]any) {
	v := violations{Faults: f, definitions: g.of(model), seen: map[string]bool{}}
	v.check(v.find(model), nil, tree)
}

// violations turns what breaks the rules into Faults.
type violations struct {
	*Faults
	*definitions
	seen map[string]bool
}

// holds reports whether a value follows the rules, and records nothing.
func (v *violations) holds(s *part, value any) bool {
	trial := violations{Faults: &Faults{}, definitions: v.definitions, seen: map[string]bool{}}
	trial.check(s, nil, value)
	return !trial.Any()
}

// check records where a value breaks the rules of a schema. What has the wrong type, or is not
// among the values that may stand there, is not looked into.
func (v *violations) check(s *part, p Path, value any) {
	if s == nil {
		return
	}
	r := s.of(v.definitions)
	if want := r.disallows(value); want != "" {
		v.once(p, "found %s, want %s", show(value), want)
		return
	}
	v.check(r.target, p, value)
	switch value := value.(type) {
	case map[string]any:
		v.object(r, p, value)
	case []any:
		v.array(r, p, value)
	case string:
		v.text(r, p, value)
	case float64:
		v.number(r, p, value)
	}
	for _, s := range r.AllOf {
		v.check(s, p, value)
	}
	switch {
	case r.If == nil:
	case v.holds(r.If, value):
		v.check(r.Then, p, value)
	default:
		v.check(r.Else, p, value)
	}
}

// disallows says what is wanted instead of a value of a wrong type, or one that is not listed.
func (r *rule) disallows(value any) string {
	switch {
	case r.forbidden:
		return "nothing"
	case r.Types != nil && !slices.ContainsFunc(r.Types, func(t string) bool { return isType(value, t) }):
		return Article(strings.Join(r.Types, " or "))
	case r.Const != nil && !same(value, r.Const):
		return show(r.Const)
	case r.Enum != nil && !slices.ContainsFunc(r.Enum, func(e any) bool { return same(value, e) }):
		return "one of " + quoted(r.Enum)
	}
	return ""
}

// isType reports whether a value has a type of JSON Schema.
func isType(value any, name string) bool {
	switch value := value.(type) {
	case map[string]any:
		return name == "object"
	case []any:
		return name == "array"
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case float64:
		return name == "number" || name == "integer" && value == math.Trunc(value)
	}
	return name == "null"
}

// same compares with a scalar of the schema.
func same(value, scalar any) bool {
	switch scalar.(type) {
	case string, float64, bool:
		return value == scalar
	}
	panic(fmt.Sprintf("casefile: schema: %v is no scalar", scalar))
}

func (v *violations) object(r *rule, p Path, object map[string]any) {
	if n := len(object); r.MinProperties != nil && n < *r.MinProperties || r.MaxProperties != nil && n > *r.MaxProperties {
		v.once(p, "found %s, want %s", show(object), "exactly one of table, sine, sum")
	}
	for _, key := range r.Required {
		if _, there := object[key]; !there {
			v.once(p, "the key %q is missing", key)
		}
	}
	keys := slices.Sorted(maps.Keys(object))
	for _, key := range keys {
		s, known := r.Properties[key]
		switch {
		case known:
			v.check(s, p.With(key), object[key])
		case r.Additional != nil && r.Additional.of(v.definitions).forbidden:
			v.unknown(r, p.With(key), key)
		default:
			v.check(r.Additional, p.With(key), object[key])
		}
	}
	for _, key := range keys {
		if r.PropertyNames != nil && !v.holds(r.PropertyNames, key) {
			v.once(p.With(key), "found the name %q, want %s, at most 100", Abbreviate(key), nameLetters)
		}
	}
}

// nameLetters are what names are made of.
const nameLetters = "letters, digits, and . _ : + - after the first"

func (v *violations) array(r *rule, p Path, array []any) {
	if r.MinItems != nil && len(array) < *r.MinItems {
		v.once(p, "found %s, want at least %d items", show(array), *r.MinItems)
	}
	if r.MaxItems != nil && len(array) > *r.MaxItems {
		v.once(p, "found %s, want at most %d items", show(array), *r.MaxItems)
	}
	for i, item := range array {
		switch {
		case i < len(r.PrefixItems):
			v.check(r.PrefixItems[i], p.With(i), item)
		case r.Items != nil:
			v.check(r.Items, p.With(i), item)
		}
	}
	if r.Contains != nil && !slices.ContainsFunc(array, func(item any) bool { return v.holds(r.Contains, item) }) {
		for i, item := range array {
			v.check(r.Contains, p.With(i), item)
		}
		v.once(p, "found %s, want what the schema asks for (contains)", show(array))
	}
}

func (v *violations) text(r *rule, p Path, text string) {
	n := utf8.RuneCountInString(text)
	if r.MinLength != nil && n < *r.MinLength {
		v.once(p, "found %s, want some text", show(text))
	}
	if r.MaxLength != nil && n > *r.MaxLength {
		v.once(p, "found %s, want at most %d letters", show(text), *r.MaxLength)
	}
	if r.Pattern != "" && !isName(text) {
		v.once(p, "found %s, want %s", show(text), nameLetters)
	}
}

// isName reports whether a text fits the only pattern of the format, that of names; a test
// holds it against the expression.
func isName(text string) bool {
	for i, r := range text {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) && (i == 0 || !strings.ContainsRune(".:+-", r)) {
			return false
		}
	}
	return text != ""
}

func (v *violations) number(r *rule, p Path, x float64) {
	for _, c := range []struct {
		bound  *float64
		broken func(bound float64) bool
		want   string
	}{
		{r.Minimum, func(b float64) bool { return x < b }, "a number >= "},
		{r.Maximum, func(b float64) bool { return x > b }, "a number <= "},
		{r.ExclusiveMinimum, func(b float64) bool { return x <= b }, "a number > "},
		{r.ExclusiveMaximum, func(b float64) bool { return x >= b }, "a number < "},
		{r.MultipleOf, func(b float64) bool { return math.Mod(x, b) != 0 }, "a multiple of "},
	} {
		if c.bound != nil && c.broken(*c.bound) {
			v.once(p, "found %s, want %s", show(x), c.want+strconv.FormatFloat(*c.bound, 'g', -1, 64))
		}
	}
}

// once records the first fault of a value; later ones mostly follow from it. A
// missing key is another matter for every key.
func (v *violations) once(p Path, format string, args ...any) {
	key := p.String()
	if strings.Contains(format, "missing") {
		key += fmt.Sprint(args...)
	}
	if !v.seen[key] {
		v.seen[key] = true
		v.Add(p, format, args...)
	}
}

// unknown records a key that the schema of its object does not have.
func (v *violations) unknown(r *rule, p Path, key string) {
	valid := slices.Sorted(maps.Keys(r.Properties))
	switch later, guess := unavailable(p), nearest.Word(key, valid); {
	case later != "":
		v.once(p, "%s is not available in this version", later)
	case guess != "":
		v.once(p, "unknown key %q, the nearest valid one is %q", Abbreviate(key), guess)
	default:
		v.once(p, "unknown key %q, valid ones are %s", Abbreviate(key), strings.Join(valid, ", "))
	}
}
