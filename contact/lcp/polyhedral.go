package lcp

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
)

// Polyhedral is a [Local] problem of polyhedral laws written exactly as a
// mixed complementarity problem: r = Σ_k g_k x_k + r⁰ with one unknown x_k a
// generator of the cone of its contact, and one row h_k·u a generator of the
// dual cone. What the law adds is linear:
//
//	Frictionless, μ = 0   x = r_N                        u_N ≥ 0
//	Bilateral             x = r, free                    u = 0
//	Coulomb, 2D [Glo01]   x = (r_N, μr_N + r_T, λ)       u_N, u_T + λ, μr_N − r_T ≥ 0
//	Tresca, 2D            x = (r_N, s + r_T, λ)          u_N, u_T + λ, s − r_T ≥ 0
//	Associated, 2D        r = x_1(1, μ) + x_2(1, −μ)     u_N ± μu_T ≥ 0
//	Pyramid, 3D [ST96]    r_T = Σ β_k e_k                u_N, λ + e_k·u_T, μr_N − Σβ_k ≥ 0
//
// with e_k the corners of Sᵀ·polygon and x = (r_N, β_1 … β_m, λ). Generators
// are scaled such that hᵀWg is near 1 on the diagonal: neither units nor
// contacts of different stiffness reach M.
type Polyhedral struct {
	MLCP MLCP

	dim  int
	Vars []polyhedralVar
	r0   []float64
}

// polyhedralVar is one unknown.
type polyhedralVar struct {
	contact int
	g, h    [3]float64
}

// ToMLCP returns the complementarity form of p, or an error that names the
// first contact whose law is not polyhedral. It costs dim·nc products with W.
func ToMLCP(p *form.Local) (*Polyhedral, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.W.Dim() > 3 {
		return nil, fmt.Errorf("contact: contacts of %d components have no complementarity form", p.W.Dim())
	}
	if len(p.Q) > maxPolyhedralOrder {
		return nil, fmt.Errorf("contact: %d reactions, more than %d for a dense complementarity problem", len(p.Q), maxPolyhedralOrder)
	}
	p, _ = p.WithoutSprings()
	f := &Polyhedral{dim: p.W.Dim(), r0: make([]float64, len(p.Q))}
	w := form.SampleOperator(p.W)
	b := polyhedralBuilder{f: f}
	for j, law := range p.Laws {
		b.contact, b.scale = j, contactScale(w, len(p.Q), f.dim, j)
		if !b.add(law) {
			return nil, fmt.Errorf("contact: law of contact %d, %T in %d dimensions, is not polyhedral", j, law, f.dim)
		}
	}
	b.finish(w, p.Q)
	return f, nil
}

// ToLCP returns the complementarity form of p as an LCP; the problem must not
// have bilateral contacts. [Polyhedral.Reactions] takes its solution back.
func ToLCP(p *form.Local) (*LCP, *Polyhedral, error) {
	f, err := ToMLCP(p)
	if err != nil {
		return nil, nil, err
	}
	for k, free := range f.MLCP.Equality {
		if free {
			return nil, nil, fmt.Errorf("contact: the law of contact %d is bilateral: use ToMLCP", f.Vars[k].contact)
		}
	}
	return &LCP{M: f.MLCP.M, Q: f.MLCP.Q}, f, nil
}

// maxPolyhedralOrder bounds the dense W of a complementarity form: 0.5 GB.
const maxPolyhedralOrder = 8192

// Reactions overwrites r with the reactions that the unknowns x stand for and
// returns it; a nil r allocates.
func (f *Polyhedral) Reactions(r, x []float64) []float64 {
	if r == nil {
		r = make([]float64, len(f.r0))
	}
	copy(r, f.r0)
	for k, v := range f.Vars {
		for c := range f.dim {
			r[f.dim*v.contact+c] += v.g[c] * x[k]
		}
	}
	return r
}

// contactScale returns the power of two nearest below 1/√(tr W_jj/dim), 1 if
// the block is zero.
func contactScale(w []float64, n, dim, j int) float64 {
	trace := 0.0
	for i := dim * j; i < dim*j+dim; i++ {
		trace += math.Abs(w[i*n+i]) / float64(dim)
	}
	return inversePower(math.Sqrt(trace))
}

// polyhedralBuilder collects unknowns and the entries that the laws add.
type polyhedralBuilder struct {
	f       *Polyhedral
	scale   float64 // of the generators of the contact
	contact int
	entries []polyhedralEntry
	consts  []polyhedralEntry // of q; col is not used
}

type polyhedralEntry struct {
	row, col int
	val      float64
}

// variable adds an unknown and returns its number.
func (b *polyhedralBuilder) variable(free bool, g, h [3]float64) int {
	for c := range g {
		g[c] *= b.scale
		h[c] *= b.scale
	}
	b.f.Vars = append(b.f.Vars, polyhedralVar{b.contact, g, h})
	b.f.MLCP.Equality = append(b.f.MLCP.Equality, free)
	return len(b.f.Vars) - 1
}

func (b *polyhedralBuilder) entry(row, col int, val float64) {
	b.entries = append(b.entries, polyhedralEntry{row, col, val})
}

// add writes one law; false if it is not polyhedral.
func (b *polyhedralBuilder) add(law law.Law) bool {
	l := form.FormOf(law)
	switch l.Set {
	case form.KindFrictionless:
		b.normal(0)
		return true
	case form.KindBilateral:
		for c := range b.f.dim {
			var e [3]float64
			e[c] = 1
			b.variable(true, e, e)
		}
		return true
	case form.KindCoulomb:
		factor, ok := PlaneFactor(&l.Shape)
		switch mu := l.Bound * factor; {
		case l.Bound == 0:
			b.normal(0)
		case b.f.dim == 2 && ok:
			b.slip(b.normal(-mu), 2*mu, 0)
		default:
			return false
		}
		return true
	case form.KindAssociated:
		factor, ok := PlaneFactor(&l.Shape)
		if mu := l.Bound * factor; b.f.dim == 2 && ok {
			b.variable(false, [3]float64{1, mu}, [3]float64{1, mu})
			b.variable(false, [3]float64{1, -mu}, [3]float64{1, -mu})
			return true
		}
		return false
	case form.KindTresca:
		factor, ok := PlaneFactor(&l.Shape)
		if b.f.dim != 2 || !ok {
			return false
		}
		s := l.Bound * factor
		b.normal(0)
		b.slip(-1, 0, 2*s)
		b.f.r0[2*b.contact+1] = -s
		return true
	case form.KindPyramid:
		b.pyramid(&l)
		return true
	}
	return false
}

// PlaneFactor returns |S_11| and whether S keeps the tangents apart.
func PlaneFactor(s *law.Shape) (factor float64, ok bool) {
	m := s.Matrix()
	return math.Abs(m[0]), m[1] == 0 && m[2] == 0
}

// normal adds r_N, with a tangential part of t for each unit of it.
func (b *polyhedralBuilder) normal(t float64) int {
	return b.variable(false, [3]float64{1, t}, [3]float64{1})
}

// slip adds a = bound + r_T and λ with the rows u_T + λ and
// perNormal·r_N + constant − a: what is left to the other bound.
func (b *polyhedralBuilder) slip(normal int, perNormal, constant float64) {
	a := b.variable(false, [3]float64{0, 1}, [3]float64{0, 1})
	lambda := b.variable(false, [3]float64{}, [3]float64{})
	b.entry(a, lambda, 1)
	b.entry(lambda, a, -1)
	if normal >= 0 {
		b.entry(lambda, normal, perNormal)
	}
	b.consts = append(b.consts, polyhedralEntry{row: lambda, val: constant / b.scale})
}

// pyramid adds the form of Stewart and Trinkle; in the plane a pyramid is
// Coulomb's cone.
func (b *polyhedralBuilder) pyramid(l *law.Form) {
	switch {
	case l.Bound == 0:
		b.normal(0)
		return
	case b.f.dim == 2:
		factor, _ := PlaneFactor(&l.Shape)
		b.slip(b.normal(-l.Bound*factor), 2*l.Bound*factor, 0)
		return
	}
	normal := b.normal(0)
	m := l.Facets
	first := len(b.f.Vars)
	s := l.Shape.Matrix()
	radius := 1 / math.Cos(math.Pi/float64(m)) // of the corners; facets are at distance 1
	for k := range m {
		sin, cos := math.Sincos(math.Pi * float64(2*k+1) / float64(m))
		x, y := radius*cos, radius*sin
		e := [3]float64{0, s[0]*x + s[2]*y, s[1]*x + s[3]*y}
		b.variable(false, e, e)
	}
	lambda := b.variable(false, [3]float64{}, [3]float64{})
	b.entry(lambda, normal, l.Bound)
	for k := first; k < lambda; k++ {
		b.entry(k, lambda, 1)
		b.entry(lambda, k, -1)
	}
}

// finish assembles M = hᵀ W g plus the entries, q = hᵀ(W r⁰ + q) plus the
// constants.
func (b *polyhedralBuilder) finish(w, q []float64) {
	f, n, dim, nw := b.f, len(b.f.Vars), b.f.dim, len(q)
	f.MLCP.M, f.MLCP.Q = make([]float64, n*n), make([]float64, n)
	for i, vi := range f.Vars {
		for c := range dim {
			h := vi.h[c]
			if h == 0 {
				continue
			}
			row := w[(dim*vi.contact+c)*nw : (dim*vi.contact+c+1)*nw]
			s := q[dim*vi.contact+c]
			for k, v := range f.r0 {
				s += row[k] * v
			}
			f.MLCP.Q[i] += h * s
			for j := range f.Vars {
				vj := &f.Vars[j]
				at := dim * vj.contact
				s := 0.0
				for d := range dim {
					s += row[at+d] * vj.g[d]
				}
				f.MLCP.M[i*n+j] += h * s
			}
		}
	}
	for _, e := range b.entries {
		f.MLCP.M[e.row*n+e.col] += e.val
	}
	for _, e := range b.consts {
		f.MLCP.Q[e.row] += e.val
	}
}
