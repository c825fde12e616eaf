package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/models"
)

// definition is the input of schema.
type definition struct {
	Name string `json:"name" jsonschema:"a model, or a definition that a $ref names, without #/$defs/"`
}

// schema returns a definition as cases may be written: with repeat, parameters and include, as editors and serve have it.
func (s *Server) schema(_ context.Context, in *definition) (any, error) {
	var schema struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(models.Grammar().EditorSchema(), &schema); err != nil {
		return nil, err
	}
	found, ok := schema.Defs[in.Name]
	if !ok {
		var names []string
		for name := range schema.Defs {
			names = append(names, name)
		}
		slices.Sort(names)
		return nil, fmt.Errorf("no definition %q%s", in.Name, nearest.Hint(in.Name, names))
	}
	return found, nil
}

// place is the input of explain.
type place struct {
	Fault string `json:"fault" jsonschema:"a fault as it was told, or a path: $.friction.dry.mu"`
	Model string `json:"model" jsonschema:"the model of the case"`
}

// placeInFault is the path in a fault, as casefile.Path prints it.
var placeInFault = regexp.MustCompile(`\$(\.[A-Za-z_$][A-Za-z0-9_$]*|\[\d+\]|\["(\\.|[^"\\])*"\])*`)

// explanation is what explain answers with.
type explanation struct {
	Path    string          `json:"path"`
	Rules   []casefile.Rule `json:"rules"`
	Note    string          `json:"note,omitempty"`
	Example *example        `json:"example,omitempty"`
}

// example is a value that a built-in case has at a place.
type example struct {
	Case  string `json:"case"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

func (s *Server) explain(_ context.Context, in *place) (any, error) {
	if !slices.Contains(models.Names(), in.Model) {
		return nil, fmt.Errorf("no model %q%s", in.Model, nearest.Hint(in.Model, models.Names()))
	}
	text := placeInFault.FindString(in.Fault)
	if text == "" {
		text = strings.TrimSpace(in.Fault)
	}
	var p casefile.Path
	if text != "$" { // the whole case
		var err error
		if p, err = casefile.ParsePath(text); err != nil {
			return nil, fmt.Errorf("the fault names no place: %w", err)
		}
	}
	x := explanation{Path: p.String(), Rules: models.Grammar().Explain(in.Model, p)}
	for len(x.Rules) == 0 && len(p) > 0 {
		x.Note = fmt.Sprintf("cases of the model %s have no place %s; this is what is above it", in.Model, p)
		p = p[:len(p)-1]
		x.Path, x.Rules = p.String(), models.Grammar().Explain(in.Model, p)
	}
	x.Example = exampleOf(in.Model, p)
	return x, nil
}

// exampleOf finds a place of the same kind in a built-in case of the model: with the same keys where
// the format has keys, and the first that is there of names and lists.
func exampleOf(model string, p casefile.Path) *example {
	for _, name := range cases.Names() {
		text, _ := cases.Read(name)
		var tree map[string]any
		if json.Unmarshal(text, &tree) != nil || tree["model"] != model {
			continue
		}
		if at, value, ok := alike(model, tree, nil, p); ok {
			return &example{name, at.String(), value}
		}
	}
	return nil
}

func alike(model string, value any, at, rest casefile.Path) (casefile.Path, any, bool) {
	if len(rest) == 0 {
		return at, value, true
	}
	switch v := value.(type) {
	case map[string]any:
		key, isKey := rest[0].(string)
		if !isKey {
			return nil, nil, false
		}
		if inner, there := v[key]; there {
			return alike(model, inner, at.With(key), rest[1:])
		}
		if known := models.Grammar().Explain(model, at); slices.ContainsFunc(known, func(r casefile.Rule) bool { return len(r.Keys) > 0 }) {
			return nil, nil, false
		}
		for _, name := range slices.Sorted(maps.Keys(v)) { // names that the author gives
			if p, found, ok := alike(model, v[name], at.With(name), rest[1:]); ok {
				return p, found, true
			}
		}
	case []any:
		if _, isIndex := rest[0].(int); !isIndex {
			return nil, nil, false
		}
		for i := range v {
			if p, found, ok := alike(model, v[i], at.With(i), rest[1:]); ok {
				return p, found, true
			}
		}
	}
	return nil, nil, false
}
