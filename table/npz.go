package table

import (
	"archive/zip"
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

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

// npzWriter collects each array in a file of its own, since the number of rows
// comes first in NumPy's format, and packs them at the end.
type npzWriter struct {
	name   string
	arrays []*npyArray
}

// npyArray is a growing array in a temporary file.
type npyArray struct {
	name   string
	kind   string // npyFloat or npyByte; empty: words
	inner  []int
	rows   int
	file   *os.File
	w      *bufio.Writer
	buf    []byte
	words  []string // met so far …
	number map[string]uint32
}

// add begins an array. A nil inner makes a row one number.
func (w *npzWriter) add(name, kind string, inner ...int) (*npyArray, error) {
	f, err := os.CreateTemp(filepath.Dir(w.name), "."+strings.ReplaceAll(name, string(filepath.Separator), "_")+".part-")
	if err != nil {
		return nil, err
	}
	a := &npyArray{name: name, kind: kind, inner: inner, file: f, w: bufio.NewWriterSize(f, 1<<16)}
	w.arrays = append(w.arrays, a)
	return a, nil
}

// floats adds a row.
func (a *npyArray) floats(values ...float64) error {
	a.buf = a.buf[:0]
	for _, v := range values {
		a.buf = binary.LittleEndian.AppendUint64(a.buf, math.Float64bits(v))
	}
	return a.raw(a.buf)
}

func (a *npyArray) raw(row []byte) error {
	a.rows++
	_, err := a.w.Write(row)
	return err
}

// word adds a row of an array of words, of which there are few.
func (a *npyArray) word(text string) error {
	k, known := a.number[text]
	if !known {
		if a.number == nil {
			a.number = map[string]uint32{}
		}
		k = uint32(len(a.words))
		a.number[text], a.words = k, append(a.words, text)
	}
	a.buf = binary.LittleEndian.AppendUint32(a.buf[:0], k)
	return a.raw(a.buf)
}

// names adds an array of names.
func (w *npzWriter) names(name string, list []string) error {
	a, err := w.add(name, "")
	for i := 0; i < len(list) && err == nil; i++ {
		err = a.word(list[i])
	}
	return err
}

// close packs the arrays, or forgets them after a fault.
func (w *npzWriter) close(fault error) error {
	if fault == nil {
		fault = WriteAtomic(w.name, w.pack)
	}
	for _, a := range w.arrays {
		_ = a.file.Close() // what mattered was packed
		_ = os.Remove(a.file.Name())
	}
	return fault
}

// pack writes the archive, uncompressed as numpy.savez does.
func (w *npzWriter) pack(out io.Writer) error {
	z := zip.NewWriter(out)
	for _, a := range w.arrays {
		if err := a.pack(z); err != nil {
			return err
		}
	}
	return z.Close()
}

func (a *npyArray) pack(z *zip.Writer) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: a.name + ".npy", Method: zip.Store})
	if err != nil {
		return err
	}
	if err := a.w.Flush(); err != nil {
		return err
	}
	if _, err := a.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if a.kind == "" {
		return a.packWords(w)
	}
	if err := (npyHeader{a.kind, append([]int{a.rows}, a.inner...)}).write(w); err != nil {
		return err
	}
	_, err = io.Copy(w, a.file)
	return err
}

// packWords writes words as NumPy does: four bytes a letter, padded with zeros.
func (a *npyArray) packWords(w io.Writer) error {
	longest := 1
	for _, n := range a.words {
		longest = max(longest, len([]rune(n)))
	}
	if err := (npyHeader{npyText(longest), []int{a.rows}}).write(w); err != nil {
		return err
	}
	coded := make([][]byte, len(a.words))
	for k, n := range a.words {
		for _, r := range n {
			coded[k] = binary.LittleEndian.AppendUint32(coded[k], uint32(r))
		}
		coded[k] = append(coded[k], make([]byte, 4*longest-len(coded[k]))...)
	}
	in := bufio.NewReaderSize(a.file, 1<<16)
	var k [4]byte
	for range a.rows {
		if _, err := io.ReadFull(in, k[:]); err != nil {
			return err
		}
		if _, err := w.Write(coded[binary.LittleEndian.Uint32(k[:])]); err != nil {
			return err
		}
	}
	return nil
}

// npzSink writes the frames of particles.
type npzSink struct {
	npzWriter
	t, x, force, status *npyArray
	certificates        []*npyArray // one a column
	buf                 []byte
}

func newNPZ(name string, ids []string) (*npzSink, error) {
	s := &npzSink{npzWriter: npzWriter{name: name}}
	n := len(ids)
	err := s.names("ids", ids)
	for _, a := range []struct {
		dst        **npyArray
		name, kind string
		inner      []int
	}{{&s.t, "t", npyFloat, nil}, {&s.x, "trajectory", npyFloat, []int{n, 3}}, {&s.force, "forces", npyFloat, []int{n, 3}}, {&s.status, "status", npyByte, []int{n}}} {
		if err == nil {
			*a.dst, err = s.add(a.name, a.kind, a.inner...)
		}
	}
	if err != nil {
		return nil, s.Close(err)
	}
	return s, nil
}

// Put implements Sink.
func (s *npzSink) Put(f *Frame) error {
	s.buf = s.buf[:0]
	for _, c := range f.Status {
		s.buf = append(s.buf, byte(c))
	}
	return cmp.Or(s.t.floats(f.T), s.x.floats(f.X...), s.force.floats(f.Force...), s.status.raw(s.buf))
}

// PutCertificate adds a row of certificates.csv without its time.
func (s *npzSink) PutCertificate(columns []string, row []float64) error {
	if s.certificates == nil {
		for _, c := range columns[1:] {
			a, err := s.add(c, npyFloat)
			if err != nil {
				return err
			}
			s.certificates = append(s.certificates, a)
		}
	}
	for i, a := range s.certificates {
		if err := a.floats(row[1+i]); err != nil {
			return err
		}
	}
	return nil
}

// Close implements Sink.
func (s *npzSink) Close(fault error) error { return s.close(fault) }

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
