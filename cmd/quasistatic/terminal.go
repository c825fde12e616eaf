package main

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/quasistatic/quasistatic/internal/plain"
)

// terminal returns the terminal that a writer leads to; nil: it is none.
func terminal(w io.Writer) *os.File {
	if s, ok := w.(*plain.Writer); ok {
		w = s.Writer
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// newBar returns a bar of so many units on a terminal.
func newBar(f *os.File, units int, per string) *progressbar.ProgressBar {
	return progressbar.NewOptions(units, progressbar.OptionSetWriter(f), progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString(per),
		progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100e6), progressbar.OptionClearOnFinish())
}
