package casefile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/quasistatic/quasistatic/internal/nearest"
)

// CheckPath refuses a path through a name that the text of a case does not have, among others
// that the author has given: friction.dri.mu, where there is friction.dry. [Set] would make a
// law that nothing uses. A new name comes with its whole entry, or where there is none yet.
func (g *Grammar) CheckPath(text []byte, where string) error {
	p, err := ParsePath(where)
	if err != nil {
		return err
	}
	var tree any
	if json.Unmarshal(text, &tree) != nil {
		return nil // which is for [Grammar.Decode] to say
	}
	depth, object := end(tree, p)
	if len(object) == 0 || depth == len(p)-1 {
		return nil
	}
	top, _ := tree.(map[string]any)
	model, _ := top["model"].(string)
	r := g.of(model, nil)
	schemas := r.meant([]*jsonschema.Schema{r.Schema()})
	for _, part := range p[:depth] {
		schemas = r.below(schemas, part)
	}
	key := p[depth].(string)
	if !given(schemas, key) {
		return nil // of the format, or no key of it
	}
	names := slices.Sorted(maps.Keys(object))
	if guess := nearest.Word(key, names); guess != "" {
		return fmt.Errorf("casefile: %s: unknown name %q, the nearest one is %q; a new one comes with its whole entry",
			p[:depth+1], Abbreviate(key), guess)
	}
	return fmt.Errorf("casefile: %s: unknown name %q, there are %s; a new one comes with its whole entry", p[:depth+1],
		Abbreviate(key), Abbreviate(strings.Join(names, ", ")))
}

// end is where a path leaves a tree: the first part that is not there, and the object that lacks
// it; nil: the tree has the whole path, or another part than a key is missing.
func end(tree any, p Path) (depth int, object map[string]any) {
	for depth, part := range p {
		switch v := tree.(type) {
		case map[string]any:
			key, isKey := part.(string)
			if _, there := v[key]; !there {
				if !isKey {
					v = nil
				}
				return depth, v
			}
			tree = v[key]
		case []any:
			i, isIndex := part.(int)
			if !isIndex || i >= len(v) {
				return depth, nil
			}
			tree = v[i]
		default:
			return depth, nil
		}
	}
	return len(p), nil
}

// meant are schemas and those that they refer to for the same value.
func (r *rules) meant(schemas []*jsonschema.Schema) (list []*jsonschema.Schema) {
	for _, s := range schemas {
		if s == nil {
			continue
		}
		list = append(list, s)
		if s.Ref != "" {
			list = append(list, r.meant([]*jsonschema.Schema{r.Schema().Defs[strings.TrimPrefix(s.Ref, definitionsAt)]})...)
		}
		list = append(list, r.meant(s.AllOf)...)
		list = append(list, r.meant([]*jsonschema.Schema{s.Then, s.Else})...)
	}
	return list
}

// below are the schemas of a part of what schemas describe.
func (r *rules) below(schemas []*jsonschema.Schema, part any) (list []*jsonschema.Schema) {
	key, isKey := part.(string)
	for _, s := range schemas {
		switch known := s.Properties[key]; {
		case !isKey:
			list = append(list, s.Items)
		case known != nil:
			list = append(list, known)
		default:
			list = append(list, s.AdditionalProperties)
		}
	}
	return r.meant(list)
}

// given reports whether a key is a name that the author gives.
func given(schemas []*jsonschema.Schema, key string) bool {
	names := false
	for _, s := range schemas {
		if s.Properties[key] != nil {
			return false
		}
		names = names || s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil // which false is read as
	}
	return names
}
