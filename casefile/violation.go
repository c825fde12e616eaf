package casefile

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/quasistatic/quasistatic/internal/nearest"
)

// violations words why a value breaks a schema. The library says of any schema whether a value
// follows it, and no more: it is asked about one keyword of a part at a time.
type violations struct {
	*Faults
	*rules
	seen map[string]bool
}

// question is what the library is asked of values of a part of the schema, prepared once.
type question struct {
	keywords []keyword
	whole    *jsonschema.Resolved // nil: not asked yet
}

// about returns the question of a part.
func (v *violations) about(s *jsonschema.Schema) *question {
	q := v.asked[s]
	if q == nil {
		q = &question{keywords: keywords(s)}
		v.asked[s] = q
	}
	return q
}

// holds reports whether a value follows a part as a whole.
func (v *violations) holds(s *jsonschema.Schema, value any) bool {
	q := v.about(s)
	if q.whole == nil {
		var err error
		if q.whole, err = s.CloneSchemas().Resolve(nil); err != nil { // it refers to definitions
			q.whole = resolved(&jsonschema.Schema{Defs: v.Schema().Defs, AllOf: []*jsonschema.Schema{s.CloneSchemas()}})
		}
	}
	return q.whole.Validate(value) == nil
}

// explain records where a value breaks a schema.
func (v *violations) explain(s *jsonschema.Schema, p Path, value any) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		v.explain(v.Schema().Defs[strings.TrimPrefix(s.Ref, definitionsAt)], p, value)
	}
	for _, k := range v.about(s).keywords {
		if k.Validate(value) != nil {
			v.once(p, "found %s, want %s%s", show(value), k.wanted, k.remark(s, value))
		}
	}
	switch value := value.(type) {
	case map[string]any:
		v.object(s, p, value)
	case []any:
		for i := range value {
			if i < len(s.PrefixItems) {
				v.explain(s.PrefixItems[i], p.With(i), value[i])
			} else {
				v.explain(s.Items, p.With(i), value[i])
			}
		}
	}
	for _, part := range s.AllOf {
		v.explain(part, p, value)
	}
	switch {
	case s.If == nil:
	case v.holds(s.If, value):
		v.explain(s.Then, p, value)
	default:
		v.explain(s.Else, p, value)
	}
}

// object looks at the keys of an object, in the order of the alphabet.
func (v *violations) object(s *jsonschema.Schema, p Path, object map[string]any) {
	for _, key := range s.Required {
		if _, there := object[key]; !there {
			v.once(p, "the key %q is missing", key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		inner := p.With(key)
		if s.PropertyNames != nil && !v.holds(s.PropertyNames, key) {
			v.once(inner, "found the name %q, want %s, at most 100", Abbreviate(key), nameLetters)
		}
		switch part, known := s.Properties[key]; {
		case known:
			v.explain(part, inner, object[key])
		case s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil: // what false is read as
			v.unknown(inner, s, key)
		default:
			v.explain(s.AdditionalProperties, inner, object[key])
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

// unknown records a key that a schema of objects does not have.
func (v *violations) unknown(p Path, s *jsonschema.Schema, key string) {
	valid := slices.Sorted(maps.Keys(s.Properties))
	later, meant := unavailable(p), meant(s, key)
	if later != "" {
		v.once(p, "%s is not available in this version", later)
		return
	}
	if meant == "" {
		meant = nearest.Word(key, valid)
	}
	switch {
	case slices.Contains(valid, meant):
		v.once(p, "unknown key %q, the nearest valid one is %q", Abbreviate(key), meant)
	case meant != "":
		v.once(p, "unknown key %q: %s", Abbreviate(key), meant)
	default:
		v.once(p, "unknown key %q, valid ones are %s", Abbreviate(key), strings.Join(valid, ", "))
	}
}

// meant is what a schema has for a word of others, see [wordsKeyword]; "": it does not know it.
func meant(s *jsonschema.Schema, word string) string {
	list, _ := s.Extra[wordsKeyword].(map[string]any)
	text, _ := list[strings.ReplaceAll(strings.ToLower(word), "-", "_")].(string)
	return text
}

// remark ends the message about a value: the word of the enum that is meant, or, where the form is
// wrong, what has that form.
func (k *keyword) remark(s *jsonschema.Schema, value any) string {
	word, isText := value.(string)
	first, _, _ := strings.Cut(s.Description, ". ")
	switch text := meant(s, word); {
	case k.form && first != "":
		return ": " + strings.TrimSuffix(first, ".")
	case !isText || s.Enum == nil:
		return ""
	case slices.Contains(s.Enum, any(text)):
		return fmt.Sprintf("; here it is %q", text)
	case text != "":
		return "; " + text
	}
	return ""
}

// unavailable names what the format will have in a later version.
func unavailable(p Path) string {
	switch p.String() {
	case "$.solver.method":
		return "the choice of a solver (solver.method)"
	}
	return ""
}

// keyword is a rule of a schema that speaks of a value as a whole, and what it wants in words.
type keyword struct {
	*jsonschema.Resolved
	wanted string
	form   bool // it speaks of types and lengths
}

// nameLetters are what names are made of.
const nameLetters = "letters, digits, and . _ : + - after the first"

// keywords are those rules of a schema, one by one. That of what an array has to contain is left
// out: the format has it in conditions only.
func keywords(s *jsonschema.Schema) (list []keyword) {
	add := func(there bool, alone jsonschema.Schema, format string, args ...any) {
		if there {
			form := alone.Type != "" || alone.Types != nil || alone.MinItems != nil || alone.MaxItems != nil
			list = append(list, keyword{resolved(&alone), fmt.Sprintf(format, args...), form})
		}
	}
	number := func(x *float64) string {
		if x == nil {
			return ""
		}
		return strconv.FormatFloat(*x, 'g', -1, 64)
	}
	count := func(n *int) (m int) {
		if n != nil {
			m = *n
		}
		return m
	}
	if types := append(s.Types, s.Type); s.Types != nil || s.Type != "" {
		words := strings.TrimSuffix(strings.Join(types, " or "), " or ")
		add(true, jsonschema.Schema{Type: s.Type, Types: s.Types}, "%s", Article(words))
	}
	if s.Const != nil {
		add(true, jsonschema.Schema{Const: s.Const}, "%s", show(*s.Const))
	}
	add(s.Enum != nil, jsonschema.Schema{Enum: s.Enum}, "one of %s", alternatives(s.Enum))
	add(s.ExclusiveMinimum != nil, jsonschema.Schema{ExclusiveMinimum: s.ExclusiveMinimum}, "a number > %s", number(s.ExclusiveMinimum))
	add(s.Minimum != nil, jsonschema.Schema{Minimum: s.Minimum}, "a number >= %s", number(s.Minimum))
	add(s.Maximum != nil, jsonschema.Schema{Maximum: s.Maximum}, "a number <= %s", number(s.Maximum))
	add(s.ExclusiveMaximum != nil, jsonschema.Schema{ExclusiveMaximum: s.ExclusiveMaximum}, "a number < %s", number(s.ExclusiveMaximum))
	add(s.MultipleOf != nil, jsonschema.Schema{MultipleOf: s.MultipleOf}, "a multiple of %s", number(s.MultipleOf))
	add(s.MinItems != nil, jsonschema.Schema{MinItems: s.MinItems}, "at least %d items", count(s.MinItems))
	add(s.MaxItems != nil, jsonschema.Schema{MaxItems: s.MaxItems}, "at most %d items", count(s.MaxItems))
	add(s.MinProperties != nil, jsonschema.Schema{MinProperties: s.MinProperties}, "%s", choice(s))
	add(s.MaxProperties != nil, jsonschema.Schema{MaxProperties: s.MaxProperties}, "%s", choice(s))
	add(s.Pattern != "", jsonschema.Schema{Pattern: s.Pattern}, "%s", nameLetters)
	add(s.MaxLength != nil, jsonschema.Schema{MaxLength: s.MaxLength}, "at most %d letters", count(s.MaxLength))
	add(s.MinLength != nil, jsonschema.Schema{MinLength: s.MinLength}, "some text")
	return list
}

// choice says of which keys an object wants some.
func choice(s *jsonschema.Schema) string {
	free := slices.DeleteFunc(slices.Sorted(maps.Keys(s.Properties)), func(k string) bool { return slices.Contains(s.Required, k) })
	switch keys := strings.Join(free, ", "); {
	case keys == "": // a signal, whose keys are listed elsewhere
		return "exactly one of table, sine, sum"
	case s.MaxProperties != nil:
		return "exactly one of " + keys
	default:
		return "at least one of " + keys
	}
}
