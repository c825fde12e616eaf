package incremental

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

const (
	closingRounds = 100   // of Newton's method for a place outside of all obstacles
	loose         = 1e-12 // of the directions in which no obstacle pushes
)

// closing makes the LossError of a particle to which obstacles that move or are curved leave no
// place at the time t, nil if there is none. From where the particle is it goes down ½ Σ h⁻² by
// Newton's method, to a place where that is convex; where that ends with something left,
//
//	Σ λ_c n_c = 0,  λ_c = h_c⁻ > 0,
//
// so that of flat obstacles, whose heights are affine, every place has a height of at most −Σ λ_c
// h_c⁻ / Σ λ_c over one of them: a proof; of curved ones it holds near to there.
func (s *Stepper) closing(t float64, cause error) *LossError {
	for i := range s.min.corners {
		k := &s.min.corners[i]
		if !k.bent {
			continue
		}
		if contacts, depth := s.noRoom(t, k); depth > 0 {
			return &LossError{Time: t, Particle: k.particle, Closing: contacts, Depth: depth, cause: cause}
		}
	}
	return nil
}

// Closing returns what [Stepper.Step] does of a particle to which closing obstacles leave no place
// at the time t, nil where there is some; it makes no step.
func (s *Stepper) Closing(t float64) *LossError { return s.closing(t, nil) }

// noRoom returns the contacts that leave no place to a particle, and how deep any place is in one
// of them [m]; 0: there is room.
func (s *Stepper) noRoom(t float64, k *corner) (contacts []int, depth float64) {
	j := k.particle
	z, next := slices.Clone(s.z), slices.Clone(s.z)
	at := s.intrusions(t, k, z)
	for range closingRounds {
		if at.sum <= at.touching {
			return nil, depth
		}
		if vec3.Norm(at.way) <= max(1e-9*at.sum, 1e-2*at.touching) { // the latter is rounding
			return at.contacts, at.squares / at.sum
		}
		var step mat.VecDense
		var factor mat.Cholesky
		if !factor.Factorize(mat.NewSymDense(3, at.hessian[:])) || factor.SolveVecTo(&step, mat.NewVecDense(3, at.way[:])) != nil {
			return nil, depth
		}
		before := at.squares
		for length := 1.0; ; length *= 0.5 {
			for i := range 3 {
				next[3*j+i] = z[3*j+i] + length*step.AtVec(i)
			}
			if at = s.intrusions(t, k, next); at.squares <= before || length < 1e-3 {
				break
			}
		}
		copy(z, next)
	}
	return nil, depth
}

// intrusions is how deep a particle is in its obstacles.
type intrusions struct {
	contacts               []int
	sum, squares, touching float64
	way                    [3]float64 // Σ h⁻ n, down the squares
	hessian                [9]float64 // Σ nnᵀ + h ∂n/∂z
}

// intrusions evaluates the heights of a particle.
func (s *Stepper) intrusions(t float64, k *corner, z []float64) (x intrusions) {
	sys := s.psi.System
	for _, c := range k.contacts {
		slot := s.min.slot[c]
		h := sys.Height(t, slot, z)
		x.touching = max(x.touching, sys.Touching(slot, z))
		if !(h < 0) {
			continue
		}
		n, _, _ := sys.ContactAxes(t, slot, z)
		bend := sys.Curvature(t, slot, z, [3]float64{h, 0, 0})
		for i := range n {
			x.way[i] -= h * n[i]
			for l := range n {
				x.hessian[3*i+l] += n[i]*n[l] + bend[i][l]
			}
		}
		x.contacts, x.sum, x.squares = append(x.contacts, slot), x.sum-h, x.squares+h*h
	}
	for i := range 3 {
		x.hessian[4*i] += loose
	}
	return x
}

// inside reports whether a particle with several obstacles is in one of them at the time t and the
// state z, which a solver may leave it where they leave no place.
func (s *Stepper) inside(t float64, z []float64) bool {
	if len(s.psi.System.Bent()) == 0 {
		return false
	}
	for i := range s.min.corners {
		k := &s.min.corners[i]
		if !k.bent {
			continue
		}
		for _, c := range k.contacts {
			if slot := s.min.slot[c]; s.psi.System.Height(t, slot, z) < -s.psi.System.Touching(slot, z) {
				return true
			}
		}
	}
	return false
}
