package main

import "github.com/urfave/cli/v2"

// accuracyFlag is --accuracy of the commands that judge.
func accuracyFlag() cli.Flag {
	return &cli.Float64Flag{Name: "accuracy", Usage: "judge by `A`, relative, for instance 1e-3, in place of what the case says"}
}

// accuracyOf reads --accuracy; 0 without it.
func accuracyOf(c *cli.Context) (float64, error) {
	a := c.Float64("accuracy")
	if c.IsSet("accuracy") && !(a > 0 && a <= 1) {
		return 0, inputError("%s: --accuracy is %g, want a number above 0 and at most 1", c.Command.Name, a)
	}
	return a, nil
}

// verboseFlag is -v of the commands that print a page about a run.
func verboseFlag() cli.Flag {
	return &cli.BoolFlag{Name: "v", Usage: "print all numbers, not twelve lines"}
}

// setFlag is --set of the commands that take a case.
func setFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "set", Usage: "change the case: `PATH=VALUE`, for instance friction.dry.mu=0.3; may be repeated"}
}

// argument returns the one argument of a command.
func argument(c *cli.Context, want string) (string, error) {
	if n := c.Args().Len(); n != 1 {
		return "", inputError("%s: found %d arguments, %s", c.Command.Name, n, want)
	}
	return c.Args().First(), nil
}
