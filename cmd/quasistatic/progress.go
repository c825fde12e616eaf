package main

import (
	"fmt"
	"io"
	"os"

	"github.com/quasistatic/quasistatic/internal/terminal"
	"github.com/quasistatic/quasistatic/run"
)

// progress shows a bar on a terminal: rate, time left, contact states, iterations;
// or, with --trace, a line for each step. It returns what takes the bar away again.
func (o *runOptions) progress(t *run.Task, stderr io.Writer) (clear func()) {
	if f := terminal.Of(stderr); f != nil && !o.quiet && !o.trace {
		return bar(t, f)
	}
	if o.quiet {
		return func() {}
	}
	t.OnSlow = func(text string) { fmt.Fprintf(stderr, "quasistatic: %s\n", text) }
	if o.trace {
		t.OnStep = func(step int) { fmt.Fprintf(stderr, "step %d  %s\n", step, t.Line()) }
		t.OnSlow = nil // all is told
		t.Watched(func(text string) { fmt.Fprintln(stderr, text) })
	}
	return func() {}
}

// describeEvery steps are between two looks at contact states: the bar redraws ten times a second.
const describeEvery = 64

// adaptiveUnits is the length of the bar of a run whose steps are not known before.
const adaptiveUnits = 1000

// bar draws the progress of a run on a terminal.
func bar(t *run.Task, f *os.File) (clear func()) {
	byTime, length := t.Plan().Adaptive, t.Summary.StepsPlanned
	if byTime {
		length = adaptiveUnits
	}
	p := terminal.NewBar(f, length, "steps")
	p.Describe(t.Case.Name)
	t.OnSlow = func(text string) { p.Describe(fmt.Sprintf("%.100s", text)) } // a line
	t.Watched(t.OnSlow)
	t.OnStep = func(step int) {
		if step%describeEvery == 0 || length < 10*describeEvery {
			s := t.Line()
			p.Describe(fmt.Sprintf("%s, %s, %s", t.Case.Name, s.States, s.Work))
		}
		if byTime {
			step = int(adaptiveUnits * t.Summary.Time / t.Summary.Until)
		}
		_ = p.Set(step) // a bar that cannot draw is no reason to stop
	}
	return func() { _ = p.Clear() }
}
