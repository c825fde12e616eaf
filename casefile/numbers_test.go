package casefile_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/models"
)

// TestNumbers: of each built-in case each number is listed once, at a path that leads to it, within
// its range; and the ends of the range of a single number are allowed by the schema.
func TestNumbers(t *testing.T) {
	for _, name := range cases.Names() {
		text, _ := cases.Read(name)
		list, err := models.Grammar().Numbers(text)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %d numbers, %v", name, len(list), err)
		}
		seen := map[string]bool{}
		for i, n := range list {
			if seen[n.Path] = true; i%max(1, len(list)/10) > 0 { // each reads the whole text
				continue
			}
			if v, err := casefile.NumberAt(text, n.Path); err != nil || v != n.Value || !(n.Low <= v && v <= n.High) {
				t.Errorf("%s: %+v: %g, %v", name, n, v, err)
			}
		}
		if len(seen) != len(list) {
			t.Errorf("%s: %d paths of %d numbers", name, len(seen), len(list))
		}
	}
	text, _ := cases.Read("play")
	list, err := models.Grammar().Numbers(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range list {
		for _, v := range []float64{n.Low, n.High} {
			changed, err := casefile.Set(text, n.Path, json.RawMessage(strconv.FormatFloat(v, 'g', -1, 64)))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := models.Grammar().Decode("play.json", changed); err != nil {
				t.Errorf("%s = %g: %v", n.Path, v, err)
			}
		}
	}
}
