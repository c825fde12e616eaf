package sensitivity

import (
	"fmt"
	"math"
)

// reach is the number of neighbours on each side of the stencil, and weights are those of
// its differences.
const reach = 4

var weights = [reach]float64{4. / 5, -1. / 5, 4. / 105, -1. / 280}

// stencil is a family at p, p ± h, …, p ± 4h.
type stencil[A any] struct {
	base A
	up   [reach]A
	down [reach]A
	h    float64
}

// sample evaluates a family around p.
func sample[A any](p float64, f func(p float64) (A, error)) (s stencil[A], err error) {
	if s.base, err = f(p); err != nil {
		return s, err
	}
	s.h = math.Abs(p) / 64
	if s.h == 0 {
		s.h = 1. / 64
	}
	for k := range reach {
		for side, to := range [2]*A{&s.up[k], &s.down[k]} {
			q := p + float64(k+1)*s.h*float64(1-2*side)
			if *to, err = f(q); err != nil {
				return s, fmt.Errorf("sensitivity: derivatives look at a sixteenth of %g on both sides, and at %g there is no such case: %w",
					p, q, err)
			}
		}
	}
	return s, nil
}

// each calls visit for the neighbours.
func (s *stencil[A]) each(visit func(a A) error) error {
	for k := range reach {
		if err := visit(s.up[k]); err != nil {
			return err
		}
		if err := visit(s.down[k]); err != nil {
			return err
		}
	}
	return nil
}

// derivative is that of a number of the family.
func (s *stencil[A]) derivative(value func(a A) float64) float64 {
	sum := 0.0
	for k := range reach {
		sum += weights[k] * (value(s.up[k]) - value(s.down[k]))
	}
	return sum / s.h
}
