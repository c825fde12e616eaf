package report

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/quasistatic/quasistatic/table"
)

// Verdict is the first thing that the page says.
type Verdict struct {
	Class     string // good, poor, open
	Headline  string
	Sentences []string
}

// Lines returns the sentences as they are set: powers of ten as such, and numbers on
// one line with their units.
func (v Verdict) Lines() []string {
	list := make([]string, len(v.Sentences))
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
	scientific = regexp.MustCompile(`\b(\d+(?:\.\d+)?)e\+?(-?)0*(\d+)\b`)
	quantity   = regexp.MustCompile(`([\d⁰¹²³⁴⁵⁶⁷⁸⁹]) (%|(?:J|N|m|s|rad)\b)`)
	raised     = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")
)

// Words turns a summary into a verdict in plain words; nil: the run has none yet.
func Words(s *table.Summary) Verdict {
	if s == nil {
		return Verdict{"open", "Not finished", []string{"The run has not ended, or was killed. What follows is what it had computed so far."}}
	}
	v := headline(s)
	if s.Message != "" {
		v.Sentences = append(v.Sentences, s.Message+".")
	}
	c := &s.Certificates
	if s.Steps == 0 || s.Status == table.Running {
		return v
	}
	v.Sentences = append(v.Sentences,
		fmt.Sprintf("Stability: at no node would another state have been better by more than %s; %s.", joule(c.StabilityGap), share(c.StabilityGap, c.EnergyScale)),
		fmt.Sprintf("Balance: stored and dissipated energy differ from the work of the loads by at most %s; %s.", joule(c.BalanceResidual), share(c.BalanceResidual, c.EnergyScale)),
		fmt.Sprintf("Forces: no particle is out of balance by more than %.2g N at a node, where the largest force is %.4g N.", c.ForceResidual, c.ForceScale))
	if !c.Convex {
		v.Sentences = append(v.Sentences, "The energy is not quadratic: stability is known near each state, not against all others.")
	}
	if len(s.Jumps) > 0 {
		v.Sentences = append(v.Sentences, fmt.Sprintf("The evolution jumps %s: there no continuous solution was found.", times(len(s.Jumps))))
	}
	return v
}

func headline(s *table.Summary) Verdict {
	met := 0
	for i := range s.Expectations {
		if s.Expectations[i].Met {
			met++
		}
	}
	all := len(s.Expectations)
	switch {
	case s.Status == table.Running:
		return Verdict{"open", "Running, or killed", []string{"The run has not ended. What follows is what it has computed so far."}}
	case s.Status == table.Interrupted:
		return Verdict{"open", "Stopped before the end", nil}
	case s.Status == table.Failed:
		return Verdict{"poor", "Failed", nil}
	case !s.Certified:
		return Verdict{"poor", "Not certified", nil}
	case met < all:
		return Verdict{"poor", fmt.Sprintf("Certified, but only %d of %d expectations are met", met, all), nil}
	case all > 0:
		return Verdict{"good", fmt.Sprintf("Certified: every step is solved, and all %d expectations are met", all), nil}
	}
	return Verdict{"good", "Certified: every step is solved", nil}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func joule(v float64) string { return minus(fmt.Sprintf("%.2g J", v)) }

// minus sets the sign of a number that begins a text.
func minus(text string) string {
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		return "−" + rest
	}
	return text
}

// share says how much an error is of the energies.
func share(v, scale float64) string {
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
type Row struct{ Name, Value, Note string }

// Certificates lists the numbers behind the verdict.
func Certificates(s *table.Summary) []Row {
	if s == nil || s.Steps == 0 {
		return nil
	}
	c := &s.Certificates
	return []Row{
		{"steps", fmt.Sprintf("%.2g J", c.StepStabilityGap), fmt.Sprintf("largest gap of a step's own problem; allowed %.3g J", c.Tolerance*c.EnergyScale)},
		{"(S) stability", fmt.Sprintf("%.2g J", c.StabilityGap), "largest sup over y of E(t,z) − E(t,y) − Ψ(t,z,y−z)"},
		{"(E) balance", fmt.Sprintf("%.2g J", c.BalanceResidual), "largest |E(t) + dissipation − E(0) − work|"},
		{"(DI) forces", fmt.Sprintf("%.2g N", c.ForceResidual), fmt.Sprintf("largest force that nothing balances; forces go up to %.4g N", c.ForceScale)},
		{"upper estimate", fmt.Sprintf("%.2g J", c.UpperEstimate), "smallest share of a step; not below zero"},
		{"lower estimate", fmt.Sprintf("%.2g J", c.LowerEstimate), "smallest share of a step"},
		{"speed", fmt.Sprintf("%.4g m/s", c.Lipschitz), "largest ‖ż‖"},
		{"energies at the end", fmt.Sprintf("%.4g J", c.Energy), fmt.Sprintf("stored; %.4g J dissipated; %.4g J of work", c.Dissipation, c.Work)},
	}
}
