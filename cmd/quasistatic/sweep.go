package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/study"
)

// sweepCommand returns `quasistatic sweep STUDY`.
func sweepCommand() *cli.Command {
	return &cli.Command{
		Name:      "sweep",
		Usage:     "make the runs of a study: grids, samples, refined boundaries of one case",
		ArgsUsage: "STUDY",
		Description: "Makes the runs that are missing, on all cores or on the workers of a server, and writes a table\n" +
			"(study.csv, study.parquet) and a page (study.html). Ctrl-C stops; the same command goes on.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write to `DIR` in place of out/<name>"},
			&cli.BoolFlag{Name: "dry-run", Usage: "print the list of runs and make none"},
			setFlag(),
			&cli.StringFlag{Name: "retry", Usage: "make runs again that are in the table: `WHICH` is failed"},
			&cli.StringFlag{Name: "shard", Usage: "make only part `I/N` of the runs, without a server"},
			workersFlag(),
			&cli.StringFlag{Name: "listen", Usage: "let workers of other processes take runs, at `HOST:PORT`"},
			&cli.IntFlag{Name: "replicas", Value: 1, Usage: "copies of the study on a cluster of servers"},
			&cli.BoolFlag{Name: "yes", Usage: "make more than a million runs"},
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
			&cli.BoolFlag{Name: "json", Usage: "print the statistics as JSON"},
			accuracyFlag(),
			memoryFlag(),
		}, serverFlags()...),
		Action: sweepAction,
	}
}

// workersFlag is --workers of the commands that make many runs.
func workersFlag() cli.Flag {
	return &cli.IntFlag{Name: "workers", Value: runtime.NumCPU(), Usage: "runs at once in this process; 0 where a server gives them to others"}
}

// workersOf reads --workers: 0 only where others can take runs.
func workersOf(c *cli.Context) (int, error) {
	workers := c.Int("workers")
	if workers < 0 || workers == 0 && c.String("nats") == "" && c.String("listen") == "" {
		return 0, inputError("%s: --workers is %d, want at least 1, or 0 where a server gives the runs to others", c.Command.Name, workers)
	}
	if workers > study.MostWorkers {
		return 0, inputError("%s: --workers is %d, want at most %d", c.Command.Name, workers, study.MostWorkers)
	}
	return workers, nil
}

// serverLog prints what engines have to say.
func serverLog(c *cli.Context) func(text string) {
	return func(text string) { fmt.Fprintf(c.App.ErrWriter, "quasistatic: %s\n", report.Plain(text)) }
}

// serverFlags say how to reach a server.
func serverFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "nats", Usage: "use the JetStream server at `URL`; several are separated by commas"},
		&cli.StringFlag{Name: "creds", Usage: "credentials `FILE` of the user on it"},
		&cli.StringFlag{Name: "ca", Usage: "`FILE` of the authority of its certificate"},
		&cli.StringFlag{Name: "cert", Usage: "`FILE` of a certificate of one's own"},
		&cli.StringFlag{Name: "key", Usage: "`FILE` of its key"},
	}
}

func connection(c *cli.Context) study.Connection {
	return study.Connection{URL: c.String("nats"), Credentials: c.String("creds"), CA: c.String("ca"), Cert: c.String("cert"), Key: c.String("key")}
}

func sweepAction(c *cli.Context) error {
	file, err := argument(c, "want the file of a study")
	if err != nil {
		return err
	}
	spec, err := models.OpenStudy(file)
	if err != nil {
		return inputError("sweep: %v", err)
	}
	o, err := sweepOptions(c, spec)
	if err != nil {
		return err
	}
	if c.Bool("yes") {
		o.Most = 1 << 62
	}
	plan, err := models.PlanOf(c.Context, spec, &o)
	if err != nil {
		return inputError("sweep: %v", err)
	}
	if c.Bool("dry-run") {
		if err := plan.Print(c.Context, c.App.Writer); err != nil {
			return failed("sweep: %v", err)
		}
		return nil
	}
	defer memory.Bound(o.Runner.(models.Runner).Memory)()
	defer memory.Thrifty()()
	return sweep(c, spec, o)
}

// sweepOptions turns flags into options.
func sweepOptions(c *cli.Context, spec *study.Spec) (o study.Options, err error) {
	o = study.Options{Dir: cmp.Or(c.String("out"), filepath.Join("out", spec.Name)), Version: run.Version()}
	accuracy, err := accuracyOf(c)
	if err != nil {
		return o, err
	}
	sets := c.StringSlice("set")
	if c.IsSet("accuracy") { // in the case, so that it is part of the ids, and workers elsewhere have it
		sets = append(sets, fmt.Sprintf("accuracy=%g", accuracy))
	}
	if o.Base, o.File, err = models.BaseCase(spec, filepath.Dir(c.Args().First()), sets); err != nil {
		return o, inputError("sweep: %v", err)
	}
	runner := models.Runner{}
	if runner.Memory, err = memoryLimit(c); err != nil {
		return o, err
	}
	runner.Budget = memory.BudgetWithin(runner.Memory)
	o.Runner = runner
	if o.Retry = c.IsSet("retry"); o.Retry && c.String("retry") != "failed" {
		return o, inputError("sweep: --retry %q, want failed", c.String("retry"))
	}
	workers, err := workersOf(c)
	if err != nil {
		return o, err
	}
	log := serverLog(c)
	switch {
	case c.String("shard") != "":
		if o.Shard, err = study.ParseShard(c.String("shard")); err != nil {
			return o, inputError("sweep: --%v", strings.TrimPrefix(err.Error(), "study: "))
		}
		o.Engine = study.Pool{Workers: workers}
	case c.String("nats") != "":
		o.Engine = &study.Broker{Connection: connection(c), Workers: workers, Replicas: c.Int("replicas"), Log: log}
	default:
		o.Engine = &study.Embedded{Dir: o.Dir, Workers: workers, Listen: c.String("listen"), Log: log}
	}
	return o, nil
}

// sweep makes the runs and prints what came out.
func sweep(c *cli.Context, spec *study.Spec, o study.Options) error {
	observe, clear := studyProgress(c, spec.Name)
	o.Observe = observe
	t, err := study.Run(c.Context, spec, o)
	clear()
	switch {
	case err != nil || spec.Refine == nil:
	case o.Shard.Count == 0:
		_, err = study.Bisect(c.Context, spec, o)
	case !c.Bool("quiet"):
		serverLog(c)("a part of a study is not refined; the same command without --shard does it when all parts are made")
	}
	if err != nil {
		if c.Context.Err() != nil {
			return failed("sweep: stopped; the same command goes on with the runs that are missing in %s", o.Dir)
		}
		return faultCode("sweep", err)
	}
	return printStudy(c, t, o.Dir, o.Shard)
}

// studyProgress shows a bar on a terminal.
func studyProgress(c *cli.Context, name string) (observe func(study.Progress), clear func()) {
	f := terminal(c.App.ErrWriter)
	if c.Bool("quiet") || f == nil {
		return nil, func() {}
	}
	var bar *progressbar.ProgressBar
	observe = func(p study.Progress) {
		if bar == nil {
			bar = newBar(f, p.Total, "runs")
		}
		bar.Describe(fmt.Sprintf("%s, %d not certified", report.Plain(name), p.Failed))
		_ = bar.Set(p.Known + p.Done) // a bar that cannot draw is no reason to stop
	}
	return observe, func() {
		if bar != nil {
			_ = bar.Clear()
		}
	}
}
