package energetic

import (
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/signal"
)

// lidLoads are what acts on the lids of a body.
func lidLoads(s *solid.Solid) (loads []body.Nodal) {
	for _, l := range s.Lids {
		for _, x := range l.Loads {
			loads = append(loads, body.Nodal(x))
		}
	}
	return loads
}

// fixLids makes the nodes of lids followers of their masters, see [particles.Relative].
func (b *builder) fixLids() {
	met := map[int]bool{}
	for k := range b.relative {
		for _, w := range b.relative[k].Terms {
			met[w.Dof] = true
		}
	}
	for _, n := range b.nodes {
		for k := range n.solid.Lids {
			l := &n.solid.Lids[k]
			mesh := n.body.Mesh()
			for _, i := range l.Nodes {
				if _, touches := n.contact[i]; touches || met[n.body.Dof(i, 0)] {
					b.Add(l.At.With("group"), "node %d at %v is in contact too, and goes with its lid: leave it out of one of the two groups (\"mesh\": {\"groups\": …})",
						i, mesh.Node(i))
					return
				}
			}
			for _, f := range l.Followers {
				r := particles.Relative{Dof: n.body.Dof(f.Dof/mesh.Dim, f.Dof%mesh.Dim), Follower: n.body.Follow(),
					Shift: []particles.Share{{Factor: 1, Signal: signal.Constant(mesh.X[f.Dof])}}}
				for _, x := range f.Given {
					r.Shift = append(r.Shift, particles.Share{Factor: 1, Signal: x})
				}
				for _, m := range f.Masters {
					r.Terms = append(r.Terms, particles.Term{Dof: n.body.Dof(m.Dof/mesh.Dim, m.Dof%mesh.Dim), Weight: m.Weight, From: mesh.X[m.Dof]})
				}
				b.relative, b.relativeAt = append(b.relative, r), append(b.relativeAt, l.At)
			}
		}
	}
}
