package elastic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// What faces what where bodies meet is that of the start. At the present places other weights w' and gaps g' hold, and
// with the reactions r_s
//
//	δF_m = −Σ_s (w'_sm − w_sm) r_s   is the force that node m of the other side lacks,
//	δg_s = g'_s                       is the gap that node s should close, if it presses or g'_s < 0.
//
// The displacements δ that both cause, with contacts that press kept closed and those that stick kept stuck, are compared
// with those u of F_m = −Σ_s w_sm r_s, as the model energetic does (docs/decisions/0032), under forces that last for the
// run, of T:
//
//	lag = (δᵀKδ / uᵀKu)^½,   K = A + 4/T² M_*.
//
// Where a pair bears no force, a node that is inside the other side by now, whether it faced it at the start or not, has
// missed an impact. The scheme may miss it by a step: the node is inside by −g'_s/|n'·Δu'_s| steps, with the way Δu'_s of
// the last step from what is opposite now.

// Lag is what bodies that have moved against each other make of displacements.
type Lag struct {
	Share  float64 // lag [-]
	Missed float64 // largest number of steps by which a node is inside, of pairs that bear no force [-]
	Turned float64 // Σ p sin of the angle between the present normals and those of the start, where there is friction [N]
}

// Lag estimates it for the present state. It fails if the sides do not face each other any more.
func (s *Stepper) Lag(ctx context.Context) (x Lag, err error) {
	a, u := s.a, s.Displacement(nil)
	moved := *a.model.Mesh
	moved.X = append([]float64(nil), moved.X...)
	for i, v := range u {
		moved.X[i] += v
	}
	held := make([]bool, len(u))
	for _, i := range a.split.Fixed {
		held[i] = true
	}
	imposed, forces, change := make([]float64, len(u)), make([]float64, len(u)), make([]float64, len(u))
	states := s.Contacts(nil)
	for k := range a.model.Meetings {
		m := &a.model.Meetings[k]
		if m.Tied {
			continue
		}
		nodes, err := fem.Mortar(fem.Side{Mesh: &moved, Group: m.Sides[0], Held: m.Held}, fem.Side{Mesh: &moved, Group: m.Sides[1]},
			a.model.Material.Kinematics)
		loose := !slices.ContainsFunc(states[m.First:m.First+len(m.Nodes)], func(c Contact) bool { return c != Open })
		if loose && errors.Is(err, fem.ErrApart) {
			continue // what has flown by touches nothing
		}
		if err != nil {
			return x, err
		}
		if loose {
			x.Missed = max(x.Missed, s.missed(nodes, &moved))
			continue
		}
		present := map[int]*fem.MortarNode{}
		for i := range nodes {
			present[nodes[i].Node] = &nodes[i]
		}
		for i := range m.Nodes {
			old, c := &m.Nodes[i], m.First+i
			n, now, r := a.normal[c], present[old.Node], s.force(c)
			a.spread(forces, old, r, 1)
			a.spread(change, old, r, -1)
			pressed := states[c] != Open
			for j := n - a.dim + 1; j <= n; j++ {
				held[j] = pressed && (j == n || states[c] == Stick && a.model.mu(c) > 0)
			}
			if now == nil {
				continue
			}
			a.spread(change, now, r, 1)
			if a.model.mu(c) > 0 {
				x.Turned += s.Reactions(c)[0] * vec3.Norm(vec3.Cross(now.Frame[a.dim-1], old.Frame[a.dim-1]))
			}
			gap := s.now.U[n] + a.gap[c] + vec3.Dot(now.Across, now.Apart(&moved, &moved)) - vec3.Dot(old.Across, old.Apart(&moved, &moved))
			if pressed || gap < 0 {
				held[n], imposed[n] = true, -gap
			}
		}
	}
	x.Share, err = s.lagOf(ctx, held, forces, change, imposed)
	return x, err
}

// missed is the largest number of steps by which one of the nodes is inside what it faces in a mesh at the present places.
func (s *Stepper) missed(nodes []fem.MortarNode, moved *fem.Mesh) (most float64) {
	ways := *moved
	ways.X = slices.Clone(s.now.U)
	for i, u := range s.prev.U {
		ways.X[i] -= u
	}
	s.a.toGlobal(ways.X)
	rounding := 1e-9 * infNorm(s.now.U) // so far contact problems may leave nodes inside, see the audit of files
	for i := range nodes {
		n := &nodes[i]
		way := math.Abs(vec3.Dot(n.Across, n.Apart(&ways, &ways)))
		if depth := -n.Gap - rounding; depth > 0 {
			most = max(most, min(depth/way, math.MaxFloat64))
		}
	}
	return most
}

// force is the reaction of contact k in global axes [N].
func (s *Stepper) force(k int) (f [3]float64) {
	r, frame := s.Reactions(k), &s.a.model.Contacts[k].Frame
	for c := range s.a.dim { // tangents follow the normal in r
		f = vec3.Add(f, r[(c+1)%s.a.dim], frame[c])
	}
	return f
}

// spread adds −f w_m to the nodes that a node faces.
func (a *assembly) spread(dst []float64, n *fem.MortarNode, force [3]float64, f float64) {
	for i, m := range n.Masters {
		for c := range a.dim {
			dst[a.dim*m+c] -= f * n.Weights[i] * force[c]
		}
	}
}

// lagOf is (δᵀKδ/uᵀKu)^½.
func (s *Stepper) lagOf(ctx context.Context, held []bool, forces, change, imposed []float64) (float64, error) {
	if infNorm(forces) == 0 {
		return 0, nil
	}
	span := s.opt.Until
	if span == 0 {
		span = s.now.T
	}
	k := combine(1, s.a.stiffness, 4/(span*span), s.a.mass)
	solver, err := factor.Held(ctx, k, held)
	if err != nil {
		return 0, err
	}
	norm := func(load, imposed []float64) float64 {
		d, push := make([]float64, k.N), make([]float64, k.N)
		k.MulVec(push, imposed)
		s.a.toLocalForces(load)
		for i := range d {
			if d[i] = load[i] - push[i]; held[i] {
				d[i] = imposed[i]
			}
		}
		solver.Solve(d, d)
		k.MulVec(push, d)
		return math.Sqrt(max(0, dot(push, d)))
	}
	whole := norm(forces, make([]float64, k.N))
	if whole == 0 {
		return 0, nil
	}
	lag := norm(change, imposed) / whole
	if math.IsNaN(lag) || math.IsInf(lag, 0) {
		return 0, fmt.Errorf("the ratio of displacements is %g", lag)
	}
	return lag, nil
}
