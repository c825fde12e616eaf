package casefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// rule is a schema in those keywords of JSON Schema (draft 2020-12) that the case format is
// written in; a test holds the format against the list. What only tells is left out.
type rule struct {
	Types []string `json:"-"` // type, one or more
	Const any      `json:"const"`
	Enum  []any    `json:"enum"`
	Ref   string   `json:"$ref"`

	Properties    map[string]*part `json:"properties"`
	Additional    *part            `json:"additionalProperties"`
	PropertyNames *part            `json:"propertyNames"`
	Required      []string         `json:"required"`
	MinProperties *int             `json:"minProperties"`
	MaxProperties *int             `json:"maxProperties"`

	PrefixItems []*part `json:"prefixItems"`
	Items       *part   `json:"items"`
	Contains    *part   `json:"contains"`
	MinItems    *int    `json:"minItems"`
	MaxItems    *int    `json:"maxItems"`

	MinLength *int   `json:"minLength"`
	MaxLength *int   `json:"maxLength"`
	Pattern   string `json:"pattern"`

	Minimum          *float64 `json:"minimum"`
	ExclusiveMinimum *float64 `json:"exclusiveMinimum"`
	Maximum          *float64 `json:"maximum"`
	ExclusiveMaximum *float64 `json:"exclusiveMaximum"`
	MultipleOf       *float64 `json:"multipleOf"`

	AllOf []*part `json:"allOf"`
	If    *part   `json:"if"`
	Then  *part   `json:"then"`
	Else  *part   `json:"else"`

	forbidden bool // the schema false
	target    *part
}

// part is a schema within another one, decoded when a value first comes to it: a case uses a
// tenth of the format, and most runs read one case.
type part struct {
	text []byte
	once sync.Once
	rule rule
}

// UnmarshalJSON keeps the text.
func (p *part) UnmarshalJSON(text []byte) error {
	p.text = bytes.Clone(text)
	return nil
}

// of returns the rule of a part; it panics where the text is no schema: that is part of the
// program.
func (p *part) of(d *definitions) *rule {
	p.once.Do(func() {
		r := &p.rule
		if r.forbidden = string(p.text) == "false"; r.forbidden {
			return
		}
		var types struct {
			Type json.RawMessage `json:"type"`
		}
		err := json.Unmarshal(p.text, r)
		if err == nil {
			err = json.Unmarshal(p.text, &types)
		}
		if list := types.Type; err == nil && len(list) > 0 {
			if list[0] == '"' {
				list = append(append([]byte("["), list...), ']')
			}
			err = json.Unmarshal(list, &r.Types)
		}
		if err != nil {
			panic(fmt.Sprintf("casefile: schema: %v in %s", err, p.text))
		}
		if r.Ref != "" {
			r.target = d.find(strings.TrimPrefix(r.Ref, "#/$defs/"))
		}
	})
	return &p.rule
}

// definitions are the named schemas of the format; a text of them is read when what was read
// before lacks a name. Safe for concurrent use.
type definitions struct {
	mu    sync.Mutex
	texts [][]byte // not read yet
	known map[string]*part
}

// find returns a definition. It panics if there is none: names are part of the program.
func (d *definitions) find(name string) *part {
	d.mu.Lock()
	defer d.mu.Unlock()
	for ; d.known[name] == nil; d.texts = d.texts[1:] {
		if len(d.texts) == 0 {
			panic("casefile: composed schema: no definition of " + name)
		}
		for _, m := range members(d.texts[0]) {
			d.known[m.name] = &part{text: m.text}
		}
	}
	return d.known[name]
}
