package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/internal/loopback"
	"github.com/quasistatic/quasistatic/view"
)

// viewCommand returns `quasistatic view DIR`.
func viewCommand() *cli.Command {
	return &cli.Command{
		Name:      "view",
		Usage:     "watch a run in the browser while it goes on, or open the runs of a study",
		ArgsUsage: "DIR",
		Description: "Serves the page of quasistatic report on 127.0.0.1 only, from the files as they grow, until Ctrl-C; of a\n" +
			"study its page, and below it that of the run that is picked, which is read or made.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "port", Usage: "`PORT` to serve on; 0 takes a free one"},
		},
		Action: viewAction,
	}
}

func viewAction(c *cli.Context) error {
	dir, err := argument(c, "want one run folder, for instance: quasistatic view out/grazing")
	if err != nil {
		return err
	}
	if p := c.Int("port"); p < 0 || p > 65535 {
		return inputError("view: --port is %d, want 0 to 65535", p)
	}
	h, leave, err := view.Open(c.Context, dir)
	if err != nil {
		return inputError("view: %v", err)
	}
	defer leave()
	listener, err := loopback.Listen(c.Int("port"))
	if err != nil {
		return failed("view: %v", err)
	}
	if _, err := fmt.Fprintf(c.App.Writer, "http://%s shows %s; Ctrl-C ends it\n", listener.Addr(), dir); err != nil {
		return err
	}
	if err := loopback.Serve(c.Context, listener, h); err != nil {
		return failed("view: %v", err)
	}
	return nil
}
