package energetic

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/incremental"
)

// gaps evaluates both gaps of the present node.
func (c *Certifier) gaps(ctx context.Context) error {
	n := &c.node
	var err error
	if n.Gap, err = c.gap(ctx); err != nil {
		return err
	}
	if n.StepGap = n.Gap; c.opt.stepless() {
		return nil
	}
	if n.StepGap, err = c.stepGap(ctx, c.implicit()); err != nil {
		return err
	}
	// A step of an implicit run may have fallen back to lagged thresholds; a
	// trajectory from elsewhere does not tell.
	if n.Stats.Solves > 0 || !c.implicit() || c.solved(n.StepGap) {
		return nil
	}
	lagged, err := c.stepGap(ctx, false)
	if err == nil && c.solved(lagged) {
		n.StepGap, n.Upper = lagged, c.upper()
	}
	return err
}

// solved reports whether a gap is that of a solved step.
func (c *Certifier) solved(g incremental.Gap) bool {
	n, tol := &c.node, c.opt.Tolerance
	return g.Upper <= n.GapLimit(tol) && g.Share <= forceSlack*tol
}

// gap evaluates (S) with the true Ψ(t, z, ·).
func (c *Certifier) gap(ctx context.Context) (incremental.Gap, error) {
	n := &c.node
	c.freezeNode()
	c.min.From(n.T)
	return c.min.Gap(ctx, n.T, n.Z, n.Z, n.Grad, c.compared())
}

// stepGap evaluates how far the node is from solving its step.
func (c *Certifier) stepGap(ctx context.Context, implicit bool) (incremental.Gap, error) {
	n := &c.node
	c.freezeStep(implicit)
	c.min.From(c.tPrev)
	return c.min.Gap(ctx, n.T, c.zPrev, n.Z, n.Grad, c.compared())
}

func (c *Certifier) compared() incremental.Sizes {
	return incremental.Sizes{Force: c.node.forces(c.opt.Tolerance), Energy: c.node.EnergyScale, Length: c.size, Forces: c.sizes}
}

// freezeNode sets the thresholds of the true Ψ at the node, once.
func (c *Certifier) freezeNode() {
	if c.frozen {
		return
	}
	n := &c.node
	for i, j := range c.min.Contacts() {
		c.min.SetThreshold(i, c.psi.Pressure(n.T, j, n.Z, n.Grad, c.origin())*c.psi.Factor(j, n.T), n.T, n.Z)
	}
	c.frozen = true
}

// freezeStep sets the thresholds that the last step had: by the rule from the
// forces and friction matrices at its end (implicit) or at its start.
func (c *Certifier) freezeStep(implicit bool) {
	if implicit && c.opt.Step.Rule.Gamma == 0 {
		c.freezeNode()
		return
	}
	c.frozen = false
	t, z, grad, from := c.tPrev, c.zPrev, c.gradPrev, c.older
	if implicit {
		t, z, grad, from = c.node.T, c.node.Z, c.node.Grad, c.origin()
	}
	for i, j := range c.min.Contacts() {
		r := c.opt.Step.Rule.Threshold(c.psi.Pressure(t, j, z, grad, from), c.switching[j])
		c.min.SetThreshold(i, r*c.psi.Factor(j, t), t, z)
	}
}

// worstForce returns the largest violation of the force balance (DI) at a
// particle, and the particle, with the true Ψ at the node and the direction of
// the last step.
func (c *Certifier) worstForce() (worst int, force float64) {
	for j := range c.sys.N() {
		if f := c.unbalanced(j); f > force {
			worst, force = j, f
		}
	}
	return worst, force
}

// unbalanced returns the distance of −DE^(j) from ∂_vΨ^(j) + ∂χ_A. A particle
// that slid on its obstacle has the one friction force against its motion; one
// that stands or has just landed any in the friction ellipse.
func (c *Certifier) unbalanced(j int) float64 {
	if c.sys.Cornered(j) {
		return c.loose[j]
	}
	n := &c.node
	g := n.Grad[3*j : 3*j+3]
	if !c.sys.Constrained(j) || n.Z[3*j+2] > 0 {
		return math.Sqrt(g[0]*g[0] + g[1]*g[1] + g[2]*g[2])
	}
	normal := min(g[2], 0)
	sigma := max(g[2], 0) * c.psi.Factor(j, n.T)
	var a, b float64 // tangential force that friction does not explain
	slid := n.K > 0 && c.psi.Touches(c.tPrev, j, c.zPrev) && (c.v[3*j] != 0 || c.v[3*j+1] != 0)
	if slid {
		f := c.psi.Force(n.T, j, n.Z, c.v)
		a, b = g[0]+sigma*f[0], g[1]+sigma*f[1]
	} else {
		a, b = c.psi.Excess(n.T, j, sigma, n.Z, [2]float64{g[0], g[1]})
	}
	return math.Sqrt(a*a + b*b + normal*normal)
}
