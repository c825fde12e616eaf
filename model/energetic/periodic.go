package energetic

import (
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// tieSides makes the nodes of periodic sides followers of their images, see [particles.Relative]: x_i = X_i + (x_image − X_image) + jump.
func (b *builder) tieSides() {
	measures := map[int]bool{} // dofs from which others are measured
	for k := range b.relative {
		for _, w := range b.relative[k].Terms {
			measures[w.Dof] = true
		}
	}
	for _, n := range b.nodes {
		for k := range n.solid.Ties {
			t := &n.solid.Ties[k]
			p, mesh, image := n.at.With("periodic", t.Entry), n.body.Mesh(), n.first+t.Image
			switch x, y := n.contact[t.Node].meeting, n.contact[t.Image].meeting; {
			case x != nil || y != nil || measures[n.body.Dof(t.Node, 0)]:
				b.Add(p, "node %d at %v or its image, node %d, meets a body too: leave them out of one of the groups (\"mesh\": {\"groups\": …})",
					t.Node, mesh.Node(t.Node), t.Image)
				return
			case b.frames[image].Chart != nil:
				b.Add(p, "node %d at %v moves as %q, whose obstacle is curved or moves: want an obstacle of it that is flat and at rest",
					t.Node, mesh.Node(t.Node), b.ids[image])
				return
			}
			for c := range mesh.Dim {
				r := particles.Relative{Dof: n.body.Dof(t.Node, c), Follower: n.body.Follow(),
					Shift: []particles.Share{{Factor: 1, Signal: signal.Constant(mesh.Node(t.Node)[c])}}}
				if dof := n.body.Dof(t.Image, c); n.body.Motion(t.Image, c) == nil {
					r.Terms = []particles.Term{{Dof: dof, Weight: 1, From: mesh.Node(t.Image)[c]}}
				} else {
					r.Shift = append(r.Shift, particles.Share{Factor: 1, Signal: n.body.Motion(t.Image, c), Held: 1 + dof})
				}
				if t.Jump != nil {
					r.Shift = append(r.Shift, particles.Share{Factor: 1, Signal: t.Jump[c]})
				}
				b.relative, b.relativeAt = append(b.relative, r), append(b.relativeAt, p)
			}
		}
		b.checkImages(n)
	}
}

// checkImages wants images of nodes in contact with an obstacle that are in contact with it too.
func (b *builder) checkImages(n *bodyNodes) {
	for k, x := range n.doc.Contact {
		for _, i := range n.body.Mesh().Groups[x.Group].Corners() {
			if t := n.solid.Tie(i); t != nil && x.Obstacle != "" && !n.solid.CheckTied(b.Builder, n.at.With("contact", k), t,
				n.body.Along(b.frames[n.first+t.Image].N), x.Obstacle, n.contact[t.Image].obstacle) {
				return
			}
		}
	}
}
