package docs

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/quasistatic/quasistatic/models"
)

// TestHowDoISay: every case of the page is one.
func TestHowDoISay(t *testing.T) {
	page, err := os.ReadFile("how-do-i-say.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) < 4 {
		t.Fatalf("%d cases", len(blocks))
	}
	for i, b := range blocks {
		c, err := models.Grammar().Decode(fmt.Sprintf("case %d", i+1), b[1])
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := models.Build(t.Context(), c); err != nil {
			t.Error(err)
		}
	}
}
