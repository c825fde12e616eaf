package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var (
	codeFile = regexp.MustCompile("`([a-z/0-9]+\\.go)`")
	codeName = regexp.MustCompile("`([a-z]+)\\.([A-Z][A-Za-z]*)`")
	// folders of the packages that are not at the top.
	folders = map[string]string{"rigid": "dynamics/rigid", "multibody": "dynamics/multibody",
		"bodies": "dynamics/bodies", "elastic": "dynamics/elastic", "body": "particles/body", "law": "contact/law",
		"lcp": "contact/lcp", "form": "contact/form", "bodyview": "model/bodyview", "proof": "energetic/proof",
		"assume": "energetic/assume", "global": "energetic/global"}
)

// TestTheoryNames checks that what the theory notes name exists.
func TestTheoryNames(t *testing.T) {
	text, err := os.ReadFile("theory.md")
	if err != nil {
		t.Fatal(err)
	}
	files, names := codeFile.FindAllSubmatch(text, -1), codeName.FindAllSubmatch(text, -1)
	if len(files) < 25 || len(names) < 25 {
		t.Fatalf("%d files, %d names", len(files), len(names))
	}
	for _, m := range files {
		if _, err := os.Stat(filepath.Join("..", string(m[1]))); err != nil {
			t.Error(err)
		}
	}
	for _, m := range names {
		folder := string(m[1])
		if f, ok := folders[folder]; ok {
			folder = f
		}
		if !declares(t, filepath.Join("..", folder), string(m[2])) {
			t.Errorf("package %s has no %s", folder, m[2])
		}
	}
}

var (
	row      = regexp.MustCompile(`(?m)^\| (.*) \| (.*) \| (.*) \|$`)
	equation = regexp.MustCompile(`\(\d+(?:\.\d+)?\)|\((?:S|E|DI|IP_γ|N\d)\)|(?:Theorem|Lemma|Proposition) \d+(?:\.\d+)?|Appendix [A-Z]`)
)

// TestTheoryEquations checks that the packages that a row of the theory notes names
// speak of the equations, theorems and lemmas of the row.
func TestTheoryEquations(t *testing.T) {
	text, err := os.ReadFile("theory.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		what, where := m[1]+" "+m[2], m[3]
		var list []string
		for _, f := range codeFile.FindAllStringSubmatch(where, -1) {
			list = append(list, filepath.Dir(f[1]))
		}
		for _, n := range codeName.FindAllStringSubmatch(where, -1) {
			folder := n[1]
			if f, ok := folders[folder]; ok {
				folder = f
			}
			list = append(list, folder)
		}
		code := sources(t, list)
		for _, e := range equation.FindAllString(what, -1) {
			checked++
			if !strings.Contains(code, e) {
				t.Errorf("%q: %s does not occur in %v", what, e, list)
			}
		}
	}
	if checked < 50 {
		t.Errorf("%d equations", checked)
	}
}

// sources returns the text of packages, without their tests.
func sources(t *testing.T, folders []string) string {
	t.Helper()
	var b strings.Builder
	for _, folder := range folders {
		list, err := filepath.Glob(filepath.Join("..", folder, "*.go"))
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %d files, error %v", folder, len(list), err)
		}
		for _, file := range list {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(text)
		}
	}
	return b.String()
}

// declares reports whether a package declares a function or type of that name.
func declares(t *testing.T, folder, name string) bool {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	declaration := regexp.MustCompile(`(?m)^(func|type|var|const)\s+` + name + `\b|^\t` + name + `\b(.*\bstruct\b|\s+= )`)
	for _, file := range list {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") && declaration.Match(text) {
			return true
		}
	}
	return false
}

// TestGalleryCommands checks that a command of the gallery makes each of its pictures.
func TestGalleryCommands(t *testing.T) {
	data, err := os.ReadFile("gallery.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	pictures := regexp.MustCompile(`\]\(pictures/([^)]+)\)`).FindAllStringSubmatch(text, -1)
	if len(pictures) < 15 {
		t.Fatalf("%d pictures", len(pictures))
	}
	for _, m := range pictures {
		run, isOverview := strings.CutSuffix(m[1], "-overview.png") // run leaves these
		if isOverview && strings.Contains(text, "$ quasistatic run "+run) || strings.Contains(text, "--out "+m[1]) {
			continue
		}
		t.Errorf("no command makes %s", m[1])
	}
}

// TestNoConflictIsLeft: no page holds the marks of a merge that was not finished.
func TestNoConflictIsLeft(t *testing.T) {
	marks := regexp.MustCompile(`(?m)^(<{7} .*|={7}|>{7} .*)$`)
	pages, err := filepath.Glob("../*.md")
	if err != nil || len(pages) < 4 {
		t.Fatalf("%d pages (%v)", len(pages), err)
	}
	for _, dir := range []string{"*.md", "decisions/*.md", "lab/*.md"} {
		more, err := filepath.Glob(dir)
		if err != nil || len(more) == 0 {
			t.Fatalf("%s: %v", dir, err)
		}
		pages = append(pages, more...)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if at := marks.FindIndex(text); at != nil {
			t.Errorf("%s:%d: %s", page, 1+strings.Count(string(text[:at[0]]), "\n"), text[at[0]:at[1]])
		}
	}
}

// TestDecisionsArePages: a decision is one page of 60 lines and 100 columns, and what was measured
// for it stands in the lab.
func TestDecisionsArePages(t *testing.T) {
	pages, err := filepath.Glob("decisions/*.md")
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d decisions (%v)", len(pages), err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		if len(lines) > 60 {
			t.Errorf("%s has %d lines", page, len(lines))
		}
		for i, line := range lines {
			if n := utf8.RuneCountInString(line); n > 100 && !strings.HasPrefix(line, "|") {
				t.Errorf("%s:%d has %d columns", page, i+1, n)
			}
		}
	}
}
