package factor

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quasistatic/quasistatic/sparse"
)

func isPermutation(order []int32) bool {
	sorted := slices.Clone(order)
	slices.Sort(sorted)
	return slices.Equal(sorted, identity(len(order)))
}

func TestOrdersArePermutations(t *testing.T) {
	for name, a := range hard() {
		g := newGraph(a)
		for _, order := range [][]int32{orderMinDegree(context.Background(), g, g.n), orderNestedDissection(context.Background(), g), newTree(g, identity(g.n)).order} {
			if len(order) != g.n || !isPermutation(order) {
				t.Errorf("%s: no permutation of %d vertices", name, g.n)
			}
		}
		plan := &BlockPlan{g: g, t: newTree(g, orderMinDegree(context.Background(), g, g.n))}
		if perm := plan.Permutation(); len(perm) != a.N || !isPermutation(perm) {
			t.Errorf("%s: no permutation of %d columns", name, a.N)
		}
	}
}

func TestOrderProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGraph(drawMatrix(t))
		if order := orderMinDegree(context.Background(), g, g.n); len(order) != g.n || !isPermutation(order) {
			t.Fatalf("no permutation: %v", order)
		}
	})
}

// Three coupled columns a node are one vertex; columns that only share most
// neighbours are not.
func TestCompression(t *testing.T) {
	if g := newGraph(gridMatrix(5, 5, 1, 3, false)); g.n != 25 || g.total != 75 || len(g.adj) != 80 {
		t.Errorf("%d vertices, %d columns, %d neighbours", g.n, g.total, len(g.adj))
	}
	if g := newGraph(gridMatrix(5, 5, 1, 1, false)); g.n != 25 {
		t.Errorf("%d vertices", g.n)
	}
	if g := newGraph(pattern(9, func(b *sparse.Builder, i int) { row(b, i, i) })); g.n != 1 || g.weight[0] != 9 {
		t.Errorf("%d vertices", g.n)
	}
}

// The counts of [GNP94] against the rows listed one by one.
func TestColumnCounts(t *testing.T) {
	for name, a := range hard() {
		g := newGraph(a)
		tree := newTree(g, orderMinDegree(context.Background(), g, g.n))
		for k, rows := range tree.structure(g) {
			count := int(tree.weight[k])
			for _, i := range rows {
				count += int(tree.weight[i])
			}
			if count != tree.count[k] {
				t.Fatalf("%s: position %d counts %d, want %d", name, k, tree.count[k], count)
			}
			if len(rows) > 0 && rows[0] != tree.parent[k] {
				t.Fatalf("%s: parent of %d is %d, want %d", name, k, tree.parent[k], rows[0])
			}
		}
	}
}

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

func TestSeparator(t *testing.T) {
	g := newGraph(gridMatrix(60, 40, 1, 1, false))
	d := &dissection{g: g, local: slices.Repeat([]int32{-1}, g.n)}
	net := d.network(identity(g.n))
	side := separate(t.Context(), net, rand.New(rand.NewPCG(1, 2)))
	b := newBisection(net, side)
	for v, s := range side {
		for _, u := range g.neighbours(int32(v)) {
			if s != separator && side[u] != separator && side[u] != s {
				t.Fatalf("edge (%d, %d) crosses the separator", v, u)
			}
		}
	}
	if weight, heavier := b.cost(); weight > 60 || float64(heavier) > 1.01*imbalance*60*40 {
		t.Errorf("separator of %d, heavier side %d", weight, heavier)
	}
}

// TestQuickBlockPlan: minimum degree alone; of small patterns it is what the search for a better order ends with, and large ones
// take more products than the order that is found by it.
func TestQuickBlockPlan(t *testing.T) {
	for _, c := range []struct {
		side     [3]int
		thorough bool
	}{{[3]int{5, 5, 5}, true}, {[3]int{10, 11, 12}, false}} {
		a := gridMatrix(c.side[0], c.side[1], c.side[2], 1, false)
		ptr, col := make([]int, a.N+1), []int32{}
		for j := range a.N {
			for _, i := range a.Row[a.Ptr[j]:a.Ptr[j+1]] {
				col = append(col, int32(i))
			}
			ptr[j+1] = len(col)
		}
		quick, err := QuickBlockPlan(t.Context(), ptr, col)
		if err != nil {
			t.Fatal(err)
		}
		best := planBlocks(t, ptr, col)
		if quick.Thorough() != c.thorough {
			t.Errorf("sides %d: %g products, thorough: %t", c.side, quick.Products(), quick.Thorough())
		}
		if same := slices.Equal(quick.Permutation(), best.Permutation()); same != c.thorough || quick.Products() < best.Products() {
			t.Errorf("sides %d: %g products, %g in the better order, the same order: %t", c.side, quick.Products(), best.Products(), same)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := QuickBlockPlan(ctx, ptr, col); err == nil {
			t.Error("an order after the context was done")
		}
	}
}
