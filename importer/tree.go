package importer

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// node is an element of a file.
type node struct {
	name string
	file string
	line int
	attr map[string]string
	used map[string]bool  // attributes that were read
	from map[string]*node // elements of which attributes were inherited
	seen bool             // the element was
	list []*node
}

// parse reads the elements of a file.
func parse(r io.Reader, file string) (*node, error) {
	d := xml.NewDecoder(r)
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // numbers and names are ASCII
	top := &node{}
	stack := []*node{top}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		switch x := token.(type) {
		case xml.StartElement:
			line, _ := d.InputPos()
			n := &node{name: x.Name.Local, file: file, line: line, attr: map[string]string{}, used: map[string]bool{},
				from: map[string]*node{}}
			for _, a := range x.Attr {
				n.attr[a.Name.Local] = strings.TrimSpace(a.Value)
			}
			in := stack[len(stack)-1]
			in.list, stack = append(in.list, n), append(stack, n)
			if len(stack) > deepest {
				return nil, fmt.Errorf("line %d: elements lie in each other %d deep", line, deepest)
			}
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
	if len(top.list) != 1 {
		return nil, errors.New("it has no element")
	}
	return top.list[0], nil
}

// deepest bounds how elements lie in each other.
const deepest = 1000

// text reads an attribute.
func (n *node) text(key string) (string, bool) {
	x, ok := n.attr[key]
	n.used[key] = true
	if of := n.from[key]; of != nil {
		of.used[key] = true
	}
	return x, ok
}

// all are the elements of a name, which are read.
func (n *node) all(name string) (list []*node) {
	for _, x := range n.list {
		if x.name == name {
			x.seen = true
			list = append(list, x)
		}
	}
	return list
}

// everything marks all attributes of an element.
func (n *node) everything() map[string]bool {
	all := map[string]bool{}
	for key := range n.attr {
		all[key] = true
	}
	return all
}

// one is the first element of a name; nil: there is none.
func (n *node) one(name string) *node {
	if n == nil {
		return nil
	}
	for _, x := range n.list {
		if x.name == name {
			x.seen = true
			return x
		}
	}
	return nil
}

// reader reads numbers, and keeps the first that is none.
type reader struct {
	err error
}

func (r *reader) fail(n *node, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s:%d: %s: %s", n.file, n.line, n.name, fmt.Sprintf(format, args...))
	}
}

// numbers reads those of an attribute; nil: there is none.
func (r *reader) numbers(n *node, key string) (list []float64) {
	text, ok := n.text(key)
	if !ok {
		return nil
	}
	for _, w := range strings.Fields(text) {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			r.fail(n, "%s has %q, want numbers", key, w)
			return nil
		}
		list = append(list, x)
	}
	return list
}

// vector reads so many numbers.
func (r *reader) vector(n *node, key string, count int) ([]float64, bool) {
	list := r.numbers(n, key)
	if list != nil && len(list) != count {
		r.fail(n, "%s has %d numbers, want %d", key, len(list), count)
	}
	return list, len(list) == count
}

// number reads one, or takes what it is without.
func (r *reader) number(n *node, key string, without float64) float64 {
	if x, ok := r.vector(n, key, 1); ok {
		return x[0]
	}
	return without
}

// Left is something that the case does not have.
type Left struct {
	File string
	Line int
	What string
	Why  string // empty: not understood
}

func (l Left) String() string {
	if l.Why == "" {
		return fmt.Sprintf("%s:%d: %s: not understood", l.File, l.Line, l.What)
	}
	return fmt.Sprintf("%s:%d: %s: %s", l.File, l.Line, l.What, l.Why)
}

// unread lists what nobody has read; looks are elements and attributes that say how things look.
func (n *node) unread(looks []string, list []Left) (_ []Left, seen int) {
	for _, key := range sortedKeys(n.attr) {
		switch {
		case n.used[key] || n.from[key] != nil: // that is told where it was written
		case slices.Contains(looks, key):
			seen++
		default:
			list = append(list, Left{File: n.file, Line: n.line, What: fmt.Sprintf("%s of %s", key, n.title())})
		}
	}
	for _, x := range n.list {
		switch {
		case slices.Contains(looks, x.name):
			seen++
		case !x.seen:
			list = append(list, Left{File: x.file, Line: x.line, What: x.title()})
		default:
			var more int
			list, more = x.unread(looks, list)
			seen += more
		}
	}
	return list, seen
}

// title is the element with its name.
func (n *node) title() string {
	if name := n.attr["name"]; name != "" {
		return fmt.Sprintf("%s %q", n.name, name)
	}
	return n.name
}
