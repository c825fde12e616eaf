package particleview

import (
	"fmt"
	"strings"

	"github.com/quasistatic/quasistatic/table"
)

// Section is what the model has of its own in summary.json.
type Section struct {
	Particles    int            `json:"particles"`
	Constrained  int            `json:"constrained"` // of them with an obstacle
	Settled      float64        `json:"settled,omitzero"`
	Solver       Solver         `json:"solver"`
	Certificates Certificates   `json:"certificates"`
	Existence    *Existence     `json:"existence,omitempty"` // nil: not examined
	Jumps        []Jump         `json:"jumps,omitempty"`
	Loss         *Loss          `json:"loss,omitempty"`             // nil: none
	Global       []GlobalSearch `json:"global_stability,omitempty"` // of energies not known to be convex
	Globally     *Globally      `json:"globally,omitempty"`         // nil: steps are not global minimisers
	Levels       []Level        `json:"levels,omitempty"`           // of the continuation γ → 0
	Adaptive     *Adaptive      `json:"adaptive,omitempty"`         // nil: equal steps
	Chosen       *table.Chosen  `json:"chosen,omitempty"`           // nil: the case names its steps
	Tube         *Tube          `json:"tube,omitempty"`             // nil: the distance to the exact solution is not bounded
	Exact        *Exact         `json:"exact,omitempty"`            // nil: no proof was asked for
}

// Loss is the end of an evolution: beyond its time there is no equilibrium.
type Loss struct {
	Time      float64    `json:"t"`
	Particle  string     `json:"particle"`
	Direction [3]float64 `json:"direction"` // in which it slides away, global
	Force     float64    `json:"force"`     // that drives it beyond what friction holds, just after [N]
	Expected  bool       `json:"expected"`  // the case says so
	// Closing are the obstacles that leave no place, in place of a direction; at Closed any place
	// around is at least Depth inside one of them [m].
	Closing []string `json:"closing,omitempty"`
	Closed  float64  `json:"closed,omitempty"`
	Depth   float64  `json:"depth,omitempty"`
}

func (l *Loss) String() string {
	if n := len(l.Closing); n > 0 {
		return fmt.Sprintf("no equilibrium beyond t=%.10g: %s is crushed: %s and %s leave it no place around it (at t=%.6g any there is at least %.3g m inside one of them)",
			l.Time, l.Particle, strings.Join(l.Closing[:n-1], ", "), l.Closing[n-1], l.Closed, l.Depth)
	}
	return fmt.Sprintf("no equilibrium beyond t=%.10g: %s slides away along (%.4g, %.4g, %.4g)", l.Time, l.Particle,
		l.Direction[0], l.Direction[1], l.Direction[2])
}

// Tube bounds the distance of the nodes to the exact solution.
type Tube struct {
	Distance float64 `json:"distance"` // of the particle that may be furthest off [m]
	Particle string  `json:"particle"`
	Way      float64 `json:"way"`  // of the particle that went furthest [m]
	Norm     float64 `json:"norm"` // of all together, √(e·Ae) [√J]
}

// Exact is a walk from event to event in ratios of integers.
type Exact struct {
	Events      []ExactEvent `json:"events"`
	Energy      string       `json:"energy"`      // stored at the end [J]
	Dissipation string       `json:"dissipation"` // [J]
	Work        string       `json:"work"`        // [J]
	Distance    float64      `json:"distance"`    // of the end to that of the run in float64 [m]
	Size        float64      `json:"size"`        // largest displacement at the end [m]
}

// ExactEvent is a change of regime at a time that is a fraction.
type ExactEvent struct {
	Time     string  `json:"t"`
	Seconds  float64 `json:"seconds"` // nearest
	Particle string  `json:"particle"`
	From     string  `json:"from"`
	To       string  `json:"to"`
}

// section returns that of a summary; nil: there is none.
func section(s *table.Summary) *Section {
	x := &Section{}
	if s == nil || s.Read(x) != nil {
		return nil
	}
	return x
}

// Existence is the verdict of (N4) at the start: whether friction is small enough
// for a solution to exist; and on the way.
type Existence struct {
	Verdict string `json:"verdict"` // holds, fails or undecided
	Detail  string `json:"detail"`
	// Nodes is the number of nodes on the way at which it was examined too; Worst is the first of
	// the worst of them, nil where it holds at all; Lipschitz is the largest c_lip of them [m/s], 0
	// where it is not known.
	Nodes     int          `json:"nodes,omitempty"`
	Worst     *ExistenceAt `json:"worst,omitempty"`
	Lipschitz float64      `json:"c_lip,omitempty"`
	// Ratio is the largest q/α, of the start and the nodes on the way, and Star the least T_* [s], a
	// time for which a solution goes on from one of them; 0 where it is not known.
	Ratio float64 `json:"q_over_alpha,omitempty"`
	Star  float64 `json:"t_star,omitempty"`
}

// ExistenceAt is (N4) at a node.
type ExistenceAt struct {
	Time    float64 `json:"time"`
	Verdict string  `json:"verdict"`
	Detail  string  `json:"detail"`
}

// Jump is a discontinuity of the evolution. The dissipation within it is not
// determined.
type Jump struct {
	From     float64   `json:"from"`     // bracket of its time [s]
	To       float64   `json:"to"`       // [s]
	Released float64   `json:"released"` // energy at fixed time [J]
	Distance float64   `json:"distance"` // of the states before and behind [m]
	Particle string    `json:"particle"` // that moved most
	Before   []float64 `json:"before"`   // its position [m]
	After    []float64 `json:"after"`    // [m]
	// Path is what vanishing viscosity makes of it, where the case asks for that.
	Path *JumpPath `json:"path,omitempty"`
}

// JumpPath is the path of a jump by vanishing viscosity.
type JumpPath struct {
	Arc      float64     `json:"arc"`      // length in the space of states [m]
	Released float64     `json:"released"` // [J]
	Friction float64     `json:"friction"` // dissipated by it [J]
	Viscous  float64     `json:"viscous"`  // dissipated by viscosity [J]
	Residual float64     `json:"residual"` // what (E) lacks, by quadrature [J]
	Timing   float64     `json:"timing"`   // what the bracket of its time leaves open of Released [J]
	Points   []JumpPoint `json:"points"`
}

// JumpPoint is a point of it.
type JumpPoint struct {
	Arc   float64   `json:"s"`      // [m]
	Force float64   `json:"lambda"` // that is not balanced [N]
	State []float64 `json:"x"`      // of all particles, global coordinates [m]
}

// Level is one run of the continuation γ → 0.
type Level struct {
	Gamma      float64 `json:"gamma"`      // [N]
	Steps      int     `json:"steps"`      // shrink with gamma
	Difference float64 `json:"difference"` // largest distance to the level before [m]
	Rate       float64 `json:"rate"`       // observed order in γ, 0: not known
	Gap        float64 `json:"stability_gap"`
	Balance    float64 `json:"balance_residual"`
	Certified  bool    `json:"certified"`
}

// Adaptive tells what the step control did.
type Adaptive struct {
	Accepted     int `json:"accepted"`
	Rejected     int `json:"rejected"`
	Equilibrated int `json:"equilibrated"` // states settled before a shorter step
	Coarse       int `json:"coarse"`       // shortest steps that changed a normal force by γ/2 or more
}

// Solver sums up the cost of the steps.
type Solver struct {
	Solves   int     `json:"solves"`    // step problems, fixed-point iterations included
	Inner    int     `json:"inner"`     // iterations of the contact solver
	Factors  int     `json:"factors"`   // factorisations
	FellBack int     `json:"fell_back"` // steps whose implicit thresholds did not converge
	Residual float64 `json:"residual"`  // largest relative force residual [-]
}

// Certificates sums up what the run proves. Energies in J, forces in N.
type Certificates struct {
	Events           int     `json:"events"`
	StabilityGap     float64 `json:"stability_gap"`          // largest, with the true Ψ
	StepStabilityGap float64 `json:"step_stability_gap"`     // largest, with the thresholds of the steps
	StepAllowed      float64 `json:"step_stability_allowed"` // what that may be
	UpperEstimate    float64 `json:"upper_estimate"`         // smallest over the steps
	LowerEstimate    float64 `json:"lower_estimate"`         // smallest over the steps
	BalanceResidual  float64 `json:"balance_residual"`       // largest size
	ForceResidual    float64 `json:"force_residual"`         // largest
	Lipschitz        float64 `json:"lipschitz"`              // largest speed [m/s]
	Convex           bool    `json:"convex"`                 // all gaps are bounds over all states
	EnergyScale      float64 `json:"energy_scale"`
	ForceScale       float64 `json:"force_scale"`
	Tolerance        float64 `json:"tolerance"` // of the verdict, relative
	Energy           float64 `json:"energy"`    // at the end
	Dissipation      float64 `json:"dissipation"`
	Plastic          float64 `json:"plastic_dissipation,omitempty"`
	Work             float64 `json:"work"`
}

// GlobalSearch is a search, anywhere around one node, for a state that costs less.
// Finding none proves nothing; a better one proves that (S) fails there.
type GlobalSearch struct {
	Time        float64 `json:"time"`        // of the node [s]
	Evaluations int     `json:"evaluations"` // of E + Ψ
	Polished    int     `json:"polished"`    // local minimisations
	Better      bool    `json:"better"`      // one was found
	Gain        float64 `json:"gain"`        // what it costs less, friction included [J]; <= 0: nothing
}

// Globally says how it is known that no state anywhere costs less than those of a run.
type Globally struct {
	Nodes         int     `json:"nodes"`
	Proven        int     `json:"proven"`           // of them, by convexity or branch and bound: (S) of all states
	Varies        bool    `json:"friction_varies"`  // on the way to others, so that (S) does not say all
	Boxes         int     `json:"boxes"`            // of branch and bound
	Minimisations int     `json:"minimisations"`    // of the search beside it
	Worst         float64 `json:"worst"`            // most that another state cost less [J]
	Margin        float64 `json:"margin"`           // up to which that is judged [J]
	Reason        string  `json:"reason,omitempty"` // why a node is not proven
}

// All reports whether all nodes are proven.
func (g *Globally) All() bool { return g.Proven == g.Nodes && !g.Varies }

// Word says proven or searched.
func (g *Globally) Word() string {
	if g.All() {
		return "proven"
	}
	return "searched"
}

// Better is one entry of [table.BetterFile].
type Better struct {
	Time      float64               `json:"time"` // [s]
	Gain      float64               `json:"gain"` // [J]
	Positions map[string][3]float64 `json:"positions"`
}
