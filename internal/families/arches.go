package families

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// arch is a semicircular arch of equal voussoirs with radial joints, in the plane,
// on two abutments. Its ends of joints are the contacts. Thickness over radius is
// between 0.13 and 0.25; the least that stands is 0.1074.
func arch(g *generator, n int) *contact.Global {
	w := newWorld(g, 2)
	blocks := max(1, n/2-1)
	radius := 5.0
	thick := g.between(0.13, 0.25) * radius
	inner, outer := radius-thick/2, radius+thick/2
	step := pi / float64(blocks)
	// Sector of an annulus: area, distance of the centroid, moment about the origin.
	area := step / 2 * (outer*outer - inner*inner)
	middle := 2 * math.Sin(step/2) / (3 * step / 2) * (cube(outer) - cube(inner)) / (outer*outer - inner*inner)
	polar := step / 4 * (outer*outer*outer*outer - inner*inner*inner*inner)
	mass := density * area
	moment := density*polar - mass*middle*middle
	for i := range blocks {
		a := (float64(i) + 0.5) * step
		w.add(body{mass: mass, centre: vec3{middle * math.Cos(a), middle * math.Sin(a), 0}, inertia: [9]float64{8: moment}})
	}
	for i := range blocks + 1 {
		a := float64(i) * step
		e, normal := vec3{math.Cos(a), math.Sin(a), 0}, vec3{-math.Sin(a), math.Cos(a), 0}
		upper, lower := i, i-1
		if i == blocks { // the second abutment carries the last
			upper, lower, normal = blocks-1, ground, normal.scale(-1)
		}
		for _, r := range [...]float64{inner, outer} {
			w.touch(upper, lower, e.scale(r), normal)
		}
	}
	return w.problem()
}

func cube(x float64) float64 { return x * x * x }

// flatArch is a row of wedges between two abutments, the joints fanning out, with a
// load on one of them: a flat arch, which jams by friction.
func flatArch(g *generator, n int) *contact.Global {
	w := newWorld(g, 3)
	blocks := max(1, n/4-1)
	const pitch, height, depth = 0.2, 0.5, 0.3
	most := g.between(0.05, 0.4) // inclination of the outermost joint [rad]
	for i := range blocks {
		at := vec3{(float64(i) + 0.5) * pitch, 0, height / 2}
		b := w.addBox(density*pitch*height*depth, at, vec3{pitch, depth, height})
		if g.Float64() < 0.2 {
			w.bodies[b].force = vec3{0, 0, -g.between(0, 20) * w.bodies[b].mass * gravity}
		}
	}
	for i := range blocks + 1 {
		tilt := most * (1 - 2*float64(i)/float64(blocks)) // leaning outwards at both ends
		up := vec3{-math.Sin(tilt), 0, math.Cos(tilt)}
		normal := vec3{math.Cos(tilt), 0, math.Sin(tilt)}
		right, left := i, i-1
		if i == blocks {
			right, left, normal = blocks-1, ground, normal.scale(-1)
		}
		w.patch(right, left, vec3{float64(i) * pitch, 0, height / 2}, normal, up.scale(height/2), vec3{0, depth / 2, 0})
	}
	return w.problem()
}
