package factor

import (
	"context"
	"math/rand/v2"
	"slices"
)

// dissectionLeaf is the number of vertices of a part that goes to minimum
// degree instead of being bisected further.
const dissectionLeaf = 300

// dissection is a nested dissection ordering [George73]: a small separator
// splits the graph, both halves are ordered recursively, the separator last.
type dissection struct {
	ctx   context.Context
	g     *graph
	rng   *rand.Rand
	order []int32
	local []int32 // number within the part at hand, -1 outside it
}

// orderNestedDissection returns an elimination order of the vertices of g. The
// order is the same at every call. When the context is done there is none: nil.
func orderNestedDissection(ctx context.Context, g *graph) []int32 {
	d := &dissection{ctx: ctx, g: g, order: make([]int32, 0, g.n), rng: rand.New(rand.NewPCG(1, 2)), local: make([]int32, g.n)}
	for v := range d.local {
		d.local[v] = -1
	}
	d.part(identity(g.n))
	if ctx.Err() != nil {
		return nil
	}
	return d.order
}

// part orders the given vertices.
func (d *dissection) part(vertices []int32) {
	if d.ctx.Err() != nil {
		return
	}
	if len(vertices) <= dissectionLeaf {
		d.leaf(vertices)
		return
	}
	net := d.network(vertices)
	side := separate(d.ctx, net, d.rng)
	var parts [3][]int32
	for i, s := range side {
		parts[s] = append(parts[s], vertices[i])
	}
	if len(parts[left]) == 0 || len(parts[right]) == 0 {
		d.leaf(vertices) // no separator worth the name
		return
	}
	d.part(parts[left])
	d.part(parts[right])
	d.order = append(d.order, parts[separator]...)
}

// induced returns the adjacency of the given vertices among each other.
func (d *dissection) induced(vertices []int32) (ptr []int, adj []int32) {
	for i, v := range vertices {
		d.local[v] = int32(i)
	}
	ptr = make([]int, len(vertices)+1)
	for i, v := range vertices {
		for _, u := range d.g.neighbours(v) {
			if k := d.local[u]; k >= 0 {
				adj = append(adj, k)
			}
		}
		ptr[i+1] = len(adj)
	}
	for _, v := range vertices {
		d.local[v] = -1
	}
	return ptr, adj
}

// leaf orders the vertices by minimum degree. Their neighbours outside belong
// to separators, which come later: they are the halo [PRA00].
func (d *dissection) leaf(vertices []int32) {
	for i, v := range vertices {
		d.local[v] = int32(i)
	}
	sub := &graph{ptr: make([]int, 1, len(vertices)+1)}
	members := slices.Clone(vertices)
	for _, v := range vertices {
		for _, u := range d.g.neighbours(v) {
			if d.local[u] < 0 {
				d.local[u] = int32(len(members))
				members = append(members, u)
			}
			sub.adj = append(sub.adj, d.local[u])
		}
		sub.ptr = append(sub.ptr, len(sub.adj))
	}
	// A halo vertex needs its edges into the part only.
	for _, v := range members[len(vertices):] {
		for _, u := range d.g.neighbours(v) {
			if k := d.local[u]; k >= 0 && int(k) < len(vertices) {
				sub.adj = append(sub.adj, k)
			}
		}
		sub.ptr = append(sub.ptr, len(sub.adj))
	}
	sub.n = len(members)
	for _, v := range members {
		d.local[v] = -1
		sub.weight = append(sub.weight, d.g.weight[v])
		sub.total += int(d.g.weight[v])
	}
	for _, i := range orderMinDegree(d.ctx, sub, len(vertices)) {
		d.order = append(d.order, vertices[i])
	}
}

// network is the induced subgraph for bisection, its edges of weight one.
func (d *dissection) network(vertices []int32) *network {
	net := &network{weight: make([]int32, len(vertices))}
	for i, v := range vertices {
		net.weight[i] = d.g.weight[v]
		net.total += int(net.weight[i])
	}
	net.ptr, net.adj = d.induced(vertices)
	net.edge = make([]int32, len(net.adj))
	for p := range net.edge {
		net.edge[p] = 1
	}
	return net
}
