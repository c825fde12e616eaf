package about

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// application has the commands of this package, one with flags and one that nobody is told of.
func application(out *bytes.Buffer) *cli.App {
	fault := func(format string, args ...any) error { return fmt.Errorf(format, args...) }
	return &cli.App{Name: "quasistatic", Usage: "contact", Version: "v1.2.3", Writer: out, ErrWriter: out,
		Commands: append(Commands(fault, words), &cli.Command{Name: "run", Usage: "run a user's case: at once", ArgsUsage: "CASE...",
			Flags: []cli.Flag{&cli.StringFlag{Name: "out", Usage: "write to `DIR` in place of out/<name> [m²](s)"},
				&cli.BoolFlag{Name: "quiet"}}},
			&cli.Command{Name: "secret", Hidden: true})}
}

func output(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := application(&out).Run(append([]string{"quasistatic"}, args...)); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out.String()
}

func TestVersion(t *testing.T) {
	var b Build
	if err := json.Unmarshal([]byte(output(t, "version", "--json")), &b); err != nil {
		t.Fatal(err)
	}
	if b.Version != "v1.2.3" || b.Go != runtime.Version() || b.System != runtime.GOOS ||
		b.Architecture != runtime.GOARCH || b.Processor == "" {
		t.Errorf("%+v", b)
	}
	if text, want := output(t, "version"), "quasistatic v1.2.3 "+runtime.Version()+" "; !strings.HasPrefix(text, want) {
		t.Errorf("%q, want %q", text, want)
	}
}

// words are those of a program with two cases.
func words() (cases, keys []string) {
	return []string{"grazing", "groove"}, []string{"facets", "friction"}
}

// TestBash: what the shell itself offers after the words of a line.
func TestBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "quasistatic.bash")
	if err := os.WriteFile(file, []byte(output(t, "completion", "bash")), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"quasistatic ru":            "run",
		"quasistatic run --":        "--out --quiet --help",
		"quasistatic version --j":   "--json",
		"quasistatic run a --qu":    "--quiet",
		"quasistatic run gr":        "grazing groove",
		"quasistatic run about_":    "about_test.go", // files, beside the cases
		"quasistatic run a --set f": "facets= friction=",
		"quasistatic man gr":        "", // files are the shell's
		"quasistatic secret --":     "",
		"quasistatic completion -h": "",
	} {
		script := `. "$0"; COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _quasistatic; echo "${COMPREPLY[*]}"`
		got, err := exec.Command(bash, "--norc", "-c", script, file, line).CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("%s: %v, offers %q, want %q", line, err, got, want)
		}
	}
}

// TestShells: each script knows the same commands and flags, and no hidden one; where the shell is
// there, it reads the script.
func TestShells(t *testing.T) {
	for shell, program := range map[string][]string{"bash": {"bash", "-n"}, "zsh": {"zsh", "-n"},
		"fish": {"fish", "--no-execute"}, "powershell": nil} {
		text := output(t, "completion", shell)
		for _, word := range []string{"version", "completion", "man", "run", "quiet", "json", "groove", "facets="} {
			if !strings.Contains(text, word) {
				t.Errorf("%s does not complete %s", shell, word)
			}
		}
		if strings.Contains(text, "secret") || strings.Contains(text, "user's") {
			t.Errorf("%s shows what is hidden, or a quote ends its word:\n%s", shell, text)
		}
		if program == nil {
			continue
		}
		if _, err := exec.LookPath(program[0]); err != nil {
			t.Logf("%s is not here: its script is not read by it", shell)
			continue
		}
		file := filepath.Join(t.TempDir(), shell)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := exec.Command(program[0], append(program[1:], file)...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, got)
		}
	}
}

func TestManual(t *testing.T) {
	page := output(t, "man")
	for _, want := range []string{".TH", "quasistatic", `run a user`, "version", "out/<name> [m²](s)"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q:\n%.500s", want, page)
		}
	}
	if page != output(t, "man") {
		t.Error("two pages differ")
	}
}

func TestInputs(t *testing.T) {
	for args, want := range map[string]string{
		"version extra":    "found 1 arguments",
		"man extra":        "found 1 arguments",
		"completion":       "want one of bash, zsh",
		"completion bsh":   `did you mean "bash"`,
		"completion tcsh2": "unknown shell",
	} {
		var out bytes.Buffer
		err := application(&out).Run(append([]string{"quasistatic"}, strings.Fields(args)...))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}
