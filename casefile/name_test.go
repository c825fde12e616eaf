package casefile

import (
	"encoding/json"
	"regexp"
	"testing"
)

// TestIsName: names are what the pattern of the format says.
func TestIsName(t *testing.T) {
	var common map[string]struct{ Pattern string }
	if err := json.Unmarshal(commonText, &common); err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile(common["name"].Pattern)
	for r := rune(0); r < 0x30000; r++ {
		for _, text := range []string{string(r), "a" + string(r), string(r) + "9"} {
			if isName(text) != pattern.MatchString(text) {
				t.Fatalf("isName(%q) is %v", text, isName(text))
			}
		}
	}
	if isName("") {
		t.Error("nothing is a name")
	}
}
