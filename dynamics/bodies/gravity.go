package bodies

import (
	"fmt"

	"github.com/quasistatic/quasistatic/signal"
)

// SetGravity replaces the acceleration [m/s²] by a function of time, two components in the plane.
//
// A component that never changes has the potential −m g x. One that does is a load m g(t), the same
// for all places: of d/dt(½mv² − m g·x) = −m ġ·x + (other forces)·v the first term depends on where
// the origin is, and says nothing of a body at rest, while the work ∫ m g·v dt is that of whoever
// turns the table. Steps take it by its mean, as all loads, so that its impulse is exact.
func (w *World) SetGravity(g signal.Vector) error {
	if err := g.Validate(w.dim); err != nil {
		return fmt.Errorf("bodies: gravity: %w", err)
	}
	w.gravity, w.surge = vec{}, nil
	surge := make(signal.Vector, w.dim)
	for k, s := range g {
		surge[k] = signal.Constant(0)
		if c, ok := s.(signal.Constant); ok {
			w.gravity[k] = float64(c)
		} else {
			surge[k], w.surge = s, surge
		}
	}
	return nil
}

// Gravity returns the acceleration by the components that never change, those of
// [World.Potential] [m/s²].
func (w *World) Gravity() [3]float64 { return w.gravity }

// GravityOver returns the acceleration by all of gravity, the mean from t to t + h; at t for h = 0
// [m/s²].
func (w *World) GravityOver(t, h float64) [3]float64 {
	g := w.mean(w.surge, t, h)
	for k, c := range w.gravity {
		g[k] += c
	}
	return g
}

// HasGravity reports whether there is any, at some time.
func (w *World) HasGravity() bool { return w.gravity != vec{} || w.surge != nil }

// mean is that of a vector in the dimension of the world from t to t + h, at t for h = 0; zero
// without one.
func (w *World) mean(s signal.Vector, t, h float64) (x vec) {
	switch {
	case s == nil:
	case h == 0:
		s.At(x[:w.dim], t)
	default:
		s.Mean(x[:w.dim], t, t+h)
	}
	return x
}
