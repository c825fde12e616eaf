package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/plain"
	"github.com/quasistatic/quasistatic/run"
)

// print prints a result: as JSON with --json, not at all with --quiet, else as text below
// the title of the case.
func print(c *cli.Context, k *casefile.Case, result any, text func(p *run.Page)) error {
	switch {
	case c.Bool("json"):
		return printJSON(c.App.Writer, result)
	case c.Bool("quiet"):
		return nil
	}
	var p run.Page
	p.Title(k)
	text(&p)
	_, err := io.WriteString(c.App.Writer, p.String())
	return err
}

func printJSON(w io.Writer, v any) error {
	text, err := run.JSON(v)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// wrote says what was written, but with --quiet.
func wrote(c *cli.Context, format string, args ...any) error {
	if c.Bool("quiet") {
		return nil
	}
	_, err := fmt.Fprintf(c.App.Writer, "wrote "+format+"\n", args...)
	return err
}

// failed is an error of exit code 1.
func failed(format string, args ...any) error {
	return cli.Exit("quasistatic: "+plain.Overflows(fmt.Sprintf(format, args...)), exitFailed)
}
