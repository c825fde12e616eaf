package casefile

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// Number is a number in the text of a case, with what the schema says of it: what a slider needs.
type Number struct {
	Path        string  `json:"path"` // as [Set] takes it
	Value       float64 `json:"value"`
	Low         float64 `json:"low"` // of a range about the value, within what the schema allows
	High        float64 `json:"high"`
	Whole       bool    `json:"whole,omitempty"`       // it is a count
	Parameter   bool    `json:"parameter,omitempty"`   // it is one of the case's parameters
	Description string  `json:"description,omitempty"` // of the key, else of what holds it
}

// Numbers lists the numbers in the text of a case: its parameters first, then in the order of the
// keys. What it expects is no part of the system, and left out.
func (g *Grammar) Numbers(text []byte) ([]Number, error) {
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, fmt.Errorf("casefile: %w", err)
	}
	model, _ := tree["model"].(string)
	if !slices.Contains(g.models, model) {
		return nil, fmt.Errorf("casefile: the case is of no known model: %q", Abbreviate(model))
	}
	n := numbers{rules: g.of(model, nil)}
	if parameters, ok := tree["parameters"]; ok {
		n.collect(parameters, Path{"parameters"}, nil, "")
	}
	for i := range n.list {
		x := &n.list[i]
		x.Parameter = true
		x.Whole = x.Value == math.Trunc(x.Value) && math.Abs(x.Value) > 1 // most are how many of something there are
	}
	root := n.meant([]*jsonschema.Schema{n.Schema()})
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		if key != "parameters" && key != "expect" && key != "reference" {
			n.collect(tree[key], Path{key}, n.below(root, key), "")
		}
	}
	return n.list, nil
}

type numbers struct {
	*rules
	list []Number
}

// collect adds the numbers of a part, which schemas describe; description is that of what holds it.
func (n *numbers) collect(part any, at Path, schemas []*jsonschema.Schema, description string) {
	for _, s := range schemas {
		if s.Description != "" {
			description = s.Description
			break
		}
	}
	switch v := part.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			n.collect(v[key], at.With(key), n.below(schemas, key), description)
		}
	case []any:
		for i := range v {
			n.collect(v[i], at.With(i), n.below(schemas, i), description)
		}
	case float64:
		x := Number{Path: at.String(), Value: v, Description: description}
		x.Low, x.High, x.Whole = about(v, schemas)
		n.list = append(n.list, x)
	}
}

// about is a range about a value: twice its size to both sides of zero at most, of one side if it may
// not change its sign, and what the schemas allow.
func about(v float64, schemas []*jsonschema.Schema) (low, high float64, whole bool) {
	size := math.Abs(v)
	if size == 0 {
		size = 1
	}
	low, high = min(0, 2*v), max(0, 2*v)
	if v == 0 {
		low, high = -size, size
	}
	for _, s := range schemas {
		whole = whole || s.Type == "integer" || slices.Contains(s.Types, "integer") && !slices.Contains(s.Types, "number")
		for _, least := range []*float64{s.Minimum, s.ExclusiveMinimum} {
			if least != nil {
				low = max(low, *least)
			}
		}
		for _, most := range []*float64{s.Maximum, s.ExclusiveMaximum} {
			if most != nil {
				high = min(high, *most)
			}
		}
		// Ends that are not allowed themselves are kept off, by a twentieth of the size.
		if s.ExclusiveMinimum != nil && low <= *s.ExclusiveMinimum || low == Smallest {
			low += size / 20
		}
		if s.ExclusiveMaximum != nil && high >= *s.ExclusiveMaximum {
			high -= size / 20
		}
	}
	if whole {
		low, high = math.Ceil(low), math.Floor(high)
	}
	return min(low, v), max(high, v), whole
}
