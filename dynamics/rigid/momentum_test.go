package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// In free flight the momentum is that of the start to rounding, with and without
// joints, for all α; kinetic energy and spin of free bodies too, where F(v) is
// skew and α = ½. Angular momentum in space: to rounding in the plane without
// joints, where it is a velocity; otherwise of first order, as F(v^l) and the
// levers at q^l are.
func TestFreeFlight(t *testing.T) {
	for _, dim := range []int{2, 3} {
		for _, tied := range []bool{false, true} {
			var joints []multibody.Joint
			if tied {
				joints = []multibody.Joint{{Kind: multibody.Spherical, A: 0, B: 1, At: [3]float64{.5}}}
			}
			for _, alpha := range []float64{0.5, 0.75, 1} {
				name := fmt.Sprintf("%d dimensions, tied %v, α = %g", dim, tied, alpha)
				var turned [2]float64
				for k, n := range []int{400, 800} {
					s, w := thrown(t, dim, joints, rigid.Options{Alpha: alpha, Scheme: rigid.Gavrea})
					run(t, s, 1e-4, 1) // jerks the joint taut
					_, q, v, _ := s.State()
					p0, l0 := momenta(w, q, v)
					e0 := s.Last().Energy.Kinetic
					run(t, s, 1/float64(n), n)
					_, q, v, _ = s.State()
					p, l := momenta(w, q, v)
					for i := range 3 {
						near(t, name+": momentum", p[i], p0[i], 1e-12) // 800 roundings of 10 N s
						turned[k] += (l[i] - l0[i]) * (l[i] - l0[i])
					}
					turned[k] = math.Sqrt(turned[k])
					if e := s.Last().Energy; alpha == 0.5 {
						near(t, name+": energy", e.Kinetic, e0, 1e-11)
					} else if e.Kinetic > e0+1e-12 {
						t.Errorf("%s: the kinetic energy grows by %g J", name, e.Kinetic-e0)
					}
				}
				if dim == 2 && !tied {
					near(t, name+": angular momentum", turned[1], 0, 1e-11) // 800 roundings of x × mv, 30 N m s
				} else {
					near(t, name+": order of the angular momentum", math.Log2(turned[0]/turned[1]), 1, 0.02) // next term O(h)
				}
			}
		}
	}
}
