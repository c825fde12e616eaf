package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/models"
)

// TestWords: the words that people search for are on the page, and what its table links to is there.
func TestWords(t *testing.T) {
	page, err := os.ReadFile("how-do-i-say.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ToLower(string(page))
	for _, word := range []string{"torque", "motor", "ramp", "stribeck", "locking", "compound", "static body", "wall",
		"moment", "symmetric", "prescribed motion", "push at a point", "include", "cylinder", "density", "offset centre", "stl", "obj"} {
		if !strings.Contains(text, word) {
			t.Errorf("no word of %q", word)
		}
	}
	anchors := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(text, -1) {
		anchors[strings.ReplaceAll(regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(m[1], ""), " ", "-")] = true
	}
	for _, m := range regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		if !anchors[m[1]] {
			t.Errorf("no section #%s", m[1])
		}
	}
}

// TestHowDoISay: every case of the page is one; blocks with a name are files that others include.
func TestHowDoISay(t *testing.T) {
	page, err := os.ReadFile("how-do-i-say.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(?:json|obj|xml)([^\n]*)\n(.*?)```").FindAllSubmatch(page, -1)
	dir := t.TempDir()
	if len(blocks) < 4 {
		t.Fatalf("%d cases", len(blocks))
	}
	for i, b := range blocks {
		if name := strings.TrimSpace(string(b[1])); name != "" {
			if err := os.WriteFile(filepath.Join(dir, name), b[2], 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		c, err := models.Grammar().Decode(filepath.Join(dir, fmt.Sprintf("block %d", i+1)), b[2])
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := models.Build(t.Context(), c); err != nil {
			t.Error(err)
		}
	}
}
