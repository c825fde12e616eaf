//go:build unix

package main

import (
	"syscall"
	"time"
)

// userTime returns the processor time that this process has used.
func userTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano())
}
