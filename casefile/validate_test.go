package casefile_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/quasistatic/quasistatic/models"
)

// TestKeywords: the format is written in the keywords that the rules know, and in those that
// only tell.
func TestKeywords(t *testing.T) {
	var root any
	if err := json.Unmarshal(models.Grammar().Schema(), &root); err != nil {
		t.Fatal(err)
	}
	known := []string{"$schema", "$id", "$defs", "title", "description", "default", // these tell
		"type", "const", "enum", "$ref", "properties", "additionalProperties", "propertyNames", "required", "minProperties", "maxProperties",
		"prefixItems", "items", "contains", "minItems", "maxItems", "minLength", "maxLength", "pattern",
		"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "allOf", "if", "then", "else"}
	n := 0
	var walk func(path string, schema any)
	walk = func(path string, schema any) {
		s, ok := schema.(map[string]any)
		if !ok {
			if schema != false {
				t.Errorf("%s is %v, want an object or false", path, schema)
			}
			return
		}
		n++
		for _, key := range slices.Sorted(maps.Keys(s)) {
			at := path + "/" + key
			switch {
			case key == "pattern" && path != "/$defs/name":
				t.Errorf("%s: isName knows the pattern of names only", at)
			case !slices.Contains(known, key):
				t.Errorf("%s: the rules do not know this keyword", at)
			case key == "properties" || key == "$defs":
				for name, part := range s[key].(map[string]any) {
					walk(at+"/"+name, part)
				}
			case key == "prefixItems" || key == "allOf":
				for _, part := range s[key].([]any) {
					walk(at, part)
				}
			case slices.Contains([]string{"items", "contains", "additionalProperties", "propertyNames", "if", "then", "else"}, key):
				walk(at, s[key])
			}
		}
	}
	walk("", root)
	if n < 500 {
		t.Errorf("%d schemas, want all", n)
	}
}

// TestReferee: a case that was changed at random follows the rules if and only if it follows the
// schema, by a library for JSON Schema.
func TestReferee(t *testing.T) {
	var root any
	if err := json.Unmarshal(models.Grammar().Schema(), &root); err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:test", root); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("urn:test")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../cases/*.json")
	if err != nil {
		t.Fatal(err)
	}
	each, accepted, refused := 4, 0, 0
	if os.Getenv("QUASISTATIC_LONG") != "" {
		each = 400
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 10000 {
			continue
		}
		var base any
		if err := json.Unmarshal(data, &base); err != nil {
			t.Fatal(err)
		}
		for seed := range each {
			m := &mutant{Rand: rand.New(rand.NewPCG(uint64(seed), uint64(len(data))))}
			n := m.collect(base)
			changed := m.change(base, 1.5*float64(seed%3)/float64(n))
			text, err := json.Marshal(changed)
			if err != nil {
				continue // a number that JSON has no word for
			}
			if err := json.Unmarshal(text, &changed); err != nil {
				continue
			}
			want := schema.Validate(changed)
			if root, ok := changed.(map[string]any); ok && len(root) == 0 {
				continue // said in words of its own
			}
			if _, err := models.Grammar().Decode("mutant.json", text); (err == nil) != (want == nil) {
				t.Errorf("%s: rules: %v; schema: %v; of\n%s", name, err, want, text)
			} else if err == nil {
				accepted++
			} else {
				refused++
			}
		}
	}
	if accepted < 50 || refused < 50 {
		t.Errorf("%d accepted, %d refused: want both", accepted, refused)
	}
}
