package energetic

import (
	"encoding/json"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/signal"
)

// lidDocument is an entry of the key lids: a [fem.Lid] with what acts on it.
type lidDocument struct {
	Group  string          `json:"group"`
	Force  json.RawMessage `json:"force"`
	Moment json.RawMessage `json:"moment"`
	About  []float64       `json:"about"`
}

// bodyLid is one of a body.
type bodyLid struct {
	*fem.Lid
	at    casefile.Path
	nodes []int
}

// lids decodes those of a body, and returns what acts on them.
func (b *builder) lids(n *bodyNodes, s *solid.Solid) (loads []body.Nodal) {
	of := map[int]casefile.Path{}
	for k := range n.doc.Lids {
		p := n.at.With("lids", k)
		g, ok := solid.Group(b.Builder, p.With("group"), s.Mesh, n.doc.Lids[k].Group)
		if !ok {
			continue
		}
		if n.doc.hyperelastic() {
			b.Add(p, "a lid has small turns, and a neo-Hookean body large ones: want \"law\": \"linear\"")
			continue
		}
		l := bodyLid{at: p, nodes: g.Nodes()}
		for _, i := range l.nodes {
			if before, twice := of[i]; twice {
				b.Add(p.With("group"), "node %d at %v is of the lid %s too: leave it out of one of the two groups (\"mesh\": {\"groups\": …})",
					i, s.Mesh.Node(i), before)
				return nil
			}
			of[i] = p
		}
		var err error
		if l.Lid, err = fem.NewLid(s.Mesh, s.Material.Kinematics, l.nodes); !b.Accept(p.With("group"), err) {
			continue
		}
		n.lids = append(n.lids, l)
		loads = append(loads, b.lidLoads(p, &n.doc.Lids[k], s, l.Lid)...)
	}
	for _, t := range s.Ties {
		for _, i := range []int{t.Node, t.Image} {
			if p, is := of[i]; is {
				b.Add(p.With("group"), "node %d at %v is of a periodic side too, and goes with its lid: leave it out of one of the two groups (\"mesh\": {\"groups\": …})",
					i, s.Mesh.Node(i))
				return nil
			}
		}
	}
	for k := range s.Prescribed {
		for _, i := range s.Prescribed[k].Nodes {
			if p, is := of[i]; is {
				b.Add(p.With("group"), "node %d at %v is prescribed along %s too, and goes with its lid: leave it out of one of the two groups (\"mesh\": {\"groups\": …})",
					i, s.Mesh.Node(i), "xyz"[s.Prescribed[k].Axis:][:1])
				return nil
			}
		}
	}
	return loads
}

// lidLoads are the forces on the masters of a lid, by the components of force and moment.
func (b *builder) lidLoads(p casefile.Path, d *lidDocument, s *solid.Solid, l *fem.Lid) (loads []body.Nodal) {
	dim := s.Mesh.Dim
	var at vec3.Vec
	if d.About != nil && len(d.About) != dim {
		b.Add(p.With("about"), "found %d numbers, want %d, the dimension of the mesh", len(d.About), dim)
		return nil
	}
	if copy(at[:], d.About); d.About == nil {
		at = l.Centre()
	}
	add := func(key string, raw json.RawMessage, components int, load func(to []float64, c int) error) {
		if raw == nil {
			return
		}
		for c, f := range b.Vector(p.With(key), raw, components) {
			x := body.Nodal{Forces: make([]float64, len(s.Mesh.X)), Factor: f}
			if !b.Accept(p.With(key), load(x.Forces, c)) {
				return
			}
			if !signal.Zero(f) && !slices.ContainsFunc(x.Forces, func(v float64) bool { return v != 0 }) {
				b.Add(p.With(key, c), "the lid does not move that way, so that it has no effect")
				return
			}
			loads = append(loads, x)
		}
	}
	unit := func(c int) (e vec3.Vec) {
		e[c] = 1
		return e
	}
	add("force", d.Force, dim, func(to []float64, c int) error { return l.Load(to, unit(c), vec3.Vec{}, at) })
	switch {
	case d.Moment != nil && (dim == 1 || dim == 2 && s.Material.Kinematics == fem.Axisymmetric):
		b.Add(p.With("moment"), "nothing turns a lid of a bar or of a ring: want a force along its axis")
	case dim == 2:
		add("moment", d.Moment, 1, func(to []float64, _ int) error { return l.Load(to, vec3.Vec{}, unit(2), at) })
	default:
		add("moment", d.Moment, 3, func(to []float64, c int) error { return l.Load(to, vec3.Vec{}, unit(c), at) })
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
		for _, l := range n.lids {
			mesh, master := n.body.Mesh(), map[int]bool{}
			for _, i := range l.Masters {
				master[i] = true
			}
			for _, i := range l.nodes {
				_, touches := n.contact[i]
				for c := range mesh.Dim {
					dof := mesh.Dim*i + c
					if touches || met[n.body.Dof(i, c)] {
						b.Add(l.at.With("group"), "node %d at %v is in contact too, and goes with its lid: leave it out of one of the two groups (\"mesh\": {\"groups\": …})",
							i, mesh.Node(i))
						return
					}
					if master[dof] {
						continue
					}
					weights, err := l.Weights(dof)
					if !b.Accept(l.at, err) {
						return
					}
					r := particles.Relative{Dof: n.body.Dof(i, c), Follower: n.body.Follow(),
						Shift: []particles.Share{{Factor: 1, Signal: signal.Constant(mesh.Node(i)[c])}}}
					for k, m := range l.Masters {
						r.Terms = append(r.Terms, particles.Term{Dof: n.body.Dof(m/mesh.Dim, m%mesh.Dim), Weight: weights[k], From: mesh.X[m]})
					}
					b.relative, b.relativeAt = append(b.relative, r), append(b.relativeAt, l.at)
				}
			}
		}
	}
}
