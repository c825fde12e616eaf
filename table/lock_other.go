//go:build !unix || solaris || aix

package table

import "os"

func lock(*os.File) error { return nil }
