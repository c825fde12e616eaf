package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/models"
)

// rooms are those that know no model: what a model brings comes to them as data.
var rooms = []string{"cmd/quasistatic", "run", "report", "table", "casefile", "study"}

// TestNoModelIsNamed: no room names a model, as a word of its own in quotes or as "the
// model …", and none imports one, or what only models compute with.
func TestNoModelIsNamed(t *testing.T) {
	var names []string
	for _, m := range models.List {
		names = append(names, m.Name)
	}
	list := strings.Join(names, "|")
	named := regexp.MustCompile("[\"'`](" + list + ")[\"'`]|(?i)\\bmodels? (" + list + ")\\b|elastodynamic")
	imported := regexp.MustCompile(`"github.com/quasistatic/quasistatic/(model/|energetic"|incremental"|dissipation"|particles|dynamics|fem"|halfspace")`)
	files := 0
	for _, room := range rooms {
		list, err := filepath.Glob("../" + room + "/*")
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %d files, %v", room, len(list), err)
		}
		for _, name := range list {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			if info, err := os.Stat(name); err != nil || info.IsDir() {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files++
			for i, line := range strings.Split(string(text), "\n") {
				if named.MatchString(line) || imported.MatchString(line) {
					t.Errorf("%s:%d: %s", name, i+1, strings.TrimSpace(line))
				}
			}
		}
	}
	if files < 60 {
		t.Errorf("%d files", files)
	}
}
