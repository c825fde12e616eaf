package table

import (
	"os"
	"strconv"
	"sync"
)

// lines is a text file that grows by whole lines. It is safe for concurrent use:
// a clock flushes it while the run fills it.
type lines struct {
	mu   sync.Mutex
	file *os.File
	buf  []byte // whole lines only
	err  error  // the first one; then nothing more is written
}

// chunk is the size from which on lines go to the file at once [bytes].
const chunk = 1 << 16

func createLines(name string) (*lines, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	return &lines{file: f}, nil
}

// write adds the line that fill appends to the buffer.
func (l *lines) write(fill func(dst []byte) []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = append(fill(l.buf), '\n')
	if len(l.buf) >= chunk {
		l.put()
	}
	return l.err
}

func (l *lines) flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.put()
	return l.err
}

// put writes the buffer to the file. What the file did not take stays out for
// good, so that no line is torn by a later one.
func (l *lines) put() {
	if l.err == nil && len(l.buf) > 0 {
		_, l.err = l.file.Write(l.buf)
	}
	l.buf = l.buf[:0]
}

// close flushes and closes; the first error counts.
func (l *lines) close() error {
	err := l.flush()
	if e := l.file.Close(); err == nil {
		err = e
	}
	return err
}

// appendNumber appends a number in the form %.17g.
func appendNumber(dst []byte, v float64) []byte {
	return strconv.AppendFloat(dst, v, 'g', 17, 64)
}
