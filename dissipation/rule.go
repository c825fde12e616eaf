package dissipation

import (
	"fmt"
	"math"
)

// Policy says to which contacts the regularisation γ applies.
type Policy int

const (
	// All takes (σ − γ)_+ at every contact. It is the default: no label of a
	// particle ever changes its threshold by a jump.
	All Policy = iota
	// SwitchingOnly is (3.5) of [Schmid08]: (σ − γ)_+ for the particles of I_s,
	// σ_+ for those of I_c. A particle of I_c that unloads joins I_s for good.
	SwitchingOnly
	// Blend takes min(σ_+, m/(m−1)·(σ − γ)_+), which is exact from σ = mγ on. It
	// multiplies q of (N4) by m/(m−1).
	Blend
)

var policyNames = [...]string{"all", "switching", "blend"}

func (p Policy) String() string {
	if p < 0 || int(p) >= len(policyNames) {
		return fmt.Sprintf("Policy(%d)", int(p))
	}
	return policyNames[p]
}

// BlendOrder is the m of [Blend]: above it σ acts unchanged.
const BlendOrder = 5

// Rule turns a normal force into the force that friction is proportional to.
// The zero value is the unregularised σ_+.
type Rule struct {
	Gamma  float64 // γ >= 0 [N]
	Policy Policy
}

// Validate checks that γ is a finite number >= 0.
func (r Rule) Validate() error {
	if !(r.Gamma >= 0) || math.IsInf(r.Gamma, 1) {
		return fmt.Errorf("dissipation: gamma is %g, want a finite number >= 0", r.Gamma)
	}
	return nil
}

// Threshold returns the regularised σ_+ of a contact; switching tells that its
// particle is in I_s. It is continuous, increasing and between (σ − γ)_+ and σ_+.
func (r Rule) Threshold(sigma float64, switching bool) float64 {
	less := max(sigma-r.Gamma, 0)
	switch r.Policy {
	case SwitchingOnly:
		if !switching {
			return max(sigma, 0)
		}
	case Blend:
		return min(max(sigma, 0), BlendOrder/(BlendOrder-1.0)*less)
	}
	return less
}
