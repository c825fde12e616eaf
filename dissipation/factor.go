package dissipation

import (
	"fmt"

	"github.com/quasistatic/quasistatic/signal"
)

// SetFactors lets friction change with time: the matrix of contact j is m_j(t)·M^(j)(z),
// with the factor m_j of the list, 1 where it is nil. Factors below zero count as zero.
func (c *Coulomb) SetFactors(factors []signal.Scalar) error {
	if len(factors) != len(c.Matrices) {
		return fmt.Errorf("dissipation: %d factors of friction for %d contacts", len(factors), len(c.Matrices))
	}
	c.factors = nil
	for _, f := range factors {
		if f != nil {
			c.factors = factors
		}
	}
	return nil
}

// Timed reports whether friction changes with time.
func (c *Coulomb) Timed() bool { return c.factors != nil }

// Factor returns m_j(t).
func (c *Coulomb) Factor(j int, t float64) float64 {
	if c.factors == nil || c.factors[j] == nil {
		return 1
	}
	return max(c.factors[j].At(t), 0)
}

// Breaks appends the times in (t0, t1) at which ∂_tE or the rate of a factor jumps,
// ascending, each once.
func (c *Coulomb) Breaks(dst []float64, t0, t1 float64) []float64 {
	n := len(dst)
	dst = c.System.Breaks(dst, t0, t1)
	if c.factors == nil {
		return dst
	}
	for _, f := range c.factors {
		if f != nil {
			dst = signal.Vector{f}.Breaks(dst, t0, t1)
		}
	}
	return signal.SortBreaks(dst, n)
}

// FactorBends reports whether the factor of contact j may be more than affine between breaks.
func (c *Coulomb) FactorBends(j int) bool {
	if c.factors == nil || c.factors[j] == nil {
		return false
	}
	bound, known := signal.DerivativeBound(c.factors[j], 2)
	return !known || bound > 0
}
