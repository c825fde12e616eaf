package dissipation

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/signal"
)

// Slipping is isotropic friction that depends on how far its contact has slipped,
//
//	μ = μ(s),  ṡ = ‖v_T‖,  s(0) = 0,
//
// linear between the rows of a table and constant beyond: weakening as of faults [Ida72], hardening
// as of what wears in. s is an internal variable that grows whichever way the contact goes, and no
// function of places: a functional with such friction has a memory, see [Coulomb.Own].
//
// [Ida72] Y. Ida, Cohesive force across the tip of a longitudinal-shear crack and Griffith's specific
// surface energy, J. Geophys. Res. 77 (1972).
type Slipping struct{ table *signal.Table }

// NewSlipping takes ways [m], from 0 on and increasing, and the coefficients there.
func NewSlipping(ways, mu []float64) (Slipping, error) {
	if len(ways) < 2 {
		return Slipping{}, fmt.Errorf("dissipation: friction over slip has %d rows, want at least 2", len(ways))
	}
	if ways[0] != 0 {
		return Slipping{}, fmt.Errorf("dissipation: friction over slip begins at the way %g, want 0: what has not slipped", ways[0])
	}
	for _, x := range mu {
		if err := coefficient("mu", x); err != nil {
			return Slipping{}, err
		}
	}
	t, err := signal.NewTable(ways, mu)
	return Slipping{t}, err
}

// Mu returns μ(s).
func (m Slipping) Mu(s float64) float64 { return m.table.At(s) }

// Steepest returns the largest −dμ/ds and the largest dμ/ds, at least 0 [1/m].
func (m Slipping) Steepest() (fall, rise float64) {
	ways, _ := m.table.Rows()
	for _, s := range ways {
		fall, rise = max(fall, -m.table.Rate(s)), max(rise, m.table.Rate(s))
	}
	return fall, rise
}

// Most returns the largest μ.
func (m Slipping) Most() (mu float64) {
	_, values := m.table.Rows()
	for _, x := range values {
		mu = max(mu, x)
	}
	return mu
}

// At implements [Matrix]: that of a contact that has not slipped.
func (m Slipping) At(_, _ float64, deriv *[2][4]float64) [4]float64 {
	return Isotropic{m.Mu(0)}.At(0, 0, deriv)
}

// Constant implements [Matrix].
func (Slipping) Constant() bool { return false }

var _ Matrix = Slipping{}

// slips is the memory of a functional: how far contacts have slipped until a state. What the energies of its
// system remember is there.
type slips struct {
	at  Origin    // the state; none at the start
	way []float64 // by contact [m]
}

// Remembers reports whether friction depends on what contacts have slipped.
func (c *Coulomb) Remembers() bool {
	for _, m := range c.Matrices {
		if _, is := m.(Slipping); is {
			return true
		}
	}
	return false
}

// Own returns the same friction with a memory of its own, for who goes from state to state; c itself
// where nothing remembers. If energies do, see [particles.Remembering], its system is one of its own too. What it says of friction at a state is that of a straight way there from
// the last one that [Coulomb.Advance] or [Coulomb.Remember] were told, on which a contact that
// touches at both ends slips: the incremental problem with thresholds of its end is so that of the
// dissipation distance σ ∫_s^{s+‖Δ‖} μ, whose derivative by ‖Δ‖ is σ μ(s + ‖Δ‖).
func (c *Coulomb) Own() *Coulomb {
	if !c.Remembers() && !c.System.Remembers() {
		return c
	}
	own := c.On(c.System.Own())
	own.slips = &slips{way: make([]float64, len(c.Matrices))}
	if m := c.slips; m != nil {
		copy(own.slips.way, m.way)
		own.slips.at = Origin{T: m.at.T, Z: append([]float64(nil), m.at.Z...)}
		if m.at.Z == nil {
			own.slips.at.Z = nil
		}
	}
	return own
}

// Slipped returns how far contact j has slipped until a state z at the time t [m].
func (c *Coulomb) Slipped(t float64, j int, z []float64) float64 {
	m := c.slips
	if m == nil {
		return 0
	}
	s := m.way[j]
	if m.at.Z != nil && c.System.Touches(m.at.T, j, m.at.Z) && c.System.Touches(t, j, z) {
		a, b := c.Slide(t, j, z, m.at)
		s += math.Hypot(a, b)
	}
	return s
}

// Slips returns what a state has for a memory: how far all contacts have slipped until there [m], and then
// the internal variables of the energies that remember; nil where nothing does.
func (c *Coulomb) Slips(t float64, z []float64) []float64 {
	if c.slips == nil {
		return nil
	}
	list := make([]float64, len(c.Matrices))
	for j := range list {
		list[j] = c.Slipped(t, j, z)
	}
	return c.System.Variables(list, t, z)
}

// Advance takes the memory of c to a state. Nothing happens where nothing remembers.
func (c *Coulomb) Advance(t float64, z []float64) { c.Remember(t, z, c.Slips(t, z)) }

// Remember has the memory of c begin at a state that has such a memory; nil is nothing.
func (c *Coulomb) Remember(t float64, z, slipped []float64) {
	if c.slips == nil {
		return
	}
	clear(c.slips.way)
	c.System.Recall(slipped[copy(c.slips.way, slipped):])
	c.slips.at = Origin{T: t, Z: append(c.slips.at.Z[:0], z...)}
}

// SlipCuts appends the shares of a way from one state to another, at times, at which the friction of
// contact j has a kink: ends of the rows of its table.
func (c *Coulomb) SlipCuts(dst []float64, j int, from, t float64, before, z []float64) []float64 {
	m, is := c.Matrices[j].(Slipping)
	if !is {
		return dst
	}
	s0, s1 := c.Slipped(from, j, before), c.Slipped(t, j, z)
	ways, _ := m.table.Rows()
	for _, s := range ways {
		if s > s0 && s < s1 {
			dst = append(dst, (s-s0)/(s1-s0))
		}
	}
	return dst
}
