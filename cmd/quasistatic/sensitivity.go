package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"

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

// sensitivities are those by several numbers.
type sensitivities []*run.Sensitivity

func (s sensitivities) print(p *run.Page) {
	for _, one := range s {
		one.Print(p)
	}
}

func sensitivityAction(c *cli.Context) error {
	const command = "sensitivity"
	file, err := argument(c, "want one case, for instance: quasistatic sensitivity play --of dissipation --by friction.dry.mu")
	if err != nil {
		return err
	}
	paths := c.StringSlice("by")
	if len(paths) == 0 {
		return inputError("%s: by which number? want --by PATH, for instance --by friction.dry.mu", command)
	}
	k, err := models.OpenCase(file, append(c.StringSlice("set"), "steps=events"), 0)
	if err != nil {
		return cli.Exit(cmp.Or(withoutWalk(c, file), err).Error(), exitInput)
	}
	if _, err := models.Build(c.Context, k); err != nil {
		return inputError("%s: derivatives are taken along a walk from event to event, and the case cannot be taken with \"steps\": \"events\":\n%v", command, err)
	}
	for _, of := range c.StringSlice("of") {
		line, err := casefile.QuantityLine(of)
		if err != nil {
			return inputError("%s: --of %s: %v", command, report.Plain(of), err)
		}
		k.Observe = append(k.Observe, line)
	}
	var list sensitivities
	for _, path := range paths {
		s, err := differentiate(c, k, path)
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	return print(c, k, list, list.print)
}

// withoutWalk says that the model of a case has no derivatives; nil: it has, or the case is wrong
// in itself.
func withoutWalk(c *cli.Context, file string) error {
	k, err := models.OpenCase(file, c.StringSlice("set"), 0)
	if err != nil {
		return nil
	}
	built, err := models.Build(c.Context, k)
	if _, differentiable := built.(run.Differentiable); err != nil || differentiable {
		return nil
	}
	return inputError("sensitivity: %s: derivatives are taken along a walk from event to event, which cases of the model %s do not have", k.Name, k.Model)
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
	s, err := d.Differentiate(c.Context, func(p float64) (run.Case, error) {
		text, err := casefile.Set(k.Raw, path, json.RawMessage(strconv.FormatFloat(p, 'g', -1, 64)))
		if err != nil {
			return nil, err
		}
		changed, err := models.Grammar().Decode(k.File, text)
		if err != nil {
			return nil, err
		}
		return models.Build(c.Context, changed)
	}, p)
	if refused, ok := errors.AsType[*run.NotDifferentiable](err); ok {
		return nil, inputError("sensitivity: %s: %v", k.Name, refused)
	}
	if err != nil {
		return nil, failed("%s: by %s: %v", k.Name, path, err)
	}
	s.By = path
	return s, nil
}
