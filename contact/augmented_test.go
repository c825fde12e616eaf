package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quasistatic/quasistatic/internal/seeded"
	"github.com/quasistatic/quasistatic/sparse"
)

// nodal returns H for np particles with identity frames: contact j is particle
// j, its normal the third coordinate.
func nodal(np int) *Jacobian {
	h := &Jacobian{Dim: 3, Rows: 3 * np, Ptr: []int{0}}
	for j := range np {
		h.Row = append(h.Row, 3*j, 3*j+1, 3*j+2)
		h.Val = append(h.Val, 0, 1, 0, 0, 0, 1, 1, 0, 0)
		h.Ptr = append(h.Ptr, 3*(j+1))
	}
	return h
}

// net returns the problem of an nx×ny net of bonds (stiffness k, all
// directions), every node on a weak tether, pressed with force 1 onto the
// floor with threshold s and pulled by fx.
func net(nx, ny int, s, fx float64) *Global {
	np := nx * ny
	b := sparse.NewBuilder(3 * np)
	edges := func(f func(i, j int)) {
		for y := range ny {
			for x := range nx {
				i := x + nx*y
				if x+1 < nx {
					f(i, i+1)
				}
				if y+1 < ny {
					f(i, i+nx)
				}
			}
		}
	}
	edges(func(i, j int) {
		for c := range 3 {
			b.Add(3*j+c, 3*i+c)
		}
	})
	m := b.Build()
	edges(func(i, j int) {
		for c := range 3 {
			m.Val[m.Index(3*i+c, 3*i+c)]++
			m.Val[m.Index(3*j+c, 3*j+c)]++
			m.Val[m.Index(3*j+c, 3*i+c)]--
		}
	})
	f := make([]float64, 3*np)
	laws := make([]Law, np)
	for j := range np {
		for c := range 3 {
			m.Val[m.Index(3*j+c, 3*j+c)] += 0.01
		}
		f[3*j], f[3*j+1], f[3*j+2] = fx*(1+0.5*math.Sin(float64(j))), 0.3*fx*math.Cos(float64(3*j)), -1
		laws[j] = &Tresca{Threshold: s}
	}
	return &Global{M: m, F: f, H: nodal(np), W: make([]float64, 3*np), Laws: laws}
}

func TestNetColdStart(t *testing.T) {
	for _, fx := range []float64{0, 0.1, 0.3, 0.5, 1, 3, 100} {
		p := net(20, 20, 0.4, fx)
		var ws GlobalWorkspace
		var res Result
		err := SolveConvex(context.Background(), p, 0, &Options{}, &ws, &res)
		if err != nil {
			t.Errorf("fx = %g: %v", fx, err)
			continue
		}
		g := DualityGap(context.Background(), p, res.V, res.R, &ws)
		t.Logf("fx = %g: %d iterations, %d factorisations, merit %.1e, gap %+v", fx, res.Iterations, res.Factors, res.Merit, g)
	}
}

// TestConvexProperty checks the optimality conditions on random problems with
// rotated contacts, several contacts on the same rows, shapes, gaps and zero
// thresholds, through the independent residual and the duality gap.
func TestConvexProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		p := randomConvex(rng, 1+rng.IntN(6), rng.IntN(7))
		var ws GlobalWorkspace
		var res Result
		if err := SolveConvex(context.Background(), p, 0, &Options{}, &ws, &res); err != nil {
			rt.Fatal(err)
		}
		// The gap is quadratic in the force residual and linear in the
		// complementarity: 1e-12 of the energies ½vᵀMv and f·v and a little more.
		scale, mv := 1e-3, make([]float64, p.M.N)
		p.M.MulVec(mv, res.V)
		for i, v := range res.V {
			scale += 0.5*mv[i]*v + math.Abs(p.F[i]*v)
		}
		if g := DualityGap(context.Background(), p, res.V, res.R, &ws); math.Abs(g.Total()) > 1e-9*scale {
			rt.Fatalf("gap %+v at scale %g", g, scale)
		}
	})
}

func randomConvex(rng *rand.Rand, np, nc int) *Global {
	n := 3 * np
	b := sparse.NewBuilder(n)
	for i := range n {
		for j := range i {
			b.Add(i, j)
		}
	}
	m := b.Build()
	for range n + 1 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		for i := range n {
			for j := range i + 1 {
				m.Val[m.Index(i, j)] += x[i] * x[j]
			}
		}
	}
	for i := range n {
		m.Val[m.Index(i, i)] += 0.1
	}
	p := &Global{M: m, F: make([]float64, n), H: &Jacobian{Dim: 3, Rows: n, Ptr: []int{0}}}
	for i := range p.F {
		p.F[i] = rng.NormFloat64()
	}
	for range nc {
		j := rng.IntN(np)
		for c := range 3 {
			p.H.Row = append(p.H.Row, 3*j+c)
			for range 3 {
				p.H.Val = append(p.H.Val, rng.NormFloat64())
			}
		}
		p.H.Ptr = append(p.H.Ptr, len(p.H.Row))
		p.W = append(p.W, max(0, rng.NormFloat64()), 0, 0)
		var law Law = Frictionless{}
		if rng.IntN(3) > 0 {
			l := &Tresca{Threshold: max(0, rng.NormFloat64())}
			if rng.IntN(2) == 0 {
				l.Shape = NewShape([4]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()})
			}
			law = l
		}
		p.Laws = append(p.Laws, law)
	}
	return p
}
