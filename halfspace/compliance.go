package halfspace

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
		return Compliance{}, fmt.Errorf("halfspace: compliance: %w", err)
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
