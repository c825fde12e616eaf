package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	builtin "github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/table"
)

// initCommand returns `quasistatic init NAME`.
func initCommand() *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write a starter case to change",
		ArgsUsage: "NAME",
		Description: "Writes NAME.json: a particle on a floor, pulled by a spring, or a case of another model. It runs as it\n" +
			"is; its description says what each part does (JSON has no comments). --from begins with one of the\n" +
			"built-in cases, for instance: quasistatic init --from disc-drop mine",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "model", Usage: "write a case of the `MODEL`: " + strings.Join(models.Names(), ", "), Value: models.List[0].Name},
			&cli.StringFlag{Name: "from", Usage: "begin with a copy of the built-in `CASE`"},
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
		},
		Action: initAction,
	}
}

func initAction(c *cli.Context) error {
	file, err := argument(c, "want one name, for instance: quasistatic init drag")
	if err != nil {
		return err
	}
	if filepath.Ext(file) != ".json" {
		file += ".json"
	}
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	if c.IsSet("model") && c.IsSet("from") {
		return inputError("init: found --model and --from, want one of them")
	}
	text, ok := builtin.Starter(c.String("model"), name)
	if !ok {
		return inputError("init: --model is %q, which is none%s; the models are %s", c.String("model"), nearest.Hint(c.String("model"), models.Names()), strings.Join(models.Names(), ", "))
	}
	if from := c.String("from"); c.IsSet("from") {
		raw, ok := builtin.Read(from)
		if !ok {
			return inputError("init: --from is %q, which is no built-in case%s", from, nearest.Hint(from, builtin.Names()))
		}
		text = strings.Replace(string(raw), fmt.Sprintf(`"name": %q`, from), fmt.Sprintf(`"name": %q`, name), 1)
	}
	if _, err := models.Grammar().Decode(file, []byte(text)); err != nil {
		return inputError("init: the name %q cannot be that of a case, want letters, digits, and . _ : + - after the first", name)
	}
	switch opened, err := table.Create(file, []byte(text)); {
	case errors.Is(err, fs.ErrExist):
		return inputError("init: %s exists already, want a new name", file)
	case err != nil && !opened:
		return inputError("init: %v", err)
	case err != nil:
		return failed("init: %v", err)
	}
	return wrote(c, "%s; now: quasistatic run %s", file, file)
}
