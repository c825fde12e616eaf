package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
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
		name := c.String("out")
		if name == "" {
			name = filepath.Join(dir, reportFile)
		}
		if err := reportFolder(c.Context, dir, name); err != nil {
			return err
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

// reportTask writes the page of a run that just ended; without a node there is
// nothing to show.
func reportTask(ctx context.Context, t task) error {
	switch j := t.(type) {
	case *motionJob:
		return reportMotion(ctx, j.dir, j.c, j.m, &j.summary, filepath.Join(j.dir, reportFile))
	case *job:
		if j.last == nil {
			return nil
		}
		f := &folder{dir: j.dir, c: j.c, m: j.m, summary: &j.summary}
		return f.report(ctx, filepath.Join(j.dir, reportFile))
	}
	return errors.New("this model has no report page in this version; the pictures and tables are in the folder")
}

// reportMotion writes the page of a run of the dynamic models.
func reportMotion(ctx context.Context, dir string, c *casefile.Case, m *casefile.Motion, s *trajectory.Summary, name string) error {
	a := (&folder{c: c, summary: s}).about()
	p, err := report.MotionPage(ctx, dir, m.World, a)
	if err != nil {
		return err
	}
	return trajectory.WriteAtomic(name, p.Write)
}

// reportFolder writes the page of a run folder of any model.
func reportFolder(ctx context.Context, dir, name string) error {
	c, err := casefile.Load(filepath.Join(dir, trajectory.CaseFile))
	if err == nil && c.Model != "energetic" {
		m, err := c.BuildMotion()
		if err != nil {
			return inputError("report: %v", err)
		}
		s, _ := trajectory.ReadSummary(dir) // a run that was killed may have none
		return faultOf(reportMotion(ctx, dir, c, m, s, name))
	}
	f, err := openFolder("report", dir)
	if err != nil {
		return err
	}
	return faultOf(f.report(ctx, name))
}

// faultOf gives a fault of a report its exit code.
func faultOf(err error) error {
	if err == nil {
		return nil
	}
	return faultCode("report", err)
}

// about says what the page is about.
func (f *folder) about() report.About {
	a := report.About{Title: f.c.Name, Description: f.c.Description, Case: string(f.c.Raw), SHA256: f.c.SHA256, Version: version, Summary: f.summary}
	if f.summary != nil {
		a.Version = f.summary.Version
	}
	return a
}
