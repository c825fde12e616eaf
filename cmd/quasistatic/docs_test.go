package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"
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
	for _, name := range append(pages, "../../README.md") {
		text := read(t, name)
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, line := range strings.Split(text, "\n") {
				if command, ok := strings.CutPrefix(line, "go run ./cmd/quasistatic "); ok {
					command, _, _ = strings.Cut(command, " #")
					commands++
					runDocumented(t, command)
				} else if command, ok := strings.CutPrefix(line, "$ quasistatic "); ok {
					commands++
					runDocumented(t, command)
				} else if strings.HasPrefix(line, "$ ") {
					t.Errorf("%q is no command of the program", line)
				}
			}
		})
	}
	if commands < 40 {
		t.Errorf("%d commands", commands)
	}
}

// runDocumented runs a command, a moment long if it serves.
func runDocumented(t *testing.T, command string) {
	t.Helper()
	moment := time.Minute
	if strings.HasPrefix(command, "view") {
		moment = 200 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(context.Background(), moment)
	defer cancel()
	var out bytes.Buffer
	if code := runContext(ctx, append([]string{"quasistatic"}, words(command)...), &out, &out); code != exitDone {
		t.Errorf("%s: exit %d\n%s", command, code, out.String())
	}
}

// shownCommand is the use of a command in running text or in a table of commands.
var shownCommand = regexp.MustCompile("(?m)(?:`|^)quasistatic ([a-z]+)((?: +--?[a-z-]+)*)")

// TestDocsNames checks that commands and flags that texts name are there, and that the
// README lists all commands.
func TestDocsNames(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(docsDir, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	app := newApp(io.Discard, io.Discard)
	inReadme := map[string]bool{}
	for _, name := range append(pages, "../../README.md", "../../ARCHITECTURE.md", "../../contact/README.md") {
		for _, m := range shownCommand.FindAllStringSubmatch(read(t, name), -1) {
			c := app.Command(m[1])
			if c == nil {
				t.Errorf("%s: there is no command %q", name, m[1])
				continue
			}
			inReadme[c.Name] = inReadme[c.Name] || filepath.Base(name) == "README.md"
			for _, flag := range strings.Fields(m[2]) {
				if !slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), strings.TrimLeft(flag, "-")) }) {
					t.Errorf("%s: %s has no flag %s", name, c.Name, flag)
				}
			}
		}
	}
	for _, c := range app.Commands {
		if !inReadme[c.Name] && c.Name != "help" {
			t.Errorf("README.md does not list %s", c.Name)
		}
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
