package about

import (
	"reflect"
	"regexp"
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
			plain(c.App.Commands)
			c.App.Description = table.ReplaceAllStringFunc(c.App.Description, func(rows string) string {
				return "\n" + strings.ReplaceAll(strings.TrimRight(rows, "\n"), "\n", "\n ") + "\n\n"
			})
			page, err := c.App.ToManWithSection(1)
			if err == nil {
				_, err = c.App.Writer.Write([]byte(signs.Replace(strings.TrimRight(page, "\n")) + "\n"))
			}
			return err
		},
	}
}

// marks stand for the signs that Markdown, by which the page is made, takes for tags and links; signs puts these back.
var (
	marks = strings.NewReplacer("<", "\uE000", ">", "\uE001", "[", "\uE002", "]", "\uE003")
	signs = strings.NewReplacer("\uE000", "<", "\uE001", ">", "\uE002", "[", "\uE003", "]")
)

// table is lines that begin with blanks, which Markdown leaves as they stand between empty ones and with one blank more.
var table = regexp.MustCompile(`\n((?:   .*\n)+)`)

// plain hides these signs in all that commands say of themselves.
func plain(commands []*cli.Command) {
	for _, c := range commands {
		for _, text := range []*string{&c.Usage, &c.ArgsUsage, &c.Description, &c.UsageText} {
			*text = marks.Replace(*text)
		}
		for _, f := range c.Flags {
			if usage := reflect.Indirect(reflect.ValueOf(f)).FieldByName("Usage"); usage.CanSet() {
				usage.SetString(marks.Replace(usage.String()))
			}
		}
		plain(c.Subcommands)
	}
}
