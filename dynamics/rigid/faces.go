package rigid

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// What strikes many bodies that lie on each other with their faces, a ball a wall of bricks, leaves
// problems that no method solves in a second: the weight has no part in an impact, most impulses
// are small, none is unique, and contacts neither slip nor stick, neither open nor close. Merits
// are then the roots of what interior points leave; proximal points, whose W is regular, go along
// its kernel by as much in each round, for ever; all end between 1e-8 and 1e-5. Halves of the step
// have the same impact. So the best of these impulses are taken, where there would be a cut, if
// they are right by limits as of bodies that tumble, looseFair,
//
//	e_i <= facesMost gh,  r_i ∈ K_i,  h u_N >= −Φ,  Σ (r_N u_N)₊ + (r_T·u_T)₊ <= power Σ (−r_T·u_T)₊ + trifle,
//
// with a unit that does not depend on how the step is cut, and a share of their own: e_i moves no
// point by more than facesMost gh².
//
// Where what closes collides, the speeds of corners that such impulses leave would be collisions,
// hundreds of them, each a problem of all bodies. What is left of a step is then taken on the gap
// grid, with α = 1: what closes is part of it, takes energy and gives none.
const (
	// facesMost gh bounds e_i. Of a wall of 8 by 6 bricks that a ball of 4 m/s strikes, h = 2 ms,
	// the interior point leaves .012 to .02 of gh in one problem of ten, and .06 in the worst: with
	// .01 a step in ten was cut, and took 3 s.
	facesMost = 5e-2
	// facesEager of the limits do for the stages of a step in which there was such a problem
	// before: its rounds need no more digits than it has.
	facesEager = 0.1
)

// concedes reports whether a model may have such steps: bodies with faces, in space, without joints
// and rebound, on exact cones, that have a weight.
func (s *solution) concedes() bool {
	return s.model.Dim == 3 && s.o.Friction == ExactCone && !s.o.Unstabilised && len(s.model.Rows) == 0 && s.model.Restitution() == 0 && s.model.World.Gravity() != (vec{}) &&
		slices.ContainsFunc(s.model.Bodies, func(p multibody.Place) bool { return !p.Ball && !p.Curved })
}

// openFair says of the problem of an island whether its impulses may be conceded, and sets its
// limits.
func (s *solution) openFair(p *solver, members []int) {
	p.fair = p.redundant() && p.unit == 0 && !p.calm && len(members) >= fewContacts && s.concedes()
	p.eager = p.fair && s.step.Loose.Solves > 0
	if !p.fair {
		return
	}
	p.units = p.units[:0]
	for range members {
		p.units = append(p.units, vec3.Norm(s.model.World.Gravity())*s.step.H)
	}
}

// keepNear keeps the result of a stage that is nearer than those before.
func (p *solver) keepNear() {
	if p.fair && len(p.res.R) == len(p.r) && p.res.Merit < p.nearest {
		p.nearest, p.near = p.res.Merit, append(p.near[:0], p.res.R...)
	}
}

// concede takes the nearest impulses if they leave no more than a share of the limits.
func (p *solver) concede(ctx context.Context, share float64) bool {
	if !p.fair || !(p.nearest < math.Inf(1)) || ctx.Err() != nil {
		return false
	}
	p.res.R, p.res.Merit = append(p.res.R[:0], p.near...), p.nearest
	p.relax.sufficed = p.relax.sufficed[:0]
	if p.loosen() <= share {
		return true
	}
	p.loose = tumbling{}
	return false
}

// tryFair is tryLast for faces: before the slow ends of the plan the impulses are conceded, and
// where the step may be cut in place of a cut.
func (p *solver) tryFair(ctx context.Context, mayCut bool) error {
	if len(p.list) >= manyContacts && p.concede(ctx, 1) {
		return nil
	}
	err := p.try(ctx, contact.MethodAuto, p.planLimit(true), nil)
	if err == nil || ctx.Err() != nil || beyondMemory(err) {
		return err
	}
	if p.keepNear(); p.concede(ctx, 1) {
		return nil
	}
	if mayCut {
		return err
	}
	return p.tryLast(ctx, mayCut)
}

// trifle is the energy that a merit may leave, that of Options.Accept any other solve, in the units
// of the normalised problem: where all sticks friction takes nothing that could bound what is
// given.
func (p *solver) trifle(r []float64, merit float64) float64 {
	most, sum := 0.0, 0.0
	for _, x := range r {
		most, sum = max(most, math.Abs(x)), sum+math.Abs(x)
	}
	for _, x := range p.b {
		most = max(most, math.Abs(x))
	}
	return merit * most * sum
}
