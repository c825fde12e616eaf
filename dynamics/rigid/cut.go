package rigid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/memory"
)

// Cut is a part of a step that failed and was taken again, in two halves or, as bodies were deep in
// each other at its end, with the curvature of its touches, or, with H = 0, a time at which a step
// was cut: an obstacle has a kink there, or the slip of a contact ends.
type Cut struct {
	T, H   float64 // its beginning and its length [s]
	Reason string
	Halved bool
	Slip   bool // it is where the slip of a contact ends or begins
}

// advance takes a step of length h or, where that fails, its halves one after the other, down to
// 2^−MaxCuts of a step: contact problems that stall, joints that turn too far, bodies that pass
// each other and gaps that cannot be opened are easier over a shorter time. An error is that of the
// shortest step.
func (s *Stepper) advance(ctx context.Context, h float64, left int) error {
	s.mayCut, s.mayRetake = left > 0, left > 0
	s.enter()
	if left == 0 {
		return s.takeParts(ctx, h)
	}
	depth := s.o.MaxCuts - left
	if len(s.rescue) <= depth {
		s.rescue = append(s.rescue, Checkpoint{})
	}
	before := &s.rescue[depth]
	s.Save(before)
	made := recorded{len(s.step.Collisions), len(s.step.Changes)}
	err := s.takeParts(ctx, h)
	if s.endedDeep(err) && s.shorterHelps(ctx, err, h) {
		if e := s.retake(before, made, h, err); e != nil {
			return e
		}
		s.curved = true
		err = s.takeParts(ctx, h)
	}
	if err == nil || !s.shorterHelps(ctx, err, h) {
		return err
	}
	if text := s.swamped(); text != "" && len(s.step.Cuts) >= swampedCuts {
		return fmt.Errorf("%w; %s", err, text)
	}
	if e := s.retake(before, made, h, err); e != nil {
		return e
	}
	s.step.Cuts[len(s.step.Cuts)-1].Halved = true
	if err := s.advance(ctx, h/2, left-1); err != nil {
		return err
	}
	return s.advance(ctx, h-h/2, left-1)
}

// retake goes back to the beginning of a part of a step that failed, and records why.
func (s *Stepper) retake(before *Checkpoint, made recorded, h float64, why error) error {
	if err := s.restore(before, made); err != nil {
		return errors.Join(why, err)
	}
	s.step.Cuts = append(s.step.Cuts, Cut{T: s.t, H: h, Reason: why.Error()})
	return nil
}

// beyondMemory reports whether an error is one of a contact problem, or of its factors, that memory
// does not hold.
func beyondMemory(err error) bool {
	var problem *MemoryError
	var factors *memory.ExceededError
	return errors.As(err, &problem) || errors.As(err, &factors)
}

// shorterHelps reports whether a shorter step may do where one failed.
func (s *Stepper) shorterHelps(ctx context.Context, err error, h float64) bool {
	return ctx.Err() == nil && !beyondMemory(err) && s.t+h/2 > s.t && !math.IsInf(h, 0)
}

const (
	// swampedRatio of the masses of two bodies that touch leaves 7 of 16 digits to the forces on
	// the heavier one: W = HM⁻¹Hᵀ adds up the inverses of both.
	swampedRatio = 1e9
	// swampedCuts are tried all the same: a light body on top of heavy ones does no harm.
	swampedCuts = 3
)

// swamped names the bodies that touch and whose masses are too far apart for the sums that couple
// them, which no shorter step cures; "": there are none.
func (s *contactSet) swamped() string {
	worst, text := swampedRatio, ""
	for i := range s.touches {
		t := &s.touches[i]
		if t.B < 0 {
			continue
		}
		light, heavy := t.A, t.B
		if s.model.Bodies[light].Mass > s.model.Bodies[heavy].Mass {
			light, heavy = heavy, light
		}
		if a, b := s.model.Bodies[light].Mass, s.model.Bodies[heavy].Mass; b > worst*a {
			worst = b / a
			text = fmt.Sprintf("%s of %.3g kg touches %s of %.3g kg: the ratio %.3g leaves %.0f of 16 digits to the forces of the heavier one, want at most %.0e",
				s.model.BodyName(light), a, s.model.BodyName(heavy), b, worst, max(0, 16-math.Log10(worst)), swampedRatio)
		}
	}
	return text
}

// recorded is how much of its lists a step had recorded.
type recorded struct{ collisions, changes int }

// restore goes back to a state of this step and keeps what was counted.
func (s *Stepper) restore(c *Checkpoint, made recorded) error {
	step := s.step
	step.Collisions, step.Changes, step.Impulses = step.Collisions[:made.collisions], step.Changes[:made.changes], step.Impulses[:0]
	step.Instants = slices.DeleteFunc(step.Instants, func(x Instant) bool { return x.T > c.T })
	if err := s.Load(c); err != nil {
		return err
	}
	step.Dependent = s.step.Dependent
	s.step = step
	return nil
}
