package assembly

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/sparse"
)

// someMotion asks the contact core for accelerations from rest by Coulomb's law, M a = f + H r,
// u = Hᵀa, without a guess: of the several answers that there may be each method finds one, which may be rest.
// Sweeps begin without forces, the interior point in their middle. What they find is checked by motionOf.
func (s *statics) someMotion(ctx context.Context, f []float64, limit time.Duration) *Motion {
	p := s.contactProblem(f)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, method := range []contact.Method{contact.MethodAuto, contact.MethodGaussSeidel, contact.MethodInterior} {
		if ctx.Err() != nil {
			return nil
		}
		var res contact.Result
		err := contact.SolveGlobal(ctx, p, &contact.Options{Tolerance: 1e-11, MaxIterations: 20000, NoCertificate: true,
			Method: method}, nil, &res)
		if err != nil && len(res.R) == 0 {
			continue
		}
		if m := s.motionOf(f, res.V, res.R, 1); m != nil {
			return m
		}
	}
	return nil
}

func (s *statics) contactProblem(f []float64) *contact.Global {
	builder := sparse.NewBuilder(s.nv)
	for b := range s.mass {
		for i := range s.per {
			for k := range i {
				builder.Add(b*s.per+i, b*s.per+k)
			}
		}
	}
	m := builder.Build()
	for b, block := range s.mass {
		for i := range s.per {
			for k := range i + 1 {
				m.AddAt(b*s.per+i, b*s.per+k, block[i*s.per+k])
			}
		}
	}
	h := &contact.Jacobian{Dim: s.dim, Rows: s.nv, Ptr: []int{0}}
	p := &contact.Global{M: m, F: f, H: h, W: make([]float64, s.dim*len(s.contacts))}
	for j := range s.contacts {
		c := &s.contacts[j]
		for k, row := range c.rows {
			h.Row = append(h.Row, row)
			for e := range s.dim {
				h.Val = append(h.Val, c.cols[e][k])
			}
		}
		h.Ptr = append(h.Ptr, len(h.Row))
		if c.mu == 0 {
			p.Laws = append(p.Laws, contact.Frictionless{})
		} else {
			p.Laws = append(p.Laws, contact.Coulomb{Mu: c.mu})
		}
	}
	return p
}

// swiftest bounds motions from rest: for normal forces n ≥ 0, with or without balance,
//
//	aᵀM a ≤ f·a ≤ (f + H_N n)·a ≤ ‖f + H_N n‖ ‖a‖      in the norms of M⁻¹ and M
//
// It is least for the n of the motion without friction: friction makes none faster. In parts of g, as
// a mean over the masses where the loads are weights.
func (s *statics) swiftest(ctx context.Context, f []float64) float64 {
	p := s.contactProblem(f)
	for j := range p.Laws {
		p.Laws[j] = contact.Frictionless{}
	}
	rest := slices.Clone(f)
	var res contact.Result
	err := contact.SolveGlobal(ctx, p, &contact.Options{Tolerance: 1e-10, NoCertificate: true, Method: contact.MethodInterior}, nil, &res)
	if err == nil || len(res.R) > 0 {
		n := make([]float64, len(res.R))
		for j := 0; j < len(n); j += s.dim {
			n[j] = max(res.R[j], 0)
		}
		s.resultant(rest, n)
	}
	root := s.root(rest)
	return math.Sqrt(product(root, root))
}
