package main

import (
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// convergeCommand returns `quasistatic converge CASE`.
func convergeCommand() *cli.Command {
	return &cli.Command{
		Name:      "converge",
		Usage:     "halve the step and observe the orders",
		ArgsUsage: "CASE",
		Description: "Runs the case in steps, 2·steps, 4·steps, … equal steps and tabulates the distance to the finest run, what\n" +
			"falls with the step, and the errors of the expectations, each with its observed order; gamma and compliances are\n" +
			"made smaller too, where the model has them. Exit code 0: every run was certified.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "levels", Value: 4, Usage: "number of runs, 2 to 12"},
			&cli.IntFlag{Name: "steps", Usage: "steps of the coarsest run; a quarter of the case's without this"},
			&cli.StringFlag{Name: "out", Usage: "write table and picture to `DIR` in place of out/<name>-convergence"},
			setFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
			&cli.BoolFlag{Name: "json", Usage: "print the table as JSON"},
		},
		Action: convergeAction,
	}
}

func convergeAction(c *cli.Context) error {
	file, err := argument(c, "want one case, for instance: quasistatic converge cases/klarbring.json")
	if err != nil {
		return err
	}
	levels, steps := c.Int("levels"), c.Int("steps")
	if levels < 2 || levels > 12 || steps < 0 {
		return inputError("converge: --levels %d --steps %d, want 2 to 12 levels and a positive number of steps", levels, steps)
	}
	k, err := models.OpenCase(file, c.StringSlice("set"), 0)
	if err != nil {
		return cli.Exit(err.Error(), exitInput)
	}
	build := func() (run.Case, error) { return models.Build(c.Context, k) }
	if _, err := build(); err != nil {
		return cli.Exit(err.Error(), exitInput)
	}
	s, err := run.Converge(c.Context, k.Name, build, steps, levels)
	if err == nil {
		err = writeConvergence(c, k, s)
	}
	if err == nil {
		err = s.Verdict()
	}
	if err != nil {
		return failed("%s: %v", k.Name, err)
	}
	return nil
}

// writeConvergence writes a study and its pictures, and prints it.
func writeConvergence(c *cli.Context, k *casefile.Case, s run.Study) error {
	dir := c.String("out")
	if dir == "" {
		dir = filepath.Join("out", k.Name+"-convergence")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	text, err := run.JSON(s)
	if err != nil {
		return err
	}
	if err := table.WriteFile(filepath.Join(dir, "convergence.json"), text); err != nil {
		return err
	}
	if err := s.Draw(dir, k.Name); err != nil {
		return err
	}
	return print(c, k, s, func(p *run.Page) {
		s.Print(p)
		p.Line("files", "%s", dir)
	})
}
