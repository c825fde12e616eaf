package elastic

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/sparse"
)

// obstacle is the map q of (18): the normal displacements u_c of the contact
// nodes that minimise the energy over u_c ≥ −g while u_* is held,
//
//	A_cc u_c = L_c − A_c* u_* + λ_c,   0 ≤ λ_c ⊥ u_c + g ≥ 0,
//
// (with u_c of what is met among the unknowns) a frictionless problem in the contact nodes alone, posed in what they move from
// where they are: a body that has moved far has small forces then. Its matrix is factorised
// again only when the set of closed contacts changes.
type obstacle struct {
	a       *assembly
	problem contact.Global
	ws      contact.GlobalWorkspace
	res     contact.Result
	opt     contact.Options
	force   []float64 // A u, dim·nodes
	load    []float64
}

func newObstacle(a *assembly) *obstacle {
	m, nc := a.block(a.massless), len(a.normal)
	h := &contact.Jacobian{Dim: 2, Rows: m.N, Ptr: []int{0}}
	laws := make([]contact.Law, nc)
	for k := range nc {
		h.Row, h.Val, h.Ptr = append(h.Row, k), append(h.Val, 1, 0), append(h.Ptr, k+1)
		laws[k] = contact.Frictionless{}
	}
	o := &obstacle{a: a, force: make([]float64, a.stiffness.N), load: make([]float64, a.stiffness.N)}
	o.problem = contact.Global{M: m, F: make([]float64, m.N), H: h, W: make([]float64, 2*nc), Laws: laws}
	return o
}

// block is A of some degrees of freedom.
func (a *assembly) block(dofs []int) *sparse.Sym {
	at := make(map[int]int, len(dofs))
	for k, n := range dofs {
		at[n] = k
	}
	b := sparse.NewBuilder(len(dofs))
	each := func(visit func(i, j int, v float64)) {
		for k, n := range dofs {
			for p := a.stiffness.Ptr[n]; p < a.stiffness.Ptr[n+1]; p++ {
				if j, ok := at[a.stiffness.Row[p]]; ok {
					visit(k, j, a.stiffness.Val[p])
				}
			}
		}
	}
	each(func(i, j int, _ float64) { b.Add(i, j) })
	m := b.Build()
	each(m.AddAt)
	return m
}

// solve replaces the normal displacements in u, from which it starts, by q(t, u_*)
// and stores the normal reactions λ_c in r.
func (o *obstacle) solve(ctx context.Context, u, r []float64, t, scale float64) error {
	if len(r) == 0 {
		return nil
	}
	for k, n := range o.a.normal {
		gap := o.a.gapAt(k, t)
		u[n] = max(u[n], -gap)
		o.problem.W[2*k] = u[n] + gap
	}
	o.a.elastic(o.force, u)
	o.a.load(o.load, t)
	for k, n := range o.a.massless {
		o.problem.F[k] = o.load[n] - o.force[n]
	}
	if err := contact.SolveConvex(ctx, &o.problem, scale, &o.opt, &o.ws, &o.res); err != nil {
		return fmt.Errorf("obstacle problem: %w", err)
	}
	for k, n := range o.a.massless {
		u[n] += o.res.V[k]
	}
	for k, n := range o.a.normal {
		r[k] = o.res.R[2*k]
		if r[k] > 0 {
			u[n] = -o.a.gapAt(k, t)
		}
	}
	return nil
}
