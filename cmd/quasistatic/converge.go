package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/models/studies"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/study"
)

// convergeCommand returns `quasistatic converge CASE`.
func convergeCommand() *cli.Command {
	return &cli.Command{
		Name:      "converge",
		Usage:     "halve the step and observe the orders",
		ArgsUsage: "CASE",
		Description: "Runs the case in steps, 2·steps, 4·steps, … equal steps and tabulates the distance to the finest run, what\n" +
			"falls with the step, and the errors of the expectations, each with its observed order; gamma and compliances are\n" +
			"made smaller too, where the model has them. The runs are made at once by the engines of studies, on all cores or,\n" +
			"with --nats, on the workers of a server too. Exit code 0: every run was certified, and the finest is as expected.",
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "levels", Value: 4, Usage: "number of runs, 2 to 12"},
			&cli.IntFlag{Name: "steps", Usage: "steps of the coarsest run; a quarter of the case's without this"},
			&cli.StringFlag{Name: "out", Usage: "write table and picture to `DIR` in place of out/<name>-convergence"},
			setFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
			&cli.BoolFlag{Name: "json", Usage: "print the table as JSON"},
			workersFlag(),
			checkFlag(),
			memoryFlag(),
		}, serverFlags()...),
		Action: convergeAction,
	}
}

// mostSteps bounds the finest run of a study: it holds the times of all its steps, 2 GB.
const mostSteps = 1 << 28

func convergeAction(c *cli.Context) error {
	file, err := argument(c, "want one case, for instance: quasistatic converge cases/klarbring.json")
	if err != nil {
		return err
	}
	levels, steps := c.Int("levels"), c.Int("steps")
	if levels < 2 || levels > 12 || steps < 0 {
		return inputError("converge: --levels %d --steps %d, want 2 to 12 levels and a positive number of steps", levels, steps)
	}
	k, built, err := builtCase(c, file)
	if err != nil {
		return err
	}
	limit := k.Memory
	if n := max(steps, built.Plan().Steps/4); n > mostSteps>>(levels-1) {
		return inputError("converge: %d levels from %d steps on end at more than %d steps", levels, n, mostSteps)
	}
	runs, err := run.NewConvergence(k.Name, built, steps, levels)
	if err != nil {
		return failed("%s: %v", k.Name, err)
	}
	dir, fresh, err := convergenceFolder(c, k)
	if err != nil {
		return faultCode("converge", err)
	}
	w := &study.Work{Plan: study.NewLevels(k.Name, k.Raw, study.Levels{Steps: steps, Levels: levels, Runs: runs.Len()}),
		Dir: dir, Base: k.File, Version: run.Version(),
		Runner: studies.Runner{Memory: limit, Budget: memory.BudgetWithin(limit)}}
	engine, err := convergeEngine(c, w)
	if err != nil {
		return err
	}
	defer memory.Bound(limit)()
	made, err := study.MakeLevels(c.Context, w, engine)
	if err != nil {
		if fresh {
			_ = os.Remove(dir) // nothing is in it
		}
		return failed("%s: %s", k.Name, strings.TrimPrefix(err.Error(), "study: a run failed: "))
	}
	s, err := judged(runs, made)
	if err == nil {
		err = writeConvergence(c, k, s, dir, levels-1)
	}
	if err == nil {
		err = s.Verdict(levels - 1)
	}
	if err != nil {
		return failed("%s: %v", k.Name, err)
	}
	return nil
}

// judged is the study of runs that are made, with their verdicts.
func judged(runs run.Convergence, made []*study.Record) (j run.Judged, err error) {
	var files [][]byte
	for i, r := range made {
		files = append(files, r.Files)
		j.Verdicts = append(j.Verdicts, run.LevelVerdict{Run: runs.Name(i), Verdict: string(r.Verdict), Met: r.Met, Message: r.Message})
	}
	j.Study, err = runs.Study(files)
	return j, err
}

// convergeEngine is that of the flags; workers elsewhere get the files that the case names.
func convergeEngine(c *cli.Context, w *study.Work) (study.Engine, error) {
	workers, err := workersOf(c)
	if err != nil {
		return nil, err
	}
	if serverURL(c) == "" {
		return study.Pool{Workers: workers}, nil
	}
	if w.Files, err = studies.FilesOf(c.Context, w.Plan, w.Base); err != nil {
		return nil, inputError("converge: %v", err)
	}
	w.Plan.SetSums(w.Files.Sums())
	b := &study.Broker{Workers: workers, Replicas: 1, Log: serverLog(c)}
	if b.Connection, err = connection(c); err != nil {
		return nil, err
	}
	b.Check, b.NoCheck, err = checkPart(c)
	return b, err
}

// convergenceFolder makes the folder of a convergence study; fresh: it was not there.
func convergenceFolder(c *cli.Context, k *casefile.Case) (dir string, fresh bool, err error) {
	dir = cmp.Or(c.String("out"), filepath.Join("out", k.Name+"-convergence"))
	_, err = os.Stat(dir)
	return dir, errors.Is(err, fs.ErrNotExist), cmp.Or(run.ClaimStudy(dir), os.MkdirAll(dir, 0o777))
}

// writeConvergence writes a study, its pictures and its page, and prints it.
func writeConvergence(c *cli.Context, k *casefile.Case, s run.Judged, dir string, finest int) error {
	if err := run.WriteStudy(dir, k.Name, s, finest); err != nil {
		return err
	}
	return print(c, k, s, func(p *run.Page) {
		s.Print(p)
		p.Line("files", "%s", dir)
	})
}
