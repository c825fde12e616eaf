package elastic

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/fem"
)

// Certificate tells how far the time step is from where Theorem 4 holds, and from
// where central differences are stable.
type Certificate struct {
	// CFL is c_p Δt/h with h the shortest edge of the elements within two layers
	// of the contact nodes, h_c' of (41) (there: of their diameters).
	CFL float64
	// Contraction bounds the factor of the fixed point Φ_n of Theorem 4, for any
	// states of the contacts (see held.theorem4). Below 1 the step has one solution.
	// It is proportional to CFL² for small steps; 0 if the scheme is explicit, the
	// mass is the standard one, or there is neither friction nor a fixed point.
	Contraction float64
	// Closed is the same with all nodes closed, ‖diag(μ) W_nn⁻¹W_nt‖₂ with
	// W = HᵀK̃⁻¹H: what friction does alone. Sharper, but no proof where nodes open or stick.
	Closed float64
	// Residual is the relative error of the eigenvalues in both: they are Ritz
	// values of Lanczos' method, lower bounds. Exact to rounding with few contacts.
	Residual float64
	// CriticalFriction is the least μ, the same at all contacts, at which closed
	// contacts that slide alike, or (up to some hundred contacts) one contact alone,
	// have no unique reaction: above it several solutions exist. +Inf if none is found.
	CriticalFriction float64
	// StableStep is the step up to which central differences are proven stable [s]:
	// 2/ω with ω² ≤ max_i Σ_j |A_ij|/m_i (Gershgorin). +Inf for implicit steps.
	StableStep float64
	// UnstableStep is the step above which they are proven unstable [s]: 2/ω with
	// the largest Ritz value of M_*⁻¹A_**, a lower bound. [New] refuses it.
	UnstableStep float64
	// Unique: every step has one solution, by proof: it is explicit but for a convex
	// problem, or one of these without friction, or Contraction < 1.
	Unique   bool
	Warnings []string
}

// uniquenessMargin is the value of Closed from which a warning comes: patterns
// in which some contacts stick or are open, which it leaves out, lose uniqueness
// at up to half the friction (all patterns of a 4×1 block, CFL 0.1 to 10).
const uniquenessMargin = 0.5

// Certificate is [Stepper.Certify] without an end; a bound that cannot be computed is a
// warning.
func (s *Stepper) Certificate() Certificate {
	c, err := s.Certify(context.Background())
	if err != nil {
		c.Unique, c.Warnings = false, append(c.Warnings, err.Error())
	}
	return c
}

// Certify evaluates the step of the run. Implicit steps with friction cost a factorisation
// and some dozens of solves with it, the first time. It fails if ctx ends.
func (s *Stepper) Certify(ctx context.Context) (Certificate, error) {
	if s.certificate == nil {
		c, err := s.certify(ctx)
		if err != nil {
			return c, err
		}
		s.certificate = &c
	}
	return *s.certificate, nil
}

func (s *Stepper) certify(ctx context.Context) (Certificate, error) {
	c := Certificate{CFL: s.cfl(), CriticalFriction: math.Inf(1), StableStep: math.Inf(1), UnstableStep: math.Inf(1)}
	if s.central != nil {
		c.StableStep, c.UnstableStep, c.Unique = s.central.stable, s.central.unstable, true
		if s.opt.Step > c.StableStep*(1+limitRounding) {
			c.Warnings = append(c.Warnings, fmt.Sprintf("central differences are proven stable up to Δt = %.4g and unstable above %.4g: Δt = %.4g lies between",
				c.StableStep, c.UnstableStep, s.opt.Step))
		}
		return c, nil
	}
	mu := infNorm(s.a.model.Friction)
	c.Unique = mu == 0 || s.a.dim == 1 || len(s.a.normal) == 0
	if len(s.a.normal) == 0 || c.Unique && s.picard == nil {
		return c, nil
	}
	h, err := s.trapezoid.holdNormals(ctx)
	if err == nil && s.a.model.Inertia != Standard {
		c.Contraction, c.Residual, err = h.theorem4(ctx, s.a.block(s.a.normal))
	}
	if ctx.Err() != nil {
		return c, context.Cause(ctx)
	}
	if err != nil { // a diagonal block of a matrix that was factorised
		return c, fmt.Errorf("elastic: certificate: %w", err)
	}
	if c.Unique {
		return c, nil
	}
	c.Unique = c.Contraction > 0 && c.Contraction < 1
	residual := 0.0
	c.Closed, residual = h.closed(ctx)
	c.Residual = max(c.Residual, residual)
	c.CriticalFriction = min(h.alike(ctx), s.trapezoid.alone())
	if ctx.Err() != nil {
		return c, context.Cause(ctx)
	}
	c.warn(mu, s.opt.Step)
	return c, nil
}

// warn adds the warning that uniqueness may be lost, unless it is proven.
func (c *Certificate) warn(mu, dt float64) {
	if c.Unique || c.Closed < uniquenessMargin && mu < c.CriticalFriction {
		return
	}
	c.Warnings = append(c.Warnings, fmt.Sprintf(
		"the step may have several solutions: contraction %.3g with all contacts closed, CFL number %.3g, friction %.3g, several are certain above %.3g; Δt = %.3g brings the contraction to 1/4",
		c.Closed, c.CFL, mu, c.CriticalFriction, dt*math.Sqrt(0.25/c.Closed)))
}

// alone returns the least μ at which one contact alone, the others being open,
// loses its unique reaction: W_ii,nn/|W_ii,nt|; +Inf where W was not computed.
func (t *trapezoid) alone() float64 {
	w, columns := t.solver.Delassus()
	dim, n, least := t.problem.H.Dim, len(columns), math.Inf(1)
	if w == nil {
		return least
	}
	for p, row := range columns {
		for q, col := range columns {
			if row%dim == 0 && col%dim != 0 && row/dim == col/dim && w[p*n+q] != 0 {
				least = min(least, w[p*n+p]/math.Abs(w[p*n+q]))
			}
		}
	}
	return least
}

// cfl finds the largest c_pΔt/h around the contacts, anywhere without contacts.
func (s *Stepper) cfl() float64 {
	m := s.a.model.Mesh
	near := make([]bool, m.NumNodes())
	for _, n := range s.a.massless {
		near[n/s.a.dim] = true
	}
	touches := func(nodes []int) bool {
		for _, i := range nodes {
			if near[i] {
				return true
			}
		}
		return len(s.a.normal) == 0
	}
	var layer []int // nodes of Ω_c
	for k := range m.NumElems() {
		if nodes := m.NodesOf(k); touches(nodes) {
			layer = append(layer, nodes...)
		}
	}
	for _, i := range layer {
		near[i] = true
	}
	r := 0.0
	for k := range m.NumElems() {
		if nodes := m.NodesOf(k); touches(nodes) {
			c := s.a.model.bodyOf(nodes[0]).Material.WaveSpeed(m.Dim)
			r = max(r, c*s.opt.Step/shortestEdge(m, nodes))
		}
	}
	return r
}

// shortestEdge returns the shortest edge of an element.
func shortestEdge(m *fem.Mesh, nodes []int) float64 {
	h := math.Inf(1)
	for a, i := range nodes {
		for _, j := range nodes[:a] {
			d := 0.0
			for c, x := range m.Node(i) {
				d = math.Hypot(d, x-m.Node(j)[c])
			}
			h = min(h, d)
		}
	}
	return h
}
