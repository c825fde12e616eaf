package main

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/run"
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
	dir, err := argument(c, "want one run folder, for instance: quasistatic export out/grazing --format vtu")
	if err != nil {
		return err
	}
	format, err := table.ParseFormat(c.String("format"))
	if err != nil {
		return inputError("export: --format: %v", err)
	}
	if c.Int("every") < 1 {
		return inputError("export: --every is %d, want a whole number >= 1", c.Int("every"))
	}
	o := table.ExportOptions{Every: c.Int("every"), To: c.String("out")}
	f, err := verified(c.Context, "export", dir)
	if err != nil {
		return err
	}
	n, err := run.Export(c.Context, f.Built.Plan(), dir, format, o)
	if err != nil {
		return faultCode("export", err)
	}
	if f.Status() != table.Done && !c.Bool("quiet") {
		fmt.Fprintf(c.App.ErrWriter, "quasistatic: export: the run in %s is not complete: this is what there is\n", dir)
	}
	return wrote(c, "%s: %s", filepath.Join(cmp.Or(o.To, dir), format.File()), run.Count(n, "row"))
}
