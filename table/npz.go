package table

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// The kinds of arrays.
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
	f, err := createPart(filepath.Join(filepath.Dir(w.name), strings.ReplaceAll(name, string(filepath.Separator), "_")))
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
		discardPart(a.file.Name())
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
