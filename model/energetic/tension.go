package energetic

import (
	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
)

// tie is what tethers, springs, bonds and pair potentials do between a particle and another one, or an
// anchor, that an expectation is about: −∂/∂x_i of their energies.
type tie struct {
	i, other int // other < 0: the anchor −1 − other
	anchor   particles.Path
	energies []particles.Energy
}

// tie finds the terms of an expectation.
func (b *builder) tie(p casefile.Path, i int, id string) *tie {
	t := &tie{i: i}
	if a, is := b.anchor[id]; is {
		t.other, t.anchor = -1-a, b.anchors[a]
	} else if j, ok := b.lookupEnd(p, id); ok {
		t.other = j
	} else {
		return nil
	}
	joins := func(i, j int) bool { return i == t.i && j == t.other || j == t.i && i == t.other }
	for k := range b.terms.tethers {
		if x := &b.terms.tethers[k]; joins(x.Particle, b.terms.tied[k]) {
			e, err := particles.NewTethers(*x)
			t.energies = b.append(t.energies, e, err)
		}
	}
	for k := range b.terms.springs {
		if x := &b.terms.springs[k]; joins(x.I, x.J) {
			e, err := particles.NewSprings(*x)
			t.energies = b.append(t.energies, e, err)
		}
	}
	for k := range b.terms.bonds {
		if x := &b.terms.bonds[k]; joins(x.I, x.J) {
			e, err := particles.NewBonds(b.at, *x)
			t.energies = b.append(t.energies, e, err)
		}
	}
	if len(t.energies) == 0 && !b.Any() {
		b.Add(p, "no tether, spring, bond or pair joins %q and %q", casefile.Abbreviate(b.ids[i]), casefile.Abbreviate(id))
	}
	return t
}

// force is what the terms do to the particle at positions x [N], and the direction to the other end.
func (t *tie) force(time float64, x []float64) (force, to vec3.Vec) {
	grad := make([]float64, len(x))
	for _, e := range t.energies {
		e.Gradient(grad, nil, time, x)
	}
	at := func(x []float64, i int) vec3.Vec { return vec3.Vec(x[3*i : 3*i+3]) }
	var end vec3.Vec
	if t.anchor != nil {
		t.anchor.At(end[:], time)
	} else {
		end = at(x, t.other)
	}
	return vec3.Scale(at(grad, t.i), -1), vec3.Add(end, -1, at(x, t.i))
}

// tension is a component of it, or its part along the line of the ends, more than zero where it pulls.
func (r *Run) tension(x *casefile.Expectation) float64 {
	t := r.c.ties[x.Element]
	at := make([]float64, len(r.last.Z))
	r.c.Psi.System.ToGlobalAt(r.last.T, at, r.last.Z)
	force, to := t.force(r.last.T, at)
	if x.Axis >= 0 {
		return force[x.Axis]
	}
	l := vec3.Norm(to)
	if l == 0 {
		return vec3.Norm(force) // the line has no direction
	}
	return vec3.Dot(force, to) / l
}
