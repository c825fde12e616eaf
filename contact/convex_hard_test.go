package contact

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// randomEnergy is np particles with a stored energy of the condition number cond,
// each before an obstacle in a random direction. Its largest stiffness is 1 or cond,
// its forces are of order 1 or those of displacements of order 1.
func randomEnergy(rng *rand.Rand, np int, cond float64, stiff, loaded bool) *Global {
	n := 3 * np
	q, a := orthogonal(rng, n), make([]float64, n*n)
	for k := range n {
		e := math.Pow(cond, -float64(k)/float64(n-1))
		if stiff {
			e *= cond
		}
		for i := range n {
			for j := range n {
				a[i*n+j] += e * q[k*n+i] * q[k*n+j]
			}
		}
	}
	p := &Global{M: fullSym(n, func(i, j int) float64 { return a[i*n+j] }), F: make([]float64, n),
		H: &Jacobian{Dim: 3, Rows: n, Ptr: []int{0}}}
	v := make([]float64, n)
	for i := range n {
		v[i], p.F[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	if loaded {
		p.M.MulVec(p.F, v)
	}
	threshold := 0.3 * num.InfNorm(p.F)
	for j := range np {
		f := orthogonal(rng, 3)
		for k := range 3 {
			p.H.Row = append(p.H.Row, 3*j+k)
			p.H.Val = append(p.H.Val, f[k], f[3+k], f[6+k])
		}
		p.H.Ptr = append(p.H.Ptr, len(p.H.Row))
		p.W = append(p.W, rng.Float64()*rng.Float64(), 0, 0)
		p.Laws = append(p.Laws, Tresca{Threshold: threshold * rng.Float64()})
	}
	return p
}

// orthogonal returns n orthonormal rows.
func orthogonal(rng *rand.Rand, n int) []float64 {
	q := make([]float64, n*n)
	for i := range n {
		x := q[i*n : i*n+n]
		for k := range x {
			x[k] = rng.NormFloat64()
		}
		for range 2 { // twice is enough for Gram and Schmidt
			for j := range i {
				y, s := q[j*n:j*n+n], 0.0
				for k := range x {
					s += x[k] * y[k]
				}
				for k := range x {
					x[k] -= s * y[k]
				}
			}
		}
		s := num.Norm(x)
		for k := range x {
			x[k] /= s
		}
	}
	return q
}

// bonded are two particles on tethers of stiffness 2 with a bond of 5e4 between them,
// the one above a floor and the other beside a wall.
func bonded(rng *rand.Rand) *Global {
	d := orthogonal(rng, 3)[:3]
	m := make([]float64, 36)
	for i := range 6 {
		m[7*i] = 2
		for j := range 6 {
			sign := 1.0
			if i/3 != j/3 {
				sign = -1
			}
			m[6*i+j] += 5e4 * sign * d[i%3] * d[j%3]
		}
	}
	p := &Global{M: fullSym(6, func(i, j int) float64 { return m[6*i+j] }), H: &Jacobian{Dim: 3, Rows: 6, Ptr: []int{0, 3, 6}},
		W: []float64{0.1 * rng.Float64(), 0, 0, 0.1 * rng.Float64(), 0, 0}}
	for range 6 {
		p.F = append(p.F, -3*rng.Float64())
	}
	// The floor's normal is the third axis, the wall's the first.
	p.H.Row = []int{0, 1, 2, 3, 4, 5}
	p.H.Val = []float64{0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}
	for range 2 {
		p.Laws = append(p.Laws, Tresca{Threshold: rng.Float64()})
	}
	return p
}

// TestConvexNeverStalls: every convex problem ends solved. The residual that counts as
// solved is the rounding of forces: eps |M||v| over their size, with |M||v| up to cond
// where the load drives the soft directions.
func TestConvexNeverStalls(t *testing.T) {
	count, out := 0, os.Getenv("QUASISTATIC_CONVEX_OUT") // for scripts/peers/convex_cvxopt.py
	var dump []any
	try := func(name string, p *Global, limit float64) {
		count++
		var res Result
		if err := SolveConvex(context.Background(), p, 0, nil, nil, &res); err != nil || !(res.Merit <= limit) {
			t.Errorf("%s: %v, residual %g, want at most %g", name, err, res.Merit, limit)
		}
		if out != "" {
			dump = append(dump, dumpConvex(name, p, res.V))
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range 400 {
		cond := math.Pow(10, 4+float64(k%5))
		// 64 roundings of a sum of up to 18 products, each of size cond or less.
		try("energy", randomEnergy(rng, 2+k%5, cond, k%2 == 0, k%4 < 2), max(1e-10, 64*num.Eps*cond))
	}
	for range 100 {
		try("bonded", bonded(rng), 1e-10)
	}
	if out != "" {
		data, err := json.Marshal(dump)
		if err == nil {
			err = os.WriteFile(out, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// dumpConvex is a problem as numbers, with our answer.
func dumpConvex(name string, p *Global, v []float64) any {
	n := p.M.N
	m := make([][]float64, n)
	e, col := make([]float64, n), make([]float64, n)
	for i := range n {
		e[i] = 1
		p.M.MulVec(col, e)
		e[i] = 0
		m[i] = append([]float64(nil), col...)
	}
	h := make([][]float64, len(p.W)) // rows of Hᵀ
	for j := range p.Laws {
		for k := range 3 {
			h[3*j+k] = make([]float64, n)
			for a := p.H.Ptr[j]; a < p.H.Ptr[j+1]; a++ {
				h[3*j+k][p.H.Row[a]] = p.H.Val[3*a+k]
			}
		}
	}
	var s []float64
	for _, l := range p.Laws {
		s = append(s, form.FormOf(l).Bound)
	}
	return map[string]any{"name": name, "m": m, "f": p.F, "h": h, "w": p.W, "s": s, "v": v}
}

// fullSym stores a full lower triangle.
func fullSym(n int, at func(i, j int) float64) *sparse.Sym {
	a := &sparse.Sym{N: n, Ptr: []int{0}}
	for j := range n {
		for i := j; i < n; i++ {
			a.Row, a.Val = append(a.Row, i), append(a.Val, at(i, j))
		}
		a.Ptr = append(a.Ptr, len(a.Row))
	}
	return a
}
