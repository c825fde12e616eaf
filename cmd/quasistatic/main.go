// Command quasistatic runs and certifies quasi-static evolutions and motions with
// unilateral contact and dry friction. See `quasistatic help`.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/assembly/answer"
	"github.com/quasistatic/quasistatic/importer"
	"github.com/quasistatic/quasistatic/internal/about"
	"github.com/quasistatic/quasistatic/internal/flags"
	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/internal/plain"
	"github.com/quasistatic/quasistatic/internal/relay"
	"github.com/quasistatic/quasistatic/mcp"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/playground"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/site"
)

// Exit codes.
const (
	exitDone   = 0 // done, certified, expectations met
	exitFailed = 1 // a solve, a certificate or an expectation failed
	exitInput  = 2 // the input is wrong
	exitFault  = 3 // a fault of the program
	exitOpen   = 4 // stands: not decided, or stopped
)

func main() {
	memory.Leisurely()
	os.Exit(start(os.Args, os.Stdout, os.Stderr))
}

// start is main with its surroundings as arguments; it returns the exit code.
func start(args []string, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // by nohup: then the run goes on when its terminal goes
		signal.Notify(signals, syscall.SIGHUP)
	}
	defer signal.Stop(signals)
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-signals:
			cancel()
			hurry(ended, signals, stderr, interrupted(args))
		case <-ended:
		}
	}()
	return runContext(ctx, args, stdout, stderr)
}

func runContext(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	out := &plain.Writer{Writer: stdout}
	stdout, stderr = out, &plain.Writer{Writer: stderr} // names and messages may hold what a terminal would obey
	defer func() {
		if p := relay.Caught(recover()); p != nil {
			code = exitFault
			reportFault(stderr, args, p)
		}
	}()
	app := newApp(stdout, stderr)
	err := app.RunContext(ctx, flags.First(app, args))
	if out.Err != nil && (err == nil || errors.Is(err, out.Err)) {
		err = failed("%v", out.Err)
	}
	if err == nil {
		return exitDone
	}
	var coder cli.ExitCoder
	if errors.As(err, &coder) {
		if text := err.Error(); text != "" {
			fmt.Fprintln(stderr, worded(text))
		}
		if coder.ExitCode() == exitInput && ctx.Err() != nil {
			return interrupted(args) // while it read the input
		}
		if coder.ExitCode() == exitOpen {
			return exitOpen
		}
		return min(coder.ExitCode(), exitInput) // urfave/cli knows others
	}
	fmt.Fprintf(stderr, "quasistatic: %s\n", worded(err.Error()))
	return exitInput
}

// interrupted is the exit code of a command that a signal ends: of stands, of which 1 says that it falls, that of what is not decided.
func interrupted(args []string) int {
	if len(args) > 1 && args[1] == "stands" {
		return exitOpen
	}
	return exitFailed
}

// worded says in words of the user what package context says.
func worded(text string) string {
	return strings.ReplaceAll(text, context.Canceled.Error(), "stopped by a signal")
}

func newApp(stdout, stderr io.Writer) *cli.App {
	app := &cli.App{
		Name:    "quasistatic",
		Usage:   "contact with dry friction: quasi-static and dynamic, certified",
		Version: run.Version(),
		Description: fmt.Sprintf("%d models, named by the key \"model\" of a case file:\n", len(models.List)) + models.Titles() +
			"To begin: quasistatic run grazing --report; quasistatic cases lists what else is built in.\n" +
			"Exit codes: 0 certified and as expected; 1 not: a step is not solved, the evolution not accurate, or an\n" +
			"expectation not met; 2 the input is wrong; 3 a fault of the program; 4 not decided (stands).",
		Writer: stdout, ErrWriter: stderr,
		DisableSliceFlagSeparator: true,                         // a value may be a list
		ExitErrHandler:            func(*cli.Context, error) {}, // run prints and returns the code
		Commands:                  []*cli.Command{runCommand(), checkCommand(), convergeCommand(), diagnoseCommand(), solveCommand(), reportCommand(), viewCommand(), filmCommand(), compareCommand(), exportCommand(), casesCommand(), initCommand(), schemaCommand(), showCommand(), sweepCommand(), studyCommand(), workerCommand(), sensitivityCommand(), serveCommand(), answer.Command(inputError), importer.Command(inputError), site.Command(inputError), playground.Command(inputError), mcp.Command(inputError)},
	}
	app.Commands = append(app.Commands, about.Commands(inputError, models.Words)...)
	app.Action = func(c *cli.Context) error {
		if c.Args().Len() == 0 {
			return cli.ShowAppHelp(c)
		}
		return inputError("unknown command %q%s", c.Args().First(), nearest.Hint(c.Args().First(), flags.Commands(app)))
	}
	app.OnUsageError = usageError(app.Flags)
	for _, c := range app.Commands {
		c.OnUsageError = usageError(c.Flags)
		c.HideHelpCommand = true
	}
	return app
}

// usageError gives the faults that the flag parser finds their exit code.
func usageError(valid []cli.Flag) cli.OnUsageErrorFunc {
	return func(_ *cli.Context, err error, _ bool) error { return inputError("%v", flags.Fault(valid, err)) }
}

// inputError is an error of exit code 2.
func inputError(format string, args ...any) error {
	return cli.Exit("quasistatic: "+fmt.Sprintf(format, args...), exitInput)
}
