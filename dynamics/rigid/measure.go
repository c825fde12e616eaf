package rigid

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// Portion is what one part of the scheme has made and lost of the energy of an island since the
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
	Inexact              Inexact
	InexactAt            float64 // when a residual of a contact was largest [s]
	DepthAt, GapAt       float64 // when [s]
	Cuts                 int
	FirstCut             string
	Ambiguous            int            // collisions whose outcome is that of the law of impact
	Narrow               int            // collisions whose outcome hangs on a narrow gap, …
	Narrowest            float64        // … the least of them [m]
	Weakening, Longest   float64        // largest of a step; the longest step that would have one below 1 [s]
	WeakeningAt          float64        // when [s]
	Faces                []FaceFriction // of the bodies, with an even pressure
	Free                 string         // the first contact with a force whose normal is a choice, see [bodies.Touch.Free]
}

// copied returns a copy of w in the memory of x.
func (w *Worth) copied(x Worth) Worth {
	made, portions, shares, faces := x.Made, x.Portions, x.Shares, x.Faces
	made.Set(&w.Made)
	shares.set(&w.Shares)
	portions, faces = append(portions[:0], w.Portions...), append(faces[:0], w.Faces...)
	x = *w
	x.Made, x.Portions, x.Shares, x.Faces = made, portions, shares, faces
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
	return len(w.Made.Root) == bodies && len(w.Portions) == bodies && len(w.Faces) == bodies &&
		len(x.Energy) == bodies && len(x.Potential) == bodies && len(x.Elastic) == forces
}

func (s *accounts) openWorth() {
	n := len(s.model.Bodies)
	s.worth = Worth{Portions: make([]Portions, n), Faces: make([]FaceFriction, n)}
	x := &s.worth.Shares
	x.open(n, len(s.model.Setup.Forces))
	kinetic, stored, motion := make([]float64, n), make([]float64, n), make([]dynamics.Momentum, n)
	for i := range kinetic {
		kinetic[i], motion[i] = s.kineticOf(i, s.v), s.momentumOf(i, s.v)
	}
	for i, f := range s.model.Setup.Forces {
		x.Elastic[i] = f.Energy(&s.snap)
		stored[s.model.FirstBody(f)] += x.Elastic[i]
	}
	s.worth.Made.Begin(kinetic, stored, motion, s.openFrames())
	for c := range s.model.Components {
		list := s.model.Components[c].Bodies
		for _, b := range list[1:] {
			s.worth.Made.Link(list[0], b)
		}
	}
	s.tieGround()
	s.presentShares()
}

// presentShares takes the energies of the bodies at the present state, and begins a step.
func (s *accounts) presentShares() {
	x := &s.worth.Shares
	for i := range s.model.Bodies {
		x.Potential[i] = s.potentialOf(i, s.q)
		x.Energy[i] = s.kineticOf(i, s.v) + x.Potential[i]
	}
	for _, l := range x.all() {
		clear(*l)
	}
}

// add takes what was lost in a step that ends at t.
func (p *Portion) add(lost, t float64) {
	p.Made, p.Lost = p.Made+max(0, -lost), p.Lost+max(0, lost)
	if -lost > p.Most {
		p.Most, p.MostAt = -lost, t
	}
}

// restEnergy is what loads and gravity give to a body at rest in a step.
func (s *accounts) restEnergy(i int, h float64) (energy float64) {
	p, g := &s.model.Bodies[i], s.model.World.Gravity()
	for k := range p.N {
		m, f := s.model.Inertia(p, k), s.loads[p.V+k]
		if k < s.model.Dim {
			f += h * m * g[k]
		}
		energy += 0.5 * f * f / m
	}
	return energy
}

// freeSubject is what a case accepts where a normal is a choice.
const freeSubject = "normal"

// markFree remembers the first contact with a force whose normal is a choice that matters: where
// the force is in the cones of all normals, and the contact sticks by it, the motion is that of
// each of them.
func (s *accounts) markFree() {
	for i := range s.touches {
		t, m := &s.touches[i], &s.marks[i]
		if t.Free > 0 && s.worth.Free == "" && m.loaded && math.Atan2(length(m.r[1:]), m.pressed())+t.Free > math.Atan(m.mu) {
			s.worth.Free = fmt.Sprintf("%s at %s, t = %.6g s", s.model.TouchName(t), multibody.Where(s.model.There(t.At)), s.t)
		}
	}
}

// portion judges what a part of the scheme has made, in the worst island.
func (s *accounts) portion(k int, accuracy float64) dynamics.Measure {
	w := &s.worth
	m := dynamics.Measure{Name: "energy made by " + portionNames[k], Limit: accuracy, Unit: "-", Basis: dynamics.Computed}
	for i, r := range w.Made.Root {
		if r != i {
			continue
		}
		p, value := &w.Portions[i][k], 0.0
		if !w.Made.Faint(p.Made) {
			value = w.Made.Island[i].Over(p.Made)
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

const fewDigits = "masses that differ less: no law of impact makes energy, but the collisions were solved to few digits"

// collisions is a number of them in words.
func collisions(n int) string {
	if n == 1 {
		return "1 collision"
	}
	return fmt.Sprintf("%d collisions", n)
}
