package main

import (
	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/table"
)

// memoryFlag is --memory of the commands that take much.
func memoryFlag() cli.Flag {
	return &cli.StringFlag{Name: "memory", Usage: "take at most `SIZE` of memory, for instance 4GB; over solver.memory of the case. Without both, what is free"}
}

// memoryLimit reads --memory [byte]; 0 without it.
func memoryLimit(c *cli.Context) (int64, error) {
	if !c.IsSet("memory") {
		return 0, nil
	}
	limit, err := memory.Parse(c.String("memory"))
	if err != nil {
		return 0, inputError("%s: --memory: %v", c.Command.Name, err)
	}
	return limit, nil
}

// budget is what the runs of one process may take together: the limit given, or else what
// is free [byte].
func budget(limit int64) *memory.Budget {
	if limit == 0 {
		return memory.NewBudget(memory.Free())
	}
	return memory.NewBudget(memory.Limit{Bytes: limit, Source: "the limit given"})
}

// boundRun is [memory.Bound] for a run, and [memory.Sparing].
func boundRun(s *table.Summary) (end func()) {
	if s.Memory == nil {
		return func() {}
	}
	bounded, spared := memory.Bound(s.Memory.Limit), memory.Sparing(s.Memory.Predicted)
	return func() {
		spared()
		bounded()
	}
}
