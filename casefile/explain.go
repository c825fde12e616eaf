package casefile

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// Rule is what the format says of a place in a case.
type Rule struct {
	Description string          `json:"description,omitempty"` // with the unit
	Wanted      []string        `json:"wanted,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`
	Keys        []string        `json:"keys,omitempty"` // that an object there may have
	Required    []string        `json:"required,omitempty"`
}

// Explain lists what the format says of a place in the cases of a model; nil: there is no such place.
func (g *Grammar) Explain(model string, p Path) (list []Rule) {
	r := g.of(model, nil)
	schemas := r.meant([]*jsonschema.Schema{r.Schema()})
	for _, part := range p {
		schemas = r.below(schemas, part)
	}
	for _, s := range schemas {
		x := Rule{Description: s.Description, Default: s.Default, Keys: slices.Sorted(maps.Keys(s.Properties)), Required: s.Required}
		for _, k := range keywords(s) {
			if k.Schema().Minimum == nil || s.ExclusiveMinimum == nil { // which says more
				x.Wanted = append(x.Wanted, k.wanted)
			}
		}
		if s.Not == nil && (x.Description != "" || len(x.Wanted)+len(x.Keys) > 0) {
			list = append(list, x)
		}
	}
	return list
}
