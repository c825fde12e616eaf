package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/table"
)

// diagnoseCommand returns `quasistatic diagnose DIR`.
func diagnoseCommand() *cli.Command {
	return &cli.Command{
		Name:      "diagnose",
		Usage:     "certify a finished run, or a trajectory made elsewhere",
		ArgsUsage: "DIR",
		Description: "Reads case.json and the trajectory of a run folder, in any format, or a case and a CSV file with the\n" +
			"columns t, <id>.x, <id>.y, <id>.z, and certifies every node without solving it again: stability (S), balance\n" +
			"(E), forces (DI). Of the dynamic models it plays every step again with the forces of the files: momentum, joints,\n" +
			"gaps, cones, complementarity, dissipation, energies; what the files cannot prove is said.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "case", Usage: "`CASE` file of a trajectory made elsewhere"},
			&cli.StringFlag{Name: "trajectory", Usage: "`FILE` with that trajectory"},
			&cli.Float64Flag{Name: "tolerance", Usage: "largest gap, relative to the energies met, from 0 to 0.01 (default: that of the run, 1e-10 or the case's solver.tolerance)"},
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
			&cli.BoolFlag{Name: "json", Usage: "print the summary as JSON"},
		},
		Action: diagnoseAction,
	}
}

// diagnosis certifies a trajectory read from a file.
type diagnosis struct {
	c       *casefile.Case
	m       *casefile.Model
	file    string
	dir     string // of the run; empty: the trajectory was made elsewhere
	global  *globalTest
	cert    *energetic.Certifier
	expect  *casefile.Evaluator
	events  eventLog
	summary table.Summary
	damage  *table.DamageError // of the files; nil: none is known
	forces  *forceRows         // of the run; nil: none
	differs error              // how the other files or the nodes first differ from the trajectory's
	planned *nodesPlanned      // nil: a trajectory made elsewhere, or steps that the run chose
	z       []float64
}

func diagnoseAction(c *cli.Context) error {
	caseFile, file, dir, err := diagnoseFiles(c)
	if err != nil {
		return err
	}
	if dir != "" {
		k, s, err := openCase("diagnose", dir)
		if err != nil {
			return err
		}
		if k.Model != "energetic" {
			return diagnoseDynamic(c, k, s, dir)
		}
	}
	d := &diagnosis{file: file, dir: dir}
	if d.c, d.m, err = load(caseFile); err != nil {
		return cli.Exit(err.Error(), exitInput)
	}
	if err := d.fits(dir); err != nil {
		return cli.Exit("quasistatic: "+err.Error(), exitInput)
	}
	if t := c.Float64("tolerance"); !(t >= 0 && t <= 1e-2) {
		return inputError("diagnose: --tolerance is %g, want a number from 0 to 0.01", t)
	}
	if c.IsSet("tolerance") {
		d.m.Options.Tolerance = c.Float64("tolerance")
	}
	if dir != "" {
		if _, d.damage, err = damage(c.Context, table.NewParticleFolder(dir, d.m.Scene)); err != nil {
			return faultCode("diagnose", err)
		}
	}
	if err := d.run(c.Context); err != nil {
		return cli.Exit("quasistatic: "+err.Error(), exitInput)
	}
	return d.finish(c)
}

// diagnoseFiles returns the names of case and trajectory, and the run folder if
// there is one.
func diagnoseFiles(c *cli.Context) (caseFile, file, dir string, err error) {
	caseFile, file = c.String("case"), c.String("trajectory")
	bare := caseFile != "" || file != ""
	switch {
	case bare && (caseFile == "" || file == "" || c.Args().Len() > 0):
		return "", "", "", inputError("diagnose: want a run folder, or both --case and --trajectory")
	case bare:
		return caseFile, file, "", nil
	case c.Args().Len() != 1:
		return "", "", "", inputError("diagnose: found %d arguments, want one run folder, for instance: quasistatic diagnose out/grazing", c.Args().Len())
	}
	dir = c.Args().First()
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", "", "", inputError("diagnose: %s is not a folder, want the folder of a run, for instance out/grazing", dir)
	}
	return filepath.Join(dir, table.CaseFile), filepath.Join(dir, table.TrajectoryFile), dir, nil
}

// fits checks that the files can be certified together.
func (d *diagnosis) fits(dir string) error {
	if d.m.Every > 1 && dir != "" {
		return fmt.Errorf("diagnose: the run wrote every %d-th node only (output.every), and a step is certified from the node before it; want a run with \"every\": 1", d.m.Every)
	}
	text, err := os.ReadFile(filepath.Join(dir, table.SummaryFile))
	if dir == "" || err != nil {
		return nil // a run that was killed may have none
	}
	var s table.Summary
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("diagnose: %s: %w", filepath.Join(dir, table.SummaryFile), err)
	}
	if s.CaseSHA256 != d.c.SHA256 {
		return fmt.Errorf("diagnose: %s is not the case that was run: its SHA-256 is %.12s…, that in the summary %.12s…", d.c.File, d.c.SHA256, s.CaseSHA256)
	}
	return nil
}

// run reads and certifies node by node. The error is one of the file; what is
// wrong with the trajectory goes to the summary.
func (d *diagnosis) run(ctx context.Context) error {
	began := time.Now()
	f, err := d.open()
	if err != nil {
		return err
	}
	defer f.Close() // read only: nothing can be lost
	r, err := table.NewReader(f, d.file, d.m.IDs)
	if err != nil {
		return err
	}
	d.m.Options.Foreign = d.dir == ""
	if d.cert, err = energetic.NewCertifier(d.m.Psi, d.m.Options); err != nil {
		return err
	}
	if d.dir != "" {
		if d.forces, err = openForces(table.NewParticleFolder(d.dir, d.m.Scene)); err != nil {
			return err
		}
		if d.forces != nil {
			defer d.forces.file.Close() // read only
		}
		if d.m.Adaptive == nil && !d.m.Chosen {
			d.planned = &nodesPlanned{time: d.m.Time, steps: d.m.Steps}
		}
	}
	sys := d.m.Psi.System
	d.z = make([]float64, 3*sys.N())
	d.expect, d.global = casefile.NewEvaluator(d.m), newGlobalTest(d.m)
	d.summary = table.Summary{Name: d.c.Name, Version: version, CaseSHA256: d.c.SHA256, Status: table.Done,
		Until: d.m.Until, Particles: sys.N(), StepsPlanned: d.m.Steps}
	for k := 0; ; k++ {
		t, x, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			d.summary.Status, d.summary.Message = table.Interrupted, fmt.Sprintf("stopped after node %d, at t=%g", k, t)
			break
		}
		if !d.node(ctx, k, t, x) {
			break
		}
	}
	d.conclude()
	_, err = d.global.search(ctx, &d.summary, "")
	d.summary.WallSeconds = time.Since(began).Seconds()
	return err
}

// open opens the trajectory as CSV, whatever its format.
func (d *diagnosis) open() (io.ReadCloser, error) {
	if d.dir == "" {
		return os.Open(d.file)
	}
	return table.NewParticleFolder(d.dir, d.m.Scene).Open(table.TrajectoryFile)
}

// node certifies a node; false ends the diagnosis.
func (d *diagnosis) node(ctx context.Context, k int, t float64, x []float64) bool {
	table.ToLocal(d.z, d.m.Psi.System, x)
	var err error
	if k == 0 {
		if err = d.start(t, x); err == nil {
			err = d.cert.Begin(ctx, t, d.z)
		}
		if err == nil {
			err = d.cert.Unstable()
		}
	} else {
		err = d.cert.Observe(ctx, t, d.z)
	}
	if err == nil && d.differs == nil && d.planned != nil {
		d.differs = d.planned.see(t, d.m.Until)
	}
	if err == nil && d.differs == nil && d.forces != nil {
		d.differs = d.forces.compare(d.cert, d.m.IDs)
	}
	if err != nil {
		d.summary.Status, d.summary.Message = table.Failed, fmt.Sprintf("node %d, t=%g: %v", k, t, err)
		return false
	}
	d.expect.Observe(d.cert.Node())
	d.global.observe(d.cert.Node())
	d.events.observe(d.cert.Node(), d.m.IDs)
	return true
}

// start checks that the trajectory begins where the case does.
func (d *diagnosis) start(t float64, x []float64) error {
	if t != 0 {
		return fmt.Errorf("the trajectory begins at t=%g, want 0", t)
	}
	if d.m.Options.Equilibrate {
		return nil // the case leaves the start open
	}
	for i, v := range x {
		want := d.m.At[i]
		// Ten digits: positions may have been printed with fewer than 17.
		if off := math.Abs(v - want); off > 1e-9*max(1, math.Abs(want)) {
			return fmt.Errorf("particle %q starts %g m from where the case has it", d.m.IDs[i/3], off)
		}
	}
	return nil
}

// conclude fills the summary.
func (d *diagnosis) conclude() {
	s := &d.summary
	status, message := s.Status, s.Message
	verdict := d.cert.Summary()
	s.SetVerdict(&verdict, d.cert.Node())
	if status != table.Done {
		s.Certified, s.Message = false, message
	}
	if d.differs != nil && s.Certified {
		s.Certified, s.Message = false, d.differs.Error()
	}
	if end := d.cert.Node().T; end < d.m.Until*(1-1e-12) && status == table.Done {
		s.Certified = false
		s.Message = fmt.Sprintf("the trajectory ends at t=%g, the case at t=%g: of what lies between nothing is known", end, d.m.Until)
	}
	if d.damage != nil {
		s.Certified = false
		s.Message = cmp.Or(s.Message, d.damage.Error())
	}
	s.Expectations = d.expect.Outcomes()
	s.Met = allMet(s.Expectations)
}

// finish prints the verdict.
func (d *diagnosis) finish(c *cli.Context) error {
	s := &d.summary
	var err error
	switch {
	case c.Bool("json"):
		var text []byte
		if text, err = s.JSON(); err == nil {
			_, err = c.App.Writer.Write(text)
		}
	case !c.Bool("quiet"):
		err = d.print(c.App.Writer)
	}
	switch {
	case err != nil:
		return cli.Exit("quasistatic: "+err.Error(), exitFailed)
	case s.Status != table.Done || !s.Certified:
		return cli.Exit(fmt.Sprintf("quasistatic: %s: %s", d.c.Name, s.Message), exitFailed)
	case !s.Met:
		return cli.Exit(fmt.Sprintf("quasistatic: %s: the expectations are not met", d.c.Name), exitFailed)
	}
	return nil
}

func (d *diagnosis) print(w io.Writer) error {
	var p page
	s := &d.summary
	p.title(d.c)
	p.line("diagnosed", "%s: t = 0 … %g s of %g s, %d steps", d.file, s.Time, s.Until, s.Steps)
	p.events(d.events.first, d.events.total)
	p.certificates(s)
	p.searches(s.Global, "")
	p.expectations(s.Expectations)
	p.verdict(s)
	_, err := io.WriteString(w, p.String())
	return err
}
