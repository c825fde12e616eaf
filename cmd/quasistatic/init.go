package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	builtin "github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/models"
)

// initCommand returns `quasistatic init NAME`.
func initCommand() *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write a starter case to change",
		ArgsUsage: "NAME",
		Description: "Writes NAME.json: a particle on a floor, pulled by a spring. It runs as it is; its description says\n" +
			"what each part does (JSON has no comments). Another model starts from one of the built-in cases,\n" +
			"for instance: quasistatic init --from disc-drop mine",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "from", Usage: "begin with a copy of the built-in `CASE`"},
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
		},
		Action: initAction,
	}
}

func initAction(c *cli.Context) error {
	if c.Args().Len() != 1 {
		return inputError("init: found %d arguments, want one name, for instance: quasistatic init drag", c.Args().Len())
	}
	file := c.Args().First()
	if filepath.Ext(file) != ".json" {
		file += ".json"
	}
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	text := strings.Replace(starter, "NAME", name, 1)
	if from := c.String("from"); c.IsSet("from") {
		raw, ok := builtin.Read(from)
		if !ok {
			return inputError("init: --from is %q, which is no built-in case%s", from, meant(from, builtin.Names()))
		}
		text = strings.Replace(string(raw), fmt.Sprintf(`"name": %q`, from), fmt.Sprintf(`"name": %q`, name), 1)
	}
	if _, err := models.Grammar().Decode(file, []byte(text)); err != nil {
		return inputError("init: the name %q cannot be that of a case, want letters, digits, and . _ : + - after the first", name)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return inputError("init: %s exists already, want a new name", file)
	}
	if err != nil {
		return inputError("init: %v", err)
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = os.Remove(file) // the fault is the news
		return cli.Exit("quasistatic: init: "+err.Error(), exitFailed)
	}
	if c.Bool("quiet") {
		return nil
	}
	_, err = fmt.Fprintf(c.App.Writer, "wrote %s; now: quasistatic run %s\n", file, file)
	return err
}

// starter is a case with one of each part. x follows the hook behind the slack
// μσ/k = 0.4·(5·0.2 + 0.5)/2 = 0.3 m.
const starter = `{
  "name": "NAME",
  "description": "A block on a floor is pulled by a spring. particles: where they start (x, y, z in m), on which obstacle and with which friction. anchors: points that move in a prescribed way, here 1 m along x in 2 s. energies: the springs and loads; the tether pulls with 2 N/m along the floor and presses with 5 N/m, since the hook lies 0.2 m below the floor. until and steps: the time and its partition. expect: what a correct run shows; here the block stands until the spring pulls with mu times the normal force, 0.4*(5*0.2 + 0.5) = 0.6 N, and then follows 0.6/2 = 0.3 m behind the hook. All keys: quasistatic schema.",
  "model": "energetic",
  "until": 2,
  "steps": 200,
  "obstacles": {
    "floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}
  },
  "friction": {
    "dry": {"mu": 0.4}
  },
  "particles": [
    {"id": "block", "at": [0, 0, 0], "obstacle": "floor", "friction": "dry"}
  ],
  "anchors": [
    {"id": "hook", "at": {"table": [[0, [0, 0, -0.2]], [2, [1, 0, -0.2]]]}}
  ],
  "energies": [
    {"type": "tether", "particle": "block", "anchor": "hook", "stiffness": [2, 2, 5]},
    {"type": "load", "particle": "block", "force": [0, 0, -0.5]}
  ],
  "expect": [
    {"quantity": "position", "particle": "block", "axis": "x", "time": 0.5, "value": 0, "tolerance": 1e-9},
    {"quantity": "position", "particle": "block", "axis": "x", "value": 0.7, "tolerance": 1e-9},
    {"quantity": "normal_force", "particle": "block", "value": 1.5, "tolerance": 1e-9},
    {"quantity": "stability_gap", "max": 1e-12}
  ]
}
`
