package main

import (
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows a bar on a terminal: rate, time left, contact states, iterations;
// or, with -v, a line for each step. It returns what takes the bar away again.
func (o *runOptions) progress(j task, stderr io.Writer) (clear func()) {
	f, ok := stderr.(*os.File)
	switch {
	case o.quiet:
	case o.verbose:
		j.follow(func(step int) { fmt.Fprintf(stderr, "step %d  %s\n", step, j.said()) })
	case ok && term.IsTerminal(int(f.Fd())):
		return bar(j, f)
	}
	return func() {}
}

// describeEvery is the number of steps between two looks at the contact states: the
// bar redraws ten times a second.
const describeEvery = 64

// adaptiveUnits is the length of the bar of a run whose steps are not known before.
const adaptiveUnits = 1000

// bar draws the progress of a task on a terminal.
func bar(j task, f *os.File) (clear func()) {
	b := j.common()
	e, ok := j.(*job)
	byTime := ok && e.m.Adaptive != nil
	length := b.summary.StepsPlanned
	if byTime {
		length = adaptiveUnits
	}
	p := progressbar.NewOptions(length, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription(b.c.Name),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("steps"), progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100e6), progressbar.OptionClearOnFinish())
	j.follow(func(step int) {
		if step%describeEvery == 0 || length < 10*describeEvery {
			s := j.said()
			p.Describe(fmt.Sprintf("%s, %s, %s", b.c.Name, s.states, s.work))
		}
		if byTime {
			step = int(adaptiveUnits * j.said().t / b.summary.Until)
		}
		_ = p.Set(step) // a bar that cannot draw is no reason to stop
	})
	return func() { _ = p.Clear() }
}
