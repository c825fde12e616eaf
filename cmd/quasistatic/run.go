package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/internal/terminal"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// runCommand returns `quasistatic run CASE...`.
func runCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "run cases, certify and picture them",
		ArgsUsage: "CASE...",
		Description: "Computes each case, prints what happened and whether it is certified, and writes trajectory, forces, certificates, events,\n" +
			"a summary and a picture. Ctrl-C stops with whole files; --resume goes on, to the same bytes.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write to `DIR` in place of out/<name>; with several cases, to DIR/<name>"},
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
			verboseFlag(),
			&cli.BoolFlag{Name: "trace", Usage: "print a line for each step: residual, gap, contact states"},
			&cli.BoolFlag{Name: "json", Usage: "print a JSON array of the summaries"},
			&cli.StringFlag{Name: "resume", Usage: "go on with the run in the folder `DIR`, which was stopped or killed"},
			&cli.DurationFlag{Name: "checkpoint", Value: run.CheckpointPause, Usage: "`TIME` between checkpoints, for instance 10s; 0 makes one after each step"},
			setFlag(),
			&cli.BoolFlag{Name: "exact", Usage: "walk from event to event, and in ratios of integers beside: prints the events as fractions; short for --set steps=events --set exact=true"},
			accuracyFlag(),
			&cli.BoolFlag{Name: "verify", Usage: "run again at half the step, and put what changes into the verdict"},
			memoryFlag(),
			&cli.BoolFlag{Name: "report", Usage: "make report.html as well, see quasistatic report; one that is there is made anew"},
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
	report               bool
	trace, verbose       bool
	force                bool
	set                  []string // changes of the case
	accuracy             float64  // of the verdict; 0: by the case
	verify               bool
}

func runAction(c *cli.Context) error {
	o := runOptions{out: c.String("out"), quiet: c.Bool("quiet"), json: c.Bool("json"), picture: !c.Bool("no-picture"), force: c.Bool("force"), report: c.Bool("report"), verbose: c.Bool("v"), trace: c.Bool("trace"), set: c.StringSlice("set"), verify: c.Bool("verify"), pause: max(1, c.Duration("checkpoint"))}
	if c.Duration("checkpoint") < 0 {
		return inputError("run: --checkpoint is %s, want a time >= 0", c.Duration("checkpoint"))
	}
	var err error
	if o.memory, err = memoryLimit(c); err != nil {
		return err
	}
	if o.accuracy, err = accuracyOf(c); err != nil {
		return err
	}
	defer memory.Bound(o.memory)()
	if c.IsSet("resume") {
		return o.resume(c)
	}
	if c.Bool("exact") {
		o.set = append(o.set, "steps=events", "exact=true")
	}
	if c.Args().Len() == 0 {
		return inputError("run: no case given, want a file or the name of a built-in one, for instance: quasistatic run play (quasistatic cases lists them)")
	}
	if o.accuracy > 0 { // in the case.json of the run: diagnose judges by the same
		o.set = append(o.set, fmt.Sprintf("accuracy=%g", o.accuracy))
	}
	tasks, err := models.Tasks(c.Context, c.Args().Slice(), o.out, o.set, o.memory)
	if err != nil {
		return cli.Exit(err.Error(), exitInput)
	}
	for _, t := range tasks {
		o.prepared(t)
	}
	return o.runAll(c, tasks)
}

// resume goes on with a run folder.
func (o *runOptions) resume(c *cli.Context) error {
	if c.Args().Len() > 0 || o.out != "" || len(o.set) > 0 {
		return inputError("run: --resume takes the case of the folder and writes there, want neither CASE nor --out nor --set")
	}
	t, err := o.resumable(c.Context, c.String("resume"))
	if errors.Is(err, run.ErrComplete) {
		return o.complete(c, t)
	}
	if err != nil {
		return err
	}
	if !o.quiet {
		fmt.Fprintf(c.App.ErrWriter, "quasistatic: %s\n", t.Resumed())
	}
	return o.runAll(c, []*run.Task{t})
}

// resumable returns the task that goes on with a run folder. It holds the folder, taken
// before anything in it was read.
func (o *runOptions) resumable(ctx context.Context, dir string) (*run.Task, error) {
	const command = "run --resume"
	if !models.IsFolder(dir) {
		return nil, inputError("%s: %s is not a folder, want the folder of a run, for instance out/grazing", command, dir)
	}
	unlock, err := table.Lock(dir)
	if err != nil {
		return nil, inputError("%s: %v", command, err)
	}
	f, err := openFolder(ctx, command, dir, o.memory)
	if err != nil {
		unlock()
		return nil, err
	}
	t := o.prepared(run.Of(f.Case, models.Find(f.Case), f.Built, dir))
	if err := t.Resume(f.Summary); err != nil {
		unlock()
		if errors.Is(err, run.ErrComplete) {
			return t, run.ErrComplete
		}
		return nil, faultCode(command, err)
	}
	t.Hold(unlock)
	return t, nil
}

// complete says that the run to resume is complete, and how it ended.
func (o *runOptions) complete(c *cli.Context, t *run.Task) error {
	if o.report { // the run may have been killed before it came to it
		if err := reportTask(c.Context, t); err != nil {
			return faultCode("report", err)
		}
	}
	if o.json {
		if err := printJSON(c.App.Writer, []*table.Summary{&t.Summary}); err != nil {
			return err
		}
	}
	if !o.quiet {
		fmt.Fprintf(c.App.ErrWriter, "quasistatic: %s: %v\n", t.Dir, run.ErrComplete)
	}
	if exit := code(&t.Summary); exit != exitDone {
		return cli.Exit(fmt.Sprintf("quasistatic: %s: %s", t.Case.Name, run.Failure(&t.Summary)), exit)
	}
	return nil
}

// code is the exit code of a run.
func code(s *table.Summary) int {
	if run.Certified(s) {
		return exitDone
	}
	return exitFailed
}

// prepared hands the flags to a task.
func (o *runOptions) prepared(t *run.Task) *run.Task {
	t.Picture, t.Pause, t.Force, t.Verify = o.picture, o.pause, o.force, o.verify
	return t
}

// runAll runs the tasks one after the other.
func (o *runOptions) runAll(c *cli.Context, tasks []*run.Task) error {
	exit := exitDone
	summaries := []*table.Summary{}
	for _, t := range tasks {
		if c.Context.Err() != nil {
			fmt.Fprintf(c.App.ErrWriter, "quasistatic: %s: stopped by a signal before it began\n", t.Case.Name)
			exit = exitFailed
			break
		}
		if list := t.Foreseen(); len(list) > 0 && !o.quiet {
			fmt.Fprintf(c.App.ErrWriter, "quasistatic: %s: %s\n", t.Case.Name, strings.Join(list, "; "))
		}
		if err := o.run(c.Context, t, c.App.Writer, c.App.ErrWriter); err != nil {
			return runFault(err)
		}
		exit = max(exit, code(&t.Summary))
		summaries = append(summaries, &t.Summary)
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

// run runs one task and prints what it gave.
func (o *runOptions) run(ctx context.Context, t *run.Task, stdout, stderr io.Writer) error {
	clear := o.progress(t, stderr)
	unbound := func() {}
	if m := t.Summary.Memory; m != nil {
		unbound = memory.Within(m.Limit, m.Predicted)
	}
	err := t.Run(ctx)
	unbound()
	clear()
	s := &t.Summary
	if len(t.Removed) > 0 && !o.quiet {
		fmt.Fprintf(stderr, "quasistatic: --force removed or replaced in %s: %s\n", t.Dir, strings.Join(t.Removed, ", "))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	if o.report || t.HadPage {
		if err := reportTask(ctx, t); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	if !o.quiet && !o.json {
		if err := terminal.Page(stdout, o.verbose, t.Print, t.Brief); err != nil {
			return err
		}
	}
	if code(s) != exitDone && (o.quiet || o.json || !terminal.Same(stdout, stderr)) {
		fmt.Fprintf(stderr, "quasistatic: %s: %s\n", s.Name, run.Failure(s))
	}
	return nil
}
