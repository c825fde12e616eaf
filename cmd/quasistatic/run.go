package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/trajectory"
)

// runCommand returns `quasistatic run CASE...`.
func runCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "run cases, certify and picture them",
		ArgsUsage: "CASE...",
		Description: "Computes each case, prints what it certifies and writes trajectory, forces, certificates, events,\n" +
			"a summary and a picture. Ctrl-C stops with whole files; --resume goes on, to the same bytes.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write to `DIR` in place of out/<name>; with several cases, to DIR/<name>"},
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
			&cli.BoolFlag{Name: "json", Usage: "print a JSON array of the summaries"},
			&cli.StringFlag{Name: "resume", Usage: "go on with the run in the folder `DIR`, which was stopped or killed"},
			&cli.DurationFlag{Name: "checkpoint", Value: checkpointPause, Usage: "`TIME` between checkpoints, for instance 10s; 0 makes one after each step"},
			&cli.BoolFlag{Name: "report", Usage: "make report.html as well, see quasistatic report"},
			&cli.BoolFlag{Name: "no-picture", Usage: "draw no overview"},
		},
		Action: runAction,
	}
}

// runOptions are the flags of run.
type runOptions struct {
	out                  string
	pause                time.Duration // between checkpoints
	quiet, json, picture bool
	report               bool
}

func runAction(c *cli.Context) error {
	o := runOptions{out: c.String("out"), quiet: c.Bool("quiet"), json: c.Bool("json"), picture: !c.Bool("no-picture"), report: c.Bool("report"), pause: max(1, c.Duration("checkpoint"))}
	if c.Duration("checkpoint") < 0 {
		return inputError("run: --checkpoint is %s, want a time >= 0", c.Duration("checkpoint"))
	}
	if c.IsSet("resume") {
		return o.resume(c)
	}
	if c.Args().Len() == 0 {
		return inputError("run: no case given, want for instance: quasistatic run cases/grazing.json")
	}
	jobs, err := prepare(c.Args().Slice(), o)
	if err != nil {
		return err
	}
	return o.runAll(c, jobs)
}

// resume goes on with a run folder.
func (o *runOptions) resume(c *cli.Context) error {
	if c.Args().Len() > 0 || o.out != "" {
		return inputError("run: --resume takes the case of the folder and writes there, want neither CASE nor --out")
	}
	j, err := resumable(c.String("resume"))
	if errors.Is(err, errNothingToDo) {
		if !o.quiet {
			fmt.Fprintf(c.App.ErrWriter, "quasistatic: %s: %v\n", j.dir, err)
		}
		if exit := code(&j.summary); exit != exitDone {
			return cli.Exit(fmt.Sprintf("quasistatic: %s: %s", j.c.Name, failure(&j.summary)), exit)
		}
		return nil
	}
	if err != nil {
		return err
	}
	j.picture, j.pause = o.picture, o.pause
	if !o.quiet {
		fmt.Fprintf(c.App.ErrWriter, "quasistatic: %s\n", j.resumed())
	}
	return o.runAll(c, []planned{{j, j.m.Steps}})
}

// runAll runs the jobs one after the other.
func (o *runOptions) runAll(c *cli.Context, jobs []planned) error {
	exit := exitDone
	summaries := []*trajectory.Summary{}
	for _, j := range jobs {
		if c.Context.Err() != nil {
			exit = exitFailed // stopped: what is left is not begun
			break
		}
		if err := o.run(c.Context, j, c.App.Writer, c.App.ErrWriter); err != nil {
			return cli.Exit("quasistatic: "+err.Error(), exitFailed)
		}
		exit = max(exit, code(j.result()))
		summaries = append(summaries, j.result())
	}
	if o.json {
		if err := printJSON(c.App.Writer, summaries); err != nil {
			return err
		}
	}
	if exit != exitDone {
		return cli.Exit("", exit)
	}
	return nil
}

func printJSON(w io.Writer, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// planned is a case that is ready to run.
type planned struct {
	task
	steps int
}

// prepare reads and builds all cases before the first is run: an error in the
// last one should not wait for the others.
func prepare(files []string, o runOptions) ([]planned, error) {
	var jobs []planned
	var faults []error
	dirs := map[string]string{}
	for _, file := range files {
		c, err := open(file)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		dir := filepath.Join("out", c.Name)
		if o.out != "" {
			dir = o.out
			if len(files) > 1 {
				dir = filepath.Join(o.out, c.Name)
			}
		}
		j, steps, err := newTask(c, dir, o)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		if other, taken := dirs[dir]; taken {
			faults = append(faults, fmt.Errorf("%s and %s both write to %s, want cases with different names", other, file, dir))
		}
		dirs[dir] = file
		jobs = append(jobs, planned{j, steps})
	}
	if err := errors.Join(faults...); err != nil {
		return nil, cli.Exit(err.Error(), exitInput)
	}
	return jobs, nil
}

// open reads a case.
func open(file string) (*casefile.Case, error) {
	c, err := casefile.Load(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file", file)
	}
	return c, err
}

// load reads and builds a case of the model energetic.
func load(file string) (*casefile.Case, *casefile.Model, error) {
	c, err := open(file)
	if err == nil {
		err = onlyEnergetic(c)
	}
	if err != nil {
		return nil, nil, err
	}
	m, err := c.Build()
	return c, m, err
}

// run runs one job and prints what it gave.
func (o *runOptions) run(ctx context.Context, j planned, stdout, stderr io.Writer) error {
	bar := o.progress(j, stderr)
	if bar != nil {
		j.follow(func(step int) { _ = bar.Set(step) }) // a bar that cannot draw is no reason to stop
	}
	err := j.task.run(ctx)
	if bar != nil {
		_ = bar.Clear()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", j.result().Name, err)
	}
	if e, energetic := j.task.(*job); o.report && energetic && e.last != nil { // without a node there is nothing to show
		f := &folder{dir: e.dir, c: e.c, m: e.m, summary: &e.summary}
		if err := f.report(ctx, filepath.Join(e.dir, reportFile)); err != nil {
			return fmt.Errorf("%s: %w", e.c.Name, err)
		}
	}
	if !o.quiet && !o.json {
		if err := j.print(stdout); err != nil {
			return err
		}
	}
	if s := j.result(); code(s) != exitDone {
		fmt.Fprintf(stderr, "quasistatic: %s: %s\n", s.Name, failure(s))
	}
	return nil
}

// progress returns a bar on a terminal, otherwise nil.
func (o *runOptions) progress(j planned, stderr io.Writer) *progressbar.ProgressBar {
	f, ok := stderr.(*os.File)
	if !ok || o.quiet || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return progressbar.NewOptions(j.steps, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription(j.name()),
		progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100e6), progressbar.OptionClearOnFinish())
}
