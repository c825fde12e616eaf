package energetic

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
)

// way is the straight way between two states at one time, along which friction is counted:
// tangential coordinates, and all of particles without an obstacle, go straight; the heights of
// the others are those of least energy, so that particles that are pressed stay in contact and
// are pressed as much as they are where they are. Then
//
//	D(z, y) = ∫_0^1 Ψ(t, w(s), w′(s)) ds.
//
// It is Ψ(t, z, y − z) where normal forces and friction matrices do not vary on it.
type way struct {
	psi      *dissipation.Coulomb
	t        float64
	from, to []float64
	w, v     []float64
	grad     []float64
}

func newWay(psi *dissipation.Coulomb) *way {
	n := 3 * psi.System.N()
	return &way{psi: psi, w: make([]float64, n), v: make([]float64, n), grad: make([]float64, n)}
}

const (
	// wayTolerance is that of D over a first estimate, and over E: rounding.
	wayTolerance = 1e-13
	// wayDepth is the number of halvings of a part of a way at a kink.
	wayDepth = 44
	// relaxSweeps is the number of sweeps over the heights of a state of the way.
	relaxSweeps = 10000
)

// dissipation returns D(from, to) at time t, by Simpson's rule, halved until it is exact to
// rounding: the integrand has kinks where particles lift off.
func (w *way) dissipation(t float64, from, to []float64) (float64, error) {
	w.t, w.from, w.to = t, from, to
	for i := range w.v {
		w.v[i] = to[i] - from[i]
		if i%3 == 2 && w.psi.System.Constrained(i/3) {
			w.v[i] = 0 // no part of Ψ
		}
	}
	a, err := w.power(0)
	if err != nil {
		return 0, err
	}
	m, err := w.power(.5)
	if err != nil {
		return 0, err
	}
	b, err := w.power(1)
	if err != nil {
		return 0, err
	}
	e, _ := w.psi.System.Value(t, from)
	whole := (a + 4*m + b) / 6
	floor := wayTolerance * (math.Abs(whole) + max(a, m, b) + math.Abs(e))
	return w.simpson(0, 1, a, m, b, whole, floor, wayDepth)
}

// simpson integrates over [x, x+h] with the values at its ends and its middle.
func (w *way) simpson(x, h, a, m, b, whole, floor float64, depth int) (float64, error) {
	l, err := w.power(x + h/4)
	if err != nil {
		return 0, err
	}
	r, err := w.power(x + 3*h/4)
	if err != nil {
		return 0, err
	}
	left, right := h/12*(a+4*l+m), h/12*(m+4*r+b)
	if off := left + right - whole; depth == 0 || math.Abs(off) <= 15*floor {
		return left + right + off/15, nil
	}
	if left, err = w.simpson(x, h/2, a, l, m, left, floor/2, depth-1); err != nil {
		return 0, err
	}
	right, err = w.simpson(x+h/2, h/2, m, r, b, right, floor/2, depth-1)
	return left + right, err
}

// power is Ψ(t, w(s), w′).
func (w *way) power(s float64) (float64, error) {
	sys := w.psi.System
	for i, a := range w.from {
		w.w[i] = a + s*(w.to[i]-a)
	}
	switch s {
	case 0:
		copy(w.w, w.from)
	case 1:
		copy(w.w, w.to)
	default:
		if err := w.relax(); err != nil {
			return 0, err
		}
	}
	sys.Gradient(w.grad, nil, w.t, w.w)
	return w.psi.Value(w.t, w.grad, w.w, w.v), nil
}

// relax sets the heights of w.w to those of least energy, by sweeps of Newton's method over the
// particles.
func (w *way) relax() error {
	sys := w.psi.System
	for range relaxSweeps {
		h := sys.Hessian(w.t, w.w)
		sys.Gradient(w.grad, nil, w.t, w.w)
		moved, size := false, math.Abs(slices.Max(w.grad))
		for j := range sys.N() {
			if !sys.Constrained(j) {
				continue
			}
			i := 3*j + 2
			k := h.Val[h.Ptr[i]]
			if !(k > 0) {
				continue // nothing of its own: it stays on the straight way
			}
			if next := max(w.w[i]-w.grad[i]/k, 0); math.Abs(next-w.w[i])*k > 1e-14*(size+math.Abs(w.grad[i])) && next != w.w[i] {
				w.w[i], moved = next, true
				sys.Gradient(w.grad, nil, w.t, w.w)
			}
		}
		if !moved {
			return nil
		}
	}
	return fmt.Errorf("energetic: t=%g: the heights on the way of a jump do not settle in %d sweeps", w.t, relaxSweeps)
}
