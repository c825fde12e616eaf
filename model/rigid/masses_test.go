package rigid

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
)

// TestMassesOfCheck: check says what bodies weigh and where their centres are, in the coordinates of
// the case, however that is written.
func TestMassesOfCheck(t *testing.T) {
	k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", []byte(`{"model": "rigid", "until": 1, "bodies": [
		{"id": "a", "density": 2400, "position": [1000, 2, 0], "parts": [{"shape": {"type": "box", "size": [0.3, 0.1, 0.1]}}, {"shape": {"type": "box", "size": [0.1, 0.1, 0.2]}, "position": [-0.1, 0, 0.15]}]},
		{"id": "b", "mass": 3, "centre": [0, 0, 0.02], "position": [1000, 0, 1], "shape": {"type": "sphere", "radius": 0.1}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Model.Build(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.(*Case).Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// Of the two boxes with the centre of both, by Steiner's theorem.
	for i, want := range []world.Mass{{Body: "a", Mass: 12, Centre: []float64{999.96, 2, 0.06},
		Inertia: []float64{.0968, .1736, .0968, 0, .0432, 0}},
		{Body: "b", Mass: 3, Centre: []float64{1000, 0, 1.02}, Inertia: []float64{.012, .012, .012}}} {
		got := x.(*examination).Masses[i]
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
		if got.Body != want.Body || !near(got.Mass, want.Mass) || !slices.EqualFunc(got.Centre, want.Centre, near) ||
			!slices.EqualFunc(got.Inertia, want.Inertia, near) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	p := run.NewPage(nil, nil)
	c.(*Case).PrintMasses(p)
	if text := p.String(); !strings.Contains(text,
		"a: 12 kg, centre at [999.96 2 0.06] m, inertia xx yy zz [0.0968 0.1736 0.0968] kg m², xy xz yz [0 0.0432 0]") {
		t.Error(text)
	}
}
