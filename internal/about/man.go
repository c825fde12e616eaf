package about

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// man is the manual page: section 1, of programs.
func man(inputError InputError) *cli.Command {
	return &cli.Command{
		Name:        "man",
		Usage:       "print the manual page",
		Description: "quasistatic man > quasistatic.1; man ./quasistatic.1 shows it.",
		Action: func(c *cli.Context) error {
			if c.Args().Len() > 0 {
				return inputError("man: found %d arguments, want none", c.Args().Len())
			}
			page, err := c.App.ToManWithSection(1)
			if err == nil {
				_, err = c.App.Writer.Write([]byte(strings.TrimRight(page, "\n") + "\n"))
			}
			return err
		},
	}
}
