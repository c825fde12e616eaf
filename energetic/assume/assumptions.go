package assume

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/energetic/global"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// Options are the wishes for Examine. The zero value checks one second.
type Options struct {
	At    float64  // time of the state [s]: 0, but for states on the way, see [ExamineOn]
	Until float64  // T [s], the end of the evolution; 0 means 1
	Names []string // of the particles, for the report; nil: their numbers
	// Gamma and Step are what a run plans: γ [N] and its largest step [s]; 0: not
	// yet known.
	Gamma, Step float64
	// Near leaves (N3) undecided where E is not known to be convex and forces balance: a search for
	// states far from the start takes minutes where there are many particles, and says nothing of
	// (N4).
	Near bool
}

func (o *Options) validate(particles int) error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"At", o.At}, {"Until", o.Until}, {"Gamma", o.Gamma}, {"Step", o.Step}} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			return fmt.Errorf("assume: Options.%s is %g, want a finite number >= 0", f.name, f.value)
		}
	}
	if o.Names != nil && len(o.Names) != particles {
		return fmt.Errorf("assume: Options.Names has %d entries for %d particles", len(o.Names), particles)
	}
	return nil
}

// Assumption is what is known about one of (N0)-(N4) and why.
type Assumption struct {
	Verdict Verdict `json:"verdict"`
	Detail  string  `json:"detail"`
}

// Assumptions are (N0)-(N4) of [Schmid08] at the start of an evolution, and the
// constants that follow from them.
type Assumptions struct {
	Names []string `json:"particles"`
	Until float64  `json:"until"`

	N0 Assumption `json:"n0"` // the start is admissible
	N1 Assumption `json:"n1"` // E is smooth
	N2 Assumption `json:"n2"` // friction matrices are smooth
	N3 Assumption `json:"n3"` // the start is stable
	// N4 holds if (N4) does as printed, or with the dofs of I_f condensed out: the
	// theorem then applies to the energy in which they are minimised.
	N4 Assumption `json:"n4"`

	Sets  []particles.IndexSet `json:"-"`
	Sigma []float64            `json:"normal_forces"` // σ^(j)(0, Z_0) [N]
	// Mu is ‖M^(j)(Z_0)‖ [-].
	Mu []float64 `json:"friction"`

	Printed *Separation `json:"separation"`
	// Condensed is nil if I_f is empty or CondensedNote says why there is none.
	Condensed     *Separation `json:"condensed"`
	CondensedNote string      `json:"condensed_note,omitempty"`
	// Always is (N4) at Z_0 with every particle that has an obstacle counted as
	// switching and the others condensed out where possible: with a quadratic
	// energy and constant friction matrices it covers every landing and lift-off
	// of a long run, whatever the index sets.
	Always *Separation `json:"always"`
	// Uniform: D²E and all M are constant, so that Always covers every state.
	Uniform bool `json:"uniform"`

	// Weakenings are the contacts whose friction falls with slip.
	Weakenings []Weakening `json:"weakenings,omitempty"`

	Extension *Extension `json:"constants"` // nil where (N4) fails or the start is not admissible
	Advice    Advice     `json:"advice"`
}

// Verdict is the worst of the five.
func (a *Assumptions) Verdict() Verdict {
	return max(a.N0.Verdict, a.N1.Verdict, a.N2.Verdict, a.N3.Verdict, a.N4.Verdict)
}

// Members returns the particles of an index set, ascending.
func (a *Assumptions) Members(set particles.IndexSet) []int {
	return particles.Members(nil, a.Sets, set)
}

// checker holds what the parts of Examine share.
type checker struct {
	*Assumptions
	ctx       context.Context
	psi       *dissipation.Coulomb
	sys       *particles.System
	opt       Options
	z0        []float64
	grad      []float64
	quadratic bool
	constant  bool                    // friction matrices
	rates     map[float64]*rateBounds // by the end of the time, see ratesUntil
}

// Examine examines (N0)-(N4) for an evolution that starts at (0, z0), local
// coordinates, and computes the constants of [Schmid08]. An assumption that fails
// is a verdict and not an error; errors are for options out of range and states
// that are not finite.
func Examine(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options) (*Assumptions, error) {
	c, err := newChecker(ctx, psi, z0, o)
	if err != nil {
		return nil, err
	}
	if !c.admissible() {
		return c.Assumptions, nil
	}
	if err := c.smooth(); err != nil {
		return nil, err
	}
	c.rough()
	if err := c.stable(); err != nil {
		return nil, err
	}
	if len(c.sys.Extras()) > 0 {
		c.separateCorners()
		return c.Assumptions, ctx.Err()
	}
	c.indexSets()
	c.separate()
	c.weaken()
	if psi.Timed() {
		c.N4.Detail = "at t = 0, friction changes with time: " + c.N4.Detail
		return c.Assumptions, ctx.Err()
	}
	if c.N4.Verdict == Holds {
		if err := c.extend(); err != nil {
			return nil, err
		}
		c.advise()
	}
	return c.Assumptions, ctx.Err()
}

// ExamineOn examines (N4) at a state on the way, at the time o.At: index sets, friction and
// stiffness there; and where it holds, E is quadratic and friction does not change with time, the
// constants of an evolution that begins there. Contacts beside others are not examined: then N4 is
// undecided.
func ExamineOn(ctx context.Context, psi *dissipation.Coulomb, z []float64, o Options) (*Assumptions, error) {
	c, err := newChecker(ctx, psi, z, o)
	if err != nil {
		return nil, err
	}
	if c.N4.Verdict = Undecided; len(c.sys.Extras()) > 0 || !c.admissible() {
		return c.Assumptions, nil
	}
	c.sys.Gradient(c.grad, nil, c.opt.At, c.z0)
	c.indexSets()
	c.separate()
	if c.N4.Verdict == Holds && c.quadratic && !psi.Timed() {
		err = c.extend()
	}
	return c.Assumptions, errors.Join(err, ctx.Err())
}

// newChecker checks the arguments.
func newChecker(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options) (*checker, error) {
	if psi == nil || psi.System == nil {
		return nil, errors.New("assume: Examine without a functional Ψ of a system, want one from dissipation.New")
	}
	sys := psi.System
	if err := o.validate(sys.N()); err != nil {
		return nil, err
	}
	if o.Until == 0 {
		o.Until = o.At + 1
	}
	if !(o.Until > o.At) {
		return nil, fmt.Errorf("assume: Options.Until is %g, want more than At = %g", o.Until, o.At)
	}
	if len(z0) != 3*sys.N() {
		return nil, fmt.Errorf("assume: the state has %d entries, want %d", len(z0), 3*sys.N())
	}
	c := &checker{Assumptions: &Assumptions{Names: names(o.Names, sys.N()), Until: o.Until - o.At}, ctx: ctx, psi: psi, sys: sys, opt: o,
		z0: slices.Clone(z0), grad: make([]float64, len(z0)), quadratic: sys.ConstantHessian(), constant: true,
		rates: map[float64]*rateBounds{}}
	for _, m := range psi.Matrices {
		c.constant = c.constant && (m == nil || m.Constant())
	}
	c.constant = c.constant && !psi.Timed()
	c.Uniform = c.quadratic && c.constant
	return c, nil
}

func names(given []string, n int) []string {
	if given != nil {
		return given
	}
	out := make([]string, n)
	for j := range out {
		out[j] = fmt.Sprint(j)
	}
	return out
}

// admissible is (N0).
func (c *checker) admissible() bool {
	if err := incremental.Admissible(c.sys, c.opt.At, c.z0); err != nil {
		c.N0 = Assumption{Fails, err.Error()}
		for _, n := range []*Assumption{&c.N1, &c.N2, &c.N3, &c.N4} {
			*n = Assumption{Undecided, "not examined: the start is not admissible"}
		}
		return false
	}
	c.N0 = Assumption{Holds, "the start lies in A: no particle is inside its obstacle"}
	return true
}

// smooth is (N1), as far as numbers can tell.
func (c *checker) smooth() error {
	c.sys.Gradient(c.grad, nil, c.opt.At, c.z0)
	h := c.sys.Hessian(c.opt.At, c.z0)
	for _, list := range [][]float64{c.grad, h.Val} {
		for _, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				c.N1 = Assumption{Fails, "DE or D²E is not finite at the start"}
				return nil
			}
		}
	}
	kinks := len(c.sys.Breaks(nil, 0, c.Until))
	switch {
	case kinks > 0:
		c.N1 = Assumption{Holds, fmt.Sprintf("between the kinks of the signals; ∂_tDE may jump at them (%d), and the bounds take both sides",
			kinks)}
	case c.quadratic:
		c.N1 = Assumption{Holds, "E is quadratic in z and its signals are smooth"}
	default:
		c.N1 = Assumption{Holds, "E is not quadratic; its terms are smooth where they declare their derivatives"}
	}
	return nil
}

// derivativeStep is that of the central differences for (N2) [m], relative to
// the largest coordinate or 1 m; the error is then near 1e-9 of M‴.
const derivativeStep = 1e-5

// rough is (N2): the matrices are finite and their derivatives are those declared.
func (c *checker) rough() {
	c.N2 = Assumption{Holds, "M is constant for every particle"}
	if !c.constant {
		c.N2.Detail = "M varies and agrees with its derivative at the start"
	}
	for j, m := range c.psi.Matrices {
		if m == nil || m.Constant() {
			continue
		}
		if x, y := c.sys.Spot(0, j, c.z0); !differentiable(m, x, y) {
			c.N2 = Assumption{Fails, fmt.Sprintf("the friction matrix of particle %s does not agree with its derivative at the start",
				c.Names[c.sys.ContactParticle(j)])}
			return
		}
	}
}

func differentiable(m dissipation.Matrix, x, y float64) bool {
	var d [2][4]float64
	s := m.At(x, y, &d)
	size := spectral(&s) + spectral(&d[0]) + spectral(&d[1])
	h := derivativeStep * max(1, math.Abs(x), math.Abs(y))
	for k := range d {
		e := [2]float64{}
		e[k] = h
		p, q := m.At(x+e[0], y+e[1], nil), m.At(x-e[0], y-e[1], nil)
		for i := range s {
			if diff := (p[i]-q[i])/(2*h) - d[k][i]; !(math.Abs(diff) <= 1e-2*size) {
				return false
			}
		}
	}
	return true
}

// stable is (N3).
func (c *checker) stable() error {
	cert, err := energetic.NewCertifier(c.psi, energetic.Options{})
	if err != nil {
		return err
	}
	if err := cert.Begin(c.ctx, 0, c.z0); err != nil {
		c.N3 = Assumption{Undecided, "the gap cannot be computed: " + err.Error()}
		return c.ctx.Err()
	}
	gap := cert.Node().Gap
	switch unstable := cert.Unstable(); {
	case unstable != nil:
		e := unstable.(*energetic.UnstableError)
		c.N3 = Assumption{Fails, fmt.Sprintf("the start is not in equilibrium: particle %s is pushed by %.6g N more than friction and obstacle hold, and a better state has %.6g J less",
			c.Names[e.Worst], e.Force, e.Gap)}
	case gap.Exact && gap.Radius == 0:
		c.N3 = Assumption{Holds, fmt.Sprintf("no state is better by more than %.2g J", gap.Upper)}
	case global.Convex(c.ctx, c.sys):
		c.N3 = Assumption{Holds, "forces balance, and every term of E is convex"}
	case c.opt.Near:
		c.N3 = Assumption{Undecided, "forces balance, but E is not known to be convex; states far from the start were not looked for"}
	default:
		return c.stableFar()
	}
	return nil
}

// stableFar searches for a better state, where E is not known to be convex. None
// found is no proof, but branch and bound may give one.
func (c *checker) stableFar() error {
	s, err := global.NewSearch(c.psi, global.SearchOptions{})
	if err != nil {
		return err
	}
	r, err := s.Run(c.ctx, 0, c.z0)
	if err != nil {
		return err
	}
	c.N3 = Assumption{Undecided, "forces balance, but E is not known to be convex: " + r.String()}
	if r.Better {
		c.N3 = Assumption{Fails, r.String()}
		return nil
	}
	p, err := global.NewProver(c.psi)
	if err != nil {
		return nil // it stays undecided
	}
	proof, err := p.Run(c.ctx, 0, c.z0, s.Margin(0, c.z0), nil)
	if err == nil && proof.Proven {
		c.N3 = Assumption{Holds, fmt.Sprintf("no state is better by more than %.2g J: by branch and bound, in %d boxes",
			proof.Margin, proof.Boxes)}
	}
	return err
}

func (c *checker) indexSets() {
	scales := incremental.NewScales(c.sys)
	scales.Meet(c.sys, c.sys.Hessian(c.opt.At, c.z0), c.z0, c.grad)
	c.Sets = c.sys.IndexSets(nil, c.z0, c.grad, particles.IndexTolerance{})
	for j := range c.Sets {
		if c.Sets[j] == particles.Contact && c.grad[3*j+2] <= scales.None(j) {
			c.Sets[j] = particles.Switching
		}
	}
	c.Sigma = c.sys.NormalForces(nil, c.grad)
	c.Mu = make([]float64, c.sys.N())
	for j, m := range c.psi.Matrices {
		if m != nil {
			s := m.At(c.z0[3*j], c.z0[3*j+1], nil)
			c.Mu[j] = spectral(&s) * c.psi.Factor(j, c.opt.At)
		}
	}
}
