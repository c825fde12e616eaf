package particles

import (
	"errors"
	"fmt"
	"math"
)

// Elastic is the material of a half-space.
type Elastic struct {
	Young   float64 // E [Pa], positive
	Poisson float64 // ν [-], in (−1, 0.5]
}

func (m Elastic) validate() error {
	if !(m.Young > 0) || math.IsInf(m.Young, 1) {
		return fmt.Errorf("the modulus of elasticity %v is not positive and finite", m.Young)
	}
	if !(m.Poisson > -1 && m.Poisson <= 0.5) {
		return fmt.Errorf("the ratio of Poisson %v is not in (-1, 0.5]", m.Poisson)
	}
	return nil
}

// Compliance holds the constants of the relative displacement of two half-spaces
// under forces on their common surface, u = C f, with
//
//	C_nn = A/r,  C_tt = A/r + B ξ²/r³,  C_oo = A/r + B η²/r³,  C_to = B ξη/r³,
//	C_nt = −C_tn = D ξ/r²,  C_no = −C_on = D η/r²,
//
// at (ξ, η) from a unit force, sums over the bodies of A = (1−ν²)/(πE),
// B = ν(1+ν)/(πE) and D = ±(1+ν)(1−2ν)/(2πE). [m/N·m]
type Compliance struct{ A, B, D float64 }

// ElasticOnRigid is a half-space on a rigid obstacle; its normal and tangential
// displacements are coupled unless ν = 0.5.
func ElasticOnRigid(m Elastic) (Compliance, error) {
	if err := m.validate(); err != nil {
		return Compliance{}, fmt.Errorf("particles: compliance: %w", err)
	}
	pe := math.Pi * m.Young
	return Compliance{
		A: (1 - m.Poisson*m.Poisson) / pe,
		B: m.Poisson * (1 + m.Poisson) / pe,
		D: (1 + m.Poisson) * (1 - 2*m.Poisson) / (2 * pe),
	}, nil
}

// ElasticPair is a half-space on another one: relative displacements add up, and
// the couplings are subtracted, to zero between similar bodies.
func ElasticPair(upper, lower Elastic) (Compliance, error) {
	u, err := ElasticOnRigid(upper)
	l, err2 := ElasticOnRigid(lower)
	if err = errors.Join(err, err2); err != nil {
		return Compliance{}, err
	}
	return Compliance{u.A + l.A, u.B + l.B, u.D - l.D}, nil
}

// block returns the 3×3 block of C, rows first, components t, o, n.
func (c Compliance) block(p patch) [9]float64 {
	one := c.A * (p.xx + p.yy)
	return [9]float64{
		one + c.B*p.xx, c.B * p.xy, -c.D * p.x,
		c.B * p.xy, one + c.B*p.yy, -c.D * p.y,
		c.D * p.x, c.D * p.y, one,
	}
}

// Influence is how a force spreads over its grid cell.
type Influence int

const (
	// UniformPatches spreads it evenly over the cell, Love's solution.
	UniformPatches Influence = iota
	// PointLoads is the table of [Song], Appendix A: points forces at a distance
	// and special values at the point itself, for square cells. Two misprints are
	// mended: the factor of ξ_nn at i = j is 0.95(1−ν²)/ρ₀, the mean displacement
	// of a square, without π; and ξ_to has the factor ν.
	PointLoads
)

// cell returns the block of C for a force on a cell with half-sides a, b at
// (x, y) from it.
func (c Compliance) cell(kind Influence, x, y, a, b float64) [9]float64 {
	if kind == UniformPatches {
		return c.block(uniformPatch(x, y, a, b))
	}
	if x != 0 || y != 0 {
		return c.block(pointPatch(x, y))
	}
	// Normal: mean over a square. Tangential: centre of a circle of equal area,
	// where 1/r integrates to twice ξ²/r³.
	side := 2 * a
	normal := 0.95 * math.Pi * c.A / side
	tangential := math.Sqrt(math.Pi) * (2*c.A + c.B) / side
	return [9]float64{tangential, 0, 0, 0, tangential, 0, 0, 0, normal}
}
