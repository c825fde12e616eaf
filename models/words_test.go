package models

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestWordsOfOthers: what the schema has for the words of others is a key or a value that is there,
// or a sentence; and no such word is one of the format itself.
func TestWordsOfOthers(t *testing.T) {
	var root any
	if err := json.Unmarshal(Grammar().Schema(), &root); err != nil {
		t.Fatal(err)
	}
	count := 0
	var walk func(at string, x any)
	walk = func(at string, x any) {
		switch x := x.(type) {
		case []any:
			for _, y := range x {
				walk(at, y)
			}
		case map[string]any:
			var valid []string
			for key := range asObject(x["properties"]) {
				valid = append(valid, key)
			}
			values, _ := x["enum"].([]any)
			for _, v := range values {
				valid = append(valid, fmt.Sprint(v))
			}
			for word, is := range asObject(x["x-words"]) {
				count++
				if text := is.(string); slices.Contains(valid, word) || !slices.Contains(valid, text) &&
					!strings.Contains(text, " ") || word != strings.ToLower(word) {
					t.Errorf("%s: %q stands for %q", at, word, text)
				}
			}
			for key, y := range x {
				walk(at+"."+key, y)
			}
		}
	}
	walk("$", root)
	if count < 100 {
		t.Errorf("%d words", count)
	}
}

func asObject(x any) map[string]any {
	m, _ := x.(map[string]any)
	return m
}

// TestWords: who writes a word of another program is told the one that is meant here, and who writes
// what has another form, which form it has.
func TestWords(t *testing.T) {
	const body = `"bodies": [{"id": "b", "mass": 1, "shape": {"type": "sphere", "radius": 1}}]`
	for _, c := range []struct{ text, want string }{
		{`"bodies": [{"id": "b", "mass": 1, "static": true}]`,
			`$.bodies[0].static: unknown key "static", the nearest valid one is "fixed"`},
		{`"bodies": [{"id": "b", "mass": 1, "Force": [1, 0, 0]}]`, `"load"`},
		{`"bodies": [{"id": "b", "mass": 1, "torque": [1, 0, 0]}]`, `unknown key "torque": torques are in "loads" of the case`},
		{`"bodies": [{"id": "b", "mass": 1, "shape": {"type": "cube", "size": [1, 1, 1]}}]`, `found "cube", want one of "point"`},
		{`"bodies": [{"id": "b", "mass": 1, "shape": {"type": "cube", "size": [1, 1, 1]}}]`, `; here it is "box"`},
		{`"bodies": [{"id": "b", "mass": 1, "shape": {"type": "square", "size": [1, 1, 1]}}]`, `; a square is a polygon of four vertices`},
		{`"bodies": [{"id": "b", "mass": 1, "shape": {"type": "sphere", "radius": 1}, "orientation": [0, 0, 1]}]`,
			"want at least 4 items: Unit quaternion (w, x, y, z) at the start, in space: a turn by the angle a"},
		{`"dimension": 2, "bodies": [{"id": "b", "mass": 1, "shape": {"type": "box", "size": [1, 1, 1]}}]`,
			"a box in 2 dimensions, want one of point, disc, ellipse, polygon, rod; the nearest one is polygon"},
		{`"friction": {"dry": {"mu_s": 0.3}}, ` + body, `the nearest valid one is "static"`},
		{`"friction": {"dry": {"mu-k": 0.3}}, ` + body, `the nearest valid one is "kinetic"`},
		{`"obstacles": {"post": {"type": "box"}}, ` + body, `stands still as a body with "fixed": true`},
		{`"obstacles": {"belt": {"point": [0, 0, 0], "normal": [0, 0, 1], "motion": {"velocity": [1, 0, 0]}}}, ` + body,
			`"velocity": a velocity is the slope of a table`},
		{`"joints": [{"type": "hinge", "body": "b"}], ` + body, `; here it is "revolute"`},
		{`"joints": [{"type": "revolute", "body": "b", "axis": [0, 0, 1], "motor": {"torque": 1}}], ` + body,
			`the nearest valid one is "force"`},
	} {
		if faults, _ := built(t, c.text, `{"model": "rigid", "until": 1, `+c.text+`}`); !strings.Contains(faults, c.want) {
			t.Errorf("%s: %s, want %s", c.text, faults, c.want)
		}
	}
	for model, want := range map[string]string{"energetic": `want "slip"`, "halfspace": "half-spaces are quasi-static"} {
		law := `{"static": 0.5, "kinetic": 0.3}`
		if model != "halfspace" {
			law = `{"dry": ` + law + `}`
		}
		if faults, _ := built(t, model, `{"model": "`+model+`", "until": 1, "friction": `+law+`}`); !strings.Contains(faults, want) {
			t.Errorf("%s: %s, want %s", model, faults, want)
		}
	}
	for law, want := range map[string]string{`{"mu_s": 0.5}`: `the nearest valid one is "static"`,
		`{"static": 0.5, "kinetic": 0.3}`: "P |dμ/dv| < ρ c_s", `{"mu": {"table": [[0, 1], [1, 2]]}}`: "want a number",
		`{}`: `want a coefficient "mu"`, `{"mu": 0.3, "rolling": 0.1}`: "one of the model rigid"} {
		if faults, _ := built(t, law, `{"model": "elastodynamic", "until": 1, "mesh": {"block": {"size": [1, 1], "cells": [1, 1]}}, "young": 1, "density": 1, "body_force": [0, -1],
			"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "dry"}], "friction": {"dry": `+
			law+`}}`); !strings.Contains(faults, want) {
			t.Errorf("%s: %s, want %s", law, faults, want)
		}
	}
	for text, want := range map[string]string{`{"case": "play", "vary": {}}`: "is a study: quasistatic sweep",
		`{"blocks": []}`: "is an assembly: quasistatic stands"} {
		if _, err := Grammar().Decode("c.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
