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

func TestProbeArch(t *testing.T) {
	if os.Getenv("PROBE") == "" {
		t.Skip()
	}
	for _, alpha := range []float64{1, .5} {
		for _, n := range []int{400, 800, 1600, 3200} {
			s := thinArch(t, rigid.Options{Alpha: alpha})
			began := s.Energy()
			it := 0
			for range n {
				if err := s.Step(t.Context(), 1.5/float64(n)); err != nil {
					fmt.Println("ERR", err)
					break
				}
				it += s.Last().Solves
			}
			e := s.Energy()
			fmt.Printf("arch alpha %g n %d T %.3f fell %.1f made: proj %.3g normal %.3g scheme %.3g joints %.3g kin %.3g solves %d\n", alpha, n, s.Last().T, began.Potential-e.Potential, -e.Projection, -e.Normal, -e.Scheme, -e.Joints, e.Kinetic, it)
			for _, m := range s.Accurate(1e-2) {
				fmt.Printf("    %s %.3g: %s\n", m.Name, m.Value, m.Place)
			}
		}
	}
}

func TestProbeEllipse(t *testing.T) {
	if os.Getenv("PROBE") == "" {
		t.Skip()
	}
	for _, alpha := range []float64{1, .5} {
		for n := 500; n <= 64000; n *= 2 {
			a, d, e := rock(t, rigid.Secant, alpha, n)
			fmt.Printf("ellipse alpha %g n %d angle %.9f off %.3e depth %.3g E %.9g friction %.9g normal %.3g proj %.3g imp %.3g\n", alpha, n, a, a-.0897683, d, e.Kinetic+e.Potential, e.Friction, e.Normal, e.Projection, e.Impact)
		}
	}
}

func TestProbeBox(t *testing.T) {
	if os.Getenv("PROBE") == "" {
		t.Skip()
	}
	for _, alpha := range []float64{1, .5} {
		for n := 25; n <= 800; n *= 2 {
			w := world(t, 2, [3]float64{0, -9.81})
			must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
			const th = 1.0 // tilt, falls over its corner
			a, b := .2, .1
			c, si := math.Cos(th), math.Sin(th)
			must[int](t)(w.Add(bodies.Body{Shape: plate(2*a, 2*b), Mass: 1, Position: [3]float64{0, a*si + b*c}, Angle: th, Spin: [3]float64{0, 0, 0}}))
			s := start(t, w, rigid.Setup{Material: rigid.Material{Mu: 5}}, rigid.Options{Alpha: alpha})
			e0 := s.Energy()
			run(t, s, .2/float64(n), n)
			_, q, _, _ := s.State()
			e := s.Energy()
			fmt.Printf("box alpha %g n %d angle %.9f dE %.3g proj %.3g stick %d coll %.3g\n", alpha, n, q[2], e.Kinetic+e.Potential-e0.Kinetic-e0.Potential, e.Projection, s.Last().Stick, e.Impact)
		}
	}
}

func TestProbePipe(t *testing.T) {
	if os.Getenv("PROBE") == "" {
		t.Skip()
	}
	const g, l = 9.81, 0.9
	for _, n := range []int{75, 150, 300, 600, 1200, 2400} {
		s := onObstacles(t, 3, [3]float64{0, 0, -g}, rigid.Material{}, rigid.Options{Alpha: 0.5}, []bodies.Body{{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: [3]float64{l * math.Sin(math.Pi/3), 0, -l / 2}}},
			bodies.Obstacle{Surface: bodies.Cylinder{Axis: [3]float64{0, 1, 0}, R: 1, Inside: true}})
		e0 := s.Energy()
		T := 0.5105990598164022
		worst, at := 0.0, 0
		for k := range n {
			b := s.Energy()
			run(t, s, T/float64(n), 1)
			e := s.Energy()
			if n == 300 && k < 0 {
				d, _ := s.Deepest()
				fmt.Printf("pipe %d dE %.3g proj %.3g solves %d cuts %v pen %.3g stick %d slip %d open %d resid %.3g\n", k, e.Kinetic+e.Potential-b.Kinetic-b.Potential, e.Projection-b.Projection, s.Last().Solves, s.Last().Cuts, d, s.Last().Stick, s.Last().Slip, s.Last().Open, s.Last().Residual)
			}
			if d := math.Abs(e.Kinetic + e.Potential - b.Kinetic - b.Potential); d > worst {
				worst, at = d, k
			}
		}
		e := s.Energy()
		_, q, v, _ := s.State()
		fmt.Printf("pipe n %d x %.3e v %.3e dE %.3g worst %.3g at %d proj %.3g imp %.3g\n", n, q[0], v[0]+math.Sqrt(g*l), e.Kinetic+e.Potential-e0.Kinetic-e0.Potential, worst, at, e.Projection, e.Impact)
	}
}

func TestProbePair(t *testing.T) {
	if os.Getenv("PROBE") == "" {
		t.Skip()
	}
	for _, kind := range []string{"balls", "discs", "ballbox", "capsule"} {
		for n := 50; n <= 800; n *= 2 {
			dim := 3
			if kind == "discs" {
				dim = 2
			}
			g := [3]float64{}
			g[dim-1] = -9.81
			w := world(t, dim, g)
			var joints []rigid.Joint
			b := bodies.Body{Mass: 1}
			a := bodies.Body{Mass: 3}
			up := dim - 1
			const R, r, th = .5, .1, .1
			a.Shape, b.Shape = bodies.Sphere{R: R}, bodies.Sphere{R: r}
			if dim == 2 {
				a.Shape, b.Shape = bodies.Disc{R: R}, bodies.Disc{R: r}
			}
			b.Position[0], b.Position[up] = (R+r)*math.Sin(th), (R+r)*math.Cos(th)
			switch kind {
			case "ballbox":
				a.Shape = bodies.Box{Size: [3]float64{1, 1, .2}}
				b.Position = [3]float64{.1, 0, .2}
				joints = append(joints, rigid.Joint{Kind: rigid.Revolute, A: 0, B: -1, Axis: [3]float64{0, 1}})
			case "capsule":
				a.Shape = bodies.Capsule{Length: 1, R: R}
				b.Position[1] = .1
				joints = append(joints, rigid.Joint{Kind: rigid.Revolute, A: 0, B: -1, Axis: [3]float64{1, 0, 0}})
			default:
				joints = append(joints, rigid.Joint{Kind: rigid.Spherical, A: 0, B: -1})
			}
			must[int](t)(w.Add(a))
			must[int](t)(w.Add(b))
			s := start(t, w, rigid.Setup{Joints: joints, Material: rigid.Material{Mu: 5}}, rigid.Options{Alpha: .5})
			e0 := s.Energy()
			solves := 0
			for range n {
				run(t, s, .3/float64(n), 1)
				solves += s.Last().Solves
			}
			e := s.Energy()
			_, q, _, _ := s.State()
			fmt.Printf("pair %s n %d x %.9f %.9f dE %.3g proj %.3g stick %d solves %d\n", kind, n, q[len(q)/2], q[len(q)/2+up], e.Kinetic+e.Potential-e0.Kinetic-e0.Potential, e.Projection, s.Last().Stick, solves)
		}
	}
}

func TestProbeRock(t *testing.T) {
	if os.Getenv("PROBE") == "" {
		t.Skip()
	}
	n := 2000
	w := world(t, 2, [3]float64{0, -9.81})
	must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
	const tilt = 75 * math.Pi / 180
	must[int](t)(w.Add(bodies.Body{Shape: bodies.Ellipse{A: .1, B: .05}, Mass: .05, Inertia: [3]float64{0, 0, .00015},
		Position: [3]float64{0, math.Hypot(.1*math.Sin(tilt), .05*math.Cos(tilt))}, Angle: tilt}))
	s := start(t, w, rigid.Setup{Material: rigid.Material{Mu: .2}}, rigid.Options{Alpha: .5})
	last := ""
	var fn, ft float64
	for k := range n {
		e0 := s.Energy()
		if err := s.Step(t.Context(), 2/float64(n)); err != nil {
			t.Fatal(err)
		}
		st := fmt.Sprint(s.Last().Open, s.Last().Stick, s.Last().Slip)
		e := s.Energy()
		if st != last || len(s.Last().Collisions) > 0 {
			_, q, v, _ := s.State()
			gap := 0.0
			s.Contacts(func(p *rigid.Present) { fn, ft = p.Force[0], p.Force[1] })
			fmt.Printf("rock %d open/stick/slip %s coll %d dE %.3g q %.6g v %.5g gap %.3g fn %.4g ft %.4g normal %.3g\n", k, st, len(s.Last().Collisions), e.Kinetic+e.Potential-e0.Kinetic-e0.Potential+e.Friction-e0.Friction, q, v, gap, fn, ft, e.Normal-e0.Normal)
			for _, c := range s.Last().Collisions {
				fmt.Printf("      coll t %.6f speed %.3g loss %.3g\n", c.T, c.Speed, c.Loss)
			}
		}
		last = st
	}
}
