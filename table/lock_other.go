//go:build !unix || solaris || aix

package table

import "os"

// locks reports whether the system has locks.
const locks = false

func lock(*os.File) error { return nil }

func share(*os.File) error { return nil }

func unlock(*os.File) {}
