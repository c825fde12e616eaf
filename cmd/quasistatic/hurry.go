package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/quasistatic/quasistatic/run"
)

// patience is how long a command that was told to stop may take to end in order, and
// stepPatience how long a run may take to end its step.
const (
	patience     = time.Second
	stepPatience = 20 * time.Second
)

// hurry ends a program that was told to stop and has not ended after a while. A run
// ends its step first, for its checkpoint, unless that takes too long. All else may
// end anywhere: what is written appears whole or not at all.
func hurry(ended <-chan struct{}, stderr io.Writer) {
	wait := func(d time.Duration) (over bool) {
		select {
		case <-ended:
			return true
		case <-time.After(d):
			return false
		}
	}
	if wait(patience) {
		return
	}
	text := "stopped by a signal"
	if run.Saving() {
		text = "stopped by a signal amid a step; run --resume goes on from the last checkpoint"
		fmt.Fprintf(stderr, "quasistatic: the step that was begun is ended first, if it takes no more than %v; a second Ctrl-C stops at once\n", stepPatience)
		if wait(stepPatience) {
			return
		}
	}
	fmt.Fprintln(stderr, "quasistatic: "+text)
	os.Exit(exitFailed)
}
