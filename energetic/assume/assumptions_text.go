package assume

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/quasistatic/quasistatic/particles"
)

// shownSubsets is the number of index sets that the text lists.
const shownSubsets = 16

// WriteText writes the report that a reader wants: verdicts first, then why, then
// the constants and what to do.
func (a *Assumptions) WriteText(w io.Writer) error {
	t := &textReport{a: a}
	t.verdicts()
	if a.Printed != nil {
		t.indexSets()
		t.separation("(N4) as printed, at t = 0", a.Printed)
		if a.Condensed != nil {
			t.separation("(N4) with the dofs of I_f condensed out", a.Condensed)
		} else if a.CondensedNote != "" {
			t.line("(N4) with the dofs of I_f condensed out: not examined, %s", a.CondensedNote)
		}
		t.always()
		t.weakening()
		t.constants()
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

type textReport struct {
	a *Assumptions
	b strings.Builder
}

func (t *textReport) line(format string, args ...any) { fmt.Fprintf(&t.b, format+"\n", args...) }

func (t *textReport) verdicts() {
	a := t.a
	summary := map[Verdict]string{
		Holds:     "every assumption holds: a solution exists for a short time",
		Undecided: "not every assumption is decided",
		Fails:     "an assumption fails: existence is not guaranteed, and jumps or several solutions are possible",
	}
	t.line("%s", summary[a.Verdict()])
	for _, n := range []struct {
		name, what string
		it         Assumption
	}{{"N0", "admissible", a.N0}, {"N1", "smooth energy", a.N1}, {"N2", "smooth friction", a.N2},
		{"N3", "stable start", a.N3}, {"N4", "α_K > q_K", a.N4}} {
		t.line("(%s) %-15s %-9s  %s", n.name, n.what, n.it.Verdict, n.it.Detail)
	}
}

func (t *textReport) indexSets() {
	a := t.a
	t.line("")
	t.line("index sets at t = 0")
	for _, s := range []struct {
		name, what string
		set        particles.IndexSet
	}{{"I_c", "pressed", particles.Contact}, {"I_s", "grazing, may switch", particles.Switching},
		{"I_f", "out of contact", particles.Free}} {
		members := a.Members(s.set)
		t.line("  %s  %-20s %3d  %s", s.name, s.what, len(members), a.set(members))
	}
}

func (t *textReport) separation(title string, s *Separation) {
	t.line("")
	t.line("%s: %s", title, s.Verdict)
	t.table(s)
	t.line("  %s", t.a.explain(s))
	if !s.Complete {
		t.line("  smallest α − q of all 2^%d sets in %v, after %d branches", len(s.Switching), s.Margin, s.Nodes)
	}
	if s.Verdict == Fails && s.Worst.Alpha.Hi > 0 {
		t.culprits(s)
	}
}

// table lists index sets, the worst first if there are too many.
func (t *textReport) table(s *Separation) {
	list := append([]Subset(nil), s.Subsets...)
	cut := len(list) > shownSubsets
	if cut {
		sorted := &Separation{Subsets: list}
		sorted.order()
		list = sorted.Subsets[:shownSubsets]
	}
	w := tabwriter.NewWriter(&t.b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  K\tα_K\tq_K\tα_K − q_K\t(N4)")
	for _, k := range list {
		fmt.Fprintf(w, "  %s\t%v\t%v\t%v\t%s\n", t.a.set(k.K), k.Alpha, k.Q, k.Margin(), k.Verdict)
	}
	w.Flush()
	if cut {
		t.line("  … and %d more with larger margins", len(s.Subsets)-shownSubsets)
	}
}

// culprits names the particles whose sliding changes normal forces most.
func (t *textReport) culprits(s *Separation) {
	best, total := -1, 0.0
	for j, v := range s.Share {
		total += v
		if best < 0 || v > s.Share[best] {
			best = j
		}
	}
	if total > 0 {
		t.line("  most of q comes from particle %s (%.0f %% of q²); the direction of α is softest at %s",
			t.a.Names[best], 100*s.Share[best]/total, t.a.softest(s.Soft))
	}
}

func (t *textReport) always() {
	s := t.a.Always
	if s == nil || len(s.Switching) == 0 {
		return
	}
	t.line("")
	t.line("later index sets, every particle counted as switching: %s", s.Verdict)
	switch {
	case s.Verdict != Holds:
		t.line("  %s", t.a.explain(s))
	case t.a.Uniform:
		t.line("  (N4) holds for all 2^%d sets, α − q >= %.6g: landings and lift-offs do not endanger existence",
			len(s.Switching), s.Margin.Lo)
	default:
		t.line("  (N4) holds at Z_0 for all 2^%d sets, α − q >= %.6g; elsewhere D²E or M differ", len(s.Switching), s.Margin.Lo)
	}
}

func (t *textReport) constants() {
	e := t.a.Extension
	if e == nil {
		return
	}
	t.line("")
	t.line("constants over the cylinder [0, T_e] × A_e (%s)", e.certainty())
	t.line("  T_e    = %.6g s,  l_e = %s,  T_* >= %.6g s (limit: %s)", e.Te, metres(float64(e.Le)), e.TStar, e.Limit)
	t.line("  c_1    = %.6g N/s (‖∂_tDE‖, without the paper's ½),  c_2 = %.6g N/s", e.C1, e.C2)
	t.line("  c_lip  = %.6g m/s (4.8), with min(α_K,e − q_K,e) = %v", e.CLip, e.Separation.Margin)
	t.line("  C_σ    = %.6g,  C_fine = %.6g s/N (4.11)", e.CSigma, e.CFine)
	t.line("advice: %s", t.a.Advice.Text)
}

func (e *Extension) certainty() string {
	switch {
	case e.Certified:
		return "certified"
	case e.Separation.Sampled:
		return "sampled in time and space, not certified"
	}
	return "certified, but for suprema over time, which are sampled"
}

func metres(v float64) string {
	if math.IsInf(v, 1) {
		return "∞ (nothing depends on it)"
	}
	return fmt.Sprintf("%.6g m", v)
}
