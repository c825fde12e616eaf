package assembly

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// A mode is what a contact does in a motion from rest; undecided is all of them.
type mode struct {
	kind state
	from float64 // slip: angles between which u_T points [rad]; 0 or π in the plane
	to   float64
}

type state int

const (
	undecided state = iota
	open            // r = 0, u_N ≥ 0
	stick           // r ∈ K, u = 0; without friction u_N = 0
	slip            // r = r_N (1, −μ e), u_N = 0, u_T = ‖u_T‖ e
)

// The search asks for a motion from rest that is one of Coulomb's law: v ≠ 0, r, τ > 0 with
//
//	M v = τ f + H r,   u = Hᵀv,   each contact in a mode
//
// (a = v/τ is an acceleration; the law at rest is homogeneous). Its power is
//
//	vᵀM v = τ f·v + Σ r·u = τ f·v − Σ μ r_N ‖u_T‖
//
// so that f·v > 0, and v may be scaled to f·v = 1: the assembly is strongly stable, in the sense
// of Pang and Trinkle, if and only if no combination of modes has a solution with f·v = 1. An
// undecided contact asks for r ∈ K and u_N ≥ 0 only, a slip within a sector of directions for the
// hull of its arc, and always vᵀM v ≤ τ (a cone). What is asked for then is a conic program without
// objective: a Farkas vector closes a node with all that lies below it.
type search struct {
	s      *statics
	f      []float64
	w      []float64 // Hᵀ M⁻¹ H
	q      []float64 // Hᵀ M⁻¹ f
	roots  []float64 // columns of M^-½ [H, f], nv each
	power  float64   // fᵀ M⁻¹ f
	n      int
	until  time.Time
	nodes  int
	closed int  // by a checked Farkas vector
	missed bool // a leaf that is neither closed nor a solution
	found  *Motion
}

// Motion is a motion from rest by Coulomb's law.
type Motion struct {
	Accelerations []float64 // in units of the assembly: of blocks, at their centroids
	Reactions     []float64
	Residual      float64 // of the equations of motion and of the law, relative to the loads
}

func newSearch(s *statics, f []float64, limit time.Duration) *search {
	d := &search{s: s, f: f, n: s.dim * len(s.contacts), until: time.Now().Add(limit)}
	d.w, d.q = make([]float64, d.n*d.n), make([]float64, d.n)
	v, column := make([]float64, s.nv), make([]float64, s.nv)
	s.blockwise(v, s.inverse, f)
	s.motion(d.q, v)
	d.power = product(f, v)
	for j := range s.contacts {
		c := &s.contacts[j]
		for e := range s.dim {
			clear(column)
			for k, row := range c.rows {
				column[row] = c.cols[e][k]
			}
			d.roots = append(d.roots, s.root(column)...)
			s.blockwise(v, s.inverse, column)
			s.motion(d.w[(j*s.dim+e)*d.n:(j*s.dim+e+1)*d.n], v)
		}
	}
	d.roots = append(d.roots, s.root(f)...)
	return d
}

// root returns L⁻¹x with M = L Lᵀ by blocks, so that its square is xᵀM⁻¹x.
func (s *statics) root(x []float64) []float64 {
	y := slices.Clone(x)
	n := s.per
	for b, m := range s.mass {
		var l [36]float64
		for i := range n {
			for k := range i + 1 {
				sum := m[i*n+k]
				for h := range k {
					sum -= l[i*n+h] * l[k*n+h]
				}
				if i == k {
					l[i*n+i] = math.Sqrt(sum)
				} else {
					l[i*n+k] = sum / l[k*n+k]
				}
			}
			for h := range i {
				y[b*n+i] -= l[i*n+h] * y[b*n+h]
			}
			y[b*n+i] /= l[i*n+i]
		}
	}
	return y
}

// run goes through the tree; done says that no node was left because of the limit.
func (d *search) run(ctx context.Context) (done bool, err error) {
	stack := [][]mode{make([]mode, len(d.s.contacts))}
	for len(stack) > 0 && d.found == nil {
		if time.Now().After(d.until) {
			return false, nil
		}
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		children, err := d.visit(ctx, node)
		if err != nil {
			return false, err
		}
		slices.Reverse(children) // the likeliest first
		stack = append(stack, children...)
	}
	return true, nil
}

// visit closes a node, finds a motion in it, or returns its children.
func (d *search) visit(ctx context.Context, node []mode) ([][]mode, error) {
	d.nodes++
	p, columns := d.program(node, nil)
	r, err := conic.Solve(ctx, p, &conic.Options{Tolerance: 1e-9, Enough: 1e-8})
	if err != nil {
		return nil, err
	}
	if r.Status == conic.Infeasible && p.RayViolation(r.Y) < 1e-8 {
		d.closed++
		return nil, nil
	}
	if r.Status != conic.Optimal {
		return d.divideBlindly(node), nil
	}
	tau, rho := d.read(r.X, columns)
	v, u := d.follow(tau, rho)
	if m := d.s.motionOf(d.f, v, rho, tau); m != nil {
		d.found = m
		return nil, nil
	}
	if m, err := d.polish(ctx, node, u); m != nil || err != nil {
		d.found = m
		return nil, err
	}
	return d.divide(node, u, rho), nil
}

// A column is a generator of the reaction of a contact, or that of τ (contact -1) or of a velocity
// or of the cut (contact -2).
type generator struct {
	contact int
	weight  [3]float64
}

// program is that of a node; held are the directions of slips that are not to be those of its sector.
func (d *search) program(node []mode, held map[int][2]float64) (*conic.Problem, []generator) {
	dim, s := d.s.dim, d.s
	rowOf := make([]int, d.n)
	rows := 0
	keep := func(k int) { rowOf[k] = rows; rows++ }
	for j, m := range node {
		for e := range dim {
			k := j*dim + e
			free := m.kind == undecided || m.kind == open || s.contacts[j].mu == 0
			if rowOf[k] = -1; e == 0 || !free {
				keep(k)
			}
		}
	}
	power := rows // f·v = 1
	cut := rows + 1
	rows += 3 + s.nv
	p := &conic.Problem{B: make([]float64, rows)}
	p.A.Rows = rows
	p.B[power], p.B[cut], p.B[cut+1] = 1, .5, -.5
	var columns []generator
	at, values := make([]int, 0, rows), make([]float64, 0, rows)
	push := func(g generator, cone int) {
		p.A.Column(at, values)
		columns = append(columns, g)
		if cone > 0 {
			p.Cones = append(p.Cones, cone)
		}
		at, values = at[:0], values[:0]
	}
	put := func(row int, v float64) {
		if row >= 0 {
			at, values = append(at, row), append(values, v)
		}
	}
	reaction := func(j int, weight [3]float64, cone int) {
		for k := range d.n {
			sum := 0.
			for e := range dim {
				sum += weight[e] * d.w[(j*dim+e)*d.n+k]
			}
			put(rowOf[k], sum)
		}
		sum := 0.
		for e := range dim {
			sum += weight[e] * d.q[j*dim+e]
		}
		put(power, sum)
		for i := range s.nv {
			sum := 0.
			for e := range dim {
				sum += weight[e] * d.roots[(j*dim+e)*s.nv+i]
			}
			put(cut+2+i, sum)
		}
		push(generator{j, weight}, cone)
	}
	// τ, and the cut ((τ+1)/2, (τ−1)/2, M^½ v) in the cone.
	for k := range d.n {
		put(rowOf[k], d.q[k])
	}
	put(power, d.power)
	put(cut, -.5)
	put(cut+1, -.5)
	for i := range s.nv {
		put(cut+2+i, d.roots[d.n*s.nv+i])
	}
	push(generator{contact: -1}, 1)
	for i := range s.nv + 2 {
		sign := 1.
		if i > 1 {
			sign = -1
		}
		put(cut+i, sign)
		cone := 0
		if i == 0 {
			cone = s.nv + 2
		}
		push(generator{contact: -2}, cone)
	}
	for j, m := range node {
		mu := s.contacts[j].mu
		switch {
		case m.kind == open:
		case mu == 0:
			reaction(j, [3]float64{1}, 1)
		case m.kind == slip:
			arc := m.corners(dim)
			if e, ok := held[j]; ok {
				arc = [][2]float64{e}
			}
			for _, e := range arc {
				reaction(j, [3]float64{1, -mu * e[0], -mu * e[1]}, 1)
			}
		default:
			reaction(j, [3]float64{1 / mu}, dim)
			reaction(j, [3]float64{0, 1}, 0)
			if dim == 3 {
				reaction(j, [3]float64{0, 0, 1}, 0)
			}
		}
		switch {
		case m.kind == undecided || m.kind == open:
			put(rowOf[j*dim], -1)
			push(generator{contact: -2}, 1)
		case m.kind == slip && mu > 0:
			for _, e := range m.edges(dim) {
				put(rowOf[j*dim+1], -e[0])
				if dim == 3 {
					put(rowOf[j*dim+2], -e[1])
				}
				push(generator{contact: -2}, 1)
			}
		}
	}
	p.C = make([]float64, p.A.Cols())
	return p, columns
}

// corners are those of the triangle around the arc of a sector.
func (m mode) corners(dim int) [][2]float64 {
	e := m.edges(dim)
	if len(e) == 1 {
		return e
	}
	half := (m.to - m.from) / 2
	sin, cos := math.Sincos((m.from + m.to) / 2)
	return append(e, [2]float64{cos / math.Cos(half), sin / math.Cos(half)})
}

func (m mode) edges(dim int) [][2]float64 {
	sin, cos := math.Sincos(m.from)
	if dim == 2 {
		return [][2]float64{{math.Copysign(1, cos), 0}}
	}
	if m.from == m.to {
		return [][2]float64{{cos, sin}}
	}
	sinTo, cosTo := math.Sincos(m.to)
	return [][2]float64{{cos, sin}, {cosTo, sinTo}}
}

func (d *search) read(x []float64, columns []generator) (tau float64, rho []float64) {
	rho = make([]float64, d.n)
	for k, g := range columns {
		switch {
		case g.contact == -1:
			tau = x[k]
		case g.contact >= 0:
			for e := range d.s.dim {
				rho[g.contact*d.s.dim+e] += x[k] * g.weight[e]
			}
		}
	}
	return tau, rho
}

// follow returns v = M⁻¹(τ f + H ρ) and u.
func (d *search) follow(tau float64, rho []float64) (v, u []float64) {
	load := make([]float64, d.s.nv)
	for i := range load {
		load[i] = tau * d.f[i]
	}
	d.s.resultant(load, rho)
	v, u = make([]float64, d.s.nv), make([]float64, d.n)
	d.s.blockwise(v, d.s.inverse, load)
	d.s.motion(u, v)
	return v, u
}

// gap is r·u + μ r_N‖u_T‖ ≥ 0 for r ∈ K and u_N ≥ 0, and zero only by Coulomb's law: the
// bipotential of de Saxcé.
func gap(dim int, mu float64, r, u []float64) float64 {
	sum, slip := 0., 0.
	for e := range dim {
		sum += r[e] * u[e]
		if e > 0 {
			slip = math.Hypot(slip, u[e])
		}
	}
	return sum + mu*r[0]*slip
}

// divide branches on the contact that is farthest from Coulomb's law.
func (d *search) divide(node []mode, u, rho []float64) [][]mode {
	worst, most := -1, 0.
	dim := d.s.dim
	for j, m := range node {
		g := gap(dim, d.s.contacts[j].mu, rho[j*dim:(j+1)*dim], u[j*dim:(j+1)*dim])
		if m.divisible(dim, d.s.contacts[j].mu) && (worst < 0 || g > most) {
			worst, most = j, g
		}
	}
	if worst < 0 {
		d.missed = true
		return nil
	}
	return d.branch(node, worst, u, rho)
}

// divideBlindly branches where the program told nothing: on what is undecided, or the widest sector.
func (d *search) divideBlindly(node []mode) [][]mode {
	worst := -1
	for j, m := range node {
		if m.divisible(d.s.dim, d.s.contacts[j].mu) && (worst < 0 || m.width() > node[worst].width()) {
			worst = j
		}
	}
	if worst < 0 {
		d.missed = true
		return nil
	}
	return d.branch(node, worst, nil, nil)
}

func (m mode) width() float64 {
	if m.kind == undecided {
		return math.Inf(1)
	}
	return m.to - m.from
}

// divisible: a sector is, down to a width at which a motion in it would have been found from its middle.
func (m mode) divisible(dim int, mu float64) bool {
	return m.kind == undecided || m.kind == slip && dim == 3 && mu > 0 && m.to-m.from > 1e-3
}

func (d *search) branch(node []mode, j int, u, rho []float64) [][]mode {
	m, dim := node[j], d.s.dim
	var options []mode
	switch {
	case m.kind == slip:
		middle := (m.from + m.to) / 2
		options = []mode{{slip, m.from, middle}, {slip, middle, m.to}}
	case d.s.contacts[j].mu == 0:
		options = []mode{{kind: open}, {kind: stick}}
	case dim == 2:
		options = []mode{{kind: open}, {slip, 0, 0}, {slip, math.Pi, math.Pi}, {kind: stick}}
	default:
		third := 2 * math.Pi / 3
		options = []mode{{kind: open}, {slip, -third / 2, third / 2}, {slip, third / 2, 1.5 * third}, {slip, 1.5 * third, 2.5 * third}, {kind: stick}}
	}
	if u != nil {
		d.order(options, j, u, rho)
	}
	var children [][]mode
	for _, o := range options {
		child := slices.Clone(node)
		child[j] = o
		children = append(children, child)
	}
	return children
}

// order puts first the modes to which the relaxed motion is nearest.
func (d *search) order(options []mode, j int, u, rho []float64) {
	dim := d.s.dim
	size, force := largest(u)+1e-300, largest(rho)+1e-300
	distance := func(m mode) float64 {
		uj, rj := u[j*dim:(j+1)*dim], rho[j*dim:(j+1)*dim]
		switch m.kind {
		case open:
			return largest(rj) / force
		case stick:
			return largest(uj) / size
		}
		sin, cos := math.Sincos((m.from + m.to) / 2)
		along := uj[1] * cos
		if dim == 3 {
			along += uj[2] * sin
		}
		return (uj[0] + max(0, largest(uj[1:])-along)) / size
	}
	slices.SortStableFunc(options, func(a, b mode) int {
		if distance(a) < distance(b) {
			return -1
		}
		return 1
	})
}

// polish looks for a motion in narrow sectors, once all contacts are decided: directions of slip are
// held, the program is solved, and directions are those of its motion, until they stay.
func (d *search) polish(ctx context.Context, node []mode, u []float64) (*Motion, error) {
	if d.s.dim == 2 {
		return nil, nil
	}
	for j, m := range node {
		if m.kind == undecided || m.kind == slip && m.to-m.from > .6 && d.s.contacts[j].mu > 0 { // 34°: after two halvings
			return nil, nil
		}
	}
	for range 20 {
		held := map[int][2]float64{}
		for j, m := range node {
			if x, y := u[3*j+1], u[3*j+2]; m.kind == slip && math.Hypot(x, y) > 0 {
				held[j] = [2]float64{x / math.Hypot(x, y), y / math.Hypot(x, y)}
			}
		}
		p, columns := d.program(node, held)
		r, err := conic.Solve(ctx, p, &conic.Options{Tolerance: 1e-10, Enough: 1e-8})
		if err != nil || r.Status != conic.Optimal {
			return nil, err
		}
		tau, rho := d.read(r.X, columns)
		var v []float64
		v, u = d.follow(tau, rho)
		if m := d.s.motionOf(d.f, v, rho, tau); m != nil {
			return m, nil
		}
	}
	return nil, nil
}

// motionOf reads a motion and checks it, by the data alone: equations of motion, cones and gaps of
// the law. It is none if it does not move.
func (s *statics) motionOf(f, v, rho []float64, tau float64) *Motion {
	if !(tau > 0) {
		return nil
	}
	m := &Motion{Accelerations: slices.Clone(v), Reactions: slices.Clone(rho)}
	for i := range m.Accelerations {
		m.Accelerations[i] /= tau
	}
	for i := range m.Reactions {
		m.Reactions[i] /= tau
	}
	u := make([]float64, len(rho))
	s.motion(u, m.Accelerations)
	rest := slices.Clone(f)
	s.resultant(rest, m.Reactions)
	inertia := make([]float64, s.nv)
	s.blockwise(inertia, s.mass, m.Accelerations)
	for i := range rest {
		m.Residual = max(m.Residual, math.Abs(rest[i]-inertia[i]))
	}
	power := product(f, m.Accelerations)
	for j := range s.contacts {
		r, w := m.Reactions[j*s.dim:(j+1)*s.dim], u[j*s.dim:(j+1)*s.dim]
		mu, slip := s.contacts[j].mu, 0.
		for e := 1; e < s.dim; e++ {
			slip = math.Hypot(slip, r[e])
		}
		m.Residual = max(m.Residual, -w[0], -r[0], slip-mu*r[0], math.Abs(gap(s.dim, mu, r, w))/max(power, 1e-300))
	}
	// An acceleration of which the residuals could be the cause is none.
	if !(m.Residual < 1e-7) || !(largest(m.Accelerations) > 1e3*m.Residual) || !(power > 1e3*m.Residual*m.Residual) {
		return nil
	}
	return m
}
