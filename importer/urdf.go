package importer

import (
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// link is one of a URDF file, with the joint that leads to it.
type link struct {
	*node
	parent *link
	joint  *node
	in     frame // in the parent
	body   int   // of the case; −1: it has none of its own, and is part of that of the parent
	at     frame // in space
}

// urdf reads a robot: a tree of links, each at the end of the joint from its parent.
func (b *builder) urdf(top *node) (looks []string) {
	if name, ok := top.text("name"); ok {
		b.c.Description = "The robot " + name + "."
	}
	links := map[string]*link{}
	var order []*link
	for _, n := range top.all("link") {
		name, _ := n.text("name")
		if links[name] != nil {
			b.fail(n, "the name %q is taken", name)
		}
		links[name] = &link{node: n, in: home, at: home, body: -1}
		order = append(order, links[name])
	}
	for _, n := range top.all("joint") {
		n.text("name")
		var ends [2]*link
		for k, end := range []string{"parent", "child"} {
			x := n.one(end)
			if x == nil {
				b.fail(n, "it has no %s", end)
				return nil
			}
			name, _ := x.text("link")
			if ends[k] = links[name]; ends[k] == nil {
				b.fail(x, "there is no link %q", name)
				return nil
			}
		}
		if ends[1].joint != nil {
			b.fail(n, "two joints lead to the link %q", ends[1].attr["name"])
			return nil
		}
		ends[1].parent, ends[1].joint, ends[1].in = ends[0], n, b.origin(n)
	}
	done := map[*link]bool{}
	var visit func(l *link, depth int)
	visit = func(l *link, depth int) {
		if done[l] || b.err != nil {
			return
		}
		if depth > len(order) {
			b.fail(l.node, "joints lead in a circle")
			return
		}
		if l.parent != nil {
			visit(l.parent, depth+1)
			l.at = l.parent.at.of(l.in)
		}
		done[l] = true
		b.link(l)
	}
	for _, l := range order {
		visit(l, 0)
	}
	b.gazebo(top)
	return []string{"visual", "material", "transmission", "xacro", "version"}
}

// gazebo lists what the extensions of a simulator say of links: the friction of surfaces by its name.
func (b *builder) gazebo(top *node) {
	for _, n := range top.all("gazebo") {
		link, _ := n.text("reference")
		for _, key := range []string{"mu1", "mu2"} {
			for _, x := range n.all(key) {
				b.left(x, fmt.Sprintf("%s of link %q", key, link),
					"it is \"mu\" of a \"friction\" that \"contacts\" names; the case has 1 for all links")
			}
		}
	}
}

// origin is the frame of an element in that around it.
func (b *builder) origin(n *node) frame {
	f := home
	o := n.one("origin")
	if o == nil {
		return f
	}
	if x, ok := b.vector(o, "xyz", 3); ok {
		f.at = [3]float64(x)
	}
	if x, ok := b.vector(o, "rpy", 3); ok { // about x, then y, then z, of the frame around
		f.turn = about([3]float64{2: 1}, x[2]).of(about([3]float64{1: 1}, x[1])).of(about([3]float64{1}, x[0])).turn
	}
	return f
}

// link makes a body of one.
func (b *builder) link(l *link) {
	name := l.attr["name"]
	x := Body{ID: b.id(name, "link"), line: l.line, grip: slides(1), Position: l.at.at, Orientation: l.at.turn}
	var shapes []bodies.Part
	for _, n := range l.all("collision") {
		n.text("name")
		if s, ok := b.geometry(n); ok {
			p := b.origin(n)
			x.add(s, p)
			shapes = append(shapes, bodies.Part{Shape: s, Position: p.at, Orientation: p.turn})
		}
	}
	inertial := l.one("inertial")
	kind := ""
	if l.joint != nil {
		kind, _ = l.joint.text("type")
	}
	switch {
	case inertial != nil:
		b.inertial(&x, inertial)
	case l.parent == nil:
		x.Fixed = true
		b.left(l.node, l.title(), "it has no mass, and is fixed")
	case kind == "fixed" && len(shapes) == 0: // a mark
		l.body = l.parent.body
		return
	case len(shapes) > 0:
		masses := make([]float64, len(shapes))
		for i := range shapes {
			masses[i] = bodies.MassOf(shapes[i].Shape, water)
		}
		x.weigh(masses, shapes)
		b.left(l.node, "mass of "+l.title(), "it has none: %g kg/m³ are taken", water)
	default:
		b.fail(l.node, "the link %q has no mass, no collision and moves", name)
		return
	}
	if x.Fixed && len(x.Parts) == 0 { // the ground
		return
	}
	l.body = len(b.c.Bodies)
	b.c.Bodies = append(b.c.Bodies, x)
	if l.joint != nil {
		b.hinge(l, kind)
	} else if !x.Fixed {
		b.left(l.node, l.title(), "the root has a mass, and is free; \"fixed\": true without masses holds it")
	}
}

// water is the density of links that have none [kg/m³], that which MuJoCo takes.
const water = 1000.0

// inertial sets the mass of a link.
func (b *builder) inertial(x *Body, n *node) {
	f := b.origin(n)
	m := n.one("mass")
	i := n.one("inertia")
	if m == nil || i == nil {
		b.fail(n, "it has no mass or no inertia")
		return
	}
	var j [9]float64
	for k, key := range [9]string{"ixx", "ixy", "ixz", "ixy", "iyy", "iyz", "ixz", "iyz", "izz"} {
		j[k] = b.number(i, key, 0)
	}
	x.setMass(b.number(m, "value", 0), f.at, f.tensor(j))
}

// geometry is the shape of a collision.
func (b *builder) geometry(n *node) (bodies.Shape, bool) {
	g := n.one("geometry")
	if g == nil || len(g.list) != 1 {
		b.fail(n, "it has no geometry")
		return nil, false
	}
	s := g.list[0]
	s.seen = true
	switch s.name {
	case "box":
		x, ok := b.vector(s, "size", 3)
		if ok {
			return bodies.Box{Size: [3]float64(x)}, true
		}
	case "sphere":
		return bodies.Sphere{R: b.number(s, "radius", 0)}, true
	case "cylinder":
		return bodies.SolidCylinder{R: b.number(s, "radius", 0), Height: b.number(s, "length", 0)}, true
	case "mesh":
		scale := [3]float64{1, 1, 1}
		if x, ok := b.vector(s, "scale", 3); ok {
			scale = [3]float64(x)
		}
		file, _ := s.text("filename")
		if h := b.mesh(s, file, scale); h != nil {
			return bodies.Polyhedron{Vertices: h.vertices}, true
		}
		return nil, false
	}
	s.seen = false
	return nil, false
}

// hinge makes the joint that leads to a link.
func (b *builder) hinge(l *link, kind string) {
	n := l.joint
	j := Joint{ID: n.attr["name"], Body: b.c.Bodies[l.body].ID, At: l.at.at}
	if p := l.parent.body; p >= 0 {
		j.To = b.c.Bodies[p].ID
	}
	axis := [3]float64{1}
	if a := n.one("axis"); a != nil {
		if x, ok := b.vector(a, "xyz", 3); ok {
			axis = [3]float64(x)
		}
	}
	switch kind {
	case "revolute", "continuous":
		j.Type = "revolute"
	case "prismatic":
		j.Type = "prismatic"
	case "fixed":
		j.Type = "fixed"
	case "floating":
		return
	default:
		b.left(n, n.title(), "the type %q: the link is free", kind)
		return
	}
	if j.Type != "fixed" {
		axis = l.at.rotate(axis)
		j.Axis = &axis
		if d := n.one("dynamics"); d != nil {
			j.Damping, j.Friction = b.number(d, "damping", 0), b.number(d, "friction", 0)
		}
		if x := n.one("limit"); x != nil {
			b.limits(x, n, &j, kind)
		}
	}
	b.c.Joints = append(b.c.Joints, j)
}

// limits reads those of a joint; effort and velocity are of a motor, which a URDF file does not have.
func (b *builder) limits(x, n *node, j *Joint, kind string) {
	low, high := b.number(x, "lower", 0), b.number(x, "upper", 0)
	if kind != "continuous" {
		b.limit(n, j, low, high)
	}
	if effort, ok := b.vector(x, "effort", 1); ok {
		b.left(x, "effort of "+n.title(), "it is the \"limit\" of a \"motor\" of joint %q, %g, which the file does not have",
			j.ID, effort[0])
	}
	if speed, ok := b.vector(x, "velocity", 1); ok {
		b.left(x, "velocity of "+n.title(), "%g is for a controller to keep, no law bounds it", speed[0])
	}
}
