package dynamics

// islands splits the elements of a step into groups that share no block of M:
// their contact problems are independent.
type islands struct {
	root  []int // union-find over the blocks of M
	label []int // of each root, −1 if new
	ptr   []int // elements of island i: list[ptr[i]:ptr[i+1]]
	list  []int
	of    []int // island of each patch, −1 if it takes no part
}

// split fills the lists with the active patches; whole makes a single island
// (Newton's method couples all velocities).
func (s *islands) split(c *Contacts, mass *Mass, active []bool, whole bool) {
	nb := len(mass.first) - 1
	s.root, s.label, s.of = grow(s.root, nb), grow(s.label, nb), grow(s.of, len(c.patches))
	for b := range nb {
		s.root[b], s.label[b] = b, -1
	}
	for i := range c.patches {
		if active[i] {
			s.join(c, mass, &c.patches[i])
		}
	}
	n := 0
	for i := range c.patches {
		p := &c.patches[i]
		if !active[i] {
			s.of[i] = -1
			continue
		}
		if whole {
			s.of[i], n = 0, 1
			continue
		}
		if c.h.Ptr[p.first] == c.h.Ptr[p.last] { // moves nothing
			s.of[i] = n
			n++
			continue
		}
		r := s.find(mass.of[c.h.Row[c.h.Ptr[p.first]]])
		if s.label[r] < 0 {
			s.label[r] = n
			n++
		}
		s.of[i] = s.label[r]
	}
	s.sort(c, n)
}

// join unites the blocks that a patch touches.
func (s *islands) join(c *Contacts, mass *Mass, p *placed) {
	first, last := c.h.Ptr[p.first], c.h.Ptr[p.last]
	if first == last {
		return
	}
	a := s.find(mass.of[c.h.Row[first]])
	for _, row := range c.h.Row[first:last] {
		if b := s.find(mass.of[row]); b != a {
			s.root[max(a, b)] = min(a, b)
			a = min(a, b)
		}
	}
}

func (s *islands) find(b int) int {
	for s.root[b] != b {
		s.root[b] = s.root[s.root[b]]
		b = s.root[b]
	}
	return b
}

// sort is a counting sort of the elements by islands.
func (s *islands) sort(c *Contacts, n int) {
	s.ptr, s.list = grow(s.ptr, n+1), grow(s.list, c.elements())
	clear(s.ptr)
	for i := range c.patches {
		if s.of[i] < 0 {
			continue
		}
		s.ptr[s.of[i]+1] += c.patches[i].last - c.patches[i].first
	}
	for i := range n {
		s.ptr[i+1] += s.ptr[i]
	}
	for i := range c.patches {
		if s.of[i] < 0 {
			continue
		}
		at := s.ptr[s.of[i]]
		for e := c.patches[i].first; e < c.patches[i].last; e++ {
			s.list[at] = e
			at++
		}
		s.ptr[s.of[i]] = at
	}
	for i := n; i > 0; i-- {
		s.ptr[i] = s.ptr[i-1]
	}
	s.ptr[0] = 0
}

// count returns the number of islands.
func (s *islands) count() int { return len(s.ptr) - 1 }

// elements returns those of island i.
func (s *islands) elements(i int) []int { return s.list[s.ptr[i]:s.ptr[i+1]] }
