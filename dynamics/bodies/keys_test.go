package bodies_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// TestMarginTouches: a touch whose gap is the margin is one; a little less and it is none, of
// balls, and of a ball on a plane and in a bowl. The numbers are sums of powers of two.
func TestMarginTouches(t *testing.T) {
	w := must(bodies.NewWorld(3, v3{}))
	must(w.Add(bodies.Body{Shape: bodies.Sphere{1}, Mass: 1}))
	must(w.Add(bodies.Body{Shape: bodies.Sphere{1}, Mass: 1, Position: v3{2.5}}))
	must(w.AddHalfSpace(v3{0, 0, -1.5}, v3{0, 0, 1}))
	must(w.AddObstacle(bodies.Obstacle{Surface: bodies.Ball{Center: v3{0, 0, -2}, R: 3.5, Inside: true}}))
	q, _ := w.Start()
	f := w.NewToucher(func(a, b int) bool { return a == 1 && b < 0 })
	for margin, want := range map[float64]int{.5: 3, math.Nextafter(.5, 0): 0, .25: 0, .75: 3} {
		if got := f.Find(nil, 0, q, margin); len(got) != want {
			t.Errorf("margin %g: %d touches, want %d", margin, len(got), want)
		}
	}
}

// TestMost: a search that is to end at a number of touches ends there.
func TestMost(t *testing.T) {
	w := must(bodies.NewWorld(3, v3{}))
	for range 20 {
		must(w.Add(bodies.Body{Shape: bodies.Sphere{1}, Mass: 1}))
	}
	q, _ := w.Start()
	f := w.NewToucher(nil)
	for most, want := range map[int]int{0: 190, 1: 1, 7: 7, 189: 189, 190: 190, 500: 190} {
		f := f
		f.Most = most
		if got := f.Find(nil, float64(most), q, float64(most)); len(got) != want {
			t.Errorf("at most %d: %d touches, want %d", most, len(got), want)
		}
	}
}

// TestKeys: the key of each patch says its bodies and its obstacle, of declared pairs in any order
// and of all pairs behind them, and no two have one.
func TestKeys(t *testing.T) {
	patch := must(dynamics.NewRigid(contact.Coulomb{Mu: .3}, 3))
	w := must(bodies.NewWorld(3, v3{}))
	for i := range 4 {
		must(w.Add(bodies.Body{Shape: bodies.Sphere{1}, Mass: 1, Position: v3{1.5 * float64(i)}}))
	}
	must(w.Add(bodies.Body{Shape: bodies.Box{v3{1, 1, 1}}, Mass: 1, Position: v3{0, 0, 3}}))
	must(w.AddHalfSpace(v3{0, 0, -.5}, v3{0, 0, 1}))
	type pairing struct{ a, b int }
	keys := map[int]pairing{}
	put := func(key, features int, p pairing) {
		for k := range features {
			if was, ok := keys[key+k]; ok {
				t.Errorf("%v has the key %d of %v", p, key+k, was)
			}
			keys[key+k] = p
		}
	}
	put(must(w.Between(2, 1, patch)), 1, pairing{2, 1})
	put(must(w.OnObstacle(4, 0, patch)), 8, pairing{4, -1})
	put(must(w.OnObstacle(0, 0, patch)), 1, pairing{0, -1})
	put(must(w.Between(0, 3, patch)), 1, pairing{0, 3})
	for key, p := range keys {
		if a, b := w.KeyOf(key); a != p.a || b != p.b {
			t.Errorf("key %d: %d, %d, want %v", key, a, b, p)
		}
	}
	last := len(keys)
	for _, c := range []struct{ a, b int }{{0, 5}, {-1, 0}, {2, 2}, {4, 4}} {
		if key, err := w.Between(c.a, c.b, patch); err == nil || key != 0 {
			t.Errorf("bodies %d and %d: key %d, no error", c.a, c.b, key)
		}
	}
	if err := w.AllPairs(patch); err != nil {
		t.Fatal(err)
	}
	for a := range 5 {
		for b := a + 1; b < 5; b++ {
			if i, j := w.KeyOf(last + 5*a + b); i != a || j != b {
				t.Errorf("all pairs: %d, %d at the key of %d, %d", i, j, a, b)
			}
		}
	}
	for key, p := range keys {
		if a, b := w.KeyOf(key); a != p.a || b != p.b {
			t.Errorf("with all pairs, key %d: %d, %d, want %v", key, a, b, p)
		}
	}
}

// TestPosesReused: a slice that is long enough is used, and a short one replaced.
func TestPosesReused(t *testing.T) {
	w := must(bodies.NewWorld(3, v3{}))
	must(w.Add(bodies.Body{Shape: bodies.Sphere{1}, Mass: 1, Position: v3{1}}))
	must(w.Add(bodies.Body{Shape: bodies.Sphere{1}, Mass: 1, Position: v3{2}}))
	q, _ := w.Start()
	have := make([]bodies.Pose, 2)
	if got := w.Poses(have, q); &got[0] != &have[0] || got[1].Centre != (v3{2}) {
		t.Errorf("a slice of two is not used: %v", got)
	}
	if got := w.Poses(have[:0:1], q); len(got) != 2 || got[0].Centre != (v3{1}) {
		t.Errorf("a slice of one is not replaced: %v", got)
	}
}

// TestPatchesOfAllPairs: what the sweep along x finds are all pairs that overlap, and few besides:
// none is missed when bodies overtake each other.
func TestPatchesOfAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 23))
	patch := must(dynamics.NewRigid(contact.Coulomb{Mu: .3}, 3))
	w := must(bodies.NewWorld(3, v3{}))
	for range 12 {
		must(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1 + r.Float64()}, Mass: 1}))
	}
	if err := w.AllPairs(patch); err != nil {
		t.Fatal(err)
	}
	q, v := w.Start()
	for range 60 {
		for i := range w.Bodies() {
			at, _ := w.Coordinates(i)
			for k := range 3 {
				q[at+k] = 4 * r.NormFloat64()
			}
		}
		var c dynamics.Contacts
		c.Reset(3, len(v))
		w.Contacts(&c, q)
		overlap, near := 0, 0
		for i := range w.Bodies() {
			for j := range i {
				a, _ := w.Place(i, q)
				b, _ := w.Place(j, q)
				gap := vec3.Norm(vec3.Add(a, -1, b)) - w.Reach(i) - w.Reach(j)
				if gap <= 0 {
					overlap++
				}
				if gap <= .5*(w.Reach(i)+w.Reach(j)) {
					near++
				}
			}
		}
		deep := 0
		for _, g := range c.Gaps() {
			if g <= 0 {
				deep++
			}
		}
		if deep != overlap || len(c.Gaps()) > near {
			t.Errorf("%d patches, %d of them closed, want %d of bodies that overlap to %d that are near", len(c.Gaps()),
				deep, overlap, near)
		}
	}
}
