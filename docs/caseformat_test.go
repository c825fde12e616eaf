package docs

import (
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/models"
)

var update = flag.Bool("update", false, "write the file anew")

func TestCaseFormatIsCurrent(t *testing.T) {
	want, err := caseFormat(models.Grammar().Schema())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("case-format.md", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("case-format.md")
	if err != nil || string(got) != want {
		t.Errorf("case-format.md is not that of the schema: go generate ./docs (%v)", err)
	}
	for _, key := range []string{"| `gamma` |", "| `equilibrate` |", "## tether", "`lagged`"} {
		if !strings.Contains(want, key) {
			t.Errorf("the reference has no %s", key)
		}
	}
}

// TestCaseFormatHasAllKeys: every key that the schema knows anywhere has a row, and every
// row says what it means.
func TestCaseFormatHasAllKeys(t *testing.T) {
	schema := models.Grammar().Schema()
	page, err := os.ReadFile("case-format.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.*) \\| (.*) \\|$").FindAllStringSubmatch(string(page), -1) {
		rows[m[1][strings.LastIndexByte(m[1], '.')+1:]] = true
		if m[3] == "" && !strings.HasPrefix(m[2], "`") { // a constant needs no words
			t.Errorf("the key %s has no description", m[1])
		}
	}
	var root any
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	allKeys(root, keys)
	if len(keys) < 100 {
		t.Fatalf("%d keys", len(keys))
	}
	for key := range keys {
		if !rows[key] {
			t.Errorf("the key %s has no row", key)
		}
	}
}

// allKeys collects the names of all properties, but not those of conditions.
func allKeys(x any, keys map[string]bool) {
	switch x := x.(type) {
	case []any:
		for _, v := range x {
			allKeys(v, keys)
		}
	case map[string]any:
		if p, ok := x["properties"].(map[string]any); ok {
			for key := range p {
				keys[key] = true
			}
		}
		for name, v := range x {
			if name != "if" {
				allKeys(v, keys)
			}
		}
	}
}
