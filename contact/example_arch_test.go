package contact_test

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/sparse"
)

// arch is a half circle of n rigid voussoirs of unit mean radius and density,
// on two springings, for one step dt of their weight. Voussoir i has the rows 3i
// to 3i+2 of v (x, y, turn about its centre); joint i, between voussoirs i−1 and
// i, has a contact at either edge of its face. u is the motion of voussoir i
// against voussoir i−1; the springings stand still.
func arch(n int, thickness, mu, dt float64) *contact.Global {
	sector := math.Pi / float64(n)
	mass := thickness * sector
	inertia := mass * (sector*sector + thickness*thickness) / 12
	h := &contact.Jacobian{Dim: 2, Rows: 3 * n, Ptr: []int{0}}
	p := &contact.Global{M: sparse.NewBuilder(3 * n).Build(), F: make([]float64, 3*n), H: h}
	for i := range n {
		for c, m := range []float64{mass, mass, inertia} {
			p.M.Val[p.M.Index(3*i+c, 3*i+c)] = m
		}
		p.F[3*i+1] = -9.81 * mass * dt
	}
	for i := range n + 1 {
		sin, cos := math.Sincos(sector * float64(i))
		for _, radius := range []float64{1 - thickness/2, 1 + thickness/2} {
			for _, side := range []struct {
				body int
				sign float64
			}{{i - 1, -1}, {i, 1}} {
				if side.body < 0 || side.body == n {
					continue
				}
				s, c := math.Sincos(sector * (float64(side.body) + 0.5))
				x, y := radius*cos-c, radius*sin-s // from the centre to the contact
				// Normal (−sin, cos) into voussoir i, tangent (cos, sin).
				for k, e := range [][2]float64{{-sin, cos}, {cos, sin}, {x*cos + y*sin, x*sin - y*cos}} {
					h.Row = append(h.Row, 3*side.body+k)
					h.Val = append(h.Val, side.sign*e[0], side.sign*e[1])
				}
			}
			h.Ptr = append(h.Ptr, len(h.Row))
			p.W, p.Laws = append(p.W, 0, 0), append(p.Laws, contact.Coulomb{Mu: mu})
		}
	}
	return p
}

// An arch of five voussoirs: 24 reactions for 15 velocities, so that they are
// one choice of many, but whether it stands and what the springings carry is
// not. A half circle of many voussoirs needs a thickness of 0.107 radii to hold
// its weight by unilateral joints alone; half of that falls, and so does an arch
// whose faces are too smooth.
func ExampleSolveLocal_arch() {
	const dt = 0.01
	for _, c := range []struct{ thickness, mu float64 }{{0.2, 0.7}, {0.05, 0.7}, {0.2, 0.1}} {
		p := arch(5, c.thickness, c.mu, dt)
		d, err := contact.NewDelassus(p)
		if err != nil {
			fmt.Println(err)
			return
		}
		var res contact.Result
		if err := contact.SolveLocal(context.Background(), d.Local, nil, nil, &res); err != nil {
			fmt.Println(err)
			return
		}
		fastest, weight := 0.0, 0.0
		for i, v := range d.Velocity(nil, res.R) {
			fastest = max(fastest, math.Abs(v))
			if i%3 == 1 {
				weight -= p.F[i]
			}
		}
		// Both springings push up: the first along its normal, on the voussoir above;
		// the last against it, the voussoir being on the other side.
		last := len(res.R) - 4
		carried := res.R[0] + res.R[2] + res.R[last] + res.R[last+2]
		fmt.Printf("thickness %.2f, μ %.1f: %d reactions, %d velocities, stands: %v, springings carry %.3f of the weight\n",
			c.thickness, c.mu, len(res.R), p.M.N, fastest < 1e-6*9.81*dt, carried/weight)
	}
	// Output:
	// thickness 0.20, μ 0.7: 24 reactions, 15 velocities, stands: true, springings carry 1.000 of the weight
	// thickness 0.05, μ 0.7: 24 reactions, 15 velocities, stands: false, springings carry 0.957 of the weight
	// thickness 0.20, μ 0.1: 24 reactions, 15 velocities, stands: false, springings carry 0.815 of the weight
}
