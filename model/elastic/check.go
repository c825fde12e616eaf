package elastic

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/run"
)

// examination is what check finds out about a case of the model elastodynamic.
type examination struct {
	Nodes        int                `json:"nodes"`
	Elements     int                `json:"elements"`
	Dofs         int                `json:"dofs"`
	Contacts     int                `json:"contacts"`
	Closed       int                `json:"closed"` // at the start
	Gap          float64            `json:"gap"`    // least at the start [m]
	Free         []string           `json:"free_rigid_motions"`
	Pressure     float64            `json:"pressure_wave"` // [m/s]
	Shear        float64            `json:"shear_wave"`
	Edge         float64            `json:"shortest_edge"`
	Crossing     float64            `json:"crossing"` // time of a pressure wave [s]
	Step         float64            `json:"step"`
	CFL          float64            `json:"cfl"`
	StableStep   float64            `json:"stable_step"` // by proof; 0: any
	Mu           float64            `json:"mu"`
	Contraction  float64            `json:"contraction"`
	Closure      float64            `json:"contraction_closed"`
	LanczosError float64            `json:"lanczos_error"`
	CriticalMu   float64            `json:"critical_mu"`
	Unique       bool               `json:"unique"`
	Mass         []elastic.ModeMass `json:"mass"`
	MassFactors  [2]float64         `json:"mass_factors"`
	Energy       elastic.Energies   `json:"energy"` // at the start [J]
	Memory       int64              `json:"memory"` // [bytes]
	Objected     []string           `json:"objections"`
	memory       memory.Estimate
	falls        string
	inertia      elastic.Inertia
	dim          int
}

// Check examines a case: what Theorem 4 of [DoyenErn11] asks for, or the stability of
// central differences, at the step of the case.
func (c *Case) Check(ctx context.Context) (run.Examination, error) {
	s, err := c.stepper(ctx)
	if err != nil {
		return nil, err
	}
	return c.examine(s), nil
}

func (c *Case) examine(s *elastic.Stepper) *examination {
	x, t := s.Examine(), s.Certificate()
	r := &examination{Nodes: x.Nodes, Elements: x.Elements, Dofs: x.Dofs, Contacts: x.Contacts, Closed: x.Closed,
		Gap: run.Finite(x.Gap), Free: x.Free,
		Pressure: x.Pressure, Shear: x.Shear, Edge: x.Edge, Crossing: x.Crossing, Step: c.Options.Step, CFL: t.CFL, Mu: c.friction(),
		Contraction: t.Contraction, Closure: t.Closed, LanczosError: t.Residual, Unique: t.Unique, Energy: x.Energies,
		Memory: x.Memory.Total(), memory: x.Memory, falls: c.falls(), inertia: c.Model.Inertia, dim: c.Model.Mesh.Dim,
		Objected: append([]string{}, t.Warnings...)}
	if !math.IsInf(t.CriticalFriction, 0) {
		r.CriticalMu = t.CriticalFriction
	}
	if c.Options.Scheme == elastic.CentralDifference {
		r.StableStep = t.StableStep
	}
	r.Mass, r.MassFactors[0], r.MassFactors[1] = s.RigidMass()
	if !t.Unique && len(t.Warnings) == 0 {
		r.Objected = append(r.Objected, r.undecided())
	}
	return r
}

// undecided says why uniqueness is not proven, and what would prove it.
func (r *examination) undecided() string {
	if r.inertia == elastic.Standard {
		return "uniqueness of the steps is undecided: Theorem 4 is about the modified mass"
	}
	if !(r.Contraction >= 1 && !math.IsInf(r.Contraction, 1)) {
		return "uniqueness of the steps is undecided: the contraction is not known, its norms are out of the range of numbers"
	}
	return fmt.Sprintf("uniqueness of the steps is undecided: the contraction is %.3g >= 1; Δt = %.3g s would bring it to about 1/2",
		r.Contraction, r.Step*math.Sqrt(0.5/r.Contraction))
}

// Print prints what was found out.
func (r *examination) Print(p *run.Page) {
	p.Line("mesh", "%d nodes, %d elements, %d degrees of freedom, shortest edge %.4g m", r.Nodes, r.Elements, r.Dofs, r.Edge)
	waves := fmt.Sprintf("pressure %.5g m/s", r.Pressure)
	if r.Shear > 0 {
		waves += fmt.Sprintf(", shear %.5g m/s", r.Shear)
	}
	p.Line("waves", "%s; the pressure wave crosses the body in %.4g s, %.4g steps", waves, r.Crossing, r.Crossing/r.Step)
	p.Line("mass", "%s", massText(r.Mass, r.MassFactors, r.inertia))
	p.Line("", "%s", kilograms(r.Mass))
	if len(r.Free) > 0 {
		p.Line("supports", "free: %s", strings.Join(r.Free, ", "))
	} else {
		p.Line("supports", "no rigid motion is free")
	}
	p.Line("start", "kinetic %.6g J, elastic %.6g J; %d of %d contact nodes press on their obstacle%s",
		r.Energy.Kinetic, r.Energy.Elastic, r.Closed, r.Contacts, gapText(r))
	r.uniqueness(p)
	p.Line("memory", "%s predicted", r.memory)
	for _, o := range r.Objected {
		p.Line("fails", "%s", o)
	}
}

func gapText(r *examination) string {
	if r.Contacts == 0 || r.Gap <= 0 {
		return ""
	}
	return fmt.Sprintf(", least gap %.4g m", r.Gap)
}

// kilograms are the masses of the translations.
func kilograms(modes []elastic.ModeMass) string {
	var parts []string
	for _, m := range modes {
		if axis, found := strings.CutPrefix(m.Mode, "translation "); found {
			parts = append(parts, fmt.Sprintf("%.6g of %.6g kg %s", m.Used, m.Standard, axis))
		}
	}
	return strings.Join(parts, ", ")
}

// uniqueness prints stability and uniqueness of the steps.
func (r *examination) uniqueness(p *run.Page) {
	switch {
	case r.StableStep > 0:
		p.Line("step", "Δt = %.4g s, CFL number %.4g; central differences are stable by proof up to %.4g s", r.Step, r.CFL, r.StableStep)
	default:
		p.Line("step", "Δt = %.4g s, CFL number c_pΔt/h_c' = %.4g; the trapezoidal rule is stable at any", r.Step, r.CFL)
	}
	switch {
	case r.StableStep > 0:
		p.Line("uniqueness", "steps are explicit but for the obstacle problem, which is convex")
	case r.Mu == 0 || r.dim == 1:
		p.Line("uniqueness", "no friction: each step is a convex problem, with one solution")
	case r.inertia == elastic.Standard:
	default:
		verdict := "each step has one solution" + r.falls
		if !r.Unique {
			verdict = "no proof of uniqueness"
		}
		p.Line("uniqueness", "the fixed point Φ_n of Theorem 4 contracts by <= %.4g (norms by Lanczos' method, to %.1g): %s",
			r.Contraction, r.LanczosError, verdict)
		critical := ""
		if r.CriticalMu > 0 {
			critical = fmt.Sprintf("; above μ = %.4g several are certain for some data", r.CriticalMu)
		}
		p.Line("", "with all contacts closed by %.4g; μ <= %.4g%s", r.Closure, r.Mu, critical)
	}
}

// Objections lists what fails.
func (r *examination) Objections() []string { return r.Objected }
