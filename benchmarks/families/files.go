package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/problemfile"
	"github.com/quasistatic/quasistatic/internal/processor"
)

// fileTrials are the solves of a file, of which the fastest counts: as many as the scripts of the
// peer make.
const fileTrials = 9

// enough is the time after which a file is not solved once more: what takes long is not timed
// better by repetition.
const enough = 300 * time.Millisecond

// timeFile solves the local problem of a file in one process, each time into a new result without a
// workspace, within the limit, and prints the least time.
func timeFile(w io.Writer, path string) (result, error) {
	p, err := problemfile.ReadFile(path)
	if err != nil {
		return result{}, err
	}
	if p.Kind != problemfile.LocalKind {
		return result{}, fmt.Errorf("families: %s is of kind %v, want a local problem", path, p.Kind)
	}
	best := result{Problem: strings.TrimSuffix(filepath.Base(path), ".dat"), Contacts: p.Contacts(), Solver: "auto", Seconds: math.Inf(1)}
	var (
		verdict error
		stage   string
	)
	for trial, start := 0, time.Now(); trial < fileTrials && (trial == 0 || time.Since(start) < enough); trial++ {
		var res contact.Result
		ctx, cancel := limited()
		begin, used := time.Now(), processor.Time()
		verdict = contact.SolveLocal(ctx, p.Local, nil, nil, &res)
		took, spent := time.Since(begin).Seconds(), (processor.Time() - used).Seconds()
		cancel()
		if took < best.Seconds {
			best.Seconds, best.CPU = took, spent
		}
		stage, best.Merit, best.Solved = res.Solver, max(res.Merit, res.UnitFree), verdict == nil
	}
	status := "solved"
	if verdict != nil {
		status = verdict.Error()
	}
	_, err = fmt.Fprintf(w, "%-40s nc=%5d %s merit=%.1e %10.5f ms %s\n", best.Problem, best.Contacts, status,
		best.Merit, 1e3*best.Seconds, stage)
	return best, err
}
