package main

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

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
		if err := t.Print(c.App.Writer, s, dir); err != nil {
			return err
		}
	}
	if s.Failed() {
		return failed("%s: %s: %s", c.Command.Name, report.Plain(s.Name), s.Failure())
	}
	return nil
}
