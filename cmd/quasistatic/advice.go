package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// tried reports which step failed, how the one before it went, and what may help, the
// likeliest first.
func (p *page) tried(before *stepLine, h float64, advice []string) {
	p.line("tried", "the step from t = %.6g to %.6g s", before.t, before.t+h)
	p.line("before", "%s", before)
	p.change(advice)
}

// change lists what may help.
func (p *page) change(advice []string) {
	for i, text := range advice {
		label := ""
		if i == 0 {
			label = "to change"
		}
		p.line(label, "%s", text)
	}
}

// shorter is the first thing to try.
func shorter(steps int) string { return fmt.Sprintf("shorter steps: \"steps\": %d", 4*steps) }

// suspects names the body that moves fastest and, of the touches, the deepest.
func (p *page) suspects(w *bodies.World, ids, obstacles []string, v []float64, touches []bodies.Touch) {
	fastest, speed := 0, -1.0
	for i := range ids {
		_, at := w.Coordinates(i)
		s := 0.0
		for _, x := range v[at : at+w.Dim()] {
			s = math.Hypot(s, x)
		}
		if !(s <= speed) {
			fastest, speed = i, s
		}
	}
	p.line("fastest", "body %s, at %.4g m/s", ids[fastest], speed)
	deepest := (*bodies.Touch)(nil)
	for i := range touches {
		if t := &touches[i]; deepest == nil || t.Gap < deepest.Gap {
			deepest = t
		}
	}
	if deepest != nil {
		other := obstacles
		if deepest.B >= 0 {
			other = ids
		}
		p.line("deepest", "contact %s/%s, gap %.3g m", ids[deepest.A], other[max(deepest.B, deepest.Floor)], deepest.Gap)
	}
}

// advise says what to do after a failed step of patches.
func (j *motionJob) advise(p *page, _ error) {
	if j.stepper == nil {
		j.adviseBoundary(p)
		return
	}
	x := j.stepper.State()
	p.suspects(j.m.World, j.m.IDs, j.m.Obstacles, x.V, j.m.World.NewToucher(j.apart()).Find(nil, x.Q, 0))
	advice := []string{shorter(j.m.Steps)}
	if j.m.Options.ImplicitForce {
		advice = append(advice, "a smaller \"theta\": 0 damps most")
	}
	if j.m.Compliant() {
		advice = append(advice, "fewer elements, or a larger compliance, of the patches: stiff springs and light bodies make contact problems hard")
	} else {
		advice = append(advice, "patches with springs: rigid ones may have no solution where friction is large")
	}
	p.tried(j.said(), j.m.H(), append(advice, "less friction, and see how far it is from the bound of Lemma 4: quasistatic check "+j.c.File))
}

// apart tells the pairs that the case lets pass through each other.
func (j *motionJob) apart() func(a, b int) bool {
	declared := map[string]bool{}
	for i := range j.m.Contacts {
		declared[j.m.Contacts[i].Name] = true
	}
	return func(a, b int) bool {
		if b < 0 {
			return !declared[j.m.IDs[a]+"/"+j.m.Obstacles[-1-b]]
		}
		return j.m.PairMu == 0 && !declared[j.m.IDs[a]+"/"+j.m.IDs[b]] && !declared[j.m.IDs[b]+"/"+j.m.IDs[a]]
	}
}

// adviseBoundary says what to do where no initial velocity was found.
func (j *motionJob) adviseBoundary(p *page) {
	b := j.summary.Motion.Boundary
	if b == nil {
		return
	}
	p.line("tried", "%s of the whole motion; the best v(0) = %.4g misses a row by %.3g, allowed %.1g", count(b.Integrations, "integration"), b.V0, b.Residual, b.Tolerance)
	advice := []string{"\"boundary\": {\"starts\": [[…], …]}: guesses of v(0) nearer to the motion wanted; friction may let several motions, or none, meet the rows"}
	if !b.Holds {
		advice = append(advice, "rows that the theorem covers, or a shorter \"until\": see what it asks by quasistatic check "+j.c.File)
	}
	p.change(append(advice, shorter(j.m.Steps)))
}

// advise says what to do after a failed step of rigid bodies.
func (j *multibodyJob) advise(p *page, fault error) {
	if j.stepper == nil {
		return
	}
	s := j.stepper.Last()
	_, _, v, _ := j.stepper.State()
	var touches []bodies.Touch
	j.stepper.Contacts(func(x *rigid.Present) { touches = append(touches, *x.Touch) })
	p.suspects(j.m.World, j.m.IDs, j.m.Obstacles, v, touches)
	advice := []string{shorter(j.m.Steps)}
	if zeno, ok := errors.AsType[*rigid.ZenoError](fault); ok {
		p.line("worst", "contact %s, %s in one step", zeno.Contact, count(zeno.Count, "collision"))
		advice = append(advice, "\"restitution\": 0, or a larger \"restitution_speed\", below which impacts do not bounce", "\"grid\": \"gaps\", which looks for no collision times")
	}
	if s.Painleve > 0 {
		advice = append(advice, "\"grid\": \"gaps\": the sliding contacts are in configurations of Painlevé")
	}
	if errors.Is(fault, rigid.ErrIndefinite) {
		advice = append(advice, "\"jacobians\": \"definite\": compressed springs push the matrix of the step out of its range")
	}
	if masses, far := massRange(j.m.World, j.m.IDs); far {
		advice = append(advice, "masses that differ less: "+masses)
	}
	p.tried(j.said(), j.m.H(), advice)
}

// massRange names the lightest and the heaviest body, and says whether their
// masses differ by more than a hundred, from where on contact problems get hard.
func massRange(w *bodies.World, ids []string) (text string, far bool) {
	least, most := 0, 0
	mass := func(i int) float64 { m, _ := w.Inertia(i); return m }
	for i := range ids {
		if mass(i) < mass(least) {
			least = i
		}
		if mass(i) > mass(most) {
			most = i
		}
	}
	return fmt.Sprintf("%s has %.4g kg, %s %.4g kg", ids[least], mass(least), ids[most], mass(most)), mass(most) > 100*mass(least)
}

// advise says what to do after a failed step of an elastic body.
func (j *elasticJob) advise(p *page, _ error) {
	if j.stepper == nil {
		return
	}
	worst, force := -1, 0.0
	for k := range j.m.Model.Contacts {
		if r := j.stepper.Reactions(k)[0]; r > force {
			worst, force = k, r
		}
	}
	if worst >= 0 {
		p.line("worst", "node %d, %s, normal force %.4g N", j.m.Model.Contacts[worst].Node, j.state[worst], force)
	}
	e := j.summary.Elastic
	advice := []string{fmt.Sprintf("%s; the CFL number is %.3g", shorter(j.m.Steps), e.CFL)}
	if j.m.Options.Scheme == elastic.CentralDifference {
		advice = append(advice, "\"scheme\": \"trapezoidal\", which is stable at any step")
	}
	if j.m.Options.Method == elastic.Picard {
		advice = append(advice, fmt.Sprintf("\"method\": \"newton\": the fixed point contracts by %.3g at worst", e.Contraction))
	}
	if e.CriticalMu > 0 {
		advice = append(advice, fmt.Sprintf("less friction: above %.3g a step may have several solutions", e.CriticalMu))
	}
	p.tried(j.said(), j.m.Options.Step, advice)
}
