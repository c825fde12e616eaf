package energetic

import (
	"fmt"
	"math"
)

// Summary is the verdict on a trajectory.
type Summary struct {
	Steps  int
	Events int // changes of contact states

	MaxGap       float64 // largest Gap.Upper [J]
	MaxStepGap   float64 // largest StepGap.Upper [J]
	MaxStepForce float64 // largest StepGap.Force [N]
	MinUpper     float64 // smallest Upper of a step [J], 0 before the first
	MinLower     float64 // smallest Lower [J]
	MaxBalance   float64 // largest |Balance| [J]
	MaxForce     float64 // largest Force [N]; compare ForceScale
	MaxLipschitz float64 // largest Lipschitz [m/s]
	MaxResidual  float64 // largest force residual of a step [-]
	Jumps        int     // that were found, see Jump
	// by which two solids lay in each other [m], where contact is not part of E …
	Overlap     float64
	OverlapTime float64 // … and since when [s]
	Turned      Excess  // more than half a turn round an obstacle in a step
	Passed      Excess  // depth of a particle in what it passes between two nodes, see passed
	Stretched   Excess  // see [particles.System.Stretched]
	Parts       int     // the most into which what a step goes through divides it, see cuts …
	PartsTime   float64 // … and the end of that step [s]
	// Relinearised counts new linearisations, see [Evolution.Relinearise], and Unlinear adds up what they leave of (E),
	// |E_after + Ψ − E_before| [J].
	Relinearised int
	Unlinear     float64
	FellBack     int  // steps whose implicit thresholds did not converge
	Convex       bool // all gaps are exact

	EnergyScale float64 // [J]
	ForceScale  float64 // [N]
	Loose       float64 // largest of a node, see Certificate [J]
	Tolerance   float64 // relative, of the verdict

	// Solved: every node is the minimiser of its step. Accurate: the evolution fulfils
	// (S), (DI) and (E) within Options.Accuracy, see Measure. Certified: both.
	Solved, Accurate, Certified bool
	// First says where and by how much a certificate failed first; empty if none.
	First string
	// Remedy is what may bring the run within its accuracy; empty if it is, or if it
	// failed otherwise.
	Remedy string

	Solves, Inner, Factors int // totals
}

func newSummary(tol float64) Summary {
	return Summary{Convex: true, Solved: true, Accurate: true, Certified: true, Tolerance: tol}
}

// GapLimit is what the gaps of steps that are solved may be [J].
func (s *Summary) GapLimit() float64 { return s.Tolerance*s.EnergyScale + s.Loose }

// After returns the summary of two trajectories, s behind one that b is of, without the words.
func (s *Summary) After(b *Summary) Summary {
	if b.Steps == 0 {
		return *s
	}
	m := *s
	m.Steps, m.Events, m.Jumps, m.FellBack = s.Steps+b.Steps, s.Events+b.Events, s.Jumps+b.Jumps, s.FellBack+b.FellBack
	m.MaxGap, m.MaxStepGap, m.MaxStepForce = max(s.MaxGap, b.MaxGap), max(s.MaxStepGap, b.MaxStepGap), max(s.MaxStepForce, b.MaxStepForce)
	m.MinUpper, m.MinLower = min(s.MinUpper, b.MinUpper), min(s.MinLower, b.MinLower)
	m.MaxBalance, m.MaxForce, m.MaxLipschitz, m.MaxResidual = max(s.MaxBalance, b.MaxBalance),
		max(s.MaxForce, b.MaxForce), max(s.MaxLipschitz, b.MaxLipschitz), max(s.MaxResidual, b.MaxResidual)
	m.Convex = s.Convex && b.Convex
	m.EnergyScale, m.ForceScale, m.Loose = max(s.EnergyScale, b.EnergyScale), max(s.ForceScale, b.ForceScale), max(s.Loose, b.Loose)
	m.Solves, m.Inner, m.Factors = s.Solves+b.Solves, s.Inner+b.Inner, s.Factors+b.Factors
	return m
}

// add takes a node into account.
func (s *Summary) add(n *Node, foreign bool) {
	s.Steps = n.K
	for j, state := range n.States {
		if n.K > 0 && state != n.Before[j] {
			s.Events++
		}
	}
	s.MaxGap = max(s.MaxGap, n.Gap.Upper)
	s.MaxStepGap = max(s.MaxStepGap, n.StepGap.Upper)
	s.MaxStepForce = max(s.MaxStepForce, n.StepGap.Force)
	if n.K == 1 {
		s.MinUpper, s.MinLower = n.Upper, n.Lower
	} else if n.K > 1 {
		s.MinUpper, s.MinLower = min(s.MinUpper, n.Upper), min(s.MinLower, n.Lower)
	}
	s.MaxBalance = max(s.MaxBalance, math.Abs(n.Balance))
	s.MaxForce = max(s.MaxForce, n.Force)
	s.MaxLipschitz = max(s.MaxLipschitz, n.Lipschitz)
	s.MaxResidual = max(s.MaxResidual, n.Stats.Residual)
	s.Convex = s.Convex && n.Gap.Exact && n.StepGap.Exact
	s.Solves += n.Stats.Solves
	s.Inner += n.Stats.Inner
	s.Factors += n.Stats.Factors
	if n.Stats.FellBack {
		s.FellBack++
	}
	s.EnergyScale, s.ForceScale, s.Loose = n.EnergyScale, n.ForceScale, n.Loose
	s.judge(n, foreign)
}

// forceSlack times the tolerance is what forces may be off, relative to the
// largest: ten times what a step is allowed to leave.
const forceSlack = 10

// judge fails the trajectory at a node that is not the minimiser of its step.
func (s *Summary) judge(n *Node, foreign bool) {
	limit := n.GapLimit(s.Tolerance)
	switch {
	case math.IsNaN(n.StepGap.Upper) || math.IsNaN(n.Upper) || math.IsNaN(n.Balance):
		s.fail("t=%g: the certificate is not a number", n.T)
	case foreign:
	case n.StepGap.Upper > limit:
		s.fail("t=%g: the node does not solve its step: another state costs %.3g J less, allowed %.3g", n.T, n.StepGap.Upper, limit)
	case n.K > 0 && !(n.StepGap.Share <= forceSlack*s.Tolerance):
		// a start is no step: (N3) and the measures judge it
		s.fail("t=%g: the node does not solve its step: a force of %.3g of those in its part of the system is not balanced, allowed %.3g",
			n.T, n.StepGap.Share, forceSlack*s.Tolerance)
	case n.K > 0 && n.Upper < -limit:
		s.fail("t=%g: standing still would have cost %.3g J less (upper energy estimate), allowed %.3g", n.T, -n.Upper, limit)
	}
}

func (s *Summary) fail(format string, args ...any) {
	s.Solved = false
	s.refuse(fmt.Sprintf(format, args...))
}

// refuse takes the certificate away, for a reason.
func (s *Summary) refuse(why string) {
	s.Certified = false
	if s.First == "" {
		s.First = why
	}
}
