package rigid

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
)

// Portion is what one part of the scheme has made and lost of the energy since the
// start, each summed over the steps apart [J].
type Portion struct {
	Made, Lost float64
	Most       float64 // made in one step …
	MostAt     float64 // … that ends then [s]
}

// Portions of the energy that no force accounts for.
const (
	byProjection = iota
	byJoints
	byContacts
	byStep
	byCollisions
	portionsCount
)

var portionNames = [portionsCount]string{"projections", "joints", "contact forces", "the step length", "collisions"}

// Worth is what the verdict knows of the run, see [Stepper.Accurate].
type Worth struct {
	Made                 dynamics.Creation
	Portions             [portionsCount]Portion
	Potential            float64 // at the start [J]
	Residual, Depth, Gap float64 // merit; −Φ after a step, |Θ| after a step
	DepthAt, GapAt       float64 // when [s]
	Cuts                 int
	FirstCut             string
	Ambiguous            int // collisions whose outcome is that of the law of impact
}

func (s *Stepper) openWorth() {
	s.worth = Worth{Potential: s.ledger.Potential}
	s.worth.Made.Begin(s.ledger.Kinetic + s.elastic())
}

// judge takes the step that has changed the ledger from before, of length h.
func (s *Stepper) judge(before *Energy, h float64) {
	e, w, t := &s.ledger, &s.worth, s.t
	hits := 0.0
	for i := range s.step.Collisions {
		hits += min(0, s.step.Collisions[i].Loss)
		if s.step.Collisions[i].Ambiguous {
			w.Ambiguous++
		}
	}
	lost := [portionsCount]float64{e.Projection - before.Projection, e.Joints - before.Joints, e.Normal - before.Normal, e.Scheme - before.Scheme, hits}
	if s.o.Grid == GapGrid || s.step.Painleve > 0 { // inelastic impacts are in the steps
		lost[byContacts] = min(0, lost[byContacts])
	}
	made := e.Residual - before.Residual
	for i, x := range lost {
		p := &w.Portions[i]
		made -= x
		p.Made, p.Lost = p.Made+max(0, -x), p.Lost+max(0, x)
		if -x > p.Most {
			p.Most, p.MostAt = -x, t
		}
	}
	w.Made.Rest = max(w.Made.Rest, s.restEnergy(h))
	w.Made.Add(t, made, e.Loads+w.Potential-e.Potential)
	w.Residual = max(w.Residual, s.step.Residual)
	if w.Cuts == 0 && len(s.step.Cuts) > 0 {
		w.FirstCut = fmt.Sprintf("t = %.6g s, %s", s.step.Cuts[0].T, s.step.Cuts[0].Reason)
	}
	w.Cuts += len(s.step.Cuts)
	if s.step.Penetration > w.Depth {
		w.Depth, w.DepthAt = s.step.Penetration, t
	}
	if s.step.Drift > w.Gap {
		w.Gap, w.GapAt = s.step.Drift, t
	}
}

// restShare: the work that projections and contact problems, solved to 1e-8, leave under a
// body of 1e8 kg on one of 1 kg is below accuracy times this share of its e.
const restShare = 1e-2

// restEnergy is the least energy that loads and gravity give to a body at rest in a step:
// a heavy one that stands still does not hide what a light one gains or loses. It is at
// least restShare of the sum over the bodies.
func (s *Stepper) restEnergy(h float64) float64 {
	g, least, total := s.model.World.Gravity(), 0.0, 0.0
	for i := range s.model.body {
		p, energy := &s.model.body[i], 0.0
		for k := range p.n {
			m, f := s.model.inertia(p, k), s.loads[p.v+k]
			if k < s.model.dim {
				f += h * m * g[k]
			}
			energy += 0.5 * f * f / m
		}
		total += energy
		if energy > 0 && (least == 0 || energy < least) {
			least = energy
		}
	}
	return max(least, restShare*total)
}

// Creation returns the energy that the scheme has made or destroyed since the
// start: all of the ledger but friction, the inelastic part of collisions and
// loads. On the gap grid, and in configurations of Painlevé, inelastic impacts are
// part of the steps, so that what contact forces destroy is theirs and only what
// they make counts.
func (s *Stepper) Creation() dynamics.Creation { return s.worth.Made }

// solvedDepth is the limit on penetration and on joints apart: the projection goes
// to 1e-10, and a start of typed digits may have more.
const solvedDepth = 1e-8

// Solved says whether each step was solved: its contact problems, the joints, the
// gaps.
func (s *Stepper) Solved() []dynamics.Measure {
	w := &s.worth
	list := []dynamics.Measure{{Name: "residual of contact problems, of their forces", Value: w.Residual, Limit: s.o.Accept, Unit: "-", Basis: dynamics.Computed}}
	if s.o.Unstabilised {
		return list
	}
	for _, x := range []struct {
		name      string
		value, at float64
		unit      string
	}{{"joints apart", w.Gap, w.GapAt, "m, rad"}, {"penetration", w.Depth, w.DepthAt, "m"}} {
		m := dynamics.Measure{Name: x.name, Value: x.value, Limit: solvedDepth, Unit: x.unit, Basis: dynamics.Computed, Place: fmt.Sprintf("t = %.6g s", x.at)}
		if !m.Passed() {
			m.Remedy = "a smaller step; at the start: places where bodies do not overlap, or \"settle\""
		}
		list = append(list, m)
	}
	return list
}

// Accurate says whether the energy is kept: what all parts of the scheme make or
// destroy together, see [dynamics.Creation], and what each of them makes, against
// what moves, is at most accuracy.
func (s *Stepper) Accurate(accuracy float64) []dynamics.Measure {
	w := &s.worth
	instead := ""
	if w.Portions[byCollisions].Made > 0.5*w.Made.Most {
		instead = otherLaw
	}
	list := w.Made.Measures(accuracy, s.step.Index, instead)
	scale := w.Made.Scale()
	for i := range w.Portions {
		if i == byStep { // sways with bodies that rise and fall; its sum counts, above
			continue
		}
		p := &w.Portions[i]
		m := dynamics.Measure{Name: "energy made by " + portionNames[i], Limit: accuracy, Unit: "-", Basis: dynamics.Computed,
			Place: fmt.Sprintf("%.3g J, most of it %.3g J at t = %.6g s; destroyed %.3g J", p.Made, p.Most, p.MostAt, p.Lost)}
		if p.Made > 0 {
			m.Value = min(p.Made/scale, math.MaxFloat64)
		}
		if !m.Passed() {
			m.Remedy = "shorter steps"
			if i == byCollisions {
				m.Remedy = otherLaw
			}
		}
		list = append(list, m)
	}
	return list
}

// Cuts returns how many parts of steps failed since the start and were done again
// in halves, and why the first did.
func (s *Stepper) Cuts() (n int, first string) { return s.worth.Cuts, s.worth.FirstCut }

const otherLaw = "another law of impact: moreau, poisson or sequential, which never gain"

// NotEstimated lists what no number of the verdict says anything of, nor the steps of
// [dynamics.Adaptive].
func (s *Stepper) NotEstimated() []string {
	var list []string
	if n := s.worth.Ambiguous; n > 0 {
		list = append(list, fmt.Sprintf("%d collisions in which several contacts rebound at once: each law of impact has another outcome", n))
	}
	return list
}
