package energetic

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/sparse"
)

// TestSmallestSparseOfNoMatrix: entries that are not finite leave the eigenvalue
// unknown; no factor is used that was never made.
func TestSmallestSparseOfNoMatrix(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := &sparse.Sym{N: 3, Ptr: []int{0, 1, 2, 3}, Row: []int{0, 1, 2}, Val: []float64{1, bad, 2}}
		if v, x := smallestSparse(t.Context(), a); !math.IsInf(v.Lo, -1) || !math.IsInf(v.Hi, 1) || len(x) != 3 {
			t.Errorf("%g: %v, %v", bad, v, x)
		}
	}
	// −1 is below what the shift 0 shows, and is found by the second attempt.
	a := &sparse.Sym{N: 3, Ptr: []int{0, 1, 2, 3}, Row: []int{0, 1, 2}, Val: []float64{1, -1, 2}}
	if v, _ := smallestSparse(t.Context(), a); v.Lo > -1 || v.Hi < -1 || v.Hi-v.Lo > 1e-8 {
		t.Errorf("%v, want -1", v)
	}
}

// TestNothing: a missing functional is an error that says so.
func TestNothing(t *testing.T) {
	ctx := context.Background()
	if _, err := Start(ctx, nil, nil, Options{}); err == nil {
		t.Error("Start")
	}
	if _, err := NewCertifier(nil, Options{}); err == nil {
		t.Error("NewCertifier")
	}
	if _, err := Assume(ctx, nil, nil, AssumptionOptions{}); err == nil {
		t.Error("Assume")
	}
	if _, err := ChoosePartition(ctx, nil, nil, Options{}, 1); err == nil {
		t.Error("ChoosePartition")
	}
}
