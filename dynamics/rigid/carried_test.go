package rigid_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/signal"
)

// carriedWall lays bricks on a plane that turns with it: rows side by side, each at a quarter of a brick
// from the one below, which hold each other in more ways than they can move. In space the plane is a
// turntable and the rows are along x.
func carriedWall(t *testing.T, dim, rows, columns int, motion signal.Motion) *rigid.Stepper {
	up := dim - 1
	var list []bodies.Body
	for row := range rows {
		for k := range columns {
			var b bodies.Body
			b.Shape, b.Mass = plate(.2, .1), 36
			if dim == 3 {
				b.Shape = bodies.Box{Size: [3]float64{.2, .2, .1}}
			}
			b.Position[0], b.Position[up] = (float64(k)+.25*float64(row%2))*.2, (float64(row)+.5)*.1
			list = append(list, b)
			x := &list[len(list)-1]
			v := motion.Rate(0, x.Position)
			x.Velocity = v
			for i, a := range motion.Axis {
				x.Spin[i] = a * motion.Angle.Rate(0)
			}
		}
	}
	var n, g [3]float64
	n[up], g[up] = 1, -9.81
	return onObstacles(t, dim, g, multibody.Material{Mu: .65}, rigid.Options{Alpha: .5}, list,
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: n}, Motion: motion})
}

// TestCarriedWalls: bricks side by side, and in rows, that friction holds on what turns, go with it to
// rounding and lose nothing. The forces between them are open: where rows contradicted each other
// by what a step turns they went to the bound of friction, contacts slipped and met again, and each
// time a step took 1e-3 J, if it was solved at all.
func TestCarriedWalls(t *testing.T) {
	thorough.Seconds(t)
	tilt, err := signal.NewSine(math.Pi/6, math.Pi/6, 1.0/12, -math.Pi/2) // from rest to 30° in 3 s
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		dim, rows, columns int
		motion             signal.Motion
	}{
		"two on a table":  {2, 1, 2, signal.Motion{Axis: [3]float64{0, 0, 1}, Angle: tilt}},
		"four on a table": {2, 2, 2, signal.Motion{Axis: [3]float64{0, 0, 1}, Angle: tilt}},
		"nine on a table": {2, 3, 3, signal.Motion{Axis: [3]float64{0, 0, 1}, Angle: tilt}},
		"three on a turntable": {3, 1, 3, signal.Motion{Axis: [3]float64{0, 0, 1},
			Angle: ramp(t, []float64{-1, 10}, []float64{-1, 10})}},
		"four on a turning plane": {3, 2, 2, signal.Motion{Axis: [3]float64{0, -1, 0}, Angle: tilt}},
	} {
		t.Run(name, func(t *testing.T) {
			s := carriedWall(t, c.dim, c.rows, c.columns, c.motion)
			_, start, _, _ := s.State()
			start = append([]float64(nil), start...)
			hits := 0
			const n = 256
			for range n {
				march(t, s, 3.0/n, 1)
				hits += len(s.Last().Collisions)
			}
			_, q, _, _ := s.State()
			r, p := c.motion.At(3)
			each := len(q) / (c.rows * c.columns)
			for b := range c.rows * c.columns {
				for i := range c.dim {
					want := p[i]
					for j := range c.dim {
						want += r[3*i+j] * start[b*each+j]
					}
					near(t, "coordinate", q[b*each+i], want, 1e-8) // contact problems to 1e-11 of gh, 256 steps
				}
			}
			if hits > 0 {
				t.Errorf("%d collisions", hits)
			}
			e := s.Energy()
			near(t, "taken by friction", e.Friction, 0, 1e-6)
			near(t, "taken by normal forces", e.Normal, 0, 2e-5) // O(h²), of the 30 J that the motion lifts
		})
	}
}
