package fem

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/sparse"
)

// Hyperelastic is a body of a hyperelastic material at finite strains, F = I + ∇u, by any element: the sum over the
// points of quadrature
//
//	E(u) = Σ w W(Ī₁, Ī₂, θ),
//
// with θ = J = det F, or, where the dilatation of an element is replaced by its mean (see Q1), θ = J̄ = Σ w J/|T| for
// all of its points. That is W(F̄) of F̄ = (J̄/J)^⅓ F [DeSouzaNeto96]: an energy, so that forces are its gradient and the
// tangent is symmetric, [SimoTaylorPister85] where W splits into a part of Ī₁, Ī₂ and one of J. Of rings F_zz is 1 + u_r/r.
// In plane stress it is what makes W least, and σ_zz is 0. Nodes amid straight edges follow as in [Stiffness]. For small
// strains it is linear elasticity.
type Hyperelastic struct {
	dim, strains int // components of a strain that differ from 0
	nodes        int
	law          Law
	thin         bool // plane stress
	mesh         *Mesh
	material     Elastic
	elements     []element
	follow       float64 // of nodes amid straight edges [N/m]
}

// NewHyperelastic fails for parameters out of range, and in one dimension; e has the kinematics and the moduli for small strains.
func NewHyperelastic(m *Mesh, e Elastic, law Law) (*Hyperelastic, error) {
	if err := e.validateOn(m); err != nil {
		return nil, err
	}
	if e.Orthotropic != nil {
		return nil, errOrthotropic
	}
	if err := m.checkRadius(e); err != nil {
		return nil, err
	}
	if m.Dim == 1 || law == nil {
		return nil, fmt.Errorf("fem: a hyperelastic body needs a law and a mesh of dimension 2 or 3, this has dimension %d", m.Dim)
	}
	h := &Hyperelastic{dim: m.Dim, strains: [...]int{2: 4, 3: 6}[m.Dim], nodes: m.NumNodes(), law: law,
		thin: m.Dim == 2 && e.Kinematics == PlaneStress, mesh: m, material: e, elements: make([]element, m.NumElems())}
	for k := range h.elements {
		x := &h.elements[k]
		m.evaluate(x, k, &e)
		for i := range x.points {
			for a := range x.nodes {
				g := &x.points[i].Grad[a]
				h.follow += e.Young * x.points[i].Weight * vec3.Dot(*g, *g) / float64(h.nodes)
			}
		}
	}
	return h, nil
}

// Bytes is about the memory of the points.
func (h *Hyperelastic) Bytes() int64 {
	return int64(8 * len(h.elements) * (3*mostNodes + 9 + (5*mostNodes+1)*len(h.states())))
}

// states makes room for those of the points of an element.
func (h *Hyperelastic) states() []state {
	if len(h.elements) == 0 {
		return nil
	}
	return make([]state, len(h.elements[0].points))
}

// state is a point of an element at its deformation.
type state struct {
	g          [3][3]float64 // ∇u
	strain     Tensor        // E
	invariants               // of E
	w          float64
	d          [3]float64 // W by the invariants
	dd         [3][3]float64
}

// deform stores F − I, E and the invariants of a point, which are no numbers where it is inverted, and returns J − 1.
func (h *Hyperelastic) deform(s *state, x *element, p *Point, u []float64) (j float64) {
	s.g = [3][3]float64{}
	for a, i := range x.nodes {
		g := &p.Grad[a]
		for r, v := range u[h.dim*i : h.dim*i+h.dim] {
			row := &s.g[r]
			row[0], row[1], row[2] = row[0]+v*g[0], row[1]+v*g[1], row[2]+v*g[2]
		}
		s.g[2][2] += p.Hoop[a] * u[h.dim*i]
	}
	if h.thin {
		return h.thicken(s)
	}
	if j = s.set(); h.dim == 2 && !(s.g[2][2] > -1) {
		return s.g[2][2] // a ring that has gone through its axis: both of its stretches are negative
	}
	return j
}

// change is J − 1 = tr G + ½((tr G)² − tr G²) + det G of G = F − I.
func (s *state) change() float64 {
	g := &s.g
	return g[0][0] + g[1][1] + g[2][2] + g[0][0]*g[1][1] - g[0][1]*g[1][0] + g[1][1]*g[2][2] - g[1][2]*g[2][1] +
		g[2][2]*g[0][0] - g[2][0]*g[0][2] + vec3.Dot(g[0], vec3.Cross(g[1], g[2]))
}

// set stores E = ½(G + Gᵀ + GᵀG) and its invariants, and returns J − 1.
func (s *state) set() (j float64) {
	s.strain = strainOf(&s.g)
	for r := range s.g {
		e, x, y, z := &s.strain, s.g[r][0], s.g[r][1], s.g[r][2]
		e[0], e[1], e[2] = e[0]+x*x/2, e[1]+y*y/2, e[2]+z*z/2
		e[3], e[4], e[5] = e[3]+x*y/2, e[4]+y*z/2, e[5]+z*x/2
	}
	j = s.change()
	s.of(&s.strain, j)
	return j
}

// at stores the states of the points of an element, and returns J̄ − 1; inverted says that J is not positive at a point.
func (h *Hyperelastic) at(s []state, x *element, u []float64) (mean float64, inverted bool) {
	for i := range x.points {
		j := h.deform(&s[i], x, &x.points[i], u)
		inverted = inverted || !(j > -1)
		mean += x.points[i].Weight / x.volume * j
	}
	for i := range x.points {
		h.load(&s[i], x.averaged, mean)
	}
	return mean, inverted
}

// load evaluates the law, at J̄ − 1 in place of J − 1 where that is averaged.
func (h *Hyperelastic) load(s *state, averaged bool, mean float64) {
	at := s.x
	if averaged {
		at[2] = mean
	}
	s.w, s.d, s.dd = h.law.Density(at)
	s.slopes(&s.strain, s.d[1] != 0 || s.dd[1] != [3]float64{})
}

// pressure is Σ w ∂W/∂θ/|T| of an averaged element, which takes the place of ∂W/∂J at its points.
func (x *element) pressure(s []state) (mean float64) {
	for i := range x.points {
		mean += x.points[i].Weight / x.volume * s[i].d[2]
	}
	return mean
}

// Energy returns E(u), +Inf if an element is inverted at a point, and adds the gradient to grad, if not nil: Σ w F S g_a at
// node a of each element, with S = Σ_k ∂W/∂x_k ∂x_k/∂E.
func (h *Hyperelastic) Energy(grad, u []float64) (sum float64) {
	s := h.states()
	for k := range h.elements {
		x := &h.elements[k]
		_, inverted := h.at(s, x, u)
		if inverted {
			sum = math.Inf(1)
		}
		for i := range x.points {
			sum += x.points[i].Weight * s[i].w
		}
		if grad != nil {
			h.addForces(grad, s, x)
		}
	}
	h.eachFollower(func(nodes *[3]int) {
		for c := range h.dim {
			off := h.behind(nodes, c, u)
			sum += h.follow / 2 * off * off
			for i := 0; i < len(nodes) && grad != nil; i++ {
				grad[h.dim*nodes[i]+c] += h.follow * off * followerWeights[i]
			}
		}
	})
	if math.IsNaN(sum) {
		return math.Inf(1) // the law has no value where an element is inverted
	}
	return sum
}

func (h *Hyperelastic) addForces(grad []float64, s []state, x *element) {
	pressure := x.pressure(s)
	for i := range x.points {
		at := &x.points[i]
		if x.averaged {
			s[i].d[2] = pressure
		}
		p := s[i].piola(s[i].stress())
		for a, node := range x.nodes {
			for r := range h.dim {
				grad[h.dim*node+r] += at.Weight * vec3.Dot(p[r], at.Grad[a])
			}
			grad[h.dim*node] += at.Weight * p[2][2] * at.Hoop[a]
		}
	}
}

// Inverted returns the first element with a point where J = det F is not positive under u, and J there; -1 if there is none.
func (h *Hyperelastic) Inverted(u []float64) (element int, j float64) {
	s := new(state)
	for k := range h.elements {
		x := &h.elements[k]
		for i := range x.points {
			if j := h.deform(s, x, &x.points[i], u); !(j > -1) {
				return k, 1 + j
			}
		}
	}
	return -1, 1
}

// stress is S, the second Piola-Kirchhoff stress.
func (s *state) stress() (t Tensor) {
	for i := range t {
		t[i] = s.d[0]*s.by[0][i] + s.d[1]*s.by[1][i] + s.d[2]*s.by[2][i]
	}
	return t
}

// piola is F t.
func (s *state) piola(t Tensor) (p [3][3]float64) {
	full := [3][3]float64{{t[0], t[3], t[5]}, {t[3], t[1], t[4]}, {t[5], t[4], t[2]}}
	for r := range 3 {
		for c := range 3 {
			p[r][c] = full[r][c] + vec3.Dot(s.g[r], full[c])
		}
	}
	return p
}

// EachBlock visits the blocks of D²E(u) of the nodes i, j of all elements, once for an unordered pair: with the strains
// B_a that a node makes, F ↦ sym(Fᵀ δF),
//
//	D²E_ab = Σ w (B_aᵀ (D) B_b + (g_a·S g_b) I),   D = ∂S/∂E,
//
// and, where the dilatation is averaged, m_a = ∂J̄/∂u_a = Σ w B_aᵀ ∂J/∂E/|T| and c_a = Σ w B_aᵀ ∂²W/∂E∂θ,
// c_a m_bᵀ + m_a c_bᵀ + (Σ w ∂²W/∂θ²) m_a m_bᵀ.
func (h *Hyperelastic) EachBlock(u []float64, visit func(i, j int, b *[3][3]float64)) {
	s, t := h.states(), new(tangent) // visit may keep nothing of them
	for k := range h.elements {
		x := &h.elements[k]
		h.at(s, x, u)
		h.tangent(t, s, x)
		for a := range x.nodes {
			for b := range a + 1 {
				visit(x.nodes[a], x.nodes[b], &t.blocks[a][b])
			}
		}
	}
	block := new([3][3]float64)
	h.eachFollower(func(nodes *[3]int) {
		for a, w := range followerWeights {
			for b, v := range followerWeights[:a+1] {
				for c := range h.dim {
					block[c][c] = h.follow * w * v
				}
				visit(nodes[a], nodes[b], block)
			}
		}
	})
}

// tangent is that of an element.
type tangent struct {
	blocks  [mostNodes][mostNodes][3][3]float64
	moduli  [6][6]float64             // D
	strains [mostNodes][3][6]float64  // B
	stress  [mostNodes][3][6]float64  // B D
	mean    [2][mostNodes * 3]float64 // m and c
}

func (h *Hyperelastic) tangent(t *tangent, s []state, x *element) {
	for a := range x.nodes {
		clear(t.blocks[a][:a+1])
	}
	t.mean = [2][mostNodes * 3]float64{}
	pressure, bulk := x.pressure(s), 0.0
	for i := range x.points {
		at, q := &x.points[i], &s[i]
		if x.averaged {
			q.d[2] = pressure
			bulk += at.Weight * q.dd[2][2]
		}
		h.moduli(&t.moduli, q, x.averaged)
		stress := q.stress()
		if h.thin {
			condense(&t.moduli)
		}
		for a := range x.nodes {
			h.nodal(t, q, at, a)
			if x.averaged {
				h.dilate(t, q, at, a, x.volume)
			}
		}
		for a := range x.nodes {
			h.add(t, at, a, &stress)
		}
	}
	if !x.averaged {
		return
	}
	m, c := &t.mean[0], &t.mean[1]
	for a := range x.nodes {
		for b := range a + 1 {
			for r := range h.dim {
				for k := range h.dim {
					i, j := 3*a+r, 3*b+k
					t.blocks[a][b][r][k] += c[i]*m[j] + m[i]*c[j] + bulk*m[i]*m[j]
				}
			}
		}
	}
}

// moduli stores D at a point: W by E twice, where θ is averaged at a constant θ but for the pressure.
func (h *Hyperelastic) moduli(dst *[6][6]float64, s *state, averaged bool) {
	n, own := h.strains, 3
	*dst = [6][6]float64{}
	s.curvature(dst, &s.d, n)
	if averaged {
		own = 2
	}
	for k := range own {
		for l := range own {
			if f := s.dd[k][l]; f != 0 {
				for r := range n {
					for c := range n {
						dst[r][c] += f * s.by[k][r] * s.by[l][c]
					}
				}
			}
		}
	}
}

// nodal stores the strains of a node and the stresses that they make.
func (h *Hyperelastic) nodal(t *tangent, s *state, at *Point, a int) {
	g := &at.Grad[a]
	for r := range h.dim {
		f := s.g[r]
		f[r]++
		b := &t.strains[a][r]
		*b = [6]float64{f[0] * g[0], f[1] * g[1], f[2] * g[2], f[0]*g[1] + f[1]*g[0], f[1]*g[2] + f[2]*g[1], f[2]*g[0] + f[0]*g[2]}
		if r == 0 {
			b[2] += (1 + s.g[2][2]) * at.Hoop[a]
		}
		for c := range h.strains {
			t.stress[a][r][c] = dot6(&t.moduli[c], b)
		}
	}
}

// dot6 is a product of strains, of which those that a plane mesh does not have are 0, and stresses.
func dot6(a, b *[6]float64) float64 {
	return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3] + a[4]*b[4] + a[5]*b[5]
}

// dilate adds what a node does to J̄, and to the stresses by θ.
func (h *Hyperelastic) dilate(t *tangent, s *state, at *Point, a int, volume float64) {
	for r := range h.dim {
		for k, b := range t.strains[a][r][:h.strains] {
			t.mean[0][3*a+r] += at.Weight / volume * b * s.by[2][k]
			t.mean[1][3*a+r] += at.Weight * b * (s.dd[0][2]*s.by[0][k] + s.dd[1][2]*s.by[1][k])
		}
	}
}

// add adds the blocks of a point of node a with those up to it.
func (h *Hyperelastic) add(t *tangent, at *Point, a int, s *Tensor) {
	g := &at.Grad[a]
	pull := [3]float64{s[0]*g[0] + s[3]*g[1] + s[5]*g[2], s[3]*g[0] + s[1]*g[1] + s[4]*g[2], s[5]*g[0] + s[4]*g[1] + s[2]*g[2]}
	for b := range a + 1 {
		block := &t.blocks[a][b]
		along := at.Weight * vec3.Dot(pull, at.Grad[b])
		for r := range h.dim {
			stress, row := &t.stress[a][r], &block[r]
			for c := range h.dim {
				row[c] += at.Weight * dot6(stress, &t.strains[b][c])
			}
			row[r] += along
		}
		block[0][0] += at.Weight * s[2] * at.Hoop[a] * at.Hoop[b]
	}
}

// Hessian adds D²E(u) to a matrix with the pattern of the mesh.
func (h *Hyperelastic) Hessian(a *sparse.Sym, u []float64) {
	h.EachBlock(u, func(i, j int, b *[3][3]float64) { addBlock(a, h.dim, i, j, 1, b) })
}

// followerWeights are those of a node amid an edge and its ends, see [Hyperelastic.behind].
var followerWeights = [3]float64{1, -0.5, -0.5}

// eachFollower visits the nodes amid straight edges, each with the ends.
func (h *Hyperelastic) eachFollower(visit func(nodes *[3]int)) {
	h.mesh.eachStraight(func(middle int, ends [2]int) { visit(&[3]int{middle, ends[0], ends[1]}) })
}

// behind is by how much the displacement of a node amid an edge differs from the mean of the ends, along an axis.
func (h *Hyperelastic) behind(nodes *[3]int, axis int, u []float64) (off float64) {
	for i, w := range followerWeights {
		off += w * u[h.dim*nodes[i]+axis]
	}
	return off
}

// Stresses returns the mean of the Cauchy stresses of each element [Pa], with σ_zz of plane strain and the hoop stress of rings.
func (h *Hyperelastic) Stresses(u []float64) []Tensor {
	all, s := make([]Tensor, len(h.elements)), h.states()
	for k := range all {
		all[k] = h.meanStress(s, &h.elements[k], u)
	}
	return all
}

func (h *Hyperelastic) meanStress(s []state, x *element, u []float64) (mean Tensor) {
	dilatation, _ := h.at(s, x, u)
	for i := range x.points {
		for c, sigma := range s[i].cauchy(x.averaged, dilatation) {
			mean[c] += x.points[i].Weight / x.volume * sigma
		}
	}
	return mean
}

// Strains returns the mean strain of Green and Lagrange ½(FᵀF − I) of each element [-].
func (h *Hyperelastic) Strains(u []float64) []Tensor {
	all, s := make([]Tensor, len(h.elements)), new(state)
	for k := range all {
		x := &h.elements[k]
		for i := range x.points {
			h.deform(s, x, &x.points[i], u)
			for c, e := range s.strain {
				all[k][c] += x.points[i].Weight / x.volume * e
			}
		}
	}
	return all
}

// cauchy is F̄ (Σ ∂W/∂x_k ∂x_k/∂E) F̄ᵀ/θ, of which the part of Ī₁ and Ī₂ does not depend on the size of F.
func (s *state) cauchy(averaged bool, mean float64) (sigma Tensor) {
	theta := 1 + s.x[2]
	if averaged {
		theta = 1 + mean
	}
	var t Tensor
	for i := range t {
		t[i] = (s.d[0]*s.by[0][i] + s.d[1]*s.by[1][i]) / theta
	}
	p := s.piola(t)
	for i, at := range components {
		sigma[i] = p[at[0]][at[1]] + vec3.Dot(p[at[0]], s.g[at[1]])
		if i < 3 {
			sigma[i] += s.d[2]
		}
	}
	return sigma
}

// StressesAtNodes returns the means of the Cauchy stresses that the elements around each node have there, by their volumes;
// of an element that is inverted there its mean.
func (h *Hyperelastic) StressesAtNodes(u []float64) []Tensor {
	m := h.mesh
	if m.Kind == P1 {
		return NodalStresses(m, h.Stresses(u))
	}
	ref, ring := m.reference(), m.Dim == 2 && h.material.Kinematics == Axisymmetric
	sum, weight := make([]Tensor, m.NumNodes()), make([]float64, m.NumNodes())
	points, s := h.states(), new(state)
	for k := range h.elements {
		x := &h.elements[k]
		mean, _ := h.at(points, x, u)
		for a, i := range x.nodes {
			p := m.pointOf(ref, x.nodes, &ref.places[a], ring)
			j := h.deform(s, x, &p, u)
			h.load(s, x.averaged, mean)
			sigma := s.cauchy(x.averaged, mean)
			if !(j > -1) {
				sigma = h.meanStress(points, x, u)
			}
			for c, v := range sigma {
				sum[i][c] += x.volume * v
			}
			weight[i] += x.volume
		}
	}
	return divided(sum, weight)
}
