package law

import (
	"encoding/json"
	"fmt"
	"math"
)

// Compliant is a contact with a spring and a damper in series with another law, which
// acts between u + C r + o and r:
//
//	static  (Step = 0, forces and displacements)   C = s,                o = δ,
//	dynamic (Step = h, impulses and velocities)    C = s/(h(h + s d)),   o = δ/(h + s d),
//
// with s = 1/k the compliance, d the damping and δ the gap at the start, so that an
// impulse is r_N = −h(k(δ + h u_N) + d u_N) where the inner law lets it press. s = 0 is
// the rigid contact exactly. Tangents may have a compliance of their own, without gap.
type Compliant struct {
	Law        Law     `json:"law"`                 // between the far end of the spring and the reaction; nil means [Frictionless]
	Compliance float64 `json:"compliance"`          // s = 1/k ≥ 0 [m/N]
	Damping    float64 `json:"damping,omitzero"`    // d ≥ 0 [N s/m]
	Step       float64 `json:"step,omitzero"`       // h ≥ 0 [s]; 0 means static
	Gap        float64 `json:"gap,omitzero"`        // δ [m], positive where open
	Tangential float64 `json:"tangential,omitzero"` // s of the tangents [m/N]
}

var _ Law = Compliant{}

// Inner returns the law behind the spring.
func (l Compliant) Inner() Law {
	if l.Law == nil {
		return Frictionless{}
	}
	return l.Law
}

// Spring returns C, its diagonal, and o.
func (l Compliant) Spring() (c, o [3]float64) {
	of := func(s float64) float64 {
		if l.Step == 0 {
			return s
		}
		return s / (l.Step * (l.Step + s*l.Damping))
	}
	c = [3]float64{of(l.Compliance), of(l.Tangential), of(l.Tangential)}
	o[0] = l.Gap
	if l.Step > 0 {
		o[0] = l.Gap / (l.Step + l.Compliance*l.Damping)
	}
	return c, o
}

// Project implements [Law]; it is that of the law behind the spring.
func (l Compliant) Project(dst *[3]float64, jac *[9]float64, p *[3]float64) {
	l.Inner().Project(dst, jac, p)
}

// Correction implements [Law]; it is that of the law behind the spring.
func (l Compliant) Correction(u *[3]float64) float64 { return l.Inner().Correction(u) }

// Support implements [Law]; it is that of the law behind the spring.
func (l Compliant) Support(u *[3]float64) float64 { return l.Inner().Support(u) }

// Validate implements [Law].
func (l Compliant) Validate() error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"Compliance", l.Compliance}, {"Damping", l.Damping}, {"Step", l.Step}, {"Tangential", l.Tangential}} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			return fmt.Errorf("field %s is %g, want a finite number >= 0", f.name, f.value)
		}
	}
	if math.IsNaN(l.Gap) || math.IsInf(l.Gap, 0) {
		return fmt.Errorf("field Gap is %g, want a finite number", l.Gap)
	}
	if _, nested := l.Law.(Compliant); nested {
		return fmt.Errorf("field Law is a Compliant: add up the compliances")
	}
	return l.Inner().Validate()
}

// MarshalJSON writes the law behind the spring by its name.
func (l Compliant) MarshalJSON() ([]byte, error) {
	inner, err := Marshal(l.Inner())
	if err != nil {
		return nil, err
	}
	type plain Compliant
	return json.Marshal(struct {
		Law json.RawMessage `json:"law"`
		plain
	}{inner, plain(l)})
}

// UnmarshalJSON reads it.
func (l *Compliant) UnmarshalJSON(data []byte) error {
	type plain Compliant
	var fields struct {
		Law json.RawMessage `json:"law"`
		plain
	}
	if err := strict(data, &fields); err != nil {
		return err
	}
	*l = Compliant(fields.plain)
	if fields.Law == nil {
		return nil
	}
	var err error
	l.Law, err = Unmarshal(fields.Law)
	return err
}
