package particles

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/forest"
	"github.com/quasistatic/quasistatic/sparse"
)

// Islands returns, for each particle, the number of the connected part of D²E's
// pattern that it belongs to, in the order of their first particles, and how many
// there are. Islands exchange no force: each one is a system of its own.
func (s *System) Islands() (of []int, count int) {
	parts := forest.New(s.N())
	a := s.Pattern()
	for c := range a.N {
		for _, r := range a.Row[a.Ptr[c]:a.Ptr[c+1]] {
			parts.Join(r/3, c/3)
		}
	}
	return parts.Number()
}

// Coupled divides the particles as [System.Islands] does, but leaves out couplings that are
// weak: the block K_jk of a = D²E joins j and k if ‖K_jk‖_F is
// at least share of the larger one of ‖K_jj‖_F and ‖K_kk‖_F. In a part, then, the stiffness of
// neighbours differs by no more than about 1/share. The nodes of a [Mesh] are parts of one thing,
// however weakly flat elements couple some of them.
func (s *System) Coupled(a *sparse.Sym, share float64) (of []int, count int) {
	n := s.N()
	own, with := make([]float64, n), make([]float64, n)
	var met []int
	blocks := func(j int, see func(k int, norm float64)) {
		met = met[:0]
		for c := 3 * j; c < 3*j+3; c++ {
			for p := a.Ptr[c]; p < a.Ptr[c+1]; p++ {
				r, v := a.Row[p], a.Val[p]
				if v == 0 {
					continue
				}
				if with[r/3] == 0 {
					met = append(met, r/3)
				}
				v *= v
				if r/3 == j && r != c { // one triangle is stored
					v *= 2
				}
				with[r/3] += v
			}
		}
		for _, k := range met {
			see(k, math.Sqrt(with[k]))
			with[k] = 0
		}
	}
	for j := range n {
		blocks(j, func(k int, norm float64) {
			if k == j {
				own[j] = norm
			}
		})
	}
	mesh := s.meshes()
	parts := forest.New(n)
	for j := range n {
		blocks(j, func(k int, norm float64) {
			if norm >= share*max(own[j], own[k]) || mesh[j] > 0 && mesh[j] == mesh[k] {
				parts.Join(j, k)
			}
		})
	}
	return parts.Number()
}

// Mesh is implemented by an Energy of one body, whose nodes are consecutive particles.
type Mesh interface {
	First() int
	Particles() int
}

// meshes numbers the bodies that the particles are nodes of from 1; 0: of none.
func (s *System) meshes() []int {
	of := make([]int, s.N())
	for i, e := range s.energies {
		if b, ok := e.(Mesh); ok {
			for k := range b.Particles() {
				of[b.First()+k] = i + 1
			}
		}
	}
	return of
}
