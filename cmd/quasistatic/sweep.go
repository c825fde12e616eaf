package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/internal/regular"
	"github.com/quasistatic/quasistatic/internal/terminal"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/models/studies"
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
			&cli.StringFlag{Name: "listen", Usage: "let workers of other processes take runs, at `HOST:PORT`; with --cert and --key by TLS"},
			checkFlag(),
			&cli.BoolFlag{Name: "any-processor", Usage: "take and mark runs by processors that round otherwise"},
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
	if workers < 0 || workers == 0 && serverURL(c) == "" && c.String("listen") == "" {
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
		&cli.StringFlag{Name: "nats", Usage: "use the JetStream server at `URL`, or that of the variable " + serverVariable + "; several are separated by commas"},
		&cli.StringFlag{Name: "token-file", Usage: "`FILE` of the token that the server wants; or the variable " + study.TokenVariable},
		&cli.BoolFlag{Name: "insecure", Usage: "allow other machines without TLS, though anybody on the way reads the token"},
		&cli.StringFlag{Name: "creds", Usage: "credentials `FILE` of the user on it"},
		&cli.StringFlag{Name: "ca", Usage: "`FILE` of the authority of its certificate"},
		&cli.StringFlag{Name: "cert", Usage: "`FILE` of a certificate of one's own, with --listen that of the server"},
		&cli.StringFlag{Name: "key", Usage: "`FILE` of its key"},
	}
}

// serverVariable is the variable of the environment that holds the URL of a server.
const serverVariable = "QUASISTATIC_NATS"

// checkFlag is --check of the commands that take rows of others.
func checkFlag() cli.Flag {
	return &cli.StringFlag{Name: "check", Value: "1%", Usage: "make a `PART` of the runs of other processes again, beside the first of each worker; 0: believe all"}
}

// serverURL is --nats, or what the environment says in its place.
func serverURL(c *cli.Context) string {
	if c.String("listen") != "" {
		return c.String("nats")
	}
	return cmp.Or(c.String("nats"), os.Getenv(serverVariable))
}

// connection reads how to reach a server. What all users of a machine see, the arguments, holds no
// secret.
func connection(c *cli.Context) (study.Connection, error) {
	if strings.Contains(c.String("nats"), "@") {
		return study.Connection{}, inputError("%s: --nats names a user: arguments are seen by all users of this machine; want the URL in the variable %s, the token in %s or --token-file, or --creds", c.Command.Name, serverVariable, study.TokenVariable)
	}
	text, err := token(c)
	return study.Connection{URL: serverURL(c), Credentials: c.String("creds"), CA: c.String("ca"), Cert: c.String("cert"), Key: c.String("key"), Token: text, Insecure: c.Bool("insecure")}, err
}

// token reads that of a server: of a file, or of the environment.
func token(c *cli.Context) (string, error) {
	name := c.String("token-file")
	if name == "" {
		return os.Getenv(study.TokenVariable), nil
	}
	text, err := regular.ReadFile(name)
	if err != nil {
		return "", inputError("%s: --token-file: %v", c.Command.Name, err)
	}
	const longest = 4096 // a token, and no other file
	word := strings.TrimSpace(string(text))
	if word == "" || len(word) > longest || strings.ContainsFunc(word, unicode.IsSpace) {
		return "", inputError("%s: --token-file: %s holds no token, want one word", c.Command.Name, name)
	}
	return word, nil
}

func sweepAction(c *cli.Context) error {
	file, err := argument(c, "want the file of a study")
	if err != nil {
		return err
	}
	spec, err := studies.Open(file)
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
	plan, err := studies.PlanOf(c.Context, spec, &o)
	if err != nil {
		return inputError("sweep: %v", err)
	}
	if c.Bool("dry-run") {
		if err := plan.Print(c.Context, c.App.Writer); err != nil {
			return failed("sweep: %v", err)
		}
		return nil
	}
	defer memory.Bound(o.Runner.(studies.Runner).Memory)()
	defer memory.Thrifty()()
	return sweep(c, spec, o)
}

// sweepOptions turns flags into options.
func sweepOptions(c *cli.Context, spec *study.Spec) (o study.Options, err error) {
	o = study.Options{Dir: cmp.Or(c.String("out"), filepath.Join("out", spec.Name)), Version: run.Version(), AnyProcessor: c.Bool("any-processor")}
	accuracy, err := accuracyOf(c)
	if err != nil {
		return o, err
	}
	sets := c.StringSlice("set")
	if c.IsSet("accuracy") { // in the case, so that it is part of the ids, and workers elsewhere have it
		sets = append(sets, fmt.Sprintf("accuracy=%g", accuracy))
	}
	if o.Base, o.File, err = studies.BaseCase(spec, filepath.Dir(c.Args().First()), sets); err != nil {
		return o, inputError("sweep: %v", err)
	}
	runner := studies.Runner{}
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
	case serverURL(c) != "":
		b := &study.Broker{Workers: workers, Replicas: c.Int("replicas"), AnyProcessor: o.AnyProcessor, Log: log}
		if b.Connection, err = connection(c); err != nil {
			return o, err
		}
		b.Check, b.NoCheck, err = checkPart(c)
		o.Engine = b
	default:
		e := &study.Embedded{Dir: o.Dir, Workers: workers, AnyProcessor: o.AnyProcessor, Log: log}
		if e.Listen, err = listen(c); err != nil {
			return o, err
		}
		e.Check, e.NoCheck, err = checkPart(c)
		o.Engine = e
	}
	return o, err
}

// checkPart reads --check, in percent or as a part; 0: nothing is checked.
func checkPart(c *cli.Context) (part float64, none bool, err error) {
	text, percent := strings.CutSuffix(strings.TrimSpace(c.String("check")), "%")
	part, err = strconv.ParseFloat(strings.TrimSpace(text), 64)
	if percent {
		part /= 100
	}
	if err != nil || !(part >= 0 && part <= 1) {
		return 0, false, inputError("%s: --check is %q, want a part from 0 to 100%%", c.Command.Name, c.String("check"))
	}
	return part, part == 0, nil
}

// listen reads --listen and what goes with it.
func listen(c *cli.Context) (l study.Listen, err error) {
	l = study.Listen{Address: c.String("listen"), Insecure: c.Bool("insecure")}
	if l.Address == "" {
		return study.Listen{}, nil
	}
	l.Cert, l.Key = c.String("cert"), c.String("key")
	if l.Token, err = token(c); err != nil {
		return l, err
	}
	if err := l.Validate(); err != nil {
		return l, inputError("sweep: --listen: %s; --cert and --key are the files, --insecure allows it", strings.TrimPrefix(err.Error(), "study: "))
	}
	return l, nil
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
	f := terminal.Of(c.App.ErrWriter)
	if c.Bool("quiet") || f == nil {
		return nil, func() {}
	}
	var bar *progressbar.ProgressBar
	observe = func(p study.Progress) {
		if bar == nil {
			bar = terminal.NewBar(f, p.Total, "runs")
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
