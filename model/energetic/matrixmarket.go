package energetic

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/particles"
)

// readMatrixMarket reads a square real matrix in the exchange format of NIST:
// coordinate or array, real or integer, general or symmetric. Entries of both
// triangles are returned, in the order of the file.
func readMatrixMarket(r io.Reader) (order int, entries []particles.Entry, err error) {
	m := matrixReader{lines: bufio.NewScanner(r)}
	m.lines.Buffer(nil, 1<<20)
	if err := m.header(); err != nil {
		return 0, nil, fmt.Errorf("line %d: %w", m.line, err)
	}
	if err := m.size(); err != nil {
		return 0, nil, fmt.Errorf("line %d: %w", m.line, err)
	}
	for k := 0; k < m.count; k++ {
		if err := m.entry(k); err != nil {
			return 0, nil, fmt.Errorf("line %d: %w", m.line, err)
		}
	}
	return m.order, m.entries, nil
}

type matrixReader struct {
	lines            *bufio.Scanner
	line             int
	dense, symmetric bool
	order, count     int
	row, col         int // next entry of the array form, which goes by columns
	entries          []particles.Entry
}

// next returns the fields of the next line that is neither empty nor a comment.
func (m *matrixReader) next() ([]string, error) {
	for m.lines.Scan() {
		m.line++
		fields := strings.Fields(m.lines.Text())
		if len(fields) > 0 && (m.line == 1 || fields[0][0] != '%') {
			return fields, nil
		}
	}
	if err := m.lines.Err(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("the file ends, want %d entries", m.count)
}

func (m *matrixReader) header() error {
	h, err := m.next()
	if err != nil {
		return err
	}
	if len(h) != 5 || !strings.EqualFold(h[0], "%%MatrixMarket") || !strings.EqualFold(h[1], "matrix") {
		return fmt.Errorf("want the header %q", "%%MatrixMarket matrix coordinate real symmetric")
	}
	m.dense, m.symmetric = strings.EqualFold(h[2], "array"), strings.EqualFold(h[4], "symmetric")
	for i, valid := range [3][2]string{{"coordinate", "array"}, {"real", "integer"}, {"symmetric", "general"}} {
		if word := h[2+i]; !strings.EqualFold(word, valid[0]) && !strings.EqualFold(word, valid[1]) {
			return fmt.Errorf("found %q in the header, want %q or %q", word, valid[0], valid[1])
		}
	}
	return nil
}

// size reads the numbers of rows, columns and, in the coordinate form, entries.
func (m *matrixReader) size() error {
	fields, err := m.next()
	if err != nil {
		return err
	}
	want := 3
	if m.dense {
		want = 2
	}
	if len(fields) != want {
		return fmt.Errorf("found %d numbers, want %d: the size", len(fields), want)
	}
	var n [3]int
	for i, word := range fields {
		// The limit keeps products of sizes in range; memory grows with the lines read only.
		if n[i], err = strconv.Atoi(word); err != nil || n[i] < 0 || n[i] > 1<<30 {
			return fmt.Errorf("found the size %q, want a whole number from 0 to %d", casefile.Abbreviate(word), 1<<30)
		}
	}
	if n[0] != n[1] {
		return fmt.Errorf("the matrix has %d rows and %d columns, want a square one", n[0], n[1])
	}
	m.order, m.count = n[0], n[2]
	if m.dense && m.symmetric {
		m.count = n[0] * (n[0] + 1) / 2
	} else if m.dense {
		m.count = n[0] * n[0]
	}
	return nil
}

func (m *matrixReader) entry(k int) error {
	fields, err := m.next()
	if err != nil {
		return fmt.Errorf("%w, read %d", err, k)
	}
	r, c := m.row, m.col
	if m.dense {
		if m.row++; m.row == m.order {
			m.col++
			m.row = 0
			if m.symmetric {
				m.row = m.col
			}
		}
	} else if r, c, err = m.indices(fields); err != nil {
		return err
	}
	if m.dense && len(fields) != 1 {
		return fmt.Errorf("found %d numbers, want 1", len(fields))
	}
	word := fields[len(fields)-1]
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || casefile.InRange(v) != nil {
		return fmt.Errorf("found %q, want %s", casefile.Abbreviate(word), casefile.InRangeWords)
	}
	m.entries = append(m.entries, particles.Entry{Row: r, Col: c, Value: v})
	if m.symmetric && r != c {
		m.entries = append(m.entries, particles.Entry{Row: c, Col: r, Value: v})
	}
	return nil
}

// indices reads row and column, from 1 in the file and from 0 here.
func (m *matrixReader) indices(fields []string) (r, c int, err error) {
	if len(fields) != 3 {
		return 0, 0, fmt.Errorf("found %d fields, want row, column, value", len(fields))
	}
	for i, dst := range []*int{&r, &c} {
		if *dst, err = strconv.Atoi(fields[i]); err != nil || *dst < 1 || *dst > m.order {
			return 0, 0, fmt.Errorf("found the index %q, want 1 to %d", casefile.Abbreviate(fields[i]), m.order)
		}
	}
	if m.symmetric && c > r {
		return 0, 0, fmt.Errorf("entry (%d, %d) is above the diagonal of a symmetric matrix, want the lower triangle", r, c)
	}
	return r - 1, c - 1, nil
}
