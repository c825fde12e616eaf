// Package plain makes text that others wrote safe to print: control characters, which move
// the cursor of a terminal or ring its bell, and marks of direction, which show a text in
// another order than it has, are escaped as JSON and Go do it: a JSON text stays one.
package plain

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Text returns a text on one line: \n, \t and the like are escaped too.
func Text(s string) string { return escaped(s, func(r rune) bool { return dangerous(r) }) }

// Lines returns a text whose lines and tabs stay.
func Lines(s string) string {
	return escaped(s, func(r rune) bool { return r != '\n' && r != '\t' && dangerous(r) })
}

// infinite is a number that %g prints as none, or a text in quotes, which is somebody's words.
var infinite = regexp.MustCompile(`"[^"]*"|[+-]Inf\b|\bNaN\b`)

// Overflows returns a text with words in place of numbers that are none: what went beyond the
// largest one, and what is not known for that. What stands in quotes is kept.
func Overflows(s string) string {
	if !strings.Contains(s, "Inf") && !strings.Contains(s, "NaN") {
		return s
	}
	return infinite.ReplaceAllStringFunc(s, func(x string) string {
		switch x {
		case "+Inf":
			return "beyond 1.8e308"
		case "-Inf":
			return "beyond -1.8e308"
		case "NaN":
			return "unknown"
		}
		return x
	})
}

// dangerous reports whether a character is of control (C0, DEL, C1) or of direction: the
// marks and isolates of the Unicode bidirectional algorithm (UAX 9, section 2).
func dangerous(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7F && r < 0xA0:
		return true
	case r == 0x061C, r == 0x200E, r == 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

func escaped(s string, wanted func(rune) bool) string {
	if strings.IndexFunc(s, wanted) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !wanted(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Shortened ends a text that is longer than so many letters after a word.
func Shortened(s string, longest int) string {
	letters := []rune(s)
	if len(letters) <= longest {
		return s
	}
	cut := string(letters[:longest])
	return strings.TrimRight(cut[:max(0, strings.LastIndexByte(cut, ' '))], ",:;(") + " …"
}

// Writer escapes as [Lines] does. Texts come whole: no letter is split between two of them.
type Writer struct {
	io.Writer
	Err error // the first of a write, and that of those after it: who prints may not look at it
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, Lines(string(p))); err != nil {
		w.Err = cmp.Or(w.Err, err)
		return 0, w.Err
	}
	return len(p), nil
}
