package lcp

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
)

// fuzzNumbers turns bytes into numbers of every size: small integers, mostly,
// and for large bytes powers of ten from 1e-12 to 1e12.
func fuzzNumbers(data []byte, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		if i >= len(data) {
			break
		}
		switch b := data[i]; {
		case b < 128:
			x[i] = float64(b%9) - 4
		default:
			x[i] = math.Pow(10, float64(b%25)-12)
			if b&32 != 0 {
				x[i] = -x[i]
			}
		}
	}
	return x
}

// FuzzSolveLCP: a verdict with the truth in it for any small LCP and MLCP.
func FuzzSolveLCP(f *testing.F) {
	f.Add([]byte{2, 3, 4, 5, 6, 7}, uint8(2), uint8(0))
	f.Add([]byte{8, 200, 1, 0, 4, 4, 9, 230, 129, 3, 7, 1}, uint8(3), uint8(5))
	f.Fuzz(func(t *testing.T, data []byte, size, free uint8) {
		n := int(size%6) + 1
		x := fuzzNumbers(data, n*n+n)
		p := &LCP{M: x[:n*n], Q: x[n*n:]}
		var res LCPResult
		err := SolveLCP(context.Background(), p, nil, nil, &res)
		r, _ := p.Residual(res.Z)
		fuzzVerdict(t, err, res.Status, r, res.Residual, res.Z)
		if z := enumerateLCP(p); res.Status == form.Infeasible && z != nil && wellScaled(x) {
			t.Fatalf("%+v: called infeasible, but %v solves it", p, z)
		}
		m := &MLCP{M: p.M, Q: p.Q, Equality: make([]bool, n)}
		for i := range n {
			m.Equality[i] = free>>i&1 == 1
		}
		var mixed MLCPResult
		err = SolveMLCP(context.Background(), m, nil, nil, &mixed)
		r, _ = m.Residual(mixed.X)
		fuzzVerdict(t, err, mixed.Status, r, mixed.Residual, mixed.X)
	})
}

// wellScaled keeps the enumeration, which knows no scales, to what it can do.
func wellScaled(x []float64) bool {
	for _, v := range x {
		if a := math.Abs(v); a > 4 || a > 0 && a < 1 {
			return false
		}
	}
	return true
}

func fuzzVerdict(t *testing.T, err error, status form.Status, residual, reported float64, z []float64) {
	t.Helper()
	if (err == nil) != (status == form.Converged) || status == form.Unsolved {
		t.Fatalf("status %v with error %v", status, err)
	}
	if residual != reported && !(math.IsInf(residual, 1) && math.IsInf(reported, 1)) && !math.IsInf(reported, 1) {
		t.Fatalf("residual %g reported as %g", residual, reported)
	}
	if err == nil && !(residual <= lcpTolerance) {
		t.Fatalf("converged with residual %g", residual)
	}
	for _, v := range z {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("%v: z = %v", status, z)
		}
	}
}
