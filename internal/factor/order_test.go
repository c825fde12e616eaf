package factor

import (
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/sparse"
)

// Fill on grids: the reference is SuiteSparse (AMD), measured once with cvxopt.
func TestFill(t *testing.T) {
	for _, test := range []struct {
		name      string
		a         *sparse.Sym
		reference int
		factor    float64
	}{
		{"100×100, 4 neighbours", gridMatrix(100, 100, 1, 1, false), 206332, 1.05},
		{"100×100, 8 neighbours, 3 columns", gridMatrix(100, 100, 1, 3, true), 2725701, 1.05},
		{"20×20×20, 6 neighbours", gridMatrix(20, 20, 20, 1, false), 842282, 1.05},
		{"14×14×14, 26 neighbours, 3 columns", gridMatrix(14, 14, 14, 3, true), 2582049, 1.05},
	} {
		p := NewPlan(test.a, Options{})
		if fill := float64(p.NNZ()) / float64(test.reference); fill > test.factor {
			t.Errorf("%s: %d entries, %.2f of the reference", test.name, p.NNZ(), fill)
		}
	}
}

// Minimum degree must not depend on a lucky numbering of the grid. SuiteSparse
// has 217053 entries for another shuffle.
func TestFillOfShuffledGrid(t *testing.T) {
	perm := rand.New(rand.NewPCG(4, 4)).Perm(10000)
	grid := gridMatrix(100, 100, 1, 1, false)
	b := sparse.NewBuilder(grid.N)
	for j := range grid.N {
		for _, i := range grid.Row[grid.Ptr[j]:grid.Ptr[j+1]] {
			b.Add(perm[i], perm[j])
		}
	}
	if nnz := NewPlan(b.Build(), Options{Ordering: MinimumDegree}).NNZ(); float64(nnz) > 1.1*217053 {
		t.Errorf("%d entries", nnz)
	}
}
