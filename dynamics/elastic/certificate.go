package elastic

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/sparse"
)

// Certificate tells how far the time step is from where Theorem 4 holds.
type Certificate struct {
	// CFL is c_p Δt/h with h the shortest edge of the elements within two layers
	// of the contact nodes, h_c' of (41) (there: of their diameters).
	CFL float64
	// Contraction bounds the factor of Φ_n with all nodes closed, whatever the
	// directions of sliding: ‖diag(μ) W_nn⁻¹W_nt‖₂, with W = HᵀK̃⁻¹H. It is
	// proportional to CFL² for small steps. Below 1 the thresholds of closed
	// contacts have one fixed point; 0 if the scheme is explicit or there is no friction.
	Contraction float64
	// CriticalFriction is the least μ, the same at all contacts, at which closed
	// contacts that slide alike, or one contact alone, have no unique reaction:
	// above it several solutions exist. +Inf if there is none.
	CriticalFriction float64
	Warnings         []string
}

// uniquenessMargin is the contraction bound from which a warning comes: patterns
// in which some contacts stick or are open, which it leaves out, lose uniqueness
// at up to half the friction (all patterns of a 4×1 block, CFL 0.1 to 10).
const uniquenessMargin = 0.5

// Certificate evaluates the step of the run. It costs some products with the
// dense W.
func (s *Stepper) Certificate() Certificate {
	c := Certificate{CFL: s.cfl(), CriticalFriction: math.Inf(1)}
	if s.central != nil {
		if c.CFL > 1 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("CFL number %.3g > 1: central differences are unstable", c.CFL))
		}
		return c
	}
	if s.a.model.Friction == nil || len(s.a.normal) == 0 {
		return c
	}
	if w, _ := s.trapezoid.solver.Delassus(); w == nil {
		c.Warnings = append(c.Warnings, "too many contacts to evaluate the contraction; watch Stats.Iterations")
		return c
	}
	g := newCoupling(s.trapezoid)
	mu := 0.0
	for k := range s.a.normal {
		mu = max(mu, s.a.model.mu(k))
	}
	c.Contraction = g.norm(s.a.model.Friction)
	c.CriticalFriction = g.critical()
	if c.Contraction >= uniquenessMargin || mu >= c.CriticalFriction {
		c.Warnings = append(c.Warnings, fmt.Sprintf(
			"the step may have several solutions: contraction bound %.3g, CFL number %.3g, friction %.3g of at most %.3g; Δt = %.3g brings the bound to 1/4",
			c.Contraction, c.CFL, mu, c.CriticalFriction, s.opt.Step*math.Sqrt(0.25/c.Contraction)))
	}
	return c
}

// cfl finds the shortest edge around the contacts, anywhere without contacts.
func (s *Stepper) cfl() float64 {
	m := s.a.model.Mesh
	near := make([]bool, m.NumNodes())
	for _, n := range s.a.normal {
		near[n/s.a.dim] = true
	}
	n := m.Dim + 1
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
		if nodes := m.Elem[n*k : n*k+n]; touches(nodes) {
			layer = append(layer, nodes...)
		}
	}
	for _, i := range layer {
		near[i] = true
	}
	h := math.Inf(1)
	for k := range m.NumElems() {
		nodes := m.Elem[n*k : n*k+n]
		if !touches(nodes) {
			continue
		}
		for a, i := range nodes {
			for _, j := range nodes[:a] {
				d := 0.0
				for c, x := range m.Node(i) {
					d = math.Hypot(d, x-m.Node(j)[c])
				}
				h = min(h, d)
			}
		}
	}
	return s.a.model.Material.WaveSpeed(m.Dim) * s.opt.Step / h
}

// coupling is G = W_nn⁻¹ W_nt, what a tangential force does to the normal
// reactions of closed contacts.
type coupling struct {
	nc, nt int
	wnn    sparse.Factor
	wnt    []float64 // nc×(nt·nc)
	wii    []float64 // diagonal of W_nn
	x      []float64
}

func newCoupling(t *trapezoid) *coupling {
	w, columns := t.solver.Delassus()
	dim, n := t.problem.H.Dim, len(columns)
	g := &coupling{nc: len(t.a.normal), nt: t.a.dim - 1}
	b := sparse.NewBuilder(g.nc)
	for i := range g.nc {
		for j := range i {
			b.Add(i, j)
		}
	}
	m := b.Build()
	g.wnt, g.wii, g.x = make([]float64, g.nc*g.nt*g.nc), make([]float64, g.nc), make([]float64, g.nc)
	for p, row := range columns {
		if row%dim != 0 {
			continue
		}
		for q, col := range columns {
			i, j, v := row/dim, col/dim, w[p*n+q]
			switch {
			case col%dim != 0:
				g.wnt[i*g.nt*g.nc+j*g.nt+col%dim-1] = v
			case i >= j:
				m.AddAt(i, j, v)
			}
		}
		g.wii[row/dim] = w[p*n+p]
	}
	g.wnn = sparse.Analyse(m, sparse.Options{})
	if g.wnn.Refactor(m) != nil { // W is positive definite: Condensed has inverted it
		panic("elastic: coupling: W_nn is not positive definite")
	}
	return g
}

// mul sets y = W_nn⁻¹ W_nt x.
func (g *coupling) mul(y, x []float64) {
	cols := g.nt * g.nc
	for i := range y {
		y[i] = dot(g.wnt[i*cols:(i+1)*cols], x)
	}
	g.wnn.Solve(y, y)
}

// powerSteps of an iteration whose value is wanted to some per cent.
const powerSteps = 60

// norm returns ‖diag(μ) G‖₂ by power iteration on its square.
func (g *coupling) norm(mu []float64) float64 {
	cols := g.nt * g.nc
	x, y := make([]float64, cols), g.x
	for i := range x {
		x[i] = 1 + 0.5*math.Sin(float64(i))
	}
	value := 0.0
	for range powerSteps {
		scale := math.Sqrt(dot(x, x))
		if scale == 0 {
			return 0
		}
		for i := range x {
			x[i] /= scale
		}
		g.mul(y, x)
		for k, m := range mu {
			y[k] *= m
		}
		value = math.Sqrt(dot(y, y))
		for k, m := range mu {
			y[k] *= m
		}
		g.wnn.Solve(y, y)
		clear(x)
		for i, v := range y {
			for j := range x {
				x[j] += g.wnt[i*cols+j] * v
			}
		}
	}
	return value
}

// critical returns the least μ at which a pattern of sliding loses its unique
// reaction: W_nn − μ W_nt S singular for one contact, or for all in one
// direction along the first tangent (by power iteration, where its eigenvalue of
// largest modulus is real).
func (g *coupling) critical() float64 {
	cols, least := g.nt*g.nc, math.Inf(1)
	for i := range g.nc {
		for c := range g.nt {
			if v := math.Abs(g.wnt[i*cols+i*g.nt+c]); v > 0 {
				least = min(least, g.wii[i]/v)
			}
		}
	}
	x, y := make([]float64, cols), make([]float64, g.nc)
	for k := range g.nc {
		y[k] = 1
	}
	value, before := 0.0, 0.0
	for range powerSteps {
		before = value
		size := math.Sqrt(dot(y, y))
		if size == 0 {
			return least
		}
		for k := range y {
			y[k] /= size
			x[g.nt*k] = y[k]
		}
		copy(g.x, y)
		g.mul(y, x)
		value = dot(g.x, y)
	}
	if math.Abs(value-before) < 0.01*math.Abs(value) {
		least = min(least, 1/math.Abs(value))
	}
	return least
}
