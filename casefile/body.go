package casefile

import (
	"encoding/json"
	"fmt"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
)

type bodyDocument struct {
	ID  string `json:"id"`
	Law string `json:"law"`
	solidDocument
}

// bodyMatrices: the stiffness, and that of the system.
const bodyMatrices = 2

// bodyNodes are the particles of one body.
type bodyNodes struct {
	at      path // of the energy
	doc     bodyDocument
	body    *body.Body
	first   int
	contact map[int]touch // by node
}

type touch struct {
	obstacle string
	friction *string
	at       path
}

// bodies decodes the bodies among the energies and appends their nodes to the
// particles: node i of the body "b" is the particle "b.i".
func (b *builder) bodies() {
	for i, raw := range b.doc.Energies {
		var head struct {
			Type string `json:"type"`
		}
		if b.decode(path{"energies", i}, raw, &head) && head.Type == "body" {
			b.body(path{"energies", i}, raw)
		}
	}
	if len(b.ids) == 0 && !b.any() {
		b.add(nil, "the case has no particles and no body")
	}
}

func (b *builder) body(p path, raw json.RawMessage) {
	n := &bodyNodes{at: p, first: len(b.ids), contact: map[int]touch{}}
	if !b.decode(p, raw, &n.doc) {
		return
	}
	s := b.solid(p, &n.doc.solidDocument, bodyMatrices)
	if s == nil {
		return
	}
	o := body.Options{Mesh: s.mesh, Material: s.material, Hyperelastic: n.doc.Law == "neo-hookean", First: n.first,
		Held: len(b.doc.Energies) > 1, BodyForce: s.bodyForce}
	for _, t := range s.tractions {
		o.Tractions = append(o.Tractions, body.Traction{Group: t.group, Force: t.force})
	}
	for _, m := range s.prescribed {
		o.Prescribed = append(o.Prescribed, body.Prescribed{Nodes: m.nodes, Axis: m.axis, Motion: m.motion})
	}
	var err error
	if n.body, err = body.New(o); err != nil {
		b.add(p, "%v", err)
		return
	}
	for i := range n.body.Particles() {
		id := fmt.Sprintf("%s.%d", n.doc.ID, i)
		if _, twice := b.particle[id]; twice {
			b.add(p.with("id"), "the id %q of a node is taken by a particle", id)
			return
		}
		b.particle[id] = len(b.ids)
		b.ids, b.all = append(b.ids, id), append(b.all, id)
	}
	b.at = append(b.at, n.body.Start()...)
	for k, t := range n.doc.Contact {
		at := p.with("contact", k)
		if g, ok := b.group(at.with("group"), s.mesh, t.Group); ok {
			for _, i := range g.Nodes() {
				if _, twice := n.contact[i]; !twice {
					n.contact[i] = touch{t.Obstacle, t.Friction, at}
				}
			}
		}
	}
	b.nodes = append(b.nodes, n)
}

// bodyFrames appends the frames and the friction of the nodes.
func (b *builder) bodyFrames() {
	for _, n := range b.nodes {
		for i := range n.body.Particles() {
			frame, matrix := particles.NoObstacle(), dissipation.Matrix(nil)
			if t, ok := n.contact[i]; ok {
				frame, matrix = b.touching(n, i, t)
			}
			b.frames, b.matrices = append(b.frames, frame), append(b.matrices, matrix)
			if b.any() {
				return
			}
		}
	}
}

// touching returns frame and friction of a contact node.
func (b *builder) touching(n *bodyNodes, i int, t touch) (particles.Frame, dissipation.Matrix) {
	d, ok := b.doc.Obstacles[t.obstacle]
	if !ok {
		b.unknownName(t.at.with("obstacle"), t.obstacle, "obstacle", sortedKeys(b.doc.Obstacles))
		return particles.Frame{}, nil
	}
	h, err := particles.NewHalfSpace(d.Point, d.Normal)
	if err == nil {
		err = n.body.CheckContact(i, h)
	}
	if err != nil {
		b.add(t.at, "%v", err)
		return particles.Frame{}, nil
	}
	frame := h.Frame()
	if t.friction == nil {
		return frame, nil
	}
	law, ok := b.doc.Friction[*t.friction]
	if !ok {
		b.unknownName(t.at.with("friction"), *t.friction, "friction", sortedKeys(b.doc.Friction))
		return frame, nil
	}
	return frame, b.matrix(path{"friction", *t.friction}, &law, &frame, b.ids[n.first+i])
}
