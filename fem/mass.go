package fem

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/sparse"
)

// MassKind is the quadrature of the mass.
type MassKind int

const (
	Consistent MassKind = iota // exact: |T|/((d+1)(d+2))·(1 + δ_ab)
	Lumped                     // diagonal: |T|/(d+1) at each node
)

// ErrNoMass refuses P2: sums of rows, and with them lumped masses, vanish or are negative at corners, and
// nodes amid straight edges have no mass.
var ErrNoMass = errors.New("fem: quadratic elements have no masses for contact: take \"element\": \"Q1\" or linear simplices")

// Mass assembles M on the pattern of [Stiffness].
func Mass(m *Mesh, e Elastic, kind MassKind) (*sparse.Sym, error) {
	if err := e.validateOn(m); err != nil {
		return nil, err
	}
	if err := m.checkRadius(e); err != nil {
		return nil, err
	}
	if m.Kind == P2 {
		return nil, ErrNoMass
	}
	a, d := m.Pattern(), m.Dim
	var x element
	for k := range m.NumElems() {
		m.evaluate(&x, k, &e)
		for p, i := range x.nodes {
			for q, j := range x.nodes[:p+1] {
				w := e.Density * m.massEntry(&x, k, &e, kind, p, q)
				for c := range d {
					a.AddAt(d*i+c, d*j+c, w)
				}
			}
		}
	}
	return a, nil
}

// MassRatio returns a c > 0 of M ⪰ c diag(M), which holds of the mesh where it holds of each element. A diagonal M has
// c = 1, linear simplices c = ½, which Σ_ij x_i x_j (1 + δ_ij) shows; those of rings, ∫ r u², c = .39 < 5/4 − √(1/16 + 2/3):
// the least eigenvalue with the weight in one corner, whose rows are 6 2 2, 2 2 1, 2 1 2. Q1 with the weights w_i > 0 at
// Gauss' points has M ⪰ min w ΣN_iN_iᵀ and diag(M) ≤ max w diag(ΣN_iN_iᵀ), a product of ⅙(2 1, 1 2) along the axes: c =
// 2^-dim min w/max w.
func (m *Mesh) MassRatio(e Elastic, kind MassKind) float64 {
	switch {
	case kind == Lumped:
		return 1
	case m.Kind == P1 && e.Kinematics == Axisymmetric:
		return .39
	case m.Kind == P1:
		return .5
	}
	even := 1.0
	var x element
	for k := range m.NumElems() {
		m.evaluate(&x, k, &e)
		least, most := math.Inf(1), 0.0
		for i := range x.points {
			least, most = min(least, x.points[i].Weight), max(most, x.points[i].Weight)
		}
		even = min(even, least/most)
	}
	return math.Ldexp(even, -m.Dim)
}

// massEntry returns ∫ φ_p φ_q, or its share on the diagonal if lumped: by quadrature, of affine
// elements in closed form.
func (m *Mesh) massEntry(x *element, k int, e *Elastic, kind MassKind, p, q int) float64 {
	if kind == Lumped {
		if p != q {
			return 0
		}
		sum := 0.0
		for r := range x.nodes {
			sum += m.massEntry(x, k, e, Consistent, p, r)
		}
		return sum
	}
	if m.Kind != P1 {
		sum := 0.0
		for i := range x.points {
			sum += x.points[i].Weight * x.points[i].Shape[p] * x.points[i].Shape[q]
		}
		return sum
	}
	s := m.Element(k)
	if m.Dim == 2 && e.Kinematics == Axisymmetric {
		return m.ringMass(&s, p, q)
	}
	w := s.Volume / float64((m.Dim+1)*(m.Dim+2))
	if p == q {
		return 2 * w
	}
	return w
}

// ringMass is 2π ∫ r φ_p φ_q, by ∫ φ₁ᵃφ₂ᵇφ₃ᶜ = 2|T| a!b!c!/(a+b+c+2)!.
func (m *Mesh) ringMass(s *Simplex, p, q int) float64 {
	sum := 0.0
	for k, i := range s.Nodes[:3] {
		power := [3]int{}
		power[p]++
		power[q]++
		power[k]++
		f := 1.0 / 60
		for _, n := range power {
			f *= [...]float64{1, 1, 2, 6}[n]
		}
		sum += m.X[2*i] * f
	}
	return 2 * math.Pi * s.Volume * sum
}

// Modify removes the mass of the contact-normal components, (11):
//
//	m_*(v, w) = m(v_*, w_*),
//
// where the normal is the last component of each listed node (see [Frames]); it
// zeroes the rows and columns of the dofs. The body loses the mass of these
// components: in one dimension 2h/3·ρ consistent, h/2·ρ lumped.
func Modify(mass *sparse.Sym, dim int, nodes []int) {
	normal := make([]bool, mass.N)
	for _, i := range nodes {
		normal[dim*i+dim-1] = true
	}
	for c := range mass.N {
		for k := mass.Ptr[c]; k < mass.Ptr[c+1]; k++ {
			if normal[c] || normal[mass.Row[k]] {
				mass.Val[k] = 0
			}
		}
	}
}

// Redistribute gives the mass that [Modify] took from the normal components to
// the other nodes, so that the mass, the centre and the moments of inertia of
// that component are those of standard, as [KLR08] ask for. The density is
// changed by a factor 1 + p with a quadratic polynomial p,
//
//	m_ij = M_*ij (1 + ½(p_i + p_j)),   Σ_ij x_i^α m_ij x_j^β = Σ_ij x_i^α M_ij x_j^β
//
// for all monomials of degree |α|+|β| ≤ 2. Since the mass was lost at the
// contact, p is largest there and negative far from it. The normals of all nodes
// must be the same axis, the last component. It fails if p ≤ −1 somewhere: the
// contact region is too large a part of the mesh. Coordinates are taken from the middle of
// the box around the mesh and over its size, so that neither origin nor units matter.
func Redistribute(modified, standard *sparse.Sym, mesh *Mesh, nodes []int) error {
	d, basis := mesh.Dim, monomials(mesh.Dim)
	n, at := len(basis), mesh.centred()
	rhs, gram := make([]float64, n), make([]float64, n*n)
	scalarEntries(standard, d, func(i, j int, v float64) {
		for l, b := range basis {
			rhs[l] += v * b.product(at[d*i:d*i+d], at[d*j:d*j+d])
		}
	})
	scalarEntries(modified, d, func(i, j int, v float64) {
		x, y := at[d*i:d*i+d], at[d*j:d*j+d]
		for l, b := range basis {
			w := v * b.product(x, y)
			rhs[l] -= w
			for k, c := range basis {
				gram[l*n+k] += w * 0.5 * (c.product(x, x) + c.product(y, y))
			}
		}
	})
	if err := solveDense(gram, rhs); err != nil {
		return fmt.Errorf("fem: mass redistribution: %w: the nodes without contact lie in a plane or on a line", err)
	}
	return scaleMasses(modified, mesh, nodes, at, basis, rhs)
}

// centred returns the coordinates from the middle of the box around the mesh, over half
// its longest side.
func (m *Mesh) centred() []float64 {
	low, top := slices.Clone(m.Node(0)), slices.Clone(m.Node(0))
	for i, x := range m.X {
		low[i%m.Dim], top[i%m.Dim] = min(low[i%m.Dim], x), max(top[i%m.Dim], x)
	}
	size := 0.0
	for c := range low {
		size = max(size, 0.5*(top[c]-low[c]))
	}
	at := make([]float64, len(m.X))
	for i, x := range m.X {
		c := i % m.Dim
		at[i] = (x - (low[c] + 0.5*(top[c]-low[c]))) / size
	}
	return at
}

// scaleMasses multiplies the last components by 1 + ½(p_i + p_j).
func scaleMasses(modified *sparse.Sym, mesh *Mesh, nodes []int, at []float64, basis []monomial, y []float64) error {
	d := mesh.Dim
	p := make([]float64, mesh.NumNodes())
	contact := make([]bool, len(p))
	for _, i := range nodes {
		contact[i] = true
	}
	for i := range p {
		x := at[d*i : d*i+d]
		for k, b := range basis {
			p[i] += y[k] * b.product(x, x)
		}
		if !contact[i] && !(p[i] > -1) {
			return fmt.Errorf("fem: mass redistribution leaves node %d at %v with %g times its mass; use the plain modified mass or a finer mesh",
				i, mesh.Node(i), 1+p[i])
		}
	}
	for c := d - 1; c < modified.N; c += d {
		for k := modified.Ptr[c]; k < modified.Ptr[c+1]; k++ {
			if r := modified.Row[k]; r%d == d-1 {
				modified.Val[k] *= 1 + 0.5*(p[r/d]+p[c/d])
			}
		}
	}
	return nil
}

// monomial is a pair of axes (a, b), -1 for the constant: x_a y_b.
type monomial [2]int

func monomials(dim int) []monomial {
	list := []monomial{{-1, -1}}
	for a := range dim {
		list = append(list, monomial{a, -1})
		for b := range a + 1 {
			list = append(list, monomial{a, b})
		}
	}
	return list
}

// product is x^α y^β, symmetrised.
func (b monomial) product(x, y []float64) float64 {
	at := func(x []float64, a int) float64 {
		if a < 0 {
			return 1
		}
		return x[a]
	}
	return 0.5 * (at(x, b[0])*at(y, b[1]) + at(x, b[1])*at(y, b[0]))
}

// scalarEntries visits the entries of the last component, both triangles.
func scalarEntries(a *sparse.Sym, d int, visit func(i, j int, v float64)) {
	for c := d - 1; c < a.N; c += d {
		for k := a.Ptr[c]; k < a.Ptr[c+1]; k++ {
			r := a.Row[k]
			if r%d != d-1 {
				continue
			}
			visit(r/d, c/d, a.Val[k])
			if r != c {
				visit(c/d, r/d, a.Val[k])
			}
		}
	}
}
