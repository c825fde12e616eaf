package run

import (
	"fmt"
	"time"
)

// Progress is what a run does, in words that are shown while it goes on.
type Progress struct {
	Stage string  // before the first step: what is done there, "a search …"; "": steps are made
	Pilot int     // steps of pilot runs so far, by which steps are chosen; 0: there are none, or they are over
	Time  float64 // where the last step has ended [s] …
	Step  float64 // … and its length [s]; 0: not known
	Why   string  // what keeps steps from being longer; "": nothing is known to
}

// doing is what a task is known to do, made anew where it changes: others look at it.
type doing struct {
	Progress
	until   float64
	steps   int // made of the run
	planned int // of it, as it goes
}

// see takes what the model says of itself.
func (t *Task) see(p Progress) {
	x := &doing{Progress: p, until: t.plan.Until, steps: t.Summary.Steps, planned: t.Summary.StepsPlanned}
	t.doing.Store(x)
}

// made takes a step of the run that ends at a time.
func (t *Task) made(step int, now float64) {
	x := doing{until: t.plan.Until}
	if last := t.doing.Load(); last != nil {
		x = *last
	}
	if x.Step = now - x.Time; step == 0 {
		x.Step = 0
	}
	x.Stage, x.Pilot, x.Time, x.steps, x.planned = "", 0, now, step, t.Summary.StepsPlanned
	t.doing.Store(&x)
}

// Watched has a function told, too, what the run does; nil: nobody else.
func (t *Task) Watched(show func(text string)) {
	t.plan.OnProgress = func(p Progress) {
		if t.see(p); show != nil && (p.Pilot > 0 || p.Stage != "") { // its own steps are seen
			show(t.doing.Load().String())
		}
	}
}

// watchSlow says once what a run does that takes long; its result ends that.
func (t *Task) watchSlow() (end func()) {
	if t.plan.OnProgress == nil {
		t.Watched(nil)
	}
	if t.OnSlow == nil || t.Slow <= 0 {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-stop:
		case <-time.After(t.Slow):
			x, made := t.doing.Load(), ""
			if x == nil || x.steps == 0 {
				made = "no step yet: "
			}
			t.OnSlow(fmt.Sprintf("%s, after %.0f s: %s%s", t.Case.Name, t.Slow.Seconds(), made, x))
		}
	}()
	return func() { close(stop); <-stopped }
}

// String says what is done.
func (x *doing) String() string {
	switch {
	case x == nil:
		return "the start is examined, or the first step goes on"
	case x.Stage != "":
		return x.Stage
	case x.Pilot > 0:
		return fmt.Sprintf("%d steps of pilot runs, by which steps are chosen; one is at t = %.4g of %.4g s%s", x.Pilot,
			x.Time, x.until, x.because())
	case x.steps == 0:
		return "the first step goes on" + x.because()
	}
	return fmt.Sprintf("step %d of about %d, at t = %.4g of %.4g s%s", x.steps, x.planned, x.Time, x.until, x.because())
}

// because is the length of the steps and what keeps them from being longer.
func (x *doing) because() string {
	if x == nil || !(x.Step > 0) {
		return ""
	}
	text := fmt.Sprintf(", in steps of %.2g s", x.Step)
	if x.Why != "" {
		text += ", because " + x.Why
	}
	return text
}

// joined puts a colon between two texts, if there are two.
func joined(a, b string) string {
	if b == "" {
		return a
	}
	return a + ": " + b
}
