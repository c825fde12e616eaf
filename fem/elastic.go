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

// Elastic is a linearly elastic material: isotropic, or that of Orthotropic.
type Elastic struct {
	Young      float64 // E > 0 [Pa]
	Poisson    float64 // -1 < ν < ½ [-]
	Density    float64 // ρ ≥ 0 [kg/m³]
	Kinematics Kinematics
	// Orthotropic takes the place of Young and Poisson, which are 0 then; nil: the material is isotropic.
	Orthotropic *Orthotropic
}

// ParameterError is a parameter of a material or a [Box] that is out of range.
type ParameterError struct {
	Parameter string // young, poisson, orthotropic, density or kinematics; size
	text      string
}

func (e *ParameterError) Error() string { return "fem: " + e.text }

// Validate names the first parameter out of range for a mesh of dimension dim, in
// a [*ParameterError].
func (e Elastic) Validate(dim int) error {
	invalid := func(parameter, format string, args ...any) error {
		return &ParameterError{parameter, fmt.Sprintf(format, args...)}
	}
	isotropic := e.Orthotropic == nil
	switch {
	case !isotropic && (e.Young != 0 || e.Poisson != 0):
		return invalid("orthotropic", "an orthotropic material has moduli of its own, want no other ones (%g Pa, %g)", e.Young, e.Poisson)
	case isotropic && (!(e.Young > 0) || math.IsInf(e.Young, 1)):
		return invalid("young", "Young's modulus is %g, want a finite number > 0", e.Young)
	case !(e.Poisson > -1 && e.Poisson < 0.5):
		return invalid("poisson", "Poisson's ratio is %g, want -1 < ν < 1/2 (the material becomes incompressible at 1/2)", e.Poisson)
	case !(e.Density >= 0) || math.IsInf(e.Density, 1):
		return invalid("density", "density is %g, want a finite number >= 0", e.Density)
	case e.Kinematics < 0 || int(e.Kinematics) >= len(kinematicsNames):
		return invalid("kinematics", "kinematics is %d", int(e.Kinematics))
	case dim != 2 && e.Kinematics != PlaneStrain:
		return invalid("kinematics", "%s needs a mesh of dimension 2, this one has %d", e.Kinematics, dim)
	case isotropic:
		return nil
	}
	return e.Orthotropic.validate(dim, e.Kinematics)
}

// Lame returns λ and μ of an isotropic material such that σ = λ tr(ε) I + 2μ ε for the strains that the
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
	for k := range m.NumElems() {
		nodes := m.NodesOf(k)
		for a, i := range nodes {
			for _, j := range nodes[:a] {
				b.Add(i, j)
			}
		}
	}
	return blocks(b.Build(), m.Dim)
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

// Stiffness assembles A. The block of the nodes a, b of an element is the sum over its points of
//
//	A_ab = w (λ h_a h_bᵀ + μ g_b g_aᵀ + μ (g_a·g_b) I [+ 2μ N_aN_b/r² e_r e_rᵀ]),
//
// with h = g, to which an axisymmetric element adds the hoop strain; see Q1 for means of h; or w B_aᵀ C B_b, if the material
// is orthotropic. A node
// amid a straight edge follows the mean of the ends by springs that bear nothing at equilibrium.
func Stiffness(m *Mesh, e Elastic) (*sparse.Sym, error) {
	if err := e.validateOn(m); err != nil {
		return nil, err
	}
	if err := m.checkRadius(e); err != nil {
		return nil, err
	}
	a, d := m.Pattern(), m.Dim
	lambda, mu := e.Lame(d)
	var moduli [6][6]float64
	if e.Orthotropic != nil {
		moduli = e.Orthotropic.moduli()
	}
	var x element
	blocks := new([mostNodes][mostNodes][3][3]float64)
	for k := range m.NumElems() {
		m.evaluate(&x, k, &e)
		if e.Orthotropic != nil {
			x.moduliStiffness(blocks, d, &moduli)
		} else {
			x.stiffness(blocks, d, lambda, mu)
		}
		for p := range x.nodes {
			for q := range p + 1 {
				addBlock(a, d, x.nodes[p], x.nodes[q], 1, &blocks[p][q])
			}
		}
	}
	m.addFollowers(a)
	return a, nil
}

// stiffness stores the blocks of an element, of which the first node is not before the second.
func (x *element) stiffness(dst *[mostNodes][mostNodes][3][3]float64, d int, lambda, mu float64) {
	bulk := lambda + 2./3*mu
	if x.averaged {
		lambda = -2. / 3 * mu // of the deviator
	}
	for p := range x.nodes {
		for q := range p + 1 {
			sum := &dst[p][q]
			*sum = [3][3]float64{}
			for i := range x.points {
				at := &x.points[i]
				b := elasticBlock(d, lambda, mu, at, p, q)
				for r := range d {
					for c := range d {
						sum[r][c] += at.Weight * b[r][c]
					}
				}
			}
			if x.averaged {
				for r := range d {
					for c := range d {
						sum[r][c] += bulk * x.volume * x.mean[p][r] * x.mean[q][c]
					}
				}
			}
		}
	}
}

// addFollowers adds k (d_m − ½d_i − ½d_j)²/2 for the node m amid each straight edge ij, with the
// mean k of the diagonal.
func (m *Mesh) addFollowers(a *sparse.Sym) {
	k, d := 0.0, m.Dim
	for c := range a.N {
		k += a.Val[a.Ptr[c]] / float64(a.N)
	}
	m.eachStraight(func(middle int, ends [2]int) {
		nodes, weights := [3]int{middle, ends[0], ends[1]}, [3]float64{1, -0.5, -0.5}
		for p, i := range nodes {
			for q, j := range nodes[:p+1] {
				for c := range d {
					a.AddAt(d*i+c, d*j+c, k*weights[p]*weights[q])
				}
			}
		}
	})
}

// elasticBlock returns A_pq per volume, rows of p, columns of q.
func elasticBlock(d int, lambda, mu float64, at *Point, p, q int) (b [3][3]float64) {
	ga, gb := &at.Grad[p], &at.Grad[q]
	ha, hb := at.dilatation(p), at.dilatation(q)
	dot := ga[0]*gb[0] + ga[1]*gb[1] + ga[2]*gb[2]
	for r := range d {
		for c := range d {
			b[r][c] = lambda*ha[r]*hb[c] + mu*ga[c]*gb[r]
		}
		b[r][r] += mu * dot
	}
	b[0][0] += 2 * mu * at.Hoop[p] * at.Hoop[q]
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
