package fem

import (
	"fmt"
	"strconv"
)

// nodes2 reads lines "number x y z" of the format 2.2.
func (s *gmshScanner) nodes2() error {
	n, err := s.counts(1)
	if err != nil {
		return err
	}
	for range n[0] {
		f, err := s.next()
		if err != nil {
			return err
		}
		tag, err := strconv.Atoi(f[0])
		if err != nil {
			return fmt.Errorf("%q is not the number of a node", f[0])
		}
		if err := s.addNode(tag, f[1:]); err != nil {
			return err
		}
	}
	return nil
}

// elements2 reads lines "number type ntags physical entity ... nodes".
func (s *gmshScanner) elements2() error {
	n, err := s.counts(1)
	if err != nil {
		return err
	}
	for range n[0] {
		f, err := s.numbers(3)
		if err != nil {
			return err
		}
		tag, kind, ntags := f[0], f[1], f[2]
		if ntags < 0 || ntags > len(f)-3 {
			return fmt.Errorf("element %d announces %d tags", tag, ntags)
		}
		var physical []int
		if ntags > 0 && f[3] != 0 {
			physical = f[3:4]
		}
		if err := s.addElement(tag, kind, physical, f[3+ntags:]); err != nil {
			return err
		}
	}
	return nil
}
