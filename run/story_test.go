package run

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/terminal"
	"github.com/quasistatic/quasistatic/table"
)

// TestStory: changes of contact in plain words: points of a pair together, the last of several at
// one time, as many as there is room for.
func TestStory(t *testing.T) {
	type event struct {
		t              float64
		name, from, to string
	}
	slider := []event{{1, "p", "stick", "slip"}, {2, "p", "slip", "stick"}, {3, "p", "stick", "free"}}
	chatter := []event{{0.1, "a/b", "apart", "collision"}}
	for i := range 20 {
		chatter = append(chatter, event{1 + float64(i), "a/b", []string{"open", "stick"}[i%2], []string{"stick", "open"}[i%2]})
	}
	var crowd []event
	for i := range 100 {
		crowd = append(crowd, event{0.5, fmt.Sprintf("ball %d/floor", i), "open", "stick"})
	}
	for _, c := range []struct {
		name, subject string
		starts        bool
		events        []event
		width         int
		want          []string
	}{
		{"a slider", "", true, slider, 84, []string{"p sticks at first, slides from t = 1 s, sticks from 2, is free from 3"}},
		{"no room", "", true, slider, 40, []string{"p sticks at first; 3 more changes, is free from 3"}},
		{"it began so", "", false, slider[:1], 84, []string{"p sticks at first, slides from t = 1 s"}},
		{"it grazes", "", false, []event{{1, "p", "grazing", "stick"}, {2, "p", "stick", "slip"},
			{3, "p", "slip", "grazing"}, {4, "p", "grazing", "free"}, {5, "p", "free", "grazing"}}, 84,
			[]string{"p sticks from t = 1 s, slides from 2, is free from 4"}},
		{"nothing changes", "", true, nil, 84, []string{"p sticks from the start to the end"}},
		{"nothing touches", "", false, nil, 84, []string{"no contact bears a force"}},
		{"two feet", "", false, []event{{1, "b/f.1", "open", "slip"}, {1, "b/f.2", "open", "stick"}, {2, "b/f.1", "slip", "stick"}}, 84,
			[]string{"b on f slides in part from t = 1 s, sticks from 2"}},
		{"feet at once", "", false, []event{{1, "b/f.1", "open", "slip"}, {1, "b/f.2", "open", "slip"},
			{2, "b/f.1", "slip", "open"}, {2, "b/f.2", "slip", "open"}}, 84,
			[]string{"b on f slides from t = 1 s, is free from 2"}},
		{"closed without a force", "", false, []event{{1, "b/f.1", "open", "active"}}, 84,
			[]string{"no contact bears a force"}},
		{"a mesh", "node ", false, []event{{1, "3", "open", "stick"}, {2, "4", "open", "slip"}}, 84,
			[]string{"the contact sticks from t = 1 s, slides in part from 2"}},
		{"chatter", "", false, chatter, 84, []string{"a on b hits at t = 0.1 s, sticks from 1; 19 more changes, is free from 20"}},
		{"a crowd", "", false, crowd, 84, []string{"ball 0 on floor sticks from t = 0.5 s",
			"ball 1 on floor sticks from t = 0.5 s", "ball 2 on floor sticks from t = 0.5 s",
			"and others that touch, stick or slide: 100 changes in all"}},
		{"the whole system", "", false, []event{{1, "system", "regular", "painleve"}}, 84,
			[]string{"no contact bears a force"}},
	} {
		var s Story
		if c.starts {
			s.state(0, c.subject, "p", "stick")
		}
		for _, e := range c.events {
			s.record(&Event{T: e.t, Name: e.name, From: e.from, To: e.to}, c.subject)
		}
		if got := s.lines(nil, 4, c.width); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		if s.Events != len(c.events) || len(s.Parts) > mostActors {
			t.Errorf("%s: %d changes, %d actors", c.name, s.Events, len(s.Parts))
		}
	}
}

// TestSmooth: what has no friction touches where it bears, and neither sticks nor slides.
func TestSmooth(t *testing.T) {
	var s Story
	states := []string{"free", "slip", "stick", "grazing", "free"}
	for k, to := range states[1:] {
		s.record(&Event{T: float64(1 + k), Name: "p", From: states[k], To: to, Smooth: true}, "")
	}
	if got := strings.Join(s.lines(nil, 4, 84), "; "); got != "p touches from t = 1 s, is free from 4" ||
		!strings.HasSuffix(s.First[2], "touch → grazing") {
		t.Errorf("%s; %q", got, s.First)
	}
}

// TestRest: what comes to rest does so at the time from which on its energy is none, beside the
// largest that it had, or beside the rounding of all energies.
func TestRest(t *testing.T) {
	for want, kinetic := range map[string][]float64{
		"":                          {0, 1, 2, 1},
		"all is at rest by t = 2 s": {3, 1, 0, 1e-13},
		"nothing moves: all is at rest from the start to the end": {0, 1e-26, 1e-27, 0},
	} {
		var s Story
		for k, e := range kinetic {
			s.move(float64(k), e, 1)
		}
		if got := s.rest(); got != want {
			t.Errorf("%v: %q, want %q", kinetic, got, want)
		}
	}
	var s Story // a peg that jams within a step is at rest at all its ends, and has moved
	s.move(0, 0, 1)
	s.hit()
	s.move(1, 0, 1)
	if got := s.rest(); got != "all is at rest by t = 1 s" {
		t.Errorf("after a hit: %q", got)
	}
}

// TestBounces: what bounces with e = ½ from 1 m comes to rest at 3√(2/g), by its first hits; what goes
// on to move after that rests when it does.
func TestBounces(t *testing.T) {
	for moved, want := range map[float64]string{1.3: "all comes to rest at t = 1.342 s", 1.4: "all is at rest by t = 1.5 s"} {
		var s Story
		s.move(0, 1, 1)
		at, fall := 0.0, math.Sqrt(.2)
		for n := range 6 {
			at += fall * []float64{1, 2}[min(n, 1)]
			if n > 0 {
				fall /= 2
				at -= fall * 2
			}
			s.hit()
			s.record(&Event{T: at, Within: 1e-5, Name: "ball/floor", From: "apart", To: "collision"}, "")
		}
		s.move(moved, 1, 1)
		s.move(1.5, 0, 1)
		if got := s.rest(); got != want {
			t.Errorf("moves until %g: %q, want %q", moved, got, want)
		}
	}
	b := bounces{}
	for _, at := range []float64{1, 2, 3, 4} { // as on a drum: it does not end
		b.add(&Event{T: at, Name: "a/b"})
	}
	if _, ok := b.end(); ok {
		t.Error("equal intervals end")
	}
}

// TestBriefVerdict: what is not certified says so once, with the number of facts that fail; what is
// missed says its numbers; no line is wider than the terminal, no page longer than twelve lines.
func TestBriefVerdict(t *testing.T) {
	value, want, tolerance := 2.0, 1.0, 0.1
	missed := table.Outcome{Label: "position x of p", Value: &value, Want: &want, Tolerance: &tolerance}
	fact := func(value float64) table.Fact {
		return table.AtMost(table.Accurate, "error of the trajectory, "+strings.Repeat("and of all that moves ", 20),
			value, 0.5, "m", table.Computed)
	}
	for _, c := range []struct {
		name     string
		facts    []table.Fact
		expected []table.Outcome
		want     []string
	}{
		{"certified", []table.Fact{fact(0.1), fact(0.4)}, []table.Outcome{{Met: true}, {Met: true}},
			[]string{"certified     all steps solved, and accurate; nearest to its limit, 0.4 of 0.5 m (computed)",
				"all 2 expectations are met"}},
		{"to rounding", []table.Fact{fact(1e-12)}, nil, []string{"accurate to rounding"}},
		{"not accurate", []table.Fact{fact(0.6), fact(0.7)}, []table.Outcome{missed, {Met: true}, missed, missed},
			[]string{"NOT CERTIFIED not accurate: error of the trajectory",
				"MISSED        position x of p: 2, wanted 1 ± 0.1 (3 of 4 missed)"}},
		{"one expectation", nil, []table.Outcome{{Met: true}}, []string{"as expected   the expectation is met"}},
	} {
		for _, look := range []terminal.Look{{}, {Width: 60}, {Width: 3, Colour: true}} {
			s := table.Summary{Status: table.Done, Facts: c.facts, Expectations: c.expected}
			s.Judge(1)
			b := newBrief(look, &casefile.Case{Name: "name", Description: strings.Repeat("a very long description ", 10)})
			b.verdict(&s)
			b.expectations(s.Expectations)
			text := b.String()
			plain := strings.NewReplacer("\x1b[32m", "", "\x1b[1;31m", "", "\x1b[0m", "").Replace(text)
			for _, line := range strings.Split(plain, "\n") {
				if n := len([]rune(line)); n > b.look.Width {
					t.Errorf("%s: %d columns of %d: %s", c.name, n, b.look.Width, line)
				}
			}
			if strings.Count(text, "\n") > mostLines || look.Colour != strings.Contains(text, "\x1b[") ||
				strings.Count(text, "CERTIFIED") > 1 {
				t.Errorf("%s: %q", c.name, text)
			}
			for _, want := range c.want {
				if look.Width == 0 && !strings.Contains(text, want) {
					t.Errorf("%s: no %q in\n%s", c.name, want, text)
				}
			}
		}
	}
}

// TestWhen: a change is told with all that it may be off by, rounded up; two of which nobody knows
// which came first are one.
func TestWhen(t *testing.T) {
	for _, c := range []struct {
		at, within float64
		want       string
	}{
		{.59375, .015625, "0.59 ± 0.02"}, // [.578, .609]
		{.3125, .0625, "0.31 ± 0.07"},    // [.25, .375]
		{1.5, 5e-4, "1.5"},               // in the digits that are printed
		{.00025, .00025, "0.0003 ± 0.0003"},
		{1900, 100, "1900 ± 100"},
		{.33333333, 0, "0.3333"},
		{.33333333, math.Inf(1), "about 0.333"},
	} {
		if got := (Change{c.at, slides, c.within}).when(); got != c.want {
			t.Errorf("%g within %g: %q, want %q", c.at, c.within, got, c.want)
		}
	}
	s := Story{}
	s.state(0, "", "p", "stick")
	for _, e := range []Event{{T: .25, From: "stick", To: "slip"}, {T: .5, Within: .1, From: "slip", To: "stick"},
		{T: .7, Within: .01, From: "stick", To: "slip"}, {T: .72, Within: .03, From: "slip", To: "open"}} {
		e.Name = "p"
		s.record(&e, "")
	}
	if got, want := s.Parts[0].line(120), "p sticks at first, slides from t = 0.25 s, sticks from 0.5 ± 0.1, is free from 0.72 ± 0.03"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
