package main

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/trajectory"
)

// exportCommand returns `quasistatic export DIR --format FORMAT`.
func exportCommand() *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write a run in another format: csv, npz, parquet, vtu",
		ArgsUsage: "DIR",
		Description: "npz: one archive for NumPy. parquet: one row a time and particle. vtu: trajectory.pvd for ParaView,\n" +
			"with a file a node. csv: back to trajectory.csv and forces.csv. All keep every bit.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Usage: "`FORMAT`: csv, npz, parquet or vtu", Required: false},
			&cli.StringFlag{Name: "out", Usage: "write to the folder `DIR` in place of that of the run"},
			&cli.IntFlag{Name: "every", Value: 1, Usage: "write every `N`-th node, and the last one"},
		},
		Action: exportAction,
	}
}

func exportAction(c *cli.Context) error {
	if c.Args().Len() != 1 {
		return inputError("export: found %d arguments, want one run folder, for instance: quasistatic export out/grazing --format vtu", c.Args().Len())
	}
	format, err := trajectory.ParseFormat(c.String("format"))
	if err != nil {
		return inputError("export: --format: %v", err)
	}
	if c.Int("every") < 1 {
		return inputError("export: --every is %d, want a whole number >= 1", c.Int("every"))
	}
	f, err := openFolder("export", c.Args().First())
	if err != nil {
		return err
	}
	o := trajectory.ExportOptions{Every: c.Int("every"), To: c.String("out")}
	n, err := trajectory.Export(c.Context, f.dir, f.m.Scene, format, o)
	if err != nil {
		return faultCode("export", err)
	}
	to := o.To
	if to == "" {
		to = f.dir
	}
	_, err = fmt.Fprintf(c.App.Writer, "wrote %s: %s of %s\n", filepath.Join(to, format.File()), count(n, "node"), count(len(f.m.IDs), "particle"))
	return err
}
