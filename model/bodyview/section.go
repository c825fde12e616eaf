package bodyview

import (
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/table"
)

// Section is what the models of rigid bodies have of their own in summary.json.
type Section struct {
	Motion *Motion `json:"motion"`
}

// motion returns that of a summary; nil: there is none.
func motion(s *table.Summary) *Motion {
	var x Section
	if s == nil || s.Read(&x) != nil {
		return nil
	}
	return x.Motion
}

// Motion sums up what a run of the dynamic models did.
type Motion struct {
	Bodies    int             `json:"bodies"`
	Solves    int             `json:"solves"`   // contact problems
	Stalled   int             `json:"stalled"`  // of them, solved to Tolerance only, not to the usual 1e-11
	Pivots    int             `json:"pivots"`   // of Lemke's method
	Residual  float64         `json:"residual"` // largest of the contact problems, relative [-]
	Tolerance float64         `json:"tolerance"`
	Rounds    int             `json:"rounds"`  // of an implicit force, the most of a step
	Events    int             `json:"events"`  // changes of state of elements
	Open      int             `json:"open"`    // element steps
	Stick     int             `json:"stick"`   // element steps
	Slide     int             `json:"slide"`   // element steps
	Energy    dynamics.Energy `json:"energy"`  // ledger of the run
	Balance   float64         `json:"balance"` // largest residual of the ledger, summed from the start [J]
	Mu        float64         `json:"mu"`      // largest friction coefficient in contact
	MuBar     float64         `json:"mu_bar"`  // bound of Lemma 4 for unique forces, at the steps looked at
	ForceRate float64         `json:"force_rate"`
	Boundary  *BoundaryValue  `json:"boundary,omitempty"`
	Multibody *Multibody      `json:"multibody,omitempty"` // of the model rigid
}

// Lift is the force, at most, with which a pair still pressed that has opened since its force alternates [N].
type Lift struct {
	Touch uint64
	Force float64
}

// Multibody sums up what is special to a run of the model rigid. Lengths in m,
// angles in rad.
type Multibody struct {
	Iterations        int      `json:"iterations"`           // of the contact solvers
	Collisions        int      `json:"collisions"`           // compressions
	Loss              float64  `json:"collision_loss"`       // kinetic energy lost in them [J]
	Slow              int      `json:"collisions_too_slow"`  // to rebound, though e > 0
	Gains             int      `json:"collisions_that_gain"` // in which contacts do work, [rigid.Collision.Gain]
	Gained            float64  `json:"collision_gain"`       // kinetic energy gained in them [J]
	Held              int      `json:"collisions_held_back"` // that gave back less than their restitution, as all of it would have made energy
	MostHeld          float64  `json:"largest_share_held_back"`
	MostGain          float64  `json:"largest_gain"` // of one [J]
	GainAt            string   `json:"largest_gain_at,omitempty"`
	GainTime          float64  `json:"largest_gain_time"`
	Painleve          int      `json:"painleve_steps"`         // steps in configurations of Painlevé
	PainleveBy        float64  `json:"painleve_by"`            // end of the first of them [s]
	Early             float64  `json:"opened_early,omitempty"` // by which the force of a contact alternated that opened by that, of its largest …
	EarlyAt           string   `json:"opened_early_at,omitempty"`
	Lifted            []Lift   `json:"-"`
	Alternating       float64  `json:"alternating_share"` // largest, of contact forces that alternate from step to step, by which they differ from their mean
	Alternates        string   `json:"alternating_force,omitempty"`
	ConeLost          int      `json:"cone_lost_steps"`    // steps whose friction cone is not pointed, (3.1)
	ConeUnknown       int      `json:"cone_unknown_steps"` // steps whose cone is undecided
	ConeBound         float64  `json:"cone_bound"`         // largest bound of c_FC in (3.3), of steps with a pointed cone
	Drift             float64  `json:"drift"`              // largest |Θ| of the joints after a step
	Correction        float64  `json:"correction"`         // largest |Θ| before the projection
	Penetration       float64  `json:"penetration"`        // largest −Φ after a step
	Variation         float64  `json:"variation"`          // Σ‖Δv‖ over the steps, in the units of v
	WeightedVariation float64  `json:"weighted_variation"`
	Normal            float64  `json:"normal"`                     // taken by impacts and normal forces [J]
	Joints            float64  `json:"joints"`                     // taken by joints [J]
	Scheme            float64  `json:"scheme"`                     // lost to the step length [J]
	Projection        float64  `json:"projection"`                 // lost by the projections [J]
	Dependent         []string `json:"dependent_joints,omitempty"` // with rows that say nothing new
	Untouched         []string `json:"untouched,omitempty"`        // obstacles that no body has touched
	Open              *Open    `json:"open_friction,omitempty"`    // the first friction that the laws leave open to more than the accuracy
	Shared            *Open    `json:"open_pressure,omitempty"`    // the same, by how faces and points share what they bear

	Corners string `json:"rests_on_corners,omitempty"` // the first pair that an even pressure may not hold

	Uneven []string `json:"borne_by_corners,omitempty"` // pairs whose faces bear at their corners where an even pressure is asked for, the first ten

	Shares []OpenForce `json:"open_forces,omitempty"` // that the case asks for, and that the laws leave open
}

// OpenForce is a force that is one of many, and what of them is known [N, N m].
type OpenForce struct {
	Force string  `json:"force"`
	T     float64 `json:"t"` // [s]
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Open is a [rigid.Indeterminacy] of a step.
type Open struct {
	Slides string  `json:"slides"`          // the pair under it
	Holds  string  `json:"holds,omitempty"` // one that sticks and may bear it
	T      float64 `json:"t"`               // [s]
	Less   float64 `json:"less"`            // parts of what friction takes there
	More   float64 `json:"more"`
	Turns  float64 `json:"turns"`          // of the kick of friction
	Face   bool    `json:"face,omitempty"` // of what a face shares
	Even   bool    `json:"even,omitempty"` // and that bears evenly
}

// Add counts a step.
func (m *Multibody) Add(s *rigid.Step) {
	m.Iterations += s.Iterations
	m.Collisions += len(s.Collisions)
	for i := range s.Collisions {
		m.Loss += s.Collisions[i].Loss
	}
	if s.Painleve > 0 {
		if m.Painleve++; m.Painleve == 1 {
			m.PainleveBy = s.T
		}
	}
	switch s.Pointed {
	case rigid.ConePointed:
		m.ConeBound = max(m.ConeBound, s.ConeBound)
	case rigid.ConeLost:
		m.ConeLost++
	case rigid.ConeUnknown:
		if s.Index > 0 { // nothing is asked of the start
			m.ConeUnknown++
		}
	}
	m.Drift, m.Correction, m.Penetration = max(m.Drift, s.Drift), max(m.Correction, s.Correction), max(m.Penetration, s.Penetration)
	m.Variation, m.WeightedVariation = s.Variation[0], s.Variation[1]
	for i := range s.Collisions {
		if gain := s.Collisions[i].Gain(); gain > 0 {
			m.Gains++
			m.Gained += gain
		}
		if held := s.Collisions[i].Withheld; held > 0 {
			m.Held, m.MostHeld = m.Held+1, max(m.MostHeld, held)
		}
	}
	e := &s.Energy
	m.Normal, m.Joints, m.Scheme, m.Projection = e.Impact+e.Normal, e.Joints, e.Scheme, e.Projection
	if len(s.Dependent) > 0 {
		m.Dependent = append(m.Dependent[:0], s.Dependent...)
	}
}

// BoundaryValue sums up a boundary-value problem.
type BoundaryValue struct {
	Residual     float64     `json:"residual"`
	Tolerance    float64     `json:"tolerance"`
	Method       string      `json:"method"`
	Integrations int         `json:"integrations"`
	V0           []float64   `json:"v0"`
	Solutions    [][]float64 `json:"solutions"`
	Rate         float64     `json:"rate"` // of the fixed point, 0 if unknown
	Applies      bool        `json:"theorem_applies"`
	Rank         int         `json:"rank"`
	Psi          float64     `json:"psi"`
	Left         float64     `json:"left"`  // of condition (28)
	Right        float64     `json:"right"` // of condition (28)
	Holds        bool        `json:"holds"`
}
