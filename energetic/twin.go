package energetic

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
)

// twin is the evolution itself in parts of the steps, all particles together: from the same
// start, with thresholds of the ends of the parts and without γ, it makes the steps of the
// scheme, whoever made the polygon. What polygon and twin differ by is what the length of
// the steps does. A turning point between two nodes moves the twin there and back, and what
// it dissipates on the way counts; where a particle begins to slide inside a step, the twin
// begins later than the polygon.
type twin struct {
	stepper *incremental.Stepper // nil: none is made
	psi     *dissipation.Coulomb // which remembers what contacts have slipped until the last point
	// The state at the last point and the forces there, and those at the present one.
	z, grad         []float64
	next, nextGrad  []float64
	motion, between []float64 // of the part, and the state amid it
	// of the state at the last point, where obstacles beside others move
	older  dissipation.Origin
	same   bool      // it is on the polygon; the stepper need not be
	failed string    // why a part was not solved; empty: all were
	points []float64 // ends of the parts of the step
	before []float64 // |offset| of each particle at the node before [m]
}

const (
	// unseen: of an error that grows as the square of the length of each step, the twin
	// makes Σ l² in parts of the lengths l: .423 of it in [gaussTwo], ½ in halves. What it
	// differs by is at least half of the error.
	unseen = 2
	// unseenForce: friction at nodes follows what the last steps did, by errors that need not add
	// up, and grow as l: in the longest part, .577 of a step, .577 of it is left, and .423 = 1/2.4
	// is seen. By 2 one of 1,000 random chains (TestReferee) was certified with friction off by 1.6
	// %.
	unseenForce = 2.4
	// twinConsistency is that of the thresholds of the twin, [incremental.Options]: a
	// ten thousandth of the default accuracy.
	twinConsistency = 1e-6
	// followed: where the polygon leaves less than this part of the forces of an island
	// unbalanced, it is the twin.
	followed = 1e-9
)

// gaussTwo are the points that divide a step, those of Gauss's rule of two points: a crest of
// the loads that is .106 of the step from a node is as far from a point, and is missed by
// both; others are seen.
var gaussTwo = [2]float64{0.5 - 1/math.Sqrt(12), 0.5 + 1/math.Sqrt(12)}

// newTwin makes the stepper of the twin, if there is to be one.
func (c *Certifier) newTwin() error {
	if c.opt.Thinned || c.opt.Walk {
		return nil
	}
	w := &c.twin
	var err error
	if w.stepper, err = incremental.New(c.psi, c.node.T, c.node.Z, w.options(c)); err != nil {
		return err
	}
	vector := func() []float64 { return make([]float64, len(c.node.Z)) }
	w.z, w.grad, w.next, w.nextGrad, w.motion, w.between = vector(), vector(), vector(), vector(), vector(), vector()
	w.before = make([]float64, c.sys.N())
	copy(w.z, c.node.Z)
	copy(w.grad, c.node.Grad)
	w.same, w.psi = true, c.psi.Own()
	return nil
}

// options are those of its steps.
func (w *twin) options(c *Certifier) incremental.Options {
	return incremental.Options{Threshold: incremental.Implicit, Plan: c.opt.Step.Plan, Consistency: twinConsistency}
}

// divide sets the points of the step of length h: its ends are nodes, what cuts it, see cuts,
// and one or two points of its own lie between.
func (c *Certifier) divide(h float64) {
	w := &c.twin
	w.points = w.points[:0]
	if h > 0 {
		if c.opt.Step.Plan != nil && c.opt.Step.Plan.Condenses() {
			w.points = append(w.points, 0.5)
		} else {
			w.points = append(w.points, gaussTwo[:]...)
		}
		for _, t := range c.breaks[1 : len(c.breaks)-1] {
			w.points = append(w.points, (t-c.tPrev)/h)
		}
		slices.Sort(w.points)
		w.points = slices.Compact(w.points)
	}
	w.points = append(w.points, 1)
}

// stepTwin takes the twin to the node, and its differences from the polygon into the
// residuals of the step.
func (c *Certifier) stepTwin(ctx context.Context) {
	w, n := &c.twin, &c.node
	if w.stepper == nil || w.failed != "" {
		return
	}
	h := n.T - c.tPrev
	c.divide(h)
	last := 0.0
	for _, theta := range w.points {
		from, to := c.tPrev+last*h, c.tPrev+theta*h
		if theta == 1 {
			to = n.T
		}
		c.interpolate(theta, to)
		if !(w.same && c.onPolygon(theta-last, to)) {
			for i, g := range n.Grad { // forces that the polygon has in between are near
				w.nextGrad[i] = c.gradPrev[i] + theta*(g-c.gradPrev[i])
			}
			w.stepper.Guess(w.nextGrad)
			if err := c.solveTwin(ctx, from, to); err != nil {
				if _, lost := errors.AsType[*incremental.LossError](err); !lost {
					w.failed = err.Error()
					return
				}
				// The last state that is held: (S) at its node tells that it is.
				w.same = true
				copy(w.next, c.zMid)
				w.psi.System.Gradient(w.nextGrad, nil, to, w.next)
			}
		}
		c.dissipateTwin(from, to)
		near := c.compareTwin(theta, to)
		if len(c.sys.Bent()) > 0 {
			w.older = dissipation.Origin{T: from, Z: append(w.older.Z[:0], w.z...)}
		}
		w.z, w.next = w.next, w.z
		w.grad, w.nextGrad = w.nextGrad, w.grad
		w.psi.Advance(to, w.z)
		last = theta
		if theta == 1 && c.compareFlows(to) && near {
			w.same = true
			copy(w.z, n.Z)
			copy(w.grad, n.Grad)
			w.psi.Remember(n.T, n.Z, n.Slipped)
		}
	}
	for i := range c.between.step {
		p := &c.between.step[i]
		p.Friction = max(p.Friction, finite(math.Sqrt(p.along2)))
	}
}

// solveTwin makes a step of the twin.
func (c *Certifier) solveTwin(ctx context.Context, from, to float64) error {
	w := &c.twin
	if w.same {
		w.stepper.Place(from, w.z, w.psi.Slips(from, w.z))
	}
	w.same = false
	if err := w.stepper.Step(ctx, to); err != nil {
		return err
	}
	copy(w.next, w.stepper.State())
	copy(w.nextGrad, w.stepper.Gradient())
	return nil
}

// onPolygon reports whether the polygon, which is at zMid after part of the step, solves
// this part exactly: then the twin goes with it.
func (c *Certifier) onPolygon(part, t float64) bool {
	if len(c.sys.Bent()) > 0 {
		return false
	}
	w := &c.twin
	copy(w.next, c.zMid)
	w.psi.System.Gradient(w.nextGrad, nil, t, w.next)
	for j := range c.sys.N() {
		k := c.scales.Island[j]
		if c.unbalancedPart(j, t) > max(followed*c.scales.Force[k], 4*c.scales.Rounding[k]) {
			return false
		}
	}
	return true
}

// unbalancedPart returns the force on particle j that neither its obstacle nor friction
// balances, if it moves as the polygon does.
func (c *Certifier) unbalancedPart(j int, t float64) float64 {
	w := &c.twin
	g, v := w.nextGrad[3*j:3*j+3], c.v[3*j:3*j+3]
	if c.sys.Cornered(j) {
		return c.cornerPart(j, t, w.next, w.nextGrad)
	}
	if !c.psi.Touches(t, j, w.next) {
		return math.Sqrt(g[0]*g[0] + g[1]*g[1] + g[2]*g[2])
	}
	pull := max(-g[2], 0)
	sigma := max(g[2], 0) * c.psi.Factor(j, t)
	if c.psi.Matrices[j] == nil {
		return pull + math.Hypot(g[0], g[1])
	}
	if v[0] == 0 && v[1] == 0 {
		a, b := c.psi.Excess(t, j, sigma, w.next, [2]float64{g[0], g[1]})
		return pull + math.Hypot(a, b)
	}
	f := c.psi.Force(t, j, w.next, c.v)
	return pull + math.Hypot(g[0]+sigma*f[0], g[1]+sigma*f[1])
}

// dissipateTwin adds what the twin dissipates in the part, by the trapezoidal rule.
func (c *Certifier) dissipateTwin(from, to float64) {
	w := &c.twin
	for i, x := range w.next {
		w.motion[i] = x - w.z[i]
		w.between[i] = w.z[i] + 0.5*w.motion[i]
	}
	for k := range c.sys.Contacts() {
		if w.psi.Matrices[k] == nil || !w.psi.Touches(from, k, w.z) || !w.psi.Touches(to, k, w.next) {
			continue
		}
		p := &c.between.step[c.between.island[c.sys.ContactParticle(k)]]
		start := dissipation.Origin{T: from, Z: w.z}
		after := w.psi.Pressure(to, k, w.next, w.nextGrad, start) * w.psi.Factor(k, to)
		before := w.psi.Pressure(from, k, w.z, w.grad, w.older) * w.psi.Factor(k, from)
		if w.older.Z == nil && c.sys.Dragged(c.sys.ContactParticle(k)) {
			before = after // nothing has slid yet that says what presses
		}
		pressure := 0.5 * (before + after)
		if c.sys.Bends(c.sys.ContactParticle(k)) {
			a, b := w.psi.Slide(to, k, w.next, start)
			p.Twin += pressure * w.psi.Size(to, k, w.next) * math.Hypot(a, b)
			continue
		}
		p.Twin += pressure * w.psi.Norm(to, k, w.between, w.motion)
	}
}

// compareTwin takes how far the twin is from the polygon, which is at zMid, into account, and
// reports whether that is nothing.
func (c *Certifier) compareTwin(theta, t float64) (near bool) {
	w, node := &c.twin, theta == 1
	near = true
	for j, i := range c.between.island {
		p := &c.between.step[i]
		z, at := w.next[3*j:3*j+3], c.zMid[3*j:3*j+3]
		d := [3]float64{z[0] - at[0], z[1] - at[1], z[2] - at[2]}
		off := math.Sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2])
		if off <= c.sys.Blur(j, w.next) {
			d, off = [3]float64{}, 0
		}
		near = near && off <= followed*c.between.part[i].Compliance*c.scales.Force[c.scales.Island[j]]
		if node {
			off *= unseen
		} else {
			// Who begins to move, stops or changes pace at one time within a step is off its chord by D
			// then, and the twin sees D/2.37 of it at least at one of the points [gaussTwo], d₁ and d₂
			// there having D = d₁ d₂/(.211 (d₁ + d₂)); ½ in halves.
			off *= 2.4
		}
		p.Offset.keep(off, t, j)
		p.Drift = max(p.Drift, finite(off-w.before[j]))
		if !node {
			continue
		}
		w.before[j] = off
		if c.sys.Bends(j) { // of several obstacles: all that they exert
			g, f := c.node.Grad[3*j:3*j+3], w.nextGrad[3*j:3*j+3]
			p.ForceOffset.keep(unseenForce*math.Hypot(math.Hypot(f[0]-g[0], f[1]-g[1]), f[2]-g[2]), t, j)
			p.along2 = max(p.along2, f[0]*f[0]+f[1]*f[1]+f[2]*f[2])
			continue
		}
		if c.sys.Constrained(j) {
			g, f := c.node.Grad[3*j:3*j+3], w.nextGrad[3*j:3*j+3]
			p.ForceOffset.keep(unseenForce*math.Hypot(f[0]-g[0], f[1]-g[1]), t, j)
			p.along2 = max(p.along2, f[0]*f[0]+f[1]*f[1])
		}
	}
	return near
}

// twinCheckpoint is what the rest of a twin depends on.
type twinCheckpoint struct {
	Step   incremental.Checkpoint `json:"step"`
	Z      []float64              `json:"z"`
	Before []float64              `json:"before"`
	TOlder float64                `json:"t_older,omitempty"`
	Older  []float64              `json:"older,omitempty"` // the state before, where it matters
	Same   bool                   `json:"same"`
	Failed string                 `json:"failed,omitempty"`
	// Slipped is how far contacts have slipped until the last point, where friction remembers that.
	Slipped []float64 `json:"slipped,omitempty"`
}

// save stores the twin, at a node of the time t.
func (w *twin) save(dst *twinCheckpoint, t float64) {
	if w.stepper == nil {
		return
	}
	w.stepper.Save(&dst.Step)
	dst.Z, dst.Before = append(dst.Z[:0], w.z...), append(dst.Before[:0], w.before...)
	dst.TOlder, dst.Older = w.older.T, append(dst.Older[:0], w.older.Z...)
	if w.older.Z == nil {
		dst.Older = nil
	}
	dst.Same, dst.Failed, dst.Slipped = w.same, w.failed, w.psi.Slips(t, w.z)
}

// loadTwin continues from a twin that was saved.
func (c *Certifier) loadTwin(src *twinCheckpoint) error {
	w := &c.twin
	if w.stepper == nil {
		if err := c.newTwin(); err != nil || w.stepper == nil {
			return err
		}
	}
	if err := w.stepper.Load(&src.Step); err != nil {
		return err
	}
	copy(w.z, src.Z)
	copy(w.before, src.Before)
	w.older = dissipation.Origin{T: src.TOlder, Z: src.Older}
	w.same, w.failed = src.Same, src.Failed
	w.psi.Remember(c.node.T, w.z, src.Slipped)
	w.psi.System.Gradient(w.grad, nil, c.node.T, w.z)
	return nil
}
