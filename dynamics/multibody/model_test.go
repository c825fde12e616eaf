package multibody_test

import (
	"cmp"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// TestRefusedModels: materials, forces and joints end where they may.
func TestRefusedModels(t *testing.T) {
	make := func(dim int, x multibody.Setup) error {
		w, err := bodies.NewWorld(dim, vec{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			var shape bodies.Shape = bodies.Disc{R: .1}
			if dim == 3 {
				shape = bodies.Sphere{R: .1}
			}
			if _, err := w.Add(bodies.Body{Shape: shape, Mass: 1, Position: vec{float64(i)}}); err != nil {
				t.Fatal(err)
			}
		}
		_, err = multibody.NewModel(w, x)
		return err
	}
	joint := func(j multibody.Joint) multibody.Setup {
		j.Kind = cmp.Or(j.Kind, multibody.Revolute)
		return multibody.Setup{Joints: []multibody.Joint{j}}
	}
	for k, c := range []struct {
		x  multibody.Setup
		ok bool
	}{
		{multibody.Setup{}, true}, {multibody.Setup{Material: multibody.Material{Mu: math.Inf(1)}}, false},
		{multibody.Setup{Material: multibody.Material{Mu: -1}}, false},
		{multibody.Setup{Material: multibody.Material{Mu: math.NaN()}}, false},
		{multibody.Setup{Material: multibody.Material{Restitution: 1}}, true},
		{multibody.Setup{Material: multibody.Material{Restitution: 1.01}}, false},
		{multibody.Setup{Material: multibody.Material{Restitution: -.01}}, false},
		{multibody.Setup{Pairs: map[[2]int]multibody.Material{{0, 1}: {Mu: -1}}}, false},
		{multibody.Setup{Pairs: map[[2]int]multibody.Material{{0, 1}: {Mu: 1}}}, true},
		{multibody.Setup{Forces: []multibody.Force{&multibody.Spring{A: 0, B: 1}}}, true},
		{multibody.Setup{Forces: []multibody.Force{&multibody.Spring{A: 0, B: 2}}}, false},
		{multibody.Setup{Forces: []multibody.Force{&multibody.Spring{A: 2, B: 1}}}, false},
		{multibody.Setup{Forces: []multibody.Force{loose{-2}}}, false}, {multibody.Setup{Forces: []multibody.Force{loose{1}}}, true},
		{joint(multibody.Joint{A: 0, B: 1}), true}, {joint(multibody.Joint{A: 0, B: -1}), true},
		{joint(multibody.Joint{A: 0, B: -2}), false}, {joint(multibody.Joint{A: 0, B: 2}), false},
		{joint(multibody.Joint{A: -1, B: 0}), false}, {joint(multibody.Joint{A: 2, B: 0}), false},
		{joint(multibody.Joint{A: 1, B: 1}), false},
		{joint(multibody.Joint{A: 0, B: 1, Kind: "weld"}), false},
		{joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Fixed}), true},
		{joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Screw, Axis: vec{1}, Numbers: map[string]float64{"pitch": .1}}), false},
		{joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Slider}), false},
		{joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Slider, Axis: vec{math.Inf(1)}}), false},
		{joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Slider, Axis: vec{1}}), true},
		{joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Slider, Axis: vec{1, 0, 1}}), false},
		{joint(multibody.Joint{A: 0, B: 1, Axis: vec{0, 0, 1}}), true},
		{joint(multibody.Joint{A: 0, B: 1, At: vec{0, 0, 1}}), false},
		{joint(multibody.Joint{A: 0, B: 1, Other: vec{0, 0, 1}}), false},
		{joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Distance}), false},
		{joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Distance, Other: vec{1}}), true},
		{joint(multibody.Joint{A: 0, B: 1, Kind: multibody.Distance, Other: vec{math.Inf(1)}}), false},
	} {
		if err := make(2, c.x); (err == nil) != c.ok {
			t.Errorf("model %d: %v", k, err)
		}
	}
	// A hinge needs an axis in space only, and a screw a pitch.
	pitch := map[string]float64{"pitch": -.1}
	for _, x := range []float64{0, math.NaN(), math.Inf(1)} {
		if make(3, joint(multibody.Joint{Kind: multibody.Screw, A: 0, B: -1, Axis: vec{1},
			Numbers: map[string]float64{"pitch": x}})) == nil {
			t.Errorf("a screw of pitch %g is taken", x)
		}
	}
	for _, teeth := range [][2]float64{{0, 5}, {5, 2.5}, {1e6, 5}, {5, -5}, {math.NaN(), 5}} {
		if make(2, joint(multibody.Joint{Kind: multibody.Gear, A: 0, B: -1, Other: vec{1},
			Numbers: map[string]float64{"teeth": teeth[0], "other_teeth": teeth[1]}})) == nil {
			t.Errorf("a gear of %g and %g teeth", teeth[0], teeth[1])
		}
	}
	if make(3, joint(multibody.Joint{Kind: multibody.Universal, A: 0, B: -1, Axis: vec{1}, Other: vec{1, 1}})) == nil {
		t.Error("a cross whose arms are not at right angles")
	}
	for _, kind := range []multibody.Kind{multibody.Revolute, multibody.Spherical, multibody.Prismatic, multibody.Slider, multibody.Screw} {
		err, along := make(3, joint(multibody.Joint{Kind: kind, A: 0, B: -1, Numbers: pitch})),
			make(3, joint(multibody.Joint{Kind: kind, A: 0, B: -1, Axis: vec{1}, Numbers: pitch}))
		if (err == nil) != (kind == multibody.Spherical) || along != nil {
			t.Errorf("a %v in space: %v, with an axis %v", kind, err, along)
		}
	}
}

// loose is a force on one body, or on none.
type loose struct{ body int }

func (l loose) Bodies() []int                                           { return []int{l.body} }
func (loose) Force([]float64, float64, *multibody.Snapshot)             {}
func (loose) Jacobian(_, _ []float64, _ float64, _ *multibody.Snapshot) {}
func (loose) Energy(*multibody.Snapshot) float64                        { return 0 }

// modelOf is bodies of a dimension on obstacles.
func modelOf(t *testing.T, dim int, x multibody.Setup, list []bodies.Body, obstacles ...bodies.Obstacle) *multibody.Model {
	t.Helper()
	w, err := bodies.NewWorld(dim, vec{})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range list {
		if _, err := w.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range obstacles {
		if _, err := w.AddObstacle(o); err != nil {
			t.Fatal(err)
		}
	}
	m, err := multibody.NewModel(w, x)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestUnits: the unit of length is the power of a million that is nearest to the largest body, or
// to the place of points, or to the curved obstacle that points may meet; no less than the rounding
// of places leaves of goals.
func TestUnits(t *testing.T) {
	for _, c := range []struct{ r, x, origin, ball, want float64 }{
		{r: 1, want: 1}, {r: .002, want: 1}, {r: 900, want: 1}, {r: 1100, want: 1e6}, {r: 9e-4, want: 1e-6}, {want: 1},
		{x: 5, want: 1}, {x: -1e4, want: 1e6},
		{r: 1, x: 1e6, want: 8 * 0x1p-52 * 1e6 / 1e-11}, {r: 1, origin: 1e8, want: 8 * 0x1p-52 * 1e8 / 1e-8}, {r: 1, origin: 1e5, want: 1},
		{x: 3e4, ball: 2e4, want: 1e6}, {x: 3e4, ball: 20, want: 8 * 0x1p-52 * 3e4 / 1e-11},
	} {
		var shape bodies.Shape = bodies.Disc{R: c.r}
		if c.r == 0 {
			shape = bodies.Point{}
		}
		var obstacles []bodies.Obstacle
		dim := 2
		if c.ball > 0 {
			dim, obstacles = 3, []bodies.Obstacle{{Surface: bodies.Ball{R: c.ball}}}
		}
		m := modelOf(t, dim, multibody.Setup{Origin: vec{c.origin}},
			[]bodies.Body{{Shape: shape, Mass: 1, Position: vec{0, c.x}}}, obstacles...)
		if got := m.Unit(); !(math.Abs(got/c.want-1) <= 1e-12) {
			t.Errorf("%+v: %g", c, got)
		}
	}
}

// TestPartners: a body meets others unless it is apart from all of them.
func TestPartners(t *testing.T) {
	for _, c := range []struct {
		apart [][2]int
		want  []bool
	}{{nil, []bool{true, true, true}}, {[][2]int{{0, 1}}, []bool{true, true, true}},
		{[][2]int{{0, 2}, {1, 2}}, []bool{true, true, false}}, {[][2]int{{0, 1}, {0, 2}}, []bool{false, true, true}},
		{[][2]int{{0, 1}, {0, 2}, {1, 2}}, []bool{false, false, false}}} {
		x := multibody.Setup{Apart: map[[2]int]bool{}}
		for _, p := range c.apart {
			x.Apart[p] = true
		}
		var list []bodies.Body
		for i := range 3 {
			list = append(list, bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{float64(i)}})
		}
		m := modelOf(t, 2, x, list)
		m.Meets = nil
		m.FindPartners()
		for i, want := range c.want {
			if m.Meets[i] != want {
				t.Errorf("apart %v: body %d meets others: %t", c.apart, i, !want)
			}
		}
	}
}

// TestPlaces: places in messages are those of the world before it was moved to its origin.
func TestPlaces(t *testing.T) {
	m := modelOf(t, 2, multibody.Setup{Origin: vec{10, 20, 30}}, []bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 1}})
	if got := m.There(vec{1, 2, 3}); got != (vec{11, 22, 33}) {
		t.Errorf("there: %v", got)
	}
}
