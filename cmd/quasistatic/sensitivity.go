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
		Description: "Walks from event to event with derivatives, through stick, slip, lift-off and landing, and prints value and\n" +
			"derivative of each quantity, the derivatives of the times of events, and the range of the number in which\n" +
			"events keep their order. The case is taken with \"steps\": \"events\".",
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
	k, err := models.OpenWalk(c.Context, file, c.StringSlice("set"))
	if err != nil {
		return inputError("sensitivity: %v", err)
	}
	for _, of := range c.StringSlice("of") {
		line, err := casefile.QuantityLine(of)
		if err != nil {
			return inputError("sensitivity: --of %s: %v", report.Plain(of), err)
		}
		k.Observe = append(k.Observe, line)
	}
	var list []*run.Sensitivity
	for _, path := range paths {
		s, err := differentiate(c, k, path)
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	return print(c, k, list, func(p *run.Page) {
		for _, s := range list {
			s.Print(p)
		}
	})
}

// differentiate differentiates a case by the number at a path.
func differentiate(c *cli.Context, k *casefile.Case, path string) (*run.Sensitivity, error) {
	p, err := casefile.NumberAt(k.Raw, path)
	if err != nil {
		return nil, inputError("sensitivity: --by %s: %v", report.Plain(path), err)
	}
	built, err := models.Build(c.Context, k)
	if err != nil {
		return nil, inputError("sensitivity: --of: %v", err)
	}
	d, ok := built.(run.Differentiable)
	if !ok {
		return nil, inputError("sensitivity: the model %s has no derivatives", k.Model)
	}
	s, err := d.Differentiate(c.Context, models.Family(c.Context, k, path), p)
	if refused, ok := errors.AsType[*run.NotDifferentiable](err); ok {
		return nil, inputError("sensitivity: %s: %v", k.Name, refused)
	}
	if err != nil {
		return nil, failed("%s: by %s: %v", k.Name, path, err)
	}
	s.By = path
	return s, nil
}
