package energetic

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/signal"
)

type bodyDocument struct {
	ID  string `json:"id"`
	Law string `json:"law"`
	// Those of "mooney-rivlin", in place of young and poisson.
	C1   *float64 `json:"c1"`
	C2   *float64 `json:"c2"`
	Bulk *float64 `json:"bulk"`
	// Plasticity is that of von Mises; nil: none.
	Plasticity *struct {
		Yield     float64 `json:"yield"`
		Hardening float64 `json:"hardening"`
		Isotropic float64 `json:"isotropic"`
	} `json:"plasticity"`
	// Bed are springs under sides.
	Bed []struct {
		Group     string       `json:"group"`
		Stiffness bedStiffness `json:"stiffness"`
	} `json:"bed"`
	solid.Document
}

// bedStiffness is one along the normal, or one along each axis.
type bedStiffness struct {
	normal bool
	along  []float64
}

// UnmarshalJSON reads a number or a list.
func (s *bedStiffness) UnmarshalJSON(text []byte) error {
	if s.normal = text[0] != '['; s.normal {
		s.along = make([]float64, 1)
		return json.Unmarshal(text, &s.along[0])
	}
	return json.Unmarshal(text, &s.along)
}

// bodyMatrices: the stiffness, and that of the system.
const bodyMatrices = 2

// bodyNodes are the particles of one body.
type bodyNodes struct {
	at      casefile.Path // of the energy
	doc     bodyDocument
	body    *body.Body
	first   int
	contact map[int]touch // by node
	bedded  map[int]bool  // nodes on a bed
	solid   *solid.Solid
	smooth  []string // groups on an obstacle without friction, where the case has laws
}

type touch struct {
	obstacle string
	friction *string
	at       casefile.Path
	overlap  signal.Scalar // with an obstacle; nil: none
	meeting  *meeting      // of a node that meets another body
	mortar   *fem.MortarNode
}

// bodies decodes the bodies among the energies and appends their nodes to the
// particles: node i of the body "b" is the particle "b.i".
func (b *builder) bodies() {
	var list []*bodyNodes
	faced := map[string][]string{} // groups of bodies that others meet
	for i, raw := range b.doc.Energies {
		var head struct {
			Type string `json:"type"`
		}
		p := casefile.Path{"energies", i}
		if !b.Decode(p, raw, &head) || head.Type != "body" {
			continue
		}
		n := &bodyNodes{at: p, contact: map[int]touch{}}
		if !b.Decode(p, raw, &n.doc) {
			continue
		}
		list = append(list, n)
		for k := range n.doc.Contact {
			c := &n.doc.Contact[k]
			c.Check(b.Builder, p.With("contact", k))
			if c.Body != "" {
				faced[c.Body] = append(faced[c.Body], c.Side)
			}
		}
	}
	if b.Any() {
		return
	}
	for _, n := range list {
		n.doc.Faced = faced[n.doc.ID]
		b.body(n)
	}
	b.meetBodies()
	if len(b.ids) == 0 && !b.Any() {
		b.Add(nil, "the case has no particles and no body")
	}
}

func (b *builder) body(n *bodyNodes) {
	p := n.at
	n.first = len(b.ids)
	for k := range n.doc.Contact {
		if c := &n.doc.Contact[k]; !solid.Rubs(c, len(b.doc.Friction), &n.smooth) {
			c.Friction = nil
		}
	}
	n.doc.Large = n.doc.hyperelastic()
	n.doc.Name, n.doc.Level, n.doc.Adapted = n.doc.ID, b.level, b.adapted[n.doc.ID]
	law, ok := b.mooneyRivlin(p, &n.doc)
	if !ok {
		return
	}
	s := solid.Decode(b.Builder, p, &n.doc.Document, bodyMatrices)
	if s == nil {
		return
	}
	if n.doc.Law == "neo-hookean" {
		law = s.Material.NeoHookean()
	}
	switch {
	case n.doc.Orthotropic != nil && (law != nil || n.doc.Plasticity != nil):
		b.Add(p.With("orthotropic"), "an orthotropic body is linear, want neither \"law\": %q nor \"plasticity\"", "neo-hookean")
		return
	case law != nil && s.Mesh.Dim == 1:
		b.Add(p.With("law"), "a bar has Young's modulus alone: want \"law\": \"linear\", or a mesh of dimension 2 or 3")
		return
	}
	b.locking = append(b.locking, s.Locking(n.doc.ID)...)
	o := body.Options{Mesh: s.Mesh, Material: s.Material, Law: law, First: n.first,
		Held: len(b.doc.Energies) > 1 || len(n.doc.Contact) > 0, BodyForce: s.BodyForce}
	n.solid = s
	o.Tied = s.Tied()
	for _, t := range s.Tractions {
		o.Tractions = append(o.Tractions, body.Traction{Group: t.Group, Force: t.Force})
	}
	before := b.Len()
	if o.Beds, o.Nodal = b.beds(n, s), lidLoads(s); b.Len() > before {
		return
	}
	for _, m := range s.Prescribed {
		o.Prescribed = append(o.Prescribed, body.Prescribed{Nodes: m.Nodes, Axis: m.Axis, Motion: m.Motion})
	}
	if n.doc.Plasticity != nil {
		if o.Plasticity = b.plasticity(p, n, s); o.Plasticity == nil {
			return
		}
	}
	var err error
	if n.body, err = body.New(o); err != nil {
		b.Add(p, "%v", err)
		return
	}
	for i := range n.body.Particles() {
		id := fmt.Sprintf("%s.%d", n.doc.ID, i)
		if _, twice := b.particle[id]; twice {
			b.Add(p.With("id"), "the id %q of a node is taken by a particle", id)
			return
		}
		b.particle[id] = len(b.ids)
		b.ids, b.all = append(b.ids, id), append(b.all, id)
	}
	b.at = append(b.at, n.body.Start()...)
	for k, t := range n.doc.Contact {
		if t.Body != "" {
			continue
		}
		at := p.With("contact", k)
		if g, ok := solid.Group(b.Builder, at.With("group"), s.Mesh, t.Group); ok {
			before, overlap := len(n.contact), t.Interference(b.Builder, at)
			for _, i := range g.Corners() {
				if _, twice := n.contact[i]; !twice && s.Tie(i) == nil {
					n.contact[i] = touch{obstacle: t.Obstacle, friction: t.Friction, at: at, overlap: overlap}
				}
			}
			if len(n.contact) == before {
				b.Add(at, "it has no effect: all nodes of its group are those of entries before, or move as others by \"periodic\", which bear contact for them")
			}
		}
	}
	b.nodes = append(b.nodes, n)
}

// beds decodes those of a body.
func (b *builder) beds(n *bodyNodes, s *solid.Solid) (list []fem.Bed) {
	n.bedded = map[int]bool{}
	for k := range n.doc.Bed {
		d, p := &n.doc.Bed[k], n.at.With("bed", k)
		g, ok := solid.Group(b.Builder, p.With("group"), s.Mesh, d.Group)
		switch dim := s.Mesh.Dim; {
		case !ok:
			continue
		case g.Dim != dim-1 || dim == 1:
			b.Add(p.With("group"), "the group %q has dimension %d in a mesh of dimension %d: a bed is under sides of bodies in the plane or in space",
				d.Group, g.Dim, dim)
			continue
		case n.doc.hyperelastic():
			b.Add(p, "a bed is under a body with small displacements, want \"law\": \"linear\"")
			continue
		case !d.Stiffness.normal && len(d.Stiffness.along) != dim:
			b.Add(p.With("stiffness"), "found %d numbers, want %d, one for each axis of the mesh, or one number, along the normal",
				len(d.Stiffness.along), dim)
			continue
		case !slices.ContainsFunc(d.Stiffness.along, func(k float64) bool { return k > 0 }):
			b.noteSlack(p, true)
			continue
		case d.Stiffness.normal:
			var err error
			if g, err = s.Mesh.Inward(g); !b.Accept(p.With("group"), err) {
				continue
			}
		}
		x := fem.Bed{Group: g}
		copy(x.Stiffness[:], d.Stiffness.along)
		list = append(list, x)
		for _, i := range g.Elem {
			n.bedded[i] = true
		}
	}
	return list
}

// hyperelastic reports whether strains may be large.
func (d *bodyDocument) hyperelastic() bool { return d.Law != "" && d.Law != "linear" }

// mooneyRivlin decodes the keys of that law, and gives the document its moduli for small strains; of other laws it returns nil.
func (b *builder) mooneyRivlin(p casefile.Path, d *bodyDocument) (law fem.Law, ok bool) {
	keys, own := []string{"c1", "c2", "bulk"}, d.Law == "mooney-rivlin"
	for i, x := range []*float64{d.C1, d.C2, d.Bulk} {
		switch {
		case own && x == nil:
			b.Add(p, "the key %q of \"law\": %q is missing", keys[i], d.Law)
			return nil, false
		case !own && x != nil:
			b.Add(p.With(keys[i]), "it is of \"law\": \"mooney-rivlin\"; others have \"young\" and \"poisson\"")
			return nil, false
		}
	}
	if !own {
		return nil, true
	}
	m := fem.MooneyRivlin{C1: *d.C1, C2: *d.C2, Bulk: *d.Bulk}
	if err := m.Validate(); err != nil {
		if out, is := errors.AsType[*fem.ParameterError](err); is {
			p = p.With(out.Parameter)
		}
		b.Add(p, "%v", err)
		return nil, false
	}
	for key, given := range map[string]bool{"young": d.Young != 0, "poisson": d.Poisson != 0, "orthotropic": d.Orthotropic != nil} {
		if given {
			b.Add(p.With(key), "the moduli of \"law\": %q follow from c1, c2 and bulk: want no key %q", d.Law, key)
			return nil, false
		}
	}
	small := m.Elastic()
	d.Young, d.Poisson = small.Young, small.Poisson
	return m, true
}

// plasticity decodes that of a body; nil after a fault.
func (b *builder) plasticity(p casefile.Path, n *bodyNodes, s *solid.Solid) *fem.Plasticity {
	d := n.doc.Plasticity
	x := &fem.Plasticity{Yield: d.Yield, Hardening: d.Hardening, Isotropic: d.Isotropic}
	p = p.With("plasticity")
	var out *fem.ParameterError
	switch err := x.Validate(); {
	case errors.As(err, &out):
		b.Add(p.With(out.Parameter), "%v", err)
	case n.doc.hyperelastic():
		b.Add(p, "plastic strains are small, and those of \"law\": %q are not: want \"law\": \"linear\"", n.doc.Law)
	case s.Mesh.Dim == 1 || s.Material.Kinematics == fem.PlaneStress:
		b.Add(p, "the strain across a bar or a thin plate is no unknown of the mesh, and would yield too: want \"plane strain\", \"axisymmetric\" or a body in space")
	case b.doc.Solution != "":
		b.Add(casefile.Path{"solution"}, "a body that yields has one solution, along stable states: want no key \"solution\"")
	case b.doc.Equilibrate:
		b.Add(casefile.Path{"equilibrate"}, "what has yielded on the way of the start to equilibrium is not known: want loads and motions that grow from 0")
	case b.doc.Output.Rows() > 1:
		b.Add(casefile.Path{"output", "every"}, "plastic strains follow from all nodes, and files of some do not tell them: want no key \"every\"")
	default:
		return x
	}
	return nil
}

// rubs reports whether friction may hold the body.
func (n *bodyNodes) rubs() bool {
	for _, t := range n.doc.Contact {
		if t.Friction != nil {
			return true
		}
	}
	return false
}

// bodyFrames appends the frames and the friction of the nodes.
func (b *builder) bodyFrames() {
	for _, n := range b.nodes {
		for i := range n.body.Particles() {
			frame, matrix, factor := particles.NoObstacle(), dissipation.Matrix(nil), signal.Scalar(nil)
			if t, ok := n.contact[i]; ok {
				if t.meeting != nil {
					frame, matrix = b.meetingFrame(n, i, t)
				} else {
					frame, matrix = b.touching(n, i, t)
				}
				if matrix != nil {
					factor = b.frictions.Of(*t.friction).factor
				}
			}
			b.frames, b.matrices, b.factors = append(b.frames, frame), append(b.matrices, matrix), append(b.factors, factor)
			if b.Any() {
				return
			}
		}
		if len(b.doc.Energies) == 1 && !n.rubs() && !b.Accept(n.at, n.body.CheckSupport()) {
			return
		}
	}
	b.checkRelative()
	b.setLeans()
}

// touching returns frame and friction of a contact node.
func (b *builder) touching(n *bodyNodes, i int, t touch) (particles.Frame, dissipation.Matrix) {
	frame, ok := b.known.Find(t.at.With("obstacle"), t.obstacle)
	if !ok {
		return particles.Frame{}, nil
	}
	if frame.Chart != nil {
		frame = b.footed(t.at, n.first+i, frame)
	}
	if !b.Accept(t.at, n.body.Touch(i, &frame, t.friction != nil)) {
		return frame, nil
	}
	if t.overlap != nil {
		frame = b.overlapping(n, i, t, frame)
	}
	if t.friction == nil {
		return frame, nil
	}
	law, ok := b.frictions.Find(t.at.With("friction"), *t.friction)
	if !ok {
		return frame, nil
	}
	return frame, b.matrix(casefile.Path{"friction", *t.friction}, &law, &frame, n.first+i, false)
}

// overlapping returns the frame of an obstacle that has grown by the overlap of an entry.
func (b *builder) overlapping(n *bodyNodes, i int, t touch, frame particles.Frame) particles.Frame {
	shown := slices.IndexFunc(b.shown, func(o particleview.Obstacle) bool { return o.Name == t.obstacle })
	x := [3]float64(b.at[3*(n.first+i):])
	if gap := frame.Local(x)[2]; !b.doc.Equilibrate && !solid.Closes(b.Builder, t.at, t.overlap, gap,
		contact*(size(x[:])+size(frame.P[:])), i, n.body.Mesh().Node(i), t.obstacle, true) {
		return frame
	}
	var c particles.Chart
	if frame.Chart != nil {
		c = *frame.Chart
	} else if plane, err := particles.NewPlane(frame); b.Accept(t.at, err) {
		c.Face = plane
	} else {
		return frame
	}
	if c.Overlap = t.overlap; t.friction != nil && !c.Face.Flat() {
		b.Add(t.at.With("overlap"), "friction on a curved obstacle knows the lengths along it as it is, not as it grows: want an obstacle that has its size, with a motion that closes it, or no friction")
	}
	b.charts[&c] = shown
	return particles.Charted(&c, frame.P)
}
