//go:build unix

package study

import (
	"os"
	"os/signal"
	"syscall"
)

// limitFiles lets no file of this process grow beyond so many bytes, as on a disk that is full.
func limitFiles(most uint64) error {
	signal.Ignore(syscall.SIGXFSZ)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: most})
}

// halt stops a process for a while, resume lets it go on.
func halt(p *os.Process) error   { return p.Signal(syscall.SIGSTOP) }
func resume(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
