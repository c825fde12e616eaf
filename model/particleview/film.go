package particleview

// film keeps frames of a run in bounded memory. It cuts time into pieces and keeps
// of each the two frames in which the configuration is furthest out, to either
// side; where there are too many, pairs of pieces become one. So the turning
// points of a long cyclic run stay.
type film struct {
	limit int // pieces, even
	width int // nodes a piece holds
	count int // nodes in the last piece
	start []float64
	cuts  []cut
	n     int // particles
	first *frame
	last  *frame
}

// cut is a piece of time with its two extreme frames; they may be the same.
type cut struct{ low, high still }

// still is a frame with the measure that orders the frames of a piece.
type still struct {
	*frame
	k    int // number of the node
	size float64
}

func newFilm(n, frames int) *film {
	return &film{n: n, limit: max(2, frames/2&^1), width: 1}
}

// add looks at the next frame, of which it may keep a copy.
func (f *film) add(k int, src *frame) {
	if f.start == nil {
		f.start = append(f.start, src.X...)
		f.first = clone(src)
		f.last = clone(src)
	}
	copyFrame(f.last, src)
	size := f.measure(src.X)
	if f.count == f.width || len(f.cuts) == 0 {
		f.begin(still{clone(src), k, size})
		return
	}
	f.count++
	c := &f.cuts[len(f.cuts)-1]
	if size < c.low.size {
		c.low = c.low.replaced(c.high, src, k, size)
	}
	if size > c.high.size {
		c.high = c.high.replaced(c.low, src, k, size)
	}
}

// replaced returns the still of src, in the memory of the old one unless the
// other one shares it.
func (s still) replaced(other still, src *frame, k int, size float64) still {
	if s.frame == other.frame {
		return still{clone(src), k, size}
	}
	copyFrame(s.frame, src)
	return still{s.frame, k, size}
}

// measure weighs the displacements; the weights have no meaning but to differ.
func (f *film) measure(x []float64) float64 {
	weights := [3]float64{1, 0.7, 0.4}
	sum := 0.0
	for i, v := range x {
		sum += weights[i%3] * (v - f.start[i])
	}
	return sum
}

func (f *film) begin(s still) {
	if len(f.cuts) == f.limit {
		for k := range f.limit / 2 {
			a, b := f.cuts[2*k], f.cuts[2*k+1]
			if b.low.size < a.low.size {
				a.low = b.low
			}
			if b.high.size > a.high.size {
				a.high = b.high
			}
			f.cuts[k] = a
		}
		f.cuts = f.cuts[:f.limit/2]
		f.width *= 2
	}
	f.count = 1
	f.cuts = append(f.cuts, cut{s, s})
}

// frames returns the frames kept, in order of time, the first and the last node
// among them. Of several nodes at one time the last counts, from which the run goes on.
func (f *film) frames() []*frame {
	if f.first == nil {
		return nil
	}
	list := []*frame{f.first}
	put := func(x *frame) {
		switch last := len(list) - 1; {
		case x.T > list[last].T:
			list = append(list, x)
		case x.T == list[last].T:
			list[last] = x
		}
	}
	for _, c := range f.cuts {
		a, b := c.low, c.high
		if b.k < a.k {
			a, b = b, a
		}
		put(a.frame)
		put(b.frame)
	}
	put(f.last)
	return list
}

func clone(src *frame) *frame {
	dst := newFrame(len(src.Status))
	copyFrame(dst, src)
	return dst
}

func copyFrame(dst, src *frame) {
	dst.T, dst.psi = src.T, src.psi
	copy(dst.X, src.X)
	copy(dst.Force, src.Force)
	copy(dst.Status, src.Status)
	dst.Slipped = append(dst.Slipped[:0], src.Slipped...)
	dst.Contacts, dst.Beside = append(dst.Contacts[:0], src.Contacts...), append(dst.Beside[:0], src.Beside...)
}
