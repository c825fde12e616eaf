package factor

import (
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
	p.order(o.Ordering)
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
	return p
}

// order finds the elimination order and its tree.
func (p *Plan) order(o Ordering) {
	g := p.graph
	switch o {
	case Natural:
		p.tree = newTree(g, identity(g.n))
	case NestedDissection:
		p.tree = newTree(g, orderNestedDissection(g))
	default:
		p.tree = newTree(g, orderMinDegree(g, g.n))
		if o == MinimumDegree || p.tree.flops() < dissectionFlops {
			o = MinimumDegree
			break
		}
		o = MinimumDegree
		if t := newTree(g, orderNestedDissection(g)); t.flops() < p.tree.flops() {
			p.tree, o = t, NestedDissection
		}
	}
	p.ordering = o
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
