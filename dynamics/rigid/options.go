package rigid

import (
	"cmp"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// Friction chooses the cone.
type Friction int

// The cones.
const (
	ExactCone  Friction = iota // ‖β‖₂ ≤ μ c_n, (2.3)
	Polyhedron                 // of Options.Facets facets, within the exact one, (2.7), by Lemke's method
)

// Grid says what a collision does to the partition of time.
type Grid int

// The grids.
const (
	CollisionGrid Grid = iota // t* becomes a grid point, and the rest of the step follows
	FixedGrid                 // the paper's convention: the state of t* is that of the end of the step
	GapGrid                   // no detection: a near contact enters as Φ/h + u_N ≥ 0; needs α = 1
)

// Options choose the scheme. The zero value is the secant scheme with α = γ = 1, exact cones,
// stabilised, collision times as grid points.
type Options struct {
	// Alpha weights the new velocity in constraints and forces [-], in (0, 1]; 0 means 1. Below ½
	// the scheme is unstable.
	Alpha float64
	// Gamma weights it in the positions [-], in [0, 1]. ExplicitGamma allows 0; otherwise 0 means
	// Alpha.
	Gamma         float64
	ExplicitGamma bool
	// Scheme of joints and rotations; the zero value is Secant.
	Scheme   Scheme
	Friction Friction
	// Facets of the polyhedral cone in space [-]; 0 means 8. Even, at least 4.
	Facets    int
	Grid      Grid
	Pressure  Pressure // of faces, which want [bodies.World.FillFaces] to have one
	Jacobians multibody.Jacobians
	// Unstabilised gives the paper's scheme: joints and gaps drift.
	Unstabilised bool
	// Settle moves bodies that overlap at the start apart; without it a start with a penetration of
	// more than 1e-8 m is refused.
	Settle bool
	// Impact is the law of restitution.
	Impact Impact
	// RestitutionSpeed is the approach [m/s] below which contacts do not rebound; 0 means 1e-3.
	RestitutionSpeed float64
	// MaxCollisions bounds the collisions of one step, and of each part of one that is cut for it
	// [-]; 0 means 20 and 80 for each body.
	MaxCollisions int
	// MaxCuts bounds how often a step that fails is halved [-]; 0 means 8. Uncut takes every step
	// whole, or fails.
	MaxCuts int
	Uncut   bool
	// Memory bounds what a contact problem may need, as predicted [bytes]; 0 means no bound. A
	// problem beyond it is a [MemoryError].
	Memory int64
	// Tolerance on the merit of each contact problem [-]; 0 means 1e-11.
	Tolerance float64
	// Accept is the merit above which a step fails, where a problem stalls short of Tolerance [-];
	// 0 means 1e-8, the default of the contact core for this class of problems. Such problems are
	// counted in Step.Stalled.
	Accept float64
	// Margin is the distance up to which touches are looked for [m]; 0 means a tenth of the largest
	// body or radius of a curved obstacle.
	Margin float64
	// Pointedness tests (3.1) and bounds c_FC in (3.3) after each step.
	Pointedness bool
	// Until is the end of the run [s]: ways and energies are those in the frames of the mean
	// motion, until then, of the obstacles that are touched, see [dynamics.View]; 0: of their
	// motion at the start.
	Until float64
	// Chosen says that steps are chosen by their error, as [dynamics.Adaptive] does: then one in which
	// friction that falls with speed has several solutions is an error, see [Step.Weakening].
	Chosen bool
	// Instants has steps keep their states where they are cut, before and after each collision too, see [Step.Instants].
	Instants bool
	// OnStep, if not nil, watches each step when it is done.
	OnStep func(*Step)
}

// withDefaults fills the zeros.
func (o Options) withDefaults(bodies int) Options {
	put := func(x *float64, v float64) {
		if *x == 0 {
			*x = v
		}
	}
	put(&o.Alpha, 1)
	if !o.ExplicitGamma {
		put(&o.Gamma, o.Alpha)
	}
	put(&o.RestitutionSpeed, 1e-3)
	put(&o.Tolerance, 1e-11)
	put(&o.Accept, 1e-8)
	switch {
	case o.Uncut:
		o.MaxCuts = 0
	case o.MaxCuts == 0:
		o.MaxCuts = 8
	}
	if o.Facets == 0 {
		o.Facets = 8
	}
	if o.MaxCollisions == 0 {
		o.MaxCollisions = 20 + 80*bodies
	}
	return o
}

// Validate names the first field out of range.
func (o *Options) Validate() error {
	switch {
	case !(o.Alpha >= 0 && o.Alpha <= 1):
		return fmt.Errorf("rigid: Options.Alpha is %g, want a number in (0, 1]", o.Alpha)
	case !(o.Gamma >= 0 && o.Gamma <= 1):
		return fmt.Errorf("rigid: Options.Gamma is %g, want a number from 0 to 1", o.Gamma)
	case o.Scheme != Secant && o.Scheme != Gavrea:
		return fmt.Errorf("rigid: Options.Scheme is %d, want Secant or Gavrea", o.Scheme)
	case o.Scheme == Secant && o.ExplicitGamma && o.Gamma != cmp.Or(o.Alpha, 1):
		return fmt.Errorf("rigid: Options.Gamma is %g and Alpha %g, which only the scheme Gavrea has apart", o.Gamma, o.Alpha)
	case o.Facets != 0 && (o.Facets < 4 || o.Facets%2 != 0 || o.Facets > 1024):
		return fmt.Errorf("rigid: Options.Facets is %d, want an even number from 4 to 1024", o.Facets)
	case o.Grid == GapGrid && o.Alpha != 0 && o.Alpha != 1:
		return fmt.Errorf("rigid: Options.Grid is GapGrid with Alpha %g, want 1: a weighted velocity would rebound", o.Alpha)
	case !(o.Tolerance >= 0 && o.Tolerance <= 1e-3):
		return fmt.Errorf("rigid: Options.Tolerance is %g, want a number from 0 to 1e-3", o.Tolerance)
	case !(o.Accept >= 0 && o.Accept <= 1e-2):
		return fmt.Errorf("rigid: Options.Accept is %g, want a number from 0 to 1e-2", o.Accept)
	case !(o.RestitutionSpeed >= 0):
		return fmt.Errorf("rigid: Options.RestitutionSpeed is %g, want a number >= 0", o.RestitutionSpeed)
	case o.Impact < NewtonImpact || o.Impact > SequentialImpact:
		return fmt.Errorf("rigid: Options.Impact is %d, want NewtonImpact, MoreauImpact, PoissonImpact or SequentialImpact", o.Impact)
	case o.Pressure != CornerPressure && o.Pressure != UniformPressure:
		return fmt.Errorf("rigid: Options.Pressure is %d, want CornerPressure or UniformPressure", o.Pressure)
	case o.MaxCuts < 0 || o.MaxCuts > 30:
		return fmt.Errorf("rigid: Options.MaxCuts is %d, want a number from 0 to 30", o.MaxCuts)
	case o.Memory < 0:
		return fmt.Errorf("rigid: Options.Memory is %d, want a number >= 0", o.Memory)
	case !(o.Until >= 0) || math.IsInf(o.Until, 1):
		return fmt.Errorf("rigid: Options.Until is %g, want a finite number >= 0", o.Until)
	case o.MaxCollisions < 0:
		return fmt.Errorf("rigid: Options.MaxCollisions is %d, want a number >= 0", o.MaxCollisions)
	case !(o.Margin >= 0 && o.Margin < 1e12):
		return fmt.Errorf("rigid: Options.Margin is %g, want a number >= 0", o.Margin)
	}
	return nil
}
