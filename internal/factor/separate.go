package factor

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
)

// separate finds a vertex separator of g on the coarsest of a sequence of
// contracted graphs and refines it on the way back [KK98]. When the context is done it
// may return what separates nothing.
func separate(ctx context.Context, g *network, rng *rand.Rand) []uint8 {
	if ctx.Err() != nil {
		return make([]uint8, g.n())
	}
	if g.n() <= coarsest {
		return bestStart(g, rng)
	}
	coarse, into := coarsen(g, rng)
	if coarse.n() > g.n()*9/10 {
		return bestStart(g, rng) // a star, or the like: nothing to match
	}
	projected := separate(ctx, coarse, rng)
	side := make([]uint8, g.n())
	for v := range side {
		side[v] = projected[into[v]]
	}
	if ctx.Err() == nil {
		newBisection(g, side).refine()
	}
	return side
}

// starts is the number of cuts tried on the coarsest graph, every other one
// spectral.
const starts = 6

// bestStart cuts the graph in several ways and keeps the best.
func bestStart(g *network, rng *rand.Rand) []uint8 {
	var best *bisection
	for k := range starts {
		order := breadthFirst(g, int32(rng.IntN(g.n())))
		if k%2 == 0 {
			order = spectral(g, rng)
		}
		b := newBisection(g, halve(g, order))
		b.refine()
		if best == nil || b.better(best.cost()) {
			best = b
		}
	}
	return best.side
}

// halve puts the first half, by weight, of the vertices on the left; those of
// the right next to them are the separator.
func halve(g *network, order []int32) []uint8 {
	side := make([]uint8, g.n())
	load := 0
	for _, v := range order {
		side[v] = left
		if 2*load >= g.total {
			side[v] = right
		}
		load += int(g.weight[v])
	}
	for v := range side {
		if side[v] != left {
			continue
		}
		for _, u := range g.adj[g.ptr[v]:g.ptr[v+1]] {
			if side[u] == right {
				side[u] = separator
			}
		}
	}
	return side
}

// breadthFirst lists the vertices by distance from a seed. Components not
// reached follow each other.
func breadthFirst(g *network, seed int32) []int32 {
	queued := make([]bool, g.n())
	queue := make([]int32, 0, g.n())
	queue, queued[seed] = append(queue, seed), true
	unreached := 0
	for head := 0; head < g.n(); head++ {
		if head == len(queue) {
			for queued[unreached] {
				unreached++
			}
			queue, queued[unreached] = append(queue, int32(unreached)), true
		}
		v := queue[head]
		for _, u := range g.adj[g.ptr[v]:g.ptr[v+1]] {
			if !queued[u] {
				queued[u] = true
				queue = append(queue, u)
			}
		}
	}
	return queue
}

// sweeps is the number of power iterations of spectral: enough to damp the
// rough modes of a graph of coarsest vertices; refinement does the rest.
const sweeps = 40

// spectral sorts the vertices by an approximate Fiedler vector: the smoothest
// mode of the graph that is not constant varies along its longest extent, so
// that the cut in the middle is plane and short.
func spectral(g *network, rng *rand.Rand) []int32 {
	n := g.n()
	x, y := make([]float64, n), make([]float64, n)
	degree := make([]float64, n)
	sum := 0.0
	for v := range n {
		x[v] = rng.Float64()
		for _, e := range g.edge[g.ptr[v]:g.ptr[v+1]] {
			degree[v] += float64(e)
		}
		sum += degree[v]
	}
	for range sweeps {
		mean := 0.0
		for v, d := range degree {
			mean += d * x[v] / sum
		}
		for v := range n {
			y[v] = x[v] - mean
			for p := g.ptr[v]; p < g.ptr[v+1]; p++ {
				y[v] += float64(g.edge[p]) * (x[g.adj[p]] - mean) / degree[v]
			}
		}
		x, y = y, x
	}
	order := identity(n)
	slices.SortStableFunc(order, func(u, v int32) int { return cmp.Compare(x[u], x[v]) })
	return order
}
