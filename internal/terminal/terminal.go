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

// file returns the file that a writer leads to; nil: it is none.
func file(w io.Writer) *os.File {
	if p, ok := w.(*plain.Writer); ok {
		w = p.Writer
	}
	f, _ := w.(*os.File)
	return f
}

// Of returns the terminal that a writer leads to; nil: it is none.
func Of(w io.Writer) *os.File {
	if f := file(w); f != nil && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// Look returns the columns of a writer, 0 where it is no terminal, and whether it shows colours:
// terminals do, unless NO_COLOR (no-color.org) or TERM says otherwise.
func Look(w io.Writer) (width int, colour bool) {
	f := Of(w)
	if f == nil {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 0
	}
	return width, os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// Paint writes a text with colours, of which nothing else is to be obeyed.
func Paint(w io.Writer, text string) error {
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
	return progressbar.NewOptions(units, progressbar.OptionSetWriter(f), progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString(per),
		progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100e6), progressbar.OptionClearOnFinish())
}
