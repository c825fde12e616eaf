package main

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"github.com/urfave/cli/v2"
)

// faultCode gives a fault of files its exit code: 1 where writing failed or was
// stopped, 2 where the files given are wrong.
func faultCode(command string, err error) error {
	code := exitInput
	for _, failed := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EROFS, fs.ErrPermission, context.Canceled} {
		if errors.Is(err, failed) {
			code = exitFailed
		}
	}
	return cli.Exit("quasistatic: "+command+": "+err.Error(), code)
}
