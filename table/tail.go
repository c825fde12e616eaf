package table

import (
	"bytes"
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
