package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/internal/relay"
	"github.com/quasistatic/quasistatic/run"
)

// reportFault says that the program itself is at fault, and leaves the stack in a file.
func reportFault(stderr io.Writer, args []string, p *relay.Panic) {
	name, text, removed, err := p.Save(fmt.Sprintf("quasistatic %s, %s %s/%s\n%q\n", run.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, args))
	fmt.Fprintf(stderr, "quasistatic: a fault of the program, not of the input: %v\n", p.Value)
	if err != nil {
		fmt.Fprintf(stderr, "%s\n(the report could not be written: %v)\n", text, err)
		return
	}
	fmt.Fprintf(stderr, "quasistatic: please report it with the case and the file %s; what was written is whole\n", name)
	if removed > 0 {
		fmt.Fprintf(stderr, "quasistatic: %s of earlier faults removed: the last ones are kept\n", run.Count(removed, "report"))
	}
}

// faultCode gives a fault of files its exit code: 1 where writing failed or was
// stopped, 2 where the files given are wrong.
func faultCode(command string, err error) error {
	code := exitInput
	for _, failed := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EROFS, syscall.EFBIG, syscall.EMFILE, syscall.ENFILE, fs.ErrPermission, context.Canceled} {
		if errors.Is(err, failed) {
			code = exitFailed
		}
	}
	return cli.Exit("quasistatic: "+command+": "+err.Error(), code)
}
