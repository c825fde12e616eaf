package energetic

import (
	"context"
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
)

// Checkpoint is everything that the rest of an [Evolution] depends on: one of the
// same system and options that resumes from it goes on to the same bits, states
// and certificates.
type Checkpoint struct {
	Step        incremental.Checkpoint `json:"step"`
	K           int                    `json:"k"`
	Start       []float64              `json:"start"`
	Energy0     float64                `json:"energy0"`
	Size        float64                `json:"size"`
	Stiffest    float64                `json:"stiffest"`
	Settled     float64                `json:"settled"`
	Smooth      float64                `json:"smooth"`
	Pace        Pace                   `json:"pace"`
	Certificate Certificate            `json:"certificate"`
	Summary     Summary                `json:"summary"`
	Islands     []Residuals            `json:"islands"`
	Island      []int                  `json:"island"` // of each particle
	Forces      []float64              `json:"forces"` // sizes of the islands' forces [N]
	Twin        twinCheckpoint         `json:"twin"`
	Gap         contact.CondensedState `json:"gap"`                 // from where the problems of (S) start
	Reactions   [][3]float64           `json:"reactions,omitempty"` // of the node, where it has them
}

// Save stores the present node; the slices of dst are reused.
func (e *Evolution) Save(dst *Checkpoint) {
	c := e.cert
	e.stepper.Save(&dst.Step)
	c.min.SaveCondensed(&dst.Gap)
	dst.K, dst.Certificate, dst.Summary = c.node.K, c.node.Certificate, c.sum
	dst.Islands = append(dst.Islands[:0], c.between.part...)
	dst.Island = append(dst.Island[:0], c.between.island...)
	dst.Forces = append(dst.Forces[:0], c.scales.Force...)
	c.twin.save(&dst.Twin)
	dst.Start = append(dst.Start[:0], c.z0...)
	dst.Energy0, dst.Size, dst.Stiffest = c.energy0, c.size, c.stiffest
	dst.Settled, dst.Smooth, dst.Pace = e.Settled, e.smooth, e.pace
	dst.Reactions = append(dst.Reactions[:0], c.node.Reactions...)
}

// Load continues from a checkpoint. It fails for one of another system.
func (e *Evolution) Load(src *Checkpoint) error {
	c := e.cert
	if len(src.Start) != len(c.z0) {
		return fmt.Errorf("energetic: the checkpoint is of a system of %d particles, want %d", len(src.Start)/3, len(c.z0)/3)
	}
	if len(src.Island) != c.sys.N() || len(src.Forces) != len(c.scales.Force) {
		return fmt.Errorf("energetic: the checkpoint is of a system of %d particles and %d islands, want %d and %d", len(src.Island), len(src.Forces), c.sys.N(), len(c.scales.Force))
	}
	for j, i := range src.Island {
		if i < 0 || i >= len(src.Islands) {
			return fmt.Errorf("energetic: in the checkpoint particle %d is of island %d of %d", j, i, len(src.Islands))
		}
	}
	if err := e.stepper.Load(&src.Step); err != nil {
		return err
	}
	if err := c.min.LoadCondensed(context.Background(), src.Step.T, src.Step.Z, &src.Gap); err != nil {
		return err
	}
	n := &c.node
	n.K, n.T, n.Certificate = src.K, src.Step.T, src.Certificate
	copy(n.Z, e.stepper.State())
	copy(n.Grad, e.stepper.Gradient())
	n.Reactions = nil
	if len(src.Reactions) > 0 {
		n.Reactions = append(n.Reactions, src.Reactions...)
	}
	copy(n.States, src.Step.States)
	copy(n.Before, src.Step.States)
	copy(c.switching, src.Step.Switching)
	copy(c.z0, src.Start)
	c.between.assign(c, append([]int(nil), src.Island...), len(src.Islands))
	copy(c.between.part, src.Islands)
	copy(c.scales.Force, src.Forces)
	c.blocks.factor(c.sys.Hessian(src.Step.T, e.stepper.State()))
	if len(src.Step.Before) == len(c.zPrev) {
		c.tPrev = src.Step.TBefore
		copy(c.zPrev, src.Step.Before)
	}
	if err := c.loadTwin(&src.Twin); err != nil {
		return err
	}
	c.energy0, c.size, c.stiffest = src.Energy0, src.Size, src.Stiffest
	e.Settled, e.smooth, e.pace = src.Settled, src.Smooth, src.Pace
	c.sum = src.Summary
	c.begun = true
	return nil
}

// Resume begins where a checkpoint was saved.
func Resume(psi *dissipation.Coulomb, o Options, from *Checkpoint) (*Evolution, error) {
	if from == nil {
		return nil, errors.New("energetic: Resume without a checkpoint")
	}
	s, err := incremental.New(psi, from.Step.T, from.Step.Z, o.Step)
	if err != nil {
		return nil, err
	}
	e := &Evolution{stepper: s}
	if e.cert, err = NewCertifier(psi, o); err != nil {
		return nil, err
	}
	e.paced = true
	return e, e.Load(from)
}
