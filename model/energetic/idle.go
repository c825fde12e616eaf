package energetic

import (
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// bind notes that an energy acts on particle j, if it is one. What follows others bears no force.
func (b *builder) bind(p casefile.Path, j int, ok bool) {
	if !ok {
		return
	}
	for _, n := range b.nodes {
		if i := j - n.first; i >= 0 && i < n.body.Particles() && n.body.Mesh().Follows(i) {
			b.Add(p, "found %q, a node amid an edge in contact, which follows the ends of the edge: take one of these", b.ids[j])
			return
		}
	}
	if b.bound == nil {
		b.bound = map[int]casefile.Path{}
	}
	if _, before := b.bound[j]; !before {
		b.bound[j] = p
	}
}

// holdBound puts prescribed nodes that energies act on where they are prescribed to be, whatever the
// forces on them: what these do to them, the support bears.
func (b *builder) holdBound() {
	if b.fixLids(); b.Any() {
		return
	}
	if b.tieSides(); b.Any() {
		return
	}
	for _, n := range b.nodes {
		for i := range n.body.Particles() {
			p, acted := b.bound[n.first+i]
			for axis := 0; acted && axis < n.body.Mesh().Dim; axis++ {
				motion := n.body.Motion(i, axis)
				if motion == nil {
					continue
				}
				if !b.frames[n.first+i].Free {
					b.Add(p, "found %q, a node that is in contact and prescribed along %s: want a node that is not prescribed, or not in contact",
						b.ids[n.first+i], "xyz"[axis:axis+1])
					return
				}
				start := particles.Share{Factor: 1, Signal: signal.Constant(n.body.Mesh().Node(i)[axis])}
				b.relative = append(b.relative, particles.Relative{Dof: n.body.Dof(i, axis),
					Shift: []particles.Share{start, {Factor: 1, Signal: motion}}, Follower: n.body.Follow()})
			}
		}
	}
}

// binds reports whether an energy acts on particle j.
func (b *builder) binds(j int) bool {
	_, acted := b.bound[j]
	return acted
}

// noteSlack notes an energy that is none, for all of its stiffness is zero.
func (b *builder) noteSlack(p casefile.Path, slack bool) {
	if slack {
		b.Note("%s has no effect: its stiffness is zero", p)
	}
}

// idle reports what the case gives particles and has no effect on them, of particles that nothing
// acts on, and of those that have no friction where others do.
func (b *builder) idle() {
	var alone, weightless []string
	for j := range b.doc.Particles {
		d := &b.doc.Particles[j]
		weighs := len(b.terms.gravities) > 0
		if d.Mass != 0 && !weighs {
			weightless = append(weightless, d.ID)
		}
		if !(d.Mass != 0 && weighs) && !b.binds(j) {
			alone = append(alone, d.ID)
		}
	}
	if len(weightless) > 0 {
		b.Note("$.particles: the mass of %s has no effect: there is no energy of the type \"gravity\"", casefile.Listed(weightless))
	}
	if len(alone) > 0 {
		b.Note("$.particles: no energy acts on %s", casefile.Listed(alone))
	}
	if len(b.smooth) > 0 {
		b.Note("$.particles: %s without friction: no law is named (\"friction\": %q says that this is meant)",
			casefile.Listed(b.smooth), free)
	}
	for _, n := range b.nodes {
		solid.NoteSmooth(b.Builder, n.at, n.smooth)
		if t, ok := n.doc.Target(); ok && t > b.Accuracy(&b.doc.Document) {
			b.Note("%s: meshes within %g may end above the accuracy of the case, %g, by which their error is judged", n.at.With("mesh", "accuracy"),
				t, b.Accuracy(&b.doc.Document))
		}
	}
}

// checkDriven reports a case in which nothing ever happens: no force acts at the start, and
// nothing depends on time.
func (b *builder) checkDriven(sys *particles.System, start []float64) {
	grad := make([]float64, len(start))
	sys.Gradient(grad, nil, 0, start)
	if len(b.Signals) == 0 && !slices.ContainsFunc(grad, func(g float64) bool { return g != 0 }) {
		b.Note("nothing happens: no force acts at the start, and no load, anchor, obstacle or friction changes with time")
	}
}
