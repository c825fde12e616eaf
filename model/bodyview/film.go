package bodyview

import (
	"cmp"
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
	t, h     float64 // h: since the position before [s]
	q        []float64
	contacts []ContactRow
	stops    map[int]float64 // impulses of the stops of joints in that time [N s]
}

func newBodyFilm(limit int) *bodyFilm { return &bodyFilm{every: 1, limit: max(2, limit) &^ 1} }

// add looks at the next position.
func (f *bodyFilm) add(t float64, q []float64) {
	h := t - f.tail.t
	f.tail = bodyFrame{t: t, h: h, q: append(f.tail.q[:0], q...), contacts: f.tail.contacts[:0]}
	if f.count%f.every == 0 {
		if len(f.frames) == f.limit {
			f.halve()
		}
		if f.count%f.every == 0 {
			f.frames = append(f.frames, bodyFrame{t: t, h: h, q: slices.Clone(q)})
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

// at visits the frames of a time that are kept.
func (f *bodyFilm) at(t float64, visit func(x *bodyFrame)) {
	if t == f.tail.t {
		visit(&f.tail)
	}
	if i, found := slices.BinarySearchFunc(f.frames, t, func(x bodyFrame, t float64) int { return cmp.Compare(x.t, t) }); found {
		visit(&f.frames[i])
	}
}
