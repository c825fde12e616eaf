package rigid

import (
	"math"
	"testing"

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
	for i, want := range []massOf{{"a", 12, []float64{999.96, 2, 0.06}}, {"b", 3, []float64{1000, 0, 1.02}}} {
		got := x.(*examination).Masses[i]
		for j, y := range want.Centre {
			if got.Body != want.Body || math.Abs(got.Mass-want.Mass) > 1e-12 || math.Abs(got.Centre[j]-y) > 1e-9 {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
	}
}
