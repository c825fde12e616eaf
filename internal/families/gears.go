package families

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// gearTrain is a row of wheels on axles, two pairs of teeth of each two wheels in contact, on the
// line of action, 20° askew. The first wheel is driven, a pawl holds the last.
func gearTrain(g *generator, n int) *contact.Global {
	const pressure = 20 * pi / 180
	w := newWorld(g, 2)
	wheels := 1 + max(0, (n-1)/2)
	x, radius := 0.0, 0.0
	for i := range wheels {
		before := radius
		radius = g.between(0.02, 0.08)
		if i > 0 {
			x += before + radius
		}
		centre := vec3{x, 0, 0}
		b := w.addBall(g.between(100, 300), radius, centre)
		w.joints = append(w.joints, joint{a: b, b: ground, point: centre})
		if i == 0 {
			w.bodies[b].torque = g.between(0.5, 5)
			continue
		}
		// Wheels turn in turns to the left and to the right, and the line of action with them.
		sense := 1 - 2*float64((i-1)%2)
		normal := vec3{math.Sin(pressure), sense * math.Cos(pressure), 0}
		pitch := vec3{x - radius, 0, 0}
		for _, s := range [...]float64{-0.15, 0.25} {
			w.touch(b, b-1, pitch.plus(normal.scale(s*min(before, radius))), normal)
		}
	}
	last := wheels - 1
	sense := 1 - 2*float64(last%2) // that in which it is driven
	w.touch(last, ground, vec3{x + radius, 0, 0}, vec3{0, -sense, 0})
	return w.problem()
}
