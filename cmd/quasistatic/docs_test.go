package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

const docsDir = "../../docs"

// TestDocsCommands runs every command of the documentation, those of one page in
// one folder, one after the other; those of the gallery, which are dozens of runs with
// their films, and of the studies, whose sweeps TestSweep has too, with QUASISTATIC_LONG.
func TestDocsCommands(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(docsDir, "*.md"))
	if err != nil || len(pages) < 4 {
		t.Fatalf("%d pages, error %v", len(pages), err)
	}
	commands := 0
	for _, name := range append(pages, "../../README.md") {
		var list []string
		for _, line := range strings.Split(read(t, name), "\n") {
			if command, ok := strings.CutPrefix(line, "$ quasistatic "); ok {
				list = append(list, command)
			} else if command, ok := strings.CutPrefix(line, "go run ./cmd/quasistatic "); ok {
				command, _, _ = strings.Cut(command, " #")
				list = append(list, command)
			} else if strings.HasPrefix(line, "$ ") {
				t.Errorf("%s: %q is no command of the program", name, line)
			}
		}
		commands += len(list)
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			if page := filepath.Base(name); page != "README.md" { // .ci/run has them
				thorough.Only(t, "half a minute")
			}
			dir := t.TempDir()
			for _, file := range shownFile.FindAllStringSubmatch(read(t, name), -1) {
				if err := os.WriteFile(filepath.Join(dir, file[1]), []byte(file[2]), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for _, command := range list {
				documented(t, dir, command)
			}
		})
	}
	if commands < 40 {
		t.Errorf("%d commands", commands)
	}
}

// shownFile is a file that a page shows, with its name behind the language of the block: commands of the page find it.
var shownFile = regexp.MustCompile("(?ms)^```json (\\S+)\n(.*?)^```$")

// documented runs a command in a folder. What serves is stopped once it does. The
// remark "# exit 1" says that a run is meant not to be certified, and 4 that stands is meant not to decide.
func documented(t *testing.T, dir, command string) {
	t.Helper()
	command, remark, _ := strings.Cut(command, " # ")
	if strings.HasPrefix(command, "stands ") && !strings.Contains(command, "--limit") {
		command += " --limit 2m" // its own limit is seconds by the clock, which a busy machine passes before it decides
	}
	cmd := program(words(command)...)
	cmd.Dir = dir
	var text []byte
	var err error
	if strings.HasPrefix(command, "view") {
		cmd.Env = append(cmd.Env, patient+"=5m") // a machine may be busy
		text, err = stopWhen(cmd, func(line string) bool { return strings.Contains(line, "http://127.0.0.1:") })
	} else {
		text, err = cmd.CombinedOutput()
	}
	if meant := strings.HasPrefix(remark, fmt.Sprintf("exit %d", cmd.ProcessState.ExitCode())); err != nil && !meant {
		t.Errorf("%s: %v\n%s", command, err, text)
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
