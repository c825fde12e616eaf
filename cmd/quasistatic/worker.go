package main

import (
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/models/studies"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/study"
)

// workerCommand returns `quasistatic worker`.
func workerCommand() *cli.Command {
	return &cli.Command{
		Name:  "worker",
		Usage: "take runs from the studies on a server, until it is stopped",
		Description: "Any number of workers on any machines share the studies of a JetStream server. A worker that is\n" +
			"stopped gives its runs back; one that dies loses them when its lease ends. Both go on elsewhere.\n" +
			"A study of another version, or of processors that round otherwise, is passed over with a word. The token of\n" +
			"a server is in the variable " + study.TokenVariable + " or in --token-file, never an argument.",
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "workers", Value: runtime.NumCPU(), Usage: "runs at once"},
			&cli.DurationFlag{Name: "idle", Usage: "end after `TIME` without work, for instance 10m; 0: never"},
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
			memoryFlag(),
		}, serverFlags()...),
		Action: workerAction,
	}
}

func workerAction(c *cli.Context) error {
	switch {
	case c.Args().Len() > 0:
		return inputError("worker: found the argument %q, want flags only", c.Args().First())
	case serverURL(c) == "":
		return inputError("worker: --nats is missing, want the URL of a server, for instance nats://127.0.0.1:4222")
	case c.Int("workers") < 1 || c.Int("workers") > study.MostWorkers:
		return inputError("worker: --workers is %d, want at least 1 and at most %d", c.Int("workers"), study.MostWorkers)
	case c.Duration("idle") < 0:
		return inputError("worker: --idle is %v, want a time >= 0", c.Duration("idle"))
	}
	limit, err := memoryLimit(c)
	if err != nil {
		return err
	}
	defer memory.Bound(limit)()
	defer memory.Thrifty()()
	server, err := connection(c)
	if err != nil {
		return err
	}
	w := &study.Worker{Connection: server, Runner: studies.Runner{Memory: limit, Budget: memory.BudgetWithin(limit)},
		Version: run.Version(), Workers: c.Int("workers"), Idle: c.Duration("idle")}
	if !c.Bool("quiet") {
		w.Log = serverLog(c)
	}
	if err := w.Work(c.Context); err != nil {
		return failed("worker: %v", err)
	}
	return nil
}
