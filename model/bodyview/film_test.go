package bodyview

import (
	"math"
	"testing"
)

// TestFilm: of any number of positions at most so many are kept, equally far apart, with
// the contacts of their times, and the last one.
func TestFilm(t *testing.T) {
	for _, n := range []int{1, 9, 10, 11, 999, 1000} {
		f := newBodyFilm(10)
		for k := range n {
			at := float64(k) / 8
			f.add(at, []float64{math.Sin(at)})
			f.at(at, func(x *bodyFrame) { x.contacts = append(x.contacts, ContactRow{T: at, A: "a", B: "b"}) })
		}
		if len(f.frames) > 10 || len(f.frames) < min(n, 5) || f.tail.t != float64(n-1)/8 {
			t.Errorf("%d positions: %d frames, the last at %g", n, len(f.frames), f.tail.t)
		}
		for i, x := range f.frames {
			if want := float64(i*f.every) / 8; x.t != want || x.q[0] != math.Sin(want) || len(x.contacts) != 1 || x.contacts[0].T != want {
				t.Errorf("%d positions: frame %d is %+v", n, i, x)
			}
		}
	}
}
