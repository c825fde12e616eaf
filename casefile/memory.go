package casefile

import (
	"encoding/json"
	"errors"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/memory"
)

// memoryDocument is the key solver.memory: a size like "4GB", or a number of bytes.
type memoryDocument string

// UnmarshalJSON decodes what the schema has checked.
func (m *memoryDocument) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, (*string)(m))
	}
	*m = memoryDocument(text)
	return nil
}

// limit is what a run of the case may take: by the caller, else by the key, else
// what is free now.
func (c *Case) limit(f *faults, key memoryDocument) memory.Limit {
	if key != "" {
		bytes, err := memory.Parse(string(key))
		if err != nil {
			f.add(path{"solver", "memory"}, "%v", err)
			return memory.Free()
		}
		if c.Memory == 0 {
			return memory.Limit{Bytes: bytes, Source: "the key solver.memory"}
		}
	}
	if c.Memory > 0 {
		return memory.Limit{Bytes: c.Memory, Source: "the limit given"}
	}
	return memory.Free()
}

// coarser is the advice where a mesh needs too much.
const coarser = "take fewer cells, or raise solver.memory (--memory) on a machine that has more"

// fits checks the mesh, its matrices and what a run keeps for its nodes before they
// are made.
func (b *builder) fits(p path, box *fem.Box, cells []float64, matrices int) bool {
	e := box.Memory(matrices)
	e.Add("states", memory.Product(perNode, box.Nodes()))
	err := b.limit.Check(e, coarser)
	if err != nil {
		b.add(p.with("block", "cells"), "found %v cells, and the mesh alone %v", cells, err)
	}
	return err == nil
}

// plan analyses the steps, within what the bodies and the states leave of the
// limit, and returns what all of them take.
func (b *builder) plan(step *incremental.Options, psi *dissipation.Coulomb) memory.Estimate {
	var e memory.Estimate
	for _, n := range b.nodes {
		e.Add("mesh and stiffness", n.body.Bytes())
	}
	e.Add("mesh and stiffness", psi.System.Bytes())
	e.Add("states, names and files", memory.Product(perParticle, int64(len(b.ids))))
	if b.limit.Check(e, "") != nil {
		return e // too much without the steps
	}
	step.Plan = incremental.NewPlan(psi, step.Threshold, max(1, b.limit.Bytes-e.Total()))
	e.Join(step.Plan.Need())
	return e
}

// perParticle is what a run keeps for each particle beside its matrices: some
// forty vectors of the stepper, the certifier and the observers, its name in two
// maps, the frames, the surfaces of the pictures; measured on blocks.
const perParticle = 2500

// perNode is the least of that in all models.
const perNode = 500

// checkNeed compares the prediction with the limit.
func (b *builder) checkNeed(e memory.Estimate) {
	p, advice := path{"energies"}, "a smaller problem, or raise solver.memory (--memory) on a machine that has more"
	if len(b.nodes) > 0 {
		p, advice = b.nodes[0].at.with("mesh"), coarser
	}
	if err := b.limit.Check(e, advice); err != nil {
		b.add(p, "the run %v", err)
	}
}

// exceeded words the refusal of a stepper.
func (b *builder) exceeded(err error) bool {
	_, is := errors.AsType[*memory.ExceededError](err)
	if is {
		b.add(path{"mesh"}, "the run %v", err)
	}
	return is
}
