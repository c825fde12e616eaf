package run

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/plain"
	"github.com/quasistatic/quasistatic/internal/terminal"
	"github.com/quasistatic/quasistatic/table"
)

// Lines that a brief has at most, and of them what is said of each part.
const (
	mostLines   = 12
	mostHappens = 4
	mostFailure = 3
	mostMissed  = 2
	fileWidth   = 100 // columns, where no terminal says how many it has
	leastWidth  = 40
	labelled    = 16 // columns before the texts
)

// tone is what a label stands for: its colour, by SGR of ECMA-48.
type tone string

const (
	neutral tone = ""
	good    tone = "32"
	bad     tone = "1;31"
	faint   tone = "33"
)

// brief is a page of at most mostLines lines.
type brief struct {
	look  terminal.Look
	lines []string
}

func newBrief(look terminal.Look, k *casefile.Case) *brief {
	look.Width = max(leastWidth, cmp.Or(look.Width, fileWidth))
	b := &brief{look: look}
	var title Page
	title.Title(k)
	b.lines = append(b.lines, shortened(plain.Text(strings.TrimSpace(title.String())), look.Width))
	return b
}

// add puts a text beside a label, on at most so many lines; what is longer ends in "…".
func (b *brief) add(t tone, label, text string, most int) {
	text = plain.Text(plain.Overflows(oneLine(text)))
	head := fmt.Sprintf("  %-13s ", label)
	if b.look.Colour && t != neutral {
		head = fmt.Sprintf("  \x1b[%sm%-13s\x1b[0m ", string(t), label)
	}
	const again = "quasistatic run --resume"
	text, command, is := strings.Cut(text, again)
	for _, line := range wrapped(text, b.look.Width-labelled, most) {
		b.lines = append(b.lines, strings.TrimRight(head+line, " "))
		head = strings.Repeat(" ", labelled)
	}
	if is { // whole, to be copied
		b.lines = append(b.lines, head+again+command)
	}
}

// wrapped breaks a text into at most so many lines of at most so many columns, at blanks.
func wrapped(text string, width, most int) (lines []string) {
	for len(lines) < most-1 && len([]rune(text)) > width {
		letters := []rune(text)
		cut := string(letters[:width+1])
		at := strings.LastIndexByte(cut, ' ')
		if at <= 0 {
			break // a word longer than the line: it is cut
		}
		lines, text = append(lines, cut[:at]), strings.TrimLeft(text[at:], " ")
	}
	return append(lines, shortened(text, width))
}

// shortened ends a text that is wider than so many columns in "…".
func shortened(text string, width int) string {
	if len([]rune(text)) <= width {
		return text
	}
	const mark = 2 // columns of what Shortened adds
	return plain.Shortened(text, width-mark)
}

// String is the page.
func (b *brief) String() string {
	return strings.Join(b.lines[:min(len(b.lines), mostLines)], "\n") + "\n"
}

// Brief says in at most twelve lines what happened, whether it is true, and where the files are; of
// a failure what, why and what to change: in so many columns (0: 100), in colours by escape sequences.
// [Task.Print] has all of it.
func (t *Task) Brief(width int, colour bool) string {
	look := terminal.Look{Width: width, Colour: colour}
	s := &t.Summary
	b, end := newBrief(look, t.Case), newBrief(look, t.Case)
	end.lines = nil
	end.first("note", slices.Concat(s.Notes, s.Warnings))
	end.verdict(s)
	if t.fault != nil {
		if to := t.advised(t.fault).advice; len(to) > 0 {
			end.add(neutral, "try", to[0], 1)
		}
	}
	end.expectations(s.Expectations)
	end.add(neutral, "files", t.shown(), 1)
	b.add(neutral, "computed", fmt.Sprintf("t = 0 … %.6g s in %s, %s", s.Time, Count(s.Steps, "step"), Seconds(s.WallSeconds)), 1)
	if t.run != nil && s.Steps > 0 {
		label := "happened"
		for _, text := range t.happened(min(mostHappens, mostLines-len(b.lines)-len(end.lines)), b.look.Width-labelled) {
			b.add(neutral, label, text, 1)
			label = ""
		}
	}
	b.lines = append(b.lines, end.lines...)
	return b.String()
}

// happened tells what a run did, in at most so many lines.
func (t *Task) happened(most, width int) []string {
	var own []string
	if x, ok := t.run.(Teller); ok {
		own = x.Tell()
	}
	if _, moves := t.run.(Mover); moves {
		if text := t.out.story.rest(); text != "" {
			own = append(own, text)
		}
	}
	return t.out.story.lines(own, most, width)
}

// exists reports whether a file is there.
func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// shown says where the files are, and what shows them.
func (t *Task) shown() string {
	page := filepath.Join(t.Dir, table.ReportFile)
	if exists(page) {
		return page + " shows it, -v prints all numbers"
	}
	return fmt.Sprintf("%s; a page of it: quasistatic report %s; all numbers: -v", t.Dir, t.Dir)
}

// first says the first of some texts, and how many there are.
func (b *brief) first(label string, list []string) {
	switch n := len(list); {
	case n == 1:
		b.add(faint, label, list[0], 1)
	case n > 1:
		b.add(faint, label, fmt.Sprintf("(1 of %d) %s", n, list[0]), 1)
	}
}

// verdict says whether a run is certified: by which number nearest to its limit, or why not.
func (b *brief) verdict(s *table.Summary) {
	failing := 0
	for i := range s.Facts {
		if f := &s.Facts[i]; f.Word != table.Expected && !f.Passed {
			failing++
		}
	}
	switch {
	case s.Status == table.Interrupted:
		b.add(bad, "INTERRUPTED", s.Message, mostFailure)
	case s.Status == table.Failed:
		b.add(bad, "FAILED", s.Message, mostFailure)
	case !s.Certified && failing > 1:
		b.add(bad, "NOT CERTIFIED", fmt.Sprintf("%s (the first of %d such facts)", s.Message, failing), mostFailure)
	case !s.Certified:
		b.add(bad, "NOT CERTIFIED", s.Message, mostFailure)
	default:
		b.add(good, "certified", "all steps solved, and accurate"+nearestFact(s.Facts), 2)
	}
}

// nearestFact is the number of the accuracy that is nearest to its limit.
func nearestFact(facts []table.Fact) string {
	var worst *table.Fact
	ratio := 0.0
	for i := range facts {
		f := &facts[i]
		if f.Word != table.Accurate || f.Basis == table.NotSaid || !(f.Limit > 0) {
			continue
		}
		if r := f.Value / f.Limit; worst == nil || r > ratio {
			worst, ratio = f, r
		}
	}
	switch {
	case worst == nil:
		return ""
	case ratio < 1e-6:
		return " to rounding"
	}
	return fmt.Sprintf("; nearest to its limit, %.3g of %s (%s): %s", worst.Value,
		strings.TrimRight(fmt.Sprintf("%.3g %s", worst.Limit, worst.Unit), " "), worst.Basis, worst.Name)
}

// expectations says how many are met, and those that are not.
func (b *brief) expectations(list []table.Outcome) {
	asked, missed := 0, []*table.Outcome{}
	for i := range list {
		if o := &list[i]; !o.Observed {
			asked++
			if !o.Met {
				missed = append(missed, o)
			}
		}
	}
	switch {
	case asked == 0:
		return
	case len(missed) == 0 && asked == 1:
		b.add(good, "as expected", "the expectation is met", 1)
		return
	case len(missed) == 0:
		b.add(good, "as expected", fmt.Sprintf("all %d expectations are met", asked), 1)
		return
	}
	for i, o := range missed[:min(len(missed), mostMissed)] {
		more := ""
		if i == 0 {
			more = fmt.Sprintf(" (%d of %d missed)", len(missed), asked)
		}
		word := "MISSED"
		if o.Undecided() {
			word = "NOT DECIDED"
		}
		b.add(bad, word, fmt.Sprintf("%s: %s, wanted %s%s", o.Label, o.Found(), o.Wanted(">=", "<="), more), 1)
	}
}

// BriefDiagnosis says in at most twelve lines what files are worth.
func BriefDiagnosis(width int, colour bool, k *casefile.Case, d Diagnosis) string {
	s := d.Result()
	b := newBrief(terminal.Look{Width: width, Colour: colour}, k)
	b.add(neutral, "read", fmt.Sprintf("t = 0 … %.6g s in %s", s.Time, Count(s.Steps, "step")), 1)
	b.verdict(s)
	b.expectations(s.Expectations)
	b.first("not shown", s.Unproved)
	b.add(neutral, "more", "-v prints what was looked at, with all numbers", 1)
	return b.String()
}
