package rigid_test

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

func TestProbeCurved(t *testing.T) {
	if os.Getenv("PROBE") == "" {
		t.Skip()
	}
	for _, alpha := range []float64{1, .5} {
		for _, surf := range []string{"cyl2", "ball2", "balls3", "cyl3", "inball3"} {
			prev := 0.0
			for n := 50; n <= 1600; n *= 2 {
				dim := 2
				if surf[len(surf)-1] == '3' {
					dim = 3
				}
				g := [3]float64{0, -9.81}
				if dim == 3 {
					g = [3]float64{0, 0, -9.81}
				}
				w := world(t, dim, g)
				const R, r, th = 1.0, .1, .6
				var b bodies.Body
				b.Mass = 1
				b.Shape = bodies.Disc{R: r}
				if dim == 3 {
					b.Shape = bodies.Sphere{R: r}
				}
				up := dim - 1
				switch surf {
				case "cyl2":
					must[int](t)(w.AddObstacle(bodies.Obstacle{Surface: bodies.Ball{R: R, Inside: true}}))
					b.Position[0], b.Position[up] = (R-r)*math.Sin(th), -(R-r)*math.Cos(th)
				case "ball2", "balls3":
					must[int](t)(w.AddObstacle(bodies.Obstacle{Surface: bodies.Ball{R: R}}))
					b.Position[0], b.Position[up] = (R+r)*math.Sin(.1), (R+r)*math.Cos(.1)
				case "inball3":
					must[int](t)(w.AddObstacle(bodies.Obstacle{Surface: bodies.Ball{R: R, Inside: true}}))
					b.Position[0], b.Position[up] = (R-r)*math.Sin(th), -(R-r)*math.Cos(th)
					b.Velocity[1] = .7
				case "cyl3":
					must[int](t)(w.AddObstacle(bodies.Obstacle{Surface: bodies.Cylinder{Axis: [3]float64{0, 1, 0}, R: R, Inside: true}}))
					b.Position[0], b.Position[up] = (R-r)*math.Sin(th), -(R-r)*math.Cos(th)
					b.Velocity[1] = .3
				}
				if b.Velocity[1] != 0 { // rolling: omega x (contact - centre) = -v; contact direction c
					c := [3]float64{math.Sin(th), 0, -math.Cos(th)}
					// v + w x r c = 0; w = (c x v)/r *(-1)?  w x c = -v/r, w = c x (-v/r) * ... with w.c=0: w = c x (w x c) = -c x v / r
					v := b.Velocity
					b.Spin = [3]float64{-(c[1]*v[2] - c[2]*v[1]) / r, -(c[2]*v[0] - c[0]*v[2]) / r, -(c[0]*v[1] - c[1]*v[0]) / r}
				}
				must[int](t)(w.Add(b))
				s := start(t, w, rigid.Setup{Material: rigid.Material{Mu: 5}}, rigid.Options{Alpha: alpha})
				T := 1.0
				if surf == "ball2" || surf == "balls3" {
					T = .5
				}
				e0 := s.Energy()
				run(t, s, T/float64(n), n)
				e := s.Energy()
				_, q, _, _ := s.State()
				x := q[0]
				fmt.Printf("alpha %g %s n %d dE %.3e x %.9f diff %.3e stick %d proj %.3g\n", alpha, surf, n, e.Kinetic+e.Potential-e0.Kinetic-e0.Potential, x, x-prev, s.Last().Stick, e.Projection)
				prev = x
			}
		}
	}
}
