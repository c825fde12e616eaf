package particles

import (
	"fmt"
	"math"
)

// symmetry is the largest asymmetry |K − Kᵀ| of a given matrix relative to its
// largest entry. A product like R K Rᵀ computed in double precision has a few
// 1e-16, a matrix printed with twelve digits half of it; what is below is averaged.
const symmetry = 1e-11

// Stiffness is a symmetric 3×3 matrix in global coordinates, rows first [N/m].
type Stiffness [9]float64

// Isotropic returns k·I.
func Isotropic(k float64) Stiffness { return Diagonal(k, k, k) }

// Diagonal returns the stiffness with principal values along the global axes.
func Diagonal(kx, ky, kz float64) Stiffness { return Stiffness{kx, 0, 0, 0, ky, 0, 0, 0, kz} }

type shape uint8

const (
	full shape = iota
	diagonal
	isotropic
)

// matrix is a checked Stiffness that knows its shape, so that nets of springs
// along the axes do not fill in.
type matrix struct {
	k     Stiffness
	shape shape
}

// newMatrix checks that k is finite, symmetric and positive semidefinite.
func newMatrix(k Stiffness) (matrix, error) {
	var largest float64
	for _, v := range k {
		if !finite(v) {
			return matrix{}, fmt.Errorf("stiffness %v is not finite", k)
		}
		largest = max(largest, math.Abs(v))
	}
	for r := range 3 {
		for c := range r {
			a, b := k[3*r+c], k[3*c+r]
			if math.Abs(a-b) > symmetry*largest {
				return matrix{}, fmt.Errorf("stiffness %v is not symmetric: entries (%d, %d) and (%d, %d) differ", k, r, c, c, r)
			}
			mean := a/2 + b/2 // a + b may overflow
			k[3*r+c], k[3*c+r] = mean, mean
		}
	}
	m := matrix{k, shapeOf(&k)}
	if m.shape != full && min(k[0], k[4], k[8]) < 0 {
		return matrix{}, fmt.Errorf("stiffness %v is negative", [3]float64{k[0], k[4], k[8]})
	}
	if m.shape == full && indefinite(k, largest) {
		return matrix{}, fmt.Errorf("stiffness %v is indefinite: there are displacements that release energy; want eigenvalues >= 0", k)
	}
	return m, nil
}

// indefinite reports whether k has a negative eigenvalue, by Gaussian elimination
// of k/largest + symmetry·I.
func indefinite(k Stiffness, largest float64) bool {
	for i := range k {
		k[i] /= largest
		if i%4 == 0 {
			k[i] += symmetry
		}
	}
	for c := range 3 {
		pivot := k[4*c]
		if pivot <= 0 {
			return true
		}
		for r := c + 1; r < 3; r++ {
			l := k[3*r+c] / pivot
			for j := c; j < 3; j++ {
				k[3*r+j] -= l * k[3*c+j]
			}
		}
	}
	return false
}

func shapeOf(k *Stiffness) shape {
	switch {
	case k[1] != 0 || k[2] != 0 || k[5] != 0:
		return full
	case k[0] != k[4] || k[0] != k[8]:
		return diagonal
	}
	return isotropic
}

// times returns K d.
func (m *matrix) times(d vec) vec {
	k := &m.k
	if m.shape != full {
		return vec{k[0] * d.x, k[4] * d.y, k[8] * d.z}
	}
	return vec{
		k[0]*d.x + k[1]*d.y + k[2]*d.z,
		k[3]*d.x + k[4]*d.y + k[5]*d.z,
		k[6]*d.x + k[7]*d.y + k[8]*d.z,
	}
}

// bound returns |K|b, a bound of K d for |d| <= b by components.
func (m *matrix) bound(b vec) vec {
	abs := *m
	for i, v := range abs.k {
		abs.k[i] = math.Abs(v)
	}
	return abs.times(b)
}

// declare declares the entries of K in the block (i, j).
func (m *matrix) declare(p *Pattern, i, j int) {
	switch m.shape {
	case isotropic:
		p.AddIsotropic(i, j)
	case diagonal:
		for c := range 3 {
			p.Add(3*i+c, 3*j+c)
		}
	default:
		p.AddBlock(i, j)
	}
}

// add adds sign·K to the block (i, j).
func (m *matrix) add(h *Hessian, i, j int, sign float64) {
	switch m.shape {
	case isotropic:
		h.AddIsotropic(i, j, sign*m.k[0])
	case diagonal:
		for c := range 3 {
			h.Add(3*i+c, 3*j+c, sign*m.k[4*c])
		}
	default:
		b := [9]float64(m.k)
		for k := range b {
			b[k] *= sign
		}
		h.AddBlock(i, j, &b)
	}
}

// stiffnesses holds the distinct matrices of an energy; items refer to them by number.
type stiffnesses struct {
	list  []matrix
	known map[Stiffness]int32
}

func (s *stiffnesses) add(k Stiffness) (int32, error) {
	m, err := newMatrix(k)
	if err != nil {
		return 0, err
	}
	if s.known == nil {
		s.known = make(map[Stiffness]int32)
	}
	i, ok := s.known[m.k]
	if !ok {
		i = int32(len(s.list))
		s.known[m.k] = i
		s.list = append(s.list, m)
	}
	return i, nil
}

// checkParticle is the range check of the energies' Validate.
func checkParticle(kind string, item, particle, n int) error {
	if particle < 0 || particle >= n {
		return fmt.Errorf("%s %d: particle %d is not one of the %d particles", kind, item, particle, n)
	}
	return nil
}
