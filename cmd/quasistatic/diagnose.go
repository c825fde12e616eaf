package main

import (
	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/terminal"
	"github.com/quasistatic/quasistatic/run"
)

// diagnoseCommand returns `quasistatic diagnose DIR`.
func diagnoseCommand() *cli.Command {
	return &cli.Command{
		Name:      "diagnose",
		Usage:     "certify a finished run, or a trajectory made elsewhere",
		ArgsUsage: "DIR",
		Description: "Reads case.json and the tables of a run folder, in any format, and certifies every row without solving it\n" +
			"again: stability (S), balance (E), forces (DI) of quasi-static evolutions, of which a case and a CSV file with the\n" +
			"columns t, <id>.x, <id>.y, <id>.z are enough; of motions every step is played again with the forces of the files:\n" +
			"momentum, joints, gaps, cones, complementarity, dissipation, energies. Then the run is made again and compared\n" +
			"with its files, for what they do not tell: the error of the trajectory, the expectations. What is not proven is said.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "case", Usage: "`CASE` file of a trajectory made elsewhere"},
			&cli.StringFlag{Name: "trajectory", Usage: "`FILE` with that trajectory"},
			&cli.Float64Flag{Name: "tolerance", Usage: "largest gap, relative to the energies met, from 0 to 0.01 (default: that of the run, 1e-10 or the case's solver.tolerance)"},
			&cli.StringFlag{Name: "proof", Usage: "write a proof of an energetic run to `FILE`, for scripts/peers/check_proof.py: quadratic energy, planes at rest, isotropic friction"},
			&cli.BoolFlag{Name: "files-only", Usage: "do not make a motion again: what its files do not tell is taken from summary.json"},
			verboseFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
			&cli.BoolFlag{Name: "json", Usage: "print the summary as JSON"},
		},
		Action: diagnoseAction,
	}
}

func diagnoseAction(c *cli.Context) error {
	k, built, from, err := diagnosed(c)
	if err != nil {
		return err
	}
	if c.IsSet("tolerance") {
		t := c.Float64("tolerance")
		if !(t >= 0 && t <= 1e-2) {
			return inputError("diagnose: --tolerance is %g, want a number from 0 to 0.01", t)
		}
		from.Tolerance = &t
	}
	from.FilesOnly, from.Proof = c.Bool("files-only"), c.String("proof")
	d, err := run.Diagnose(c.Context, k, built, from)
	if err != nil {
		return faultCode("diagnose", err)
	}
	s := d.Result()
	switch {
	case c.Bool("json"):
		var text []byte
		if text, err = s.JSON(); err == nil {
			_, err = c.App.Writer.Write(text)
		}
	case !c.Bool("quiet"):
		err = terminal.Page(c.App.Writer, c.Bool("v"), d.Print,
			func(width int, colour bool) string { return run.BriefDiagnosis(width, colour, k, d) })
	}
	switch {
	case err != nil:
		return failed("%v", err)
	case code(s) == exitDone:
	case terminal.Same(c.App.Writer, c.App.ErrWriter) && !c.Bool("quiet") && !c.Bool("json"):
		return cli.Exit("", exitFailed) // it is said
	default:
		return failed("%s: %s", k.Name, run.Failure(s))
	}
	return nil
}

// diagnosed returns what is certified: a run folder, or a case with a trajectory.
func diagnosed(c *cli.Context) (*casefile.Case, run.Case, run.Source, error) {
	caseFile, file := c.String("case"), c.String("trajectory")
	var from run.Source
	if caseFile == "" && file == "" {
		dir, err := argument(c, "want one run folder, for instance: quasistatic diagnose out/grazing")
		if err != nil {
			return nil, nil, from, err
		}
		f, err := openFolder(c.Context, "diagnose", dir, 0)
		if err != nil {
			return nil, nil, from, err
		}
		return f.Case, f.Built, run.Source{Dir: f.Dir, Summary: f.Summary}, nil
	}
	if caseFile == "" || file == "" || c.Args().Len() > 0 {
		return nil, nil, from, inputError("diagnose: want a run folder, or both --case and --trajectory")
	}
	k, built, err := builtCase(c, caseFile)
	return k, built, run.Source{File: file}, err
}
