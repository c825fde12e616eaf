package rigid

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
)

// examination is what check finds out about a case of the model rigid.
type examination struct {
	Bodies      int          `json:"bodies"`
	Masses      []world.Mass `json:"masses"`
	Mass        float64      `json:"least_mass"` // entry of M [kg, kg m²]
	Rows        int          `json:"joint_rows"`
	Rank        int          `json:"joint_rank"`
	Dependent   []string     `json:"dependent,omitempty"`
	Lasting     bool         `json:"dependence_lasts"` // after a motion, too
	JointSpeed  float64      `json:"joint_speed"`      // |νᵀv| at the start
	Drift       float64      `json:"joint_drift"`
	Freedoms    int          `json:"freedoms"` // of the bodies
	Contacts    int          `json:"contacts"` // closed at the start
	Penetration float64      `json:"penetration"`
	Deepest     string       `json:"deepest,omitempty"`
	Pointed     string       `json:"pointed"`
	ConeBound   float64      `json:"cone_bound"` // of c_FC
	Painleve    float64      `json:"painleve_number"`
	Steepest    string       `json:"painleve_contact,omitempty"`
	Stiffness   float64      `json:"stiffness"` // h√(k/m)
	Explicit    bool         `json:"explicit"`  // Jacobians "none"
	Definite    bool         `json:"definite"`
	Objected    []string     `json:"objections"` // what fails

	chosen bool // the steps are: what fails at one of this length is cut
}

// Check examines a case: what (H3), (H4), the solvability of (4.7) and the stability of its
// forces ask for at the start.
func (c *Case) Check(ctx context.Context) (run.Examination, error) {
	s, err := c.stepper(ctx)
	if err != nil {
		return nil, err
	}
	x := s.Examine(ctx, c.plan.Step())
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r := &examination{Bodies: c.World.Bodies(), Mass: math.Inf(1), Rows: x.Rows, Rank: x.Rank, Dependent: x.Dependent, Lasting: x.Lasting,
		chosen: c.plan.Adaptive, JointSpeed: x.JointSpeed, Drift: s.Last().Drift, Freedoms: s.Freedoms(),
		Contacts: x.Contacts, Penetration: x.Penetration, Deepest: x.Deepest,
		Pointed: x.Pointed.String(), ConeBound: run.Finite(x.ConeBound), Painleve: x.Painleve, Steepest: x.Steepest,
		Stiffness: x.Stiffness, Explicit: c.Options.Jacobians == multibody.NoJacobians, Definite: x.Definite, Objected: []string{}}
	r.Masses = c.masses()
	for i := range c.World.Bodies() {
		mass, inertia := c.World.Inertia(i)
		r.Mass = min(r.Mass, mass)
		for k, j := range inertia {
			if c.World.Spins(i) && (k == 2 || c.World.Dim() == 3) {
				r.Mass = min(r.Mass, j)
			}
		}
	}
	if a := c.Options.Alpha; a > 0 && a < 0.5 {
		r.Objected = append(r.Objected, unstableText(a))
	}
	r.object(&x)
	return r, nil
}

func (c *Case) masses() []world.Mass { return world.Masses(c.World, c.IDs, c.Q0, c.Origin) }

// PrintMasses implements [run.Weighed].
func (c *Case) PrintMasses(p *run.Page) { world.PrintMasses(p, "mass", c.masses()) }

// startPenetration is the depth up to which a start counts as touching [m]: of
// typed digits. The projection after the first step removes it.
const startPenetration = 1e-8

// object lists what fails.
func (r *examination) object(x *rigid.Examination) {
	add := func(format string, args ...any) { r.Objected = append(r.Objected, fmt.Sprintf(format, args...)) }
	if !r.Lasting {
		add("the joints have rank %d of %d, but only where they start: after a small motion %s, too, asks for something: they jam, or leave one of several motions",
			r.Rank, r.Rows, strings.Join(r.Dependent, ", "))
	}
	if x.Pointed == rigid.ConeLost && len(r.Dependent) == 0 {
		add("the friction cone is not pointed at the start (3.1)")
	}
	if x.Pointed == rigid.ConeUnknown {
		add("whether the friction cone is pointed is undecided")
	}
	if r.Penetration > startPenetration {
		add("%s penetrate by %.3g m at the start", r.Deepest, r.Penetration)
	}
	if !r.Definite && !r.chosen {
		add("M − αh(F + k̃_v) − αγh²k̃_q is not positive definite: a smaller step or \"jacobians\": \"definite\" helps")
	}
	if r.Explicit && r.Stiffness > 2 && !r.chosen {
		add("explicit springs with h√(k/m) = %.3g > 2 are unstable: a smaller step or \"jacobians\": \"exact\" helps", r.Stiffness)
	}
}

// Print prints what was found out.
func (r *examination) Print(p *run.Page) {
	p.Line("mass", "positive definite and constant (H3): least entry %.3g of %s", r.Mass, world.Count(r.Bodies))
	world.PrintMasses(p, "", r.Masses)
	switch {
	case r.Rows == 0:
		p.Line("joints", "none")
	case r.Rank < r.Rows:
		p.Line("joints", "rank %d of %d rows, which leave %d of %d freedoms; closed to %.2g", r.Rank, r.Rows,
			r.Freedoms-r.Rank, r.Freedoms, r.Drift)
		if r.Lasting {
			p.Line("", "nothing new: %s, after a motion neither: all hold, and how they share a load is open",
				strings.Join(r.Dependent, ", "))
		}
	default:
		p.Line("joints", "full rank, %d rows; closed to %.2g", r.Rows, r.Drift)
	}
	if r.JointSpeed > 1e-9 {
		p.Line("", "the initial velocity breaks them by %.3g: the first step of \"scheme\": \"secant\" takes that, with \"gavrea\" v oscillates for α < 1 (example 9.1), v^α does not",
			r.JointSpeed)
	}
	p.Line("contacts", "%d closed at the start, penetration %.2g m", r.Contacts, r.Penetration)
	switch {
	case r.Contacts == 0 && r.Rank < r.Rows:
		p.Line("cone", "no contacts; joints that say the same may press against each other (3.1)")
	case r.Pointed == rigid.ConePointed.String():
		p.Line("cone", "pointed (H4): contacts cannot press against each other without bound; impulses are at most c_FC <= %.4g times what they change (3.3), ‖z‖ in M⁻¹",
			r.ConeBound)
	default:
		p.Line("cone", "%s at the start (3.1)", r.Pointed)
	}
	switch {
	case r.Painleve >= 1:
		p.Line("Painlevé", "μ‖W_TN‖/W_NN = %.4g >= 1 at %s: sliding one way, no bounded force exists; the impulses do",
			r.Painleve, r.Steepest)
	case r.Contacts > 0:
		p.Line("Painlevé", "no configuration of his: μ‖W_TN‖/W_NN <= %.4g < 1", r.Painleve)
	}
	if r.Stiffness > 0 {
		how := "linearised (4.3): stable, unless far compressed (\"jacobians\": \"definite\")"
		if r.Explicit {
			how = "explicit: stable up to 2"
		}
		p.Line("springs", "h√(k/m) <= %.3g, %s", r.Stiffness, how)
	}
	for _, o := range r.Objected {
		p.Line("fails", "%s", o)
	}
}

// Objections lists what fails.
func (r *examination) Objections() []string { return r.Objected }
