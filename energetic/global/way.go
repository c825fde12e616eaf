package global

import (
	"errors"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
)

// way is the straight way between two states at one time, along which friction is counted:
// tangential coordinates, and all of particles without an obstacle, go straight; the heights of the
// others are those of least energy, so that particles that are pressed stay in contact and are
// pressed as much as they are where they are. Particles with several obstacles of which one is
// curved or moves stay on those that they touch at both ends, and outside the others. Then
//
//	D(z, y) = ∫_0^1 Ψ(t, w(s), w′(s)) ds.
//
// It is Ψ(t, z, y − z) where normal forces and friction matrices do not vary on it.
type way struct {
	psi      *dissipation.Coulomb
	older    dissipation.Origin // of the motion to the first state
	t        float64
	from, to []float64
	w, v     []float64
	ahead    []float64 // scratch, see follow
	grad     []float64
	bent     []int   // particles with several obstacles of which one is curved or moves
	held     [][]int // by those: the contacts beside their own that are closed at both ends …
	own      []bool  // … and whether their own is
	visits   int     // states of the way so far
}

func newWay(psi *dissipation.Coulomb) *way {
	n := 3 * psi.System.N()
	bent := psi.System.Bent()
	return &way{psi: psi, w: make([]float64, n), v: make([]float64, n), ahead: make([]float64, n), grad: make([]float64, n),
		bent: bent, held: make([][]int, len(bent)), own: make([]bool, len(bent))}
}

const (
	// wayTolerance is that of D over a first estimate, and over E: rounding.
	wayTolerance = 1e-13
	// bentTolerance is that where the way has to be followed by differences.
	bentTolerance = 1e-8
	// wayAhead is the part of a way over which it is differenced: its error, the square, and
	// rounding over it are less than bentTolerance.
	wayAhead = 3e-6
	// wayDepth is the number of halvings of a part of a way at a kink.
	wayDepth = 44
	// wayVisits is the number of states of a way after which it is given up: a few kinks take some
	// hundred.
	wayVisits = 4000
	// relaxSweeps is the number of sweeps over the heights of a state of the way, after which it is
	// given up.
	relaxSweeps = 10000
)

// errNoWay: the straight way leaves A, or friction on it is not to be summed.
var errNoWay = errors.New("global: no straight way between two states")

// dissipation returns D(from, to) at time t, by Simpson's rule, halved until it is exact to
// rounding: the integrand has kinks where particles lift off. It fails with errNoWay where there is
// no D.
func (w *way) dissipation(t float64, from, to []float64) (float64, error) {
	w.t, w.from, w.to, w.visits = t, from, to, 0
	for i := range w.v {
		w.v[i] = to[i] - from[i]
		if i%3 == 2 && w.psi.System.Constrained(i/3) {
			w.v[i] = 0 // no part of Ψ
		}
	}
	w.hold()
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
	whole, tolerance := (a+4*m+b)/6, wayTolerance
	if len(w.bent) > 0 {
		tolerance = bentTolerance
	}
	floor := tolerance * (math.Abs(whole) + max(a, m, b) + math.Abs(e))
	return w.simpson(0, 1, a, m, b, whole, floor, wayDepth)
}

// hold notes the contacts that bent particles keep on the way.
func (w *way) hold() {
	sys := w.psi.System
	both := func(c int) bool { return sys.Touches(w.t, c, w.from) && sys.Touches(w.t, c, w.to) }
	for i, j := range w.bent {
		w.held[i], w.own[i] = w.held[i][:0], sys.Constrained(j) && both(j)
		for _, c := range sys.Beside(j) {
			if both(c) {
				w.held[i] = append(w.held[i], c)
			}
		}
	}
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

// power is Ψ(t, w(s), w′(s)).
func (w *way) power(s float64) (float64, error) {
	if w.visits++; w.visits > wayVisits {
		return 0, errNoWay
	}
	if err := w.follow(s); err != nil {
		return 0, err
	}
	sys := w.psi.System
	switch s {
	case 0:
		copy(w.w, w.from)
	case 1:
		copy(w.w, w.to)
	default:
		if err := w.visit(s); err != nil {
			return 0, err
		}
	}
	sys.Gradient(w.grad, nil, w.t, w.w)
	return w.psi.ValueFrom(w.older, w.t, w.grad, w.w, w.v), nil
}

// visit leaves w(s) in w.w.
func (w *way) visit(s float64) error {
	for i, a := range w.from {
		w.w[i] = a + s*(w.to[i]-a)
	}
	if err := w.relax(); err != nil || len(w.bent) == 0 {
		return err
	}
	sys := w.psi.System
	for i, j := range w.bent {
		if len(w.held[i]) > 0 {
			sys.Meet(w.t, w.w, j, w.own[i], w.held[i])
		}
	}
	sys.Admit(w.t, w.w)
	for _, j := range w.bent {
		for _, c := range sys.Beside(j) {
			if h := sys.Height(w.t, c, w.w); !(h >= -sys.Touching(c, w.w)) {
				return errNoWay
			}
		}
	}
	return nil
}

// follow sets what bent particles have of w.v to w′(s), by a difference of second order within the
// way: central, or to one side at its ends.
func (w *way) follow(s float64) error {
	if len(w.bent) == 0 {
		return nil
	}
	e, parts := wayAhead, [3]float64{-1.5, 2, -0.5} // of w(s), w(s + e), w(s + 2e)
	switch {
	case s > 1-wayAhead:
		e = -e
	case s >= wayAhead:
		s, parts = s-e, [3]float64{-0.5, 0, 0.5}
	}
	clear(w.ahead)
	for k, part := range parts {
		if part == 0 {
			continue
		}
		if err := w.visit(s + float64(k)*e); err != nil {
			return err
		}
		for i, x := range w.w {
			w.ahead[i] += part * (x - w.from[i]) // far from the origin as at it
		}
	}
	for _, j := range w.bent {
		for i := 3 * j; i < 3*j+3; i++ {
			w.v[i] = w.ahead[i] / e
		}
	}
	return nil
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
	return errNoWay
}
