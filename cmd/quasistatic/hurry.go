package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// patience is how long a command that was told to stop may take to end in order.
const patience = time.Second

// saving is the number of runs between two of whose steps a checkpoint is worth
// making.
var saving atomic.Int32

// hurry ends a program that was told to stop and has not ended after a while. A run
// ends its step first, for its checkpoint; it says so. All else may end anywhere:
// what is written appears whole or not at all.
func hurry(ended <-chan struct{}, stderr io.Writer) {
	select {
	case <-ended:
		return
	case <-time.After(patience):
	}
	if saving.Load() > 0 {
		fmt.Fprintln(stderr, "quasistatic: the step that was begun is ended first; a second Ctrl-C stops at once, and run --resume goes on from the last checkpoint")
		return
	}
	fmt.Fprintln(stderr, "quasistatic: stopped by a signal")
	os.Exit(exitFailed)
}
