package block

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

// Scaled is a [form.Local] problem as the solvers see it: three dimensions,
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
type Scaled struct {
	dim, Nc   int
	Ptr       []int
	Col       []int32
	Blk       []mat3
	Diag      []int // position of the diagonal block
	Q         []vec3
	Kind      []form.LawKind
	Mu        []float64 // μ, or the reduced threshold
	facets    []int32   // of a pyramid
	Law       []law.Law
	sigma     []float64   // 1/sqrt(mean diagonal)
	shape     []law.Shape // not set if all laws are isotropic ones of Coulomb
	isotropic bool
	q0        float64
	Plane     bool

	scratch    vec3 // arguments of user laws: locals would go to the heap
	scratchJac mat3

	at   int  // collect: blocks so far
	same bool // collect: the pattern is the one of the last problem
}

// Scale overwrites c with the scaled form of p and reports whether the
// pattern of W is the one that c had before.
func (c *Scaled) Scale(p *form.Local) (samePattern bool) {
	nc := p.W.Contacts()
	samePattern = c.collect(p.W, nc)
	c.dim, c.Nc, c.Plane = p.W.Dim(), nc, p.W.Dim() == 2
	c.Q, c.Kind = num.Grow(c.Q, nc), num.Grow(c.Kind, nc)
	if cap(c.Mu) < nc {
		both := make([]float64, 2*nc)
		c.Mu, c.sigma = both[:nc:nc], both[nc:]
	}
	c.Mu, c.sigma = c.Mu[:nc], c.sigma[:nc]
	c.shape = num.Grow(c.shape, nc)
	c.facets = num.Grow(c.facets, nc)
	c.Law, c.isotropic = p.Laws, true
	for j, law := range p.Laws {
		if mu, ok := form.Isotropic(law); ok {
			c.Kind[j], c.Mu[j], c.facets[j] = form.KindCoulomb, mu, 0
			continue
		}
		if c.isotropic { // the first of another law
			c.isotropic = false
			clear(c.shape)
		}
		f := form.FormOf(law)
		c.Kind[j], c.Mu[j], c.shape[j], c.facets[j] = f.Set, f.Bound, f.Shape, int32(f.Facets)
		if c.Kind[j] == form.KindPyramid && c.Plane {
			c.Kind[j] = form.KindCoulomb // the same in the plane
		}
	}
	if !c.isotropic {
		c.anisotropy()
	}
	c.scaleDiagonal()
	sum := 0.0
	for j := range c.Q {
		x := &c.Q[j]
		form.Triple(x, p.Q, c.dim, j)
		c.toScaled(j, x)
		sum += x[0]*x[0] + x[1]*x[1] + x[2]*x[2]
	}
	c.q0 = math.Sqrt(sum)
	if sum == 0 {
		c.q0 = 1
	}
	for j := range c.Q {
		for k := range 3 {
			c.Q[j][k] /= c.q0
		}
		if c.Kind[j] == form.KindTresca {
			c.Mu[j] /= c.sigma[j] * c.q0
		}
	}
	return samePattern
}

// collect copies the blocks of w, padded to 3×3, with a diagonal block in
// every row and no zero block elsewhere.
func (c *Scaled) collect(w form.Operator, nc int) (same bool) {
	c.same, c.at = len(c.Ptr) == nc+1, 0
	if cap(c.Diag) < nc {
		both := make([]int, 2*nc+1)
		c.Diag, c.Ptr = both[:nc:nc], both[nc:]
	}
	c.Diag, c.Ptr = num.Grow(c.Diag, nc), num.Grow(c.Ptr, nc+1)
	switch w := w.(type) {
	case *form.Blocks:
		c.collectBlocks(w)
	case *form.Dense:
		c.collectDense(w)
	default:
		c.collectDense(form.Sampled(w))
	}
	same = c.same && c.at == len(c.Col)
	c.Col, c.Blk = c.Col[:c.at], c.Blk[:c.at]
	return same
}

func (c *Scaled) collectBlocks(w *form.Blocks) {
	dim := w.D
	c.reserve(len(w.Col))
	for i := range w.Contacts() {
		c.Diag[i] = -1
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

func (c *Scaled) collectDense(w *form.Dense) {
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
func (c *Scaled) reserve(n int) {
	if cap(c.Blk) == 0 {
		c.Blk, c.Col = make([]mat3, 0, n), make([]int32, 0, n)
	}
}

// put appends a block, and notes whether the pattern differs from the last.
func (c *Scaled) put(i, j int, b *mat3) {
	if i != j && *b == (mat3{}) {
		return
	}
	if i == j {
		c.Diag[i] = c.at
	}
	if c.at < len(c.Col) {
		c.same = c.same && c.Col[c.at] == int32(j)
		c.Col[c.at], c.Blk[c.at] = int32(j), *b
	} else {
		c.same = false
		c.Col, c.Blk = append(c.Col, int32(j)), append(c.Blk, *b)
	}
	c.at++
}

func (c *Scaled) endRow(i int) {
	if c.Diag[i] < 0 {
		c.put(i, i, &mat3{})
	}
	c.same = c.same && c.Ptr[i+1] == c.at
	c.Ptr[i+1] = c.at
}

// anisotropy applies diag(1, S) from the left and its transpose from the right.
func (c *Scaled) anisotropy() {
	for i := range c.Nc {
		for k := c.Ptr[i]; k < c.Ptr[i+1]; k++ {
			b := &c.Blk[k]
			if !c.shape[i].Isotropic() {
				s := c.shape[i].Matrix()
				for l := range 3 {
					x, y := b[3+l], b[6+l]
					b[3+l], b[6+l] = s[0]*x+s[1]*y, s[2]*x+s[3]*y
				}
			}
			if j := c.Col[k]; !c.shape[j].Isotropic() {
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
func (c *Scaled) scaleDiagonal() {
	most, dim := 0.0, float64(c.dim)
	for j, k := range c.Diag {
		b := &c.Blk[k]
		trace := b[0] + b[4] + b[8]
		if c.Plane {
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
	for i := range c.Nc {
		for k := c.Ptr[i]; k < c.Ptr[i+1]; k++ {
			f := c.sigma[i] * c.sigma[c.Col[k]]
			b := &c.Blk[k]
			for l := range b {
				b[l] *= f
			}
		}
		if c.Plane {
			c.Blk[c.Diag[i]][8] = 1
		}
	}
}

// toScaled maps a velocity: x ← T x.
func (c *Scaled) toScaled(j int, x *vec3) {
	if !c.isotropic && !c.shape[j].Isotropic() {
		s := c.shape[j].Matrix()
		x[1], x[2] = s[0]*x[1]+s[1]*x[2], s[2]*x[1]+s[3]*x[2]
	}
	for k := range x {
		x[k] *= c.sigma[j]
	}
}

// Expand writes the reactions r' in the units and frames of the problem.
func (c *Scaled) Expand(dst []float64, r []vec3) {
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

// Restrict is the inverse of expand; where S is singular, a component that
// expand would lose is zero.
func (c *Scaled) Restrict(r []vec3, src []float64) {
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

// Velocity sets u = W r + q.
func (c *Scaled) Velocity(u, r []vec3) {
	for i := range u {
		u[i] = c.Q[i]
		c.addRow(&u[i], i, r)
	}
}

// ProductAt is row i of W times r.
func (c *Scaled) ProductAt(i int, r []vec3) (u vec3) {
	c.addRow(&u, i, r)
	return u
}

// addRow adds row i of W times r to u.
func (c *Scaled) addRow(u *vec3, i int, r []vec3) {
	from, end := c.Ptr[i], c.Ptr[i+1]
	AddProduct(u, c.Col[from:end], c.Blk[from:end], r)
}

// AddProduct adds the blocks of a row, in the columns col, times r to u.
func AddProduct(u *vec3, col []int32, blk []mat3, r []vec3) {
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

// Project is [law.Law.Project] of contact j in the scaled frame.
func (c *Scaled) Project(j int, dst *vec3, jac *mat3, p *vec3) {
	switch c.Kind[j] {
	case form.KindCoulomb, form.KindAssociated:
		law.ProjectCone(dst, jac, c.Mu[j], p)
	case form.KindFrictionless:
		law.Frictionless{}.Project(dst, jac, p)
	case form.KindBilateral:
		law.Bilateral{}.Project(dst, jac, p)
	case form.KindTresca, form.KindTrescaOf:
		law.Tresca{Threshold: c.Mu[j]}.Project(dst, jac, p)
	case form.KindPyramid, form.KindPyramidFrozen:
		c.Pyramid(j).Project(dst, jac, p)
	default: // in the units of the law, which may know a force of its own
		f, x := c.sigma[j]*c.q0, &c.scratch
		*x = vec3{f * p[0], f * p[1], f * p[2]}
		if jac == nil {
			c.Law[j].Project(x, nil, x)
		} else {
			c.Law[j].Project(x, &c.scratchJac, x)
			*jac = c.scratchJac
		}
		*dst = vec3{x[0] / f, x[1] / f, x[2] / f}
	}
}

// Pyramid is the law of contact j in the scaled frame: its polygon is regular.
func (c *Scaled) Pyramid(j int) law.Pyramid {
	return law.Pyramid{Mu: c.Mu[j], Facets: int(c.facets[j])}
}

// Correction is [law.Law.Correction] of contact j in the scaled frame.
func (c *Scaled) Correction(j int, u *vec3) float64 {
	switch c.Kind[j] {
	case form.KindCoulomb:
		return c.Mu[j] * math.Sqrt(u[1]*u[1]+u[2]*u[2])
	case form.KindPyramid:
		return c.Pyramid(j).Correction(u)
	case form.KindGeneral:
		f := c.q0 / c.sigma[j]
		c.scratch = vec3{f * u[0], f * u[1], f * u[2]}
		return c.Law[j].Correction(&c.scratch) / f
	}
	return 0
}

// Merit is the merit of [form.Local.Merit] in scaled units.
func (c *Scaled) Merit(u, r []vec3) float64 {
	c.Velocity(u, r)
	return c.MeritAt(u, r)
}

// MeritAt is merit for a u that belongs to r.
func (c *Scaled) MeritAt(u, r []vec3) float64 {
	var sum, ru, rr float64
	for j := range u {
		x, y := &r[j], &u[j]
		var p vec3
		if c.Kind[j] == form.KindCoulomb { // without the calls that find out
			mu := c.Mu[j]
			p = vec3{x[0] - y[0] - mu*math.Sqrt(y[1]*y[1]+y[2]*y[2]), x[1] - y[1], x[2] - y[2]}
			law.ProjectCone(&p, nil, mu, &p)
		} else {
			p = vec3{x[0] - y[0] - c.Correction(j, y), x[1] - y[1], x[2] - y[2]}
			c.Project(j, &p, nil, &p)
		}
		ru += y[0]*y[0] + y[1]*y[1] + y[2]*y[2]
		rr += x[0]*x[0] + x[1]*x[1] + x[2]*x[2]
		a, b, d := x[0]-p[0], x[1]-p[1], x[2]-p[2]
		sum += a*a + b*b + d*d
	}
	if !(rr < Runaway2) {
		return num.Inf
	}
	return math.Sqrt(sum / max(1, ru, rr))
}

// Runaway2 is the ‖r‖² above which an iterate has gone astray: every residual
// is then small relative to r.
const Runaway2 = 1e60

// dotOf is the inner product of stacked vectors.
func Dot(a, b []vec3) float64 {
	sum := 0.0
	for j := range a {
		sum += a[j][0]*b[j][0] + a[j][1]*b[j][1] + a[j][2]*b[j][2]
	}
	return sum
}

// Product sets y = W x, transposed y = Wᵀ x.
func (c *Scaled) Product(y, x []vec3) {
	for i := range y {
		y[i] = c.ProductAt(i, x)
	}
}

func (c *Scaled) Transposed(y, x []vec3) {
	clear(y)
	for i := range x {
		for k := c.Ptr[i]; k < c.Ptr[i+1]; k++ {
			b, v, w := &c.Blk[k], &x[i], &y[c.Col[k]]
			w[0] += b[0]*v[0] + b[3]*v[1] + b[6]*v[2]
			w[1] += b[1]*v[0] + b[4]*v[1] + b[7]*v[2]
			w[2] += b[2]*v[0] + b[5]*v[1] + b[8]*v[2]
		}
	}
}

// MulTrans sets y = Wᵀ d.
func MulTrans(w form.Operator, y, d []float64) {
	var c Scaled
	c.dim = w.Dim()
	c.collect(w, w.Contacts())
	x, z := make([]vec3, w.Contacts()), make([]vec3, w.Contacts())
	form.Unstack(x, d, c.dim)
	c.Transposed(z, x)
	form.Stack(y, z, c.dim)
}
