package particles_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
)

// Hand-computed values, all numbers representable: no rounding is allowed for
// except where a root or π is involved.
func TestValuesByHand(t *testing.T) {
	ramp, err := particles.PiecewiseLinear([]float64{0, 2}, [][3]float64{{1, 0, 0}, {3, 0, -4}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name     string
		energy   func() (particles.Energy, error)
		t        float64
		x        []float64
		e, de    float64
		grad     []float64
		rate     []float64
		hessian  [][]float64
		constant bool
	}{
		{
			name: "tether, a(1) = (2, 0, −2), ȧ = (1, 0, −2), d = (1, 1, 3)",
			energy: func() (particles.Energy, error) {
				return particles.NewTethers(particles.Tether{Anchor: ramp, Stiffness: particles.Diagonal(2, 4, 6)})
			},
			t: 1, x: []float64{3, 1, 1}, e: 30, de: 34,
			grad: []float64{2, 4, 18}, rate: []float64{-2, 0, 12},
			hessian: [][]float64{{2, 0, 0}, {0, 4, 0}, {0, 0, 6}}, constant: true,
		},
		{
			name: "stiffening tether, d = (1, 0, 2), |d|² = 5, β = 2",
			energy: func() (particles.Energy, error) {
				return particles.NewTethers(particles.Tether{Anchor: particles.At(0, 0, 0),
					Stiffness: particles.Isotropic(0), Stiffening: 2})
			},
			x: []float64{1, 0, 2}, e: 12.5,
			grad: []float64{10, 0, 20}, rate: []float64{0, 0, 0},
			hessian: [][]float64{{14, 0, 8}, {0, 10, 0}, {8, 0, 26}},
		},
		{
			name: "spring of length 5, rest 3, k = 5, along (3, 0, 4)/5: φ' = 10, φ'' = 5",
			energy: func() (particles.Energy, error) {
				return particles.NewSprings(particles.Spring{I: 1, J: 0, Law: particles.Linear{K: 5, Rest: 3}})
			},
			x: []float64{1, 1, 1, 4, 1, 5}, e: 10,
			grad: []float64{-6, 0, -8, 6, 0, 8}, rate: make([]float64, 6),
			// φ'' nnᵀ + 2 (I − nnᵀ) = 2 I + 3 nnᵀ
			hessian: link([][]float64{{3.08, 0, 1.44}, {0, 2, 0}, {1.44, 0, 3.92}}),
		},
		{
			name: "cubic spring to an anchor, e = 2, k = 1, k₃ = 1: φ = 6, φ' = 10, φ'' = 13",
			energy: func() (particles.Energy, error) {
				return particles.NewSprings(particles.Spring{Anchor: ramp, Law: particles.Cubic{K: 1, K3: 1, Rest: 3}})
			},
			t: 0, x: []float64{6, 0, 0}, e: 6, de: -10,
			grad: []float64{10, 0, 0}, rate: []float64{-13, 0, 4},
			hessian: [][]float64{{13, 0, 0}, {0, 2, 0}, {0, 0, 2}},
		},
		{
			name: "bond, X = (0,0,0), (1,0,0), d = (1, 0, 2)",
			energy: func() (particles.Energy, error) {
				return particles.NewBonds([]float64{0, 0, 0, 1, 0, 0},
					particles.Bond{I: 1, J: 0, Stiffness: particles.Stiffness{2, 0, 1, 0, 3, 0, 1, 0, 4}})
			},
			x: []float64{0, 0, 0, 2, 0, 2}, e: 11,
			grad: []float64{-4, 0, -9, 4, 0, 9}, rate: make([]float64, 6),
			hessian: link([][]float64{{2, 0, 1}, {0, 3, 0}, {1, 0, 4}}), constant: true,
		},
		{
			name: "bond to an anchor that moved by (1, 0, −2): d = (1, 0, 3)",
			energy: func() (particles.Energy, error) {
				return particles.NewBonds([]float64{5, 5, 5}, particles.Bond{Anchor: ramp, Stiffness: particles.Isotropic(2)})
			},
			t: 1, x: []float64{7, 5, 6}, e: 10, de: 10,
			grad: []float64{2, 0, 6}, rate: []float64{-2, 0, 4},
			hessian: [][]float64{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, constant: true,
		},
		{
			name: "load f(1) = (2, 0, −2)",
			energy: func() (particles.Energy, error) {
				return particles.NewLoads(particles.Load{Force: ramp})
			},
			t: 1, x: []float64{3, 1, 1}, e: -4, de: -1,
			grad: []float64{-2, 0, 2}, rate: []float64{-1, 0, 2},
			hessian: [][]float64{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, constant: true,
		},
		{
			name: "gravity",
			energy: func() (particles.Energy, error) {
				return particles.NewGravity([]float64{2}, [3]float64{0, 0, -10})
			},
			x: []float64{3, 1, 1.5}, e: 30, grad: []float64{0, 0, 20}, rate: []float64{0, 0, 0},
			hessian: [][]float64{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, constant: true,
		},
		{
			name: "Klarbring's plane: stiffness [[1, −.5], [−.5, 2]] in (x, z), d = (2, 1, 2), f = (t, 0, −1)",
			energy: func() (particles.Energy, error) {
				a, err := particles.DenseEntries([][]float64{{1, 0, -.5}, {0, 1, 0}, {-.5, 0, 2}})
				if err != nil {
					return nil, err
				}
				f, err := particles.PiecewiseLinear([]float64{0, 4}, [][3]float64{{0, 0, -1}, {4, 0, -1}})
				if err != nil {
					return nil, err
				}
				return particles.NewQuadratic([]int{0}, []float64{1, 0, 0}, a, f)
			},
			t: 3, x: []float64{3, 1, 2}, e: 4.5 - 6 + 2, de: -2,
			grad: []float64{-2, 1, 4}, rate: []float64{-1, 0, 0},
			hessian: [][]float64{{1, 0, -.5}, {0, 1, 0}, {-.5, 0, 2}}, constant: true,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			energy, err := tc.energy()
			if err != nil {
				t.Fatal(err)
			}
			s := newSystem(t, particles.Floors(len(tc.x)/3), energy)
			e, de := s.Value(tc.t, tc.x)
			near(t, "E", e, tc.e, 0)
			near(t, "∂tE", de, tc.de, 0)
			grad, rate := make([]float64, len(tc.x)), make([]float64, len(tc.x))
			s.Gradient(grad, rate, tc.t, tc.x)
			nearAll(t, "DE", grad, tc.grad, 0)
			nearAll(t, "∂tDE", rate, tc.rate, 0)
			for r, row := range dense(s, tc.t, tc.x) {
				// 3/5 and 4/5 are rounded: entries of size 4 to a few 1e-16.
				nearAll(t, "D²E", row, tc.hessian[r], 2e-15)
			}
			if s.ConstantHessian() != tc.constant {
				t.Errorf("ConstantHessian = %t, want %t", s.ConstantHessian(), tc.constant)
			}
		})
	}
}

// link is [[k, −k], [−k, k]].
func link(k [][]float64) [][]float64 {
	a := make([][]float64, 6)
	for r := range a {
		a[r] = make([]float64, 6)
		for c := range a[r] {
			a[r][c] = k[r%3][c%3]
			if r/3 != c/3 {
				a[r][c] *= -1
			}
		}
	}
	return a
}

// At length 0 a spring has no direction: no NaN, and the documented values.
func TestSpringOfLengthZero(t *testing.T) {
	for _, tc := range []struct {
		name string
		law  particles.Law
		x    []float64
		e, h float64 // D²E = h·I
	}{
		{"rest 0", particles.Linear{K: 3}, []float64{1, 2, 3, 1, 2, 3}, 0, 3},
		{"rest 2", particles.Linear{K: 3, Rest: 2}, []float64{1, 2, 3, 1, 2, 3}, 6, 3},
		{"cubic, rest 0", particles.Cubic{K: 3, K3: 1}, []float64{1, 2, 3, 1, 2, 3}, 0, 3},
		// The distance 1e-320 squares to 0.
		{"rest 2, denormal", particles.Linear{K: 3, Rest: 2}, []float64{0, 0, 0, 1e-320, 0, 0}, 6, 3},
	} {
		e, err := particles.NewSprings(particles.Spring{I: 0, J: 1, Law: tc.law})
		if err != nil {
			t.Fatal(err)
		}
		s := newSystem(t, particles.Floors(2), e)
		got, _ := s.Value(0, tc.x)
		near(t, tc.name+": E", got, tc.e, 0)
		grad := make([]float64, 6)
		s.Gradient(grad, nil, 0, tc.x)
		nearAll(t, tc.name+": DE", grad, make([]float64, 6), 0)
		h := tc.h
		want := link([][]float64{{h, 0, 0}, {0, h, 0}, {0, 0, h}})
		for r, row := range dense(s, 0, tc.x) {
			nearAll(t, tc.name+": D²E", row, want[r], 0)
		}
	}
}

// The tension of a spring with a rest length is finite however short it is.
func TestSpringNearLengthZero(t *testing.T) {
	e, err := particles.NewSprings(particles.Spring{I: 0, J: 1, Law: particles.Linear{K: 1e300, Rest: 1}})
	if err != nil {
		t.Fatal(err)
	}
	s := newSystem(t, particles.Floors(2), e)
	for _, l := range []float64{1e-320, 1e-200, 1e-160, 1e-100, 1e-8} {
		x := []float64{l, 0, 0, 0, 0, 0}
		grad := make([]float64, 6)
		s.Gradient(grad, nil, 0, x)
		for _, v := range append(grad, s.Hessian(0, x).Val...) {
			if math.IsNaN(v) {
				t.Fatalf("NaN at length %g: %v", l, grad)
			}
		}
	}
}
