package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/models"
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
	text  map[string]json.RawMessage
}

// UnmarshalJSON reads an object key by key.
func (o *ordered) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	o.nodes, o.text = map[string]node{}, map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var raw json.RawMessage
		var n node
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if err := json.Unmarshal(raw, &n); err != nil {
			return err
		}
		o.keys, o.text[key.(string)] = append(o.keys, key.(string)), raw
		o.nodes[key.(string)] = n
	}
	return nil
}

// caseFormat returns the reference of the case format, in Markdown: contents, the keys that all models
// have, and a section a definition, with an example.
func caseFormat(schema []byte) (string, error) {
	var root struct {
		Description string  `json:"description"`
		Defs        ordered `json:"$defs"`
	}
	if err := json.Unmarshal(schema, &root); err != nil {
		return "", fmt.Errorf("docs: schema: %w", err)
	}
	shown, err := examples(schema)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# The case format\n\n%s\n\nNumbers may have names, values may be expressions, entries may be repeated and files included: [How do\nI say](how-do-i-say.md), where the words that people search for are.\n\nMade from the JSON Schema by `go generate ./docs`; do not edit. `quasistatic schema` prints the schema.\nA case is one JSON object, and unknown keys are errors. The key `model` says which of the models below it is;\n`quasistatic init --model MODEL NAME` writes a case of it to start from.\n",
		root.Description)
	contents(&b, &root.Defs)
	common := commonKeys(&root.Defs)
	b.WriteString("\n## Keys of every model\n\n| key | value | meaning |\n|---|---|---|\n")
	every := node{Required: root.Defs.nodes[models.List[0].Name].Required}
	for _, key := range root.Defs.nodes[models.List[0].Name].Properties.keys {
		if _, there := common[key]; there {
			every.Properties.keys = append(every.Properties.keys, key)
		}
	}
	every.Properties.nodes = common
	rows(&b, &root.Defs, "", &every, nil)
	for _, name := range root.Defs.keys {
		n := root.Defs.nodes[name]
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", name, n.Description)
		isModel := slices.Contains(models.Names(), name)
		if (n.Type != nil || n.Enum != nil || n.OneOf != nil || n.AnyOf != nil) && !isModel {
			fmt.Fprintf(&b, "\n%s.\n", sentence(&n))
		}
		if isModel {
			b.WriteString("\nBeside [the keys of every model](#keys-of-every-model), where these are not another one:\n")
		}
		if len(n.Properties.keys) > 0 || n.Then != nil && len(n.Then.Properties.keys) > 0 {
			b.WriteString("\n| key | value | meaning |\n|---|---|---|\n")
		}
		rows(&b, &root.Defs, "", &n, func(key string) bool {
			own, every := n.Properties.nodes[key], common[key]
			return isModel && said(&own) == said(&every)
		})
		b.WriteString(shown[name])
	}
	return b.String(), nil
}

// contents lists the sections: the models, what each has of its own, what several have.
func contents(b *strings.Builder, defs *ordered) {
	b.WriteString("\n## Contents\n\n[Keys of every model](#keys-of-every-model)\n")
	users := map[string][]string{}
	for _, model := range models.Names() {
		for name := range reach(defs, model, map[string]bool{}) {
			users[name] = append(users[name], model)
		}
	}
	list := func(title string, wanted func(name string) bool) {
		var links []string
		for _, name := range defs.keys {
			if wanted(name) {
				links = append(links, fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name)))
			}
		}
		if len(links) > 0 {
			fmt.Fprintf(b, "- %s: %s\n", title, strings.Join(links, ", "))
		}
	}
	for _, model := range models.Names() {
		list("model", func(name string) bool { return name == model })
		list("of `"+model+"` alone", func(name string) bool { return name != model && len(users[name]) == 1 && users[name][0] == model })
	}
	list("of several models", func(name string) bool { return len(users[name]) > 1 })
}

// reach are the definitions that one refers to, and itself.
func reach(defs *ordered, name string, seen map[string]bool) map[string]bool {
	if _, there := defs.nodes[name]; !there || seen[name] {
		return seen
	}
	seen[name] = true
	for _, m := range regexp.MustCompile(`#/\$defs/([A-Za-z0-9]+)`).FindAllSubmatch(defs.text[name], -1) {
		reach(defs, string(m[1]), seen)
	}
	return seen
}

// commonKeys are those that all models have, as most of them say them: "steps" of energetic is
// another one than that of the rest.
func commonKeys(defs *ordered) map[string]node {
	common := map[string]node{}
	first := defs.nodes[models.List[0].Name]
	for _, key := range first.Properties.keys {
		count := map[string]int{}
		for _, model := range models.Names() {
			if own, there := defs.nodes[model].Properties.nodes[key]; there {
				count[said(&own)]++
				if 2*count[said(&own)] > len(models.List) {
					common[key] = own
				}
			}
		}
	}
	return common
}

// said is what a row of the reference says of a key.
func said(n *node) string { return value(n) + n.Description }

// rows writes the keys of an object, those of objects inside it below their own.
func rows(b *strings.Builder, defs *ordered, prefix string, n *node, without func(key string) bool) {
	for _, key := range n.Properties.keys {
		if without != nil && without(key) {
			continue
		}
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
		rows(b, defs, prefix+key+".", &p, nil)
		if p.Items != nil {
			rows(b, defs, prefix+key+"[].", p.Items, nil)
		}
	}
	if n.Then != nil {
		rows(b, defs, prefix, n.Then, nil)
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
