package rigid

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
)

// Portion is what one part of the scheme has made and lost of the energy of an island since
// the start, each summed over the steps apart [J].
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
	bySprings
	portionsCount
)

var portionNames = [portionsCount]string{"projections", "joints", "contact forces", "the step length", "collisions", "springs"}

// Portions of an island.
type Portions [portionsCount]Portion

// Worth is what the verdict knows of the run, see [Stepper.Accurate].
type Worth struct {
	Made                 dynamics.Creations
	Portions             []Portions // of the islands, by their first bodies
	Shares               Shares
	Residual, Depth, Gap float64 // merit; −Φ after a step, |Θ| after a step
	Loose                Loose
	LooseAt              float64 // when a residual of a contact was largest [s]
	DepthAt, GapAt       float64 // when [s]
	Cuts                 int
	FirstCut             string
	Ambiguous            int     // collisions whose outcome is that of the law of impact
	Narrow               int     // collisions whose outcome hangs on a narrow gap, …
	Narrowest            float64 // … the least of them [m]
	Free                 string  // the first contact with a force whose normal is a choice, see [bodies.Touch.Free]
}

// copied returns a copy of w in the memory of x.
func (w *Worth) copied(x Worth) Worth {
	made, portions, shares := x.Made, x.Portions, x.Shares
	made.Set(&w.Made)
	shares.set(&w.Shares)
	portions = append(portions[:0], w.Portions...)
	x = *w
	x.Made, x.Portions, x.Shares = made, portions, shares
	return x
}

// fits reports that w is that of a model with so many bodies and forces.
func (w *Worth) fits(bodies, forces int) bool {
	x := &w.Shares
	for _, l := range x.all() {
		if len(*l) != bodies {
			return false
		}
	}
	return len(w.Made.Root) == bodies && len(w.Portions) == bodies && len(x.Energy) == bodies && len(x.Potential) == bodies && len(x.Elastic) == forces
}

func (s *Stepper) openWorth() {
	n := len(s.model.body)
	s.worth = Worth{Portions: make([]Portions, n)}
	x := &s.worth.Shares
	x.open(n, len(s.model.setup.Forces))
	kinetic, stored, motion := make([]float64, n), make([]float64, n), make([]dynamics.Momentum, n)
	for i := range kinetic {
		kinetic[i], motion[i] = s.kineticOf(i, s.v), s.momentumOf(i, s.v)
	}
	for i, f := range s.model.setup.Forces {
		x.Elastic[i] = f.Energy(&s.snap)
		stored[s.model.first(f)] += x.Elastic[i]
	}
	s.worth.Made.Begin(kinetic, stored, motion, s.openFrames())
	for c := range s.model.comps {
		list := s.model.comps[c].bodies
		for _, b := range list[1:] {
			s.worth.Made.Link(list[0], b)
		}
	}
	s.tieGround()
	s.presentShares()
}

// presentShares takes the energies of the bodies at the present state, and begins a step.
func (s *Stepper) presentShares() {
	x := &s.worth.Shares
	for i := range s.model.body {
		x.Potential[i] = s.potentialOf(i, s.q)
		x.Energy[i] = s.kineticOf(i, s.v) + x.Potential[i]
	}
	for _, l := range x.all() {
		clear(*l)
	}
}

// judge takes the step that has changed the ledger, of length h.
func (s *Stepper) judge(h float64) {
	w, t := &s.worth, s.t
	for i := range s.step.Collisions {
		c := &s.step.Collisions[i]
		if c.Ambiguous {
			w.Ambiguous++
		}
		if c.Narrow > 0 {
			if w.Narrow++; w.Narrow == 1 || c.Narrow < w.Narrowest {
				w.Narrowest = c.Narrow
			}
		}
	}
	s.shareStep(h)
	w.Residual = max(w.Residual, s.step.Residual)
	if l := &s.step.Loose; l.Solves > 0 {
		if l.Share > w.Loose.Share {
			w.LooseAt = t
		}
		w.Loose.add(l)
	}
	for i := range s.step.Cuts {
		c := &s.step.Cuts[i]
		if c.H == 0 { // nothing failed
			continue
		}
		if w.Cuts == 0 {
			w.FirstCut = fmt.Sprintf("t = %.6g s, %s", c.T, c.Reason)
		}
		w.Cuts++
	}
	if s.step.Penetration > w.Depth {
		w.Depth, w.DepthAt = s.step.Penetration, t
	}
	if s.step.Drift > w.Gap {
		w.Gap, w.GapAt = s.step.Drift, t
	}
}

// shareStep takes the energy that the step has made in each island: what the energies of its
// bodies and springs have gained, friction, dampers and collisions have taken, less the work
// of loads. On the gap grid, in configurations of Painlevé and where the velocity of an obstacle jumps,
// inelastic impacts are part of the steps: what contact forces take is theirs.
func (s *Stepper) shareStep(h float64) {
	w, root := &s.worth, s.worth.Made.Root
	x := &w.Shares
	stored := s.storedNow()
	sums := grow(s.portions, len(root))
	s.portions = sums
	clear(sums)
	for i := range root {
		potential, r := s.potentialOf(i, s.q), root[i]
		kinetic, motion := s.kineticOf(i, s.v), s.momentumOf(i, s.v)
		e := kinetic + potential
		w.Made.Move(i, &motion, kinetic, stored[i])
		made := e - x.Energy[i] - x.Work[i] + x.Friction[i] + x.Taken[i] + x.Springs[i]
		w.Made.Add(i, made, x.Work[i]-x.Pulls[i]+x.Potential[i]-potential, s.restEnergy(i, h))
		w.Made.Take(i, x.Friction[i]+x.Normal[i]+x.Taken[i]-x.Given[i])
		l := &sums[r]
		l[byProjection] += x.Projection[i]
		l[byJoints] += x.Joints[i]
		l[byContacts] += x.Normal[i]
		l[byStep] -= made
		l[byCollisions] -= x.Given[i]
		l[bySprings] -= x.Springs[i]
	}
	inelastic := s.o.Grid == GapGrid || s.gaps || s.step.Painleve > 0 || s.kinked
	for r := range root {
		if root[r] != r {
			continue
		}
		l := &sums[r]
		if taken := max(0, l[byContacts]); inelastic && taken > 0 {
			w.Made.Add(r, taken, 0, 0)
			l[byContacts], l[byStep] = 0, l[byStep]-taken
		}
		l[byStep] -= l[byProjection] + l[byJoints] + l[byContacts] + l[byCollisions] + l[bySprings]
		for k, lost := range l {
			w.Portions[r][k].add(lost, s.t)
		}
	}
	w.Made.Close(s.t, h)
	s.presentShares()
}

// add takes what was lost in a step that ends at t.
func (p *Portion) add(lost, t float64) {
	p.Made, p.Lost = p.Made+max(0, -lost), p.Lost+max(0, lost)
	if -lost > p.Most {
		p.Most, p.MostAt = -lost, t
	}
}

// restEnergy is what loads and gravity give to a body at rest in a step.
func (s *Stepper) restEnergy(i int, h float64) (energy float64) {
	p, g := &s.model.body[i], s.model.World.Gravity()
	for k := range p.n {
		m, f := s.model.inertia(p, k), s.loads[p.v+k]
		if k < s.model.dim {
			f += h * m * g[k]
		}
		energy += 0.5 * f * f / m
	}
	return energy
}

// Creation returns the energy that the scheme has made or destroyed since the
// start, of all bodies together: all of the ledger but friction, the inelastic part of
// collisions and loads, and what springs do beyond their energy and their dampers.
func (s *Stepper) Creation() dynamics.Creation { return s.worth.Made.Whole }

// Creations returns it island by island; it belongs to the stepper.
func (s *Stepper) Creations() *dynamics.Creations { return &s.worth.Made }

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
	if l := &w.Loose; l.Solves > 0 {
		limit, given := &looseFew, 0.0
		if l.Many > 0 {
			limit = &looseMany
		}
		if l.Given > 0 {
			given = min(l.Given/l.Taken, math.MaxFloat64)
		}
		list = append(list, dynamics.Measure{Name: "residual speed of contacts where bodies tumble, of what the forces of a step give", Value: l.Share, Limit: limit.most, Unit: "-", Basis: dynamics.Computed,
			Place: fmt.Sprintf("%d contact problems, %.3g m/s or less, t = %.6g s", l.Solves, l.Speed, w.LooseAt)},
			dynamics.Measure{Name: "energy that contacts gave there, of what friction took", Value: given, Limit: limit.power, Unit: "-", Basis: dynamics.Computed,
				Place: fmt.Sprintf("%.3g J of %.3g J, in all", l.Given, l.Taken)})
	}
	for _, x := range []struct {
		name      string
		value, at float64
		unit      string
	}{{"joints apart", w.Gap, w.GapAt, "m, rad"}, {"penetration", w.Depth, w.DepthAt, "m"}} {
		m := dynamics.Measure{Name: x.name, Value: x.value, Limit: s.unit * solvedDepth, Unit: x.unit, Basis: dynamics.Computed, Place: fmt.Sprintf("t = %.6g s", x.at)}
		if !m.Passed() {
			m.Remedy = "a smaller step; at the start: places where bodies do not overlap, or \"settle\""
		}
		list = append(list, m)
	}
	return list
}

// Accurate says whether the energy is kept: what all parts of the scheme make or
// destroy together, see [dynamics.Creation], and what each of them makes, against
// what moves, is at most accuracy in each island.
func (s *Stepper) Accurate(accuracy float64) []dynamics.Measure {
	w := &s.worth
	instead, given := "", 0.0
	for i := range w.Portions {
		given += w.Portions[i][byCollisions].Made
	}
	if given > 0.5*w.Made.Whole.Most {
		instead = fewDigits
	}
	list := w.Made.Measures(accuracy, s.step.Index, instead, s.model.setup.Names)
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
		if k == bySprings && len(s.model.setup.Forces) == 0 {
			continue
		}
		list = append(list, s.portion(k, accuracy))
	}
	if w.Free != "" {
		list = append(list, dynamics.Measure{Name: freeSubject + ": corners meet in one place, where the normal of their contact is a choice", Subject: freeSubject, Value: 1,
			Basis: dynamics.NotSaid, Place: w.Free, Remedy: "round ends, a radius of them, or a case that accepts it"})
	}
	return list
}

// freeSubject is what a case accepts where a normal is a choice.
const freeSubject = "normal"

// markFree remembers the first contact with a force whose normal is a choice that matters: where the force is in the cones of all normals, and
// the contact sticks by it, the motion is that of each of them.
func (s *Stepper) markFree() {
	for i := range s.touches {
		t, m := &s.touches[i], &s.marks[i]
		if t.Free > 0 && s.worth.Free == "" && m.loaded && math.Atan2(length(m.r[1:]), m.r[0])+t.Free > math.Atan(m.mu) {
			s.worth.Free = fmt.Sprintf("%s at %s, t = %.6g s", s.model.name(t), whereText(s.model.there(t.At)), s.t)
		}
	}
}

// portion judges what a part of the scheme has made, in the worst island.
func (s *Stepper) portion(k int, accuracy float64) dynamics.Measure {
	w := &s.worth
	m := dynamics.Measure{Name: "energy made by " + portionNames[k], Limit: accuracy, Unit: "-", Basis: dynamics.Computed}
	for i, r := range w.Made.Root {
		if r != i {
			continue
		}
		p, value := &w.Portions[i][k], 0.0
		if !w.Made.Faint(p.Made) {
			value = min(p.Made/w.Made.Island[i].Scale(), math.MaxFloat64)
		}
		if m.Place == "" || value > m.Value {
			m.Value = value
			m.Place = fmt.Sprintf("%.3g J, most of it %.3g J at t = %.6g s; destroyed %.3g J", p.Made, p.Most, p.MostAt, p.Lost)
		}
	}
	if !m.Passed() {
		switch k {
		case byCollisions:
			m.Remedy = fewDigits
		case byProjection:
			m.Remedy = dynamics.FirstOrder(s.step.Index, &m) // of h² in each step
		default:
			m.Remedy = "shorter steps"
		}
	}
	return m
}

// Cuts returns how many parts of steps failed since the start and were done again
// in halves, and why the first did.
func (s *Stepper) Cuts() (n int, first string) { return s.worth.Cuts, s.worth.FirstCut }

const fewDigits = "masses that differ less: no law of impact makes energy, but the collisions were solved to few digits"

// NotEstimated lists what no number of the verdict says anything of, nor the steps of
// [dynamics.Adaptive].
func (s *Stepper) NotEstimated() []string {
	var list []string
	if n := s.worth.Ambiguous; n > 0 {
		list = append(list, fmt.Sprintf("%s in which several contacts rebound at once: each law of impact has another outcome, see restitution", collisions(n)))
	}
	if n := s.worth.Narrow; n > 0 {
		list = append(list, fmt.Sprintf("%s whose outcome hangs on a gap below %.3g m, the least %.3g m: if it is closed several contacts rebound at once, and each law of impact has another outcome",
			collisions(n), s.unit*narrowGap, s.worth.Narrowest))
	}
	return list
}

// collisions is a number of them in words.
func collisions(n int) string {
	if n == 1 {
		return "1 collision"
	}
	return fmt.Sprintf("%d collisions", n)
}
