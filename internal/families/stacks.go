package families

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// density of stone [kg/m³].
const density = 2000.0

// boxTower piles boxes of random edges on each other, off centre by so little that
// the tower stands.
func boxTower(g *generator, n int) *contact.Global {
	return tower(g, max(1, n/4), func(int, vec3) float64 { return density })
}

// massRatios is a tower of boxes whose masses are the powers of ten between 1 and
// 10⁶ in a random order: light ones carry heavy ones.
func massRatios(g *generator, n int) *contact.Global {
	boxes := max(2, n/4)
	order := g.Perm(boxes)
	return tower(g, boxes, func(i int, edges vec3) float64 {
		mass := math.Pow(1e6, float64(order[i])/float64(boxes-1))
		return mass / (edges[0] * edges[1] * edges[2])
	})
}

// tower stacks boxes of the given densities. The contacts of an interface are the
// corners of the rectangle in which the two boxes meet.
func tower(g *generator, boxes int, densityOf func(i int, edges vec3) float64) *contact.Global {
	w := newWorld(g, 3)
	below, z := ground, 0.0
	var centre, half vec3 // of the rectangle below
	half = vec3{1, 1, 0}
	for i := range boxes {
		edges := vec3{g.between(0.2, 0.3), g.between(0.2, 0.3), g.between(0.1, 0.2)}
		at := vec3{centre[0] + 0.02*g.deviate(), centre[1] + 0.02*g.deviate(), z + edges[2]/2}
		mass := densityOf(i, edges) * edges[0] * edges[1] * edges[2]
		b := w.addBox(mass, at, edges)
		mid, s, t := meet(centre, half, at, edges.scale(0.5))
		mid[2] = z
		w.patch(b, below, mid, vec3{0, 0, 1}, s, t)
		below, z, centre, half = b, z+edges[2], at, edges.scale(0.5)
	}
	return w.problem()
}

// meet returns the centre and the half edges of the rectangle, seen from above, that
// two boxes share.
func meet(c1, h1, c2, h2 vec3) (centre, s, t vec3) {
	var lo, hi [2]float64
	for k := range 2 {
		lo[k] = max(c1[k]-h1[k], c2[k]-h2[k])
		hi[k] = min(c1[k]+h1[k], c2[k]+h2[k])
	}
	centre = vec3{(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2, 0}
	return centre, vec3{(hi[0] - lo[0]) / 2, 0, 0}, vec3{0, (hi[1] - lo[1]) / 2, 0}
}

// brickWall is a wall in running bond: a brick rests on two, and ends in halves.
func brickWall(g *generator, n int) *contact.Global {
	const length, width, height = 0.2, 0.1, 0.1
	columns := max(1, int(math.Round(math.Sqrt(float64(n)/6))))
	rows := max(1, int(math.Round(float64(n)/float64(8*columns))))
	w := newWorld(g, 3)
	type brick struct {
		number   int
		from, to float64
	}
	var below []brick
	for r := range rows {
		var row []brick
		add := func(from, to float64) {
			at := vec3{(from + to) / 2, 0, (float64(r) + 0.5) * height}
			l := to - from
			row = append(row, brick{w.addBox(density*l*width*height, at, vec3{l, width, height}), from, to})
		}
		if r%2 == 0 {
			for c := range columns {
				add(float64(c)*length, float64(c+1)*length)
			}
		} else {
			add(0, length/2)
			for c := range columns - 1 {
				add((float64(c)+0.5)*length, (float64(c)+1.5)*length)
			}
			add((float64(columns)-0.5)*length, float64(columns)*length)
		}
		up := vec3{0, 0, 1}
		for _, b := range row {
			under := below
			if r == 0 {
				under = []brick{{ground, b.from, b.to}}
			}
			for _, o := range under {
				from, to := max(b.from, o.from), min(b.to, o.to)
				if to-from > 0.01*length {
					w.patch(b.number, o.number, vec3{(from + to) / 2, 0, float64(r) * height}, up,
						vec3{(to - from) / 2, 0, 0}, vec3{0, width / 2, 0})
				}
			}
		}
		below = row
	}
	return w.problem()
}

// plankTower crosses layers of two or three planks, each contact a rectangle.
func plankTower(g *generator, n int) *contact.Global {
	const length, width, height = 0.12, 0.024, 0.008
	k := 2
	if n >= 200 {
		k = 3
	}
	layers := max(2, n/(4*k*k))
	w := newWorld(g, 3)
	type plank struct {
		number int
		offset float64 // across its length
	}
	var below []plank
	for l := range layers {
		var layer []plank
		z := (float64(l) + 0.5) * height
		for i := range k {
			offset := (float64(i)/float64(k-1)-0.5)*(length-width) + 0.001*g.deviate()
			edges, at := vec3{length, width, height}, vec3{0, offset, z}
			if l%2 == 1 {
				edges, at = vec3{width, length, height}, vec3{offset, 0, z}
			}
			b := w.addBox(density*length*width*height, at, edges)
			layer = append(layer, plank{b, offset})
			if l == 0 {
				w.patch(b, ground, vec3{0, offset, 0}, vec3{0, 0, 1}, vec3{length / 2, 0, 0}, vec3{0, width / 2, 0})
			}
			for _, o := range below {
				at := vec3{offset, o.offset, float64(l) * height}
				if l%2 == 0 {
					at[0], at[1] = at[1], at[0]
				}
				w.patch(b, o.number, at, vec3{0, 0, 1}, vec3{width / 2, 0, 0}, vec3{0, width / 2, 0})
			}
		}
		below = layer
	}
	return w.problem()
}

// table is a plate on n legs at random places, pushed sideways; beyond a hundred
// legs, tables stand on tables.
func table(g *generator, n int) *contact.Global {
	const most = 100
	w := newWorld(g, 3)
	tables := (n + most - 1) / most
	below := ground
	for i := range tables {
		legs := (n - i*most)
		if legs > most {
			legs = most
		}
		edges := vec3{2, 1, 0.05}
		floor := float64(i)
		b := w.addBox(50, vec3{0, 0, floor + 0.95}, edges)
		push := g.between(0, 1.5) * g.mu * 50 * gravity
		angle := g.between(0, 2*pi)
		w.bodies[b].force = vec3{push * math.Cos(angle), push * math.Sin(angle), 0}
		for l := range legs {
			at := vec3{g.between(-1, 1), g.between(-0.5, 0.5), floor}
			if l < 4 { // at the corners
				at[0], at[1] = 2*float64(l%2)-1, float64(l/2)-0.5
			}
			w.touch(b, below, at, vec3{0, 0, 1})
		}
		below = b
	}
	return w.problem()
}

// gripper is a row of books between a wall and a plate that a force presses: the
// books hang by friction alone, or fall if the force is too small.
func gripper(g *generator, n int) *contact.Global {
	w := newWorld(g, 3)
	books := max(1, n/4-2)
	left, x, weight := ground, 0.0, 0.0
	side := vec3{1, 0, 0}
	for range books {
		edges := vec3{g.between(0.02, 0.06), g.between(0.15, 0.2), g.between(0.2, 0.25)}
		mass := 700 * edges[0] * edges[1] * edges[2]
		b := w.addBox(mass, vec3{x + edges[0]/2, 0, 0.5}, edges)
		w.patch(b, left, vec3{x, 0, 0.5}, side, vec3{0, 0.07, 0}, vec3{0, 0, 0.09})
		left, x, weight = b, x+edges[0], weight+mass*gravity
	}
	plate := w.addBox(5, vec3{x + 0.05, 0, 0.35}, vec3{0.1, 0.3, 0.7})
	w.bodies[plate].force = vec3{-g.between(0.7, 4) * weight / (2 * max(g.mu, 0.1)), 0, 0}
	w.patch(plate, left, vec3{x, 0, 0.5}, side, vec3{0, 0.07, 0}, vec3{0, 0, 0.09})
	w.patch(plate, ground, vec3{x + 0.05, 0, 0}, vec3{0, 0, 1}, vec3{0.05, 0, 0}, vec3{0, 0.15, 0})
	return w.problem()
}
