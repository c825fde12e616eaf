package files

import (
	"cmp"
	"fmt"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/internal/nearest"
)

// nativeFile is the format of this program; docs/assemblies.md describes it.
type nativeFile struct {
	Name       string            `json:"name"`
	Plane      bool              `json:"plane"`
	Friction   float64           `json:"friction"`
	Strength   float64           `json:"tensile_strength"` // Pa
	Gravity    *[3]float64       `json:"gravity"`
	Blocks     []nativeBlock     `json:"blocks"`
	Interfaces []nativeInterface `json:"interfaces"`
	Loads      []nativeLoad      `json:"loads"`
	Generate   *generators       `json:"generate"`
	Stages     []nativeStage     `json:"stages"`
}

type nativeBlock struct {
	Name     string         `json:"name"`
	Density  *float64       `json:"density"`
	Support  bool           `json:"support"`
	Polygon  [][2]float64   `json:"polygon"` // x, z
	Box      *[2][3]float64 `json:"box"`
	Vertices [][3]float64   `json:"vertices"`
	Faces    [][]int        `json:"faces"`
}

type nativeInterface struct {
	Blocks   [2]string    `json:"blocks"`
	Normal   [3]float64   `json:"normal"` // from the first to the second
	Points   [][3]float64 `json:"points"`
	Friction *float64     `json:"friction"`
	Tension  float64      `json:"tension"`
}

type nativeLoad struct {
	Block string      `json:"block"`
	Point *[3]float64 `json:"point"` // m; default: the centre of mass of the block
	Force [3]float64  `json:"force"`
	Live  bool        `json:"live"`
}

type nativeStage struct {
	Name   string       `json:"name"` // default: its place in the list, from 1
	Place  []string     `json:"place"`
	Remove []string     `json:"remove"`
	Loads  []nativeLoad `json:"loads"` // added, from then on
	Moves  []nativeMove `json:"moves"` // of supports, as far as joints give
}

type nativeMove struct {
	Block   string     `json:"block"`
	Towards [3]float64 `json:"towards"`
}

type generators struct {
	Arch  *Arch  `json:"arch"`
	Wall  *Wall  `json:"wall"`
	Stack *Stack `json:"stack"`
	Vault *Vault `json:"vault"`
	Dome  *Dome  `json:"dome"`
}

func native(text []byte) (*assembly.Assembly, error) {
	var f nativeFile
	if err := strict(text, &f); err != nil {
		return nil, err
	}
	a := &assembly.Assembly{Plane: f.Plane}
	if f.Generate != nil {
		made, err := f.Generate.build()
		if err != nil {
			return nil, err
		}
		a = made
		if len(f.Blocks) > 0 && f.Plane != a.Plane {
			return nil, fmt.Errorf("$.plane: is %v, and of what is generated %v: blocks beside it want the same", f.Plane, a.Plane)
		}
	}
	a.Name, a.Friction, a.Strength = f.Name, f.Friction, f.Strength
	if f.Gravity != nil {
		if *f.Gravity == ([3]float64{}) {
			return nil, fmt.Errorf("$.gravity is zero: nothing would fall")
		}
		a.Gravity = *f.Gravity
	}
	for k, b := range f.Blocks {
		block, err := b.block(k, a.Plane)
		if err != nil {
			return nil, err
		}
		a.Blocks = append(a.Blocks, block)
	}
	find := func(where, name string) (int, error) {
		for i := range a.Blocks {
			if a.Blocks[i].Name == name {
				return i, nil
			}
		}
		var names []string
		for i := range a.Blocks {
			names = append(names, a.Blocks[i].Name)
		}
		return 0, fmt.Errorf("%s: there is no block %q%s", where, name, nearest.Hint(name, names[:min(len(names), 50)]))
	}
	for i := range a.Blocks {
		for j := range i {
			if a.Blocks[i].Name == a.Blocks[j].Name {
				return nil, fmt.Errorf("%s.name: two blocks have the name %q, the other at %s", a.Blocks[i].Where,
					a.Blocks[i].Name, a.Blocks[j].Where)
			}
		}
	}
	for k, g := range f.Interfaces {
		o := assembly.Interface{Normal: g.Normal, Points: g.Points, Friction: -1, Tension: g.Tension}
		if g.Friction != nil {
			if o.Friction = *g.Friction; o.Friction < 0 {
				return nil, fmt.Errorf("$.interfaces[%d].friction is %v, want a number that is not negative", k, o.Friction)
			}
		}
		for side, into := range []*int{&o.A, &o.B} {
			i, err := find(fmt.Sprintf("$.interfaces[%d].blocks[%d]", k, side), g.Blocks[side])
			if err != nil {
				return nil, err
			}
			*into = i
		}
		a.Interfaces = append(a.Interfaces, o)
	}
	loads := func(where string, list []nativeLoad) (all []assembly.Load, err error) {
		for k, g := range list {
			i, err := find(fmt.Sprintf("%s.loads[%d].block", where, k), g.Block)
			if err != nil {
				return nil, err
			}
			l := assembly.Load{Block: i, Force: g.Force, Live: g.Live, Central: g.Point == nil}
			if g.Point != nil {
				l.Point = *g.Point
			}
			all = append(all, l)
		}
		return all, nil
	}
	more, err := loads("$", f.Loads)
	if err != nil {
		return nil, err
	}
	a.Loads = append(a.Loads, more...)
	for k, g := range f.Stages {
		where := fmt.Sprintf("$.stages[%d]", k)
		s := assembly.Stage{Name: cmp.Or(g.Name, fmt.Sprint(k+1))}
		if len(g.Place)+len(g.Remove)+len(g.Loads)+len(g.Moves) == 0 {
			return nil, fmt.Errorf("%s: does nothing, want place, remove, loads or moves", where)
		}
		for i, m := range g.Moves {
			block, err := find(fmt.Sprintf("%s.moves[%d].block", where, i), m.Block)
			if err != nil {
				return nil, err
			}
			s.Moves = append(s.Moves, assembly.SupportMotion{Block: block, Velocity: m.Towards})
		}
		if s.Loads, err = loads(where, g.Loads); err != nil {
			return nil, err
		}
		for kind, list := range [][]string{g.Place, g.Remove} {
			for i, name := range list {
				block, err := find(fmt.Sprintf("%s.%s[%d]", where, [2]string{"place", "remove"}[kind], i), name)
				if err != nil {
					return nil, err
				}
				if kind == 0 {
					s.Place = append(s.Place, block)
				} else {
					s.Remove = append(s.Remove, block)
				}
			}
		}
		a.Stages = append(a.Stages, s)
	}
	return a, nil
}

func (b *nativeBlock) block(k int, plane bool) (assembly.Block, error) {
	o := assembly.Block{Name: b.Name, Support: b.Support, Density: 1, Vertices: b.Vertices, Faces: b.Faces}
	o.Where = fmt.Sprintf("$.blocks[%d]", k)
	if o.Name == "" {
		o.Name = fmt.Sprint(k)
	}
	if b.Density != nil {
		o.Density = *b.Density
	}
	ways := 0
	if b.Polygon != nil {
		ways++
		var face []int
		for i, p := range b.Polygon {
			o.Vertices = append(o.Vertices, [3]float64{p[0], 0, p[1]})
			face = append(face, i)
		}
		o.Faces = [][]int{face}
	}
	if b.Box != nil {
		ways++
		s := solid(o.Name, b.Box[0], b.Box[1])
		o.Vertices, o.Faces = s.Vertices, s.Faces
		if plane {
			low, high := b.Box[0], b.Box[1]
			o.Vertices = [][3]float64{{low[0], 0, low[2]}, {high[0], 0, low[2]}, {high[0], 0, high[2]}, {low[0], 0, high[2]}}
			o.Faces = [][]int{{0, 1, 2, 3}}
		}
	}
	if b.Vertices != nil {
		ways++
	}
	if ways != 1 {
		return o, fmt.Errorf("$.blocks[%d] (%s) has %d of polygon, box and vertices, want one", k, o.Name, ways)
	}
	if b.Polygon != nil && !plane {
		return o, fmt.Errorf("$.blocks[%d] (%s) is a polygon: the assembly wants \"plane\": true", k, o.Name)
	}
	return o, nil
}
