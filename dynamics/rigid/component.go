package rigid

import "slices"

// component is a set of bodies tied by joints and forces; M̃ and the joints do
// not couple it to others.
type component struct {
	bodies []int
	index  []int // velocities of the world, in the order of the component
	rows   []int // joint rows
	forces []int
}

// split finds the components.
func (m *Model) split() {
	root := make([]int, len(m.body))
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
	for i := range m.rows {
		join(m.rows[i].a, m.rows[i].b)
	}
	for _, f := range m.setup.Forces {
		b := f.Bodies()
		for _, other := range b[1:] {
			join(b[0], other)
		}
	}
	m.home = make([]int, len(m.body))
	for i := range m.body {
		r := find(i)
		if r == i {
			m.home[i] = len(m.comps)
			m.comps = append(m.comps, component{})
		}
		m.home[i] = m.home[r]
		c := &m.comps[m.home[i]]
		m.body[i].slot = len(c.bodies)
		c.bodies = append(c.bodies, i)
		m.body[i].local = len(c.index)
		for k := range m.body[i].n {
			c.index = append(c.index, m.body[i].v+k)
		}
	}
	for i := range m.rows {
		c := &m.comps[m.home[m.rows[i].a]]
		c.rows = append(c.rows, i)
	}
	for i, f := range m.setup.Forces {
		if b := slices.Max(f.Bodies()); b >= 0 {
			c := &m.comps[m.home[b]]
			c.forces = append(c.forces, i)
		}
	}
}
