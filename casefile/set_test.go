package casefile

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	const text = `{
  "until": 2,
  "friction": {"dry": {"mu": 0.4}, "wet soil": {}},
  "energies": [{"stiffness": [2, 2, 5]}, {}]
}`
	for _, test := range []struct{ path, value, old, new string }{
		{"until", "3", `"until": 2`, `"until": 3`},
		{"$.friction.dry.mu", "[1, 2]", `0.4`, `[1, 2]`},
		{"friction.dry", "null", `{"mu": 0.4}`, `null`},
		{"energies[0].stiffness[2]", "7", `2, 5]`, `2, 7]`},
		{`friction["wet soil"].mu`, ".5e0", "", ""}, // .5 is not JSON
		{`friction["wet soil"].mu`, "0.5", `"wet soil": {}`, `"wet soil": {"mu": 0.5}`},
		{"energies[1].type", `"tether"`, `, {}]`, `, {"type": "tether"}]`},
		{"solver.memory.limit", "1", "{\n", "{\"solver\": {\"memory\": {\"limit\": 1}}, \n"},
		{"friction.dry.mu_y", "1", `{"mu": 0.4}`, `{"mu_y": 1, "mu": 0.4}`},
	} {
		got, err := Set([]byte(text), test.path, json.RawMessage(test.value))
		if test.old == "" {
			if err == nil {
				t.Errorf("%s = %s: no error", test.path, test.value)
			}
			continue
		}
		if want := strings.Replace(text, test.old, test.new, 1); err != nil || string(got) != want {
			t.Errorf("%s = %s: %v\n%s\nwant\n%s", test.path, test.value, err, got, want)
		}
		if !json.Valid(got) {
			t.Errorf("%s = %s: not JSON:\n%s", test.path, test.value, got)
		}
	}
	for path, want := range map[string]string{
		"":                     "it is empty",
		"$":                    "it is empty",
		"a..b":                 "an empty key",
		"a[":                   "a [ without",
		"a[-1]":                "a [ without",
		"energies[x]":          "a [ without",
		`friction["dry"`:       "a [ without",
		"a[0]b":                "a . or [ is missing",
		"energies[2].x":        "$.energies[2]: the list has no element 2",
		"until.x":              "$.until is not an object",
		"friction[0]":          "$.friction is not a list",
		"energies.stiffness":   "$.energies is not an object",
		"friction.dry.mu.a[0]": "$.friction.dry.mu is not an object",
	} {
		if _, err := Set([]byte(text), path, json.RawMessage("1")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", path, err, want)
		}
	}
}

// FuzzSet: whatever the path, the outcome is an error or JSON, and setting twice is
// setting once.
func FuzzSet(f *testing.F) {
	for _, p := range []string{"a.b", "a[0]", `a["x"].y`, "$.e[1].f"} {
		f.Add(`{"a": {"b": [1, {}]}, "e": [[], {"f": 2}]}`, p, "3")
	}
	f.Fuzz(func(t *testing.T, text, path, value string) {
		once, err := Set([]byte(text), path, json.RawMessage(value))
		if err != nil {
			return
		}
		if !json.Valid(once) {
			t.Fatalf("%q, %q, %q gives %q", text, path, value, once)
		}
		if strings.Count(text, path) > 1 || hasTwins(text) {
			return // a key that occurs twice is a fault of the case
		}
		twice, err := Set(once, path, json.RawMessage(value))
		if err != nil || string(twice) != string(once) {
			t.Fatalf("%q, %q, %q: once %q, twice %q, %v", text, path, value, once, twice, err)
		}
	})
}

// hasTwins reports whether an object has a key twice.
func hasTwins(text string) bool {
	f := &Faults{data: []byte(text)}
	f.parse()
	return f.Any()
}

// TestSetAll: values are JSON, or numbers as people type them, or else words, one after the other.
func TestSetAll(t *testing.T) {
	const text = `{"name": "a", "steps": 10, "friction": {"dry": {"mu": 0.3}}}`
	got, err := SetAll([]byte(text), []string{"steps=20", "name=b", "friction.dry.mu=[1, 2]", "steps=30"}, nil)
	if want := `{"name": "b", "steps": 30, "friction": {"dry": {"mu": [1, 2]}}}`; err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	for typed, want := range map[string]string{".3": "0.3", "+2": "2", "1.": "1", "-.5e-3": "-0.0005", "1e999": "1e999",
		"0x1p3": `"0x1p3"`, "1_0": `"1_0"`, ".": `"."`, "": `""`, "true": "true"} {
		if got, err := SetAll([]byte(`{"a": 7}`), []string{"a=" + typed}, nil); err != nil || string(got) != `{"a": `+want+`}` {
			t.Errorf("a=%s: %s, %v, want %s", typed, got, err, want)
		}
	}
	for set, want := range map[string]string{"steps": "no =, want PATH=VALUE", "a[=1": "--set a[=1: ", "steps.x=1": "--set steps.x=1: "} {
		if _, err := SetAll([]byte(text), []string{set}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
}

// TestSetReplaces: what is set takes the place of what excludes it, unless that is set too.
func TestSetReplaces(t *testing.T) {
	for _, c := range []struct{ text, set, want string }{
		{`{"a": 1, "adaptive": {"max_step": 0.1}, "until": 2}`, "steps=10", `{"steps": 10, "a": 1, "until": 2}`},
		{`{"a": 1, "times": [0, 1]}`, "step=0.1", `{"step": 0.1, "a": 1}`},
		{`{"steps": "events", "exact": true, "a": 1}`, "steps=10", `{"steps": 10, "a": 1}`},
		{`{"steps": "events", "exact": true}`, "steps=events", `{"steps": "events", "exact": true}`},
		{`{"steps": 5}`, `adaptive={}`, `{"adaptive": {}}`},
		{`{"friction": {"f": {"map": {"csv": "a", "x": "mu"}, "b": 1}}}`, "friction.f.mu=0.3", `{"friction": {"f": {"mu": 0.3, "b": 1}}}`},
		{`{"other": {"steps": 1}}`, "step=2", `{"step": 2, "other": {"steps": 1}}`},
		{`{"steps": 5}`, "step=2 steps=3", `{"step": 2, "steps": 3}`}, // the case says that both are one too many
	} {
		got, err := SetAll([]byte(c.text), strings.Fields(c.set), nil)
		if err != nil || string(got) != c.want {
			t.Errorf("%s with %s: %s, %v, want %s", c.text, c.set, got, err, c.want)
		}
	}
}

// TestQuantityLine: a quantity is JSON, or a name that keys follow.
func TestQuantityLine(t *testing.T) {
	for text, want := range map[string]string{
		`{"quantity": "work"}`:                 `{"quantity": "work"}`,
		"work":                                 `{"quantity":"work"}`,
		"position particle=p axis=x time=0.25": `{"axis":"x","particle":"p","quantity":"position","time":0.25}`,
		"normal_force node=3":                  `{"node":3,"quantity":"normal_force"}`,
	} {
		if got, err := QuantityLine(text); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{"{": "not JSON", " ": "want the name", "work p": "want key=value"} {
		if _, err := QuantityLine(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
