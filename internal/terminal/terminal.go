// Package terminal says how a writer shows text: whether it is a terminal, how wide it is, whether it
// has colours, and whether two writers lead to one place.
package terminal

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/quasistatic/quasistatic/internal/plain"
)

// file returns the file that a writer leads to; nil: no file.
func file(w io.Writer) *os.File {
	if p, ok := w.(*plain.Writer); ok {
		w = p.Writer
	}
	f, _ := w.(*os.File)
	return f
}

// Of returns the terminal that a writer leads to; nil: no terminal.
func Of(w io.Writer) *os.File {
	if f := file(w); f != nil && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// Look is how a writer shows a text. The zero value is that of a file.
type Look struct {
	Width  int  // columns; 0: of no terminal
	Colour bool // by escape sequences
}

// LookOf returns how a writer shows texts: terminals in their width and in colours, unless NO_COLOR
// (no-color.org) or TERM says otherwise.
func LookOf(w io.Writer) (l Look) {
	f := Of(w)
	if f == nil {
		return l
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil {
		l.Width = width
	}
	l.Colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return l
}

// Page writes all of a page, or its short form, which goes past what cleans texts for terminals:
// nothing in it is obeyed but its colours.
func Page(w io.Writer, all bool, page func() string, short func(width int, colour bool) string) error {
	if all {
		_, err := io.WriteString(w, page())
		return err
	}
	l := LookOf(w)
	text := short(l.Width, l.Colour)
	if f := Of(w); f != nil {
		w = f
	}
	_, err := io.WriteString(w, text)
	return err
}

// Same reports whether two writers lead to one place, where a failure need not be said twice.
func Same(a, b io.Writer) bool {
	x, y := file(a), file(b)
	if x == nil || y == nil {
		return false
	}
	one, err := x.Stat()
	if err != nil {
		return false
	}
	other, err := y.Stat()
	return err == nil && os.SameFile(one, other)
}

// NewBar returns a bar of so many units on a terminal.
func NewBar(f *os.File, units int, per string) *progressbar.ProgressBar {
	return progressbar.NewOptions(units, progressbar.OptionSetWriter(f), progressbar.OptionShowCount(),
		progressbar.OptionShowIts(), progressbar.OptionSetItsString(per),
		progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100e6), progressbar.OptionClearOnFinish())
}
