package casefile

import (
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/nearest"
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
		p := path{"obstacles", name}
		if name == free {
			b.add(p, "the name %q stands for no obstacle, want another one", free)
		}
		h, err := particles.NewHalfSpace(d.Point, d.Normal)
		if err != nil {
			b.add(p.with("normal"), "found %v, want a direction with a length > 0", d.Normal)
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
				b.unknownName(path{"particles", j, "obstacle"}, *d.Obstacle, "obstacle", slices.Sorted(maps.Keys(b.doc.Obstacles)))
			}
		}
		b.frames = append(b.frames, frame)
	}
}

func (b *builder) unknownName(p path, name, kind string, valid []string) {
	switch guess := nearest.Word(name, valid); {
	case guess != "":
		b.add(p, "unknown %s %q, the nearest one is %q", kind, abbreviate(name), guess)
	case len(valid) == 0:
		b.add(p, "unknown %s %q: the case defines none", kind, abbreviate(name))
	default:
		b.add(p, "unknown %s %q, want one of %v", kind, abbreviate(name), valid)
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
		p := path{"particles", j, "at"}
		h := z[3*j+2]
		if s := z[3*j] + z[3*j+1] + h; math.IsInf(s, 0) || math.IsNaN(s) {
			b.add(p, "the coordinates on its obstacle overflow")
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
			b.add(p, "particle %q starts %.6g m inside its obstacle, want a position outside or on it", b.ids[j], -h)
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
