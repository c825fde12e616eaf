package site

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic"
	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/playground"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/study"
)

// Command is `quasistatic site DIR`; inputError makes an error of exit code 2.
func Command(inputError func(format string, args ...any) error) *cli.Command {
	return &cli.Command{
		Name:      "site",
		Usage:     "make a static folder of pages: documents, case format, a gallery of runs",
		ArgsUsage: "DIR",
		Description: "Runs the built-in cases, each for so many seconds at most, and leaves their pages beside the documents.\n" +
			"All links are relative: open DIR/index.html, or put DIR on any server.",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "case", Usage: "the gallery has this case: `NAME`; may be repeated; all without it"},
			&cli.DurationFlag{Name: "patience", Value: 10 * time.Second, Usage: "`TIME` that a case may take"},
			playground.EngineFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return inputError("site: found %d arguments, want a folder, for instance: quasistatic site out/site", c.NArg())
			}
			o := Options{Documents: quasistatic.Documents, Cases: c.StringSlice("case"),
				Patience: c.Duration("patience"), Workers: runtime.GOMAXPROCS(0), Version: run.Version()}
			if o.Patience <= 0 {
				return inputError("site: --patience is %v, want more than 0", o.Patience)
			}
			var err error
			if o.Engine, err = playground.FindEngine(c.String("engine")); err != nil && c.String("engine") != "" {
				return inputError("%v", err)
			}
			if err != nil && !c.Bool("quiet") {
				fmt.Fprintf(c.App.ErrWriter, "no playground: %v\n", err)
			}
			known := cases.Names()
			for _, name := range o.Cases {
				if !slices.Contains(known, name) {
					return inputError("site: no built-in case %q%s", name, nearest.Hint(name, known))
				}
			}
			if len(o.Cases) == 0 {
				o.Cases = known
			}
			for _, name := range cases.Studies() { // of the cases that are shown
				text, _ := cases.Study(name)
				if spec, err := study.Parse(name, text); err == nil && slices.Contains(o.Cases, spec.Case) {
					o.Studies = append(o.Studies, name)
				}
			}
			if !c.Bool("quiet") {
				o.OnCase = func(name, what string) { fmt.Fprintf(c.App.ErrWriter, "%s: %s\n", name, what) }
			}
			dir := c.Args().First()
			if err := Write(c.Context, dir, o); err != nil {
				return inputError("%v", err)
			}
			if !c.Bool("quiet") {
				fmt.Fprintf(c.App.Writer, "wrote %s\n", dir+string(os.PathSeparator)+"index.html")
			}
			return nil
		},
	}
}
