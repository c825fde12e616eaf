package problemfile

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/contact"
)

// Matrix is a rectangular matrix: Dense row by row, or, if Dense is nil,
// triplets whose duplicates add up.
type Matrix struct {
	Rows, Cols int
	Dense      []float64
	I, J       []int
	X          []float64
}

// each visits the stored entries.
func (m *Matrix) each(visit func(i, j int, x float64)) {
	if m.Dense != nil {
		for i := range m.Rows {
			for j, x := range m.Dense[i*m.Cols : (i+1)*m.Cols] {
				visit(i, j, x)
			}
		}
		return
	}
	for k, x := range m.X {
		visit(m.I[k], m.J[k], x)
	}
}

// rowMajor returns the full matrix, row by row.
func (m *Matrix) rowMajor() []float64 {
	if m.Dense != nil {
		return m.Dense
	}
	a := make([]float64, m.Rows*m.Cols)
	m.each(func(i, j int, x float64) { a[i*m.Cols+j] += x })
	return a
}

// operator returns the matrix as a Delassus operator of dim×dim blocks.
func (m *Matrix) operator(dim int) contact.Operator {
	if m.Dense != nil {
		return &contact.Dense{D: dim, N: m.Rows, Val: m.Dense}
	}
	nc := m.Rows / dim
	keys := make([]int, 0, len(m.X)/dim+nc)
	m.each(func(i, j int, _ float64) { keys = append(keys, i/dim*nc+j/dim) })
	for j := range nc {
		keys = append(keys, j*nc+j) // the diagonal is always there
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	b := &contact.Blocks{D: dim, Ptr: make([]int, nc+1), Col: make([]int, len(keys)), Val: make([]float64, dim*dim*len(keys))}
	for k, key := range keys {
		b.Col[k] = key % nc
		b.Ptr[key/nc+1]++
	}
	for j := range nc {
		b.Ptr[j+1] += b.Ptr[j]
	}
	m.each(func(i, j int, x float64) {
		k, _ := slices.BinarySearch(keys, i/dim*nc+j/dim)
		b.Val[dim*dim*k+dim*(i%dim)+j%dim] += x
	})
	return b
}

// columns returns the matrix by columns, nil for none.
func (m *Matrix) columns() *contact.Columns {
	if m == nil || m.Cols == 0 {
		return nil
	}
	g := &contact.Columns{Rows: m.Rows, Ptr: make([]int, m.Cols+1)}
	m.each(func(_, j int, _ float64) { g.Ptr[j+1]++ })
	for j := range m.Cols {
		g.Ptr[j+1] += g.Ptr[j]
	}
	n := g.Ptr[m.Cols]
	g.Row, g.Val = make([]int, n), make([]float64, n)
	next := slices.Clone(g.Ptr)
	m.each(func(i, j int, x float64) {
		g.Row[next[j]], g.Val[next[j]] = i, x
		next[j]++
	})
	return g
}

// jacobian returns the matrix as H, by contacts.
func (m *Matrix) jacobian(dim int) *contact.Jacobian {
	nc := m.Cols / dim
	type entry struct {
		contact, row int
		k            int
		x            float64
	}
	var entries []entry
	m.each(func(i, j int, x float64) {
		if x != 0 {
			entries = append(entries, entry{j / dim, i, j % dim, x})
		}
	})
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.contact, b.contact), cmp.Compare(a.row, b.row))
	})
	h := &contact.Jacobian{Dim: dim, Rows: m.Rows, Ptr: make([]int, nc+1)}
	for n, e := range entries {
		if n == 0 || entries[n-1].contact != e.contact || entries[n-1].row != e.row {
			h.Row = append(h.Row, e.row)
			h.Val = append(h.Val, make([]float64, dim)...)
			h.Ptr[e.contact+1] = len(h.Row)
		}
		h.Val[len(h.Val)-dim+e.k] += e.x
	}
	for j := range nc {
		h.Ptr[j+1] = max(h.Ptr[j+1], h.Ptr[j])
	}
	return h
}

// scanMatrix reads a matrix of the given size in any storage; a size of −1 is
// free.
func scanMatrix(s *scanner, what string, rows, cols int) *Matrix {
	storage := s.integer("storage of "+what+" (0 dense, 1 sparse blocks, 2 sparse)", 0, 2)
	loRows, hiRows := rows, rows
	if rows < 0 {
		loRows, hiRows = 0, s.room()
	}
	loCols, hiCols := cols, cols
	if cols < 0 {
		loCols, hiCols = 0, s.room()
	}
	m := &Matrix{
		Rows: s.integer("number of rows of "+what, loRows, hiRows),
		Cols: s.integer("number of columns of "+what, loCols, hiCols),
	}
	if s.err != nil {
		return nil
	}
	switch storage {
	case 0:
		s.integer("rows of "+what+" again", m.Rows, m.Rows)
		s.integer("columns of "+what+" again", m.Cols, m.Cols)
		m.scanDense(s, what)
	case 1:
		m.scanBlocks(s, what)
	case 2:
		m.scanSparse(s, what)
	}
	if s.err != nil {
		return nil
	}
	return m
}

func (m *Matrix) scanDense(s *scanner, what string) {
	if !s.matrixSize(what, m.Rows, m.Cols) {
		return
	}
	values := s.numbers(what, m.Rows*m.Cols)
	if s.err != nil {
		return
	}
	m.Dense = make([]float64, len(values))
	for j := range m.Cols {
		for i := range m.Rows {
			m.Dense[i*m.Cols+j] = values[j*m.Rows+i]
		}
	}
}

// scanBlocks reads the sparse-block storage: cumulative row and column sizes,
// the pattern in compressed rows, then every block column by column.
func (m *Matrix) scanBlocks(s *scanner, what string) {
	blocks := s.size("number of blocks of " + what)
	nbr := s.integer("block rows of "+what, 0, m.Rows)
	nbc := s.integer("block columns of "+what, 0, m.Cols)
	rowEnd := scanCumulative(s, "row sizes of "+what, nbr, m.Rows)
	colEnd := scanCumulative(s, "column sizes of "+what, nbc, m.Cols)
	filled1 := s.integer("filled1 of "+what, 0, nbr+1)
	s.integer("filled2 of "+what+", the number of blocks", blocks, blocks)
	ptr := s.integers("row pointer of "+what, filled1, 0, blocks)
	col := s.integers("block column of "+what, blocks, 0, max(nbc-1, 0))
	if s.err != nil {
		return
	}
	if blocks > 0 && (filled1 == 0 || ptr[0] != 0 || ptr[filled1-1] != blocks || !slices.IsSorted(ptr)) {
		s.fail("row pointers of %s that ascend from 0 to %d", what, blocks)
		return
	}
	if !s.matrixSize(what, blocks, 1) {
		return
	}
	for bi := 0; bi+1 < filled1; bi++ {
		for k := ptr[bi]; k < ptr[bi+1] && s.err == nil; k++ {
			s.integer("number of the block of "+what, k, k)
			m.scanBlock(s, what, span(rowEnd, bi), span(colEnd, col[k]))
		}
	}
}

// scanCumulative reads n ascending sizes that end with total.
func scanCumulative(s *scanner, what string, n, total int) []int {
	x := s.integers(what, n, 0, total)
	if s.err == nil && (!slices.IsSorted(x) || n > 0 && x[n-1] != total || n == 0 && total > 0) {
		s.fail("cumulative %s that ascend to %d", what, total)
	}
	return x
}

func span(end []int, k int) [2]int {
	if k == 0 {
		return [2]int{0, end[0]}
	}
	return [2]int{end[k-1], end[k]}
}

func (m *Matrix) scanBlock(s *scanner, what string, rows, cols [2]int) {
	if !s.matrixSize(what, rows[1]-rows[0], cols[1]-cols[0]) {
		return
	}
	for j := cols[0]; j < cols[1]; j++ {
		for i := rows[0]; i < rows[1] && s.err == nil; i++ {
			m.add(i, j, s.number("a value of "+what))
		}
	}
}

func (m *Matrix) add(i, j int, x float64) {
	m.I, m.J, m.X = append(m.I, i), append(m.J, j), append(m.X, x)
}

// scanSparse reads a matrix as CSparse prints it: an integer for the origin,
// the banner, a line of sizes, then columns or triplets.
func (m *Matrix) scanSparse(s *scanner, what string) {
	s.integer("origin of the sparse matrix "+what, 0, 9)
	if bytes.Equal(s.peek(), []byte("CSparse")) {
		s.skipLine()
	}
	triplet := bytes.Equal(s.peek(), []byte("triplet:"))
	if triplet {
		s.word("triplet:")
	}
	s.word(fmt.Sprintf("%d-by-%d,", m.Rows, m.Cols))
	s.word("nzmax:")
	s.pos += len(s.peek()) // memory of the writer, no concern of ours
	s.word("nnz:")
	nnz := s.trimmedInteger("number of entries of " + what)
	if bytes.Equal(s.peek(), []byte("1-norm:")) {
		s.word("1-norm:")
		s.pos += len(s.peek())
	}
	if triplet {
		m.scanTriplets(s, what, nnz)
	} else {
		m.scanColumns(s, what, nnz)
	}
}

// trimmedInteger reads a count that a comma may follow.
func (s *scanner) trimmedInteger(what string) int {
	if s.err != nil {
		return 0
	}
	tok := s.peek()
	v, err := strconv.Atoi(strings.TrimSuffix(string(tok), ","))
	if err != nil || v < 0 || v > s.room() {
		s.fail("%s, an integer from 0 to %d", what, s.room())
		return 0
	}
	s.pos += len(tok)
	return v
}

func (m *Matrix) scanTriplets(s *scanner, what string, nnz int) {
	for range nnz {
		i := s.integer("row index of "+what, 0, max(m.Rows-1, 0))
		j := s.integer("column index of "+what, 0, max(m.Cols-1, 0))
		s.word(":")
		x := s.number("a value of " + what)
		if s.err != nil {
			return
		}
		if m.Rows == 0 || m.Cols == 0 {
			s.fail("no entries in an empty %s", what)
			return
		}
		m.add(i, j, x)
	}
}

func (m *Matrix) scanColumns(s *scanner, what string, nnz int) {
	for j := 0; j < m.Cols && s.err == nil; j++ {
		s.word("col")
		s.integer("column of "+what, j, j)
		s.word(":")
		s.word("locations")
		from := s.integer("first location of the column", len(m.X), len(m.X))
		s.word("to")
		to := s.integer("last location of the column", from-1, nnz-1)
		for k := from; k <= to && s.err == nil; k++ {
			i := s.integer("row index of "+what, 0, max(m.Rows-1, 0))
			s.word(":")
			x := s.number("a value of " + what)
			if s.err == nil && m.Rows > 0 {
				m.add(i, j, x)
			}
		}
	}
	if s.err == nil && len(m.X) != nnz {
		s.fail("%d entries of %s in all, not %d", nnz, what, len(m.X))
	}
}
