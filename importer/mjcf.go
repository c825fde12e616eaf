package importer

import (
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// mujoco is what an MJCF file says of all its bodies.
type mujoco struct {
	*builder
	degrees    bool
	eulers     string
	meshdir    string
	fromGeom   bool                                       // masses are those of the geoms, whatever inertial says
	autolimits bool                                       // a range that is written limits
	classes    map[string]map[string]map[string]inherited // attributes by class and element
	bodies     map[string]int
	joint      map[string]int // number of one in the case, by its name
	assets     map[string]*hull
}

// inherited is an attribute of a class.
type inherited struct {
	value string
	of    *node
}

// mjcf reads a model: a tree of bodies, each with its joints to the one around it.
func (b *builder) mjcf(top *node) (looks []string) {
	m := &mujoco{builder: b, degrees: true, eulers: "xyz", autolimits: true,
		classes: map[string]map[string]map[string]inherited{}, joint: map[string]int{}, bodies: map[string]int{},
		assets: map[string]*hull{}}
	if name, ok := top.text("model"); ok {
		b.c.Description = "The model " + name + "."
	}
	m.include(top, filepath.Dir(b.file), 0)
	for _, n := range top.all("compiler") {
		if x, ok := n.text("angle"); ok {
			m.degrees = x != "radian"
		}
		if x, ok := n.text("autolimits"); ok {
			m.autolimits = x != "false"
		}
		if x, ok := n.text("eulerseq"); ok {
			m.eulers = x
		}
		if x, ok := n.text("meshdir"); ok {
			m.meshdir = x
		}
		if x, ok := n.text("coordinate"); ok && x != "local" {
			b.fail(n, "coordinate is %q, want local", x)
		}
		if x, ok := n.text("inertiafromgeom"); ok {
			m.fromGeom = x == "true"
		}
	}
	for _, n := range top.all("option") {
		if x, ok := b.vector(n, "gravity", 3); ok {
			b.c.Gravity = [3]float64(x)
		}
		if x, ok := n.text("timestep"); ok {
			b.left(n, "timestep "+x, "the case chooses its steps by its accuracy")
		}
	}
	for _, n := range top.all("default") {
		m.class(n, "main", nil)
	}
	for _, a := range top.all("asset") {
		for _, n := range a.all("mesh") {
			m.asset(n)
		}
	}
	for _, n := range top.all("worldbody") {
		m.children(n, -1, home, "main")
	}
	for _, c := range top.all("contact") {
		for _, n := range c.all("exclude") {
			m.exclude(n)
		}
	}
	for _, e := range top.all("equality") {
		m.equality(e)
	}
	for _, a := range top.all("actuator") {
		for _, n := range a.list {
			m.actuator(n)
		}
	}
	return []string{"visual", "statistic", "light", "camera", "site", "texture", "material", "skin", "rgba", "group",
		"custom", "size", "keyframe", "class", "childclass"}
}

// include puts the elements of other files in the place where they are named.
func (m *mujoco) include(n *node, dir string, depth int) {
	var list []*node
	for _, x := range n.list {
		if x.name != "include" {
			m.include(x, dir, depth)
			list = append(list, x)
			continue
		}
		name, _ := x.text("file")
		if depth >= mostIncludes {
			m.fail(x, "files include each other %d deep", depth)
			return
		}
		top, err := open(filepath.Join(dir, name))
		if err != nil {
			m.fail(x, "%v", err)
			return
		}
		m.include(top, dir, depth+1)
		list = append(list, top.list...)
	}
	n.list = list
}

// mostIncludes bounds how files include each other.
const mostIncludes = 20

// class reads the defaults of one, which inherits those of the class around it.
func (m *mujoco) class(n *node, name string, from map[string]map[string]inherited) {
	if x, ok := n.text("class"); ok {
		name = x
	}
	own := map[string]map[string]inherited{}
	for key, attrs := range from {
		own[key] = maps.Clone(attrs)
	}
	for _, x := range n.list {
		if x.name == "default" {
			continue
		}
		switch x.name {
		case "geom", "joint", "mesh", "general", "motor", "position", "velocity":
			x.seen = true
			if own[x.name] == nil {
				own[x.name] = map[string]inherited{}
			}
			for key, value := range x.attr {
				if over, known := own[x.name][key]; known {
					over.of.used[key] = true
				}
				own[x.name][key] = inherited{value, x}
			}
		}
	}
	m.classes[name] = own
	for _, x := range n.all("default") {
		m.class(x, name, own)
	}
}

// inherit gives an element the attributes of its class that it does not have.
func (m *mujoco) inherit(n *node, class string) {
	if x, ok := n.text("class"); ok {
		class = x
		if m.classes[class] == nil {
			m.fail(n, "there is no class %q", class)
		}
	}
	m.inheritOf(n, class, n.name)
}

// inheritOf gives an element the attributes of those of a name in a class that it does not have. One of
// its own stands for that of the class, and is told if it is not understood.
func (m *mujoco) inheritOf(n *node, class, name string) {
	for key, x := range m.classes[class][name] {
		if _, own := n.attr[key]; !own {
			n.attr[key], n.from[key] = x.value, x.of
		} else {
			x.of.used[key] = true
		}
	}
}

func (m *mujoco) asset(n *node) {
	m.inherit(n, "main")
	scale := [3]float64{1, 1, 1}
	if x, ok := m.vector(n, "scale", 3); ok {
		scale = [3]float64(x)
	}
	file, hasFile := n.text("file")
	name, named := n.text("name")
	if !named {
		name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	if hasFile {
		m.assets[name] = m.mesh(n, filepath.Join(m.meshdir, file), scale)
		return
	}
	list := m.numbers(n, "vertex")
	var vertices [][3]float64
	for v := range slices.Chunk(list, 3) {
		if len(v) == 3 {
			vertices = append(vertices, [3]float64{scale[0] * v[0], scale[1] * v[1], scale[2] * v[2]})
		}
	}
	if len(vertices) < 4 {
		m.left(n, n.title(), "it has %d vertices", len(vertices))
		return
	}
	m.assets[name] = m.hull(n, "asset "+name, vertices, nil)
}

// place is the frame of an element in that around it.
func (m *mujoco) place(n *node) frame {
	f := home
	if x, ok := m.vector(n, "pos", 3); ok {
		f.at = [3]float64(x)
	}
	f.turn = m.turn(n).turn
	return f
}

// turn is how an element is turned, by one of five attributes.
func (m *mujoco) turn(n *node) frame {
	unit := 1.0
	if m.degrees {
		unit = math.Pi / 180
	}
	if x, ok := m.vector(n, "quat", 4); ok {
		return frame{turn: unit4([4]float64(x))}
	}
	if x, ok := m.vector(n, "axisangle", 4); ok {
		return about([3]float64(x[:3]), unit*x[3])
	}
	if x, ok := m.vector(n, "zaxis", 3); ok {
		return upright([3]float64(x))
	}
	if x, ok := m.vector(n, "euler", 3); ok {
		f := home
		for k, axis := range m.eulers {
			at := strings.IndexRune("xyz", axis|0x20)
			if at < 0 || k > 2 {
				m.fail(n, "eulerseq is %q, want three of x, y, z", m.eulers)
				return home
			}
			var e [3]float64
			e[at] = 1
			if turn := about(e, unit*x[k]); axis >= 'a' { // small letters: axes that turn along
				f = f.of(turn)
			} else {
				f = turn.of(f)
			}
		}
		return f
	}
	if x, ok := m.vector(n, "xyaxes", 6); ok {
		return axes([3]float64(x[:3]), [3]float64(x[3:]))
	}
	return home
}

// axes is the turn that takes x to the first direction and y into the plane of both.
func axes(x, y [3]float64) frame {
	first := upright(x).of(about([3]float64{1: 1}, -math.Pi/2)) // z to x: x̂ is its turned x
	z := [3]float64{x[1]*y[2] - x[2]*y[1], x[2]*y[0] - x[0]*y[2], x[0]*y[1] - x[1]*y[0]}
	up, side := first.rotate([3]float64{2: 1}), first.rotate([3]float64{1: 1})
	c := z[0]*up[0] + z[1]*up[1] + z[2]*up[2]
	s := z[0]*side[0] + z[1]*side[1] + z[2]*side[2]
	return first.of(about([3]float64{1}, math.Atan2(-s, c)))
}

// children reads what lies in a body, number parent of the case (−1: the world), whose frame is at.
func (m *mujoco) children(n *node, parent int, at frame, class string) {
	if x, ok := n.text("childclass"); ok {
		class = x
	}
	if parent < 0 && n.name == "worldbody" {
		m.ground(n, at, class)
	}
	for _, x := range n.all("body") {
		m.body(x, parent, at, class)
	}
	for _, x := range n.all("frame") {
		m.left(x, x.title(), "frames are not read, and what is in them is not")
	}
}

// ground makes obstacles and fixed bodies of the geoms of the world.
func (m *mujoco) ground(n *node, at frame, class string) {
	for _, g := range n.all("geom") {
		m.inherit(g, class)
		if kind, _ := g.text("type"); kind == "plane" {
			f := at.of(m.place(g))
			name := m.id(g.attr["name"], "ground")
			g.text("name")
			g.text("size")
			m.c.Obstacles[name] = Plane{f.at, f.rotate([3]float64{2: 1})}
			m.planes[name] = m.friction(g)
			m.mask(g)
			continue
		}
		x := Body{ID: m.id(g.attr["name"], "static"), Fixed: true, line: g.line, grip: slides(1), Orientation: [4]float64{1}}
		m.geom(g, &x)
		if len(x.Parts) > 0 {
			m.c.Bodies = append(m.c.Bodies, x)
		}
	}
}

// body makes one, with its joints.
func (m *mujoco) body(n *node, parent int, around frame, class string) {
	if x, ok := n.text("childclass"); ok {
		class = x
	}
	name, _ := n.text("name")
	at := around.of(m.place(n))
	x := Body{ID: m.id(name, "body"), line: n.line, grip: slides(1), Position: at.at, Orientation: at.turn}
	var shapes []bodies.Part
	var masses []float64
	for _, g := range n.all("geom") {
		m.inherit(g, class)
		p, mass, ok := m.geom(g, &x)
		if ok {
			shapes, masses = append(shapes, p), append(masses, mass)
		}
	}
	joints := append(n.all("joint"), n.all("freejoint")...)
	for _, j := range joints {
		m.inherit(j, class)
	}
	x.Fixed = parent < 0 && len(joints) == 0
	switch i := n.one("inertial"); {
	case x.Fixed:
		if i != nil {
			m.left(i, "inertial of "+n.title(), "the body is fixed")
			i.used = i.everything()
		}
	case i != nil && !(m.fromGeom && len(shapes) > 0):
		m.inertial(&x, i)
	case len(shapes) > 0:
		x.weigh(masses, shapes)
	default:
		m.fail(n, "the body %q has no mass: no inertial and no geom", name)
		return
	}
	number := parent
	if !x.Fixed || len(x.Parts) > 0 {
		number = len(m.c.Bodies)
		m.c.Bodies = append(m.c.Bodies, x)
		m.bodies[name] = number
	}
	if !x.Fixed {
		m.joints(n, joints, number, parent, at)
	}
	m.children(n, number, at, class)
}

// inertial sets the mass of a body.
func (m *mujoco) inertial(x *Body, n *node) {
	f := m.place(n)
	var j [9]float64
	if d, ok := m.vector(n, "diaginertia", 3); ok {
		j = [9]float64{0: d[0], 4: d[1], 8: d[2]}
	} else if d, ok := m.vector(n, "fullinertia", 6); ok { // xx, yy, zz, xy, xz, yz
		j = [9]float64{d[0], d[3], d[4], d[3], d[1], d[5], d[4], d[5], d[2]}
	} else {
		m.fail(n, "it has no diaginertia and no fullinertia")
	}
	x.setMass(m.number(n, "mass", 0), f.at, f.tensor(j))
}

// friction is that of a geom.
func (m *mujoco) friction(g *node) grip {
	x := grip{numbers: [3]float64{1, 0.005, 0.0001}, dim: int(m.number(g, "condim", 3))}
	copy(x.numbers[:], m.numbers(g, "friction"))
	return x
}

// geom gives a body one as a part, if it may touch, and returns it with its mass.
func (m *mujoco) geom(g *node, x *Body) (p bodies.Part, mass float64, ok bool) {
	for _, key := range []string{"name", "class"} {
		g.text(key)
	}
	at := m.place(g)
	s, in := m.shape(g)
	if s == nil {
		return p, 0, false
	}
	if in != home {
		at = in
		if _, along := g.attr["fromto"]; !along {
			at = m.place(g).of(in)
		}
	}
	if m.mask(g) {
		if f := m.friction(g); len(x.Parts) == 0 {
			x.grip = f
		} else if f != x.grip {
			m.left(g, "friction of "+g.title(), "the body has that of its first geom, %g", x.grip.numbers[0])
		}
		x.add(s, at)
	} else if g.attr["mass"] != "0" {
		g.text("friction")
	}
	mass = bodies.MassOf(s, m.number(g, "density", water))
	if y, given := m.vector(g, "mass", 1); given {
		mass = y[0]
	}
	return bodies.Part{Shape: s, Position: at.at, Orientation: at.turn}, mass, mass > 0
}

// mask reports whether a geom may touch.
func (m *mujoco) mask(g *node) bool {
	types, affinity := m.number(g, "contype", 1), m.number(g, "conaffinity", 1)
	if touches := types != 0 || affinity != 0; !touches || types == 1 && affinity == 1 {
		return touches
	}
	m.left(g, "mask of "+g.title(), "of contype %g and conaffinity %g only that it may touch is taken", types, affinity)
	return true
}

// shape is that of a geom; in: where it lies in the frame of it, or with fromto in that of the body.
func (m *mujoco) shape(g *node) (s bodies.Shape, in frame) {
	kind, ok := g.text("type")
	if mesh := g.attr["mesh"]; !ok && mesh != "" {
		kind = "mesh"
	} else if !ok {
		kind = "sphere"
	}
	size := m.numbers(g, "size")
	in = home
	half := 0.0
	if len(size) > 1 {
		half = size[1]
	}
	if x, ok := m.vector(g, "fromto", 6); ok {
		d := [3]float64{x[3] - x[0], x[4] - x[1], x[5] - x[2]}
		in = upright(d)
		half = math.Sqrt(d[0]*d[0]+d[1]*d[1]+d[2]*d[2]) / 2
		for k := range 3 {
			in.at[k] = (x[k] + x[3+k]) / 2
		}
		switch {
		case (kind == "box" || kind == "ellipsoid") && len(size) > 0:
			size = []float64{size[0], size[min(1, len(size)-1)], half}
		case len(size) == 1:
			size = append(size, half)
		}
	}
	want := map[string]int{"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}[kind]
	if len(size) < want {
		m.fail(g, "size has %d numbers, a %s has %d", len(size), kind, want)
		return nil, in
	}
	switch kind {
	case "sphere":
		return bodies.Sphere{R: size[0]}, in
	case "capsule": // along z; that of a case is along x
		return bodies.Capsule{R: size[0], Length: 2 * half}, in.of(about([3]float64{1: 1}, -math.Pi/2))
	case "cylinder":
		return bodies.SolidCylinder{R: size[0], Height: 2 * half}, in
	case "box":
		return bodies.Box{Size: [3]float64{2 * size[0], 2 * size[1], 2 * size[2]}}, in
	case "ellipsoid":
		return bodies.Ellipsoid{Axes: [3]float64(size[:3])}, in
	case "mesh":
		name, _ := g.text("mesh")
		if h := m.assets[name]; h != nil {
			return bodies.Polyhedron{Vertices: h.vertices}, in
		}
		m.left(g, g.title(), "the mesh %q was not read", name)
		return nil, in
	}
	m.left(g, g.title(), "the type %q", kind)
	return nil, in
}

// joints makes those between a body and the one around it.
func (m *mujoco) joints(n *node, list []*node, body, parent int, at frame) {
	x := &m.c.Bodies[body]
	to := ""
	if parent >= 0 {
		to = m.c.Bodies[parent].ID
	}
	if len(list) == 0 {
		m.c.Joints = append(m.c.Joints, Joint{ID: m.id("to_"+x.ID, "joint"), Type: "fixed", Body: x.ID, To: to, At: at.at})
		return
	}
	if len(list) > 1 {
		y := Joint{ID: m.id("to_"+x.ID, "joint"), Body: x.ID, To: to}
		if m.several(list, &y, at) {
			if y.Type != "free" {
				m.c.Joints = append(m.c.Joints, y)
			}
			return
		}
		for _, j := range list {
			m.left(j, j.title(), "the %d joints of the body %q are none of a case together, and it is free", len(list), x.ID)
			j.used = j.everything()
		}
		return
	}
	j := list[0]
	kind, ok := j.text("type")
	if !ok {
		kind = "hinge"
	}
	if j.name == "freejoint" {
		kind = "free"
	}
	name, _ := j.text("name")
	y := Joint{ID: name, Body: x.ID, To: to, At: at.at}
	if p, ok := m.vector(j, "pos", 3); ok {
		y.At = at.place([3]float64(p))
	}
	axis := [3]float64{2: 1}
	if a, ok := m.vector(j, "axis", 3); ok {
		axis = [3]float64(a)
	}
	axis = at.rotate(axis)
	switch kind {
	case "free":
		return
	case "hinge":
		y.Type, y.Axis = "revolute", &axis
		m.resist(j, &y)
	case "slide":
		y.Type, y.Axis = "prismatic", &axis
		m.resist(j, &y)
	case "ball":
		y.Type = "spherical"
	default:
		m.left(j, j.title(), "the type %q: the body is free", kind)
		return
	}
	if name != "" {
		m.joint[name] = len(m.c.Joints)
	}
	m.c.Joints = append(m.c.Joints, y)
}

// exclude keeps two bodies from meeting.
func (m *mujoco) exclude(n *node) {
	n.text("name")
	var pair [2]string
	for k, key := range []string{"body1", "body2"} {
		name, _ := n.text(key)
		i, ok := m.bodies[name]
		if !ok {
			if name != "world" {
				m.fail(n, "there is no body %q", name)
			}
			return
		}
		pair[k] = m.c.Bodies[i].ID
	}
	if !m.apart(pair[0], pair[1]) {
		m.c.Contacts = append(m.c.Contacts, Pair{Between: &pair, Apart: true})
	}
}

// equality makes joints of those that hold bodies together.
func (m *mujoco) equality(e *node) {
	for _, n := range e.list {
		kind := map[string]string{"connect": "spherical", "weld": "fixed"}[n.name]
		name := n.attr["body1"]
		i, ok := m.bodies[name]
		if kind == "" || !ok || m.c.Bodies[i].Fixed {
			continue
		}
		other, second := n.attr["body2"]
		k, known := m.bodies[other]
		if second && !known {
			continue
		}
		n.seen = true
		for _, key := range []string{"name", "body1", "body2"} {
			n.text(key)
		}
		x := &m.c.Bodies[i]
		j := Joint{ID: m.id(n.attr["name"], "equality"), Type: kind, Body: x.ID, At: x.Position}
		if second {
			j.To = m.c.Bodies[k].ID
		}
		if a, ok := m.vector(n, "anchor", 3); ok {
			j.At = frame{x.Position, x.Orientation}.place([3]float64(a))
		}
		m.c.Joints = append(m.c.Joints, j)
	}
}
