package events_test

import (
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestTangentsOfChains: the block tuᵀ of D²E between two particles of which the first is loaded along t has the second move along u, and the third along what comes after it.
func TestTangentsOfChains(t *testing.T) {
	way := [3][2]float64{{.6, .8}, {5. / 13, 12. / 13}, {.96, .28}}
	var entries []particles.Entry
	for j := range way {
		for c := range 3 {
			entries = append(entries, particles.Entry{Row: 3*j + c, Col: 3*j + c, Value: 2})
		}
		if j == 0 {
			continue
		}
		for r := range 2 {
			for c := range 2 {
				v := -.5 * way[j-1][r] * way[j][c]
				entries = append(entries, particles.Entry{Row: 3*(j-1) + r, Col: 3*j + c, Value: v}, particles.Entry{Row: 3*j + c, Col: 3*(j-1) + r, Value: v})
			}
		}
	}
	for first := range way { // whichever is loaded
		force := make(particles.Path, 9)
		for i := range force {
			force[i] = signal.Constant(0)
			if i%3 == 2 {
				force[i] = signal.Constant(-1)
			}
		}
		for c := range 2 {
			force[3*first+c] = ramp(t, 0, 0, 1, way[first][c])
		}
		z0 := make([]float64, 9)
		e, err := particles.NewQuadratic([]int{0, 1, 2}, z0, entries, force)
		if err != nil {
			t.Fatal(err)
		}
		plane, err := events.NewPlane(system(t, .3, z0, e), z0, 1)
		if err != nil {
			t.Fatalf("number %d is loaded: %v", first, err)
		}
		if plane.Askew() != nil {
			t.Errorf("number %d is loaded: %v", first, plane.Askew())
		}
		for j, want := range way {
			i, rubs := plane.Tangent(j)
			if got := plane.Dofs[i].Direction; !rubs || !(math.Abs(got[0]-want[0]) <= 1e-15) || !(math.Abs(got[1]-want[1]) <= 1e-15) || got[2] != 0 {
				t.Errorf("number %d is loaded: %d moves along %v, want %v", first, j, got, want)
			}
		}
	}
}

// TestExactHeights: a particle that floats over an obstacle by less than rounding, or is in it by so little, rests on it in float64 and not in ratios of integers: that is told.
func TestExactHeights(t *testing.T) {
	for _, c := range []struct {
		height float64
		want   string
	}{{0, ""}, {.125, ""}, {1e-17, "1/100000000000000000"}, {-1e-17, "-1/100000000000000000"}} {
		at := []float64{0, 0, .5}
		psi, z := cornered(t, at, [][]obstacle{{flat, {point: [3]float64{0, 0, .5}, normal: [3]float64{0, .6, .8}, mu: .25}}}, isotropic(t, 0, 1, path(t, 0, 0, .5, 1, 0, .25)))
		plane, err := events.NewPlane(psi, z, 1)
		if err != nil {
			t.Fatal(err)
		}
		exact := []float64{0, c.height / .6, .5}
		if c.height == .125 {
			exact[1] = 0
		}
		_, err = plane.Exact(exact)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), "as a decimal") {
			t.Errorf("height %g: %v", c.height, err)
		}
	}
}
