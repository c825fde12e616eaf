package assume

import (
	"fmt"
	"math"
	"strings"
)

// explain says in a sentence what decides (N4), and what would mend it.
func (a *Assumptions) explain(s *Separation) string {
	w := &s.Worst
	k := a.set(w.K)
	switch {
	case s.Verdict == Fails && w.Alpha.Hi <= 0:
		return fmt.Sprintf("α = %v <= 0 for K = %s: the energy is not strictly convex, nothing holds %s", w.Alpha, k, a.softest(s.Soft))
	case s.Verdict == Fails:
		return fmt.Sprintf("q = %v >= α = %v for K = %s: %s", w.Q, w.Alpha, k, a.excess(s, "is not below"))
	case s.Verdict == Undecided:
		return fmt.Sprintf("undecided: the smallest α − q is in %v after %d branches of 2^%d index sets; the worst K computed is %s with α = %v, q = %v",
			s.Margin, s.Nodes, len(s.Switching), k, w.Alpha, w.Q)
	case w.Q.Hi == 0 && s.Margin.Lo >= w.Alpha.Lo*(1-1e-9):
		return fmt.Sprintf("α = %v > q = 0: sliding does not change the normal forces (nor the roughness) of any K", w.Alpha)
	}
	return fmt.Sprintf("α = %v > q = %v for the worst K = %s: %s", w.Alpha, w.Q, k, a.excess(s, "is below"))
}

// excess compares the friction with its critical value: q is proportional to the
// friction, and α does not depend on it.
func (a *Assumptions) excess(s *Separation, verb string) string {
	factor := s.Factor
	if !(factor.Hi < math.Inf(1)) {
		return "no friction coefficient is critical"
	}
	if mu, ok := a.common(); ok {
		mend := Interval{mu * factor.Lo, mu * factor.Hi}
		if mu > mend.Hi*(1+critical) {
			verb = "exceeds"
		}
		return fmt.Sprintf("friction μ = %.6g %s μ_c = %v", mu, verb, mend)
	}
	if verb == "is not below" {
		return fmt.Sprintf("all friction coefficients together must be smaller than %v times what they are", factor)
	}
	return fmt.Sprintf("all friction coefficients together may grow to %v times what they are", factor)
}

// common returns the friction coefficient if all rough particles have the same.
func (a *Assumptions) common() (mu float64, ok bool) {
	for _, m := range a.Mu {
		if m != 0 && mu != 0 && math.Abs(m-mu) > 1e-12*mu {
			return 0, false
		}
		mu = max(mu, m)
	}
	return mu, mu > 0
}

// set prints index sets: {a, b, …}.
func (a *Assumptions) set(k []int) string {
	const shown = 8
	var b strings.Builder
	b.WriteByte('{')
	for i, j := range k {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == shown && len(k) > shown+1 {
			fmt.Fprintf(&b, "… %d in all", len(k))
			break
		}
		b.WriteString(a.Names[j])
	}
	return b.String() + "}"
}

var axisNames = [3]string{"t", "o", "n"}

// softest names the largest component of a direction.
func (a *Assumptions) softest(x []float64) string {
	best := 0
	for d, v := range x {
		if math.Abs(v) > math.Abs(x[best])*(1+1e-9) {
			best = d
		}
	}
	if len(x) == 0 {
		return "it"
	}
	return fmt.Sprintf("particle %s along %s", a.Names[best/3], axisNames[best%3])
}
