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

// Grammar is the format of cases, composed of what its models define. Safe for concurrent
// use.
type Grammar struct {
	models []string
	parts  []Definition
	mu     sync.Mutex
	rules  map[string]*rules // compiled so far, by model; "": of all
}

// rules are a schema that is compiled.
type rules struct {
	schema *jsonschema.Schema
	tree   any
}

// NewGrammar composes a grammar. What the definitions of a model are made of is compiled
// when the first case of it comes, and panics then where they are no schema: they are part
// of the program.
func NewGrammar(parts ...Definition) *Grammar {
	g := &Grammar{parts: parts, rules: map[string]*rules{}}
	for _, d := range parts {
		g.models = append(g.models, d.Model)
	}
	return g
}

// Schema returns the JSON Schema (draft 2020-12) of the format.
func (g *Grammar) Schema() []byte { return compose(g.parts, g.definitions()) }

// of returns the rules of the cases of a model, those of all if it is not known.
func (g *Grammar) of(model string) *rules {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.models, model)
	if i < 0 {
		model = ""
	}
	if g.rules[model] == nil {
		parts, definitions := g.parts, []member(nil)
		if i >= 0 {
			parts, definitions = g.parts[i:i+1], g.reachable(model)
		} else {
			definitions = g.definitions()
		}
		g.rules[model] = compiled(compose(parts, definitions))
	}
	return g.rules[model]
}

// compiled compiles a schema.
func compiled(text []byte) *rules {
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic("casefile: composed schema: " + err.Error())
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(unchecked, tree); err != nil {
		panic("casefile: composed schema: " + err.Error())
	}
	return &rules{c.MustCompile(unchecked), tree}
}

// unchecked is an address below which the compiler takes schemas for right, as it does its
// own: that ours is one is tested, and need not be in each process, for half of its start.
const unchecked = "https://json-schema.org/quasistatic/case"

// definitions are those of all models, and of what they share.
func (g *Grammar) definitions() (list []member) {
	known := map[string]bool{}
	for _, d := range append(g.parts[:len(g.parts):len(g.parts)], Definition{Schema: commonText}) {
		for _, m := range members(d.Schema) {
			if known[m.name] {
				panic("casefile: composed schema: two definitions of " + m.name)
			}
			known[m.name] = true
			list = append(list, m)
		}
	}
	for _, name := range g.models {
		if !known[name] {
			panic("casefile: composed schema: no definition of " + name)
		}
	}
	return list
}

// reachable are the definitions that the cases of a model refer to, a tenth of all: its
// own schema and the common one are searched first, the others only for what is not there.
func (g *Grammar) reachable(model string) (list []member) {
	sources := [][]byte{commonText}
	for _, d := range g.parts {
		if d.Model == model {
			sources = append([][]byte{d.Schema}, sources...)
		} else {
			sources = append(sources, d.Schema)
		}
	}
	known := map[string]member{}
	wanted, seen := []string{model}, map[string]bool{model: true}
	for len(wanted) > 0 {
		m, ok := known[wanted[0]]
		for ; !ok && len(sources) > 0; sources = sources[1:] {
			for _, x := range members(sources[0]) {
				known[x.name] = x
			}
			m, ok = known[wanted[0]]
		}
		if !ok {
			panic("casefile: composed schema: no definition of " + wanted[0])
		}
		list, wanted = append(list, m), wanted[1:]
		for _, name := range references(m.text) {
			if !seen[name] {
				seen[name], wanted = true, append(wanted, name)
			}
		}
	}
	return list
}

// references lists the definitions that a schema refers to.
func references(schema []byte) (names []string) {
	for rest := schema; ; {
		_, after, found := bytes.Cut(rest, []byte(`"#/$defs/`))
		if !found {
			return names
		}
		var name []byte
		name, rest, _ = bytes.Cut(after, []byte{'"'})
		names = append(names, string(name))
	}
}

// compose writes a schema: its head, which chooses by the key model, and definitions. Their
// text stays as it is.
func compose(parts []Definition, list []member) []byte {
	var names, titles, rules []string
	for _, d := range parts {
		names, titles = append(names, strconv.Quote(d.Model)), append(titles, d.Model+": "+d.Title)
		rules = append(rules, fmt.Sprintf(`    {
      "if": {"properties": {"model": {"const": %[1]q}}, "required": ["model"]},
      "then": {"$ref": "#/$defs/%[1]s"}
    }`, d.Model))
	}
	var definitions bytes.Buffer
	for i, m := range list {
		if i > 0 {
			definitions.WriteString(",\n")
		}
		fmt.Fprintf(&definitions, "    %q: %s", m.name, bytes.ReplaceAll(m.text, []byte("\n"), []byte("\n  ")))
	}
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

// members returns those of an object in their order; nil has none.
func members(object []byte) (list []member) {
	if object == nil {
		return nil
	}
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
func (g *Grammar) validate(f *Faults, tree map[string]any) {
	model, _ := tree["model"].(string)
	r := g.of(model)
	err := r.schema.Validate(tree)
	if err == nil {
		return
	}
	invalid, ok := err.(*jsonschema.ValidationError)
	if !ok {
		f.Add(nil, "%v", err)
		return
	}
	v := violations{Faults: f, rules: r, tree: tree, seen: map[string]bool{}}
	v.collect(invalid)
}

// violations turns the nested errors of the validator into Faults.
type violations struct {
	*Faults
	rules *rules
	tree  any
	seen  map[string]bool
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
	valid := v.rules.keysOf(schemaURL)
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
func (r *rules) keysOf(schemaURL string) []string {
	m, _ := r.at(schemaURL).(map[string]any)
	properties, _ := m["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

// at is the place of the schema that a reference names.
func (r *rules) at(schemaURL string) any {
	_, pointer, _ := strings.Cut(schemaURL, "#")
	node := r.tree
	for _, token := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if m, ok := node.(map[string]any); ok && token != "" {
			node = m[token]
		}
	}
	return node
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
