package trajectory

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/quasistatic/quasistatic/incremental"
)

// Arrays of a NPZ file, K nodes of N particles:
//
//	t           K      [s]
//	trajectory  K×N×3  x, y, z [m], global
//	forces      K×N×3  n, tx, ty [N], in the particle's own frame
//	status      K×N    0 free, 1 grazing, 2 stick, 3 slip
//	ids         N      names
//
// and, where there are certificates, one array of length K a column of
// certificates.csv, named like it.
const (
	npyFloat = "<f8"
	npyByte  = "|u1"
)

// npzSink collects each array in a file of its own, since the number of nodes
// comes first in NumPy's format, and packs them at the end.
type npzSink struct {
	name   string
	ids    []string
	rows   int
	arrays []*npyArray
	// certRows counts the rows of certificates.
	certRows int
	buf      []byte
}

// npyArray is a growing array in a temporary file.
type npyArray struct {
	name  string
	kind  string
	inner []int
	file  *os.File
	w     *bufio.Writer
}

func newNPZ(name string, ids []string) (*npzSink, error) {
	s := &npzSink{name: name, ids: ids}
	n := len(ids)
	for _, a := range []npyArray{{name: "t", kind: npyFloat}, {name: "trajectory", kind: npyFloat, inner: []int{n, 3}},
		{name: "forces", kind: npyFloat, inner: []int{n, 3}}, {name: "status", kind: npyByte, inner: []int{n}}} {
		if err := s.add(a); err != nil {
			return nil, s.Close(err)
		}
	}
	return s, nil
}

func (s *npzSink) add(a npyArray) error {
	f, err := os.CreateTemp(filepath.Dir(s.name), "."+a.name+".part-")
	if err != nil {
		return err
	}
	a.file, a.w = f, bufio.NewWriterSize(f, 1<<16)
	s.arrays = append(s.arrays, &a)
	return nil
}

// Put implements Sink.
func (s *npzSink) Put(f *Frame) error {
	s.rows++
	for i, values := range [][]float64{{f.T}, f.X, f.Force} {
		if err := s.floats(s.arrays[i], values); err != nil {
			return err
		}
	}
	s.buf = s.buf[:0]
	for _, c := range f.Status {
		s.buf = append(s.buf, byte(c))
	}
	_, err := s.arrays[3].w.Write(s.buf)
	return err
}

func (s *npzSink) floats(a *npyArray, values []float64) error {
	s.buf = s.buf[:0]
	for _, v := range values {
		s.buf = binary.LittleEndian.AppendUint64(s.buf, math.Float64bits(v))
	}
	_, err := a.w.Write(s.buf)
	return err
}

// PutCertificate adds a row of certificates.csv without its time.
func (s *npzSink) PutCertificate(columns []string, row []float64) error {
	if s.certRows == 0 {
		for _, c := range columns[1:] {
			if err := s.add(npyArray{name: c, kind: npyFloat}); err != nil {
				return err
			}
		}
	}
	s.certRows++
	for i, a := range s.arrays[4:] {
		if err := s.floats(a, row[1+i:2+i]); err != nil {
			return err
		}
	}
	return nil
}

// Close implements Sink.
func (s *npzSink) Close(fault error) error {
	if fault == nil {
		fault = WriteAtomic(s.name, s.pack)
	}
	for _, a := range s.arrays {
		_ = a.file.Close() // what mattered was packed
		_ = os.Remove(a.file.Name())
	}
	return fault
}

// pack writes the archive, uncompressed as numpy.savez does.
func (s *npzSink) pack(w io.Writer) error {
	z := zip.NewWriter(w)
	for i, a := range s.arrays {
		rows := s.rows
		if i >= 4 {
			rows = s.certRows
		}
		if err := a.pack(z, rows); err != nil {
			return err
		}
	}
	if err := packNames(z, s.ids); err != nil {
		return err
	}
	return z.Close()
}

func (a *npyArray) pack(z *zip.Writer, rows int) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: a.name + ".npy", Method: zip.Store})
	if err != nil {
		return err
	}
	if err := (npyHeader{a.kind, append([]int{rows}, a.inner...)}).write(w); err != nil {
		return err
	}
	if err := a.w.Flush(); err != nil {
		return err
	}
	if _, err := a.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(w, a.file)
	return err
}

// packNames writes strings as NumPy does: four bytes a letter, padded with zeros.
func packNames(z *zip.Writer, names []string) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: "ids.npy", Method: zip.Store})
	if err != nil {
		return err
	}
	longest := 1
	for _, n := range names {
		longest = max(longest, len([]rune(n)))
	}
	if err := (npyHeader{npyText(longest), []int{len(names)}}).write(w); err != nil {
		return err
	}
	for _, n := range names {
		letters := make([]uint32, longest)
		for i, r := range []rune(n) {
			letters[i] = uint32(r)
		}
		if err := binary.Write(w, binary.LittleEndian, letters); err != nil {
			return err
		}
	}
	return nil
}

// statuses turns bytes into contact states.
func statuses(dst []incremental.ContactState, src []byte) error {
	for i, b := range src {
		if b > byte(incremental.Slip) {
			return errors.New("a status is above 3")
		}
		dst[i] = incremental.ContactState(b)
	}
	return nil
}
