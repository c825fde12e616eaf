package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/run"
)

// showCommand returns `quasistatic show CASE`.
func showCommand() *cli.Command {
	return &cli.Command{
		Name: "show", ArgsUsage: "CASE",
		Usage: "print a case with parameters, expressions and repetitions written out",
		Description: "What is printed is a case that says the same without them; what its bodies weigh is said beside it, as an error\n" +
			"message would be. Exit code 2: the case is wrong.",
		Flags: []cli.Flag{setFlag(), memoryFlag()},
		Action: func(c *cli.Context) error {
			file, err := argument(c, "want one case, for instance: quasistatic show dominoes")
			if err != nil {
				return err
			}
			k, built, err := builtCase(c, file)
			if err != nil {
				return err
			}
			var text bytes.Buffer
			if err = json.Indent(&text, append(k.Document(), '\n'), "", "  "); err == nil {
				_, err = text.WriteTo(c.App.Writer)
			}
			if x, ok := built.(run.Weighed); ok {
				p := run.NewPage(nil, nil)
				x.PrintMasses(p)
				fmt.Fprint(c.App.ErrWriter, p)
			}
			return err
		},
	}
}
