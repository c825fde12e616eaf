// Package about is what the program says of itself: the commands version, completion and man. They
// know commands and flags from the [cli.App] that runs them, so that none is listed twice.
package about

import "github.com/urfave/cli/v2"

// InputError makes an error of the exit code for wrong input.
type InputError func(format string, args ...any) error

// Commands are `quasistatic version`, `completion` and `man`.
func Commands(inputError InputError, words Words) []*cli.Command {
	return []*cli.Command{version(inputError), completion(inputError, words), man(inputError)}
}
