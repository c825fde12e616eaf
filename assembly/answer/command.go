package answer

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/files"
)

// Command is `quasistatic stands FILE`; inputError makes an error of exit code 2.
func Command(inputError func(format string, args ...any) error) *cli.Command {
	q := &Question{}
	outputs := map[string]func(*Answer, *assembly.Assembly) ([]byte, error){
		"picture": func(o *Answer, a *assembly.Assembly) ([]byte, error) { return o.Picture(a), nil },
		"report":  (*Answer).Page,
		"compas": func(o *Answer, a *assembly.Assembly) ([]byte, error) {
			return files.COMPAS(a, o.verdict.Reactions)
		},
		"csv": func(o *Answer, a *assembly.Assembly) ([]byte, error) {
			return files.CSV(a, o.verdict.Reactions, o.reserves), nil
		},
	}
	return &cli.Command{
		Name:      "stands",
		Usage:     "say whether an assembly of blocks stands or falls, or whether that depends on its history",
		ArgsUsage: "FILE",
		Description: "Reads COMPAS JSON (compas_assembly, compas_cra, compas_dem), bricks of StableLego, and assemblies as\n" +
			"docs/assemblies.md describes them.\n" +
			"Exit code 0: it stands, by whatever forces; 1: it falls, or that depends on its history; 2: the input is\n" +
			"wrong; 4: open, forces balance the loads and whether they must is not decided within --limit. With --built\n" +
			"what stands has the code of the worst stage of its building; with --history it is that of the history: 0 where it\n" +
			"is held to its end, and certified, 1 where it is not, shown, else 4. What is interrupted has 4, too; stages that a\n" +
			"history has done by then are printed.",
		Flags: append(q.flags(), &cli.BoolFlag{Name: "json", Usage: "print a JSON object, with motion and reactions, in place of the text"},
			&cli.StringFlag{Name: "picture", Usage: "write a drawing with forces and motion to `FILE.svg`"},
			&cli.StringFlag{Name: "compas", Usage: "write interfaces and forces as an Assembly of compas_assembly to `FILE.json`"},
			&cli.StringFlag{Name: "csv", Usage: "write the resultants of the interfaces to `FILE.csv`"},
			&cli.StringSliceFlag{Name: "path", Usage: "write what --move does: a table to `FILE.csv`, a picture that moves to FILE.svg, states for ParaView to FILE.pvd; may be repeated"},
			&cli.StringFlag{Name: "report", Usage: "write a page with drawing, proof, margins and forces to `FILE.html`"}),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return inputError("stands: %d FILEs given, want one", c.NArg())
			}
			q.File, q.HasMu = c.Args().First(), c.IsSet("mu")
			a, err := q.Load()
			if err == nil {
				err = pathFiles(c.StringSlice("path"), len(q.Moves))
			}
			if err != nil {
				return inputError("stands: %v", err)
			}
			out, err := q.Ask(c.Context, a)
			switch {
			case err != nil && c.Context.Err() != nil: // stopped: open, not what falls
				return cli.Exit(fmt.Sprintf("quasistatic: stands: %v", err), 4)
			case err != nil:
				return cli.Exit(fmt.Sprintf("quasistatic: stands: %v", err), 1)
			}
			for _, name := range slices.Sorted(maps.Keys(outputs)) {
				if err := write(c.String(name), func() ([]byte, error) { return outputs[name](out, a) }); err != nil {
					return cli.Exit(fmt.Sprintf("quasistatic: stands: %v", err), 1)
				}
			}
			for _, name := range c.StringSlice("path") {
				switch {
				case out.Path == nil || len(out.Path.states) == 0:
					out.Notes = append(out.Notes, name+" is not written: nothing moves")
				default:
					if err := out.Path.write(a, name, out.Name); err != nil {
						return cli.Exit(fmt.Sprintf("quasistatic: stands: %v", err), 1)
					}
				}
			}
			text := []byte(out.Text())
			if c.Bool("json") {
				if text, err = json.MarshalIndent(out, "", "  "); err != nil {
					return err
				}
				text = append(text, '\n')
			}
			if _, err = c.App.Writer.Write(text); err == nil && out.Code() > 0 {
				return cli.Exit("", out.Code())
			}
			return err
		},
	}
}

// write makes a file, if it has a name.
func write(name string, content func() ([]byte, error)) error {
	if name == "" {
		return nil
	}
	text, err := content()
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

// flags are those of the wishes, which they fill in.
func (q *Question) flags() []cli.Flag {
	list := func(name, usage string, into *[]string) cli.Flag {
		return &cli.StringSliceFlag{Name: name, Usage: usage, Action: func(_ *cli.Context, v []string) error {
			*into = v
			return nil
		}}
	}
	return []cli.Flag{
		&cli.Float64Flag{Name: "mu", Usage: "friction of the interfaces that have none of their own (default: that of the file, or 0)",
			Destination: &q.Mu},
		&cli.Float64Flag{Name: "strength", Usage: "tension [Pa] that interfaces hold, as mortar, that have none of their own (default: that of the file, or 0)",
			Destination: &q.Strength},
		list("support", "a `BLOCK` that does not move, or z<HEIGHT: all that reach below it; may be repeated", &q.Supports),
		list("density", "`NAME=DENSITY` of a block, or a density of all [kg/m³]; may be repeated", &q.Densities),
		&cli.StringFlag{Name: "turn", Usage: "turn the assembly about an `AXIS` by degrees, as y90", Destination: &q.Turn},
		&cli.Float64Flag{Name: "gap", Usage: "largest distance of faces that touch [m] (default: 1e-4 of the diagonal of a block)",
			Destination: &q.Gap},
		&cli.Float64Flag{Name: "area", Usage: "least area of an interface [m²] (default: half the gap times its perimeter)",
			Destination: &q.Area},
		&cli.DurationFlag{Name: "limit", Value: 10 * time.Second,
			Usage:       "time of the search of motions, of each margin that a search closes, and of each of the four runs of a history",
			Destination: &q.Limit},
		&cli.BoolFlag{Name: "margins", Usage: "find load factor, least tilt and least friction too", Destination: &q.Margins},
		&cli.StringFlag{Name: "tilt", Usage: "find the tilt towards a `DIRECTION`, as 1,0,0, that it holds", Destination: &q.Tilt},
		list("least", "find the least value of a `KEY` of the file, as generate.arch.thickness, at which forces balance; KEY=TO says where to look; may be repeated",
			&q.Least),
		list("largest", "find the largest value of a `KEY`, alike", &q.Largest),
		&cli.BoolFlag{Name: "reserves", Usage: "find how far each interface is from giving way: the pull at its middle that it holds, and its least use by friction or eccentricity",
			Destination: &q.Reserves},
		&cli.BoolFlag{Name: "built", Usage: "judge each stage of its building: those of the file, or block by block from below; with --reaction the forces at each",
			Destination: &q.Built},
		&cli.BoolFlag{Name: "history", Usage: "follow the stages of the file (with --built, of a building block by block; else its loads, which grow) with joints that give a little, and say what they lead to; with --reaction the forces",
			Destination: &q.History},
		list("by", "find the derivative of --margins and --tilt by a `KEY` of the file, as generate.arch.thickness; may be repeated",
			&q.By),
		&cli.GenericFlag{Name: "move", Value: (*wishes)(&q.Moves),
			Usage: "move slowly, until it collapses: `BLOCK:AXIS=METRES` of a support as right:x=0.1, right:ry=5@1,0,0 (degrees about a point), " +
				"gravity:x=20 (degrees), loads=2; supports may be several"},
		&cli.BoolFlag{Name: "halved", Usage: "follow --move in steps half as large, too, and tell the error of its steps",
			Destination: &q.Halved},
		list("reaction", "find least and largest force on a block along an axis, as `left:x`; may be repeated", &q.Reactions),
	}
}

// wishes are the values of a flag that may be repeated, commas and all.
type wishes []string

func (w *wishes) Set(value string) error { *w = append(*w, value); return nil }

func (w *wishes) String() string { return "" }

// pathFiles refuses files of a path that nobody asks for, or that are none.
func pathFiles(names []string, moves int) error {
	for _, name := range names {
		if kind := filepath.Ext(name); !slices.Contains([]string{".csv", ".svg", ".pvd"}, kind) {
			return fmt.Errorf("path %q: want a name that ends with .csv, .svg or .pvd", name)
		}
		if moves == 0 {
			return fmt.Errorf("path %q: nothing is moved, want --move", name)
		}
	}
	return nil
}
