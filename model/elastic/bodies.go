package elastic

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/signal"
)

// bodyDocument is an entry of "bodies".
type bodyDocument struct {
	ID       string    `json:"id"`
	Velocity []float64 `json:"velocity"`
	Spin     []float64 `json:"spin"`
	Solid
}

// part is a body of the case.
type part struct {
	*bodyDocument
	at    casefile.Path // of its keys
	solid *solid.Solid
	first int // number of its first node
}

// parts lists the bodies of the case: those of "bodies", or the one that has its keys beside these.
func (b *builder) parts() (list []*part) {
	d := &b.doc
	if d.Bodies == nil {
		if d.Young == 0 || d.Density == 0 {
			b.Add(nil, "the keys \"mesh\", \"young\" and \"density\" of a body are missing, or a list \"bodies\"")
			return nil
		}
		return []*part{{bodyDocument: &bodyDocument{Velocity: d.Velocity, Spin: d.Spin, Solid: d.Solid}}}
	}
	for key, given := range map[string]bool{"mesh": d.Mesh.Block != nil || d.Mesh.File != "", "young": d.Young != 0, "poisson": d.Poisson != 0,
		"density": d.Density != 0, "kinematics": d.Kinematics != "", "contact": d.Contact != nil, "body_force": d.BodyForce != nil,
		"tractions": d.Tractions != nil, "periodic": d.Periodic != nil, "lids": d.Lids != nil, "prescribed": d.Prescribed != nil, "velocity": d.Velocity != nil, "spin": d.Spin != nil} {
		if given {
			b.Add(casefile.Path{key}, "it is a key of a body, want it in those of \"bodies\"")
		}
	}
	for i := range d.Bodies {
		x := &part{bodyDocument: &d.Bodies[i], at: casefile.Path{"bodies", i}}
		if k := slices.IndexFunc(list, func(p *part) bool { return p.ID == x.ID }); k >= 0 {
			b.Add(x.at.With("id"), "the id %q is taken by %s, want an id of its own", x.ID, list[k].at)
		}
		for k := range x.Contact {
			x.Contact[k].Check(b.Builder, x.at.With("contact", k))
		}
		list = append(list, x)
	}
	return list
}

// decode decodes the bodies; false after a fault.
func (b *builder) decode(list []*part) bool {
	nodes := 0
	for _, x := range list {
		x.Name, x.Level = x.ID, b.level
		if x.solid = solid.Decode(b.Builder, x.at, &x.Solid, elastic.Matrices); x.solid == nil || b.Any() {
			return false
		}
		if x.first = nodes; x.solid.Mesh.Kind == fem.P2 {
			b.Add(x.at.With("mesh"), "%v", fem.ErrNoMass)
		}
		if x.Velocity != nil && len(x.Velocity) != x.solid.Mesh.Dim {
			b.Add(x.at.With("velocity"), "found %d numbers, want %d, the dimension of the mesh", len(x.Velocity), x.solid.Mesh.Dim)
		}
		if n := [4]int{2: 1, 3: 3}[x.solid.Mesh.Dim]; x.Spin != nil && (len(x.Spin) != n || x.solid.Material.Kinematics == fem.Axisymmetric) {
			b.Add(x.at.With("spin"), "found %d numbers, want one of a body in the plane, three of one in space, and none of a bar or a ring", len(x.Spin))
		}
		if one := list[0].solid; x.solid.Material.Kinematics != one.Material.Kinematics {
			b.Add(x.at.With("kinematics"), "the body is of %s, and the first of %s: want the same", x.solid.Material.Kinematics, one.Material.Kinematics)
		}
		nodes += x.solid.Mesh.NumNodes()
	}
	return !b.Any()
}

// assemble makes the model of the bodies, without contacts; nil after a fault.
func (b *builder) assemble(list []*part) *elastic.Model {
	d, one := &b.doc, list[0].solid
	m := &elastic.Model{Mesh: one.Mesh, Material: one.Material, Mass: masses[d.Mass], Inertia: inertias[d.Inertia]}
	if d.Bodies != nil {
		var names []string
		var meshes []*fem.Mesh
		for _, x := range list {
			names, meshes = append(names, x.ID), append(meshes, x.solid.Mesh)
		}
		var err error
		if m.Mesh, err = fem.Union(names, meshes); !b.Accept(casefile.Path{"bodies"}, err) {
			return nil
		}
	}
	moves := slices.ContainsFunc(list, func(x *part) bool { return x.Velocity != nil || x.Spin != nil || len(x.solid.Lids) > 0 })
	for _, x := range list {
		body := elastic.Body{ID: x.ID, Mesh: x.solid.Mesh, First: x.first, Material: x.solid.Material, BodyForce: x.solid.BodyForce}
		for _, l := range x.solid.Lids {
			for _, n := range l.Loads {
				body.Nodal = append(body.Nodal, elastic.Nodal(n))
			}
		}
		for _, t := range x.solid.Tractions {
			body.Tractions = append(body.Tractions, elastic.Traction{Group: t.Group, Force: t.Force})
		}
		if d.Bodies != nil {
			m.Bodies = append(m.Bodies, body)
		} else {
			m.BodyForce, m.Tractions, m.Nodal = body.BodyForce, body.Tractions, body.Nodal
		}
		for _, p := range x.solid.Prescribed {
			m.Prescribed = append(m.Prescribed, elastic.Prescribed{Nodes: x.numbers(p.Nodes), Axis: p.Axis, Motion: p.Motion})
		}
		m.Ties = append(m.Ties, x.ties()...)
		if moves {
			m.V0 = append(m.V0, x.velocities()...)
		}
	}
	for _, x := range list {
		for k := range x.solid.Lids {
			if m.U0 == nil {
				m.U0 = make([]float64, len(m.V0))
			}
			from, to, moves := m.Mesh.Dim*x.first, m.Mesh.Dim*(x.first+x.solid.Mesh.NumNodes()), x.motion()
			x.solid.Lids[k].Start(m.U0[from:to], m.V0[from:to], moves.at(x.solid.Lids[k].Centre), moves.spin)
		}
	}
	return m
}

// rigidMotion is that of a body at the start, v + ω × (x − c), c the centre of mass.
type rigidMotion struct{ velocity, spin, centre vec3.Vec }

func (r *rigidMotion) at(x vec3.Vec) vec3.Vec {
	return vec3.Add(r.velocity, 1, vec3.Cross(r.spin, vec3.Add(x, -1, r.centre)))
}

// motion is that which the case gives a body.
func (x *part) motion() (r rigidMotion) {
	mesh := x.solid.Mesh
	copy(r.velocity[:], x.Velocity)
	if copy(r.spin[:], x.Spin); mesh.Dim == 2 {
		r.spin[0], r.spin[2] = 0, r.spin[0]
	}
	for c := range mesh.Dim {
		axis, mass, whole := make([]float64, mesh.Dim), make([]float64, len(mesh.X)), 0.0
		axis[c] = 1
		fem.BodyForce(mass, mesh, x.solid.Material, axis)
		for i := c; i < len(mass); i += mesh.Dim {
			r.centre[c], whole = r.centre[c]+mass[i]*mesh.X[i], whole+mass[i]
		}
		r.centre[c] /= whole
	}
	return r
}

// velocities are those of the nodes at the start.
func (x *part) velocities() (list []float64) {
	r, mesh := x.motion(), x.solid.Mesh
	for i := range mesh.NumNodes() {
		var place vec3.Vec
		copy(place[:], mesh.Node(i))
		v := r.at(place)
		list = append(list, v[:mesh.Dim]...)
	}
	return list
}

// ties are those of periodic sides and lids of the body, by dofs of the model.
func (x *part) ties() (list []elastic.Tie) {
	dim := x.solid.Mesh.Dim
	for _, t := range x.solid.Ties {
		for c := range dim {
			tie := elastic.Tie{Dof: dim*(x.first+t.Node) + c, Masters: []fem.Share{{Dof: dim*(x.first+t.Image) + c, Weight: 1}}}
			if t.Jump != nil {
				tie.Given = t.Jump[c]
			}
			list = append(list, tie)
		}
	}
	for _, l := range x.solid.Lids {
		for _, f := range l.Followers {
			tie := elastic.Tie{Dof: dim*x.first + f.Dof, Given: signal.Sum(f.Given)}
			for _, m := range f.Masters {
				tie.Masters = append(tie.Masters, fem.Share{Dof: dim*x.first + m.Dof, Weight: m.Weight})
			}
			list = append(list, tie)
		}
	}
	return list
}

// numbers makes numbers of nodes of the body those of the model.
func (x *part) numbers(nodes []int) []int {
	list := slices.Clone(nodes)
	for i := range list {
		list[i] += x.first
	}
	return list
}

// law is the friction of an entry of "contact".
type law struct {
	mu   float64
	slip friction.Law
}

// overlapping is the motion of an obstacle, nil at rest, that grows by an overlap along the normal of a contact, scale times;
// the path is that of the entry.
func (b *builder) overlapping(p casefile.Path, motion *signal.Motion, overlap signal.Scalar, scale float64, c *fem.ContactNode, m *fem.Mesh, of string) *signal.Motion {
	if overlap == nil || !solid.Closes(b.Builder, p, overlap, c.Gap, 0, c.Node, m.Node(c.Node), of, false) {
		return motion
	}
	var grows signal.Motion
	if motion != nil {
		grows = *motion
	}
	shift := make(signal.Vector, 3)
	for i := range shift {
		along, err := signal.Scale(overlap, scale*c.Frame[m.Dim-1][i])
		if err == nil && grows.Shift != nil {
			along, err = signal.NewSum(grows.Shift[i], along)
		}
		if shift[i] = along; !b.Accept(p.With("overlap"), err) {
			return nil
		}
	}
	grows.Shift = shift
	return &grows
}

// touch adds contacts with the friction of an entry and an obstacle of a motion.
func touch(m *elastic.Model, list []fem.ContactNode, l law, motion *signal.Motion) {
	m.Contacts = append(m.Contacts, list...)
	for range list {
		m.Friction, m.Slip, m.Motions = append(m.Friction, l.mu), append(m.Slip, l.slip), append(m.Motions, motion)
	}
}

// meet adds the contacts of an entry by which a side of x meets that of another body; taken has the entry of nodes in
// contact, which leave their share to their neighbours, as those do that are prescribed.
func (b *builder) meet(m *elastic.Model, list []*part, x *part, k int, l law, taken map[int]*solid.Contact) {
	t, p := &x.Contact[k], x.at.With("contact", k)
	i := slices.IndexFunc(list, func(y *part) bool { return y.ID == t.Body })
	if i < 0 {
		var names []string
		for _, y := range list {
			names = append(names, y.ID)
		}
		b.UnknownName(p.With("body"), t.Body, "body", names)
		return
	}
	y := list[i]
	own, ok := solid.Group(b.Builder, p.With("group"), x.solid.Mesh, t.Group)
	other, known := solid.Group(b.Builder, p.With("side"), y.solid.Mesh, t.Side)
	switch {
	case !ok || !known:
		return
	case l.slip != nil:
		b.Add(p.With("friction"), "bodies that meet have a coefficient that is the same at all speeds, want a number \"mu\"")
		return
	}
	s := fem.Side{Mesh: x.solid.Mesh, Group: own, Held: map[int][3]bool{}}
	for _, q := range x.solid.Prescribed {
		for _, i := range q.Nodes {
			s.Held[i] = [3]bool{true, true, true}
		}
	}
	if !x.solid.CheckFree(b.Builder, p, own.Nodes()) || !y.solid.CheckFree(b.Builder, p, other.Nodes()) {
		return
	}
	for _, i := range own.Corners() {
		before, shared := taken[i+x.first], x == y && slices.Contains(other.Corners(), i) // an end of a slit
		if before != nil && before.Body != "" {
			b.Add(p, "node %d at %v is in contact with %q too, and has one: leave it out of one of the groups", i, s.Mesh.Node(i), before.Body)
			return
		} else if before != nil || shared {
			s.Held[i] = [3]bool{true, true, true}
		}
	}
	nodes, err := fem.Mortar(s, fem.Side{Mesh: y.solid.Mesh, Group: other}, x.solid.Material.Kinematics)
	if err != nil {
		b.Add(p, "%v; nodes that are prescribed, or in another contact, bear no other: let %q meet %q", err, y.ID, x.ID)
		return
	}
	overlap := t.Interference(b.Builder, p)
	meeting := elastic.Meeting{First: len(m.Contacts), Tied: t.Tied, Held: map[int][3]bool{},
		Sides: [2]fem.Group{m.Mesh.Groups[x.ID+"."+t.Group], m.Mesh.Groups[y.ID+"."+t.Side]}}
	for i, axes := range s.Held {
		meeting.Held[i+x.first] = axes
	}
	for _, n := range nodes {
		at, rounding := s.Mesh.Node(n.Node), 0.0
		for _, x := range at {
			rounding = max(rounding, 1e-9*math.Abs(x)) // of coordinates in files, with ten digits or more
		}
		if n.Gap, ok = t.StartGap(b.Builder, p, n.Gap, reach(&n, s.Mesh, y.solid.Mesh), rounding, n.Node, at, x.ID); !ok {
			return
		}
		grows := b.overlapping(p, nil, overlap, vec3.Norm(n.Across), &n.ContactNode, s.Mesh, y.ID)
		n.Node, n.Masters, n.Held = n.Node+x.first, y.numbers(n.Masters), x.numbers(n.Held)
		taken[n.Node] = t
		meeting.Nodes = append(meeting.Nodes, n)
		if !t.Tied {
			touch(m, []fem.ContactNode{n.ContactNode}, l, grows)
		}
	}
	m.Meetings = append(m.Meetings, meeting)
}

// reach is the distance of a node to the farthest one that it faces [m].
func reach(n *fem.MortarNode, own, other *fem.Mesh) (most float64) {
	for _, j := range n.Masters {
		away := 0.0
		for c, x := range other.Node(j) {
			away = math.Hypot(away, x-own.Node(n.Node)[c])
		}
		most = max(most, away)
	}
	return most
}
