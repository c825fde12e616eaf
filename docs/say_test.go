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

// TestHowDoISay: every case of the page is one; blocks with a name are files that others include.
func TestHowDoISay(t *testing.T) {
	page, err := os.ReadFile("how-do-i-say.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```json([^\n]*)\n(.*?)```").FindAllSubmatch(page, -1)
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
