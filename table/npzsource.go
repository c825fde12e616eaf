package table

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// npzReader is an archive of ours that is read array by array.
type npzReader struct {
	name   string
	zip    *zip.ReadCloser
	closer []io.Closer
	buf    []byte
}

func openArchive(name string) (*npzReader, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("table: %s: not a NPZ file: %w", name, err)
	}
	return &npzReader{name: name, zip: z}, nil
}

// npzSource reads t, trajectory, forces and status side by side.
type npzSource struct {
	*npzReader
	arrays [4]*bufio.Reader
	rows   int
	next   int
}

// openNPZ opens a NPZ file of ours, of the particles ids.
func openNPZ(name string, ids []string) (Source, error) {
	z, err := openArchive(name)
	if err != nil {
		return nil, err
	}
	s := &npzSource{npzReader: z}
	if err := s.open(ids); err != nil {
		_ = s.Close() // read only
		return nil, err
	}
	return s, nil
}

func (s *npzSource) open(ids []string) error {
	if err := s.checkNames(ids); err != nil {
		return err
	}
	n := len(ids)
	for i, a := range []struct {
		name, kind string
		inner      []int
	}{{"t", npyFloat, nil}, {"trajectory", npyFloat, []int{n, 3}}, {"forces", npyFloat, []int{n, 3}}, {"status", npyByte, []int{n}}} {
		r, h, err := s.array(a.name)
		if err != nil {
			return err
		}
		rows, err := h.rows(a.kind, a.inner...)
		if err != nil {
			return fmt.Errorf("table: %s: %s: %w", s.name, a.name, err)
		}
		if i > 0 && rows != s.rows {
			return fmt.Errorf("table: %s: %s has %d nodes, t has %d", s.name, a.name, rows, s.rows)
		}
		s.rows, s.arrays[i] = rows, r
	}
	return nil
}

// array opens an array of the archive at its first number.
func (s *npzReader) array(name string) (*bufio.Reader, npyHeader, error) {
	for _, f := range s.zip.File {
		if f.Name != name+".npy" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, npyHeader{}, fmt.Errorf("table: %s: %s: %w", s.name, name, err)
		}
		s.closer = append(s.closer, r)
		b := bufio.NewReaderSize(r, 1<<16)
		h, err := readNpyHeader(b)
		if err != nil {
			return nil, h, fmt.Errorf("table: %s: %s: %w", s.name, name, err)
		}
		return b, h, nil
	}
	return nil, npyHeader{}, fmt.Errorf("table: %s has no array %q: is it from quasistatic export?", s.name, name)
}

// checkNames compares the array ids with the particles of the case.
func (s *npzSource) checkNames(ids []string) error {
	found, err := s.words("ids", len(ids))
	if err != nil {
		return err
	}
	for i, id := range ids {
		if found[i] != id {
			return fmt.Errorf("table: %s: ids: found the particle %q, the case has %q there", s.name, clip(found[i]), id)
		}
	}
	return nil
}

// mostLetters bounds the memory that a header can ask for.
const mostLetters = 1000

// wordArray opens an array of words.
func (s *npzReader) wordArray(name string) (*wordReader, error) {
	r, h, err := s.array(name)
	if err != nil {
		return nil, err
	}
	letters, err := strconv.Atoi(strings.TrimPrefix(h.kind, "<U"))
	if err != nil || letters < 1 || letters > mostLetters || len(h.shape) != 1 {
		return nil, fmt.Errorf("table: %s: %s: found kind %s and shape %v, want words", s.name, name, h.kind, h.shape)
	}
	return &wordReader{in: r, rows: h.shape[0], code: make([]byte, 4*letters), known: map[string]string{}}, nil
}

// wordReader reads an array of words.
type wordReader struct {
	in    io.Reader
	rows  int
	code  []byte
	runes []rune
	known map[string]string // by code: few words, many rows
}

func (r *wordReader) next() (string, error) {
	if err := readFull(r.in, r.code); err != nil {
		return "", err
	}
	if text, ok := r.known[string(r.code)]; ok {
		return text, nil
	}
	r.runes = r.runes[:0]
	for k := 0; k < len(r.code); k += 4 {
		if c := binary.LittleEndian.Uint32(r.code[k:]); c != 0 {
			r.runes = append(r.runes, rune(c))
		}
	}
	r.known[string(r.code)] = string(r.runes)
	return string(r.runes), nil
}

// words reads an array of so many words.
func (s *npzReader) words(name string, n int) ([]string, error) {
	r, err := s.wordArray(name)
	if err != nil {
		return nil, err
	}
	if r.rows != n {
		return nil, fmt.Errorf("table: %s: %s: found %d names, want the %d of the case", s.name, name, r.rows, n)
	}
	list := make([]string, n)
	for i := range list {
		if list[i], err = r.next(); err != nil {
			return nil, fmt.Errorf("table: %s: %s: %w", s.name, name, err)
		}
	}
	return list, nil
}

// Next implements Source.
func (s *npzSource) Next(f *Frame) error {
	if s.next == s.rows {
		return io.EOF
	}
	s.next++
	t := []float64{0}
	for i, dst := range [][]float64{t, f.X, f.Force} {
		if err := s.floats(dst, s.arrays[i]); err != nil {
			return fmt.Errorf("table: %s: node %d: %w", s.name, s.next-1, err)
		}
	}
	f.T = t[0]
	b := s.bytes(len(f.Status))
	err := readFull(s.arrays[3], b)
	if err == nil {
		err = statuses(f.Status, b)
	}
	if err != nil {
		return fmt.Errorf("table: %s: node %d: %w", s.name, s.next-1, err)
	}
	return nil
}

// bytes returns memory.
func (s *npzReader) bytes(n int) []byte {
	if cap(s.buf) < n {
		s.buf = make([]byte, n)
	}
	return s.buf[:n]
}

// floats reads finite numbers.
func (s *npzReader) floats(dst []float64, r io.Reader) error {
	if err := s.numbers(dst, r); err != nil {
		return err
	}
	return allFinite(dst)
}

// numbers reads numbers.
func (s *npzReader) numbers(dst []float64, r io.Reader) error {
	b := s.bytes(8 * len(dst))
	if err := readFull(r, b); err != nil {
		return err
	}
	decode(dst, b)
	return nil
}

// readFull fills b; an array that ends before is cut off, not at its end.
func readFull(r io.Reader, b []byte) error {
	_, err := io.ReadFull(r, b)
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// decode reads little-endian numbers.
func decode(dst []float64, b []byte) {
	for i := range dst {
		dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
}

// decodeFloats reads little-endian numbers, which must be finite.
func decodeFloats(dst []float64, b []byte) error {
	decode(dst, b)
	return allFinite(dst)
}

func allFinite(list []float64) error {
	for _, v := range list {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("found %g, want finite numbers", v)
		}
	}
	return nil
}

// Close implements Source.
func (s *npzReader) Close() error {
	for _, c := range s.closer {
		_ = c.Close() // read only
	}
	return s.zip.Close()
}

func npyText(letters int) string { return "<U" + strconv.Itoa(letters) }
