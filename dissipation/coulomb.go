package dissipation

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// Coulomb is the functional Ψ of a system: one friction matrix a contact, numbered as
// the system does: that of particle j first, then those with extra obstacles.
type Coulomb struct {
	System   *particles.System
	Matrices []Matrix // nil entries are frictionless

	factors []signal.Scalar // see SetFactors; nil: none
	sigma   []float64       // see press
	memory  []*remembered   // by particle; nil: not asked yet
	slips   *slips          // see Own; nil: nothing has slipped
}

// New checks that there is one matrix a contact; nil matrices make all
// particles frictionless.
func New(s *particles.System, matrices []Matrix) (*Coulomb, error) {
	if s == nil {
		return nil, errors.New("dissipation: a system is required")
	}
	if matrices == nil {
		matrices = make([]Matrix, s.Contacts())
	}
	if len(matrices) != s.Contacts() {
		return nil, fmt.Errorf("dissipation: %d friction matrices for %d contacts", len(matrices), s.Contacts())
	}
	return &Coulomb{System: s, Matrices: matrices}, nil
}

// On returns the same friction on another system with the same contacts.
func (c *Coulomb) On(s *particles.System) *Coulomb {
	return &Coulomb{System: s, Matrices: c.Matrices, factors: c.factors, slips: c.slips}
}

// Touches reports whether contact j is closed at the time t: z_{3j} = 0 for that of particle j.
func (c *Coulomb) Touches(t float64, j int, z []float64) bool { return c.System.Touches(t, j, z) }

// Pressure returns the normal force σ₊ of contact j at the time t and the state z with
// grad = DE(t, z), see [particles.System.PressParticle]; 0 where it is open. from tells what
// slides, which matters where one of several obstacles of a particle moves.
func (c *Coulomb) Pressure(t float64, j int, z, grad []float64, from Origin) float64 {
	if !c.System.Touches(t, j, z) {
		return 0
	}
	if p := c.System.ContactParticle(j); c.System.Cornered(p) {
		return c.Pressures(t, p, z, grad, from)[j]
	}
	return max(grad[3*j+2], 0)
}

// pressed are the normal forces of a particle with several obstacles.
type pressed struct {
	at, force [3]float64
	sigma     []float64 // of its contacts: its own, then those beside; nil: none yet
}

// remembered are the last normal forces of a particle: certificates ask for those of the ends
// of a step, and of two states between, again and again.
type remembered struct {
	list [4]pressed
	last int
}

// Pressures returns the normal forces σ₊ of particle p, which has several obstacles, by the
// contacts of the system, like [Coulomb.Pressure]. They belong to c, until the next call.
func (c *Coulomb) Pressures(t float64, p int, z, grad []float64, from Origin) []float64 {
	if c.sigma == nil {
		c.sigma = make([]float64, c.System.Contacts())
		c.memory = make([]*remembered, c.System.N())
	}
	if c.System.Dragged(p) {
		c.System.PressParticle(c.sigma, t, p, z, grad, func(j int) [3]float64 { return c.drag(t, j, z, from) })
		return c.sigma
	}
	beside, m := c.System.Beside(p), c.memory[p]
	if m == nil {
		m = new(remembered)
		c.memory[p] = m
	}
	at, force := [3]float64(z[3*p:3*p+3]), [3]float64(grad[3*p:3*p+3])
	for i := range m.list {
		if k := &m.list[i]; k.at == at && k.force == force && k.sigma != nil {
			c.sigma[p] = k.sigma[0]
			for i, contact := range beside {
				c.sigma[contact] = k.sigma[1+i]
			}
			return c.sigma
		}
	}
	c.System.PressParticle(c.sigma, t, p, z, grad, nil)
	m.last = (m.last + 1) % len(m.list)
	k := &m.list[m.last]
	k.at, k.force = at, force
	k.sigma = append(k.sigma[:0], c.sigma[p])
	for _, contact := range beside {
		k.sigma = append(k.sigma, c.sigma[contact])
	}
	return c.sigma
}

// matrix returns S of contact j at the state z; false without friction.
func (c *Coulomb) matrix(t float64, j int, z []float64) (s [4]float64, ok bool) {
	switch m := c.Matrices[j].(type) {
	case nil:
		return s, false
	case Isotropic: // that of most contacts, wherever they are
		return [4]float64{m.Mu, 0, 0, m.Mu}, true
	case Slipping:
		mu := m.Mu(c.Slipped(t, j, z))
		return [4]float64{mu, 0, 0, mu}, true
	default:
		a, b := c.System.Spot(t, j, z)
		return m.At(a, b, nil), true
	}
}

// Matrix returns S of contact j at the state z; zero without friction.
func (c *Coulomb) Matrix(t float64, j int, z []float64) [4]float64 {
	s, _ := c.matrix(t, j, z)
	return s
}

// Mu returns μ of contact j at the state z, 0 without friction; false if it is not isotropic.
func (c *Coulomb) Mu(t float64, j int, z []float64) (mu float64, is bool) {
	s, _ := c.matrix(t, j, z)
	return isotropic(&s)
}

// Norm returns ‖M^(j)(z^(j)) v^(j)‖.
func (c *Coulomb) Norm(t float64, j int, z, v []float64) float64 {
	s, ok := c.matrix(t, j, z)
	if !ok {
		return 0
	}
	x, y := c.System.Tangent(t, j, z, v)
	return norm(&s, x, y)
}

// Size returns the root mean square of the singular values of M^(j)(z^(j)): μ if
// it is isotropic, 0 without friction.
func (c *Coulomb) Size(t float64, j int, z []float64) float64 {
	s, ok := c.matrix(t, j, z)
	if !ok {
		return 0
	}
	if mu, ok := isotropic(&s); ok {
		return mu
	}
	return math.Sqrt(0.5 * (s[0]*s[0] + s[1]*s[1] + s[2]*s[2] + s[3]*s[3]))
}

// Value returns Ψ(t, z, v), (2.1), with grad = DE(t, z), of a displacement v at the time t, at
// which obstacles stand.
func (c *Coulomb) Value(t float64, grad, z, v []float64) float64 {
	return c.ValueFrom(Origin{}, t, grad, z, v)
}

// ValueFrom returns Ψ(t, z, v) at a state z of a motion from an origin, see [Coulomb.Pressure].
func (c *Coulomb) ValueFrom(from Origin, t float64, grad, z, v []float64) float64 {
	sum := 0.0
	for j := range c.Matrices {
		if sigma := c.Pressure(t, j, z, grad, from); sigma > 0 {
			sum += sigma * c.Factor(j, t) * c.Norm(t, j, z, v)
		}
	}
	return sum
}

// Restricted returns Ψ_{K,γ}(t, z, v) = Σ_{j ∈ K} of the single functionals with
// thresholds by the rule, (3.4)-(3.5); in reports membership of I_s. With K all
// of I_c ∪ I_s it is Ψ_γ. A nil k stands for all particles, a nil in for an empty
// I_s.
func (c *Coulomb) Restricted(rule Rule, k, in []bool, t float64, grad, z, v []float64) float64 {
	sum := 0.0
	for j := range c.Matrices {
		if (k != nil && !k[j]) || !c.Touches(t, j, z) {
			continue
		}
		if s := rule.Threshold(c.Pressure(t, j, z, grad, Origin{}), in != nil && in[j]); s > 0 {
			sum += s * c.Norm(t, j, z, v)
		}
	}
	return sum
}

// Law sets the convex law of contact j: threshold times matrix at z, with r the
// (regularised) normal force. Isotropic matrices go into the threshold.
func (c *Coulomb) Law(law *contact.Tresca, t float64, j int, r float64, z []float64) {
	s, ok := c.matrix(t, j, z)
	if !ok || r <= 0 {
		*law = contact.Tresca{}
		return
	}
	if mu, ok := isotropic(&s); ok {
		*law = contact.Tresca{Threshold: r * mu}
		return
	}
	law.Threshold = r
	if s != law.Shape.Matrix() || law.Shape.Isotropic() {
		law.Shape = contact.NewShape(s)
	}
}

// Force returns ∂_v‖M^(j)(z) v^(j)‖ = SᵀS v_T/‖S v_T‖, what friction pulls with
// per unit of normal force against the motion v^(j); zero if S v_T = 0.
func (c *Coulomb) Force(t float64, j int, z, v []float64) [2]float64 {
	x, y := c.System.Tangent(t, j, z, v)
	return c.force(t, j, z, x, y)
}

func (c *Coulomb) force(t float64, j int, z []float64, x, y float64) [2]float64 {
	s, ok := c.matrix(t, j, z)
	if !ok {
		return [2]float64{}
	}
	l := norm(&s, x, y)
	if l == 0 {
		return [2]float64{}
	}
	a, b := (s[0]*x+s[1]*y)/l, (s[2]*x+s[3]*y)/l
	return [2]float64{s[0]*a + s[2]*b, s[1]*a + s[3]*b}
}

// Excess returns the part of a tangential force that friction under the normal
// force sigma cannot hold: f minus its projection onto σ·Sᵀ·ball.
func (c *Coulomb) Excess(t float64, j int, sigma float64, z []float64, f [2]float64) (a, b float64) {
	var law contact.Tresca
	c.Law(&law, t, j, sigma, z)
	p := [3]float64{1: f[0], 2: f[1]}
	law.Project(&p, nil, &p)
	return f[0] - p[1], f[1] - p[2]
}
