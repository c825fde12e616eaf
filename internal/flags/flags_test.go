package flags

import (
	"errors"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// program has one command, with a flag of each kind.
var program = &cli.App{Commands: []*cli.Command{{Name: "run",
	Flags: []cli.Flag{&cli.BoolFlag{Name: "quiet"}, &cli.StringFlag{Name: "out"}, &cli.IntFlag{Name: "levels", Aliases: []string{"n"}}}}}}

func TestFirst(t *testing.T) {
	for args, want := range map[string]string{
		"q run":                          "q run",
		"q run a --quiet":                "q run --quiet a",
		"q run a --out b c":              "q run --out b a c",
		"q run a --out=b c -n 3":         "q run --out=b -n 3 a c",
		"q run a -- --quiet":             "q run a -- --quiet",
		"q run a --unknown":              "q run --unknown a",
		"q run a --out":                  "q run --out", // its value is missing: the parser says so
		"q run -":                        "q run -",
		"q run a --help":                 "q run --help",
		"q run --quiet -h a b":           "q run -h",
		"q run --out -h b":               "q run --out -h b", // a folder of that name
		"q run help":                     "q run help",       // so a case
		"q run -- -h":                    "q run -- -h",
		"q help run a":                   "q run --help",
		"q -h run --quiet":               "q run --help",
		"q help rnu":                     "q rnu", // an unknown command
		"q --help --help":                "q --help",
		"q help":                         "q help",
		"q other a --quiet":              "q other a --quiet",
		"q run a --quiet b --levels 2 c": "q run --quiet --levels 2 a b c",
	} {
		if got := strings.Join(First(program, strings.Fields(args)), " "); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

func TestFault(t *testing.T) {
	for text, want := range map[string]string{
		"flag provided but not defined: -qiet": `unknown flag "--qiet", did you mean "--quiet"?`,
		"flag provided but not defined: -o":    `unknown flag "-o", did you mean "--out"?`,
		"flag provided but not defined: -zzzz": `unknown flag "--zzzz", want one of --help, --quiet, --out, --levels`,
		"flag needs an argument: -out":         "flag needs an argument: -out",
	} {
		if got := Fault(program.Commands[0].Flags, errors.New(text)).Error(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
