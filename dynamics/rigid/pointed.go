package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// Pointedness is the state of the total friction cone (3.1).
type Pointedness int

// The verdicts of [Options.Pointedness].
const (
	ConeUnknown Pointedness = iota // not asked for, or the program did not converge
	ConePointed
	ConeLost // impulses that are not zero cancel, or the rows of the joints depend
)

func (p Pointedness) String() string {
	return [...]string{"unknown", "pointed", "lost"}[p]
}

// Cone tests (3.1) at the present active set and returns the verdict and an
// upper bound of c_FC in (3.3), with ‖z‖ measured by M⁻¹. The cone is pointed
// iff the joints have full rank and some motion opens all contacts strictly,
//
//	min ½‖v‖²_M,  G v = 0,  u_N ≥ 1 + μ‖u_T‖ at all contacts;
//
// then Σ c_n ≤ v·z ≤ ‖v‖_M ‖z‖, and with σ the least singular value of GM^{-½}
// and B the largest ‖n‖ + μ‖D‖ of a contact, in M⁻¹,
//
//	σ‖c_ν‖ ≤ ‖z − Hr‖ ≤ (1 + B‖v‖_M)‖z‖,
//	c_FC² ≤ (1 + μ²)‖v‖²_M + (1 + B‖v‖_M)²/σ².
//
// It costs one convex cone program and an eigenvalue problem for each set of
// bodies tied by joints.
func (s *Stepper) Cone(ctx context.Context) (Pointedness, float64) {
	if err := s.prepare(terms{}); err != nil {
		return ConeUnknown, math.Inf(1)
	}
	for c := range s.inv {
		if len(s.inv[c].gone) > 0 {
			return ConeLost, math.Inf(1)
		}
	}
	p := &s.p
	p.list, p.laws = p.list[:0], p.laws[:0]
	most := 0.0
	for i := range s.touches {
		if s.marks[i].active {
			mu := s.model.material(&s.touches[i]).Mu
			p.list = append(p.list, i)
			p.laws = append(p.laws, contact.Associated{Mu: mu})
			most = max(most, mu)
		}
	}
	sigma := s.leastSingular()
	if len(p.list) == 0 {
		return ConePointed, 1 / sigma
	}
	s.load(1)
	for k := range p.b {
		p.b[k] = 0
		if k%p.dim == 0 {
			p.b[k] = -1
		}
	}
	clear(p.r)
	wide := s.widest()
	p.normalise()
	var ws contact.LocalWorkspace
	var res contact.Result
	problem := contact.Local{W: &p.w, Q: p.b, Laws: p.laws}
	err := contact.SolveLocal(ctx, &problem, &contact.Options{Tolerance: 1e-7, MaxIterations: 2000}, &ws, &res)
	switch {
	case err == nil:
		sum := 0.0 // ‖v‖²_M = rᵀWr = rᵀ(u − b)
		for k, r := range res.R {
			sum += r * (res.U[k] - p.b[k])
		}
		v := math.Sqrt(max(sum, 0) / p.unit)
		return ConePointed, math.Hypot(math.Sqrt(1+most*most)*v, (1+wide*v)/sigma)
	case res.Status == contact.Infeasible:
		return ConeLost, math.Inf(1)
	}
	return ConeUnknown, math.Inf(1)
}

// leastSingular is the least singular value of GM^{-½}; +Inf without joints.
// The inverses are those of M.
func (s *Stepper) leastSingular() float64 {
	least := math.Inf(1)
	for c := range s.inv {
		inv := &s.inv[c]
		m := inv.m
		if m == 0 {
			continue
		}
		k, e := make([]float64, m*m), make([]float64, m*m)
		for i := range m {
			for j := range m {
				k[i*m+j] = inv.product(i, j)
			}
		}
		jacobi(k, e, m)
		for i := range m {
			least = min(least, math.Sqrt(max(0, k[i*m+i])))
		}
	}
	return least
}

// widest is the largest ‖n‖ + μ‖D‖ of a contact in M⁻¹, without the joints,
// bounded by the traces of its blocks.
func (s *Stepper) widest() float64 {
	p, wide := &s.p, 0.0
	for k, i := range p.list {
		var n, d float64
		for _, x := range p.part[p.ptr[k]:p.ptr[k+1]] {
			inv := &s.inv[x.comp]
			for j, m := range inv.diag {
				for c := range p.dim {
					h := p.h[x.at+j*p.dim+c]
					if c == 0 {
						n += h * h / m
					} else {
						d += h * h / m
					}
				}
			}
		}
		wide = max(wide, math.Sqrt(n)+s.model.material(&s.touches[i]).Mu*math.Sqrt(d))
	}
	return wide
}

// testCone runs Cone where the active set has changed.
func (s *Stepper) testCone(ctx context.Context) {
	if !s.o.Pointedness {
		return
	}
	same, k := s.pointed != ConeUnknown, 0
	for i := range s.touches {
		if s.marks[i].active {
			same = same && k < len(s.keys) && s.keys[k] == s.touches[i].Key
			k++
		}
	}
	if same && k == len(s.keys) {
		s.step.Pointed = s.pointed
		return
	}
	s.keys = s.keys[:0]
	for i := range s.touches {
		if s.marks[i].active {
			s.keys = append(s.keys, s.touches[i].Key)
		}
	}
	s.pointed, _ = s.Cone(ctx)
	s.step.Pointed = s.pointed
}
