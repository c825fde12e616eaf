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
	Step incremental.Checkpoint `json:"step"`
	Judgement
	Settled float64 `json:"settled"`
	Smooth  float64 `json:"smooth"`
	Pace    Pace    `json:"pace"`
}

// Judgement is what a [Certifier] knows of the nodes so far, beside the present one.
type Judgement struct {
	K           int            `json:"k"`
	Start       []float64      `json:"start"`
	Energy0     float64        `json:"energy0"`
	Size        float64        `json:"size"`
	Stiffest    float64        `json:"stiffest"`
	Certificate Certificate    `json:"certificate"`
	Summary     Summary        `json:"summary"`
	Islands     []Residuals    `json:"islands"`
	Island      []int          `json:"island"` // of each particle
	Forces      []float64      `json:"forces"` // sizes of the islands' forces [N]
	Twin        twinCheckpoint `json:"twin"`
	// from where the problems of (S) start
	Gap contact.CondensedState `json:"gap"`
	// how far contacts have slipped, where friction remembers that [m]
	Slipped []float64 `json:"slipped,omitempty"`
	Waiting []waiting `json:"waiting,omitempty"`
	// of the node, where it has them
	Reactions [][3]float64 `json:"reactions,omitempty"`
}

// CertifierCheckpoint is everything that the rest of a [Certifier] depends on, which looks at nodes
// that others make: one of the same system and options that loads it goes on to the same bits.
type CertifierCheckpoint struct {
	Judgement
	T         float64
	Z         []float64
	States    []incremental.ContactState
	Switching []bool
	// TBefore and Before are the node before, where an obstacle beside another is curved or moves.
	TBefore float64
	Before  []float64
}

// Save stores the present node; the slices of dst are reused.
func (c *Certifier) Save(dst *CertifierCheckpoint) {
	n := &c.node
	c.saveJudgement(&dst.Judgement)
	dst.T, dst.Z = n.T, append(dst.Z[:0], n.Z...)
	dst.States, dst.Switching = append(dst.States[:0], n.States...), append(dst.Switching[:0], c.switching...)
	dst.TBefore, dst.Before = 0, dst.Before[:0]
	if len(c.sys.Bent()) > 0 && n.K > 0 {
		dst.TBefore, dst.Before = c.tPrev, append(dst.Before, c.zPrev...)
	}
}

// Load continues from a checkpoint. It fails for one of another system.
func (c *Certifier) Load(src *CertifierCheckpoint) error {
	if len(src.Z) != len(c.z0) || len(src.States) != len(c.node.States) || len(src.Switching) != len(c.switching) {
		return fmt.Errorf("energetic: the checkpoint is of a system of %d particles with %d contacts, want %d with %d",
			len(src.Z)/3, len(src.States), len(c.z0)/3, len(c.node.States))
	}
	if err := incremental.Admissible(c.sys, src.T, src.Z); err != nil {
		return err
	}
	if err := c.min.LoadCondensed(context.Background(), src.T, src.Z, &src.Gap); err != nil {
		return err
	}
	n := &c.node
	n.T = src.T
	copy(n.Z, src.Z)
	c.sys.Gradient(n.Grad, nil, n.T, n.Z)
	copy(n.States, src.States)
	copy(n.Before, src.States)
	copy(c.switching, src.Switching)
	if len(src.Before) == len(c.zPrev) {
		c.tPrev = src.TBefore
		copy(c.zPrev, src.Before)
	}
	return c.loadJudgement(&src.Judgement)
}

// Save stores the present node; the slices of dst are reused.
func (e *Evolution) Save(dst *Checkpoint) {
	e.stepper.Save(&dst.Step)
	copy(dst.Step.States, e.cert.node.States) // after a new linearisation those of the stepper are of a step of no length
	e.cert.saveJudgement(&dst.Judgement)
	dst.Settled, dst.Smooth, dst.Pace = e.Settled, e.smooth, e.pace
}

func (c *Certifier) saveJudgement(dst *Judgement) {
	c.min.SaveCondensed(&dst.Gap)
	dst.K, dst.Certificate, dst.Summary = c.node.K, c.node.Certificate, c.sum
	dst.Islands = append(dst.Islands[:0], c.between.part...)
	dst.Island = append(dst.Island[:0], c.between.island...)
	dst.Forces = append(dst.Forces[:0], c.scales.Force...)
	c.twin.save(&dst.Twin, c.node.T)
	dst.Slipped = c.node.Slipped
	dst.Waiting = append(dst.Waiting[:0], c.waiting...)
	dst.Start = append(dst.Start[:0], c.z0...)
	dst.Energy0, dst.Size, dst.Stiffest = c.energy0, c.size, c.stiffest
	dst.Reactions = append(dst.Reactions[:0], c.node.Reactions...)
}

// fits reports why a judgement is not of the system.
func (c *Certifier) fits(src *Judgement) error {
	if len(src.Start) != len(c.z0) {
		return fmt.Errorf("energetic: the checkpoint is of a system of %d particles, want %d", len(src.Start)/3, len(c.z0)/3)
	}
	if len(src.Island) != c.sys.N() || len(src.Forces) != len(c.scales.Force) {
		return fmt.Errorf("energetic: the checkpoint is of a system of %d particles and %d islands, want %d and %d",
			len(src.Island), len(src.Forces), c.sys.N(), len(c.scales.Force))
	}
	for _, w := range src.Waiting {
		if w.Particle < 0 || w.Particle >= c.sys.N() {
			return fmt.Errorf("energetic: in the checkpoint particle %d of %d waits", w.Particle, c.sys.N())
		}
	}
	for j, i := range src.Island {
		if i < 0 || i >= len(src.Islands) {
			return fmt.Errorf("energetic: in the checkpoint particle %d is of island %d of %d", j, i, len(src.Islands))
		}
	}
	return nil
}

// loadJudgement continues at the present node.
func (c *Certifier) loadJudgement(src *Judgement) error {
	if err := c.fits(src); err != nil {
		return err
	}
	n := &c.node
	n.K, n.Certificate = src.K, src.Certificate
	c.measurePositions()
	c.psi.Remember(n.T, n.Z, src.Slipped)
	n.Slipped = c.psi.Slips(n.T, n.Z)
	c.flows = c.sys.Flows(n.T, n.Z, n.T, n.Z)
	c.spent = dissipated(c.flows)
	if c.sys.Remembers() {
		c.sys.Gradient(n.Grad, nil, n.T, n.Z)
	}
	n.Reactions = nil
	if len(src.Reactions) > 0 {
		n.Reactions = append(n.Reactions, src.Reactions...)
	}
	copy(c.z0, src.Start)
	c.between.assign(c, append([]int(nil), src.Island...), len(src.Islands))
	copy(c.between.part, src.Islands)
	copy(c.scales.Force, src.Forces)
	c.blocks.factor(c.sys.Hessian(n.T, n.Z))
	if err := c.loadTwin(&src.Twin); err != nil {
		return err
	}
	c.energy0, c.size, c.stiffest = src.Energy0, src.Size, src.Stiffest
	c.sum = src.Summary
	c.waiting = append(c.waiting[:0], src.Waiting...)
	c.begun = true
	c.rememberSamples()
	return nil
}

// Load continues from a checkpoint. It fails for one of another system.
func (e *Evolution) Load(src *Checkpoint) error {
	c := e.cert
	if err := c.fits(&src.Judgement); err != nil {
		return err
	}
	if err := e.stepper.Load(&src.Step); err != nil {
		return err
	}
	if err := c.min.LoadCondensed(context.Background(), src.Step.T, src.Step.Z, &src.Gap); err != nil {
		return err
	}
	n := &c.node
	n.T = src.Step.T
	copy(n.Z, e.stepper.State())
	copy(n.Grad, e.stepper.Gradient())
	copy(n.States, src.Step.States)
	copy(n.Before, src.Step.States)
	copy(c.switching, src.Step.Switching)
	if len(src.Step.Before) == len(c.zPrev) {
		c.tPrev = src.Step.TBefore
		copy(c.zPrev, src.Step.Before)
	}
	if err := c.loadJudgement(&src.Judgement); err != nil {
		return err
	}
	e.Settled, e.smooth, e.pace = src.Settled, src.Smooth, src.Pace
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
