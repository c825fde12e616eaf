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

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/quasistatic/quasistatic/internal/nearest"
)

//go:embed common.schema.json
var commonText []byte

// Definition is the part that a model has in the case format.
type Definition struct {
	Model string // value of the key "model"
	Title string // what it is, in a few words
	// Schema is a JSON object of definitions, of which one has the name of the model and
	// is the schema of its cases. They may refer to each other and to those that all
	// models share, as #/$defs/<name>. Models of one family may share a Schema: it then
	// comes with the first.
	Schema []byte
}

// Grammar is the format of cases, composed of what its models define.
type Grammar struct {
	models []string
	text   []byte
	schema *jsonschema.Schema
	tree   any
}

// NewGrammar composes a grammar. It panics where definitions are no schema: they are part
// of the program.
func NewGrammar(parts ...Definition) *Grammar {
	g := &Grammar{}
	for _, d := range parts {
		g.models = append(g.models, d.Model)
	}
	g.text = compose(parts)
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(g.text))
	if err != nil {
		panic("casefile: composed schema: " + err.Error())
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:quasistatic:case", tree); err != nil {
		panic("casefile: composed schema: " + err.Error())
	}
	g.schema, g.tree = c.MustCompile("urn:quasistatic:case"), tree
	return g
}

// Schema returns the JSON Schema (draft 2020-12) of the format.
func (g *Grammar) Schema() []byte { return slices.Clone(g.text) }

// compose writes the schema: its head, which chooses by the key model, the definitions of
// the models, and those that they share. Their text stays as it is.
func compose(parts []Definition) []byte {
	var names, titles, rules []string
	var definitions bytes.Buffer
	known := map[string]bool{}
	add := func(text []byte) {
		for _, m := range members(text) {
			if known[m.name] {
				panic("casefile: composed schema: two definitions of " + m.name)
			}
			known[m.name] = true
			if definitions.Len() > 0 {
				definitions.WriteString(",\n")
			}
			fmt.Fprintf(&definitions, "    %q: %s", m.name, bytes.ReplaceAll(m.text, []byte("\n"), []byte("\n  ")))
		}
	}
	for _, d := range parts {
		names, titles = append(names, strconv.Quote(d.Model)), append(titles, d.Model+": "+d.Title)
		rules = append(rules, fmt.Sprintf(`    {
      "if": {"properties": {"model": {"const": %[1]q}}, "required": ["model"]},
      "then": {"$ref": "#/$defs/%[1]s"}
    }`, d.Model))
		if d.Schema != nil {
			add(d.Schema)
		}
	}
	for _, d := range parts {
		if !known[d.Model] {
			panic("casefile: composed schema: no definition of " + d.Model)
		}
	}
	add(commonText)
	return fmt.Appendf(nil, `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:quasistatic:case",
  "title": "quasistatic case",
  "description": "A mechanical system with friction, its history of loading and what a correct run shows. SI units throughout.",
  "type": "object",
  "required": ["model"],
  "properties": {
    "model": {
      "description": %q,
      "enum": [%s]
    }
  },
  "allOf": [
%s
  ],
  "$defs": {
%s
  }
}
`, "The kind of model. "+strings.Join(titles, "; ")+".", strings.Join(names, ", "), strings.Join(rules, ",\n"), &definitions)
}

// member is one of a JSON object.
type member struct {
	name string
	text json.RawMessage
}

// members returns those of an object in their order.
func members(object []byte) (list []member) {
	d := json.NewDecoder(bytes.NewReader(object))
	_, err := d.Token()
	for err == nil && d.More() {
		var name json.Token
		if name, err = d.Token(); err == nil {
			m := member{name: name.(string)}
			err = d.Decode(&m.text)
			list = append(list, m)
		}
	}
	if err != nil {
		panic("casefile: definitions: " + err.Error())
	}
	return list
}

// validate checks a tree against the schema.
func (g *Grammar) validate(f *Faults, tree any) {
	err := g.schema.Validate(tree)
	if err == nil {
		return
	}
	invalid, ok := err.(*jsonschema.ValidationError)
	if !ok {
		f.Add(nil, "%v", err)
		return
	}
	v := violations{Faults: f, grammar: g, tree: tree, seen: map[string]bool{}}
	v.collect(invalid)
}

// violations turns the nested errors of the validator into Faults.
type violations struct {
	*Faults
	grammar *Grammar
	tree    any
	seen    map[string]bool
}

func (v *violations) collect(e *jsonschema.ValidationError) {
	if len(e.Causes) > 0 {
		if k, ok := e.ErrorKind.(*kind.PropertyNames); ok {
			v.once(v.place(e.InstanceLocation).With(k.Property), "found the name %q, want letters, digits, and . _ : + - after the first, at most 100", Abbreviate(k.Property))
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

// unknown records keys that the schema does not have.
func (v *violations) unknown(p Path, keys []string, schemaURL string) {
	slices.Sort(keys)
	valid := v.grammar.keysOf(schemaURL)
	for _, key := range keys {
		inner := p.With(key)
		switch later, guess := unavailable(inner), nearest.Word(key, valid); {
		case later != "":
			v.once(inner, "%s is not available in this version", later)
		case guess != "":
			v.once(inner, "unknown key %q, the nearest valid one is %q", Abbreviate(key), guess)
		default:
			v.once(inner, "unknown key %q, valid ones are %s", Abbreviate(key), strings.Join(valid, ", "))
		}
	}
}

// unavailable names what the format will have in a later version.
func unavailable(p Path) string {
	switch p.String() {
	case "$.solver.method":
		return "the choice of a solver (solver.method)"
	}
	return ""
}

// keysOf returns the keys of the object that a place of the schema describes.
func (g *Grammar) keysOf(schemaURL string) []string {
	_, pointer, _ := strings.Cut(schemaURL, "#")
	node := g.tree
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
func (v *violations) place(location []string) Path {
	var p Path
	node := v.tree
	for _, token := range location {
		switch n := node.(type) {
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n) {
				return p
			}
			p, node = p.With(i), n[i]
		case map[string]any:
			p, node = p.With(token), n[token]
		}
	}
	return p
}

// value returns the value at a path.
func (v *violations) value(p Path) any {
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
	return Abbreviate(string(text))
}

// wanted says what a rule of the schema asks for.
func wanted(rule jsonschema.ErrorKind) string {
	switch k := rule.(type) {
	case *kind.Type:
		return Article(strings.Join(k.Want, " or "))
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

// Article puts "a" or "an" before a noun.
func Article(noun string) string {
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
