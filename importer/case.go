package importer

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/trimesh"
)

// Case is a case of the model rigid.
type Case struct {
	Description string              `json:"description"`
	Model       string              `json:"model"`
	Until       float64             `json:"until"`
	Gravity     [3]float64          `json:"gravity"`
	Obstacles   map[string]Plane    `json:"obstacles,omitempty"`
	Friction    map[string]Friction `json:"friction,omitempty"`
	Material    string              `json:"material,omitempty"`
	Contacts    []Pair              `json:"contacts,omitempty"`
	Bodies      []Body              `json:"bodies"`
	Joints      []Joint             `json:"joints,omitempty"`

	Left  []Left `json:"-"` // what the case does not have, by lines
	Looks int    `json:"-"` // elements and attributes that say how things look, which it does not have either
}

// Plane is an obstacle.
type Plane struct {
	Point  [3]float64 `json:"point"`
	Normal [3]float64 `json:"normal"`
}

// Friction has a coefficient.
type Friction struct {
	Mu       float64 `json:"mu"`
	Drilling float64 `json:"drilling,omitempty"`
	Rolling  float64 `json:"rolling,omitempty"`
}

// Pair is one with a friction of its own, or that never meets.
type Pair struct {
	Between  *[2]string `json:"between,omitempty"`
	Body     string     `json:"body,omitempty"`
	Obstacle string     `json:"obstacle,omitempty"`
	Friction string     `json:"friction,omitempty"`
	Apart    bool       `json:"apart,omitempty"`
}

// Body is a rigid body, or a fixed one.
type Body struct {
	ID          string         `json:"id"`
	Fixed       bool           `json:"fixed,omitempty"`
	Mass        float64        `json:"mass,omitempty"`
	Centre      *[3]float64    `json:"centre,omitempty"`
	Inertia     *[3][3]float64 `json:"inertia,omitempty"`
	Position    [3]float64     `json:"position"`
	Orientation [4]float64     `json:"orientation"`
	Parts       []Part         `json:"parts,omitempty"`

	shape bodies.Compound
	grip  grip
	line  int
}

// Part is a shape at a place of its body.
type Part struct {
	Shape       map[string]any `json:"shape"`
	Position    [3]float64     `json:"position"`
	Orientation [4]float64     `json:"orientation"`
}

// Joint is one between body and to, or the ground.
type Joint struct {
	ID       string      `json:"id"`
	Type     string      `json:"type"`
	Body     string      `json:"body"`
	To       string      `json:"to,omitempty"`
	At       [3]float64  `json:"at"`
	Axis     *[3]float64 `json:"axis,omitempty"`
	Other    *[3]float64 `json:"other,omitempty"`
	Limits   *Limits     `json:"limits,omitempty"`
	Friction float64     `json:"friction,omitempty"` // [N m, N]
	Damping  float64     `json:"damping,omitempty"`  // [N m s, N s/m]
	Motor    *Motor      `json:"motor,omitempty"`

	start float64 // what the file calls the place at the start [m, rad]
	most  float64 // force of all actuators [N, N m]; 0: no bound
}

// Read makes a case of a file.
func Read(file string) (*Case, error) {
	top, err := open(file)
	if err != nil {
		return nil, err
	}
	b := &builder{file: file, meshes: map[string]*hull{}, planes: map[string]grip{}, ids: map[string]bool{}}
	b.c = &Case{Model: "rigid", Until: 1, Gravity: [3]float64{2: -9.81}, Friction: map[string]Friction{}, Obstacles: map[string]Plane{}}
	top.seen = true
	var looks []string
	switch top.name {
	case "mujoco":
		looks = b.mjcf(top)
	case "robot":
		looks = b.urdf(top)
	default:
		return nil, fmt.Errorf("%s:%d: found <%s>, want <mujoco> or <robot>", file, top.line, top.name)
	}
	if b.err != nil {
		return nil, b.err
	}
	if b.c.Description == "" {
		b.c.Description = "Imported of " + filepath.Base(file) + "."
	}
	left, seen := top.unread(looks, nil)
	b.c.Looks = seen
	b.c.Left = append(b.c.Left, left...)
	b.surfaces()
	b.overlaps()
	slices.SortStableFunc(b.c.Left, func(x, y Left) int { return x.Line - y.Line })
	if !slices.ContainsFunc(b.c.Bodies, func(x Body) bool { return !x.Fixed }) {
		return nil, fmt.Errorf("%s: it has no body that moves", file)
	}
	return b.c, nil
}

// open reads the elements of a file.
func open(file string) (*node, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read the file %q", file)
	}
	defer f.Close() // read only
	top, err := parse(f, file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return top, nil
}

// Write writes the case.
func (c *Case) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(c)
}

// builder makes a case.
type builder struct {
	reader
	file   string
	c      *Case
	meshes map[string]*hull // by their names
	planes map[string]grip  // their friction
	ids    map[string]bool
}

// hull is the convex hull of a mesh.
type hull struct {
	vertices [][3]float64
}

// left notes what the case does not have.
func (b *builder) left(n *node, what, format string, args ...any) {
	b.c.Left = append(b.c.Left, Left{File: n.file, Line: n.line, What: what, Why: fmt.Sprintf(format, args...)})
}

// id is a name of a case for one of a file, of its own.
func (b *builder) id(name, kind string) string {
	clean := strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._:+-", r)) {
			return r
		}
		return '_'
	}, name)
	clean = strings.TrimLeft(clean, "._:+-")
	if clean == "" {
		clean = kind
	}
	id := clean
	for k := 2; b.ids[id]; k++ {
		id = fmt.Sprintf("%s_%d", clean, k)
	}
	b.ids[id] = true
	return id
}

// mesh reads the hull of one, by its scale.
func (b *builder) mesh(n *node, file string, scale [3]float64) *hull {
	key := fmt.Sprint(file, scale)
	if h, known := b.meshes[key]; known {
		return h
	}
	b.meshes[key] = nil
	path, found := b.find(file)
	if !found {
		b.left(n, n.title(), "there is no file %q", file)
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		b.left(n, n.title(), "cannot read %q", path)
		return nil
	}
	defer f.Close() // read only
	m, err := trimesh.Read(f, path)
	if err != nil {
		b.left(n, n.title(), "%v", err)
		return nil
	}
	for i := range m.Vertices {
		for k := range 3 {
			m.Vertices[i][k] *= scale[k]
		}
	}
	return b.hull(n, key, m.Vertices, m.Triangles)
}

// hull makes one of the vertices of a mesh.
func (b *builder) hull(n *node, key string, vertices [][3]float64, triangles [][3]int) *hull {
	corners, out, share := bodies.HullOf(vertices, triangles)
	if corners == nil {
		b.left(n, n.title(), "its vertices lie in a plane")
		return nil
	}
	if share > 0 && share < 0.98 {
		b.left(n, "what is hollow of "+n.title(), "it fills %.3g of its convex hull, which is taken; of what stands still an obstacle of the type \"mesh\" has its hollows",
			share)
	}
	if out > 0 {
		b.left(n, "corners of "+n.title(), "%d are taken, the others are up to %.3g m outside of these", len(corners), out)
	}
	b.meshes[key] = &hull{corners}
	return b.meshes[key]
}

// find looks for the file of a mesh beside the file, or where a package of ROS may be: beside one of
// the folders above.
func (b *builder) find(file string) (string, bool) {
	file = strings.TrimPrefix(file, "file://")
	names := []string{file}
	if rest, ok := strings.CutPrefix(file, "package://"); ok {
		_, inner, _ := strings.Cut(rest, "/")
		names = []string{rest, inner}
	}
	dir := filepath.Dir(b.file)
	for range 6 {
		for _, name := range names {
			path := name
			if !filepath.IsAbs(name) {
				path = filepath.Join(dir, name)
			}
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path, true
			}
		}
		dir = filepath.Join(dir, "..")
	}
	return "", false
}

// add gives a body a part.
func (x *Body) add(s bodies.Shape, p frame) {
	var keys map[string]any
	switch s := s.(type) {
	case bodies.Box:
		keys = map[string]any{"type": "box", "size": s.Size}
	case bodies.Sphere:
		keys = map[string]any{"type": "sphere", "radius": s.R}
	case bodies.SolidCylinder:
		keys = map[string]any{"type": "cylinder", "radius": s.R, "height": s.Height}
	case bodies.Capsule:
		keys = map[string]any{"type": "capsule", "radius": s.R, "length": s.Length}
	case bodies.Ellipsoid:
		keys = map[string]any{"type": "ellipsoid", "semi_axes": s.Axes}
	case bodies.Polyhedron:
		keys = map[string]any{"type": "polyhedron", "vertices": s.Vertices}
	}
	x.Parts = append(x.Parts, Part{keys, p.at, p.turn})
	x.shape.Parts = append(x.shape.Parts, bodies.Part{Shape: s, Position: p.at, Orientation: p.turn})
}

// surfaces gives pairs that may meet their friction: the larger coefficient of the two, as MuJoCo has
// it; most have that of the material, which is none where nothing meets.
func (b *builder) surfaces() {
	count := map[Friction]int{}
	for i := range b.c.Bodies {
		if x := &b.c.Bodies[i]; !x.Fixed {
			count[x.grip.with(&x.grip)]++
		}
	}
	common, most := Friction{Mu: 1}, 0
	for _, f := range slices.SortedFunc(maps.Keys(count), Friction.compare) {
		if count[f] > most {
			common, most = f, count[f]
		}
	}
	meet := func(f Friction, pair Pair) {
		b.c.Friction[f.name()] = f
		if f == common {
			b.c.Material = f.name()
			return
		}
		pair.Friction = f.name()
		b.c.Contacts = append(b.c.Contacts, pair)
	}
	for i := range b.c.Bodies {
		x := &b.c.Bodies[i]
		if len(x.Parts) == 0 {
			continue
		}
		for j := range b.c.Bodies[:i] {
			if y := &b.c.Bodies[j]; len(y.Parts) > 0 && !(x.Fixed && y.Fixed) && !b.apart(x.ID, y.ID) {
				meet(x.grip.with(&y.grip), Pair{Between: &[2]string{y.ID, x.ID}})
			}
		}
		for _, plane := range sortedKeys(b.c.Obstacles) {
			if !x.Fixed {
				grip := b.planes[plane]
				meet(x.grip.with(&grip), Pair{Body: x.ID, Obstacle: plane})
			}
		}
	}
}

// apart reports whether two bodies never meet: they have a joint, or an entry.
func (b *builder) apart(x, y string) bool {
	for _, j := range b.c.Joints {
		if j.Body == x && j.To == y || j.Body == y && j.To == x {
			return true
		}
	}
	for _, p := range b.c.Contacts {
		if p.Apart && p.Between != nil && (*p.Between == [2]string{x, y} || *p.Between == [2]string{y, x}) {
			return true
		}
	}
	return false
}

// overlaps sets apart what overlaps where it stands: robots are drawn so, and never meet there. A
// body without a form meets nothing.
func (b *builder) overlaps() {
	w, err := bodies.NewWorld(3, [3]float64{})
	if err != nil {
		return
	}
	var of []*Body
	for i := range b.c.Bodies {
		x := &b.c.Bodies[i]
		if len(x.Parts) == 0 {
			b.alone(x)
			continue
		}
		if _, err := w.Add(bodies.Body{Shape: x.shape, Mass: 1, Position: x.Position, Orientation: x.Orientation}); err != nil {
			b.err = fmt.Errorf("%s:%d: body %q: %w", b.file, x.line, x.ID, err)
			return
		}
		of = append(of, x)
	}
	planes := sortedKeys(b.c.Obstacles)
	for _, name := range planes {
		p := b.c.Obstacles[name]
		if _, err := w.AddHalfSpace(p.Point, p.Normal); err != nil {
			b.err = err
			return
		}
	}
	q, _ := w.Start()
	deepest := map[[2]int]float64{}
	for _, t := range w.NewToucher(nil).Find(nil, 0, q, 0) {
		k := [2]int{t.A, t.B}
		if t.B < 0 {
			k[1] = -1 - t.Floor
		}
		deepest[k] = min(deepest[k], t.Gap)
	}
	for _, k := range slices.SortedFunc(maps.Keys(deepest), func(x, y [2]int) int {
		if x[0] != y[0] {
			return x[0] - y[0]
		}
		return x[1] - y[1]
	}) {
		gap, x := deepest[k], of[k[0]]
		const touching = 1e-8 // of a start that is refused [m]
		switch {
		case gap >= -touching:
		case k[1] < 0 && !x.Fixed:
			name := planes[-1-k[1]]
			b.c.Contacts = slices.DeleteFunc(b.c.Contacts, func(p Pair) bool { return p.Body == x.ID && p.Obstacle == name })
			b.c.Contacts = append(b.c.Contacts, Pair{Body: x.ID, Obstacle: name, Apart: true})
			b.c.Left = append(b.c.Left, Left{b.file, x.line, fmt.Sprintf("contact of %q and %q", x.ID, name),
				fmt.Sprintf("they overlap by %.3g m where they start", -gap)})
		case k[1] >= 0:
			y := of[k[1]]
			if x.Fixed && y.Fixed || b.apart(x.ID, y.ID) {
				continue
			}
			pair := [2]string{x.ID, y.ID}
			b.c.Contacts = slices.DeleteFunc(b.c.Contacts, func(p Pair) bool { return p.Between != nil && *p.Between == pair })
			b.c.Contacts = append(b.c.Contacts, Pair{Between: &pair, Apart: true})
			b.c.Left = append(b.c.Left, Left{b.file, y.line, fmt.Sprintf("contact of %q and %q", x.ID, y.ID),
				fmt.Sprintf("they overlap by %.3g m where they start", -gap)})
		}
	}
}

// alone sets a body without a form apart from all others.
func (b *builder) alone(x *Body) {
	for i := range b.c.Bodies {
		y := &b.c.Bodies[i]
		if y.ID != x.ID && !(x.Fixed && y.Fixed) && !b.apart(x.ID, y.ID) {
			b.c.Contacts = append(b.c.Contacts, Pair{Between: &[2]string{x.ID, y.ID}, Apart: true})
		}
	}
	for _, name := range sortedKeys(b.c.Obstacles) {
		if !x.Fixed {
			b.c.Contacts = append(b.c.Contacts, Pair{Body: x.ID, Obstacle: name, Apart: true})
		}
	}
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// weigh sets the mass of a body of what its shapes weigh together.
func (x *Body) weigh(masses []float64, shapes []bodies.Part) {
	for i := range shapes {
		shapes[i].Density = masses[i] / bodies.MassOf(shapes[i].Shape, 1)
	}
	m, centre, tensor := bodies.MassProperties(bodies.Compound{Parts: shapes})
	x.setMass(m, centre, tensor)
}

// setMass sets mass, centre and moments of a body.
func (x *Body) setMass(m float64, centre [3]float64, j [9]float64) {
	x.Mass, x.Centre, x.Inertia = m, &centre, &[3][3]float64{}
	for k := range 9 {
		x.Inertia[k/3][k%3] = (j[k] + j[3*(k%3)+k/3]) / 2
	}
}

// frame is a place and a turn.
type frame struct {
	at   [3]float64
	turn [4]float64
}

var home = frame{turn: [4]float64{1}}

// of is a frame g in f.
func (f frame) of(g frame) frame {
	x := f.place(g.at)
	a, b := f.turn, g.turn
	return frame{x, unit4([4]float64{
		a[0]*b[0] - a[1]*b[1] - a[2]*b[2] - a[3]*b[3],
		a[0]*b[1] + a[1]*b[0] + a[2]*b[3] - a[3]*b[2],
		a[0]*b[2] + a[2]*b[0] + a[3]*b[1] - a[1]*b[3],
		a[0]*b[3] + a[3]*b[0] + a[1]*b[2] - a[2]*b[1],
	})}
}

// rotation is that of a frame, row by row.
func (f frame) rotation() [9]float64 {
	w, x, y, z := f.turn[0], f.turn[1], f.turn[2], f.turn[3]
	return [9]float64{
		1 - 2*(y*y+z*z), 2 * (x*y - w*z), 2 * (x*z + w*y),
		2 * (x*y + w*z), 1 - 2*(x*x+z*z), 2 * (y*z - w*x),
		2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2*(x*x+y*y),
	}
}

// rotate turns a direction.
func (f frame) rotate(y [3]float64) (x [3]float64) {
	r := f.rotation()
	for k := range 9 {
		x[k/3] += r[k] * y[k%3]
	}
	return x
}

func (f frame) place(y [3]float64) [3]float64 {
	x := f.rotate(y)
	for k := range x {
		x[k] += f.at[k]
	}
	return x
}

// tensor turns one, R J Rᵀ.
func (f frame) tensor(j [9]float64) (x [9]float64) {
	r := f.rotation()
	for a := range 3 {
		for b := range 3 {
			for k := range 9 {
				x[3*a+b] += r[3*a+k/3] * j[k] * r[3*b+k%3]
			}
		}
	}
	return x
}

func unit4(q [4]float64) [4]float64 {
	l := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	if !(l > 0) {
		return [4]float64{1}
	}
	for k := range q {
		q[k] /= l
	}
	return q
}

// about is the turn by an angle about an axis.
func about(axis [3]float64, angle float64) frame {
	l := math.Sqrt(axis[0]*axis[0] + axis[1]*axis[1] + axis[2]*axis[2])
	if !(l > 0) {
		return home
	}
	s, c := math.Sincos(angle / 2)
	return frame{turn: [4]float64{c, s * axis[0] / l, s * axis[1] / l, s * axis[2] / l}}
}

// upright is the least turn that takes z to a direction.
func upright(z [3]float64) frame {
	l := math.Sqrt(z[0]*z[0] + z[1]*z[1] + z[2]*z[2])
	if !(l > 0) {
		return home
	}
	if z[2] < -(1-1e-12)*l {
		return frame{turn: [4]float64{0, 1}}
	}
	return frame{turn: unit4([4]float64{1 + z[2]/l, -z[1] / l, z[0] / l})}
}
