package fem

import "fmt"

// The formats 4.0 and 4.1 differ in the order of what heads a block, in the corners of points and in the
// bytes of numbers of nodes.

// tagBytes are those of the number of a node or element.
func (s *gmshReader) tagBytes() int {
	if s.version == "4.0" {
		return 4
	}
	return 8
}

// entities4 reads which physical groups the entities belong to: "tag x y z n physical…" of points, of the rest
// "tag minx miny minz maxx maxy maxz n physical… n bounding…", which may be missing in text, as of points in the format 4.0, which bound nothing.
func (s *gmshReader) entities4() {
	n := s.integers(4, 8)
	for dim := range n {
		if n[dim] < 0 {
			s.count(0)
		}
		for ; n[dim] > 0 && s.err == nil; n[dim]-- {
			tag, corners := s.integer(4), 2
			if dim == 0 && s.version != "4.0" {
				corners = 1
			}
			for range 3 * corners {
				s.real()
			}
			line, groups := s.line, s.count(8)
			s.entity[[2]int{dim, tag}] = s.integers(groups, 4)
			if s.bytes == nil {
				if s.line != line {
					s.fail(fmt.Errorf("entity %d of dimension %d announces %d groups", tag, dim, groups))
				}
				s.skipLine()
			} else if dim > 0 {
				for k := s.count(8); k > 0 && s.err == nil; k-- {
					s.integer(4)
				}
			}
		}
	}
}

// blocks reads the headers "dim entity word n" of the blocks of a section, and after each what read takes.
func (s *gmshReader) blocks(read func(dim, entity, word, n int)) {
	blocks := s.count(8)
	if s.count(8); s.version != "4.0" {
		s.count(8)
		s.count(8)
	}
	for ; blocks > 0 && s.err == nil; blocks-- {
		dim, entity, word := s.integer(4), s.integer(4), s.integer(4)
		if s.version == "4.0" {
			dim, entity = entity, dim
		}
		if n := s.count(8); s.err == nil {
			read(dim, entity, word, n)
		}
	}
}

// nodes4 reads blocks of n numbers and n places, which are together in the format 4.0, with the coordinates on an entity if they are there.
func (s *gmshReader) nodes4() {
	s.blocks(func(dim, _, parametric, n int) {
		var tags []int
		if s.version != "4.0" {
			tags = s.integers(n, 8)
		}
		for i := 0; i < n && s.err == nil; i++ {
			var tag int
			if s.version == "4.0" {
				tag = s.integer(4)
			} else {
				tag = tags[i]
			}
			x := [3]float64{s.real(), s.real(), s.real()}
			for c := 0; parametric != 0 && c < dim && s.err == nil; c++ {
				s.real()
			}
			s.addNode(tag, x)
		}
	})
}

// elements4 reads blocks of n elements "number nodes…", of one type.
func (s *gmshReader) elements4() {
	s.blocks(func(dim, entity, kind, n int) {
		for ; n > 0 && s.err == nil; n-- {
			s.addElement(s.integer(s.tagBytes()), kind, s.entity[[2]int{dim, entity}], s.tagBytes())
		}
	})
}
