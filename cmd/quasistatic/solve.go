package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/contact/problemfile"
	"github.com/quasistatic/quasistatic/contact/problemfile/profile"
	"github.com/quasistatic/quasistatic/table"
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

func solveAction(c *cli.Context) error {
	b := &profile.Batch{Solver: c.String("solver"), Tolerance: c.Float64("tolerance"),
		TimeLimit: c.Duration("time-limit"), Compare: c.Bool("compare") || c.IsSet("profile")}
	files, out := c.Args().Slice(), c.String("out")
	err := b.Validate()
	if err == nil {
		err = prepareAnswers(files, out)
	}
	if err != nil {
		return inputError("solve: %s", strings.TrimPrefix(err.Error(), "profile: "))
	}
	printed := !c.Bool("json") && !c.Bool("quiet")
	if printed {
		fmt.Fprint(c.App.Writer, problemfile.RowHeader)
	}
	exit := exitDone
	var all []problemfile.Row
	for _, path := range files {
		rows := b.Solve(c.Context, path)
		if err := writeAnswer(out, &rows[0]); err != nil {
			exit, rows[0].Error = exitFailed, err.Error()
		}
		for i := range rows {
			if printed {
				rows[i].Print(c.App.Writer)
			}
			if rows[i].Error != "" {
				fmt.Fprintf(c.App.ErrWriter, "quasistatic: solve: %s: %s\n", path, rows[i].Error)
			}
		}
		all = append(all, rows...)
		if c.Context.Err() != nil {
			return failed("solve: interrupted")
		}
	}
	if c.Bool("json") {
		err = printJSON(c.App.Writer, all)
	}
	if err != nil {
		return failed("solve: %v", err)
	}
	if err := writeProfile(c, &b.Profile, printed); err != nil {
		return err
	}
	switch {
	case b.Refused > 0:
		return cli.Exit("", exitInput)
	case b.Unsolved > 0 || exit != exitDone:
		return cli.Exit("", exitFailed)
	}
	return nil
}

// prepareAnswers makes the folder of the answers; files of one name would share one.
func prepareAnswers(files []string, out string) error {
	if len(files) == 0 {
		return errors.New("no FILE given")
	}
	if out == "" {
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
	return os.MkdirAll(out, 0o777)
}

// writeAnswer stores r, u, v of a row in the folder of the answers.
func writeAnswer(out string, row *problemfile.Row) error {
	text, err := row.Answer()
	if out == "" || err != nil || text == nil {
		return err
	}
	return table.WriteFile(filepath.Join(out, filepath.Base(row.File)+".json"), text)
}

// writeProfile prints and draws the performance profile of all files.
func writeProfile(c *cli.Context, p *profile.Profile, printed bool) error {
	if c.String("profile") == "" || len(p.Times) == 0 {
		return nil
	}
	if printed {
		fmt.Fprintln(c.App.Writer)
		if err := p.WriteTable(c.App.Writer); err != nil {
			return failed("solve: %v", err)
		}
	}
	if err := p.Save(c.String("profile")); err != nil {
		return faultCode("solve", err)
	}
	return nil
}
