package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/trajectory"
)

// reportFile is the page in a run folder.
const reportFile = "report.html"

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
		f, err := openFolder("report", dir)
		if err != nil {
			return err
		}
		name := c.String("out")
		if name == "" {
			name = filepath.Join(dir, reportFile)
		}
		if err := f.report(c.Context, name); err != nil {
			return faultCode("report", err)
		}
		if !c.Bool("quiet") {
			fmt.Fprintf(c.App.Writer, "wrote %s\n", name)
		}
	}
	return nil
}

// report writes the page of a run folder.
func (f *folder) report(ctx context.Context, name string) error {
	r := report.NewRun(f.dir, f.m.Psi, f.m.Scene)
	defer r.Close() // read only
	n, err := r.Read(ctx)
	if err == nil && n == 0 {
		err = fmt.Errorf("%s has no node yet: the run stopped before its first one", f.dir)
	}
	if err != nil {
		return err
	}
	p, err := r.Page(f.about())
	if err != nil {
		return err
	}
	return trajectory.WriteAtomic(name, func(w io.Writer) error { return p.Write(w) })
}

// about says what the page is about.
func (f *folder) about() report.About {
	a := report.About{Title: f.c.Name, Description: f.c.Description, Case: string(f.c.Raw), SHA256: f.c.SHA256, Version: version, Summary: f.summary}
	if f.summary != nil {
		a.Version = f.summary.Version
	}
	return a
}
