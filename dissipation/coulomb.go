package dissipation

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/particles"
)

// Coulomb is the functional Ψ of a system: one friction matrix a particle.
type Coulomb struct {
	System   *particles.System
	Matrices []Matrix // nil entries are frictionless
}

// New checks that there is one matrix a particle; nil matrices make all
// particles frictionless.
func New(s *particles.System, matrices []Matrix) (*Coulomb, error) {
	if matrices == nil {
		matrices = make([]Matrix, s.N())
	}
	if len(matrices) != s.N() {
		return nil, fmt.Errorf("dissipation: %d friction matrices for %d particles", len(matrices), s.N())
	}
	return &Coulomb{System: s, Matrices: matrices}, nil
}

// Touches reports whether particle j lies on its obstacle, z_{3j} = 0.
func (c *Coulomb) Touches(j int, z []float64) bool {
	return c.System.Constrained(j) && z[3*j+2] == 0
}

// Norm returns ‖M^(j)(z^(j)) v^(j)‖.
func (c *Coulomb) Norm(j int, z, v []float64) float64 {
	m := c.Matrices[j]
	if m == nil {
		return 0
	}
	s := m.At(z[3*j], z[3*j+1], nil)
	return norm(&s, v[3*j], v[3*j+1])
}

// Size returns the root mean square of the singular values of M^(j)(z^(j)): μ if
// it is isotropic, 0 without friction.
func (c *Coulomb) Size(j int, z []float64) float64 {
	m := c.Matrices[j]
	if m == nil {
		return 0
	}
	s := m.At(z[3*j], z[3*j+1], nil)
	if mu, ok := isotropic(&s); ok {
		return mu
	}
	return math.Sqrt(0.5 * (s[0]*s[0] + s[1]*s[1] + s[2]*s[2] + s[3]*s[3]))
}

// Value returns Ψ(t, z, v), (2.1), with grad = DE(t, z).
func (c *Coulomb) Value(grad, z, v []float64) float64 {
	sum := 0.0
	for j := range c.Matrices {
		if grad[3*j+2] > 0 && c.Touches(j, z) {
			sum += grad[3*j+2] * c.Norm(j, z, v)
		}
	}
	return sum
}

// Restricted returns Ψ_{K,γ}(t, z, v) = Σ_{j ∈ K} of the single functionals with
// thresholds by the rule, (3.4)-(3.5); in reports membership of I_s. With K all
// of I_c ∪ I_s it is Ψ_γ. A nil k stands for all particles, a nil in for an empty
// I_s.
func (c *Coulomb) Restricted(rule Rule, k, in []bool, grad, z, v []float64) float64 {
	sum := 0.0
	for j := range c.Matrices {
		if (k != nil && !k[j]) || !c.Touches(j, z) {
			continue
		}
		if s := rule.Threshold(grad[3*j+2], in != nil && in[j]); s > 0 {
			sum += s * c.Norm(j, z, v)
		}
	}
	return sum
}

// Law sets the convex law of contact j: threshold times matrix at z, with r the
// (regularised) normal force. Isotropic matrices go into the threshold.
func (c *Coulomb) Law(law *contact.Tresca, j int, r float64, z []float64) {
	m := c.Matrices[j]
	if m == nil || r <= 0 {
		law.Threshold = 0
		law.Shape = contact.Shape{}
		return
	}
	s := m.At(z[3*j], z[3*j+1], nil)
	if mu, ok := isotropic(&s); ok {
		law.Threshold, law.Shape = r*mu, contact.Shape{}
		return
	}
	law.Threshold = r
	if s != law.Shape.Matrix() || law.Shape.Isotropic() {
		law.Shape = contact.NewShape(s)
	}
}

// Force returns ∂_v‖M^(j)(z) v^(j)‖ = SᵀS v_T/‖S v_T‖, what friction pulls with
// per unit of normal force against the motion v^(j); zero if S v_T = 0.
func (c *Coulomb) Force(j int, z, v []float64) [2]float64 {
	m := c.Matrices[j]
	if m == nil {
		return [2]float64{}
	}
	s := m.At(z[3*j], z[3*j+1], nil)
	x, y := v[3*j], v[3*j+1]
	l := norm(&s, x, y)
	if l == 0 {
		return [2]float64{}
	}
	a, b := (s[0]*x+s[1]*y)/l, (s[2]*x+s[3]*y)/l
	return [2]float64{s[0]*a + s[2]*b, s[1]*a + s[3]*b}
}

// Excess returns the part of a tangential force that friction under the normal
// force sigma cannot hold: f minus its projection onto σ·Sᵀ·ball.
func (c *Coulomb) Excess(j int, sigma float64, z []float64, f [2]float64) (a, b float64) {
	var law contact.Tresca
	c.Law(&law, j, sigma, z)
	p := [3]float64{0, f[0], f[1]}
	law.Project(&p, nil, &p)
	return f[0] - p[1], f[1] - p[2]
}
