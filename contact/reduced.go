package contact

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

// reduced is a [Local] problem as the solvers see it: three dimensions,
// isotropic laws, unit diagonal blocks and unit q. With the congruence
// T_j = diag(1, S_j)/σ_j, σ_j² = tr W_jj / 3 and q0 = ‖Tq‖,
//
//	W' = T W Tᵀ,   q' = T q/q0,   r = q0·Tᵀ r',   u' = T u/q0.
//
// The cones of the isotropic laws are invariant under positive scaling, and
// r_T ∈ μ r_N Sᵀ·ball becomes r'_T ∈ μ r'_N·ball, so that neither the units
// nor the anisotropy reach the solvers. A threshold s becomes s·σ_j/q0. A
// second tangent that a plane problem lacks is given W' = 1, q' = 0: no
// reaction appears there.
type reduced struct {
	dim, nc   int
	ptr       []int
	col       []int32
	blk       []mat3
	diag      []int // position of the diagonal block
	q         []vec3
	kind      []form.LawKind
	mu        []float64 // μ, or the reduced threshold
	facets    []int32   // of a pyramid
	law       []Law
	sigma     []float64 // 1/sqrt(mean diagonal)
	shape     []Shape   // not set if all laws are isotropic ones of Coulomb
	isotropic bool
	q0        float64
	plane     bool
	one       []oneContact
	kappa     float64 // of the barriers of kindInside

	scratch    vec3 // arguments of user laws: locals would go to the heap
	scratchJac mat3

	at   int  // collect: blocks so far
	same bool // collect: the pattern is the one of the last problem
}

// reduce overwrites c with the reduced form of p and reports whether the
// pattern of W is the one that c had before.
func (c *reduced) reduce(p *Local) (samePattern bool) {
	nc := p.W.Contacts()
	samePattern = c.collect(p.W, nc)
	c.dim, c.nc, c.plane = p.W.Dim(), nc, p.W.Dim() == 2
	c.q, c.kind = num.Grow(c.q, nc), num.Grow(c.kind, nc)
	if cap(c.mu) < nc {
		both := make([]float64, 2*nc)
		c.mu, c.sigma = both[:nc:nc], both[nc:]
	}
	c.mu, c.sigma = c.mu[:nc], c.sigma[:nc]
	c.shape = num.Grow(c.shape, nc)
	c.facets = num.Grow(c.facets, nc)
	c.law, c.isotropic = p.Laws, true
	for j, law := range p.Laws {
		if mu, ok := form.Isotropic(law); ok {
			c.kind[j], c.mu[j], c.facets[j] = form.KindCoulomb, mu, 0
			continue
		}
		if c.isotropic { // the first of another law
			c.isotropic = false
			clear(c.shape)
		}
		f := form.FormOf(law)
		c.kind[j], c.mu[j], c.shape[j], c.facets[j] = f.Set, f.Bound, f.Shape, int32(f.Facets)
		if c.kind[j] == form.KindPyramid && c.plane {
			c.kind[j] = form.KindCoulomb // the same in the plane
		}
	}
	if !c.isotropic {
		c.anisotropy()
	}
	c.scaleDiagonal()
	sum := 0.0
	for j := range c.q {
		x := &c.q[j]
		form.Triple(x, p.Q, c.dim, j)
		c.toReduced(j, x)
		sum += x[0]*x[0] + x[1]*x[1] + x[2]*x[2]
	}
	c.q0 = math.Sqrt(sum)
	if sum == 0 {
		c.q0 = 1
	}
	for j := range c.q {
		for k := range 3 {
			c.q[j][k] /= c.q0
		}
		if c.kind[j] == form.KindTresca {
			c.mu[j] /= c.sigma[j] * c.q0
		}
	}
	c.one = num.Grow(c.one, nc)
	for j, k := range c.diag {
		c.one[j].prepare(&c.blk[k])
	}
	return samePattern
}

// collect copies the blocks of w, padded to 3×3, with a diagonal block in
// every row and no zero block elsewhere.
func (c *reduced) collect(w Operator, nc int) (same bool) {
	c.same, c.at = len(c.ptr) == nc+1, 0
	if cap(c.diag) < nc {
		both := make([]int, 2*nc+1)
		c.diag, c.ptr = both[:nc:nc], both[nc:]
	}
	c.diag, c.ptr = num.Grow(c.diag, nc), num.Grow(c.ptr, nc+1)
	switch w := w.(type) {
	case *Blocks:
		c.collectBlocks(w)
	case *Dense:
		c.collectDense(w)
	default:
		c.collectDense(form.Sampled(w))
	}
	same = c.same && c.at == len(c.col)
	c.col, c.blk = c.col[:c.at], c.blk[:c.at]
	return same
}

func (c *reduced) collectBlocks(w *Blocks) {
	dim := w.D
	c.reserve(len(w.Col))
	for i := range w.Contacts() {
		c.diag[i] = -1
		for k := w.Ptr[i]; k < w.Ptr[i+1]; k++ {
			var b mat3
			if dim == 3 {
				b = mat3(w.Val[9*k:])
			} else {
				v := (*[4]float64)(w.Val[4*k:])
				b[0], b[1], b[3], b[4] = v[0], v[1], v[2], v[3]
			}
			c.put(i, w.Col[k], &b)
		}
		c.endRow(i)
	}
}

func (c *reduced) collectDense(w *Dense) {
	dim := w.D
	c.reserve(min(w.Contacts()*w.Contacts(), 1024))
	for i := range w.Contacts() {
		for j := range w.Contacts() {
			var b mat3
			for l := range dim {
				copy(b[3*l:3*l+dim], w.Val[(dim*i+l)*w.N+dim*j:])
			}
			c.put(i, j, &b)
		}
		c.endRow(i)
	}
}

// reserve makes room for n blocks before the first problem.
func (c *reduced) reserve(n int) {
	if cap(c.blk) == 0 {
		c.blk, c.col = make([]mat3, 0, n), make([]int32, 0, n)
	}
}

// put appends a block, and notes whether the pattern differs from the last.
func (c *reduced) put(i, j int, b *mat3) {
	if i != j && *b == (mat3{}) {
		return
	}
	if i == j {
		c.diag[i] = c.at
	}
	if c.at < len(c.col) {
		c.same = c.same && c.col[c.at] == int32(j)
		c.col[c.at], c.blk[c.at] = int32(j), *b
	} else {
		c.same = false
		c.col, c.blk = append(c.col, int32(j)), append(c.blk, *b)
	}
	c.at++
}

func (c *reduced) endRow(i int) {
	if c.diag[i] < 0 {
		c.put(i, i, &mat3{})
	}
	c.same = c.same && c.ptr[i+1] == c.at
	c.ptr[i+1] = c.at
}

// anisotropy applies diag(1, S) from the left and its transpose from the right.
func (c *reduced) anisotropy() {
	for i := range c.nc {
		for k := c.ptr[i]; k < c.ptr[i+1]; k++ {
			b := &c.blk[k]
			if !c.shape[i].Isotropic() {
				s := c.shape[i].Matrix()
				for l := range 3 {
					x, y := b[3+l], b[6+l]
					b[3+l], b[6+l] = s[0]*x+s[1]*y, s[2]*x+s[3]*y
				}
			}
			if j := c.col[k]; !c.shape[j].Isotropic() {
				s := c.shape[j].Matrix()
				for l := range 3 {
					x, y := b[3*l+1], b[3*l+2]
					b[3*l+1], b[3*l+2] = s[0]*x+s[1]*y, s[2]*x+s[3]*y
				}
			}
		}
	}
}

// scaleDiagonal sets σ and scales the blocks. A contact without any mobility
// gets the σ of the others.
func (c *reduced) scaleDiagonal() {
	most, dim := 0.0, float64(c.dim)
	for j, k := range c.diag {
		b := &c.blk[k]
		trace := b[0] + b[4] + b[8]
		if c.plane {
			trace = b[0] + b[4]
		}
		c.sigma[j] = trace / dim
		most = max(most, c.sigma[j])
	}
	if most == 0 {
		most = 1
	}
	for j, d := range c.sigma {
		if !(d > form.LeastMobility*most) {
			d = most
		}
		c.sigma[j] = 1 / math.Sqrt(d)
	}
	for i := range c.nc {
		for k := c.ptr[i]; k < c.ptr[i+1]; k++ {
			f := c.sigma[i] * c.sigma[c.col[k]]
			b := &c.blk[k]
			for l := range b {
				b[l] *= f
			}
		}
		if c.plane {
			c.blk[c.diag[i]][8] = 1
		}
	}
}

// toReduced maps a velocity: x ← T x.
func (c *reduced) toReduced(j int, x *vec3) {
	if !c.isotropic && !c.shape[j].Isotropic() {
		s := c.shape[j].Matrix()
		x[1], x[2] = s[0]*x[1]+s[1]*x[2], s[2]*x[1]+s[3]*x[2]
	}
	for k := range x {
		x[k] *= c.sigma[j]
	}
}

// expand writes the reactions r' in the units and frames of the problem.
func (c *reduced) expand(dst []float64, r []vec3) {
	for j := range r {
		x, f := r[j], c.sigma[j]*c.q0
		if !c.isotropic && !c.shape[j].Isotropic() {
			s := c.shape[j].Matrix()
			x[1], x[2] = s[0]*x[1]+s[2]*x[2], s[1]*x[1]+s[3]*x[2]
		}
		for k := range c.dim {
			dst[c.dim*j+k] = f * x[k]
		}
	}
}

// restrict is the inverse of expand; where S is singular, a component that
// expand would lose is zero.
func (c *reduced) restrict(r []vec3, src []float64) {
	for j := range r {
		x := &r[j]
		form.Triple(x, src, c.dim, j)
		if !c.isotropic && !c.shape[j].Isotropic() {
			s := c.shape[j].Matrix()
			a, _ := c.shape[j].Axes()
			det := s[0]*s[3] - s[1]*s[2]
			if math.Abs(det) > num.Eps*a*a {
				x[1], x[2] = (s[3]*x[1]-s[2]*x[2])/det, (s[0]*x[2]-s[1]*x[1])/det
			} else {
				x[1], x[2] = 0, 0
			}
		}
		f := 1 / (c.sigma[j] * c.q0)
		x[0], x[1], x[2] = f*x[0], f*x[1], f*x[2]
	}
}

// velocity sets u = W r + q.
func (c *reduced) velocity(u, r []vec3) {
	for i := range u {
		u[i] = c.q[i]
		c.addRow(&u[i], i, r)
	}
}

// productAt is row i of W times r.
func (c *reduced) productAt(i int, r []vec3) (u vec3) {
	c.addRow(&u, i, r)
	return u
}

// addRow adds row i of W times r to u.
func (c *reduced) addRow(u *vec3, i int, r []vec3) {
	from, end := c.ptr[i], c.ptr[i+1]
	addProduct(u, c.col[from:end], c.blk[from:end], r)
}

// addProduct adds the blocks of a row, in the columns col, times r to u.
func addProduct(u *vec3, col []int32, blk []mat3, r []vec3) {
	s, t, o := u[0], u[1], u[2]
	blk = blk[:len(col)]
	for k, j := range col {
		b, x := &blk[k], &r[j]
		s += b[0]*x[0] + b[1]*x[1] + b[2]*x[2]
		t += b[3]*x[0] + b[4]*x[1] + b[5]*x[2]
		o += b[6]*x[0] + b[7]*x[1] + b[8]*x[2]
	}
	u[0], u[1], u[2] = s, t, o
}

// project is [Law.Project] of contact j in the reduced frame.
func (c *reduced) project(j int, dst *vec3, jac *mat3, p *vec3) {
	switch c.kind[j] {
	case form.KindCoulomb, form.KindAssociated:
		law.ProjectCone(dst, jac, c.mu[j], p)
	case form.KindFrictionless:
		Frictionless{}.Project(dst, jac, p)
	case form.KindBilateral:
		Bilateral{}.Project(dst, jac, p)
	case form.KindTresca, form.KindTrescaOf:
		Tresca{Threshold: c.mu[j]}.Project(dst, jac, p)
	case form.KindPyramid, form.KindPyramidFrozen:
		c.pyramid(j).Project(dst, jac, p)
	default: // in the units of the law, which may know a force of its own
		f, x := c.sigma[j]*c.q0, &c.scratch
		*x = vec3{f * p[0], f * p[1], f * p[2]}
		if jac == nil {
			c.law[j].Project(x, nil, x)
		} else {
			c.law[j].Project(x, &c.scratchJac, x)
			*jac = c.scratchJac
		}
		*dst = vec3{x[0] / f, x[1] / f, x[2] / f}
	}
}

// pyramid is the law of contact j in the reduced frame: its polygon is regular.
func (c *reduced) pyramid(j int) Pyramid {
	return Pyramid{Mu: c.mu[j], Facets: int(c.facets[j])}
}

// correction is [Law.Correction] of contact j in the reduced frame.
func (c *reduced) correction(j int, u *vec3) float64 {
	switch c.kind[j] {
	case form.KindCoulomb:
		return c.mu[j] * math.Sqrt(u[1]*u[1]+u[2]*u[2])
	case form.KindPyramid:
		return c.pyramid(j).Correction(u)
	case form.KindGeneral:
		f := c.q0 / c.sigma[j]
		c.scratch = vec3{f * u[0], f * u[1], f * u[2]}
		return c.law[j].Correction(&c.scratch) / f
	}
	return 0
}

// merit is the merit of [Local.Merit] in reduced units.
func (c *reduced) merit(u, r []vec3) float64 {
	c.velocity(u, r)
	return c.meritAt(u, r)
}

// meritAt is merit for a u that belongs to r.
func (c *reduced) meritAt(u, r []vec3) float64 {
	var sum, ru, rr float64
	for j := range u {
		x, y := &r[j], &u[j]
		var p vec3
		if c.kind[j] == form.KindCoulomb { // without the calls that find out
			mu := c.mu[j]
			p = vec3{x[0] - y[0] - mu*math.Sqrt(y[1]*y[1]+y[2]*y[2]), x[1] - y[1], x[2] - y[2]}
			law.ProjectCone(&p, nil, mu, &p)
		} else {
			p = vec3{x[0] - y[0] - c.correction(j, y), x[1] - y[1], x[2] - y[2]}
			c.project(j, &p, nil, &p)
		}
		ru += y[0]*y[0] + y[1]*y[1] + y[2]*y[2]
		rr += x[0]*x[0] + x[1]*x[1] + x[2]*x[2]
		a, b, d := x[0]-p[0], x[1]-p[1], x[2]-p[2]
		sum += a*a + b*b + d*d
	}
	if !(rr < runaway2) {
		return num.Inf
	}
	return math.Sqrt(sum / max(1, ru, rr))
}

// runaway2 is the ‖r‖² above which an iterate has gone astray: every residual
// is then small relative to r.
const runaway2 = 1e60
