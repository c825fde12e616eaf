package assembly

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/quasistatic/quasistatic/assembly/conic"
)

// A Margin is a number between a bound that is shown from below and one from above.
type Margin struct {
	Value float64 // of the associated program: above it no forces balance the loads
	// Proof of Value: by the motion of the program at a load larger by a share of 1e-7.
	Proof *FallProof
	// Lower is a load factor at which the assembly stands by whatever forces; 0 if none was shown.
	Lower float64
	// History is the factor up to which one history was found, of loads that grow with joints that give a little, see EvolveLoads: that one
	// holds so much; another may hold less. 0 where that was not looked for, or was not found.
	History float64
	// Least is the factor below which no forces balance: 0 where the dead loads alone are held, as at all factors up to Value then, since
	// those that are held are convex.
	Least     float64
	Unbounded bool
	Gradient  *Gradient // of Value; nil where it is unbounded
}

// Exact reports whether the bounds meet to 1e-6.
func (m *Margin) Exact() bool { return !m.Unbounded && m.Value-m.Lower <= 1.001e-6*(1+m.Value) }

// LoadFactor finds how much of the live loads the assembly holds, within the time for its lower bound.
func LoadFactor(ctx context.Context, a *Assembly, limit time.Duration) (*Margin, error) {
	s := newStatics(a)
	if largest(s.live) == 0 {
		return nil, fmt.Errorf("no load is live: there is nothing that a factor multiplies")
	}
	r, err := s.most(ctx, s.dead, s.live)
	if err != nil {
		return nil, err
	}
	switch r.Status {
	case conic.Infeasible:
		return nil, fmt.Errorf("it falls at any factor")
	case conic.Undecided:
		return nil, fmt.Errorf("the load factor is not found: residual %.2g", r.Residual)
	}
	least, err := s.leastFactor(ctx)
	switch {
	case err != nil:
		return nil, err
	case r.Status == conic.Unbounded:
		return &Margin{Value: math.Inf(1), Least: least, Unbounded: true}, nil
	}
	m := &Margin{Value: -r.Bound, Least: least, Gradient: s.gradient(r.Y, s.reactions(r.X, own),
		add([3]float64{}, a.Gravity, 1/norm(a.Gravity)), -r.Bound, 1)}
	motion := make([]float64, s.nv)
	for i, y := range r.Y {
		motion[i] = -y
	}
	above := s.total(m.Value + 1e-7*(1+m.Value))
	proof := s.proveFall(above, motion)
	if !proof.Exact {
		strict, err := s.strictMotion(ctx, above)
		if err != nil {
			return nil, err
		}
		if p := s.proveFall(above, strict); strict != nil && p.Exact {
			proof = p
		}
	}
	m.Proof = &proof
	until := time.Now().Add(limit)
	if limit > 0 && least == 0 {
		below := m.Value - 1e-7*(1+m.Value) // as far as the proof is above: forces that balance are found there
		h, err := EvolveLoads(ctx, a, below, &HistoryOptions{Steps: 32, Until: time.Now().Add(limit / 2)})
		if err != nil {
			return nil, err
		}
		if last := &h.Stages[len(h.Stages)-1]; last.factor > 0 {
			m.History = last.Share * below
		}
	}
	for _, share := range []float64{1e-6, 1e-3, 1e-2, .05, .1, .2, .3, .5} { // steps from above that a reader can use
		left := time.Until(until)
		if left <= 0 {
			break
		}
		lower := m.Value*(1-share) - 1e-6*share
		v, err := s.judge(ctx, s.total(lower), left/2)
		if err != nil {
			return nil, err
		}
		if v.Word == Stands {
			m.Lower = lower
			break
		}
	}
	return m, nil
}

// leastFactor is min λ ≥ 0 with H r + dead + λ live = 0.
func (s *statics) leastFactor(ctx context.Context) (float64, error) {
	if held, err := s.balances(ctx, s.dead); held || err != nil {
		return 0, err
	}
	p := s.program(s.dead, own)
	s.appendDense(p, s.live, 1, 1)
	r, err := conic.Solve(ctx, p, nil)
	if err == nil && r.Status != conic.Optimal {
		err = fmt.Errorf("the least load factor is not found: residual %.2g", r.Residual)
	}
	if err != nil || r.Bound < 1e-8 { // what programs are solved to
		return 0, err
	}
	return r.Bound, nil
}

// most is max λ ≥ 0 with H r + dead + λ live = 0.
func (s *statics) most(ctx context.Context, dead, live []float64) (*conic.Result, error) {
	p := s.program(dead, own)
	s.appendDense(p, live, 1, -1)
	return conic.Solve(ctx, p, nil)
}

// appendDense adds a column of values to the rows of blocks.
func (s *statics) appendDense(p *conic.Problem, values []float64, cone int, cost float64) {
	rows := make([]int, s.nv)
	for i := range rows {
		rows[i] = i
	}
	p.A.Column(rows, values)
	p.C = append(p.C, cost)
	if cone > 0 {
		p.Cones = append(p.Cones, cone)
	}
}

// weights is f of gravity in a direction of unit size, as strong as it is.
func (s *statics) weights(direction [3]float64) []float64 {
	f := make([]float64, s.nv)
	g := norm(s.a.Gravity)
	for i := range s.a.Blocks {
		if b := &s.a.Blocks[i]; !b.Support {
			s.press(f, i, b.Centroid, add([3]float64{}, direction, b.Mass()*g/s.force))
		}
	}
	return f
}

// A Range is what the force on a block from its interfaces can be along an axis, over all forces that balance the loads [N].
type Range struct {
	Least, Most     float64   // infinite where nothing bounds it
	AtLeast, AtMost *Gradient // of each; nil where it is infinite
}

// ReactionRange finds the least and the largest component along a direction of the force that a block gets from its interfaces.
func ReactionRange(ctx context.Context, a *Assembly, block int, direction [3]float64) (*Range, error) {
	s := newStatics(a)
	p := s.program(s.total(1), own)
	cost, fixed := s.reactionCost(block, direction)
	var ends [2]float64
	var gradients [2]*Gradient
	for k, sign := range []float64{1, -1} {
		for i, v := range cost {
			p.C[i] = sign * v
		}
		r, err := conic.Solve(ctx, p, nil)
		if err != nil {
			return nil, err
		}
		switch r.Status {
		case conic.Optimal:
			ends[k] = sign*r.Bound*s.force + fixed
			// dv = −y·(df + dH r) + dc·r of the least, in parts of the loads
			g := s.gradient(r.Y, s.reactions(r.X, own), add([3]float64{}, a.Gravity, 1/norm(a.Gravity)), 1, -sign/s.force)
			g.work.block, g.work.axis = block, direction
			gradients[k] = g.work.gradient()
		case conic.Unbounded:
			ends[k] = math.Inf(-int(sign))
		case conic.Infeasible:
			return nil, fmt.Errorf("no forces balance the loads")
		default:
			return nil, fmt.Errorf("the range is not found: residual %.2g", r.Residual)
		}
	}
	return &Range{ends[0], ends[1], gradients[0], gradients[1]}, nil
}

// reactionCost has the force on a block along a direction by the variables of program, and what the tensions take of it [N].
func (s *statics) reactionCost(block int, direction [3]float64) (cost []float64, fixed float64) {
	for j := range s.contacts {
		c := &s.contacts[j]
		face := &s.a.Interfaces[c.face]
		side := 0.
		switch block {
		case face.A:
			side = -1
		case face.B:
			side = 1
		}
		width := 1
		if c.mu > 0 {
			width = s.dim
		}
		for e := range width {
			v := side * dot(c.frame[e], direction)
			if e == 0 {
				fixed -= v * face.Tension
				if c.mu > 0 {
					v /= c.mu
				}
			}
			cost = append(cost, v)
		}
	}
	return cost, fixed
}
