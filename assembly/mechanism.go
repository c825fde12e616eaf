package assembly

import (
	"fmt"
	"math"
	"strings"
)

// Mechanism is a motion in the words of an engineer: what interfaces do.
type Mechanism struct {
	Hinges, Slides, Parts int // interfaces that turn about a corner or an edge, slide along each other, part
	Moving                int // blocks that move
	Most                  int // the block that moves most; -1 for none
	Way                   [3]float64
}

// Mechanism reads the motion of blocks of a Verdict.
func (a *Assembly) Mechanism(motion [][6]float64) Mechanism {
	m := Mechanism{Most: -1}
	size, most := 0., 0.
	reach := make([]float64, len(motion))
	for i, v := range motion {
		b := &a.Blocks[i]
		for _, x := range b.Vertices {
			reach[i] = max(reach[i], norm(Moved(b, v, x)))
		}
		size = max(size, reach[i])
	}
	small := 1e-6 * size // rests of programs
	for i, v := range motion {
		if reach[i] > small {
			m.Moving++
		}
		if reach[i] > most {
			most, m.Most, m.Way = reach[i], i, [3]float64(v[:3])
		}
	}
	if m.Most < 0 {
		return m
	}
	for k := range a.Interfaces {
		switch a.opening(&a.Interfaces[k], motion, small) {
		case turns:
			m.Hinges++
		case slides:
			m.Slides++
		case parts:
			m.Parts++
		}
	}
	return m
}

type doing int

const (
	rests doing = iota
	turns
	slides
	parts
)

// opening says what the corners of an interface do. A virtual motion of what falls opens by μ where it
// slides: the flow rule of the associated program.
func (a *Assembly) opening(f *Interface, motion [][6]float64, small float64) doing {
	still, along := 0, 0
	for _, x := range f.Points {
		u := sub(Moved(&a.Blocks[f.B], motion[f.B], x), Moved(&a.Blocks[f.A], motion[f.A], x))
		normal := dot(u, f.Normal)
		slip := norm(add(u, f.Normal, -normal))
		switch {
		case math.Max(math.Abs(normal), slip) <= small:
			still++
		case normal <= 1.01*f.Friction*slip+small: // a hundredth: programs open a little more
			along++
		}
	}
	switch {
	case still == len(f.Points):
		return rests
	case still+along == len(f.Points):
		return slides
	case still+along > 0:
		return turns
	}
	return parts
}

// Moved is the velocity of a point of a block.
func Moved(b *Block, v [6]float64, x [3]float64) [3]float64 {
	return add([3]float64(v[:3]), cross([3]float64(v[3:]), sub(x, b.Centroid)), 1)
}

// Words describe it: "3 of 5 blocks move, most of all 2 (downwards); 4 interfaces turn, 1 slides".
func (m Mechanism) Words(a *Assembly) string {
	if m.Most < 0 {
		return "nothing moves"
	}
	free := 0
	for i := range a.Blocks {
		if !a.Blocks[i].Support {
			free++
		}
	}
	way := "turning"
	if size := norm(m.Way); size > 0 {
		switch down := dot(m.Way, a.Gravity) / size / norm(a.Gravity); {
		case down > .9: // 26°
			way = "downwards"
		case down < -.9:
			way = "upwards"
		case math.Abs(down) < .4: // 24°
			way = "sideways"
		case down > 0:
			way = "down and sideways"
		default:
			way = "up and sideways"
		}
	}
	list := []string{fmt.Sprintf("%d of %d blocks move, most of all %s (%s)", m.Moving, free, a.Blocks[m.Most].Name, way)}
	for _, k := range []struct {
		n          int
		one, other string
	}{{m.Hinges, "interface turns", "interfaces turn"}, {m.Slides, "slides", "slide"}, {m.Parts, "parts", "part"}} {
		switch {
		case k.n == 1:
			list = append(list, "1 "+k.one)
		case k.n > 1:
			list = append(list, fmt.Sprintf("%d %s", k.n, k.other))
		}
	}
	return list[0] + "; " + strings.Join(list[1:], ", ")
}

// Force is what an interface carries: the resultant on block B at the centre of its pressure, and the use of
// friction, ‖T‖/μN, from 0 to 1; a pull has no centre and is at the middle of the corners.
type Force struct {
	Interface int
	Point     [3]float64
	Resultant [3]float64 // N
	Normal    float64    // N
	Use       float64
}

// Forces sums reactions by interfaces; those without are left out.
func (a *Assembly) Forces(reactions []Reaction) []Force {
	all := make([]Force, len(a.Interfaces))
	pressed := make([]float64, len(a.Interfaces))
	for _, r := range reactions {
		f := &all[r.Interface]
		n := dot(r.Force, a.Interfaces[r.Interface].Normal)
		f.Normal += n
		f.Resultant = add(f.Resultant, r.Force, 1)
		if n > 0 {
			pressed[r.Interface] += n
			f.Point = add(f.Point, r.Point, n)
		}
	}
	var loaded []Force
	for k := range all {
		f, o := &all[k], &a.Interfaces[k]
		if f.Resultant == ([3]float64{}) {
			continue
		}
		f.Interface = k
		if pressed[k] > 0 {
			f.Point = add([3]float64{}, f.Point, 1/pressed[k])
		} else {
			for _, x := range o.Points {
				f.Point = add(f.Point, x, 1/float64(len(o.Points)))
			}
		}
		if slip := norm(add(f.Resultant, o.Normal, -f.Normal)); o.Friction > 0 && f.Normal > 0 {
			f.Use = slip / (o.Friction * f.Normal)
		}
		loaded = append(loaded, *f)
	}
	return loaded
}
