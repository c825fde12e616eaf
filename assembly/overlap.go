package assembly

import "math"

// overlap returns how deep two blocks reach into each other [m]: convex ones along the axis on which
// that is least (separating axes), or the first on which it is allowed; of others, how deep a vertex or what is behind a face of one is in
// the other, which may see too little.
func (w *finder) overlap(a, b *Block) float64 {
	if w.a.Plane {
		if a.convexPolygon(w.f.Gap) && b.convexPolygon(w.f.Gap) {
			return w.separation(a, b, append(a.edgeNormals(), b.edgeNormals()...))
		}
		return max(deepest(a, b, (*Block).depthInPlane, w.f.Gap), deepest(b, a, (*Block).depthInPlane, w.f.Gap))
	}
	if a.convex(w.f.Gap) && b.convex(w.f.Gap) {
		depth := w.separation(a, b, append(a.faceNormals(), b.faceNormals()...))
		if depth > w.allowed() {
			depth = min(depth, w.separation(a, b, edgeAxes(a, b)))
		}
		return depth
	}
	return max(deepest(a, b, (*Block).depth, w.f.Gap), deepest(b, a, (*Block).depth, w.f.Gap))
}

// allowed is the depth that is none: a gap may count on either side.
func (w *finder) allowed() float64 { return 2 * w.f.Gap }

func (w *finder) separation(a, b *Block, directions [][3]float64) float64 {
	depth := math.Inf(1)
	for _, n := range directions {
		if depth <= w.allowed() {
			break
		}
		lowA, highA := a.extent(n)
		lowB, highB := b.extent(n)
		depth = min(depth, highA-lowB, highB-lowA)
	}
	return depth
}

func (b *Block) extent(n [3]float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range b.Vertices {
		d := dot(v, n)
		low, high = min(low, d), max(high, d)
	}
	return low, high
}

func (b *Block) edgeNormals() (normals [][3]float64) {
	for k := range b.Faces[0] {
		p, q := b.edge(k)
		t := sub(q, p)
		if l := norm(t); l > 0 {
			normals = append(normals, [3]float64{t[2] / l, 0, -t[0] / l})
		}
	}
	return normals
}

func (b *Block) faceNormals() (all [][3]float64) {
	for k := range b.Faces {
		if f, ok := b.facet(k); ok {
			all = append(all, f.normal)
		}
	}
	return all
}

// edgeAxes are across an edge of each.
func edgeAxes(a, b *Block) (all [][3]float64) {
	var edges [2][][3]float64
	for s, o := range []*Block{a, b} {
		for k := range o.Faces {
			f, _ := o.facet(k)
			for i, p := range f.points {
				edges[s] = append(edges[s], sub(f.points[(i+1)%len(f.points)], p))
			}
		}
	}
	for _, e := range edges[0] {
		for _, g := range edges[1] {
			n := cross(e, g)
			if l := norm(n); l > 1e-9*norm(e)*norm(g) {
				all = append(all, add([3]float64{}, n, 1/l))
			}
		}
	}
	return all
}

// convex reports whether no vertex is above the plane of a face by more than gap.
func (b *Block) convex(gap float64) bool {
	for k := range b.Faces {
		f, ok := b.facet(k)
		if !ok {
			continue
		}
		for _, v := range b.Vertices {
			if dot(sub(v, f.centre), f.normal) > gap {
				return false
			}
		}
	}
	return true
}

func (b *Block) convexPolygon(gap float64) bool {
	for k, n := range b.edgeNormals() {
		p, _ := b.edge(k)
		for _, v := range b.Vertices {
			if dot(sub(v, p), n) > gap {
				return false
			}
		}
	}
	return true
}

// deepest looks at the vertices of a, and at points a little behind the middles of its faces.
func deepest(a, b *Block, depth func(*Block, [3]float64) float64, gap float64) float64 {
	d := 0.
	look := func(p [3]float64) {
		for i := range p {
			if p[i] < b.low[i] || p[i] > b.high[i] {
				return
			}
		}
		d = max(d, depth(b, p))
	}
	for _, v := range a.Vertices {
		look(add(v, sub(a.Centroid, v), 1e-4)) // off the planes in which blocks touch
	}
	for k := range a.Faces {
		f, ok := a.facet(k)
		if !ok {
			continue
		}
		u, v := Axes(f.normal)
		part := convexParts(f.points, func(x [3]float64) [2]float64 {
			d := sub(x, f.centre)
			return [2]float64{dot(d, u), dot(d, v)}
		})[0]
		middle := add(f.centre, f.normal, -5*gap) // deeper than the two gaps that are allowed
		for _, x := range part {
			middle = add(add(middle, u, x[0]/float64(len(part))), v, x[1]/float64(len(part)))
		}
		look(middle)
	}
	return d
}

// depth returns how far p is inside, 0 outside: the winding number by solid angles (Van Oosterom and
// Strackee) and the distance to the planes of the faces around.
func (b *Block) depth(p [3]float64) float64 {
	angle, near := 0., math.Inf(1)
	for _, f := range b.Faces {
		for i := 1; i+1 < len(f); i++ {
			x, y, z := sub(b.Vertices[f[0]], p), sub(b.Vertices[f[i]], p), sub(b.Vertices[f[i+1]], p)
			lx, ly, lz := norm(x), norm(y), norm(z)
			angle += 2 * math.Atan2(dot(x, cross(y, z)), lx*ly*lz+dot(x, y)*lz+dot(y, z)*lx+dot(z, x)*ly)
			near = min(near, distanceToTriangle(x, y, z))
		}
	}
	if angle < 2*math.Pi {
		return 0
	}
	return near
}

// distanceToTriangle is that of the origin.
func distanceToTriangle(x, y, z [3]float64) float64 {
	n := cross(sub(y, x), sub(z, x))
	size := norm(n)
	inside := size > 0 && dot(cross(sub(y, x), x), n) <= 0 && dot(cross(sub(z, y), y), n) <= 0 && dot(cross(sub(x, z), z), n) <= 0
	if inside {
		return math.Abs(dot(x, n)) / size
	}
	return min(distanceToSegment(x, y), distanceToSegment(y, z), distanceToSegment(z, x))
}

func distanceToSegment(x, y [3]float64) float64 {
	d := sub(y, x)
	t := -dot(x, d) / max(dot(d, d), 1e-300)
	return norm(add(x, d, min(max(t, 0), 1)))
}

func (b *Block) depthInPlane(p [3]float64) float64 {
	angle, near := 0., math.Inf(1)
	for k := range b.Faces[0] {
		x, y := b.edge(k)
		x, y = sub(x, p), sub(y, p)
		angle += math.Atan2(x[0]*y[2]-x[2]*y[0], x[0]*y[0]+x[2]*y[2])
		near = min(near, distanceToSegment(x, y))
	}
	if angle < math.Pi {
		return 0
	}
	return near
}
