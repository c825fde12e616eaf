package docs

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
)

var update = flag.Bool("update", false, "write the file anew")

func TestCaseFormatIsCurrent(t *testing.T) {
	want, err := CaseFormat(casefile.Schema())
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
