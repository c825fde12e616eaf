package fem

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/sparse"
)

// Kinematics tells what a two-dimensional mesh is a section of.
type Kinematics int

const (
	PlaneStrain Kinematics = iota
	PlaneStress
	Axisymmetric // around the axis x = 0
)

var kinematicsNames = [...]string{"plane strain", "plane stress", "axisymmetric"}

func (k Kinematics) String() string {
	if k < 0 || int(k) >= len(kinematicsNames) {
		return fmt.Sprintf("Kinematics(%d)", int(k))
	}
	return kinematicsNames[k]
}

// ParseKinematics is the inverse of String.
func ParseKinematics(name string) (Kinematics, error) {
	for i, n := range kinematicsNames {
		if n == name {
			return Kinematics(i), nil
		}
	}
	return 0, fmt.Errorf("fem: unknown kinematics %q, want one of %q", name, kinematicsNames)
}

// Elastic is an isotropic, linearly elastic material.
type Elastic struct {
	Young      float64 // E > 0 [Pa]
	Poisson    float64 // -1 < ν < ½ [-]
	Density    float64 // ρ ≥ 0 [kg/m³]
	Kinematics Kinematics
}

// ParameterError is a parameter of a material that is out of range.
type ParameterError struct {
	Parameter string // young, poisson, density or kinematics
	text      string
}

func (e *ParameterError) Error() string { return "fem: " + e.text }

// Validate names the first parameter out of range for a mesh of dimension dim, in
// a [*ParameterError].
func (e Elastic) Validate(dim int) error {
	invalid := func(parameter, format string, args ...any) error {
		return &ParameterError{parameter, fmt.Sprintf(format, args...)}
	}
	switch {
	case !(e.Young > 0) || math.IsInf(e.Young, 1):
		return invalid("young", "Young's modulus is %g, want a finite number > 0", e.Young)
	case !(e.Poisson > -1 && e.Poisson < 0.5):
		return invalid("poisson", "Poisson's ratio is %g, want -1 < ν < 1/2 (P1 elements lock and the material becomes incompressible at 1/2)", e.Poisson)
	case !(e.Density >= 0) || math.IsInf(e.Density, 1):
		return invalid("density", "density is %g, want a finite number >= 0", e.Density)
	case e.Kinematics < 0 || int(e.Kinematics) >= len(kinematicsNames):
		return invalid("kinematics", "kinematics is %d", int(e.Kinematics))
	case dim != 2 && e.Kinematics != PlaneStrain:
		return invalid("kinematics", "%s needs a mesh of dimension 2, this one has %d", e.Kinematics, dim)
	}
	return nil
}

// Lame returns λ and μ such that σ = λ tr(ε) I + 2μ ε for the strains that the
// mesh knows: with λ reduced to 2λμ/(λ+2μ) in plane stress, and (E, 0) in one
// dimension.
func (e Elastic) Lame(dim int) (lambda, mu float64) {
	if dim == 1 {
		return e.Young, 0
	}
	mu = e.Young / (2 * (1 + e.Poisson))
	lambda = 2 * mu * e.Poisson / (1 - 2*e.Poisson)
	if dim == 2 && e.Kinematics == PlaneStress {
		lambda = 2 * lambda * mu / (lambda + 2*mu)
	}
	return lambda, mu
}

// WaveSpeed returns the fastest speed c_p = √((λ+2μ)/ρ) [m/s] of the material in
// the mesh's dimension; +Inf without density.
func (e Elastic) WaveSpeed(dim int) float64 {
	lambda, mu := e.Lame(dim)
	return math.Sqrt((lambda + 2*mu) / e.Density)
}

// Pattern returns the matrix of full nodal blocks of the mesh, with zero values.
func (m *Mesh) Pattern() *sparse.Sym {
	b := sparse.NewBuilder(m.NumNodes())
	n, d := m.Dim+1, m.Dim
	for k := range m.NumElems() {
		nodes := m.Elem[n*k : n*k+n]
		for a, i := range nodes {
			for _, j := range nodes[:a] {
				b.Add(i, j)
			}
		}
	}
	return blocks(b.Build(), d)
}

// blocks replaces each entry of a pattern by a full block of d×d, those on the
// diagonal by their lower triangles.
func blocks(nodes *sparse.Sym, d int) *sparse.Sym {
	size := d*d*len(nodes.Row) - nodes.N*d*(d-1)/2
	a := &sparse.Sym{N: d * nodes.N, Ptr: make([]int, 1, d*nodes.N+1), Row: make([]int, 0, size), Val: make([]float64, size)}
	for j := range nodes.N {
		for c := range d {
			for _, i := range nodes.Row[nodes.Ptr[j]:nodes.Ptr[j+1]] {
				for r := range d {
					if i != j || r >= c {
						a.Row = append(a.Row, d*i+r)
					}
				}
			}
			a.Ptr = append(a.Ptr, len(a.Row))
		}
	}
	return a
}

// ring returns what turns a section of an axisymmetric body into the body: the
// volume factor 2πr at the centroid and the hoop strain N_a/r of each node.
func (m *Mesh) ring(s *Simplex, e *Elastic) (factor, hoop float64) {
	if m.Dim != 2 || e.Kinematics != Axisymmetric {
		return 1, 0
	}
	r := 0.0
	for _, i := range s.Nodes[:3] {
		r += m.X[2*i] / 3
	}
	return 2 * math.Pi * r, 1 / (3 * r)
}

// checkRadius refuses axisymmetric meshes that cross their axis.
func (m *Mesh) checkRadius(e Elastic) error {
	if e.Kinematics != Axisymmetric {
		return nil
	}
	for i := range m.NumNodes() {
		if m.X[2*i] < 0 {
			return fmt.Errorf("fem: axisymmetric: node %d has the radius x = %g", i, m.X[2*i])
		}
	}
	return nil
}

// Stiffness assembles A. The block of the nodes a, b of an element is
//
//	A_ab = |T| (λ h_a h_bᵀ + μ g_b g_aᵀ + μ (g_a·g_b) I [+ 2μ N_aN_b/r² e_r e_rᵀ]),
//
// with h = g, to which an axisymmetric element adds the hoop strain.
func Stiffness(m *Mesh, e Elastic) (*sparse.Sym, error) {
	if err := e.validateOn(m); err != nil {
		return nil, err
	}
	if err := m.checkRadius(e); err != nil {
		return nil, err
	}
	a, d := m.Pattern(), m.Dim
	lambda, mu := e.Lame(d)
	for k := range m.NumElems() {
		s := m.Element(k)
		factor, hoop := m.ring(&s, &e)
		v := s.Volume * factor
		for p := range d + 1 {
			for q := range p + 1 {
				b := elasticBlock(d, lambda, mu, hoop, &s.Grad[p], &s.Grad[q])
				addBlock(a, d, s.Nodes[p], s.Nodes[q], v, &b)
			}
		}
	}
	return a, nil
}

// elasticBlock returns A_ab per volume, rows of a, columns of b.
func elasticBlock(d int, lambda, mu, hoop float64, ga, gb *[3]float64) (b [3][3]float64) {
	ha, hb := *ga, *gb
	ha[0] += hoop
	hb[0] += hoop
	dot := ga[0]*gb[0] + ga[1]*gb[1] + ga[2]*gb[2]
	for r := range d {
		for c := range d {
			b[r][c] = lambda*ha[r]*hb[c] + mu*ga[c]*gb[r]
		}
		b[r][r] += mu * dot
	}
	b[0][0] += 2 * mu * hoop * hoop
	return b
}

// addBlock adds v·b to the block of the nodes i and j, and its transpose to
// that of j and i; a diagonal block is symmetric.
func addBlock(a *sparse.Sym, d, i, j int, v float64, b *[3][3]float64) {
	for r := range d {
		for c := range d {
			if i != j || r >= c {
				a.AddAt(d*i+r, d*j+c, v*b[r][c])
			}
		}
	}
}

var errNoMesh = errors.New("fem: a mesh is required")

// validateOn is Validate for a mesh.
func (e Elastic) validateOn(m *Mesh) error {
	if m == nil {
		return errNoMesh
	}
	return e.Validate(m.Dim)
}
