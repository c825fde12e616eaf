package fem

import "fmt"

// nodes2 reads nodes "number x y z" of the format 2.2.
func (s *gmshReader) nodes2() {
	for n := s.textCount(); n > 0 && s.err == nil; n-- {
		tag := s.integer(4)
		s.addNode(tag, [3]float64{s.real(), s.real(), s.real()})
	}
}

// textCount reads a count that is text in all files of the format.
func (s *gmshReader) textCount() int {
	bytes := s.bytes
	s.bytes = nil
	n := s.count(0)
	if s.bytes = bytes; bytes != nil {
		s.rest()
	}
	return n
}

// elements2 reads elements "number type ntags physical entity … nodes"; of bytes in blocks
// "type n ntags" of elements "number physical entity … nodes".
func (s *gmshReader) elements2() {
	block := 1
	for n := s.textCount(); n > 0 && s.err == nil; n -= block {
		var tag, kind int
		if s.bytes == nil {
			tag = s.integer(4)
		}
		if kind = s.integer(4); s.bytes != nil {
			if block = s.count(4); block == 0 || block > n {
				s.fail(fmt.Errorf("a block of %d elements of %d that are left", block, n))
			}
		}
		tags := s.count(4)
		for range block {
			if s.err != nil {
				return
			}
			if s.bytes != nil {
				tag = s.integer(4)
			}
			physical := s.integers(tags, 4)
			if s.err != nil {
				s.err = fmt.Errorf("element %d announces %d tags: %w", tag, tags, s.err)
			}
			if physical = physical[:min(1, len(physical))]; len(physical) > 0 && physical[0] == 0 {
				physical = nil
			}
			s.addElement(tag, kind, physical, 4)
		}
	}
}
