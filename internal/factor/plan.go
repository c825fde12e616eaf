package factor

import (
	"context"
	"fmt"
	"runtime"

	"github.com/quasistatic/quasistatic/sparse"
)

// Plan is the symbolic analysis of a pattern: the elimination order and the
// exact size of the factor. It holds indices only; Factor allocates the numbers.
type Plan struct {
	a         *sparse.Sym
	graph     *graph
	tree      *tree
	method    Method
	ordering  Ordering
	tolerance float64
	partition *partition
	schedule  *schedule
}

// NewPlan analyses the pattern of a, which must be valid (see Sym.Validate).
// Its values are not read.
func NewPlan(a *sparse.Sym, o Options) *Plan {
	p, _ := NewPlanContext(context.Background(), a, o) // nothing stops it
	return p
}

// NewPlanContext is NewPlan until the context is done, looked at several times a second;
// then it returns the cause.
func NewPlanContext(ctx context.Context, a *sparse.Sym, o Options) (*Plan, error) {
	if err := o.Validate(); err != nil {
		panic(err)
	}
	if a.N > maxOrder {
		panic(fmt.Sprintf("factor: NewPlan: order %d exceeds %d", a.N, maxOrder))
	}
	p := &Plan{a: a, graph: newGraph(a), method: o.Method, tolerance: o.PivotTolerance}
	if p.tolerance == 0 {
		p.tolerance = float64(a.N) * 0x1p-52
	}
	if p.order(ctx, o.Ordering); ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if p.method == AutoMethod {
		p.method = p.cheaper()
	}
	if p.method == Supernodal {
		workers := o.Workers
		if workers == 0 {
			workers = runtime.GOMAXPROCS(0)
		}
		p.partition = newPartition(p.graph, p.tree)
		p.schedule = newSchedule(p.partition, workers, sharedFlops)
	}
	return p, nil
}

// order finds the elimination order and its tree, unless the context is done.
func (p *Plan) order(ctx context.Context, o Ordering) {
	g := p.graph
	switch o {
	case Natural:
		p.tree = newTree(g, identity(g.n))
	case NestedDissection:
		p.tree = orderedTree(g, orderNestedDissection(ctx, g))
	case MinimumDegree:
		p.tree = orderedTree(g, orderMinDegree(ctx, g, g.n))
	default:
		p.tree, o = cheaperTree(ctx, g, dissectionFlops)
	}
	p.ordering = o
}

// cheaperTree takes minimum degree or, where that leaves more operations than some, the
// better of it and nested dissection; nil when the context is done.
func cheaperTree(ctx context.Context, g *graph, some float64) (*tree, Ordering) {
	t := orderedTree(g, orderMinDegree(ctx, g, g.n))
	if t == nil || t.flops() < some {
		return t, MinimumDegree
	}
	nested := orderedTree(g, orderNestedDissection(ctx, g))
	if nested == nil {
		return nil, NestedDissection
	}
	if nested.flops() < t.flops() {
		return nested, NestedDissection
	}
	return t, MinimumDegree
}

// orderedTree is the tree of an order, nil without one.
func orderedTree(g *graph, order []int32) *tree {
	if order == nil {
		return nil
	}
	return newTree(g, order)
}

// dissectionFlops is the work of a factorisation after minimum degree from
// which nested dissection is tried as well. Below, a Refactor takes some
// milliseconds and the search for a better order would take longer.
const dissectionFlops = 1e8

// denseEnough is the number of operations per entry of L from which dense
// blocks win over lists; measured on chains and grids of one to three degrees
// of freedom a node.
const denseEnough = 25

func (p *Plan) cheaper() Method {
	if p.tree.flops() < denseEnough*float64(p.tree.nnz()) {
		return Simplicial
	}
	return Supernodal
}

// Method returns the way of factorisation: Simplicial or Supernodal.
func (p *Plan) Method() Method { return p.method }

// Ordering returns the way the elimination order was found.
func (p *Plan) Ordering() Ordering { return p.ordering }

// NNZ returns the number of entries of L without the zeros that supernodes add.
func (p *Plan) NNZ() int { return p.tree.nnz() }

// Flops returns the number of operations of a Refactor, additions and
// multiplications, without those that supernodes add.
func (p *Plan) Flops() float64 { return p.tree.flops() }

// Bytes returns the memory of the Factor, that of WorkBytes included.
func (p *Plan) Bytes() int64 {
	n, nnz := int64(p.a.N), int64(p.a.Ptr[p.a.N])
	if p.method == Simplicial {
		return 8*nnz + 20*int64(p.tree.nnz()-p.a.N) + 28*n
	}
	s := p.partition
	return 8*int64(s.panel[s.count()]) + p.WorkBytes() + 16*nnz + 8*int64(len(s.rows)) + 36*n
}

// WorkBytes returns the part of Bytes that Factor.Release gives back: the update
// matrices, which only Refactor needs.
func (p *Plan) WorkBytes() int64 {
	if p.method == Simplicial {
		return 0
	}
	return 8 * int64(p.schedule.arenaSize)
}

// Factor allocates the factor. Several factors of one Plan are independent of
// each other.
func (p *Plan) Factor() Factor {
	if p.method == Simplicial {
		return newSimplicial(p.a, p.graph, p.tree, p.tolerance)
	}
	return newSupernodal(p.a, p.partition, p.schedule, p.tolerance)
}
