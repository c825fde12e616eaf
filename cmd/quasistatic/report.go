package main

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// reportFile is the page in a run folder.
const reportFile = table.ReportFile

// reportCommand returns `quasistatic report DIR`.
func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "make one HTML file of a run: verdict, plots, animation",
		ArgsUsage: "DIR...",
		Description: "Writes DIR/report.html, which is complete in itself: it can be mailed, and opens without a network.\n" +
			"Long runs are thinned; extremes stay.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write to `FILE` in place of DIR/report.html"},
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
		},
		Action: reportAction,
	}
}

func reportAction(c *cli.Context) error {
	switch n := c.Args().Len(); {
	case n == 0:
		return inputError("report: no run folder given, want for instance: quasistatic report out/grazing")
	case n > 1 && c.IsSet("out"):
		return inputError("report: --out is one file, found %d folders", n)
	}
	for _, dir := range c.Args().Slice() {
		name := cmp.Or(c.String("out"), filepath.Join(dir, reportFile))
		if err := reportFolder(c.Context, dir, name); err != nil {
			return err
		}
		if err := wrote(c, "%s", name); err != nil {
			return err
		}
	}
	return nil
}

// reportTask writes the page of a run that just ended; without a node there is nothing to
// show.
func reportTask(ctx context.Context, t *run.Task) error {
	if t.Summary.Steps == 0 {
		return nil
	}
	s, err := show(ctx, "run", t.Dir)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Write(ctx, filepath.Join(t.Dir, reportFile))
}

// reportFolder writes the page of a run folder.
func reportFolder(ctx context.Context, dir, name string) error {
	s, err := show(ctx, "report", dir)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := verify(ctx, "report", s.Folder); err != nil {
		return err
	}
	if err := s.Write(ctx, name); err != nil {
		return faultCode("report", err)
	}
	return nil
}
