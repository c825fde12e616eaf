package assembly

import (
	"cmp"
	"math"
	"slices"
)

// divide branches on what is farthest from Coulomb's law in the answer of the program: how a joint slides,
// whether a contact is closed, where a cone of motions points. Without an answer, on the first of these that is
// undecided.
func (d *search) divide(n *node, u, rho []float64) []*node {
	const small = 1e-7 // of the largest product: rounding of programs
	most, how := small*largest(u)*largest(rho), (func() []*node)(nil)
	consider := func(violation float64, divide func() []*node) {
		if how == nil || violation > most {
			most, how = max(most, violation), divide
		}
	}
	slip, press := d.violations(u, rho)
	for k := range d.joints {
		if d.joints[k].mu > 0 && n.along[k].kind == free && d.joints[k].touches(n) {
			consider(slip[k]+d.joints[k].sum(press), func() []*node { return d.ways(n, k) })
		}
	}
	for j := range n.normal {
		if n.normal[j] == loose {
			consider(press[j], func() []*node { return d.closes(n, j) })
		}
	}
	for k := range d.joints {
		// down to a width at which a motion would have been found from the middle of the cone
		if a := &n.along[k]; a.kind == sliding && len(a.cone) > 1 && a.width() > 1e-3 {
			consider(slip[k], func() []*node {
				both := a.halves()
				return []*node{n.slides(k, both[0]), n.slides(k, both[1])}
			})
		}
	}
	if how == nil {
		d.missed = true
		return nil
	}
	children := how()
	if u != nil {
		d.order(children, n, u, rho)
	}
	return children
}

// violations are r_T·u_T + μ r_N‖u_T‖ of joints, in sum over their corners, and r_N u_N of contacts.
func (d *search) violations(u, rho []float64) (slip, press []float64) {
	slip, press = make([]float64, len(d.joints)), make([]float64, len(d.s.contacts))
	if u == nil {
		return slip, press
	}
	dim := d.s.dim
	for j := range press {
		press[j] = rho[j*dim] * u[j*dim]
		slip[d.jointOf[j]] += gap(dim, d.s.contacts[j].mu, rho[j*dim:(j+1)*dim], u[j*dim:(j+1)*dim]) - press[j]
	}
	return slip, press
}

func (o *joint) sum(press []float64) float64 {
	sum := 0.
	for _, j := range o.corners {
		sum += press[j]
	}
	return sum
}

// touches: a corner of the joint may carry a reaction.
func (o *joint) touches(n *node) bool {
	return slices.ContainsFunc(o.corners, func(j int) bool { return n.normal[j] != opened })
}

// ways are what a joint may do: all its corners are open, it is still, or it slides in one of the orthants.
func (d *search) ways(n *node, k int) []*node {
	open := n.clone()
	for _, j := range d.joints[k].corners {
		open.normal[j] = opened
	}
	children := []*node{open, n.slides(k, along{kind: still})}
	for _, a := range d.joints[k].orthants() {
		children = append(children, n.slides(k, a))
	}
	for _, c := range children[1:] {
		d.settle(c, k)
	}
	return children
}

func (n *node) slides(k int, a along) *node {
	c := n.clone()
	c.along[k] = a
	return c
}

// closes is a loose contact closed, or open. That all corners of a joint of which it is said how it slides are
// open was a branch of its own: one of them is not.
func (d *search) closes(n *node, j int) []*node {
	k := d.jointOf[j]
	closed, open := n.clone(), n.clone()
	closed.normal[j], open.normal[j] = shut, opened
	children := []*node{closed}
	if n.along[k].kind == free || d.joints[k].touches(open) {
		children = append(children, open)
	}
	for _, c := range children {
		d.settle(c, k)
	}
	return children
}

// settle closes what follows: the last corner of a joint that is not open, if it slides or is still, and all
// corners of one of which two are closed in the plane, or three in space. Points that are given may be on a
// line: then nothing follows.
func (d *search) settle(n *node, k int) {
	corners := d.joints[k].corners
	left, last, closed := 0, -1, 0
	for _, j := range corners {
		if n.normal[j] != opened {
			left, last = left+1, j
		}
		if n.normal[j] == shut {
			closed++
		}
	}
	if left == 1 && n.along[k].kind != free {
		n.normal[last] = shut
	}
	face := &d.s.a.Interfaces[d.s.contacts[corners[0]].face]
	if closed < d.s.dim || len(corners) < len(face.Points) || len(face.corners(d.s.a.Plane)) < len(face.Points) {
		return
	}
	for _, j := range corners {
		if n.normal[j] == loose {
			n.normal[j] = shut
		}
	}
}

// order puts first the children to which the relaxed motion is nearest.
func (d *search) order(children []*node, parent *node, u, rho []float64) {
	dim := d.s.dim
	size, force := largest(u)+1e-300, largest(rho)+1e-300
	distance := func(n *node) float64 {
		sum := 0.
		for j := range n.normal {
			switch {
			case n.normal[j] == parent.normal[j]:
			case n.normal[j] == shut:
				sum += math.Abs(u[j*dim]) / size
			case n.normal[j] == opened:
				sum += largest(rho[j*dim:(j+1)*dim]) / force
			}
		}
		for k := range n.along {
			if parent.along[k].kind != n.along[k].kind || n.along[k].kind == sliding && &n.along[k].cone[0] != &parent.along[k].cone[0] {
				sum += n.along[k].distance(d.joints[k].q(dim, u)) / size
			}
		}
		return sum
	}
	slices.SortStableFunc(children, func(a, b *node) int { return cmp.Compare(distance(a), distance(b)) })
}

// distance is how much of q is not along the middle of the cone.
func (a *along) distance(q []float64) float64 {
	size := math.Sqrt(product(q, q))
	if a.kind == still {
		return size
	}
	middle := make([]float64, len(q))
	for _, edge := range a.cone {
		for m, v := range edge {
			middle[m] += v
		}
	}
	return size - product(q, middle)/math.Sqrt(product(middle, middle))
}
