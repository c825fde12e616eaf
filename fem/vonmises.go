package fem

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/sparse"
)

// Plasticity is that of von Mises with linear hardening, by uniaxial tension: stress yields at σ_y and
// then rises over the plastic strain with the slope of both hardenings together.
type Plasticity struct {
	Yield     float64 // σ_y > 0 [Pa]
	Hardening float64 // kinematic, of Prager: the yield surface moves [Pa], ≥ 0
	Isotropic float64 // the yield surface grows [Pa], ≥ 0
}

// Validate names the first parameter out of range; without any hardening loads have a limit.
func (p *Plasticity) Validate() error {
	switch {
	case !(p.Yield > 0) || math.IsInf(p.Yield, 1):
		return &ParameterError{"yield", fmt.Sprintf("the yield stress is %g, want a finite number > 0", p.Yield)}
	case !(p.Hardening >= 0) || math.IsInf(p.Hardening, 1):
		return &ParameterError{"hardening", fmt.Sprintf("the hardening is %g, want a finite number >= 0", p.Hardening)}
	case !(p.Isotropic >= 0) || math.IsInf(p.Isotropic, 1):
		return &ParameterError{"isotropic", fmt.Sprintf("the isotropic hardening is %g, want a finite number >= 0", p.Isotropic)}
	case p.Hardening+p.Isotropic == 0:
		return &ParameterError{"hardening", "there is no hardening, want one > 0: without it loads have a limit, beyond which nothing is in equilibrium"}
	}
	return nil
}

// VonMises is what plastic strains p change of the linear elasticity of a mesh. p is deviatoric, one at
// each point of quadrature; with the deviator e of the strain and α = ∫|ṗ|
//
//	W = ½uᵀAu + ∫ −2μ e:p + (μ + K/2)|p|² + I/2 α²,   Ψ(ṗ) = ∫ k|ṗ|,
//
// with k = √⅔ σ_y, K and I two thirds of the hardenings. From p₀ and α₀ the energy with what is
// dissipated is least, with ξ = 2μ(e − p₀) − K p₀, for (radial return, [Simo98] section 3.3)
//
//	p = p₀ + γ ξ/|ξ|,   γ = (|ξ| − k − I α₀)₊ / (2μ + K + I),   α = α₀ + γ.
//
// That least energy is convex in u and has a continuous gradient: so an incremental problem in u
// alone is that in u and p.
type VonMises struct {
	dim                int
	mu                 float64
	k, kinematic, grow float64 // k, K, I
	reference          *reference
	elements           []element
}

// internal are the variables of a point in a list: p, a [Tensor], and α.
type internal [7]float64

// NewVonMises fails for parameters out of range, for plane stress and for bars.
func NewVonMises(m *Mesh, e Elastic, p Plasticity) (*VonMises, error) {
	if err := e.validateOn(m); err != nil {
		return nil, err
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if e.Orthotropic != nil {
		return nil, errOrthotropic
	}
	if m.Dim == 1 || e.Kinematics == PlaneStress {
		return nil, fmt.Errorf("fem: plasticity needs plane strain, axisymmetry or a mesh of dimension 3: the strain across a bar or a thin plate is no unknown of the mesh")
	}
	v := &VonMises{dim: m.Dim, k: math.Sqrt(2./3) * p.Yield, kinematic: 2. / 3 * p.Hardening, grow: 2. / 3 * p.Isotropic,
		reference: m.reference(), elements: make([]element, m.NumElems())}
	_, v.mu = e.Lame(m.Dim)
	for k := range v.elements {
		m.evaluate(&v.elements[k], k, &e)
	}
	return v, nil
}

// Variables is the length of a list of the internal variables.
func (v *VonMises) Variables() int {
	if len(v.elements) == 0 {
		return 0
	}
	return len(internal{}) * len(v.elements) * len(v.elements[0].points)
}

// plasticPoint is a point of quadrature at a strain.
type plasticPoint struct {
	deviator Tensor // e
	p        Tensor
	alpha    float64
	xi       Tensor  // ξ of the trial …
	size     float64 // … its norm …
	flow     float64 // … and γ
}

// dot is a:b.
func (t *Tensor) dot(b *Tensor) float64 {
	return t[0]*b[0] + t[1]*b[1] + t[2]*b[2] + 2*(t[3]*b[3]+t[4]*b[4]+t[5]*b[5])
}

// deviatorAt is that of the strain at a point.
func (x *element) deviatorAt(dim int, p *Point, u []float64) Tensor {
	e := x.strainAt(dim, p, u)
	mean := (e[0] + e[1] + e[2]) / 3
	for c := range 3 {
		e[c] -= mean
	}
	return e
}

// relax finds p and α of a point from remembered ones: ξ is affine in e.
func (v *VonMises) relax(x *element, at *Point, u, from []float64) (q plasticPoint) {
	q.deviator = x.deviatorAt(v.dim, at, u)
	copy(q.p[:], from)
	q.alpha = from[6]
	q.xi = v.driving(&q.deviator, &q.p)
	q.size = math.Sqrt(q.xi.dot(&q.xi))
	limit := v.k + v.grow*q.alpha
	// There is flow beyond 32 roundings of the terms whose difference ξ is. Without that margin a state whose
	// own variables are remembered could flow again by rounding, and a resumed run would differ in its digits.
	rounding := 0x1p-47 * (2*v.mu*(math.Sqrt(q.deviator.dot(&q.deviator))+math.Sqrt(q.p.dot(&q.p))) + limit)
	if over := q.size - limit; over > rounding {
		q.flow = over / (2*v.mu + v.kinematic + v.grow)
		for c := range q.p {
			q.p[c] += q.flow / q.size * q.xi[c]
		}
		q.alpha += q.flow
	}
	return q
}

// driving is ξ, the deviator of the stress less the back stress.
func (v *VonMises) driving(e, p *Tensor) (xi Tensor) {
	for c := range xi {
		xi[c] = 2*v.mu*(e[c]-p[c]) - v.kinematic*p[c]
	}
	return xi
}

// each visits all points with what is remembered of them.
func (v *VonMises) each(from []float64, visit func(x *element, at *Point, from []float64)) {
	for k := range v.elements {
		x := &v.elements[k]
		for i := range x.points {
			visit(x, &x.points[i], from[:len(internal{}):len(internal{})])
			from = from[len(internal{}):]
		}
	}
}

// Relax appends the variables at the displacements u, from remembered ones.
func (v *VonMises) Relax(dst, u, from []float64) []float64 {
	v.each(from, func(x *element, at *Point, from []float64) {
		q := v.relax(x, at, u, from)
		dst = append(append(dst, q.p[:]...), q.alpha)
	})
	return dst
}

// Energy returns by how much the least energy, with all that has been dissipated, exceeds that of linear
// elasticity, and adds its gradient to grad.
func (v *VonMises) Energy(grad, u, from []float64) (sum float64) {
	v.each(from, func(x *element, at *Point, from []float64) {
		q := v.relax(x, at, u, from)
		if q.alpha == 0 {
			return
		}
		sum += at.Weight * (v.stored(&q) + v.k*q.alpha)
		for a, i := range x.nodes {
			b := at.along(a, &q.p)
			for c := range v.dim {
				grad[v.dim*i+c] -= 2 * v.mu * at.Weight * b[c]
			}
		}
	})
	return sum
}

// stored is what p changes of the stored energy.
func (v *VonMises) stored(q *plasticPoint) float64 {
	return (v.mu+v.kinematic/2)*q.p.dot(&q.p) - 2*v.mu*q.deviator.dot(&q.p) + v.grow/2*q.alpha*q.alpha
}

// along is n:ε(φ_a e_c) for each c.
func (p *Point) along(a int, n *Tensor) (b [3]float64) {
	g := &p.Grad[a]
	b[0] = n[0]*g[0] + n[3]*g[1] + n[5]*g[2] + n[2]*p.Hoop[a]
	b[1] = n[3]*g[0] + n[1]*g[1] + n[4]*g[2]
	b[2] = n[5]*g[0] + n[4]*g[1] + n[2]*g[2]
	return b
}

// Tangent subtracts from A what flow takes from it: with n = ξ/|ξ| and c = (|ξ| − k − I α₀)/|ξ|,
//
//	4μ²/(2μ + K + I) ∫ c e:e + (1 − c) (n:e)².
func (v *VonMises) Tangent(a *sparse.Sym, u, from []float64) {
	blocks := new([mostNodes][mostNodes][3][3]float64)
	for k := range v.elements {
		x, flows := &v.elements[k], false
		for i := range x.points {
			q := v.relax(x, &x.points[i], u, from)
			from = from[len(internal{}):]
			if q.flow == 0 {
				continue
			}
			if !flows {
				*blocks, flows = [mostNodes][mostNodes][3][3]float64{}, true
			}
			v.soften(blocks, x, &x.points[i], &q)
		}
		for p := 0; p < len(x.nodes) && flows; p++ {
			for q := range p + 1 {
				addBlock(a, v.dim, x.nodes[p], x.nodes[q], -1, &blocks[p][q])
			}
		}
	}
}

// Soften subtracts the most that flow takes from A, in all directions at once: no tangent is below that.
func (v *VonMises) Soften(a *sparse.Sym) {
	factor := 4 * v.mu * v.mu / (2*v.mu + v.kinematic + v.grow)
	for k := range v.elements {
		x := &v.elements[k]
		for p := range x.nodes {
			for q := range p + 1 {
				for i := range x.points {
					block := deviatoricBlock(v.dim, &x.points[i], p, q)
					addBlock(a, v.dim, x.nodes[p], x.nodes[q], -factor*x.points[i].Weight, &block)
				}
			}
		}
	}
}

// deviatoricBlock is e(φ_p):e(φ_q).
func deviatoricBlock(dim int, at *Point, p, q int) [3][3]float64 {
	return elasticBlock(dim, -1./3, 1./2, at, p, q)
}

// soften adds what flow takes from the blocks of an element at a point.
func (v *VonMises) soften(blocks *[mostNodes][mostNodes][3][3]float64, x *element, at *Point, q *plasticPoint) {
	total := 2*v.mu + v.kinematic + v.grow
	c := q.flow * total / q.size
	factor := 4 * v.mu * v.mu / total * at.Weight
	var n Tensor
	for i := range n {
		n[i] = q.xi[i] / q.size
	}
	for a := range x.nodes {
		left := at.along(a, &n)
		for b := range a + 1 {
			right, block := at.along(b, &n), deviatoricBlock(v.dim, at, a, b)
			for i := range v.dim {
				for j := range v.dim {
					blocks[a][b][i][j] += factor * (c*block[i][j] + (1-c)*left[i]*right[j])
				}
			}
		}
	}
}

// Flow is what plastic strains do on a straight way between two states.
type Flow struct {
	Dissipated float64 // from the start of the run to the end of the way [J]
	// Turned is by how much flow dissipates more on the way than if it went straight to its end [J].
	Turned float64
	// Excess is the largest (|ξ| − k − I α)/k at the end; no stable state has one above 0.
	Excess float64
	Work   float64 // ∫ k |p| of what flows on the way straight [J]
}

// Flow returns that between the displacements u₀ and u: p follows ξ(s), which is affine.
func (v *VonMises) Flow(u0, u, from []float64) (f Flow) {
	v.each(from, func(x *element, at *Point, from []float64) {
		q := v.relax(x, at, u, from)
		if q.alpha == 0 {
			return
		}
		f.Dissipated += at.Weight * v.k * q.alpha
		f.Work += at.Weight * v.k * q.flow
		xi := v.driving(&q.deviator, &q.p)
		f.Excess = max(f.Excess, (math.Sqrt(xi.dot(&xi))-v.k-v.grow*q.alpha)/v.k)
		if q.flow > 0 {
			e0 := x.deviatorAt(v.dim, at, u0)
			start := v.driving(&e0, (*Tensor)(from[:6]))
			f.Turned += at.Weight * v.k * v.turning(&start, &q.xi, v.k+v.grow*from[6])
		}
	})
	return f
}

// turning is ∫|ṗ| ds − |Δp| of p(s) = (|ξ(s)| − limit)₊/(2μ + K + I) ξ(s)/|ξ(s)| along ξ(s) = from + s d, 0 ≤ s ≤ 1,
// which begins inside the yield surface |ξ| = limit. With ξ̇ = d split into its part along ξ and the rest, |ṗ| is
// hypot(out, round) and |p|˙ is out, times 1/(2μ + K + I); their difference is written without cancellation and
// integrated by Gauss' rule of three points from where ξ leaves the surface. It is of third order in the angle.
func (v *VonMises) turning(from, to *Tensor, limit float64) (sum float64) {
	var d Tensor
	for c := range d {
		d[c] = to[c] - from[c]
	}
	a, b, c := d.dot(&d), from.dot(&d), min(from.dot(from)-limit*limit, 0)
	// a s² + 2b s + c = 0 is where ξ leaves; of the two forms of its root the one whose terms do not cancel.
	leaves := min(-c/(b+math.Sqrt(b*b-a*c)), 1)
	if b < 0 {
		leaves = min((math.Sqrt(b*b-a*c)-b)/a, 1)
	}
	if !(leaves >= 0) {
		leaves = 0
	}
	for _, point := range [...]sample{{[3]float64{.11270166537925831}, 5. / 18}, {[3]float64{.5}, 8. / 18}, {[3]float64{.88729833462074169}, 5. / 18}} {
		var xi Tensor
		s := leaves + (1-leaves)*point.xi[0]
		for i := range xi {
			xi[i] = from[i] + s*d[i]
		}
		r := math.Sqrt(xi.dot(&xi))
		out := xi.dot(&d) / r
		round := math.Sqrt(max(a-out*out, 0)) * max(r-limit, 0) / r
		if speed := math.Hypot(out, round) + out; speed > 0 {
			sum += point.weight * (1 - leaves) * round * round / speed
		}
	}
	return sum / (2*v.mu + v.kinematic + v.grow)
}

// Strains returns the mean equivalent plastic strain √⅔ α of each element.
func (v *VonMises) Strains(list []float64) []float64 {
	strain := make([]float64, len(v.elements))
	for k := range v.elements {
		x := &v.elements[k]
		for i := range x.points {
			strain[k] += x.points[i].Weight / x.volume * math.Sqrt(2./3) * list[6]
			list = list[len(internal{}):]
		}
	}
	return strain
}

// Correct subtracts 2μp from stresses of the elements, their means.
func (v *VonMises) Correct(stress []Tensor, list []float64) {
	for k := range v.elements {
		x := &v.elements[k]
		for i := range x.points {
			w := x.points[i].Weight / x.volume
			for c := range 6 {
				stress[k][c] -= 2 * v.mu * w * list[c]
			}
			list = list[len(internal{}):]
		}
	}
}

// CorrectAtNodes subtracts 2μp from stresses at nodes: the mean, by volume, of what the elements around
// have at their points next to it.
func (v *VonMises) CorrectAtNodes(stress []Tensor, list []float64) {
	sum, weight := make([]Tensor, len(stress)), make([]float64, len(stress))
	nearest := v.nearest()
	for k := range v.elements {
		x := &v.elements[k]
		for a, i := range x.nodes {
			for c, p := range list[len(internal{})*nearest[a]:][:6] {
				sum[i][c] += x.volume * p
			}
			weight[i] += x.volume
		}
		list = list[len(internal{})*len(x.points):]
	}
	for i, p := range divided(sum, weight) {
		for c := range p {
			stress[i][c] -= 2 * v.mu * p[c]
		}
	}
}

// nearest is, for each node of an element, the point of quadrature that is nearest to it.
func (v *VonMises) nearest() (list []int) {
	for _, place := range v.reference.places {
		best, least := 0, math.Inf(1)
		for i, s := range v.reference.rule {
			d := 0.0
			for c, x := range s.xi {
				d += (x - place[c]) * (x - place[c])
			}
			if d < least {
				best, least = i, d
			}
		}
		list = append(list, best)
	}
	return list
}
