package rigid

import (
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// idleMaterials objects to materials of surfaces that never meet, and tells where a case that has
// materials leaves pairs without one.
func (b *builder) idleMaterials() {
	joined := map[[2]int]bool{}
	for i := range b.setup.Joints {
		if j := &b.setup.Joints[i]; j.B >= 0 {
			joined[[2]int{min(j.A, j.B), max(j.A, j.B)}] = true
		}
	}
	for i := range b.doc.Contacts {
		d, p := &b.doc.Contacts[i], casefile.Path{"contacts", i}
		if d.Between == nil || d.Friction == nil || b.Any() {
			continue
		}
		if pair, ok := b.pair(p, d); ok && joined[pair] {
			b.Add(p.With("friction"), "it has no effect: the bodies have a joint, and never meet")
		}
	}
	without := b.withoutEntry(joined)
	switch {
	case b.doc.Material != "" && !without && len(b.setup.Pairs) > 0:
		b.Note("$.material has no effect: all surfaces that may meet have entries of \"contacts\"")
	case b.doc.Material != "" && !without:
		b.Add(casefile.Path{"material"}, "it has no effect: nothing can touch")
	case b.doc.Material == "" && without && len(b.setup.Pairs) > 0:
		b.Note("surfaces that have no entry of \"contacts\" meet without friction and rebound: the case has no \"material\"")
	}
}

// idleMoments objects to resistance to rolling or spinning where nothing turns.
func (b *builder) idleMoments() {
	turns := func(body int) bool { return body >= 0 && b.World.Spins(body) }
	const why = "resistance to rolling, spinning or drilling has no effect: nothing that it is between turns"
	for i := range b.doc.Contacts {
		p := casefile.Path{"contacts", i}
		if d := &b.doc.Contacts[i]; d.Friction == nil || b.Any() {
			continue
		}
		if pair, ok := b.pair(p, &b.doc.Contacts[i]); ok {
			if m := b.setup.Pairs[pair]; m.Resistance.Moments() && !turns(pair[0]) && !turns(pair[1]) {
				b.Add(p.With("friction"), why)
			}
		}
	}
	any := false
	for i := range b.World.Bodies() {
		any = any || turns(i)
	}
	if b.setup.Material.Resistance.Moments() && !any {
		b.Add(casefile.Path{"material"}, why)
	}
}

// withoutEntry reports whether two surfaces may meet that have no material of their own.
func (b *builder) withoutEntry(joined map[[2]int]bool) bool {
	for i := range b.World.Bodies() {
		for j := -b.World.Obstacles(); j < b.World.Bodies(); j++ {
			pair := [2]int{i, j}
			if _, own := b.setup.Pairs[pair]; !own && (j < 0 || j > i) && !b.setup.Apart[pair] && !joined[pair] {
				return true
			}
		}
	}
	return false
}

// idleRestitution notes keys that say how surfaces rebound, where none says that it does; zeros
// say that this is meant.
func (b *builder) idleRestitution() {
	for _, m := range b.doc.Friction {
		if m.Restitution != nil {
			return
		}
	}
	const why = "has no effect: no entry of \"friction\" has a \"restitution\""
	if b.doc.Law != "" {
		b.Note("$.restitution_law %s", why)
	}
	if b.doc.Speed != 0 {
		b.Note("$.restitution_speed %s", why)
	}
}

// idleSettle notes a start that is as the case has it, though bodies that overlap were to be
// moved apart.
func (b *builder) idleSettle(s *rigid.Stepper) {
	start, _ := b.World.Start()
	if _, q, _, _ := s.State(); b.doc.Settle && slices.Equal(q, start) {
		b.Note("$.settle has no effect: no bodies overlap at the start")
	}
}

// symmetry takes the choice that motions may leave a plane of symmetry, which there may be none of.
func (b *builder) symmetry() {
	b.setup.Aslant = b.doc.Symmetry == "free"
	if _, found := b.World.Mirror(); b.setup.Aslant && !found {
		b.Note("$.symmetry has no effect: the case is not its own mirror image in a plane")
	}
}

// pressure takes how faces share what they bear.
func (b *builder) pressure(o *rigid.Options) {
	if b.doc.Pressure != "uniform" {
		return
	}
	o.Pressure = rigid.UniformPressure
	moments := b.setup.Material.Resistance != nil
	for _, m := range b.setup.Pairs {
		moments = moments || m.Resistance != nil
	}
	flat := false
	for i := range b.World.Obstacles() {
		_, plane := b.World.Obstacle(i).Surface.(bodies.HalfSpace)
		flat = flat || plane
	}
	switch {
	case moments:
		b.Add(casefile.Path{"pressure"}, "found \"uniform\" beside a resistance to rolling, spinning or drilling, or adhesion: a face has its moments by its pressure")
	case b.Dim == 2:
		b.Add(casefile.Path{"pressure"}, "found \"uniform\" in the plane: two ends of an edge share what it bears in one way")
	case !b.World.FillFaces() || !flat:
		b.Add(casefile.Path{"pressure"}, "found \"uniform\", which has no effect: no body has flat faces, or no obstacle is a half-space for them; faces on each other and on solid obstacles bear at their corners")
	}
}
