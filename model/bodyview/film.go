package bodyview

import (
	"slices"
)

// bodyFilm keeps frames of moving bodies with the contacts between them, in bounded
// memory: every n-th position, n growing as there come more, and the last one.
type bodyFilm struct {
	every  int
	limit  int
	frames []bodyFrame
	count  int
	tail   bodyFrame // the last position that was read; a run that ends shows its end
}

// bodyFrame is a position with its contacts.
type bodyFrame struct {
	t        float64
	q        []float64
	contacts []ContactRow
}

func newBodyFilm(limit int) *bodyFilm { return &bodyFilm{every: 1, limit: max(2, limit) &^ 1} }

// add looks at the next position.
func (f *bodyFilm) add(t float64, q []float64) {
	f.tail.t, f.tail.q, f.tail.contacts = t, append(f.tail.q[:0], q...), f.tail.contacts[:0]
	if f.count%f.every == 0 {
		if len(f.frames) == f.limit {
			f.halve()
		}
		if f.count%f.every == 0 {
			f.frames = append(f.frames, bodyFrame{t: t, q: slices.Clone(q)})
		}
	}
	f.count++
}

func (f *bodyFilm) halve() {
	for i := range f.limit / 2 {
		f.frames[i] = f.frames[2*i]
	}
	clear(f.frames[f.limit/2:])
	f.frames, f.every = f.frames[:f.limit/2], 2*f.every
}

// push adds a contact to its frame, if that is kept.
func (f *bodyFilm) push(c *ContactRow) {
	if c.T == f.tail.t {
		f.tail.contacts = append(f.tail.contacts, *c)
	}
	i, found := slices.BinarySearchFunc(f.frames, c.T, func(x bodyFrame, t float64) int {
		switch {
		case x.t < t:
			return -1
		case x.t > t:
			return 1
		}
		return 0
	})
	if found {
		f.frames[i].contacts = append(f.frames[i].contacts, *c)
	}
}
