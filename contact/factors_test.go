package contact

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// alone is p without where its W comes from: methods factorise W itself.
func alone(p *Local) *Local { return &Local{W: p.W, Q: p.Q, Laws: p.Laws} }

// TestFactorsOfBodies: by the graph of the bodies and by that of the contacts methods come to the
// same motion, which is unique for spheres at rest; also where M or H are changed after W was made
// of them, and end where the context is done.
func TestFactorsOfBodies(t *testing.T) {
	thorough.Seconds(t)
	p := spherePile(heap(60, 2), 0.02, 0.4, nil)
	spoil := []func(){func() {}, func() { p.Graph.M.Val[3] *= 1.5 }, func() { p.Graph.M.Val[3] /= 1.5; p.Graph.H.Val[7]++ }}
	for _, method := range []Method{MethodNewton, MethodInterior, MethodPath, MethodADMM, MethodAuto} {
		var want Result
		if err := SolveLocal(t.Context(), alone(p), &Options{Method: method, Tolerance: 1e-10}, nil, &want); err != nil {
			t.Fatal(method, err)
		}
		for k, change := range spoil {
			change()
			var got Result
			if err := SolveLocal(t.Context(), p, &Options{Method: method, Tolerance: 1e-10}, nil, &got); err != nil {
				t.Errorf("%v, %d: %v", method, k, err)
				continue
			}
			for i, u := range want.U { // 1e-10 in scaled units times a condition of some thousand
				if math.Abs(got.U[i]-u) > 1e-6*num.Norm(p.Q) {
					t.Errorf("%v, %d: u_%d = %g, want %g", method, k, i, got.U[i], u)
					break
				}
			}
		}
		p.Graph.H.Val[7]--
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := SolveLocal(ctx, p, &Options{Method: method}, nil, &want); err == nil || want.Status != Canceled ||
			num.Bad(num.Norm(want.R)) {
			t.Errorf("%v, canceled: %v", method, err)
		}
	}
}

// TestSameBits: sweeps by colours and dense products give the same bits with any number of workers.
func TestSameBits(t *testing.T) {
	p, q := grid(70), chainProblem(420, 3, func(k int) Law { return Tresca{Threshold: 0.1 * float64(k%7)} }) // 4,900 and 140 contacts
	var local, many []float64
	for _, workers := range []int{1, 2, 5} {
		onWorkers(t, workers)
		var res Result
		_ = SolveLocal(t.Context(), p, &Options{Method: MethodGaussSeidel, MaxIterations: 20, NoCertificate: true}, nil, &res)
		if local == nil {
			local = slices.Clone(res.R)
		}
		c, err := NewCondensed(t.Context(), q.M, q.H)
		if err != nil {
			t.Fatal(err)
		}
		var x Result
		if err := c.Solve(t.Context(), q, 0, nil, &x); err != nil {
			t.Fatal(err)
		}
		if many == nil {
			many = slices.Clone(x.R)
		}
		if !slices.Equal(local, res.R) || !slices.Equal(many, x.R) {
			t.Errorf("%d workers: other bits", workers)
		}
	}
}
