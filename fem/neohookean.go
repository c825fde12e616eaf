package fem

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/sparse"
)

// NeoHookean is the compressible neo-Hookean body of [BonetWood08] (6.27),
//
//	W(F) = μ/2 (tr FᵀF − d) − μ ln J + λ/2 (ln J)²,   F = I + ∇u,   J = det F,
//
// in plane strain or in space, with the λ and μ of [Elastic]; for small strains
// it is linear elasticity. The geometry of the elements is kept.
type NeoHookean struct {
	dim        int
	nodes      int
	lambda, mu float64
	elems      []Simplex
}

// NewNeoHookean fails for parameters out of range and for other kinematics.
func NewNeoHookean(m *Mesh, e Elastic) (*NeoHookean, error) {
	if err := e.Validate(m.Dim); err != nil {
		return nil, err
	}
	if m.Dim == 1 || e.Kinematics != PlaneStrain {
		return nil, fmt.Errorf("fem: a neo-Hookean body needs plane strain or a mesh of dimension 3, this is %s in dimension %d", e.Kinematics, m.Dim)
	}
	h := &NeoHookean{dim: m.Dim, nodes: m.NumNodes(), elems: make([]Simplex, m.NumElems())}
	h.lambda, h.mu = e.Lame(m.Dim)
	for k := range h.elems {
		h.elems[k] = m.Element(k)
	}
	return h, nil
}

// deformation returns J and F⁻ᵀ of an element.
func (h *NeoHookean) deformation(s *Simplex, u []float64) (f, invT [3][3]float64, j float64) {
	f = displacementGradient(h.dim, s, u)
	for c := range h.dim {
		f[c][c]++
	}
	j, inv := invert(h.dim, &f)
	for r := range h.dim {
		for c := range h.dim {
			invT[r][c] = inv[c][r]
		}
	}
	return f, invT, j
}

// Energy returns ∫ W(I + ∇u), +Inf if an element is inverted.
func (h *NeoHookean) Energy(u []float64) float64 {
	sum := 0.0
	for k := range h.elems {
		s := &h.elems[k]
		f, _, j := h.deformation(s, u)
		if !(j > 0) {
			return math.Inf(1)
		}
		trace := -float64(h.dim)
		for r := range h.dim {
			trace += dot3(f[r], f[r])
		}
		log := math.Log(j)
		sum += s.Volume * (0.5*h.mu*trace - h.mu*log + 0.5*h.lambda*log*log)
	}
	return sum
}

// Gradient adds DE(u) to grad: P g_a at node a of each element, with
// P = μ(F − F⁻ᵀ) + λ ln J F⁻ᵀ.
func (h *NeoHookean) Gradient(grad, u []float64) {
	for k := range h.elems {
		s := &h.elems[k]
		p := h.stress(s, u)
		for a := range h.dim + 1 {
			for r := range h.dim {
				grad[h.dim*s.Nodes[a]+r] += s.Volume * dot3(p[r], s.Grad[a])
			}
		}
	}
}

// stress is the first Piola-Kirchhoff stress P.
func (h *NeoHookean) stress(s *Simplex, u []float64) (p [3][3]float64) {
	f, invT, j := h.deformation(s, u)
	factor := h.lambda*math.Log(j) - h.mu
	for r := range h.dim {
		for c := range h.dim {
			p[r][c] = h.mu*f[r][c] + factor*invT[r][c]
		}
	}
	return p
}

// EachBlock visits the blocks of D²E(u) of the nodes i, j of all elements, once
// for an unordered pair: with h_a = F⁻ᵀg_a,
//
//	D²E_ab = |T| (μ (g_a·g_b) I + (μ − λ ln J) h_b h_aᵀ + λ h_a h_bᵀ).
func (h *NeoHookean) EachBlock(u []float64, visit func(i, j int, b *[3][3]float64)) {
	for k := range h.elems {
		s := &h.elems[k]
		_, invT, j := h.deformation(s, u)
		factor := h.mu - h.lambda*math.Log(j)
		var hg [4][3]float64
		for a := range h.dim + 1 {
			for r := range h.dim {
				hg[a][r] = dot3(invT[r], s.Grad[a])
			}
		}
		for p := range h.dim + 1 {
			for q := range p + 1 {
				var b [3][3]float64
				dot := dot3(s.Grad[p], s.Grad[q])
				for r := range h.dim {
					for c := range h.dim {
						b[r][c] = s.Volume * (factor*hg[q][r]*hg[p][c] + h.lambda*hg[p][r]*hg[q][c])
					}
					b[r][r] += s.Volume * h.mu * dot
				}
				visit(s.Nodes[p], s.Nodes[q], &b)
			}
		}
	}
}

// Hessian adds D²E(u) to a matrix with the pattern of the mesh.
func (h *NeoHookean) Hessian(a *sparse.Sym, u []float64) {
	h.EachBlock(u, func(i, j int, b *[3][3]float64) { addBlock(a, h.dim, i, j, 1, b) })
}

// Stresses returns the Cauchy stress σ = P Fᵀ/J of each element, with σ_zz of
// plane strain.
func (h *NeoHookean) Stresses(u []float64) []Tensor {
	all := make([]Tensor, len(h.elems))
	for k := range all {
		s := &h.elems[k]
		f, _, j := h.deformation(s, u)
		p := h.stress(s, u)
		at := func(r, c int) float64 { return dot3(p[r], f[c]) / j }
		all[k] = Tensor{at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(1, 2), at(2, 0)}
		if h.dim == 2 {
			all[k][2] = h.lambda * math.Log(j) / j
		}
	}
	return all
}
