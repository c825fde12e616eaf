package site_test

import (
	"encoding/json"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/quasistatic/quasistatic"
	"github.com/quasistatic/quasistatic/site"
)

// same is a program in Python that looks whether each pair of JSON and Python from its input is one case.
const same = `
import json, sys, types
case = None
class Case(dict):
    def __init__(self, given={}, **keys):
        global case
        case = {**given, **keys}
    def run(self):
        return types.SimpleNamespace(verdict="")
sys.modules["quasistatic"] = types.SimpleNamespace(Case=Case)
for text, program in json.load(sys.stdin):
    exec(program, {"print": lambda *_: None})
    if case != json.loads(text):
        print("differs:", program)
`

// TestTabs: each case of the documents is beside its like in Python, which is the same case; commands are beside
// the Python that follows them, and of each tabs one block is shown.
func TestTabs(t *testing.T) {
	documents := fstest.MapFS{"word.md": &fstest.MapFile{Data: []byte("# Odd\n\n```json\n{\"$schema\": \"x\", \"model\": \"rigid\", " +
		"\"symmetry\": null, \"lambda\": [true, {\"false\": \"null, true {\", \"model\": false}], \"a\": \"until\"}\n```\n\n" +
		"```json\n{\"model\":\"rigid\",\"until\":\"model\",\"on\":true,\"list\":[{\"until\":1}]}\n```\n\n" +
		"```json\n{\"type\": \"box\"}\n```\n\n```console\n$ quasistatic run x\n```\n\n```python\nimport x < y\n```\n")}}
	for _, name := range []string{"docs/how-do-i-say.md", "docs/case-format.md", "docs/tutorial.md"} {
		text, err := fs.ReadFile(quasistatic.Documents, name)
		if err != nil {
			t.Fatal(err)
		}
		documents[name] = &fstest.MapFile{Data: text}
	}
	dir := t.TempDir()
	if err := site.Write(t.Context(), dir, site.Options{Documents: documents, Patience: time.Minute, Version: "v0"}); err != nil {
		t.Fatal(err)
	}
	var pairs [][2]string
	one := regexp.MustCompile(`(?s)<input[^>]*><label[^>]*>(\w+)</label><pre><code>(.*?)</code></pre>`)
	commands := 0
	for name := range documents {
		page, err := os.ReadFile(filepath.Join(dir, strings.TrimSuffix(name, ".md")+".html"))
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range regexp.MustCompile(`(?s)<div class="tabs">.*?</div>`).FindAllString(string(page), -1) {
			blocks := one.FindAllStringSubmatch(group, -1)
			if len(blocks) != 2 || blocks[1][1] != "Python" || strings.Count(group, " checked>") != 1 {
				t.Fatalf("%s: %s", name, group)
			}
			if blocks[0][1] == "JSON" {
				pairs = append(pairs, [2]string{html.UnescapeString(blocks[0][2]), html.UnescapeString(blocks[1][2])})
			} else {
				commands++
			}
		}
	}
	if len(pairs) < 40 || commands < 4 {
		t.Errorf("%d cases and %d commands are beside Python", len(pairs), commands)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	text, err := json.Marshal(pairs)
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(python, "-c", same)
	run.Stdin = strings.NewReader(string(text))
	if out, err := run.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}
