package table

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"sync"

	"github.com/quasistatic/quasistatic/internal/disk"
	"github.com/quasistatic/quasistatic/internal/regular"
)

// lines is a text file that grows by whole lines. It is safe for concurrent use:
// a clock flushes it while the run fills it.
type lines struct {
	mu   sync.Mutex
	file *os.File
	sum  *digest // of what the file has
	buf  []byte  // whole lines only
	err  error   // the first one; then nothing more is written
}

// chunk is the size from which on lines go to the file at once [bytes].
const chunk = 1 << 16

func createLines(name string) (*lines, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	return &lines{file: f, sum: newDigest()}, nil
}

// reopenLines opens the file of a sheet to append after what its sum in a list is of, which
// it must hold.
func reopenLines(dir string, sheet *Sheet, list []Sum) (*lines, error) {
	i := slices.IndexFunc(list, func(x Sum) bool { return x.File == sheet.File })
	if i < 0 {
		return nil, fmt.Errorf("the checkpoint knows nothing of %s", sheet.File)
	}
	s, name := &list[i], sheet.inFolder(dir)
	f, err := regular.Append(name)
	if err != nil {
		return nil, err
	}
	d, err := s.verify(f, name, false)
	if err == nil {
		err = f.Truncate(s.Bytes)
	}
	if err == nil {
		_, err = f.Seek(s.Bytes, io.SeekStart)
	}
	if err != nil {
		_ = f.Close() // the error at hand comes first
		return nil, err
	}
	return &lines{file: f, sum: d}, nil
}

// mark writes what is left and returns the sum of the file, which is durable then if that
// is asked for.
func (l *lines) mark(name string, durable bool) (Sum, error) {
	err := l.flush()
	if err == nil && durable {
		err = disk.Sync(l.file)
	}
	if err != nil {
		return Sum{}, err
	}
	return l.sum.sum(name), nil
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
		var n int
		n, l.err = l.file.Write(l.buf)
		_, _ = l.sum.Write(l.buf[:n]) // cannot fail
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

func appendRow(dst []byte, t float64, values []float64) []byte {
	dst = appendNumber(dst, t)
	for _, v := range values {
		dst = appendNumber(append(dst, ','), v)
	}
	return dst
}
