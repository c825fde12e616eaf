package dissipation

import "math"

// Origin is the time and the state from which a motion is counted, the zero value none: what
// slides along an obstacle that moves is told from where both were.
type Origin struct {
	T float64
	Z []float64
}

// Slide returns how far the particle of contact c, at the state z at the time t, has moved since an
// origin along the obstacle and beside it: (t, o)·(z − z₀ − what the obstacle has carried). Of
// particles of which an obstacle beside the first is curved or moves, whose coordinates are
// computed, what is rounding counts as nothing.
func (k *Coulomb) Slide(t float64, c int, z []float64, from Origin) (a, b float64) {
	if from.Z == nil {
		return 0, 0
	}
	s := k.System
	p := s.ContactParticle(c)
	w := s.Carried(c, from.T, from.Z, t)
	var v [3]float64
	for i := range v {
		v[i] = z[3*p+i] - from.Z[3*p+i] - w[i]
	}
	_, x, y := s.ContactAxes(t, c, z)
	a, b = inner(x, v), inner(y, v)
	if k.Rests(c, z, a, b) {
		return 0, 0
	}
	return a, b
}

// Rests reports whether a motion along contact c is none: 0, or of particles of which an obstacle
// beside the first is curved or moves, rounding.
func (k *Coulomb) Rests(c int, z []float64, a, b float64) bool {
	return math.Hypot(a, b) <= k.System.Blur(k.System.ContactParticle(c), z)
}

// drag returns the friction of contact c per unit of its normal force, in the local coordinates
// of its particle; 0 if it does not slide.
func (k *Coulomb) drag(t float64, c int, z []float64, from Origin) (f [3]float64) {
	a, b := k.Slide(t, c, z, from)
	g, m := k.force(t, c, z, a, b), k.Factor(c, t)
	_, x, y := k.System.ContactAxes(t, c, z)
	for i := range f {
		f[i] = -m * (g[0]*x[i] + g[1]*y[i])
	}
	return f
}
