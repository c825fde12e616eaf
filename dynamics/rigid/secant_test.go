package rigid_test

import (
	"math"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// chainOf hangs n links of unit length in all at a hinge, let go at the angle.
func chainOf(t testing.TB, n, dim int, angle float64, o rigid.Options) (*rigid.Stepper, *bodies.World) {
	g := [3]float64{0, -9.81}
	w := world(t, dim, g)
	l := 1 / float64(n)
	s, c := math.Sin(angle), math.Cos(angle)
	var joints []rigid.Joint
	for i := range n {
		d := (float64(i) + 0.5) * l
		b := bodies.Body{Shape: bodies.Rod{Length: l}, Mass: 1, Position: [3]float64{d * s, -d * c}, Angle: angle - math.Pi/2}
		if dim == 3 {
			b.Shape, b.Angle = bodies.Capsule{Length: 0.8 * l, R: .1 * l}, 0
			a := angle - math.Pi/2
			b.Orientation = [4]float64{math.Cos(a / 2), 0, 0, math.Sin(a / 2)}
		}
		must[int](t)(w.Add(b))
		at := float64(i) * l
		kind := rigid.Revolute
		if dim == 3 {
			kind = rigid.Spherical
		}
		joints = append(joints, rigid.Joint{Kind: kind, A: i, B: i - 1, At: [3]float64{at * s, -at * c}})
	}
	return start(t, w, rigid.Setup{Joints: joints, Apart: apartAll(n)}, o), w
}

func apartAll(n int) map[[2]int]bool {
	m := map[[2]int]bool{}
	for i := range n {
		for j := range i {
			m[[2]int{j, i}] = true
		}
	}
	return m
}

func TestScratch(t *testing.T) {
	for _, n := range []int{1, 2, 20, 50} {
		for _, dim := range []int{2, 3} {
			for _, sch := range []rigid.Scheme{rigid.Gavrea, rigid.Secant} {
				s, _ := chainOf(t, n, dim, 1, rigid.Options{Alpha: .5, Scheme: sch})
				e0 := s.Energy()
				t0 := time.Now()
				steps := 1000
				if n >= 20 {
					steps = 100
				}
				run(t, s, .005, steps)
				e := s.Energy()
				t.Logf("n=%d dim=%d %v: dE %.3g of %.3g, ms/step %.3g, drift %g scheme %g proj %g joints %g", n, dim, sch, e.Kinetic+e.Potential-e0.Kinetic-e0.Potential, e.Kinetic,
					time.Since(t0).Seconds()*1e3/float64(steps), s.Last().Drift, e.Scheme, e.Projection, e.Joints)
			}
		}
	}
}
