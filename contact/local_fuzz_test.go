package contact

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// FuzzLocal throws small problems of every kind at every solver: degenerate,
// singular, without friction, with too much of it, with zero rows, of odd
// scales. The verdict must be true, every number finite, the limits held.
func FuzzLocal(f *testing.F) {
	for k := range 64 {
		f.Add(uint64(k), uint8(k), uint8(k/3), uint8(k%5), uint8(k))
	}
	f.Fuzz(func(t *testing.T, seed uint64, nc, rank, twist, solver uint8) {
		rng := rand.New(rand.NewPCG(seed, 99))
		p := fuzzProblem(rng, 1+int(nc%7), 1+int(rank%12), twist)
		if p.Validate() != nil { // out of range
			return
		}
		s := localSolvers[int(solver)%len(localSolvers)]
		var res Result
		err := s.solve(context.Background(), p, &Options{MaxIterations: 3000}, nil, &res)
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%s: %v", s.name, err)
		}
		for i := range res.R {
			if num.Bad(res.R[i]) || num.Bad(res.U[i]) {
				t.Fatalf("%s: %v, r = %v, u = %v", s.name, res.Status, res.R, res.U)
			}
		}
		m, _ := p.Merit(make([]float64, len(p.Q)), nil, res.R)
		switch {
		case math.Abs(m-res.Merit) > 1e-11+1e-6*m+roundingOfMerit(p, res.R) || math.IsNaN(m):
			t.Fatalf("%s: merit %g, Result says %g", s.name, m, res.Merit)
		case (err == nil) != (res.Status == Converged):
			t.Fatalf("%s: %v with error %v", s.name, res.Status, err)
		case err == nil && m > form.LocalTolerance:
			t.Fatalf("%s: converged at %g", s.name, m)
		case res.Status == Infeasible && !Certifies(p, res.Ray) && (len(res.Ray) > 0 || res.Solver != "enumeration"):
			t.Fatalf("%s: no certificate: %v", s.name, res.Ray)
		case res.Iterations > 3000:
			t.Fatalf("%s: %d iterations", s.name, res.Iterations)
		}
	})
}

// roundingOfMerit bounds what the rounding of W r, which the verdict evaluates in twice the
// precision, does to the merit, a residual over ‖q‖; the de Saxcé term makes it μ times as much.
func roundingOfMerit(p *Local, r []float64) float64 {
	w, n, sum, mu := form.SampleOperator(p.W), len(r), 0.0, 1.0
	for _, law := range p.Laws {
		mu += form.FormOf(law).Bound
	}
	for i := range n {
		row := math.Abs(p.Q[i])
		for j, x := range r {
			row += math.Abs(w[i*n+j] * x)
		}
		sum += row * row
	}
	return 4 * num.Eps * mu * math.Sqrt(sum) / max(num.Norm(p.Q), 1e-300) // 4: sums of up to 21 terms, mean of their roundings
}

// fuzzProblem is a random problem; the bits of twist spoil it.
func fuzzProblem(rng *rand.Rand, nc, rank int, twist uint8) *Local {
	dim := 2 + rng.IntN(2)
	p := randomProblem(rng, dim, nc, rank, func() Law { return fuzzLaw(rng, dim) })
	w, n := p.W.(*Dense), dim*nc
	if twist&1 != 0 { // a zero row and column
		i := rng.IntN(n)
		for j := range n {
			w.Val[i*n+j], w.Val[j*n+i] = 0, 0
		}
	}
	if twist&2 != 0 { // odd scales
		for j := range nc {
			f := math.Exp(8 * rng.NormFloat64())
			for k := dim * j; k < dim*(j+1); k++ {
				for l := range n {
					w.Val[k*n+l] *= f
					w.Val[l*n+k] *= f
				}
			}
		}
	}
	if twist&4 != 0 { // zeros and small integers in q
		for i := range p.Q {
			p.Q[i] = float64(rng.IntN(5) - 2)
		}
	}
	if twist&8 != 0 { // two contacts at the same place
		a, b := rng.IntN(nc), rng.IntN(nc)
		for k := range dim {
			for l := range n {
				w.Val[(dim*a+k)*n+l] = w.Val[(dim*b+k)*n+l]
			}
		}
		for k := range dim {
			for l := range n {
				w.Val[l*n+dim*a+k] = w.Val[l*n+dim*b+k]
			}
		}
	}
	if twist&16 != 0 { // not even a Delassus operator
		for k := range w.Val {
			w.Val[k] += 0.5 * rng.NormFloat64()
		}
	}
	if twist&32 != 0 { // extreme units
		f, g := math.Pow(10, float64(rng.IntN(80)-40)), math.Pow(10, float64(rng.IntN(80)-40))
		for k := range w.Val {
			w.Val[k] *= f
		}
		for k := range p.Q {
			p.Q[k] *= g
		}
	}
	return p
}

func fuzzLaw(rng *rand.Rand, dim int) Law {
	mu := []float64{0, 1e-12, 0.1, 0.5, 1, 3, 1e3, 1e6}[rng.IntN(8)]
	shapes := []Shape{{}, NewShape([4]float64{1, 0, 0, 0}), NewShape([4]float64{}), NewShape([4]float64{0.5, 0.2, -0.1, 0.7}), {}}
	s := shapes[rng.IntN(len(shapes))]
	if dim == 2 {
		s = NewShape([4]float64{rng.Float64(), 0, 0, rng.Float64()})
	}
	switch rng.IntN(7) {
	case 0:
		return Frictionless{}
	case 1:
		return Bilateral{}
	case 2:
		return Tresca{Threshold: mu, Shape: s}
	case 3:
		return Associated{Mu: mu, Shape: s}
	case 4:
		return Pyramid{Mu: mu, Facets: 4 + 2*rng.IntN(4), Shape: s}
	}
	return Coulomb{Mu: mu, Shape: s}
}
