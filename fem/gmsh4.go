package fem

import "fmt"

// entities4 reads which physical groups the entities belong to: lines
// "tag x y z nphysical physical..." for points and, for the rest, "tag minx miny
// minz maxx maxy maxz nphysical physical... nbounding bounding...".
func (s *gmshScanner) entities4() error {
	n, err := s.counts(4)
	if err != nil {
		return err
	}
	for dim := range 4 {
		for range n[dim] {
			f, err := s.next()
			if err != nil {
				return err
			}
			at := 7 // of the number of groups
			if dim == 0 {
				at = 4
			}
			if len(f) <= at {
				return fmt.Errorf("entity of dimension %d with %d fields", dim, len(f))
			}
			id, err := integers([]string{f[0], f[at]})
			if err != nil {
				return err
			}
			if id[1] < 0 || id[1] > len(f)-at-1 {
				return fmt.Errorf("entity %d of dimension %d announces %d groups", id[0], dim, id[1])
			}
			groups, err := integers(f[at+1 : at+1+id[1]])
			if err != nil {
				return err
			}
			s.entity[[2]int{dim, id[0]}] = groups
		}
	}
	return nil
}

// blocks reads the headers "dim entity word n" of the blocks of a section, and after each
// what read takes.
func (s *gmshScanner) blocks(read func(dim, entity, word, n int) error) error {
	head, err := s.counts(4)
	if err != nil {
		return err
	}
	for range head[0] {
		block, err := s.numbers(4)
		if err == nil {
			err = notNegative(block[3:])
		}
		if err == nil {
			err = read(block[0], block[1], block[2], block[3])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nodes4 reads blocks of n numbers and n lines of coordinates.
func (s *gmshScanner) nodes4() error {
	return s.blocks(func(_, _, _, n int) error {
		var tags []int
		for range n {
			t, err := s.numbers(1)
			if err != nil {
				return err
			}
			tags = append(tags, t[0])
		}
		for _, tag := range tags {
			f, err := s.next()
			if err == nil {
				err = s.addNode(tag, f)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// elements4 reads blocks of n lines "number nodes...", of one type.
func (s *gmshScanner) elements4() error {
	return s.blocks(func(dim, entity, kind, n int) error {
		physical := s.entity[[2]int{dim, entity}]
		for range n {
			f, err := s.numbers(2)
			if err == nil {
				err = s.addElement(f[0], kind, physical, f[1:])
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
