package importer

import (
	"bytes"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"
)

// Command is `quasistatic import FILE`; inputError makes an error of exit code 2.
func Command(inputError func(format string, args ...any) error) *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "make a case of an MJCF or URDF file",
		ArgsUsage: "FILE",
		Description: "Prints a case of the model rigid: bodies, shapes, masses, joints, frictions. What the file says beyond that is\n" +
			"listed with its line on the error output. Meshes, OBJ and STL, are taken by their convex hulls.\n" +
			"Exit code 0: the case is written, whatever is left; 2: the file is wrong.",
		Flags: []cli.Flag{&cli.StringFlag{Name: "out", Usage: "write the case to `FILE`"}},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return inputError("import: %d FILEs given, want one, for instance: quasistatic import robot.urdf --out robot.json",
					c.NArg())
			}
			file := c.Args().First()
			k, err := Read(file)
			if err != nil {
				return inputError("import: %v", err)
			}
			var text bytes.Buffer
			if err := k.Write(&text); err != nil {
				return err
			}
			if out := c.String("out"); out != "" {
				err = os.WriteFile(out, text.Bytes(), 0o666)
			} else {
				_, err = text.WriteTo(c.App.Writer)
			}
			if err != nil {
				return inputError("import: %v", err)
			}
			for _, l := range k.Left {
				fmt.Fprintln(c.App.ErrWriter, l)
			}
			fmt.Fprintf(c.App.ErrWriter, "%d bodies, %d joints; left: %d of the file as listed, and %d that say how it looks\n",
				len(k.Bodies), len(k.Joints), len(k.Left), k.Looks)
			return nil
		},
	}
}
