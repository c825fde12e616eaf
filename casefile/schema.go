package casefile

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	// comes with the first. A definition that comes twice is to be the same text.
	Schema []byte
}

// Grammar is the format of cases, composed of what its models define. Safe for concurrent
// use.
type Grammar struct {
	models []string
	parts  []Definition
	mu     sync.Mutex
	rules  map[string]*rules // read last, by model
}

// NewGrammar composes a grammar. What the definitions of a model are made of is read when a case
// of it comes, and panics then where they are no schema: they are part of the program.
func NewGrammar(parts ...Definition) *Grammar {
	g := &Grammar{parts: parts, rules: map[string]*rules{}}
	for _, d := range parts {
		g.models = append(g.models, d.Model)
	}
	return g
}

// Schema returns the JSON Schema (draft 2020-12) of the format.
func (g *Grammar) Schema() []byte { return compose(g.parts, g.definitions()) }

// definitions are those of all models, and of what they share.
func (g *Grammar) definitions() (list []member) {
	known := map[string]string{}
	for _, d := range append(g.parts[:len(g.parts):len(g.parts)], Definition{Schema: commonText}) {
		for _, m := range members(d.Schema) {
			switch text, twice := known[m.name]; {
			case twice && text == string(m.text): // models share it
				continue
			case twice:
				panic("casefile: composed schema: two definitions of " + m.name)
			}
			known[m.name] = string(m.text)
			list = append(list, m)
		}
	}
	for _, name := range g.models {
		if known[name] == "" {
			panic("casefile: composed schema: no definition of " + name)
		}
	}
	return list
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
  "description": "A mechanical system with friction, its history of loading and what a correct run shows. SI units throughout. Numbers, those of files too, are at most %g in size, and such as must be above 0 at least %g, so that products of five and their squares are finite.",
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
`, Largest, Smallest, "The kind of model. "+strings.Join(titles, "; ")+".", strings.Join(names, ", "),
		strings.Join(rules, ",\n"), &definitions)
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
	if g.of(model, keysOf(tree)).Validate(tree) == nil {
		return
	}
	r := g.of(model, nil) // messages name keys that are not there
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(otherFiles)) {
		if _, there := tree[key]; there && tree["model"] == nil {
			f.Add(nil, "the key \"model\" is missing, which a case has; a file with %q is %s", key, otherFiles[key])
			return
		}
	}
	v := violations{Faults: f, rules: r, seen: map[string]bool{}}
	if v.explain(r.Schema(), nil, tree); !f.Any() {
		f.Add(nil, "%v", r.Validate(tree))
	}
}

// otherFiles are those that are taken for cases, by a key that they have.
var otherFiles = map[string]string{"case": "a study: quasistatic sweep", "blocks": "an assembly: quasistatic stands",
	"generate": "an assembly: quasistatic stands"}

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

// Article puts "a" or "an" before a noun.
func Article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// alternatives lists values for a message.
func alternatives(values []any) string {
	var words []string
	for _, v := range values {
		words = append(words, show(v))
	}
	return strings.Join(words, ", ")
}
