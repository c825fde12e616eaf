package table

import (
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// npyHeader is the header of an array in NumPy's format, version 1.0 and later:
// a magic string, a length, and a Python dictionary. (Package npyio reads whole
// arrays only; here they are read row by row.)
type npyHeader struct {
	kind  string // as NumPy writes it: <f8, |u1, <i8, <U3
	shape []int
}

const (
	npyMagic = "\x93NUMPY"
	// npyLongest is the longest header that is read [bytes].
	npyLongest = 1 << 16
)

func (h npyHeader) write(w io.Writer) error {
	dims := ""
	for _, n := range h.shape {
		dims += strconv.Itoa(n) + ","
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", h.kind, dims)
	const align = 64
	before := len(npyMagic) + 4
	text += strings.Repeat(" ", align-1-(before+len(text))%align) + "\n"
	b := append([]byte(npyMagic), 1, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(text)))
	_, err := w.Write(append(b, text...))
	return err
}

var npyPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`'descr':\s*'([^']*)'.*'fortran_order':\s*(True|False).*'shape':\s*\(([0-9, ]*)\)`)
})

// readNpyHeader reads up to the first byte of the numbers.
func readNpyHeader(r io.Reader) (h npyHeader, err error) {
	var lead [10]byte
	if _, err := io.ReadFull(r, lead[:]); err != nil || string(lead[:6]) != npyMagic {
		return h, fmt.Errorf("not an array of NumPy")
	}
	length := int(binary.LittleEndian.Uint16(lead[8:]))
	if lead[6] > 1 { // four bytes of length
		var rest [2]byte
		if _, err := io.ReadFull(r, rest[:]); err != nil {
			return h, fmt.Errorf("the header of the array is cut off")
		}
		length += int(binary.LittleEndian.Uint16(rest[:])) << 16
	}
	if length > npyLongest {
		return h, fmt.Errorf("the header of the array has %d bytes, want at most %d", length, npyLongest)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return h, fmt.Errorf("the header of the array is cut off")
	}
	m := npyPattern().FindSubmatch(text)
	if m == nil || string(m[2]) == "True" {
		return h, fmt.Errorf("the header of the array is %q, want the order of C", clip(string(text)))
	}
	h.kind = string(m[1])
	for _, word := range strings.FieldsFunc(string(m[3]), func(c rune) bool { return c == ',' || c == ' ' }) {
		n, err := strconv.Atoi(word)
		if err != nil {
			return h, fmt.Errorf("the shape of the array has %q, want a whole number", word)
		}
		h.shape = append(h.shape, n)
	}
	return h, nil
}

// rows returns the first dimension after a check of the others.
func (h npyHeader) rows(kind string, inner ...int) (int, error) {
	if h.kind != kind || len(h.shape) != 1+len(inner) {
		return 0, fmt.Errorf("found an array of kind %s and shape %v, want kind %s and %d dimensions", h.kind, h.shape, kind, 1+len(inner))
	}
	for i, n := range inner {
		if h.shape[1+i] != n {
			return 0, fmt.Errorf("found an array of shape %v, want (…, %s)", h.shape, strings.Trim(fmt.Sprint(inner), "[]"))
		}
	}
	return h.shape[0], nil
}
