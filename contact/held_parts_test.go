package contact

import "testing"

// TestSymmetriseHeld: a direction of which the joints leave 1e-13 of its mobility, or less, is held: it has rows and columns of zeros; the others are
// the mean of both halves.
func TestSymmetriseHeld(t *testing.T) {
	b := &Blocks{D: 3, Ptr: []int{0, 1}, Col: []int{0}, Val: []float64{
		1, 0.5, 0.25,
		0.75, 1e-13, 0.5,
		0.5, 0.25, 1.1e-13,
	}}
	symmetrise(b, []float64{1, 1, 1})
	want := []float64{1, 0, 0.375, 0, 0, 0, 0.375, 0, 1.1e-13}
	for i := range want {
		if b.Val[i] != want[i] {
			t.Fatalf("%v, want %v", b.Val, want)
		}
	}
	symmetrise(b, []float64{1, 1, 2}) // of more mobility the last is held, too
	for i, v := range b.Val {
		if (v != 0) != (i == 0) {
			t.Fatalf("held: %v", b.Val)
		}
	}
}

// TestDiagonalOfBlocks: the position of the block (j, j) is that in its row, and −1 where none is stored.
func TestDiagonalOfBlocks(t *testing.T) {
	b := &Blocks{D: 2, Ptr: []int{0, 2, 3, 5}, Col: []int{0, 1, 0, 1, 2}, Val: make([]float64, 20)}
	for j, want := range []int{0, -1, 4} {
		if got := b.Diagonal(j); got != want {
			t.Errorf("block (%d, %d) is at %d, want %d", j, j, got, want)
		}
	}
}

// TestBranchOnUnits: the pair that is least complementary is that in parts of the units of z and w: of (z, w) = (8, 4) and (6, 40), where q is of size
// 4 and M of size 1, so that z is of size 4, the second has 3/2 of both and the first 1.
func TestBranchOnUnits(t *testing.T) {
	s := &lcpSearch{p: &LCP{M: make([]float64, 4), Q: []float64{4, 40}}, parent: &LCPWorkspace{mMax: 1, qMax: 4}, z: []float64{8, 6}}
	if got := s.branchPair(make([]pairState, 2)); got != 1 {
		t.Errorf("branches on %d", got)
	}
	if s.z[0] = 1; s.branchPair([]pairState{pairOpen, pairZ0}) != 0 || s.branchPair([]pairState{pairZ0, pairW0}) != -1 {
		t.Error("branches on a pair that is decided")
	}
}

// TestRetreatToTheBound: on the way from x to z the first column that reaches 0 is dropped, where z is 0 at the end of the way; one that is 0 from the
// start at once.
func TestRetreatToTheBound(t *testing.T) {
	for _, c := range []struct {
		x, z, want []float64
		passive    []int
	}{
		{[]float64{1, 2}, []float64{0, 3}, []float64{0, 3}, []int{1}},
		{[]float64{1, 2}, []float64{-1, 3}, []float64{0, 2.5}, []int{1}},
		{[]float64{1, 2}, []float64{-1, -6}, []float64{0.5, 0}, []int{0}},
		{[]float64{0, 2}, []float64{-1, 3}, []float64{0, 2}, []int{1}},
		{[]float64{0, 2}, []float64{0, -2}, []float64{0, 2}, []int{1}},
		{[]float64{0, 0}, []float64{0, 0}, []float64{0, 0}, nil},
	} {
		n := &nonnegative{x: append([]float64(nil), c.x...), z: c.z, passive: []int{0, 1}}
		n.retreat()
		if len(n.passive) != len(c.passive) || len(c.passive) > 0 && n.passive[0] != c.passive[0] || n.x[0] != c.want[0] || n.x[1] != c.want[1] {
			t.Errorf("from %v towards %v: at %v with %v, want %v with %v", c.x, c.z, n.x, n.passive, c.want, c.passive)
		}
	}
}
