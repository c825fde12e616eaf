package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPaper: paper/paper.md is in the form of the Journal of Open Source Software: its head, its
// sections, two pages; what it cites is in the bibliography, whose entries it cites, and its pictures
// are there.
func TestPaper(t *testing.T) {
	raw, err := os.ReadFile("../paper/paper.md")
	if err != nil {
		t.Fatal(err)
	}
	bib, err := os.ReadFile("../paper/paper.bib")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.SplitN(string(raw), "---\n", 3)
	if len(parts) != 3 || parts[0] != "" {
		t.Fatal("there is no head between lines of ---")
	}
	for _, key := range []string{"title:", "tags:", "authors:", "affiliations:", "date:", "bibliography: paper.bib"} {
		if !strings.Contains("\n"+parts[1], "\n"+key) {
			t.Errorf("the head has no %s", key)
		}
	}
	text := parts[2]
	for _, section := range []string{"Summary", "Statement of need", "State of the field", "Acknowledgements", "References"} {
		if !strings.Contains(text, "\n# "+section+"\n") {
			t.Errorf("there is no section %q", section)
		}
	}
	if n := len(strings.Fields(text)); n < 500 || n > 1000 { // of the journal: 250 to 1000, and two pages
		t.Errorf("it has %d words", n)
	}
	cited, known := map[string]bool{}, map[string]bool{}
	for _, m := range regexp.MustCompile(`@([A-Z][A-Za-z]+\d{4})`).FindAllStringSubmatch(text, -1) {
		cited[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`(?m)^@\w+\{(\w+),`).FindAllStringSubmatch(string(bib), -1) {
		if known[m[1]] = true; !cited[m[1]] {
			t.Errorf("%s is not cited", m[1])
		}
	}
	for key := range cited {
		if !known[key] {
			t.Errorf("%s is not in paper.bib", key)
		}
	}
	pictures := regexp.MustCompile(`\]\(([^)]+\.png)\)`).FindAllStringSubmatch(text, -1)
	if len(pictures) == 0 {
		t.Error("it has no picture")
	}
	for _, m := range pictures {
		if _, err := os.Stat(filepath.Join("../paper", m[1])); err != nil {
			t.Error(err)
		}
	}
}
