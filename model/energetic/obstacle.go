package energetic

import (
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/particles"
)

// free is the name that stands for no obstacle.
const free = "none"

// obstacles gives every particle its frame, and those with several obstacles the others.
func (b *builder) obstacles() {
	known := map[string]particles.Frame{}
	b.orders, b.charts = map[int][]int{}, map[*particles.Chart]int{}
	for _, name := range slices.Sorted(maps.Keys(b.doc.Obstacles)) {
		d := b.doc.Obstacles[name]
		p := casefile.Path{"obstacles", name}
		if name == free {
			b.Add(p, "the name %q stands for no obstacle, want another one", free)
		}
		known[name] = b.obstacle(p, name, &d)
	}
	b.known = casefile.Declare(b.Builder, casefile.Path{"obstacles"}, "obstacle", "a particle, or \"contact\" of a body, with it", known)
	var floor []string
	for j, d := range b.doc.Particles {
		frame := particles.Floor()
		if d.Obstacles != nil {
			if names := b.severalObstacles(j); len(names) > 0 {
				frame = b.severalFrames(j, names)
			}
		} else if d.Obstacle != nil && *d.Obstacle == free {
			frame = particles.NoObstacle()
		} else if d.Obstacle != nil {
			if f, ok := b.known.Find(casefile.Path{"particles", j, "obstacle"}, *d.Obstacle); ok {
				frame = b.footed(casefile.Path{"particles", j, "at"}, j, f)
			}
		} else {
			floor = append(floor, d.ID)
		}
		b.frames = append(b.frames, frame)
	}
	if len(floor) > 0 && len(known) > 0 {
		b.Note("$.particles: %s on the floor z >= 0, which is the obstacle of particles that name none", casefile.Listed(floor))
	}
}

// severalObstacles returns the names in "obstacles" of particle j that are known.
func (b *builder) severalObstacles(j int) (names []string) {
	d, p := &b.doc.Particles[j], casefile.Path{"particles", j, "obstacles"}
	if d.Obstacle != nil {
		b.Add(p, "the particle has the key \"obstacle\" too, want one of the two")
		return nil
	}
	for i, name := range d.Obstacles {
		switch _, ok := b.known.Find(p.With(i), name); {
		case !ok:
		case slices.Contains(d.Obstacles[:i], name):
			b.Add(p.With(i), "found %q again, want each obstacle once", casefile.Abbreviate(name))
		default:
			names = append(names, name)
		}
	}
	return names
}

// severalFrames returns the frame of particle j, that of its first obstacle that is flat and at
// rest, none if all are curved or move, and gives it the others beside it.
func (b *builder) severalFrames(j int, names []string) particles.Frame {
	at := casefile.Path{"particles", j, "at"}
	if len(names) == 1 {
		return b.footed(at, j, b.known.Of(names[0]))
	}
	frame, own := particles.NoObstacle(), slices.IndexFunc(names, func(name string) bool { return b.known.Of(name).Chart == nil })
	if own >= 0 {
		frame = b.known.Of(names[own])
		b.name(j, names[own])
	}
	order := []int{own}
	for i, name := range names {
		if i != own {
			b.extras = append(b.extras, particles.Extra{Particle: j, Frame: b.footed(at, j, b.known.Of(name))})
			b.extraName = append(b.extraName, name)
			order = append(order, i)
		}
	}
	b.orders[j] = order
	return frame
}

// name gives the first contact of particle j, which has several, a name.
func (b *builder) name(j int, obstacle string) {
	if b.firstName == nil {
		b.firstName = map[int]string{}
	}
	b.firstName[j] = obstacle
}

// contactIDs names the contacts: those of particles with one obstacle as the particles,
// others particle/obstacle.
func (b *builder) contactIDs() []string {
	ids := slices.Clone(b.ids)
	for j, name := range b.firstName {
		ids[j] += "/" + name
	}
	for k, name := range b.extraName {
		ids = append(ids, b.ids[b.extras[k].Particle]+"/"+name)
	}
	return ids
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
		if sys.Frame(j).Relative {
			small = contact * sys.Scale(j, b.at)
		}
		switch {
		case math.Abs(h) <= small || h < 0 && sys.Overlaps(j) && b.doc.Equilibrate: // it is closed at once
			z[3*j+2] = 0
		case h < 0:
			b.Add(p, "particle %q starts %.6g m inside its obstacle, want a position outside or on it", b.ids[j], -h)
		}
	}
	b.startExtras(sys, z)
	b.checkStart(sys, z)
	return z
}

// checkStart faults particles that the coordinates z of the start put elsewhere than the case does: those on
// an obstacle that is so far from the origin that no place near them can be told.
func (b *builder) checkStart(sys *particles.System, z []float64) {
	if b.Any() || b.doc.Equilibrate {
		return
	}
	x := make([]float64, len(z))
	sys.ToGlobal(x, z)
	if i, off := misplaced(x, b.at); i >= 0 {
		j := i / 3
		b.Add(casefile.Path{"particles", j, "at"},
			"particle %q is put %.3g m from here by its coordinates on its obstacle: want both near to the origin", b.ids[j], off)
	}
}

// misplaced is the first coordinate of a start x that is not the one that the case wants, and by how much;
// −1: none. Ten digits: positions may have been printed with fewer than 17, and obstacles with as many.
func misplaced(x, want []float64) (i int, off float64) {
	for i, v := range x {
		if off := math.Abs(v - want[i]); !(off <= contact*max(1, math.Abs(want[i]))) {
			return i, off
		}
	}
	return -1, 0
}

// extentSamples is the number of times at which the extent of a scene is looked at.
const extentSamples = 16

// extent is the size of the scene and of its motions [m], within a factor: that of the
// positions, of the ways of the anchors and of the displacements that the forces make.
func (b *builder) extent(sys *particles.System) float64 {
	start := make([]float64, len(b.at))
	sys.ToLocal(start, b.at)
	reach, grad := size(b.at), make([]float64, len(b.at))
	for j := range b.frames {
		reach = max(reach, size(b.frames[j].P[:]))
	}
	for k := range b.extras {
		reach = max(reach, size(b.extras[k].Frame.P[:]))
	}
	for k := range extentSamples {
		t := b.doc.Until * float64(k) / (extentSamples - 1)
		for _, path := range b.anchors {
			for _, s := range path {
				reach = max(reach, math.Abs(s.At(t)))
			}
		}
		for k := range b.extras {
			if c := b.extras[k].Frame.Chart; c != nil {
				for _, s := range c.Motion.Shift {
					reach = max(reach, math.Abs(s.At(t)))
				}
			}
		}
		sys.Gradient(grad, nil, t, start)
		if stiffest := size(sys.Hessian(t, start).Val); stiffest > 0 {
			reach = max(reach, size(grad)/stiffest)
		}
	}
	if !(reach > 0 && reach <= moderate) {
		return 1
	}
	return reach
}

// startExtras closes the contacts with extra obstacles that the start is near to.
func (b *builder) startExtras(sys *particles.System, z []float64) {
	for k := range b.extras {
		e, c := &b.extras[k], sys.N()+k
		j := e.Particle
		if j >= b.firstVariable {
			continue // starts at 0, whatever the length of its way
		}
		small := contact * (size(b.at[3*j:3*j+3]) + size(e.Frame.P[:]) + size(b.frames[j].P[:]))
		h := sys.Height(0, c, z)
		if !(h >= -small) {
			b.Add(casefile.Path{"particles", j, "at"},
				"particle %q starts %.6g m inside the obstacle %q, want a position outside or on it", b.ids[j], -h, b.extraName[k])
		}
	}
	for j := range b.firstVariable {
		if sys.Cornered(j) {
			sys.Close(0, z, j, func(c int) float64 {
				f := sys.ContactFrame(c)
				return contact * (size(b.at[3*j:3*j+3]) + size(f.P[:]) + size(b.frames[j].P[:]))
			})
		}
	}
}

func size(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}
