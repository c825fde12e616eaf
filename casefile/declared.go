package casefile

import (
	"fmt"
	"slices"
	"strings"
)

// Declared are the entries of a part of a case that its other parts refer to by name: obstacles,
// laws of friction, patches, anchors. Models look names up with [Declared.Find] alone, which
// keeps what was asked for: an entry that nobody asked for has no effect, and [Builder.Idle]
// says so ([decision 25]). The value of an entry may be set after it was declared.
//
// [decision 25]: docs/decisions/0025-nothing-written-is-ignored.md
type Declared[T any] struct {
	*declared
	b       *Builder
	kind    string
	entries map[string]T
}

// declared is what a [Builder] keeps of a part.
type declared struct {
	at     Path           // of the part
	place  map[string]int // of the names in it, if it is a list; nil: they are its keys
	want   string         // how an entry is named
	spare  bool           // one that is not named is no fault where others are
	other  bool           // something was named that needs no entry
	names  []string       // in order
	called map[string]bool
}

// Declare returns the entries of a part at a path. kind is what one of them is, want says how
// it is named: "an entry of \"contacts\" with it".
func Declare[T any](b *Builder, at Path, kind, want string, entries map[string]T) *Declared[T] {
	d := &Declared[T]{&declared{at: at, want: want, names: Keys(entries), called: map[string]bool{}}, b, kind, entries}
	b.parts = append(b.parts, d.declared)
	return d
}

// Spare says that the entries are a store, as of materials, of which a study takes one: where one
// of them is named, or what needs no entry, the others are told in a note.
func (d *Declared[T]) Spare() *Declared[T] {
	d.spare = true
	return d
}

// Find looks a name up for the part of the case at a path, which refers to it. A name that is not
// declared is a fault.
func (d *Declared[T]) Find(p Path, name string) (v T, ok bool) {
	d.called[name] = true
	return Find(d.b, p, name, d.kind, d.entries)
}

// In says that the part is a list, and where the names stand in it.
func (d *Declared[T]) In(place map[string]int) *Declared[T] {
	d.place = place
	return d
}

// path is where an entry is.
func (d *declared) path(name string) Path {
	if i, ok := d.place[name]; ok {
		return d.at.With(i)
	}
	return d.at.With(name)
}

// Has reports whether a name is declared, and refers to it.
func (d *Declared[T]) Has(name string) bool {
	_, ok := d.entries[name]
	d.called[name] = ok
	return ok
}

// Of returns an entry that was found before.
func (d *Declared[T]) Of(name string) T { return d.entries[name] }

// Len is the number of entries.
func (d *Declared[T]) Len() int { return len(d.entries) }

// Other says that something was named that needs no entry.
func (d *declared) Other() { d.other = true }

// any reports whether something was named.
func (d *declared) any() bool {
	return d.other || slices.ContainsFunc(d.names, func(name string) bool { return d.called[name] })
}

// Idle objects to what was read and has no effect until the end of the run. It is called once, when
// all parts were read that may name others.
func (b *Builder) Idle(until float64) {
	b.unnamed()
	b.idleTables(until)
}

// unnamed objects to entries that nothing names: they have no effect, and were hardly meant to
// have none.
func (b *Builder) unnamed() {
	for _, d := range b.parts {
		var idle []string
		for _, name := range d.names {
			if !d.called[name] {
				idle = append(idle, name)
			}
		}
		if len(idle) > 0 && d.spare && d.any() {
			b.Note("%s: nothing names %s", d.at, Listed(idle))
			continue
		}
		for _, name := range idle {
			b.Add(d.path(name), "nothing names it, so it has no effect: want %s, or not this entry", d.want)
		}
	}
	b.parts = nil
}

// Note records what the case declares and has no effect, or another one than its words, where
// that may be meant. The verdict tells it.
func (b *Builder) Note(format string, args ...any) {
	b.Notes = append(b.Notes, fmt.Sprintf(format, args...))
}

// fewNames is how many names a note lists.
const fewNames = 3

// Listed are names for a message: the first ones, and how many more.
func Listed(names []string) string {
	var list []string
	for _, name := range names[:min(len(names), fewNames)] {
		list = append(list, fmt.Sprintf("%q", Abbreviate(name)))
	}
	text := strings.Join(list, ", ")
	if more := len(names) - fewNames; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
