package local

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	// colourFrom is the number of contacts from which sweeps go by colours: a sweep
	// takes a millisecond then, waking the workers some microseconds a colour.
	colourFrom = 4000
	// colourChunk is the number of contacts that a worker takes at a time; its sums
	// are added in the order of the chunks.
	colourChunk = 256
	// colourLeast is the mean size of a colour in chunks below which it is not worth it.
	colourLeast = 2
)

// colours orders the contacts so that those of one colour are not coupled by W: they
// can be solved at once. Order and sums do not depend on the number of workers.
type colours struct {
	usable bool
	order  []int32 // contacts by colour
	chunks []int32 // ends of the chunks in order
	ends   []int32 // ends of the colours in chunks
	sums   [][2]float64

	// Rows of W and one-contact problems in that order: a sweep reads memory from one end to the
	// other, in less than half of the time that it takes to look each row up in another place.
	ptr []int32
	col []int32
	blk []mat3
	one []oneContact
}

// analyse colours the contacts of c greedily in their order.
func (o *colours) analyse(c *reduced) {
	o.usable = false
	if c.Nc < colourFrom {
		return
	}
	most := c.Nc / (colourLeast * colourChunk)
	colour, taken := make([]int32, c.Nc), make([]int32, most)
	var members [][]int32
	for i := range c.Nc {
		for _, j := range c.Col[c.Ptr[i]:c.Ptr[i+1]] {
			if int(j) < i {
				taken[colour[j]] = int32(i + 1)
			}
		}
		k := slices.IndexFunc(taken, func(t int32) bool { return t != int32(i+1) })
		if k < 0 { // too many
			return
		}
		colour[i] = int32(k)
		for len(members) <= k {
			members = append(members, nil)
		}
		members[k] = append(members[k], int32(i))
	}
	o.order, o.chunks, o.ends = o.order[:0], o.chunks[:0], o.ends[:0]
	for _, list := range members {
		for from := 0; from < len(list); from += colourChunk {
			end := min(from+colourChunk, len(list))
			o.order = append(o.order, list[from:end]...)
			o.chunks = append(o.chunks, int32(len(o.order)))
		}
		o.ends = append(o.ends, int32(len(o.chunks)))
	}
	o.sums = num.Grow(o.sums, len(o.chunks))
	o.usable = true
}

// set copies the values of c.
func (o *colours) set(c *reduced) {
	if !o.usable {
		return
	}
	n := len(c.Col)
	o.ptr, o.col, o.blk, o.one = append(o.ptr[:0], 0), num.Grow(o.col, n)[:0], num.Grow(o.blk, n)[:0], num.Grow(o.one, c.Nc)[:0]
	for _, i := range o.order {
		from, end := c.Ptr[i], c.Ptr[i+1]
		o.col, o.blk = append(o.col, c.Col[from:end]...), append(o.blk, c.Blk[from:end]...)
		o.one, o.ptr = append(o.one, c.one[i]), append(o.ptr, int32(len(o.col)))
	}
}

// sweep is [reduced.sweep] in the order of the colours.
func (o *colours) sweep(c *reduced, r []vec3) (change, size float64) {
	workers, from := runtime.GOMAXPROCS(0), int32(0)
	for _, end := range o.ends {
		if workers == 1 {
			for k := from; k < end; k++ {
				o.sums[k] = o.solve(c, r, k)
			}
		} else {
			o.share(c, r, from, end, workers)
		}
		from = end
	}
	for _, s := range o.sums {
		change += s[0]
		size += s[1]
	}
	return math.Sqrt(change), math.Sqrt(size)
}

// share solves the chunks from to end with several workers.
func (o *colours) share(c *reduced, r []vec3, from, end int32, workers int) {
	var next atomic.Int32
	next.Store(from)
	work := func() {
		for {
			k := next.Add(1) - 1
			if k >= end {
				return
			}
			o.sums[k] = o.solve(c, r, k)
		}
	}
	var done sync.WaitGroup
	for range min(workers, int(end-from)) - 1 {
		done.Go(work)
	}
	work()
	done.Wait()
}

// solve passes over a chunk and returns its Σ‖Δr‖² and Σ‖r‖².
func (o *colours) solve(c *reduced, r []vec3, chunk int32) (sums [2]float64) {
	from := int32(0)
	if chunk > 0 {
		from = o.chunks[chunk-1]
	}
	for k := from; k < o.chunks[chunk]; k++ {
		i := o.order[k]
		u, row, end := c.Q[i], o.ptr[k], o.ptr[k+1]
		block.AddProduct(&u, o.col[row:end], o.blk[row:end], r)
		change, size := c.relaxOne(int(i), &o.one[k], &r[i], &u)
		sums[0] += change
		sums[1] += size
	}
	return sums
}

// sweep passes once over the contacts, by colours where that pays.
func (s *localRun) sweep(r []vec3) (change, size float64) {
	if o := &s.ws.colours; o.usable && s.c.separable() {
		return o.sweep(s.c, r)
	}
	return s.c.sweep(r)
}

// separable reports whether the contacts can be solved at once: a law that is not
// known by its kind has its arguments in one place.
func (c *reduced) separable() bool {
	for _, kind := range c.Kind {
		if kind != form.KindCoulomb && kind != form.KindFrictionless && kind != form.KindBilateral && kind != form.KindInside {
			return false
		}
	}
	return true
}
