package contact

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
)

// fooling is a problem of two contacts in the plane with an integer W of rank 2
// whose kernel has a reaction of the cones: r may grow along it without any effect.
// The two contacts are of one frictionless normal and ask for opposite motions:
// u_N1 + u_N2 = −1 for every r.
func fooling() *Local {
	return &Local{
		W:    dense(2, []float64{1, 0, -1, 0}, []float64{0, 1, 0, 0}, []float64{-1, 0, 1, 0}, []float64{0, 0, 0, 1}),
		Q:    []float64{-1, 0, 0, 0},
		Laws: []Law{Coulomb{Mu: 0.5}, Coulomb{Mu: 0.5}},
	}
}

// TestHugeReactionsDoNotPass gives every solver reactions of 3.5e15 to start from,
// beside which −1 is rounding: both merits pass, the motion does not.
func TestHugeReactionsDoNotPass(t *testing.T) {
	for _, m := range form.Methods() {
		p, ws, res := fooling(), new(LocalWorkspace), new(Result)
		ws.WarmStart([]float64{3.5e15, 0, 3.5e15, 0})
		err := SolveLocal(context.Background(), p, &Options{Method: m, MaxIterations: 3000}, ws, res)
		if err == nil || res.Status == Converged {
			t.Fatalf("%v: converged with r = %v, u = %v", m, res.R, res.U)
		}
		if m == MethodAuto && res.Status != Infeasible {
			t.Errorf("%v: %v", m, err)
		}
	}
	// The number that failed is named with its limit.
	p, res := fooling(), new(Result)
	res.Allocate(4, 2)
	copy(res.R, []float64{3.5e15, 0, 3.5e15, 0})
	p.Assess(new([3]vec3), form.Steps(nil, p.W), res, form.DataFactor*form.LocalTolerance)
	if res.Merit > form.LocalTolerance || res.UnitFree > form.LocalTolerance {
		t.Errorf("merits %g and %g: the reactions do not fool them", res.Merit, res.UnitFree)
	}
	err := res.Verdict(NoProgress, form.LocalTolerance, nil)
	if err == nil || !strings.Contains(err.Error(), "primal residual (motion outside K*) 1 > ") {
		t.Errorf("the error is %v", err)
	}
}

// TestExactMotion compares u = W r + q with rational arithmetic where products
// cancel to the last bit.
func TestExactMotion(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range 50 {
		n := 6
		p := &Local{W: &Dense{D: 2, N: n, Val: make([]float64, n*n)}, Q: make([]float64, n)}
		w := p.W.(*Dense).Val
		for k := range w {
			w[k] = rng.NormFloat64()
		}
		r := make([]float64, n)
		for k := range r {
			p.Q[k], r[k] = rng.NormFloat64(), rng.NormFloat64()*math.Pow(10, 15*rng.Float64())
		}
		for i := range n { // the last product cancels the others but for rounding
			s := 0.0
			for j := range n - 1 {
				s += w[i*n+j] * r[j]
			}
			w[i*n+n-1] = -s / r[n-1]
		}
		u := make([]float64, n)
		p.ExactMotion(u, r, nil)
		for i := range n {
			want := new(big.Rat).SetFloat64(p.Q[i])
			for j := range n {
				want.Add(want, new(big.Rat).Mul(new(big.Rat).SetFloat64(w[i*n+j]), new(big.Rat).SetFloat64(r[j])))
			}
			x, _ := want.Float64()
			// Twice the precision: what n products lose of (2⁻⁵³)² of their size.
			size := 0.0
			for j := range n {
				size += math.Abs(w[i*n+j] * r[j])
			}
			if math.Abs(u[i]-x) > 1e-15*math.Abs(x)+1e-30*size {
				t.Fatalf("u = %g, exactly %g of products of %g", u[i], x, size)
			}
		}
	}
}

// TestContextErrorsAreWrapped: errors.Is sees the context through every door.
func TestContextErrorsAreWrapped(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("the user left"))
	p := stackOf(30, 10)
	for _, m := range form.Methods() {
		if err := SolveLocal(ctx, p, &Options{Method: m}, nil, nil); m != MethodLemke && !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v", m, err)
		}
	}
	if err := SolveConvex(ctx, net(5, 5, 1, 3), 0, nil, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("SolveConvex: %v", err)
	}
	if err := SolveGlobal(ctx, net(5, 5, 1, 3), nil, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("SolveGlobal: %v", err)
	}
}

// stackOf is a column of n bodies in space, each on the one below, of masses that
// grow downwards or upwards by ratio.
func stackOf(n int, ratio float64) *Local {
	w := &Dense{D: 3, N: 3 * n, Val: make([]float64, 9*n*n)}
	p := &Local{W: w, Q: make([]float64, 3*n)}
	for i := range n {
		compliance := math.Pow(ratio, -float64(i)) // 1/m of body i, which lies on contact i
		for k := range 3 {
			w.Val[(3*i+k)*w.N+3*i+k] += compliance
			if i+1 < n {
				w.Val[(3*i+3+k)*w.N+3*i+3+k] += compliance
				w.Val[(3*i+k)*w.N+3*i+3+k] -= compliance
				w.Val[(3*i+3+k)*w.N+3*i+k] -= compliance
			}
		}
		p.Laws = append(p.Laws, Coulomb{Mu: 0.5})
	}
	p.Q[0] = -1 // all fall alike: only the ground sees it
	p.Q[3*n-2] = 0.3
	return p
}

// TestStacksOfMassRatio10 solves stacks whose masses span ten powers of ten: the
// ground contact of n bodies of ratio k carries (kⁿ − 1)/(k − 1) times the weight of
// the first.
func TestStacksOfMassRatio10(t *testing.T) {
	for _, ratio := range []float64{10, 0.1, 100, 0.01} {
		n := 10
		if ratio == 100 || ratio == 0.01 {
			n = 5
		}
		p, res := stackOf(n, ratio), new(Result)
		p.Q[3*n-2] = 0 // nothing pushes
		if err := SolveLocal(context.Background(), p, nil, nil, res); err != nil {
			t.Errorf("ratio %g: %v, stages %v", ratio, err, res.Stages)
			continue
		}
		want := (math.Pow(ratio, float64(n)) - 1) / (ratio - 1)
		// The merit of 1e-8 over the least eigenvalue of W in scaled units, where a body
		// stands on one k times lighter: 1 less the coupling 1/√(1 + 1/k).
		k := max(ratio, 1/ratio)
		if math.Abs(res.R[0]-want) > 1e-8/(1-1/math.Sqrt(1+1/k))*want {
			t.Errorf("ratio %g: the ground carries %g, want %g", ratio, res.R[0], want)
		}
	}
}
