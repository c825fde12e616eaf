package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
)

// TestRollingByHand: one contact of unit mobility, pressed by 2, with μ = 0.5,
// μ_R = 0.1, μ_S = 0.05: friction up to 1, rolling moments up to 0.2, spinning up to 0.1.
func TestRollingByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		q, r []float64
	}{
		{"rests", []float64{-2, 0.5, 0, 0.1, -0.1}, []float64{2, -0.5, 0, -0.1, 0.1}},
		{"rolls", []float64{-2, 0.5, 0, 0.3, -0.4}, []float64{2, -0.5, 0, -0.12, 0.16}},
		{"slips and rolls", []float64{-2, 3, 4, 3, 0}, []float64{2, -0.6, -0.8, -0.2, 0}},
		{"leaves", []float64{1, 3, 4, 3, 0}, []float64{0, 0, 0, 0, 0}},
		{"spins", []float64{-2, 0, 0.1, 1}, []float64{2, 0, -0.1, -0.1}},
		{"spins and rolls", []float64{-2, 0, 0, -1, 0.15, 0}, []float64{2, 0, 0, 0.1, -0.15, 0}},
	} {
		l := Rolling{Mu: 0.5, Resistance: 0.1, Spin: 0.05}
		switch len(c.q) {
		case 4:
			l.Resistance = 0
		case 5:
			l.Spin = 0
		}
		for _, m := range []Method{MethodAuto, MethodGaussSeidel, MethodNewton} {
			var res Result
			p := unit(l, c.q...)
			if err := SolveLocal(context.Background(), p, &Options{Method: m, Tolerance: 1e-11}, nil, &res); err != nil {
				t.Errorf("%s, %v: %v", c.name, m, err)
				continue
			}
			for k := range c.r {
				if math.Abs(res.R[k]-c.r[k]) > 1e-9 {
					t.Errorf("%s, %v: r = %v, want %v", c.name, m, res.R, c.r)
					break
				}
			}
			if merit, _ := p.Merit(make([]float64, len(c.q)), nil, res.R); merit > 1e-10 {
				t.Errorf("%s, %v: merit %g", c.name, m, merit)
			}
		}
	}
	for _, p := range []*Local{unit(Rolling{Mu: 0.5, Resistance: 0.1}, -1, 0, 0),
		unit(Rolling{Spin: 1}, -1, 0, 0, 0, 0), unit(Pyramid{Mu: 1}, -1, 0, 0, 0)} {
		if err := SolveLocal(context.Background(), p, nil, nil, nil); err == nil {
			t.Errorf("%v in %d components is accepted", p.Laws[0], p.W.Dim())
		}
	}
	if err := SolveLocal(context.Background(), unit(Rolling{Mu: 0.5}, -1, 0, 0, 0, 0), &Options{Method: MethodInterior},
		nil, nil); err == nil {
		t.Error("the interior-point method took a rolling contact")
	}
}

// TestRollingInEquilibrium: random problems in all numbers of components, laws mixed,
// against the law stated piece by piece.
func TestRollingInEquilibrium(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 72))
	solved := 0
	for k := range 60 {
		dim, nc := 4+k%3, 1+rng.IntN(8)
		n := dim * nc
		g := make([]float64, (n+6)*n)
		for i := range g {
			g[i] = rng.NormFloat64()
		}
		w := &Dense{D: dim, N: n, Val: make([]float64, n*n)}
		for i := range n {
			for j := range n {
				for l := range n + 6 {
					w.Val[i*n+j] += g[l*n+i] * g[l*n+j] / float64(n)
				}
			}
		}
		p := &Local{W: w, Q: make([]float64, n)}
		for i := range n {
			p.Q[i] = rng.NormFloat64()
		}
		for j := range nc {
			switch j % 4 {
			case 1:
				p.Laws = append(p.Laws, Coulomb{Mu: 0.3})
			case 2:
				p.Laws = append(p.Laws, Frictionless{})
			case 3:
				p.Laws = append(p.Laws, Tresca{Threshold: 0.2})
			default:
				l := Rolling{Mu: 0.3, Resistance: 0.2, Spin: 0.1}
				if dim == 4 {
					l.Resistance = 0
				} else if dim == 5 {
					l.Spin = 0
				}
				p.Laws = append(p.Laws, l)
			}
		}
		var res Result
		if err := SolveLocal(context.Background(), p, &Options{Tolerance: 1e-10}, nil, &res); err != nil {
			t.Errorf("problem %d of %d contacts in %d components: %v", k, nc, dim, err)
			continue
		}
		solved++
		const close = 1e-8 // the tolerance over the least eigenvalue of W, some hundredths
		for j, l := range p.Laws {
			x, ok := l.(Rolling)
			if !ok {
				continue
			}
			r, u := res.R[dim*j:dim*j+dim], res.U[dim*j:dim*j+dim]
			if r[0] < -close || u[0] < -close || math.Abs(r[0]*u[0]) > close {
				t.Errorf("problem %d: r_N = %g, u_N = %g", k, r[0], u[0])
			}
			for i, d := range form.WideDiscs(dim) {
				bound := []float64{x.Mu, x.Resistance, 0}[min(i, 1)]
				if d.To-d.From == 1 {
					bound = x.Spin
				} else if i == 2 {
					bound = x.Resistance
				}
				size, slip, power := 0.0, 0.0, 0.0
				for c := d.From; c < d.To; c++ {
					size, slip = math.Hypot(size, r[c]), math.Hypot(slip, u[c])
					power += r[c] * u[c]
				}
				// Within the disc, and all of it against the motion.
				if size > bound*r[0]+close || math.Abs(power+bound*r[0]*slip) > close {
					t.Errorf("problem %d, contact %d, group %d: %g of %g, power %g against slip %g", k, j, i, size, bound*r[0], power, slip)
				}
			}
		}
	}
	t.Logf("%d of 60 solved", solved)
}
