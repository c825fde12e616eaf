package about

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/internal/processor"
)

// Build is `version --json`: what was built, of which sources, for which machine.
type Build struct {
	Version      string `json:"version"`
	Revision     string `json:"revision,omitempty"` // of version control, where the build knew it
	Time         string `json:"time,omitempty"`     // of that revision, RFC 3339
	Modified     bool   `json:"modified"`           // files were changed since
	Go           string `json:"go"`
	System       string `json:"system"`
	Architecture string `json:"architecture"`
	// Processor is internal/processor's kind: tables of two builds of one kind have the same bytes.
	Processor string `json:"processor"`
}

func thisBuild(version string) Build {
	b := Build{Version: version, Go: runtime.Version(), System: runtime.GOOS, Architecture: runtime.GOARCH, Processor: processor.Kind()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func version(inputError InputError) *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "print the version, with the revision it was built from",
		Description: "A run is resumed by the version that began it: another one may compute other digits.",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "json",
			Usage: "print a JSON object: version, revision, Go, system, kind of processor"}},
		Action: func(c *cli.Context) error {
			if c.Args().Len() > 0 {
				return inputError("version: found %d arguments, want none", c.Args().Len())
			}
			b := thisBuild(c.App.Version)
			if c.Bool("json") {
				enc := json.NewEncoder(c.App.Writer)
				enc.SetIndent("", "  ")
				return enc.Encode(b)
			}
			_, err := fmt.Fprintf(c.App.Writer, "quasistatic %s %s %s/%s\n", b.Version, b.Go, b.System, b.Architecture)
			return err
		},
	}
}
