package casefile

import (
	"encoding/json"
	"fmt"
	"slices"
)

// ruleDefinitions are what a case may say in place of values, see package template.
const ruleDefinitions = `{
  "expression": {"description": "A value that is computed: = and an expression of parameters, indices of repetitions, + - * / % **, functions and pi; within a text of a repetition in braces.", "type": "string", "pattern": "^=|[{].*[}]"},
  "parameters": {"description": "Names for expressions: numbers, texts, lists of them, or expressions. --set parameters.NAME=VALUE changes one, sweeps and sensitivities vary it.", "type": "object"},
  "include": {"description": "Files whose parts the case takes over: entries by name and lists of entries join those here. What they say of a run (until, steps, expect, …) stays with them, other keys are the same, or in one of the files alone.", "type": "array", "items": {"$ref": "#/$defs/included"}},
  "included": {"type": "object", "required": ["file"], "additionalProperties": false, "properties": {
    "file": {"description": "A JSON file beside this one or below it; what it names itself is beside or below it.", "type": "string"},
    "prefix": {"description": "Stands before all names that the file gives, wherever they are.", "type": "string", "default": ""},
    "shared": {"description": "Names of the file that have no prefix.", "type": "array", "items": {"type": "string"}},
    "parameters": {"description": "In place of those of the file.", "type": "object"},
    "repeat": {"$ref": "#/$defs/repeat"}, "when": {"$ref": "#/$defs/when"}}},
  "repeat": {"description": "Copies of this entry: names of indices, and how many values each has (0 to n-1) or a list of them. {NAME} in texts and keys stands for the value.", "type": "object"},
  "copies": {"description": "Copies of a part that is no object.", "type": "object", "required": ["repeat", "of"], "additionalProperties": false,
    "properties": {"repeat": {"$ref": "#/$defs/repeat"}, "when": {"$ref": "#/$defs/when"}, "of": {"description": "What is repeated."}}},
  "when": {"description": "Copies for which it is false are left out.", "anyOf": [{"type": "boolean"}, {"$ref": "#/$defs/expression"}]}
}`

// EditorSchema returns the JSON Schema of the format as texts are written: an expression may stand
// for any value, and entries are repeated. What it lets pass beyond [Grammar.Schema] is told when
// the case was written out.
func (g *Grammar) EditorSchema() []byte {
	var root, rules map[string]any
	for text, dst := range map[string]*map[string]any{string(g.Schema()): &root, ruleDefinitions: &rules} {
		if err := json.Unmarshal([]byte(text), dst); err != nil {
			panic("casefile: schema: " + err.Error())
		}
	}
	definitions := root["$defs"].(map[string]any)
	for name, d := range definitions {
		definitions[name] = ruled(d)
	}
	for name, d := range rules {
		definitions[name] = d
	}
	for _, model := range g.models {
		allow(definitions[model].(map[string]any), "parameters", "include")
		lend(definitions[model].(map[string]any))
	}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("casefile: schema: %v", err))
	}
	return append(text, '\n')
}

// lend asks for no list of parts: a file that is included may have them.
func lend(object map[string]any) {
	required, _ := object["required"].([]any)
	properties, _ := object["properties"].(map[string]any)
	object["required"] = slices.DeleteFunc(required, func(key any) bool {
		part, _ := properties[key.(string)].(map[string]any)
		return part["type"] == "array" || part["type"] == "object"
	})
}

// allow adds keys of the rules to those of an object, where it says which it has.
func allow(object map[string]any, keys ...string) {
	properties, ok := object["properties"].(map[string]any)
	if !ok || object["additionalProperties"] != false {
		return
	}
	for _, key := range keys {
		properties[key] = map[string]any{"$ref": definitionsAt + key}
	}
}

// ruled is a schema that takes expressions for values that are no objects and no lists.
func ruled(schema any) any {
	s, ok := schema.(map[string]any)
	if !ok {
		return schema
	}
	if items, there := s["items"]; there {
		s["items"] = map[string]any{"anyOf": []any{ruled(items), map[string]any{"$ref": definitionsAt + "copies"}}}
	}
	for _, keyword := range []string{"additionalProperties", "propertyNames", "then", "else"} {
		if part, there := s[keyword]; there {
			s[keyword] = ruled(part)
		}
	}
	for _, keyword := range []string{"allOf", "prefixItems"} {
		list, _ := s[keyword].([]any)
		for i := range list {
			list[i] = ruled(list[i])
		}
	}
	if properties, ok := s["properties"].(map[string]any); ok {
		for key, part := range properties {
			properties[key] = ruled(part)
		}
	}
	kinds, several := s["type"].([]any)
	if !several {
		kinds = []any{s["type"]}
	}
	if slices.Contains(kinds, "object") {
		allow(s, "repeat", "when")
	}
	isValue := func(kind any) bool { return kind == "number" || kind == "integer" || kind == "boolean" }
	if _, patterned := s["pattern"]; patterned || slices.ContainsFunc(kinds, isValue) {
		alternatives := map[string]any{"anyOf": []any{s, map[string]any{"$ref": definitionsAt + "expression"}}}
		if d, there := s["description"]; there {
			alternatives["description"] = d
			delete(s, "description")
		}
		return alternatives
	}
	return s
}
