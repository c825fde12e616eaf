package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/problemfile"
)

// fileTrials are the solves of a file, of which the fastest counts: as many as the script of the peer makes.
const fileTrials = 9

// timeFile solves the local problem of a file in one process, each time into a new result without a
// workspace, and prints the least time.
func timeFile(w io.Writer, path string) error {
	p, err := problemfile.ReadFile(path)
	if err != nil {
		return err
	}
	if p.Kind != problemfile.LocalKind {
		return fmt.Errorf("families: %s is of kind %v, want a local problem", path, p.Kind)
	}
	var (
		best    = time.Duration(1<<63 - 1)
		verdict error
		solver  string
		merit   float64
		nc      = p.Contacts()
	)
	for range fileTrials {
		var res contact.Result
		begin := time.Now()
		verdict = contact.SolveLocal(context.Background(), p.Local, nil, nil, &res)
		best = min(best, time.Since(begin))
		solver, merit = res.Solver, max(res.Merit, res.UnitFree)
	}
	status := "solved"
	if verdict != nil {
		status = verdict.Error()
	}
	_, err = fmt.Fprintf(w, "%-40s nc=%5d %s merit=%.1e %10.5f ms %s\n", strings.TrimSuffix(filepath.Base(path), ".dat"), nc, status, merit, float64(best)*1e-6, solver)
	return err
}
