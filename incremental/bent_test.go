package incremental_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// TestBentSteps: after each step on curved and moving obstacles no direction d that leads into
// none, from the state z, is downhill, however small the step along it,
//
//	DE(z)·d + Σ_c μ_c f_c (|u_c + P_c d| − |u_c|)′ >= 0,
//
// with the frozen forces f_c, and u_c = P_c(z − z_base − what the obstacle has carried) along the
// obstacle at z: the condition of first order, which the solver fulfils to 1e-10 of the forces.
// Obstacles that are touched are so to rounding, and none is entered. Each contact with a curved or
// moving obstacle opens and slides in the run. Newton's method takes a few rounds a step, also
// where the particle on the ball passes near to the point opposite to the one from which its
// coordinates come, where they turn fast.
func TestBentSteps(t *testing.T) {
	const mu = 0.3
	r := rand.New(rand.NewPCG(7, 1))
	for _, mode := range []incremental.ThresholdMode{incremental.Lagged, incremental.Implicit} {
		ex := reference.Bent(func(int) dissipation.Matrix { return dissipation.Isotropic{Mu: mu} })
		sys := ex.Psi.System
		s, err := incremental.New(ex.Psi, 0, ex.Start, incremental.Options{Threshold: mode})
		check(t, err)
		var seen [7]incremental.Counts
		for k := 1; k <= 40; k++ {
			base, t0, t1 := append([]float64(nil), s.State()...), s.Time(), 0.05*float64(k)
			check(t, s.Step(t.Context(), t1))
			if n := s.Stats().Newton; n > 9 {
				t.Errorf("mode %d, t = %g: %d rounds of Newton's method", mode, t1, n)
			}
			z, frozen := s.State(), s.Frozen(nil)
			grad := make([]float64, len(z))
			sys.Gradient(grad, nil, t1, z)
			for j := range 3 {
				list := sys.Beside(j)
				if sys.Constrained(j) {
					list = append([]int{j}, list...)
				}
				v := [3]float64{z[3*j] - base[3*j], z[3*j+1] - base[3*j+1], z[3*j+2] - base[3*j+2]}
				var normals [][3]float64
				for _, c := range list {
					if n, _, _ := sys.ContactAxes(t1, c, z); sys.Touches(t1, c, z) {
						normals = append(normals, n)
					}
				}
				for range 40 {
					d := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
					for range 100 { // into the cone of what is admissible, by turns
						for _, n := range normals {
							into := min(vec3.Dot(n, d), 0)
							for i := range d {
								d[i] -= into * n[i]
							}
						}
					}
					work := 0.0
					for i := range d {
						work += grad[3*j+i] * d[i]
					}
					for _, c := range list {
						_, a, b := sys.ContactAxes(t1, c, z)
						w := sys.Carried(c, t0, base, t1)
						u := [3]float64{v[0] - w[0], v[1] - w[1], v[2] - w[2]}
						x, y, dx, dy := vec3.Dot(a, u), vec3.Dot(b, u), vec3.Dot(a, d), vec3.Dot(b, d)
						size := math.Hypot(x, y)
						// what sticks is where the obstacle carries it to 1e-13 of the extent
						if size > 1e-11 {
							work += mu * frozen[c] * (x*dx + y*dy) / size
						} else {
							work += mu * frozen[c] * math.Hypot(dx, dy)
						}
					}
					// Forces to 1e-10 of some newtons; directions of the motions of 1e-4 and more
					// to 1e-9 by rounding.
					if work < -1e-8*s.Scale() {
						t.Fatalf("mode %d, t = %g, particle %d: falls by %g J/m along %v", mode, t1, j, -work, d)
					}
				}
				for _, c := range list {
					if h := sys.Height(t1, c, z); h < -sys.Touching(c, z) {
						t.Errorf("mode %d, t = %g: contact %d is %g m inside", mode, t1, c, -h)
					}
				}
			}
			for c, state := range s.States() {
				seen[c][state]++
			}
		}
		for c, counts := range seen {
			if c >= 3 && (counts[incremental.Free] == 0 || counts[incremental.Slip] == 0) {
				t.Errorf("mode %d: contact %d does not open and slide: %v", mode, c, counts)
			}
		}
	}
}
