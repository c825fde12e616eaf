package report

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/quasistatic/quasistatic/table"
)

// Verdict is the first thing that the page says.
type Verdict struct {
	Class     string // good, poor, open
	Headline  string
	Worst     string   // the number that is nearest to its limit; empty: none
	Used      string   // the part of its limit that is used; empty: not known
	Also      []string // what fails beside the worst number
	Sentences []string
}

// Lines returns the sentences as they are set: powers of ten as such, and numbers on
// one line with their units.
func (v Verdict) Lines() []string {
	list := make([]string, len(v.Sentences))
	scientific, quantity := scientific(), quantity()
	for i, s := range v.Sentences {
		s = scientific.ReplaceAllStringFunc(s, func(number string) string {
			m := scientific.FindStringSubmatch(number)
			return m[1] + "·10" + raised.Replace(m[2]+m[3])
		})
		list[i] = quantity.ReplaceAllString(s, "$1\u00a0$2")
	}
	return list
}

var (
	scientific = pattern(`\b(\d+(?:\.\d+)?)e\+?(-?)0*(\d+)\b`)
	quantity   = pattern(`([\d⁰¹²³⁴⁵⁶⁷⁸⁹]) (%|(?:J|N|m|s|rad)\b)`)
	raised     = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶",
		"7", "⁷", "8", "⁸", "9", "⁹")
)

// pattern compiles an expression when it is asked for first: not in each process.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// Outcome is the first part of the verdict: how the run ended, or that it has not, and its
// message.
func (a *About) Outcome() Verdict {
	s := a.Summary
	v := Verdict{Class: "open"}
	if s == nil || s.Status == table.Running {
		known := "What follows is what it had computed so far."
		switch state := a.State(); {
		case state == "killed":
			v.Headline, v.Sentences = "Killed", []string{"The program that computed the run is gone; quasistatic run --resume goes on. " +
				known}
		case s == nil:
			v.Headline, v.Sentences = "Not finished", []string{"The run has not ended, or was killed. " + known}
		case a.Writing == table.Unknown:
			v.Headline, v.Sentences = "Running, or killed", []string{"The run has not ended. " + known}
		case state == "resumed":
			v.Headline, v.Sentences = "Running, resumed", []string{fmt.Sprintf("The run goes on after step %s. ", Count(s.Resumed)) + known}
		default:
			v.Headline, v.Sentences = "Running", []string{"The run has not ended. " + known}
		}
		return v
	}
	v = headline(s)
	f := worst(s.Facts)
	v.Worst = worstWords(f)
	if f != nil && f.Limit > 0 && f.Value >= rounding*f.Limit {
		v.Used = fmt.Sprintf("%.3g", f.Value/f.Limit)
	}
	for i := range s.Facts {
		if g := &s.Facts[i]; g != f && !g.Passed && g.Word != table.Expected { // these have a table
			v.Also = append(v.Also, worstWords(g))
		}
	}
	if s.Message != "" {
		v.Sentences = append(v.Sentences, sentence(s.Message))
	}
	for _, note := range s.Notes {
		v.Sentences = append(v.Sentences, sentence("note: "+note))
	}
	return v
}

func headline(s *table.Summary) Verdict {
	met, open := 0, 0
	for i := range s.Expectations {
		switch o := &s.Expectations[i]; {
		case o.Met:
			met++
		case o.Undecided():
			open++
		}
	}
	all := len(s.Expectations)
	switch {
	case s.Status == table.Interrupted:
		return Verdict{Class: "open", Headline: "Stopped before the end"}
	case s.Status == table.Failed:
		return Verdict{Class: "poor", Headline: "Failed"}
	case !s.Certified && len(s.Facts) > 0 && table.Holds(s.Facts, table.Solved):
		return Verdict{Class: "open", Headline: "Solved, but not accurate"}
	case !s.Certified:
		return Verdict{Class: "poor", Headline: "Not certified"}
	case open > 0 && met+open == all:
		return Verdict{Class: "open",
			Headline: fmt.Sprintf("Certified, but %d of %d expectations are not decided", open, all)}
	case met < all:
		return Verdict{Class: "poor", Headline: fmt.Sprintf("Certified, but only %d of %d expectations are met", met, all)}
	}
	v := Verdict{Class: "good", Headline: "Certified" + certifiedTo(s.Facts) + ": every step is solved"}
	if all == 1 {
		v.Headline += ", and its expectation is met"
	} else if all > 1 {
		v.Headline += fmt.Sprintf(", and all %d expectations are met", all)
	}
	if f := worst(s.Facts); f != nil && relative(f) && f.Value > fewPercent {
		v.Class = "open"
	}
	return v
}

// fewPercent is the relative error from which on a banner is not green, though a case allows
// more: beyond it a number is a first estimate.
const fewPercent = 0.05

// relative reports whether a fact is a share of what it is an error of.
//
// A bound of one or more is none of an error, but a condition.
func relative(f *table.Fact) bool {
	return f.Word == table.Accurate && f.Unit == "" && f.Limit > 0 && f.Limit < 1
}

// certifiedTo says to what relative error, where that is more than a percent.
func certifiedTo(facts []table.Fact) string {
	limit := 0.0
	for i := range facts {
		if f := &facts[i]; relative(f) && f.Basis != table.NotSaid {
			limit = max(limit, f.Limit)
		}
	}
	if !(limit > 0.01*(1+1e-9)) {
		return ""
	}
	return fmt.Sprintf(" to %.3g %%", 100*limit)
}

// worst is the fact of accuracy that is nearest to its limit, or else that of the steps; of what
// is not so the first. Residuals of solvers are at their limits by design.
func worst(facts []table.Fact) (found *table.Fact) {
	rank := func(f *table.Fact) (float64, float64) {
		switch used := f.Value / f.Limit; {
		case !f.Passed:
			return 2, 0
		case f.Word == table.Accurate:
			return 1, used
		default:
			return 0, used
		}
	}
	for i := range facts {
		f := &facts[i]
		if f.Word == table.Expected || f.Basis == table.NotSaid || f.Passed && !(f.Limit > 0) {
			continue
		}
		if found != nil {
			a, b := rank(found)
			if x, y := rank(f); x < a || x == a && y <= b {
				continue
			}
		}
		found = f
	}
	return found
}

// rounding is the part of what is allowed below which a number is not worth a name.
const rounding = 1e-6

// worstWords says how near a fact is to its limit: the number, what is allowed, and where.
func worstWords(f *table.Fact) string {
	if f == nil {
		return ""
	}
	number := func(v float64) string {
		if relative(f) {
			return fmt.Sprintf("%.2g %%", 100*v)
		}
		return strings.TrimSpace(fmt.Sprintf("%.3g %s", v, f.Unit))
	}
	if f.Passed && f.Word == table.Accurate && f.Value < rounding*f.Limit {
		return "Accurate to rounding."
	}
	text := fmt.Sprintf("%s: %s, allowed is %s", f.Name, number(f.Value), number(f.Limit))
	switch {
	case f.Basis == table.NotSaid:
		text = "Not said: " + f.Name
	case f.Limit == 0:
		text = f.Name
	case f.Passed:
		text = "Nearest to its limit: " + text
	}
	if f.Place != "" {
		text += "; " + f.Place
	}
	return text
}

// Times writes a number of times.
func Times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// Joule writes an energy.
func Joule(v float64) string { return minus(fmt.Sprintf("%.2g J", v)) }

// minus sets the sign of a number that begins a text.
func minus(text string) string {
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		return "−" + rest
	}
	return text
}

// Share says how much an error is of the energies.
func Share(v, scale float64) string {
	switch r := v / scale; {
	case !(scale > 0) || math.IsNaN(r):
		return "there is no energy to compare with"
	case r <= 1e-12:
		return "that is rounding"
	case r < 1e-4:
		return fmt.Sprintf("that is %.1g of the energies involved", r)
	default:
		return fmt.Sprintf("that is %.2g %% of the energies involved, the error of the step length", 100*r)
	}
}

// Row is a line of a table.
type Row [3]string

// Name is what the line is of.
func (r Row) Name() string { return r[0] }

// Value is what was found.
func (r Row) Value() string { return r[1] }

// Note says more.
func (r Row) Note() string { return r[2] }

// Metre writes a length.
func Metre(v float64) string { return fmt.Sprintf("%.2g m", v) }

// Count writes a number with thin spaces between thousands.
func Count(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

// sentence begins a text with a capital letter and ends it.
func sentence(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:] + "."
}
