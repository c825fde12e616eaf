package trajectory

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

// npzSource reads t, trajectory, forces and status side by side.
type npzSource struct {
	name   string
	zip    *zip.ReadCloser
	arrays [4]*bufio.Reader
	closer []io.Closer
	rows   int
	next   int
	buf    []byte
}

// openNPZ opens a NPZ file of ours, of the particles ids.
func openNPZ(name string, ids []string) (Source, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("trajectory: %s: not a NPZ file: %w", name, err)
	}
	s := &npzSource{name: name, zip: z}
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
			return fmt.Errorf("trajectory: %s: %s: %w", s.name, a.name, err)
		}
		if i > 0 && rows != s.rows {
			return fmt.Errorf("trajectory: %s: %s has %d nodes, t has %d", s.name, a.name, rows, s.rows)
		}
		s.rows, s.arrays[i] = rows, r
	}
	s.buf = make([]byte, 24*n)
	return nil
}

// array opens an array of the archive at its first number.
func (s *npzSource) array(name string) (*bufio.Reader, npyHeader, error) {
	for _, f := range s.zip.File {
		if f.Name != name+".npy" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, npyHeader{}, fmt.Errorf("trajectory: %s: %s: %w", s.name, name, err)
		}
		s.closer = append(s.closer, r)
		b := bufio.NewReaderSize(r, 1<<16)
		h, err := readNpyHeader(b)
		if err != nil {
			return nil, h, fmt.Errorf("trajectory: %s: %s: %w", s.name, name, err)
		}
		return b, h, nil
	}
	return nil, npyHeader{}, fmt.Errorf("trajectory: %s has no array %q: is it from quasistatic export?", s.name, name)
}

// checkNames compares the array ids with the particles of the case.
func (s *npzSource) checkNames(ids []string) error {
	r, h, err := s.array("ids")
	if err != nil {
		return err
	}
	letters, err := strconv.Atoi(strings.TrimPrefix(h.kind, "<U"))
	if err != nil || letters > 1000 || len(h.shape) != 1 || h.shape[0] != len(ids) {
		return fmt.Errorf("trajectory: %s: ids: found kind %s and shape %v, want the %d names of the case", s.name, h.kind, h.shape, len(ids))
	}
	code := make([]uint32, letters)
	for _, id := range ids {
		if err := binary.Read(r, binary.LittleEndian, code); err != nil {
			return fmt.Errorf("trajectory: %s: ids: %w", s.name, err)
		}
		runes := make([]rune, 0, letters)
		for _, c := range code {
			if c != 0 {
				runes = append(runes, rune(c))
			}
		}
		if string(runes) != id {
			return fmt.Errorf("trajectory: %s: ids: found the particle %q, the case has %q there", s.name, clip(string(runes)), id)
		}
	}
	return nil
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
			return fmt.Errorf("trajectory: %s: node %d: %w", s.name, s.next-1, err)
		}
	}
	f.T = t[0]
	b := s.buf[:len(f.Status)]
	_, err := io.ReadFull(s.arrays[3], b)
	if err == nil {
		err = statuses(f.Status, b)
	}
	if err != nil {
		return fmt.Errorf("trajectory: %s: node %d: %w", s.name, s.next-1, err)
	}
	return nil
}

func (s *npzSource) floats(dst []float64, r io.Reader) error {
	b := s.buf[:8*len(dst)]
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	return decodeFloats(dst, b)
}

// decodeFloats reads little-endian numbers, which must be finite.
func decodeFloats(dst []float64, b []byte) error {
	for i := range dst {
		dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		if math.IsNaN(dst[i]) || math.IsInf(dst[i], 0) {
			return fmt.Errorf("found %g, want finite numbers", dst[i])
		}
	}
	return nil
}

// Close implements Source.
func (s *npzSource) Close() error {
	for _, c := range s.closer {
		_ = c.Close() // read only
	}
	return s.zip.Close()
}

func npyText(letters int) string { return "<U" + strconv.Itoa(letters) }
