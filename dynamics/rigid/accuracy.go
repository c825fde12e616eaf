package rigid

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// Creation returns the energy that the scheme has made or destroyed since the start, of all bodies
// together: all of the ledger but friction, the inelastic part of collisions and loads, and what
// springs do beyond their energy and their dampers.
func (s *Stepper) Creation() dynamics.Creation { return s.worth.Made.Whole }

// Creations returns it island by island; it belongs to the stepper.
func (s *Stepper) Creations() *dynamics.Creations { return &s.worth.Made }

// Solved says whether each step was solved: its contact problems, the joints, the gaps.
func (s *Stepper) Solved() []dynamics.Measure {
	w := &s.worth
	list := []dynamics.Measure{{Name: "residual of contact problems, of their forces", Value: w.Residual,
		Limit: s.o.Accept, Unit: "-", Basis: dynamics.Computed}}
	if s.slip.on {
		list = append(list, w.unique())
	}
	if s.o.Unstabilised {
		return list
	}
	if l := &w.Inexact; l.Solves > 0 {
		limit, given := &fewLimits, 0.0
		if l.Many > 0 {
			limit = &manyLimits
		}
		if l.Given > 0 {
			given = min(l.Given/l.Taken, math.MaxFloat64)
		}
		list = append(list, dynamics.Measure{Name: "residual speed of contacts where bodies tumble, of what the forces of a step give",
			Value: l.Share, Limit: limit.most, Unit: "-", Basis: dynamics.Computed,
			Place: fmt.Sprintf("%d contact problems, %.3g m/s or less, t = %.6g s", l.Solves, l.Speed, w.InexactAt)},
			dynamics.Measure{Name: "energy that contacts gave there, of what friction took", Value: given,
				Limit: limit.power, Unit: "-", Basis: dynamics.Computed,
				Place: fmt.Sprintf("%.3g J of %.3g J, in all", l.Given, l.Taken)})
	}
	for _, x := range []struct {
		name      string
		value, at float64
		unit      string
	}{{"joints apart", w.Gap, w.GapAt, "m, rad"}, {"penetration", w.Depth, w.DepthAt, "m"}} {
		m := dynamics.Measure{Name: x.name, Value: x.value, Limit: s.unit * multibody.SolvedGap, Unit: x.unit,
			Basis: dynamics.Computed, Place: fmt.Sprintf("t = %.6g s", x.at)}
		if !m.Passed() {
			m.Remedy = "a smaller step; at the start: places where bodies do not overlap, or \"settle\""
		}
		list = append(list, m)
	}
	return list
}

// Accurate says whether the energy is kept: what all parts of the scheme make or destroy together,
// see [dynamics.Creation], and what each of them makes, against what moves, is at most accuracy in
// each island.
func (s *Stepper) Accurate(accuracy float64) []dynamics.Measure {
	w := &s.worth
	instead, given := "", 0.0
	for i := range w.Portions {
		given += w.Portions[i][byCollisions].Made
	}
	if given > 0.5*w.Made.Whole.Most {
		instead = fewDigits
	}
	list := w.Made.Measures(accuracy, s.step.Index, instead, s.model.Setup.Names)
	if s.broken.taken > accuracy*w.Made.Whole.Scale() { // it would fail alone
		for i := range list {
			if m := &list[i]; m.Steps > 0 {
				m.Remedy, m.Steps = s.broken.remedy(s.model), 0
			}
		}
	}
	for k := range portionsCount {
		if k == byStep { // sways with bodies that rise and fall; its sum counts, above
			continue
		}
		if k == bySprings && len(s.model.Setup.Forces) == 0 {
			continue
		}
		list = append(list, s.portion(k, accuracy))
	}
	if s.o.Pressure == UniformPressure {
		list = append(list, s.facesMissed(accuracy))
	}
	if w.Free != "" {
		list = append(list, dynamics.Measure{Name: freeSubject +
			": corners meet in one place, where the normal of their contact is a choice", Subject: freeSubject, Value: 1,
			Basis: dynamics.NotSaid, Place: w.Free, Remedy: "round ends, a radius of them, or a case that accepts it"})
	}
	return list
}

// unique says whether friction that falls with speed left each step one solution, see [friction].
func (w *Worth) unique() dynamics.Measure {
	m := dynamics.Measure{Name: "fall of friction with speed in a step, h N |dμ/dv| W_TT", Value: w.Weakening, Limit: 1,
		Unit: "-", Basis: dynamics.Computed}
	if w.Weakening > 0 {
		m.Place = fmt.Sprintf("t = %.6g s", w.WeakeningAt)
	}
	if !m.Passed() {
		m.Remedy = fmt.Sprintf("steps below %.3g s: in longer ones several speeds of slip have the friction that leads to them", w.Longest)
	}
	return m
}

// Divisions implements [dynamics.Divided].
func (s *Stepper) Divisions(dst []float64) []float64 {
	for _, c := range s.step.Cuts {
		if c.Halved {
			dst = append(dst, c.T+c.H/2)
		}
	}
	return dst
}

// Cuts returns how many parts of steps failed since the start and were done again in halves, and
// why the first did.
func (s *Stepper) Cuts() (n int, first string) { return s.worth.Cuts, s.worth.FirstCut }

// NotEstimated lists what no number of the verdict says anything of, nor the steps of
// [dynamics.Adaptive].
func (s *Stepper) NotEstimated() []string {
	var list []string
	if n := s.worth.Ambiguous; n > 0 {
		list = append(list, fmt.Sprintf("%s in which several contacts rebound at once: each law of impact has another outcome, see restitution",
			collisions(n)))
	}
	if n := s.worth.Narrow; n > 0 {
		list = append(list, fmt.Sprintf("%s whose outcome hangs on a gap below %.3g m, the least %.3g m: if it is closed several contacts rebound at once, and each law of impact has another outcome",
			collisions(n), s.unit*narrowGap, s.worth.Narrowest))
	}
	return list
}
