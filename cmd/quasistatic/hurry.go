package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// patience is how long a command that was told to stop may take to end in order: with what
// ends the process, less than a second. Tests on machines that are busy take more.
var patience = 800 * time.Millisecond

// hurry ends a program that was told to stop and has not ended after a while, or is told
// again. It may end anywhere: what is written appears whole or not at all, and runs whose
// steps are long make a checkpoint before each of them.
func hurry(ended <-chan struct{}, again <-chan os.Signal, stderr io.Writer, code int) {
	select {
	case <-ended:
		return
	case <-again:
	case <-time.After(patience):
	}
	text := "stopped by a signal"
	if run.Saving() {
		text = "stopped by a signal amid a step; run --resume goes on from the last checkpoint"
	}
	fmt.Fprintln(stderr, "quasistatic: "+text)
	table.DiscardParts()
	os.Exit(code)
}
