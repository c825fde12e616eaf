package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/study"
)

// studyCommand returns `quasistatic study DIR`.
func studyCommand() *cli.Command {
	return &cli.Command{
		Name:        "study",
		Usage:       "print what is known of a study, and draw its page anew",
		ArgsUsage:   "DIR",
		Description: "Reads the records in the folder of a study, of all its shards, also while it runs.",
		Flags:       []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print the statistics as JSON"}, &cli.BoolFlag{Name: "quiet", Usage: "write the files only"}},
		Action:      studyAction,
	}
}

func studyAction(c *cli.Context) error {
	dir, err := argument(c, "want the folder of a study")
	if err != nil {
		return err
	}
	t, err := study.Open(dir)
	if err != nil {
		return inputError("%v", err)
	}
	s, err := t.Summary(dir, study.Shard{})
	if err != nil {
		return faultCode("study", err)
	}
	switch err := t.Leave(dir, run.Version(), s.Made < s.Runs); { // the page of a study that may go on stays live
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS): // what is known is printed all the same
		serverLog(c)(fmt.Sprintf("study: the table and the page stay as they are: %v", err))
	case err != nil:
		return faultCode("study", err)
	}
	return printStudy(c, t, dir, study.Shard{})
}

// printStudy prints the summary of a study, and says by the exit code whether all runs of
// the plan, or of the shard, are made, certified and as expected.
func printStudy(c *cli.Context, t *study.Table, dir string, part study.Shard) error {
	s, err := t.Summary(dir, part)
	if err != nil {
		return faultCode(c.Command.Name, err)
	}
	switch {
	case c.Bool("json"):
		if err := printJSON(c.App.Writer, s); err != nil {
			return err
		}
	case !c.Bool("quiet"):
		if err := writeStudy(c, t, s, dir); err != nil {
			return err
		}
	}
	if s.Certified < s.Runs || s.Missed > 0 || s.Unbounded > 0 {
		return failed("%s: %s: %s", c.Command.Name, report.Plain(s.Name), s.Failure())
	}
	return nil
}

func writeStudy(c *cli.Context, t *study.Table, s *study.Summary, dir string) error {
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\n", report.Plain(s.Name))
	fmt.Fprintf(w, "  runs\t%d of %d made: %s\n", s.Made, s.Runs, s.Verdicts())
	if t.Damaged > 0 {
		fmt.Fprintf(w, "  damaged\t%d lines of records are not as they were written: sweep makes their runs again, and leaves them in %s\n", t.Damaged, study.DamagedFile)
	}
	for _, x := range s.Statistics {
		fmt.Fprintf(w, "  %s\tmean %.6g ± %.4g, median %.6g, 5 to 95 %%: %.6g to %.6g, %d runs\n", report.Plain(x.Label), x.Mean, x.Deviation, x.Quantiles[2], x.Quantiles[0], x.Quantiles[4], x.Count)
	}
	for _, x := range s.Sobol {
		fmt.Fprintf(w, "  Sobol\t%s by %s: alone %.4f ± %.4f, in all %.4f ± %.4f\n", report.Plain(x.Label), report.Plain(x.Path), x.First, x.FirstError, x.Total, x.TotalError)
	}
	for _, x := range s.Orders {
		fmt.Fprintf(w, "  order\t%s along %s: %.3f, limit %.9g\n", report.Plain(x.Label), report.Plain(x.Path), x.P, x.Limit)
	}
	for i, row := range s.Boundaries {
		if i > 0 {
			fmt.Fprintf(w, "  boundary\t%s\n", report.Plain(fmt.Sprint(row)))
		}
	}
	fmt.Fprintf(w, "  files\t%s\n", report.Plain(filepath.Join(dir, study.PageFile)))
	return w.Flush()
}
