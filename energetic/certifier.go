package energetic

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

// snapFactor: in a trajectory from elsewhere, heights below this fraction of
// the largest coordinate are contacts; printing 17 digits and rotating frames
// leave a few 1e-16.
const snapFactor = 1e-12

// Certifier certifies a trajectory node by node, whoever computed it. It knows
// the system and the options of the scheme, not the solver. Not safe for
// concurrent use.
type Certifier struct {
	psi *dissipation.Coulomb
	sys *particles.System
	opt Options
	min *incremental.Minimiser

	node      Node
	sum       Summary
	begun     bool
	energy0   float64
	magnitude float64   // the largest number in the positions of the node [m]
	stiffest  float64   // largest diagonal entry of D²E at the start [N/m]
	size      float64   // of the system or of its motion [m], see incremental.Gap.Radius
	z0        []float64 // start
	tPrev     float64
	zPrev     []float64
	gradPrev  []float64
	// the node before the previous one, where obstacles beside others move
	older     dissipation.Origin
	olderZ    []float64
	v         []float64 // z − zPrev
	switching []bool    // I_s before the present step
	zMid, g   []float64 // quadrature points
	scales    *incremental.Scales
	sizes     []float64 // of the forces of each island that a tolerance is of [N]
	breaks    []float64
	parts     []int              // of the pieces between breaks, by the break at their end
	corner    dissipation.Corner // scratch of particles with several obstacles
	kept      []int              // contacts, scratch
	frozen    bool               // the thresholds of min are those of the node, see freezeNode
	// force on a particle with several obstacles that nothing balances, see react [N]
	loose   []float64
	held    []held   // by particle, of the last sample
	between interior // what is judged between nodes, by island
	blocks  compliances
	waiting []waiting
	twin    twin
	list    []Measure        // scratch
	lowered bool             // see Lowered
	flows   []particles.Flow // of the step
	spent   float64          // what all of them have dissipated until the node [J]
	anew    bool             // the next node is that to which another linearisation settles
}

// NewCertifier checks the options.
func NewCertifier(psi *dissipation.Coulomb, o Options) (*Certifier, error) {
	if psi == nil || psi.System == nil {
		return nil, errors.New("energetic: NewCertifier without a functional Ψ of a system, want one from dissipation.New")
	}
	if err := o.Step.Validate(); err != nil {
		return nil, err
	}
	if !(o.Tolerance >= 0 && o.Tolerance <= 1e-2) {
		return nil, fmt.Errorf("energetic: Tolerance is %g, want (0, 1e-2] or 0 for the default", o.Tolerance)
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-10
	}
	if o.Step.Tolerance == 0 {
		o.Step.Tolerance = 1e-10
	}
	if !(o.Accuracy >= 0 && o.Accuracy <= 1) {
		return nil, fmt.Errorf("energetic: Accuracy is %g, want (0, 1] or 0 for the default", o.Accuracy)
	}
	if o.Accuracy == 0 {
		o.Accuracy = DefaultAccuracy
	}
	psi = psi.Own()
	np := psi.System.N()
	vector := func() []float64 { return make([]float64, 3*np) }
	c := &Certifier{psi: psi, sys: psi.System, opt: o, min: incremental.NewMinimiser(psi, o.Step.Tolerance), sum: newSummary(o.Tolerance),
		z0: vector(), zPrev: vector(), gradPrev: vector(), v: vector(), zMid: vector(), g: vector(),
		scales: incremental.NewScales(psi.System), switching: make([]bool, psi.System.Contacts())}
	c.min.UsePlan(o.Step.Plan)
	c.node.Z, c.node.Grad = vector(), vector()
	if len(c.sys.Extras()) > 0 {
		c.loose, c.held = make([]float64, np), make([]held, np)
	}
	c.node.States = make([]incremental.ContactState, psi.System.Contacts())
	c.node.Before = make([]incremental.ContactState, psi.System.Contacts())
	c.between, c.blocks = newInterior(c), newCompliances(c)
	return c, nil
}

// Node returns the present node; it changes with the next call.
func (c *Certifier) Node() *Node { return &c.node }

// Summary returns the verdict so far.
func (c *Certifier) Summary() Summary {
	s := c.sum
	if c.begun {
		c.judgeAccuracy(&s)
	}
	return s
}

// lagged reports whether the thresholds of the steps are asked to be lagged.
func (c *Certifier) lagged() bool { return c.opt.Step.Threshold == incremental.Lagged }

// Begin takes the start of a trajectory. A start that violates (N3) is not an
// error here; see Unstable.
func (c *Certifier) Begin(ctx context.Context, t float64, z []float64) error {
	copy(c.zMid, z)
	if c.opt.Foreign {
		c.snapForeign(t, c.zMid)
	}
	z = c.zMid
	if err := incremental.Admissible(c.sys, t, z); err != nil {
		return err
	}
	n := &c.node
	n.K, n.T = 0, t
	copy(n.Z, z)
	c.psi.Advance(t, z)
	n.Slipped = c.psi.Slips(t, z)
	copy(c.z0, z)
	c.size = c.sys.Extent(z)
	c.measurePositions()
	c.sys.Gradient(n.Grad, nil, t, n.Z)
	e, _ := c.sys.Value(t, n.Z)
	c.flows = c.sys.Flows(t, n.Z, t, n.Z)
	c.spent = dissipated(c.flows)
	e -= c.spent
	c.energy0 = e
	n.Certificate = Certificate{Energy: e, EnergyScale: math.Abs(e), ForceScale: floats.Norm(n.Grad, math.Inf(1))}
	c.stretched()
	h := c.sys.Hessian(t, n.Z)
	c.stiffest = h.MaxDiagonal()
	c.measureForces(h)
	c.blocks.factor(h)
	c.between.divide(c, h)
	if err := c.newTwin(); err != nil {
		return err
	}
	c.scaleEnergy()
	c.classify(n.States)
	incremental.MarkSwitching(c.switching, n.States)
	copy(n.Before, n.States)
	var err error
	if n.Gap, err = c.gap(ctx); err != nil {
		return fmt.Errorf("energetic: stability at t=%g: %w", t, err)
	}
	n.StepGap = n.Gap
	c.scaleEnergy()
	c.react()
	_, n.Force = c.worstForce()
	clear(c.between.step)
	c.sampleNode()
	c.between.endStep()
	c.begun = true
	c.sum.add(n, c.opt.stepless())
	return nil
}

// Observe takes the next node of a trajectory from elsewhere. Heights within
// roundoff of contact are set to 0; a particle inside its obstacle is an error.
func (c *Certifier) Observe(ctx context.Context, t float64, z []float64) error {
	size := floats.Norm(z, math.Inf(1))
	copy(c.zMid, z)
	for j := range c.sys.N() {
		tol, close := snapFactor*size, 4*ulps*size
		if f := c.sys.Frame(j); f.Exact() {
			close = 0 // nothing has rounded them
		}
		if c.opt.Close {
			tol = close
		}
		if h := &c.zMid[3*j+2]; c.sys.Constrained(j) && math.Abs(*h) <= tol {
			c.lowered = c.lowered || *h > close
			*h = 0
		}
	}
	if c.opt.Foreign {
		c.snapForeign(t, c.zMid)
	}
	return c.observe(ctx, t, c.zMid, incremental.Stats{})
}

// Lowered reports whether a height of a node was taken for none that is more than rounding: with
// [Options.Close] it would be one.
func (c *Certifier) Lowered() bool { return c.lowered }

// foreignSnap: in a trajectory that another program made, a height whose elastic force
// is below this part of what accuracy allows is a contact: Ψ is discontinuous there,
// and other programs leave what their tolerances leave.
const foreignSnap = 1e-6

// snapForeign sets such heights to 0.
func (c *Certifier) snapForeign(t float64, z []float64) {
	for _, h := range z {
		if math.IsNaN(h) || math.IsInf(h, 0) {
			return // Admissible says so
		}
	}
	a := c.sys.Hessian(t, z)
	c.sys.Gradient(c.g, nil, t, z)
	for i, f := range c.g {
		k := c.scales.Island[i/3]
		c.between.reach[k] = max(c.between.reach[k], math.Abs(f))
	}
	for j := range c.sys.N() {
		h := &z[3*j+2]
		force := math.Abs(*h) * a.Val[a.Ptr[3*j+2]]
		if c.sys.Constrained(j) && force <= foreignSnap*c.opt.Accuracy*c.between.reach[c.scales.Island[j]] {
			*h = 0
		}
	}
}

// observe advances to (t, z).
func (c *Certifier) observe(ctx context.Context, t float64, z []float64, stats incremental.Stats) error {
	n := &c.node
	balance := n.Balance
	switch {
	case !c.begun:
		return fmt.Errorf("energetic: a node before Begin")
	case !(t >= n.T) || math.IsInf(t, 1):
		return fmt.Errorf("energetic: node at t=%g after t=%g", t, n.T)
	}
	if err := incremental.Admissible(c.sys, t, z); err != nil {
		return err
	}
	c.advance(t, z, stats)
	if c.opt.Thinned {
		clear(c.between.step)
		n.Energy, _ = c.sys.Value(t, n.Z)
		n.Energy -= dissipated(c.sys.Flows(c.tPrev, c.zPrev, t, n.Z))
		n.EnergyScale = max(n.EnergyScale, math.Abs(n.Energy))
	} else {
		c.energies()
		if c.anew {
			c.sum.Unlinear += math.Abs(n.Balance - balance)
			for i := range c.between.step { // at one time there is no way along which forces balance
				c.between.step[i].Slip, c.between.step[i].SlipGamma = 0, 0
			}
		}
		c.stepTwin(ctx)
		// Places on what is round are the same after a turn: files have the shorter way.
		if turn, j := c.sys.Turned(c.zPrev, n.Z); turn > 0.5 {
			c.sum.Turned.keep(turn, t, j)
		}
		c.passed()
		c.stretched()
	}
	c.contactStates()
	if err := c.gaps(ctx); err != nil {
		return fmt.Errorf("energetic: stability at t=%g: %w", t, err)
	}
	c.scaleEnergy()
	c.react()
	if !c.opt.Thinned {
		_, n.Force = c.worstForce()
	}
	c.sampleNode()
	c.between.endStep()
	incremental.MarkSwitching(c.switching, n.States)
	c.sum.add(n, c.opt.stepless())
	return nil
}

// advance makes the present node the previous one.
func (c *Certifier) advance(t float64, z []float64, stats incremental.Stats) {
	n := &c.node
	c.psi.Advance(n.T, n.Z)
	if c.older = c.origin(); c.older.Z != nil && len(c.sys.Bent()) > 0 {
		c.olderZ = append(c.olderZ[:0], c.zPrev...)
		c.older.Z = c.olderZ
	}
	c.tPrev, c.frozen = n.T, false
	copy(c.zPrev, n.Z)
	copy(c.gradPrev, n.Grad)
	n.K++
	n.T, n.Stats = t, stats
	copy(n.Z, z)
	c.measurePositions()
	n.Slipped = c.psi.Slips(t, n.Z)
	moved, travelled := 0.0, 0.0
	for i, x := range n.Z {
		c.v[i] = x - c.zPrev[i]
		moved += c.v[i] * c.v[i]
		travelled += (x - c.z0[i]) * (x - c.z0[i])
	}
	c.size = max(c.size, math.Sqrt(travelled))
	n.Lipschitz = 0
	if h := t - c.tPrev; h > 0 {
		n.Lipschitz = math.Sqrt(moved) / h
	}
	c.sys.Gradient(n.Grad, nil, t, n.Z)
	n.ForceScale = max(n.ForceScale, floats.Norm(n.Grad, math.Inf(1)))
	h := c.sys.Hessian(t, n.Z)
	c.measureForces(h)
	if !c.sys.ConstantHessian() {
		c.blocks.factor(h)
	}
}

// energies evaluates (E) and its two one-sided estimates over the step.
func (c *Certifier) energies() {
	n := &c.node
	before := n.Energy + c.spent
	n.Energy, _ = c.sys.Value(n.T, n.Z)
	lost, work := c.judgeInterior()
	n.Dissipation += lost
	n.Work += work
	c.flow()
	n.Balance = n.Energy + n.Dissipation + n.Plastic - c.energy0 - n.Work
	n.EnergyScale = max(n.EnergyScale, math.Abs(n.Energy), n.Dissipation, n.Plastic, math.Abs(n.Work))
	c.scaleEnergy()

	c.freezeStep(c.implicit())
	n.Upper, n.Lower = c.upper(), 0
	if len(c.sys.Bent()) > 0 {
		return
	}
	early, _ := c.sys.Value(c.tPrev, n.Z)
	n.Lower = early + c.psi.Value(c.tPrev, c.gradPrev, c.zPrev, c.v) - before
}

// singularPart: where D²E is singular a gap is the force left over times a length. At the tolerance
// 1e-10 this part of the forces makes it 1e-12 of them, some thousand roundings; what is left over
// of those on n particles adds up like a random walk, √n. Stiff springs leave more than that: what
// the rounding of positions makes of their forces, of which no state is free. That energy is Loose,
// which only gaps may be, and the energies of measures are not.
const singularPart = 1e-2

// scaleEnergy raises the energy scale to what the largest force stores in the
// stiffest direction, so that it is not zero where all energies happen to be.
func (c *Certifier) scaleEnergy() {
	n := &c.node
	if c.stiffest > 0 {
		f := n.forces(c.opt.Tolerance)
		n.EnergyScale = max(n.EnergyScale, 0.5*f*f/c.stiffest)
	}
	if c.opt.Walk {
		n.Loose = max(n.Loose, c.landing())
	}
	if c.stiffest == 0 || n.Gap.Radius > 0 || n.StepGap.Radius > 0 {
		way := c.size * math.Sqrt(float64(c.sys.N()))
		n.EnergyScale = max(n.EnergyScale, singularPart*n.forces(c.opt.Tolerance)*way)
		n.Loose = max(n.Loose, n.Rounding*way)
	}
}

// landings is how many heights that count as none the nodes of a walk before and at the landing of
// a particle in a corner are apart at most: four, one that the place of the first is rounded by,
// and as much at the second.
const landings = 8

// landing is what the forces of a node may cost on the rest of the way to a landing in a corner,
// where they jump [J]: heights there are sums of coordinates, of which rounding leaves no less.
func (c *Certifier) landing() (energy float64) {
	for e := c.sys.N(); e < c.sys.Contacts(); e++ {
		energy = max(energy, landings*c.sys.Touching(e, c.node.Z)*c.node.ForceScale)
	}
	return energy
}

// implicit reports whether the thresholds of the step are those at its end; of a
// trajectory from elsewhere it knows only what the options say.
func (c *Certifier) implicit() bool {
	if s := &c.node.Stats; s.Solves > 0 {
		return !s.Lagged
	}
	return c.opt.Step.Threshold == incremental.Implicit
}

// contactStates classifies and counts events.
func (c *Certifier) contactStates() {
	n := &c.node
	n.Before, n.States = n.States, n.Before
	c.classify(n.States)
	if c.anew {
		c.anew = false
		n.keepSlip()
	}
	n.SinceEvent++
	n.ThresholdChange, n.ForceChange = 0, 0
	for j, s := range n.States {
		if s != n.Before[j] {
			n.SinceEvent = 0
		}
		if c.psi.Matrices[j] == nil || j < c.sys.N() && !c.sys.Constrained(j) {
			continue
		}
		drop := max(c.pressing(c.tPrev, j, c.zPrev, c.gradPrev, c.older), 0) - max(c.pressing(n.T, j, n.Z, n.Grad, c.origin()), 0)
		n.ForceChange = max(n.ForceChange, math.Abs(drop))
		if c.psi.Touches(c.tPrev, j, c.zPrev) {
			n.ThresholdChange = max(n.ThresholdChange, drop)
		}
	}
}

// measureForces takes the forces at the node into account.
func (c *Certifier) measureForces(h *sparse.Sym) {
	n := &c.node
	c.scales.Meet(c.sys, h, n.Z, n.Grad)
	n.Rounding = 0
	c.sizes = c.sizes[:0]
	for k, r := range c.scales.Rounding {
		n.Rounding = max(n.Rounding, r)
		c.sizes = append(c.sizes, c.scales.Size(k, c.opt.Tolerance))
	}
	c.min.SetFloors(c.sizes)
}

// classify tells the contact states of the node.
func (c *Certifier) classify(dst []incremental.ContactState) {
	n := &c.node
	incremental.Classify(dst, c.psi, n.T, n.Z, n.Grad, c.origin(), c.scales)
}

// stretched looks at how many digits the present places have.
func (c *Certifier) stretched() {
	if x, j := c.sys.Stretched(c.node.Z); x > 0 {
		c.sum.Stretched.keep(x, c.node.T, j)
	}
}

// Unstable returns an *UnstableError if the start violates (N3): both its gap
// and the force that nothing holds exceed the tolerance.
func (c *Certifier) Unstable() error {
	n := &c.node
	if c.opt.Foreign || n.K > 0 || n.Gap.Upper <= n.GapLimit(c.opt.Tolerance) || n.Force <= c.opt.Tolerance*n.forces(c.opt.Tolerance) {
		return nil
	}
	worst, force := c.worstForce()
	return &UnstableError{Gap: n.Gap.Lower, Force: force, Worst: worst}
}

// Inherit gives a certifier that has begun the sizes of forces and energies of another
// one of the same system, of which it judges the next stretch: what is small beside those
// is small.
func (c *Certifier) Inherit(from *Certifier) {
	for j, i := range c.between.island {
		p, q := &c.between.part[i], &from.between.part[from.between.island[j]]
		p.ForceAlong, p.ForceAcross = max(p.ForceAlong, q.ForceAlong), max(p.ForceAcross, q.ForceAcross)
		p.Acting, p.Data, p.Borne = max(p.Acting, q.Acting), max(p.Data, q.Data), max(p.Borne, q.Borne)
		p.Held, p.Closed = max(p.Held, q.Held), p.Closed || q.Closed
		p.ExchangedAlong, p.ExchangedAcross = max(p.ExchangedAlong, q.ExchangedAlong), max(p.ExchangedAcross, q.ExchangedAcross)
	}
	c.scales.Inherit(from.scales)
	n, m := &c.node, &from.node
	n.EnergyScale, n.ForceScale, n.Loose = max(n.EnergyScale, m.EnergyScale), max(n.ForceScale, m.ForceScale), max(n.Loose, m.Loose)
}
