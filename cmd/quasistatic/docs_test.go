package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const docsDir = "../../docs"

// TestDocsCommands runs every command of the documentation, those of one page in
// one folder, one after the other.
func TestDocsCommands(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(docsDir, "*.md"))
	if err != nil || len(pages) < 4 {
		t.Fatalf("%d pages, error %v", len(pages), err)
	}
	commands := 0
	for _, name := range pages {
		var list []string
		for _, line := range strings.Split(read(t, name), "\n") {
			command, ok := strings.CutPrefix(line, "$ quasistatic ")
			if ok {
				list = append(list, command)
			} else if strings.HasPrefix(line, "$ ") {
				t.Errorf("%s: %q is no command of the program", name, line)
			}
		}
		commands += len(list)
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, command := range list {
				documented(t, dir, command)
			}
		})
	}
	if commands < 12 {
		t.Errorf("%d commands", commands)
	}
}

// documented runs a command in a folder. What serves is stopped once it does.
func documented(t *testing.T, dir, command string) {
	t.Helper()
	cmd := program(words(command)...)
	cmd.Dir = dir
	var text []byte
	var err error
	if strings.HasPrefix(command, "view") {
		text, err = stopWhen(cmd, func(line string) bool { return strings.Contains(line, "http://127.0.0.1:") })
	} else {
		text, err = cmd.CombinedOutput()
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", command, err, text)
	}
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

// TestDocsLinks checks that what the documentation links to is there.
func TestDocsLinks(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(docsDir, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(pages, "../../README.md") {
		for _, m := range link.FindAllStringSubmatch(read(t, name), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// shellWord is what a shell takes for one: quoted text, or text without spaces.
var shellWord = regexp.MustCompile(`"([^"]*)"|(\S+)`)

// words splits a command as a shell does.
func words(command string) (list []string) {
	for _, m := range shellWord.FindAllStringSubmatch(command, -1) {
		list = append(list, m[1]+m[2])
	}
	return list
}
