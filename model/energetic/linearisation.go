package energetic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/sparse"
)

// faceLag estimates, at a state z of a run, how far displacements are off because the mortar operator (D, M of
// [fem.Mortar]) is that of an earlier state. The operator is computed for the present places of the bodies, which
// gives weights w' and gaps g' beside the weights w of the run. With f_s the force on node s of the own side,
//
//	δF_m = −Σ_s (w'_sm − w_sm) f_s   is the force that node m of the other side lacks,
//	δg_s = g'_s                       is the gap that node s should close, if it touches or g'_s < 0.
//
// The displacements δ that both cause, with the contacts that touch kept closed and those that stick kept stuck, are
// compared with the displacements u that the contact forces F_m = −Σ_s w_sm f_s cause:
//
//	lag = (δᵀKδ / uᵀKu)^½,   K = D²E.
//
// For a force P that moves by δx along a cantilever of length a and stiffness EI this is √3 δx/a, for then
// δᵀKδ = (P δx)² a/EI, from the moment P δx at the end, and uᵀKu = P² a³/(3EI).
// A body that slides and that only friction holds has no K⁻¹; its contacts are taken to stick.
type faceLag struct {
	c       *Case
	n       *energetic.Node
	moved   map[*body.Body]*fem.Mesh // with the present places of the nodes
	held    []bool                   // coordinates in which contact or friction holds a node
	change  []float64                // δF, global axes
	forces  []float64                // F, global axes
	imposed []float64                // δ of what is held: −δg along the normals
	inside  float64                  // how deep sides are in each other, the largest part of a segment [-] …
	unmet   float64                  // … where the run has them apart
	turned  float64                  // Σ p sin of the angle between the normals of the two operators, of what rubs [N]
}

func (c *Case) newFaceLag(n *energetic.Node) *faceLag {
	l := &faceLag{c: c, n: n, moved: map[*body.Body]*fem.Mesh{}, held: make([]bool, len(n.Z)),
		change: make([]float64, len(n.Z)), forces: make([]float64, len(n.Z)), imposed: make([]float64, len(n.Z))}
	for j, state := range n.States[:len(n.Z)/3] {
		if c.Psi.System.Constrained(j) && state != incremental.Free {
			sticks := state == incremental.Stick && c.Psi.Size(n.T, j, n.Z) > 0
			l.held[3*j], l.held[3*j+1], l.held[3*j+2] = sticks, sticks, true
		}
	}
	return l
}

// value returns the estimate of what was observed [-]. It fails if the bodies can move without strain, and if sides that
// bear no force are in each other.
func (l *faceLag) value(ctx context.Context) (float64, error) {
	value, err := l.ratio(ctx)
	if _, loose := errors.AsType[*factor.NotPositiveDefiniteError](err); !loose {
		return value, err
	}
	for j := range len(l.held) / 3 {
		if l.held[3*j+2] {
			l.held[3*j], l.held[3*j+1] = true, true
		}
	}
	return l.ratio(ctx)
}

// observe computes the operator at the present places and takes each node that meets another body. It fails if the sides
// no longer face each other.
func (l *faceLag) observe() error {
	x := places(l.c.Psi, l.n.T, l.n.Z)
	present := map[*meeting]map[int]*fem.MortarNode{}
	for i := range l.c.met {
		at := &l.c.met[i]
		m := at.meeting
		if present[m] == nil {
			for _, b := range []*body.Body{m.own.body, m.other.body} {
				if l.moved[b] == nil {
					l.moved[b] = movedMesh(b, l.n.T, x)
				}
			}
			own, other := m.sides[0], m.sides[1]
			own.Mesh, other.Mesh = l.moved[m.own.body], l.moved[m.other.body]
			nodes, err := fem.Mortar(own, other, m.own.body.Kinematics())
			if err != nil {
				return err
			}
			present[m] = map[int]*fem.MortarNode{}
			for k := range nodes {
				present[m][nodes[k].Node] = &nodes[k]
			}
		}
		l.add(at, present[m][at.mortar.Node])
	}
	return nil
}

// movedMesh is the mesh of a body whose nodes are at the places x of the particles.
func movedMesh(b *body.Body, t float64, x []float64) *fem.Mesh {
	mesh := *b.Mesh()
	mesh.X = slices.Clone(mesh.X)
	for i, u := range b.Displacement(nil, t, x) {
		mesh.X[i] += u
	}
	return &mesh
}

// add takes a node of the own side into δF, F and δg; present is its row of the operator at the present places, nil if
// it faces nothing there.
func (l *faceLag) add(at *metNode, present *fem.MortarNode) {
	m, j, sys := at.meeting, at.particle, l.c.Psi.System
	own, other := l.moved[m.own.body], l.moved[m.other.body]
	frame := sys.Frame(j)
	f := frame.RotateToGlobal([3]float64(l.n.Grad[3*j : 3*j+3]))
	state := l.n.States[j]
	if sys.Constrained(j) && (state == incremental.Free || state == incremental.Grazing) {
		f = [3]float64{} // what it has is rounding
	}
	for c := range own.Dim {
		force := f[axisOf(m.own.body, at.mortar.Node, c)]
		spread(l.forces, at.mortar, m, c, force)
		spread(l.change, at.mortar, m, c, -force)
		if present != nil {
			spread(l.change, present, m, c, force)
		}
	}
	if present == nil || !sys.Constrained(j) {
		return
	}
	if l.c.Psi.Size(l.n.T, j, l.n.Z) > 0 {
		l.turned += l.n.Grad[3*j+2] * vec3.Norm(vec3.Cross(present.Across, at.mortar.Across)) /
			(vec3.Norm(present.Across) * vec3.Norm(at.mortar.Across))
	}
	gap := l.n.Z[3*j+2] + apart(present, own, other) - apart(at.mortar, own, other)
	if state != incremental.Free || gap < 0 {
		// Less than 1e-9 of a segment is what rounding makes of the gap of sides that touch, as of bodies in particles.Overlap.
		if deep := -gap / at.reach; deep > 1e-9 {
			l.inside = max(l.inside, deep)
			if state == incremental.Free {
				l.unmet = max(l.unmet, deep)
			}
		}
		l.held[3*j+2], l.imposed[3*j+2] = true, -gap
	}
}

// axisOf is the axis in space, 0 to 2, of axis c of the mesh of a body: a plane mesh lies in x and z.
func axisOf(b *body.Body, node, c int) int { return b.Dof(node, c) % 3 }

// apart is the gap at a node by its row of an operator, with the nodes at the places of two meshes.
func apart(of *fem.MortarNode, own, other *fem.Mesh) (gap float64) {
	for c, a := range of.Apart(own, other) {
		gap += of.Across[c] * a
	}
	return gap
}

// spread adds −w_m f to the nodes m of the other side: what a force f along axis c on a node of the own side is there.
func spread(dst []float64, of *fem.MortarNode, m *meeting, c int, f float64) {
	_, other := of.Along(c)
	for i, w := range other {
		if m.other.body.Motion(i, c) == nil {
			dst[m.other.body.Dof(i, c)] -= w * f
		}
	}
}

// ratio is (δᵀKδ/uᵀKu)^½.
func (l *faceLag) ratio(ctx context.Context) (float64, error) {
	sys := l.c.Psi.System
	k := sys.Hessian(l.n.T, l.n.Z)
	solver, err := factor.Held(ctx, k, l.held)
	if err != nil {
		return 0, err
	}
	none := make([]float64, len(l.imposed))
	u := displacements(sys, k, solver, l.held, l.forces, none)
	delta := displacements(sys, k, solver, l.held, l.change, l.imposed)
	whole := energyNorm(k, u)
	if whole == 0 && l.inside == 0 {
		return 0, nil
	}
	value := energyNorm(k, delta) / whole
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, fmt.Errorf("sides that bear no force would be in each other by %.3g of a segment", l.inside)
	}
	return value, nil
}

// displacements solves K d = forces, which are in global axes, for d in local ones, equal to imposed where held.
func displacements(sys *particles.System, k *sparse.Sym, solver factor.Factor, held []bool,
	forces, imposed []float64) []float64 {
	d, reaction := make([]float64, len(forces)), make([]float64, len(forces))
	k.MulVec(reaction, imposed)
	for j := range sys.N() {
		frame := sys.Frame(j)
		local := frame.RotateToLocal([3]float64(forces[3*j : 3*j+3]))
		for c := range local {
			if i := 3*j + c; held[i] {
				d[i] = imposed[i]
			} else {
				d[i] = local[c] - reaction[i]
			}
		}
	}
	solver.Solve(d, d)
	return d
}

// energyNorm is (dᵀKd)^½.
func energyNorm(k *sparse.Sym, d []float64) float64 {
	product, sum := make([]float64, len(d)), 0.0
	k.MulVec(product, d)
	for i, x := range d {
		sum += x * product[i]
	}
	return math.Sqrt(max(sum, 0))
}
