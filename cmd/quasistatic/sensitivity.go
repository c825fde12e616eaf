package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
)

// sensitivityCommand returns `quasistatic sensitivity CASE`.
func sensitivityCommand() *cli.Command {
	return &cli.Command{
		Name:      "sensitivity",
		Usage:     "differentiate what a case expects by its numbers",
		ArgsUsage: "CASE",
		Description: "Prints value and derivative of each quantity, the derivatives of the times of events, and the range of the\n" +
			"number in which events keep their order. A case of particles is taken with \"steps\": \"events\", a walk with\n" +
			"derivatives through stick, slip, lift-off and landing; of others runs beside it are made, and errors estimated.",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "of", Usage: "differentiate `QUANTITY`: a name, a line like 'position particle=p axis=x time=1', or one of expect as JSON; may be repeated; what the case expects without this"},
			&cli.StringSliceFlag{Name: "by", Usage: "by the number at `PATH` of the case, for instance friction.dry.mu or energies[0].stiffness[2]; may be repeated"},
			setFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
			&cli.BoolFlag{Name: "json", Usage: "print the derivatives as JSON"},
		},
		Action: sensitivityAction,
	}
}

func sensitivityAction(c *cli.Context) error {
	file, err := argument(c, "want one case, for instance: quasistatic sensitivity play --of dissipation --by friction.dry.mu")
	if err != nil {
		return err
	}
	paths := c.StringSlice("by")
	if len(paths) == 0 {
		return inputError("sensitivity: by which number? want --by PATH, for instance --by friction.dry.mu")
	}
	k, err := models.OpenWalk(c.Context, func(sets ...string) (*casefile.Case, error) {
		return models.OpenCase(file, append(c.StringSlice("set"), sets...), 0)
	})
	if err != nil {
		return inputError("sensitivity: %v", err)
	}
	k.ObservedBy = "--of"
	for _, of := range c.StringSlice("of") {
		line, err := casefile.QuantityLine(of)
		if err != nil {
			return inputError("sensitivity: --of %s: %v", report.Plain(of), err)
		}
		k.Observe = append(k.Observe, line)
	}
	var list []*run.Sensitivity
	for _, path := range paths {
		s, err := models.Differentiate(c.Context, k, path)
		if refused, ok := errors.AsType[*run.NotDifferentiable](err); ok {
			return inputError("sensitivity: %s: by %s: %v", k.Name, report.Plain(path), refused)
		}
		if err != nil {
			return failed("%s: by %s: %v", k.Name, path, err)
		}
		list = append(list, s)
	}
	return print(c, k, list, func(p *run.Page) {
		for _, s := range list {
			s.Print(p)
		}
	})
}
