package energetic

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/sparse"
)

// relaxation integrates each particle of a trajectory again, by itself, in the parts of
// the steps between the points of quadrature: one sweep of waveform relaxation from the
// polygon. At each point the particle solves its own contact problem with Coulomb's law,
//
//	K_j d + g_j = r_j,   0 ≤ r_N ⊥ z_N + d_N ≥ 0,   −r_T ∈ r_N ∂‖M (z_T + d_T − y_T)‖,
//
// where g_j is the force on it on the polygon, K_j its block of D²E, d its offset from the
// polygon and y where it was at the point before. A polygon that is exact has offset 0. A
// turning point between two nodes that the polygon does not see moves the particle there
// and back, and what it dissipates on the way counts; where a particle begins to slide
// inside a step the offset is what the polygon moves too early.
type relaxation struct {
	list    []int     // particles that have one obstacle
	offset  []float64 // d, three a particle of the list [m]
	normal  []float64 // r_N of each, below 0 in the air [N]
	inverse [][9]float64
	theta   float64   // the point before, in parts of the step
	before  []float64 // |d| at the node before [m]
}

// unseen: steps are divided into four parts, of which the longest is .387 of it. Of an error
// at a node that falls as the length of the steps, three quarters are seen where the parts
// count alike, and .613 where the longest does; between these lies this.
const unseen = 1.5

// crest: between nodes an offset is a parabola where the motion is smooth. Its crest is at
// most half of .387 of the step from a point where it is seen, and there 1/(1 − .387²) higher.
const crest = 1.18

// newRelaxation takes the particles that have one obstacle. Those with several are judged by
// (S), (DI) and (E) alone.
func newRelaxation(c *Certifier) relaxation {
	var r relaxation
	for j := range c.sys.N() {
		if c.sys.Constrained(j) && !c.sys.Cornered(j) {
			r.list = append(r.list, j)
		}
	}
	r.offset, r.normal = make([]float64, 3*len(r.list)), make([]float64, len(r.list))
	r.inverse, r.before = make([][9]float64, len(r.list)), make([]float64, len(r.list))
	return r
}

// factor inverts the blocks of D²E, ordered n, t, o; zero where one is not positive
// definite: then the particle stays on the polygon.
func (r *relaxation) factor(h *sparse.Sym) {
	for i, j := range r.list {
		r.inverse[i] = inverseBlock(h, j)
	}
}

// noStiffness: a pivot of a block below this part of its trace is rounding.
const noStiffness = 1e-12

// inverseBlock returns the inverse of block j in the order n, t, o.
func inverseBlock(h *sparse.Sym, j int) (w [9]float64) {
	order := [3]int{3*j + 2, 3 * j, 3*j + 1}
	var a [3][3]float64
	trace := 0.0
	for p, row := range order {
		for q, col := range order {
			if k := h.Index(row, col); k >= 0 {
				a[p][q] = h.Val[k]
			}
		}
		trace += a[p][p]
	}
	// Cholesky's factor L, and its inverse column by column.
	var l [3][3]float64
	for p := range 3 {
		for q := range p + 1 {
			s := a[p][q]
			for k := range q {
				s -= l[p][k] * l[q][k]
			}
			if p > q {
				l[p][q] = s / l[q][q]
			} else if !(s > noStiffness*trace) {
				return w
			} else {
				l[p][p] = math.Sqrt(s)
			}
		}
	}
	var x [3][3]float64 // L⁻¹
	for q := range 3 {
		for p := q; p < 3; p++ {
			s := 0.0
			if p == q {
				s = 1
			}
			for k := q; k < p; k++ {
				s -= l[p][k] * x[k][q]
			}
			x[p][q] = s / l[p][p]
		}
	}
	for p := range 3 {
		for q := range 3 {
			for k := max(p, q); k < 3; k++ {
				w[3*p+q] += x[k][p] * x[k][q]
			}
		}
	}
	return w
}

// begin puts all particles on the polygon, at the start.
func (r *relaxation) begin(grad []float64) {
	clear(r.offset)
	clear(r.before)
	for i, j := range r.list {
		r.normal[i] = max(grad[3*j+2], 0)
	}
}

// relax takes all particles to the point theta of the step, where the polygon is at z and
// the forces on it are g; node: the point is the end of the step.
func (c *Certifier) relax(theta, t float64, z, g []float64, node bool) {
	r := &c.relaxed
	part := theta - r.theta
	r.theta = theta
	for i, j := range r.list {
		c.relaxParticle(i, j, theta, part, t, z, g, node)
	}
	if !node {
		return
	}
	for i := range c.between.step {
		p := &c.between.step[i]
		p.ForceOffset.keep(unseen*math.Sqrt(p.offset2), t, p.ForceOffset.Particle)
		p.Friction = max(p.Friction, finite(p.along))
	}
}

// relaxParticle takes particle j, number i of the list.
func (c *Certifier) relaxParticle(i, j int, theta, part, t float64, z, g []float64, node bool) {
	r := &c.relaxed
	d := (*[3]float64)(r.offset[3*i : 3*i+3])
	v, f := c.v[3*j:3*j+3], g[3*j:3*j+3]
	// Where it was, from where the polygon is now.
	base := [3]float64{d[0] - part*v[0], d[1] - part*v[1], d[2]}
	p := &c.between.step[c.between.island[j]]
	m := c.psi.Matrices[j]
	var s [4]float64
	if m != nil {
		s = m.At(z[3*j]+d[0], z[3*j+1]+d[1], nil)
		if f := c.psi.Factor(j, t); f != 1 {
			for k := range s {
				s[k] *= f
			}
		}
	}
	if base == ([3]float64{}) && z[3*j+2] == 0 && f[2] > 0 && m != nil && c.holds(&s, f) {
		r.normal[i] = f[2]
		if node {
			r.before[i] = 0
			p.along += math.Hypot(f[0], f[1])
		}
		return // it stands, as on the polygon
	}
	w := &r.inverse[i]
	if w[0] == 0 {
		return
	}
	force := oneContact(w, &s, f, [2]float64{base[0], base[1]}, z[3*j+2])
	e := [3]float64{force[1] - f[0], force[2] - f[1], force[0] - f[2]} // t, o, n
	next := [3]float64{
		w[3]*e[2] + w[4]*e[0] + w[5]*e[1],
		w[6]*e[2] + w[7]*e[0] + w[8]*e[1],
		w[0]*e[2] + w[1]*e[0] + w[2]*e[1],
	}
	if force[0] > 0 {
		next[2] = -z[3*j+2]
	}
	// Open contacts have the force that would be needed to close them.
	normal := force[0]
	if normal <= 0 {
		normal = min(-(z[3*j+2]+next[2])/w[0], 0)
	}
	if m != nil {
		x, y := next[0]-base[0], next[1]-base[1]
		p.Relaxed += pressure(r.normal[i], normal) * math.Hypot(s[0]*x+s[1]*y, s[2]*x+s[3]*y)
	}
	*d, r.normal[i] = next, normal
	off := unseen * math.Sqrt(next[0]*next[0]+next[1]*next[1]+next[2]*next[2])
	if !node {
		off = crest * aside(&next, v, theta)
	}
	p.Offset.keep(off, t, j)
	p.Drift = max(p.Drift, off-r.before[i])
	if node {
		r.before[i] = off
		if m != nil {
			e2 := e[0]*e[0] + e[1]*e[1]
			if e2 > p.worst2 {
				p.worst2, p.ForceOffset.Particle = e2, j
			}
			p.offset2 += e2
			p.along += math.Hypot(force[1], force[2])
		}
	}
}

// pressure returns the mean of the positive part of a force that goes linearly from a to b.
func pressure(a, b float64) float64 {
	switch {
	case a >= 0 && b >= 0:
		return 0.5 * (a + b)
	case a <= 0 && b <= 0:
		return 0
	}
	most := max(a, b)
	return 0.5 * most * most / math.Abs(a-b)
}

// aside returns how far an offset d at the point theta of a step is from the way v of the
// step: a particle that goes the same way at another time of the step is on it. Evolutions
// that do not depend on rates are compared as paths; when is told by the nodes.
func aside(d *[3]float64, v []float64, theta float64) float64 {
	along, way := d[0]*v[0]+d[1]*v[1]+d[2]*v[2], v[0]*v[0]+v[1]*v[1]+v[2]*v[2]
	x := *d
	if way > 0 {
		s := min(max(along/way, -theta), 1-theta)
		for k := range x {
			x[k] -= s * v[k]
		}
	}
	return math.Sqrt(x[0]*x[0] + x[1]*x[1] + x[2]*x[2])
}

// holds reports whether friction holds the tangential force of f.
func (c *Certifier) holds(s *[4]float64, f []float64) bool {
	if s[0] == s[3] && s[1] == 0 && s[2] == 0 {
		return f[0]*f[0]+f[1]*f[1] <= s[0]*s[0]*f[2]*f[2]
	}
	return false
}

// oneContact returns the reaction (n, t, o) of a particle whose motion from base is
// u = W(r − f) − base, gap included. With r_T = Sᵀq and û = S u_T the law of S is
// Coulomb's with coefficient 1.
func oneContact(w *[9]float64, s *[4]float64, f []float64, base [2]float64, gap float64) [3]float64 {
	b := [3]float64{
		gap - w[0]*f[2] - w[1]*f[0] - w[2]*f[1],
		-base[0] - w[3]*f[2] - w[4]*f[0] - w[5]*f[1],
		-base[1] - w[6]*f[2] - w[7]*f[0] - w[8]*f[1],
	}
	var r [3]float64
	if s[0] == s[3] && s[1] == 0 && s[2] == 0 {
		contact.SolveOne(&r, 3, w, &b, math.Abs(s[0]))
		return r
	}
	x := [9]float64{
		w[0], s[0]*w[1] + s[1]*w[2], s[2]*w[1] + s[3]*w[2],
		0, 0, 0,
		0, 0, 0,
	}
	x[3], x[6] = x[1], x[2]
	row := func(a, b float64) (p, q float64) { return a*w[4] + b*w[7], a*w[5] + b*w[8] }
	p, q := row(s[0], s[1])
	x[4], x[5] = p*s[0]+q*s[1], p*s[2]+q*s[3]
	p, q = row(s[2], s[3])
	x[7], x[8] = p*s[0]+q*s[1], p*s[2]+q*s[3]
	b[1], b[2] = s[0]*b[1]+s[1]*b[2], s[2]*b[1]+s[3]*b[2]
	contact.SolveOne(&r, 3, &x, &b, 1)
	r[1], r[2] = s[0]*r[1]+s[2]*r[2], s[1]*r[1]+s[3]*r[2]
	return r
}
