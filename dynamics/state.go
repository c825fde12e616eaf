package dynamics

import "slices"

// State is (q, v, δ) at a time, and the forces of the step that led there.
// Deformations are stored by patches: those of patch i are the entries
// Ptr[i]:Ptr[i+1] of Delta, element-major with (n, t[, o]) for each element.
type State struct {
	T      float64
	Q, V   []float64
	Keys   []int // of the patches, see [Contacts.Begin]
	Ptr    []int
	Delta  []float64 // δ [m]
	Lambda []float64 // λ [N]
	Slip   []float64 // s [m/s]: the speed of separation and of slip
}

// Clone returns a deep copy.
func (s *State) Clone() *State {
	return &State{T: s.T, Q: slices.Clone(s.Q), V: slices.Clone(s.V), Keys: slices.Clone(s.Keys), Ptr: slices.Clone(s.Ptr),
		Delta: slices.Clone(s.Delta), Lambda: slices.Clone(s.Lambda), Slip: slices.Clone(s.Slip)}
}

// Patch returns the range of the entries of the patch of that key; an empty
// one if there is none.
func (s *State) Patch(key int) (first, last int) {
	if i := slices.Index(s.Keys, key); i >= 0 {
		return s.Ptr[i], s.Ptr[i+1]
	}
	return first, last
}

// deformation of the patch of that key, as Delta has it; nil: none, or no state.
func (s *State) deformation(key int) []float64 {
	if s == nil {
		return nil
	}
	first, last := s.Patch(key)
	return s.Delta[first:last]
}

func (s *State) resetPatches() {
	s.Keys, s.Ptr = s.Keys[:0], append(s.Ptr[:0], 0)
	s.Delta, s.Lambda, s.Slip = s.Delta[:0], s.Lambda[:0], s.Slip[:0]
}

// add appends a patch of n entries, all zero.
func (s *State) add(key, n int) {
	s.Keys = append(s.Keys, key)
	for range n {
		s.Delta, s.Lambda, s.Slip = append(s.Delta, 0), append(s.Lambda, 0), append(s.Slip, 0)
	}
	s.Ptr = append(s.Ptr, len(s.Delta))
}

// history carries deformations from step to step: it finds the patches of a
// step among those of the last one by their keys.
type history struct {
	last   State    // patches of the last step; only the patch part is used
	patch  []*Patch // of last, parallel to its keys
	index  map[int]int
	used   []bool
	ghosts int   // patches of last, at its end, that had no contact
	age    []int // of each patch of last: steps in a row, up to it, that it carried a force
	ages   []int // the same of the patches of this step, before it
	home   []int // part of each patch of last, see partition …
	lost   []int // … and of those that this step has lost
}

// match fills next with the patches of c, their δ and λ from the last step,
// and then with those patches of the last step that c has lost: they relax
// without force until nothing is left of them.
func (h *history) match(next *State, c *Contacts, patches []*Patch) []*Patch {
	next.resetPatches()
	patches = patches[:0]
	h.lost = h.lost[:0]
	h.ages = grow(h.ages, len(c.patches))
	clear(h.ages)
	for i := range c.patches {
		p := &c.patches[i]
		next.add(p.key, p.patch.dim*len(p.patch.at))
		patches = append(patches, p.patch)
	}
	if slices.Equal(h.last.Keys, next.Keys) && slices.Equal(h.last.Ptr, next.Ptr) { // as a rule
		copy(next.Delta, h.last.Delta)
		copy(next.Lambda, h.last.Lambda)
		copy(h.ages, h.age)
		return patches
	}
	return h.search(next, patches)
}

func (h *history) search(next *State, patches []*Patch) []*Patch {
	if h.index == nil {
		h.index = map[int]int{}
	}
	clear(h.index)
	h.used = h.used[:0]
	for i, key := range h.last.Keys {
		h.index[key] = i
		h.used = append(h.used, false)
	}
	for i, key := range next.Keys {
		if k, ok := h.index[key]; ok && h.last.Ptr[k+1]-h.last.Ptr[k] == next.Ptr[i+1]-next.Ptr[i] {
			copy(next.Delta[next.Ptr[i]:next.Ptr[i+1]], h.last.Delta[h.last.Ptr[k]:h.last.Ptr[k+1]])
			copy(next.Lambda[next.Ptr[i]:next.Ptr[i+1]], h.last.Lambda[h.last.Ptr[k]:h.last.Ptr[k+1]])
			h.used[k], h.ages[i] = true, h.age[k]
		}
	}
	for k, used := range h.used {
		delta := h.last.Delta[h.last.Ptr[k]:h.last.Ptr[k+1]]
		if used || h.patch[k] == nil || h.patch[k].Rigid() || gone(delta) {
			continue
		}
		next.add(h.last.Keys[k], len(delta))
		copy(next.Delta[len(next.Delta)-len(delta):], delta)
		patches = append(patches, h.patch[k])
		h.lost = append(h.lost, h.home[k])
	}
	return patches
}

// gone: a deformation below 1e-30 m, after some 60 relaxation times.
func gone(delta []float64) bool {
	for _, d := range delta {
		if d > 1e-30 || d < -1e-30 {
			return false
		}
	}
	return true
}

// keep makes next the last step.
func (h *history) keep(next *State, patches []*Patch, home []int, live int) {
	h.home = append(h.home[:0], home...)
	h.last.Keys = append(h.last.Keys[:0], next.Keys...)
	h.last.Ptr = append(h.last.Ptr[:0], next.Ptr...)
	h.last.Delta = append(h.last.Delta[:0], next.Delta...)
	h.last.Lambda = append(h.last.Lambda[:0], next.Lambda...)
	h.patch = append(h.patch[:0], patches...)
	h.ghosts = len(patches) - live
	h.age = h.age[:0]
	for i := range patches {
		age := 0
		if i < live && next.forced(i) {
			age = h.ages[i] + 1
		}
		h.age = append(h.age, age)
	}
}

// forced reports whether patch i carries a normal force.
func (s *State) forced(i int) bool {
	for at := s.Ptr[i]; at < s.Ptr[i+1]; at++ {
		if s.Lambda[at] != 0 {
			return true
		}
	}
	return false
}
