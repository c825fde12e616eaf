package energetic

import "slices"

// waiting is a place on an obstacle that the steps passed though friction held there, see barriers, by less than what is judged at
// once. Where the pressure grows faster than the drive it holds on: the particle is behind the steps by the distance from there,
// as long as
//
//	ρ σ(t) >= −DE(t, z)·v,
//
// with the other particles where they are, ρ what friction there takes of the normal forces σ, and v the direction of the step.
type waiting struct {
	Particle int
	At, Way  [3]float64 // Way: of length 1
	Ratio    float64
}

// waitAt remembers that particle j may be waiting where it is in the state z of the time s. Places nearer to each other than a
// sixteenth of the way that is judged, or of that from the first to here, are one, which holds like the rougher of them.
func (c *Certifier) waitAt(j int, s float64, z, grad []float64, v [3]float64) {
	taken, pressed := c.friction(j, s, z, grad)
	w := waiting{j, [3]float64(z[3*j : 3*j+3]), v, taken / length(v) / pressed}
	for i := range v {
		w.Way[i] /= length(v)
	}
	near := c.scalesOf(c.between.island[j]).way / 16
	for i := range c.waiting {
		x := &c.waiting[i]
		if x.Particle != j {
			continue
		}
		d := x.behind(w.At[:])
		if d < near {
			x.Ratio = max(x.Ratio, w.Ratio)
			return
		}
		near = max(near, d/16)
	}
	c.waiting = append(c.waiting, w)
}

// behind is how far a place is from that of w, along its way [m].
func (w *waiting) behind(at []float64) (d float64) {
	for i, v := range w.Way {
		d += (at[i] - w.At[i]) * v
	}
	return d
}

// wait takes how far particles are behind the node of the step into its residuals, and forgets the places that hold no more,
// or to which the steps have come back.
func (c *Certifier) wait() {
	in, n := &c.between, &c.node
	c.waiting = slices.DeleteFunc(c.waiting, func(w waiting) bool {
		j := w.Particle
		d := w.behind(n.Z[3*j : 3*j+3])
		if d <= 0 {
			return true
		}
		in.landed, in.pressed = append(in.landed[:0], n.Z...), append(in.pressed[:0], n.Z...)
		copy(in.landed[3*j:], w.At[:])
		c.sys.Gradient(in.pressed, nil, n.T, in.landed)
		if _, pressed := c.friction(j, n.T, in.landed, in.pressed); w.Ratio*pressed <= drives(in.pressed[3*j:3*j+3], w.Way) {
			return true
		}
		in.step[in.island[j]].Behind.keep(d, n.T, j)
		return false
	})
}
