package main

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/quasistatic/quasistatic/internal/plain"
)

// safeWriter escapes what names and messages may hold and a terminal would obey. All that
// the program prints goes through it.
type safeWriter struct{ io.Writer }

// Write implements io.Writer. Texts come whole: no letter is split between two of them.
func (w safeWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, plain.Lines(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// terminal returns the terminal that a writer leads to; nil: it is none.
func terminal(w io.Writer) *os.File {
	if s, ok := w.(safeWriter); ok {
		w = s.Writer
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}
