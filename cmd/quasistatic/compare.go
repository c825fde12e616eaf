package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
)

// compareCommand returns `quasistatic compare DIR...`.
func compareCommand() *cli.Command {
	return &cli.Command{
		Name:      "compare",
		Usage:     "draw one quantity of runs over time in one picture or page",
		ArgsUsage: "DIR...",
		Description: "The quantity is a column of one of the tables in the folders, forces.csv first, for instance\n" +
			"   quasistatic compare --column 0.n out/impacting-bar out/impacting-bar-standard-mass\n" +
			"and one of several of a name is trajectory.csv:x.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "column", Usage: "`NAME` of the column"},
			&cli.StringFlag{Name: "label", Usage: "`TEXT` at the axis, in place of the name of the column"},
			&cli.StringFlag{Name: "out", Value: "compare.svg", Usage: "picture or page to write, SVG, PNG or HTML: `FILE`"},
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
		},
		Action: compareAction,
	}
}

func compareAction(c *cli.Context) error {
	dirs := c.Args().Slice()
	if most := len(report.Palette); len(dirs) < 1 || len(dirs) > most { // a colour each
		return inputError("compare: found %d folders, want 1 to %d", len(dirs), most)
	}
	if c.String("column") == "" {
		return inputError("compare: --column is missing, want the NAME of a column of a table, for instance trajectory.csv:block.x")
	}
	o := report.Overlay{File: c.String("out"), Column: c.String("column"), Label: c.String("label"), Version: run.Version()}
	for _, dir := range dirs {
		f, err := verified(c.Context, "compare", dir)
		if err != nil {
			return err
		}
		err = o.Add(c.Context, f.Files(), f.Case.Name)
		if missing, ok := errors.AsType[*report.ColumnError](err); ok {
			return inputError("compare: %s has no column %q%s", dir, missing.Column, nearest.Hint(missing.Column, missing.Known))
		}
		if err != nil {
			return faultCode("compare", err)
		}
	}
	if err := o.Draw(); err != nil {
		return faultCode("compare", err)
	}
	return wrote(c, "%s", c.String("out"))
}
