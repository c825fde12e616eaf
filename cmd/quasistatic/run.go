package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/table"
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
			&cli.BoolFlag{Name: "v", Usage: "print a line for each step: residual, gap, contact states"},
			&cli.BoolFlag{Name: "json", Usage: "print a JSON array of the summaries"},
			&cli.StringFlag{Name: "resume", Usage: "go on with the run in the folder `DIR`, which was stopped or killed"},
			&cli.DurationFlag{Name: "checkpoint", Value: checkpointPause, Usage: "`TIME` between checkpoints, for instance 10s; 0 makes one after each step"},
			memoryFlag(),
			&cli.BoolFlag{Name: "report", Usage: "make report.html as well, see quasistatic report"},
			&cli.BoolFlag{Name: "force", Usage: "write into a folder that is neither empty nor a run, and say what goes"},
			&cli.BoolFlag{Name: "no-picture", Usage: "draw no overview"},
		},
		Action: runAction,
	}
}

// runOptions are the flags of run.
type runOptions struct {
	out                  string
	pause                time.Duration // between checkpoints
	memory               int64         // most of it [byte]; 0: by the case, or what is free
	quiet, json, picture bool
	report, verbose      bool
	force                bool
}

func runAction(c *cli.Context) error {
	o := runOptions{out: c.String("out"), quiet: c.Bool("quiet"), json: c.Bool("json"), picture: !c.Bool("no-picture"), force: c.Bool("force"), report: c.Bool("report"), verbose: c.Bool("v"), pause: max(1, c.Duration("checkpoint"))}
	if c.Duration("checkpoint") < 0 {
		return inputError("run: --checkpoint is %s, want a time >= 0", c.Duration("checkpoint"))
	}
	var err error
	if o.memory, err = memoryLimit(c); err != nil {
		return err
	}
	defer bounded(o.memory)()
	if c.IsSet("resume") {
		return o.resume(c)
	}
	if c.Args().Len() == 0 {
		return inputError("run: no case given, want a file or the name of a built-in one, for instance: quasistatic run play (quasistatic cases lists them)")
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
	t, err := resumable(c.String("resume"), o.memory)
	if errors.Is(err, errNothingToDo) {
		return o.nothing(c, t)
	}
	if err != nil {
		return err
	}
	if !o.quiet {
		fmt.Fprintf(c.App.ErrWriter, "quasistatic: %s\n", t.common().resumed())
	}
	return o.runAll(c, []task{o.prepared(t)})
}

// nothing says that the run to resume is complete, and how it ended.
func (o *runOptions) nothing(c *cli.Context, t task) error {
	b := t.common()
	if o.report { // the run may have been killed before it came to it
		if err := reportTask(c.Context, t); err != nil {
			return faultCode("report", err)
		}
	}
	if o.json {
		if err := printJSON(c.App.Writer, []*table.Summary{&b.summary}); err != nil {
			return err
		}
	}
	if !o.quiet {
		fmt.Fprintf(c.App.ErrWriter, "quasistatic: %s: %v\n", b.dir, errNothingToDo)
	}
	if exit := code(&b.summary); exit != exitDone {
		return cli.Exit(fmt.Sprintf("quasistatic: %s: %s", b.c.Name, failure(&b.summary)), exit)
	}
	return nil
}

// prepared hands the flags to a task.
func (o *runOptions) prepared(t task) task {
	b := t.common()
	b.picture, b.pause, b.force = o.picture, o.pause, o.force
	return t
}

// runAll runs the jobs one after the other.
func (o *runOptions) runAll(c *cli.Context, jobs []task) error {
	exit := exitDone
	summaries := []*table.Summary{}
	for _, j := range jobs {
		if c.Context.Err() != nil {
			fmt.Fprintf(c.App.ErrWriter, "quasistatic: %s: stopped by a signal before it began\n", j.common().c.Name)
			exit = exitFailed
			break
		}
		if err := o.run(c.Context, j, c.App.Writer, c.App.ErrWriter); err != nil {
			return runFault(err)
		}
		s := &j.common().summary
		exit = max(exit, code(s))
		summaries = append(summaries, s)
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

// runFault gives a fault of the files of a run its exit code: 2 where the folder
// cannot be the one of this run, 1 where writing failed.
func runFault(err error) error {
	code := exitFailed
	_, foreign := errors.AsType[*table.ForeignError](err)
	_, damaged := errors.AsType[*table.DamageError](err)
	if foreign || damaged || errors.Is(err, table.ErrLocked) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EISDIR) {
		code = exitInput
	}
	return cli.Exit("quasistatic: "+err.Error(), code)
}

func printJSON(w io.Writer, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// prepare reads and builds all cases before the first is run: an error in the
// last one should not wait for the others.
func prepare(files []string, o runOptions) ([]task, error) {
	var jobs []task
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
		c.Memory = o.memory
		t, err := newTask(c, dir)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		if other, taken := dirs[dir]; taken {
			faults = append(faults, fmt.Errorf("%s and %s both write to %s, want cases with different names", other, file, dir))
		}
		dirs[dir] = file
		jobs = append(jobs, o.prepared(t))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, cli.Exit(err.Error(), exitInput)
	}
	return jobs, nil
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
func (o *runOptions) run(ctx context.Context, j task, stdout, stderr io.Writer) error {
	clear := o.progress(j, stderr)
	unbound := j.common().bound()
	err := j.run(ctx)
	unbound()
	clear()
	s := &j.common().summary
	if list := j.common().removed; len(list) > 0 && !o.quiet {
		fmt.Fprintf(stderr, "quasistatic: --force removed or replaced in %s: %s\n", j.common().dir, strings.Join(list, ", "))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	if o.report {
		if err := reportTask(ctx, j); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	if !o.quiet && !o.json {
		if err := j.print(stdout); err != nil {
			return err
		}
	}
	if code(s) != exitDone {
		fmt.Fprintf(stderr, "quasistatic: %s: %s\n", s.Name, failure(s))
	}
	return nil
}
