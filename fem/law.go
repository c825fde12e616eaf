package fem

import (
	"fmt"
	"math"
)

// Law is the stored energy of an isotropic hyperelastic material by the invariants of C = FᵀF,
//
//	Ī₁ = J^(−⅔) tr C,   Ī₂ = J^(−4/3) tr cof C,   J = det F,
//
// of which the first two do not see a change of volume.
type Law interface {
	// Density returns W [J/m³] at x = (Ī₁ − 3, Ī₂ − 3, J − 1) with its first and second derivatives by x. W is
	// 0 at x = 0 and has no slope by J there.
	Density(x [3]float64) (w float64, d [3]float64, dd [3][3]float64)
}

var (
	_ Law = NeoHookean{}
	_ Law = MooneyRivlin{}
)

// NeoHookean is the compressible material of [BonetWood08] (6.27),
//
//	W = μ/2 (tr C − 3) − μ ln J + λ/2 (ln J)²,
//
// with the λ and μ [Pa] that it has for small strains.
type NeoHookean struct{ Lambda, Mu float64 }

// NeoHookean is the material with the moduli of an isotropic one.
func (e Elastic) NeoHookean() NeoHookean {
	lambda, mu := e.Lame(3)
	return NeoHookean{lambda, mu}
}

// Density implements [Law]: with q = J^⅔ and y = q − 1 it is μ/2 q (Ī₁ − 3) + 3/2 μ (y − ln(1 + y)) + λ/2 (ln J)².
func (n NeoHookean) Density(x [3]float64) (w float64, d [3]float64, dd [3][3]float64) {
	j, log, y := 1+x[2], math.Log1p(x[2]), powered(x[2])
	q := 1 + y
	slope := 2. / 3 * q / j // of q
	w = n.Mu*(q*x[0]+3*excess(y))/2 + n.Lambda/2*log*log
	d[0] = n.Mu / 2 * q
	d[2] = n.Mu/2*slope*x[0] + (n.Mu*y+n.Lambda*log)/j
	dd[0][2] = n.Mu / 2 * slope
	dd[2][0] = dd[0][2]
	dd[2][2] = -n.Mu/6*slope*x[0]/j + (n.Mu*slope+n.Lambda/j)/j - (n.Mu*y+n.Lambda*log)/(j*j)
	return w, d, dd
}

// excess returns x − ln(1+x) without cancellation: with y = x/(2+x),
// ln(1+x) = 2(y + y³/3 + y⁵/5 + …) and x − 2y = xy.
func excess(x float64) float64 {
	if math.Abs(x) > 0.1 {
		return x - math.Log1p(x)
	}
	y := x / (2 + x)
	y2 := y * y // at most 0.0028: eight terms suffice
	series := 0.0
	for n := 17; n >= 3; n -= 2 {
		series = y2*series + 1/float64(n)
	}
	return x*y - 2*y*y2*series
}

// MooneyRivlin is W = c₁(Ī₁ − 3) + c₂(Ī₂ − 3) + κ/2 (J − 1)², which for small strains has the shear modulus
// 2(c₁ + c₂) and the bulk modulus κ [Holzapfel00] (6.146).
type MooneyRivlin struct{ C1, C2, Bulk float64 } // [Pa]

// Validate names the first parameter out of range. A negative c₁ or c₂ has strains of which the energy has no
// lower bound.
func (m MooneyRivlin) Validate() error {
	switch {
	case !(m.C1 >= 0) || math.IsInf(m.C1, 1):
		return &ParameterError{"c1", fmt.Sprintf("c1 is %g Pa, want a finite number >= 0", m.C1)}
	case !(m.C2 >= 0) || math.IsInf(m.C2, 1):
		return &ParameterError{"c2", fmt.Sprintf("c2 is %g Pa, want a finite number >= 0", m.C2)}
	case m.C1+m.C2 == 0:
		return &ParameterError{"c1", "c1 and c2 are 0, want one above: nothing resists shear"}
	case !(m.Bulk > 0) || math.IsInf(m.Bulk, 1):
		return &ParameterError{"bulk", fmt.Sprintf("the bulk modulus is %g Pa, want a finite number > 0", m.Bulk)}
	}
	return nil
}

// Elastic is the linear material that it is for small strains: E = 9κμ/(3κ + μ), ν = (3κ − 2μ)/(6κ + 2μ).
func (m MooneyRivlin) Elastic() Elastic {
	mu := 2 * (m.C1 + m.C2)
	return Elastic{Young: 9 * m.Bulk * mu / (3*m.Bulk + mu), Poisson: (3*m.Bulk - 2*mu) / (6*m.Bulk + 2*mu)}
}

// Density implements [Law].
func (m MooneyRivlin) Density(x [3]float64) (w float64, d [3]float64, dd [3][3]float64) {
	dd[2][2] = m.Bulk
	d = [3]float64{m.C1, m.C2, m.Bulk * x[2]}
	return m.C1*x[0] + m.C2*x[1] + m.Bulk/2*x[2]*x[2], d, dd
}
