//go:build !unix

package study

import (
	"errors"
	"os"
)

// What systems of other kinds do not have: the tests that need it fail there.

func limitFiles(uint64) error { return errors.ErrUnsupported }

func halt(*os.Process) error { return errors.ErrUnsupported }

func resume(*os.Process) error { return errors.ErrUnsupported }
