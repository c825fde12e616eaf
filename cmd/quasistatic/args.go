package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst moves the flags of a command before its other arguments, for the
// parser stops at the first of these: "run a.json --quiet" is what people type.
// What follows "--" stays.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) < 3 {
		return args
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

// argument returns the one argument of a command.
func argument(c *cli.Context, want string) (string, error) {
	if n := c.Args().Len(); n != 1 {
		return "", inputError("%s: found %d arguments, %s", c.Command.Name, n, want)
	}
	return c.Args().First(), nil
}
