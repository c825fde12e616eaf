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
	closed          // r ∈ K, u_N = 0: stick or slip
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
// hull of its arc, and always vᵀM v ≤ τ (a cone for each block). What is asked for then is a conic program without
// objective: a Farkas vector closes a node with all that lies below it.
type search struct {
	s      *statics
	f      []float64
	fRoot  []float64      // L⁻¹f, with M = L Lᵀ by blocks
	hRoot  [][3][]float64 // L⁻¹H, of each contact in its rows
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
	d := &search{s: s, f: f, n: s.dim * len(s.contacts), until: time.Now().Add(limit), fRoot: s.root(f)}
	column := make([]float64, s.nv)
	for j := range s.contacts {
		c := &s.contacts[j]
		var roots [3][]float64
		for e := range s.dim {
			for k, row := range c.rows {
				column[row] = c.cols[e][k]
			}
			for b := 0; b < len(c.rows); b += s.per {
				at := c.rows[b]
				roots[e] = append(roots[e], s.rootOf(at/s.per, column[at:at+s.per])...)
			}
		}
		d.hRoot = append(d.hRoot, roots)
	}
	return d
}

// root returns L⁻¹x with M = L Lᵀ, so that its square is xᵀM⁻¹x.
func (s *statics) root(x []float64) []float64 {
	var y []float64
	for b := range s.mass {
		y = append(y, s.rootOf(b, x[b*s.per:(b+1)*s.per])...)
	}
	return y
}

func (s *statics) rootOf(block int, x []float64) []float64 {
	var l [36]float64
	n, m := s.per, s.mass[block]
	y := slices.Clone(x)
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
			y[i] -= l[i*n+h] * y[h]
		}
		y[i] /= l[i*n+i]
	}
	return y
}

// run goes through the tree; done says that no node was left because of the limit.
func (d *search) run(ctx context.Context) (done bool, err error) {
	limited, cancel := context.WithDeadline(ctx, d.until)
	defer cancel()
	stack := [][]mode{make([]mode, len(d.s.contacts))}
	for len(stack) > 0 && d.found == nil {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		children, err := d.visit(limited, node)
		switch {
		case ctx.Err() != nil:
			return false, context.Cause(ctx)
		case limited.Err() != nil:
			return false, nil
		case err != nil:
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
	if r.X == nil {
		return d.divideBlindly(node), nil
	}
	tau, rho := d.read(r.X, columns)
	v, u := d.follow(tau, rho)
	if d.found = d.s.motionOf(d.f, v, rho, tau); d.found != nil {
		return nil, nil
	}
	if d.found, err = d.polish(ctx, node, u); d.found != nil || err != nil {
		return nil, err
	}
	if r.Status != conic.Optimal {
		return d.divideBlindly(node), nil
	}
	return d.divide(node, u, rho), nil
}

// A generator is a column of the program: of the reaction of a contact, of τ (contact -1), or of a
// velocity or an energy (contact -2).
type generator struct {
	contact int
	weight  [3]float64
}

// A builder makes the program of a node. Its rows are, with z = Lᵀv,
//
//	z = τ L⁻¹f + L⁻¹H r      nv
//	(L⁻¹H)ᵀz = u             of the components that are not free
//	(L⁻¹f)·z = 1
//	Σ t_b ≤ τ                with ‖z_b‖² ≤ t_b: (t_b + 1, t_b − 1, 2 z_b)/2 in the cone, a row a block
type builder struct {
	d       *search
	p       *conic.Problem
	columns []generator
	rowOf   []int // of each component of u; -1 if it is free
	arcOf   []int // of each contact: the row of its arc; -1 for none
	power   int
	energy  int
	at      []int
	values  []float64
}

// program is that of a node; held are the directions of slips that are not to be those of its sector.
func (d *search) program(node []mode, held map[int][2]float64) (*conic.Problem, []generator) {
	s := d.s
	b := &builder{d: d, rowOf: make([]int, d.n)}
	rows := s.nv
	for j, m := range node {
		for e := range s.dim {
			k := j*s.dim + e
			free := m.kind == undecided || m.kind == open || m.kind == closed || s.contacts[j].mu == 0
			if b.rowOf[k] = -1; e == 0 || !free {
				b.rowOf[k] = rows
				rows++
			}
		}
	}
	b.arcOf = make([]int, len(node))
	for j, m := range node {
		if b.arcOf[j] = -1; m.wide(s.dim, s.contacts[j].mu) && len(held) == 0 {
			b.arcOf[j] = rows
			rows++
		}
	}
	b.power, b.energy = rows, rows+1
	rows += 2 + len(s.mass)
	b.p = &conic.Problem{B: make([]float64, rows)}
	b.p.A.Rows = rows
	b.p.B[b.power] = 1
	b.time()
	b.velocities()
	for j, m := range node {
		b.reactions(j, m, held)
		b.motions(j, m)
	}
	b.p.C = make([]float64, b.p.A.Cols())
	return b.p, b.columns
}

func (b *builder) put(row int, v float64) {
	if row >= 0 {
		b.at, b.values = append(b.at, row), append(b.values, v)
	}
}

// push ends a column, the first of a cone if that has a dimension.
func (b *builder) push(g generator, cone int) {
	b.p.A.Column(b.at, b.values)
	b.columns = append(b.columns, g)
	if cone > 0 {
		b.p.Cones = append(b.p.Cones, cone)
	}
	b.at, b.values = b.at[:0], b.values[:0]
}

// time is the column of τ, and that of the energy that is left over.
func (b *builder) time() {
	for i, v := range b.d.fRoot {
		b.put(i, -v)
	}
	b.put(b.energy, -1)
	b.push(generator{contact: -1}, 1)
	b.put(b.energy, 1)
	b.push(generator{contact: -2}, 1)
}

// velocities are, for each block, (t + 1)/2, (t − 1)/2 and z/1 in a cone: ‖z‖² ≤ t.
func (b *builder) velocities() {
	s := b.d.s
	touch := make([][][2]int, s.nv) // contact and place in its rows
	for j := range s.contacts {
		for k, row := range s.contacts[j].rows {
			touch[row] = append(touch[row], [2]int{j, k})
		}
	}
	for block := range s.mass {
		difference := b.energy + 1 + block
		// first + second = t, first − second = 1
		b.p.B[difference] = 1
		b.put(difference, 1)
		b.put(b.energy, 1)
		b.push(generator{contact: -2}, s.per+2)
		b.put(difference, -1)
		b.put(b.energy, 1)
		b.push(generator{contact: -2}, 0)
		for i := range s.per {
			row := block*s.per + i
			b.put(row, 1)
			b.put(b.power, b.d.fRoot[row])
			for _, c := range touch[row] {
				for e := range s.dim {
					b.put(b.rowOf[c[0]*s.dim+e], b.d.hRoot[c[0]][e][c[1]])
				}
			}
			b.push(generator{contact: -2}, 0)
		}
	}
}

// reaction is a column of a reaction along weight.
func (b *builder) reaction(j int, weight [3]float64, cone int) {
	for k, row := range b.d.s.contacts[j].rows {
		sum := 0.
		for e := range b.d.s.dim {
			sum += weight[e] * b.d.hRoot[j][e][k]
		}
		b.put(row, -sum)
	}
	b.push(generator{j, weight}, cone)
}

func (b *builder) reactions(j int, m mode, held map[int][2]float64) {
	mu, dim := b.d.s.contacts[j].mu, b.d.s.dim
	switch {
	case m.kind == open:
	case mu == 0:
		b.reaction(j, [3]float64{1}, 1)
	case b.arcOf[j] >= 0:
		b.arc(j, m)
	case m.kind == slip:
		arc := m.corners(dim)
		if e, ok := held[j]; ok {
			arc = [][2]float64{e}
		}
		for _, e := range arc {
			b.reaction(j, [3]float64{1, -mu * e[0], -mu * e[1]}, 1)
		}
	default:
		b.reaction(j, [3]float64{1 / mu}, dim)
		b.reaction(j, [3]float64{0, 1}, 0)
		if dim == 3 {
			b.reaction(j, [3]float64{0, 0, 1}, 0)
		}
	}
}

// arc is the hull of the reactions of a sector: r ∈ K, −r_T·m ≥ μ r_N cos of half of it, m its middle.
func (b *builder) arc(j int, m mode) {
	mu, row := b.d.s.contacts[j].mu, b.arcOf[j]
	sin, cos := math.Sincos((m.from + m.to) / 2)
	b.put(row, -math.Cos((m.to-m.from)/2))
	b.reaction(j, [3]float64{1 / mu}, 3)
	b.put(row, -cos)
	b.reaction(j, [3]float64{0, 1}, 0)
	b.put(row, -sin)
	b.reaction(j, [3]float64{0, 0, 1}, 0)
	b.put(row, -1)
	b.push(generator{contact: -2}, 1)
}

// wide: the triangle around a sector of more than 23° is larger than its arc by a hundredth.
func (m mode) wide(dim int, mu float64) bool {
	return m.kind == slip && dim == 3 && mu > 0 && m.to-m.from > .4
}

// motions are columns of what u may be.
func (b *builder) motions(j int, m mode) {
	dim := b.d.s.dim
	switch {
	case m.kind == undecided || m.kind == open:
		b.put(b.rowOf[j*dim], -1)
		b.push(generator{contact: -2}, 1)
	case m.kind == slip && b.d.s.contacts[j].mu > 0:
		for _, e := range m.edges(dim) {
			b.put(b.rowOf[j*dim+1], -e[0])
			if dim == 3 {
				b.put(b.rowOf[j*dim+2], -e[1])
			}
			b.push(generator{contact: -2}, 1)
		}
	}
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

// divide branches on the contact that is farthest from Coulomb's law: first on what opens, then on what slips.
func (d *search) divide(node []mode, u, rho []float64) [][]mode {
	worst, most := -1, 0.
	dim := d.s.dim
	size := largest(u) * largest(rho)
	for j, m := range node {
		if g := rho[j*dim] * u[j*dim]; m.kind == undecided && g > most && g > 1e-7*size {
			worst, most = j, g
		}
	}
	if worst >= 0 {
		return d.branch(node, worst, u, rho)
	}
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
	switch m.kind {
	case undecided:
		return math.Inf(1)
	case closed:
		return 2 * math.Pi
	}
	return m.to - m.from
}

// divisible: a sector is, down to a width at which a motion in it would have been found from its middle.
func (m mode) divisible(dim int, mu float64) bool {
	return m.kind == undecided || m.kind == closed && mu > 0 || m.kind == slip && dim == 3 && mu > 0 && m.to-m.from > 1e-3
}

func (d *search) branch(node []mode, j int, u, rho []float64) [][]mode {
	m, dim := node[j], d.s.dim
	var options []mode
	switch {
	case m.kind == slip:
		middle := (m.from + m.to) / 2
		options = []mode{{slip, m.from, middle}, {slip, middle, m.to}}
	case m.kind == undecided:
		options = []mode{{kind: open}, {kind: closed}}
	case dim == 2:
		options = []mode{{slip, 0, 0}, {slip, math.Pi, math.Pi}, {kind: stick}}
	default:
		third := 2 * math.Pi / 3
		options = []mode{{slip, -third / 2, third / 2}, {slip, third / 2, 1.5 * third}, {slip, 1.5 * third, 2.5 * third}, {kind: stick}}
	}
	if u != nil {
		d.order(options, j, u, rho)
	}
	var children [][]mode
	for _, o := range options {
		child := slices.Clone(node)
		child[j] = o
		if o.kind == stick || o.kind == closed {
			d.settle(child, j)
		}
		children = append(children, child)
	}
	return children
}

// settle makes all corners of an interface stick of which two stick in the plane, or three in space:
// u is zero there too, and r ∈ K is all that is asked. So it does with those that are closed. Points
// that are given may be on a line, or one: then nothing follows.
func (d *search) settle(node []mode, j int) {
	if f := &d.s.a.Interfaces[d.s.contacts[j].face]; len(f.corners(d.s.a.Plane)) < len(f.Points) {
		return
	}
	face, sticking, shut := d.s.contacts[j].face, 0, 0
	all := func(do func(i int)) {
		for i := j; i >= 0 && d.s.contacts[i].face == face; i-- {
			do(i)
		}
		for i := j + 1; i < len(node) && d.s.contacts[i].face == face; i++ {
			do(i)
		}
	}
	all(func(i int) {
		switch node[i].kind {
		case stick:
			sticking++
			shut++
		case slip, closed:
			shut++
		}
	})
	all(func(i int) {
		switch {
		case sticking >= d.s.dim:
			node[i].kind = stick
		case shut >= d.s.dim && node[i].kind == undecided:
			node[i].kind = closed
		}
	})
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
		case closed:
			return math.Abs(uj[0]) / size
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

// polish looks for the largest motion (least τ) of a node whose contacts are all decided. In space,
// directions of slip in narrow sectors are held, and then those of the motion found, until they stay.
func (d *search) polish(ctx context.Context, node []mode, u []float64) (*Motion, error) {
	rounds := 1
	for j, m := range node {
		if m.kind == undecided || m.kind == closed && d.s.contacts[j].mu > 0 || m.to-m.from > .6 && d.s.contacts[j].mu > 0 { // 34°: after two halvings
			return nil, nil
		}
		if m.to > m.from {
			rounds = 20
		}
	}
	for range rounds {
		held := map[int][2]float64{}
		for j, m := range node {
			if m.to == m.from {
				continue
			}
			if x, y := u[3*j+1], u[3*j+2]; math.Hypot(x, y) > 0 {
				held[j] = [2]float64{x / math.Hypot(x, y), y / math.Hypot(x, y)}
			}
		}
		p, columns := d.program(node, held)
		p.C[0] = 1
		r, err := conic.Solve(ctx, p, &conic.Options{Tolerance: 1e-12, Enough: 1e-6})
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
// the law; nil if nothing moves by it.
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
