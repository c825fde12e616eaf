package assume

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/particles"
)

// constants computes (4.1), (4.8), (4.11) and T_* for a cylinder with (3.3).
func (c *checker) constants(cyl *cylinder, sep *Separation) *Extension {
	e := &Extension{Te: Number(cyl.te), Le: Number(cyl.le), Separation: sep, RatesExact: cyl.rates.certified,
		CFineSwitching: Number(math.Inf(1))}
	e.Certified = e.RatesExact && !sep.Sampled && c.quadratic
	e.C1 = Number(cyl.rates.c1)
	for j, set := range c.Sets {
		if set != particles.Free {
			e.C2 += Number(cyl.rates.rate[j] * cyl.size[j])
		}
	}
	clip := float64(e.C1+e.C2) / sep.Margin.Lo
	e.CLip = Number(clip)
	largest, switching := 0.0, 0.0
	for j, set := range c.Sets {
		if !c.sys.Constrained(j) {
			continue
		}
		largest = max(largest, cyl.rates.rate[j]+cyl.row[j])
		if set == particles.Switching {
			switching = max(switching, cyl.rates.rate[j]+cyl.dsigma[j]*clip)
		}
	}
	e.CSigma = Number(largest)
	e.CFine = Number(1 / (2 * largest * (1 + clip)))
	if switching > 0 {
		e.CFineSwitching = Number(1 / (2 * switching))
	}
	e.TStar, e.Limit = c.existence(cyl, clip)
	return e
}

// existence is T_*: until it, z(t) stays inside Q_{l_e}, particles of I_f stay in
// the air and those of I_c pressed.
func (c *checker) existence(cyl *cylinder, clip float64) (Number, string) {
	t, limit := cyl.te, "the end of the evolution"
	if cyl.te < c.Until {
		limit = "T_e of the cylinder"
	}
	shorten := func(until float64, why string, j int) {
		if until < t {
			t, limit = until, why
			if j >= 0 {
				limit = fmt.Sprintf(why, c.Names[j])
			}
		}
	}
	shorten(cyl.le/(2*clip), "z may leave the cuboid of l_e", -1)
	for j, set := range c.Sets {
		switch {
		case !c.sys.Constrained(j):
		case set == particles.Free:
			shorten(c.z0[3*j+2]/clip, "particle %s, which starts in the air, may land", j)
		case set == particles.Contact:
			shorten(c.Sigma[j]/(cyl.rates.rate[j]+cyl.dsigma[j]*clip), "particle %s, which starts pressed, may unload", j)
		}
	}
	return Number(t), limit
}

// Advice is what a run should use.
type Advice struct {
	Gamma Number `json:"gamma"` // γ [N]
	Step  Number `json:"step"`  // largest step [s] with f_Π <= C_fine γ
	Text  string `json:"text"`
}

// gammaFraction is the advised γ over the largest normal force: forces below it
// count as grazing.
const gammaFraction = 1e-3

// advise recommends γ and the step. A step longer than the evolution means that
// any will do.
func (c *checker) advise() {
	e := c.Extension
	if e == nil {
		return
	}
	a := &c.Advice
	if len(c.Members(particles.Switching)) == 0 {
		a.Step = Number(c.Until)
		a.Text = "no particle switches at the start: gamma may be 0 until one lands or unloads, and the bound on the speed holds for any equal steps"
		c.adviseStanding(a)
		return
	}
	a.Gamma = Number(c.opt.Gamma)
	if c.opt.Gamma == 0 {
		a.Gamma = Number(gammaFraction * c.largestForce())
	}
	a.Step = min(e.CFineSwitching*a.Gamma, Number(c.Until))
	a.Text = fmt.Sprintf("gamma = %.3g N with equal steps of at most %.3g s (f_Π <= C_fine γ with the constants of the switching particles; (4.11) as printed asks for %.3g s), or implicit thresholds",
		a.Gamma, a.Step, e.CFine*a.Gamma)
	if c.opt.Step > 0 && c.opt.Gamma > 0 {
		if Number(c.opt.Step) <= a.Step {
			a.Text += fmt.Sprintf("; the planned step %.3g s is short enough", c.opt.Step)
		} else {
			a.Text += fmt.Sprintf("; the planned step %.3g s is longer: watch that normal forces change by less than γ/2 in a step",
				c.opt.Step)
		}
	}
}

// adviseStanding adds the γ that a long run should use once particles switch.
func (c *checker) adviseStanding(a *Advice) {
	if f := c.largestForce(); f > 0 {
		a.Text += fmt.Sprintf("; for later, gamma near %.2g N is a thousandth of the largest normal force", gammaFraction*f)
	}
}

// largestForce returns the largest normal force at Z_0 over all times, or the
// largest force if nothing is ever pressed there.
func (c *checker) largestForce() float64 {
	b := c.ratesUntil(c.Until)
	if f := floats.Norm(b.sigma, math.Inf(1)); f > 0 {
		return f
	}
	return max(floats.Norm(c.grad, math.Inf(1)), b.c1*c.Until)
}
