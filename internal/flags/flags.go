// Package flags lets the flags of a command stand after its other arguments, and says in words of
// the user what the parser of urfave/cli says of them.
//
// # Limits
//
// A flag that takes no value is a [cli.BoolFlag]; values of others are the next argument, or follow
// "=".
package flags

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/internal/nearest"
)

// help are the words that ask for it; those with dashes may stand behind a command too.
var help = []string{"help", "h", "--help", "-help", "--h", "-h"}

// First moves the flags of a command before its other arguments, for the
// parser stops at the first of these: "run a.json --quiet" is what people type.
// What follows "--" stays. Who asks for help, anywhere, gets that of the command and nothing else.
func First(app *cli.App, args []string) []string {
	if len(args) < 3 {
		return args
	}
	if slices.Contains(help, args[1]) {
		if app.Command(args[2]) == nil {
			return []string{args[0], args[2]} // unknown, or help again
		}
		return []string{args[0], args[2], "--help"}
	}
	command := app.Command(args[1])
	if command == nil {
		return args
	}
	var flags, rest []string
	tail := args[2:]
	for i := 0; i < len(tail); i++ {
		a := tail[i]
		if a == "--" {
			rest = append(rest, tail[i:]...)
			break
		}
		if len(a) < 2 || a[0] != '-' {
			rest = append(rest, a)
			continue
		}
		if slices.Contains(help, a) {
			return append(args[:2:2], a)
		}
		flags = append(flags, a)
		if !takesValue(command.Flags, a) {
			continue
		}
		if i++; i == len(tail) {
			return append(args[:2:2], a) // the parser says that the value is missing
		}
		flags = append(flags, tail[i])
	}
	return append(append(args[:2:2], flags...), rest...)
}

// takesValue reports whether the argument after a flag belongs to it.
func takesValue(flags []cli.Flag, arg string) bool {
	if strings.Contains(arg, "=") {
		return false
	}
	name := strings.TrimLeft(arg, "-")
	for _, f := range flags {
		for _, n := range f.Names() {
			if n == name {
				_, isBool := f.(*cli.BoolFlag)
				return !isBool
			}
		}
	}
	return false
}

// Commands are the names of all commands, help among them once the program runs.
func Commands(app *cli.App) []string {
	var names []string
	for _, c := range app.Commands {
		names = append(names, c.Name)
	}
	return names
}

// Fault words an error of the parser: of an unknown flag with the valid one that it is like.
func Fault(valid []cli.Flag, err error) error {
	word, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: ")
	if !unknown {
		return err
	}
	names := []string{"--help"}
	for _, f := range valid {
		names = append(names, "--"+f.Names()[0])
	}
	word = strings.TrimLeft(word, "-")
	dashes := "--"
	if len(word) == 1 {
		dashes = "-"
	}
	return errors.New(fmt.Sprintf("unknown flag %q", dashes+word) + nearest.Hint("--"+word, names))
}
