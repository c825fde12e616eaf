package factor

import "math/rand/v2"

// network is a graph with weights on vertices and edges, for bisection.
type network struct {
	ptr    []int
	adj    []int32
	edge   []int32 // weight of each entry of adj
	weight []int32 // of the vertices
	total  int     // sum of weight
}

func (g *network) n() int { return len(g.weight) }

// coarsest is the number of vertices at which coarsening ends.
const coarsest = 100

// coarsen contracts a matching along heavy edges: edges that stay are light,
// so that a small separator of the coarse graph is one of g as well [KK98].
// It returns the coarse graph and the coarse vertex of each vertex of g.
func coarsen(g *network, rng *rand.Rand) (*network, []int32) {
	match := heavyMatching(g, rng)
	n := int32(0)
	into := make([]int32, g.n())
	for v, u := range match {
		if int(u) >= v { // the smaller end of a pair numbers it
			into[v], into[u] = n, n
			n++
		}
	}
	c := &network{ptr: make([]int, n+1), weight: make([]int32, n), total: g.total}
	c.adj = make([]int32, 0, len(g.adj))
	c.edge = make([]int32, 0, len(g.adj))
	slot := make([]int32, n) // place of a neighbour in the list being built, plus one
	for v, u := range match {
		if int(u) < v {
			continue
		}
		k, begin := into[v], len(c.adj)
		c.weight[k] += g.weight[v]
		c.contract(g, v, into, slot)
		if int(u) != v {
			c.weight[k] += g.weight[u]
			c.contract(g, int(u), into, slot)
		}
		for _, w := range c.adj[begin:] {
			slot[w] = 0
		}
		c.ptr[k+1] = len(c.adj)
	}
	return c, into
}

// contract adds the edges of v to the list of its coarse vertex, the last one.
func (c *network) contract(g *network, v int, into, slot []int32) {
	for p := g.ptr[v]; p < g.ptr[v+1]; p++ {
		w := into[g.adj[p]]
		switch {
		case w == into[v]:
		case slot[w] > 0:
			c.edge[slot[w]-1] += g.edge[p]
		default:
			c.adj = append(c.adj, w)
			c.edge = append(c.edge, g.edge[p])
			slot[w] = int32(len(c.adj))
		}
	}
}

// heavyMatching pairs each vertex, in random order, with the unmatched
// neighbour of the heaviest edge; a vertex left alone is its own partner.
func heavyMatching(g *network, rng *rand.Rand) []int32 {
	match := make([]int32, g.n())
	for v := range match {
		match[v] = -1
	}
	// No coarse vertex may outweigh a fair share of the coarsest graph.
	limit := max(2, int32(3*g.total/(2*coarsest)))
	for _, v := range rng.Perm(g.n()) {
		if match[v] >= 0 {
			continue
		}
		best, weight := int32(v), int32(-1)
		for p := g.ptr[v]; p < g.ptr[v+1]; p++ {
			if u := g.adj[p]; match[u] < 0 && g.edge[p] > weight && g.weight[u]+g.weight[v] <= limit {
				best, weight = u, g.edge[p]
			}
		}
		match[v], match[best] = best, int32(v)
	}
	return match
}
