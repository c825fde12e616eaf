package dynamics

import (
	"fmt"
	"slices"
)

// Checkpoint is everything that the next steps of a [Stepper] depend on: one of
// the same system and options that loads it goes on to the same bits. Beside the
// state it holds the deformations and forces of the last step, from which contact
// problems start and patches that have lost their contact relax.
type Checkpoint struct {
	Index     int
	State     State
	Lost      float64 // of the time by rounding [s]
	Push      float64 // time in which it undid penetrations [s]
	Path      []float64
	Began     float64   // when the run began [s] …
	Begins    []float64 // … and with which velocities
	H         float64   // of the last step [s]; 0 before the first
	Ledger    Energy
	Made      Creations
	Stored    []float64 // of the parts [J]
	Residual  float64   // largest of a contact problem since the start
	Slips     bool      // friction of some depends on the speed of slip …
	Weakening Weakening // … and how steeply it falls, see [Stepper.Solved]
	Smallness Smallness
	Keys, Ptr []int // of the patches of the last step
	Ghosts    int   // of them, at the end, that had no contact
	Home      []int // part of each
	Age       []int // of each: steps in a row that it carried a force
	Delta     []float64
	Lambda    []float64
	Pairs     []Pair
	Timing    Timing
}

// PatchFinder is a [System] that knows the patch of a key also where bodies are
// apart. Without it no checkpoint can be loaded at which the springs of a contact
// relax that was lost.
type PatchFinder interface {
	PatchOf(key int) *Patch
}

// Save stores the present state; the slices of dst are reused.
func (s *Stepper) Save(dst *Checkpoint) {
	h := &s.history
	dst.Index, dst.Lost, dst.H, dst.Ledger, dst.Smallness = s.step.Index, s.lost, s.step.H, s.ledger, s.small
	dst.Made.Set(&s.made)
	dst.Stored, dst.Residual = append(dst.Stored[:0], s.partition.stored...), s.residual
	dst.Push, dst.Pairs, dst.Slips, dst.Weakening = s.push, s.pairs.List, s.bySlip, s.weakening
	dst.Path, dst.Began, dst.Begins = append(dst.Path[:0], s.travel...), s.began, append(dst.Begins[:0], s.begins...)
	copyState(&dst.State, &s.now)
	s.timing.copyTo(&dst.Timing)
	dst.Keys, dst.Ptr, dst.Ghosts = append(dst.Keys[:0], h.last.Keys...), append(dst.Ptr[:0], h.last.Ptr...), h.ghosts
	dst.Age, dst.Home = append(dst.Age[:0], h.age...), append(dst.Home[:0], h.home...)
	dst.Delta, dst.Lambda = append(dst.Delta[:0], h.last.Delta...), append(dst.Lambda[:0], h.last.Lambda...)
}

// copyState makes dst a deep copy of src.
func copyState(dst, src *State) {
	dst.T = src.T
	dst.Q, dst.V = append(dst.Q[:0], src.Q...), append(dst.V[:0], src.V...)
	dst.Keys, dst.Ptr = append(dst.Keys[:0], src.Keys...), append(dst.Ptr[:0], src.Ptr...)
	dst.Delta, dst.Lambda, dst.Slip = append(dst.Delta[:0], src.Delta...), append(dst.Lambda[:0], src.Lambda...),
		append(dst.Slip[:0], src.Slip...)
}

// Load continues from a checkpoint. It fails for one of another system.
func (s *Stepper) Load(src *Checkpoint) error {
	if len(src.State.Q) != s.nq || len(src.State.V) != s.nv {
		return fmt.Errorf("dynamics: the checkpoint has %d coordinates and %d velocities, want %d and %d",
			len(src.State.Q), len(src.State.V), s.nq, s.nv)
	}
	if n := s.partition.count; len(src.Stored) != n || len(src.Made.Root) != n {
		return fmt.Errorf("dynamics: the checkpoint is of %d parts, want %d", len(src.Made.Root), n)
	}
	if len(src.Path) != s.nv || len(src.Begins) != s.nv || src.Made.Frames != s.made.Frames {
		return fmt.Errorf("dynamics: the checkpoint has a path of %d velocities in %d frames, want %d and %d",
			len(src.Path), src.Made.Frames, s.nv, s.made.Frames)
	}
	if !src.State.whole(src.State.Keys, src.State.Ptr, len(src.State.Slip)) ||
		!src.State.whole(src.Keys, src.Ptr, len(src.Delta)) || len(src.Lambda) != len(src.Delta) ||
		src.Ghosts > len(src.Keys) || len(src.Age) != len(src.Keys) || len(src.Home) != len(src.Keys) {
		return fmt.Errorf("dynamics: the checkpoint has %d patches with %d deformations and %d forces, which do not fit",
			len(src.Keys), len(src.Delta), len(src.Lambda))
	}
	s.push = src.Push
	copy(s.travel, src.Path)
	s.began = src.Began
	copy(s.begins, src.Begins)
	copyState(&s.now, &src.State)
	src.Timing.copyTo(&s.timing)
	h := &s.history
	h.last = State{Keys: slices.Clone(src.Keys), Ptr: slices.Clone(src.Ptr), Delta: slices.Clone(src.Delta),
		Lambda: slices.Clone(src.Lambda)}
	h.ghosts, h.age, h.home = src.Ghosts, slices.Clone(src.Age), slices.Clone(src.Home)
	s.step = Step{Index: src.Index, H: src.H, State: &s.now}
	s.lost, s.small, s.ledger = src.Lost, src.Smallness, src.Ledger
	s.residual, s.bySlip, s.weakening = src.Residual, src.Slips, src.Weakening
	s.made.Set(&src.Made)
	copy(s.partition.stored, src.Stored)
	s.pairs.Restore(src.Pairs)
	if err := s.assemble(); err != nil {
		return err
	}
	s.motion()
	return s.findPatches()
}

// whole reports whether patches end where their n entries do.
func (s *State) whole(keys, ptr []int, n int) bool {
	return len(ptr) == len(keys)+1 && ptr[0] == 0 && slices.IsSorted(ptr) && ptr[len(keys)] == n
}

// findPatches fills history.patch: where a contact was lost, its springs relax.
func (s *Stepper) findPatches() error {
	h := &s.history
	h.patch = make([]*Patch, len(h.last.Keys))
	finder, _ := s.sys.(PatchFinder)
	for i, key := range h.last.Keys {
		if k := slices.IndexFunc(s.contacts.patches, func(p placed) bool { return p.key == key }); k >= 0 {
			h.patch[i] = s.contacts.patches[k].patch
			continue
		}
		if finder != nil {
			h.patch[i] = finder.PatchOf(key)
		}
		p := h.patch[i]
		if !gone(h.last.Delta[h.last.Ptr[i]:h.last.Ptr[i+1]]) && (p == nil || p.state != nil) {
			return fmt.Errorf("dynamics: the springs of contact %d, which was lost before the checkpoint, are not known: the System has no PatchOf, or they depend on the state",
				key)
		}
	}
	return nil
}
