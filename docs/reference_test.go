package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// node is a part of the schema.
type node struct {
	Description string          `json:"description"`
	Ref         string          `json:"$ref"`
	Type        any             `json:"type"`
	Enum        []any           `json:"enum"`
	Const       any             `json:"const"`
	Default     json.RawMessage `json:"default"`
	Minimum     *float64        `json:"minimum"`
	Above       *float64        `json:"exclusiveMinimum"`
	Maximum     *float64        `json:"maximum"`
	Below       *float64        `json:"exclusiveMaximum"`
	Required    []string        `json:"required"`
	Properties  ordered         `json:"properties"`
	Items       *node           `json:"items"`
	Any         json.RawMessage `json:"additionalProperties"`
	OneOf       []node          `json:"oneOf"`
	AnyOf       []node          `json:"anyOf"`
	Then        *node           `json:"then"` // what holds of an object where other types are allowed too
}

// ordered is an object whose keys keep their order.
type ordered struct {
	keys  []string
	nodes map[string]node
}

// UnmarshalJSON reads an object key by key.
func (o *ordered) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	o.nodes = map[string]node{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var n node
		if err := d.Decode(&n); err != nil {
			return err
		}
		o.keys = append(o.keys, key.(string))
		o.nodes[key.(string)] = n
	}
	return nil
}

// caseFormat returns the reference of the case format, in Markdown.
func caseFormat(schema []byte) (string, error) {
	var root struct {
		Description string  `json:"description"`
		Defs        ordered `json:"$defs"`
	}
	if err := json.Unmarshal(schema, &root); err != nil {
		return "", fmt.Errorf("docs: schema: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# The case format\n\n%s\n\nNumbers may have names, values may be expressions and entries may be repeated: [How do I say](how-do-i-say.md).\n\nMade from the JSON Schema by `go generate ./docs`; do not edit. `quasistatic schema` prints the schema.\nA case is one JSON object, and unknown keys are errors. The key `model` says which of the models below it is.\n", root.Description)
	for _, name := range root.Defs.keys {
		n := root.Defs.nodes[name]
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", name, n.Description)
		if n.Type != nil || n.Enum != nil || n.OneOf != nil || n.AnyOf != nil {
			fmt.Fprintf(&b, "\n%s.\n", sentence(&n))
		}
		if len(n.Properties.keys) > 0 || n.Then != nil && len(n.Then.Properties.keys) > 0 {
			b.WriteString("\n| key | value | meaning |\n|---|---|---|\n")
		}
		rows(&b, &root.Defs, "", &n)
	}
	return b.String(), nil
}

// rows writes the keys of an object, those of objects inside it below their own.
func rows(b *strings.Builder, defs *ordered, prefix string, n *node) {
	for _, key := range n.Properties.keys {
		p := n.Properties.nodes[key]
		mark := ""
		if slices.Contains(n.Required, key) {
			mark = ", required"
		}
		meaning := p.Description
		if r := target(p.Ref); meaning == "" && r != "" {
			meaning = defs.nodes[r].Description
		}
		fmt.Fprintf(b, "| `%s%s` | %s%s | %s |\n", prefix, key, cell(value(&p)), mark, cell(meaning))
		rows(b, defs, prefix+key+".", &p)
		if p.Items != nil {
			rows(b, defs, prefix+key+"[].", p.Items)
		}
	}
	if n.Then != nil {
		rows(b, defs, prefix, n.Then)
	}
}

// cell keeps a text from ending a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

func target(ref string) string { return strings.TrimPrefix(ref, "#/$defs/") }

func sentence(n *node) string {
	v := value(n)
	if v == "" {
		return "Any value"
	}
	return strings.ToUpper(v[:1]) + v[1:]
}

// value says what a value may be.
func value(n *node) string {
	var words []string
	switch {
	case n.Ref != "":
		words = append(words, fmt.Sprintf("[%s](#%s)", target(n.Ref), strings.ToLower(target(n.Ref))))
	case n.Const != nil:
		words = append(words, fmt.Sprintf("`%v`", n.Const))
	case n.Enum != nil:
		for _, e := range n.Enum {
			words = append(words, fmt.Sprintf("`%v`", e))
		}
		words = []string{strings.Join(words, ", ")}
	case n.OneOf != nil, n.AnyOf != nil:
		for _, one := range append(n.OneOf, n.AnyOf...) {
			words = append(words, value(&one))
		}
		words = []string{strings.Join(slices.Compact(words), " or ")}
	default:
		words = append(words, kinds(n))
	}
	for _, bound := range []struct {
		sign string
		v    *float64
	}{{"≥", n.Minimum}, {">", n.Above}, {"≤", n.Maximum}, {"<", n.Below}} {
		if bound.v != nil {
			words = append(words, fmt.Sprintf("%s %g", bound.sign, *bound.v))
		}
	}
	if len(n.Default) > 0 {
		words = append(words, fmt.Sprintf("default `%s`", n.Default))
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), ", ")
}

// kinds names the types of a value.
func kinds(n *node) string {
	var names []string
	switch t := n.Type.(type) {
	case string:
		names = []string{t}
	case []any:
		for _, one := range t {
			names = append(names, fmt.Sprint(one))
		}
	}
	text := strings.Join(names, " or ")
	if n.Items != nil {
		text += " of " + value(n.Items)
	}
	var inner node
	if len(n.Any) > 0 && n.Any[0] == '{' && json.Unmarshal(n.Any, &inner) == nil {
		text += ", by name, of " + value(&inner)
	}
	return text
}
