package casefile

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/quasistatic/quasistatic/internal/nearest"
)

//go:embed case.schema.json
var schemaText []byte

// Schema returns the JSON Schema (draft 2020-12) of the case format.
func Schema() []byte { return slices.Clone(schemaText) }

// grammar is the schema, compiled once.
var grammar = sync.OnceValue(func() (g struct {
	schema *jsonschema.Schema
	tree   any
}) {
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		panic("casefile: embedded schema: " + err.Error())
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:quasistatic:case", tree); err != nil {
		panic("casefile: embedded schema: " + err.Error())
	}
	g.schema, g.tree = c.MustCompile("urn:quasistatic:case"), tree
	return g
})

// validate checks a tree against the schema.
func (f *faults) validate(tree any) {
	err := grammar().schema.Validate(tree)
	if err == nil {
		return
	}
	invalid, ok := err.(*jsonschema.ValidationError)
	if !ok {
		f.add(nil, "%v", err)
		return
	}
	v := violations{faults: f, tree: tree, seen: map[string]bool{}}
	v.collect(invalid)
}

// violations turns the nested errors of the validator into faults.
type violations struct {
	*faults
	tree any
	seen map[string]bool
}

func (v *violations) collect(e *jsonschema.ValidationError) {
	if len(e.Causes) > 0 {
		if k, ok := e.ErrorKind.(*kind.PropertyNames); ok {
			v.once(v.place(e.InstanceLocation).with(k.Property), "found the name %q, want letters, digits, and . _ : + - after the first, at most 100", abbreviate(k.Property))
			return
		}
		for _, c := range e.Causes {
			v.collect(c)
		}
		return
	}
	p := v.place(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		v.unknown(p, k.Properties, e.SchemaURL)
	case *kind.Required:
		for _, key := range k.Missing {
			v.once(p, "the key %q is missing", key)
		}
	default:
		v.once(p, "found %s, want %s", show(v.value(p)), wanted(e.ErrorKind))
	}
}

// once records the first fault of a value; later ones mostly follow from it. A
// missing key is another matter for every key.
func (v *violations) once(p path, format string, args ...any) {
	key := p.String()
	if strings.Contains(format, "missing") {
		key += fmt.Sprint(args...)
	}
	if !v.seen[key] {
		v.seen[key] = true
		v.add(p, format, args...)
	}
}

// unknown records keys that the schema does not have.
func (v *violations) unknown(p path, keys []string, schemaURL string) {
	slices.Sort(keys)
	valid := keysOf(schemaURL)
	for _, key := range keys {
		inner := p.with(key)
		switch later, guess := unavailable(inner), nearest.Word(key, valid); {
		case later != "":
			v.once(inner, "%s is not available in this version", later)
		case guess != "":
			v.once(inner, "unknown key %q, the nearest valid one is %q", abbreviate(key), guess)
		default:
			v.once(inner, "unknown key %q, valid ones are %s", abbreviate(key), strings.Join(valid, ", "))
		}
	}
}

// unavailable names what the format will have in a later version.
func unavailable(p path) string {
	switch p.String() {
	case "$.solver.method":
		return "the choice of a solver (solver.method)"
	}
	return ""
}

// keysOf returns the keys of the object that a place of the schema describes.
func keysOf(schemaURL string) []string {
	_, pointer, _ := strings.Cut(schemaURL, "#")
	node := grammar().tree
	for _, token := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if m, ok := node.(map[string]any); ok && token != "" {
			node = m[token]
		}
	}
	m, _ := node.(map[string]any)
	properties, _ := m["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

// place turns the location of the validator, strings only, into a path.
func (v *violations) place(location []string) path {
	var p path
	node := v.tree
	for _, token := range location {
		switch n := node.(type) {
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n) {
				return p
			}
			p, node = p.with(i), n[i]
		case map[string]any:
			p, node = p.with(token), n[token]
		}
	}
	return p
}

// value returns the value at a path.
func (v *violations) value(p path) any {
	node := v.tree
	for _, step := range p {
		switch k := step.(type) {
		case int:
			node = node.([]any)[k]
		case string:
			node = node.(map[string]any)[k]
		}
	}
	return node
}

// show prints a value for a message.
func show(v any) string {
	switch v := v.(type) {
	case []any:
		return fmt.Sprintf("an array of %d", len(v))
	case map[string]any:
		return "an object"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return abbreviate(string(text))
}

// wanted says what a rule of the schema asks for.
func wanted(rule jsonschema.ErrorKind) string {
	switch k := rule.(type) {
	case *kind.Type:
		return article(strings.Join(k.Want, " or "))
	case *kind.Enum:
		return "one of " + list(k.Want)
	case *kind.Const:
		return show(k.Want)
	case *kind.Minimum:
		return "a number >= " + short(k.Want)
	case *kind.ExclusiveMinimum:
		return "a number > " + short(k.Want)
	case *kind.Maximum:
		return "a number <= " + short(k.Want)
	case *kind.ExclusiveMaximum:
		return "a number < " + short(k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("at least %d items", k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("at most %d items", k.Want)
	case *kind.MinProperties, *kind.MaxProperties:
		return "exactly one of table, sine, sum"
	case *kind.Pattern:
		return "letters, digits, and . _ : + - after the first"
	case *kind.MaxLength:
		return fmt.Sprintf("at most %d letters", k.Want)
	case *kind.MinLength:
		return "some text"
	}
	return "what the schema asks for (" + strings.Join(rule.KeywordPath(), " ") + ")"
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

func list(values []any) string {
	var words []string
	for _, v := range values {
		words = append(words, show(v))
	}
	return strings.Join(words, ", ")
}

func short(r *big.Rat) string {
	v, _ := r.Float64()
	return strconv.FormatFloat(v, 'g', -1, 64)
}
