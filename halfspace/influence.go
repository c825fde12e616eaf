package halfspace

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Influence is the surface displacement by a uniform traction on a rectangle, of a
// body that is the same everywhere and isotropic in its plane: layers as well as
// half-spaces.
type Influence interface {
	// Block returns B with u = B p at (x, y) from the centre of the rectangle with
	// sides dx, dy under the traction p = 1 Pa; rows first, components x, y, n [m/Pa].
	// B(−x, −y) = B(x, y)ᵀ; B_xy is odd in x and in y, B_xn and B_nx are odd in x
	// and even in y, B_yn and B_ny the other way round, the others are even in both.
	Block(x, y, dx, dy float64) [9]float64
	// Couples reports whether normal tractions move the surface along itself.
	Couples() bool
}

// Patches is the half-space of Love, Boussinesq and Cerruti, exact for uniform
// tractions.
type Patches struct{ Compliance }

// Block implements [Influence].
func (h Patches) Block(x, y, dx, dy float64) [9]float64 {
	return h.block(uniformPatch(x, y, dx/2, dy/2), dx*dy)
}

// Couples implements [Influence].
func (h Patches) Couples() bool { return h.D != 0 }

// block returns the 3×3 block for the traction 1 on an area.
func (c Compliance) block(p patch, area float64) [9]float64 {
	one, b, d := area*c.A*(p.xx+p.yy), area*c.B, area*c.D
	return [9]float64{
		one + b*p.xx, b * p.xy, -d * p.x,
		b * p.xy, one + b*p.yy, -d * p.y,
		d * p.x, d * p.y, one,
	}
}

// Points is the table of [Song04], Appendix A: point forces at a distance and
// special values at the point itself, for square cells. Two misprints are mended:
// the factor of ξ_nn at i = j is 0.95(1−ν²)/ρ₀, the mean displacement of a square,
// without π; and ξ_to has the factor ν.
type Points struct{ Compliance }

// Block implements [Influence].
func (h Points) Block(x, y, dx, dy float64) [9]float64 {
	if x != 0 || y != 0 {
		return h.block(pointPatch(x, y), dx*dy)
	}
	// Normal: mean over a square. Tangential: centre of a circle of equal area,
	// where 1/r integrates to twice ξ²/r³.
	normal := 0.95 * math.Pi * h.A * dx
	tangential := math.Sqrt(math.Pi) * (2*h.A + h.B) * dx
	return [9]float64{tangential, 0, 0, 0, tangential, 0, 0, 0, normal}
}

// Couples implements [Influence].
func (h Points) Couples() bool { return h.D != 0 }

// PlaneStrain is the half-plane: strips along y that are loaded evenly. The
// displacement of a half-plane is known up to a constant only; here it is measured
// from the surface at the distance Reference, which must exceed the width of the
// window: approach and shift depend on it as its logarithm, tractions under
// prescribed forces do not.
type PlaneStrain struct {
	Compliance
	Reference float64 // [m]
}

// Block implements [Influence]: the integrals over −∞ < η < ∞ of those of Patches,
// ∫dη/r = −2 ln|ξ| up to a constant and ∫dη ξ/r² = π sign ξ.
func (h PlaneStrain) Block(x, _, dx, _ float64) [9]float64 {
	lower, upper := x-dx/2, x+dx/2
	// ∫ ln(|ξ|/L) dξ = ξ(ln(|ξ|/L) − 1)
	log := xlog(upper, h.Reference) - xlog(lower, h.Reference)
	sign := math.Abs(upper) - math.Abs(lower)
	one, coupling := -2*h.A*log, math.Pi*h.D*sign
	return [9]float64{
		one, 0, -coupling,
		0, one - 2*h.B*log, 0,
		coupling, 0, one,
	}
}

func xlog(x, l float64) float64 {
	if x == 0 {
		return 0
	}
	return x * (elementary.Log(math.Abs(x)/l) - 1)
}

// Couples implements [Influence].
func (h PlaneStrain) Couples() bool { return h.D != 0 }

// validator is what an influence may add: a check of its numbers on a window.
type validator interface{ validate(g Grid) error }

func (c Compliance) validate(Grid) error {
	for _, v := range [...]float64{c.A, c.B, c.D} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("compliance %v is not finite", c)
		}
	}
	if !(c.A > 0) {
		return fmt.Errorf("compliance %v is not positive", c)
	}
	return nil
}

func (h Points) validate(g Grid) error {
	if g.DX != g.DY {
		return fmt.Errorf("point loads need square elements, not %v×%v m", g.DX, g.DY)
	}
	return h.Compliance.validate(g)
}

func (h PlaneStrain) validate(g Grid) error {
	if g.NY != 1 {
		return fmt.Errorf("plane strain has 1 element along y, not %d", g.NY)
	}
	if width := float64(g.NX) * g.DX; !(h.Reference > width) {
		return fmt.Errorf("the reference distance %v m is not above the width %v m of the window", h.Reference, width)
	}
	return h.Compliance.validate(g)
}
