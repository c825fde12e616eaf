package families

import (
	"container/heap"
	"math"
)

// deposit lets balls come to rest one after the other in the lowest stable place of
// a box that is free, on three supports: balls, walls, the floor. The plane y = 0 is
// one of them for discs. Radii are of three sizes, drawn beforehand.
type deposit struct {
	planes  []plane
	flat    bool // centres in the plane y = 0
	centres []vec3
	radii   []float64
	sizes   []float64
	heaps   []places // by size
	cells   map[[3]int][]int
	cell    float64
	serial  int
}

// plane is n·x >= d.
type plane struct {
	n vec3
	d float64
}

// place is where a ball of some size could rest.
type place struct {
	at     vec3
	serial int
}

type places []place

func (h places) Len() int { return len(h) }
func (h places) Less(i, j int) bool {
	if h[i].at[2] != h[j].at[2] {
		return h[i].at[2] < h[j].at[2]
	}
	return h[i].serial < h[j].serial
}
func (h places) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *places) Push(x any)   { *h = append(*h, x.(place)) }
func (h *places) Pop() any {
	last := len(*h) - 1
	p := (*h)[last]
	*h = (*h)[:last]
	return p
}

// newDeposit is an empty box of the given width; a flat one has no extent in y.
func newDeposit(width float64, flat bool, sizes []float64) *deposit {
	d := &deposit{flat: flat, sizes: sizes, heaps: make([]places, len(sizes)), cells: map[[3]int][]int{}}
	d.planes = []plane{{vec3{0, 0, 1}, 0}, {vec3{1, 0, 0}, 0}, {vec3{-1, 0, 0}, -width}}
	if !flat {
		d.planes = append(d.planes, plane{vec3{0, 1, 0}, 0}, plane{vec3{0, -1, 0}, -width})
	}
	for _, r := range sizes {
		d.cell = max(d.cell, 2*r)
	}
	walls := make([]int, len(d.planes))
	for k := range walls {
		walls[k] = ^k
	}
	for size := range sizes {
		for i := range walls {
			for j := range i {
				if flat {
					d.propose(size, walls[i], walls[j], 0)
					continue
				}
				for k := range j {
					d.propose(size, walls[i], walls[j], walls[k])
				}
			}
		}
	}
	return d
}

// drop places a ball of a size and returns false if there is no place for it.
func (d *deposit) drop(size int) bool {
	h := &d.heaps[size]
	for h.Len() > 0 {
		p := heap.Pop(h).(place)
		if d.free(p.at, d.sizes[size]) {
			d.put(p.at, d.sizes[size])
			return true
		}
	}
	return false
}

func (d *deposit) put(at vec3, radius float64) {
	s := len(d.centres)
	d.centres, d.radii = append(d.centres, at), append(d.radii, radius)
	c := d.cellOf(at)
	d.cells[c] = append(d.cells[c], s)
	for size, r := range d.sizes {
		d.proposeAround(s, size, r)
	}
}

// proposeAround finds the places of a ball of radius r that touch ball s.
func (d *deposit) proposeAround(s, size int, r float64) {
	near := d.near(s, r)
	for i, a := range near {
		if d.flat {
			d.propose(size, s, a, 0)
			continue
		}
		for _, b := range near[:i] {
			if d.apart(a, b) < 2*r {
				d.propose(size, s, a, b)
			}
		}
	}
}

// near lists the walls, as complements, and balls that a ball of radius r which
// touches s may touch.
func (d *deposit) near(s int, r float64) (list []int) {
	for k := range d.planes {
		if d.apart(^k, s) < 2*r {
			list = append(list, ^k)
		}
	}
	c, reach := d.cellOf(d.centres[s]), 2
	for i := c[0] - reach; i <= c[0]+reach; i++ {
		for j := c[1] - reach; j <= c[1]+reach; j++ {
			for k := c[2] - reach; k <= c[2]+reach; k++ {
				for _, o := range d.cells[[3]int{i, j, k}] {
					if o != s && d.apart(s, o) < 2*r {
						list = append(list, o)
					}
				}
			}
		}
	}
	return list
}

// apart is the free distance of two supports; two walls meet.
func (d *deposit) apart(a, b int) float64 {
	switch {
	case a < 0 && b < 0:
		return 0
	case a < 0:
		p := d.planes[^a]
		return p.n.dot(d.centres[b]) - p.d - d.radii[b]
	case b < 0:
		return d.apart(b, a)
	}
	return d.centres[a].distance(d.centres[b]) - d.radii[a] - d.radii[b]
}

func (d *deposit) cellOf(p vec3) [3]int {
	return [3]int{int(math.Floor(p[0] / d.cell)), int(math.Floor(p[1] / d.cell)), int(math.Floor(p[2] / d.cell))}
}

// free reports whether a ball of radius r fits at p.
func (d *deposit) free(p vec3, r float64) bool {
	slack := 1e-9 * r
	for _, w := range d.planes {
		if w.n.dot(p) < w.d+r-slack {
			return false
		}
	}
	c := d.cellOf(p)
	for i := c[0] - 1; i <= c[0]+1; i++ {
		for j := c[1] - 1; j <= c[1]+1; j++ {
			for k := c[2] - 1; k <= c[2]+1; k++ {
				for _, o := range d.cells[[3]int{i, j, k}] {
					if d.centres[o].distance(p) < r+d.radii[o]-slack {
						return false
					}
				}
			}
		}
	}
	return true
}

// propose notes the stable places of a ball on three supports, the third being the
// plane y = 0 of a flat deposit.
func (d *deposit) propose(size, a, b, c int) {
	r := d.sizes[size]
	for _, p := range d.touching(r, a, b, c) {
		if d.stable(p, a, b, c) && d.free(p, r) {
			heap.Push(&d.heaps[size], place{p, d.serial})
			d.serial++
		}
	}
}

// touching solves |p − c_i| = r_i + r and n_i·p = d_i + r for three supports. The
// difference of two spheres is a plane, so that a line is cut with one sphere.
func (d *deposit) touching(r float64, supports ...int) []vec3 {
	var balls []int
	var rows []plane
	if d.flat {
		supports = supports[:2]
		rows = append(rows, plane{vec3{0, 1, 0}, 0})
	}
	for _, s := range supports {
		if s >= 0 {
			balls = append(balls, s)
			continue
		}
		w := d.planes[^s]
		rows = append(rows, plane{w.n, w.d + r})
	}
	if len(balls) == 0 {
		x, y, z := rows[0], rows[1], rows[2]
		det := x.n.dot(y.n.cross(z.n))
		if math.Abs(det) < 1e-9 {
			return nil
		}
		p := y.n.cross(z.n).scale(x.d).plus(z.n.cross(x.n).scale(y.d)).plus(x.n.cross(y.n).scale(z.d))
		return []vec3{p.scale(1 / det)}
	}
	c0, r0 := d.centres[balls[0]], d.radii[balls[0]]+r
	for _, s := range balls[1:] {
		c, rs := d.centres[s], d.radii[s]+r
		rows = append(rows, plane{c.minus(c0).scale(2), c.dot(c) - c0.dot(c0) - rs*rs + r0*r0})
	}
	a, b := rows[0], rows[1]
	along := a.n.cross(b.n)
	ll := along.dot(along)
	if ll < 1e-12*a.n.dot(a.n)*b.n.dot(b.n) {
		return nil
	}
	foot := b.n.cross(along).scale(a.d).plus(along.cross(a.n).scale(b.d)).scale(1 / ll)
	// |foot + s·along − c0|² = r0²
	away := foot.minus(c0)
	h := away.dot(along) / ll
	disc := h*h - (away.dot(away)-r0*r0)/ll
	if disc < 0 {
		return nil
	}
	s := math.Sqrt(disc)
	return []vec3{foot.plus(along.scale(-h + s)), foot.plus(along.scale(-h - s))}
}

// stable reports whether the supports can carry the weight without friction: up is
// a combination of the normals with coefficients that are not negative.
func (d *deposit) stable(p vec3, a, b, c int) bool {
	x, y, z := d.normal(p, a), d.normal(p, b), vec3{0, 1, 0}
	if !d.flat {
		z = d.normal(p, c)
	}
	up := vec3{0, 0, 1}
	det := x.dot(y.cross(z))
	if math.Abs(det) < 1e-6 {
		return false
	}
	const least = -1e-12
	return up.dot(y.cross(z))/det > least && up.dot(z.cross(x))/det > least &&
		(d.flat || up.dot(x.cross(y))/det > least)
}

// normal points from support s to p.
func (d *deposit) normal(p vec3, s int) vec3 {
	if s < 0 {
		return d.planes[^s].n
	}
	n := p.minus(d.centres[s])
	return n.scale(1 / n.norm())
}
