package problemfile

import (
	"bytes"
	"fmt"

	"github.com/quasistatic/quasistatic/contact"
)

// scanLocal reads dimension, contacts, W, q, μ.
func scanLocal(s *scanner) *Problem {
	dim, nc := scanHeader(s)
	n := dim * nc
	w := scanMatrix(s, "W", n, n)
	s.notMatrix(n)
	q := s.numbers("q", n)
	mu := s.numbers("mu", nc)
	if s.err != nil {
		return nil
	}
	return localProblem(s, dim, w, q, mu)
}

// scanRolling reads 5, contacts, W, q, μ, μ_R: the rolling form of Siconos in space.
func scanRolling(s *scanner) *Problem {
	dim := s.integer("dimension", rollingDim, rollingDim)
	nc := s.size("number of contacts")
	if s.err == nil && nc > s.room()/dim {
		s.fail("%d components, more than the rest of the file can hold", nc)
	}
	n := dim * nc
	w := scanMatrix(s, "W", n, n)
	s.notMatrix(n)
	q := s.numbers("q", n)
	mu, resistance := s.numbers("mu", nc), s.numbers("mu_r", nc)
	if s.err != nil {
		return nil
	}
	laws, err := rollingLaws(mu, resistance)
	if err != nil {
		s.fail("%v", err)
		return nil
	}
	return &Problem{Kind: LocalKind, Local: &contact.Local{W: w.operator(dim), Q: q, Laws: laws}}
}

// rollingDim is the number of components of a contact with two rolling moments.
const rollingDim = 5

// rollingLaws validates μ and μ_R.
func rollingLaws(mu, resistance []float64) ([]contact.Law, error) {
	laws := make([]contact.Law, len(mu))
	for j, m := range mu {
		law := contact.Rolling{Mu: m, Resistance: resistance[j]}
		if err := law.Validate(); err != nil {
			return nil, fmt.Errorf("a coefficient at contact %d: %w", j, err)
		}
		laws[j] = law
	}
	return laws, nil
}

// notMatrix refuses the head of an n×n matrix where q should be: a global problem with as many
// unknowns as reactions begins like a local one, and where its end is missing the head and what
// follows must not be taken for q and μ.
func (s *scanner) notMatrix(n int) {
	if s.err != nil {
		return
	}
	ahead := *s
	storage := ahead.integer("storage", 0, 2)
	ahead.integers("sizes", 2, n, n)
	switch storage {
	case 0:
		ahead.integers("sizes again", 2, n, n)
	case 1:
		ahead.integers("numbers of blocks", 3, 0, len(s.data))
	case 2:
		ahead.integer("origin", 0, 9)
		if tok := ahead.peek(); !bytes.Equal(tok, []byte("CSparse")) && !bytes.Equal(tok, []byte("triplet:")) {
			return
		}
	}
	if ahead.err == nil {
		s.fail("q of a local problem, not the head of a matrix: of the H of a global problem that is not whole?")
	}
}

func scanHeader(s *scanner) (dim, nc int) {
	dim = s.integer("dimension", 2, 3)
	nc = s.size("number of contacts")
	if s.err == nil && nc > s.room()/dim {
		s.fail("%d components, more than the rest of the file can hold", nc)
	}
	return dim, nc
}

func localProblem(s *scanner, dim int, w *Matrix, q, mu []float64) *Problem {
	laws, err := coulombLaws(mu)
	if err != nil {
		s.fail("%v", err)
		return nil
	}
	return &Problem{Kind: LocalKind, Local: &contact.Local{W: w.operator(dim), Q: q, Laws: laws}}
}

// coulombLaws validates μ.
func coulombLaws(mu []float64) ([]contact.Law, error) {
	laws := make([]contact.Law, len(mu))
	for j, m := range mu {
		law := contact.Coulomb{Mu: m}
		if err := law.Validate(); err != nil {
			return nil, fmt.Errorf("a coefficient of friction at contact %d: %w", j, err)
		}
		laws[j] = law
	}
	return laws, nil
}

// scanGlobal reads dimension, contacts, M, H, f, w (called q and b there), μ.
func scanGlobal(s *scanner) *Problem {
	dim, nc := scanHeader(s)
	return scanGlobalOf(s, dim, nc)
}

// scanGlobalRolling reads the same with 5 components and, after μ, μ_R: the global
// rolling form of Siconos.
func scanGlobalRolling(s *scanner) *Problem {
	dim := s.integer("dimension", rollingDim, rollingDim)
	nc := s.size("number of contacts")
	if s.err == nil && nc > s.room()/dim {
		s.fail("%d components, more than the rest of the file can hold", nc)
	}
	return scanGlobalOf(s, dim, nc)
}

func scanGlobalOf(s *scanner, dim, nc int) *Problem {
	m := scanMatrix(s, "M", -1, -1)
	if s.err == nil && m.Rows != m.Cols {
		s.fail("a square M, not %d×%d", m.Rows, m.Cols)
	}
	if s.err != nil {
		return nil
	}
	h := scanMatrix(s, "H", m.Rows, dim*nc)
	f := s.numbers("f", m.Rows)
	w := s.numbers("w", dim*nc)
	mu := s.numbers("mu", nc)
	var resistance []float64
	if dim == rollingDim {
		resistance = s.numbers("mu_r", nc)
	}
	if s.err != nil {
		return nil
	}
	var laws []contact.Law
	var err error
	if dim == rollingDim {
		laws, err = rollingLaws(mu, resistance)
	} else {
		laws, err = coulombLaws(mu)
	}
	if err != nil {
		s.fail("%v", err)
		return nil
	}
	return &Problem{Kind: GlobalKind, Global: &Global{Dim: dim, M: m, H: h, F: f, W: w, Laws: laws}}
}
