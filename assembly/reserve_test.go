package assembly_test

import (
	"math"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/assembly"
)

func reserves(t *testing.T, a *assembly.Assembly) []assembly.Reserve {
	t.Helper()
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	all, err := assembly.Reserves(t.Context(), a, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for k, r := range all {
		if !r.Known {
			t.Errorf("interface %d is not known", k)
		}
	}
	return all
}

// TestReserveOfABlock: a block of b by h that is pushed along its floor at a height z with T carries N = W at an eccentricity e = T z/W:
// its use is max(2e/b, T/μN), the pull that it holds (1 − use) N. In space the same; pushed askew too, where use of edges adds up.
func TestReserveOfABlock(t *testing.T) {
	const b, d, h = 1., 2.5, 2.
	for _, c := range []struct{ mu, push, z float64 }{{.5, .1, 1.5}, {.5, .2, .1}, {.3, 0, 1}, {.5, .5, .1}, {.5, .25, 2}} {
		w := 9.81 * b * h
		use := max(2*c.push*c.z/b, c.push/c.mu)
		plane := &assembly.Assembly{Plane: true, Friction: c.mu,
			Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true), rectangle("block", 0, 0, b, h, false)},
			Loads:  []assembly.Load{{Block: 1, Point: [3]float64{.3, 0, c.z}, Force: [3]float64{c.push * w}}}}
		space := &assembly.Assembly{Friction: c.mu,
			Blocks: []assembly.Block{box("floor", [3]float64{-9, -9, -1}, [3]float64{9, 9, 0}, true),
				box("block", [3]float64{}, [3]float64{b, d, h}, false)},
			Loads: []assembly.Load{{Block: 1, Point: [3]float64{.3, d / 2, c.z}, Force: [3]float64{c.push * w * d}}}}
		for k, a := range []*assembly.Assembly{plane, space} {
			depth := [2]float64{1, d}[k]
			r := reserves(t, a)[0]
			near(t, "use", r.Use, use, 1e-7)
			near(t, "pull", r.Pull, (1-use)*w*depth, 1e-6*w)
		}
	}
	w := 9.81 * b * d * h
	askew := &assembly.Assembly{Friction: 5,
		Blocks: []assembly.Block{box("floor", [3]float64{-9, -9, -1}, [3]float64{9, 9, 0}, true),
			box("block", [3]float64{}, [3]float64{b, d, h}, false)},
		Loads: []assembly.Load{{Block: 1, Point: [3]float64{.3, d / 2, h / 2}, Force: [3]float64{.1 * w, .3 * w}}}}
	// the pull at the middle leaves N − t at N e/(N − t), which is in the rectangle up to e_y = d/2 or e_x = b/2
	near(t, "use, askew", reserves(t, askew)[0].Use, max(2*.1/b, 2*.3/d), 1e-7)
}

// TestReserveOfMortar: a tension σ b of the joint is to spare beside the weight: pull N + σ b, of which nothing is used.
func TestReserveOfMortar(t *testing.T) {
	a := &assembly.Assembly{Plane: true, Friction: .5, Strength: 7,
		Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true), rectangle("block", 0, 0, 2, 3, false)}}
	r := reserves(t, a)[0]
	near(t, "pull", r.Pull, 9.81*6+7*2, 1e-6)
	near(t, "use", r.Use, 0, 1e-7)
	a.Interfaces[0].Points = a.Interfaces[0].Points[:1]
	a.Interfaces[0].Tension = 0
	if err := a.Prepare(assembly.Finding{}); err != nil || a.Interfaces[0].Tension != 0 {
		t.Errorf("a point has the tension %v, %v, want none as it has no area", a.Interfaces[0].Tension, err)
	}
}

// TestReserveAtTheLimit: at the largest load that two blocks on each other hold, those interfaces have no reserve that take part in the
// mechanism, the others have; and a block that is pressed between two walls has any.
func TestReserveAtTheLimit(t *testing.T) {
	stack := func(push float64) *assembly.Assembly {
		return &assembly.Assembly{Plane: true, Friction: .8,
			Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true), rectangle("lower", 0, 0, 2, 1, false),
				rectangle("upper", .5, 1, 1.5, 3, false)},
			Loads: []assembly.Load{{Block: 2, Point: [3]float64{.5, 0, 2}, Force: [3]float64{push}}}}
	}
	limit := 9.81 * 2 * .5 // the upper tips about its lower edge: T·1 = W/2
	at := reserves(t, stack(limit*(1-1e-9)))
	near(t, "use of what tips", at[1].Use, 1, 1e-6)
	near(t, "its pull", at[1].Pull, 0, 1e-5)
	// the floor carries 4 of 9.81 N at (limit·2 − …)/W from the middle: T z = 2 limit
	near(t, "use of what rests", at[0].Use, max(2*(limit*2)/(9.81*4)/2, limit/(.8*9.81*4)), 1e-7)
	pressed := &assembly.Assembly{Plane: true, Friction: .5,
		Blocks: []assembly.Block{rectangle("left", -1, 0, 0, 1, true), rectangle("block", 0, 0, 1, 1, false),
			rectangle("right", 1, 0, 2, 1, true)}}
	for _, r := range reserves(t, pressed) {
		if !math.IsInf(r.Pull, 1) || r.Use > 1e-6 {
			t.Errorf("pressed between walls: %+v, want any pull", r)
		}
	}
	loose := &assembly.Assembly{Plane: true, Friction: .5,
		Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true), rectangle("block", 0, 0, 1, 1, false),
			rectangle("wall", 1, 0, 2, 1, true)}}
	loose.Loads = []assembly.Load{{Block: 1, Point: [3]float64{.5, 0, .5}, Force: [3]float64{-.5 * 9.81 * (1 - 1e-12)}}}
	if r := reserves(t, loose)[1]; !math.IsNaN(r.Use) || !math.IsInf(r.Pull, 1) {
		t.Errorf("of two supports: %+v, want any pull and no use", r)
	}
	if r := reserves(t, loose)[2]; !(math.IsNaN(r.Use) || r.Use > 1-1e-5) || r.Pull > 1e-5 {
		t.Errorf("a wall from which friction to its limit draws the block away: %+v", r)
	}
}
