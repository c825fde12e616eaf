package run

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"text/tabwriter"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/plain"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/table"
)

// Page is what a command prints: lines with a label in the first column.
type Page struct {
	strings.Builder
	Summary *table.Summary // of the run; nil: the page is about something else
	story   Story
	advice  []string // what to change after a failed step, the likeliest first
}

// String returns the text, in words where a number overflowed.
func (p *Page) String() string { return plain.Overflows(p.Builder.String()) }

// NewPage returns a page about a run and what it wrote; nil: nothing.
func NewPage(s *table.Summary, out *Output) *Page {
	p := &Page{Summary: s}
	if out != nil {
		p.story = out.story
	}
	return p
}

// Line prints a label in the first column and a text in the second, which is one line
// also where several errors were joined.
func (p *Page) Line(label, format string, args ...any) {
	fmt.Fprintf(p, "  %-13s %s\n", label, oneLine(fmt.Sprintf(format, args...)))
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "; ") }

// Title prints the name of a case and the first sentence of its description.
func (p *Page) Title(c *casefile.Case) {
	fmt.Fprintf(p, "%s", c.Name)
	if first, _, _ := strings.Cut(c.Description, ". "); first != "" {
		fmt.Fprintf(p, " — %s", strings.TrimSuffix(first, "."))
	}
	fmt.Fprintln(p)
}

// Print returns what a run computed and what its numbers are worth.
func (t *Task) Print() string {
	s := &t.Summary
	p := NewPage(s, t.out)
	p.Title(t.Case)
	if t.run != nil {
		t.run.Report(p)
	}
	p.Memory(s.Memory)
	p.Expectations(s.Expectations)
	p.Verdict()
	if t.fault != nil {
		p.WriteString(t.Advice(t.fault))
	}
	p.Line("files", "%s", t.Dir)
	return p.String()
}

// Advice says what to do after a fault ended the steps.
func (t *Task) Advice(fault error) string { return t.advised(fault).String() }

func (t *Task) advised(fault error) *Page {
	p := NewPage(&t.Summary, t.out)
	if a, ok := t.run.(Adviser); ok {
		a.Advise(p, fault)
	}
	return p
}

// Events prints the first changes of contact.
func (p *Page) Events() {
	if p.story.Events == 0 {
		p.Line("events", "no change of contact")
		return
	}
	more := ""
	if p.story.Events > len(p.story.First) {
		more = fmt.Sprintf(", and %d more", p.story.Events-len(p.story.First))
	}
	p.Line("events", "%s", Count(p.story.Events, "change")+" of contact")
	for i := 0; i < len(p.story.First); i += 2 {
		row := fmt.Sprintf("%-36s", p.story.First[i])
		if i+1 < len(p.story.First) {
			row += "  " + p.story.First[i+1]
		}
		if i+2 >= len(p.story.First) {
			row = strings.TrimRight(row, " ") + more
		}
		p.Line("", "%s", strings.TrimRight(row, " "))
	}
}

// Memory prints what a run was predicted to take, and what it took.
func (p *Page) Memory(m *table.Memory) {
	if m == nil {
		return
	}
	need := memory.Estimate{Parts: m.Parts}
	if m.Peak == 0 {
		p.Line("memory", "%s predicted for a run, %s allowed", need, memory.Format(m.Limit))
		return
	}
	if m.Predicted < notable {
		return
	}
	p.Line("memory", "%s predicted, %s at the peak with the program and garbage, %s allowed",
		memory.Format(need.Total()), memory.Format(m.Peak), memory.Format(m.Limit))
}

// notable is a prediction that the text of a run mentions [byte]: below, the peak is that
// of the program. The summary has it always.
const notable = 50e6

// Expectations prints what was expected and what it came to.
func (p *Page) Expectations(list []table.Outcome) {
	if len(list) == 0 {
		return
	}
	var lines strings.Builder
	w := tabwriter.NewWriter(&lines, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  expected\tvalue\twanted\toff by\t")
	for i := range list {
		o := &list[i]
		off := ""
		if o.Value != nil && o.Want != nil {
			off = fmt.Sprintf("%.2g", math.Abs(*o.Value-*o.Want))
		}
		met := "met"
		if !o.Met {
			met = "NOT MET"
		}
		if o.Undecided() {
			met = "NOT DECIDED"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", o.Label, o.Found(), o.Wanted(">=", "<="), off, met)
	}
	_ = w.Flush() // into memory
	p.WriteString(lines.String())
}

// facts prints those of solved and accurate; the expectations have lines of their own.
func (p *Page) facts(facts []table.Fact) {
	for _, word := range []table.Word{table.Solved, table.Accurate} {
		label := string(word)
		for i := range facts {
			if facts[i].Word != word {
				continue
			}
			text := facts[i].String()
			if !facts[i].Passed {
				text = "FAILS: " + text
			}
			p.Line(label, "%s", text)
			label = ""
		}
	}
}

// Verdict prints the facts of the run and what they come to.
func (p *Page) Verdict() {
	s := p.Summary
	p.List("note", s.Notes)
	p.facts(s.Facts)
	switch {
	case s.Status == table.Interrupted:
		p.Line("INTERRUPTED", "%s", s.Message)
	case s.Status == table.Failed:
		p.Line("FAILED", "%s", s.Message)
	case !s.Certified:
		p.Line("NOT CERTIFIED", "%s", s.Message)
	case !s.Met && NotDecided(Failure(s)):
		p.Line("certified", "but %s", Failure(s))
	case !s.Met:
		p.Line("certified", "but not as expected")
	case len(s.Expectations) > 0:
		p.Line("certified", "and all %s met", Count(len(s.Expectations), "expectation"))
	default:
		p.Line("certified", "all steps solved")
	}
}

// List prints texts below a label.
func (p *Page) List(label string, texts []string) {
	for _, text := range texts {
		p.Line(label, "%s", text)
		label = ""
	}
}

// Cost is what the steps took.
func (p *Page) Cost() string {
	s := p.Summary
	return fmt.Sprintf("%s, %.3g µs a step", Seconds(s.WallSeconds), 1e6*s.WallSeconds/float64(max(1, s.Steps)))
}

// Failed prints which step failed, how the one before it went, and what may help, the
// likeliest first.
func (p *Page) Failed(before *Line, h float64, advice []string) {
	p.Line("tried", "the step from t = %.6g to %.6g s", before.T, before.T+h)
	p.Line("before", "%s", before)
	p.Change(advice)
}

// Change prints what to change after a failed step, the likeliest first.
func (p *Page) Change(advice []string) {
	p.advice = advice
	p.List("to change", advice)
}

// Count is a number with its noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Seconds is a time of the clock.
func Seconds(s float64) string {
	if s < 1 {
		return fmt.Sprintf("%.3g ms", 1000*s)
	}
	return fmt.Sprintf("%.3g s", s)
}

// Line is what a progress bar and -v say about a step.
type Line struct {
	T                   float64 // at its end [s]
	Residual, Tolerance float64 // of its contact problems, relative; Tolerance is what is allowed
	States              string  // of the contacts
	Extra               string  // what else the model can say; "": nothing
	Work                string  // what it took
}

// String is the line that -v prints, after the number of the step.
func (l *Line) String() string {
	text := fmt.Sprintf("t = %.6g s  residual %.2g of %.0e  ", l.T, l.Residual, l.Tolerance)
	if l.Extra != "" {
		text += l.Extra + "  "
	}
	return text + l.States + "  " + l.Work
}

// States counts what contacts do.
func States(stick, slip, open int) string {
	return fmt.Sprintf("stick %d, slip %d, open %d", stick, slip, open)
}

// Shorter is the first thing to try after a step failed.
func Shorter(steps int) string { return fmt.Sprintf("shorter steps: \"steps\": %d", 4*steps) }

// Finite replaces what JSON cannot hold.
func Finite(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return 0
	case math.IsInf(x, 0):
		return math.Copysign(math.MaxFloat64, x)
	}
	return x
}

// Sizes sums absolute values; not finite, if one of them is not.
func Sizes(list ...float64) (sum float64) {
	for _, x := range list {
		sum += math.Abs(x)
	}
	return sum
}

// JSON is a result as it is printed with --json. A number that is infinite or none is an error that
// names it.
func JSON(v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	if _, ok := errors.AsType[*json.UnsupportedValueError](err); ok {
		if path, x := unsupported("", reflect.ValueOf(v)); path != "" {
			err = fmt.Errorf("JSON cannot hold the number %s: it is %g", strings.TrimPrefix(path, "."), x)
		}
	}
	return append(text, '\n'), err
}

// unsupported returns the path of the first number within a value that JSON cannot hold; "": there
// is none.
func unsupported(path string, v reflect.Value) (string, float64) {
	switch v.Kind() {
	case reflect.Float64:
		if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) {
			return path, x
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return unsupported(path, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" || !f.IsExported() {
				continue
			}
			at := path + "." + cmp.Or(name, f.Name)
			if f.Anonymous && name == "" {
				at = path
			}
			if found, x := unsupported(at, v.Field(i)); found != "" {
				return found, x
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if found, x := unsupported(fmt.Sprintf("%s[%d]", path, i), v.Index(i)); found != "" {
				return found, x
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if found, x := unsupported(fmt.Sprintf("%s.%v", path, key), v.MapIndex(key)); found != "" {
				return found, x
			}
		}
	}
	return "", 0
}
