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

	"github.com/quasistatic/quasistatic/internal/regular"
)

// npzReader is an archive of ours that is read array by array.
type npzReader struct {
	name   string
	zip    *zip.ReadCloser
	closer []io.Closer
	buf    []byte
}

func openArchive(name string) (*npzReader, error) {
	if err := regular.Check(name); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("table: %s: not a NPZ file: %w", name, err)
	}
	return &npzReader{name: name, zip: z}, nil
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

// bytes returns memory.
func (s *npzReader) bytes(n int) []byte {
	if cap(s.buf) < n {
		s.buf = make([]byte, n)
	}
	return s.buf[:n]
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

// Close implements Source.
func (s *npzReader) Close() error {
	for _, c := range s.closer {
		_ = c.Close() // read only
	}
	return s.zip.Close()
}

func npyText(letters int) string { return "<U" + strconv.Itoa(letters) }
