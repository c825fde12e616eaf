package families

import (
	"cmp"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
)

// crossedRods piles layers of rods, each across the one below and turned a little:
// one contact a crossing, all rods free to roll.
func crossedRods(g *generator, n int) *contact.Global {
	const radius, spacing = 0.01, 0.05
	k := min(max(2, int(math.Round(math.Cbrt(float64(n))))), 6)
	layers := max(2, 1+(n-2*k)/(k*k))
	length := 1.6 * float64(k) * spacing
	w := newWorld(g, 3)
	type rod struct {
		number int
		c, e   vec3
	}
	var below []rod
	up := vec3{0, 0, 1}
	for l := range layers {
		z := (2*float64(l) + 1) * radius
		var layer []rod
		for i := range k {
			turn := 0.1*g.deviate() + pi/2*float64(l%2)
			e := vec3{math.Cos(turn), math.Sin(turn), 0}
			across := (float64(i) - float64(k-1)/2) * spacing
			c := vec3{0.05 * spacing * g.deviate(), across, z}
			if l%2 == 1 {
				c = vec3{across, 0.05 * spacing * g.deviate(), z}
			}
			r := rod{w.addRod(600, radius, length, c, e), c, e}
			layer = append(layer, r)
			if l == 0 {
				for _, s := range [...]float64{-0.4, 0.4} {
					p := c.plus(e.scale(s * length))
					p[2] = 0
					w.touch(r.number, ground, p, up)
				}
			}
			for _, o := range below {
				// c + s e = o.c + t o.e seen from above
				det := e[1]*o.e[0] - e[0]*o.e[1]
				d := o.c.minus(c)
				s := (d[1]*o.e[0] - d[0]*o.e[1]) / det
				p := c.plus(e.scale(s))
				p[2] = z - radius
				w.touch(r.number, o.number, p, up)
			}
		}
		below = layer
	}
	return w.problem()
}

// nest is rods at random in a ball, the nearest pairs in contact along their common
// normal, some on the ground.
func nest(g *generator, n int) *contact.Global {
	const length, radius = 1.0, 0.01
	w := newWorld(g, 3)
	rods := max(2, n/3)
	size := 0.25 * length * math.Cbrt(float64(rods))
	c, e := make([]vec3, rods), make([]vec3, rods)
	for i := range rods {
		c[i], e[i] = g.direction().scale(size*math.Cbrt(g.Float64())), g.direction()
		w.addRod(600, radius, length, c[i], e[i])
	}
	type pair struct {
		a, b             int
		distance         float64
		point, direction vec3
	}
	var pairs []pair
	for a := range rods {
		for b := range a {
			n := e[a].cross(e[b])
			if l := n.norm(); l > 0.1 {
				n = n.scale(1 / l)
			} else {
				continue
			}
			d := c[a].minus(c[b])
			if d.dot(n) < 0 {
				n = n.scale(-1)
			}
			cosine := e[a].dot(e[b])
			s := (cosine*e[b].dot(d) - e[a].dot(d)) / (1 - cosine*cosine)
			t := (e[b].dot(d) - cosine*e[a].dot(d)) / (1 - cosine*cosine)
			if math.Abs(s) > length/2 || math.Abs(t) > length/2 {
				continue
			}
			mid := c[a].plus(e[a].scale(s)).plus(c[b]).plus(e[b].scale(t)).scale(0.5)
			pairs = append(pairs, pair{a, b, d.dot(n), mid, n})
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(x.distance, y.distance) })
	floor := max(3, n/10)
	for _, p := range pairs[:min(len(pairs), max(1, n-floor))] {
		w.touch(p.a, p.b, p.point, p.direction)
	}
	order := make([]int, rods)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c[a][2], c[b][2]) })
	for k := range floor { // the lowest rods stand on the ground with their lower ends
		i := order[k%rods]
		end := e[i].scale(length / 2 * (1 - 0.5*float64(k/rods)))
		if end[2] > 0 {
			end = end.scale(-1)
		}
		w.touch(i, ground, c[i].plus(end), vec3{0, 0, 1})
	}
	w.sortTouches()
	return w.problem()
}

// chain is links joined by ball joints, the first one to the ground, on uneven
// ground: each link touches it at two points.
func chain(g *generator, n int) *contact.Global {
	const length, radius = 0.1, 0.01
	w := newWorld(g, 3)
	links := max(1, n/2)
	at, e := vec3{}, vec3{1, 0, 0}
	for i := range links {
		turn := 0.2 * g.deviate()
		e = vec3{e[0]*math.Cos(turn) - e[1]*math.Sin(turn), e[0]*math.Sin(turn) + e[1]*math.Cos(turn), 0}
		centre := at.plus(e.scale(length / 2))
		b := w.addRod(7800, radius, length, centre, e)
		w.joints = append(w.joints, joint{b, i - 1, at}) // ground is −1
		for _, s := range [...]float64{-0.3, 0.3} {
			normal := vec3{0.1 * g.deviate(), 0.1 * g.deviate(), 1}
			normal = normal.scale(1 / normal.norm())
			w.touch(b, ground, centre.plus(e.scale(s*length)).minus(normal.scale(radius)), normal)
		}
		at = at.plus(e.scale(length))
	}
	last := &w.bodies[links-1]
	pull := g.between(0, 2) * last.mass * gravity * math.Sqrt(float64(links))
	last.force = vec3{pull * e[0], pull * e[1], pull * g.between(0, 0.3)}
	return w.problem()
}

// soup is boxes in contact with their neighbours, and some with the ground, at random
// points with random normals, from random velocities.
func soup(g *generator, n int) *contact.Global {
	if g.speed == 0 {
		g.speed = 3
	}
	w := newWorld(g, 3)
	bodies := max(1, int(float64(n)/g.between(1.2, 4)))
	size := math.Cbrt(float64(bodies))
	for range bodies {
		edges := vec3{g.between(0.3, 1), g.between(0.3, 1), g.between(0.3, 1)}
		at := vec3{g.between(0, size), g.between(0, size), g.between(0, size)}
		w.addBox(100*edges[0]*edges[1]*edges[2], at, edges)
	}
	for range n {
		a := g.IntN(bodies)
		at := w.bodies[a].centre
		point := at.plus(g.direction().scale(g.between(0.2, 0.5)))
		normal := g.direction()
		b := ground
		if g.Float64() < 0.8 {
			b = w.nearest(point, a)
		}
		w.touch(a, b, point, normal)
	}
	w.sortTouches()
	return w.problem()
}

// nearest returns the body whose centre is nearest to p, but for a; the ground if
// there is none.
func (w *world) nearest(p vec3, a int) int {
	best, least := ground, math.Inf(1)
	for i := range w.bodies {
		if d := w.bodies[i].centre.distance(p); i != a && d < least {
			best, least = i, d
		}
	}
	return best
}
