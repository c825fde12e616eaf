package casefile_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
)

// TestRulesAgree: a case follows the rules of its own keys, read one by one, exactly if another
// library says that it follows the schema as it is printed, and what is refused is told why. Cases
// of all models, changed at random.
func TestRulesAgree(t *testing.T) {
	thorough.Seconds(t)
	referee, editor := refereeOf(t, models.Grammar().Schema()), refereeOf(t, models.Grammar().EditorSchema())
	files, err := filepath.Glob("../cases/*.json")
	if err != nil {
		t.Fatal(err)
	}
	grammar := run.Grammar(models.List)
	follow, broken := 0, 0
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 10000 {
			continue
		}
		asWritten, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := editor.Validate(asWritten); err != nil {
			t.Errorf("%s: an editor says %v", file, err)
		}
		k, err := grammar.Decode(file, data)
		if err != nil {
			t.Fatal(err)
		}
		var base any
		if err := json.Unmarshal(k.Document(), &base); err != nil {
			t.Fatal(err)
		}
		for _, seed := range []uint64{0, 2, 5} {
			m := &mutant{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}
			share := float64(seed) / float64(m.collect(base)) // the first as it is
			text, err := json.Marshal(m.change(base, share))
			if err != nil {
				continue // a number that JSON has no word for
			}
			instance, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			want := referee.Validate(instance)
			_, got := grammar.Decode("a.json", text)
			if want == nil && got != nil && sized.MatchString(got.Error()) {
				continue // the sizes of numbers are no rule of the schema
			}
			if (want == nil) != (got == nil) {
				t.Errorf("%s, seed %d: the referee says %v, the rules %v of\n%s", file, seed, want, got, text)
			}
			if got != nil && strings.Contains(got.Error(), "validating") { // the library's own words
				t.Errorf("%s, seed %d: refused without a reason: %v", file, seed, got)
			}
			if got == nil {
				follow++
			} else {
				broken++
			}
		}
	}
	if follow < 50 || broken < 50 {
		t.Errorf("%d cases follow the schema, %d break it: want fifty of both", follow, broken)
	}
}

// sized is what is said of numbers too large, or too small where they must be positive.
var sized = regexp.MustCompile(`want a number (of at most 1e\+30 in size|>= 1e-60)`)

// refereeOf is another library's reading of a schema.
func refereeOf(t *testing.T, schema []byte) *jsonschema.Schema {
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:test", tree); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("urn:test")
}

// TestDefinitionsAnyhow: definitions are found however their file is laid out, and a key of the
// same name within another one is not taken for them.
func TestDefinitionsAnyhow(t *testing.T) {
	const of = `{"m": {"properties": {"model": {}, "n": {"$ref": "#/$defs/n"}}}, "n": {"type": "number"}}`
	for _, indent := range []string{"", " ", "  ", "\t"} {
		text := []byte(of)
		if indent != "" {
			var b bytes.Buffer
			if err := json.Indent(&b, text, "", indent); err != nil {
				t.Fatal(err)
			}
			text = b.Bytes()
		}
		g := casefile.NewGrammar(casefile.Definition{Model: "m", Schema: text})
		if _, err := g.Decode("a.json", []byte(`{"model": "m", "n": 1}`)); err != nil {
			t.Errorf("indented by %q: a number is refused: %v", indent, err)
		}
		if _, err := g.Decode("a.json", []byte(`{"model": "m", "n": "one"}`)); err == nil {
			t.Errorf("indented by %q: a word is taken for a number", indent)
		}
	}
}
