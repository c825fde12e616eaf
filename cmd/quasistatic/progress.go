package main

import (
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
)

// progress shows a bar on a terminal: rate, time left, contact states, iterations.
// It returns what takes it away again.
func (o *runOptions) progress(j task, stderr io.Writer) (clear func()) {
	clear = func() {}
	b := j.common()
	var see func(step int, note string)
	if f, ok := stderr.(*os.File); ok && !o.quiet && !o.verbose && term.IsTerminal(int(f.Fd())) {
		bar := progressbar.NewOptions(b.summary.StepsPlanned, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription(b.c.Name),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100e6), progressbar.OptionClearOnFinish())
		clear = func() { _ = bar.Clear() } // a bar that cannot draw is no reason to stop
		see = func(step int, note string) {
			if note != "" {
				bar.Describe(note)
			}
			_ = bar.Set(step)
		}
	}
	e, ok := j.(*job)
	switch {
	case ok && o.verbose && !o.quiet:
		e.watch = func(n *energetic.Node) { verbose(stderr, n, e.m.Options.Step.Tolerance) }
	case ok && see != nil:
		e.watch = func(n *energetic.Node) {
			note := ""
			if n.K%64 == 0 || n.SinceEvent == 0 { // the bar redraws ten times a second
				note = fmt.Sprintf("%s, %s, %d it.", e.c.Name, states(n), n.Stats.Inner)
			}
			see(n.K, note)
		}
	case see != nil:
		j.follow(func(step int) { see(step, "") })
	}
	return clear
}

// states counts the contact states of a node.
func states(n *energetic.Node) string {
	c := incremental.Count(n.States)
	return fmt.Sprintf("stick %d, slip %d, open %d", c[incremental.Stick], c[incremental.Slip], c[incremental.Free]+c[incremental.Grazing])
}

// defaultTolerance is that of the steps, if the case has none.
const defaultTolerance = 1e-10

// verbose prints a line for a node: its residual beside what is allowed.
func verbose(w io.Writer, n *energetic.Node, tolerance float64) {
	if tolerance == 0 {
		tolerance = defaultTolerance
	}
	fmt.Fprintf(w, "step %d  t = %.6g s  residual %.2g of %.0e  gap %.2g J of %.2g J  %s  %d solves, %d it.\n",
		n.K, n.T, n.Stats.Residual, tolerance, n.StepGap.Upper, defaultTolerance*n.EnergyScale, states(n), n.Stats.Solves, n.Stats.Inner)
}
