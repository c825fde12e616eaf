package halfspace

import (
	"errors"
	"fmt"
	"math"
)

// Control prescribes one of the rigid displacements of the upper body, or the force
// along it.
type Control struct {
	// Force says that Value is the force on the upper body by the contact [N], or
	// its moment about the pole [N·m]; pressing and moving it along x, y are
	// positive. Otherwise Value is the displacement [m] or rotation [rad]: along n
	// and of the tilts in all (−approach), along the surface and of the spin since
	// the step before.
	Force bool
	Value float64
}

// Problem is one step of two bodies in contact:
//
//	gap   y_n = h + (C p)_n + ξ_n            >= 0 ⊥ p_n >= 0
//	slip  y_t = (C p)_t − u⁰ + ξ_t,  |D p_t| <= g,  y_t against p_t: g|D⁻¹y_t| + p_t·y_t = 0
//
// with D = diag(1, 1/Ratio) and g = Threshold + Coefficient·p_n, where Touching only if p_n > 0.
type Problem struct {
	// Gap is the distance h of the undeformed surfaces [m].
	Gap []float64
	// Before is u⁰, the elastic displacement along the surface of the material that
	// is at the element now, before the step [m]; its normal part is not used. Nil
	// components are zero.
	Before Field
	// Steady, if not zero, is the way [m] that the contact moves over the material in
	// a step of steady rolling: u⁰ is u that far ahead, and Before is not used.
	// Displacements along the surface are then creepages times that way.
	Steady [2]float64
	// Coefficient of friction μ by element; nil: none. [-]
	Coefficient []float64
	// Threshold is a friction bound by element that does not depend on pressure
	// (Tresca), where bodies touch or not; nil: none. [Pa]
	Threshold []float64
	// Touching says that the threshold holds where the bodies press, and is zero elsewhere.
	Touching bool
	// Ratio of friction along y to that along x; 0 stands for 1, isotropic. [-]
	Ratio float64
	// Control of the rigid displacements; default all prescribed to be zero.
	Control [Moves]Control
	// Pole of rotations and moments [m].
	Pole [2]float64
}

// Validate names what is wrong.
func (p *Problem) Validate(g Grid) error {
	n := g.Len()
	for _, v := range []struct {
		name string
		v    []float64
		nil  bool
		low  float64
	}{
		{"gap", p.Gap, false, math.Inf(-1)},
		{"displacement before along x", p.Before[X], true, math.Inf(-1)},
		{"displacement before along y", p.Before[Y], true, math.Inf(-1)},
		{"coefficient of friction", p.Coefficient, true, 0},
		{"friction bound", p.Threshold, true, 0},
	} {
		if v.v == nil && v.nil {
			continue
		}
		if len(v.v) != n {
			return fmt.Errorf("halfspace: %s: %d values for %d elements", v.name, len(v.v), n)
		}
		for k, x := range v.v {
			if !(x >= v.low) || math.IsInf(x, 0) {
				return fmt.Errorf("halfspace: %s of element %d is %v", v.name, k, x)
			}
		}
	}
	if !(p.Ratio >= 0) || math.IsInf(p.Ratio, 1) {
		return fmt.Errorf("halfspace: ratio of friction %v, want a positive number", p.Ratio)
	}
	if math.IsNaN(p.Steady[0]+p.Steady[1]) || math.IsInf(p.Steady[0], 0) || math.IsInf(p.Steady[1], 0) {
		return fmt.Errorf("halfspace: rolls by %v m", p.Steady)
	}
	for m, c := range p.Control {
		if math.IsNaN(c.Value) || math.IsInf(c.Value, 0) {
			return fmt.Errorf("halfspace: control %d is %v", m, c.Value)
		}
	}
	if c := p.Control[MoveN]; c.Force && !(c.Value >= 0) {
		return fmt.Errorf("halfspace: the bodies are pulled apart by %v N: they separate, and no rest is found", -c.Value)
	}
	if !p.Control[MoveN].Force && (p.Control[TurnX].Force || p.Control[TurnY].Force) {
		return nil
	}
	if math.IsNaN(p.Pole[0]+p.Pole[1]) || math.IsInf(p.Pole[0]+p.Pole[1], 0) {
		return errors.New("halfspace: the pole is not finite")
	}
	return nil
}

// frictional reports whether anything acts along the surface.
func (p *Problem) frictional() bool { return p.Coefficient != nil || p.Threshold != nil }

// bound is the friction bound of element k under a pressure.
func (p *Problem) bound(k int, pressure float64) (g float64) {
	if p.Threshold != nil && (pressure > 0 || !p.Touching) {
		g = p.Threshold[k]
	}
	if p.Coefficient != nil {
		g += p.Coefficient[k] * pressure
	}
	return g
}

func (p *Problem) ratio() float64 {
	if p.Ratio == 0 {
		return 1
	}
	return p.Ratio
}

// Options are wishes; nil and zero values mean the defaults.
type Options struct {
	// Gap is the duality gap at which a step is solved, of the elastic energy of
	// its normal tractions, and of the friction's share of it. Default 1e-8. [-]
	Gap float64
	// Sweeps through normal and tangential problems. Default 400.
	Sweeps int
}

// DefaultGap is the gap at which a step is solved, without a wish.
const DefaultGap = 1e-8

func (o *Options) gap() float64 {
	if o == nil || o.Gap == 0 {
		return DefaultGap
	}
	return o.Gap
}

func (o *Options) sweeps() int {
	if o == nil || o.Sweeps == 0 {
		return 400
	}
	return o.Sweeps
}

// Result of a step.
type Result struct {
	P     Field          // tractions on the upper body [Pa]
	U     Field          // elastic displacement, upper relative to lower body [m]
	Y     Field          // gaps and slips of the step [m]
	Bound []float64      // friction bound g [Pa]
	Move  [Moves]float64 // rigid displacements, prescribed or found
	Force [Moves]float64 // resultants [N], [N·m]
	Verdict
	Products int // products with the operator, of whatever size
	Sweeps   int
}
