package main

import (
	"math"
	"os"
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

// budget is what the runs of one process may take together: the limit given, or else what
// is free [byte].
func budget(limit int64) *memory.Budget {
	if limit == 0 {
		return memory.NewBudget(memory.Free())
	}
	return memory.NewBudget(memory.Limit{Bytes: limit, Source: "the limit given"})
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

// thrift is the garbage that a study keeps, in parts of a hundred of what lives: the runs
// of one last a millisecond, and what they leave would double the process.
const thrift = 50

// thrifty has garbage collected earlier than the runtime would, and returns what ends that.
// GOGC comes first.
func thrifty() (end func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(thrift)
	return func() { debug.SetGCPercent(before) }
}

// boundRun is bounded for a run.
func boundRun(s *table.Summary) (end func()) {
	if s.Memory == nil {
		return func() {}
	}
	return bounded(s.Memory.Limit)
}
