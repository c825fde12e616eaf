package main

import (
	"math"
	"runtime/debug"

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

// leastBound is the least limit that the runtime is told [byte]: the program itself
// takes nearly as much, and would collect garbage all the time.
const leastBound = 100e6

// bounded tells the runtime a limit, so that garbage is collected before it counts,
// and returns what ends that. GOMEMLIMIT comes first; 0 is no limit.
func bounded(limit int64) (end func()) {
	if limit < leastBound || debug.SetMemoryLimit(-1) != math.MaxInt64 { // reads only
		return func() {}
	}
	debug.SetMemoryLimit(limit)
	return func() { debug.SetMemoryLimit(math.MaxInt64) }
}

// boundRun is bounded for a run.
func boundRun(s *table.Summary) (end func()) {
	if s.Memory == nil {
		return func() {}
	}
	return bounded(s.Memory.Limit)
}
