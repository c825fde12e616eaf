package casefile

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Fault is one thing that is wrong with a case.
type Fault struct {
	Line, Column int    // of the value in the file, from 1; 0 if it has no place
	Path         string // of the value, like $.energies[2].stiffness
	Text         string // what was found and what is expected
}

// Error lists the faults of a case, in the order of the file.
type Error struct {
	File   string
	Faults []Fault
}

// shown is the number of faults that a message lists; the first ones often cause the rest.
const shown = 10

func (e *Error) Error() string {
	var lines []string
	for _, f := range e.Faults[:min(len(e.Faults), shown)] {
		lines = append(lines, f.in(e.File))
	}
	if more := len(e.Faults) - shown; more > 0 {
		lines = append(lines, fmt.Sprintf("%s: and %d more", e.File, more))
	}
	return strings.Join(lines, "\n")
}

func (f *Fault) in(file string) string {
	place := file
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", file, f.Line, f.Column)
	}
	if f.Path != "" {
		place += ": " + f.Path
	}
	return place + ": " + f.Text
}

// path leads from the root to a value: keys (string) and indices (int).
type path []any

// with returns the path of a part; p stays as it is.
func (p path) with(steps ...any) path {
	return append(p[:len(p):len(p)], steps...)
}

func (p path) String() string {
	var s strings.Builder
	s.WriteByte('$')
	for _, step := range p {
		switch k := step.(type) {
		case int:
			fmt.Fprintf(&s, "[%d]", k)
		case string:
			if plainKey(k) {
				s.WriteString("." + k)
			} else {
				s.WriteString("[" + strconv.Quote(abbreviate(k)) + "]")
			}
		}
	}
	return s.String()
}

func plainKey(k string) bool {
	for i, r := range k {
		if r != '_' && r != '$' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return k != "" && len(k) <= 40
}

// abbreviate keeps what is quoted in a message to one readable line.
func abbreviate(s string) string {
	const longest = 60
	if r := []rune(s); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return s
}

// faults collects what is wrong with one file.
type faults struct {
	file string
	data []byte
	list []Fault
	at   []path // of list
}

// add records a fault at a path.
func (f *faults) add(p path, format string, args ...any) {
	f.list = append(f.list, Fault{Path: p.String(), Text: fmt.Sprintf(format, args...)})
	f.at = append(f.at, p)
}

// addAt records a fault at a byte of the file.
func (f *faults) addAt(offset int, p path, format string, args ...any) {
	f.add(p, format, args...)
	last := len(f.list) - 1
	f.list[last].Line, f.list[last].Column = position(f.data, offset)
	if p == nil {
		f.list[last].Path = ""
	}
}

func (f *faults) any() bool { return len(f.list) > 0 }

// err returns nil or an *Error with all faults in the order of the file.
func (f *faults) err() error {
	if !f.any() {
		return nil
	}
	for i := range f.list {
		if f.list[i].Line == 0 && i < shown {
			f.list[i].Line, f.list[i].Column = position(f.data, locate(f.data, f.at[i]))
		}
	}
	sort.SliceStable(f.list[:min(len(f.list), shown)], func(i, j int) bool {
		a, b := &f.list[i], &f.list[j]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	return &Error{File: f.file, Faults: f.list}
}

// position turns a byte offset into line and column, both from 1, the column in letters.
func position(data []byte, offset int) (line, column int) {
	before := string(data[:min(max(offset, 0), len(data))])
	line = 1 + strings.Count(before, "\n")
	return line, 1 + len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
}
