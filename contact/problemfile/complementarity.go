package problemfile

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact/lcp"
)

// scanLCP reads the size, M and q, and its solution if that follows.
func scanLCP(s *scanner) *Problem {
	n := s.size("number of complementary pairs")
	m := scanMatrix(s, "M", n, n)
	q := s.numbers("q", n)
	if s.err != nil || !s.affordable("M", n, n) {
		return nil
	}
	p := &lcp.LCP{M: m.rowMajor(), Q: q}
	scanSolution(s, p)
	if s.err != nil {
		return nil
	}
	return &Problem{Kind: LCPKind, LCP: p}
}

// scanSolution reads what may follow an LCP: words, or z and w. Other numbers belong to another
// problem, the bounds of a relay whose end is missing, say, which must not be solved without them.
func scanSolution(s *scanner, p *lcp.LCP) {
	n, count, start := p.N(), s.numeric(), *s
	if count == 0 || s.err != nil {
		return
	}
	if count == 2*n {
		if tail := s.numbers("z and w", count); s.err == nil && solves(p, tail[:n], tail[n:]) {
			return
		}
	}
	*s = start
	s.fail("no number behind q but the solution z and w, %d numbers in all; what follows are %d that solve nothing (the bounds of a relay problem, or a part of them?)",
		2*n, count)
}

// solutionRounding is that of a solution printed with six digits.
const solutionRounding = 1e-5

// solves reports whether w = M z + q, z >= 0, w >= 0 and z_i w_i = 0, as printed.
func solves(p *lcp.LCP, z, w []float64) bool {
	n, most := p.N(), 0.0
	for _, x := range z {
		most = max(most, x)
	}
	for i, v := range p.Q {
		size := math.Abs(v)
		for j, x := range z {
			a := p.M[i*n+j] * x
			v, size = v+a, size+math.Abs(a)
		}
		if !(z[i] >= 0 && w[i] >= -solutionRounding*size && math.Abs(w[i]-v) <= solutionRounding*size) {
			return false
		}
		if w[i] > solutionRounding*size && z[i] > solutionRounding*most {
			return false
		}
	}
	return true
}

// maxDenseOrder bounds the full matrices of LCP and MLCP: 512 MB.
const maxDenseOrder = 8192

// A sparse matrix in full takes at most expandedLeast bytes, or expandedMost times those of its
// file: an order of 8,192 has a file of some hundred kilobytes even with one entry a row.
const expandedLeast, expandedMost = 64 << 20, 4000

// expandable reports whether a file of so many bytes may make a full matrix of so many entries.
func expandable(rows, cols, bytes int) bool {
	return rows <= maxDenseOrder && cols <= maxDenseOrder && 8*rows*cols <= max(expandedLeast, expandedMost*bytes)
}

// affordable refuses to expand a huge sparse matrix.
func (s *scanner) affordable(what string, rows, cols int) bool {
	if !expandable(rows, cols, len(s.data)) {
		s.fail("a %s of at most %d rows and columns, and of at most %d times the file in full, not %d×%d", what,
			maxDenseOrder, expandedMost, rows, cols)
	}
	return s.err == nil
}

// scanMLCP reads two flags (M and q follow; A, B, C, D, a, b follow), the
// numbers of free unknowns and of complementary pairs, and what the flags say.
// With both, the second part repeats the first and M decides.
func scanMLCP(s *scanner) *Problem {
	whole := s.integer("flag of the form (M, q)", 0, 1)
	blocks := s.integer("flag of the form (A, B, C, D)", 0, 1)
	nu := s.size("number of free unknowns")
	m := s.size("number of complementary pairs")
	if s.err == nil && whole+blocks == 0 {
		s.fail("a problem in one form at least")
	}
	if s.err != nil || !s.affordable("M", nu+m, nu+m) {
		return nil
	}
	if whole == 0 {
		return mlcpProblem(scanMLCPBlocks(s, nu, nu, m))
	}
	equality := scanKinds(s, nu, m)
	mat := scanMatrix(s, "M", -1, nu+m)
	if s.err == nil && mat.Rows < nu+m {
		s.fail("an M of at least %d rows", nu+m)
	}
	if s.err != nil || !s.affordable("M", mat.Rows, nu+m) {
		return nil
	}
	if mat.Rows > nu+m {
		return scanRectangular(s, mat, equality, nu, m, blocks == 1)
	}
	p := &lcp.MLCP{M: mat.rowMajor(), Q: s.numbers("q", mat.Rows), Equality: equality}
	if blocks == 1 {
		scanMLCPBlocks(s, nu, nu, m)
	}
	if s.err != nil {
		return nil
	}
	return mlcpProblem(p)
}

func mlcpProblem(p *lcp.MLCP) *Problem {
	if p == nil {
		return nil
	}
	return &Problem{Kind: MLCPKind, MLCP: p}
}

// scanKinds reads the boundaries of the row blocks, which ascend from 0 to
// nu+m, and for each block whether it is complementary.
func scanKinds(s *scanner, nu, m int) []bool {
	n := nu + m
	bounds := []int{s.integer("first row of the first block", 0, 0)}
	for s.err == nil && bounds[len(bounds)-1] < n {
		last := bounds[len(bounds)-1]
		bounds = append(bounds, s.integer("first row of the next block", last+1, n))
	}
	equality := make([]bool, n)
	free := 0
	for b := 0; b+1 < len(bounds) && s.err == nil; b++ {
		if s.integer("kind of the block (0 equations, 1 complementarity)", 0, 1) == 0 {
			for i := bounds[b]; i < bounds[b+1]; i++ {
				equality[i] = true
			}
			free += bounds[b+1] - bounds[b]
		}
	}
	if s.err == nil && free != nu {
		s.fail("blocks with %d equations in all, not %d", nu, free)
	}
	return equality
}

// scanMLCPBlocks reads A, B, C, D, a, b row by row.
func scanMLCPBlocks(s *scanner, ne, nu, m int) *lcp.MLCP {
	if !s.matrixSize("A", ne+m, nu+m) {
		return nil
	}
	a := s.numbers("A", ne*nu)
	b := s.numbers("B", m*m)
	c := s.numbers("C", ne*m)
	d := s.numbers("D", m*nu)
	ra := s.numbers("a", ne)
	rb := s.numbers("b", m)
	if s.err != nil {
		return nil
	}
	return lcp.BlockMLCP(nu, a, c, d, b, ra, rb)
}

// scanRectangular reads the rest of a problem with more equations than free
// unknowns. Its rows are ordered equations first, complementarity last. Some
// writers print only as many entries of q as M has columns and cut the blocks
// to nu equations; what is missing is then found in b at the end.
func scanRectangular(s *scanner, mat *Matrix, equality []bool, nu, m int, blocks bool) *Problem {
	ne := mat.Rows - m
	for i, e := range equality {
		if e != (i < nu) {
			s.fail("the free unknowns first, as M has more rows than columns")
			return nil
		}
	}
	start := *s
	if q := s.numbers("q", mat.Rows); s.err == nil {
		if blocks {
			scanMLCPBlocks(s, ne, nu, m)
		}
		if s.err == nil {
			return mlcpProblem(reorder(mat, q, equality, nu, m))
		}
	}
	first := s.err
	*s = start
	q := s.numbers("q", mat.Cols)
	if s.err != nil || !blocks {
		*s = start
		s.err = first
		return nil
	}
	part := scanMLCPBlocks(s, nu, nu, m)
	if s.err != nil || ne > mat.Cols {
		s.err = first
		return nil
	}
	q = append(slices.Clone(q[:ne]), part.Q[nu:]...)
	return mlcpProblem(reorder(mat, q, equality, nu, m))
}

// reorder moves the surplus equations behind the complementary rows.
func reorder(mat *Matrix, q []float64, equality []bool, nu, m int) *lcp.MLCP {
	ne, n := mat.Rows-m, mat.Cols
	src := mat.rowMajor()
	p := &lcp.MLCP{Equality: equality}
	take := func(from, to int) {
		p.M = append(p.M, src[from*n:to*n]...)
		p.Q = append(p.Q, q[from:to]...)
	}
	take(0, nu)
	take(ne, mat.Rows)
	take(nu, ne)
	return p
}

// scanOldMLCP reads the older header: nu, m and the number of rows, then A, B,
// C, D, a, b row by row.
func scanOldMLCP(s *scanner) *Problem {
	nu := s.size("number of free unknowns")
	m := s.size("number of complementary pairs")
	rows := s.integer("number of rows", 0, s.room())
	if s.err == nil && rows < nu+m {
		s.fail("at least %d rows", nu+m)
	}
	if s.err != nil || !s.affordable("M", rows, nu+m) {
		return nil
	}
	return mlcpProblem(scanMLCPBlocks(s, rows-m, nu, m))
}

// finiteAll reports whether every number is finite.
func finiteAll(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}
