package convex

import (
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
)

// joint is the law of one bilateral constraint in the normal direction: any
// λ, no motion. The tangential parts do not exist.
type joint struct{}

var _ law.Law = joint{}

func (joint) Project(dst *[3]float64, jac *[9]float64, p *[3]float64) {
	if jac != nil {
		*jac = [9]float64{1}
	}
	*dst = [3]float64{p[0]}
}

func (joint) Correction(*[3]float64) float64 { return 0 }
func (joint) Support(*[3]float64) float64    { return 0 }
func (joint) Validate() error                { return nil }

// jointed is a problem with its joints written as further contacts, whose
// normal direction is the column of G: what the solvers of [form.Global] work on.
type jointed struct {
	h *form.Jacobian // the keys: H and G of the problem
	g *form.Columns

	problem form.Global
}

// withJoints returns p itself if it has no joints, and the problem with the
// joints as contacts nc … nc+nb−1 otherwise.
func (ws *Workspace) withJoints(p *form.Global) *form.Global {
	if p.Joints() == 0 {
		return p
	}
	if ws.jointed == nil {
		ws.jointed = new(jointed)
	}
	x, dim := ws.jointed, p.H.Dim
	if x.h != p.H || x.g != p.G {
		x.h, x.g, x.problem.H = p.H, p.G, appendColumns(p.H, p.G)
	}
	e := &x.problem
	e.M, e.F = p.M, p.F
	e.Laws, e.W = append(e.Laws[:0], p.Laws...), append(e.W[:0], p.W...)
	for _, b := range p.B {
		e.Laws = append(e.Laws, joint{})
		e.W = append(e.W, b, 0)
		if dim == 3 {
			e.W = append(e.W, 0)
		}
	}
	return e
}

// appendColumns returns (H, G) with zero tangents for the columns of G.
func appendColumns(h *form.Jacobian, g *form.Columns) *form.Jacobian {
	s := &form.Jacobian{Dim: h.Dim, Rows: h.Rows, Ptr: slices.Clone(h.Ptr), Row: slices.Clone(h.Row), Val: slices.Clone(h.Val)}
	for k := range g.Cols() {
		for e := g.Ptr[k]; e < g.Ptr[k+1]; e++ {
			s.Row = append(s.Row, g.Row[e])
			s.Val = append(s.Val, g.Val[e], 0)
			if h.Dim == 3 {
				s.Val = append(s.Val, 0)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Row))
	}
	return s
}

// splitJoints moves what belongs to the joints of p from R and U to Lambda.
func splitJoints(res *form.Result, p *form.Global) {
	n, dim := len(p.W), p.H.Dim
	res.Lambda = res.Lambda[:0]
	for k := range p.Joints() {
		res.Lambda = append(res.Lambda, res.R[n+dim*k])
	}
	res.R, res.U = res.R[:n], res.U[:n]
}

// mergeJoints is its inverse: r holds the reactions of the contacts, then λ.
func mergeJoints(p *form.Global, r []float64) []float64 {
	n, nb, dim := len(p.W), p.Joints(), p.H.Dim
	if len(r) != n+nb {
		panic(fmt.Sprintf("contact: %d reactions for %d of contacts and %d joints", len(r), n, nb))
	}
	if nb == 0 {
		return r
	}
	x := make([]float64, n+dim*nb)
	copy(x, r[:n])
	for k, v := range r[n:] {
		x[n+dim*k] = v
	}
	return x
}

// checkAll is [residual] of a result whose joints are split off.
func (ws *Workspace) checkAll(p *form.Global, scale float64, res *form.Result) (merit float64, worst int) {
	if p.Joints() == 0 {
		return residual(p, scale, ws, res)
	}
	x := ws.withJoints(p)
	all := form.Result{V: res.V, R: mergeJoints(p, slices.Concat(res.R, res.Lambda)), U: slices.Clone(x.W)}
	x.H.MulTransAdd(all.U, all.V)
	return residual(x, scale, ws, &all)
}

// nameJoint keeps an error from calling a joint a contact.
func nameJoint(p *form.Global, worst int, cause error) (contact int, named error) {
	if k := worst - len(p.Laws); k >= 0 && cause == nil {
		return -1, fmt.Errorf("worst at bilateral constraint %d", k)
	}
	return worst, cause
}
