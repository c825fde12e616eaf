package fem

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/sparse"
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
	if err := e.validateOn(m); err != nil {
		return nil, err
	}
	if e.Orthotropic != nil {
		return nil, errOrthotropic
	}
	if m.Dim == 1 || e.Kinematics != PlaneStrain {
		return nil, fmt.Errorf("fem: a neo-Hookean body needs plane strain or a mesh of dimension 3, this is %s in dimension %d",
			e.Kinematics, m.Dim)
	}
	if m.Kind != P1 {
		return nil, fmt.Errorf("fem: a neo-Hookean body needs linear simplices (P1), these are %s", m.Kind.Name(m.Dim))
	}
	h := &NeoHookean{dim: m.Dim, nodes: m.NumNodes(), elems: make([]Simplex, m.NumElems())}
	h.lambda, h.mu = e.Lame(m.Dim)
	for k := range h.elems {
		h.elems[k] = m.Element(k)
	}
	return h, nil
}

// strain is the deformation of one element: G = ∇u, F⁻ᵀ, and J − 1. Energy and
// stress are formed from G, not from F, so that small strains keep all digits.
type strain struct {
	g, invT [3][3]float64
	j1      float64 // J − 1
	second  float64 // ½((tr G)² − tr G²): J − 1 = tr G + second + det G
	trace   float64 // tr G
}

func (h *NeoHookean) strain(s *Simplex, u []float64) (e strain) {
	e.g = displacementGradient(h.dim, s, u)
	f, squares := e.g, 0.0
	for r := range h.dim {
		f[r][r]++
		e.trace += e.g[r][r]
		for c := range h.dim {
			squares += e.g[r][c] * e.g[c][r]
		}
	}
	_, inv := invert(h.dim, &f)
	for r := range h.dim {
		for c := range h.dim {
			e.invT[r][c] = inv[c][r]
		}
	}
	e.second = 0.5 * (e.trace*e.trace - squares)
	if h.dim == 3 {
		e.second += vec3.Dot(e.g[0], vec3.Cross(e.g[1], e.g[2])) // det G
	}
	e.j1 = e.trace + e.second
	return e
}

// Energy returns ∫ W(I + ∇u), +Inf if an element is inverted:
//
//	W = μ/2 G:G + μ(J − 1 − ln J) − μ·second + λ/2 (ln J)².
func (h *NeoHookean) Energy(u []float64) float64 {
	sum := 0.0
	for k := range h.elems {
		s := &h.elems[k]
		e := h.strain(s, u)
		if !(e.j1 > -1) {
			return math.Inf(1)
		}
		squares := 0.0
		for r := range h.dim {
			squares += vec3.Dot(e.g[r], e.g[r])
		}
		log := math.Log1p(e.j1)
		sum += s.Volume * (0.5*h.mu*squares + h.mu*(excess(e.j1)-e.second) + 0.5*h.lambda*log*log)
	}
	return sum
}

// Inverted returns the first element whose volume is not positive under u, and
// J = det F there; -1 if there is none.
func (h *NeoHookean) Inverted(u []float64) (element int, j float64) {
	for k := range h.elems {
		if e := h.strain(&h.elems[k], u); !(e.j1 > -1) {
			return k, 1 + e.j1
		}
	}
	return -1, 1
}

// excess returns x − ln(1+x) without cancellation: with y = x/(2+x),
// ln(1+x) = 2(y + y³/3 + y⁵/5 + …) and x − 2y = xy.
func excess(x float64) float64 {
	if math.Abs(x) > 0.1 {
		return x - math.Log1p(x)
	}
	y := x / (2 + x)
	y2 := y * y // at most 0.0028: eight terms suffice
	series := 0.0
	for n := 17; n >= 3; n -= 2 {
		series = y2*series + 1/float64(n)
	}
	return x*y - 2*y*y2*series
}

// Gradient adds DE(u) to grad: P g_a at node a of each element.
func (h *NeoHookean) Gradient(grad, u []float64) {
	for k := range h.elems {
		s := &h.elems[k]
		e := h.strain(s, u)
		p := h.stress(&e)
		for a := range h.dim + 1 {
			for r := range h.dim {
				grad[h.dim*s.Nodes[a]+r] += s.Volume * vec3.Dot(p[r], s.Grad[a])
			}
		}
	}
}

// stress is the first Piola-Kirchhoff stress
// P = μ(F − F⁻ᵀ) + λ ln J F⁻ᵀ = μ(G + F⁻ᵀGᵀ) + λ ln J F⁻ᵀ.
func (h *NeoHookean) stress(e *strain) (p [3][3]float64) {
	log := h.lambda * math.Log1p(e.j1)
	for r := range h.dim {
		for c := range h.dim {
			p[r][c] = h.mu*(e.g[r][c]+vec3.Dot(e.invT[r], e.g[c])) + log*e.invT[r][c]
		}
	}
	return p
}

// EachBlock visits the blocks of D²E(u) of the nodes i, j of all elements, once
// for an unordered pair: with h_a = F⁻ᵀg_a,
//
//	D²E_ab = |T| (μ (g_a·g_b) I + (μ − λ ln J) h_b h_aᵀ + λ h_a h_bᵀ).
func (h *NeoHookean) EachBlock(u []float64, visit func(i, j int, b *[3][3]float64)) {
	b := new([3][3]float64) // visit may keep nothing of it
	for k := range h.elems {
		s := &h.elems[k]
		e := h.strain(s, u)
		factor := h.mu - h.lambda*math.Log1p(e.j1)
		var hg [4][3]float64
		for a := range h.dim + 1 {
			for r := range h.dim {
				hg[a][r] = vec3.Dot(e.invT[r], s.Grad[a])
			}
		}
		for p := range h.dim + 1 {
			for q := range p + 1 {
				dot := vec3.Dot(s.Grad[p], s.Grad[q])
				for r := range h.dim {
					for c := range h.dim {
						b[r][c] = s.Volume * (factor*hg[q][r]*hg[p][c] + h.lambda*hg[p][r]*hg[q][c])
					}
					b[r][r] += s.Volume * h.mu * dot
				}
				visit(s.Nodes[p], s.Nodes[q], b)
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
		e := h.strain(&h.elems[k], u)
		p, j, f := h.stress(&e), 1+e.j1, e.g
		for c := range h.dim {
			f[c][c]++
		}
		at := func(r, c int) float64 { return vec3.Dot(p[r], f[c]) / j }
		all[k] = Tensor{at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(1, 2), at(2, 0)}
		if h.dim == 2 {
			all[k][2] = h.lambda * math.Log1p(e.j1) / j
		}
	}
	return all
}

// Strains returns the strain of Green and Lagrange ½(FᵀF − I) of each element [-].
func (h *NeoHookean) Strains(u []float64) []Tensor {
	all := make([]Tensor, len(h.elems))
	for k := range all {
		g := displacementGradient(h.dim, &h.elems[k], u)
		var e [3][3]float64
		for r := range h.dim {
			for c := range h.dim {
				e[r][c] = g[r][c] + (g[0][r]*g[0][c]+g[1][r]*g[1][c]+g[2][r]*g[2][c])/2
			}
		}
		all[k] = strainOf(&e)
	}
	return all
}
