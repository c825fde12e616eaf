package table

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
)

// wholeLines passes on what ends with a line of a file that may grow: the rest
// waits until its line is complete.
type wholeLines struct {
	in   io.Reader
	buf  []byte
	full int // bytes of buf that are whole lines
}

// Read implements io.Reader. io.EOF says that there is no further whole line yet.
func (w *wholeLines) Read(p []byte) (int, error) {
	if w.full == 0 {
		if err := w.load(); err != nil {
			return 0, err
		}
	}
	n := copy(p, w.buf[:w.full])
	w.buf = w.buf[:copy(w.buf, w.buf[n:])]
	w.full -= n
	return n, nil
}

// load reads until there is a whole line.
func (w *wholeLines) load() error {
	for {
		have := len(w.buf)
		if cap(w.buf) == have {
			w.buf = append(w.buf, make([]byte, max(chunk, have))...)[:have]
		}
		n, err := w.in.Read(w.buf[have:cap(w.buf)])
		w.buf = w.buf[:have+n]
		if i := bytes.LastIndexByte(w.buf[have:], '\n'); i >= 0 {
			w.full = have + i + 1
			return nil
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrNoProgress
		}
	}
}

// newWholeLines returns a reader of the whole lines of a file that may grow.
func newWholeLines(in io.Reader) io.Reader { return &wholeLines{in: in} }

// shortLines passes on a text whose lines are no longer than some bytes. The memory that a reader of
// lines takes is that of the longest one, and a file that is damaged may be one line.
type shortLines struct {
	in   io.Reader
	most int
	line int // number of the present one
	size int // bytes of it
}

// newShortLines bounds the lines of a table: a number of 17 digits takes 24 bytes, and one that
// another program wrote in more, or a name of the case, is within the rest.
func newShortLines(in io.Reader, columns []string) io.Reader {
	most := 1 << 20
	for _, name := range columns {
		most += max(len(name)+1, 32)
	}
	return &shortLines{in: in, most: most, line: 1}
}

// Read implements io.Reader.
func (r *shortLines) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n') + 1
		if r.size += cmp.Or(end, len(rest)); r.size > r.most {
			return 0, fmt.Errorf("line %d has more than %d bytes: no row of this table is so long", r.line, r.most)
		}
		if end == 0 {
			break
		}
		r.line, r.size, rest = r.line+1, 0, rest[end:]
	}
	return n, err
}
