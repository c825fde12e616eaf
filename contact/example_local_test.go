package contact_test

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// A block of 2 kg on an incline, one impulse step of 0.1 s: it sticks as long
// as the tangent of the angle is below μ.
func ExampleSolveLocal_incline() {
	const mass, dt, g, mu = 2.0, 0.1, 9.81, 0.5
	var ws contact.LocalWorkspace
	var res contact.Result
	for _, degrees := range []float64{20, 26, 27, 45} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		p := &contact.Local{
			W:    &contact.Dense{D: 2, N: 2, Val: []float64{1 / mass, 0, 0, 1 / mass}},
			Q:    []float64{-g * cos * dt, g * sin * dt},
			Laws: []contact.Law{contact.Coulomb{Mu: mu}},
		}
		if err := contact.SolveLocal(context.Background(), p, &contact.Options{}, &ws, &res); err != nil {
			fmt.Println(err)
		}
		fmt.Printf("%2.0f degrees: normal %.3f N s, friction %.3f N s, slides at %.3f m/s\n", degrees, res.R[0], res.R[1], max(0, res.U[1]))
	}
	// Output:
	// 20 degrees: normal 1.844 N s, friction -0.671 N s, slides at 0.000 m/s
	// 26 degrees: normal 1.763 N s, friction -0.860 N s, slides at 0.000 m/s
	// 27 degrees: normal 1.748 N s, friction -0.874 N s, slides at 0.008 m/s
	// 45 degrees: normal 1.387 N s, friction -0.694 N s, slides at 0.347 m/s
}

// stack is a column of n unit masses, each on the one below, under gravity and
// a push to the side of the top one: contact i carries the weight of all above.
func stack(n int, push float64) *contact.Local {
	b := &contact.Blocks{D: 3, Ptr: []int{0}}
	p := &contact.Local{W: b, Q: make([]float64, 3*n)}
	for i := range n {
		for _, c := range []struct {
			col int
			w   float64
		}{{i - 1, -1}, {i, 2}, {i + 1, -1}} {
			if c.col < 0 || c.col == n {
				continue
			}
			if i == 0 && c.col == 0 { // the ground does not move
				c.w = 1
			}
			b.Col = append(b.Col, c.col)
			b.Val = append(b.Val, c.w, 0, 0, 0, c.w, 0, 0, 0, c.w)
		}
		b.Ptr = append(b.Ptr, len(b.Col))
		p.Laws = append(p.Laws, contact.Coulomb{Mu: 0.5})
	}
	p.Q[0] = -1 // all fall alike: only the ground sees it
	p.Q[3*n-2] = push
	return p
}

// A stack of five boxes, the top one pushed: the contacts carry 5, 4, … weights
// and pass the push down to the ground.
func ExampleSolveLocal_stack() {
	p := stack(5, 0.4)
	var res contact.Result
	if err := contact.SolveLocal(context.Background(), p, nil, nil, &res); err != nil {
		fmt.Println(err)
	}
	for j := range p.Laws {
		fmt.Printf("contact %d: normal %.1f, friction %.1f\n", j, res.R[3*j], res.R[3*j+1])
	}
	fmt.Println(res.Status, res.Merit < 1e-8)
	// Output:
	// contact 0: normal 5.0, friction -0.4
	// contact 1: normal 4.0, friction -0.4
	// contact 2: normal 3.0, friction -0.4
	// contact 3: normal 2.0, friction -0.4
	// contact 4: normal 1.0, friction -0.4
	// converged true
}

// Two walls that leave no room have no solution, and the ray proves it.
func ExampleCertifies() {
	p := &contact.Local{
		W:    &contact.Dense{D: 2, N: 4, Val: []float64{1, 0, -1, 0, 0, 1, 0, -1, -1, 0, 1, 0, 0, -1, 0, 1}},
		Q:    []float64{-1, 0, -1, 0},
		Laws: []contact.Law{contact.Coulomb{Mu: 0.3}, contact.Coulomb{Mu: 0.3}},
	}
	var res contact.Result
	err := contact.SolveLocal(context.Background(), p, nil, nil, &res)
	fmt.Println(res.Status, err != nil, contact.Certifies(p, res.Ray))
	// Output: infeasible true true
}
