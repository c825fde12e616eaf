package main

import (
	"bytes"
	"encoding/json"
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

// predicted notes what the run will take.
func (b *base) predicted(need memory.Estimate, limit memory.Limit) {
	b.summary.Memory = &table.Memory{Predicted: need.Total(), Limit: limit.Bytes, Parts: need.Parts}
}

// bound is bounded for the run of a task.
func (b *base) bound() (end func()) {
	if b.summary.Memory == nil {
		return func() {}
	}
	return bounded(b.summary.Memory.Limit)
}

// notable is a prediction that the text of a run mentions [byte]: below, the peak
// is that of the program. The summary has it always.
const notable = 50e6

// memory prints what a run was predicted to take, and what it took.
func (p *page) memory(m *table.Memory) {
	if m == nil {
		return
	}
	need := memory.Estimate{Parts: m.Parts}
	if m.Peak == 0 {
		p.line("memory", "%s predicted for a run, %s allowed", need, memory.Format(m.Limit))
		return
	}
	if m.Predicted < notable {
		return
	}
	p.line("memory", "%s predicted, %s at the peak with the program and garbage, %s allowed", memory.Format(need.Total()), memory.Format(m.Peak), memory.Format(m.Limit))
}

// withMemory puts the prediction into the JSON object of a report.
func withMemory(report any, m *table.Memory) ([]byte, error) {
	text, err := json.Marshal(report)
	if err != nil {
		return nil, err
	}
	part, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	joined := append(append([]byte(`{"memory":`), part...), ',')
	if err := json.Indent(&b, append(joined, text[1:]...), "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
