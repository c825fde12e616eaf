package fem

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Quantity is a linear functional of a state without friction,
//
//	Q(u) = 1/|Mean| ∫_Mean u_Axis + ∫_D σν·w + ∫_Sides p,
//
// of which [Bound.Quantity] gives bounds.
type Quantity struct {
	Mean Group // facets of which it has the mean displacement along Axis [m]; without elements it has none
	Axis int
	// Support are prescribed dofs of the mesh, whose forces add up [N]: w are their shape functions.
	Support []int
	Sides   []int // sides of contact, whose normal forces add up [N]
}

// along is the displacement of the adjoint along the normals of a side where that is in contact: −1 on those of the
// quantity.
func (q *Quantity) along(side int) float64 {
	if slices.Contains(q.Sides, side) {
		return -1
	}
	return 0
}

// adjoint is the influence of a quantity: a state ẑ under the traction 1/|Mean| and with the displacement −1 of Support
// and, along the normals, of Sides. What is in contact in the state of the body keeps to its obstacle.
type adjoint struct {
	closed  []bool // contact nodes that do so …
	bears   []bool // … and bear a force
	u, load []float64
	own     []Tensor  // Cε(ẑ), see [ErrorBound] …
	off     []Tensor  // … and ζ* − Cε(ẑ) of an equilibrated stress ζ*
	normal  []float64 // forces of the contact nodes that bear one in the state
	square  float64   // E_z²
}

// Quantity returns |Q(u) − value| <= off for a state û without friction and its bound e, u being the exact one. With
// the adjoint ẑ, an equilibrated stress ζ* of it, which has the tractions π n on the sides, and E_z² = ½‖ζ* − Cε(ẑ)‖²,
//
//	value = q(û) − a(û, ẑ) + ℓ(ẑ) + ½ ∫ (σ* − Cε(û)) : C⁻¹ : (ζ* − Cε(ẑ)) + ∫_Γ π g(û)
//	off   = max { √2 E_z √(T − y) + K y : 0 <= y <= T },   T = ½ (E² + ∫_Γ p* g(û)),
//
// where |π| <= K p* and |n·ẑ + 1_Sides| <= K g(û). Without contact off is E E_z. docs/decisions/0041 has the proof.
// What a run adds up at its nodes, as the force of a support, is the first three of the terms. The adjoint is kept as
// long as the same nodes are in contact; another one costs a factorisation of the stiffness. It fails where nothing
// holds the adjoint.
func (b *Bound) Quantity(ctx context.Context, q *Quantity, s *BoundState, e *ErrorBound) (value, off float64,
	err error) {
	if slices.ContainsFunc(s.Contact, func(n BoundNode) bool { return n.Most > 0 }) {
		return 0, 0, errors.New("fem: bounds of quantities are those of states without friction")
	}
	z := b.adjoints[q]
	if z == nil || !z.fits(s) {
		if z, err = b.adjoint(ctx, q, s); err != nil {
			return 0, 0, err
		}
		b.adjoints[q] = z
	}
	if e.load == nil {
		if e.load, err = b.loads(s); err != nil {
			return 0, 0, err
		}
	}
	d := b.o.Mesh.Dim
	for i, x := range z.u {
		value += z.load[i]*s.U[i] + x*e.load[i]
	}
	c, n := composites[d](), (d+1)*(d+1)
	for k := range b.hybrid.elements {
		on, i, j := &b.hybrid.elements[k], n*k, n*k+n
		value -= c.product(&on.affine, e.own[i:j], z.own[i:j], on.lambda, on.mu)
		value += c.product(&on.affine, e.off[i:j], z.off[i:j], on.lambda, on.mu) / 2
	}
	value += b.worked(z, s)
	ratio := z.ratio(q, s, d)
	if t := (e.Square + e.Contact) / 2; 2*ratio*ratio*t > z.square {
		off = ratio*t + z.square/(2*ratio)
	} else {
		off = math.Sqrt(2 * z.square * t)
	}
	return value, off, nil
}

// worked is ∫_Γ π g(û).
func (b *Bound) worked(z *adjoint, s *BoundState) (sum float64) {
	at, d := b.contactNodes(s), b.o.Mesh.Dim
	for side, list := range b.sides {
		for _, f := range list {
			x := &b.hybrid.facets[f]
			for a, i := range x.nodes[:d] {
				pressure := z.normal[at[side][i]] / b.share[side][i]
				for k, j := range x.nodes[:d] {
					sum += x.area * facetMass(d, a, k) * pressure * s.Contact[at[side][j]].Gap
				}
			}
		}
	}
	return sum
}

// fits reports whether the same nodes are in contact.
func (z *adjoint) fits(s *BoundState) bool {
	for i := range s.Contact {
		if n := &s.Contact[i]; z.closed[i] != (n.Gap == 0) || z.bears[i] != n.bears() {
			return false
		}
	}
	return true
}

// bears reports whether the adjoint may have a force at the node.
func (n *BoundNode) bears() bool { return n.Gap == 0 && n.Normal > 0 }

// ratio is the least K.
func (z *adjoint) ratio(q *Quantity, s *BoundState, d int) (k float64) {
	for i := range s.Contact {
		switch n := &s.Contact[i]; {
		case n.Gap > 0:
			k = max(k, math.Abs(along(d, &n.Axis, z.u, n.Node)-q.along(n.Side))/n.Gap)
		case n.Normal > 0:
			k = max(k, math.Abs(z.normal[i])/n.Normal)
		}
	}
	return k
}

// along is the component of a vector of a node along an axis.
func along(d int, axis *[3]float64, u []float64, i int) (sum float64) {
	for c := range d {
		sum += axis[c] * u[d*i+c]
	}
	return sum
}

// adjoint solves for that of a quantity.
func (b *Bound) adjoint(ctx context.Context, q *Quantity, s *BoundState) (z *adjoint, err error) {
	m := b.o.Mesh
	d, n := m.Dim, len(s.Contact)
	z = &adjoint{closed: make([]bool, n), bears: make([]bool, n), normal: make([]float64, n),
		u: make([]float64, len(m.X)), load: make([]float64, len(m.X))}
	tractions := make([]float64, len(b.hybrid.held))
	if len(q.Mean.Elem) > 0 {
		if err := b.mean(tractions, z.load, q); err != nil {
			return nil, err
		}
	}
	for i := range s.Contact {
		z.closed[i], z.bears[i] = s.Contact[i].Gap == 0, s.Contact[i].bears()
	}
	at, err := b.given(q, s)
	if err != nil {
		return nil, err
	}
	if err := solveFixed(ctx, b.stiffness, d, z.u, z.load, at); err != nil {
		return nil, err
	}
	b.bear(tractions, z, s)
	moments, err := b.hybrid.moments(tractions, b.ofFacets(z.u), &[3]float64{})
	if err != nil {
		return nil, err
	}
	of := &ErrorBound{Elements: make([]float64, m.NumElems())}
	b.elements(of, moments, &BoundState{U: z.u})
	z.own, z.off = of.own, of.off
	for _, part := range of.Elements {
		z.square += part
	}
	return z, nil
}

// given is what is given of the displacement of the adjoint, by nodes.
func (b *Bound) given(q *Quantity, s *BoundState) (map[int]*fixing, error) {
	d, at := b.o.Mesh.Dim, map[int]*fixing{}
	hold := func(node int, axis vec3.Vec, value float64) error {
		if at[node] == nil {
			at[node] = &fixing{}
		}
		if !at[node].add(axis, value) {
			return fmt.Errorf("fem: node %d is held in two ways", node)
		}
		return nil
	}
	for _, i := range b.o.Held {
		value := 0.0
		if slices.Contains(q.Support, i) {
			value = -1
		}
		if err := hold(i/d, unitVector(i%d), value); err != nil {
			return nil, err
		}
	}
	for i := range s.Contact {
		if n := &s.Contact[i]; n.Gap == 0 {
			if err := hold(n.Node, n.Axis, q.along(n.Side)); err != nil {
				return nil, err
			}
		}
	}
	return at, nil
}

// bear finds the forces of the adjoint at contact nodes, and adds their tractions to the moments.
func (b *Bound) bear(moments []float64, z *adjoint, s *BoundState) {
	force, d := make([]float64, len(z.u)), b.o.Mesh.Dim
	b.stiffness.MulVec(force, z.u)
	for i := range force {
		force[i] -= z.load[i]
	}
	for i := range s.Contact {
		if z.bears[i] {
			z.normal[i] = along(d, &s.Contact[i].Axis, force, s.Contact[i].Node)
		}
	}
	nodes := b.contactNodes(s)
	for side, list := range b.sides {
		for _, f := range list {
			b.press(moments, f, func(i int) *[3]float64 {
				k := nodes[side][i]
				t := vec3.Scale(s.Contact[k].Axis, z.normal[k]/b.share[side][i])
				return &t
			})
		}
	}
}

// mean adds the traction of a mean displacement to moments and nodal loads.
func (b *Bound) mean(moments, load []float64, q *Quantity) error {
	list, err := b.hybrid.facetsOf(q.Mean)
	if err != nil {
		return err
	}
	area := 0.0
	for _, f := range list {
		area += b.hybrid.facets[f].area
	}
	t := vec3.Scale(unitVector(q.Axis), 1/area)
	for _, f := range list {
		b.press(moments, f, func(int) *[3]float64 { return &t })
	}
	return Traction(load, b.o.Mesh, b.o.Material, q.Mean, t[:b.o.Mesh.Dim])
}

// loads are the nodal loads of a state.
func (b *Bound) loads(s *BoundState) ([]float64, error) {
	m := b.o.Mesh
	load := make([]float64, len(m.X))
	BodyForce(load, m, b.o.Material, s.BodyForce[:m.Dim])
	for k, g := range b.o.Tractions {
		if err := Traction(load, m, b.o.Material, g, s.Tractions[k][:m.Dim]); err != nil {
			return nil, err
		}
	}
	return load, nil
}
