package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const docsDir = "../../docs"

// TestDocsCommands runs every command of the documentation, those of one page in
// one folder, one after the other. What serves is stopped after a moment.
func TestDocsCommands(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(docsDir, "*.md"))
	if err != nil || len(pages) < 4 {
		t.Fatalf("%d pages, error %v", len(pages), err)
	}
	commands := 0
	for _, name := range pages {
		text := read(t, name)
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, line := range strings.Split(text, "\n") {
				command, ok := strings.CutPrefix(line, "$ quasistatic ")
				if !ok {
					if strings.HasPrefix(line, "$ ") {
						t.Errorf("%q is no command of the program", line)
					}
					continue
				}
				commands++
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				if strings.HasPrefix(command, "view") {
					cancel()
					ctx, cancel = context.WithTimeout(context.Background(), 200*time.Millisecond)
				}
				var out bytes.Buffer
				if code := runContext(ctx, append([]string{"quasistatic"}, words(command)...), &out, &out); code != exitDone {
					t.Errorf("%s: exit %d\n%s", command, code, out.String())
				}
				cancel()
			}
		})
	}
	if commands < 12 {
		t.Errorf("%d commands", commands)
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
