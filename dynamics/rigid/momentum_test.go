package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// momenta returns Σ m ẋ and Σ (x × m ẋ + R J ω) about the origin.
func momenta(w *bodies.World, q, v []float64) (p, l [3]float64) {
	cross := func(a, b [3]float64) [3]float64 {
		return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	for i := range w.Bodies() {
		m, j := w.Inertia(i)
		_, at := w.Coordinates(i)
		x, r := w.Place(i, q)
		var mv, spin [3]float64
		for k := range w.Dim() {
			mv[k] = m * v[at+k]
			p[k] += mv[k]
		}
		orbit := cross(x, mv)
		switch {
		case !w.Spins(i):
		case w.Dim() == 2:
			spin[2] = j[2] * v[at+2]
		default:
			y := [3]float64{j[0] * v[at+3], j[1] * v[at+4], j[2] * v[at+5]}
			for k := range 3 {
				spin[k] = r[3*k]*y[0] + r[3*k+1]*y[1] + r[3*k+2]*y[2]
			}
		}
		for k := range 3 {
			l[k] += orbit[k] + spin[k]
		}
	}
	return p, l
}

// thrown are bodies of three different moments in free flight, with and without
// a joint between two of them.
func thrown(t testing.TB, dim int, joints []multibody.Joint, o rigid.Options) (*rigid.Stepper, *bodies.World) {
	w := world(t, dim, [3]float64{})
	for i := range 3 {
		b := bodies.Body{Shape: bodies.Disc{R: .2}, Mass: 1 + float64(i), Position: [3]float64{float64(i)},
			Velocity: [3]float64{1, float64(i)}, Spin: [3]float64{0, 0, 3 + float64(i)}}
		if dim == 3 {
			b.Shape, b.Velocity[2] = bodies.Box{Size: [3]float64{.2, .3, .4}}, -1
			b.Spin = [3]float64{3, 1, float64(i)}
		}
		must[int](t)(w.Add(b))
	}
	return start(t, w, multibody.Setup{Joints: joints}, o), w
}

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
