package particleview

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quasistatic/quasistatic/internal/seeded"
)

func frameAt(t, x float64) *frame {
	f := newFrame(1)
	f.T, f.X[0] = t, x
	return f
}

// TestFilmKeepsTurningPoints: the frames of a run of one particle are ordered, at most as
// many as allowed and the two ends, and among them are the ends and the furthest points.
func TestFilmKeepsTurningPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(4, 40).Draw(t, "limit")
		x := rapid.SliceOfN(rapid.Map(rapid.IntRange(-64, 64), func(n int) float64 { return float64(n) / 64 }), 1,
			400).Draw(t, "x") // differences are exact
		f := newFilm(1, limit)
		src := frameAt(0, 0)
		for k := range x {
			src.T, src.X[0] = float64(k), x[k]
			f.add(k, src)
		}
		list := f.frames()
		if len(list) > limit+2 {
			t.Fatalf("%d frames, want at most %d and the ends", len(list), limit)
		}
		seen := map[float64]float64{}
		low, high := math.Inf(1), math.Inf(-1)
		for i, at := range list {
			if i > 0 && !(at.T > list[i-1].T) {
				t.Fatalf("frame %d is at %g after %g", i, at.T, list[i-1].T)
			}
			seen[at.T] = at.X[0]
			low, high = min(low, at.X[0]), max(high, at.X[0])
		}
		for _, k := range []int{0, len(x) - 1} {
			if v, ok := seen[float64(k)]; !ok || v != x[k] {
				t.Fatalf("node %d is missing, or at %g, want %g", k, v, x[k])
			}
		}
		for _, v := range x {
			if v < low || v > high {
				t.Fatalf("the frames reach from %g to %g, but a node is at %g", low, high, v)
			}
		}
	})
}

// TestFilmOfSeveralNodesAtATime: the last of them is shown, from which the run goes on.
func TestFilmOfSeveralNodesAtATime(t *testing.T) {
	f := newFilm(1, 40)
	for k, at := range [][2]float64{{0, 0}, {1, 5}, {1, 7}, {2, 9}, {2, 8}} {
		f.add(k, frameAt(at[0], at[1]))
	}
	for i, want := range []float64{0, 7, 8} {
		if list := f.frames(); len(list) != 3 || list[i].X[0] != want {
			t.Fatalf("%d frames, frame %d is at %g, want %g", len(list), i, list[i].X[0], want)
		}
	}
}
