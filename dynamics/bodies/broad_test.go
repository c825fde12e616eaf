package bodies_test

import (
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// The sweep finds the touches that a look at every pair finds, also when the
// order of the bodies has changed since the last time.
func TestSweepFindsAllPairs(t *testing.T) {
	thorough.Seconds(t)
	rng := rand.New(rand.NewPCG(5, 3))
	const n, margin = 40, 0.05
	found := 0
	for dim := 2; dim <= 3; dim++ {
		w, err := bodies.NewWorld(dim, v3{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.AddHalfSpace(v3{}, v3{0, 1}); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if _, err := w.Add(bodies.Body{Shape: shapes[dim][i%len(shapes[dim])], Mass: 1}); err != nil {
				t.Fatal(err)
			}
		}
		f, slow := w.NewToucher(nil), w.NewToucher(nil)
		q, _ := w.Start()
		for range 20 {
			for i := range n {
				at, _ := w.Coordinates(i)
				for d := range dim {
					q[at+d] = 3 * rng.Float64()
				}
			}
			want := map[uint64]float64{}
			add := func(x bodies.Touch) {
				for _, y := range slow.Again(nil, 0, q, &x) {
					if y.Gap <= margin {
						want[y.Key] = y.Gap
					}
				}
			}
			for i := range n {
				add(bodies.FloorTouch(i, 0))
				for j := range i {
					add(bodies.PairTouch(j, i))
				}
			}
			got := f.Find(nil, 0, q, margin)
			for _, x := range got {
				if gap, ok := want[x.Key]; !ok || gap != x.Gap {
					t.Fatalf("touch %x with the gap %g: %v, want %g", x.Key, x.Gap, ok, gap)
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%d touches, want %d", len(got), len(want))
			}
			found += len(got)
		}
	}
	if found < 1000 {
		t.Errorf("only %d touches: the scenes are empty", found)
	}
}
