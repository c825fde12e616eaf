package main

import (
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
)

// initCommand returns `quasistatic init NAME`.
func initCommand() *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write a starter case to change",
		ArgsUsage: "NAME",
		Description: "Writes NAME.json: a particle on a floor, pulled by a spring. It runs as it is; its description says\n" +
			"what each part does (JSON has no comments). Another model starts from one of the built-in cases,\n" +
			"for instance: quasistatic init --from disc-drop mine",
		Flags: []cli.Flag{
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
	text := strings.Replace(builtin.Starter, "NAME", name, 1)
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
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return inputError("init: %s exists already, want a new name", file)
	}
	if err != nil {
		return inputError("init: %v", err)
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = os.Remove(file) // the fault is the news
		return cli.Exit("quasistatic: init: "+err.Error(), exitFailed)
	}
	if c.Bool("quiet") {
		return nil
	}
	_, err = fmt.Fprintf(c.App.Writer, "wrote %s; now: quasistatic run %s\n", file, file)
	return err
}
