package families

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// nearTouch is the gap, over the radius, up to which balls count as in contact.
const nearTouch = 2e-3

// ballSizes are the radii of a packing [m].
var ballSizes = []float64{0.04, 0.05, 0.06}

// spherePile is a packing of spheres of three sizes in a box about as high as wide.
func spherePile(g *generator, n int) *contact.Global {
	balls := max(1, int(float64(n)/3.1))
	width := max(0.2, math.Cbrt(float64(balls)*4/3*pi*0.05*0.05*0.05/0.58))
	return pile(g, balls, newDeposit(width, false, ballSizes))
}

// discPile is the same in the plane.
func discPile(g *generator, n int) *contact.Global {
	discs := max(1, int(float64(n)/2.05))
	width := max(0.2, math.Sqrt(float64(discs)*pi*0.05*0.05/0.8))
	return pile(g, discs, newDeposit(width, true, ballSizes))
}

func pile(g *generator, balls int, d *deposit) *contact.Global {
	for range balls {
		for !d.drop(g.IntN(len(d.sizes))) { // no place for this size: another one
		}
	}
	dim := 3
	if d.flat {
		dim = 2
	}
	w := newWorld(g, dim)
	// place turns the deposit's plane into that of the world.
	turn := func(p vec3) vec3 {
		if d.flat {
			return vec3{p[0], p[2], 0}
		}
		return p
	}
	for i, c := range d.centres {
		w.addBall(density, d.radii[i], turn(c))
		for k, p := range d.planes {
			if gap := d.apart(^k, i); gap < nearTouch*d.radii[i] {
				w.touches = append(w.touches, touch{a: i, b: ground, point: turn(c.minus(p.n.scale(d.radii[i]))),
					normal: turn(p.n), gap: max(gap, 0)})
			}
		}
		for _, j := range d.near(i, nearTouch*d.radii[i]/2) {
			if j < 0 || j > i {
				continue
			}
			n := c.minus(d.centres[j])
			n = n.scale(1 / n.norm())
			w.touches = append(w.touches, touch{a: i, b: j, point: turn(c.minus(n.scale(d.radii[i]))), normal: turn(n),
				gap: max(d.apart(i, j), 0)})
		}
	}
	return w.problem()
}

// hexagonalPack is the densest packing of equal discs in a box: all neighbours
// touch, and forces are far from unique.
func hexagonalPack(g *generator, n int) *contact.Global {
	w := newWorld(g, 2)
	hexagons(g, n, 3.2, func(x, y, r float64) { w.addBall(density, r, vec3{x, y, 0}) },
		func(a, b int, point, normal vec3) { w.touch(a, b, point, normal) })
	return w.problem()
}

// bundle is the hexagonal packing of logs in a trough, two contacts a line.
func bundle(g *generator, n int) *contact.Global {
	const length = 1.0
	w := newWorld(g, 3)
	hexagons(g, n, 6.4, func(x, y, r float64) { w.addRod(600, r, length, vec3{x, 0, y}, vec3{0, 1, 0}) },
		func(a, b int, point, normal vec3) {
			for _, s := range [...]float64{-0.5, 0.5} {
				w.touch(a, b, vec3{point[0], s * length, point[1]}, vec3{normal[0], 0, normal[1]})
			}
		})
	return w.problem()
}

// hexagons lays rows of discs of radius 0.05 in a box, odd rows one less, so that
// there are about n contacts at so many a disc.
func hexagons(g *generator, n int, contacts float64, add func(x, y, r float64), touch func(a, b int, point, normal vec3)) {
	const r = 0.05
	discs := max(1, float64(n)/contacts)
	columns := max(2, int(math.Round(math.Sqrt(discs))))
	rows := max(1, int(math.Round(discs/(float64(columns)-0.5))))
	rise := r * math.Sqrt(3)
	var below []int
	number := 0
	for j := range rows {
		odd := j % 2
		y := r + float64(j)*rise
		row := make([]int, columns-odd)
		for i := range row {
			x := r + 2*r*float64(i) + r*float64(odd)
			row[i] = number
			number++
			add(x, y, r)
			if j == 0 {
				touch(row[i], ground, vec3{x, 0, 0}, vec3{0, 1, 0})
			}
			if odd == 0 && i == 0 {
				touch(row[i], ground, vec3{0, y, 0}, vec3{1, 0, 0})
			}
			if odd == 0 && i == len(row)-1 {
				touch(row[i], ground, vec3{x + r, y, 0}, vec3{-1, 0, 0})
			}
			if i > 0 {
				touch(row[i], row[i-1], vec3{x - r, y, 0}, vec3{1, 0, 0})
			}
			for _, s := range [...]int{0, 1} { // left and right below
				k := i + s
				if odd == 0 {
					k--
				}
				if k < 0 || k >= len(below) {
					continue
				}
				e := vec3{0.5 - float64(s), math.Sqrt(3) / 2, 0}
				touch(row[i], below[k], vec3{x - r*e[0], y - r*e[1], 0}, e)
			}
		}
		below = row
	}
}
