package main

import (
	"fmt"
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/run"
)

// versionCommand returns `quasistatic version`.
func versionCommand() *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "print the version, with the revision it was built from",
		Description: "A run is resumed by the version that began it: another one may compute other digits.",
		Action: func(c *cli.Context) error {
			if c.Args().Len() > 0 {
				return inputError("version: found %d arguments, want none", c.Args().Len())
			}
			_, err := fmt.Fprintf(c.App.Writer, "quasistatic %s %s %s/%s\n", run.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
