package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/table"
)

// exportCommand returns `quasistatic export DIR --format FORMAT`.
func exportCommand() *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write a run in another format: csv, npz, parquet, vtu",
		ArgsUsage: "DIR",
		Description: "npz: one archive for NumPy. parquet: one row a time and particle, body or node. vtu: trajectory.pvd for\n" +
			"ParaView, with a file a time. csv: back to the files that a run grows. All keep every bit.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Usage: "`FORMAT`: csv, npz, parquet or vtu", Required: false},
			&cli.StringFlag{Name: "out", Usage: "write to the folder `DIR` in place of that of the run"},
			&cli.IntFlag{Name: "every", Value: 1, Usage: "write every `N`-th node, and the last one"},
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
		},
		Action: exportAction,
	}
}

func exportAction(c *cli.Context) error {
	if c.Args().Len() != 1 {
		return inputError("export: found %d arguments, want one run folder, for instance: quasistatic export out/grazing --format vtu", c.Args().Len())
	}
	format, err := table.ParseFormat(c.String("format"))
	if err != nil {
		return inputError("export: --format: %v", err)
	}
	if c.Int("every") < 1 {
		return inputError("export: --every is %d, want a whole number >= 1", c.Int("every"))
	}
	o := table.ExportOptions{Every: c.Int("every"), To: c.String("out")}
	dir := c.Args().First()
	k, _, err := openCase("export", dir)
	if err != nil {
		return err
	}
	said, err := export(c.Context, k, dir, format, o)
	if err != nil {
		return err
	}
	to := o.To
	if to == "" {
		to = dir
	}
	if c.Bool("quiet") {
		return nil
	}
	_, err = fmt.Fprintf(c.App.Writer, "wrote %s: %s\n", filepath.Join(to, format.File()), said)
	return err
}

// export writes a run of any model in another format and says how much that was.
func export(ctx context.Context, c *casefile.Case, dir string, format table.Format, o table.ExportOptions) (string, error) {
	if c.Model != "energetic" {
		l, err := layoutOf(c)
		if err != nil {
			return "", inputError("export: %v", err)
		}
		f := table.NewFolder(dir, l)
		if err := verify(ctx, "export", f); err != nil {
			return "", err
		}
		n, err := f.Export(ctx, format, o)
		if err != nil {
			return "", faultCode("export", err)
		}
		return count(n, "row"), nil
	}
	m, err := c.Build()
	if err != nil {
		return "", inputError("export: %v", err)
	}
	if err := verify(ctx, "export", table.NewParticleFolder(dir, m.Scene)); err != nil {
		return "", err
	}
	n, err := table.Export(ctx, dir, m.Scene, format, o)
	if err != nil {
		return "", faultCode("export", err)
	}
	return fmt.Sprintf("%s of %s", count(n, "node"), count(len(m.IDs), "particle")), nil
}

// folderOf returns what reads the folder of a run of a case of any model.
func folderOf(c *casefile.Case, dir string) (*table.Folder, error) {
	if c.Model != "energetic" {
		l, err := layoutOf(c)
		return table.NewFolder(dir, l), err
	}
	m, err := c.Build()
	if err != nil {
		return nil, err
	}
	return table.NewParticleFolder(dir, m.Scene), nil
}

// layoutOf lists the tables of a run of a case of a dynamic model.
func layoutOf(c *casefile.Case) (*table.Layout, error) {
	switch c.Model {
	case "elastodynamic":
		m, err := c.BuildElastic()
		if err != nil {
			return nil, err
		}
		return table.ElasticLayout(m.Model), nil
	case "rigid":
		m, err := c.BuildMultibody()
		if err != nil {
			return nil, err
		}
		columns := multibodyColumns(m)
		return columns.Layout(), nil
	}
	m, err := c.BuildMotion()
	if err != nil {
		return nil, err
	}
	columns := motionColumns(m)
	return columns.Layout(), nil
}
