package families

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// rope is a chain of jointed links over a fixed peg, one contact a link, with a weight at each end,
// whose ratio is up to a third beyond e^(πμ), at which a rope begins to slip.
func rope(g *generator, n int) *contact.Global {
	const radius = 0.1
	w := newWorld(g, 2)
	links := max(3, n)
	step := pi / float64(links)
	half := radius * math.Tan(step/2) // of a link, which is a tangent
	mass := 1.0 / float64(links)      // the rope weighs one kilogram
	end := func(i int) vec3 {         // between link i−1 and i
		a := pi - float64(i)*step
		return vec3{math.Cos(a), math.Sin(a), 0}.scale(radius / math.Cos(step/2))
	}
	for i := range links {
		a := pi - (float64(i)+0.5)*step
		out := vec3{math.Cos(a), math.Sin(a), 0}
		b := w.add(body{mass: mass, centre: out.scale(radius), inertia: [9]float64{8: mass * half * half / 3}})
		w.touch(b, ground, out.scale(radius), out)
		if i > 0 {
			w.joints = append(w.joints, joint{a: b, b: b - 1, point: end(i)})
		}
	}
	ratio := math.Exp(pi * g.mu * g.between(0, 1.3))
	light := g.between(1, 10)
	for side, load := range [...]float64{light, light * ratio} {
		at := end(side * links)
		centre := at.plus(vec3{0, -0.2, 0})
		b := w.add(body{mass: load, centre: centre, inertia: [9]float64{8: 0.01 * load}})
		w.joints = append(w.joints, joint{a: b, b: side * (links - 1), point: at})
	}
	return w.problem()
}
