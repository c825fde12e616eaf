package assembly

import (
	"fmt"
	"slices"
)

// A Stage of building places some blocks, takes others away, as a centring, adds loads, and moves supports.
type Stage struct {
	Name          string
	Place, Remove []int
	Loads         []Load          // from then on
	Moves         []SupportMotion // by their velocities, as far as joints give: of no account but in a history
}

// Built is what is there after a stage.
type Built struct {
	Name            string
	Placed, Removed []string // names of blocks
	Assembly        *Assembly
	faces           []int           // of each interface: its place among those of all stages
	moves           []SupportMotion // of its blocks
}

// build finds what is there after each stage, and makes the assembly what it is after the last. Blocks are there from the beginning that no
// stage places, or one removes before.
func (a *Assembly) build() error {
	if len(a.Stages) == 0 {
		return nil
	}
	there := make([]bool, len(a.Blocks))
	for i := range there {
		there[i] = true
	}
	for _, s := range slices.Backward(a.Stages) { // the first that names a block is the last that is looked at
		for _, i := range s.Remove {
			there[i] = true
		}
		for _, i := range s.Place {
			there[i] = false
		}
	}
	whole := *a
	whole.Stages = nil
	begin, faces := whole.only(there)
	if loose := begin.hanging(); len(loose) > 0 {
		return fmt.Errorf("before its first stage: %w", begin.looseError(loose))
	}
	a.built = []Built{{Name: "the beginning", Assembly: begin, faces: faces}}
	for _, s := range a.Stages {
		b := Built{Name: s.Name}
		for _, i := range s.Place {
			if there[i] {
				return fmt.Errorf("stage %s places block %s, which is there", s.Name, a.Blocks[i].called())
			}
			there[i], b.Placed = true, append(b.Placed, a.Blocks[i].Name)
		}
		for _, i := range s.Remove {
			if !there[i] {
				return fmt.Errorf("stage %s removes block %s, which is not there", s.Name, a.Blocks[i].called())
			}
			there[i], b.Removed = false, append(b.Removed, a.Blocks[i].Name)
		}
		for _, l := range s.Loads {
			if !there[l.Block] {
				return fmt.Errorf("stage %s loads block %s, which is not there", s.Name, a.Blocks[l.Block].called())
			}
		}
		for _, m := range s.Moves {
			switch {
			case !there[m.Block]:
				return fmt.Errorf("stage %s moves block %s, which is not there", s.Name, a.Blocks[m.Block].called())
			case !a.Blocks[m.Block].Support:
				return fmt.Errorf("stage %s moves block %s, which is no support", s.Name, a.Blocks[m.Block].called())
			case !(norm(m.Velocity) > 1e-6 && norm(m.Velocity) < 1e6) || a.Plane &&
				m.Velocity[1] != 0: // a direction: no size is near to these
				return fmt.Errorf("stage %s moves block %s towards %v, want a direction of a size between 1e-6 and 1e6, in the plane of x and z where the assembly is",
					s.Name, a.Blocks[m.Block].called(), m.Velocity)
			}
			m.Velocity = add([3]float64{}, m.Velocity, 1/norm(m.Velocity))
			for _, in := range there[:m.Block] {
				if !in {
					m.Block--
				}
			}
			b.moves = append(b.moves, m)
		}
		whole.Loads = append(slices.Clip(whole.Loads), s.Loads...)
		b.Assembly, b.faces = whole.only(there)
		for _, i := range b.Assembly.hanging() { // what loses its support falls; what is placed on nothing is a fault
			if slices.Contains(b.Placed, b.Assembly.Blocks[i].Name) {
				return fmt.Errorf("stage %s: %w", s.Name, b.Assembly.looseError([]int{i}))
			}
		}
		a.built = append(a.built, b)
	}
	last := a.built[len(a.built)-1].Assembly
	a.Blocks, a.Interfaces, a.Loads = last.Blocks, last.Interfaces, last.Loads
	return nil
}

// Built are the states of its stages, beginning with what is there before them; or, where the file has none, of a building block by
// block: the supports, then always the lowest block that touches what is there.
func (a *Assembly) Built() []Built {
	if a.built != nil {
		return a.built
	}
	there := make([]bool, len(a.Blocks))
	for i := range a.Blocks {
		there[i] = a.Blocks[i].Support
	}
	var all []Built
	for {
		next := a.lowest(there)
		if next < 0 {
			return all
		}
		there[next] = true
		name := a.Blocks[next].Name
		part, faces := a.only(there)
		all = append(all, Built{Name: name, Placed: []string{name}, Assembly: part, faces: faces})
	}
}

// lowest is the block that is not there, touches one that is, and has its centroid lowest; −1 for none.
func (a *Assembly) lowest(there []bool) int {
	best := -1
	for k := range a.Interfaces {
		f := &a.Interfaces[k]
		if there[f.A] == there[f.B] {
			continue
		}
		i := f.A
		if there[i] {
			i = f.B
		}
		// heights that differ by rounding are the same: then the first of the file
		near := 1e-9 * norm(sub(a.Blocks[i].high, a.Blocks[i].low))
		if d := a.above(i, best); best < 0 || d < -near || d <= near && i < best {
			best = i
		}
	}
	return best
}

// above is how much higher block i is than block k [m].
func (a *Assembly) above(i, k int) float64 {
	if k < 0 {
		return 0
	}
	return -dot(sub(a.Blocks[i].Centroid, a.Blocks[k].Centroid), a.Gravity) / norm(a.Gravity)
}

// only is a prepared assembly of the blocks that are there, with the interfaces and loads of these.
func (a *Assembly) only(there []bool) (*Assembly, []int) {
	part, faces := *a, []int(nil)
	part.Blocks, part.Interfaces, part.Loads = nil, nil, nil
	at := make([]int, len(a.Blocks))
	for i, b := range a.Blocks {
		if there[i] {
			at[i] = len(part.Blocks)
			part.Blocks = append(part.Blocks, b)
		}
	}
	for k, f := range a.Interfaces {
		if there[f.A] && there[f.B] {
			f.A, f.B = at[f.A], at[f.B]
			part.Interfaces, faces = append(part.Interfaces, f), append(faces, k)
		}
	}
	for _, l := range a.Loads {
		if there[l.Block] {
			l.Block = at[l.Block]
			part.Loads = append(part.Loads, l)
		}
	}
	return &part, faces
}
