package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/contact/problemfile"
	"github.com/quasistatic/quasistatic/contact/problemfile/profile"
	"github.com/quasistatic/quasistatic/table"
)

// The exit codes of solve: all solved, some not solved, some files wrong.
const (
	solveFailed = 1
	solveInput  = 2
)

// solveCommand returns `quasistatic solve FILE...`.
func solveCommand() *cli.Command {
	return &cli.Command{
		Name:      "solve",
		Usage:     "solve frictional contact, LCP and MLCP problem files",
		ArgsUsage: "FILE...",
		Description: "Reads problems in the text formats of Siconos, in JSON and (with -tags hdf5) in FCLIB HDF5,\n" +
			"and prints for each the verdict, the merit of the answer, iterations, time and what the contacts do.\n" +
			"Exit code 0: all solved; 1: some not solved; 2: some files could not be read.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "solver", Value: "auto", Usage: "one of " + strings.Join(problemfile.SolverNames(), ", ")},
			&cli.Float64Flag{Name: "tolerance", Usage: "on the merit, from 0 to 1 (default: 1e-8, for LCP and MLCP 1e-10)"},
			&cli.DurationFlag{Name: "time-limit", Usage: "for each solve, such as 30s (default: none)"},
			&cli.BoolFlag{Name: "compare", Usage: "run all applicable solvers side by side"},
			&cli.StringFlag{Name: "profile", Usage: "compare, print the Dolan-Moré performance profile and draw it to `PICTURE` (.png, .svg, .pdf)"},
			&cli.StringFlag{Name: "out", Usage: "write r, u, v of each problem to `DIR`/<file>.json"},
			&cli.BoolFlag{Name: "json", Usage: "print a JSON array in place of the table"},
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
		},
		Action: solveAction,
	}
}

// solveRun is one call of the command.
type solveRun struct {
	solver    string
	tolerance float64
	timeLimit time.Duration
	compare   bool
	outDir    string
	rows      []problemfile.Row
	profile   profile.Profile
	code      int
}

func solveAction(c *cli.Context) error {
	run := &solveRun{solver: c.String("solver"), tolerance: c.Float64("tolerance"), timeLimit: c.Duration("time-limit"),
		compare: c.Bool("compare") || c.IsSet("profile"), outDir: c.String("out")}
	if err := run.validate(c.Args().Slice()); err != nil {
		return cli.Exit("quasistatic: solve: "+err.Error(), solveInput)
	}
	run.profile.Solvers = problemfile.SolverNames()
	w := c.App.Writer
	printed := !c.Bool("json") && !c.Bool("quiet")
	if printed {
		fmt.Fprint(w, problemfile.RowHeader)
	}
	for _, path := range c.Args().Slice() {
		for _, row := range run.file(c.Context, path) {
			run.rows = append(run.rows, row)
			if printed {
				row.Print(w)
			}
			if row.Error != "" {
				fmt.Fprintf(c.App.ErrWriter, "quasistatic: solve: %s: %s\n", path, row.Error)
			}
		}
		if c.Context.Err() != nil {
			return cli.Exit("quasistatic: solve: interrupted", solveFailed)
		}
	}
	return run.finish(w, c.Bool("json"), printed, c.String("profile"))
}

// validate checks the flags before anything is solved.
func (run *solveRun) validate(files []string) error {
	switch {
	case len(files) == 0:
		return errors.New("no FILE given")
	case !slices.Contains(problemfile.SolverNames(), run.solver):
		return fmt.Errorf("--solver %q, want one of %s", run.solver, strings.Join(problemfile.SolverNames(), ", "))
	case !(run.tolerance >= 0 && run.tolerance < 1):
		return fmt.Errorf("--tolerance %g, want a number from 0 to 1", run.tolerance)
	case run.timeLimit < 0:
		return fmt.Errorf("--time-limit %s, want a positive time", run.timeLimit)
	}
	if run.outDir == "" {
		return nil
	}
	answers := map[string]string{}
	for _, path := range files {
		name := filepath.Base(path)
		if other, taken := answers[name]; taken {
			return fmt.Errorf("%s and %s would both be answered in %s.json, want --out for files of different names", other, path, name)
		}
		answers[name] = path
	}
	return os.MkdirAll(run.outDir, 0o777)
}

// finish prints what belongs to all files and sets the exit code.
func (run *solveRun) finish(w io.Writer, asJSON, printed bool, picture string) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		if err := e.Encode(run.rows); err != nil {
			return cli.Exit("quasistatic: solve: "+err.Error(), solveFailed)
		}
	}
	if picture != "" && len(run.profile.Times) > 0 {
		if printed {
			fmt.Fprintln(w)
			if err := run.profile.WriteTable(w); err != nil {
				return cli.Exit("quasistatic: solve: "+err.Error(), solveFailed)
			}
		}
		if err := run.profile.Save(picture); err != nil {
			return faultCode("solve", err)
		}
	}
	if run.code != 0 {
		return cli.Exit("", run.code)
	}
	return nil
}

// file solves one file by the solver wanted, or by all that apply. With
// several, the file counts as solved if the default solver solves it.
func (run *solveRun) file(ctx context.Context, path string) []problemfile.Row {
	p, err := problemfile.ReadFile(path)
	if err != nil {
		run.code = solveInput
		return []problemfile.Row{{File: path, Error: err.Error()}}
	}
	solvers := []string{run.solver}
	if run.compare {
		solvers = p.Applicable()
	}
	var rows []problemfile.Row
	times := slices.Repeat([]float64{math.Inf(1)}, len(run.profile.Solvers))
	for _, solver := range solvers {
		row := run.solve(ctx, path, p, solver)
		rows = append(rows, row)
		if row.Solved() {
			times[slices.Index(run.profile.Solvers, solver)] = row.Seconds
		}
		if row.Refused() {
			run.code = solveInput
		}
	}
	if run.compare {
		run.profile.Add(times)
	}
	if !rows[0].Solved() {
		run.code = max(run.code, solveFailed)
	}
	if err := run.write(&rows[0]); err != nil {
		run.code = max(run.code, solveFailed)
		rows[0].Error = err.Error()
	}
	return rows
}

// solve runs one solver on the problem of a file.
func (run *solveRun) solve(ctx context.Context, path string, p *problemfile.Problem, solver string) problemfile.Row {
	if run.timeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, run.timeLimit)
		defer cancel()
	}
	return problemfile.NewRow(ctx, path, p, solver, run.tolerance)
}

// write stores r, u, v of a row in the output directory.
func (run *solveRun) write(row *problemfile.Row) error {
	if run.outDir == "" {
		return nil
	}
	text, err := row.Answer()
	if err != nil || text == nil {
		return err
	}
	return table.WriteFile(filepath.Join(run.outDir, filepath.Base(row.File)+".json"), text)
}
