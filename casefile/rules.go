package casefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// rules are the part of the schema of a model's cases that speaks of some keys: what it says of
// others does not bear on a case that has none of them, and most cases have a tenth of all. To
// read all of it takes longer than many a run.
type rules struct {
	*jsonschema.Resolved
	keys map[string]bool // nil: all

	mu    sync.Mutex // of asked
	asked map[*jsonschema.Schema]*question
}

// of returns the rules of the cases of a model that have no other keys than these; nil: any.
// Those of the case before do where that had the same keys, as the runs of a study have.
func (g *Grammar) of(model string, keys map[string]bool) *rules {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.rules[model]
	if r == nil || r.keys != nil && !holdsAll(r.keys, keys) {
		r = g.read(model, keys)
		g.rules[model] = r
	}
	return r
}

// holdsAll reports whether a set has all of another one; nil stands for all there are.
func holdsAll(set, other map[string]bool) bool {
	for key := range other {
		if !set[key] {
			return false
		}
	}
	return other != nil
}

// keysOf is the set of the keys of all objects within a value.
func keysOf(value any) map[string]bool {
	keys := map[string]bool{}
	var collect func(any)
	collect = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			for key, part := range v {
				keys[key] = true
				collect(part)
			}
		case []any:
			for _, part := range v {
				collect(part)
			}
		}
	}
	collect(value)
	return keys
}

// read makes the rules of a model.
func (g *Grammar) read(model string, keys map[string]bool) *rules {
	names := make([]any, len(g.models))
	for i, name := range g.models {
		names[i] = name
	}
	root := &jsonschema.Schema{Type: "object", Required: []string{"model"},
		Properties: map[string]*jsonschema.Schema{"model": {Enum: names}}}
	if slices.Contains(g.models, model) {
		r := ruleReader{keys: keys, definitions: map[string]*jsonschema.Schema{}, sources: [][]byte{commonText}}
		for _, d := range g.parts {
			r.sources = append(r.sources, d.Schema)
		}
		root.Ref, root.Defs = definitionsAt+model, r.definitions
		r.define(model)
	}
	return &rules{Resolved: resolved(root), keys: keys, asked: map[*jsonschema.Schema]*question{}}
}

// wordsKeyword is an annotation of the schema: words that others have for the keys of an object or
// the values of an enum, each with the one that is meant, or with a sentence that says how.
const wordsKeyword = "x-words"

// definitionsAt is the beginning of references to the named parts of a schema.
const definitionsAt = "#/$defs/"

// resolved makes a schema ready to be asked.
func resolved(s *jsonschema.Schema) *jsonschema.Resolved {
	r, err := s.Resolve(nil)
	if err != nil {
		panic("casefile: schema: " + err.Error())
	}
	return r
}

// ruleReader reads definitions as they are referred to.
type ruleReader struct {
	keys        map[string]bool
	sources     [][]byte
	definitions map[string]*jsonschema.Schema
}

// define reads a definition and all that it refers to.
func (r *ruleReader) define(name string) {
	if r.definitions[name] != nil {
		return
	}
	r.definitions[name] = new(jsonschema.Schema) // it may refer to itself
	var tree any
	if err := json.NewDecoder(bytes.NewReader(r.text(name))).Decode(&tree); err != nil {
		panic(fmt.Sprintf("casefile: schema: %v in %s", err, name))
	}
	*r.definitions[name] = *r.schema(tree)
}

// text returns what a definition begins with. A source that begins as all of this program do,
// one name a line, is searched for the line, which takes a hundredth of reading it.
func (r *ruleReader) text(name string) []byte {
	const margin = "\n  \""
	for _, source := range r.sources {
		line := []byte(margin + name + "\": ")
		if i := bytes.Index(source, line); i >= 0 && bytes.HasPrefix(source, []byte("{"+margin)) {
			return source[i+len(line):]
		}
	}
	for _, source := range r.sources {
		for _, m := range members(source) {
			if m.name == name {
				return m.text
			}
		}
	}
	panic("casefile: schema: no definition of " + name)
}

// schema turns a tree into what the library wants: its own reader takes ten times as long. A
// keyword that is not known here is a fault of the program.
func (r *ruleReader) schema(tree any) *jsonschema.Schema {
	s := new(jsonschema.Schema)
	if rule, isBool := tree.(bool); isBool {
		if !rule {
			s.Not = new(jsonschema.Schema)
		}
		return s
	}
	for keyword, v := range tree.(map[string]any) {
		switch keyword {
		case "title":
		case "default":
			s.Default, _ = json.Marshal(v) // which was read
		case "description":
			s.Description = v.(string)
		case "$ref":
			s.Ref = v.(string)
			r.define(strings.TrimPrefix(s.Ref, definitionsAt))
		case "type":
			if list, several := v.([]any); several {
				s.Types = words(list)
			} else {
				s.Type = v.(string)
			}
		case wordsKeyword:
			s.Extra = map[string]any{wordsKeyword: v}
		case "const":
			s.Const = &v
		case "enum":
			s.Enum = v.([]any)
		case "required":
			s.Required = words(v.([]any))
		case "pattern":
			s.Pattern = v.(string)
		case "minimum":
			s.Minimum = number(v)
		case "exclusiveMinimum":
			if s.ExclusiveMinimum = number(v); *s.ExclusiveMinimum == 0 && s.Minimum == nil {
				s.Minimum = number(Smallest)
			}
		case "maximum":
			s.Maximum = number(v)
		case "exclusiveMaximum":
			s.ExclusiveMaximum = number(v)
		case "multipleOf":
			s.MultipleOf = number(v)
		case "minItems":
			s.MinItems = count(v)
		case "maxItems":
			s.MaxItems = count(v)
		case "minLength":
			s.MinLength = count(v)
		case "maxLength":
			s.MaxLength = count(v)
		case "minProperties":
			s.MinProperties = count(v)
		case "maxProperties":
			s.MaxProperties = count(v)
		case "properties":
			s.Properties = r.properties(v.(map[string]any))
		case "additionalProperties":
			s.AdditionalProperties = r.schema(v)
		case "propertyNames":
			s.PropertyNames = r.schema(v)
		case "items":
			s.Items = r.schema(v)
		case "prefixItems":
			s.PrefixItems = r.schemas(v.([]any))
		case "contains":
			s.Contains = r.schema(v)
		case "allOf":
			s.AllOf = r.schemas(v.([]any))
		case "if":
			s.If = r.schema(v)
		case "then":
			s.Then = r.schema(v)
		case "else":
			s.Else = r.schema(v)
		default:
			panic("casefile: schema: the keyword " + keyword)
		}
	}
	return s
}

// properties reads those of the keys.
func (r *ruleReader) properties(tree map[string]any) map[string]*jsonschema.Schema {
	list := map[string]*jsonschema.Schema{}
	for key, part := range tree {
		if r.keys == nil || r.keys[key] {
			list[key] = r.schema(part)
		}
	}
	return list
}

func (r *ruleReader) schemas(trees []any) (list []*jsonschema.Schema) {
	for _, tree := range trees {
		list = append(list, r.schema(tree))
	}
	return list
}

func words(list []any) (words []string) {
	for _, v := range list {
		words = append(words, v.(string))
	}
	return words
}

func number(v any) *float64 {
	x := v.(float64)
	return &x
}

func count(v any) *int {
	n := int(v.(float64))
	return &n
}
