package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/table"
)

// TestJumpTiming: the price 22/7 J of Klarbring's jump is off by no more than what the bracket
// of its time leaves open, and where that is more than the accuracy the run is not certified.
func TestJumpTiming(t *testing.T) {
	t.Parallel()
	for _, steps := range []int{1, 3, 10, 60} {
		dir := filepath.Join(t.TempDir(), "run")
		code, _, stderr := qs("run", "klarbring-jump", "--set", fmt.Sprintf("steps=%d", steps), "--set",
			`expect=[{"quantity": "dissipation", "max": 10}]`, "--out", dir, "--no-picture")
		if code != exitDone && !strings.Contains(stderr, "the bracket of their time") {
			t.Errorf("%d steps: exit %d, %s", steps, code, stderr)
		}
		var s table.Summary
		if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, table.SummaryFile))), &s); err != nil {
			t.Fatal(err)
		}
		open := -1.0
		for _, f := range s.Facts {
			if strings.Contains(f.Name, "the bracket of their time") {
				open = f.Value
			}
		}
		// The path itself is followed in 400 steps, with an error of 1e-5 of its price.
		if off := math.Abs(*s.Expectations[0].Value - 22.0/7); off > open+4e-5 {
			t.Errorf("%d steps: the dissipation is off by %g J, and %g J are said to be open", steps, off, open)
		}
		if got, _, _ := qs("diagnose", "-v", dir, "--quiet"); got != code {
			t.Errorf("%d steps: run exits %d, diagnose %d", steps, code, got)
		}
	}
}

// ripplesAtFolds returns the times at which ripple-jump jumps from its folds, and what it dissipates to t = 1. The particle slides where
// the anchor u = 3t is u(x) = x + .3 + .09 sin 4πx, N μ(x) = .6 (1 + .3 sin 4πx) being k = 2 N/m times the rest; u'(x) = 0 at the folds,
// cos 4πx = -1/(.36π). Friction takes its integral over all the way, and viscosity the rest of k (u - x) over the jumps.
func ripplesAtFolds() (times []float64, lost float64) {
	at := func(x float64) float64 { return x + .3 + .09*math.Sin(4*math.Pi*x) }
	friction := func(x float64) float64 { return .6 * (x + .3*(1-math.Cos(4*math.Pi*x))/(4*math.Pi)) }
	inverse := func(u, lo, hi float64) float64 { // on a branch that rises
		for range 60 {
			if x := (lo + hi) / 2; at(x) < u {
				lo = x
			} else {
				hi = x
			}
		}
		return lo
	}
	fold := math.Acos(-1/(.36*math.Pi)) / (4 * math.Pi)
	for k := range 5 {
		from := fold + .5*float64(k)
		u := at(from)
		to := inverse(u, .5*float64(k+1)-fold, .5*float64(k+1)+fold)
		times = append(times, u/3)
		lost += 2*u*(to-from) - (to*to - from*from) - (friction(to) - friction(from))
	}
	return times, lost + friction(inverse(3, 2.5-fold, 2.5+fold))
}

// TestSolutions: three notions of a solution of one case, each with its jump and its price in
// closed form (descriptions of the cases), in few steps and in more.
func TestSolutions(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	line := func(value, tolerance float64) string {
		return fmt.Sprintf(`expect=[{"quantity": "dissipation", "value": %.17g, "tolerance": %g}]`, value, tolerance)
	}
	maxwell := (1 + math.Sqrt(63)) / 4
	folds, ripples := ripplesAtFolds()
	for _, c := range []struct {
		name, solution string
		until          string // as the case says, if it is empty
		steps          int
		jumps          []float64
		lost, off      float64
		exit           int
	}{
		{"two-wells", "energetic", "", 96, []float64{1. / 3, 1.9375}, 2.3375, 1e-9, exitDone},
		{"two-wells", "energetic", "", 192, []float64{1. / 3, 1.9375}, 2.3375, 1e-9, exitDone},
		{"two-wells", "viscous", "", 960, []float64{5. / 6}, 4.0875, 3e-4, exitDone},
		{"two-wells", "local", "", 96, []float64{5. / 6}, 1.4625, 2e-3, exitFailed},
		{"klarbring-jump", "energetic", "", 30, []float64{maxwell}, 2.5, 1e-10, exitDone},
		{"peeled-bar", "energetic", "", 52, []float64{math.Sqrt(3), math.Sqrt(6), math.Sqrt(10), math.Sqrt(15),
			math.Sqrt(21)}, 2.5, 1e-9, exitDone},
		{"peeled-bar", "energetic", "2", 8, []float64{math.Sqrt(3)}, 0.5, 1e-9, exitDone},
		{"peeled-bar", "viscous", "", 52, []float64{2, 3, 4, 5}, 2./3 + 3./4 + 4./5 + 5./6, 2e-3, exitDone},
		{"peeled-bar", "viscous", "3.5", 35, []float64{2, 3}, 2./3 + 3./4, 2e-3, exitDone},
		{"snap-through", "energetic", "", 20, []float64{0}, 0, 1e-12, exitDone},
		// 1e-4 J of each jump stay open, and as much is what moves towards the fold in the step
		// before it.
		{"ripple-jump", "viscous", "", 400, folds, ripples, 1e-3, exitDone},
		{"ripple-jump", "viscous", "", 640, folds, ripples, 1e-3, exitDone},
		{"ripple-jump", "energetic", "", 400, []float64{11. / 60, 21. / 60, 31. / 60, 41. / 60, 51. / 60}, 1.5786, 2e-4, exitDone},
	} {
		if !thorough.Asked() && (c.steps == 80 || c.name == "peeled-bar" || c.name == "ripple-jump") {
			continue // .ci/run has the whole; the first is above in few, and jumps of one particle show the notions
		}
		dir := filepath.Join(t.TempDir(), "run")
		args := []string{"run", c.name}
		if c.until != "" {
			args = append(args, "--set", "until="+c.until)
		}
		if c.name == "ripple-jump" { // of stretches that are hardly longer than some steps, places are off by that much amid a step
			args = append(args, "--accuracy", "0.06")
		}
		code, out, stderr := qs(append(args, "--set", fmt.Sprintf("steps=%d", c.steps), "--set", "solution="+c.solution,
			"--set", line(c.lost, c.off), "--out", dir, "--no-picture")...)
		if code != c.exit {
			t.Errorf("%s, %s: exit %d, want %d: %s\n%s", c.name, c.solution, code, c.exit, stderr, out)
		}
		var s table.Summary
		if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, table.SummaryFile))), &s); err != nil {
			t.Fatal(err)
		}
		var x particleview.Section
		if err := s.Read(&x); err != nil {
			t.Fatal(err)
		}
		if len(x.Jumps) != len(c.jumps) {
			t.Errorf("%s, %s: %d jumps, want %d", c.name, c.solution, len(x.Jumps), len(c.jumps))
			continue
		}
		for i, want := range c.jumps {
			// Global minimisers find the root, the others bisect a step six times.
			if j := x.Jumps[i]; math.Abs(j.To-want) > 1e-9+(j.To-j.From) {
				t.Errorf("%s, %s: jump between %.12g and %.12g, want %.12g", c.name, c.solution, j.From, j.To, want)
			}
		}
		if !s.Expectations[0].Met {
			t.Errorf("%s, %s: dissipation %.12g, want %.12g", c.name, c.solution, *s.Expectations[0].Value, c.lost)
		}
		if got, _, _ := qs("diagnose", "-v", dir, "--quiet"); got != code {
			t.Errorf("%s, %s: run exits %d, diagnose %d", c.name, c.solution, code, got)
		}
	}
}

// TestLossOfSolutions: what friction and weight alone hold is lost at the same time for every
// notion of a solution, and the diagnosis of the files says so too.
func TestLossOfSolutions(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"incline", "pressed-bodies"} {
		for _, solution := range []string{"viscous", "energetic"} {
			dir := filepath.Join(t.TempDir(), "run")
			code, out, stderr := qs("run", "-v", name, "--set", "solution="+solution, "--out", dir, "--no-picture")
			if code != exitDone || !strings.Contains(out, "no equilibrium beyond t=") {
				t.Errorf("%s, %s: exit %d: %s\n%s", name, solution, code, stderr, out)
			}
			if code, _, stderr := qs("diagnose", "-v", dir, "--quiet"); code != exitDone {
				t.Errorf("%s, %s: diagnose exits %d: %s", name, solution, code, stderr)
			}
			if code, _, _ := qs("run", name, "--set", "solution="+solution, "--set", "until_loss=false", "--out", dir,
				"--no-picture"); code != exitFailed {
				t.Errorf("%s, %s: a loss that is not expected exits %d", name, solution, code)
			}
		}
	}
}
