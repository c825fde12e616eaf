package casefile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	var value any
	if json.Unmarshal(text, &value) != nil {
		return nil // which is for [Grammar.Decode] to say
	}
	top, _ := value.(map[string]any)
	model, _ := top["model"].(string)
	r := g.of(model)
	schemas := r.meant([]any{r.tree})
	for depth := range len(p) - 1 {
		key, isKey := p[depth].(string)
		m, isObject := value.(map[string]any)
		if !isKey || !isObject {
			list, _ := value.([]any)
			i, isIndex := p[depth].(int)
			if !isIndex || i >= len(list) {
				return nil // [Set] refuses it
			}
			value, schemas = list[i], r.items(schemas)
			continue
		}
		next, given := r.below(schemas, key)
		if _, there := m[key]; !there {
			if !given || len(m) == 0 {
				return nil
			}
			return unknownName(p[:depth+1], key, slices.Sorted(maps.Keys(m)))
		}
		value, schemas = m[key], next
	}
	return nil
}

func unknownName(p Path, key string, names []string) error {
	if guess := nearest.Word(key, names); guess != "" {
		return fmt.Errorf("casefile: %s: unknown name %q, the nearest one is %q; a new one comes with its whole entry", p, Abbreviate(key), guess)
	}
	return fmt.Errorf("casefile: %s: unknown name %q, there are %s; a new one comes with its whole entry", p, Abbreviate(key), Abbreviate(strings.Join(names, ", ")))
}

// meant are schemas and those that they refer to for the same value.
func (r *rules) meant(schemas []any) (list []any) {
	for _, s := range schemas {
		m, ok := s.(map[string]any)
		if !ok {
			continue
		}
		list = append(list, m)
		if ref, ok := m["$ref"].(string); ok {
			list = append(list, r.meant([]any{r.at(ref)})...)
		}
		for _, key := range []string{"allOf", "anyOf", "oneOf"} {
			if parts, ok := m[key].([]any); ok {
				list = append(list, r.meant(parts)...)
			}
		}
		list = append(list, r.meant([]any{m["then"], m["else"]})...)
	}
	return list
}

// below are the schemas of the value of a key; given: the key is a name that the author gives.
func (r *rules) below(schemas []any, key string) (next []any, given bool) {
	for _, s := range schemas {
		m := s.(map[string]any) // as meant returns them
		if properties, ok := m["properties"].(map[string]any); ok && properties[key] != nil {
			return r.meant(append(next, properties[key])), false
		}
		if entry, ok := m["additionalProperties"].(map[string]any); ok {
			next, given = append(next, entry), true
		}
	}
	return r.meant(next), given
}

// items are the schemas of the elements of a list.
func (r *rules) items(schemas []any) (next []any) {
	for _, s := range schemas {
		next = append(next, s.(map[string]any)["items"]) // as meant returns them
	}
	return r.meant(next)
}
