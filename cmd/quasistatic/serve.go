package main

import (
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/internal/plain"
	"github.com/quasistatic/quasistatic/serve"
)

// serveCommand returns `quasistatic serve --stdio`.
func serveCommand() *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "answer the calls of another program",
		Description: "Reads calls from its input and writes answers to its output, arrays included, until the input ends: what the\n" +
			"Python package starts. docs/protocol.md has the frames and the calls.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "stdio", Usage: "by standard input and output, the only way there is"},
			memoryFlag(),
		},
		Action: serveAction,
	}
}

func serveAction(c *cli.Context) error {
	if !c.Bool("stdio") {
		return inputError("serve: want --stdio: calls come by standard input")
	}
	limit, err := memoryLimit(c)
	if err != nil {
		return err
	}
	out := io.Writer(c.App.Writer)
	if p, ok := out.(*plain.Writer); ok { // frames are no text
		out = p.Writer
	}
	if err := (&serve.Server{Memory: limit}).Serve(c.Context, os.Stdin, out); err != nil {
		return failed("serve: %v", err)
	}
	return nil
}
