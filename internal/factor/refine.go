package factor

// The sides of a bisection.
const (
	left      = 0
	right     = 1
	separator = 2
)

// bisection is a vertex separator of a network with the state of its
// refinement by Fiduccia-Mattheyses moves: a vertex of the separator goes to
// one side and its neighbours on the other side become separator.
type bisection struct {
	g      *network
	side   []uint8
	load   [3]int     // weight of each side and of the separator
	near   [2][]int32 // for a separator vertex: weight of its neighbours on each side
	locked []bool
	queue  [2]moveHeap // by the side to go to
	trail  []change
}

// change undoes one relabelling.
type change struct {
	v    int32
	from uint8
}

// imbalance is the largest share of the weight one side may have.
const imbalance = 0.6

func newBisection(g *network, side []uint8) *bisection {
	b := &bisection{g: g, side: side, locked: make([]bool, g.n())}
	b.near = [2][]int32{make([]int32, g.n()), make([]int32, g.n())}
	for v, s := range side {
		b.load[s] += int(g.weight[v])
	}
	return b
}

// cost orders bisections: separator weight, then balance.
func (b *bisection) cost() (int, int) {
	return b.load[separator], max(b.load[left], b.load[right])
}

func (b *bisection) better(weight, heavier int) bool {
	w, h := b.cost()
	limit := int(imbalance * float64(b.g.total))
	if fits := h <= limit; fits != (heavier <= limit) {
		return fits
	}
	return w < weight || w == weight && h < heavier
}

// refine repeats passes of moves until none improves.
func (b *bisection) refine() {
	for range 10 {
		if !b.pass() {
			return
		}
	}
}

// pass moves each vertex at most once, the most profitable first, also
// downhill, and returns to the best state seen.
func (b *bisection) pass() bool {
	clear(b.locked)
	b.trail = b.trail[:0]
	b.queue[left], b.queue[right] = b.queue[left][:0], b.queue[right][:0]
	for v, s := range b.side {
		if s == separator {
			b.enter(int32(v))
		}
	}
	weight, heavier := b.cost()
	best, idle, improved := 0, 0, false
	patience := 50 + len(b.queue[left])/4
	for idle < patience {
		v, to, ok := b.choose()
		if !ok {
			break
		}
		b.move(v, to)
		idle++
		if b.better(weight, heavier) {
			weight, heavier = b.cost()
			best, idle, improved = len(b.trail), 0, true
		}
	}
	for k := len(b.trail) - 1; k >= best; k-- {
		b.relabel(b.trail[k].v, b.trail[k].from)
	}
	return improved
}

func (b *bisection) relabel(v int32, to uint8) {
	b.load[b.side[v]] -= int(b.g.weight[v])
	b.load[to] += int(b.g.weight[v])
	b.side[v] = to
}

// gain is the change for the better of the separator weight when v goes to a side.
func (b *bisection) gain(v int32, to int) int32 { return b.g.weight[v] - b.near[1-to][v] }

// enter computes what a new separator vertex sees and queues its moves.
func (b *bisection) enter(v int32) {
	var near [3]int32
	for _, u := range b.g.adj[b.g.ptr[v]:b.g.ptr[v+1]] {
		near[b.side[u]] += b.g.weight[u]
	}
	b.near[left][v], b.near[right][v] = near[left], near[right]
	if !b.locked[v] {
		b.queue[left].push(move{b.gain(v, left), v})
		b.queue[right].push(move{b.gain(v, right), v})
	}
}

// choose takes the best move that keeps the balance; of equal gains the one to
// the lighter side.
func (b *bisection) choose() (v int32, to int, ok bool) {
	limit := int(imbalance * float64(b.g.total))
	for {
		for to := range 2 {
			b.dropStale(to)
		}
		to = left
		if b.load[right] < b.load[left] {
			to = right
		}
		q, other := b.queue[to], b.queue[1-to]
		if len(q) == 0 && len(other) == 0 {
			return 0, 0, false
		}
		if len(q) == 0 || len(other) > 0 && other[0].gain > q[0].gain {
			to = 1 - to
		}
		v = b.queue[to].pop().v
		if b.load[to]+int(b.g.weight[v]) <= limit || b.load[to] < b.load[1-to] {
			return v, to, true
		}
	}
}

// dropStale removes queue entries that no longer tell the truth.
func (b *bisection) dropStale(to int) {
	q := &b.queue[to]
	for len(*q) > 0 {
		top := (*q)[0]
		if b.side[top.v] == separator && !b.locked[top.v] && top.gain == b.gain(top.v, to) {
			return
		}
		q.pop()
	}
}

// move sends the separator vertex v to a side.
func (b *bisection) move(v int32, to int) {
	b.trail = append(b.trail, change{v, separator})
	b.relabel(v, uint8(to))
	b.locked[v] = true
	away := uint8(1 - to)
	for _, u := range b.g.adj[b.g.ptr[v]:b.g.ptr[v+1]] {
		switch b.side[u] {
		case separator:
			b.near[to][u] += b.g.weight[v]
			b.queue[away].push(move{b.gain(u, int(away)), u})
		case away:
			b.trail = append(b.trail, change{u, away})
			b.relabel(u, separator)
			b.enter(u)
			for _, w := range b.g.adj[b.g.ptr[u]:b.g.ptr[u+1]] {
				if b.side[w] == separator && w != u {
					b.near[away][w] -= b.g.weight[u]
					b.queue[to].push(move{b.gain(w, to), w})
				}
			}
		}
	}
}

// move is a proposal in the queue of a side.
type move struct {
	gain int32
	v    int32
}

// moveHeap is a binary heap with the largest gain first.
type moveHeap []move

func (a move) before(b move) bool { return a.gain > b.gain || a.gain == b.gain && a.v < b.v }

func (h *moveHeap) push(m move) {
	*h = append(*h, m)
	q := *h
	i := len(q) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !q[i].before(q[up]) {
			break
		}
		q[i], q[up] = q[up], q[i]
		i = up
	}
}

func (h *moveHeap) pop() move {
	q := *h
	top, last := q[0], len(q)-1
	q[0] = q[last]
	q = q[:last]
	*h = q
	for i := 0; ; {
		down := 2*i + 1
		if down >= last {
			break
		}
		if down+1 < last && q[down+1].before(q[down]) {
			down++
		}
		if !q[down].before(q[i]) {
			break
		}
		q[i], q[down] = q[down], q[i]
		i = down
	}
	return top
}
