package multibody

import (
	"slices"
)

// Component is a set of bodies tied by joints and forces; M̃ and the joints do not couple it to
// others.
type Component struct {
	Bodies []int
	Index  []int // velocities of the world, in the order of the component
	Rows   []int // joint rows
	Forces []int
}

// split finds the components.
func (m *Model) split() {
	root := make([]int, len(m.Bodies))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			i = root[i]
		}
		return i
	}
	join := func(a, b int) {
		if a >= 0 && b >= 0 {
			a, b = find(a), find(b)
			root[max(a, b)] = min(a, b)
		}
	}
	for i := range m.Rows {
		join(m.Rows[i].A, m.Rows[i].B)
	}
	for _, f := range m.Setup.Forces {
		b := f.Bodies()
		for _, other := range b[1:] {
			join(b[0], other)
		}
	}
	m.Home = make([]int, len(m.Bodies))
	for i := range m.Bodies {
		r := find(i)
		if r == i {
			m.Home[i] = len(m.Components)
			m.Components = append(m.Components, Component{})
		}
		m.Home[i] = m.Home[r]
		c := &m.Components[m.Home[i]]
		m.Bodies[i].Slot = len(c.Bodies)
		c.Bodies = append(c.Bodies, i)
		m.Bodies[i].Local = len(c.Index)
		for k := range m.Bodies[i].N {
			c.Index = append(c.Index, m.Bodies[i].V+k)
		}
	}
	for i := range m.Rows {
		c := &m.Components[m.Home[m.Rows[i].A]]
		c.Rows = append(c.Rows, i)
	}
	for i, f := range m.Setup.Forces {
		if b := slices.Max(f.Bodies()); b >= 0 {
			c := &m.Components[m.Home[b]]
			c.Forces = append(c.Forces, i)
		}
	}
}
