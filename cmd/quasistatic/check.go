package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
)

// checkCommand returns `quasistatic check CASE`.
func checkCommand() *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "examine the assumptions of a case before running it",
		ArgsUsage: "CASE",
		Description: "Prints which assumptions of the theorems hold at the start and why: existence and uniqueness of a step, with\n" +
			"their constants, what the case may do better, and the memory that a run takes; what is examined is that of the\n" +
			"model. Exit code 0: every assumption holds; 1: one fails or is undecided; 2: the case is wrong.",
		Flags: []cli.Flag{
			setFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
			&cli.BoolFlag{Name: "json", Usage: "print the report as JSON"},
			memoryFlag(),
		},
		Action: checkAction,
	}
}

// builtCase opens the case of a command, with the changes of --set and within --memory, and
// builds it.
func builtCase(c *cli.Context, file string) (*casefile.Case, run.Case, error) {
	limit, err := memoryLimit(c)
	if err != nil {
		return nil, nil, err
	}
	k, err := models.OpenCase(file, c.StringSlice("set"), limit)
	if err != nil {
		return nil, nil, cli.Exit(err.Error(), exitInput)
	}
	built, err := models.Build(c.Context, k)
	if err != nil {
		return nil, nil, cli.Exit(err.Error(), exitInput)
	}
	return k, built, nil
}

func checkAction(c *cli.Context) error {
	file, err := argument(c, "want one case, for instance: quasistatic check cases/grazing.json")
	if err != nil {
		return err
	}
	k, built, err := builtCase(c, file)
	if err != nil {
		return err
	}
	examiner, ok := built.(run.Checker)
	if !ok {
		return inputError("check: the model %s has nothing to examine", k.Model)
	}
	fails := built.Plan().Failing()
	x, err := run.Examine(c.Context, examiner, built.Plan())
	if err == nil {
		err = print(c, k, x, func(p *run.Page) { x.Print(p); p.List("fails", fails); p.List("note", built.Plan().Notes) })
	}
	if err != nil {
		return failed("%s: %v", k.Name, err)
	}
	if list := append(x.Objections(), fails...); len(list) > 0 {
		return failed("%s: %s", k.Name, strings.Join(list, "; "))
	}
	return nil
}
