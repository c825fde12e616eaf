package families

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// dominoRow is a row of stones that lean on each other: each stands on its lower front edge, its
// upper one on the back of the next, the last on a wall; two contacts an edge.
func dominoRow(g *generator, n int) *contact.Global {
	const height, thick, width = 0.05, 0.008, 0.025
	w := newWorld(g, 3)
	stones := max(1, n/4)
	pitch := g.between(0.015, 0.03)
	tilt, next := make([]float64, stones), g.between(0.05, 0.3)
	for i := stones - 1; i >= 0; i-- {
		tilt[i] = next
		// The upper edge of stone i−1 lies on the back of i: h sin(θ_i−1 − θ_i) = s cos θ_i − t. A
		// row tends to tilts at which that is zero, faces on faces.
		next += math.Asin((pitch*math.Cos(next) - thick) / height)
	}
	across := vec3{0, width / 2, 0}
	for i, t := range tilt {
		sin, cos := math.Sin(t), math.Cos(t)
		edge := vec3{float64(i) * pitch, 0, 0}
		back := vec3{-cos, 0, sin} // from the front of the stone to its back
		centre := edge.plus(vec3{sin, 0, cos}.scale(height / 2)).plus(back.scale(thick / 2))
		b := w.addBox(density*height*thick*width, centre, vec3{thick, width, height})
		w.bodies[b].inertia = turnedAboutY(w.bodies[b].inertia, sin, cos)
		for _, side := range [...]float64{-1, 1} {
			w.touch(b, ground, edge.plus(across.scale(side)), vec3{0, 0, 1})
		}
	}
	for i, t := range tilt {
		upper := vec3{float64(i)*pitch + height*math.Sin(t), 0, height * math.Cos(t)}
		other, normal := i+1, vec3{-1, 0, 0}
		if other == stones {
			other = ground
		} else {
			normal = vec3{-math.Cos(tilt[other]), 0, math.Sin(tilt[other])}
		}
		for _, side := range [...]float64{-1, 1} {
			w.touch(i, other, upper.plus(across.scale(side)), normal)
		}
	}
	return w.problem()
}

// turnedAboutY turns a diagonal inertia so that its z axis goes to (sin, 0, cos).
func turnedAboutY(i [9]float64, sin, cos float64) [9]float64 {
	x, z := i[0], i[8]
	c := sin * cos * (z - x)
	return [9]float64{cos*cos*x + sin*sin*z, 0, c, 0, i[4], 0, c, 0, sin*sin*x + cos*cos*z}
}
