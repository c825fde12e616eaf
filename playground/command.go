package playground

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/internal/loopback"
	"github.com/quasistatic/quasistatic/run"
)

// Command is `quasistatic playground`; inputError makes an error of exit code 2.
func Command(inputError func(format string, args ...any) error) *cli.Command {
	return &cli.Command{
		Name:  "playground",
		Usage: "change cases and run them in a page of the browser",
		Description: "Serves a page on 127.0.0.1 only, until Ctrl-C: the text of a case, a slider for each of its numbers, and the\n" +
			"page of its run, made by the same engine in the browser. The sums of the tables are compared with those of\n" +
			"this program.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "port", Usage: "`PORT` to serve on; 0 takes a free one"},
			EngineFlag(),
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 0 {
				return inputError("playground: found the argument %q, want none", c.Args().First())
			}
			if p := c.Int("port"); p < 0 || p > 65535 {
				return inputError("playground: --port is %d, want 0 to 65535", p)
			}
			dir, err := FindEngine(c.String("engine"))
			if err != nil {
				return inputError("%v", err)
			}
			h, err := Handler(run.Version(), dir)
			if err != nil {
				return inputError("%v", err)
			}
			listener, err := loopback.Listen(c.Int("port"))
			if err != nil {
				return inputError("playground: %v", err)
			}
			if _, err := fmt.Fprintf(c.App.Writer, "http://%s is the playground; Ctrl-C ends it\n", listener.Addr()); err != nil {
				return err
			}
			return loopback.Serve(c.Context, listener, h)
		},
	}
}

// EngineFlag is that of the folder of [FindEngine].
func EngineFlag() cli.Flag {
	return &cli.StringFlag{Name: "engine", Usage: "`DIR` with the engine of a page; without it quasistatic-engine beside the program"}
}
