package world

import "slices"

// Driven reports a case in which nothing can ever move, or presses what rubs: there gravity, or a
// load, was forgotten. "gravity" that is written says that it was not.
func (b *Builder) Driven(other, rubs bool) {
	d := b.doc
	if d.Gravity != nil || len(d.Loads) > 0 || other || b.Any() {
		return
	}
	shaken := false
	for i := range d.Bodies {
		if d.Bodies[i].Load != nil {
			return
		}
	}
	_, v := b.World.Start()
	moves := slices.ContainsFunc(v, func(x float64) bool { return x != 0 })
	for _, o := range d.Obstacles {
		shaken = shaken || o.Motion != nil
	}
	for i := range d.Bodies {
		shaken = shaken || d.Bodies[i].Motion != nil
	}
	switch {
	case !moves && !shaken:
		b.Note("$.gravity is missing, and nothing moves: there is no load, no velocity, no spring and no obstacle that moves (zeros say that this is meant)")
	case rubs && !shaken && len(d.Obstacles) > 0:
		b.Note("$.gravity is missing, and there is no load and no spring: nothing but its velocity presses a body onto an obstacle (zeros say that this is meant)")
	}
}
