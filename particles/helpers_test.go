package particles_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quasistatic/quasistatic/particles"
)

// must fails the test on an error.
func must[T any](t rapid.TB, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func number(lo, hi float64) *rapid.Generator[float64] { return rapid.Float64Range(lo, hi) }

// triple draws a vector with components in [-2, 2].
var triple = rapid.Custom(func(t *rapid.T) [3]float64 {
	return [3]float64{number(-2, 2).Draw(t, "1"), number(-2, 2).Draw(t, "2"), number(-2, 2).Draw(t, "3")}
})

// state draws a flat vector of n triples.
func state(t *rapid.T, n int) []float64 {
	var z []float64
	for range n {
		v := triple.Draw(t, "z")
		z = append(z, v[:]...)
	}
	return z
}

// frame draws all kinds of frames: floor, none, shifted floor, tilted with and
// without a tangent axis, turned about the vertical.
var frame = rapid.Custom(func(t *rapid.T) particles.Frame {
	kind := rapid.IntRange(0, 5).Draw(t, "frame")
	switch kind {
	case 0:
		return particles.Floor()
	case 1:
		return particles.NoObstacle()
	case 2:
		f := particles.Floor()
		f.P = triple.Draw(t, "point")
		return f
	}
	normal := [3]float64{0, 0, 1}
	if kind > 3 {
		normal = rapid.Map(triple, func(v [3]float64) [3]float64 { v[0] += 4; return v }).Draw(t, "normal")
	}
	h, err := particles.NewHalfSpace(triple.Draw(t, "point"), normal)
	if err != nil {
		t.Fatal(err)
	}
	if kind == 5 {
		return h.Frame()
	}
	axis := [3]float64{number(-1, 1).Draw(t, "axis"), 3, 0}
	f, err := h.FrameAlong(axis)
	if err != nil {
		t.Fatal(err)
	}
	return f
})

// path draws a smooth or constant path, so that central differences in time apply.
var path = rapid.Custom(func(t *rapid.T) particles.Path {
	p := particles.At(1, 2, 3)
	for c := range p {
		if rapid.Bool().Draw(t, "moves") {
			s, err := particles.Sine(number(-1, 1).Draw(t, "offset"), number(-1, 1).Draw(t, "amplitude"),
				number(0, 0.5).Draw(t, "frequency"), number(0, 6).Draw(t, "phase"))
			if err != nil {
				t.Fatal(err)
			}
			p[c] = s
		}
	}
	return p
})

// stiffness draws an isotropic, diagonal or full matrix.
var stiffness = rapid.Custom(func(t *rapid.T) particles.Stiffness {
	k := func() float64 { return number(0, 5).Draw(t, "k") }
	switch rapid.IntRange(0, 2).Draw(t, "shape") {
	case 0:
		return particles.Isotropic(k())
	case 1:
		return particles.Diagonal(k(), k(), k())
	}
	// Dominant diagonals make it positive semidefinite.
	a, b, c := k(), -k(), k()
	return particles.Stiffness{a - b + k(), a, b, a, a + c + k(), c, b, c, c - b + k()}
})

var law = rapid.Custom(func(t *rapid.T) particles.Law {
	k, rest := number(0, 5).Draw(t, "k"), number(0, 2).Draw(t, "rest")
	switch rapid.IntRange(0, 2).Draw(t, "law") {
	case 0:
		return particles.Linear{K: k}
	case 1:
		return particles.Linear{K: k, Rest: rest}
	}
	return particles.Cubic{K: k, K3: number(0, 1).Draw(t, "k3"), Rest: rest}
})

// dense returns D²E as a full matrix.
func dense(s *particles.System, t float64, z []float64) [][]float64 {
	h := s.Hessian(t, z)
	a := make([][]float64, h.N)
	for r := range a {
		a[r] = make([]float64, h.N)
		for c := range a[r] {
			if k := h.Index(r, c); k >= 0 {
				a[r][c] = h.Val[k]
			}
		}
	}
	return a
}

func near(t rapid.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Fatalf("%s = %.17g, want %.17g to %g", what, got, want, tol)
	}
}

func nearAll(t rapid.TB, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has length %d, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tol) {
			t.Fatalf("%s[%d] = %.17g, want %.17g to %g; all: %v, want %v", what, i, got[i], want[i], tol, got, want)
		}
	}
}

func newSystem(t testing.TB, frames []particles.Frame, energies ...particles.Energy) *particles.System {
	t.Helper()
	s, err := particles.NewSystem(frames, energies...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
