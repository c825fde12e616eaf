package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
			"is; its description says what each part does (JSON has no comments). case.schema.json is written beside\n" +
			"it unless there is one: editors complete and check keys by it. --from begins with one of the built-in\n" +
			"cases, for instance: quasistatic init --from disc-drop mine",
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
		text = builtin.Copy(string(raw), from, name)
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
	said, err := putSchema(filepath.Dir(file))
	if err != nil {
		return failed("init: %s is written, but not the schema that it names: %v", file, err)
	}
	return wrote(c, "%s; now: quasistatic run %s%s", file, file, said)
}

// putSchema writes the file that a copy of a case names as its "$schema". One that is there is
// left, and if it is another, for instance of another version, that is said.
func putSchema(dir string) (said string, err error) {
	file, text := filepath.Join(dir, "case.schema.json"), models.Grammar().EditorSchema()
	if _, err = table.Create(file, text); !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	if there, err := os.ReadFile(file); err == nil && bytes.Equal(there, text) {
		return "", nil
	}
	return fmt.Sprintf("\n%s is not the schema of this version and was left; anew: quasistatic schema > %s", file, file), nil
}
