package assembly

import (
	"cmp"
	"math"
	"slices"
)

// Axes returns two directions that make a right-handed frame (u, v, n).
func Axes(n [3]float64) (u, v [3]float64) {
	least := 0
	for i := range n {
		if math.Abs(n[i]) < math.Abs(n[least])-1e-12 {
			least = i
		}
	}
	var e [3]float64
	e[least] = 1
	u = cross(e, n)
	u = add([3]float64{}, u, 1/norm(u))
	return u, cross(n, u)
}

func turn(a, b, c [2]float64) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}

// measure returns the area, with its sign, and the perimeter.
func measure(p [][2]float64) (area, perimeter float64) {
	for i, a := range p {
		b := p[(i+1)%len(p)]
		area += (a[0]*b[1] - a[1]*b[0]) / 2
		perimeter += math.Hypot(b[0]-a[0], b[1]-a[1])
	}
	return area, perimeter
}

// clip returns the part of the convex polygon p in the convex polygon q, both anticlockwise, by
// Sutherland and Hodgman.
func clip(p, q [][2]float64) [][2]float64 {
	for i, a := range q {
		b := q[(i+1)%len(q)]
		var kept [][2]float64
		for k, x := range p {
			y := p[(k+1)%len(p)]
			sx, sy := turn(a, b, x), turn(a, b, y)
			if sx >= 0 {
				kept = append(kept, x)
			}
			if sx > 0 && sy < 0 || sx < 0 && sy > 0 {
				t := sx / (sx - sy)
				kept = append(kept, [2]float64{x[0] + t*(y[0]-x[0]), x[1] + t*(y[1]-x[1])})
			}
		}
		p = kept
	}
	return p
}

// convexParts returns a polygon, projected and anticlockwise, or the triangles of one that is not
// convex.
func convexParts(points [][3]float64, project func([3]float64) [2]float64) [][][2]float64 {
	var p [][2]float64
	for _, x := range points {
		p = append(p, project(x))
	}
	area, perimeter := measure(p)
	if area < 0 {
		slices.Reverse(p)
	}
	convex := true
	for i := range p {
		if turn(p[i], p[(i+1)%len(p)], p[(i+2)%len(p)]) < -1e-9*perimeter*perimeter {
			convex = false
		}
	}
	if convex {
		return [][][2]float64{p}
	}
	return ears(p)
}

// ears cuts a simple polygon into triangles.
func ears(p [][2]float64) (parts [][][2]float64) {
	p = slices.Clone(p)
	for len(p) > 3 {
		cut := -1
		for i := range p {
			a, b, c := p[(i+len(p)-1)%len(p)], p[i], p[(i+1)%len(p)]
			if turn(a, b, c) <= 0 {
				continue
			}
			empty := !slices.ContainsFunc(p, func(x [2]float64) bool {
				return turn(a, b, x) > 0 && turn(b, c, x) > 0 && turn(c, a, x) > 0
			})
			if empty {
				cut = i
				break
			}
		}
		if cut < 0 { // not simple: what is left is flat
			return parts
		}
		parts = append(parts, [][2]float64{p[(cut+len(p)-1)%len(p)], p[cut], p[(cut+1)%len(p)]})
		p = slices.Delete(p, cut, cut+1)
	}
	return append(parts, p)
}

// hull returns the corners of the convex hull of points in the plane of u and v (Andrew); corners
// that stand out by less than eps are left out.
func hull(points [][3]float64, u, v [3]float64, eps float64) [][3]float64 {
	type corner struct {
		at [2]float64
		x  [3]float64
	}
	var c []corner
	for _, x := range points {
		c = append(c, corner{[2]float64{dot(x, u), dot(x, v)}, x})
	}
	slices.SortFunc(c, func(a, b corner) int {
		if math.Abs(a.at[0]-b.at[0]) > eps {
			return cmp.Compare(a.at[0], b.at[0])
		}
		return cmp.Compare(a.at[1], b.at[1])
	})
	half := func(c []corner) (h []corner) {
		for _, p := range c {
			for len(h) > 1 {
				a, b := h[len(h)-2].at, h[len(h)-1].at
				if turn(a, b, p.at) > eps*math.Hypot(p.at[0]-a[0], p.at[1]-a[1]) {
					break
				}
				h = h[:len(h)-1]
			}
			if len(h) == 0 || math.Hypot(p.at[0]-h[len(h)-1].at[0], p.at[1]-h[len(h)-1].at[1]) > eps {
				h = append(h, p)
			}
		}
		return h
	}
	lower := half(c)
	slices.Reverse(c)
	upper := half(c)
	var corners [][3]float64
	for _, h := range [][]corner{lower, upper} {
		for _, p := range h[:max(len(h)-1, 0)] {
			corners = append(corners, p.x)
		}
	}
	return corners
}
