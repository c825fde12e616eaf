package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/models"
)

// longestExample is what a part of a case has at most, to be shown [letters].
const longestExample = 400

// written are cases that show what no built-in one does in few letters.
var written = map[string]string{
	"solver": `{"model": "energetic", "until": 1, "steps": 10, "particles": [{"id": "a", "at": [0, 0, 0]}],
 "energies": [{"type": "load", "particle": "a", "force": [0, 0, -1]}], "solver": {"tolerance": 1e-11, "memory": "2GB"}}`,
	"output": `{"model": "energetic", "until": 1, "steps": 10, "particles": [{"id": "a", "at": [0, 0, 0]}],
 "energies": [{"type": "load", "particle": "a", "force": [0, 0, -1]}], "output": {"format": "parquet", "every": 5}}`,
	"pair": `{"model": "energetic", "until": 1, "steps": 10, "particles": [{"id": "a", "at": [0, 0, 0]}, {"id": "b", "at": [1.1, 0, 0]}],
 "energies": [{"type": "pair", "law": "morse", "between": ["a", "b"], "depth": 1, "distance": 1, "decay": 2}]}`,
	"surface": `{"model": "energetic", "until": 1, "steps": 10,
 "particles": [{"repeat": {"j": 2, "i": 2}, "id": "p{i}{j}", "at": ["=i/10", "=j/10", 0]}],
 "energies": [{"type": "surface", "mesh": "given", "particles": ["p00", "p10", "p01", "p11"], "grid": [2, 2], "cell": [0.1, 0.1], "young": 1,
   "motion": {"table": [[0, [0, 0, 0]], [1, [0, 0, -0.01]]]}}]}`,
	"memorySolver": `{"model": "elastodynamic", "until": 1, "steps": 10, "mesh": {"block": {"size": [1], "cells": [4]}}, "young": 1, "density": 1,
 "velocity": [1], "solver": {"memory": "500MB"}}`,
	"schemaReference": `{"$schema": "./case.schema.json", "model": "halfspace", "until": 1, "steps": 2, "window": {"elements": [8, 8], "size": [1, 1]},
 "body": {"young": 1}, "profile": {"sphere": 5}, "control": {"normal": {"approach": 0.01}}}`,
}

// examples returns what to write below each definition: for models the case that init writes, for
// parts one of a built-in case, which the tests run.
func examples(schema []byte) (map[string]string, error) {
	var root struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(schema, &root); err != nil {
		return nil, err
	}
	list := map[string]string{}
	for _, model := range models.Names() {
		text, ok := cases.Starter(model, "mine")
		if !ok {
			return nil, fmt.Errorf("no starter of %s", model)
		}
		text = regexp.MustCompile(`(?m)^  "description".*\n`).ReplaceAllString(text, "")
		list[model] = fmt.Sprintf("\n`quasistatic init --model %s mine` writes, with words on each part:\n\n```json\n%s```\n", model, text)
	}
	w := exampleWalker{defs: root.Defs, best: map[string]example{}}
	for _, name := range cases.Names() {
		c, err := models.BuiltIn(name)
		if err != nil {
			return nil, err
		}
		if text := c.Raw; !c.ByRule() && len(text) < 20_000 {
			w.walk(name, map[string]any{"$ref": "#/$defs/" + c.Model}, text)
		}
	}
	for def, text := range written {
		list[def] = fmt.Sprintf("\n```json\n%s\n```\n", text)
	}
	for def, x := range w.best {
		if list[def] == "" {
			list[def] = fmt.Sprintf("\nOf [%s](../cases/%s.json):\n\n```json\n%s\n```\n", x.of, x.of, x.text)
		}
	}
	return list, nil
}

// example is a part of a case.
type example struct{ of, text string }

// exampleWalker finds parts of cases that definitions describe.
type exampleWalker struct {
	defs map[string]any
	best map[string]example
}

// walk looks at a value that a schema describes.
func (w *exampleWalker) walk(of string, schema any, text json.RawMessage) {
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	if ref, ok := s["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/$defs/")
		w.offer(name, example{of, spaced(text)})
		w.walk(of, w.defs[name], text)
	}
	for _, part := range listOf(s["allOf"]) {
		w.walk(of, part, text)
	}
	if s["if"] != nil {
		branch := "else"
		if holds(s["if"], text) {
			branch = "then"
		}
		w.walk(of, s[branch], text)
	}
	switch bytes.TrimSpace(text)[0] {
	case '[':
		var list []json.RawMessage
		_ = json.Unmarshal(text, &list) // a case that was decoded
		for _, x := range list {
			w.walk(of, s["items"], x)
		}
	case '{':
		var object map[string]json.RawMessage
		_ = json.Unmarshal(text, &object)
		properties, _ := s["properties"].(map[string]any)
		for key, x := range object {
			if part, known := properties[key]; known {
				w.walk(of, part, x)
			} else {
				w.walk(of, s["additionalProperties"], x)
			}
		}
	}
}

func listOf(x any) []any { list, _ := x.([]any); return list }

// offer keeps the example with most keys that is short enough, and of equal ones the shortest.
func (w *exampleWalker) offer(name string, x example) {
	old, there := w.best[name]
	keys := func(x example) int { return strings.Count(x.text, "\": ") }
	switch {
	case len(x.text) > longestExample:
	case !there, keys(x) > keys(old), keys(x) == keys(old) && len(x.text) < len(old.text),
		keys(x) == keys(old) && len(x.text) == len(old.text) && x.text+x.of < old.text+old.of:
		w.best[name] = x
	}
}

// spaced is a JSON text on one line.
func spaced(text json.RawMessage) string {
	var b bytes.Buffer
	_ = json.Compact(&b, text)
	inText, out := false, strings.Builder{}
	for i, c := range b.Bytes() {
		out.WriteByte(c)
		if c == '"' && b.Bytes()[max(0, i-1)] != '\\' {
			inText = !inText
		}
		if !inText && (c == ',' || c == ':') {
			out.WriteByte(' ')
		}
	}
	return out.String()
}

// holds evaluates the conditions of the schema: a type, or a key with a constant.
func holds(condition any, text json.RawMessage) bool {
	s, _ := condition.(map[string]any)
	first := bytes.TrimSpace(text)[0]
	switch s["type"] {
	case "object":
		if first != '{' {
			return false
		}
	case "array":
		if first != '[' {
			return false
		}
	case "string":
		if first != '"' {
			return false
		}
	}
	var object map[string]json.RawMessage
	if first == '{' {
		_ = json.Unmarshal(text, &object)
	}
	for _, key := range listOf(s["required"]) {
		if object[key.(string)] == nil {
			return false
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for key, part := range properties {
		constant, is := part.(map[string]any)["const"]
		if is && object[key] != nil && string(object[key]) != fmt.Sprintf("%q", constant) {
			return false
		}
	}
	return true
}

// TestExamples: every section of the reference has an example, and the cases among them build.
func TestExamples(t *testing.T) {
	schema := models.Grammar().Schema()
	list, err := examples(schema)
	if err != nil {
		t.Fatal(err)
	}
	var root struct {
		Defs ordered `json:"$defs"`
	}
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatal(err)
	}
	var without []string
	for _, name := range root.Defs.keys {
		if list[name] == "" {
			without = append(without, name)
		}
	}
	slices.Sort(without)
	if len(without) > 0 {
		t.Errorf("no example of %q", without)
	}
	for name, text := range written {
		c, err := models.Grammar().Decode(name, []byte(text))
		if err == nil {
			_, err = models.Build(t.Context(), c)
		}
		if err != nil {
			t.Error(err)
		}
	}
}
