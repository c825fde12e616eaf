package contact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/internal/num"
)

// localSolver solves a local problem.
type localSolver func(ctx context.Context, p *Local, o *Options, ws *LocalWorkspace, res *Result) error

// by is SolveLocal with a method.
func by(m Method) localSolver {
	return func(ctx context.Context, p *Local, o *Options, ws *LocalWorkspace, res *Result) error {
		wishes := Options{Method: m}
		if o != nil {
			wishes = *o
			wishes.Method = m
		}
		return SolveLocal(ctx, p, &wishes, ws, res)
	}
}

// localSolvers are all that take a Local problem of any law.
var localSolvers = []struct {
	name  string
	solve localSolver
}{
	{"auto", by(MethodAuto)}, {"gauss-seidel", by(MethodGaussSeidel)}, {"newton", by(MethodNewton)},
	{"interior", by(MethodInterior)}, {"admm", by(MethodADMM)}, {"fixed point", by(MethodTresca)},
	{"cone", by(MethodCone)}, {"proximal", by(MethodProximal)},
	{"path", by(MethodPath)},
}

// TestLocalByHand solves the hand cases by every solver.
func TestLocalByHand(t *testing.T) {
	for _, c := range handCases() {
		for _, s := range localSolvers {
			t.Run(c.name+"/"+s.name, func(t *testing.T) {
				var res Result
				err := s.solve(context.Background(), c.p, &Options{Tolerance: 1e-11}, nil, &res)
				if (s.name == "interior" || s.name == "cone" || s.name == "path") && res.Status == Unsolved && err != nil {
					return // a law that it does not take
				}
				if err != nil {
					t.Fatal(err)
				}
				scale := max(1, num.Norm(c.r))
				for i, want := range c.u {
					if math.Abs(res.U[i]-want) > 1e-8 {
						t.Errorf("u = %v, want %v", res.U, c.u)
						break
					}
					if c.r != nil && math.Abs(res.R[i]-c.r[i]) > 1e-8*scale {
						t.Errorf("r = %v, want %v", res.R, c.r)
						break
					}
				}
			})
		}
	}
}

// randomProblem returns a problem of nc contacts on a few bodies: W = HᵀH, of
// full rank if rank is at least dim·nc.
func randomProblem(rng *rand.Rand, dim, nc, rank int, law func() Law) *Local {
	n := dim * nc
	h := make([]float64, rank*n)
	for k := range h {
		h[k] = rng.NormFloat64() / math.Sqrt(float64(rank))
	}
	w := &Dense{D: dim, N: n, Val: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			for k := range rank {
				w.Val[i*n+j] += h[k*n+i] * h[k*n+j]
			}
		}
	}
	p := &Local{W: w, Q: make([]float64, n)}
	for j := range nc {
		for k := range dim {
			p.Q[dim*j+k] = rng.NormFloat64()
		}
		p.Q[dim*j] -= 1
		p.Laws = append(p.Laws, law())
	}
	return p
}

// mixedLaw draws one of all laws, with little friction.
func mixedLaw(rng *rand.Rand) Law {
	switch mu := 0.1 * rng.Float64(); rng.IntN(6) {
	case 0:
		return Frictionless{}
	case 1:
		return Bilateral{}
	case 2:
		return Tresca{Threshold: mu}
	case 3:
		return Associated{Mu: mu}
	case 4:
		return Pyramid{Mu: mu}
	default:
		return Coulomb{Mu: mu}
	}
}

// TestLocalSolversAgree: with small friction and regular W the solution is
// unique; all solvers find it.
func TestLocalSolversAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	laws := []func() Law{
		func() Law { return Coulomb{Mu: 0.1 * rng.Float64()} },
		func() Law { return Associated{Mu: rng.Float64()} },
		func() Law { return Coulomb{Mu: 0.1, Shape: NewShape([4]float64{1, 0.5, 0, 0.3})} },
		func() Law { return Tresca{Threshold: rng.Float64()} },
		func() Law { return Pyramid{Mu: 0.1 * rng.Float64(), Facets: 6} },
		func() Law { return Pyramid{Mu: 0.1, Facets: 8, Shape: NewShape([4]float64{1, 0, 0, 0.3})} },
		func() Law { return mixedLaw(rng) },
	}
	for k := range 70 {
		dim := 2 + k/len(laws)%2
		p := randomProblem(rng, dim, 1+rng.IntN(8), 60, laws[k%len(laws)])
		if dim == 2 {
			for j, law := range p.Laws {
				if c, ok := law.(Coulomb); ok {
					p.Laws[j] = Coulomb{Mu: c.Mu}
				}
			}
		}
		var want []float64
		for _, s := range localSolvers {
			var res Result
			err := s.solve(context.Background(), p, &Options{Tolerance: 1e-12}, nil, &res)
			if (s.name == "interior" || s.name == "cone" || s.name == "path") && res.Status == Unsolved && err != nil {
				continue
			}
			if err != nil {
				t.Fatalf("problem %d (%v), %s: %v", k, p.Laws[0], s.name, err)
			}
			if want == nil {
				want = slices.Clone(res.R)
			}
			for i := range want {
				if math.Abs(res.R[i]-want[i]) > 1e-8*max(1, num.Norm(want)) {
					t.Fatalf("problem %d, %s: r = %v, auto has %v", k, s.name, res.R, want)
				}
			}
		}
	}
}

func solveOrFail(t *testing.T, p *Local) []float64 {
	t.Helper()
	var res Result
	if err := SolveLocal(context.Background(), p, &Options{}, nil, &res); err != nil {
		t.Fatal(err)
	}
	return res.R
}

// TestLocalInfeasible: problems without a solution get a certificate.
func TestLocalInfeasible(t *testing.T) {
	wedge := dense(2, []float64{1, 0, -1, 0}, []float64{0, 1, 0, 0}, []float64{-1, 0, 1, 0}, []float64{0, 0, 0, 1})
	laws := []Law{Coulomb{Mu: 0.5}, Coulomb{Mu: 0.5}}
	cases := map[string]*Local{
		"two walls":     {W: wedge, Q: []float64{-1, 0, -1, 0}, Laws: laws},
		"no mobility":   {W: diagonal(3, 0, 0, 0, 1, 1, 1), Q: []float64{-1, 0, 0, -1, 0, 0}, Laws: laws},
		"blocked joint": {W: diagonal(2, 1, 0), Q: []float64{-1, 2}, Laws: []Law{Bilateral{}}},
		// u_T = 1 always, so that the associated law wants u_N ≥ μ; u_N = 0.2.
		"associated": {W: diagonal(2, 0, 0), Q: []float64{0.2, 1}, Laws: []Law{Associated{Mu: 0.5}}},
	}
	for name, p := range cases {
		var res Result
		err := SolveLocal(context.Background(), p, &Options{}, nil, &res)
		var e *Error
		if !errors.As(err, &e) || res.Status != Infeasible || e.Status != Infeasible {
			t.Errorf("%s: %v, error %v", name, res.Status, err)
			continue
		}
		if !Certifies(p, res.Ray) {
			t.Errorf("%s: ray %v is no certificate", name, res.Ray)
		}
	}
	// A joint that tells the truth, and a wedge that has room.
	for name, p := range map[string]*Local{
		"free joint": {W: diagonal(2, 1, 0), Q: []float64{-1, 0}, Laws: []Law{Bilateral{}}},
		"room":       {W: wedge, Q: []float64{-1, 0, 1, 0}, Laws: laws},
	} {
		if err := SolveLocal(context.Background(), p, &Options{}, nil, &Result{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLocalVerdicts: limits, cancellation and wrong input are told apart, and
// the best iterate comes along.
func TestLocalVerdicts(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	p := randomProblem(rng, 3, 20, 30, func() Law { return Coulomb{Mu: 0.8} })
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, s := range localSolvers {
		var res Result
		err := s.solve(context.Background(), p, &Options{MaxIterations: 2}, nil, &res)
		var e *Error
		if !errors.As(err, &e) || e.Status != IterationLimit || res.Iterations > 2 {
			t.Errorf("%s after 2 iterations: %v, %d iterations", s.name, err, res.Iterations)
		}
		if m, _ := p.Merit(make([]float64, len(p.Q)), nil, res.R); math.Abs(m-res.Merit) > 1e-12*m || math.IsNaN(m) {
			t.Errorf("%s: merit %g, Result says %g", s.name, m, res.Merit)
		}
		if err := s.solve(canceled, p, &Options{}, nil, &res); res.Status != Canceled || err == nil {
			t.Errorf("%s: canceled context gives %v", s.name, res.Status)
		}
	}
	for name, bad := range map[string]*Local{
		"no W":      {},
		"short q":   {W: diagonal(3, 1, 1, 1), Q: []float64{1, 2}, Laws: []Law{Coulomb{}}},
		"laws":      {W: diagonal(3, 1, 1, 1), Q: []float64{1, 2, 3}},
		"nil law":   {W: diagonal(3, 1, 1, 1), Q: []float64{1, 2, 3}, Laws: []Law{nil}},
		"nan q":     {W: diagonal(3, 1, 1, 1), Q: []float64{1, math.NaN(), 3}, Laws: []Law{Coulomb{}}},
		"inf W":     {W: diagonal(3, 1, math.Inf(1), 1), Q: []float64{1, 2, 3}, Laws: []Law{Coulomb{}}},
		"mu":        {W: diagonal(3, 1, 1, 1), Q: []float64{1, 2, 3}, Laws: []Law{Coulomb{Mu: -1}}},
		"dimension": {W: &Dense{D: 7, N: 7, Val: make([]float64, 49)}, Q: make([]float64, 7), Laws: []Law{Coulomb{}}},
		"blocks": {W: &Blocks{D: 3, Ptr: []int{0, 1}, Col: []int{7}, Val: make([]float64, 9)}, Q: make([]float64, 3),
			Laws: []Law{Coulomb{}}},
	} {
		var e *Error
		if err := SolveLocal(context.Background(), bad, &Options{}, nil, &Result{}); err == nil || errors.As(err, &e) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if err := SolveLocal(context.Background(), p, &Options{Tolerance: -1}, nil, &Result{}); err == nil {
		t.Error("a negative tolerance is accepted")
	}
	if err := SolveLocal(context.Background(), &Local{W: &Blocks{D: 3, Ptr: []int{0}}}, nil, nil, &Result{}); err != nil {
		t.Errorf("no contacts: %v", err)
	}
}

// TestLocalOperators: the three storages are one problem.
func TestLocalOperators(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	for dim := 2; dim <= 3; dim++ {
		p := randomProblem(rng, dim, 5, 20, func() Law { return Coulomb{Mu: 0.3} })
		d := p.W.(*Dense)
		b := &Blocks{D: dim, Ptr: []int{0}}
		for i := range 5 {
			for j := 4; j >= 0; j-- { // any order within a row
				b.Col = append(b.Col, j)
				for k := range dim {
					at := (dim*i+k)*d.N + dim*j
					b.Val = append(b.Val, d.Val[at:at+dim]...)
				}
			}
			b.Ptr = append(b.Ptr, len(b.Col))
		}
		want := solveOrFail(t, p)
		for _, w := range []Operator{b, hidden{d}} {
			got := solveOrFail(t, &Local{W: w, Q: p.Q, Laws: p.Laws})
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-9*num.Norm(want) {
					t.Fatalf("%T: r[%d] = %g, want %g", w, i, got[i], want[i])
				}
			}
		}
	}
}

// hidden is an Operator that only multiplies.
type hidden struct{ d *Dense }

func (h hidden) Dim() int                { return h.d.D }
func (h hidden) Contacts() int           { return h.d.Contacts() }
func (h hidden) MulVec(dst, r []float64) { h.d.MulVec(dst, r) }

// TestLocalWarm: an unchanged problem costs one residual evaluation, a changed
// one no allocation, and the same input gives the same bits.
func TestLocalWarm(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, law := range []Law{Coulomb{Mu: 0.5}, Pyramid{Mu: 0.5, Facets: 6},
		Coulomb{Mu: 0.4, Shape: NewShape([4]float64{1, 0, 0, 0.5})}, Associated{Mu: 0.3}, Tresca{Threshold: 0.3}} {
		p := randomProblem(rng, 3, 15, 30, func() Law { return law })
		var ws LocalWorkspace
		var res Result
		o := &Options{}
		ctx := context.Background()
		if err := SolveLocal(ctx, p, o, &ws, &res); err != nil {
			t.Fatal(law, err)
		}
		first := slices.Clone(res.R)
		if err := SolveLocal(ctx, p, o, &ws, &res); err != nil || res.Iterations != 0 {
			t.Errorf("%v: solved again in %d iterations, %v", law, res.Iterations, err)
		}
		step := 0
		if n := testing.AllocsPerRun(20, func() {
			step++
			p.Q[3] += 0.01 * float64(step%3-1)
			if err := SolveLocal(ctx, p, o, &ws, &res); err != nil {
				t.Fatal(law, err)
			}
		}); n != 0 {
			t.Errorf("%v: %g allocations in a warm solve", law, n)
		}
		p2 := &Local{W: p.W, Q: slices.Clone(p.Q), Laws: p.Laws}
		a, b := solveOrFail(t, p2), solveOrFail(t, p2)
		if !slices.Equal(a, b) {
			t.Errorf("%v: two runs differ", law)
		}
		_ = first
	}
}

// TestLocalRedundant: singular W of every rank, against the merit alone.
func TestLocalRedundant(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for k := range 60 {
		nc := 2 + k%12
		p := randomProblem(rng, 3, nc, 3+k%9, func() Law { return Coulomb{Mu: 0.6 * rng.Float64()} })
		n := len(p.Q) // q in the range of W and above the ground: a solution exists
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		p.W.MulVec(p.Q, x)
		var res Result
		if err := SolveLocal(context.Background(), p, &Options{}, nil, &res); err != nil {
			t.Errorf("problem %d, %d contacts: %v %s", k, nc, err, fmt.Sprint(res.Stages))
		}
	}
}

// Local problems of three unsymmetric entries, as implicit gyroscopic terms
// make them.
func TestLocalUnsymmetric(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for k := range 20 {
		p := randomProblem(rng, 3, 4+k, 30, func() Law { return Coulomb{Mu: 0.3} })
		for i := range p.W.(*Dense).Val {
			p.W.(*Dense).Val[i] += 2e-3 * rng.NormFloat64()
		}
		for i := range len(p.Q) {
			p.W.(*Dense).Val[i*len(p.Q)+i] += 0.05
		}
		solveOrFail(t, p)
	}
}
