// Package boxtree has things in space in boxes, to find those that are near something without a look
// at all: a tree of bounding boxes, each of which holds two others, or four things at most. It is cut
// at the middle of the things along the longest side, so that its depth is log₂ of their number.
// Four things are as soon looked at as the boxes around them.
//
//	O(n log² n)   to make
//	O(log n + k)  to visit k things that are met, if boxes are met where few things are not
//
// # Limits
//
// It is made once: things that move need another one.
package boxtree

import (
	"cmp"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Thing is the box of a thing, and the place by which it is sorted.
type Thing struct {
	Low, High, Middle vec3.Vec
}

// Tree has boxes, each before those that it holds. The first half of one is the next in the list.
type Tree struct {
	Boxes []Box
	Order []int // of the things, those of a leaf beside each other
}

// Box is one of a tree.
type Box struct {
	Low, High   vec3.Vec
	From, To    int // its things in the order
	Second, End int // the second half, 0 of a leaf; what comes after all that it holds
}

// New makes the tree of things, which are known by their numbers; of none it has no boxes.
func New(things []Thing) (t Tree) {
	if len(things) == 0 {
		return t
	}
	t.Order = make([]int, len(things))
	for i := range things {
		t.Order[i] = i
	}
	t.grow(things, 0, len(things))
	return t
}

// grow appends the box of some things and what it holds.
func (t *Tree) grow(things []Thing, from, to int) {
	at, first := len(t.Boxes), &things[t.Order[from]]
	x := Box{Low: first.Low, High: first.High, From: from, To: to}
	for _, i := range t.Order[from:to] {
		for k := range x.Low {
			x.Low[k], x.High[k] = min(x.Low[k], things[i].Low[k]), max(x.High[k], things[i].High[k])
		}
	}
	t.Boxes = append(t.Boxes, x)
	if to-from > 4 {
		long, size := 0, vec3.Add(x.High, -1, x.Low)
		for k := range size {
			if size[k] > size[long] {
				long = k
			}
		}
		slices.SortStableFunc(t.Order[from:to], func(i, j int) int { return cmp.Compare(things[i].Middle[long], things[j].Middle[long]) })
		half := (from + to) / 2
		t.grow(things, from, half)
		t.Boxes[at].Second = len(t.Boxes)
		t.grow(things, half, to)
	}
	t.Boxes[at].End = len(t.Boxes)
}

// Visit visits the things of all leaves that are met, and whose boxes are all the way.
func (t *Tree) Visit(met func(b *Box) bool, visit func(thing int)) {
	for i := 0; i < len(t.Boxes); {
		b := &t.Boxes[i]
		if !met(b) {
			i = b.End
			continue
		}
		if b.Second == 0 {
			for _, thing := range t.Order[b.From:b.To] {
				visit(thing)
			}
		}
		i++
	}
}

// Within visits the things of all leaves that meet a box.
func (t *Tree) Within(low, high vec3.Vec, visit func(thing int)) {
	t.Visit(func(b *Box) bool {
		for k := range low {
			if b.Low[k] > high[k] || b.High[k] < low[k] {
				return false
			}
		}
		return true
	}, visit)
}
