package assume

import (
	"math"
	"math/rand/v2"

	"github.com/quasistatic/quasistatic/particles"
)

// Extension holds the constants of [Schmid08] over the cylinder
// C_e = [0, T_e] × A_e, A_e = {z ∈ A : |z − Z_0| <= l_e, z_{3j} = 0 for j ∈ I_c}.
//
// Where E is quadratic and all M are constant nothing depends on the cylinder:
// l_e = ∞ and T_e = T. Otherwise l_e and T_e are chosen so that T_* is large.
type Extension struct {
	Te Number `json:"t_e"` // [s]
	Le Number `json:"l_e"` // [m]; null: no limit

	// Separation is (3.3): (N4) with α_{K,e}, q_{K,e} of (3.1)-(3.2). Where σ or M
	// vary, the suprema over A_{I_c,e} ⊃ A_{K,e} take the place of those over A_{K,e}.
	Separation *Separation `json:"separation"`

	// ‖∂_tDE‖ [N/s], without the paper's ½: the double integral of Lemma 4.4 has none
	C1     Number `json:"c_1"`
	C2     Number `json:"c_2"`     // Σ ‖∂_tσ^(j)‖‖M^(j)‖ [N/s], (4.1)
	CLip   Number `json:"c_lip"`   // (c_1 + c_2)/min_K(α_K − q_K) [m/s], (4.8)
	CSigma Number `json:"c_sigma"` // sup_j ‖∂_tσ^(j)‖ + ‖Dσ^(j)‖, mixed units, before (4.11)
	CFine  Number `json:"c_fine"`  // 1/(2C_σ(1 + c_lip)) [s/N], (4.11)
	// CFineSwitching is the same with what the proof of Theorem 4.7 uses: the
	// particles of I_s, and Dσ over admissible directions; null without I_s.
	CFineSwitching Number `json:"c_fine_switching"`

	// TStar is a time up to which Problem 2.1 has a solution, by the last paragraph
	// of Theorem 5.2, and Limit what ends it.
	TStar Number `json:"t_star"`
	Limit string `json:"t_star_limit"`

	// RatesExact: the suprema over time are upper bounds, 1e-12 above what is attained
	// or exact. Otherwise they are the largest of many samples.
	RatesExact bool `json:"rates_exact"`
	// Certified: nothing was sampled, neither in time nor in space.
	Certified bool `json:"certified"`
}

// cylinder is one choice of (T_e, l_e) with what is bounded over it.
type cylinder struct {
	te, le float64
	p      *separationProblem
	rates  *rateBounds
	size   []float64 // ‖M^(j)‖
	dsigma []float64 // ‖Dσ^(j)‖ over the columns free under I_c
	row    []float64 // ‖Dσ^(j)‖
}

const (
	// cylinderLevels is the number of l_e tried, each half of the one before.
	cylinderLevels = 14
	// timeLevels is the number of T_e tried for each l_e where T_e matters.
	timeLevels = 6
	// searchNodes bounds the branches of (3.3) while l_e is being chosen; of energies
	// that are sampled, whose every branch costs a form for each sample, fewer.
	searchNodes  = 20
	sampledNodes = 4
	// sampledWork bounds the cylinders tried for these, and then the branches of the
	// best: cubes of the order times forms. It takes some seconds.
	sampledWork = 5e7
	leastTries  = 4 // of either
)

// extend chooses the cylinder and computes the constants.
func (c *checker) extend() error {
	if c.Uniform {
		cyl := c.cylinder(c.Until, math.Inf(1))
		sep := *c.Printed
		if c.Printed.Verdict == Holds {
			c.Extension = c.constants(cyl, &sep)
		}
		return nil
	}
	if c.Printed.Verdict != Holds {
		return nil
	}
	// A motion at c_lip for the time T reaches the middle of Q_{l_e}: larger is of
	// no use, except that c_lip grows with l_e.
	first := c.constants(c.cylinder(c.Until, 0), c.Printed)
	le := 4 * float64(first.CLip) * c.Until
	tries, nodes := c.budget()
	for range cylinderLevels {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if tries <= 0 {
			break
		}
		tries -= c.tryLength(le, tries)
		le /= 2
	}
	if c.Extension == nil { // the start alone, T_* = 0
		c.Extension = first
		first.TStar, first.Limit = 0, "no cylinder with (3.3) was found around the start"
		return nil
	}
	e := c.Extension // with the full search
	cyl := c.cylinder(float64(e.Te), float64(e.Le))
	cyl.p.limit = nodes
	c.Extension = c.constants(cyl, cyl.p.solve())
	return nil
}

// budget is how many cylinders are tried, and the branches of the best; 0: as many as its size
// allows.
func (c *checker) budget() (tries, nodes int) {
	tries = cylinderLevels * timeLevels
	if c.quadratic {
		return tries, 0
	}
	order := 3 * float64(c.sys.N())
	nodes = max(leastTries, int(sampledWork/(order*order*order)/float64(c.samples())))
	return min(tries, nodes), nodes
}

// tryLength keeps the best T_* over T_e for one l_e, within so many cylinders, and
// returns how many it took.
func (c *checker) tryLength(le float64, most int) (tried int) {
	te := c.Until
	for tried < min(most, timeLevels) {
		tried++
		cyl := c.cylinder(te, le)
		cyl.p.limit = searchNodes
		if !c.quadratic {
			cyl.p.limit = sampledNodes
		}
		if sep := cyl.p.decide(); sep.Verdict == Holds {
			if e := c.constants(cyl, sep); c.Extension == nil || e.TStar > c.Extension.TStar {
				c.Extension = e
			}
			return tried // a smaller T_e only shrinks T_* now
		}
		te /= 4
	}
	return tried
}

// cylinder bounds everything over [0, te] × A_e. For le = 0 it is the start in space.
func (c *checker) cylinder(te, le float64) *cylinder {
	n := c.sys.N()
	cyl := &cylinder{te: te, le: le, size: make([]float64, n), dsigma: make([]float64, n), row: make([]float64, n)}
	cyl.p = &separationProblem{ctx: c.ctx, n: n, contact: c.Members(particles.Contact), switching: c.Members(particles.Switching)}
	cyl.rates = c.ratesUntil(te)
	slopes := c.slopes(le)
	for j, s := range slopes {
		cyl.size[j] = s.size
	}
	if c.quadratic {
		h := c.sys.Hessian(c.opt.At, c.z0)
		sigma := c.largestForces(cyl.rates.sigma, le)
		cyl.p.forms = []*form{newForm(h, sigma, slopes)}
		cyl.measure(c, cyl.p.forms[0])
		return cyl
	}
	c.sampleCylinder(cyl)
	return cyl
}

// ratesUntil bounds the rates at the start up to a time; what they were is kept.
func (c *checker) ratesUntil(te float64) *rateBounds {
	b, known := c.rates[te]
	if !known {
		b = boundRates(c.sys, c.z0, c.opt.At+te)
		c.rates[te] = b
	}
	return b
}

// slopes describes the friction matrices over the squares |z_T − Z_0| <= le.
func (c *checker) slopes(le float64) []slope {
	slopes := make([]slope, c.sys.N())
	for j, m := range c.psi.Matrices {
		if c.Sets[j] != particles.Free {
			slopes[j] = slopeOf(m, [2]float64{c.z0[3*j], c.z0[3*j+1]}, min(le, math.MaxFloat64))
		}
	}
	return slopes
}

// largestForces returns sup σ^(j)₊ over A_e for a quadratic energy: the value at
// Z_0 plus l_e times the one-norm of the row, over the directions of A_e. Only
// varying friction matrices use it, so that l_e is finite.
func (c *checker) largestForces(start []float64, le float64) []float64 {
	out := make([]float64, len(start))
	if c.constant {
		return out
	}
	h := c.sys.Hessian(c.opt.At, c.z0)
	add := func(d, other int, v float64) {
		if d%3 == 2 {
			out[d/3] += c.gain(other, v, le)
		}
	}
	for col := range h.N {
		for k := h.Ptr[col]; k < h.Ptr[col+1]; k++ {
			add(h.Row[k], col, h.Val[k])
			if h.Row[k] != col {
				add(col, h.Row[k], h.Val[k])
			}
		}
	}
	for j := range out {
		out[j] += start[j]
	}
	return out
}

// gain returns the largest v·(z − Z_0)_d in A_e.
func (c *checker) gain(d int, v, le float64) float64 {
	j := d / 3
	switch {
	case d%3 != 2 || !c.sys.Constrained(j):
		return math.Abs(v) * le
	case c.Sets[j] == particles.Contact:
		return 0
	case v > 0:
		return v * le
	}
	return -v * min(le, c.z0[d])
}

// measure takes ‖Dσ^(j)‖ of one form.
func (cyl *cylinder) measure(c *checker, f *form) {
	n := len(cyl.row)
	square, free := make([]float64, n), make([]float64, n)
	add := func(d, other int, v float64) {
		if d%3 != 2 || !c.sys.Constrained(d/3) {
			return
		}
		square[d/3] += v * v
		if other%3 != 2 || c.Sets[other/3] != particles.Contact {
			free[d/3] += v * v
		}
	}
	for col := range f.h.N {
		for k := f.h.Ptr[col]; k < f.h.Ptr[col+1]; k++ {
			add(f.h.Row[k], col, f.h.Val[k])
			if f.h.Row[k] != col {
				add(col, f.h.Row[k], f.h.Val[k])
			}
		}
	}
	for j := range square {
		cyl.row[j] = max(cyl.row[j], math.Sqrt(square[j]))
		cyl.dsigma[j] = max(cyl.dsigma[j], math.Sqrt(free[j]))
	}
}

const (
	// cylinderSamples points of (t, z) stand for the cylinder of an energy that is
	// not quadratic; fewer for large systems.
	cylinderSamples = 24
	largeSamples    = 6
	largeOrder      = 60 // of coordinates
)

// samples returns the number of points for an energy of this size.
func (c *checker) samples() int {
	if 3*c.sys.N() > largeOrder {
		return largeSamples
	}
	return cylinderSamples
}

// sampleCylinder evaluates E at seeded points of the cylinder, the first its
// start; corners of Q_{l_e} alternate with interior points.
func (c *checker) sampleCylinder(cyl *cylinder) {
	cyl.rates = cyl.rates.clone()
	count := c.samples()
	rng := rand.New(rand.NewPCG(0x5c4d08, 7)) // the seed is fixed: results repeat
	z, grad := make([]float64, len(c.z0)), make([]float64, len(c.z0))
	for k := range count {
		t := c.opt.At
		copy(z, c.z0)
		if k > 0 {
			t += cyl.te * rng.Float64()
			c.scatter(z, cyl.le, k%2 == 1, rng)
		}
		c.sys.Gradient(grad, nil, t, z)
		sigma := make([]float64, c.sys.N())
		slopes := make([]slope, c.sys.N())
		for j := range sigma {
			if c.Sets[j] != particles.Free {
				sigma[j] = max(grad[3*j+2], 0)
				slopes[j] = slopeOf(c.psi.Matrices[j], [2]float64{z[3*j], z[3*j+1]}, 0)
			}
		}
		f := newForm(copySym(c.sys.Hessian(t, z)), sigma, slopes)
		f.sampled = true
		cyl.p.forms = append(cyl.p.forms, f)
		cyl.measure(c, f)
		if k > 0 && cyl.le > 0 {
			cyl.rates.merge(sampleRates(c.sys, z, c.opt.At+cyl.te))
		}
	}
}

// scatter moves z to a random point of A_e, or to a corner of Q_{l_e} in it.
func (c *checker) scatter(z []float64, le float64, corner bool, rng *rand.Rand) {
	for d := range z {
		x := 2*rng.Float64() - 1
		if corner {
			x = math.Copysign(1, x)
		}
		if j := d / 3; d%3 == 2 && c.sys.Constrained(j) {
			if c.Sets[j] == particles.Contact {
				continue
			}
			z[d] = max(z[d]+x*le, 0)
			continue
		}
		z[d] += x * le
	}
}
