package energetic

import (
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/particles"
)

type obstacleDocument struct {
	Point  [3]float64 `json:"point"`
	Normal [3]float64 `json:"normal"`
}

// free is the name that stands for no obstacle.
const free = "none"

// obstacles gives every particle its frame.
func (b *builder) obstacles() {
	known := map[string]particles.Frame{}
	for _, name := range slices.Sorted(maps.Keys(b.doc.Obstacles)) {
		d := b.doc.Obstacles[name]
		p := casefile.Path{"obstacles", name}
		if name == free {
			b.Add(p, "the name %q stands for no obstacle, want another one", free)
		}
		h, err := particles.NewHalfSpace(d.Point, d.Normal)
		if err != nil {
			b.Add(p.With("normal"), "found %v, want a direction with a length > 0", d.Normal)
			h, _ = particles.NewHalfSpace([3]float64{}, [3]float64{0, 0, 1})
		}
		known[name] = h.Frame()
	}
	for j, d := range b.doc.Particles {
		frame := particles.Floor()
		if d.Obstacle != nil && *d.Obstacle == free {
			frame = particles.NoObstacle()
		} else if d.Obstacle != nil {
			f, ok := known[*d.Obstacle]
			if ok {
				frame = f
			} else {
				b.UnknownName(casefile.Path{"particles", j, "obstacle"}, *d.Obstacle, "obstacle", slices.Sorted(maps.Keys(b.doc.Obstacles)))
			}
		}
		b.frames = append(b.frames, frame)
	}
}

// contact is the height that counts as zero at the start, relative to the
// distances from the global origin: positions on a slope are computed by hand or
// elsewhere and written with ten digits or more, and a height of 1e-12 would
// have no friction.
const contact = 1e-9

// start returns the local coordinates of the start, (N0).
func (b *builder) start(sys *particles.System) []float64 {
	z := make([]float64, len(b.at))
	sys.ToLocal(z, b.at)
	for j := range b.frames {
		p := casefile.Path{"particles", j, "at"}
		h := z[3*j+2]
		if s := z[3*j] + z[3*j+1] + h; math.IsInf(s, 0) || math.IsNaN(s) {
			b.Add(p, "the coordinates on its obstacle overflow")
			continue
		}
		if !sys.Constrained(j) {
			continue
		}
		small := contact * (size(b.at[3*j:3*j+3]) + size(b.frames[j].P[:]))
		switch {
		case math.Abs(h) <= small:
			z[3*j+2] = 0
		case h < 0:
			b.Add(p, "particle %q starts %.6g m inside its obstacle, want a position outside or on it", b.ids[j], -h)
		}
	}
	return z
}

func size(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}
