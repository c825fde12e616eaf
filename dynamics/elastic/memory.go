package elastic

import (
	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/memory"
)

// Matrices is the number of matrices of the size of the stiffness that a model
// holds: A, M_*, K̃ and at the start M_* with normals.
const Matrices = 4

// partStart is the part of [Stepper.Need] that is given back before the first step.
const partStart = "work of the start"

// Need predicts the memory of the stepper: of its matrices, the factor of K̃ with
// the contacts, and what is given back: the work of that factorisation, or the
// factor of the mass that finds the initial acceleration.
func (s *Stepper) Need() memory.Estimate {
	if s.trapezoid == nil {
		return s.a.need(nil, nil)
	}
	return s.trapezoid.need
}

// NeedVariable is Need for steps of any length: factors of the last few are kept.
func (s *Stepper) NeedVariable() memory.Estimate {
	var e memory.Estimate
	for range stepLengths {
		e.Join(s.Need())
	}
	return e
}

// need is Need for the plans of the matrix of the free dofs; nil without them.
func (a *assembly) need(mass *contact.MassPlan, plan *contact.CondensedPlan) memory.Estimate {
	var e memory.Estimate
	mesh := a.model.Mesh
	e.Add("mesh and matrices", 8*int64(len(mesh.X)+len(mesh.Elem))+16*Matrices*int64(len(a.stiffness.Row)))
	e.Add("states", 8*30*int64(len(mesh.X)))
	if plan != nil {
		solver, work := plan.Memory()
		e.Join(solver)
		e.Add(partStart, max(work-plan.Dense(), mass.WholeMemory().Total()))
	}
	return e
}
