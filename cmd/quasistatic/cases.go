package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	builtin "github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/internal/plain"
	"github.com/quasistatic/quasistatic/models"
)

// casesCommand returns `quasistatic cases`.
func casesCommand() *cli.Command {
	return &cli.Command{
		Name:        "cases",
		Usage:       "list the cases that are built in",
		ArgsUsage:   "[NAME]",
		Description: "Each runs by its name: quasistatic run play. With a NAME, prints that case, to change it.",
		Flags:       []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print a JSON array of names, models and descriptions"}},
		Action:      casesAction,
	}
}

func casesAction(c *cli.Context) error {
	if c.Args().Len() > 1 {
		return inputError("cases: found %d arguments, want at most one name", c.Args().Len())
	}
	if name := c.Args().First(); name != "" {
		text, ok := builtin.Read(name)
		if !ok {
			return inputError("cases: no built-in case %q%s", name, nearest.Hint(name, builtin.Names()))
		}
		_, err := c.App.Writer.Write(text)
		return err
	}
	list, err := models.Listing()
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(c.App.Writer, list)
	}
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	for _, x := range list {
		first, _, _ := strings.Cut(x.Description, ". ")
		fmt.Fprintf(w, "%s\t%s\t%s\n", x.Name, x.Model, plain.Shortened(strings.TrimSuffix(first, "."), 90))
	}
	return w.Flush()
}
