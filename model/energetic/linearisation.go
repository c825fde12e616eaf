package energetic

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

// renewal estimates what the linearisation at the start changes of a node where bodies meet. There the operator D, M of
// [fem.Mortar] is made anew, at the places of the node. With the forces f_s that the sides bear, and the gaps g,
//
//	δF_m = −Σ_s (w'_sm − w_sm) f_s,   δg_s = g'_s − g_s of those that touch, or g'_s < 0
//
// are what it would change of the forces on the bodies, and how far the sides would have to come out of each other.
// Displacements δ by both, where what touches goes on to touch and what sticks to stick, over those by
// F_m = −Σ_s w_sm f_s, in the norm of D²E, are the estimate: it is √3 δx/a for a load that wanders by δx along
// a cantilever of the length a. Bodies that only friction holds where they slide are taken to stick.
type renewal struct {
	c       *Case
	n       *energetic.Node
	moved   map[*bodyNodes]*fem.Mesh // at their places
	held    []bool                   // coordinates of what touches
	change  []float64                // δF
	forces  []float64                // F
	imposed []float64                // δ of what is held
}

// renewed is the estimate at a node [-], 0 where no side bears. It fails where the sides no longer face each other, or
// the bodies move without strain.
func (c *Case) renewed(ctx context.Context, n *energetic.Node) (float64, error) {
	r := &renewal{c: c, n: n, moved: map[*bodyNodes]*fem.Mesh{}, held: make([]bool, len(n.Z)),
		change: make([]float64, len(n.Z)), forces: make([]float64, len(n.Z)), imposed: make([]float64, len(n.Z))}
	for j, state := range n.States[:len(n.Z)/3] {
		if c.Psi.System.Constrained(j) && state != incremental.Free {
			sticks := state == incremental.Stick && c.Psi.Size(n.T, j, n.Z) > 0
			r.held[3*j], r.held[3*j+1], r.held[3*j+2] = sticks, sticks, true
		}
	}
	x := make([]float64, len(n.Z))
	c.Psi.System.ToGlobalAt(n.T, x, n.Z)
	seen := map[*meeting]map[int]*fem.MortarNode{}
	for _, at := range c.met {
		m := at.meeting
		if seen[m] == nil {
			for _, b := range []*bodyNodes{m.own, m.other} {
				r.move(b, x)
			}
			own, other := m.sides[0], m.sides[1]
			own.Mesh, other.Mesh = r.moved[m.own], r.moved[m.other]
			nodes, err := fem.Mortar(own, other, m.own.body.Kinematics())
			if err != nil {
				return 0, err
			}
			seen[m] = map[int]*fem.MortarNode{}
			for k := range nodes {
				seen[m][nodes[k].Node] = &nodes[k]
			}
		}
		r.add(&at, seen[m][at.mortar.Node])
	}
	value, err := r.solve(ctx, append([]float64(nil), r.forces...), append([]float64(nil), r.change...))
	if _, loose := errors.AsType[*factor.NotPositiveDefiniteError](err); loose {
		for j := range len(n.Z) / 3 {
			if r.held[3*j+2] {
				r.held[3*j], r.held[3*j+1] = true, true
			}
		}
		value, err = r.solve(ctx, r.forces, r.change)
	}
	return value, err
}

// move sets the mesh of a body at its places x.
func (r *renewal) move(b *bodyNodes, x []float64) {
	if r.moved[b] != nil {
		return
	}
	mesh := *b.body.Mesh()
	mesh.X = append([]float64(nil), mesh.X...)
	for i, u := range b.body.Displacement(nil, r.n.T, x) {
		mesh.X[i] += u
	}
	r.moved[b] = &mesh
}

// add takes a node, which faces what it says now; nil: nothing.
func (r *renewal) add(at *metNode, now *fem.MortarNode) {
	m, j, sys := at.meeting, at.particle, r.c.Psi.System
	own, other := r.moved[m.own], r.moved[m.other]
	frame := sys.Frame(j)
	f := frame.RotateToGlobal([3]float64(r.n.Grad[3*j : 3*j+3]))
	for c := range own.Dim {
		force := f[m.own.body.Dof(at.mortar.Node, c)%3]
		r.pass(r.forces, at.mortar, m, c, force)
		r.pass(r.change, at.mortar, m, c, -force)
		if now != nil {
			r.pass(r.change, now, m, c, force)
		}
	}
	if now == nil || !sys.Constrained(j) {
		return
	}
	apart := func(of *fem.MortarNode) (gap float64) {
		for c, a := range of.Apart(own, other) {
			gap += of.Across[c] * a
		}
		return gap
	}
	gap := r.n.Z[3*j+2] + apart(now) - apart(at.mortar)
	if touches := r.n.States[j] != incremental.Free; touches || gap < 0 {
		r.held[3*j+2], r.imposed[3*j+2] = true, -gap
	}
}

// pass adds what a force along an axis at a node is at the nodes of the other side.
func (r *renewal) pass(dst []float64, of *fem.MortarNode, m *meeting, c int, force float64) {
	_, other := of.Along(c)
	for i, w := range other {
		if m.other.body.Motion(i, c) == nil {
			dst[m.other.body.Dof(i, c)] -= w * force
		}
	}
}

// solve finds the displacements by both forces, which it overwrites, and returns the ratio of their norms.
func (r *renewal) solve(ctx context.Context, forces, change []float64) (float64, error) {
	sys, n := r.c.Psi.System, len(r.n.Z)
	h := sys.Hessian(r.n.T, r.n.Z)
	whole := &sparse.Sym{N: n, Ptr: h.Ptr, Row: h.Row, Val: append([]float64(nil), h.Val...)}
	a := &sparse.Sym{N: n, Ptr: h.Ptr, Row: h.Row, Val: append([]float64(nil), h.Val...)}
	for c := range n {
		for p := a.Ptr[c]; p < a.Ptr[c+1]; p++ {
			if row := a.Row[p]; row == c && r.held[c] {
				a.Val[p] = 1
			} else if r.held[c] || r.held[row] {
				a.Val[p] = 0
			}
		}
	}
	f, err := factor.AnalyseContext(ctx, a, factor.Options{})
	if err == nil {
		err = f.RefactorContext(ctx, a)
	}
	if err != nil {
		return 0, err
	}
	product := make([]float64, n)
	energy := func(rhs, imposed []float64) float64 {
		whole.MulVec(product, imposed)
		for j := range sys.N() {
			frame, g := sys.Frame(j), rhs[3*j:3*j+3]
			local := frame.RotateToLocal([3]float64(g))
			for k := range local {
				if i := 3*j + k; r.held[i] {
					g[k] = imposed[i]
				} else {
					g[k] = local[k] - product[i]
				}
			}
		}
		f.Solve(rhs, rhs)
		whole.MulVec(product, rhs)
		sum := 0.0
		for i, d := range rhs {
			sum += d * product[i]
		}
		return math.Sqrt(max(sum, 0))
	}
	by := energy(forces, make([]float64, n))
	if by == 0 {
		return 0, nil
	}
	value := energy(change, r.imposed) / by
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, fmt.Errorf("the ratio of displacements is %g", value)
	}
	return value, nil
}
