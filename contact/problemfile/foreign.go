package problemfile

import "fmt"

// ForeignError reports a file of a form that is recognised and not solved here.
type ForeignError struct {
	Form   string // what it is
	Remedy string // what to do
}

func (e *ForeignError) Error() string { return fmt.Sprintf("%s: %s", e.Form, e.Remedy) }

// foreign recognises the files of Siconos that hold other problems than ours, nil if
// it is none of them.
func foreign(data []byte) *ForeignError {
	for _, form := range []struct {
		reads func(*scanner) bool
		err   ForeignError
	}{
		{isRelay, ForeignError{"a relay problem of Siconos (M, q and bounds lb <= ub)",
			"write it as an MLCP with slack variables for the bounds"}},
		{isMechanical, ForeignError{"a generic mechanical problem (GMP) of Siconos, blocks of several kinds in one system",
			"write its equations and contacts as a global problem, or as an MLCP"}},
		{isOldContacts, ForeignError{"a contact problem with the old FC3D header of Siconos, the number of contacts before W without the dimension",
			"put the dimension, 2 or 3, before the number of contacts"}},
	} {
		s := newScanner(data)
		if form.reads(s) && s.err == nil {
			return &form.err
		}
	}
	return nil
}

// isRelay reads a size, M, q and bounds lb <= ub.
func isRelay(s *scanner) bool {
	n := s.size("number of pairs")
	scanMatrix(s, "M", n, n)
	s.numbers("q", n)
	lb, ub := s.numbers("lb", n), s.numbers("ub", n)
	if s.err != nil || n == 0 {
		return false
	}
	for i := range lb {
		if !(lb[i] <= ub[i]) {
			return false
		}
	}
	return true
}

// The kinds of the blocks of a generic mechanical problem, as the peer counts them.
const mostKinds = 15

// isMechanical reads a number of blocks, M, q, and for each block a kind and a size; the
// sizes add up to the rows.
func isMechanical(s *scanner) bool {
	blocks := s.size("number of blocks")
	m := scanMatrix(s, "M", -1, -1)
	if s.err != nil || blocks == 0 || m.Rows != m.Cols || m.Rows <= blocks && blocks > 1 && m.Rows != blocks {
		return false
	}
	s.numbers("q", m.Rows)
	rows := 0
	for range blocks {
		kind := s.integer("kind of a block", 0, mostKinds)
		size := s.integer("size of a block", 1, m.Rows)
		rows += size
		if kind >= 3 { // with friction: a coefficient for each contact follows
			for k := 0; k < size/3 && s.err == nil; k++ {
				s.number("mu")
			}
		}
	}
	return s.err == nil && rows == m.Rows
}

// isOldContacts reads a number of contacts, a W of two or three rows for each, q and μ.
func isOldContacts(s *scanner) bool {
	nc := s.size("number of contacts")
	w := scanMatrix(s, "W", -1, -1)
	if s.err != nil || nc == 0 || w.Rows != w.Cols || w.Rows != 3*nc && w.Rows != 2*nc {
		return false
	}
	s.numbers("q", w.Rows)
	for _, mu := range s.numbers("mu", nc) {
		if mu < 0 {
			return false
		}
	}
	return s.err == nil
}
