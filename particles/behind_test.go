package particles_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/particles"
)

// TestBehind: in a bowl of the radius R the coordinates of a point at the height h lead through the
// centre at R, and out of the other side at 2R; outside of a ball they lead nowhere.
func TestBehind(t *testing.T) {
	for _, inside := range []bool{true, false} {
		face, err := particles.NewSphere([3]float64{1, 2, 3}, 0.5, inside, [3]float64{0, 0, 1})
		if err != nil {
			t.Fatal(err)
		}
		chart, err := particles.NewChart(face, particles.Motion{})
		if err != nil {
			t.Fatal(err)
		}
		sys, err := particles.NewSystem([]particles.Frame{particles.Charted(chart, [3]float64{1, 2, 3})})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range []float64{0, 0.01, 0.4, 0.6, 0.99, 1.01, 3, 1e6} {
			if got, want := sys.Behind(0, []float64{0.1, -0.2, h}), inside && h > 1; got != want {
				t.Errorf("inside %t, height %g: behind %t, want %t", inside, h, got, want)
			}
		}
	}
}
