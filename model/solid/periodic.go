package solid

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
)

// PeriodicDocument is an entry of the key periodic: the nodes of Group move as those of Side that lie a period from them, plus Jump.
type PeriodicDocument struct {
	Group string          `json:"group"`
	Side  string          `json:"side"`
	Jump  json.RawMessage `json:"jump"`
}

// Tie is a node that moves as its image, u_Node = u_Image + Jump.
type Tie struct {
	Node, Image int
	Jump        signal.Vector // along the axes of the mesh; nil: 0
	Entry       int           // of the key periodic, by which they are paired first
	Period      [3]float64    // X_Node − X_Image [m]
}

// periodic makes the ties of a body. A node of several periodic sides, as at the corners of a cell, goes with one image of all of them,
// which is found from pair to pair: at each of these the jump is that of an entry, to or from the image.
func (b *builder) periodic(p casefile.Path, d *Document, s *Solid) {
	type pair struct{ to, entry, times int }
	next, jumps := map[int][]pair{}, make([]signal.Vector, len(d.Periodic))
	var own, others []int
	for k, x := range d.Periodic {
		at := p.With("periodic", k)
		g, ok := Group(b.Builder, at.With("group"), s.Mesh, x.Group)
		side, known := Group(b.Builder, at.With("side"), s.Mesh, x.Side)
		if x.Jump != nil {
			jumps[k] = b.Vector(at.With("jump"), x.Jump, s.Mesh.Dim)
		}
		if !ok || !known {
			continue
		}
		pairs, period, err := s.Mesh.Match(g, side)
		switch {
		case !b.Accept(at, err):
			continue
		case s.Material.Kinematics == fem.Axisymmetric && s.Mesh.Dim == 2 && period[0] != 0:
			b.Add(at, "the sides are %.6g m apart along the radius: those of a ring are periodic along its axis", period[0])
			continue
		}
		for _, x := range pairs {
			next[x[0]], next[x[1]] = append(next[x[0]], pair{x[1], k, 1}), append(next[x[1]], pair{x[0], k, -1})
			own, others = append(own, x[0]), append(others, x[1])
		}
	}
	if b.Any() {
		return
	}
	slices.Sort(own)
	s.ties = map[int]*Tie{}
	visited := map[int][]int{} // how often each entry is passed on the way to the image
	for _, image := range others {
		if _, follows := slices.BinarySearch(own, image); follows || visited[image] != nil {
			continue
		}
		visited[image] = make([]int, len(jumps))
		for list := []int{image}; len(list) > 0; list = list[1:] {
			for _, x := range next[list[0]] {
				times := slices.Clone(visited[list[0]])
				times[x.entry] -= x.times
				if before := visited[x.to]; before == nil {
					visited[x.to], list = times, append(list, x.to)
					s.Ties = append(s.Ties, b.tie(p, s.Mesh, x.to, image, x.entry, times, jumps))
				} else if !slices.Equal(before, times) {
					b.Add(p.With("periodic", x.entry), "node %d at %v has two ways to its image %d: want a period that is none of the others, nor their sum",
						x.to, s.Mesh.Node(x.to), image)
					return
				}
			}
		}
	}
	if k := slices.IndexFunc(own, func(i int) bool { return visited[i] == nil }); k >= 0 {
		b.Add(p.With("periodic"), "node %d at %v moves as others that move as it: want one entry for two sides", own[k], s.Mesh.Node(own[k]))
	}
	for i := range s.Ties {
		s.ties[s.Ties[i].Node] = &s.Ties[i]
	}
}

// tie is that of a node whose way to its image passes each entry so many times.
func (b *builder) tie(p casefile.Path, m *fem.Mesh, node, image, entry int, times []int, jumps []signal.Vector) Tie {
	t := Tie{Node: node, Image: image, Entry: entry}
	for c := range m.Dim {
		t.Period[c] = m.Node(node)[c] - m.Node(image)[c]
	}
	for k, n := range times {
		if n == 0 || jumps[k] == nil {
			continue
		}
		if t.Jump == nil {
			t.Jump, _ = signal.Fixed(make([]float64, m.Dim)...)
		}
		for c := range t.Jump {
			x, err := signal.Scale(jumps[k][c], float64(n))
			if err == nil {
				x, err = signal.NewSum(t.Jump[c], x)
			}
			b.Accept(p.With("periodic", k, "jump"), err)
			t.Jump[c] = x
		}
	}
	return t
}

// Tie returns that of a node; nil: it has none.
func (s *Solid) Tie(node int) *Tie { return s.ties[node] }

// Along reports whether a plane with a normal is the same at a node and its image, at all times.
func (t *Tie) Along(normal [3]float64) bool {
	apart, size := 0.0, 0.0
	for c, x := range t.Period {
		apart, size = apart+x*normal[c], max(size, math.Abs(x))
		if c < len(t.Jump) && math.Abs(normal[c]) > 1e-9 && !signal.Zero(t.Jump[c]) {
			return false
		}
	}
	return math.Abs(apart) <= 1e-9*size // of places in files, with ten digits
}

// CheckTied wants the image of a tied node that is in contact by entry k to be in contact with the same obstacle, of which the
// entry with it has the name; the image bears what both do.
func (s *Solid) CheckTied(b *casefile.Builder, p casefile.Path, t *Tie, normal [3]float64, obstacle, its string) bool {
	switch {
	case its != obstacle:
		b.Add(p, "node %d at %v moves as node %d at %v by \"periodic\", which is not in contact with %q: want both in contact with it, or none",
			t.Node, s.Mesh.Node(t.Node), t.Image, s.Mesh.Node(t.Image), obstacle)
	case !t.Along(normal):
		b.Add(p, "node %d at %v moves as node %d at %v by \"periodic\", and %q is not the same at both: want a period and a jump along a plane obstacle",
			t.Node, s.Mesh.Node(t.Node), t.Image, s.Mesh.Node(t.Image), obstacle)
	default:
		return true
	}
	return false
}

// release takes nodes out of what is prescribed whose images are prescribed alike; others are faults.
func (b *builder) release(p casefile.Path, d *Document, s *Solid, entries []int, first map[[2]int]int) {
	for k := range s.Prescribed {
		m := &s.Prescribed[k]
		m.Nodes = slices.DeleteFunc(m.Nodes, func(i int) bool {
			t := s.ties[i]
			if t == nil || b.Any() {
				return false
			}
			entry, is := first[[2]int{t.Image, m.Axis}]
			if !is || !sameText(d.Prescribed[entry].Motion, d.Prescribed[entries[k]].Motion) || t.Jump != nil && !signal.Zero(t.Jump[m.Axis]) {
				b.Add(p.With("prescribed", entries[k]), "node %d at %v moves as node %d at %v by \"periodic\": prescribe both along %s alike, without a jump, or leave it out of the group",
					i, s.Mesh.Node(i), t.Image, s.Mesh.Node(t.Image), "xyz"[m.Axis:][:1])
			}
			return true
		})
	}
}

// Tied are the normals of what nodes of periodic sides and lids keep to.
func (s *Solid) Tied() (list []fem.Normal) {
	add := func(dof int, less []fem.Share) {
		n := fem.Normal{Node: dof / s.Mesh.Dim, Less: less}
		n.Along[dof%s.Mesh.Dim] = 1
		list = append(list, n)
	}
	for _, t := range s.Ties {
		for c := range s.Mesh.Dim {
			add(s.Mesh.Dim*t.Node+c, []fem.Share{{Dof: s.Mesh.Dim*t.Image + c, Weight: 1}})
		}
	}
	for k := range s.Lids {
		for _, f := range s.Lids[k].Followers {
			add(f.Dof, f.Masters)
		}
	}
	return list
}
