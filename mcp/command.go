package mcp

import (
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/memory"
)

// Command is `quasistatic mcp`; inputError makes an error of exit code 2.
func Command(inputError func(format string, args ...any) error) *cli.Command {
	return &cli.Command{
		Name:  "mcp",
		Usage: "answer the calls of an agent, by the Model Context Protocol",
		Description: "Tools by standard input and output: cases, schema, check, run, diagnose, sensitivity, explain. Without --folder\n" +
			"nothing is read but built-in cases and what calls bring, and nothing is written; with it, files in that folder.\n" +
			"To set it up: {\"command\": \"quasistatic\", \"args\": [\"mcp\", \"--folder\", \"DIR\"]}.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "folder", Usage: "files of cases and runs are in `DIR`"},
			&cli.DurationFlag{Name: "time", Value: time.Minute, Usage: "`TIME` that a call may take"},
			&cli.StringFlag{Name: "memory", Usage: "all calls at once take at most `SIZE`, for instance 4GB; without it what is free"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return inputError("mcp: found %d arguments, want none", c.NArg())
			}
			s := Server{Folder: c.String("folder"), Patience: c.Duration("time")}
			if s.Patience <= 0 {
				return inputError("mcp: --time is %v, want more than 0", s.Patience)
			}
			if info, err := os.Stat(s.Folder); s.Folder != "" && (err != nil || !info.IsDir()) {
				return inputError("mcp: --folder is %q, want a folder that is there", s.Folder)
			}
			var err error
			if c.IsSet("memory") {
				if s.Memory, err = memory.Parse(c.String("memory")); err != nil {
					return inputError("mcp: --memory: %v", err)
				}
			}
			return s.ServeLines(c.Context, os.Stdin, os.Stdout)
		},
	}
}
