package casefile

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/internal/plain"
)

// Fault is one thing that is wrong with a case.
type Fault struct {
	File         string // that it is in, where that is not the case itself but one that it includes
	Line, Column int    // of the value in the file, from 1; 0 if it has no place
	Path         string // of the value, like $.energies[2].stiffness
	Text         string // what was found and what is expected
}

// Error lists the Faults of a case, in the order of the file.
type Error struct {
	File   string
	Faults []Fault
}

// shown is the number of Faults that a message lists; the first ones often cause the rest.
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
	place := cmp.Or(f.File, file)
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", place, f.Line, f.Column)
	}
	if f.Path != "" {
		place += ": " + f.Path
	}
	return place + ": " + f.Text
}

// Path leads from the root to a value: keys (string) and indices (int).
type Path []any

// With returns the Path of a part; p stays as it is.
func (p Path) With(steps ...any) Path {
	return append(p[:len(p):len(p)], steps...)
}

func (p Path) String() string {
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
				s.WriteString("[" + strconv.Quote(Abbreviate(k)) + "]")
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

// Abbreviate keeps what is quoted in a message to one readable line.
func Abbreviate(s string) string {
	const longest = 60
	if r := []rune(s); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return s
}

// Faults collects what is wrong with one file.
type Faults struct {
	file string
	data []byte
	list []Fault
	at   []Path // of list

	written  *written // the tree in which paths are; nil: that of data
	reserved bool     // what stands in other files is not quoted
	asker    string   // where what is observed stands, which is in no file of the case
}

// Add records a fault at a path.
func (f *Faults) Add(p Path, format string, args ...any) {
	f.list = append(f.list, Fault{Path: p.String(), Text: plain.Overflows(fmt.Sprintf(format, args...))})
	f.at = append(f.at, p)
}

// addAt records a fault at a byte of the file.
func (f *Faults) addAt(offset int, p Path, format string, args ...any) {
	f.Add(p, format, args...)
	last := len(f.list) - 1
	f.list[last].Line, f.list[last].Column = position(f.data, offset)
	if p == nil {
		f.list[last].Path = ""
	}
}

// addIn records a fault at a path of the source.
func (f *Faults) addIn(p Path, text string) {
	f.Add(p, "%s", text)
	last := len(f.list) - 1
	f.list[last].Line, f.list[last].Column = position(f.data, locate(f.data, p))
}

// place finds where fault i stands: in the text, or in one that it includes.
func (f *Faults) place(i int) {
	fault, p := &f.list[i], f.at[i]
	if f.asker != "" && len(p) > 0 && p[0] == observeKey {
		fault.File = f.asker
		return
	}
	if f.written == nil {
		fault.Line, fault.Column = position(f.data, locate(f.data, p))
		return
	}
	w, at := f.written.origin(p)
	fault.Line, fault.Column = w.position(at)
	if w.file != f.file {
		fault.File, fault.Path = w.file, at.String()
		if f.reserved {
			fault.Path, fault.Text = "", reservedText
		}
	}
}

// adopt takes the faults of another file, which have their places.
func (f *Faults) adopt(e *Error) {
	for _, fault := range e.Faults {
		fault.File = cmp.Or(fault.File, e.File)
		f.list, f.at = append(f.list, fault), append(f.at, nil)
	}
}

// Any reports whether there is a fault.
func (f *Faults) Any() bool { return len(f.list) > 0 }

// Err returns nil or an *Error with all Faults in the order of the file.
func (f *Faults) Err() error {
	if !f.Any() {
		return nil
	}
	for i := range f.list {
		if f.list[i].Line == 0 && i < shown {
			f.place(i)
		}
	}
	sort.SliceStable(f.list[:min(len(f.list), shown)], func(i, j int) bool {
		a, b := &f.list[i], &f.list[j]
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column) < 0
	})
	return &Error{File: f.file, Faults: slices.CompactFunc(f.list, func(a, b Fault) bool { return a == b && a.Line > 0 })} // of copies
}

// position turns a byte offset into line and column, both from 1, the column in letters.
func position(data []byte, offset int) (line, column int) {
	before := string(data[:min(max(offset, 0), len(data))])
	line = 1 + strings.Count(before, "\n")
	return line, 1 + len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
}

// Len returns how many faults there are.
func (f *Faults) Len() int { return len(f.list) }
