package template_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile/template"
)

// sourceOf reads a text; keys of objects are in the order in which the test needs them: sorted.
func sourceOf(t testing.TB, text string) template.Source {
	var tree any
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatal(err)
	}
	return template.Source{Tree: tree, Keys: func(at []any) (keys []string) {
		v := tree
		for _, part := range at {
			if i, ok := part.(int); ok {
				v = v.([]any)[i]
			} else {
				v = v.(map[string]any)[part.(string)]
			}
		}
		for key := range v.(map[string]any) {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		return keys
	}}
}

// TestExpand: what is written out, by hand.
func TestExpand(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"a": [1, "b", {"c": null}]}`, `{"a": [1, "b", {"c": null}]}`}, // nothing to do
		{`{"parameters": {"h": 0.2, "w": "=h/4"}, "size": ["=w", "=2*h"]}`, `{"size": [0.05, 0.4]}`},
		{`{"parameters": {"h": [1, 2, 4]}, "a": "=h[2]", "b": "=h"}`, `{"a": 4, "b": [1, 2, 4]}`},
		{`{"a": "=2**10 + 7 % 4 - mod(-1, 4)", "b": "=max(1, 2) > 1 ? 5 : 6"}`, `{"a": 1024, "b": 5}`},
		{`{"l": [0, {"repeat": {"i": 3}, "id": "b{i}", "at": "=i/10"}, 9]}`,
			`{"l": [0, {"id": "b0", "at": 0}, {"id": "b1", "at": 0.1}, {"id": "b2", "at": 0.2}, 9]}`},
		{`{"l": [{"repeat": {"i": 3}, "of": ["=i", "=i*i"]}]}`, `{"l": [[0, 0], [1, 1], [2, 4]]}`},
		{`{"l": [{"repeat": {"i": 3, "j": "=i"}, "of": "=10*i + j"}]}`, `{"l": [10, 20, 21]}`}, // j after i
		{`{"l": [{"repeat": {"i": [2, 5]}, "when": "=i != 2", "of": "=i"}]}`, `{"l": [5]}`},
		{`{"o": {"s{i}": {"repeat": {"i": 2}, "h": "=i"}, "z": {}}}`, `{"o": {"s0": {"h": 0}, "s1": {"h": 1}, "z": {}}}`},
		{`{"l": [{"repeat": {"i": 0}, "id": "b{i}"}]}`, `{"l": []}`},
		{`{"parameters": {"n": 3}, "id": "p{n-1}", "of": ["p{n}{n}"], "note": "{n} of {j}, {}, {1}, {n"}`,
			`{"id": "p2", "of": ["p33"], "note": "{n} of {j}, {}, {1}, {n"}`},
		{`{"a": "=10000000000*10000000000*10000000000"}`, `{"a": 1e30}`}, // no number overflows
		{`{"l": [{"repeat": {"i": 1}, "l": [{"repeat": {"j": 2}, "id": "{i}-{j + 0.5}"}]}]}`,
			`{"l": [{"l": [{"id": "0-0.5"}, {"id": "0-1.5"}]}]}`},
	} {
		var want any
		if err := json.Unmarshal([]byte(c.want), &want); err != nil {
			t.Fatal(err)
		}
		got, faults := template.Expand(sourceOf(t, c.text))
		if len(faults) > 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v %v, want %v", c.text, got, faults, want)
		}
	}
}

// TestFaults: where and what.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, at, want string }{
		{`{"parameters": {"mu": 1}, "a": "=mv"}`, "[a]", `unknown name "mv", the nearest one is "mu"`},
		{`{"parameters": {"pi": 3}, "a": "=pi"}`, "[parameters pi]", `"pi" is a constant`},
		{`{"a": [{"repeat": {"max": 2}, "b": 1}]}`, "[a 0 repeat max]", `"max" is a function`},
		{`{"a": "=mu"}`, "[a]", `no "parameters"`},
		{`{"parameters": {"mu": 1}}`, "[parameters mu]", `no expression uses "mu"`},
		{`{"parameters": {"a": "=b", "b": "=a"}, "c": "=a"}`, "[parameters b]", "made of itself"},
		{`{"parameters": 3}`, "[parameters]", "want names with numbers"},
		{`{"a": "=1/0"}`, "[a]", "finite"},
		{`{"a": "=1 +"}`, "[a]", "missing at its end"},
		{`{"a": "=len([1])"}`, "[a]", "len"},
		{`{"a": "=1..1000000000"}`, "[a]", "mismatched"},
		{`{"a": "=sqrt(1, 2)"}`, "[a]", "want 1"},
		{`{"a": "=` + strings.Repeat("1+", 600) + `1"}`, "[a]", "at most 1000"},
		{`{"l": [{"repeat": {"i": 1.5}}]}`, "[l 0 repeat i]", "whole number"},
		{`{"l": [{"repeat": {"i": -1}}]}`, "[l 0 repeat i]", "whole number"},
		{`{"l": [{"repeat": 3}]}`, "[l 0 repeat]", "want indices"},
		{`{"l": [{"repeat": {"i": 2}, "of": 1, "id": 2}]}`, "[l 0]", "other keys"},
		{`{"l": [{"repeat": {"i": 2}, "id": "a{i"}]}`, "[l 0 id]", "without }"},
		{`{"l": [{"repeat": {"i": 2}, "when": "=i"}]}`, "[l 0 when]", "true or false"},
		{`{"o": {"s": {"repeat": {"i": 2}}}}`, "[o s]", "key of its own"},
		{`{"o": {"s{i % 1}": {"repeat": {"i": 2}}}}`, "[o s{i % 1}]", "occurs twice"},
		{`{"parameters": {"i": 2}, "l": [{"repeat": {"i": "=i"}, "of": 1}]}`, "[l 0 repeat i]", "has a value already"},
		{`{"l": [{"repeat": {"i": 10000, "j": 10000}, "of": 1}]}`, "[l 0]", "grows beyond"},
	} {
		_, faults := template.Expand(sourceOf(t, c.text))
		if len(faults) != 1 || fmt.Sprint(faults[0].At) != c.at || !strings.Contains(faults[0].Text, c.want) {
			t.Errorf("%.80s: %v, want %s at %s", c.text, faults, c.want, c.at)
		}
	}
}

// TestPlace: a value of a copy comes from the entry that is repeated.
func TestPlace(t *testing.T) {
	s := sourceOf(t, `{"l": [0, {"repeat": {"i": 3}, "at": [1, "=i"]}, 9], "o": {"s{i}": {"repeat": {"i": 2}, "h": 1}}}`)
	for _, c := range []struct {
		at   []any
		want string
	}{
		{[]any{"l", 0}, "[l 0]"}, {[]any{"l", 3, "at", 1}, "[l 1 at 1]"}, {[]any{"l", 4}, "[l 2]"},
		{[]any{"l", 3, "missing"}, "[l 1 missing]"}, {[]any{"o", "s1", "h"}, "[o s{i} h]"}, {[]any{"none"}, "[none]"},
	} {
		if got := fmt.Sprint(template.Place(s, c.at)); got != c.want {
			t.Errorf("%v: %s, want %s", c.at, got, c.want)
		}
	}
}

// FuzzExpand: whatever a case says, the answer is a tree of JSON or faults, and to write it out
// again changes nothing.
func FuzzExpand(f *testing.F) {
	f.Add(`{"parameters": {"h": 0.2}, "l": [{"repeat": {"i": 3}, "id": "b{i}", "at": "=i*h"}]}`)
	f.Add(`{"l": [{"repeat": {"i": [1, "a"], "j": "=2"}, "when": "=i == 1", "of": ["=i", "{j}"]}], "a": "=[1,2][0]"}`)
	f.Add(`{"a": "=(((1 ? 2 : 3", "b": "=\"x\" + 1", "c": "=1..9", "d": "=#", "e": "=let x = 1; x"}`)
	f.Fuzz(func(t *testing.T, text string) {
		var tree any
		if len(text) > 500 || json.Unmarshal([]byte(text), &tree) != nil || !template.Used(tree) {
			return
		}
		s := sourceOf(t, text)
		got, faults := template.Expand(s)
		if len(faults) > 0 {
			return
		}
		first, err := json.Marshal(got)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, faults := template.Expand(template.Source{Tree: got, Keys: s.Keys})
		second, _ := json.Marshal(again)
		if _, isObject := got.(map[string]any); isObject && !template.Used(got) && (len(faults) > 0 || !bytes.Equal(first, second)) {
			t.Errorf("%s: %s, then %s %v", text, first, second, faults)
		}
	})
}
