package solid

import (
	"encoding/json"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

// LidDocument is an entry of the key lids: a [fem.Lid] with what acts on it, and the motions of it that are given.
type LidDocument struct {
	Group  string          `json:"group"`
	Force  json.RawMessage `json:"force"`
	Moment json.RawMessage `json:"moment"`
	About  []float64       `json:"about"`
	Motion AxesDocument    `json:"motion"`
	Turn   AxesDocument    `json:"turn"`
}

// AxesDocument has a signal for some axes.
type AxesDocument struct {
	X json.RawMessage `json:"x"`
	Y json.RawMessage `json:"y"`
	Z json.RawMessage `json:"z"`
}

func (d *AxesDocument) list() [3]json.RawMessage { return [3]json.RawMessage{d.X, d.Y, d.Z} }

// Lid is one of a body that can move.
type Lid struct {
	*fem.Lid
	At    casefile.Path
	Nodes []int
	Loads []Nodal
	// Followers are the dofs of its nodes that are not those of Masters.
	Followers []Follower
	given     []signal.Scalar // of each of motions, the numbers that [fem.NewLid] takes, ascending
	motions   []int
}

// Follower is a dof that moves as others do, u = Σ weight·u_master + Σ given.
type Follower struct {
	Dof     int
	Masters []fem.Share
	Given   []signal.Scalar
}

// Nodal are forces on nodes, by mesh dofs, times a function of time [N].
type Nodal struct {
	Forces []float64
	Factor signal.Scalar
}

// follow makes the followers. A motion that is given and moves none is a fault.
func (b *builder) follow(l *Lid, dim int) {
	moves := make([]bool, len(l.given))
	for _, i := range l.Nodes {
		for dof := dim * i; dof < dim*(i+1); dof++ {
			if slices.Contains(l.Masters, dof) {
				continue
			}
			masters, given, err := l.Weights(dof)
			if !b.Accept(l.At, err) {
				return
			}
			f := Follower{Dof: dof}
			for k, w := range masters {
				f.Masters = append(f.Masters, fem.Share{Dof: l.Masters[k], Weight: w})
			}
			for k, w := range given {
				if w == 0 {
					continue
				}
				x, err := signal.Scale(l.given[k], w)
				if moves[k] = true; !b.Accept(l.At, err) {
					return
				}
				f.Given = append(f.Given, x)
			}
			l.Followers = append(l.Followers, f)
		}
	}
	if slices.Contains(moves, false) {
		b.Add(l.At, "a turn that is given has no effect: its axis goes through all nodes of the lid")
	}
}

// Start adds to displacements and velocities of the mesh what is given of the masters at t = 0; what is free has the velocity of the
// body, v at the centre of the lid and the spin.
func (l *Lid) Start(u, velocity []float64, v, spin [3]float64) {
	for _, dof := range l.Masters {
		for k, w := range l.Given(dof) {
			u[dof] += w * l.given[k].At(0)
			velocity[dof] += w * (l.given[k].Rate(0) - l.before(k, v, spin))
		}
	}
}

// before is the velocity of a motion that is given as the body had it [m/s, rad/s].
func (l *Lid) before(k int, v, spin [3]float64) float64 {
	dim := l.Dim()
	switch mode := l.motions[k]; {
	case mode < dim:
		return v[mode]
	case dim == 2:
		return spin[2]
	default:
		return spin[mode-3]
	}
}

// lids decodes those of a body. What cannot move, as all its motions are given, is prescribed.
func (b *builder) lids(at casefile.Path, d *Document, s *Solid) {
	of := map[int]casefile.Path{}
	var list []*Lid
	for k := range d.Lids {
		p := at.With("lids", k)
		g, ok := Group(b.Builder, p.With("group"), s.Mesh, d.Lids[k].Group)
		if !ok {
			continue
		}
		l := &Lid{At: p, Nodes: g.Nodes()}
		for _, i := range l.Nodes {
			if before, twice := of[i]; twice {
				b.Add(p.With("group"), "node %d at %v is of the lid %s too: leave it out of one of the two groups (\"mesh\": {\"groups\": …})",
					i, s.Mesh.Node(i), before)
				return
			}
			of[i] = p
		}
		if b.lid(l, &d.Lids[k], s); b.Any() {
			return
		}
		list = append(list, l)
	}
	other := func(i int, why string) {
		if p, is := of[i]; is && !b.Any() {
			b.Add(p.With("group"), "node %d at %v is %s too, and goes with its lid: leave it out of one of the two groups (\"mesh\": {\"groups\": …})",
				i, s.Mesh.Node(i), why)
		}
	}
	for _, t := range s.Ties {
		other(t.Node, "of a periodic side")
		other(t.Image, "of a periodic side")
	}
	for k := range s.Prescribed {
		for _, i := range s.Prescribed[k].Nodes {
			other(i, "prescribed along "+"xyz"[s.Prescribed[k].Axis:][:1])
		}
	}
	for k, l := range list {
		switch {
		case b.Any():
		case len(l.Masters) == 0:
			b.prescribe(l, &d.Lids[k], d.Large, s)
		case d.Large:
			b.Add(l.At, "a lid has small turns, and a neo-Hookean body large ones: want \"law\": \"linear\", or all of \"motion\" and \"turn\"")
		default:
			s.Lids = append(s.Lids, *l)
		}
	}
}

// lid decodes one.
func (b *builder) lid(l *Lid, d *LidDocument, s *Solid) {
	p, dim := l.At, s.Mesh.Dim
	ring := s.Material.Kinematics == fem.Axisymmetric && dim == 2
	var at *[3]float64
	if d.About != nil {
		if at = new([3]float64); len(d.About) != dim {
			b.Add(p.With("about"), "found %d numbers, want %d, the dimension of the mesh", len(d.About), dim)
			return
		}
		copy(at[:], d.About)
	}
	var given []int
	for k, list := range [...][3]json.RawMessage{d.Motion.list(), d.Turn.list()} {
		for axis, raw := range list {
			mode, turn := axis, k == 1
			switch q := p.With([...]string{"motion", "turn"}[k], "xyz"[axis:][:1]); {
			case raw == nil:
				continue
			case turn && (dim == 1 || ring || dim == 2 && axis != 2), !turn && (axis >= dim || ring && axis != 1):
				b.Add(q, "nothing moves the lid that way: a lid in the plane goes along x and y and turns about z, one of a ring goes along y, one of a bar along x")
				continue
			case ring:
				mode = 0
			case turn && dim == 2:
				mode = 2
			case turn:
				mode = 3 + axis
			}
			given = append(given, mode)
		}
	}
	if b.Any() {
		return
	}
	slices.Sort(given)
	l.motions = given
	for _, mode := range given {
		key, list, axis := "motion", d.Motion.list(), mode
		switch {
		case ring:
			axis = 1
		case mode >= dim:
			if key, list, axis = "turn", d.Turn.list(), mode-3; dim == 2 {
				axis = 2
			}
		}
		l.given = append(l.given, b.Scalar(p.With(key, "xyz"[axis:][:1]), list[axis]))
	}
	var err error
	if l.Lid, err = fem.NewLid(s.Mesh, s.Material.Kinematics, l.Nodes, at, given...); b.Any() || !b.Accept(p.With("group"), err) {
		return
	}
	if b.lidLoads(l, d, dim, ring); !b.Any() {
		b.follow(l, dim)
	}
}

// lidLoads are the forces on the masters of a lid, by the components of force and moment.
func (b *builder) lidLoads(l *Lid, d *LidDocument, dim int, ring bool) {
	add := func(key string, raw json.RawMessage, components int, load func(to []float64, c int) error) {
		if raw == nil {
			return
		}
		for c, f := range b.Vector(l.At.With(key), raw, components) {
			x := Nodal{Forces: make([]float64, l.Dofs()), Factor: f}
			if !b.Accept(l.At.With(key), load(x.Forces, c)) {
				return
			}
			if !signal.Zero(f) && !slices.ContainsFunc(x.Forces, func(v float64) bool { return v != 0 }) {
				b.Add(l.At.With(key, c), "the lid does not move that way, or by a motion that is given, so that it has no effect")
				return
			}
			l.Loads = append(l.Loads, x)
		}
	}
	unit := func(c int) (e vec3.Vec) {
		e[c] = 1
		return e
	}
	add("force", d.Force, dim, func(to []float64, c int) error { return l.Load(to, unit(c), vec3.Vec{}, l.Centre) })
	switch {
	case d.Moment != nil && (dim == 1 || ring):
		b.Add(l.At.With("moment"), "nothing turns a lid of a bar or of a ring: want a force along its axis")
	case dim == 2:
		add("moment", d.Moment, 1, func(to []float64, _ int) error { return l.Load(to, vec3.Vec{}, unit(2), l.Centre) })
	default:
		add("moment", d.Moment, 3, func(to []float64, c int) error { return l.Load(to, vec3.Vec{}, unit(c), l.Centre) })
	}
}

// prescribe gives the nodes of a lid their motions: with small turns u = d + θ × (X − c); with large ones, about one axis, u = d + (R(θ) − 1)(X − c).
func (b *builder) prescribe(l *Lid, d *LidDocument, large bool, s *Solid) {
	dim := s.Mesh.Dim
	var axis vec3.Vec
	var angle signal.Scalar
	for k, turn := range l.given {
		if !large || l.motions[k] < dim || signal.Zero(turn) {
			continue
		}
		if angle != nil {
			b.Add(l.At.With("turn"), "large turns about several axes have an order: want one that is not zero")
			return
		}
		if angle = turn; dim == 2 {
			axis[2] = 1
		} else {
			axis[l.motions[k]-3] = 1
		}
	}
	for _, f := range l.Followers {
		i, c := f.Dof/dim, f.Dof%dim
		motion, err := signal.NewSum(f.Given...)
		if angle != nil {
			var arm vec3.Vec
			copy(arm[:], s.Mesh.Node(i))
			along := vec3.Cross(axis, vec3.Add(arm, -1, l.Centre))
			turned, wrong := signal.NewTurned(vec3.Cross(along, axis)[c], along[c], angle)
			if motion, err = signal.NewSum(l.given[c], turned); wrong != nil {
				err = wrong
			}
		}
		if !b.Accept(l.At, err) {
			return
		}
		s.Prescribed = append(s.Prescribed, Motion{[]int{i}, c, motion})
	}
}

// CheckFree wants nodes of a side that go with no others, by the key periodic or a lid; p is the path of what they are in.
func (s *Solid) CheckFree(b *casefile.Builder, p casefile.Path, nodes []int) bool {
	goes := map[int]string{}
	for _, t := range s.Ties {
		goes[t.Node], goes[t.Image] = "\"periodic\"", "\"periodic\""
	}
	for _, l := range s.Lids {
		for _, i := range l.Nodes {
			goes[i] = "\"lids\""
		}
	}
	for _, i := range nodes {
		if by, is := goes[i]; is {
			b.Add(p, "node %d at %v goes with others by %s: leave it out of one of the groups (\"mesh\": {\"groups\": …})", i, s.Mesh.Node(i), by)
			return false
		}
	}
	return true
}

// InLids are those of some nodes that are of lids.
func (s *Solid) InLids(nodes []int) (list []int) {
	for _, l := range s.Lids {
		for _, i := range nodes {
			if slices.Contains(l.Nodes, i) {
				list = append(list, i)
			}
		}
	}
	return list
}
