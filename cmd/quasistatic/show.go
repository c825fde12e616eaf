package main

import (
	"bytes"
	"encoding/json"

	"github.com/urfave/cli/v2"
)

// showCommand returns `quasistatic show CASE`.
func showCommand() *cli.Command {
	return &cli.Command{
		Name: "show", ArgsUsage: "CASE",
		Usage:       "print a case with parameters, expressions and repetitions written out",
		Description: "What is printed is a case that says the same without them. Exit code 2: the case is wrong.",
		Flags:       []cli.Flag{setFlag(), memoryFlag()},
		Action: func(c *cli.Context) error {
			file, err := argument(c, "want one case, for instance: quasistatic show dominoes")
			if err != nil {
				return err
			}
			k, _, err := builtCase(c, file)
			if err != nil {
				return err
			}
			var text bytes.Buffer
			if err = json.Indent(&text, append(k.Document(), '\n'), "", "  "); err == nil {
				_, err = text.WriteTo(c.App.Writer)
			}
			return err
		},
	}
}
