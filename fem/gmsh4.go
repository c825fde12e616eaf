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

// nodes4 reads blocks "dim entity parametric n", n numbers, n coordinates.
func (s *gmshScanner) nodes4() error {
	head, err := s.counts(4)
	if err != nil {
		return err
	}
	for range head[0] {
		block, err := s.numbers(4)
		if err == nil {
			err = notNegative(block[3:])
		}
		if err != nil {
			return err
		}
		var tags []int
		for range block[3] {
			t, err := s.numbers(1)
			if err != nil {
				return err
			}
			tags = append(tags, t[0])
		}
		for _, tag := range tags {
			f, err := s.next()
			if err != nil {
				return err
			}
			if err := s.addNode(tag, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// elements4 reads blocks "dim entity type n" and n lines "number nodes...".
func (s *gmshScanner) elements4() error {
	head, err := s.counts(4)
	if err != nil {
		return err
	}
	for range head[0] {
		block, err := s.numbers(4)
		if err == nil {
			err = notNegative(block[3:])
		}
		if err != nil {
			return err
		}
		physical := s.entity[[2]int{block[0], block[1]}]
		for range block[3] {
			f, err := s.numbers(2)
			if err != nil {
				return err
			}
			if err := s.addElement(f[0], block[2], physical, f[1:]); err != nil {
				return err
			}
		}
	}
	return nil
}
