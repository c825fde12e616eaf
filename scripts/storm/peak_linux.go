package main

import (
	"os"
	"syscall"
)

// peak is the most memory that a process that has ended held [byte], 0 if nobody knows.
func peak(p *os.ProcessState) int64 {
	if usage, ok := p.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss << 10
	}
	return 0
}
