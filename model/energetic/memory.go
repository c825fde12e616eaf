package energetic

import (
	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/memory"
	"github.com/quasistatic/quasistatic/model/solid"
)

// plan analyses the steps, within what the bodies and the states leave of the
// limit, and returns what all of them take.
func (b *builder) plan(step *incremental.Options, psi *dissipation.Coulomb) memory.Estimate {
	var e memory.Estimate
	for _, n := range b.nodes {
		e.Add("mesh and stiffness", n.body.Bytes())
	}
	e.Add("mesh and stiffness", psi.System.Bytes())
	e.Add("states, names and files", memory.Product(perParticle, int64(len(b.ids))))
	if b.Limit.Check(e, "") != nil {
		return e // too much without the steps
	}
	plan, err := incremental.NewPlan(b.Context, psi, step.Threshold, max(1, b.Limit.Bytes-e.Total()))
	if !b.Accept(nil, err) { // the context is done
		return e
	}
	step.Plan = plan
	e.Join(plan.Need())
	return e
}

// perParticle is what a run keeps for each particle beside its matrices: some
// forty vectors of the stepper, the certifier and the observers, its name in two
// maps, the frames, the surfaces of the pictures; measured on blocks.
const perParticle = 2500

// perCoupling is what an entry of the Hessian takes that relative coordinates make [byte]: two numbers in lists that grow
// by doubling, their order, and the entry; measured on a side of 36 nodes that faces 12,000.
const perCoupling = 40

// checkNeed compares the prediction with the limit.
func (b *builder) checkNeed(e memory.Estimate) {
	p, advice := casefile.Path{"energies"}, "a smaller problem, or raise solver.memory (--memory) on a machine that has more"
	if len(b.nodes) > 0 {
		p, advice = b.nodes[0].at.With("mesh"), solid.Coarser
	}
	if err := b.Limit.Check(e, advice); err != nil {
		b.Add(p, "the run %v", err)
	}
}
