package global

import (
	"container/heap"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
)

// Prover proves (S) at a state by branch and bound over all of A: that
//
//	F(y) = E(t, y) + Ψ(t, z, y − z) >= E(t, z) − ε   for all y ∈ A.
//
// E is a quadratic form, convex terms, and springs whose laws are particles.Bounded: piecewise
// quadratic ones, or of few wells. Over a box of local coordinates a quadratic function lies below
// F, from any point c of the box on: the value and the derivatives of F at c, the curvature of the
// quadratic form, and of each spring the least that it has in the box, min(φ”, φ'/l); or, where
// that is less, the least value of φ, without derivatives. Gershgorin's circles make it separable,
// and its least value in the box is that of parabolas. Boxes that stay above E(t, z) − ε are done,
// the others are halved, the lowest one first. Where c is the state itself, or another equilibrium,
// and F is convex in the box, the bound is sharp. The first box holds every state that costs no
// more than z, for φ(l) >= ½ g l² − c. Not safe for concurrent use.
type Prover struct {
	psi   *dissipation.Coulomb
	sys   *particles.System
	n     int
	part  *particles.System // the quadratic terms
	links []link
	laws  []contact.Tresca

	t         float64
	z         []float64
	center    []float64
	grad      []float64
	k         []float64 // n×n, curvature of the minorant
	quadratic []float64 // n×n, of the quadratic form
	known     [][]float64
	gain      []float64 // score of the axes
	lambda    []float64
}

// link is a spring, with the turns of the frames of its ends.
type link struct {
	particles.Spring
	law  particles.Bounded
	turn [9]float64 // R_iᵀR_j
}

const (
	// proverParticles is the largest system that boxes can divide: their number grows
	// exponentially with the coordinates of those that springs hold.
	proverParticles = 8
	// proverBoxes are given up after.
	proverBoxes = 20000
)

// NewProver fails for a system whose E it cannot bound, and says why.
func NewProver(psi *dissipation.Coulomb) (*Prover, error) {
	sys := psi.System
	switch {
	case sys.N() > proverParticles:
		return nil, fmt.Errorf("global: branch and bound is for %d particles at most, the system has %d", proverParticles, sys.N())
	case sys.Contacts() > sys.N():
		return nil, fmt.Errorf("global: branch and bound does not know particles with several obstacles")
	case sys.Charts() || sys.HasRelative():
		return nil, fmt.Errorf("global: branch and bound does not know curved coordinates, nor those of bodies that meet")
	}
	p := &Prover{psi: psi, sys: sys, n: 3 * sys.N(), laws: make([]contact.Tresca, sys.N())}
	var quadratic []particles.Energy
	for _, e := range sys.Energies() {
		if c, ok := e.(particles.ConstantHessian); ok && c.ConstantHessian() {
			quadratic = append(quadratic, e)
		} else if s, ok := e.(*particles.Springs); ok {
			if err := p.addSprings(s); err != nil {
				return nil, err
			}
		} else if !particles.IsConvex(e) {
			return nil, fmt.Errorf("global: branch and bound knows no bounds of %T", e)
		}
	}
	frames := make([]particles.Frame, sys.N())
	for j := range frames {
		frames[j] = sys.Frame(j)
	}
	var err error
	if p.part, err = particles.NewSystem(frames, quadratic...); err != nil {
		return nil, err
	}
	vector := func() []float64 { return make([]float64, p.n) }
	p.center, p.grad, p.gain, p.lambda = vector(), vector(), vector(), vector()
	p.k, p.quadratic = make([]float64, p.n*p.n), make([]float64, p.n*p.n)
	h := p.part.Hessian(0, vector())
	for c := range h.N {
		for i := h.Ptr[c]; i < h.Ptr[c+1]; i++ {
			p.quadratic[h.Row[i]*p.n+c], p.quadratic[c*p.n+h.Row[i]] = h.Val[i], h.Val[i]
		}
	}
	return p, nil
}

func (p *Prover) addSprings(s *particles.Springs) (err error) {
	s.EachSpring(func(it particles.Spring) {
		law, ok := it.Law.(particles.Bounded)
		if !ok {
			err = fmt.Errorf("global: branch and bound knows no bounds of the law %T", it.Law)
			return
		}
		l := link{Spring: it, law: law}
		if it.J >= 0 {
			fi, fj := p.sys.Frame(it.I), p.sys.Frame(it.J)
			for c := range 3 {
				var e [3]float64
				e[c] = 1
				column := fi.RotateToLocal(fj.RotateToGlobal(e))
				for r := range 3 {
					l.turn[3*r+c] = column[r]
				}
			}
		}
		p.links = append(p.links, l)
	})
	return err
}

// Proof is what branch and bound found out about (S) at a state.
type Proof struct {
	Proven bool      // no state costs less by more than Margin
	Margin float64   // ε [J]
	Boxes  int       // that were looked at
	Better []float64 // a state that costs less by more, local coordinates; nil: none was met
	Reason string    // why nothing is known; empty: something is
}

// box is a box of local coordinates.
type box struct {
	lo, hi []float64
	low    float64 // bound of F over it
	axis   int     // to halve it along
}

// boxes are a heap, the lowest bound first: where a better state is, it is met soon.
type boxes []box

func (b boxes) Len() int           { return len(b) }
func (b boxes) Less(i, k int) bool { return b[i].low < b[k].low }
func (b boxes) Swap(i, k int)      { b[i], b[k] = b[k], b[i] }
func (b *boxes) Push(x any)        { *b = append(*b, x.(box)) }
func (b *boxes) Pop() any {
	last := len(*b) - 1
	x := (*b)[last]
	*b = (*b)[:last]
	return x
}

// Run proves (S) at (t, z) up to ε, twice the margin, or finds a state that costs less by more than
// the margin. others are equilibria that are known, at which bounds are sharp. On a box that it
// cannot decide it ends with Reason.
func (p *Prover) Run(ctx context.Context, t float64, z []float64, margin float64, others [][]float64) (*Proof, error) {
	p.t, p.z = t, z
	p.known = append(append(p.known[:0], z), others...)
	p.sys.Gradient(p.grad, nil, t, z)
	for j := range p.laws {
		p.psi.Law(&p.laws[j], t, j, p.psi.Pressure(t, j, z, p.grad, dissipation.Origin{})*p.psi.Factor(j, t), z)
	}
	level, _ := p.sys.Value(t, z)
	proof := &Proof{Margin: 2 * margin}
	first, err := p.first(level)
	if err != nil {
		proof.Reason = err.Error()
		return proof, nil
	}
	var open boxes
	take := func(b box) {
		proof.Boxes++
		if b.low, b.axis = p.bound(&b); !(b.low >= level-margin) {
			heap.Push(&open, b)
		}
	}
	for take(first); len(open) > 0; {
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case proof.Boxes >= proverBoxes:
			proof.Reason = fmt.Sprintf("nothing is decided after %d boxes", proof.Boxes)
			return proof, nil
		}
		b := heap.Pop(&open).(box)
		p.middle(&b)
		middle := p.center[b.axis]
		if f := p.cost(p.center); f < level-margin {
			proof.Better = slices.Clone(p.center)
			return proof, nil
		}
		if !(middle > b.lo[b.axis] && middle < b.hi[b.axis]) {
			if b.low >= level-proof.Margin {
				continue // where F is the level less the margin, to rounding
			}
			proof.Reason = "a box of no size is not decided"
			return proof, nil
		}
		left, right := box{lo: b.lo, hi: slices.Clone(b.hi)}, box{lo: slices.Clone(b.lo), hi: b.hi}
		left.hi[b.axis], right.lo[b.axis] = middle, middle
		take(left)
		take(right)
	}
	proof.Proven = true
	return proof, nil
}

// middle sets p.center to the middle of a box.
func (p *Prover) middle(b *box) {
	for i := range p.center {
		p.center[i] = b.lo[i]/2 + b.hi[i]/2
	}
}

// cost is F; +∞ where it is no number.
func (p *Prover) cost(y []float64) float64 {
	f, _ := p.sys.Value(p.t, y)
	if f += p.friction(y, nil); math.IsNaN(f) {
		return math.Inf(1)
	}
	return f
}

// friction is Ψ(t, z, y − z); grad, if not nil, gets an element of its subdifferential added, that
// which leaves least of grad where a particle has not moved.
func (p *Prover) friction(y, grad []float64) (sum float64) {
	for j := range p.laws {
		l := &p.laws[j]
		if l.Threshold <= 0 {
			continue
		}
		a, b := y[3*j]-p.z[3*j], y[3*j+1]-p.z[3*j+1]
		size := l.Shape.Norm(a, b)
		sum += l.Threshold * size
		switch {
		case grad == nil:
		case size == 0:
			q := [3]float64{0, -grad[3*j], -grad[3*j+1]}
			l.Project(&q, nil, &q)
			grad[3*j] += q[1]
			grad[3*j+1] += q[2]
		default:
			s := [4]float64{1, 0, 0, 1}
			if !l.Shape.Isotropic() {
				s = l.Shape.Matrix()
			}
			u, v := l.Threshold*(s[0]*a+s[1]*b)/size, l.Threshold*(s[2]*a+s[3]*b)/size
			grad[3*j] += s[0]*u + s[2]*v
			grad[3*j+1] += s[1]*u + s[3]*v
		}
	}
	return sum
}

// first returns the box that holds all y with E(t, y) <= level: E is at least a quadratic form,
// by the growth of the springs and the tangents of convex terms, and that form is at most the level
// within an ellipsoid.
func (p *Prover) first(level float64) (box, error) {
	copy(p.k, p.quadratic)
	copy(p.center, p.z)
	low := p.tangent(func(l *link, d [3]float64) (value, slope, curvature float64) {
		g, c := l.law.Growth()
		return g*vec3.Dot(d, d)/2 - c, g, g
	})
	if math.IsInf(low, -1) || math.IsNaN(low) {
		return box{}, fmt.Errorf("global: branch and bound: the law of a spring has no bound from below")
	}
	k := mat.NewSymDense(p.n, nil)
	for r := range p.n {
		for c := range r + 1 {
			k.SetSym(r, c, p.k[r*p.n+c])
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(k) || factor.Cond() > 1e12 {
		return box{}, fmt.Errorf("global: branch and bound: E is not known to grow in all directions")
	}
	g := mat.NewVecDense(p.n, slices.Clone(p.grad))
	var step mat.VecDense
	var inverse mat.SymDense
	if factor.SolveVecTo(&step, g) != nil || factor.InverseTo(&inverse) != nil {
		return box{}, fmt.Errorf("global: branch and bound: E is not known to grow in all directions")
	}
	square := 2*(level-low) + mat.Dot(g, &step)
	b := box{lo: make([]float64, p.n), hi: make([]float64, p.n)}
	for i := range p.n {
		// A thousandth more, for rounding.
		reach := 1.001*math.Sqrt(max(square, 0)*inverse.At(i, i)) + 1e-3*math.Abs(step.AtVec(i))
		c := p.z[i] - step.AtVec(i)
		b.lo[i], b.hi[i] = min(c-reach, p.z[i]), max(c+reach, p.z[i])
		if i%3 == 2 && p.sys.Constrained(i/3) {
			b.lo[i] = max(b.lo[i], 0)
		}
		if !(b.hi[i]-b.lo[i] < math.Inf(1)) {
			return b, fmt.Errorf("global: branch and bound: the box of states overflows")
		}
	}
	return b, nil
}

// tangent leaves in p.grad and p.k the derivatives at p.center of E with another function in
// place of each spring, given by a value, by what times d is its derivative, and by its curvature,
// and returns its value.
func (p *Prover) tangent(instead func(l *link, d [3]float64) (value, slope, curvature float64)) float64 {
	value, _ := p.sys.Value(p.t, p.center)
	p.sys.Gradient(p.grad, nil, p.t, p.center)
	for i := range p.links {
		l := &p.links[i]
		d := p.ends(l)
		r := math.Sqrt(vec3.Dot(d, d))
		v, slope, curvature := instead(l, d)
		value += v - l.Law.Value(r)
		if r > 0 {
			slope -= l.Law.D1(r) / r
		}
		p.addForce(l, d, slope)
		p.addCurvature(l, curvature)
	}
	return value
}

// ends returns d of a spring at p.center.
func (p *Prover) ends(l *link) [3]float64 {
	f := p.sys.Frame(l.I)
	d := f.ToGlobal([3]float64(p.center[3*l.I : 3*l.I+3]))
	var far [3]float64
	if l.J < 0 {
		l.Anchor.At(far[:], p.t)
	} else {
		f = p.sys.Frame(l.J)
		far = f.ToGlobal([3]float64(p.center[3*l.J : 3*l.J+3]))
	}
	for c := range d {
		d[c] -= far[c]
	}
	return d
}

// addForce adds s·d at the ends of a spring to p.grad.
func (p *Prover) addForce(l *link, d [3]float64, s float64) {
	if s == 0 {
		return
	}
	for c := range d {
		d[c] *= s
	}
	f := p.sys.Frame(l.I)
	for c, v := range f.RotateToLocal(d) {
		p.grad[3*l.I+c] += v
	}
	if l.J >= 0 {
		f = p.sys.Frame(l.J)
		for c, v := range f.RotateToLocal(d) {
			p.grad[3*l.J+c] -= v
		}
	}
}

// addCurvature adds κ|d|² / 2 to p.k.
func (p *Prover) addCurvature(l *link, kappa float64) {
	for c := range 3 {
		p.k[(3*l.I+c)*(p.n+1)] += kappa
		if l.J < 0 {
			continue
		}
		p.k[(3*l.J+c)*(p.n+1)] += kappa
		for e := range 3 {
			v := kappa * l.turn[3*c+e]
			p.k[(3*l.I+c)*p.n+3*l.J+e] -= v
			p.k[(3*l.J+e)*p.n+3*l.I+c] -= v
		}
	}
}

// bound returns the best lower bound of F over a box that the points to expand at give, and the
// axis to halve it along.
func (p *Prover) bound(b *box) (low float64, axis int) {
	low = math.Inf(-1)
	try := func(floors bool) {
		if l, a := p.expand(b, floors); l > low || math.IsInf(low, -1) {
			low, axis = l, a
		}
	}
	for _, y := range p.known {
		if b.holds(y) {
			copy(p.center, y)
			try(false)
			return low, axis
		}
	}
	p.middle(b)
	try(false)
	try(true)
	for i, z := range p.z { // from the point nearest to the state
		p.center[i] = min(max(z, b.lo[i]), b.hi[i])
	}
	try(false)
	return low, axis
}

func (b *box) holds(y []float64) bool {
	for i, v := range y {
		if !(v >= b.lo[i] && v <= b.hi[i]) {
			return false
		}
	}
	return true
}

// expand bounds F over a box from the point p.center of it. With floors the least value of a spring
// stands for it where its parabola is lower in the box; else only where it has none.
func (p *Prover) expand(b *box, floors bool) (low float64, axis int) {
	copy(p.k, p.quadratic)
	clear(p.gain)
	low = p.tangent(func(l *link, d [3]float64) (value, slope, curvature float64) {
		lo, hi, near, far := p.range3(b, l, d)
		floor, tension, bend := l.law.Bounds(near, far)
		across := tension / far
		if tension < 0 {
			across = tension / near
		}
		r := math.Sqrt(vec3.Dot(d, d))
		curvature = min(bend, across)
		value = l.Law.Value(r)
		if r > 0 {
			slope = l.Law.D1(r) / r
		}
		// The least of the parabola over the box of d, against that of φ.
		least := value
		for c := range 3 {
			least += parabola(slope*d[c], curvature, lo[c], hi[c])
		}
		// Where r is 0 the parabola has no slope: it stays below a φ that increases, and of one
		// that decreases the curvature across has no bound.
		smooth := !math.IsInf(value, 0) && !math.IsInf(curvature, 0)
		if smooth && (!floors || least >= floor) {
			return value, slope, curvature
		}
		for _, j := range []int{l.I, l.J} { // what smaller boxes would gain, shared by width
			if j >= 0 {
				p.share(b, j, math.Min(value, math.MaxFloat64)-floor)
			}
		}
		return floor, 0, 0
	})
	low += p.friction(p.center, p.grad)
	for i := range p.n {
		lambda := p.k[i*(p.n+1)]
		for c := range p.n {
			if c != i {
				lambda -= math.Abs(p.k[i*p.n+c])
			}
		}
		least := parabola(p.grad[i], lambda, b.lo[i]-p.center[i], b.hi[i]-p.center[i])
		low += least
		p.gain[i] -= least
	}
	for i, g := range p.gain {
		if (g > p.gain[axis] || !(b.hi[axis] > b.lo[axis])) && b.hi[i] > b.lo[i] {
			axis = i
		}
	}
	return low, axis
}

// share divides a gain among the axes of a particle by the squares of the widths of the box.
func (p *Prover) share(b *box, j int, gain float64) {
	sum := 0.0
	for c := 3 * j; c < 3*j+3; c++ {
		sum += (b.hi[c] - b.lo[c]) * (b.hi[c] - b.lo[c])
	}
	for c := 3 * j; c < 3*j+3 && sum > 0; c++ {
		p.gain[c] += gain * (b.hi[c] - b.lo[c]) * (b.hi[c] - b.lo[c]) / sum
	}
}

// range3 returns how d changes over a box from its value at p.center, and the range of its length.
func (p *Prover) range3(b *box, l *link, d [3]float64) (lo, hi [3]float64, near, far float64) {
	add := func(j int, sign float64) {
		f := p.sys.Frame(j)
		for c := range 3 {
			var e [3]float64
			e[c] = sign
			for k, r := range f.RotateToGlobal(e) {
				u, v := r*(b.lo[3*j+c]-p.center[3*j+c]), r*(b.hi[3*j+c]-p.center[3*j+c])
				lo[k] += min(u, v)
				hi[k] += max(u, v)
			}
		}
	}
	add(l.I, 1)
	if l.J >= 0 {
		add(l.J, -1)
	}
	for c, x := range d {
		from, to := x+lo[c], x+hi[c]
		inner := max(from, -to, 0)
		outer := max(-from, to)
		near, far = near+inner*inner, far+outer*outer
	}
	return lo, hi, math.Sqrt(near), math.Sqrt(far)
}

// parabola returns the least g s + ½ k s² over [lo, hi], lo <= 0 <= hi: where it has no vertex
// inside, one of both ends is no higher than 0.
func parabola(g, k, lo, hi float64) float64 {
	least := min(lo*(g+k*lo/2), hi*(g+k*hi/2))
	if k > 0 {
		if s := -g / k; s > lo && s < hi {
			least = min(least, -g*g/(2*k))
		}
	}
	if least != least { // 0·∞: nothing is known
		return math.Inf(-1)
	}
	return least
}
