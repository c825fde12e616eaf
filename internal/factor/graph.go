package factor

import (
	"slices"

	"github.com/quasistatic/quasistatic/internal/counting"
	"github.com/quasistatic/quasistatic/sparse"
)

// graph is the adjacency of a symmetric matrix without its diagonal, after
// columns of equal closed neighbourhood have become one vertex. A vertex of
// weight w stands for w columns, which any good ordering numbers one after
// the other. The columns of vertex v are dof[dofPtr[v]:dofPtr[v+1]].
type graph struct {
	n      int
	ptr    []int
	adj    []int32 // ascending within a vertex
	weight []int32
	total  int // sum of the weights
	dofPtr []int
	dof    []int32
}

func (g *graph) neighbours(v int32) []int32 { return g.adj[g.ptr[v]:g.ptr[v+1]] }

// newGraph compresses the pattern of a. The nodes of a mesh with three degrees
// of freedom each become vertices of weight three, which makes all symbolic
// work nine times cheaper.
func newGraph(a *sparse.Sym) *graph {
	ptr, adj := closedNeighbourhoods(a)
	class, classes := twins(ptr, adj)
	g := &graph{n: classes, total: a.N}
	g.collectMembers(class)
	g.ptr = make([]int, classes+1)
	g.adj = make([]int32, 0, len(adj)/4)
	for v := range classes {
		first := g.dof[g.dofPtr[v]]
		for _, i := range adj[ptr[first]:ptr[first+1]] {
			// The first column of a class speaks for all of them.
			if u := class[i]; int(u) != v && g.dof[g.dofPtr[u]] == i {
				g.adj = append(g.adj, u)
			}
		}
		g.ptr[v+1] = len(g.adj)
	}
	return g
}

// closedNeighbourhoods lists, for each column, itself and all columns it
// shares an entry with, ascending.
func closedNeighbourhoods(a *sparse.Sym) ([]int, []int32) {
	ptr := make([]int, a.N+1)
	for j := range a.N {
		ptr[j+1] += a.Ptr[j+1] - a.Ptr[j]
		for _, i := range a.Row[a.Ptr[j]+1 : a.Ptr[j+1]] {
			ptr[i+1]++
		}
	}
	for j := range a.N {
		ptr[j+1] += ptr[j]
	}
	adj := make([]int32, ptr[a.N])
	end := slices.Clone(ptr[:a.N])
	for j := range a.N {
		for _, i := range a.Row[a.Ptr[j]:a.Ptr[j+1]] {
			adj[end[j]] = int32(i)
			end[j]++
			if i != j {
				adj[end[i]] = int32(j)
				end[i]++
			}
		}
	}
	return ptr, adj
}

// twins numbers the classes of columns with equal neighbourhoods in the order
// of their first columns. Candidates meet in a hash table and are compared in
// full.
func twins(ptr []int, adj []int32) (class []int32, classes int) {
	n := len(ptr) - 1
	class = make([]int32, n)
	size := 1
	for size < 2*n {
		size *= 2
	}
	table := make([]int32, size) // first column of a class, plus one
	for i := range n {
		own := adj[ptr[i]:ptr[i+1]]
		slot := hashSet(own) & uint64(size-1)
		for {
			first := int(table[slot]) - 1
			if first < 0 {
				table[slot] = int32(i) + 1
				class[i] = int32(classes)
				classes++
				break
			}
			if slices.Equal(own, adj[ptr[first]:ptr[first+1]]) {
				class[i] = class[first]
				break
			}
			slot = (slot + 1) & uint64(size-1)
		}
	}
	return class, classes
}

// hashSet mixes a list of indices by the multiplication of Fibonacci hashing.
func hashSet(list []int32) uint64 {
	h := uint64(len(list))
	for _, i := range list {
		h = (h ^ uint64(i)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	return h
}

func (g *graph) collectMembers(class []int32) {
	g.weight = make([]int32, g.n)
	for _, v := range class {
		g.weight[v]++
	}
	g.dofPtr = make([]int, g.n+1)
	for v, w := range g.weight {
		g.dofPtr[v+1] = g.dofPtr[v] + int(w)
	}
	g.dof = counting.Order(g.n, class)
}
